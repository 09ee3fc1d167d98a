//! Writes the text of a record from its parts: templates, tags, extracted values and moves (spec
//! §14.6).

use super::{
    layout::{Layout, Templates, mark},
    parse::{Branches, Played},
    syntax::value_end,
};
use crate::error::{Error, Result};
use ign_notation::go::{Color, Move, Position};

/// Source of the moves of a record.
pub trait Moves {
    /// Returns the next encoded move, played at `position`. `main`: it belongs to the main line;
    /// `said`: it is explicit.
    ///
    /// # Errors
    /// Corrupt if the moves column has no valid move here.
    fn next_move(&mut self, position: &Position, main: bool, said: bool) -> Result<Move>;
}

/// The parts of a record.
#[derive(Debug)]
pub struct Parts<'a, V> {
    /// The templates of the block.
    pub templates: &'a Templates,
    /// The layout of the record.
    pub layout: &'a Layout,
    /// The start of the game, if its tags describe one.
    pub start: Option<&'a Position>,
    /// The values of its tags, in order.
    pub tags: V,
    /// The extracted values of this record.
    pub values: &'a [u8],
    /// The text that ends the record.
    pub text: &'a [u8],
    /// Maximum length of the output in bytes, including what it already holds.
    pub most: usize,
}

/// The current position of a record, and the positions to restore after variations.
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

    /// Plays and returns the next move, of the player whose letter ends the template. Calls `visit`
    /// for it, and before it for an implicit pass.
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
                    "the template before a move does not name its player",
                ));
            }
        };
        let position = self
            .position
            .as_mut()
            .ok_or_else(|| Error::corrupt("a record has moves but no start"))?;
        let main = self.branches.in_main();
        if position.turn() != color {
            if moves.next_move(position, main, false)? != Move::Pass {
                return Err(Error::corrupt("a player moves twice in a row"));
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

/// Appends the text of a record to `out`, and calls `visit` for each move, in the order of the
/// text.
///
/// # Errors
/// Corrupt if parts are missing, a move is invalid or the text is too long.
pub fn render<'v>(
    mut parts: Parts<'_, impl Iterator<Item = Result<&'v [u8]>>>,
    moves: &mut impl Moves,
    mut visit: impl FnMut(Played),
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
        let played = walk.play(template, moves, &mut visit)?;
        match played {
            Move::Stone(point) => out.extend_from_slice(&point.letters()),
            Move::Pass if layout.passes_by_letters => out.extend_from_slice(b"tt"),
            Move::Pass => {}
        }
    }
    Ok(())
}

/// Calls `visit` for each move of a record, in the order of the text.
///
/// # Errors
/// Corrupt if a move is invalid or its player unknown.
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

/// Splits extracted values into the first one and the rest.
///
/// # Errors
/// Corrupt if there is no complete value.
pub fn take_value(values: &[u8]) -> Result<(&[u8], &[u8])> {
    let end = value_end(values, 0).ok_or_else(|| Error::corrupt("a record has too few values"))?;
    Ok(values.split_at(end + 1))
}
