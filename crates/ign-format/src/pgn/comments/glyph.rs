//! Glyphs that mark bad moves (`?!`, `?`, `??`), and the loss of winning chances they imply
//! (spec §4.5.7).
//!
//! Lichess marks a move as an inaccuracy, mistake or blunder if it loses one, two or three tenths
//! of the winning chances, which are a logistic function of the evaluation. So a glyph bounds the
//! evaluation after the move.

use std::sync::LazyLock;

/// The glyph that annotates a move, as far as it predicts the evaluation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Glyph {
    /// No glyph, or none that marks a bad move.
    #[default]
    None,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Glyph {
    /// The first glyph in a gap template, written as a sign or as a numeric annotation glyph.
    pub fn of_gap(gap: &[u8]) -> Self {
        let Some(at) = memchr::memchr2(b'?', b'$', gap) else {
            return Self::None;
        };
        let ends = |rest: &[u8]| !rest.first().is_some_and(u8::is_ascii_digit);
        match &gap[at..] {
            [b'?', b'!', ..] => Self::Inaccuracy,
            [b'?', b'?', ..] => Self::Blunder,
            [b'?', ..] if gap[..at].ends_with(b"!") => Self::None,
            [b'?', ..] => Self::Mistake,
            [b'$', b'6', rest @ ..] if ends(rest) => Self::Inaccuracy,
            [b'$', b'4', rest @ ..] if ends(rest) => Self::Blunder,
            [b'$', b'2', rest @ ..] if ends(rest) => Self::Mistake,
            _ => Self::None,
        }
    }
}

/// Evaluations, in centipawns, are clamped to this before winning chances are computed.
const MAX_EVAL: i64 = 4000;
/// Fixed-point scale of winning chances.
const ONE: i64 = 1 << 30;

/// Winning chances for evaluations e from 0 to [`MAX_EVAL`] centipawns, scaled by [`ONE`]:
/// 2 / (1 + exp(-0.00368208 e)) - 1, the formula of Lichess.
static CHANCES: LazyLock<Vec<i64>> = LazyLock::new(|| {
    // exp(-0.00368208) times 2^64.
    const RATIO: u128 = 18_378_946_580_785_229_882;
    let powers = std::iter::successors(Some(1u128 << 62), |power| Some((power * RATIO) >> 64));
    let chance = |power: u128| (((1 << 62) - power) / (((1 << 62) + power) >> 30)) as i64;
    powers.take(MAX_EVAL as usize + 1).map(chance).collect()
});

/// The smallest loss, in centipawns, from evaluation `eval` (from the player's point of view) that
/// costs `tenths` tenths of the winning chances; `None` if no loss does.
pub(super) fn min_loss(eval: i64, tenths: i64) -> Option<i64> {
    let chances = |at: i64| CHANCES[at as usize];
    let left = match eval.clamp(-MAX_EVAL, MAX_EVAL) {
        lost @ ..0 => -chances(-lost),
        won => chances(won),
    } - tenths * ONE / 10;
    let to = match left {
        ..0 => -(CHANCES.partition_point(|&c| c < -left) as i64),
        _ => CHANCES.partition_point(|&c| c <= left) as i64 - 1,
    };
    (to >= -MAX_EVAL).then(|| eval.saturating_sub(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_contain_glyphs() {
        for (gap, glyph) in [
            (&b"?! \x02 \x01. "[..], Glyph::Inaccuracy),
            (b"? ", Glyph::Mistake),
            (b"?? \x02 ", Glyph::Blunder),
            (b" $6 $14 ", Glyph::Inaccuracy),
            (b" $2", Glyph::Mistake),
            (b" $4 \x02", Glyph::Blunder),
            (b"!? \x02 ", Glyph::None),
            (b" $22 ", Glyph::None),
            (b" $", Glyph::None),
            (b"! \x01. ", Glyph::None),
        ] {
            assert_eq!(Glyph::of_gap(gap), glyph, "{gap:?}");
        }
    }

    #[test]
    fn winning_chances_bound_losses() {
        let chance = |e: i64| 2.0 / (1.0 + (-0.003_682_08 * e as f64).exp()) - 1.0;
        for eval in (-1200..1200).step_by(37) {
            for tenths in 1..=3 {
                let lost = |loss| chance(eval) - chance(eval - loss) - tenths as f64 / 10.0;
                match min_loss(eval, tenths) {
                    Some(least) => assert!(lost(least) > -1e-6 && lost(least - 1) < 1e-6),
                    None => assert!(lost(MAX_EVAL + eval) < 1e-6),
                }
            }
        }
        // As on Lichess: from 0.00 to -0.55 is an inaccuracy, to -0.54 is not.
        assert_eq!(min_loss(0, 1), Some(55));
        assert_eq!(min_loss(-5000, 1), None);
        assert!(min_loss(i64::MIN, 3).is_none() && min_loss(i64::MAX, 3).is_some());
    }
}
