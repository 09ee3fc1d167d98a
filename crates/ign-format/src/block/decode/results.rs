//! What movetext says about the result after its last move, as far as gap templates show it.

use crate::{
    block::{Fixed, Kind, decode::block::Block},
    error::Result,
    pgn::{
        gaps::{COMMENT, MOVE_TEXT, NUMBER, TEXT, Templates, VARIATION},
        words::RESULTS,
    },
};

/// What the text after the last move of a record states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedResult {
    /// No result, or the value of the Result tag.
    OfTag,
    /// This result.
    Other(&'static [u8]),
    /// Only the text of the record shows it.
    InText,
}

impl StatedResult {
    fn of_template(template: &[u8]) -> Self {
        // Comments and variations may follow a result.
        let follows =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(*byte, COMMENT | VARIATION);
        let len = template.iter().rposition(|byte| !follows(byte));
        let end = &template[..len.map_or(0, |last| last + 1)];
        let is_kept = |byte: &u8| matches!(*byte, TEXT | MOVE_TEXT);
        // A result that is not one of PGN ends with a digit or with ½.
        let ends_word = |byte: &u8| matches!(*byte, b'0'..=b'9' | b'*' | NUMBER | 0x80..);
        if template.iter().any(is_kept) {
            return Self::InText;
        }
        if !end.last().is_some_and(ends_word) {
            return Self::OfTag;
        }
        let stated = RESULTS.into_iter().find(|result| {
            let before = end.strip_suffix(*result).and_then(<[u8]>::last);
            before.is_some_and(|c| c.is_ascii_whitespace() || matches!(*c, COMMENT | VARIATION))
        });
        stated.map_or(Self::InText, Self::Other)
    }
}

impl Block<'_> {
    /// What the movetexts of the first `records` records state as the result. `None` if no record
    /// of the block states another than its Result tag; then no layout is decoded.
    ///
    /// # Errors
    /// Corrupt.
    pub fn stated_results(&self, records: usize) -> Result<Option<Vec<StatedResult>>> {
        if self.kind() != Kind::Chess {
            return Ok(None);
        }
        let [_, templates] = self.fixed::<2>(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let numbers = 0..templates.len() as u32;
        let stated: Vec<StatedResult> = numbers
            .map(|number| StatedResult::of_template(templates.get(number)))
            .collect();
        if stated.iter().all(|stated| *stated == StatedResult::OfTag) {
            return Ok(None);
        }
        self.of_layouts(records, |layouts| stated[layouts.layout.last as usize])
            .map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::gaps::RESULT;

    #[test]
    fn templates_state_results() {
        use StatedResult::{InText, OfTag, Other};
        for (template, stated) in [
            (&b" "[..], OfTag),
            (&[b' ', RESULT, b'\n', b'\n'], OfTag),
            (b" \x02 ", OfTag),
            (b" +-\n", OfTag),
            (b" 1-0\n\n", Other(b"1-0")),
            (b" \x02 *\n", Other(b"*")),
            (b"\x031/2-1/2", Other(b"1/2-1/2")),
            (b" 1-0 \x02 \x03\n", Other(b"1-0")),
            (&[b' ', RESULT, b' ', COMMENT, b'\n'], OfTag),
            (b"1-0", InText),
            (b" 1/2\n", InText),
            (b" 1:\x01\n", InText),
            ("½-½".as_bytes(), InText),
            (b" 1-0 \x05", InText),
            (b"\x05\n", InText),
        ] {
            assert_eq!(StatedResult::of_template(template), stated, "{template:?}");
        }
    }
}
