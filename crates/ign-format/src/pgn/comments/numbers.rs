//! Numbers in comments: their format and their value (spec §4.5.2, §4.5.3).

use super::{
    Networks,
    context::FieldContext,
    formats::{CLOCK, MAX_VALUE, modes, unit, value, write},
    scan::Field,
    series::{Kind, Series},
    time_control::TimeControl,
};
use crate::error::{Error, Result};
use ign_entropy::adaptive::{Bit, BitTree, Coder};

/// Number of fields that templates seen for the first time share. A template has no more of its
/// own: its last one serves all further fields.
pub(super) const SHARED_FIELDS: u32 = 4;
/// Maximum number of fields of all templates (spec §4.5.2); templates beyond it use the shared
/// ones.
const MAX_FIELDS: usize = 250;

/// The mode of a field: the last one, and estimates for the next.
#[derive(Debug, Default, Clone)]
struct ModeModel {
    last: u8,
    changes: Bit,
    next: BitTree<4>,
}

/// Model of the numbers in a block's comments.
#[derive(Debug, Clone)]
pub(super) struct NumberModel {
    /// For each field the modes of its numbers and of its times.
    modes: Vec<[ModeModel; 2]>,
    series: Series,
    /// Buffer for [`value`].
    buffer: Vec<u8>,
}

impl NumberModel {
    /// An empty model with these networks.
    pub fn new(networks: Networks) -> Self {
        Self {
            modes: vec![Default::default(); SHARED_FIELDS as usize],
            series: Series::new(networks),
            buffer: Vec::new(),
        }
    }

    /// Starts a game.
    pub fn begin(&mut self, control: TimeControl) {
        self.series.begin(control);
    }

    /// Whether any value was predicted from the time control.
    pub fn uses_time_control(&self) -> bool {
        self.series.uses_time_control
    }

    /// Allocates the fields of a template with this number of numbers; returns the first one, or 0,
    /// the first shared field, if there are none left.
    pub fn allocate(&mut self, numbers: u32) -> u32 {
        let own = numbers.min(SHARED_FIELDS) as usize;
        let first = self.modes.len();
        if own == 0 || first + own > MAX_FIELDS {
            return 0;
        }
        self.modes.resize(first + own, Default::default());
        first as u32
    }

    /// Codes a time or number between template text; an unpacker appends it to `out`.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        mark: u8,
        (before, after): (&[u8], Option<u8>),
        context: FieldContext,
        given: Option<(&Field, &[u8])>,
        out: &mut Option<&mut Vec<u8>>,
    ) -> Result<()> {
        let model = &mut self.modes[context.field as usize][usize::from(mark == CLOCK)];
        // The last mode if it writes the number exactly, else the first mode that does.
        let given = given.map(|(field, text)| match model.last {
            last if last == field.mode => (last, field.value),
            last => match value(mark, last, text, &mut self.buffer) {
                Some(value) => (last, value),
                None => (field.mode, field.value),
            },
        });
        let given_mode = given.map_or(0, |(mode, _)| mode);
        let mode = if coder.bit(&mut model.changes, given_mode != model.last) {
            model.next.code(coder, u32::from(given_mode)) as u8
        } else {
            model.last
        };
        if mode >= modes(mark) {
            return Err(Error::corrupt(
                "a number in a comment has an unknown format",
            ));
        }
        model.last = mode;
        let kind = Kind::of(mark, mode, before, after);
        let sign = sign_of_mate(before, context.point.ply);
        let given = given.map_or(0, |(_, value)| sign * value);
        let value = self
            .series
            .code(coder, kind, unit(mark, mode), context, given)
            .saturating_mul(sign);
        if value.saturating_abs() >= MAX_VALUE || mark == CLOCK && value < 0 {
            return Err(Error::corrupt("a number in a comment is out of range"));
        }
        if let Some(out) = out {
            write(mark, mode, value, out);
        }
        Ok(())
    }
}

/// The sign of a mate's distance. Written in words it has none, unlike in evaluations. In "Mate
/// in 3 → Mate in 2" the player had a forced mate and now allows one.
fn sign_of_mate(before: &[u8], ply: usize) -> i64 {
    let of_white = if ply & 1 == 1 { 1 } else { -1 };
    if before.ends_with(b"(Mate in ") {
        of_white
    } else if before.ends_with("→ Mate in ".as_bytes()) {
        -of_white
    } else {
        1
    }
}
