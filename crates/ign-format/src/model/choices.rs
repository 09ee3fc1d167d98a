//! What the model sees of each legal move: rows of the network's last layer, and traits
//! (spec §8.5.2).
//!
//! A *trait* is a small number that tells one thing about a move (what it captures and what then
//! hits back, what it does about the last move …); its table gives each value a score. A
//! *context* is the same with a row of the network's last layer for each value.
//!
//! What moves frequency is worked out once: for the position, for each square, for each piece that
//! moves. Then all moves are looked at alike, without a branch; those that are not like others,
//! castling and promotions, are looked at again.

use shakmaty::{Bitboard, Square, attacks};

use super::{
    features::PositionFeatures,
    lanes::{AIMS_LAST, DISCOVERS, Lanes, PROMOTES, SUMMANDS, Setting, VICTIM},
    line::Step,
    rows::ROW_OF,
    squares::{PIECES, Squares},
    tables::{
        CASTLING_ROWS, CONTEXTS, LANDINGS_OF_ONE, NOWHERE, OPENINGS, PROMOTION_ROWS, TRAIT, TRAITS,
    },
    vectors::{Bytes, Vectors},
};
use ign_notation::chess::{Move, simd::Portable};

const PAWN: usize = 0;
const KING: usize = 5;
/// Promotions in canonical order, by the piece each makes.
const PROMOTED: [usize; 4] = [2, 1, 4, 3];
/// Openings last so many plies.
const OPENING_PLIES: u32 = 40;
const OPENING_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// A legal move as the model sees it.
#[derive(Clone, Copy)]
pub struct Choice {
    /// The rows of its contexts, and its entries in the small tables.
    pub(super) lanes: Lanes,
    /// Its own row in the network's last layer.
    pub(super) row: u16,
    /// Its piece and the turned square it goes to: its place in the tables of pairs of moves.
    pub(super) landing: u16,
    /// Its entry in the table of openings.
    pub(super) opening: u32,
}

/// What the moves of one piece have in common.
#[derive(Clone, Copy)]
struct Origin {
    lanes: Lanes,
    piece: usize,
    is_pawn: usize,
    /// The row of its first way to move, and all its ways on an empty board.
    row: u16,
    ways: u64,
    /// Where it can go and then no longer shields the enemy's king from another piece.
    discovers: u64,
}

/// The moves of a position as the model sees them, with the space to work them out.
#[derive(Clone)]
pub struct Choices {
    /// By square.
    origins: [Origin; 64],
    /// The first so many are in use.
    list: Vec<Choice>,
    count: usize,
}

impl Default for Choices {
    fn default() -> Self {
        let origin = Origin {
            lanes: NONE,
            piece: 0,
            is_pawn: 0,
            row: 0,
            ways: 0,
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
    /// All of them, in the order of the moves.
    #[inline(always)]
    pub fn list(&self) -> &[Choice] {
        &self.list[..self.count]
    }
}

const NONE: Lanes = Lanes([0; 16]);

impl PositionFeatures<'_> {
    /// Looks at the legal moves, given in canonical order with the squares that they come from.
    pub fn choices(&self, moves: &[Move], from: Bitboard, choices: &mut Choices) {
        self.choices_with(Portable, &Squares::of(self, Portable), moves, from, choices);
    }

    #[inline(always)]
    pub(super) fn choices_with(
        &self,
        vectors: impl Vectors,
        squares: &Squares,
        moves: &[Move],
        from: Bitboard,
        choices: &mut Choices,
    ) {
        let origins = &mut choices.origins;
        for square in from {
            origins[square.to_usize()] = self.origin(vectors, squares, square);
        }
        let list = &mut choices.list;
        if list.len() < moves.len() {
            let nothing = Choice {
                lanes: NONE,
                row: 0,
                landing: 0,
                opening: 0,
            };
            list.resize(moves.len(), nothing);
        }
        choices.count = moves.len();
        let turn = self.turn;
        for (choice, played) in list.iter_mut().zip(moves) {
            let (from, to) = (played.from().to_usize(), played.to().to_usize());
            let origin = &origins[from];
            let aim = squares.aims[origin.piece % PIECES].0[to];
            let turned = to ^ turn;
            let before = origin.ways & ((1 << turned) - 1);
            *choice = Choice {
                lanes: self.lanes(vectors, squares, origin, aim, to),
                row: origin.row + before.count_ones() as u16,
                landing: (origin.piece * 64 + turned) as u16,
                opening: self.opening(from, to),
            };
        }
        if self.legal.has_special() {
            for (choice, &played) in list.iter_mut().zip(moves) {
                let origin = &origins[played.from().to_usize()];
                if origin.piece == KING || played.promotion_field() != 0 {
                    self.special(squares, origin, played, choice);
                }
            }
        }
    }

    /// What all moves of the position have in common.
    #[inline(always)]
    pub(super) fn setting(&self) -> Setting {
        let [last, _, before] = self.line.steps();
        Setting {
            phase: self.phase,
            hanging: self.hanging.0,
            checker: self.checker,
            last_kind: usize::from(last.role) * 2 + usize::from(last.taken != 0),
            undone: before.role != 0 && before.to == last.from && before.from == last.to,
            back: self.back,
        }
    }

    /// A choice's own row in the network's last layer, and those of its contexts; its entry in the
    /// table of each trait.
    pub fn places(&self, choice: &Choice) -> ([usize; 1 + CONTEXTS], [usize; TRAITS]) {
        let ([a, b, c, d], mut traits) = self.setting().places(&choice.lanes);
        let [last, own] = self.landed();
        let landing = usize::from(choice.landing);
        traits[1] = TRAIT[1] + last * LANDINGS_OF_ONE + landing;
        traits[4] = TRAIT[4] + own * LANDINGS_OF_ONE + landing;
        traits[9] = TRAIT[9] + choice.opening as usize;
        ([choice.row.into(), a, b, c, d], traits)
    }

    /// What the moves from a square have in common.
    #[inline(always)]
    fn origin(&self, vectors: impl Vectors, squares: &Squares, square: Square) -> Origin {
        let at = |bytes: &Bytes| usize::from(bytes.0[square.to_usize()]);
        let piece = at(&squares.board).wrapping_sub(1).min(KING);
        let (row, ways) = ROW_OF[piece][square.to_usize() ^ self.turn];
        let is_pawn = usize::from(piece == PAWN);
        let parts = [
            &SUMMANDS.by_piece[piece],
            &SUMMANDS.by_origin[at(&squares.origin) % SUMMANDS.by_origin.len()],
            &SUMMANDS.by_distance[0][at(&squares.distance) % 64],
        ];
        let shields = self.shields >> square.to_u32() & 1 == 1;
        let line = attacks::ray(self.king, square);
        Origin {
            lanes: vectors.sum(parts),
            piece,
            is_pawn,
            row,
            ways,
            discovers: if shields { !line.0 } else { 0 },
        }
    }

    /// The lanes of a move that aims at these things.
    #[inline(always)]
    fn lanes(
        &self,
        vectors: impl Vectors,
        squares: &Squares,
        origin: &Origin,
        aim: u8,
        to: usize,
    ) -> Lanes {
        let at = |bytes: &Bytes| usize::from(bytes.0[to]);
        let discovers = (origin.discovers >> to & 1) << DISCOVERS;
        let parts = [
            &origin.lanes,
            &SUMMANDS.by_exchange[at(&squares.exchange[origin.is_pawn % 2])],
            &SUMMANDS.by_relation[at(&squares.relation) % SUMMANDS.by_relation.len()],
            &SUMMANDS.by_aim[(usize::from(aim) | discovers as usize) % SUMMANDS.by_aim.len()],
            &SUMMANDS.by_distance[1][at(&squares.distance) % 64],
            &SUMMANDS.by_pawn[at(&squares.pawn[origin.is_pawn % 2]) % 64],
        ];
        vectors.sum(parts)
    }

    /// Looks again at a move that may be castling or a promotion.
    #[cold]
    #[inline(never)]
    fn special(&self, squares: &Squares, origin: &Origin, played: Move, choice: &mut Choice) {
        let position = self.line.position();
        let (from, to) = (played.from().to_usize(), played.to().to_usize());
        let promotion = played.promotion_field() as usize;
        if promotion != 0 {
            // What moved last, it aims at as the pawn it still is.
            let aims = |piece: usize| squares.aims[piece].0[to];
            let aim = aims(PROMOTED[promotion - 1]) & !AIMS_LAST | aims(PAWN) & AIMS_LAST;
            choice.lanes = self.lanes(Portable, squares, origin, aim, to);
            choice.lanes.0[VICTIM] += PROMOTES[promotion - 1];
            let side = (to & 7) + 1 - (from & 7);
            let row = PROMOTION_ROWS + ((from & 7) * 3 + side) * 4 + promotion - 1;
            choice.row = row as u16;
        } else if position.castling_side(played).is_some() {
            let to = position.landing(played).to_usize();
            choice.lanes = self.lanes(Portable, squares, origin, squares.aims[KING].0[to], to);
            choice.landing = (KING * 64 + (to ^ self.turn)) as u16;
            choice.row = (CASTLING_ROWS + usize::from(to < from)) as u16;
            choice.opening = self.opening(from, to);
        }
    }

    /// The entry of a move in the table of openings; 0 later in the game.
    #[inline(always)]
    fn opening(&self, from: usize, to: usize) -> u32 {
        if self.line.ply() >= OPENING_PLIES {
            return 0;
        }
        let mixed = (self.line.key() ^ (from * 64 + to) as u64).wrapping_mul(OPENING_FACTOR);
        1 + (mixed >> (64 - OPENINGS.trailing_zeros())) as u32
    }

    /// Where the enemy's last move landed, and one's own: its role and turned square, as one
    /// number.
    #[inline(always)]
    pub fn landed(&self) -> [usize; 2] {
        let [last, own, _] = self.line.steps();
        let landed = |step: &Step| match step.role {
            0 => NOWHERE,
            role => (usize::from(role) - 1) * 64 + (usize::from(step.to) ^ self.turn),
        };
        [landed(last), landed(own)]
    }
}
