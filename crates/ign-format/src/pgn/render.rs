//! Renderer: writes movetext from moves, gaps and payloads (spec §11). The inverse of
//! [`movetext`](super::movetext).

use std::num::NonZeroU32;

use super::{
    comments::repeats::Repeats,
    gap_parser::balanced_len,
    gaps::{
        COMMENT, MOVE_TEXT, NUMBER, RESULT, TEXT, Templates, VARIATION, begins_move, ends_move,
        is_neutral,
    },
    layout::{Layout, LayoutModel},
    number::MoveNumber,
    payloads::RecordPayloads,
    start::Start,
    wrap::{self, Wrap},
};
use crate::error::{Error, Result};
use ign_notation::chess::{
    Move, Position,
    rules::{Board, LegalMoves},
    san::{Naming, San},
};

/// Source of a game's moves.
pub trait Moves {
    /// The next move, given the legal moves of the position; `None` at the end of the game.
    ///
    /// # Errors
    /// Returns a corruption error if there is no such move.
    fn next_move(&mut self, legal: &impl LegalMoves) -> Result<Option<Move>>;
}

/// Source of a game's moves as SAN, or in the notation of the record.
pub trait Names {
    /// The next move, with its sign of check or mate; `None` at the end of the game.
    ///
    /// # Errors
    /// Returns a corruption error if there is no such move.
    fn next_name(&mut self) -> Result<Option<San>>;

    /// The position after the moves so far, or after all moves. `None` for a record without a
    /// start, and for variants.
    fn position(&self) -> Option<&Position>;
}

/// Writes moves in a notation by playing them on a board.
#[derive(Debug)]
pub struct Played<M, B: Board> {
    moves: M,
    position: B,
    legal: B::Legal,
    naming: Naming,
}

impl<M: Moves, B: Board> Played<M, B> {
    /// A game from a starting position.
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

/// Moves whose SAN is known, with the position after them.
#[derive(Debug)]
pub struct KnownNames<'a> {
    names: std::slice::Iter<'a, San>,
    end: Option<&'a Position>,
}

impl<'a> KnownNames<'a> {
    /// The SAN of the moves, and the position after them if it is one of chess.
    pub fn new(names: &'a [San], end: Option<&'a Position>) -> Self {
        let names = names.iter();
        Self { names, end }
    }
}

impl Names for KnownNames<'_> {
    #[inline]
    fn next_name(&mut self) -> Result<Option<San>> {
        Ok(self.names.next().copied())
    }

    fn position(&self) -> Option<&Position> {
        self.end
    }
}

/// A record without moves.
#[derive(Debug)]
pub struct NoNames;

impl Names for NoNames {
    fn next_name(&mut self) -> Result<Option<San>> {
        Ok(None)
    }

    fn position(&self) -> Option<&Position> {
        None
    }
}

/// Parts of a record that are not known, because the block is damaged. What refers to them is left
/// out of the movetext.
#[derive(Debug, Clone, Copy, Default)]
pub struct Missing {
    /// Comments.
    pub comments: bool,
    /// Variations.
    pub variations: bool,
    /// Literal text.
    pub text: bool,
    /// The Result tag.
    pub result: bool,
}

/// Renderer of the movetext of one record.
#[derive(Debug)]
pub struct Renderer<'a> {
    /// The gap templates of the block.
    pub templates: &'a Templates,
    /// Predicts the gaps that the layout does not store.
    pub model: &'a LayoutModel,
    /// The record's layout.
    pub layout: &'a Layout,
    /// The record's payloads.
    pub payloads: RecordPayloads<'a>,
    /// What of the record is not known.
    pub missing: Missing,
    /// Whether every move is written in SAN, whatever the text has.
    pub in_san: bool,
    /// The value of the Result tag.
    pub result: Option<&'a [u8]>,
    /// The tag values that comments repeat.
    pub repeats: Repeats<'a>,
    /// Whether White moves first.
    pub white_starts: bool,
    /// Line end for wrapped lines.
    pub line_end: &'static [u8],
    /// Maximum length of the output in bytes.
    pub max_len: usize,
}

/// Checks that the output stays within `max_len` bytes after `next` is appended.
///
/// # Errors
/// Returns a corruption error otherwise.
#[inline]
pub fn check_room(out: &[u8], next: &[u8], max_len: usize) -> Result<()> {
    if out.len() + next.len() > max_len {
        return Err(Error::corrupt(
            "a block decodes to more text than it declares",
        ));
    }
    Ok(())
}

impl Renderer<'_> {
    /// How the moves are written.
    pub fn naming(&self) -> Naming {
        self.layout.written(self.in_san)
    }

    /// Appends the movetext of a game with these moves. Returns the position after its last move,
    /// for chess, and the number of plies.
    ///
    /// # Errors
    /// Returns a corruption error if moves, gaps and payloads do not fit each other.
    pub fn play(
        self,
        start: &Start,
        moves: impl Moves,
        out: &mut Vec<u8>,
    ) -> Result<(Option<Position>, usize)> {
        let naming = self.naming();
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

    /// Like [`play`](Self::play), for moves that are written already.
    ///
    /// # Errors
    /// As for `play`.
    pub fn named(
        self,
        start: &Start,
        mut names: impl Names,
        out: &mut Vec<u8>,
    ) -> Result<(Option<Position>, usize)> {
        let plies = self.render(start.fullmoves(), &mut names, out)?;
        Ok((names.position().copied(), plies))
    }

    /// Appends the movetext of a game, given its first move number. Returns the number of plies.
    ///
    /// # Errors
    /// Returns a corruption error if moves, gaps and payloads do not fit each other.
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
            let (before, inner, after) = wrap::bounds(&plain);
            out.extend_from_slice(before);
            wrap::rewrap(layout.wrap, inner, line_end, out);
            out.extend_from_slice(after);
        }
        Ok(plies)
    }
}

/// The place of a gap in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first move.
    First,
    /// Between two moves.
    Between,
    /// After the last move.
    Last,
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
            let place = if plies == 0 {
                Place::First
            } else {
                Place::Between
            };
            if !self.gap(template, &number, place, out)? {
                name.append_to(out);
            }
            if !white {
                number.advance();
            }
            white = !white;
            check_room(out, b"", self.renderer.max_len)?;
            plies += 1;
            gap = Some(template);
        }
        if layout.gaps.len() > plies {
            return Err(Error::corrupt("a game has more gaps than moves"));
        }
        self.gap(layout.last, &number, Place::Last, out)?;
        Ok(plies)
    }

    /// Appends a gap; returns whether it included the next move as literal text.
    #[inline]
    fn gap(
        &mut self,
        template: u32,
        number: &MoveNumber,
        place: Place,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let from = out.len();
        let has_move = self.exact_gap(template, number, out)?;
        if self.renderer.in_san {
            let is_last = place == Place::Last;
            let gap = out.split_off(from);
            let space = match place {
                Place::First => gap.len() - gap.trim_ascii_start().len(),
                _ => 0,
            };
            out.extend_from_slice(&gap[..space]);
            append_neutral(&gap[space..], is_last, out);
            let next = out.get(from);
            if place != Place::First && next.map_or(!is_last, |&byte| !ends_move(byte)) {
                out.insert(from, b' ');
            }
            if !is_last && out.last().is_some_and(|&byte| !begins_move(byte)) {
                out.push(b' ');
            }
        }
        Ok(has_move)
    }

    #[inline]
    fn exact_gap(&mut self, template: u32, number: &MoveNumber, out: &mut Vec<u8>) -> Result<bool> {
        if let Some(gap) = self.renderer.templates.expand(template, number) {
            // Writes eight bytes at once and truncates: faster than a copy of variable length.
            let len = out.len() + gap.len;
            out.extend_from_slice(&gap.word.to_le_bytes());
            out.truncate(len);
            return Ok(false);
        }
        let mut has_move = false;
        let missing = self.renderer.missing;
        // Whether the spaces that follow belong to a payload that is left out.
        let mut left_out = false;
        for &byte in self.renderer.templates.get(template) {
            if left_out && is_redundant(byte, out) {
                continue;
            }
            left_out = match byte {
                COMMENT => missing.comments,
                VARIATION => missing.variations,
                TEXT | MOVE_TEXT => missing.text,
                _ => false,
            };
            match byte {
                COMMENT | VARIATION if left_out => {}
                NUMBER => out.extend_from_slice(number.text()),
                COMMENT => {
                    out.push(b'{');
                    let Renderer {
                        payloads, repeats, ..
                    } = &mut self.renderer;
                    let comment = payloads.comment()?;
                    // A move of a variation that is not known is written as one that is not played.
                    let variations = if missing.variations {
                        b"--"
                    } else {
                        payloads.variations
                    };
                    repeats.restore(comment, variations, out)?;
                }
                VARIATION => {
                    out.push(b'(');
                    out.extend_from_slice(self.renderer.payloads.variation()?);
                }
                RESULT if missing.result => out.push(b'*'),
                RESULT => {
                    let result = self.renderer.result.ok_or_else(|| {
                        Error::corrupt("a game refers to the Result tag but has none")
                    })?;
                    check_room(out, result, self.renderer.max_len)?;
                    out.extend_from_slice(result);
                }
                TEXT | MOVE_TEXT => {
                    let len = *self
                        .text_lens
                        .next()
                        .ok_or_else(|| Error::corrupt("a record has too few payloads"))?;
                    if missing.text {
                        // The text may have separated two moves.
                        if out.last().is_some_and(|last| !last.is_ascii_whitespace()) {
                            out.push(b' ');
                        }
                        continue;
                    }
                    let text = self.renderer.payloads.text(len as usize)?;
                    if byte == TEXT || !self.renderer.in_san {
                        out.extend_from_slice(text);
                        has_move |= byte == MOVE_TEXT;
                    }
                }
                _ => out.push(byte),
            }
        }
        Ok(has_move)
    }
}

/// Appends a gap with parentheses for the braces within comments. Unless the gap is the last, one
/// space stands for other white space, and for what is neither a comment, a variation, a number nor
/// a glyph.
fn append_neutral(gap: &[u8], is_last: bool, out: &mut Vec<u8>) {
    let (mut at, mut depth, mut nests) = (0, 0usize, true);
    while let Some(&byte) = gap.get(at) {
        let rest = &gap[at..];
        let before = match at.checked_sub(1) {
            Some(before) => gap[before],
            None => out.last().copied().unwrap_or(b'\n'),
        };
        // One that is not closed ends with the gap.
        let end_of = |found: Option<usize>| found.map_or(rest.len(), |end| end + 1);
        let line = || Some(end_of(memchr::memchr2(b'\n', b'\r', rest)));
        let comment = match byte {
            b'{' => {
                let balanced = nests.then(|| balanced_len(rest)).flatten();
                nests = balanced.is_some();
                Some(balanced.unwrap_or_else(|| end_of(memchr::memchr(b'}', rest))))
            }
            // That of `&nbsp;` begins none.
            b';' if at == 0 || !before.is_ascii_alphanumeric() => line(),
            b'%' if matches!(before, b'\n' | b'\r') => line(),
            _ => None,
        };
        if let Some(len) = comment {
            let flat = |byte: &u8| match byte {
                b'{' => b'(',
                b'}' => b')',
                _ => *byte,
            };
            let (inner, end) = match &rest[1..len] {
                [inner @ .., b'}'] => (inner, &b"}"[..]),
                [inner @ .., b'\r'] => (inner, &b"\n"[..]),
                inner => (inner, &b""[..]),
            };
            // What precedes a line with % may become a space, and then it starts no line.
            out.push(if byte == b'%' { b';' } else { byte });
            out.extend(inner.iter().map(flat));
            out.extend_from_slice(end);
            at += len;
            continue;
        }
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_space = byte.is_ascii_whitespace() || (depth == 0 && !is_neutral(byte));
        if is_last || !is_space {
            out.push(byte);
        } else if !out.last().is_some_and(u8::is_ascii_whitespace) {
            out.push(b' ');
        }
        at += 1;
    }
}

/// Whether a byte after a payload that is left out would double the space or the line end before
/// it.
fn is_redundant(byte: u8, out: &[u8]) -> bool {
    matches!(
        (byte, out.last()),
        (b' ', Some(b' ' | b'\n')) | (b'\r' | b'\n', Some(b'\n'))
    )
}
