//! What comments repeat of what stands elsewhere (spec §4.5.5): the move that
//! the variation behind them begins with ("Nf3 was best"), the game's opening.
//!
//! The parser takes comments as they stand; [`Repeats::shorten`] puts marks in the
//! place of what is repeated, [`Repeats::restore`] puts it back. A mark is no byte
//! that a comment can hold.

use crate::{
    error::{Error, Result},
    pgn::{
        gaps::{COMMENT, Templates, VARIATION},
        payloads::Section,
    },
};
use ign_notation::chess::san;

/// In a comment: the first word of the record's next variation.
const FIRST_MOVE: u8 = 0x04;
/// In a comment: the value of the record's tag of that place in [`Repeats::TAGS`].
const TAG_MARKS: [u8; 2] = [0x05, 0x06];

/// What comments of a record may repeat, its variations apart.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repeats<'a> {
    /// The values of [`Repeats::TAGS`], if it has them.
    pub tags: [Option<&'a [u8]>; 2],
}

impl Repeats<'_> {
    /// The tags of which comments may repeat the values.
    pub const TAGS: [&'static str; 2] = ["ECO", "Opening"];

    /// Appends the comments of a section, shortened; the gaps of the record tell where they stand.
    ///
    /// # Errors
    /// Corrupt when the gaps have other payloads than the section.
    pub fn shorten(
        self,
        mut section: Section,
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
                            // Numbers and the like: most comments are so.
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

    /// Appends a comment with what it repeats; `variations` are those of the record to come.
    ///
    /// # Errors
    /// Corrupt when it repeats what is not there.
    #[inline]
    pub fn restore(self, comment: &[u8], variations: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut rest = comment;
        while let Some(len) = memchr::memchr3(FIRST_MOVE, TAG_MARKS[0], TAG_MARKS[1], rest) {
            out.extend_from_slice(&rest[..len]);
            let repeated = match rest[len] {
                FIRST_MOVE if variations.is_empty() => None,
                FIRST_MOVE => Some(first_word(variations)),
                mark => self.tags[usize::from(mark == TAG_MARKS[1])],
            };
            let repeated =
                repeated.ok_or_else(|| Error::corrupt("a comment repeats what is not there"))?;
            out.extend_from_slice(repeated);
            rest = &rest[len + 1..];
        }
        out.extend_from_slice(rest);
        Ok(())
    }
}

/// The first word of a variation behind its move number.
fn first_word(variation: &[u8]) -> &[u8] {
    let is_number = |c: &u8| c.is_ascii_digit() || matches!(c, b'.' | b' ');
    let start = variation.iter().position(|c| !is_number(c));
    let word = &variation[start.unwrap_or(variation.len())..];
    let len = word.iter().position(|&c| !san::belongs(c));
    &word[..len.unwrap_or(word.len())]
}

/// Where a word stands that is no part of a longer one.
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

    fn section<'a>(comments: &'a [u8], variations: &'a [u8]) -> Section<'a> {
        Section {
            comments,
            variations,
            text: &[],
        }
    }

    #[test]
    fn what_is_repeated_becomes_marks_and_comes_back() {
        let repeats = Repeats {
            tags: [Some(b"C50"), Some(b"Italian Game")],
        };
        // A comment before two variations, two in the gap behind, one before none.
        let mut templates = Templates::default();
        let gaps = [&b" \x02 \x03\x03 "[..], b" \x02 \x02 \x03 ", b" \x02 "];
        let gaps = gaps.map(|gap| templates.number(gap));
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
    fn the_first_word_is_behind_the_number() {
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
    fn words_within_others_are_not_found() {
        assert_eq!(find_word(b"Nf3+, Nf3", b"Nf3"), Some(6));
        assert_eq!(find_word(b"aNf3", b"Nf3"), None);
        assert_eq!(find_word(b"Nf3", b"Nf3"), Some(0));
    }
}
