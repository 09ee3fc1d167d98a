//! The lists of the format that are frozen (spec §12.1), compared with the program: numbers that
//! are defined and reserved, names by number, published models and files.

use std::fs;

use ign_entropy::varint;
use ign_format::{
    block::Fixed,
    columns::Codec,
    container::{frame::Kind, tag_names},
    models::PUBLISHED,
};

use super::{
    numbers::{grouped, numbers},
    page, root,
};
use crate::fixtures;

/// The text after a heading of the specification.
fn section(heading: &str) -> String {
    let spec = page("format-spec.md");
    let (_, section) = spec.split_once(&format!("\n{heading}\n")).unwrap();
    section.to_owned()
}

/// The cells of the first table after a heading whose head begins with these cells.
fn table(heading: &str, head: &str) -> Vec<Vec<String>> {
    let section = section(heading);
    let rows = section.lines().skip_while(|line| !line.starts_with(head));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

#[test]
fn reserved_numbers_are_rejected() {
    let refused = fixtures::refused_names();
    let fixtures_of = |row: &str| match row {
        "flags of the header, the footers, parity and its trailers" => {
            vec![
                "flag-0-header",
                "flag-7-header",
                "flag-0-footer",
                "flag-7-footer",
                "flag-0-parity",
                "flag-7-parity",
                "flag-0-trailer",
                "flag-7-trailer",
            ]
        }
        "value of the mark of an append" => vec!["mark-*"],
        "kind of a source" => vec!["source-kind-*"],
        "kinds of sealed frames" => vec!["frame-kind"],
        "game of a block" => vec!["game-*"],
        "move coding of a block" => vec!["coding-0", "coding-*"],
        "architecture of a model" => vec!["architecture-0", "architecture-*"],
        "number of a published model" => vec!["model-number-*"],
        "codec of a column" => vec!["codec-9", "codec-24"],
        "flags of a column" => vec!["flags-0", "flags-16"],
        "storage of a stream" => vec!["storage-5", "storage-255"],
        "line end of a record" => vec!["line-end-*"],
        "wrapping rule" => vec!["wrapping-rule-*"],
        other => panic!("no files that must be rejected are known for: {other}"),
    };
    let rows = table("### 12.1 What the first release freezes", "| where |");
    assert_eq!(rows.len(), 13);
    for row in rows {
        for name in fixtures_of(&row[0]) {
            // The first number after those that are defined.
            let first = numbers(&row[1]).last().map_or(0, |last| last + 1);
            let is_reserved = row[2].starts_with("all ") || numbers(&row[2]).contains(&first);
            assert!(is_reserved || !name.ends_with('*'), "{row:?}");
            let name = name.replace('*', &first.to_string()) + ".ign";
            assert!(refused.contains(&name), "{row:?}: {name}");
        }
    }
}

#[test]
fn kinds_of_frames_are_those_of_the_table() {
    let rows = table("### 1.1 Sealed frames", "| kind |");
    let is_of_archives = |row: &&Vec<String>| !row[1].contains("in a file of its own");
    let stated: Vec<&str> = rows
        .iter()
        .filter(is_of_archives)
        .map(|row| row[0].trim_matches('`'))
        .collect();
    let defined = Kind::OF_ARCHIVE.map(Kind::tag);
    assert_eq!(
        stated,
        defined.each_ref().map(|tag| str::from_utf8(tag).unwrap())
    );
}

#[test]
fn codecs_are_those_of_the_directory() {
    let stated: Vec<(u8, String)> = table("### 3.2 The directory", "| codec |")
        .into_iter()
        .map(|row| (row[0].parse().unwrap(), row[1].clone()))
        .collect();
    let tags = (0..=255).filter_map(|number| {
        let codec = Codec::from_number(number).ok()?;
        Some((number, codec.name()))
    });
    let defined = Fixed::ALL
        .map(|fixed| (fixed as u8, fixed.name()))
        .into_iter()
        .chain(tags);
    let defined: Vec<_> = defined
        .map(|(number, name)| (number, name.to_owned()))
        .collect();
    assert_eq!(stated, defined);
}

#[test]
fn tag_names_have_the_numbers_of_the_list() {
    let section = section("### 3.1 The block head");
    let list = section.split("```text\n").nth(1).unwrap();
    let list = list.split("```").next().unwrap();
    let read = |number: usize| {
        let mut code = Vec::new();
        varint::write(&mut code, 2 * number as u64 + 1);
        tag_names::read(&mut &code[..])
    };
    let names: Vec<&str> = list.split_whitespace().collect();
    for (number, name) in names.iter().enumerate() {
        assert_eq!(read(number).unwrap(), name.as_bytes());
    }
    assert!(read(names.len()).is_err());
}

#[test]
fn published_models_are_those_of_the_table() {
    let stated = table("### 8.6 Identities of models", "| number |");
    let defined = (1..).zip(PUBLISHED).map(|(number, id): (u32, _)| {
        let architecture = id.architecture.to_string();
        vec![number.to_string(), architecture, id.hash_text()]
    });
    assert_eq!(stated, defined.collect::<Vec<_>>());
}

#[test]
fn published_files_have_the_sizes_and_hashes_of_the_table() {
    let rows = table("### Published files", "| file |");
    for row in &rows {
        let file = row[0].trim_matches('`');
        let bytes = fs::read(root().join("crates/ign-format/src").join(file)).unwrap();
        assert_eq!(row[1], grouped(bytes.len()), "{file}");
        let hash = xxhash_rust::xxh64::xxh64(&bytes, 0);
        assert_eq!(row[2], format!("{hash:016x}"), "{file}");
        assert_eq!(row[3], fixtures::sha256(&bytes), "{file}");
    }
    assert_eq!(rows.len(), 9);
}
