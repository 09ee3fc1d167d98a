//! Elo's expected score, and how a result differs from it (spec §4.3.4).

/// The expected score, in thousandths of a point, against an opponent 0, 25, … 800 rating points
/// stronger: 1000 / (1 + 10^(d/400)), rounded (spec §4.3.4).
const EXPECTED: [i64; 33] = [
    500, 464, 429, 394, 360, 327, 297, 267, 240, 215, 192, 170, 151, 133, 118, 104, 91, 80, 70, 61,
    53, 46, 40, 35, 31, 27, 23, 20, 17, 15, 13, 11, 10,
];
/// Rating points between two entries of [`EXPECTED`].
const STEP: i64 = 25;

/// The half points of White and Black.
pub fn half_points(result: &[u8]) -> Option<[i64; 2]> {
    match result {
        b"1-0" => Some([2, 0]),
        b"0-1" => Some([0, 2]),
        b"1/2-1/2" => Some([1, 1]),
        _ => None,
    }
}

/// The score of a player minus the expected score, in thousandths of a point.
pub fn surprise(own: i64, other: i64, half_points: i64) -> i64 {
    const LAST: usize = EXPECTED.len() - 1;
    let gap = other
        .saturating_sub(own)
        .clamp(-STEP * LAST as i64, STEP * LAST as i64);
    let (index, within) = ((gap.abs() / STEP) as usize, gap.abs() % STEP);
    let next = EXPECTED[(index + 1).min(LAST)];
    let expected = EXPECTED[index] - (EXPECTED[index] - next) * within / STEP;
    500 * half_points - if gap < 0 { 1000 - expected } else { expected }
}

/// The class, from 1 to 14, of the difference of two ratings; 0 if one is unknown.
pub fn gap_class(own: Option<i64>, other: Option<i64>) -> usize {
    match (own, other) {
        (Some(own), Some(other)) => {
            1 + ((other.saturating_sub(own) + 350).clamp(0, 699) / 50) as usize
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_expect_half_a_point_and_the_stronger_expects_more() {
        assert_eq!(surprise(1500, 1500, 1), 0);
        assert_eq!(surprise(1500, 1500, 2), 500);
        assert_eq!(surprise(1900, 1500, 2), 91);
        assert_eq!(surprise(1500, 1900, 0), -91);
        assert_eq!(surprise(0, 9999, 0), -10);
    }

    #[test]
    fn extreme_ratings_do_not_overflow() {
        assert_eq!(surprise(i64::MAX, i64::MIN, 1), surprise(1600, 0, 1));
    }
}
