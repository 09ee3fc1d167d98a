//! Does `ign pack --resume` finish what was stopped, as if it had never been? Are the SHA-256 and
//! the number of games that a site publishes compared and kept?

use std::{
    io::Write,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use ign_testing::{FileServer, Manner, Random, games, games_of_seed};
use sha2::{Digest, Sha256};

use crate::util::Folder;

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Waits until this is so.
fn wait_until(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "it takes too long"
        );
        thread::sleep(Duration::from_millis(2));
    }
}

fn part_len(folder: &Folder) -> u64 {
    let part = folder.path("a.ign.part").metadata();
    part.map_or(0, |metadata| metadata.len())
}

/// Bytes that no coding makes shorter.
fn noise(len: usize) -> Vec<u8> {
    let mut random = Random(7);
    (0..len).map(|_| random.below(256) as u8).collect()
}

#[test]
fn a_command_that_is_killed_is_continued_to_the_same_archive() {
    // Small blocks of noise are packed slowly, and fill the buffer of the output.
    let text = [
        games(2000),
        noise(2 << 20),
        games_of_seed(500, 3),
        noise(1 << 20),
    ]
    .concat();
    let folder = Folder::with("a.pgn", &text);
    folder.write("a.pgn.zst", zstd::encode_all(&text[..], 1).unwrap());
    let mut kills = 0;
    for input in ["a.pgn", "a.pgn.zst"] {
        let options = ["pack", input, "-B", "64K", "-T", "1", "--coding", "ign"];
        folder
            .ign(&[&options[..], &["-o", "whole.ign"]].concat())
            .done();
        let whole = folder.read("whole.ign");
        folder.remove("whole.ign");
        let resume = [&options[..], &["-o", "a.ign", "--resume"]].concat();
        // Each run is killed when its part has grown, so the work is done in several runs.
        for _ in 0..3 {
            let aim = part_len(&folder) + whole.len() as u64 / 8;
            let mut child = folder
                .command(&resume)
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            wait_until(|| part_len(&folder) >= aim || folder.path("a.ign").exists());
            child.kill().unwrap();
            if !child.wait().unwrap().success() {
                kills += 1;
                assert!(!folder.path("a.ign").exists());
            }
        }
        let last = folder.ign(&resume);
        let words = "a.ign.part: continuing after ";
        assert!(last.err.starts_with(words), "{}", last.err);
        last.done();
        assert!(folder.read("a.ign") == whole, "{input}");
        assert_eq!(folder.names(), ["a.ign", "a.pgn", "a.pgn.zst"]);
        folder.remove("a.ign");
    }
    assert!(kills > 3, "{kills}");
}

#[cfg(unix)]
#[test]
fn a_long_command_that_is_interrupted_keeps_its_blocks_and_names_the_way_on() {
    let text = noise(36 << 20);
    let folder = Folder::new();
    let pack = [
        "pack", "-", "-l", "1", "-B", "1M", "--coding", "ign", "-o", "a.ign",
    ];
    folder.ign_fed(&text, &pack).done();
    let whole = folder.read("a.ign");
    folder.remove("a.ign");

    let resume = [&pack[..], &["--resume"]].concat();
    let stop = |command: &[&str], text: &[u8], least: usize| {
        let mut child = folder
            .command(command)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // The input does not end.
        input.write_all(text).unwrap();
        wait_until(|| part_len(&folder) > least as u64);
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(143));
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(
            said.ends_with(
                "ign: stopped; a.ign.part keeps the blocks that are whole: the same command with --resume continues\n"
            ),
            "{said}"
        );
        assert_eq!(folder.names(), ["a.ign.part"]);
        folder.read("a.ign.part")
    };
    // With --resume it is kept from the first block on.
    let short = stop(&resume, &text[..9 << 20], 0);
    assert!(!short.is_empty() && whole.starts_with(&short));
    let continued = stop(&resume, &text, short.len());
    assert!(continued.len() > short.len() && whole.starts_with(&continued));
    folder.remove("a.ign.part");
    let part = stop(&pack, &text, 0);
    assert!(part.len() > 16 << 20 && whole.starts_with(&part));

    let words =
        "a.ign.part: is what a stopped command has kept (--resume continues it; -f starts again)";
    folder.ign_fed(&text, &pack).failed(1, words);
    assert!(folder.read("a.ign.part") == part);
    folder.ign_fed(&text, &resume).done();
    assert!(folder.read("a.ign") == whole);
    folder.write("a.ign.part", &part);
    folder.ign_fed(&text, &pack).failed(1, "already exists");
    folder.remove("a.ign");
    folder.ign_fed(&text, &[&pack[..], &["-f"]].concat()).done();
    assert!(folder.read("a.ign") == whole);
    assert_eq!(folder.names(), ["a.ign"]);
}

#[test]
fn a_download_that_is_cut_is_continued() {
    let text = games(3000);
    let compressed = zstd::encode_all(&text[..], 3).unwrap();
    let folder = Folder::with("a.pgn.zst", &compressed);
    let server = FileServer::new();
    let url = server.url("a.pgn.zst");
    let stated = sha256(&compressed);
    let options = ["-B", "64K", "--coding", "ign", "--sha256", &stated];
    folder
        .ign(&[&["pack", "a.pgn.zst"], &options[..]].concat())
        .done();
    let whole = folder.read("a.ign");
    folder.remove("a.ign");

    let pack = [&["pack", &url, "--resume"], &options[..]].concat();
    let cut = &compressed[..compressed.len() * 2 / 3];
    server.put("a.pgn.zst", cut);
    let run = folder.ign(&pack);
    assert!(run.err.starts_with("a.ign.part keeps "), "{}", run.err);
    run.failed(2, "the zstd data is damaged or cut off");
    assert!(!folder.path("a.ign").exists());
    // Text is read in pieces of a mebibyte, of which the last one is not whole.
    assert!(part_len(&folder) > whole.len() as u64 / 4);

    // Other games are under the same address.
    server.put(
        "a.pgn.zst",
        zstd::encode_all(&games_of_seed(3000, 9)[..], 3).unwrap(),
    );
    folder.ign(&pack).failed(1, "an input has changed since");
    server.put("a.pgn.zst", &compressed[..]);
    server.set(Manner::AlwaysCutsOff);
    folder.ign(&pack).failed(1, "");
    server.set(Manner::CutsOff);
    folder.ign(&pack).done();
    assert!(folder.read("a.ign") == whole);
}

#[test]
fn resume_needs_a_file() {
    let folder = Folder::with("a.pgn", games(5));
    folder
        .ign(&["pack", "a.pgn", "--resume", "-c"])
        .failed(1, "--resume continues a file");
    folder.write(
        "a.ign.part",
        "text of another program, which is longer than a header",
    );
    folder.ign(&["pack", "a.pgn", "--resume"]).failed(
        1,
        "a.ign.part: is not what a stopped ign pack of this version has left",
    );
    assert_eq!(folder.names(), ["a.ign.part", "a.pgn"]);
}

#[test]
fn what_a_site_publishes_is_compared_and_the_sha256_is_kept() {
    let text = games(40);
    let compressed = zstd::encode_all(&text[..], 3).unwrap();
    let folder = Folder::with("a.pgn", &text);
    folder.write("b.pgn.zst", &compressed);
    let (plain, packed) = (sha256(&text), sha256(&compressed));
    let list = format!("{plain}  dump/a.pgn\n{packed} *b.pgn.zst\n");
    folder.write("sums.txt", &list);
    let server = FileServer::new();
    server.put("sums.txt", list);
    let url = server.url("sums.txt");
    for (command, stated) in [
        (vec!["pack", "a.pgn", "--sha256", &plain], vec![&plain]),
        (
            vec!["pack", "b.pgn.zst", "--sha256", &packed],
            vec![&packed],
        ),
        (
            vec!["pack", "a.pgn", "b.pgn.zst", "--sha256", "sums.txt"],
            vec![&plain, &packed],
        ),
        (vec!["pack", "b.pgn.zst", "--sha256", &url], vec![&packed]),
    ] {
        let games = (40 * stated.len()).to_string();
        let rest = ["--expect-games", &games, "-f", "-o", "out.ign"];
        folder.ign(&[&command[..], &rest].concat()).done();
        let info = String::from_utf8(folder.ign(&["info", "out.ign"]).done()).unwrap();
        let printed = info
            .lines()
            .filter_map(|line| line.strip_prefix("  SHA-256 of the file "));
        assert_eq!(printed.collect::<Vec<_>>(), stated);
        let info = folder
            .ign(&["info", "out.ign", "--json"])
            .objects()
            .remove(0);
        for (source, stated) in info["sources"].as_array().unwrap().iter().zip(stated) {
            assert_eq!(source["sha256"], **stated);
        }
    }
    folder
        .ign(&[
            "append",
            "out.ign",
            "a.pgn",
            "--sha256",
            "sums.txt",
            "--expect-games",
            "40",
        ])
        .done();
    let before = folder.read("out.ign");
    folder.remove("out.ign");
    folder.write("out.ign", &before);
    for (command, code, words) in [
        (
            "pack a.pgn --sha256 PACKED",
            2,
            format!("a.pgn: the SHA-256 is {plain}, and {packed} was stated"),
        ),
        (
            "append out.ign a.pgn --sha256 PACKED",
            2,
            format!("{plain}, and {packed} was stated"),
        ),
        (
            "append out.ign a.pgn --expect-games 41",
            2,
            "the inputs have 40 games, and 41 were stated".into(),
        ),
        (
            "pack a.pgn --expect-games 39",
            2,
            "the inputs have 40 games, and 39 were stated".into(),
        ),
        (
            "pack a.pgn b.pgn.zst -o c.ign --sha256 PACKED",
            1,
            "one SHA-256 is stated, and there are 2 inputs".into(),
        ),
        (
            "pack sums.txt --sha256 sums.txt",
            1,
            "sums.txt: the list has no SHA-256 of sums.txt".into(),
        ),
        (
            "pack a.pgn --sha256 b.pgn.zst",
            1,
            "b.pgn.zst: is not a list as sha256sum prints it".into(),
        ),
        (
            "pack a.pgn --sha256 0123",
            1,
            "--sha256 takes 64 hexadecimal digits".into(),
        ),
    ] {
        let command = command.replace("PACKED", &packed);
        let args: Vec<_> = command.split(' ').collect();
        folder.ign(&args).failed(code, &words);
        assert_eq!(
            folder.names(),
            ["a.pgn", "b.pgn.zst", "out.ign", "sums.txt"],
            "{command}"
        );
        assert!(folder.read("out.ign") == before, "{command}");
    }
}
