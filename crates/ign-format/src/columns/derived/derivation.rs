//! How a tag's value is derived from a game: as the number of its plies, or as the FEN of its last
//! position.

use crate::pgn::start::Start;
use ign_notation::chess::Position;

/// What the values of a column are (spec §4.3.7). The numbers are the flags of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// The number of plies, in decimal.
    Plies = 0,
    /// The position after the last move: a FEN, or its first four fields.
    Position = 1,
}

impl Derivation {
    /// Tags that the encoder tries to derive.
    pub const TAGS: [(&'static str, Self); 2] = [
        ("PlyCount", Self::Plies),
        ("CurrentPosition", Self::Position),
    ];

    /// The derivation of a column with these flags.
    pub const fn from_flags(flags: u8) -> Self {
        if flags == 0 {
            Self::Plies
        } else {
            Self::Position
        }
    }

    /// The value for a game. `None` if it is a position, and the game is not one of chess.
    pub fn value(self, details: FenDetails, end: &GameEnd) -> Option<Vec<u8>> {
        match self {
            Self::Plies => Some(end.plies.to_string().into_bytes()),
            Self::Position => Some(details.fen(&end.position?, end.next_move_number())),
        }
    }
}

/// A game after its last move.
#[derive(Debug, Clone, Copy)]
pub struct GameEnd {
    /// The position, if the rules are those of chess.
    pub position: Option<Position>,
    /// Number of plies.
    pub plies: usize,
    /// The number of the first move, and whether White made it.
    pub first: (u32, bool),
}

impl GameEnd {
    /// The end of a game from this start, given the position and the number of plies.
    pub fn new(start: &Start, position: Option<Position>, plies: usize) -> Self {
        Self {
            position,
            plies,
            first: (start.fullmoves().get(), start.white_starts()),
        }
    }

    /// The full-move number of the next move.
    fn next_move_number(&self) -> u64 {
        let (first, white) = self.first;
        u64::from(first) + (self.plies as u64 + u64::from(!white)) / 2
    }
}

/// What a FEN states that does not follow from the position. Other derivations have the default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FenDetails {
    /// The file, from 0, of an en passant square that no pawn can use. The position names the
    /// square only if a pawn can.
    pub(super) unused_en_passant: Option<u8>,
    /// The half-move clock: plies since a pawn move or a capture. `None` if the FEN has four
    /// fields, without the counters.
    pub(super) clock: Option<u16>,
}

impl FenDetails {
    /// Set in [`FenDetails::to_number`] if there is an unused en passant square.
    const EN_PASSANT: u32 = 1 << 3;
    /// Set in [`FenDetails::to_number`] if there is a clock.
    const CLOCK: u32 = 1 << 20;

    /// The details with which a derivation yields a value, if any do.
    pub fn of(derivation: Derivation, end: &GameEnd, value: &[u8]) -> Option<Self> {
        let fields = || value.split(|&c| c == b' ');
        let clock = fields()
            .nth(4)
            .and_then(|field| str::from_utf8(field).ok()?.parse().ok());
        let file = fields()
            .nth(3)
            .and_then(|square| square.first()?.checked_sub(b'a'));
        let candidate = |unused_en_passant| Self {
            unused_en_passant,
            clock,
        };
        [candidate(None), candidate(file.filter(|file| *file < 8))]
            .into_iter()
            .find(|&details| {
                let derived = derivation.value(details, end);
                derived.is_some_and(|derived| derived == value)
            })
    }

    fn fen(self, position: &Position, move_number: u64) -> Vec<u8> {
        let mut fields = position.fen_fields();
        if let Some(file) = self.unused_en_passant {
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
            fields.extend_from_slice(format!(" {clock} {move_number}").as_bytes());
        }
        fields
    }

    /// The details as a number below 2^21, for [`Span::derived`](crate::columns::Span::derived).
    pub fn to_number(self) -> u32 {
        let file = self
            .unused_en_passant
            .map_or(0, |file| Self::EN_PASSANT | u32::from(file));
        let clock = self
            .clock
            .map_or(0, |clock| Self::CLOCK | u32::from(clock) << 4);
        clock | file
    }

    /// The details of a number.
    pub fn from_number(number: u32) -> Self {
        Self {
            unused_en_passant: (number & Self::EN_PASSANT != 0).then_some((number & 7) as u8),
            clock: (number & Self::CLOCK != 0).then_some((number >> 4) as u16),
        }
    }
}

/// A tag with a derivation, and in which records its value is the derived one.
#[derive(Debug, Clone)]
pub struct DerivedTag {
    /// How values are derived.
    pub derivation: Derivation,
    /// For each record, the details with which its value is derived; `None` if it is not.
    pub rows: Vec<Option<FenDetails>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_found_by_the_value_and_round_trip_as_numbers() {
        let board = "rnbqkbnr/pppp1ppp/8/4p3/8/7N/PPPPPPPP/RNBQKB1R w KQkq";
        let position = Position::from_fen(board.as_bytes()).unwrap();
        let of = |first, plies, rest: &str| {
            let end = GameEnd {
                position: Some(position),
                plies,
                first,
            };
            let value = format!("{board} {rest}");
            let details = FenDetails::of(Derivation::Position, &end, value.as_bytes())?;
            assert_eq!(FenDetails::from_number(details.to_number()), details);
            let derived = Derivation::Position.value(details, &end).unwrap();
            assert_eq!(derived, value.as_bytes());
            Some((details.unused_en_passant, details.clock))
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
}
