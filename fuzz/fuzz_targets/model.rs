//! Any data are a model or an error, and whatever its parameters are, games packed with it come back.
#![no_main]

use std::sync::OnceLock;

use ign_format::{
    block::{
        decode::Block,
        encode::{Options, encode},
    },
    models::{Architecture as _, Models},
};
use libfuzzer_sys::fuzz_target;

/// The shapes of the built-in networks, and the number of their parameters.
fn networks() -> &'static [(u8, Vec<u8>, usize); 3] {
    use ign_format::{
        columns::name_model::NameNetwork,
        pgn::comments::{clock_model::ClockNetwork, evals::EvalNetwork},
    };
    static NETWORKS: OnceLock<[(u8, Vec<u8>, usize); 3]> = OnceLock::new();
    NETWORKS.get_or_init(|| {
        [
            (3, ClockNetwork::builtin().data()),
            (4, EvalNetwork::builtin().data()),
            (5, NameNetwork::builtin().data()),
        ]
        .map(|(architecture, data)| (architecture, data[..5].to_vec(), data.len() - 5))
    })
}

/// The data of a model with these shapes, and with these parameters over and over again.
fn data(shapes: &[u8], parameters: &[u8], len: usize) -> Vec<u8> {
    let repeated = parameters.iter().copied().cycle();
    shapes.iter().copied().chain(repeated.take(len)).collect()
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
    let models = if architecture % 4 == 1 {
        let (styles, bits) = (1 + styles % 16, bits % 18);
        // Spec §8.5.1.
        let inputs = 4402 + usize::from(styles);
        let tables = 313_688 + (1 << bits) + 64 * usize::from(styles);
        let len = (inputs + 1) * 256 + 5661 * 129 + tables;
        models.with_data(1, &data(&[styles, bits], parameters, len))
    } else {
        let (number, shapes, len) = &networks()[usize::from(architecture % 3)];
        models.with_data(*number, &data(shapes, parameters, *len))
    };
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
