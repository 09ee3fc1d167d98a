//! What the model sees: of a position, the inputs of its network; of each choice, the row of the
//! network's last layer and its traits (spec §8.5.2).
//!
//! Everything is seen from the side to move: squares are turned so that it plays up the board.
//! The trainer and the scorer take the features from here, so they cannot differ.
//!
//! A *trait* is a small number that tells one thing about a choice (what it captures and what
//! then hits back, what it does about the last move …); its table gives each value a score.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::line::{Line, Step};
use crate::chess::{Legal, Move, Position};

/// Inputs of the network.
pub mod input {
    /// Piece (own six, enemy six), square, whether the other side attacks it, whether its own
    /// side guards it.
    pub const PIECES: usize = 0;
    /// The last move: role and square it landed on.
    pub const LAST: usize = PIECES + 12 * 64 * 4;
    /// Where the last move came from.
    pub const LAST_FROM: usize = LAST + 384;
    /// What the last move took.
    pub const LAST_TAKEN: usize = LAST_FROM + 64;
    /// The same of one's own last move, and of the enemy's before it.
    pub const OWN: usize = LAST_TAKEN + 7;
    /// Where one's own last move came from.
    pub const OWN_FROM: usize = OWN + 384;
    /// The enemy's last move but one: role and square.
    pub const BEFORE: usize = OWN_FROM + 64;
    /// Castling rights: own and enemy, king's and queen's side.
    pub const CASTLING: usize = BEFORE + 384;
    /// The file of a pawn that may be taken in passing.
    pub const EN_PASSANT: usize = CASTLING + 4;
    /// In check.
    pub const CHECK: usize = EN_PASSANT + 8;
    /// The position is back.
    pub const BACK: usize = CHECK + 1;
    /// Plies played, in steps.
    pub const PLY: usize = BACK + 1;
    /// How many steps of plies.
    pub const PLIES: usize = 16;
    /// Material on the board, pawns left out, in steps of two.
    pub const MATERIAL: usize = PLY + PLIES;
    /// How many steps of material.
    pub const MATERIALS: usize = 13;
    /// The style.
    pub const STYLE: usize = MATERIAL + MATERIALS;
    /// All of them.
    pub const COUNT: usize = STYLE + super::super::STYLES as usize;
}

/// The most inputs that a position has at once.
pub const MAX_INPUTS: usize = 64 + 3 + 2 + 1 + 4 + 1 + 1 + 1 + 3;

/// Rows of the network's last layer: one for each way a piece can move, castling, promotions,
/// and the end.
pub const ROWS: usize = END_ROW + 1;
const PROMOTION_ROWS: usize = 118 + 336 + 560 + 896 + 1456 + 420;
const CASTLING_ROWS: usize = PROMOTION_ROWS + 8 * 3 * 4;
const END_ROW: usize = CASTLING_ROWS + 2;

/// Contexts of a choice: like its row, each has weights of its own in the network's last layer.
pub const CONTEXTS: usize = 4;
const CONTEXT_SIZES: [usize; CONTEXTS] =
    [6 * 6 * 6 * 2, 6 * 4 * 6 * 2 * 2, 6 * 16 * 2 * 2, 6 * 16 * 4];
const CONTEXT_OFFSETS: [usize; CONTEXTS + 1] = {
    let mut offsets = [ROWS; CONTEXTS + 1];
    let mut i = 0;
    while i < CONTEXTS {
        offsets[i + 1] = offsets[i] + CONTEXT_SIZES[i];
        i += 1;
    }
    offsets
};
/// Rows of the last layer, those of contexts included.
pub const ALL_ROWS: usize = CONTEXT_OFFSETS[CONTEXTS];

/// Traits of a choice, and where the table of each begins.
pub const TRAITS: usize = 14;
const SIZES: [usize; TRAITS] = [
    6 * 6 * 6 * 2 * 6 * 2,
    6 * 4 * 2 * 2 * 2,
    7 * 2 * 16 * 6 * 2,
    385 * 384,
    385 * 384,
    6 * 2 * 2 * 2 * 2 * 3,
    6 * 8 * 8 * 3,
    6 * 8 * 8 * 3,
    1 + 8 * 2 * 3 * 2 * 2,
    1 + OPENINGS,
    7 * 6 * 2,
    6 * 16 * 2 * 2,
    3 * 6 * 6 * 5,
    5 * 2 * 6 * 2 * 6,
];
/// Entries of the table of openings.
const OPENINGS: usize = 1 << 17;
/// Openings last so many plies.
const OPENING_PLIES: u32 = 40;

const OFFSETS: [usize; TRAITS + 1] = {
    let mut offsets = [0; TRAITS + 1];
    let mut i = 0;
    while i < TRAITS {
        offsets[i + 1] = offsets[i] + SIZES[i];
        i += 1;
    }
    offsets
};

/// Entries of the tables of all moves' traits.
pub const MOVE_TRAITS: usize = OFFSETS[TRAITS];

/// Traits of the end, behind those of moves.
pub const END_TRAITS: usize = 4;
const END_SIZES: [usize; END_TRAITS] = [25 * 3 * 2, 64 * 3, 2 * 5 * 3, 33 * 2];
const END_OFFSETS: [usize; END_TRAITS + 1] = {
    let mut offsets = [MOVE_TRAITS; END_TRAITS + 1];
    let mut i = 0;
    while i < END_TRAITS {
        offsets[i + 1] = offsets[i] + END_SIZES[i];
        i += 1;
    }
    offsets
};

/// Entries of the tables of all traits.
pub const TRAIT_COUNT: usize = END_OFFSETS[END_TRAITS];

/// Which tables are of pairs of moves or of openings: many values, each seen seldom.
pub fn is_sparse(entry: usize) -> bool {
    (OFFSETS[3]..OFFSETS[5]).contains(&entry) || (OFFSETS[9]..OFFSETS[10]).contains(&entry)
}

/// A legal move as the model sees it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// Its own row in the network's last layer, and those of its contexts.
    pub rows: [u16; 1 + CONTEXTS],
    /// Its entry in the table of each trait.
    pub traits: [u32; TRAITS],
}

/// What a position is about, worked out once for all choices.
pub struct Scene<'a> {
    line: &'a Line,
    legal: &'a Legal,
    /// 56 when Black is to move: turns squares.
    turn: u32,
    ours: Attacks,
    theirs: Attacks,
    /// Classes of the cheapest enemy attacker of each square, as three planes of bits.
    cheapest: [u64; 3],
    /// By role: from where a piece of ours attacks the enemy's king, queen, rooks, minor pieces,
    /// and pieces that nothing guards.
    aims: [[u64; 5]; 6],
    /// Own pieces that shield the enemy's king from another own piece.
    shields: u64,
    phase: usize,
    /// The dearest kind of own pieces that hang, and those.
    hanging: (usize, u64),
    checker: usize,
    /// Numbers of the roles on the squares, 0 for none.
    board: [u8; 64],
    /// The enemy's king, and how far squares are from it and from the own one.
    king: Square,
    enemy_king: &'static [u8; 64],
    own_king: &'static [u8; 64],
    /// The last move's piece attacks these squares.
    last_attacks: u64,
    /// By role: from where a piece of ours would attack the last moved piece.
    aims_last: [u64; 6],
    back: bool,
}

/// Squares one side attacks.
#[derive(Clone, Copy, Default)]
struct Attacks {
    pawns: u64,
    minors: u64,
    rooks: u64,
    queens: u64,
    king: u64,
    /// At all, and more than once.
    any: u64,
    twice: u64,
}

impl Attacks {
    #[inline(always)]
    fn add(&mut self, squares: u64) {
        self.twice |= self.any & squares;
        self.any |= squares;
    }

    #[inline(always)]
    fn of(position: &Position, color: Color) -> Self {
        let mut attacks = Self::default();
        let side = position.by_color(color);
        let occupied = position.occupied();
        let of = |role| position.by_role(role) & side;
        let pawns = of(Role::Pawn).0;
        let ahead = pawns.rotate_left(color.fold_wb(8, 56));
        let left = ahead >> 1 & !FILE_H;
        let right = ahead << 1 & !FILE_A;
        attacks.pawns = left | right;
        attacks.any = left | right;
        attacks.twice = left & right;
        for square in of(Role::Knight) {
            let reach = attacks::knight_attacks(square).0;
            attacks.minors |= reach;
            attacks.add(reach);
        }
        for square in of(Role::Bishop) {
            let reach = attacks::bishop_attacks(square, occupied).0;
            attacks.minors |= reach;
            attacks.add(reach);
        }
        for square in of(Role::Rook) {
            let reach = attacks::rook_attacks(square, occupied).0;
            attacks.rooks |= reach;
            attacks.add(reach);
        }
        for square in of(Role::Queen) {
            let reach = attacks::queen_attacks(square, occupied).0;
            attacks.queens |= reach;
            attacks.add(reach);
        }
        attacks.king = attacks::king_attacks(position.king(color)).0;
        attacks.add(attacks.king);
        attacks
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[inline]
const fn has(squares: u64, square: usize) -> usize {
    (squares >> square & 1) as usize
}

/// Attacks of a piece of ours standing on `square`: equally, the squares from which such a piece
/// attacks `square`, but for pawns, which look the other way.
#[inline]
fn reach(role: Role, square: Square, occupied: Bitboard, color: Color) -> u64 {
    match role {
        Role::Pawn => attacks::pawn_attacks(color, square).0,
        Role::Knight => attacks::knight_attacks(square).0,
        Role::Bishop => attacks::bishop_attacks(square, occupied).0,
        Role::Rook => attacks::rook_attacks(square, occupied).0,
        Role::Queen => attacks::queen_attacks(square, occupied).0,
        Role::King => attacks::king_attacks(square).0,
    }
}

/// King's steps between squares.
static DISTANCE: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let files = ((a & 7) as i32 - (b & 7) as i32).abs();
            let ranks = ((a >> 3) as i32 - (b >> 3) as i32).abs();
            table[a][b] = max(files, ranks) as u8;
            b += 1;
        }
        a += 1;
    }
    table
};

const PAWN: usize = 0;
const KING: usize = 5;
/// Promotions in canonical order, and the piece each makes.
const PROMOTIONS: [Role; 4] = [Role::Bishop, Role::Knight, Role::Queen, Role::Rook];
const PROMOTED: [usize; 4] = [2, 1, 4, 3];
const OPENING_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// What the moves of one piece have in common: where its entries and rows begin.
struct Origin {
    from: usize,
    piece: usize,
    /// Where one's own last move came from and where the enemy's went, 64 for nowhere.
    own_from: usize,
    last_to: usize,
    shields: bool,
    row: usize,
    ways: u64,
    exchanges: usize,
    checks: usize,
    relations: usize,
    after_last: usize,
    after_own: usize,
    again: usize,
    to_enemy: usize,
    to_own: usize,
    evasions: usize,
    targets: usize,
    materials: usize,
    rescues: usize,
    contexts: [usize; CONTEXTS],
}

impl<'a> Scene<'a> {
    /// Looks at the position reached.
    #[inline(always)]
    pub fn new(line: &'a Line, legal: &'a Legal) -> Self {
        let position = line.position();
        let us = position.turn();
        let them = us.other();
        let occupied = position.occupied();
        let ours = Attacks::of(position, us);
        let theirs = Attacks::of(position, them);

        // None 0, pawn 1, minor 2, rook 3, queen 4, king 5.
        let mut left = theirs.any;
        let mut cheapest = [0; 3];
        for (class, squares) in [
            (1, theirs.pawns),
            (2, theirs.minors),
            (3, theirs.rooks),
            (4, theirs.queens),
            (5, theirs.king),
        ] {
            let here = squares & left;
            left &= !squares;
            for (bit, plane) in cheapest.iter_mut().enumerate() {
                if class >> bit & 1 == 1 {
                    *plane |= here;
                }
            }
        }

        let enemy = position.them();
        let own = position.us();
        let king = position.king(them);
        let queens = position.by_role(Role::Queen);
        let rooks = position.by_role(Role::Rook);
        let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
        let unguarded = enemy & Bitboard(!theirs.any) & !position.by_role(Role::King);
        let mut aims = [[0; 5]; 6];
        for (target, squares) in [
            (0, Bitboard::from_square(king)),
            (1, enemy & queens),
            (2, enemy & rooks),
            (3, enemy & minors),
        ] {
            for square in squares {
                let free = unguarded.contains(square);
                let knight = attacks::knight_attacks(square).0;
                let bishop = attacks::bishop_attacks(square, occupied).0;
                let rook = attacks::rook_attacks(square, occupied).0;
                let pawn = attacks::pawn_attacks(them, square).0;
                for (role, from) in [pawn, knight, bishop, rook, bishop | rook]
                    .into_iter()
                    .enumerate()
                {
                    aims[role][target] |= from;
                    if free {
                        aims[role][4] |= from;
                    }
                }
            }
        }

        // Own pieces between the enemy's king and an own slider.
        let diagonal = (position.by_role(Role::Bishop) | queens) & own;
        let straight = (rooks | queens) & own;
        let mut shields = 0;
        let near_diagonal = attacks::bishop_attacks(king, occupied) & own;
        let near_straight = attacks::rook_attacks(king, occupied) & own;
        let behind = (attacks::bishop_attacks(king, occupied ^ near_diagonal) & diagonal)
            | (attacks::rook_attacks(king, occupied ^ near_straight) & straight);
        for slider in behind {
            shields |= (attacks::between(king, slider) & own).0;
        }

        let weight = (minors.count() + 2 * rooks.count() + 4 * queens.count()).min(24);
        let phase = if weight >= 18 {
            0
        } else if weight >= 8 {
            1
        } else {
            2
        };

        // Hanging: attacked and not guarded, or attacked by something cheaper.
        let bare = theirs.any & !ours.any;
        let by_minor = theirs.pawns | theirs.minors;
        let kinds = [
            (4, queens.0 & (bare | by_minor | theirs.rooks)),
            (3, rooks.0 & (bare | by_minor)),
            (2, minors.0 & (bare | theirs.pawns)),
            (1, position.by_role(Role::Pawn).0 & bare),
        ];
        let hanging = kinds
            .into_iter()
            .map(|(kind, squares)| (kind, squares & own.0))
            .find(|&(_, squares)| squares != 0)
            .unwrap_or((0, 0));

        let last = line.steps()[0];
        let (mut last_attacks, mut aims_last) = (0, [0; 6]);
        if let Some(role) = role_of(last) {
            let square = Square::new(u32::from(last.to));
            last_attacks = reach(role, square, occupied, them);
            aims_last = Role::ALL.map(|own| reach(own, square, occupied, them));
        }
        let checker = (legal.checkers().first())
            .and_then(|square| position.role_at(square))
            .map_or(0, |role| role as usize);
        let mut board = [0; 64];
        for role in Role::ALL {
            for square in position.by_role(role) {
                board[square.to_usize()] = role as u8;
            }
        }
        Self {
            line,
            legal,
            board,
            king,
            enemy_king: &DISTANCE[king.to_usize()],
            own_king: &DISTANCE[position.king(us).to_usize()],
            turn: us.fold_wb(0, 56),
            ours,
            theirs,
            cheapest,
            aims,
            shields,
            phase,
            hanging,
            checker,
            last_attacks,
            aims_last,
            back: line.is_back(),
        }
    }

    /// Visits the inputs of the network, each once.
    #[inline(always)]
    pub fn inputs(&self, style: u8, mut visit: impl FnMut(usize)) {
        use input::*;
        let position = self.line.position();
        let mut weight = 0;
        for (side, squares, attacked, guarded) in [
            (0, position.us(), self.theirs.any, self.ours.any),
            (6, position.them(), self.ours.any, self.theirs.any),
        ] {
            for role in Role::ALL {
                let pieces = position.by_role(role) & squares;
                weight += [0, 1, 1, 2, 4, 0][role as usize - 1] * pieces.count();
                for square in pieces {
                    let at = square.to_usize();
                    let state = 2 * has(attacked, at) + has(guarded, at);
                    let piece = side + role as usize - 1;
                    visit(PIECES + ((piece * 64 + (at ^ self.turn as usize)) * 4 + state));
                }
            }
        }
        let turned = |square: u8| usize::from(square) ^ self.turn as usize;
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
        let rooks = position.castling_rooks();
        for (side, color) in [position.turn(), position.turn().other()]
            .into_iter()
            .enumerate()
        {
            let king = position.king(color);
            for rook in rooks & position.by_color(color) {
                visit(CASTLING + 2 * side + usize::from(rook < king));
            }
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
        let ply = self.line.ply() as usize;
        let step = match ply {
            0..16 => ply / 2,
            16..32 => 8 + (ply - 16) / 8,
            32..128 => 10 + (ply - 32) / 24,
            _ => 14 + usize::from(ply >= 200),
        };
        visit(PLY + step.min(PLIES - 1));
        visit(MATERIAL + (weight / 2).min(MATERIALS - 1));
        visit(STYLE + usize::from(style));
    }

    /// Replaces `choices` by the legal moves, in canonical order.
    #[inline(always)]
    pub fn moves(&self, choices: &mut Vec<Choice>) {
        choices.clear();
        self.legal.each_origin(|from, destinations, promotes| {
            let origin = self.origin(from);
            let promotions = if promotes {
                1..=PROMOTIONS.len()
            } else {
                0..=0
            };
            for to in destinations {
                for promotion in promotions.clone() {
                    let into = promotion.checked_sub(1).map(|number| PROMOTIONS[number]);
                    let played = Move::new(from, to, into);
                    choices.push(self.choice(&origin, played, promotion));
                }
            }
        });
    }

    /// What the moves from a square have in common.
    #[inline(always)]
    fn origin(&self, square: Square) -> Origin {
        let from = square.to_usize();
        let piece = usize::from(self.board[from]) - 1;
        let [last, own, before] = self.line.steps();
        let turn = self.turn as usize;
        let landed = |step: &Step| {
            if step.role == 0 {
                384
            } else {
                (usize::from(step.role) - 1) * 64 + (usize::from(step.to) ^ turn)
            }
        };
        let nowhere = |step: &Step, square: u8| {
            if step.role == 0 {
                64
            } else {
                usize::from(square)
            }
        };
        let own_to = nowhere(own, own.to);
        let same = usize::from(own_to == from);
        let enemy_back =
            usize::from(before.role != 0 && before.to == last.from && before.from == last.to);
        let saves = has(self.hanging.1, from);
        let risk = self.class(from) * 2 + has(self.ours.any, from);
        let last_kind = usize::from(last.role) * 2 + usize::from(last.taken != 0);
        // The relation to the last move: one part is the origin's alone.
        let flees = 2 * has(self.last_attacks, from);
        let back = usize::from(self.back);
        let enemy_king = usize::from(self.enemy_king[from]);
        let own_king = usize::from(self.own_king[from]);
        let (row, ways) = ROW_OF[piece][from ^ turn];
        Origin {
            from,
            piece,
            own_from: nowhere(own, own.from),
            last_to: nowhere(last, last.to),
            shields: has(self.shields, from) == 1,
            row: usize::from(row),
            ways,
            exchanges: OFFSETS[0] + piece * 72 * 12 + risk,
            checks: OFFSETS[1] + piece * 32,
            relations: OFFSETS[2] + ((last_kind * 16 + flees) * 6 + piece) * 2,
            after_last: OFFSETS[3] + landed(last) * 384 + piece * 64,
            after_own: OFFSETS[4] + landed(own) * 384 + piece * 64,
            again: OFFSETS[5] + (((piece * 2 + same) * 4 + enemy_back) * 2 + back) * 3 + self.phase,
            to_enemy: OFFSETS[6] + (piece * 64 + enemy_king * 8) * 3 + self.phase,
            to_own: OFFSETS[7] + (piece * 64 + own_king * 8) * 3 + self.phase,
            evasions: OFFSETS[10] + (self.checker * 6 + piece) * 2,
            targets: OFFSETS[11] + piece * 64,
            materials: OFFSETS[12] + (self.phase * 6 + piece) * 30,
            rescues: OFFSETS[13] + (self.hanging.0 * 2 + saves) * 72 + piece,
            contexts: [
                CONTEXT_OFFSETS[0] + piece * 72,
                CONTEXT_OFFSETS[1] + (piece * 48 + risk) * 2 + saves,
                CONTEXT_OFFSETS[2] + ((piece * 16 + flees) * 2 + same) * 2,
                CONTEXT_OFFSETS[3] + piece * 64,
            ],
        }
    }

    /// The class of the cheapest enemy attacker: 0 none, 1 pawn, 2 knight or bishop, 3 rook,
    /// 4 queen, 5 king.
    #[inline(always)]
    fn class(&self, at: usize) -> usize {
        has(self.cheapest[0], at) + 2 * has(self.cheapest[1], at) + 4 * has(self.cheapest[2], at)
    }

    #[inline(always)]
    fn choice(&self, origin: &Origin, played: Move, promotion: usize) -> Choice {
        let position = self.line.position();
        let turn = self.turn as usize;
        let (from, piece) = (origin.from, origin.piece);
        let mut to = played.to().to_usize();
        let mut victim = usize::from(self.board[to]);
        let mut castling_row = 0;
        let mut guards = self.ours.twice;
        let mut pawn = 0;
        if piece == PAWN {
            if position.en_passant().contains(played.to()) {
                victim = 1;
            }
            if (from ^ to) & 7 == 0 {
                guards = self.ours.any;
            }
        } else if piece == KING && position.castling_side(played).is_some() {
            to = position.landing(played).to_usize();
            victim = 0;
            castling_row = CASTLING_ROWS + usize::from(to < from);
        }
        let hit = self.class(to);
        let guarded = has(guards, to);
        let captures = usize::from(victim != 0);
        let attacked = usize::from(hit != 0);
        let turned = to ^ turn;
        if piece == PAWN {
            let state = ((turned >> 3) * 2 + self.passed(to)) * 3 + self.phase;
            pawn = 1 + (state * 2 + attacked) * 2 + guarded;
        }

        let aims = &self.aims[if promotion == 0 {
            piece
        } else {
            PROMOTED[promotion - 1]
        }];
        let discovered = origin.shields
            && !attacks::aligned(self.king, Square::new(from as u32), Square::new(to as u32));
        let checks = has(aims[0], to) + 2 * usize::from(discovered);
        // The rest of the relation to the last move.
        let relation = (usize::from(to == origin.last_to) & captures)
            + 4 * has(self.aims_last[piece], to)
            + 8 * has(self.last_attacks, to);
        let targets =
            has(aims[1], to) + 2 * has(aims[2], to) + 4 * has(aims[3], to) + 8 * has(aims[4], to);
        let back = usize::from(origin.own_from == to);
        let opening = if self.line.ply() < OPENING_PLIES {
            let mixed = (self.line.key() ^ (from * 64 + to) as u64).wrapping_mul(OPENING_FACTOR);
            1 + (mixed >> (64 - OPENINGS.trailing_zeros())) as usize
        } else {
            0
        };
        let exchange = (victim * 6 + hit) * 2 + guarded;
        let near_enemy = usize::from(self.enemy_king[to]);
        let near_own = usize::from(self.own_king[to]);
        let traits = [
            origin.exchanges + exchange * 12,
            origin.checks + checks * 8 + attacked * 4 + guarded * 2 + captures,
            origin.relations + relation * 12 + attacked,
            origin.after_last + turned,
            origin.after_own + turned,
            origin.again + back * 12,
            origin.to_enemy + near_enemy * 3,
            origin.to_own + near_own * 3,
            OFFSETS[8] + pawn,
            OFFSETS[9] + opening,
            origin.evasions + (usize::from(self.checker != 0) & captures),
            origin.targets + targets * 4 + attacked * 2 + captures,
            origin.materials + victim * 5 + promotion,
            origin.rescues + victim * 12 + usize::from(checks != 0) * 6,
        ];
        let row = if castling_row != 0 {
            castling_row
        } else if promotion != 0 {
            let side = (to & 7) + 1 - (from & 7);
            PROMOTION_ROWS + ((from & 7) * 3 + side) * 4 + promotion - 1
        } else {
            origin.row + (origin.ways & ((1 << turned) - 1)).count_ones() as usize
        };
        let rows = [
            row,
            origin.contexts[0] + exchange,
            origin.contexts[1] + checks * 24,
            origin.contexts[2] + relation * 4 + back,
            origin.contexts[3] + targets * 4 + (near_enemy - 1).min(3),
        ];
        Choice {
            played,
            rows: rows.map(|row| row as u16),
            traits: traits.map(|entry| entry as u32),
        }
    }

    /// Whether no enemy pawn stands in the way of a pawn of ours on this square.
    #[inline(always)]
    fn passed(&self, square: usize) -> usize {
        let position = self.line.position();
        let pawns = (position.by_role(Role::Pawn) & position.them()).0;
        // Turned up: the enemy's pawns on this file and its neighbours, further up.
        let pawns = if self.turn == 0 {
            pawns
        } else {
            pawns.swap_bytes()
        };
        let square = square ^ self.turn as usize;
        let file = FILE_A << (square & 7);
        let files = file | (file << 1 & !FILE_A) | (file >> 1 & !FILE_H);
        let above = !0u64 << (square & 56) << 7 << 1;
        usize::from(pawns & files & above == 0)
    }

    /// The row and the traits of the end of the game.
    #[inline(always)]
    pub fn end(&self, style: u8) -> (usize, [usize; END_TRAITS]) {
        let position = self.line.position();
        let value = |color: Color| -> i32 {
            let of = |role| (position.by_role(role) & position.by_color(color)).count() as i32;
            of(Role::Pawn)
                + 3 * (of(Role::Knight) + of(Role::Bishop))
                + 5 * of(Role::Rook)
                + 9 * of(Role::Queen)
        };
        let us = position.turn();
        let ahead = (value(us) - value(us.other())).clamp(-12, 12) + 12;
        let check = usize::from(self.legal.is_check());
        let steps = (self.line.ply() as usize / 4).min(63);
        let count = position.occupied().count().min(32);
        let values = [
            (ahead as usize * 3 + self.phase) * 2 + check,
            steps * 3 + usize::from(style),
            (usize::from(self.back) * 5 + self.hanging.0) * 3 + self.phase,
            count * 2 + usize::from(self.line.ply() % 2 == 1),
        ];
        let mut traits = [0; END_TRAITS];
        for (place, (value, offset)) in traits.iter_mut().zip(values.into_iter().zip(END_OFFSETS)) {
            *place = offset + value;
        }
        (END_ROW, traits)
    }
}

fn role_of(step: Step) -> Option<Role> {
    (step.role != 0).then(|| Role::ALL[usize::from(step.role - 1)])
}

/// By role and square, turned: the first row of its moves, and where they go on an empty board.
static ROW_OF: [[(u16, u64); 64]; 6] = {
    let mut table = [[(0, 0); 64]; 6];
    let mut row = 0;
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let ways = ways(role, square);
            table[role][square] = (row, ways);
            row += ways.count_ones() as u16;
            square += 1;
        }
        role += 1;
    }
    assert!(row as usize == PROMOTION_ROWS);
    table
};

/// Where a piece goes from a square of an empty board; pawns up, captures too, promotions not.
const fn ways(role: usize, square: usize) -> u64 {
    let (file, rank) = ((square & 7) as i32, (square >> 3) as i32);
    let mut ways = 0;
    let mut to = 0;
    while to < 64 {
        let files = (to & 7) - file;
        let ranks = (to >> 3) - rank;
        let (far, near) = (max(files.abs(), ranks.abs()), min(files.abs(), ranks.abs()));
        let goes = match role {
            0 => {
                rank >= 1
                    && rank <= 5
                    && ((ranks == 1 && files.abs() <= 1) || (ranks == 2 && files == 0 && rank == 1))
            }
            1 => far == 2 && near == 1,
            2 => far == near && far > 0,
            3 => near == 0 && far > 0,
            4 => (near == 0 || far == near) && far > 0,
            _ => far == 1,
        };
        if goes {
            ways |= 1 << to;
        }
        to += 1;
    }
    ways
}

const fn max(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

const fn min(a: i32, b: i32) -> i32 {
    if a < b { a } else { b }
}
