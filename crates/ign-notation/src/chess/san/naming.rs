//! The forms of moves that collections use.

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// Standard SAN: disambiguation by file if that is sufficient, else by rank if that is, else by
    /// both.
    #[default]
    Standard,
    /// SAN with disambiguation by file if that is sufficient, else by file and rank: Lichess until
    /// 2014.
    FileOrSquare,
    /// UCI notation, without `+` and `#`: `g1f3`, `e7e8q`.
    Squares,
}

impl Naming {
    /// All forms, in the order of their numbers in the archive format.
    pub const ALL: [Naming; 3] = [Naming::Standard, Naming::FileOrSquare, Naming::Squares];

    /// The sign written after a move whose standard SAN has this sign.
    #[inline]
    pub fn sign(self, standard: Option<u8>) -> Option<u8> {
        standard.filter(|_| self != Naming::Squares)
    }
}
