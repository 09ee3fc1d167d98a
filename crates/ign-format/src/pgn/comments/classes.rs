//! Classes of numbers: how magnitudes and move numbers become contexts and network inputs
//! (spec §4.5.3, §4.5.6).

/// The class of a magnitude in contexts: exact below 4, then two classes per power of two.
pub fn class(value: i64) -> usize {
    classes::<1>(value)
}

/// The class of a magnitude: exact below `2 << BITS`, then `1 << BITS` classes per power of two.
pub fn classes<const BITS: u32>(value: i64) -> usize {
    let value = value.clamp(0, i64::from(u32::MAX)) as u32;
    let log = (value | 1).ilog2();
    match log.checked_sub(BITS) {
        Some(below @ 1..) => ((below << BITS) + (value >> below)) as usize,
        _ => value as usize,
    }
}

/// The class of a magnitude in inputs of 64 values: four classes per power of two.
pub fn fine_class(value: i64) -> usize {
    classes::<2>(value).min(63)
}

/// The class of a signed number: positive values below `half`, zero and negative ones from there.
pub fn signed_class(value: i64, half: usize, class: impl Fn(i64) -> usize) -> usize {
    match value {
        1.. => class(value).min(half - 1),
        _ => half + class(value.saturating_neg()).min(half - 1),
    }
}

/// The phase of a game at a ply, from 0 to 8.
pub fn phase(ply: usize) -> usize {
    match ply / 2 {
        moves @ 0..=2 => moves,
        3..=5 => 3,
        6..=9 => 4,
        10..=15 => 5,
        16..=24 => 6,
        25..=39 => 7,
        _ => 8,
    }
}

/// Updates a running mean, kept in 16ths, with the next value.
pub fn update_mean(mean: i64, value: i64) -> i64 {
    let value = value.saturating_mul(16);
    if mean == 0 {
        return value;
    }
    mean.saturating_add(value.saturating_sub(mean) / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_grow_with_their_values() {
        let classes: Vec<usize> = [-5, 0, 3, 4, 5, 6, 8, 12, 16, i64::MAX].map(class).to_vec();
        assert_eq!(classes, [0, 0, 3, 4, 4, 5, 6, 7, 8, 63]);
    }
}
