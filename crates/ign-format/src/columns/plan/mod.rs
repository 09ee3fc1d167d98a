//! The plan: which codec encodes which tags. It is the writer's choice.
//!
//! The directory of a block records the plan, so readers need none of this, and a better plan needs
//! no new format.

mod chess;
mod go;
mod planner;

pub use self::{chess::plan, go::plan_go};
