//! Moves, gaps and payloads to movetext (spec §11): the way back from [`super::movetext`].

use super::{
    gaps::{COMMENT, NUMBER, RESULT, SPELLING, TEXT, Templates, VARIATION},
    layout::{Layout, LayoutModel},
    movetext::wrap_bounds,
    number::MoveNumber,
    payloads::Section,
    wrap::{self, Wrap},
};
use crate::{
    chess::{Legal, Move, Start, san},
    error::{Error, Result},
};

/// Where the moves of a game come from: one at a time, each told the legal
/// moves of the position it is played in.
pub trait Moves {
    /// The next move, or none when the game is over.
    ///
    /// # Errors
    /// Corrupt when there is no such move.
    fn next_move(&mut self, legal: &Legal) -> Result<Option<Move>>;
}

/// Writes the movetext of one record.
pub struct Renderer<'a> {
    /// The templates of the block.
    pub templates: &'a Templates,
    /// What gaps to expect behind those that the layout tells.
    pub model: &'a LayoutModel,
    /// The record's layout.
    pub layout: &'a Layout,
    /// The record's payloads.
    pub payloads: Section<'a>,
    /// The value of the Result tag.
    pub result: Option<&'a [u8]>,
    /// How lines end when the wrapping breaks them.
    pub line_end: &'static [u8],
    /// The most bytes that the output may come to.
    pub most: usize,
}

/// Fails when `next` would take the output beyond `most` bytes.
///
/// # Errors
/// Corrupt.
#[inline]
pub fn check_room(out: &[u8], next: &[u8], most: usize) -> Result<()> {
    if out.len() + next.len() > most {
        return Err(Error::corrupt("a block gives more text than it says"));
    }
    Ok(())
}

impl Renderer<'_> {
    /// Appends the movetext of a game that starts there; none when it cannot be
    /// played.
    ///
    /// # Errors
    /// Corrupt when moves, gaps and payloads do not fit each other.
    pub fn render(
        self,
        start: Option<&Start>,
        moves: &mut impl Moves,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Self {
            layout, line_end, ..
        } = self;
        let mut writer = Writer {
            text_lens: layout.text_lens.iter(),
            renderer: self,
        };
        let from = out.len();
        match start {
            Some(start) => writer.moves(start, moves, out)?,
            None => _ = writer.gap(layout.last, b"", out)?,
        }
        if writer.text_lens.next().is_some() {
            return Err(Error::corrupt("payloads are left over in a record"));
        }
        writer.renderer.payloads.finish()?;
        if layout.wrap != Wrap::None {
            let plain = out.split_off(from);
            let (before, inner, after) = wrap_bounds(&plain);
            out.extend_from_slice(before);
            wrap::rewrap(layout.wrap, inner, line_end, out);
            out.extend_from_slice(after);
        }
        Ok(())
    }
}

struct Writer<'a> {
    renderer: Renderer<'a>,
    text_lens: std::slice::Iter<'a, u32>,
}

impl Writer<'_> {
    fn moves(&mut self, start: &Start, moves: &mut impl Moves, out: &mut Vec<u8>) -> Result<()> {
        let layout = self.renderer.layout;
        let mut position = start.position;
        let mut legal = Legal::new(&position);
        let mut number = MoveNumber::new(start.fullmoves);
        let mut plies = 0;
        let mut gap = None;
        while let Some(played) = moves.next_move(&legal)? {
            let template = self.renderer.model.gap(layout, plies, gap)?;
            let spelled = self.gap(template, number.text(), out)?;
            if !spelled {
                san::write_with(layout.disambiguation, &legal, played).append_to(out);
            }
            position.play(played);
            legal = Legal::new(&position);
            if legal.is_check() && !spelled {
                out.push(if legal.count() == 0 { b'#' } else { b'+' });
            }
            if position.turn().is_white() {
                number.advance();
            }
            check_room(out, b"", self.renderer.most)?;
            plies += 1;
            gap = Some(template);
        }
        if layout.gaps.len() > plies {
            return Err(Error::corrupt("a game has more gaps than moves"));
        }
        self.gap(layout.last, number.text(), out)?;
        Ok(())
    }

    /// Appends a gap; says whether it spelled the move that follows.
    #[inline]
    fn gap(&mut self, template: u32, number: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        let mut spelled = false;
        for &byte in self.renderer.templates.get(template) {
            match byte {
                NUMBER => out.extend_from_slice(number),
                COMMENT => {
                    out.push(b'{');
                    out.extend_from_slice(self.renderer.payloads.comment()?);
                }
                VARIATION => {
                    out.push(b'(');
                    out.extend_from_slice(self.renderer.payloads.variation()?);
                }
                RESULT => {
                    let result = self
                        .renderer
                        .result
                        .ok_or_else(|| Error::corrupt("a game without Result refers to it"))?;
                    check_room(out, result, self.renderer.most)?;
                    out.extend_from_slice(result);
                }
                TEXT | SPELLING => {
                    let len = self.text_lens.next();
                    let len = *len.ok_or_else(|| {
                        Error::corrupt("a record asks for a payload that is not there")
                    })?;
                    out.extend_from_slice(self.renderer.payloads.text(len as usize)?);
                    spelled |= byte == SPELLING;
                }
                _ => out.push(byte),
            }
        }
        Ok(spelled)
    }
}
