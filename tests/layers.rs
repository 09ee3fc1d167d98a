//! Do imports point down only, and does each outside crate stay on its floor?
//!
//! Reads `use` lines and paths that start at `crate::`, comments and tests left out. Modules of
//! one floor may use each other. The plan is that of `docs/architecture.md`.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The floor of each module, from the ground up.
const FLOORS: [(&str, u8); 20] = [
    ("error", 0),
    ("bits", 0),
    ("notation", 1),
    ("format", 1),
    ("chess", 2),
    ("go", 2),
    ("columns", 2),
    ("model", 2),
    ("pgn", 3),
    ("sgf", 3),
    ("archive", 3),
    ("endgame", 3),
    ("proof", 3),
    ("pipeline", 4),
    ("prompt", 4),
    ("query", 4),
    ("stats", 4),
    ("sample", 4),
    ("cli", 5),
    ("main", 5),
];

/// Where an outside crate may be used: modules, or single files of them, each with its reason.
const OUTSIDE: [(&str, &[&str]); 20] = [
    // Integers of any length, as the notation's definition has them.
    ("rug", &["notation", "chess/reference.rs"]),
    // XXH64, the one checksum; of a whole source while it streams by.
    ("xxhash_rust", &["format", "pipeline"]),
    // Rules of chess to start from, and attack tables.
    (
        "shakmaty",
        &[
            "chess",
            "model",
            "sample",
            "prompt/player.rs",
            "endgame",
            "proof",
            "cli/endgame.rs",
            "cli/endgame/report.rs",
        ],
    ),
    // Frames of text; inputs that are compressed.
    (
        "zstd",
        &[
            "columns/text.rs",
            "format/frame.rs",
            "pipeline/source.rs",
            "endgame/summary.rs",
            "go/model.rs",
        ],
    ),
    ("flate2", &["pipeline/source.rs"]),
    ("bzip2", &["pipeline/source.rs"]),
    // The next line end or bracket is what parsing waits for.
    ("memchr", &["columns", "pgn", "pipeline", "sgf"]),
    // Dictionaries whose keys lie elsewhere: hashed by hand, looked up by content.
    ("hashbrown", &["columns", "pgn"]),
    (
        "rustc_hash",
        &["columns", "pgn", "archive", "proof", "sgf", "query"],
    ),
    // The metadata record, in one file.
    ("bincode", &["archive/meta.rs"]),
    ("serde", &["archive/meta.rs"]),
    ("crossbeam_channel", &["pipeline"]),
    // Vectors of whole numbers, chosen when the program runs; bytes read as signed ones.
    (
        "pulp",
        &[
            "bits/network.rs",
            "chess/vectors.rs",
            "model/parameters.rs",
            "model/score.rs",
            "model/vectors.rs",
        ],
    ),
    // Words to and from people.
    ("clap", &["cli"]),
    ("clap_complete", &["cli/shell.rs"]),
    ("clap_mangen", &["cli/shell.rs"]),
    ("indicatif", &["cli/progress.rs"]),
    ("serde_json", &["cli"]),
    // Files that appear whole or not at all.
    ("tempfile", &["cli/output.rs", "cli/interrupt.rs"]),
    ("ctrlc", &["cli/interrupt.rs"]),
];

/// A file's path within `src`, and its code without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path
                    .strip_prefix(&root)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                sources.push((name, code(&fs::read_to_string(path).unwrap())));
            }
        }
    }
    sources.sort();
    sources
}

/// Lines that are no comments, up to the tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn module(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

fn floor(module: &str) -> u8 {
    let found = FLOORS.iter().find(|(name, _)| *name == module);
    found
        .unwrap_or_else(|| panic!("module {module} has no floor: give it one here"))
        .1
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Names that follow `crate::` in the code, groups in braces taken apart.
fn imports(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        if code[..at].ends_with(|c| is_name(c) || c == '$') {
            continue;
        }
        let rest = &code[at + start.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(rest.chars().take_while(|&c| is_name(c)).collect());
            continue;
        };
        let mut depth = 0;
        let mut name = String::new();
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => names.push(std::mem::take(&mut name)),
                _ if depth == 0 => name.push(c),
                _ => {}
            }
        }
        names.push(name);
    }
    let first = |name: String| {
        name.trim()
            .chars()
            .take_while(|&c| is_name(c))
            .collect::<String>()
    };
    names
        .into_iter()
        .map(first)
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn imports_point_down() {
    for (file, code) in sources() {
        if file == "lib.rs" {
            continue;
        }
        let own = floor(module(&file));
        for import in imports(&code) {
            let Some(&(_, there)) = FLOORS.iter().find(|(name, _)| *name == import) else {
                panic!("{file} imports crate::{import}, which has no floor");
            };
            assert!(
                there <= own,
                "{file} on floor {own} imports {import} from floor {there}"
            );
        }
    }
}

#[test]
fn outside_crates_stay_on_their_floors() {
    for (file, code) in sources() {
        for (name, places) in OUTSIDE {
            let path = format!("{name}::");
            let used = code.match_indices(&path).any(|(at, _)| {
                let before = &code[..at];
                !before.ends_with(|c| is_name(c) || c == ':')
            });
            let allowed = places
                .iter()
                .any(|place| file == *place || module(&file) == *place);
            assert!(
                !used || allowed,
                "{file} uses {name}, which belongs to {places:?}"
            );
        }
    }
}

#[test]
fn every_dependency_has_its_place_here() {
    let manifest = include_str!("../Cargo.toml");
    let section = manifest.split("[dependencies]").nth(1).unwrap();
    let section = section.split("\n[").next().unwrap();
    let names: Vec<String> = section
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.replace('-', "_"))
        .collect();
    assert!(names.len() > 10);
    for name in names {
        let known = OUTSIDE.iter().any(|(outside, _)| *outside == name);
        assert!(
            known,
            "{name} has no floor: give it one here, with the reason"
        );
    }
}

#[test]
fn groups_in_braces_are_taken_apart() {
    let code = "use crate::{\n bits::{a, b},\n error::Error, chess,\n};\nlet x = crate::pgn::f();";
    assert_eq!(imports(code), ["bits", "error", "chess", "pgn"]);
}
