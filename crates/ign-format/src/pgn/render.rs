//! Moves, gaps and payloads to movetext (spec §11): the way back from [`super::movetext`].

use std::num::NonZeroU32;

use super::{
    comments::repeats::Repeats,
    gaps::{COMMENT, NUMBER, RESULT, SPELLING, TEXT, Templates, VARIATION},
    layout::{Layout, LayoutModel},
    movetext::wrap_bounds,
    number::MoveNumber,
    payloads::Section,
    start::Start,
    wrap::{self, Wrap},
};
use crate::error::{Error, Result};
use ign_notation::chess::{
    Move, Position,
    rules::{Board, LegalMoves},
    san::{Naming, San},
};

/// Where the moves of a game come from: one at a time, each told the legal
/// moves of the position it is played in.
pub trait Moves {
    /// The next move, or none when the game is over.
    ///
    /// # Errors
    /// Corrupt when there is no such move.
    fn next_move(&mut self, legal: &impl LegalMoves) -> Result<Option<Move>>;
}

/// Where the names of a game's moves come from, one at a time.
pub trait Names {
    /// The name of the next move with the sign of check or mate that it
    /// demands, or none when the game is over.
    ///
    /// # Errors
    /// Corrupt when there is no such move.
    fn next_name(&mut self) -> Result<Option<San>>;

    /// The position behind the moves named so far, or behind all of them; none for
    /// a record that has no start or whose rules are not those of chess.
    fn position(&self) -> Option<&Position>;
}

/// The names of moves, found by playing them.
pub struct Played<M, B: Board> {
    moves: M,
    position: B,
    legal: B::Legal,
    naming: Naming,
}

impl<M: Moves, B: Board> Played<M, B> {
    /// Those of a game that starts there.
    pub fn new(start: B, moves: M, naming: Naming) -> Self {
        Self {
            moves,
            legal: start.legal(),
            position: start,
            naming,
        }
    }
}

impl<M: Moves, B: Board> Names for Played<M, B> {
    #[inline]
    fn next_name(&mut self) -> Result<Option<San>> {
        let Some(played) = self.moves.next_move(&self.legal)? else {
            return Ok(None);
        };
        let name = self.legal.write_with(self.naming, played);
        self.position.play(played);
        self.legal = self.position.legal();
        Ok(Some(match self.naming.sign(self.legal.sign()) {
            None => name,
            Some(sign) => name.with_sign(sign),
        }))
    }

    fn position(&self) -> Option<&Position> {
        self.position.as_chess()
    }
}

/// A record that has no moves.
pub struct NoNames;

impl Names for NoNames {
    fn next_name(&mut self) -> Result<Option<San>> {
        Ok(None)
    }

    fn position(&self) -> Option<&Position> {
        None
    }
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
    /// What comments repeat.
    pub repeats: Repeats<'a>,
    /// Whether White has the first move.
    pub white_starts: bool,
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
    /// Appends the movetext of a game that is played from there; gives the position behind its
    /// moves, if the rules are those of chess, and how many they are.
    ///
    /// # Errors
    /// Corrupt when moves, gaps and payloads do not fit each other.
    pub fn play(
        self,
        start: &Start,
        moves: impl Moves,
        out: &mut Vec<u8>,
    ) -> Result<(Option<Position>, usize)> {
        let naming = self.layout.naming;
        match start {
            Start::Chess(chess) => {
                self.named(start, Played::new(chess.position, moves, naming), out)
            }
            Start::Variant(variant) => self.named(
                start,
                Played::new(variant.board.clone(), moves, naming),
                out,
            ),
        }
    }

    /// [`play`](Self::play), but of a game whose moves have these names.
    ///
    /// # Errors
    /// As `play`.
    pub fn named(
        self,
        start: &Start,
        mut names: impl Names,
        out: &mut Vec<u8>,
    ) -> Result<(Option<Position>, usize)> {
        let plies = self.render(start.fullmoves(), &mut names, out)?;
        Ok((names.position().copied(), plies))
    }

    /// Appends the movetext of a game whose first move has this number; gives how
    /// many moves there are.
    ///
    /// # Errors
    /// Corrupt when moves, gaps and payloads do not fit each other.
    pub fn render(
        self,
        first: NonZeroU32,
        names: &mut impl Names,
        out: &mut Vec<u8>,
    ) -> Result<usize> {
        let Self {
            layout, line_end, ..
        } = self;
        let mut writer = Writer {
            text_lens: layout.text_lens.iter(),
            renderer: self,
        };
        let from = out.len();
        let plies = writer.moves(MoveNumber::new(first), names, out)?;
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
        Ok(plies)
    }
}

struct Writer<'a> {
    renderer: Renderer<'a>,
    text_lens: std::slice::Iter<'a, u32>,
}

impl Writer<'_> {
    fn moves(
        &mut self,
        mut number: MoveNumber,
        names: &mut impl Names,
        out: &mut Vec<u8>,
    ) -> Result<usize> {
        let layout = self.renderer.layout;
        let mut plies = 0;
        let mut gap = None;
        let mut white = self.renderer.white_starts;
        while let Some(name) = names.next_name()? {
            let template = self.renderer.model.gap(layout, plies, gap)?;
            if !self.gap(template, &number, out)? {
                name.append_to(out);
            }
            if !white {
                number.advance();
            }
            white = !white;
            check_room(out, b"", self.renderer.most)?;
            plies += 1;
            gap = Some(template);
        }
        if layout.gaps.len() > plies {
            return Err(Error::corrupt("a game has more gaps than moves"));
        }
        self.gap(layout.last, &number, out)?;
        Ok(plies)
    }

    /// Appends a gap; says whether it spelled the move that follows.
    #[inline]
    fn gap(&mut self, template: u32, number: &MoveNumber, out: &mut Vec<u8>) -> Result<bool> {
        if let Some(gap) = self.renderer.templates.spell(template, number) {
            // All eight at once, then the length: quicker than a copy of unknown length.
            let len = out.len() + gap.len;
            out.extend_from_slice(&gap.word.to_le_bytes());
            out.truncate(len);
            return Ok(false);
        }
        let mut spelled = false;
        for &byte in self.renderer.templates.get(template) {
            match byte {
                NUMBER => out.extend_from_slice(number.text()),
                COMMENT => {
                    out.push(b'{');
                    let Renderer {
                        payloads, repeats, ..
                    } = &mut self.renderer;
                    let comment = payloads.comment()?;
                    repeats.restore(comment, payloads.variations, out)?;
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
