//! Damage: what of a file is whole, and what is not.
//!
//! | file | holds |
//! | --- | --- |
//! | `end` | the last footer of a file |
//! | `frames` | sealed frames at a place |
//! | `scan` | blocks, indexes and parity sets, found without an index |
//! | `outline` | the blocks of a file, by its index or by a scan |
//! | `damage` | a place that is damaged |
//! | `verify` | verification |
//! | `snapshot` | the state of a file to which another process may be appending |
//! | `answers` | known answers of models and coders |
//! | `open` | archives of which damaged blocks are left out |

mod answers;
mod damage;
pub(crate) mod end;
pub(crate) mod frames;
mod open;
pub(crate) mod outline;
pub(crate) mod scan;
pub(crate) mod snapshot;
pub(crate) mod verify;

pub use answers::known_answers;
pub use damage::{Damage, Place};
pub use ign_format::known_answers::Answer as KnownAnswer;
pub use ign_notation::chess::simd::instructions;
pub use verify::{Depth, Verified, Verifier};
