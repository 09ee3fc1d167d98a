//! What a position is worth under best play: moves to mate, in a byte.

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Mated in so many half-moves, an even number; 0 is mate on the board.
    Loss(u8),
    /// Nobody can force mate.
    Draw,
    /// Mates in so many half-moves, an odd number.
    Win(u8),
}

/// The byte of a position that is illegal.
pub const ILLEGAL: u8 = 255;
/// The byte of a draw, and of what is not decided yet.
pub const OPEN: u8 = 0;
/// The most half-moves to mate that a byte holds.
pub const MAX_PLIES: u8 = 253;

impl Value {
    /// Mate in so many half-moves.
    pub fn mate(plies: u8) -> Self {
        if plies.is_multiple_of(2) {
            Self::Loss(plies)
        } else {
            Self::Win(plies)
        }
    }

    /// From its byte; none for an illegal position.
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            ILLEGAL => None,
            OPEN => Some(Self::Draw),
            byte => Some(Self::mate(byte - 1)),
        }
    }

    /// Its byte: half-moves to mate and one more.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Draw => OPEN,
            Self::Win(plies) | Self::Loss(plies) => plies + 1,
        }
    }

    /// What a position is worth from which a move leads to one of this worth.
    pub fn before(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }

    /// A number the higher the better for the side to move: the quicker mate, the later loss.
    pub fn rank(self) -> i32 {
        match self {
            Self::Loss(plies) => i32::from(plies) - 1000,
            Self::Draw => 0,
            Self::Win(plies) => 1000 - i32::from(plies),
        }
    }

    /// The better of two for the side to move.
    #[must_use]
    pub fn better(self, other: Self) -> Self {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }

    /// Moves to mate, whoever is mated, as people count them; none for a draw.
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
    fn values_have_their_bytes_and_their_order() {
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
