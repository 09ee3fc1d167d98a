//! Are models of archives used, kept by every command, and read where the program lacks them?

use ign_format::{
    block::encode_model, columns::name_model::NameNetwork, model::Parameters,
    models::Architecture as _,
};
use ign_testing::{clocked_games, games};

use crate::util::Folder;

/// The file of a move model that differs from the built-in one.
fn other_model(folder: &Folder, name: &str, change: u8) {
    let mut data = Parameters::builtin().data();
    let len = data.len();
    data[len - 1] = data[len - 1].wrapping_add(change);
    folder.write(
        name,
        encode_model(Parameters::NUMBER, &data, 3).unwrap().bytes,
    );
}

fn text_of(folder: &Folder, archive: &str) -> Vec<u8> {
    folder.ign(&["unpack", "-qc", archive]).done()
}

/// The lines of a list without the code of the opening, which follows from the moves.
fn without_eco(out: Vec<u8>) -> Vec<String> {
    let out = String::from_utf8(out).unwrap();
    let lines = out.lines().map(|line| {
        let mut fields: Vec<&str> = line.split('\t').collect();
        fields.remove(7);
        fields.join(" ")
    });
    lines.collect()
}

/// How often the column of a model is in an archive.
fn models(folder: &Folder, archive: &str) -> usize {
    let info = String::from_utf8(folder.ign(&["info", "-v", archive]).done()).unwrap();
    let blocks = |line: &str| line.starts_with("block ") && line.contains(" model ");
    info.lines().filter(|line| blocks(line)).count()
}

#[test]
fn an_archive_holds_the_model_that_it_was_packed_with() {
    let folder = Folder::new();
    other_model(&folder, "my.model", 9);
    let [one, other] = [clocked_games(60, 1), games(40)];
    folder.write("a.pgn", &one);
    folder.write("b.pgn", &other);
    let pack = [
        "pack", "-qB", "8K", "--model", "my.model", "a.pgn", "-o", "a.ign",
    ];
    folder.ign(&pack).done();
    folder
        .ign(&["pack", "-qB", "8K", "a.pgn", "-o", "builtin.ign"])
        .done();
    assert_eq!(
        (models(&folder, "a.ign"), models(&folder, "builtin.ign")),
        (2, 0)
    );
    folder.remove("my.model");
    assert!(text_of(&folder, "a.ign") == one);
    folder.ign(&["verify", "a.ign"]).done();
    let listed = |archive: &str| folder.ign(&["list", archive]).done();
    assert_eq!(listed("a.ign"), listed("builtin.ign"));
    let got = |archive: &str| folder.ign(&["get", archive, "7"]).done();
    assert_eq!(got("a.ign"), got("builtin.ign"));

    // Appended games use the built-in model unless another one is named, and a model is stored once
    // more only if it is new.
    folder.ign(&["append", "-q", "a.ign", "b.pgn"]).done();
    other_model(&folder, "my.model", 9);
    folder
        .ign(&["append", "-q", "--model", "my.model", "a.ign", "b.pgn"])
        .done();
    assert_eq!(models(&folder, "a.ign"), 2);
    let all = [&one[..], &other, &other].concat();
    assert!(text_of(&folder, "a.ign") == all);
    folder.ign(&["index", "-q", "a.ign"]).done();
    let found = folder
        .ign(&["find", "a.ign", "--elo", "1500..", "--count"])
        .done();
    folder.remove("a.ign.idx");
    assert_eq!(
        found,
        folder
            .ign(&["find", "a.ign", "--elo", "1500..", "--count"])
            .done()
    );

    // Other commands keep it, and each archive has two copies.
    folder
        .ign(&["merge", "-q", "a.ign", "a.ign", "-o", "both.ign"])
        .done();
    assert_eq!(models(&folder, "both.ign"), 2);
    assert!(text_of(&folder, "both.ign") == [&all[..], &all].concat());
    folder.ign(&["verify", "both.ign"]).done();
    folder
        .ign(&["split", "-q", "a.ign", "--games", "50", "-o", "."])
        .done();
    let mut parts = Vec::new();
    for part in ["a-001.ign", "a-002.ign", "a-003.ign"] {
        folder.ign(&["verify", part]).done();
        assert_eq!(models(&folder, part), 2, "{part}");
        parts.extend(text_of(&folder, part));
    }
    assert!(parts == all);
    // Parts of sources with models merge to the archive.
    folder
        .ign(&[
            "merge",
            "-q",
            "a-001.ign",
            "a-002.ign",
            "a-003.ign",
            "-o",
            "again.ign",
        ])
        .done();
    assert_eq!(models(&folder, "again.ign"), 2);
    assert!(text_of(&folder, "again.ign") == all);
    folder.ign(&["verify", "again.ign"]).done();
    folder
        .ign(&[
            "transcode",
            "-q",
            "--coding",
            "ign",
            "a.ign",
            "-o",
            "plain.ign",
        ])
        .done();
    assert!(text_of(&folder, "plain.ign") == all);
    folder
        .ign(&["recover", "-q", "a.ign", "-o", "whole.ign"])
        .done();
    assert!(folder.read("whole.ign").len() > 1000 && text_of(&folder, "whole.ign") == all);
}

#[test]
fn one_damaged_copy_of_a_model_loses_no_game_and_two_lose_moves_alone() {
    let folder = Folder::new();
    other_model(&folder, "my.model", 30);
    let text = games(40);
    folder.write("a.pgn", &text);
    folder
        .ign(&["pack", "-q", "--model", "my.model", "a.pgn", "-o", "a.ign"])
        .done();
    let good = folder.read("a.ign");
    // The copies are the first and the last block.
    let mut bytes = good.clone();
    bytes[20_000] ^= 1;
    folder.write("a.ign", &bytes);
    assert!(text_of(&folder, "a.ign") == text);
    let output = folder.command(&["verify", "a.ign"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        err.contains("block 1: the checksum of the column model differs; another copy of the move model is whole, so nothing is lost"),
        "{err}"
    );
    folder
        .ign(&["recover", "-q", "a.ign", "-o", "good.ign"])
        .done();
    assert!(folder.read("good.ign") == good);

    let recovered = folder.ign(&["recover", "a.ign", "-fo", "good.ign"]);
    assert!(recovered.err.contains(", block 1\n"), "{}", recovered.err);
    assert!(
        recovered.err.contains("restored the move model"),
        "{}",
        recovered.err
    );

    let count = ["find", "a.ign", "--result", "1-0", "--count"];
    let won = folder.ign(&count).done();
    let last = bytes.len() - 20_000;
    bytes[last] ^= 1;
    folder.write("a.ign", &bytes);
    for args in [
        &["get", "a.ign", "3"][..],
        &["verify", "a.ign"],
        &["unpack", "-c", "a.ign"],
    ] {
        let output = folder.command(args).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains("move model"), "{args:?}: {err}");
        assert!(
            err.contains("ign recover --model FILE restores"),
            "{args:?}: {err}"
        );
    }
    assert_eq!(folder.ign(&count).done(), won);

    // Lists show the tags; what needs the moves leaves the games out.
    folder.write("good.ign", &good);
    let lines = folder.ign(&["list", "good.ign"]).done();
    let listed = folder.ign(&["list", "a.ign", "--damaged"]);
    assert_eq!(listed.code, Some(4));
    assert!(without_eco(listed.out) == without_eco(lines));
    let said = "listed without what a model codes: games 1..40, block 2: needs the move model";
    assert!(listed.err.contains(said), "{}", listed.err);
    for args in [&["unpack", "-c"][..], &["list", "--plies", "0.."]] {
        let run = folder.ign(&[args, &["a.ign", "--damaged"]].concat());
        assert!(run.out.is_empty(), "{args:?}");
        assert!(run.err.contains("left out games 1..40"), "{}", run.err);
    }
    folder
        .ign(&["get", "--damaged", "a.ign", "3"])
        .failed(4, "left out games 1..40");

    // The file of the model restores both copies, also if their heads are lost.
    other_model(&folder, "other.model", 31);
    for offset in [0, 60] {
        let mut bytes = bytes.clone();
        if offset > 0 {
            let archive = ign_archive::Archive::open(folder.path("good.ign")).unwrap();
            for block in archive.blocks().iter().filter(|block| block.games == 0) {
                bytes[block.offset as usize + offset / 2] ^= 0xff;
            }
        }
        folder.write("a.ign", &bytes);
        let recover = ["recover", "-fo", "again.ign", "a.ign", "--model"];
        folder.ign(&[&recover[..], &["my.model"]].concat()).done();
        assert!(folder.read("again.ign") == good, "{offset}");
        let run = folder.ign(&[&recover[..], &["other.model"]].concat());
        assert!(
            run.err.contains("no block needs the move model"),
            "{}",
            run.err
        );
        assert_eq!(run.code, Some(4));
    }
    // Neither copy is left, nor their places.
    folder
        .ign(&["recover", "-qfo", "copied.ign", "a.ign"])
        .failed(4, "");
    folder
        .ign(&[
            "recover",
            "copied.ign",
            "-fo",
            "again.ign",
            "--model",
            "my.model",
        ])
        .done();
    assert_eq!(models(&folder, "again.ign"), 2);
    assert!(text_of(&folder, "again.ign") == text);
    folder
        .ign(&["merge", "-q", "copied.ign", "good.ign", "-o", "merged.ign"])
        .done();
    assert!(text_of(&folder, "merged.ign") == [&text[..], &text].concat());
}

#[test]
fn names_that_a_lost_model_codes_are_dashes_in_lists() {
    let folder = Folder::new();
    let mut data = NameNetwork::builtin().data();
    let last = data.len() - 1;
    data[last] = data[last].wrapping_add(1);
    let model = encode_model(NameNetwork::NUMBER, &data, 3).unwrap();
    folder.write("my.model", model.bytes);
    folder.write("a.pgn", games(400));
    folder
        .ign(&["pack", "-q", "--model", "my.model", "a.pgn"])
        .done();
    let lines = folder.ign(&["list", "a.ign"]).done();
    let mut bytes = folder.read("a.ign");
    let archive = ign_archive::Archive::open(folder.path("a.ign")).unwrap();
    let copies = archive.blocks().iter().filter(|block| block.games == 0);
    for block in copies.clone() {
        bytes[(block.offset + block.stored_len - 10) as usize] ^= 1;
    }
    assert_eq!(copies.count(), 2);
    folder.write("a.ign", &bytes);
    folder.ign(&["list", "a.ign"]).failed(2, "name model");
    let run = folder.ign(&["list", "a.ign", "--damaged"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    let [all, left] = [lines, run.out].map(|out| String::from_utf8(out).unwrap());
    assert_eq!(all.lines().count(), left.lines().count());
    let field = |line: &str, place: usize| line.split('\t').nth(place).unwrap().to_owned();
    for (one, other) in all.lines().zip(left.lines()) {
        assert_eq!(field(other, 1), "-", "{other}");
        assert_eq!(field(one, 5), field(other, 5), "{other}");
    }
}

#[test]
fn a_model_without_use_is_an_error_or_reported() {
    let folder = Folder::new();
    other_model(&folder, "my.model", 9);
    folder.write("a.pgn", games(40));
    folder.write("a.sgf", ign_testing::go::collection(3));
    let pack = |args: &[&str]| {
        let pack = ["pack", "-f", "--model", "my.model", "-o", "a.ign"];
        folder.ign(&[&pack[..], args].concat())
    };
    for coding in ["ign", "ign-end"] {
        pack(&["--coding", coding, "a.pgn"]).failed(
            1,
            &format!("the move model has no use: the coding {coding} stores moves without a model"),
        );
        assert!(!folder.path("a.ign").exists());
    }
    let run = pack(&["a.pgn"]);
    let said = "a.ign: the models of --model take 3,";
    assert!(run.err.contains(said), "{}", run.err);
    let run = pack(&["a.sgf"]);
    let said = "a.ign: 1 unused model of --model: no game needs it";
    assert!(run.err.contains(said), "{}", run.err);
    assert_eq!(models(&folder, "a.ign"), 0);
    // An archive in plain coding is appended to in plain coding.
    folder
        .ign(&["pack", "-q", "--coding", "ign", "a.pgn", "-o", "plain.ign"])
        .done();
    let before = folder.read("plain.ign");
    folder
        .ign(&["append", "--model", "my.model", "plain.ign", "a.pgn"])
        .failed(1, "the move model has no use");
    assert!(folder.read("plain.ign") == before);
}

#[test]
fn info_says_of_each_model_whether_it_is_built_in_or_embedded() {
    let folder = Folder::new();
    other_model(&folder, "my.model", 9);
    folder.write("a.pgn", games(40));
    for (args, said) in [
        (&[][..], ": built in\n"),
        (&["--embed"], ": built in, and embedded in blocks 1 and "),
        (&["--model", "my.model"], ": embedded in blocks 1 and "),
    ] {
        folder
            .ign(&[&["pack", "-qf", "a.pgn"][..], args].concat())
            .done();
        let info = String::from_utf8(folder.ign(&["info", "a.ign"]).done()).unwrap();
        let line = info.split_inclusive('\n');
        let line = line.clone().find(|line| line.starts_with("move model "));
        assert!(line.is_some_and(|line| line.contains(said)), "{info}");
    }
}

#[test]
fn embedded_built_in_models_change_nothing_else() {
    let folder = Folder::new();
    let text = clocked_games(30, 5);
    folder.write("a.pgn", &text);
    folder
        .ign(&["pack", "-q", "--embed", "a.pgn", "-o", "a.ign"])
        .done();
    // Moves, clocks, evaluations, names.
    assert_eq!(models(&folder, "a.ign"), 2 * 4);
    assert!(text_of(&folder, "a.ign") == text);
    folder.ign(&["verify", "a.ign"]).done();
}

#[test]
fn files_that_are_no_models_are_errors() {
    let folder = Folder::new();
    folder.write("a.pgn", games(3));
    other_model(&folder, "my.model", 1);
    let model = folder.read("my.model");
    folder.write("cut.model", &model[..model.len() - 7]);
    let mut damaged = model.clone();
    damaged[5000] ^= 4;
    folder.write("damaged.model", damaged);
    let forged = encode_model(1, b"\x03\x11 no parameters", 3).unwrap();
    folder.write("forged.model", forged.bytes);
    let unknown = encode_model(77, b"data", 3).unwrap();
    folder.write("unknown.model", unknown.bytes);
    folder.write("long.model", [&model[..], b"more"].concat());
    folder.write("start.model", &model[..40]);
    folder.write("empty.model", "");
    folder.write("text.model", "a model of my club\n");
    std::fs::create_dir(folder.path("folder.model")).unwrap();
    // Files of 2 GB that take no space.
    for (name, start) in [("zeros.model", &[][..]), ("huge.model", &model)] {
        folder.write(name, start);
        let file = std::fs::OpenOptions::new()
            .write(true)
            .open(folder.path(name));
        file.unwrap().set_len(2 << 30).unwrap();
    }
    folder
        .ign(&["pack", "-q", "a.pgn", "-o", "plain.ign"])
        .done();
    let no_model = "not a model of ign (name a file that ign train wrote)";
    let remedy =
        "(copy the file again from an intact original, or train the model again with ign train)";
    let damaged = |what: &str| format!("the model is damaged: {what} {remedy}");
    let len = damaged("the length of a block's columns differs from its directory");
    let start = damaged("the block frame states a length of 85 bytes; it has 40");
    let checksum = damaged("the checksum of the column model differs");
    let forged = damaged("a move model is cut off or too long");
    for (name, status, message) in [
        ("none.model", 1, "no such file"),
        ("folder.model", 1, "is a directory; name a file"),
        (
            "https://localhost/a.model",
            1,
            "is on a server, and models are read on this machine only (download it first)",
        ),
        ("a.pgn", 2, no_model),
        ("plain.ign", 2, no_model),
        ("empty.model", 2, no_model),
        ("text.model", 2, no_model),
        ("zeros.model", 2, no_model),
        ("cut.model", 2, &len),
        ("long.model", 2, &len),
        ("huge.model", 2, &len),
        ("start.model", 2, &start),
        ("damaged.model", 2, &checksum),
        ("forged.model", 2, &forged),
        (
            "unknown.model",
            2,
            "a model of the unknown architecture 77 (use a later version of ign)",
        ),
    ] {
        let said = format!("ign: {name}: {message}\n");
        for args in [
            ["pack", "-o", "a.ign", "a.pgn", "--model", name],
            ["append", "plain.ign", "-q", "a.pgn", "--model", name],
        ] {
            let run = folder.ign(&args);
            assert_eq!(run.code, Some(status), "{args:?}: {}", run.err);
            assert_eq!(run.err, said, "{args:?}");
            assert!(!folder.path("a.ign").exists());
        }
    }
}

#[test]
fn a_model_that_makes_the_moves_larger_is_reported() {
    let folder = Folder::new();
    // All weights are 0: all moves are equally likely.
    let data = ign_testing::repeated_parameters(&Parameters::builtin().data(), 2, &[0]);
    let model = encode_model(Parameters::NUMBER, &data, 3).unwrap();
    folder.write("equal.model", model.bytes);
    other_model(&folder, "same.model", 1);
    folder.ign(&["sample", "-qn", "60", "-o", "a.pgn"]).done();
    let pack = |model: &str| folder.ign(&["pack", "-fo", "a.ign", "a.pgn", "--model", model]);
    let run = pack("equal.model");
    let said = |err: &str| {
        err.contains(
            "% more with the move model of --model than with the built-in one: leave it out",
        )
    };
    assert!(said(&run.err), "{}", run.err);
    run.done();
    let text = folder.ign(&["unpack", "-qc", "a.ign"]).done();
    assert!(text == folder.read("a.pgn"));
    let append = ["append", "a.ign", "a.pgn", "--model", "equal.model"];
    let run = folder.ign(&append);
    assert!(said(&run.err), "{}", run.err);
    let run = pack("same.model");
    assert!(!said(&run.err), "{}", run.err);
}

#[test]
fn packing_with_a_model_is_continued_with_the_same_model_alone() {
    let folder = Folder::with("a.pgn", games(300));
    other_model(&folder, "my.model", 9);
    other_model(&folder, "other.model", 10);
    let pack = ["pack", "a.pgn", "-qB", "8K", "-o"];
    let with = |name: &'static str| [&pack[..], &["a.ign", "--resume", "--model", name]].concat();
    folder
        .ign(&[&pack[..], &["whole.ign", "--model", "my.model"]].concat())
        .done();
    let whole = folder.read("whole.ign");
    let archive = ign_archive::Archive::open(folder.path("whole.ign")).unwrap();
    let blocks = archive.blocks();
    assert_eq!((blocks[0].games, models(&folder, "whole.ign")), (0, 2));
    // Without a whole block any model continues.
    for (end, said) in [
        (blocks[0].offset + 700, None),
        (
            blocks[1].offset,
            Some("it was packed with other options, models or inputs"),
        ),
        (
            blocks[5].offset + 9,
            Some("it was packed with other models"),
        ),
    ] {
        let part = &whole[..end as usize];
        folder.write("a.ign.part", part);
        if let Some(said) = said {
            let start = "ign: a.ign.part: what is kept of the archive cannot be continued: ";
            let without = [&pack[..], &["a.ign", "--resume"]].concat();
            for args in [without, with("other.model")] {
                let run = folder.ign(&args);
                assert_eq!(run.code, Some(1), "{}", run.err);
                assert!(
                    run.err.starts_with(&format!("{start}{said}")),
                    "{}",
                    run.err
                );
            }
            assert!(folder.read("a.ign.part").len() as u64 >= blocks[1].offset);
        }
        folder.ign(&with("my.model")).done();
        assert!(folder.read("a.ign") == whole, "{end}");
        folder.remove("a.ign");
    }
}

#[test]
fn games_whose_model_nobody_has_keep_what_needs_no_moves() {
    let folder = Folder::with("a.pgn", clocked_games(60, 3));
    other_model(&folder, "my.model", 9);
    folder
        .ign(&["pack", "-q", "a.pgn", "--model", "my.model"])
        .done();
    let list = without_eco(folder.ign(&["list", "a.ign"]).done());
    let exported = |archive| {
        folder
            .ign(&[
                "export",
                "-qc",
                archive,
                "--columns",
                "White,Result",
                "--format",
                "csv",
            ])
            .done()
    };
    let columns = exported("a.ign");
    let mut bytes = folder.read("a.ign");
    let archive = ign_archive::Archive::open(folder.path("a.ign")).unwrap();
    for block in archive.blocks().iter().filter(|block| block.games == 0) {
        bytes[(block.offset + block.stored_len - 10) as usize] ^= 1;
    }
    folder.write("bad.ign", bytes);
    // Neither copy is in the archive any more.
    let run = folder.ign(&["recover", "bad.ign", "-o", "lost.ign"]);
    let id = "needs the move model 1:";
    let remedy = "ign recover --model FILE restores it from its file";
    assert_eq!(run.code, Some(4));
    assert!(
        run.err.contains(id) && run.err.contains(remedy),
        "{}",
        run.err
    );
    for args in [
        &["get", "lost.ign", "3"][..],
        &["list", "lost.ign"],
        &["unpack", "-c", "lost.ign"],
        &["find", "lost.ign", "--commented", "--count"],
        &["stats", "lost.ign"],
        &["verify", "lost.ign"],
        &["transcode", "--coding", "ign", "lost.ign", "-o", "b.ign"],
    ] {
        let run = folder.ign(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.err);
        for said in [
            "lost.ign: block 1: ",
            id,
            "games 1..60",
            "ign recover --model FILE restores",
        ] {
            assert!(run.err.contains(said), "{args:?}: {}", run.err);
        }
        assert_eq!(run.err.lines().count(), 1, "{args:?}: {}", run.err);
        assert!(run.out.is_empty(), "{args:?}");
    }
    let run = folder.ign(&["list", "lost.ign", "--damaged"]);
    assert!(
        run.code == Some(4) && without_eco(run.out) == list,
        "{}",
        run.err
    );
    let run = folder.ign(&["get", "lost.ign", "3", "--damaged"]);
    assert!(run.code == Some(4) && run.out.is_empty(), "{}", run.err);
    assert!(
        run.err
            .contains("left out games 1..60, block 1: needs the move model"),
        "{}",
        run.err
    );
    assert_eq!(exported("lost.ign"), columns);
    // Any archive that holds the model restores it.
    folder
        .ign(&["merge", "-q", "lost.ign", "a.ign", "-o", "both.ign"])
        .done();
    let text = folder.read("a.pgn");
    assert!(text_of(&folder, "both.ign") == [&text[..], &text].concat());
}

#[test]
fn models_of_go_are_embedded_too() {
    let folder = Folder::new();
    folder.write("a.sgf", ign_testing::go::collection(30));
    folder
        .ign(&["pack", "-q", "--embed", "a.sgf", "-o", "a.ign"])
        .done();
    let info = String::from_utf8(folder.ign(&["info", "a.ign"]).done()).unwrap();
    assert!(info.contains("move model of Go 2:"), "{info}");
    folder.ign(&["verify", "a.ign"]).done();
}
