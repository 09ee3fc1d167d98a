//! Training samples of the name model (`ign_format::columns::name_model`), which predicts the
//! characters of players' names.

use ign_format::{
    columns::name_model::{INPUTS, SHAPE, decisions, inputs, style},
    pgn::{records::RecordFinder, tags::TagReader},
};
use rustc_hash::FxHashSet;

use super::predict::{Sample, Task};

/// Training of the name model.
pub const TASK: Task = Task {
    shape: SHAPE,
    inputs: INPUTS,
    samples,
    blind: None,
    unit: "names",
};

/// The characters of the distinct player names in a PGN text, by name, in order of first
/// occurrence.
fn samples(text: &[u8], _: bool) -> Vec<Vec<Sample>> {
    let mut finder = RecordFinder::new(text);
    let (mut reader, mut tags) = (TagReader::default(), Vec::new());
    let mut seen = FxHashSet::default();
    let (mut names, mut position, mut before) = (Vec::new(), 0, 0);
    while position < text.len() {
        let section = reader.read(text, position, &mut tags);
        position = finder.record_end(position, section.end);
        for tag in &tags {
            let (tag, name) = (tag.name(text), &text[tag.value.clone()]);
            if matches!(tag, b"White" | b"Black") && seen.insert(name) {
                names.push(spelled(name, before));
                before = style(name);
            }
        }
    }
    names
}

/// The characters of a name and its end. `before` is the style of the name before it.
fn spelled(name: &[u8], before: usize) -> Vec<Sample> {
    let letter = |(i, &letter): (usize, &u8)| Sample {
        inputs: inputs(&name[..i], before).to_vec(),
        decisions: decisions(letter).collect(),
    };
    name.iter().chain(b"\n").enumerate().map(letter).collect()
}
