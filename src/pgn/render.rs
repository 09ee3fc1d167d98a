//! Moves, gaps and payloads to movetext: the way back from [`super::movetext`].

use super::{
    gaps::{COMMENT, NUMBER, RESULT, SPELLING, TEXT, Templates, VARIATION},
    layout::Layout,
    movetext::wrap_bounds,
    number::MoveNumber,
    payloads::Section,
    wrap::{self, Wrap},
};
use crate::{
    chess::{Legal, Move, Start, san},
    error::{Error, Result},
};

/// Writes the movetext of one record.
pub struct Renderer<'a> {
    /// The templates of the block.
    pub templates: &'a Templates,
    /// The record's layout, its gaps complete.
    pub layout: &'a Layout,
    /// The record's payloads.
    pub payloads: Section<'a>,
    /// The value of the Result tag.
    pub result: Option<&'a [u8]>,
    text_lens: std::slice::Iter<'a, u32>,
}

impl<'a> Renderer<'a> {
    /// A renderer for one record.
    pub fn new(templates: &'a Templates, layout: &'a Layout, payloads: Section<'a>, result: Option<&'a [u8]>) -> Self {
        Self { templates, layout, payloads, result, text_lens: layout.text_lens.iter() }
    }

    /// Appends the movetext.
    ///
    /// # Errors
    /// Corrupt when gaps and payloads do not fit each other.
    pub fn render(mut self, start: Option<&Start>, moves: &[Move], line_end: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let from = out.len();
        match start {
            Some(start) => self.moves(start, moves, out)?,
            None => self.gap(self.layout.last, b"", out)?,
        }
        if self.text_lens.next().is_some() {
            return Err(Error::corrupt("payloads are left over in a record"));
        }
        self.payloads.finish()?;
        if self.layout.wrap != Wrap::None {
            let plain = out.split_off(from);
            let (before, inner, after) = wrap_bounds(&plain);
            out.extend_from_slice(before);
            wrap::rewrap(self.layout.wrap, inner, line_end, out);
            out.extend_from_slice(after);
        }
        Ok(())
    }

    fn moves(&mut self, start: &Start, moves: &[Move], out: &mut Vec<u8>) -> Result<()> {
        let mut position = start.position;
        let mut legal = Legal::new(&position);
        let mut number = MoveNumber::new(start.fullmoves);
        for (&played, &gap) in moves.iter().zip(&self.layout.gaps) {
            let spelled = self.gap(gap, number.text(), out)?;
            if !spelled {
                let mut text = [0; san::MAX_LEN];
                let len = san::write(&legal, played, &mut text);
                out.extend_from_slice(&text[..len]);
            }
            position.play(played);
            legal = Legal::new(&position);
            if legal.is_check() && !spelled {
                out.push(if legal.count() == 0 { b'#' } else { b'+' });
            }
            if position.turn().is_white() {
                number.advance();
            }
        }
        self.gap(self.layout.last, number.text(), out)?;
        Ok(())
    }

    /// Appends a gap; says whether it spelled the move that follows.
    #[inline]
    fn gap(&mut self, template: u32, number: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        let mut spelled = false;
        for &byte in self.templates.get(template) {
            match byte {
                NUMBER => out.extend_from_slice(number),
                COMMENT => {
                    out.push(b'{');
                    out.extend_from_slice(self.payloads.comment()?);
                }
                VARIATION => {
                    out.push(b'(');
                    out.extend_from_slice(self.payloads.variation()?);
                }
                RESULT => {
                    let result = self.result.ok_or_else(|| Error::corrupt("a game without Result refers to it"))?;
                    out.extend_from_slice(result);
                }
                TEXT | SPELLING => {
                    let len = self.text_lens.next();
                    let len = *len.ok_or_else(|| Error::corrupt("a record asks for a payload that is not there"))?;
                    out.extend_from_slice(self.payloads.text(len as usize)?);
                    spelled |= byte == SPELLING;
                }
                _ => out.push(byte),
            }
        }
        Ok(spelled)
    }
}
