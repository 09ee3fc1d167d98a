//! Features of a position, computed once for all its moves: attack maps, hanging pieces, and the
//! squares from which pieces would attack valuable targets (spec §8.5.2).
//!
//! Everything is relative to the side to move: squares are flipped so that it plays up the board.
//! The trainer and the scorer share this code, so their features cannot differ.

use shakmaty::{Bitboard, Color, Role, Square};

use super::{
    attacks::{Attacks, attack_sources},
    geometry::DISTANCE,
    history::History,
    shape::{END_ROW, END_TABLE, END_TABLES, MAX_STYLES},
};
use ign_notation::chess::{
    Legal, pawns,
    rays::{leap, lines, screens, slide, sliders},
    simd::{Portable, Words},
};

/// Kinds of targets: the enemy king, queens, rooks, minor pieces, and those of them (except the
/// king) that the enemy does not guard.
pub(super) const TARGETS: usize = 5;

/// A position and its features.
#[derive(Debug)]
pub struct PositionFeatures<'a> {
    pub(super) history: &'a History,
    pub(super) legal: &'a Legal,
    /// 56 if Black is to move, else 0: exclusive or with it makes a square relative.
    pub(super) flip: usize,
    /// The attacks of the side to move.
    pub(super) ours: Attacks,
    /// The attacks of the opponent.
    pub(super) theirs: Attacks,
    /// The class of the least valuable enemy attacker of each square, as three bit planes.
    pub(super) least_attacker: [u64; 3],
    /// By role: the squares from which an own piece attacks each kind of target.
    pub(super) attack_from: [[u64; TARGETS]; 6],
    /// Own pieces between the enemy king and an own slider: moving them may discover check.
    pub(super) blockers: u64,
    /// Non-pawn material of both sides: minor pieces 1, rooks 2, queens 4.
    pub(super) material: usize,
    /// By non-pawn material: 0 opening, 1 middlegame, 2 endgame.
    pub(super) phase: usize,
    /// The most valuable kind of hanging own pieces, and their squares.
    pub(super) hanging: (usize, u64),
    /// The role that gives check (1 pawn … 6 king), 0 for none.
    pub(super) checker: usize,
    /// The enemy pawns, as relative squares.
    pub(super) enemy_pawns: u64,
    /// The square of the enemy king.
    pub(super) king: Square,
    /// Distance of each square from the enemy king.
    pub(super) enemy_king_distance: &'static [u8; 64],
    /// Distance of each square from the own king.
    pub(super) own_king_distance: &'static [u8; 64],
    /// The squares attacked by the piece that moved last.
    pub(super) last_mover_attacks: u64,
    /// By role: the squares from which an own piece would attack the piece that moved last.
    pub(super) last_mover_attack_from: [u64; 6],
    /// The position is the same as four plies ago.
    pub(super) repetition: bool,
}

impl<'a> PositionFeatures<'a> {
    /// The features of the current position, whose legal moves are given.
    pub fn new(history: &'a History, legal: &'a Legal) -> Self {
        Self::with(Portable, history, legal)
    }

    #[inline(always)]
    pub(super) fn with(simd: impl Words, history: &'a History, legal: &'a Legal) -> Self {
        let position = history.position();
        let us = position.turn();
        let them = us.other();
        let occupied = position.occupied();
        let ours = Attacks::of(simd, position, us);
        let theirs = Attacks::of(simd, position, them);

        let pawns = position.by_role(Role::Pawn);
        let queens = position.by_role(Role::Queen);
        let rooks = position.by_role(Role::Rook);
        let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
        let material = minors.count() + 2 * rooks.count() + 4 * queens.count();
        let phase = match material {
            18.. => 0,
            8..18 => 1,
            _ => 2,
        };

        // Hanging: attacked and not guarded, or attacked by a less valuable piece.
        let unguarded = theirs.any & !ours.any;
        let hangs = |role, squares: Bitboard| {
            squares.0 & position.us().0 & (unguarded | theirs.by_less_valuable(role))
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

        let last = history.last_moves()[0];
        let (mut last_mover_attacks, mut last_mover_attack_from) = (0, [0; 6]);
        if last.role != 0 {
            last_mover_attack_from =
                attack_sources(Square::new(u32::from(last.to)), occupied, them);
            last_mover_attacks = last_mover_attack_from[usize::from(last.role) - 1];
        }
        let checker = (legal.checkers().first())
            .and_then(|square| position.role_at(square))
            .map_or(0, |role| role as usize);
        let king = position.king(them);
        let mut features = Self {
            history,
            legal,
            flip: us.fold_wb(0, 56),
            ours,
            theirs,
            least_attacker: least_attacker(&theirs),
            attack_from: [[0; TARGETS]; 6],
            blockers: 0,
            material,
            phase,
            hanging,
            checker,
            enemy_pawns: match us {
                Color::White => pawns & position.them(),
                Color::Black => (pawns & position.them()).flip_vertical(),
            }
            .0,
            king,
            enemy_king_distance: &DISTANCE[king.to_usize()],
            own_king_distance: &DISTANCE[position.king(us).to_usize()],
            last_mover_attacks,
            last_mover_attack_from,
            repetition: history.is_repetition(),
        };
        // In the order of the targets.
        let enemies = |role: Bitboard| position.them() & role;
        let at_king = features.find_attack_from(simd, 0, Bitboard::from_square(king));
        features.find_attack_from(simd, 1, enemies(queens));
        features.find_attack_from(simd, 2, enemies(rooks));
        features.find_attack_from(simd, 3, enemies(minors));
        let unguarded = enemies(queens | rooks | minors) & !Bitboard(theirs.any);
        features.find_attack_from(simd, TARGETS - 1, unguarded);
        let diagonal = (position.by_role(Role::Bishop) | queens) & position.us();
        let straight = (rooks | queens) & position.us();
        features.find_blockers(simd, at_king, sliders(simd, straight, diagonal));
        features
    }

    /// Computes the squares from which own pieces attack a kind of target, which is on `squares`.
    /// Returns the rays from the target.
    #[inline(always)]
    fn find_attack_from<V: Words>(&mut self, simd: V, target: usize, squares: Bitboard) -> V::Rays {
        let position = self.history.position();
        let rays = slide(simd, simd.all(squares.0), position.occupied().0);
        let [by_rook, by_bishop] = lines(simd, rays);
        // A pawn of ours attacks the target from the squares that an enemy pawn there would attack.
        let [east, west] = pawns::attacked(position.turn().other(), squares);
        let by_pawn = (east | west).0;
        let by_knight = simd.any(leap(simd, squares.0));
        // Kings are left out: their attacks on targets are not a feature.
        let by = [by_pawn, by_knight, by_bishop, by_rook, by_rook | by_bishop];
        for (attack_from, squares) in self.attack_from.iter_mut().zip(by) {
            attack_from[target] = squares;
        }
        rays
    }

    /// Finds the own pieces between the enemy king, from which the rays `seen` start, and an own
    /// slider.
    #[inline(always)]
    fn find_blockers<V: Words>(&mut self, simd: V, seen: V::Rays, sliders: V::Rays) {
        let position = self.history.position();
        let occupied = position.occupied().0;
        let screens = screens(simd, seen, position.us(), sliders, occupied);
        self.blockers = simd.any(screens);
    }

    /// The row of the end of the game in the output table, and its entries in the feature tables.
    #[inline(always)]
    pub fn end(&self, style: u8) -> (usize, [usize; END_TABLES]) {
        let position = self.history.position();
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
        let bucket = (self.history.ply() as usize / 4).min(63);
        let count = position.occupied().count().min(32);
        let entries = [
            END_TABLE[0] + (ahead as usize * 3 + self.phase) * 2 + check,
            END_TABLE[1] + bucket * usize::from(MAX_STYLES) + usize::from(style),
            END_TABLE[2] + (usize::from(self.repetition) * 5 + self.hanging.0) * 3 + self.phase,
            END_TABLE[3] + count * 2 + usize::from(self.history.ply() % 2 == 1),
        ];
        (END_ROW, entries)
    }
}

/// The class of the least valuable attacker of each square, as three bit planes: 0 none, 1 pawn,
/// 2 knight or bishop, 3 rook, 4 queen, 5 king.
#[inline(always)]
fn least_attacker(attacks: &Attacks) -> [u64; 3] {
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
