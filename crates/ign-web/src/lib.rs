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
//! | `move_model` | the move model, a file beside the module, which JavaScript reads |
//!
//! Everything runs on the calling thread, which waits for what it reads: a Web Worker, or the main
//! thread of Node.js.

mod explorer;
#[cfg(move_model_apart)]
mod move_model;
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

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use ign_archive::ModelFile;
    use ign_format::models::PUBLISHED;

    /// `IGN_UPDATE=1` writes the file.
    #[test]
    fn the_file_for_node_has_the_move_model_of_the_program() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/wasm/moves.model");
        if env::var_os("IGN_UPDATE").is_some() {
            fs::write(&path, ModelFile::builtin_bytes().unwrap()).unwrap();
        }
        assert_eq!(ModelFile::open(&path).unwrap().id(), PUBLISHED[0]);
    }
}
