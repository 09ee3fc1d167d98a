//! Models that differ from the built-in ones. The data of a built-in model are arguments, since
//! unit tests use another build of the library.

/// The data of a move model with other shapes, made from those of the built-in one, and with other
/// scores of the end of a game.
///
/// # Panics
/// If the data have other shapes than the built-in model, 3 styles and 2^17 buckets of openings.
pub fn reshaped_move_model(builtin: &[u8], styles: u8, opening_bits: u8) -> Vec<u8> {
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
    let openings = others[before..before + buckets].iter();
    data.extend(openings.step_by(1 << (17 - opening_bits)));
    let ends = before + buckets + 84 + 384 + 540 + 720 + 150;
    data.extend_from_slice(&others[before + buckets..ends]);
    for bucket in others[ends..ends + 192].as_chunks::<3>().0 {
        data.extend(bucket.iter().cycle().take(styles.into()));
    }
    let rest = others[ends + 192..].iter();
    data.extend(rest.map(|&byte| byte.wrapping_add(1)));
    data
}

/// The data of a model whose shapes, the first bytes, are those of another one, with these
/// parameters over and over again.
pub fn repeated_parameters(data: &[u8], shapes: usize, parameters: &[u8]) -> Vec<u8> {
    let repeated = parameters.iter().copied().cycle();
    let shapes = &data[..shapes];
    let len = data.len() - shapes.len();
    shapes.iter().copied().chain(repeated.take(len)).collect()
}
