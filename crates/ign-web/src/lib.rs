//! Chess game archives in a browser or in Node.js: what `ign serve` answers, without a server.
//!
//! ```text
//! page ─► worker ─► Explorer::answer ─► ign-api ─► ign-archive ─► Source ─► Pages ─► ignRead
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `explorer` | archives that are open, and answers |
//! | `source` | files and addresses, which JavaScript reads |
//! | `pages` | the bytes that were read, in pages |
//! | `pack` | PGN to an archive, and its index |
//!
//! Everything runs on the calling thread, which waits for what it reads: a Web Worker, or the main
//! thread of Node.js.

mod explorer;
mod pack;
mod pages;
mod source;

pub use self::{
    explorer::{Explorer, Reply, open},
    pack::{Packed, pack},
};

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the program.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
