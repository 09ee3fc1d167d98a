//! Questions over archives.

pub mod list;
pub mod opening;
pub mod signature;
pub mod verify;
