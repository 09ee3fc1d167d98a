//! Features of each legal move: its rows of the output table and its entries in the feature tables
//! (spec §8.5.2).
//!
//! A *feature* is categorical, such as the exchange on the destination or the relation to the last
//! move; its table has a score for each value. A *context* is a feature with a row of the output
//! table for each value.
//!
//! Shared work is done once: for the position, for each square, for each moving piece. Then one
//! branch-free loop handles all moves, and a second one corrects castling and promotions.

use shakmaty::{Bitboard, Square, attacks};

use super::{
    features::PositionFeatures,
    fused::PositionSelector,
    history::PastMove,
    index_lanes::{ATTACKS_LAST_MOVER, DISCOVERS, LANE_TERMS, Lanes, PROMOTES, VICTIM},
    kernels::{Bytes, Kernels},
    output_rows::MOVE_ROWS,
    shape::{
        CASTLING_ROWS, CONTEXTS, CONTINUATION_TABLE, LANDINGS, MOVE_TABLE, MOVE_TABLES, NO_LANDING,
        OPENING_TABLE, OPENINGS, PROMOTION_ROWS, REPLY_TABLE,
    },
    square_features::{PIECES, SquareFeatures},
};
use ign_notation::chess::{Move, simd::Portable};

const PAWN: usize = 0;
const KING: usize = 5;
/// The piece of each promotion, in canonical order.
const PROMOTED: [usize; 4] = [2, 1, 4, 3];
/// Number of plies in which the table of openings is used.
const OPENING_PLIES: u32 = 40;
const OPENING_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// The features of a legal move.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The rows of its contexts, and its entries in the fused tables.
    pub(super) lanes: Lanes,
    /// Its own row of the output table.
    pub(super) row: u16,
    /// Its role and relative destination: its index in the tables of pairs of moves.
    pub(super) landing: u16,
    /// Its entry in the table of openings.
    pub(super) opening: u32,
}

/// Features shared by the moves of one piece.
#[derive(Debug, Clone, Copy)]
struct Origin {
    lanes: Lanes,
    piece: usize,
    is_pawn: usize,
    /// The output row of its first move on an empty board.
    row: u16,
    /// Its destinations on an empty board.
    destinations: u64,
    /// The destinations that discover check.
    discovers: u64,
}

/// The features of the legal moves of a position, with working space that is reused.
#[derive(Debug, Clone)]
pub struct Choices {
    /// By square; only squares of movable pieces are up to date.
    origins: [Origin; 64],
    /// The first `count` elements are in use.
    list: Vec<Choice>,
    count: usize,
}

impl Default for Choices {
    fn default() -> Self {
        let origin = Origin {
            lanes: ZERO,
            piece: 0,
            is_pawn: 0,
            row: 0,
            destinations: 0,
            discovers: 0,
        };
        Self {
            origins: [origin; 64],
            list: Vec::new(),
            count: 0,
        }
    }
}

impl Choices {
    /// One for each move, in the order of the moves.
    #[inline(always)]
    pub fn list(&self) -> &[Choice] {
        &self.list[..self.count]
    }
}

const ZERO: Lanes = Lanes([0; 16]);

impl PositionFeatures<'_> {
    /// Computes the features of the legal moves, given in canonical order with the set of their
    /// origins.
    pub fn choices(&self, moves: &[Move], from: Bitboard, choices: &mut Choices) {
        self.choices_with(
            Portable,
            &SquareFeatures::of(self, Portable),
            moves,
            from,
            choices,
        );
    }

    #[inline(always)]
    pub(super) fn choices_with(
        &self,
        simd: impl Kernels,
        squares: &SquareFeatures,
        moves: &[Move],
        from: Bitboard,
        choices: &mut Choices,
    ) {
        let origins = &mut choices.origins;
        for square in from {
            origins[square.to_usize()] = self.origin(simd, squares, square);
        }
        let list = &mut choices.list;
        if list.len() < moves.len() {
            let unset = Choice {
                lanes: ZERO,
                row: 0,
                landing: 0,
                opening: 0,
            };
            list.resize(moves.len(), unset);
        }
        choices.count = moves.len();
        let flip = self.flip;
        for (choice, played) in list.iter_mut().zip(moves) {
            let (from, to) = (played.from().to_usize(), played.to().to_usize());
            let origin = &origins[from];
            let targets = squares.targets[origin.piece % PIECES].0[to];
            let relative = to ^ flip;
            let before = origin.destinations & ((1 << relative) - 1);
            *choice = Choice {
                lanes: self.lanes(simd, squares, origin, targets, to),
                row: origin.row + before.count_ones() as u16,
                landing: (origin.piece * 64 + relative) as u16,
                opening: self.opening(from, to),
            };
        }
        if self.legal.has_special() {
            for (choice, &played) in list.iter_mut().zip(moves) {
                let origin = &origins[played.from().to_usize()];
                if origin.piece == KING || played.promotion_field() != 0 {
                    self.correct_special(squares, origin, played, choice);
                }
            }
        }
    }

    /// The features of the position that select a part of each fused table.
    #[inline(always)]
    pub(super) fn selector(&self) -> PositionSelector {
        let [last, _, earlier] = self.history.last_moves();
        PositionSelector {
            phase: self.phase,
            hanging: self.hanging.0,
            checker: self.checker,
            last_kind: usize::from(last.role) * 2 + usize::from(last.taken != 0),
            undone: earlier.role != 0 && earlier.to == last.from && earlier.from == last.to,
            repetition: self.repetition,
        }
    }

    /// The rows of a choice in the output table (its own, then those of its contexts), and its
    /// entry in each feature table.
    pub fn indices(&self, choice: &Choice) -> ([usize; 1 + CONTEXTS], [usize; MOVE_TABLES]) {
        let ([a, b, c, d], mut entries) = self.selector().indices(&choice.lanes);
        let [last, own] = self.last_landings();
        let landing = usize::from(choice.landing);
        for (table, index) in [
            (REPLY_TABLE, last * LANDINGS + landing),
            (CONTINUATION_TABLE, own * LANDINGS + landing),
            (OPENING_TABLE, choice.opening as usize),
        ] {
            entries[table] = MOVE_TABLE[table] + index;
        }
        ([choice.row.into(), a, b, c, d], entries)
    }

    /// The features shared by the moves from a square.
    #[inline(always)]
    fn origin(&self, simd: impl Kernels, squares: &SquareFeatures, square: Square) -> Origin {
        let at = |bytes: &Bytes| usize::from(bytes.0[square.to_usize()]);
        let piece = at(&squares.pieces).wrapping_sub(1).min(KING);
        let (row, destinations) = MOVE_ROWS[piece][square.to_usize() ^ self.flip];
        let is_pawn = usize::from(piece == PAWN);
        let terms = [
            &LANE_TERMS.by_piece[piece],
            &LANE_TERMS.by_origin[at(&squares.origin) % LANE_TERMS.by_origin.len()],
            &LANE_TERMS.by_distance[0][at(&squares.distance) % 64],
        ];
        let is_blocker = self.blockers >> square.to_u32() & 1 == 1;
        let line = attacks::ray(self.king, square);
        Origin {
            lanes: simd.add_lanes(terms),
            piece,
            is_pawn,
            row,
            destinations,
            discovers: if is_blocker { !line.0 } else { 0 },
        }
    }

    /// The lanes of a move whose piece attacks these targets from its destination `to`.
    #[inline(always)]
    fn lanes(
        &self,
        simd: impl Kernels,
        squares: &SquareFeatures,
        origin: &Origin,
        targets: u8,
        to: usize,
    ) -> Lanes {
        let at = |bytes: &Bytes| usize::from(bytes.0[to]);
        let discovers = (origin.discovers >> to & 1) << DISCOVERS;
        let terms = [
            &origin.lanes,
            &LANE_TERMS.by_exchange[at(&squares.exchange[origin.is_pawn % 2])],
            &LANE_TERMS.by_relation[at(&squares.relation) % LANE_TERMS.by_relation.len()],
            &LANE_TERMS.by_targets
                [(usize::from(targets) | discovers as usize) % LANE_TERMS.by_targets.len()],
            &LANE_TERMS.by_distance[1][at(&squares.distance) % 64],
            &LANE_TERMS.by_pawn[at(&squares.pawn[origin.is_pawn % 2]) % 64],
        ];
        simd.add_lanes(terms)
    }

    /// Corrects the features of a move that may be castling or a promotion.
    #[cold]
    #[inline(never)]
    fn correct_special(
        &self,
        squares: &SquareFeatures,
        origin: &Origin,
        played: Move,
        choice: &mut Choice,
    ) {
        let position = self.history.position();
        let (from, to) = (played.from().to_usize(), played.to().to_usize());
        let promotion = played.promotion_field() as usize;
        if promotion != 0 {
            // The promoted piece attacks the targets, but the pawn the piece that moved last.
            let targets_of = |piece: usize| squares.targets[piece].0[to];
            let targets = targets_of(PROMOTED[promotion - 1]) & !ATTACKS_LAST_MOVER
                | targets_of(PAWN) & ATTACKS_LAST_MOVER;
            choice.lanes = self.lanes(Portable, squares, origin, targets, to);
            choice.lanes.0[VICTIM] += PROMOTES[promotion - 1];
            let side = (to & 7) + 1 - (from & 7);
            let row = PROMOTION_ROWS + ((from & 7) * 3 + side) * 4 + promotion - 1;
            choice.row = row as u16;
        } else if position.castling_side(played).is_some() {
            let to = position.landing(played).to_usize();
            let targets = squares.targets[KING].0[to];
            choice.lanes = self.lanes(Portable, squares, origin, targets, to);
            choice.landing = (KING * 64 + (to ^ self.flip)) as u16;
            choice.row = (CASTLING_ROWS + usize::from(to < from)) as u16;
            choice.opening = self.opening(from, to);
        }
    }

    /// The entry of a move in the table of openings; 0 after the opening.
    #[inline(always)]
    fn opening(&self, from: usize, to: usize) -> u32 {
        if self.history.ply() >= OPENING_PLIES {
            return 0;
        }
        let hash = (self.history.key() ^ (from * 64 + to) as u64).wrapping_mul(OPENING_FACTOR);
        1 + (hash >> (64 - OPENINGS.trailing_zeros())) as u32
    }

    /// The landings (role and relative destination as one number) of the opponent's last move and
    /// of the player's own last move.
    #[inline(always)]
    pub fn last_landings(&self) -> [usize; 2] {
        let [last, own, _] = self.history.last_moves();
        let landing = |past: &PastMove| match past.role {
            0 => NO_LANDING,
            role => (usize::from(role) - 1) * 64 + (usize::from(past.to) ^ self.flip),
        };
        [landing(last), landing(own)]
    }
}
