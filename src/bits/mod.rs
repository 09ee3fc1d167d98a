//! Bit order and the small codes: what every other floor writes numbers with.
pub mod range;
pub mod varint;
