//! Training of the chess move model.
//!
//! [`Trainer`] continues the built-in model on other games and measures it on games held out.
//! [`Run`] is the optimization that it uses, and that the built-in model was trained with.
//!
//! ```no_run
//! use ign_archive::Input;
//! use ign_training::Trainer;
//!
//! let trained = Trainer::new().passes(2.0).train([Input::file("club.pgn")])?;
//! println!("{:.3} bits a ply, formerly {:.3}", trained.after.bits(), trained.before.bits());
//! if trained.is_better() {
//!     std::fs::write("club.model", trained.model()).unwrap();
//! }
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! # Modules
//!
//! Each module uses only those after it.
//!
//! * [`Trainer`]: games, in bounded memory ([`Collection`](collection::Collection)), to a model.
//! * [`run`]: steps of the optimizer over batches of games.
//! * [`cost`]: bits of games in weighted coding, by the integer model.
//! * [`network`]: logits, losses and gradients in floating point.
//! * [`shared`]: parts that similar parameters share.
//! * [`adam`], [`random`], [`games`]: the optimizer, random numbers, games.

#![deny(missing_docs)]

pub mod adam;
pub mod collection;
pub mod cost;
pub mod games;
pub mod network;
pub mod random;
pub mod run;
pub mod shared;
mod trainer;

pub use run::{Run, Settings};
pub use trainer::{Progress, Trained, Trainer};
