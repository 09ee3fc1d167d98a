//! Outcome: values that follow from the moves: how many there are, or the
//! position behind the last.
//!
//! The column tells for each record only whether the value follows, and what a position's fields
//! say that the position does not know; if not, it is a line of the text stream. A value that
//! follows is left [`Span::follows`] here: whoever plays the game spells it. So this column
//! needs no game but the one that is wanted.

use std::borrow::Cow;

use super::{Span, Streams, Table, codes_and_text, parts};
use crate::{
    container::block::Column,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, Coder, Encoder, Number};
use ign_notation::chess::Position;

/// What follows from the moves of a game (spec §4.3.7). As a number: the
/// column's switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The number of half-moves, in decimal.
    Plies = 0,
    /// The position, as a FEN or the first four fields of one.
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

    /// What the tag says behind the moves of a game; none where it cannot.
    pub fn spell(self, form: Form, end: &End) -> Option<Vec<u8>> {
        match self {
            Self::Plies => Some(end.plies.to_string().into_bytes()),
            Self::Position => Some(form.spell(&end.position?, end.number())),
        }
    }
}

/// A game behind its last move.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// The position, if the rules are those of chess.
    pub position: Option<Position>,
    /// How many half-moves there were.
    pub plies: usize,
    /// The number of the first move, and whether it was White's.
    pub first: (u32, bool),
}

impl End {
    /// The number of the move that would come.
    fn number(&self) -> u64 {
        let (first, white) = self.first;
        u64::from(first) + (self.plies as u64 + u64::from(!white)) / 2
    }
}

/// What a value says of a position beside what this knows itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Form {
    /// The file, from 0, of the square that a pawn has skipped, where that does not count.
    skipped: Option<u8>,
    /// The half-moves since a pawn moved or something was taken; none where both counters are left
    /// out.
    clock: Option<u16>,
}

impl Form {
    /// The form in which an outcome has this value, if it has.
    pub fn of(outcome: Outcome, end: &End, value: &[u8]) -> Option<Self> {
        let fields = || value.split(|&c| c == b' ');
        let clock = fields()
            .nth(4)
            .and_then(|field| str::from_utf8(field).ok()?.parse().ok());
        let plain = Self {
            skipped: None,
            clock,
        };
        let file = fields()
            .nth(3)
            .and_then(|square| square.first()?.checked_sub(b'a'));
        let skipped = Self {
            skipped: file.filter(|file| *file < 8),
            clock,
        };
        [plain, skipped]
            .into_iter()
            .find(|&form| outcome.spell(form, end).is_some_and(|told| told == value))
    }

    fn spell(self, position: &Position, number: u64) -> Vec<u8> {
        let mut fields = position.fen_fields();
        if let Some(file) = self.skipped {
            let square = fields
                .iter()
                .rposition(|&c| c == b' ')
                .map_or(0, |at| at + 1);
            fields.truncate(square);
            let rank = if position.turn().is_white() {
                b'6'
            } else {
                b'3'
            };
            fields.extend([b'a' + file, rank]);
        }
        if let Some(clock) = self.clock {
            fields.extend_from_slice(format!(" {clock} {number}").as_bytes());
        }
        fields
    }

    /// As a number, for [`Span::follows`].
    fn number(self) -> u32 {
        let skipped = self.skipped.map_or(0, |file| 8 | u32::from(file));
        let clock = self.clock.map_or(0, |clock| 1 << 16 | u32::from(clock));
        clock << 4 | skipped
    }

    /// The form of this number.
    pub fn of_number(number: u32) -> Self {
        Self {
            skipped: (number & 8 != 0).then_some((number & 7) as u8),
            clock: (number >> 20 != 0).then_some((number >> 4) as u16),
        }
    }
}

/// Which records' values of a tag follow from their moves: what packing finds.
#[derive(Debug, Clone)]
pub struct Follows {
    /// What the tag tells.
    pub outcome: Outcome,
    /// For each record the form in which it does.
    pub rows: Vec<Option<Form>>,
}

/// The estimates of a part.
#[derive(Default)]
struct Model {
    outcome_is_position: bool,
    /// Whether a value is told, whether it has counters, and a square that does not count: each by
    /// how that was the last time.
    told: [Bit; 2],
    counters: [Bit; 2],
    skipped: [Bit; 2],
    was: [bool; 3],
    clock: Number,
}

impl Model {
    fn new(switches: u8) -> Self {
        Self {
            outcome_is_position: Outcome::of_switches(switches) == Outcome::Position,
            ..Self::default()
        }
    }

    /// Codes the form of a value; none where it is told.
    ///
    /// # Errors
    /// Corrupt when a counter is too large.
    fn code(&mut self, coder: &mut impl Coder, form: Option<Form>) -> Result<Option<Form>> {
        let [told, counters, skipped] = &mut self.was;
        *told = coder.bit(&mut self.told[usize::from(*told)], form.is_none());
        if *told {
            return Ok(None);
        }
        let given = form.unwrap_or_default();
        let mut form = Form::default();
        if self.outcome_is_position {
            let has = given.clock.is_some();
            *counters = coder.bit(&mut self.counters[usize::from(*counters)], has);
            if *counters {
                let clock = self.clock.code(coder, given.clock.unwrap_or(0).into());
                let clock = u16::try_from(clock);
                form.clock = Some(clock.map_err(|_| Error::corrupt("a FEN counts too far"))?);
            }
            let has = given.skipped.is_some();
            *skipped = coder.bit(&mut self.skipped[usize::from(*skipped)], has);
            if *skipped {
                let file = coder.uniform(given.skipped.unwrap_or(0).into(), 3);
                form.skipped = Some(file as u8);
            }
        }
        Ok(Some(form))
    }
}

/// Codes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let follows = table.follows.iter().find(|(t, _)| *t == tag);
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::new(column.switches);
        for row in rows {
            let Some(value) = table.value(tag, row) else {
                continue;
            };
            let form = follows.and_then(|(_, follows)| follows.rows[row]);
            let form = model.code(&mut coder, form);
            if form.expect("forms are those of values").is_none() {
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
        let mut model = Model::new(column.switches);
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let span = match model.code(&mut part.coder, None)? {
                Some(form) => Span::follows(form.number()),
                None => table.add(lines.next_line()?),
            };
            table.set(tag, row, span);
            part.check()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_found_by_its_value_and_kept_as_a_number() {
        let board = "rnbqkbnr/pppp1ppp/8/4p3/8/7N/PPPPPPPP/RNBQKB1R w KQkq";
        let position = Position::from_fen(board.as_bytes()).unwrap();
        let of = |first, plies, rest: &str| {
            let end = End {
                position: Some(position),
                plies,
                first,
            };
            let value = format!("{board} {rest}");
            let form = Form::of(Outcome::Position, &end, value.as_bytes())?;
            assert_eq!(Form::of_number(form.number()), form);
            let told = Outcome::Position.spell(form, &end).unwrap();
            assert_eq!(told, value.as_bytes());
            Some((form.skipped, form.clock))
        };
        assert_eq!(of((1, true), 2, "-"), Some((None, None)));
        assert_eq!(of((1, true), 2, "e6"), Some((Some(4), None)));
        assert_eq!(of((1, true), 2, "h6 65535 2"), Some((Some(7), Some(65535))));
        // From a FEN with Black to move.
        assert_eq!(of((40, false), 3, "- 0 42"), Some((None, Some(0))));
        for other in [
            "e3",
            "i6",
            "- 0",
            "- 0 3",
            "- 00 2",
            "- 65536 2",
            "-  2 2",
            "- 0 2 ",
        ] {
            assert_eq!(of((1, true), 2, other), None, "{other}");
        }
    }

    #[test]
    fn a_clock_beyond_16_bits_is_refused() {
        use ign_entropy::adaptive::Decoder;
        let mut coder = Encoder::new();
        let mut model = Model::new(1);
        coder.bit(&mut model.told[0], false);
        coder.bit(&mut model.counters[0], true);
        model.clock.code(&mut coder, 1 << 16);
        let bytes = coder.finish();
        let read = Model::new(1).code(&mut Decoder::new(&bytes), None);
        assert!(read.is_err());
    }
}
