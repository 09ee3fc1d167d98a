//! Do `ign recover`, `ign parity` and `--damaged` report what they do, and return the intact parts?

use ign_archive::Archive;
use ign_testing::{commented, games};

use crate::util::Folder;

/// Packs games with comments as `a.ign` and damages a column of the second block in `bad.ign`.
/// Returns the archive.
fn with_damaged(column: &str) -> (Folder, Archive) {
    let folder = Folder::with("a.pgn", commented(&games(200)));
    folder
        .ign(&["pack", "-B", "64K", "--coding", "ign", "a.pgn"])
        .done();
    let archive = Archive::open(folder.path("a.ign")).unwrap();
    let entry = archive.blocks()[1];
    let bytes = archive.block_bytes(1).unwrap();
    let block = ign_format::block::decode::Block::open(&bytes).unwrap();
    let head = block.head();
    let mut columns = head.columns.iter();
    let place = columns.position(|other| block.column_name(other) == column);
    let at = entry.offset + entry.head_len + head.frames(place.unwrap()).start as u64;
    let mut bad = folder.read("a.ign");
    bad[at as usize + 10] ^= 1;
    folder.write("bad.ign", bad);
    (folder, archive)
}

#[test]
fn games_without_a_column_are_reported_with_its_name() {
    let (folder, archive) = with_damaged("comments");
    let entry = archive.blocks()[1];
    let (first, last) = (entry.first_game + 1, entry.first_game + entry.games);
    let args = [
        "recover", "bad.ign", "-o", "good.ign", "--lost", "lost.tsv", "--json",
    ];
    let run = folder.ign(&args);
    assert_eq!(run.code, Some(4), "{}", run.err);
    let games =
        format!("games {first}..{last} are recovered without some columns; damaged: comments");
    let report: serde_json::Value = serde_json::from_slice(&run.out).unwrap();
    let said = folder.ign(&["recover", "bad.ign", "-o", "again.ign"]).err;
    assert!(said.contains(&games), "{said}");
    let reduced = &report["reduced"][0];
    assert_eq!(reduced["damaged_columns"], serde_json::json!(["comments"]));
    assert_eq!(reduced["lost_with"], serde_json::json!([]));
    let lost = String::from_utf8(folder.read("lost.tsv")).unwrap();
    assert_eq!(lost.lines().count() as u64, entry.games);
    for (number, line) in (first..=last).zip(lost.lines()) {
        assert!(line.starts_with(&format!("{number}\t")), "{line}");
        assert!(line.ends_with("\tcomments"), "{line}");
    }
    folder.ign(&["verify", "-q", "good.ign"]).done();
    let listed = |name: &str| folder.ign(&["list", name]).done();
    assert!(listed("good.ign") == listed("a.ign"));
}

#[test]
fn lost_games_are_reported_with_what_is_known_of_them() {
    let (folder, archive) = with_damaged("moves");
    let entry = archive.blocks()[1];
    let run = folder.ign(&["recover", "bad.ign", "-o", "good.ign", "--lost", "lost.tsv"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    let (first, last) = (entry.first_game + 1, entry.first_game + entry.games);
    let games =
        format!("bad.ign: lost games {first}..{last}, block 2: the checksum of the column moves");
    assert!(run.err.contains(&games), "{}", run.err);
    let range = format!("{first}..{last}");
    let listed = folder.ign(&["list", "a.ign", &range]).done();
    // The code of the opening may follow from the moves.
    let without_eco = |text: &[u8]| -> Vec<Vec<String>> {
        let text = String::from_utf8(text.to_vec()).unwrap();
        let fields = |line: &str| -> Vec<String> { line.split('\t').map(str::to_owned).collect() };
        let lines = text.lines().map(fields).map(|mut fields| {
            fields.remove(7);
            fields
        });
        lines.collect()
    };
    let mut expected = without_eco(&listed);
    for fields in &mut expected {
        // The packed file.
        fields.pop();
        fields.push("all".into());
    }
    assert_eq!(without_eco(&folder.read("lost.tsv")), expected);
    let report = ["recover", "bad.ign", "-fo", "good.ign", "--json"];
    let report = folder.ign(&report);
    assert_eq!(report.code, Some(4), "{}", report.err);
    let report: serde_json::Value = serde_json::from_slice(&report.out).unwrap();
    let known = report["lost"][0]["known"].as_array().unwrap();
    assert_eq!(known.len(), expected.len());
    for (known, fields) in known.iter().zip(&expected) {
        assert_eq!(
            (&known["white"], &known["date"]),
            (&fields[1].as_str().into(), &fields[6].as_str().into())
        );
    }
    folder.ign(&["verify", "-q", "good.ign"]).done();
    // The damaged file is read without the block.
    let run = folder.ign(&["unpack", "bad.ign", "--damaged", "-c"]);
    assert_eq!(run.code, Some(4));
    assert!(
        run.err
            .contains(&format!("left out games {first}..{last}, block 2"))
    );
    assert!(run.out == folder.ign(&["unpack", "-c", "good.ign"]).done());
    let run = folder.ign(&["list", "bad.ign", "--damaged"]);
    assert_eq!(run.code, Some(4));
    let numbers = |text: &[u8]| -> Vec<u64> {
        let text = String::from_utf8(text.to_vec()).unwrap();
        text.lines()
            .map(|line| line.split('\t').next().unwrap().parse().unwrap())
            .collect()
    };
    let whole: Vec<u64> = (1..=archive.len())
        .filter(|game| !(first..=last).contains(game))
        .collect();
    assert_eq!(numbers(&run.out), whole);
    for conditions in [&[][..], &["--white", "*"]] {
        let args = [&["find", "bad.ign", "--damaged"], conditions].concat();
        let run = folder.ign(&args);
        assert_eq!(
            (run.code, numbers(&run.out)),
            (Some(4), whole.clone()),
            "{args:?}"
        );
    }
    let after = (last + 1).to_string();
    let run = folder.ign(&["get", "bad.ign", "--damaged", &after]);
    assert!(run.out == folder.ign(&["get", "a.ign", &after]).done());
    folder
        .ign(&["recover", "a.pgn", "-o", "x.ign"])
        .failed(2, "not an ign archive");
    folder
        .ign(&["recover", "bad.ign", "-o", "bad.ign", "-f"])
        .failed(1, "the output is also an input");
}

#[test]
fn commands_add_parity_and_repair() {
    let folder = Folder::with("a.pgn", games(40));
    folder.ign(&["pack", "a.pgn"]).done();
    folder
        .ign(&["pack", "a.pgn", "--parity", "5%", "-o", "b.ign"])
        .done();
    let plain = folder.read("a.ign");
    let run = folder.ign(&["parity", "a.ign", "5%"]);
    assert!(run.err.contains("bytes of parity: any"), "{}", run.err);
    run.done();
    let whole = folder.read("a.ign");
    assert!(whole == folder.read("b.ign"));
    assert!(whole.starts_with(&plain));
    let run = folder.ign(&["parity", "a.ign", "5"]);
    assert!(run.err.contains("has this parity already"), "{}", run.err);
    run.done();
    assert!(whole == folder.read("a.ign"));
    folder.ign(&["verify", "a.ign"]).done();
    assert!(folder.ign(&["unpack", "-c", "a.ign"]).done() == folder.read("a.pgn"));
    let mut bad = whole.clone();
    bad[plain.len() - 30] ^= 1;
    folder.write("bad.ign", &bad);
    folder.ign(&["verify", "bad.ign"]).failed(2, "bad.ign");
    folder.ign(&["recover", "bad.ign", "-o", "good.ign"]).done();
    assert!(whole == folder.read("good.ign"));
    assert!(bad == folder.read("bad.ign"));
    // Another share: a second set after the first.
    folder.ign(&["parity", "a.ign", "40%"]).done();
    let twice = folder.read("a.ign");
    assert!(twice.starts_with(&whole));
    folder.ign(&["verify", "a.ign"]).done();
    let mut bad = twice.clone();
    bad[plain.len() / 2..plain.len() / 2 + 300].fill(0);
    folder.write("bad.ign", &bad);
    folder
        .ign(&["recover", "bad.ign", "-o", "good.ign", "-f"])
        .done();
    assert!(twice == folder.read("good.ign"));
    folder
        .ign(&["parity", "a.pgn"])
        .failed(2, "a.pgn: not an ign archive");
    folder
        .ign(&["recover", "bad.ign", "-o", "-"])
        .failed(1, "not written to standard output");
    // A few bytes after the parity are no damage of it.
    folder.write("more.ign", [&whole[..], b"hello\n"].concat());
    let run = folder.ign(&["recover", "more.ign", "-o", "good.ign", "-f"]);
    let said = "more.ign: 6 bytes after the archive are left out\nmore.ign: nothing is damaged\n";
    assert!(run.err.starts_with(said), "{}", run.err);
    run.done();
    assert!(whole == folder.read("good.ign"));
    folder.ign(&["parity", "a.ign", "0%"]).failed(1, "above 0%");
    folder
        .ign(&["pack", "a.pgn", "--parity", "2%", "-c"])
        .failed(1, "must be a file");
    folder
        .ign(&["recover", "bad.ign", "-o", "x.ign", "--lost", "x.ign"])
        .failed(1, "x.ign: -o and --lost name the same file");
    for list in ["bad.ign", "./bad.ign"] {
        folder
            .ign(&["recover", "bad.ign", "-o", "x.ign", "-f", "--lost", list])
            .failed(1, "the output is also an input");
    }
}
