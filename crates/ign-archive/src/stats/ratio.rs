//! Quotients of counts.

/// The quotient of two counts; `None` if the divisor is 0.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
