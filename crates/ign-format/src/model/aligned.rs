//! Alignment for SIMD loads.

/// A value aligned to 64 bytes, so that a vector load stays within one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub T);
