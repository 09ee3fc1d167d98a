//! PGN to an archive with its index, in memory.

use std::{io::Cursor, ops::ControlFlow, sync::Arc};

use ign_archive::{Archive, Coding, Input, Packer, Result as Packing, index::IndexBuilder};
use js_sys::Function;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// Bytes of text of a block. Small blocks are what a page reads fast.
const BLOCK: usize = 1 << 20;

/// An archive and its index.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Packed {
    archive: Vec<u8>,
    index: Vec<u8>,
    games: u64,
}

#[wasm_bindgen]
impl Packed {
    /// Takes the bytes of the archive, which are then empty.
    pub fn archive(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.archive)
    }

    /// Takes the bytes of the index, which are then empty.
    pub fn index(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.index)
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.games as f64
    }
}

/// Reports the part that is done to JavaScript. If it returns false, the work ends.
fn report(progress: Option<&Function>, part: f64) -> ControlFlow<()> {
    let answer = progress.map(|progress| progress.call1(&JsValue::NULL, &part.into()));
    match answer {
        Some(Ok(answer)) if answer == JsValue::FALSE => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// Packs the text of a file of games, which may be compressed, and builds the index. `progress` is
/// called with the part of the work that is done, from 0 to 1; it stops the work if it returns
/// false.
///
/// # Errors
/// The text cannot be packed, or the work was stopped; a sentence says why.
#[wasm_bindgen]
pub fn pack(
    text: Vec<u8>,
    name: &str,
    is_weighted: bool,
    progress: Option<Function>,
) -> Result<Packed, JsError> {
    let packed = pack_text(text, name, is_weighted, progress.as_ref());
    packed.map_err(|error| JsError::new(&error.to_string()))
}

fn pack_text(
    text: Vec<u8>,
    name: &str,
    is_weighted: bool,
    progress: Option<&Function>,
) -> Packing<Packed> {
    let len = text.len().max(1) as f64;
    let coding = if is_weighted {
        Coding::Weighted
    } else {
        Coding::Ign
    };
    let packer = Packer::new()
        .coding(coding)
        .block_size(BLOCK)
        .on_progress(|done| report(progress, done.bytes as f64 / len / 2.0));
    let input = Input::reader(name, Cursor::new(text));
    let (bytes, summary) = packer.pack([input], Vec::new())?;
    let bytes = Arc::new(bytes);
    let archive = Archive::from_read_at(bytes.clone(), name)?;
    let total = archive.blocks_len().max(1) as f64;
    let builder = IndexBuilder::new()
        .on_progress(|done| report(progress, 0.5 + done.bytes as f64 / total / 2.0));
    let mut index = Vec::new();
    builder.build(&[archive], &mut index)?;
    Ok(Packed {
        archive: Arc::unwrap_or_clone(bytes),
        index,
        games: summary.games,
    })
}
