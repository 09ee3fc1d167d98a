//! The inputs of the network: what a position is, in some forty numbers out of thousands
//! (spec §8.5.2).

use shakmaty::Bitboard;

use super::{
    STYLES, features::PositionFeatures, line::Step, parameters::Aligned, squares::Squares,
};
use ign_notation::chess::simd::Portable;

/// Piece (own six, enemy six), square, whether the other side attacks it, whether its own side
/// guards it against anything cheaper.
const PIECES: usize = 0;
/// The last move: role and square it landed on.
pub const LAST: usize = PIECES + 12 * 64 * 4;
/// Where the last move came from.
const LAST_FROM: usize = LAST + 384;
/// What the last move took.
const LAST_TAKEN: usize = LAST_FROM + 64;
/// One's own last move: role and square it landed on.
pub const OWN: usize = LAST_TAKEN + 7;
/// Where one's own last move came from.
const OWN_FROM: usize = OWN + 384;
/// The enemy's last move but one: role and square.
pub const BEFORE: usize = OWN_FROM + 64;
/// Castling rights: own and enemy, king's and queen's side.
const CASTLING: usize = BEFORE + 384;
/// The file of a pawn that may be taken in passing.
const EN_PASSANT: usize = CASTLING + 4;
/// In check.
const CHECK: usize = EN_PASSANT + 8;
/// The position is back.
const BACK: usize = CHECK + 1;
/// Plies played, in steps.
const PLY: usize = BACK + 1;
/// How many steps of plies.
const PLIES: usize = 16;
/// Material on the board, pawns left out, in steps of two.
const MATERIAL: usize = PLY + PLIES;
/// How many steps of material.
const MATERIALS: usize = 13;
/// The style.
const STYLE: usize = MATERIAL + MATERIALS;
/// All of them.
pub const INPUTS: usize = STYLE + STYLES as usize;

/// The most inputs of what has just happened: three moves, a pawn that may be taken in passing, a
/// check, a position that is back.
pub(super) const MAX_EVENTS: usize = 3 + 2 + 1 + 1 + 1 + 1;
/// The most inputs that a position has at once.
pub const MAX_INPUTS: usize = 64 + MAX_EVENTS + STATE;

/// Places of inputs that seldom change: castling rights, plies, material, style.
pub(super) const STATE: usize = 8;

/// The input that the piece on each square is.
pub(super) type Pieces = Aligned<[u16; 64]>;
/// None.
pub(super) const NO_INPUT: u16 = u16::MAX;

/// By side: four times the turned squares.
static TURNED: [[u16; 64]; 2] = {
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
    /// Visits the inputs of the network, each once.
    pub fn inputs(&self, style: u8, mut visit: impl FnMut(usize)) {
        let pieces = self.pieces(&Squares::of(self, Portable));
        for input in pieces.0.into_iter().filter(|&input| input != NO_INPUT) {
            visit(input.into());
        }
        let state = self.state(style);
        for input in state.into_iter().filter(|&input| input != NO_INPUT) {
            visit(input.into());
        }
        self.events(visit);
    }

    /// The inputs that pieces are.
    #[inline(always)]
    pub(super) fn pieces(&self, squares: &Squares) -> Pieces {
        let turned = &TURNED[usize::from(self.turn != 0)];
        let mut pieces = [NO_INPUT; 64];
        for (i, input) in pieces.iter_mut().enumerate() {
            let piece = u16::from(squares.board.0[i]) + u16::from(squares.enemies.0[i] & 6);
            let state = turned[i] + u16::from(squares.state.0[i]);
            let one = PIECES as u16 + (piece.wrapping_sub(1) << 8).wrapping_add(state);
            *input = if piece == 0 { NO_INPUT } else { one };
        }
        Aligned(pieces)
    }

    /// The inputs that seldom change from a side's turn to its next.
    #[inline(always)]
    pub(super) fn state(&self, style: u8) -> [u16; STATE] {
        let position = self.line.position();
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
        let ply = self.line.ply() as usize;
        let step = match ply {
            0..16 => ply / 2,
            16..32 => 8 + (ply - 16) / 8,
            32..128 => 10 + (ply - 32) / 24,
            _ => 14 + usize::from(ply >= 200),
        };
        state[4] = (PLY + step.min(PLIES - 1)) as u16;
        state[5] = (MATERIAL + (self.weight / 2).min(MATERIALS - 1)) as u16;
        state[6] = (STYLE + usize::from(style)) as u16;
        state
    }

    /// Visits the inputs of what has just happened.
    #[inline(always)]
    pub(super) fn events(&self, mut visit: impl FnMut(usize)) {
        let position = self.line.position();
        let turn = self.turn;
        let turned = |square: u8| usize::from(square) ^ turn;
        let landed = |step: &Step| (usize::from(step.role) - 1) * 64 + turned(step.to);
        let [last, own, before] = self.line.steps();
        if last.role != 0 {
            visit(LAST + landed(last));
            visit(LAST_FROM + turned(last.from));
            visit(LAST_TAKEN + usize::from(last.taken));
        }
        if own.role != 0 {
            visit(OWN + landed(own));
            visit(OWN_FROM + turned(own.from));
        }
        if before.role != 0 {
            visit(BEFORE + landed(before));
        }
        if let Some(square) = position.en_passant().first() {
            visit(EN_PASSANT + (square.to_usize() & 7));
        }
        if self.legal.is_check() {
            visit(CHECK);
        }
        if self.back {
            visit(BACK);
        }
    }
}
