//! Tag sections that do not have the standard form, as numbered templates (spec §4.1.4).
//!
//! A template is the text of a section in which marks stand for the names and the values of its
//! tags, or for the first words of values that are written on several lines. Sections of one
//! program have few templates. Each block numbers its templates by first appearance.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tags::Tag;
use crate::error::{Error, Result};

/// Mark: the name of the next tag of the record's list.
pub const NAME: u8 = 0x01;
/// Mark: the value of the next tag of the record's list, or what [`WORD`] leaves of it.
pub const VALUE: u8 = 0x02;
/// Mark: a word of the value of the next tag. A space that is not written follows it in the value.
pub const WORD: u8 = 0x03;

/// Whether a byte is a mark or ends a template, so that a section outside of its tags must not
/// contain it.
pub const fn is_mark(byte: u8) -> bool {
    byte <= WORD
}

/// Whether a template has text in brackets that is no tag, on a line of brackets.
pub fn has_other_line(template: &[u8]) -> bool {
    let mut lines = template.split(|c| matches!(c, b'\n' | b'\r'));
    lines.any(|line| {
        // After a bracket that closes, another one may open.
        let mut after_bracket = true;
        let mut brackets = line.split_inclusive(|c| *c == b']').take_while(|piece| {
            std::mem::replace(&mut after_bracket, piece.ends_with(b"]"))
                && piece.trim_ascii_start().starts_with(b"[")
        });
        brackets.any(|bracket| !bracket.iter().any(|c| is_mark(*c)))
    })
}

/// The templates of a block, by number from 0.
#[derive(Debug, Default)]
pub struct TagSections {
    templates: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl TagSections {
    /// Reads the stream of templates, each followed by NUL.
    ///
    /// # Errors
    /// Corrupt, if the last one is not terminated, or a name or a word is not followed by a byte
    /// that is not a mark: each of them must lead to a byte of text, which limits the work for a
    /// block.
    pub fn read(stream: &[u8]) -> Result<Self> {
        let mut templates: Vec<_> = stream
            .split(|&byte| byte == 0)
            .map(<[u8]>::to_vec)
            .collect();
        let rest = templates.pop().unwrap_or_default();
        let leads_to_mark = |pair: &[u8]| matches!(pair[0], NAME | WORD) && is_mark(pair[1]);
        if !rest.is_empty() || stream.windows(2).any(leads_to_mark) {
            return Err(Error::corrupt("a block has an impossible tag section"));
        }
        Ok(Self {
            templates,
            ..Self::default()
        })
    }

    /// The stream of templates.
    pub fn write(&self) -> Vec<u8> {
        let ended = self
            .templates
            .iter()
            .flat_map(|template| [&template[..], b"\0"]);
        ended.collect::<Vec<_>>().concat()
    }

    /// Number of templates.
    pub fn count(&self) -> usize {
        self.templates.len()
    }

    /// The template of a number below [`count`](Self::count).
    pub fn get(&self, number: u32) -> &[u8] {
        &self.templates[number as usize]
    }

    /// The number of the template of a section with these tags. Other tags that it contains are
    /// part of the template.
    pub fn number<'a>(
        &mut self,
        text: &[u8],
        section: Range<usize>,
        tags: impl IntoIterator<Item = &'a Tag>,
    ) -> u32 {
        let mut template = Vec::new();
        let mut at = section.start;
        for tag in tags {
            if tag.is_written_as_named() {
                template.extend_from_slice(&text[at..tag.written.start]);
                template.push(NAME);
                at = tag.written.end;
            }
            template.extend_from_slice(&text[at..tag.value.start]);
            if let Some(joined) = &tag.joined {
                template.extend_from_slice(&joined.words);
            }
            template.push(VALUE);
            at = tag.value.end;
        }
        template.extend_from_slice(&text[at..section.end]);
        if let Some(&number) = self.numbers.get(&template) {
            return number;
        }
        let number = self.templates.len() as u32;
        self.templates.push(template.clone());
        self.numbers.insert(template, number);
        number
    }
}

/// A value that is written on several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The value, with a space in place of each line end and the spaces around it.
    pub value: Vec<u8>,
    /// The part of a template that writes its words up to the last line end.
    pub words: Vec<u8>,
}

/// Joins the lines of a value; `None` if it is on one line.
pub fn join_lines(value: &[u8]) -> Option<Box<Joined>> {
    memchr::memchr2(b'\n', b'\r', value)?;
    let (mut joined, mut words) = (Vec::new(), Vec::new());
    let mut words_len = 0;
    for piece in value.chunk_by(|a, b| is_white(*a) == is_white(*b)) {
        if piece.iter().any(|c| matches!(c, b'\n' | b'\r')) {
            joined.push(b' ');
            words.push(WORD);
            words.extend_from_slice(piece);
            words_len = words.len();
            continue;
        }
        joined.extend_from_slice(piece);
        let spaces = piece.iter().filter(|c| **c == b' ');
        words.extend(spaces.flat_map(|_| [WORD, b' ']));
    }
    words.truncate(words_len);
    let value = joined;
    Some(Box::new(Joined { value, words }))
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_brackets_without_a_value_is_no_tag() {
        for (template, has_other) in [
            ("[\x01 \"\x02\"]\n", false),
            ("[\x01 \"\x02\"] [\x01 \"\x02\"]\n", false),
            ("[\x01 \"\x02\"] {[x]}\n", false),
            ("{[x]}\n[\x01 \"\x02\"", false),
            ("[\x01 \"\x02\"]\n[x\n", true),
            ("[\x01 \"\x02\"]\n  [x]\r\n", true),
            ("[\x01 \"\x02\"] [x \"y\"]\n", true),
            ("[x][\x01 \"\x02\"]\n", true),
        ] {
            assert_eq!(has_other_line(template.as_bytes()), has_other, "{template}");
        }
    }

    #[test]
    fn lines_of_a_value_are_joined_by_a_space() {
        let join = |value: &str| join_lines(value.as_bytes()).map(|joined| *joined);
        let expected = |value: &str, words: &str| {
            Some(Joined {
                value: value.into(),
                words: words.into(),
            })
        };
        assert_eq!(join("a b"), None);
        assert_eq!(join("a\nb"), expected("a b", "\x03\n"));
        assert_eq!(
            join("a b \r\n  c d"),
            expected("a b c d", "\x03 \x03 \r\n  ")
        );
        assert_eq!(join("\r"), expected(" ", "\x03\r"));
    }
}
