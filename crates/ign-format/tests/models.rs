//! Are models values: named by their identity, read from their data, and independent of each other?

use ign_format::{
    block::{
        Coding,
        decode::Block,
        encode::{Options, encode},
    },
    columns::name_model::NameNetwork,
    error::Kind,
    go_model,
    model::{MoveModel, Parameters},
    models::{Architecture, Model, Models, PUBLISHED},
    pgn::comments::{clock_model::ClockNetwork, evals::EvalNetwork},
};
use ign_testing::{clocked_games, repeated_parameters, reshaped_move_model};

fn round_trips<A: Architecture>() {
    let builtin = A::builtin();
    let data = builtin.data();
    let read = Model::<A>::read(&data).unwrap();
    assert_eq!(read.id(), builtin.id(), "the {}", A::NAME);
    assert_eq!(builtin.id(), PUBLISHED[usize::from(A::NUMBER) - 1]);
    assert!(read.data() == data);
    for len in [0, 1, 2, data.len() / 2, data.len() - 1] {
        assert!(Model::<A>::read(&data[..len]).is_err(), "{len} bytes");
    }
    let longer = [&data[..], &[0]].concat();
    assert!(Model::<A>::read(&longer).is_err());
}

#[test]
fn the_data_of_the_built_in_models_have_their_published_identities() {
    round_trips::<Parameters>();
    round_trips::<go_model::Parameters>();
    round_trips::<ClockNetwork>();
    round_trips::<EvalNetwork>();
    round_trips::<NameNetwork>();
}

/// The built-in move model with other shapes and some other parameters.
fn other_model(styles: u8, opening_bits: u8) -> MoveModel {
    let builtin = Parameters::builtin().data();
    Model::read(&reshaped_move_model(&builtin, styles, opening_bits)).unwrap()
}

fn encoded(models: &Models) -> (Vec<u8>, Vec<u8>) {
    let text = clocked_games(40, 3);
    let options = Options {
        models: models.clone(),
        ..Options::default()
    };
    let encoded = encode(text.clone(), &options).unwrap();
    assert!(!encoded.is_fallback);
    (encoded.bytes, text)
}

#[test]
fn blocks_of_several_move_models_are_read_by_a_program_that_has_them() {
    let builtin = encoded(&Models::default());
    assert!(builtin.0 == encoded(&Models::default().with(Parameters::builtin())).0);
    let mut all = Models::default();
    let mut blocks = vec![builtin];
    for (styles, bits) in [(1, 0), (1, 17), (3, 12), (16, 17)] {
        let model = other_model(styles, bits);
        assert_eq!(model.styles(), styles);
        assert!(Model::<Parameters>::read(&model.data()).unwrap().id() == model.id());
        blocks.push(encoded(&Models::default().with(model.clone())));
        all = all.with(model);
    }
    for (number, (bytes, text)) in blocks.iter().enumerate() {
        let block = Block::open_with(bytes, &all).unwrap();
        assert_eq!(block.coding(), Coding::Weighted);
        assert!(block.text().unwrap() == *text, "block {number}");
        for other in &blocks[..number] {
            assert!(other.0 != *bytes);
        }
    }
}

#[test]
fn without_its_move_model_a_block_has_tags_but_no_moves() {
    let (bytes, _) = encoded(&Models::default().with(other_model(1, 0)));
    let block = Block::open(&bytes).unwrap();
    let records = block.records().unwrap();
    let table = block.table(&records, Some(&["White"])).unwrap();
    assert_eq!(
        table.names.iter().filter(|name| *name == b"White").count(),
        1
    );
    let error = block.text().unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert!(
        error.message().starts_with("needs the move model 1:"),
        "{error}"
    );
}

#[test]
fn names_clocks_and_evaluations_of_other_networks_are_read_with_them() {
    let changed = |data: Vec<u8>| {
        let mut data = data;
        let len = data.len();
        // An output bias: every prediction of its decision differs.
        data[len - 2] = data[len - 2].wrapping_add(40);
        data
    };
    let models = Models::default();
    let models = models
        .with_data(3, &changed(ClockNetwork::builtin().data()))
        .unwrap();
    let models = models
        .with_data(4, &changed(EvalNetwork::builtin().data()))
        .unwrap();
    let models = models
        .with_data(5, &changed(NameNetwork::builtin().data()))
        .unwrap();
    let (bytes, text) = encoded(&models);
    let named: Vec<u8> = Block::open(&bytes)
        .unwrap()
        .head()
        .models
        .iter()
        .map(|id| id.architecture)
        .collect();
    assert_eq!(named, [1, 3, 4, 5]);
    assert!(Block::open_with(&bytes, &models).unwrap().text().unwrap() == text);
    let error = Block::open(&bytes).unwrap().text().unwrap_err();
    assert!(
        error.message().contains("which this program does not have"),
        "{error}"
    );
    let error = models.with_data(6, &[]).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
}

#[test]
fn rejects_move_models_of_invalid_shapes() {
    let data = Parameters::builtin().data();
    for shape in [[0, 17], [17, 17], [3, 18], [2, 17], [3, 16], [255, 255]] {
        let forged = [&shape[..], &data[2..]].concat();
        assert!(Model::<Parameters>::read(&forged).is_err(), "{shape:?}");
    }
}

#[test]
fn any_parameters_code_games() {
    // No prediction at all, the extremes, and sums that saturate.
    let patterns: [&[u8]; 6] = [
        &[0],
        &[127],
        &[128],
        &[127, 128],
        &[128, 128, 127],
        &[3, 250, 129, 77, 0, 127, 128],
    ];
    let builtin = [
        (1, Parameters::builtin().data()),
        (3, ClockNetwork::builtin().data()),
        (4, EvalNetwork::builtin().data()),
        (5, NameNetwork::builtin().data()),
    ];
    for parameters in patterns {
        let mut models = Models::default();
        for (architecture, data) in &builtin {
            // Bytes of the varints of the shapes.
            let shapes = if *architecture == 1 { 2 } else { 5 };
            let data = repeated_parameters(data, shapes, parameters);
            models = models.with_data(*architecture, &data).unwrap();
        }
        let (bytes, text) = encoded(&models);
        let block = Block::open_with(&bytes, &models).unwrap();
        assert!(block.text().unwrap() == text, "{parameters:?}");
    }
}
