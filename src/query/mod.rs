//! Questions over archives.

mod blocks;
pub mod claimable;
pub mod duplicates;
pub mod line;
pub mod list;
pub mod opening;
pub mod signature;
pub mod verify;
