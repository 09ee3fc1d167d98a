//! Questions over archives.

pub mod list;
pub mod signature;
pub mod verify;
