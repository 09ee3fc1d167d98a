//! A record put together again from its parts (spec §14.6).

use super::{
    layout::{Layout, Templates, mark},
    parse::{Branches, Played},
    syntax::value_end,
};
use crate::error::{Error, Result};
use ign_notation::go::{Color, Move, Position};

/// Where the moves come from.
pub trait Moves {
    /// The next move that is coded, at this position: whether it is of the main line, and whether
    /// the record says it.
    ///
    /// # Errors
    /// Corrupt.
    fn next_move(&mut self, position: &Position, main: bool, said: bool) -> Result<Move>;
}

/// The parts of a record.
pub struct Parts<'a, V> {
    /// Templates of the block.
    pub templates: &'a Templates,
    /// Which of them, and what else the layout tells.
    pub layout: &'a Layout,
    /// Where the game starts, if that is known.
    pub start: Option<&'a Position>,
    /// Values of its tags, in order.
    pub tags: V,
    /// Values set aside, exactly its own.
    pub values: &'a [u8],
    /// The text that ends it.
    pub text: &'a [u8],
    /// The most bytes that may be written.
    pub most: usize,
}

/// The position while a record is walked, and those to go back to.
struct Walk {
    position: Option<Position>,
    branches: Branches,
}

impl Walk {
    fn new(start: Option<&Position>) -> Self {
        Self {
            position: start.cloned(),
            branches: Branches::default(),
        }
    }

    /// The next move, of the player whose letter ends the template; shows it, and the pass before
    /// it that is not said.
    #[inline]
    fn play(
        &mut self,
        template: &[u8],
        moves: &mut impl Moves,
        mut visit: impl FnMut(Played),
    ) -> Result<Move> {
        let color = match template {
            [.., b'B', b'['] => Color::Black,
            [.., b'W', b'['] => Color::White,
            _ => {
                return Err(Error::corrupt(
                    "a gap before a move does not say whose it is",
                ));
            }
        };
        let position = self
            .position
            .as_mut()
            .ok_or_else(|| Error::corrupt("a record has moves, but no start"))?;
        let main = self.branches.in_main();
        if position.turn() != color {
            if moves.next_move(position, main, false)? != Move::Pass {
                return Err(Error::corrupt("a player moves twice"));
            }
            visit(Played {
                position,
                played: Move::Pass,
                main,
                said: false,
            });
            position.play(Move::Pass);
        }
        let played = moves.next_move(position, main, true)?;
        visit(Played {
            position,
            played,
            main,
            said: true,
        });
        position.play(played);
        Ok(played)
    }
}

/// Appends the text of a record.
///
/// # Errors
/// Corrupt.
pub fn render<'v>(
    mut parts: Parts<'_, impl Iterator<Item = Result<&'v [u8]>>>,
    moves: &mut impl Moves,
    out: &mut Vec<u8>,
) -> Result<()> {
    let mut walk = Walk::new(parts.start);
    let layout = parts.layout;
    let mut left = layout.gaps.len();
    for template in layout.templates() {
        let template = parts.templates.text(template);
        let mut bytes = template.iter();
        while let Some(&byte) = bytes.next() {
            match byte {
                mark::TAG => {
                    let value = parts.tags.next();
                    let missing = || Error::corrupt("a record has too few tags");
                    out.extend_from_slice(value.ok_or_else(missing)??);
                }
                mark::VALUE => {
                    let (value, rest) = take_value(parts.values)?;
                    parts.values = rest;
                    out.extend_from_slice(value);
                }
                mark::ESCAPE => out.extend(bytes.next()),
                mark::TEXT => out.extend_from_slice(std::mem::take(&mut parts.text)),
                _ => {
                    walk.branches.pass(byte, &mut walk.position);
                    out.push(byte);
                }
            }
        }
        if out.len() > parts.most {
            return Err(Error::corrupt("a record is longer than its block"));
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let played = walk.play(template, moves, |_| ())?;
        match played {
            Move::Stone(point) => out.extend_from_slice(&point.letters()),
            Move::Pass if layout.passes_by_letters => out.extend_from_slice(b"tt"),
            Move::Pass => {}
        }
    }
    Ok(())
}

/// Shows the moves of a record, in the order of its text.
///
/// # Errors
/// Corrupt.
pub fn walk(
    templates: &Templates,
    layout: &Layout,
    start: Option<&Position>,
    moves: &mut impl Moves,
    mut visit: impl FnMut(Played),
) -> Result<()> {
    let mut walk = Walk::new(start);
    for template in layout.templates().take(layout.gaps.len()) {
        let outline = templates.outline(template);
        let template = templates.text(template);
        if outline.branches {
            let mut bytes = template.iter();
            while let Some(&byte) = bytes.next() {
                match byte {
                    mark::ESCAPE => _ = bytes.next(),
                    _ => walk.branches.pass(byte, &mut walk.position),
                }
            }
        }
        walk.play(template, moves, &mut visit)?;
    }
    Ok(())
}

/// The first of some values set aside, and those behind it.
///
/// # Errors
/// Corrupt when there is none.
pub fn take_value(values: &[u8]) -> Result<(&[u8], &[u8])> {
    let end = value_end(values, 0);
    let end = end.ok_or_else(|| Error::corrupt("a record has too few values"))?;
    Ok(values.split_at(end + 1))
}
