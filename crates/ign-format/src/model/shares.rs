//! Shares of what may happen next, and how scores become them.

use ign_entropy::shares::falling;
use ign_notation::chess::Move;

/// With more choices than this, which only invented positions have, shares are eighths, so that
/// their sum stays below 2^24 with as many moves as a board can hold.
const MANY: usize = 255;

/// What all shares together are at most.
const MOST: u32 = (1 << 24) - 1;

/// The share of the choice that scores highest.
const HIGHEST: u32 = 1 << 16;
/// Score steps in one step of the table of shares: the table is in 1/256, scores in 1/8192.
const SCORE_SHIFT: u32 = 5;
/// Below this difference of scores, in 1/256, every share is 1.
const STEPS: usize = 2840;

/// 2^64 · e^(-1/256), rounded down.
const FACTOR: u64 = 18_374_827_034_086_858_296;
/// By how much a score lies below the highest, in 1/256: 2^16 · e^-(that) (spec §8.5.4).
static SHARE: [u32; STEPS] = falling(HIGHEST, FACTOR);

/// The shares of what may happen next: the legal moves in canonical order, then the end of the
/// game. Every share is at least 1, but for what is [known](Shares::keep) not to be played. Where no move is legal there is no choice at all.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    pub(super) moves: Vec<Move>,
    shares: Vec<u32>,
    total: u32,
}

impl Shares {
    /// The legal moves, in canonical order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The shares: one for each move, then that of the end. Empty when no move is legal.
    #[inline]
    pub fn shares(&self) -> &[u32] {
        &self.shares
    }

    /// The sum of the shares, below 2^24.
    #[inline]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The sum of the shares before this choice, and its own.
    #[inline]
    pub fn interval(&self, choice: usize) -> (u32, u32) {
        (self.shares[..choice].iter().sum(), self.shares[choice])
    }

    /// The choice whose interval holds `value`, with that interval.
    ///
    /// # Panics
    /// When `value` is not below [`total`](Shares::total).
    #[inline]
    pub fn find(&self, value: u32) -> (usize, u32, u32) {
        let mut before = 0;
        for (choice, &share) in self.shares().iter().enumerate() {
            if value < before + share {
                return (choice, before, share);
            }
            before += share;
        }
        panic!("no choice holds {value} of {}", self.total)
    }

    /// The share of the end. Zero where no move is legal.
    #[inline]
    pub fn end(&self) -> u32 {
        self.shares.last().copied().unwrap_or(0)
    }

    /// Gives the end another share, where there are moves; as large a one as lets the sum stay
    /// below 2^24. With 0 the game does not end here.
    #[inline]
    pub fn set_end(&mut self, share: u32) {
        if let Some(end) = self.shares.last_mut() {
            let others = self.total - *end;
            *end = share.min(MOST - others);
            self.total = others + *end;
        }
    }

    /// Takes the shares of all moves but those to be kept.
    pub fn keep(&mut self, kept: impl Fn(Move) -> bool) {
        for (share, &played) in self.shares.iter_mut().zip(&self.moves) {
            if !kept(played) {
                self.total -= std::mem::take(share);
            }
        }
    }

    /// Makes it that of a position without legal moves.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.shares.clear();
        self.total = 0;
    }

    /// Gives these moves, in canonical order, and the end of the game the same share, where there
    /// are moves: of games that the model knows nothing of.
    pub fn set_alike(&mut self, moves: &[Move]) {
        self.clear();
        if !moves.is_empty() {
            self.moves.extend_from_slice(moves);
            self.shares.resize(moves.len() + 1, 1);
            self.total = self.shares.len() as u32;
        }
    }

    /// Keeps the shares of these moves, in canonical order, and of the end. Moves that have none,
    /// which are those of a variant, get half as much together, each the same (spec §8.5.4).
    pub fn spread(&mut self, moves: &[Move]) {
        let (Some(&end), false) = (self.shares.last(), moves.is_empty()) else {
            return self.set_alike(moves);
        };
        let share = |m: &Move| Some(self.shares[self.moves.binary_search(m).ok()?]);
        let known: Vec<Option<u32>> = moves.iter().map(share).collect();
        let sum = end + known.iter().flatten().sum::<u32>();
        let shift = u32::from(sum >= 1 << 23);
        let others = known.iter().filter(|share| share.is_none()).count() as u32;
        let each = ((sum >> shift) / (2 * others).max(1)).max(1);
        let known = known.into_iter().chain([Some(end)]);
        let shares = known.map(|share| share.map_or(each, |share| (share >> shift).max(1)));
        self.shares = shares.collect();
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.total = self.shares.iter().sum();
    }

    /// Replaces the shares by those that these scores make: those of the moves, which are there
    /// already, then that of the end.
    #[inline(always)]
    pub(super) fn set(&mut self, scores: &[i32]) {
        let highest = scores
            .iter()
            .fold(i32::MIN, |highest, &score| highest.max(score));
        let shift = if scores.len() > MANY { 3 } else { 0 };
        let share = |&score: &i32| {
            let step = ((highest - score) as u32 >> SCORE_SHIFT) as usize;
            (SHARE[step.min(STEPS - 1)] >> shift).max(1)
        };
        self.shares.clear();
        self.shares.extend(scores.iter().map(share));
        self.total = self.shares.iter().sum();
    }
}

const _: () = assert!(HIGHEST as u64 * (MANY as u64) < 1 << 24);
const _: () = assert!(SHARE[0] == HIGHEST && SHARE[STEPS - 1] == 1);

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn the_table_is_of_powers_of_e() {
        for (i, &share) in SHARE.iter().enumerate() {
            let exact = 65536.0 * (-(i as f64) / 256.0).exp();
            assert!(
                (f64::from(share) - exact).abs() < 1.0,
                "{i}: {share} for {exact}"
            );
        }
    }

    #[test]
    fn moves_that_are_alike_share_evenly_with_the_end() {
        let mut shares = Shares::default();
        let moves = [1, 2, 3].map(|to| Move::new(Square::A1, Square::new(to), None));
        shares.set_alike(&moves);
        assert_eq!((shares.moves(), shares.shares()), (&moves[..], &[1; 4][..]));
        assert_eq!((shares.total(), shares.interval(3)), (4, (3, 1)));
        shares.set_alike(&[]);
        assert_eq!((shares.shares().len(), shares.total()), (0, 0));
    }

    #[test]
    fn moves_that_the_model_does_not_know_share_half_as_much_as_the_rest() {
        let mut shares = Shares::default();
        let of = |to| Move::new(Square::A1, Square::new(to), None);
        shares.moves = [1, 2, 3].map(of).to_vec();
        shares.set(&[0, 0, -8192, 0]);
        let before = shares.shares().to_vec();
        // One of the moves is not to be played; two are new.
        let drops = [Square::A2, Square::A3].map(|to| Move::drop(Role::Queen, to));
        shares.spread(&[of(1), of(3), drops[0], drops[1]]);
        let sum = before[0] + before[2] + before[3];
        let expected = [before[0], before[2], sum / 4, sum / 4, before[3]];
        assert_eq!(shares.shares(), expected);
        assert_eq!(shares.total(), expected.iter().sum::<u32>());
        shares.spread(&[]);
        assert_eq!((shares.shares().len(), shares.total()), (0, 0));
        shares.spread(&drops);
        assert_eq!(shares.shares(), [1, 1, 1]);
        // However many there are, the sum stays below 2^24.
        let all = |i: u32| Move::new(Square::new(i / 63), Square::new(i % 63), None);
        let all: Vec<Move> = (0..254).map(all).collect();
        shares.moves = all.clone();
        shares.set(&[0; 255]);
        let put = |i: u32| Move::drop(Role::Queen, Square::new(i));
        let more: Vec<Move> = all.iter().copied().chain((0..64).map(put)).collect();
        shares.spread(&more);
        assert!(shares.total() < 1 << 24 && shares.shares().iter().all(|&share| share > 0));
    }

    #[test]
    fn intervals_tile_the_total() {
        let mut shares = Shares::default();
        shares.set(&[0, -8192, 500, -1_000_000]);
        let mut end = 0;
        for choice in 0..4 {
            let (before, share) = shares.interval(choice);
            assert_eq!(before, end);
            end += share;
            assert_eq!(shares.find(before), (choice, before, share));
            assert_eq!(shares.find(end - 1), (choice, before, share));
        }
        assert_eq!(end, shares.total());
        assert_eq!(shares.shares()[2], HIGHEST);
        assert_eq!(shares.shares()[3], 1);
    }
}
