//! The name that was probably meant by a misspelled one.

/// A name may differ from the one that was meant in one letter, and in one more for each further
/// three.
const LETTERS_PER_EDIT: usize = 3;

/// The name among `known` that was probably meant by another one: the one with the fewest letters
/// to insert, remove or replace, if these are few. The case of letters and underscores do not
/// count.
///
/// ```
/// use ign_archive::text::closest;
///
/// assert_eq!(closest("whiteElo", &["white", "white_elo"]), Some("white_elo"));
/// assert_eq!(closest("knight", &["white", "white_elo"]), None);
/// ```
pub fn closest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    // Longer texts are no misspelled names, and comparing takes the product of the lengths.
    const MAX_LEN: usize = 40;
    let plain = |text: &str| text.to_ascii_lowercase().replace('_', "");
    let wanted = plain(name);
    if wanted.len() > MAX_LEN {
        return None;
    }
    let distances = known
        .iter()
        .map(|&known| (edits(&wanted, &plain(known)), known));
    let (distance, known) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= (wanted.len() / LETTERS_PER_EDIT).max(1)).then_some(known)
}

/// The least number of bytes to insert, remove or replace.
fn edits(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
