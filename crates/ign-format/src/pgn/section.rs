//! Tag sections that do not have the standard form, as numbered templates (spec §4.1.4).
//!
//! A template is the text of a section in which marks stand for the names and the values of its
//! tags, or for the first words of values that are written on several lines. Sections of one
//! program have few templates. Each block numbers its templates by first appearance.

use std::ops::Range;

use rustc_hash::FxHashMap;

pub use super::marks::{NAME, VALUE, WORD, is_mark};
use super::tags::Tag;
use crate::error::{Error, Result};

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
}
