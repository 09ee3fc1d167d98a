//! What a position is about, worked out once for all its moves: attacks, what hangs, from where
//! pieces would aim at what (spec §8.5.2).
//!
//! Everything is seen from the side to move: squares are turned so that it plays up the board.
//! The trainer and the scorer take what the model sees from here, so they cannot differ.

use shakmaty::{Bitboard, Color, Role, Square};

use super::{
    attacks::{Attacks, towards},
    line::Line,
    rows::DISTANCE,
    tables::{END, END_ROW, END_TRAITS},
};
use ign_notation::chess::{
    Legal, pawns,
    rays::{leap, lines, screens, slide, sliders},
    simd::{Portable, Words},
};

/// What pieces may aim at: the enemy's king, queens, rooks, minor pieces, and of those but the
/// king what nothing guards.
pub(super) const TARGETS: usize = 5;

/// A position with what the model sees in it.
pub struct PositionFeatures<'a> {
    pub(super) line: &'a Line,
    pub(super) legal: &'a Legal,
    /// 56 when Black is to move: turns squares.
    pub(super) turn: usize,
    pub(super) ours: Attacks,
    pub(super) theirs: Attacks,
    /// Classes of the cheapest enemy attacker of each square, as three planes of bits.
    pub(super) cheapest: [u64; 3],
    /// By role: from where a piece of ours attacks each of the targets.
    pub(super) aims: [[u64; TARGETS]; 6],
    /// Own pieces that shield the enemy's king from another own piece.
    pub(super) shields: u64,
    /// Minor pieces 1, rooks 2, queens 4, of both sides.
    pub(super) weight: usize,
    pub(super) phase: usize,
    /// The dearest kind of own pieces that hang, and those.
    pub(super) hanging: (usize, u64),
    /// The number of the role that gives check, 0 for none.
    pub(super) checker: usize,
    /// The enemy's pawns, turned.
    pub(super) enemy_pawns: u64,
    /// The enemy's king, and how far squares are from it and from the own one.
    pub(super) king: Square,
    pub(super) enemy_king: &'static [u8; 64],
    pub(super) own_king: &'static [u8; 64],
    /// The last move's piece attacks these squares.
    pub(super) last_attacks: u64,
    /// By role: from where a piece of ours would attack the last moved piece.
    pub(super) aims_last: [u64; 6],
    /// The position stood on the board four plies ago.
    pub(super) back: bool,
}

impl<'a> PositionFeatures<'a> {
    /// Looks at the position reached.
    pub fn new(line: &'a Line, legal: &'a Legal) -> Self {
        Self::with(Portable, line, legal)
    }

    #[inline(always)]
    pub(super) fn with(vectors: impl Words, line: &'a Line, legal: &'a Legal) -> Self {
        let position = line.position();
        let us = position.turn();
        let them = us.other();
        let occupied = position.occupied();
        let ours = Attacks::of(vectors, position, us);
        let theirs = Attacks::of(vectors, position, them);

        let pawns = position.by_role(Role::Pawn);
        let queens = position.by_role(Role::Queen);
        let rooks = position.by_role(Role::Rook);
        let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
        let weight = minors.count() + 2 * rooks.count() + 4 * queens.count();
        let phase = match weight {
            18.. => 0,
            8..18 => 1,
            _ => 2,
        };

        // Hanging: attacked and not guarded, or attacked by something cheaper.
        let bare = theirs.any & !ours.any;
        let hangs = |role, squares: Bitboard| {
            squares.0 & position.us().0 & (bare | theirs.by_cheaper(role))
        };
        let hanging = [
            (4, hangs(Role::Queen, queens)),
            (3, hangs(Role::Rook, rooks)),
            (2, hangs(Role::Knight, minors)),
            (1, hangs(Role::Pawn, pawns)),
        ]
        .into_iter()
        .find(|&(_, squares)| squares != 0)
        .unwrap_or((0, 0));

        let last = line.steps()[0];
        let (mut last_attacks, mut aims_last) = (0, [0; 6]);
        if last.role != 0 {
            aims_last = towards(Square::new(u32::from(last.to)), occupied, them);
            last_attacks = aims_last[usize::from(last.role) - 1];
        }
        let checker = (legal.checkers().first())
            .and_then(|square| position.role_at(square))
            .map_or(0, |role| role as usize);
        let king = position.king(them);
        let mut features = Self {
            line,
            legal,
            turn: us.fold_wb(0, 56),
            ours,
            theirs,
            cheapest: cheapest(&theirs),
            aims: [[0; TARGETS]; 6],
            shields: 0,
            weight,
            phase,
            hanging,
            checker,
            enemy_pawns: match us {
                Color::White => pawns & position.them(),
                Color::Black => (pawns & position.them()).flip_vertical(),
            }
            .0,
            king,
            enemy_king: &DISTANCE[king.to_usize()],
            own_king: &DISTANCE[position.king(us).to_usize()],
            last_attacks,
            aims_last,
            back: line.is_back(),
        };
        // In the order of the targets.
        let enemies = |role: Bitboard| position.them() & role;
        let at_king = features.aim(vectors, 0, Bitboard::from_square(king));
        features.aim(vectors, 1, enemies(queens));
        features.aim(vectors, 2, enemies(rooks));
        features.aim(vectors, 3, enemies(minors));
        let free = enemies(queens | rooks | minors) & !Bitboard(theirs.any);
        features.aim(vectors, TARGETS - 1, free);
        let diagonal = (position.by_role(Role::Bishop) | queens) & position.us();
        let straight = (rooks | queens) & position.us();
        features.shield(vectors, at_king, sliders(vectors, straight, diagonal));
        features
    }

    /// Finds out from where pieces aim at the target of this number, which stands on these squares;
    /// gives what reaches it along each line.
    #[inline(always)]
    fn aim<V: Words>(&mut self, vectors: V, target: usize, squares: Bitboard) -> V::Rays {
        let position = self.line.position();
        let rays = slide(vectors, vectors.all(squares.0), position.occupied().0);
        let [by_rook, by_bishop] = lines(vectors, rays);
        // Where the enemy's pawn on a target would attack, one of ours attacks the target.
        let [east, west] = pawns::attacked(position.turn().other(), squares);
        let by_pawn = (east | west).0;
        let by_knight = vectors.any(leap(vectors, squares.0));
        // Kings aim at nothing.
        let by = [by_pawn, by_knight, by_bishop, by_rook, by_rook | by_bishop];
        for (aims, squares) in self.aims.iter_mut().zip(by) {
            aims[target] = squares;
        }
        rays
    }

    /// Finds the own pieces between the enemy's king, which is seen along these lines, and an own
    /// slider.
    #[inline(always)]
    fn shield<V: Words>(&mut self, vectors: V, seen: V::Rays, sliders: V::Rays) {
        let position = self.line.position();
        let occupied = position.occupied().0;
        let screens = screens(vectors, seen, position.us(), sliders, occupied);
        self.shields = vectors.any(screens);
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
        let traits = [
            END[0] + (ahead as usize * 3 + self.phase) * 2 + check,
            END[1] + steps * 3 + usize::from(style),
            END[2] + (usize::from(self.back) * 5 + self.hanging.0) * 3 + self.phase,
            END[3] + count * 2 + usize::from(self.line.ply() % 2 == 1),
        ];
        (END_ROW, traits)
    }
}

/// The class of the cheapest attacker of each square, as three planes of bits: 0 none, 1 pawn,
/// 2 knight or bishop, 3 rook, 4 queen, 5 king.
#[inline(always)]
fn cheapest(attacks: &Attacks) -> [u64; 3] {
    let mut left = attacks.any;
    let mut planes = [0; 3];
    for (class, squares) in [
        (1, attacks.pawns),
        (2, attacks.minors),
        (3, attacks.rooks),
        (4, attacks.queens),
        (5, attacks.king),
    ] {
        let here = squares & left;
        left &= !squares;
        for (bit, plane) in planes.iter_mut().enumerate() {
            if class >> bit & 1 == 1 {
                *plane |= here;
            }
        }
    }
    planes
}
