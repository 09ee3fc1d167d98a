//! The value of a position under best play: the distance to mate, in a byte.

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// It is mated in this many plies, an even number; 0 is checkmate on the board.
    Loss(u8),
    /// Neither side can force mate.
    Draw,
    /// It mates in this many plies, an odd number.
    Win(u8),
}

/// The byte of an illegal position.
pub const ILLEGAL: u8 = 255;
/// The byte of a draw and, while a table is solved, of an undecided position.
pub const OPEN: u8 = 0;
/// The longest mate that a byte can store, in plies.
pub const MAX_PLIES: u8 = 253;

impl Value {
    /// Mate in `plies`.
    pub fn mate(plies: u8) -> Self {
        if plies.is_multiple_of(2) {
            Self::Loss(plies)
        } else {
            Self::Win(plies)
        }
    }

    /// The value of a byte; `None` for [`ILLEGAL`].
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            ILLEGAL => None,
            OPEN => Some(Self::Draw),
            byte => Some(Self::mate(byte - 1)),
        }
    }

    /// The byte: 0 for a draw, else the plies to mate plus 1.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Draw => OPEN,
            Self::Win(plies) | Self::Loss(plies) => plies + 1,
        }
    }

    /// The value, for the player of a move, of the position before it, given that the position
    /// after it has this value and the move is best.
    pub fn before(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }

    /// A sort key, higher if better for the side to move: quick wins, slow wins, draws, slow
    /// losses, quick losses.
    pub fn rank(self) -> i32 {
        match self {
            Self::Loss(plies) => i32::from(plies) - 1000,
            Self::Draw => 0,
            Self::Win(plies) => 1000 - i32::from(plies),
        }
    }

    /// The better of two values for the side to move.
    #[must_use]
    pub fn better(self, other: Self) -> Self {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }

    /// The distance to mate in moves of the winning side, or `None` for a draw.
    pub fn moves(self) -> Option<u8> {
        match self {
            Self::Draw => None,
            Self::Win(plies) | Self::Loss(plies) => Some(plies.div_ceil(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_and_better_follows_the_rank() {
        for byte in 0..=MAX_PLIES + 1 {
            assert_eq!(Value::from_byte(byte).unwrap().to_byte(), byte);
        }
        assert_eq!(Value::from_byte(ILLEGAL), None);
        let from_worst = [
            Value::Loss(0),
            Value::Loss(6),
            Value::Draw,
            Value::Win(19),
            Value::Win(1),
        ];
        for pair in from_worst.windows(2) {
            assert_eq!(pair[0].better(pair[1]), pair[1]);
            assert_eq!(pair[1].better(pair[0]), pair[1]);
        }
        // Black is mated; White mates next move; Black is to be mated in one.
        assert_eq!(Value::Loss(0).before(), Value::Win(1));
        assert_eq!(Value::Win(1).before(), Value::Loss(2));
        assert_eq!(
            (Value::Win(19).moves(), Value::Loss(20).moves()),
            (Some(10), Some(10))
        );
    }
}
