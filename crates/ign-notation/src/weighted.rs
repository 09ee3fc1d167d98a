//! Weighted IGN: choices have unequal frequencies, so likely games are short integers.
//!
//! In every position each legal move has an integer frequency of at least 1, its *weight*, and so
//! has the end move, the last choice as in [`ends`](super::ends). `w` is the weight of a choice,
//! `c` the cumulative weight of the choices before it, `W` the total. A choice is pushed onto the
//! integer of the choices after it, and popped again, as in asymmetric numeral systems:
//!
//! ```text
//! push:  x ← ⌊x/w⌋·W + c + x mod w
//! pop:   r = x mod W;  the choice with c ≤ r < c + w;  x ← ⌊x/W⌋·w + r − c
//! ```
//!
//! The last choice is pushed first, so the first choice is popped first. With all weights 1 this is
//! the integer of [`ends`](super::ends).
//!
//! **Length.** The *ideal* length of a game is its information content in bits, the sum of
//! `log2(W/w)` over its choices. Let `P` be the product of the `W/w`, `M` the greatest weight of a
//! choice made, and `s` the value onto which the game is pushed. The result `X` satisfies
//!
//! ```text
//! (s − (M − 1))·P + (M − 1)  ≤  X  ≤  (s + M)·P − M
//! ```
//!
//! because one push keeps both bounds: for `x = q·w + r` it gives `(W/w)·(x − r) + c + r`, with
//! `0 ≤ r < w` and `0 ≤ c ≤ W − w`. Therefore:
//!
//! * Pushed onto `s ≥ 2M`, a game takes its ideal length within one bit: `|log2 X − log2 s − ideal|
//!   ≤ 1`. In a collection, each game is pushed onto the integer of the games after it, and takes
//!   at most `ideal + log2(1 + M/s)` bits, nearly its ideal length.
//! * Pushed onto `s = 0`, a single game, `X < M·P`: up to `log2 M` bits more. The first choice
//!   pushed adds `c` alone. The integer is the least of all integers that begin with this game,
//!   because pushing preserves order. With all weights 1, `X < P`.
//!
//! Rounding up to an integer number of bits adds at most one bit.
//!
//! Invariant: for each start value a game with its ending is one integer, and no integer is two
//! games. Encoder and decoder must compute the same weights, so the model behind them must use
//! integer arithmetic only.

use std::mem;

use rug::Integer;

use crate::{Game, NotationError, Reason, ends::EndMoves, game::play_nth};

/// Pushes a choice with this weight onto `x`. `before` is the cumulative weight of the choices
/// before it, `total` the sum of all weights.
///
/// # Panics
/// If `weight` is 0 or `before + weight` is above `total`.
pub fn push(x: &mut Integer, before: u64, weight: u64, total: u64) {
    assert!(
        weight > 0 && before.checked_add(weight).is_some_and(|end| end <= total),
        "weight {weight} at {before} is not an interval of the total {total}"
    );
    let within = div_rem(x, weight);
    *x *= total;
    *x += before + within;
}

/// Pops the choice that was pushed last onto `x`; returns its index in `weights`, which must not
/// contain 0.
///
/// # Panics
/// If there are no weights.
pub fn pop(x: &mut Integer, weights: &[u32]) -> usize {
    let total = sum(weights);
    assert!(total > 0, "no weights");
    let rest = div_rem(x, total);
    let mut before = 0;
    for (choice, &weight) in weights.iter().enumerate() {
        let weight = u64::from(weight);
        if rest < before + weight {
            *x *= weight;
            *x += rest - before;
            return choice;
        }
        before += weight;
    }
    unreachable!("a rest below the sum of the weights")
}

/// Divides in place by `divisor`; returns the remainder.
fn div_rem(x: &mut Integer, divisor: u64) -> u64 {
    // Not `mod_u64`, which GMP has only where a word is 64 bits.
    let (quotient, remainder) = mem::take(x).div_rem(divisor.into());
    *x = quotient;
    remainder
        .to_u64()
        .expect("a remainder is less than the divisor")
}

fn sum(weights: &[u32]) -> u64 {
    weights.iter().map(|&weight| u64::from(weight)).sum()
}

/// The integer of `moves`, played from the position `game`, and of `ending`. `weigh` replaces the
/// content of its list by the weights of the legal moves of a position in canonical order, then
/// that of the end move. It is called only for positions with legal moves.
///
/// ```
/// use ign_notation::{Game, chess::{Legal, Position, san}, ends::EndMoves, weighted};
///
/// let start = Position::default();
/// let e4 = san::resolve(&Legal::new(&start), b"e4").unwrap();
/// // Every move is eight times as likely as the end of the game.
/// let weigh = |position: &Position, weights: &mut Vec<u32>| {
///     weights.clear();
///     weights.resize(Game::count(position) as usize, 8);
///     weights.push(1);
/// };
/// let integer = weighted::encode(start, &[e4], EndMoves::Stopped, weigh)?;
/// assert_eq!(weighted::decode(start, &integer, 100, weigh)?, (vec![e4], EndMoves::Stopped));
/// # Ok::<(), ign_notation::NotationError>(())
/// ```
///
/// # Errors
/// [`Reason::IllegalMove`], [`Reason::EndedByPosition`], [`Reason::NotEndedByPosition`].
///
/// # Panics
/// If `weigh` returns a weight of 0, or not one for each choice.
pub fn encode<G: Game>(
    game: G,
    moves: &[G::Move],
    ending: EndMoves,
    weigh: impl FnMut(&G, &mut Vec<u32>),
) -> Result<Integer, NotationError> {
    encode_onto(Integer::new(), game, moves, ending, weigh)
}

/// Pushes a game onto `start`, to which [`decode_from`] restores the integer. For an agreed draw
/// `start` must be 0, because the second end move would be ambiguous with the value below it.
///
/// # Errors
/// Those of [`encode`].
///
/// # Panics
/// Those of [`encode`]; if `start` is negative, or not 0 for an agreed draw.
pub fn encode_onto<G: Game>(
    start: Integer,
    mut game: G,
    moves: &[G::Move],
    ending: EndMoves,
    mut weigh: impl FnMut(&G, &mut Vec<u32>),
) -> Result<Integer, NotationError> {
    assert!(!start.is_negative(), "the start value is negative");
    let mut weights = Vec::new();
    let mut intervals = Vec::with_capacity(moves.len() + 2);
    let mut interval = |game: &G, choice: u32, count: u32| {
        weigh(game, &mut weights);
        assert_eq!(
            weights.len(),
            count as usize + 1,
            "one weight is needed for each choice"
        );
        let (before, from) = weights.split_at(choice as usize);
        (sum(before), u64::from(from[0]), sum(&weights))
    };
    for (ply, &played) in moves.iter().enumerate() {
        let found = game.ordinal(played);
        let (ordinal, count) = found.ok_or(NotationError::new(ply, Reason::IllegalMove))?;
        intervals.push(interval(&game, ordinal, count));
        game.play(played);
    }
    let count = game.count();
    let ends = ending.check(count, moves.len())?;
    assert!(
        ends < 2 || start.is_zero(),
        "an agreed draw pushed onto another game"
    );
    for _ in 0..ends {
        intervals.push(interval(&game, count, count));
    }
    let mut x = start;
    for (before, weight, total) in intervals.into_iter().rev() {
        push(&mut x, before, weight, total);
    }
    Ok(x)
}

/// The moves and the ending of `integer`, from the position `game`; at most `max_plies` moves.
/// `weigh` is as in [`encode`].
///
/// # Errors
/// [`Reason::DoesNotEnd`], [`Reason::IntegerLeft`], [`Reason::AfterEnd`], [`Reason::Negative`].
///
/// # Panics
/// As [`encode`].
pub fn decode<G: Game>(
    mut game: G,
    integer: &Integer,
    max_plies: usize,
    mut weigh: impl FnMut(&G, &mut Vec<u32>),
) -> Result<(Vec<G::Move>, EndMoves), NotationError> {
    let mut x = integer.clone();
    let moves = decode_from(&mut x, &mut game, max_plies, &mut weigh)?;
    let error = |reason| Err(NotationError::new(moves.len(), reason));
    if x.is_zero() {
        let over = game.count() == 0;
        let ending = if over {
            EndMoves::Position
        } else {
            EndMoves::Stopped
        };
        return Ok((moves, ending));
    }
    let count = game.count();
    if count == 0 {
        return error(Reason::IntegerLeft);
    }
    let mut weights = Vec::new();
    weigh(&game, &mut weights);
    if pop(&mut x, &weights) != count as usize || !x.is_zero() {
        return error(Reason::AfterEnd);
    }
    Ok((moves, EndMoves::DrawAgreed))
}

/// Pops a game from `x`, up to its first end move, and leaves the value onto which it was pushed.
/// Plays the moves on `game` and returns them.
///
/// # Errors
/// [`Reason::DoesNotEnd`], [`Reason::Negative`].
///
/// # Panics
/// As [`encode`].
pub fn decode_from<G: Game>(
    x: &mut Integer,
    game: &mut G,
    max_plies: usize,
    mut weigh: impl FnMut(&G, &mut Vec<u32>),
) -> Result<Vec<G::Move>, NotationError> {
    if x.is_negative() {
        return Err(NotationError::new(0, Reason::Negative));
    }
    let mut moves = Vec::new();
    let mut weights = Vec::new();
    loop {
        let count = game.count();
        if count == 0 {
            return Ok(moves);
        }
        weigh(game, &mut weights);
        assert_eq!(
            weights.len(),
            count as usize + 1,
            "one weight is needed for each choice"
        );
        let choice = pop(x, &weights) as u32;
        if choice == count {
            return Ok(moves);
        }
        if moves.len() == max_plies {
            return Err(NotationError::new(max_plies, Reason::DoesNotEnd));
        }
        play_nth(game, choice, &mut moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corridor::Corridor, ends};
    use proptest::prelude::*;

    const ENDINGS: [EndMoves; 3] = [EndMoves::Position, EndMoves::Stopped, EndMoves::DrawAgreed];

    /// Weights of 1 to `max` that are determined by the position; half of them are `max`.
    fn weigher(seed: u32, max: u32) -> impl FnMut(&Corridor<'_>, &mut Vec<u32>) {
        move |game, weights| {
            let mut state = seed ^ game.left() as u32;
            weights.clear();
            weights.extend((0..=game.count()).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if state >> 31 == 1 {
                    max
                } else {
                    (state >> 8) % max + 1
                }
            }));
        }
    }

    /// The ideal length of a game in bits, and the greatest weight of a choice made.
    fn ideal(
        widths: &[u32],
        moves: &[u32],
        ending: EndMoves,
        mut weigh: impl FnMut(&Corridor<'_>, &mut Vec<u32>),
    ) -> (f64, u32) {
        let mut game = Corridor::new(widths);
        let mut weights = Vec::new();
        let (mut bits, mut greatest) = (0.0, 1);
        let ends = ENDINGS.iter().position(|&e| e == ending).unwrap();
        let all = moves.iter().map(|&m| Some(m)).chain(vec![None; ends]);
        for choice in all {
            weigh(&game, &mut weights);
            let weight = weights[choice.unwrap_or(game.count()) as usize];
            bits += (sum(&weights) as f64 / f64::from(weight)).log2();
            greatest = greatest.max(weight);
            if let Some(played) = choice {
                game.play(played);
            }
        }
        (bits, greatest)
    }

    fn log2(x: &Integer) -> f64 {
        let (mantissa, exponent) = x.to_f64_exp();
        mantissa.log2() + f64::from(exponent)
    }

    #[test]
    fn literal_integers() {
        let weigh = |_: &Corridor<'_>, weights: &mut Vec<u32>| *weights = vec![1, 5, 2];
        let encode = |moves: &[u32], ending| encode(Corridor::new(&[2, 2]), moves, ending, weigh);
        // An end move alone is its cumulative weight: 1 + 5.
        assert_eq!(encode(&[], EndMoves::Stopped).unwrap(), 6);
        // Move 1, weight 5, onto it: ⌊6/5⌋·8 + 1 + 6 mod 5.
        assert_eq!(encode(&[1], EndMoves::Stopped).unwrap(), 10);
        // The second end onto the first: ⌊6/2⌋·8 + 6 + 0.
        assert_eq!(encode(&[], EndMoves::DrawAgreed).unwrap(), 30);
        // Ended by the position: moves 1 and 0.
        assert_eq!(encode(&[1, 0], EndMoves::Position).unwrap(), 1);
        assert_eq!(encode(&[0, 1], EndMoves::Position).unwrap(), 8);
    }

    #[test]
    fn every_integer_is_at_most_one_game() {
        let widths = [2, 1, 3];
        for value in 0..3000 {
            let integer = Integer::from(value);
            let decoded = decode(Corridor::new(&widths), &integer, 9, weigher(7, 9));
            if let Ok((moves, ending)) = decoded {
                let again = encode(Corridor::new(&widths), &moves, ending, weigher(7, 9));
                assert_eq!(again.unwrap(), integer);
            }
        }
    }

    #[test]
    fn errors_have_a_ply_and_a_reason() {
        let weigh = || weigher(1, 1);
        let decode = |value, max| {
            let decoded = decode(Corridor::new(&[2, 3]), &Integer::from(value), max, weigh());
            let error = decoded.unwrap_err();
            (error.ply, error.reason)
        };
        assert_eq!(decode(0, 1), (1, Reason::DoesNotEnd));
        assert_eq!(decode(2 + 3, 9), (0, Reason::AfterEnd));
        assert_eq!(decode(12, 9), (2, Reason::IntegerLeft));
        assert_eq!(decode(-2, 9), (0, Reason::Negative));
        let encode = |moves: &[u32], ending| {
            let error = encode(Corridor::new(&[2, 3]), moves, ending, weigh()).unwrap_err();
            (error.ply, error.reason)
        };
        for ending in [EndMoves::Stopped, EndMoves::DrawAgreed] {
            assert_eq!(encode(&[0, 0], ending), (2, Reason::EndedByPosition));
        }
        assert_eq!(
            encode(&[0], EndMoves::Position),
            (1, Reason::NotEndedByPosition)
        );
        assert_eq!(encode(&[2], EndMoves::Stopped), (0, Reason::IllegalMove));
    }

    /// A game: the widths of its corridor, its moves, its ending.
    fn games() -> impl Strategy<Value = (Vec<u32>, Vec<u32>, EndMoves)> {
        let plies = prop::collection::vec((1..50u32, any::<u32>()), 0..120);
        (plies, 0..3usize).prop_map(|(plies, ending)| {
            let moves = plies
                .iter()
                .map(|&(width, random)| random % width)
                .collect();
            let mut widths: Vec<u32> = plies.into_iter().map(|(width, _)| width).collect();
            if ENDINGS[ending] != EndMoves::Position {
                widths.push(7);
            }
            (widths, moves, ENDINGS[ending])
        })
    }

    proptest! {
        #[test]
        fn games_round_trip_and_have_their_ideal_length(
            (widths, moves, ending) in games(), seed in any::<u32>(), max in 1u32..1 << 24
        ) {
            let game = || Corridor::new(&widths);
            let weigh = || weigher(seed, max);
            let (ideal, greatest) = ideal(&widths, &moves, ending, weigh());
            let integer = encode(game(), &moves, ending, weigh()).unwrap();
            let back = decode(game(), &integer, moves.len(), weigh());
            prop_assert_eq!(back, Ok((moves.clone(), ending)));
            // Alone: below M·P, so at most ideal + log2(M) bits, rounded up.
            let bits = f64::from(integer.significant_bits());
            prop_assert!(bits <= ideal + f64::from(greatest).log2() + 1.0 + 1e-6);

            if ending == EndMoves::DrawAgreed {
                return Ok(());
            }
            // Pushed onto 2M or more: within one bit of the ideal length.
            for start in [Integer::from(2 * greatest), Integer::from(greatest) << 100] {
                let integer = encode_onto(start.clone(), game(), &moves, ending, weigh()).unwrap();
                let cost = log2(&integer) - log2(&start);
                prop_assert!((cost - ideal).abs() <= 1.0 + 1e-6, "{} for {}", cost, ideal);
                if start.significant_bits() > 100 {
                    prop_assert!((cost - ideal).abs() <= 1e-6, "{} for {}", cost, ideal);
                }
                let mut rest = integer;
                let popped = decode_from(&mut rest, &mut game(), moves.len(), weigh());
                prop_assert_eq!((popped, rest), (Ok(moves.clone()), start));
            }
        }

        #[test]
        fn equal_weights_give_the_integers_with_end_moves((widths, moves, ending) in games()) {
            let game = || Corridor::new(&widths);
            let weighted = encode(game(), &moves, ending, weigher(0, 1)).unwrap();
            prop_assert_eq!(weighted, ends::encode(game(), &moves, ending).unwrap());
        }
    }
}
