//! Repeats: text that a comment copies from elsewhere in the record (spec §4.5.5).
//!
//! A comment may repeat the first move of the next variation ("Nf3 was best") or the game's
//! opening. [`Repeats::shorten`] replaces the repeated text by a mark, a byte that comments cannot
//! contain; [`Repeats::restore`] is the inverse.

use crate::{
    error::{Error, Result},
    pgn::{
        gaps::{COMMENT, Templates, VARIATION},
        payloads::RecordPayloads,
    },
};
use ign_notation::chess::san;

/// Mark in a comment: the first word of the record's next variation.
const FIRST_MOVE: u8 = 0x04;
/// Marks in a comment: the values of the tags [`Repeats::TAGS`].
const TAG_MARKS: [u8; 2] = [0x05, 0x06];

/// Tag values that the comments of a record may repeat.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repeats<'a> {
    /// Values of [`Repeats::TAGS`]; `None` if the record lacks the tag.
    pub tags: [Option<&'a [u8]>; 2],
}

impl Repeats<'_> {
    /// Names of the tags whose values comments may repeat.
    pub const TAGS: [&'static str; 2] = ["ECO", "Opening"];

    /// Appends the comments of a section with repeated text replaced by marks. `gaps` are the
    /// record's gap templates, which give the positions of the comments.
    ///
    /// # Errors
    /// Returns a corruption error if the gaps do not fit the payloads of the section.
    pub fn shorten(
        self,
        mut section: RecordPayloads,
        gaps: impl Iterator<Item = u32>,
        templates: &Templates,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        for gap in gaps {
            let template = templates.get(gap);
            for (i, &mark) in template.iter().enumerate() {
                match mark {
                    COMMENT => {
                        let comment = section.comment()?;
                        if comment.trim_ascii_start().starts_with(b"[") {
                            // A command such as [%clk …], as most comments are.
                            out.extend_from_slice(comment);
                            continue;
                        }
                        let is_next = template[i..].contains(&VARIATION);
                        let word = is_next.then(|| first_word(section.variations));
                        self.shorten_one(comment, word, out);
                    }
                    VARIATION => _ = section.variation()?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn shorten_one(self, comment: &[u8], word: Option<&[u8]>, out: &mut Vec<u8>) {
        let mut from = 0;
        let marks = [(self.tags[0], TAG_MARKS[0]), (self.tags[1], TAG_MARKS[1])];
        for (repeated, mark) in marks.into_iter().chain([(word, FIRST_MOVE)]) {
            let Some(repeated) = repeated.filter(|word| word.len() > 1) else {
                continue;
            };
            if let Some(at) = find_word(&comment[from..], repeated) {
                out.extend_from_slice(&comment[from..from + at]);
                out.push(mark);
                from += at + repeated.len();
            }
        }
        out.extend_from_slice(&comment[from..]);
    }

    /// Appends a comment with its marks replaced by the repeated text. `variations` are those of
    /// the record that follow the comment.
    ///
    /// # Errors
    /// Returns a corruption error if the repeated text does not exist.
    #[inline]
    pub fn restore(self, comment: &[u8], variations: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut rest = comment;
        while let Some(len) = memchr::memchr3(FIRST_MOVE, TAG_MARKS[0], TAG_MARKS[1], rest) {
            out.extend_from_slice(&rest[..len]);
            let repeated = match rest[len] {
                FIRST_MOVE if variations.is_empty() => None,
                FIRST_MOVE => Some(first_word(variations)),
                mark => self.tags[usize::from(mark == TAG_MARKS[1])],
            }
            .ok_or_else(|| {
                Error::corrupt("a comment repeats text that the record does not have")
            })?;
            out.extend_from_slice(repeated);
            rest = &rest[len + 1..];
        }
        out.extend_from_slice(rest);
        Ok(())
    }
}

/// The first word of a variation after its move number.
fn first_word(variation: &[u8]) -> &[u8] {
    let is_number = |c: &u8| c.is_ascii_digit() || matches!(c, b'.' | b' ');
    let start = variation.iter().position(|c| !is_number(c));
    let word = &variation[start.unwrap_or(variation.len())..];
    let len = word.iter().position(|&c| !san::belongs(c));
    &word[..len.unwrap_or(word.len())]
}

/// Position of a word that is not part of a longer one.
fn find_word(text: &[u8], word: &[u8]) -> Option<usize> {
    let belongs = |c: Option<&u8>| c.is_some_and(|&c| san::belongs(c));
    memchr::memmem::find_iter(text, word).find(|&at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !belongs(before) && !belongs(text.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section<'a>(comments: &'a [u8], variations: &'a [u8]) -> RecordPayloads<'a> {
        RecordPayloads {
            comments,
            variations,
            text: &[],
        }
    }

    #[test]
    fn round_trips_repeated_text_as_marks() {
        let repeats = Repeats {
            tags: [Some(b"C50"), Some(b"Italian Game")],
        };
        // A comment before two variations, two in the next gap, one before none.
        let mut templates = Templates::default();
        let gaps = [&b" \x02 \x03\x03 "[..], b" \x02 \x02 \x03 ", b" \x02 "]
            .map(|gap| templates.number(gap));
        let comments = b" Nf3 was best. } C50 Italian Game, Nf3+ } [%best Nf3+] } Nf3}";
        let variations = b"12. Nf3 Nc6)12... Nc6)1... Nf3+)";
        let mut short = Vec::new();
        let all = section(comments, variations);
        repeats
            .shorten(all, gaps.into_iter(), &templates, &mut short)
            .unwrap();
        assert_eq!(
            short,
            b" \x04 was best. } \x05 \x06, \x04 } [%best Nf3+] } Nf3}"
        );
        let mut out = Vec::new();
        for (comment, variations) in short.split_inclusive(|&c| c == b'}').zip([
            &variations[..],
            b"1... Nf3+)",
            b"1... Nf3+)",
            b"",
        ]) {
            repeats.restore(comment, variations, &mut out).unwrap();
        }
        assert_eq!(out, comments);
        for comment in [&b"\x04}"[..], b"\x05}", b"\x06}"] {
            assert!(
                Repeats::default()
                    .restore(comment, b"", &mut Vec::new())
                    .is_err()
            );
        }
    }

    #[test]
    fn first_word_follows_the_move_number() {
        for (variation, word) in [
            (&b"12. Nf3 Nc6)"[..], &b"Nf3"[..]),
            (b"12...O-O-O?! 13. e4)", b"O-O-O"),
            (b" e8=Q+)", b"e8=Q+"),
            (b"{no} e4)", b""),
            (b"12.)", b""),
            (b"", b""),
        ] {
            assert_eq!(first_word(variation), word);
        }
    }

    #[test]
    fn finds_whole_words_only() {
        assert_eq!(find_word(b"Nf3+, Nf3", b"Nf3"), Some(6));
        assert_eq!(find_word(b"aNf3", b"Nf3"), None);
        assert_eq!(find_word(b"Nf3", b"Nf3"), Some(0));
    }
}
