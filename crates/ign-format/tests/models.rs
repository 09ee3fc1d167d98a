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
use ign_testing::clocked_games;

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
    assert_eq!(builtin[..2], [3, 17]);
    let (units, buckets) = (256, 1 << 17);
    let mut data = vec![styles, opening_bits];
    // The embeddings of the inputs, of which the last ones are the styles.
    let inputs = 4402;
    data.extend_from_slice(&builtin[2..2 + (inputs + 1) * units]);
    for _ in 1..styles {
        data.extend_from_slice(&builtin[2 + inputs * units..2 + (inputs + 1) * units]);
    }
    // Biases, output rows, and tables before the openings.
    let others = &builtin[2 + (inputs + 3) * units..];
    let before =
        units + 5661 * 129 + 10_368 + 147_840 + 192 + 2_688 + 147_840 + 288 + 1_152 * 2 + 193 + 1;
    data.extend_from_slice(&others[..before]);
    data.extend(
        others[before..before + buckets]
            .iter()
            .step_by(1 << (17 - opening_bits)),
    );
    let ends = before + buckets + 84 + 384 + 540 + 720 + 150;
    data.extend_from_slice(&others[before + buckets..ends]);
    for bucket in others[ends..ends + 192].as_chunks::<3>().0 {
        data.extend(bucket.iter().cycle().take(styles.into()));
    }
    data.extend(
        others[ends + 192..]
            .iter()
            .map(|&byte| byte.wrapping_add(1)),
    );
    Model::read(&data).unwrap()
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
