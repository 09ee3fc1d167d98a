//! Is the worked example of `format-spec.md` correct? Its text and bytes are compared with what the
//! program writes and reads.

use ign_archive::{Archive, Coding, Input, Packer};

const SPEC: &str = include_str!("../../../format-spec.md");

/// The content of the only code block of this language.
fn code_block(kind: &str) -> &'static str {
    let fence = format!("\n```{kind}\n");
    let mut parts = SPEC.split(fence.as_str()).skip(1);
    let rest = parts.next().expect("a code block");
    assert!(parts.next().is_none(), "two code blocks of {kind}");
    &rest[..rest.find("```").unwrap()]
}

/// The bytes of the dump: hexadecimal numbers, with a comment after `#` on each line.
fn dumped() -> Vec<u8> {
    code_block("hex")
        .lines()
        .flat_map(|line| line.split('#').next().unwrap().split_whitespace())
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn text_packs_to_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mate.pgn");
    std::fs::write(&path, code_block("pgn")).unwrap();
    let packer = Packer::new().coding(Coding::Ign);
    let (packed, _) = packer.pack([Input::file(path)], Vec::new()).unwrap();
    let dumped = dumped();
    let same = packed.iter().zip(&dumped).take_while(|(a, b)| a == b);
    let at = same.count();
    assert_eq!(packed, dumped, "format-spec.md §13 differs from byte {at}");
}

#[test]
fn bytes_unpack_to_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mate.ign");
    std::fs::write(&path, dumped()).unwrap();
    let archive = Archive::open(&path).unwrap();
    let mut text = Vec::new();
    archive.unpack(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), code_block("pgn"));
}

#[test]
fn cited_sections_exist() {
    let mut cited = 0;
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut folders = ["src", "tests", "crates", "python/src"]
        .map(|name| root.join(name))
        .to_vec();
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
