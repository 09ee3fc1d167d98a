//! The commands under test, and the folder in which each of them runs.

use ign_format::container::append_mark::{self, State};
use std::{collections::BTreeMap, fs, path::Path};

use ign_testing::{Folder, games};

use crate::shim::run_plain;

/// What a command does to its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Makes these files, which appear whole or not at all.
    Makes(&'static [&'static str]),
    /// Adds to the end of this archive, and of the index beside it if there is one.
    Grows(&'static str),
    /// Adds to the end of this index.
    Extends(&'static str),
    /// Writes to standard output only.
    Reads,
}

/// A command.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub command: &'static str,
    pub effect: Effect,
}

const fn makes(command: &'static str, files: &'static [&'static str]) -> Case {
    Case {
        command,
        effect: Effect::Makes(files),
    }
}

const fn grows(command: &'static str, archive: &'static str) -> Case {
    Case {
        command,
        effect: Effect::Grows(archive),
    }
}

const fn reads(command: &'static str) -> Case {
    Case {
        command,
        effect: Effect::Reads,
    }
}

/// Every command that writes a file, on every kind of input and output; and the commands that judge
/// an archive.
pub const CASES: &[Case] = &[
    makes("pack a.pgn -o out.ign --coding ign -B 16K", &["out.ign"]),
    makes("pack a.pgn -o old.ign --coding ign -f", &["old.ign"]),
    makes("pack b.pgn -o out.ign -B 16K", &["out.ign"]),
    makes(
        "pack a.pgn -o out.ign --coding ign --parity 5%",
        &["out.ign"],
    ),
    makes(
        "pack b.pgn.zst b.pgn.gz s.sgf -o out.ign --coding ign",
        &["out.ign"],
    ),
    reads("pack a.pgn -c --coding ign"),
    grows("append a.ign b.pgn", "a.ign"),
    grows("append indexed.ign b.pgn", "indexed.ign"),
    grows("append weighted.ign b.pgn.zst", "weighted.ign"),
    grows("append parity.ign b.pgn", "parity.ign"),
    grows("append cut-append.ign b.pgn", "cut-append.ign"),
    makes("index a.ign", &["a.ign.idx"]),
    makes("index indexed.ign -f", &["indexed.ign.idx"]),
    makes("index a.ign weighted.ign -o both.idx", &["both.idx"]),
    Case {
        command: "index grown.ign",
        effect: Effect::Extends("grown.ign.idx"),
    },
    makes("merge a.ign weighted.ign -o out.ign", &["out.ign"]),
    makes("merge a.ign grown.ign -o old.ign -f", &["old.ign"]),
    makes(
        "split a.ign --games 25",
        &["a-001.ign", "a-002.ign", "a-003.ign"],
    ),
    makes(
        "split a.ign --by result -o parts",
        &["parts/a-1-0.ign", "parts/a-0-1.ign", "parts/a-1_2-1_2.ign"],
    ),
    makes("transcode a.ign --coding weighted -o out.ign", &["out.ign"]),
    makes(
        "transcode weighted.ign --coding ign -o old.ign -f",
        &["old.ign"],
    ),
    makes(
        "recover bad.ign -o out.ign --lost lost.tsv",
        &["out.ign", "lost.tsv"],
    ),
    makes("recover cut.ign -o old.ign -f", &["old.ign"]),
    makes("recover bad-parity.ign -o out.ign", &["out.ign"]),
    makes("recover lost-parity.ign -o out.ign", &["out.ign"]),
    grows("parity a.ign", "a.ign"),
    grows("parity parity.ign 20%", "parity.ign"),
    grows("parity cut-parity.ign", "cut-parity.ign"),
    makes("export a.ign -o out.parquet", &["out.parquet"]),
    makes("export a.ign -o old.csv -f", &["old.csv"]),
    makes(
        "export b.pgn -o out.jsonl --columns White,moves",
        &["out.jsonl"],
    ),
    makes("export a.ign -o out.arrow --result 1-0", &["out.arrow"]),
    makes("export a.ign -o out.epd --every-nth 9", &["out.epd"]),
    makes("unpack a.ign -o out.pgn", &["out.pgn"]),
    makes("unpack weighted.ign 3..9 -o old.pgn -f", &["old.pgn"]),
    makes("get indexed.ign 7 20..30 -o out.pgn", &["out.pgn"]),
    makes("find indexed.ign --result 1-0 -o out.ign", &["out.ign"]),
    makes(
        "find a.ign weighted.ign --result 1-0 --pgn -o out.pgn",
        &["out.pgn"],
    ),
    makes("duplicates a.ign b.pgn -o out.pgn", &["out.pgn"]),
    makes("sample -n 20 -o out.pgn", &["out.pgn"]),
    makes("stats a.ign --svg out.svg", &["out.svg"]),
    makes("tree indexed.ign --svg out.svg", &["out.svg"]),
    makes(
        "endgame KQK --order BKR,BKF,WKR,WKF,WQR,WQF -o out.m",
        &["out.m"],
    ),
    reads("unpack a.ign -c"),
    reads("find indexed.ign --result 1-0 --list"),
    reads("verify a.ign parity.ign indexed.ign.idx"),
    reads("verify bad.ign"),
    reads("unpack bad.ign -c --damaged"),
];

/// A temporary file of a run that was killed.
pub const LEFT_OVER: &str = ".ign-gone.ign.partial";

/// The files of a folder by their paths in it.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Reads all files of a folder and of the folders in it.
pub fn files(folder: &Path) -> Files {
    fn add(folder: &Path, before: &str, files: &mut Files) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{before}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                add(&path, &format!("{name}/"), files);
            } else {
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut files = Files::new();
    add(folder, "", &mut files);
    files
}

/// Gives a folder these files and no others.
pub fn restore(folder: &Path, wanted: &Files) {
    let now = files(folder);
    for name in now.keys().filter(|name| !wanted.contains_key(*name)) {
        fs::remove_file(folder.join(name)).unwrap();
    }
    for (name, bytes) in wanted
        .iter()
        .filter(|(name, bytes)| now.get(*name) != Some(bytes))
    {
        let path = folder.join(name);
        // Not into a file that a command may still have open.
        _ = fs::remove_file(&path);
        fs::write(path, bytes).unwrap();
    }
}

/// The folders that the files of [`template`] are in.
pub fn make_folders(folder: &Path) {
    for name in ["tmp", "parts"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
}

/// The files of every test: texts, archives of each kind, and what stands in the way of new files.
pub fn template() -> Files {
    let folder = Folder::with("a.pgn", games(60));
    make_folders(&folder.path(""));
    let run = |command: &str| {
        let args: Vec<&str> = command.split(' ').collect();
        let run = run_plain(&folder.path(""), &args);
        assert_eq!(run.status, 0, "{command}: {}", run.err);
    };
    let copy = |from: &str, to: &str| folder.write(to, folder.read(from));
    folder.write("b.pgn", games(20));
    folder.write("b.pgn.zst", zstd::bulk::compress(&games(20), 3).unwrap());
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, &games(20)).unwrap();
    folder.write("b.pgn.gz", gz.finish().unwrap());
    folder.write("s.sgf", "(;GM[1]SZ[9];B[aa];W[bb])\n".repeat(9));
    run("pack a.pgn -o a.ign --coding ign -B 16K");
    run("pack b.pgn -o weighted.ign -B 16K");
    run("pack a.pgn -o parity.ign --coding ign -B 16K --parity 5%");
    copy("a.ign", "indexed.ign");
    run("index indexed.ign");
    // An index that lacks the games of an append.
    copy("a.ign", "grown.ign");
    run("index grown.ign");
    copy("grown.ign.idx", "before.idx");
    run("append grown.ign b.pgn");
    copy("before.idx", "grown.ign.idx");
    folder.remove("before.idx");
    // What runs that were killed have left.
    let (archive, more) = (folder.read("a.ign"), folder.read("grown.ign"));
    let cut = archive.len() + (more.len() - archive.len()) / 2;
    let mut interrupted = more[..cut].to_vec();
    let mark = append_mark::write(archive.len() as u64, State::Appending);
    interrupted[archive.len()..][..mark.len()].copy_from_slice(&mark);
    folder.write("cut-append.ign", interrupted);
    copy("a.ign", "cut-parity.ign");
    run("parity cut-parity.ign");
    let more = folder.read("cut-parity.ign");
    let cut = archive.len() + (more.len() - archive.len()) / 2;
    folder.write("cut-parity.ign", &more[..cut]);
    folder.write(LEFT_OVER, "left");
    // Damage in a block; in a block of an archive with parity; more of it than parity repairs; a
    // cut.
    let damaged = |from: &str, to: &str, places: &[usize]| {
        let mut bytes = folder.read(from);
        places.iter().for_each(|&place| bytes[place] ^= 1);
        folder.write(to, bytes);
    };
    damaged("a.ign", "bad.ign", &[900]);
    damaged("parity.ign", "bad-parity.ign", &[900]);
    let scattered: Vec<usize> = (600..archive.len()).step_by(100).collect();
    damaged("parity.ign", "lost-parity.ign", &scattered);
    folder.write("cut.ign", &archive[..archive.len() * 2 / 3]);
    for name in ["old.ign", "old.csv", "old.pgn"] {
        folder.write(name, "what was here before");
    }
    files(&folder.path(""))
}
