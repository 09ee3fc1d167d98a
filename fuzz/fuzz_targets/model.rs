//! Any data are a model or an error, and whatever its parameters are, games packed with it come
//! back.
#![no_main]

use std::sync::OnceLock;

use ign_format::{
    block::{
        decode::Block,
        encode::{Options, encode},
    },
    columns::name_model::NameNetwork,
    model::Parameters,
    models::{Architecture as _, Models},
    pgn::comments::{clock_model::ClockNetwork, evals::EvalNetwork},
};
use ign_testing::{repeated_parameters, reshaped_move_model};
use libfuzzer_sys::fuzz_target;

/// The data of the built-in models of chess, by architecture.
fn builtin() -> &'static [(u8, Vec<u8>); 4] {
    static BUILTIN: OnceLock<[(u8, Vec<u8>); 4]> = OnceLock::new();
    BUILTIN.get_or_init(|| {
        [
            (1, Parameters::builtin().data()),
            (3, ClockNetwork::builtin().data()),
            (4, EvalNetwork::builtin().data()),
            (5, NameNetwork::builtin().data()),
        ]
    })
}

fuzz_target!(|bytes: &[u8]| {
    let [architecture, styles, bits, parameters @ ..] = bytes else {
        return;
    };
    let models = Models::default();
    let _ = models.with_data(*architecture, &bytes[1..]);
    if parameters.is_empty() {
        return;
    }
    let (number, data) = &builtin()[usize::from(architecture % 4)];
    // Bytes of the shapes: of the move model two numbers, of a network three varints.
    let data = match number {
        1 => {
            let reshaped = reshaped_move_model(data, 1 + styles % 16, bits % 18);
            repeated_parameters(&reshaped, 2, parameters)
        }
        _ => repeated_parameters(data, 5, parameters),
    };
    let models = models.with_data(*number, &data);
    let options = Options {
        level: 1,
        models: models.expect("any parameters are a model"),
        ..Options::default()
    };
    let text = ign_fuzz::CLOCKS.as_bytes();
    let encoded = encode(text.to_vec(), &options).expect("any text can be encoded");
    assert!(!encoded.is_fallback);
    let block = Block::open_with(&encoded.bytes, &options.models).expect("a block");
    assert!(block.text().expect("the text") == text);
});
