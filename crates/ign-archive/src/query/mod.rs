//! Questions over archives.

mod blocks;
pub mod claimable;
#[cfg(feature = "duplicates")]
pub mod duplicates;
#[cfg(feature = "duplicates")]
pub mod line;
pub mod list;
pub mod opening;
pub mod signature;
pub mod verify;
