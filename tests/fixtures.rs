//! The fixtures of the first version of the format (spec §12.1): archives with the texts that they
//! must return, and files that must be rejected. Are all of them read, in every way, and unchanged?
//!
//! They are frozen, so `make fixtures` refuses to write them.

mod coverage;
mod decoded;
mod limits;
mod reading;
mod refused;
mod texts;
mod vectors;
mod write;

use std::{fs, io::Read as _, path::PathBuf};

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of `tests/fixtures/v1/SHA256SUMS`, since 1.0.0-rc.1. `None` permits `make fixtures`.
const FROZEN: Option<&str> =
    Some("93e6f37c8a9e0d2ba2a17760a47ef1ec475566f850b31658e30781441c0c9a1e");

/// What an archive is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// Nothing is wrong with it.
    Whole,
    /// An append was interrupted.
    Interrupted,
    /// A block is damaged, and parity repairs it.
    Damaged,
}

/// An archive, and what it must return.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Fixture {
    archive: String,
    holds: String,
    state: State,
    sha256: String,
    /// The file with the text, compressed by gzip if it ends with `.gz`.
    text: String,
    /// The SHA-256 of the text as it must be returned.
    text_sha256: String,
    games: u64,
    plies: u64,
}

/// The file with all fixtures.
#[derive(Debug, Deserialize)]
struct Manifest {
    archives: Vec<Fixture>,
    refused: Vec<refused::Refused>,
}

/// A file of the fixtures.
fn v1(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/v1", name]
        .iter()
        .collect()
}

fn manifest() -> Manifest {
    serde_json::from_slice(&fs::read(v1("fixtures.json")).unwrap()).unwrap()
}

/// The SHA-256, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Fixture {
    fn bytes(&self) -> Vec<u8> {
        fs::read(v1(&self.archive)).unwrap()
    }

    /// The text that it must return.
    fn text(&self) -> Vec<u8> {
        let stored = fs::read(v1(&self.text)).unwrap();
        if !self.text.ends_with(".gz") {
            return stored;
        }
        let mut text = Vec::new();
        GzDecoder::new(&stored[..]).read_to_end(&mut text).unwrap();
        text
    }
}

/// The names of the files that must be rejected.
pub fn refused_names() -> Vec<String> {
    let refused = manifest().refused.into_iter();
    refused.map(|refused| refused.file).collect()
}

/// The names of the files of the fixtures, with `refused/` before those of that folder.
fn files() -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["", "refused/"] {
        for entry in fs::read_dir(v1(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                names.push(folder.to_owned() + entry.file_name().to_str().unwrap());
            }
        }
    }
    names.sort();
    names
}

#[test]
fn every_fixture_is_listed_and_unchanged() {
    let sums = fs::read_to_string(v1("SHA256SUMS")).unwrap();
    let listed: Vec<(&str, &str)> = sums
        .lines()
        .map(|line| line.split_once("  ").unwrap())
        .collect();
    for (sum, name) in &listed {
        assert_eq!(
            sha256(&fs::read(v1(name)).unwrap()),
            *sum,
            "{name} has changed"
        );
    }
    let mut names: Vec<_> = listed.iter().map(|(_, name)| (*name).to_owned()).collect();
    names.push("SHA256SUMS".to_owned());
    names.sort();
    assert_eq!(files(), names);
    if let Some(frozen) = FROZEN {
        assert_eq!(
            sha256(sums.as_bytes()),
            frozen,
            "the list of the fixtures has changed"
        );
    }
    let manifest = manifest();
    for fixture in &manifest.archives {
        assert_eq!(
            sha256(&fixture.bytes()),
            fixture.sha256,
            "{}",
            fixture.archive
        );
        assert_eq!(
            sha256(&fixture.text()),
            fixture.text_sha256,
            "{}",
            fixture.text
        );
    }
    // Each file belongs to an archive, or is rejected.
    for name in files() {
        let is_known = ["README.md", "SHA256SUMS", "fixtures.json"].contains(&&*name)
            || manifest
                .archives
                .iter()
                .any(|f| f.archive == name || f.text == name)
            || manifest
                .refused
                .iter()
                .any(|r| format!("refused/{}", r.file) == name);
        assert!(is_known, "{name} is not in fixtures.json");
    }
}
