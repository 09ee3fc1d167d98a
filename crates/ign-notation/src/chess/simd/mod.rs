//! SIMD: eight 64-bit words at a time, one for each direction in which pieces move.
//!
//! [`Words`] is the set of operations; it is implemented for any machine ([`Portable`]), for AVX2
//! and for AVX-512. All operations are integer operations that cannot overflow, so every
//! implementation gives the same results. `Work` is a computation that is compiled once for each
//! implementation, and `here` runs the version for this machine.
//!
//! Low-level: used by move generation and by the move model of crate `ign-format`.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod portable;
#[cfg(target_arch = "x86_64")]
mod tables;
mod words;

pub use dispatch::instructions;
pub(super) use dispatch::{Work, here};
pub use portable::Portable;
pub(super) use words::Planes;
pub use words::{Rays, Words};
