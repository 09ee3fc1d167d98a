//! Keys of positions: two hashes, one of the structure and one of the whole position.
//!
//! The *structure* of a position is its pawns and the number of its other pieces. It changes only
//! with captures, pawn moves and promotions, so a game has about a third as many structures as
//! positions. Most structures occur in few games of a collection, and there the structure finds the
//! games of a position as well as the position itself.

use ign_notation::chess::{Position, legal::Legal, variant::Board};
use shakmaty::{Color, Position as _, Role};

/// The multiplier of the hash (spec §15.7).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bits of the hash of the pawns that are kept.
pub const PAWN_BITS: u32 = 28;
/// Bits of a structure's hash that are kept, in addition to those of its pawns.
const COUNT_BITS: u32 = 4;
/// Bits of a structure's key.
pub const STRUCTURE_BITS: u32 = PAWN_BITS + COUNT_BITS;
/// Bits of a position's hash that are kept. The keys of positions of one structure differ in them
/// only.
pub const POSITION_BITS: u32 = 50;

/// The keys of a position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The upper `PAWN_BITS` of the hash of its pawns, then the upper bits of that of its
    /// structure.
    pub structure: u64,
    /// The upper `POSITION_BITS` of the hash of the position.
    pub position: u64,
}

/// One step of the hash.
#[inline]
fn fold(key: u64, word: u64) -> u64 {
    let mixed = (key ^ word).wrapping_mul(FACTOR);
    mixed ^ mixed >> 29
}

impl Keys {
    /// The keys of a position of chess whose legal moves are `legal`.
    #[inline]
    pub fn of(legal: &Legal) -> Self {
        let position = legal.position();
        let passing = if position.en_passant().is_empty() {
            0
        } else {
            legal.passing().map_or(0, |square| 1 << square.to_u32())
        };
        Self::of_parts(
            position.board_words(),
            position.castling_rooks().0,
            passing,
            position.turn(),
        )
    }

    /// The keys of a position, whatever its kings.
    pub fn of_position(position: &Position) -> Self {
        let passing = position.passing();
        Self::of_parts(
            position.board_words(),
            position.castling_rooks().0,
            passing.map_or(0, |square| 1 << square.to_u32()),
            position.turn(),
        )
    }

    /// The keys of a position of a variant: those of the same board, side to move, castling rights
    /// and en passant square. `None` if the variant has no such position.
    pub fn of_variant(board: &Board) -> Option<Self> {
        if let Some(position) = board.bitboards() {
            return Some(Self::of_position(position));
        }
        let theirs = board.to_shakmaty()?;
        let by = theirs.board();
        let [pawns, knights, bishops, rooks, queens, kings] =
            Role::ALL.map(|role| by.by_role(role).0);
        let [black, white] = [Color::Black, Color::White].map(|color| by.by_color(color).0);
        let words = [pawns, knights, bishops, rooks, queens, kings, black, white];
        let passing = theirs
            .legal_ep_square()
            .map_or(0, |square| 1 << square.to_u32());
        let castling = theirs.castles().castling_rights().0;
        Some(Self::of_parts(&words, castling, passing, theirs.turn()))
    }

    /// The highest `PAWN_BITS` of the hash of the pawns.
    #[inline]
    pub fn pawns(self) -> u64 {
        self.structure >> COUNT_BITS
    }

    /// A hash of the structure, whose bits do not depend on those of the pawns alone.
    #[inline]
    pub fn structure_hash(self) -> u64 {
        fold(FACTOR, self.structure)
    }

    /// The shard of the position, of `1 << bits`.
    #[inline]
    pub fn shard(self, bits: u32) -> usize {
        (self.structure >> (STRUCTURE_BITS - bits)) as usize
    }

    #[inline]
    fn of_parts(words: &[u64; 8], castling: u64, passing: u64, turn: Color) -> Self {
        let [pawns, pieces @ .., kings, black, white] = *words;
        let counts = pieces.into_iter().fold(0u64, |counts, squares| {
            let [white, black] =
                [white, black].map(|side| u64::from((squares & side).count_ones()));
            counts << 16 | white << 8 | black
        });
        let pawns = [pawns & white, pawns & black]
            .into_iter()
            .fold(FACTOR, fold);
        let structure = fold(pawns, counts);
        let rest = [kings, black, white, castling, passing, turn as u64];
        let position = pieces.into_iter().chain(rest).fold(structure, fold);
        Self {
            structure: pawns >> (u64::BITS - PAWN_BITS) << COUNT_BITS
                | structure >> (u64::BITS - COUNT_BITS),
            position: position >> (u64::BITS - POSITION_BITS),
        }
    }
}

/// An occurrence of a position in a game, in 128 bits that sort by structure, position, slot and
/// ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence(u128);

/// The ordinal of an occurrence at the end of a game.
pub const GAME_OVER: u8 = u8::MAX;
/// The ordinal of a move that is not known: a null move, and after the last ply of the opening
/// tree. A position of chess has at most 218 moves.
pub const LARGE_ORDINAL: u8 = u8::MAX - 1;
/// The ordinal of a move in a game of a variant, whose moves are numbered by other rules.
pub const OF_VARIANT: u8 = u8::MAX - 2;

impl Occurrence {
    /// Where the bits of the fields start, above those of the ordinal.
    const PLY: u32 = 8;
    const SLOT: u32 = Self::PLY + Self::PLY_BITS;
    const POSITION: u32 = Self::SLOT + u32::BITS;
    const STRUCTURE: u32 = Self::POSITION + POSITION_BITS;
    /// The opening tree has fewer plies.
    const PLY_BITS: u32 = 6;
    /// The ply of occurrences after the depth of the index.
    const LATE: usize = (1 << Self::PLY_BITS) - 1;
    const MAX_PLY: usize = Self::LATE - 1;

    /// Keeps the first occurrence of each position of those plies of a game that are one: ply 62
    /// and those after it, and those after `depth`. Later ones would be sorted by their moves. The
    /// occurrences of the game are the last ones, from `first` on.
    pub fn keep_first(occurrences: &mut Vec<Self>, first: usize, depth: usize) {
        let first = first + Self::MAX_PLY.min(depth.saturating_add(1));
        let Some(late) = occurrences.get_mut(first..) else {
            return;
        };
        let position = |occurrence: Self| occurrence.0 >> Self::SLOT;
        late.sort_by_key(|&occurrence| position(occurrence));
        let mut end = first;
        for next in first..occurrences.len() {
            let occurrence = occurrences[next];
            if end == first || position(occurrences[end - 1]) != position(occurrence) {
                occurrences[end] = occurrence;
                end += 1;
            }
        }
        occurrences.truncate(end);
    }

    /// The occurrence at a ply of the game in a slot; plies from 62 on are one. `ordinal` is that
    /// of the move played.
    #[inline]
    pub fn new(keys: Keys, slot: u32, ply: usize, ordinal: u8) -> Self {
        let ply = ply.min(Self::MAX_PLY) as u128;
        Self(
            u128::from(keys.structure) << Self::STRUCTURE
                | u128::from(keys.position) << Self::POSITION
                | u128::from(slot) << Self::SLOT
                | ply << Self::PLY
                | u128::from(ordinal),
        )
    }

    /// The occurrence, if it is after the depth of the index.
    #[inline]
    pub fn late(self) -> Self {
        Self(self.0 | (Self::LATE as u128) << Self::PLY)
    }

    /// Whether it is after the depth of the index.
    #[inline]
    pub fn is_late(self) -> bool {
        usize::from(self.ply()) == Self::LATE
    }

    /// The keys.
    #[inline]
    pub fn keys(self) -> Keys {
        Keys {
            structure: (self.0 >> Self::STRUCTURE) as u64,
            position: (self.0 >> Self::POSITION) as u64 & ((1 << POSITION_BITS) - 1),
        }
    }

    /// The shard of the occurrence, of `1 << bits`.
    #[inline]
    pub fn shard(self, bits: u32) -> usize {
        self.keys().shard(bits)
    }

    /// The slot of the game.
    #[inline]
    pub fn slot(self) -> u32 {
        (self.0 >> Self::SLOT) as u32
    }

    /// The ply.
    #[inline]
    pub fn ply(self) -> u8 {
        (self.0 >> Self::PLY) as u8 & Self::LATE as u8
    }

    /// The ordinal of the move played.
    #[inline]
    pub fn ordinal(self) -> u8 {
        self.0 as u8
    }

    /// The bytes, for temporary files. They sort as the occurrences do.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The occurrence of these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(fen: &str) -> Keys {
        Keys::of_position(&Position::from_fen(fen.as_bytes()).unwrap())
    }

    #[test]
    fn the_structure_is_pawns_and_piece_counts() {
        let start = keys("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let knight = keys("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
        let pawn = keys("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(start.structure, knight.structure);
        assert_ne!(start.position, knight.position);
        assert_ne!(start.structure, pawn.structure);
    }

    #[test]
    fn side_castling_and_legal_en_passant_are_part_of_the_position() {
        let same = |one: &str, other: &str| keys(one) == keys(other);
        let board = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR";
        assert!(!same(
            &format!("{board} b KQkq e3 0 3"),
            &format!("{board} b KQkq - 0 3")
        ));
        assert!(!same(
            &format!("{board} b KQkq - 0 3"),
            &format!("{board} w KQkq - 0 3")
        ));
        assert!(!same(
            &format!("{board} b KQkq - 0 3"),
            &format!("{board} b KQk - 0 3")
        ));
        // The pawn that could capture is pinned.
        let pinned = "8/8/8/K2pP2r/8/8/8/7k w";
        assert!(same(
            &format!("{pinned} - d6 0 1"),
            &format!("{pinned} - - 0 1")
        ));
    }

    #[test]
    fn occurrences_keep_their_parts_and_sort_by_key_then_slot() {
        let keys = Keys {
            structure: (1 << STRUCTURE_BITS) - 1,
            position: 5,
        };
        let one = Occurrence::new(keys, 7, 300, 9);
        assert_eq!(
            (one.keys(), one.slot(), one.ply(), one.ordinal()),
            (keys, 7, 62, 9)
        );
        assert!(one.late().is_late() && !one.is_late());
        assert_eq!(one.shard(6), 63);
        assert_eq!(Occurrence::from_bytes(one.to_bytes()), one);
        assert!(one < Occurrence::new(keys, 8, 0, 0));
        assert!(
            one < Occurrence::new(
                Keys {
                    position: 6,
                    ..keys
                },
                0,
                0,
                0
            )
        );
    }
}
