//! Is the example of the specification true? It is taken from `format-spec.md`,
//! text and bytes, and held against what the program makes of them.

use ign_archive::{
    pipeline::{
        Progress,
        pack::{PackOptions, pack},
        source::Input,
        unpack::unpack,
    },
    reader::Archive,
};
use ign_format::block::{Coding, encode::Options};

const SPEC: &str = include_str!("../../../format-spec.md");

/// The content of the one code block of this kind.
fn code_block(kind: &str) -> &'static str {
    let fence = format!("\n```{kind}\n");
    let mut parts = SPEC.split(fence.as_str()).skip(1);
    let rest = parts.next().expect("a code block");
    assert!(parts.next().is_none(), "two code blocks of {kind}");
    &rest[..rest.find("```").unwrap()]
}

/// The bytes of a dump: on each line hexadecimal numbers before the `#`.
fn dumped() -> Vec<u8> {
    code_block("hex")
        .lines()
        .flat_map(|line| line.split('#').next().unwrap().split_whitespace())
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn packing_the_text_gives_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mate.pgn");
    std::fs::write(&path, code_block("pgn")).unwrap();
    let inputs = [Input::File(path)];
    let options = PackOptions {
        block: Options {
            coding: Coding::Ign,
            ..Options::default()
        },
        ..PackOptions::default()
    };
    let (packed, _) = pack(&inputs, Vec::new(), &options, &Progress::default()).unwrap();
    let dumped = dumped();
    let same = packed.iter().zip(&dumped).take_while(|(a, b)| a == b);
    let at = same.count();
    assert_eq!(
        packed, dumped,
        "format-spec.md §13 differs from byte {at} on"
    );
}

#[test]
fn the_bytes_give_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mate.ign");
    std::fs::write(&path, dumped()).unwrap();
    let archive = Archive::open(&path).unwrap();
    let mut text = Vec::new();
    unpack(&archive, &mut text, 1, &Progress::default()).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), code_block("pgn"));
}

#[test]
fn sections_that_the_code_cites_exist() {
    let mut cited = 0;
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/.."
    ))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let code = std::fs::read_to_string(&path).unwrap();
            for citation in code.split(concat!("spec ", "§")).skip(1) {
                let number: String = citation
                    .chars()
                    .take_while(|c| c.is_ascii_digit() || *c == '.')
                    .collect();
                let number = number.trim_end_matches('.');
                let heading = |line: &str| {
                    let title = line.trim_start_matches('#');
                    title.len() < line.len()
                        && title
                            .split_whitespace()
                            .next()
                            .is_some_and(|n| n.trim_end_matches('.') == number)
                };
                assert!(SPEC.lines().any(heading), "{}: §{number}", path.display());
                cited += 1;
            }
        }
    }
    assert!(cited > 30);
}
