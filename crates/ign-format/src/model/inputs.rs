//! The input encoding: a position as about forty active binary inputs out of thousands
//! (spec §8.5.2).
//!
//! Inputs come in three groups, by how often they change: one for the piece on each square, a few
//! for slowly changing state, and a few for the events of the last moves.

use shakmaty::Bitboard;

use super::{
    aligned::Aligned, features::PositionFeatures, history::PastMove, kernels::PieceInputs,
    shape::MAX_STYLES, square_features::SquareFeatures,
};
use ign_notation::chess::simd::Portable;

/// A piece: role (own six, enemy six), relative square, whether the other side attacks it, whether
/// its own side guards it and nothing less valuable attacks it.
const PIECES: usize = 0;
/// The opponent's last move: role and destination.
pub const LAST: usize = PIECES + 12 * 64 * 4;
/// Its origin.
const LAST_FROM: usize = LAST + 384;
/// The role it captured.
const LAST_TAKEN: usize = LAST_FROM + 64;
/// The player's own last move: role and destination.
pub const OWN: usize = LAST_TAKEN + 7;
/// Its origin.
const OWN_FROM: usize = OWN + 384;
/// The opponent's move before the last: role and destination.
pub const EARLIER: usize = OWN_FROM + 64;
/// Castling rights: own and enemy, king's and queen's side.
const CASTLING: usize = EARLIER + 384;
/// The file of the en passant square.
const EN_PASSANT: usize = CASTLING + 4;
/// The side to move is in check.
const CHECK: usize = EN_PASSANT + 8;
/// The position is the same as four plies ago.
const REPETITION: usize = CHECK + 1;
/// Number of plies played, in buckets.
const PLY: usize = REPETITION + 1;
/// Buckets of plies.
const PLIES: usize = 16;
/// Non-pawn material on the board, in steps of two.
const MATERIAL: usize = PLY + PLIES;
/// Buckets of material.
const MATERIALS: usize = 13;
/// The style.
pub const STYLE: usize = MATERIAL + MATERIALS;
/// Number of inputs.
pub const INPUTS: usize = STYLE + MAX_STYLES as usize;

/// Maximum number of active event inputs: three moves, en passant, check, repetition.
pub(super) const MAX_EVENTS: usize = 3 + 2 + 1 + 1 + 1 + 1;
/// Maximum number of active inputs of a position.
pub const MAX_INPUTS: usize = 64 + MAX_EVENTS + STATE;

/// Slots of inputs that seldom change: castling rights, plies, material, style; one is unused.
pub(super) const STATE: usize = 8;

/// An empty slot.
pub(super) const NO_INPUT: u16 = u16::MAX;

/// By side to move: four times the relative square.
static RELATIVE: [[u16; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        table[0][square] = 4 * square as u16;
        table[1][square] = 4 * (square as u16 ^ 56);
        square += 1;
    }
    table
};

impl PositionFeatures<'_> {
    /// Visits the active inputs, each once.
    pub fn inputs(&self, style: u8, mut visit: impl FnMut(usize)) {
        let pieces = self.piece_inputs(&SquareFeatures::of(self, Portable));
        for input in pieces.0.into_iter().filter(|&input| input != NO_INPUT) {
            visit(input.into());
        }
        let state = self.state_inputs(style);
        for input in state.into_iter().filter(|&input| input != NO_INPUT) {
            visit(input.into());
        }
        self.event_inputs(visit);
    }

    /// The input of the piece on each square.
    #[inline(always)]
    pub(super) fn piece_inputs(&self, squares: &SquareFeatures) -> PieceInputs {
        let relative = &RELATIVE[usize::from(self.flip != 0)];
        let mut pieces = [NO_INPUT; 64];
        for (i, input) in pieces.iter_mut().enumerate() {
            let piece = u16::from(squares.pieces.0[i]) + u16::from(squares.enemies.0[i] & 6);
            let state = relative[i] + u16::from(squares.safety.0[i]);
            let one = PIECES as u16 + (piece.wrapping_sub(1) << 8).wrapping_add(state);
            *input = if piece == 0 { NO_INPUT } else { one };
        }
        Aligned(pieces)
    }

    /// The inputs that seldom change from a side's turn to its next.
    #[inline(always)]
    pub(super) fn state_inputs(&self, style: u8) -> [u16; STATE] {
        let position = self.history.position();
        let rooks = position.castling_rooks();
        let mut state = [NO_INPUT; STATE];
        for (side, color) in [position.turn(), position.turn().other()]
            .into_iter()
            .enumerate()
        {
            let king = position.king(color);
            let rooks = rooks & position.by_color(color);
            let beyond = Bitboard(!0 << king.to_u32());
            for (wing, rooks) in [rooks & beyond, rooks & !beyond].into_iter().enumerate() {
                let number = 2 * side + wing;
                if rooks.any() {
                    state[number] = (CASTLING + number) as u16;
                }
            }
        }
        let ply = self.history.ply() as usize;
        let bucket = match ply {
            0..16 => ply / 2,
            16..32 => 8 + (ply - 16) / 8,
            32..128 => 10 + (ply - 32) / 24,
            _ => 14 + usize::from(ply >= 200),
        };
        state[4] = (PLY + bucket.min(PLIES - 1)) as u16;
        state[5] = (MATERIAL + (self.material / 2).min(MATERIALS - 1)) as u16;
        state[6] = (STYLE + usize::from(style)) as u16;
        state
    }

    /// Visits the inputs of the last moves and of what they caused.
    #[inline(always)]
    pub(super) fn event_inputs(&self, mut visit: impl FnMut(usize)) {
        let position = self.history.position();
        let flip = self.flip;
        let relative = |square: u8| usize::from(square) ^ flip;
        let landing = |past: &PastMove| (usize::from(past.role) - 1) * 64 + relative(past.to);
        let [last, own, earlier] = self.history.last_moves();
        if last.role != 0 {
            visit(LAST + landing(last));
            visit(LAST_FROM + relative(last.from));
            visit(LAST_TAKEN + usize::from(last.taken));
        }
        if own.role != 0 {
            visit(OWN + landing(own));
            visit(OWN_FROM + relative(own.from));
        }
        if earlier.role != 0 {
            visit(EARLIER + landing(earlier));
        }
        if let Some(square) = position.en_passant().first() {
            visit(EN_PASSANT + (square.to_usize() & 7));
        }
        if self.legal.is_check() {
            visit(CHECK);
        }
        if self.repetition {
            visit(REPETITION);
        }
    }
}
