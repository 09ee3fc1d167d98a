//! Words: values from a dictionary that grows as the block goes on.
//!
//! A value is first compared with a guess: the value that the same key had the
//! last time (Event by TimeControl, a title by the player's name), the value it
//! came with (a player's last opponent), or without a key the value before. A right guess costs a fraction of a bit. Else it is
//! a word known already, told by its number, or a new one, taken from the text
//! stream. Numbers follow either how often a word is used (its place of first
//! appearance, every bit of which learns) or how recently (players come back
//! soon).
//!
//! Equal values of one column end up as equal spans of the table, in packing
//! and in unpacking alike: that is what makes a column usable as a key.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Span, Streams, Table, check_overrun, codes_and_text};
use crate::{
    bits::range::{Bit, Coder, Encoder, Number},
    error::{Error, Result},
    format::block::Column,
};

/// Switch: words are told by how recently they were used (spec §4.3.1).
pub const RECENT: u8 = 1;
/// Switch: each value is first compared with a guess (spec §4.3.1).
pub const GUESS: u8 = 2;
/// Switch: the two values of a record are each other's key; the guess for the
/// second is whom the first came with last (spec §4.3.1).
pub const PAIRED: u8 = 4;

/// A column of so many different words is not told by recency: that would take
/// too long (spec §7).
const MOST_RECENT: usize = 1 << 14;
/// Fewer different words than this are told by frequency.
const FEW: usize = 256;

/// In place of a word, for the decoder.
const NOT_GIVEN: u32 = u32::MAX;

/// The estimates of one words column, and what it has seen.
struct Model {
    recent: bool,
    guess: bool,
    paired: bool,
    /// Whether the guess is right, by how the last two went.
    hit: [Bit; 4],
    hits: usize,
    /// Whether the word is new, by whether the one before was.
    new: [Bit; 2],
    was_new: bool,
    number: Number<12>,
    /// How many words have appeared.
    known: u32,
    /// The words, the last used first, where they are told by recency.
    order: Vec<u32>,
    /// Word by key, and the word before.
    by_key: FxHashMap<Span, u32>,
    before: Option<u32>,
}

impl Model {
    fn new(switches: u8) -> Self {
        Self {
            recent: switches & RECENT != 0,
            guess: switches & GUESS != 0,
            paired: switches & PAIRED != 0,
            hit: Default::default(),
            hits: 0,
            new: Default::default(),
            was_new: false,
            number: Number::default(),
            known: 0,
            order: Vec::new(),
            by_key: FxHashMap::default(),
            before: None,
        }
    }

    /// Codes a word by its number. The number one beyond those known is a new
    /// word, whose spelling the caller adds.
    ///
    /// # Errors
    /// Corrupt when the stream tells a word that is not known.
    fn code(&mut self, coder: &mut impl Coder, key: Option<Span>, given: u32) -> Result<u32> {
        if let Some(guess) = self.guess(key) {
            let hit = coder.bit(&mut self.hit[self.hits], guess == given);
            self.hits = (self.hits << 1 | usize::from(hit)) & 3;
            if hit {
                if self.recent {
                    self.touch(rank(&self.order, guess));
                }
                return Ok(guess);
            }
        }
        let known = self.known;
        let new = coder.bit(&mut self.new[usize::from(self.was_new)], given == known);
        self.was_new = new;
        let word = if new {
            self.known += 1;
            if self.recent {
                if self.known as usize == MOST_RECENT {
                    return Err(Error::corrupt("a column has too many words for its order"));
                }
                self.order.push(known);
                self.touch(known as usize);
            }
            known
        } else if self.recent {
            // The encoder looks the word up; the decoder is given none.
            let place = if given < known {
                rank(&self.order, given)
            } else {
                0
            };
            let place = self.number.code(coder, place as u64) as usize;
            let word = *self.order.get(place).ok_or_else(unknown_word)?;
            self.touch(place);
            word
        } else {
            let word = self.number.code(coder, u64::from(given));
            u32::try_from(word)
                .ok()
                .filter(|&w| w < known)
                .ok_or_else(unknown_word)?
        };
        self.note(key, word);
        Ok(word)
    }

    /// The guess for a value with this key.
    fn guess(&self, key: Option<Span>) -> Option<u32> {
        match key {
            _ if !self.guess => None,
            Some(key) => self.by_key.get(&key).copied(),
            None if self.paired => None,
            None => self.before,
        }
    }

    /// Notes what the value was, for the next guess.
    fn note(&mut self, key: Option<Span>, word: u32) {
        match key {
            _ if !self.guess => {}
            Some(key) => _ = self.by_key.insert(key, word),
            None => self.before = Some(word),
        }
    }

    /// Notes two values that came together, each the other's next guess.
    fn pair(&mut self, first: (Span, u32), second: (Span, u32)) {
        self.by_key.insert(first.0, second.1);
        self.by_key.insert(second.0, first.1);
    }

    /// Moves the word at this place of the order to its front.
    fn touch(&mut self, place: usize) {
        self.order[..=place].rotate_right(1);
    }
}

/// The place of a known word in the order of last use.
fn rank(order: &[u32], word: u32) -> usize {
    order.iter().position(|&w| w == word).unwrap_or(0)
}

fn unknown_word() -> Error {
    Error::corrupt("a column tells a word that it has not introduced")
}

/// The key of a value, if the column has keys: one for all of its tags, or one
/// for each; or the first value of the record, if values come in pairs.
fn key(table: &Table, column: &Column, tag: usize, row: usize) -> Option<Span> {
    let key = match column.refs.len() {
        0 if tag == 1 && column.switches & PAIRED != 0 => column.tags[0],
        0 => return None,
        1 => column.refs[0],
        _ => *column.refs.get(tag)?,
    };
    Some(table.span(key, row))
}

/// Remembers the first value of a record, and pairs it with the second.
fn pair_up(model: &mut Model, first: &mut Option<(Span, u32)>, value: (Span, u32)) {
    match *first {
        _ if !model.paired => {}
        None => *first = Some(value),
        Some(first) => model.pair(first, value),
    }
}

/// Codes the column and sets its switches.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let (words, distinct) = intern(table, &column.tags);
    let again = words.windows(2).filter(|w| w[0] == w[1]).count();
    column.switches = 0;
    if (FEW..MOST_RECENT).contains(&distinct) && column.refs.is_empty() {
        column.switches |= RECENT;
    }
    if !column.refs.is_empty() || again * 4 > words.len() {
        column.switches |= GUESS;
    }
    if column.refs.is_empty() && column.tags.len() == 2 {
        column.switches |= GUESS | PAIRED;
    }
    let mut model = Model::new(column.switches);
    let mut coder = Encoder::new();
    let mut text = Vec::new();
    let mut next = words.iter();
    for row in 0..table.rows {
        let mut first = None;
        for (i, &tag) in column.tags.iter().enumerate() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let word = *next.next().expect("a word for each value");
            let new = word == model.known;
            let coded = model.code(&mut coder, key(table, column, i, row), word);
            debug_assert!(coded.is_ok_and(|coded| coded == word));
            if new {
                text.extend_from_slice(table.value(tag, row).expect("a value when packing"));
                text.push(b'\n');
            }
            pair_up(&mut model, &mut first, (table.span(tag, row), word));
        }
    }
    Streams {
        codes: coder.finish(),
        text,
    }
}

/// Numbers the different values by first appearance and makes equal values
/// equal spans. Gives the number of each value in order, and how many there are.
#[allow(
    clippy::needless_range_loop,
    reason = "row by row, across the columns of several tags"
)]
fn intern(table: &mut Table, tags: &[u16]) -> (Vec<u32>, usize) {
    let mut words = Vec::with_capacity(table.rows * tags.len());
    let mut spans: Vec<Span> = Vec::new();
    let mut numbers: hashbrown::HashTable<u32> = hashbrown::HashTable::new();
    let hasher = FxBuildHasher;
    let Table {
        bytes,
        values,
        rows,
        ..
    } = table;
    #[expect(
        clippy::needless_range_loop,
        reason = "rows of several columns in turn"
    )]
    for row in 0..*rows {
        for &tag in tags {
            let span = &mut values[usize::from(tag)][row];
            if !span.is_present() {
                continue;
            }
            let value = &bytes[span.range()];
            let text = |n: u32| &bytes[spans[n as usize].range()];
            let hash = hasher.hash_one(value);
            let known = numbers.find(hash, |&n| text(n) == value).copied();
            let word = known.unwrap_or(spans.len() as u32);
            if known.is_none() {
                numbers.insert_unique(hash, word, |&n| hasher.hash_one(text(n)));
                spans.push(*span);
            }
            *span = spans[word as usize];
            words.push(word);
        }
    }
    (words, spans.len())
}

/// Fills in the values of the first `rows` records.
///
/// # Errors
/// Corrupt when a word is told that no earlier one introduced, or streams end.
pub fn decode(table: &mut Table, column: &Column, streams: &[Vec<u8>], rows: usize) -> Result<()> {
    let (mut coder, mut lines) = codes_and_text(streams)?;
    let mut model = Model::new(column.switches);
    let mut spans: Vec<Span> = Vec::new();
    for row in 0..rows {
        let mut first = None;
        for (i, &tag) in column.tags.iter().enumerate() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let word = model.code(&mut coder, key(table, column, i, row), NOT_GIVEN)? as usize;
            if word == spans.len() {
                spans.push(table.add(lines.next_line()?));
            }
            table.set(tag, row, spans[word]);
            pair_up(&mut model, &mut first, (spans[word], word as u32));
        }
        check_overrun(&coder)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    fn column(tags: &[u16], refs: &[u16]) -> Column {
        Column {
            codec: Codec::Words as u8,
            tags: tags.to_vec(),
            refs: refs.to_vec(),
            switches: 0,
            streams: vec![],
        }
    }

    #[test]
    fn values_return_with_gaps_repeats_and_keys() {
        let table = testing::table(
            &["White", "Black", "Title"],
            &[
                &[Some("Anand"), Some("Kramnik"), Some("GM")],
                &[Some("Kramnik"), None, None],
                &[Some("Anand"), Some(""), Some("GM")],
                &[None, Some("Anand"), None],
                &[Some("Kramnik"), Some("Anand"), Some("")],
            ],
        );
        testing::round_trip(&table, vec![column(&[0, 1], &[]), column(&[2], &[0])]);
    }

    #[test]
    fn a_column_that_follows_from_its_key_costs_next_to_nothing() {
        let keys: Vec<String> = (0..5000u64).map(|i| format!("k{}", i * i % 37)).collect();
        let rows: Vec<[Option<&str>; 2]> = keys
            .iter()
            .map(|k| [Some(k.as_str()), Some(&k[1..])])
            .collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        let table = testing::table(&["Key", "Value"], &rows);
        let without = testing::round_trip(&table, vec![column(&[0], &[])]);
        let with = testing::round_trip(&table, vec![column(&[0], &[]), column(&[1], &[0])]);
        assert!(with < without + 200, "{with} {without}");
    }

    #[test]
    fn many_different_words_come_back() {
        let names: Vec<String> = (0..3000u64).map(|i| format!("n{}", i * i % 1009)).collect();
        let rows: Vec<[Option<&str>; 1]> = names.iter().map(|n| [Some(n.as_str())]).collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        testing::round_trip(&testing::table(&["White"], &rows), vec![column(&[0], &[])]);
    }
}
