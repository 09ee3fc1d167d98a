//! The built-in move model, which is a file beside the module: only archives that are packed with
//! it need it.

use ign_format::model::builtin;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The bytes of the file. If it throws an error, the module is not usable any more.
    #[wasm_bindgen(js_namespace = globalThis, js_name = ignMoveModel)]
    fn ign_move_model() -> Vec<u8>;
}

/// Whether a file has the move model of this version.
#[wasm_bindgen]
pub fn is_move_model(file: &[u8]) -> bool {
    builtin::is_file(file)
}

#[wasm_bindgen(start)]
fn start() {
    builtin::read_by(ign_move_model);
}
