//! Outcome: values that follow from the moves: how many there are, or the
//! position behind the last.
//!
//! The column tells for each record only whether the value follows; if not, it
//! is a line of the text stream. A value that follows is left
//! [`Span::FOLLOWS`] here: whoever plays the game spells it. So this column
//! needs no game but the one that is wanted.

use std::borrow::Cow;

use super::{Span, Streams, Table, codes_and_text, parts};
use crate::{
    bits::range::{Bit, Coder, Encoder},
    error::Result,
    format::block::Column,
};

/// What follows from the moves of a game (spec §4.3.7). As a number: the
/// column's switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The number of half-moves, in decimal.
    Plies = 0,
    /// The position, as the first four fields of a FEN.
    Position = 1,
}

impl Outcome {
    /// Tags that are tried, with what they may tell.
    pub const TAGS: [(&'static str, Self); 2] = [
        ("PlyCount", Self::Plies),
        ("CurrentPosition", Self::Position),
    ];

    /// What a column of these switches tells.
    pub const fn of_switches(switches: u8) -> Self {
        if switches == 0 {
            Self::Plies
        } else {
            Self::Position
        }
    }
}

/// Which records' values of a tag follow from their moves: what packing finds.
#[derive(Debug, Clone)]
pub struct Follows {
    /// What the tag tells.
    pub outcome: Outcome,
    /// For each record whether it does.
    pub rows: Vec<bool>,
}

/// Codes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let follows = table.follows.iter().find(|(t, _)| *t == tag);
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut estimates = [Bit::new(); 2];
        let mut before = false;
        for row in rows {
            let Some(value) = table.value(tag, row) else {
                continue;
            };
            let told = follows.is_none_or(|(_, follows)| !follows.rows[row]);
            before = coder.bit(&mut estimates[usize::from(before)], told);
            if told {
                out.line(value);
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let tag = column.tags[0];
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut estimates = [Bit::new(); 2];
        let mut before = false;
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            before = part.coder.bit(&mut estimates[usize::from(before)], false);
            let span = if before {
                table.add(lines.next_line()?)
            } else {
                Span::FOLLOWS
            };
            table.set(tag, row, span);
            part.check()?;
        }
    }
    Ok(())
}
