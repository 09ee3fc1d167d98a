//! The built-in move model in a file of its own: programs that a network delivers leave it out, with
//! `--cfg move_model_apart`, and read it when it is first needed.

use std::sync::OnceLock;

use super::parameters::Parameters;
use crate::{
    block::decode::Block,
    models::{Architecture as _, PUBLISHED},
};

static READ: OnceLock<fn() -> Vec<u8>> = OnceLock::new();

/// Sets the function that reads the [file](crate::block::encode_model) of the model. It is called
/// once. Only the first call has an effect.
pub fn read_by(read: fn() -> Vec<u8>) {
    _ = READ.set(read);
}

/// Whether a file is whole and has the model of this version.
pub fn is_file(file: &[u8]) -> bool {
    data(file).is_some()
}

/// The data of the model; `None` if the file is damaged or has another model.
fn data(file: &[u8]) -> Option<Vec<u8>> {
    let data = Block::open(file).and_then(|block| block.model_data());
    let (id, data) = data.ok()??;
    (id == PUBLISHED[0]).then_some(data)
}

/// The parameters.
///
/// # Panics
/// If no function was set, or the file that it reads is damaged or of another model.
pub(super) fn parameters() -> Parameters {
    let read = READ
        .get()
        .expect("the program has set what reads the model");
    let data = data(&read()).expect("the file has the move model of this version, and is whole");
    Parameters::read(&data).expect("the identity is that of the built-in model")
}
