//! Which move a person plays: quick rules of thumb, applied more surely by the strong.
//!
//! In this order: promote; take what is worth taking; save what would be lost; castle; give
//! mate, or at times a mere check; otherwise move some piece somewhere it is not lost. A rule
//! may be overlooked, which is all that tells the weak from the strong. Nothing searches: a
//! few look-ups in bitboards decide. Invariant: the move is legal, whatever the rules say.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::attacks::Attacks;
use super::pick::pick;
use super::random::Random;
use crate::chess::{Legal, Move};

/// How well somebody plays.
#[derive(Debug, Clone, Copy)]
pub struct Skill(u32);

impl Skill {
    /// The skill of somebody with this rating.
    pub fn of_rating(rating: i32) -> Skill {
        Skill((rating.clamp(600, 2600) as u32 - 600) / 20)
    }

    /// From 0, the weakest, to 100.
    #[inline]
    pub const fn percent(self) -> u32 {
        self.0
    }
}

/// What somebody sees when it is their turn.
#[derive(Debug)]
pub struct View<'a> {
    /// The moves there are.
    pub legal: &'a Legal,
    /// What the own side attacked a ply ago.
    pub own: &'a Attacks,
    /// What the other side attacks.
    pub theirs: &'a Attacks,
    /// Where something was just taken.
    pub taken: Bitboard,
    /// Plies played.
    pub ply: u32,
}

/// Pieces' worth in pawns, by role; a king's counts when it takes.
pub const WORTH: [u32; 7] = [0, 1, 3, 3, 5, 9, 4];

const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);
const BACK_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);
const KINGS_HOME: Bitboard = Bitboard(0x1000_0000_0000_0010);
const CASTLED: Bitboard = Bitboard(0x4400_0000_0000_0044);
const ABOUT_TO_PROMOTE: Bitboard = Bitboard(0x00ff_0000_0000_ff00);
const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// Plies during which nobody looks for mate.
const KNOWN: u32 = 5;
/// Plies during which pieces are brought out.
const OPENING: u32 = 24;
/// Pieces that may give check from afar or by a leap, those that mate best first.
const ATTACKERS: [Role; 4] = [Role::Queen, Role::Rook, Role::Knight, Role::Bishop];

impl View<'_> {
    /// The move that is played; there must be one.
    pub fn choose(&self, skill: Skill, random: &mut Random) -> Move {
        let count = self.legal.count();
        if count == 1 {
            return self.legal.nth(0);
        }
        let (attention, whim) = (random.below(100), random.bits());
        let seen = 58 + skill.0 * 2 / 5;
        if attention < seen {
            if let Some(m) = self.promote(whim) {
                return m;
            }
            if let Some(m) = self.take() {
                return m;
            }
            if let Some(m) = self.rescue(random) {
                return m;
            }
        }
        let position = self.legal.position();
        let king = position.king(position.turn());
        if (position.castling_rooks() & position.us()).any() && whim & 3 == 0 {
            let home = (self.legal.destinations(king) & CASTLED).first();
            if let Some(to) = home.filter(|_| KINGS_HOME.contains(king)) {
                return Move::new(king, to, None);
            }
        }
        if let Some(m) = self.check(whim >> 2, skill) {
            return m;
        }
        self.wander(random)
            .unwrap_or_else(|| self.legal.nth(random.below(count)))
    }

    /// A pawn's last step.
    #[inline]
    fn promote(&self, whim: u64) -> Option<Move> {
        let position = self.legal.position();
        let ready = position.by_role(Role::Pawn) & position.us() & ABOUT_TO_PROMOTE;
        for from in ready {
            let last = self.legal.destinations(from) & BACK_RANKS;
            if let Some(to) = last.first() {
                let role = match whim >> 32 & 127 {
                    0 => Role::Knight,
                    1..3 => Role::Rook,
                    _ => Role::Queen,
                };
                return Some(Move::new(from, to, Some(role)));
            }
        }
        None
    }

    /// The capture of a piece that is free, dearer than its taker, or has just taken.
    #[inline]
    fn take(&self) -> Option<Move> {
        let position = self.legal.position();
        let [pawns, rooks, queens] =
            [Role::Pawn, Role::Rook, Role::Queen].map(|role| position.by_role(role));
        let (own, theirs) = (self.own, self.theirs);
        let free = own.all & !theirs.all;
        let dearer = (own.pawns & !pawns) | (own.minors & (rooks | queens)) | (own.rooks & queens);
        let worthwhile = position.them() & (free | dearer | (self.taken & own.all));
        if worthwhile.is_empty() {
            return None;
        }
        for role in [
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ] {
            for to in worthwhile & position.by_role(role) {
                let limit = if theirs.all.contains(to) {
                    role
                } else {
                    Role::King
                };
                if let Some(m) = self.cheapest_capture(to, limit) {
                    return Some(m);
                }
            }
        }
        None
    }

    /// The capture on a square by the cheapest piece, which is not to be worth more than `limit`.
    #[inline]
    fn cheapest_capture(&self, to: Square, limit: Role) -> Option<Move> {
        let position = self.legal.position();
        let occupied = position.occupied();
        for role in Role::ALL {
            let worth = WORTH[role as usize];
            if limit != Role::King && worth > WORTH[limit as usize] {
                continue;
            }
            let reach = match role {
                Role::Pawn => attacks::pawn_attacks(!position.turn(), to),
                Role::Knight => attacks::knight_attacks(to),
                Role::Bishop => attacks::bishop_attacks(to, occupied),
                Role::Rook => attacks::rook_attacks(to, occupied),
                Role::Queen => attacks::queen_attacks(to, occupied),
                Role::King => attacks::king_attacks(to),
            };
            for from in reach & position.by_role(role) & position.us() {
                if self.legal.destinations(from).contains(to) {
                    let promotes = role == Role::Pawn && BACK_RANKS.contains(to);
                    return Some(Move::new(from, to, promotes.then_some(Role::Queen)));
                }
            }
        }
        None
    }

    /// A way out for the dearest piece that would be lost.
    #[inline]
    fn rescue(&self, random: &mut Random) -> Option<Move> {
        let position = self.legal.position();
        let [rooks, queens] = [Role::Rook, Role::Queen].map(|role| position.by_role(role));
        let unguarded = self.theirs.all & !self.own.all;
        let (theirs, majors) = (self.theirs, rooks | queens);
        let cheaper = theirs.pawns | (theirs.minors & majors) | (theirs.rooks & queens);
        let pieces = position.us() & !position.by_role(Role::Pawn) & !position.by_role(Role::King);
        let lost = pieces & (unguarded | cheaper);
        if lost.is_empty() {
            return None;
        }
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            let Some(from) = (lost & position.by_role(role)).first() else {
                continue;
            };
            let safe = self.legal.destinations(from) & !self.theirs.deadly(role, self.own.twice);
            if safe.any() {
                return Some(Move::new(from, pick(safe, random), None));
            }
        }
        None
    }

    /// Mate if it is there to see, or sometimes another check that loses nothing.
    #[inline]
    fn check(&self, whim: u64, skill: Skill) -> Option<Move> {
        let position = self.legal.position();
        let king = position.king(!position.turn());
        let escapes = attacks::king_attacks(king) & !position.them() & !self.own.all;
        let alert = (whim & 127) < u64::from(40 + skill.0);
        let cornered = alert && escapes.count() <= 2;
        if self.ply < KNOWN || (!cornered && whim & 7 != 0) {
            return None;
        }
        let occupied = position.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let straight = attacks::rook_attacks(king, occupied);
        let mut harmless = None;
        for role in ATTACKERS {
            // Only squares that were in reach a ply ago: the rest are not worth a look.
            let checks = match role {
                Role::Queen => (diagonal | straight) & self.own.all,
                Role::Rook => straight & self.own.rooks,
                Role::Bishop => diagonal & self.own.minors,
                _ => attacks::knight_attacks(king) & self.own.minors,
            };
            let checks = checks & !position.us() & !self.theirs.deadly(role, self.own.twice);
            if checks.is_empty() {
                continue;
            }
            for from in position.by_role(role) & position.us() {
                for to in self.legal.destinations(from) & checks {
                    let m = Move::new(from, to, None);
                    if cornered && self.mates(m) {
                        return Some(m);
                    }
                    harmless = Some(m);
                }
            }
        }
        harmless.filter(|_| whim >> 8 & 3 == 0)
    }

    /// Whether a check leaves no answer.
    #[inline]
    fn mates(&self, m: Move) -> bool {
        let mut next = *self.legal.position();
        next.play(m);
        Legal::new(&next).count() == 0
    }

    /// Some move of some piece to where it is not lost.
    #[inline]
    fn wander(&self, random: &mut Random) -> Option<Move> {
        let position = self.legal.position();
        let us = position.us();
        let kings = position.by_role(Role::King);
        let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
        let mut candidates = if self.ply < OPENING {
            let pawns = position.by_role(Role::Pawn) & MIDDLE_FILES;
            us & ((minors & BACK_RANKS) | pawns)
        } else if position.occupied().count() > 14 {
            us & !kings
        } else {
            us
        };
        for _ in 0..5 {
            if candidates.is_empty() {
                candidates = us;
            }
            let from = pick(candidates, random);
            candidates = candidates.without(from);
            let role = position.role_at(from).unwrap_or(Role::King);
            let guarded = if role == Role::Pawn {
                self.own.all
            } else {
                self.own.twice
            };
            let safe = self.legal.destinations(from) & !self.theirs.deadly(role, guarded);
            if safe.is_empty() {
                continue;
            }
            let better = safe & (CENTRE | position.them());
            let to = if better.any() && random.chance(3, 4) {
                pick(better, random)
            } else {
                pick(safe, random)
            };
            let promotes = role == Role::Pawn && BACK_RANKS.contains(to);
            return Some(Move::new(from, to, promotes.then_some(Role::Queen)));
        }
        None
    }
}
