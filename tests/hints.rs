//! Is it said what a command understood, where a newcomer may mean something else?

use ign_testing::{games, variant_games};

use crate::util::Folder;

/// An archive of a game of chess with ratings, and one of Go.
fn folder() -> Folder {
    let game = "[White \"Ann\"]\n[Black \"Ben\"]\n[WhiteElo \"1800\"]\n[BlackElo \"1800\"]\n[Annotator \"Cid\"]\n\n1. e4 *\n\n";
    let folder = Folder::with("a.pgn", game);
    folder.write("odd.pgn", variant_games(12));
    folder.write("go.sgf", "(;GM[1]SZ[9]PB[Lee]PW[Kim];B[aa];W[bb])\n");
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    folder.ign(&["pack", "-q", "go.sgf"]).done();
    folder
}

#[test]
fn a_single_rating_means_exactly_this_one() {
    let folder = folder();
    for (flag, value, hint) in [
        ("--elo", "1800", true),
        ("--white-elo", "1800", true),
        ("--black-elo", "1800", true),
        ("--mean-elo", "1800", true),
        ("--elo-diff", "0", true),
        ("--elo", "1800..", false),
        ("--mean-elo", "1700..1799,1800", false),
        ("--plies", "1", false),
        ("--date", "2013", false),
    ] {
        let run = folder.ign(&["list", "a.ign", flag, value]);
        let expected = format!(
            "{flag} {value} means exactly {value}; {flag} {value}.. means at least {value}\n"
        );
        assert_eq!(
            run.err.contains(&expected),
            hint,
            "{flag} {value}: {}",
            run.err
        );
        let quiet = folder.ign(&["list", "a.ign", "-q", flag, value]);
        assert_eq!(quiet.err, "", "{flag} {value}");
        assert_eq!(quiet.out, run.out);
    }
    for command in ["find", "list", "tree", "duplicates"] {
        let run = folder.ign(&[command, "a.ign", "--elo", "1800"]);
        assert!(
            run.err.contains("means exactly 1800"),
            "{command}: {}",
            run.err
        );
    }
    let run = folder.ign(&["export", "a.ign", "-c", "--format", "csv", "--elo", "1800"]);
    assert!(run.err.contains("means exactly 1800"), "{}", run.err);
}

#[test]
fn a_tag_that_no_game_has_is_named_with_those_that_games_have() {
    let folder = folder();
    for (args, hint) in [
        (
            &["--tag", "Anotator=x"][..],
            "no game has the tag Anotator; did you mean Annotator?",
        ),
        (
            &["--tag", "white=Ann"],
            "no game has the tag white; did you mean White?",
        ),
        (
            &["--tag", "Foo=x"],
            "no game has the tag Foo; the tags are Annotator, Black, BlackElo, White, WhiteElo",
        ),
        (&["--speed", "blitz"], "no game has the tag TimeControl; "),
        (&["--date", "2013"], "no game has the tag UTCDate or Date; "),
    ] {
        for command in ["find", "list", "tree"] {
            let args = [&[command, "a.ign"], args].concat();
            folder.ign(&args).failed(1, hint);
            let quiet = folder.ign(&[&args[..], &["-q"]].concat());
            assert_eq!((quiet.code, &*quiet.err), (Some(1), ""));
        }
    }
    let export = ["export", "a.ign", "-o", "a.csv", "--tag", "Foo=x"];
    folder.ign(&export).failed(1, "no game has the tag Foo");
    // Of several archives one is enough, and a value that no game has is not a tag that no game
    // has.
    for args in [
        &["find", "a.ign", "go.ign", "--tag", "PB=Ann"][..],
        &["find", "go.ign", "a.ign", "--tag", "White=Lee"],
        &["find", "a.ign", "--result", "1-0"],
    ] {
        let run = folder.ign(args);
        assert!(
            run.code == Some(1) && !run.err.contains("the tag"),
            "{}",
            run.err
        );
    }
    // Properties of Go have other names.
    let run = folder.ign(&["find", "go.ign", "--white", "Kim"]);
    assert!(
        run.err.contains("no game has the tag White; the tags are "),
        "{}",
        run.err
    );
}

/// The names that say what is in a file.
const NAMES: [(&[&str], &str); 7] = [
    (&["out.ign"], "an archive"),
    (&["out.idx"], "an index"),
    (&["out.pgn", "out.sgf"], "a text"),
    (
        &[
            "out.csv",
            "out.parquet",
            "out.arrow",
            "out.feather",
            "out.epd",
            "out.CSV",
        ],
        "a table",
    ),
    (&["out.jsonl", "out.ndjson"], "JSON lines"),
    (&["out.model"], "a model"),
    (&["out.pgn.gz", "out.zst"], "a compressed file"),
];

#[test]
fn no_file_gets_the_name_of_another_content() {
    let folder = folder();
    let writers: [(&[&str], &[&str]); 14] = [
        (&["pack", "a.pgn"], &["an archive"]),
        (&["merge", "a.ign"], &["an archive"]),
        (&["transcode", "a.ign", "--coding", "ign"], &["an archive"]),
        (&["recover", "a.ign"], &["an archive"]),
        (&["find", "a.ign"], &["an archive"]),
        (&["find", "a.ign", "--pgn"], &["a text"]),
        (&["find", "a.ign", "--json"], &["a text", "JSON lines"]),
        (&["find", "a.ign", "--list"], &["a text", "JSON lines"]),
        (&["get", "a.ign", "1"], &["a text"]),
        (&["duplicates", "a.ign", "a.pgn"], &["a text", "an archive"]),
        (&["sample", "-n", "1"], &["a text"]),
        (&["train", "odd.pgn", "--passes", "1"], &["a model"]),
        (&["unpack", "a.ign"], &["a text", "a table", "JSON lines"]),
        (&["index", "a.ign"], &["an index"]),
    ];
    for (command, own) in writers {
        for (names, what) in NAMES {
            for name in names {
                let args = [command, &["-q", "-o", name]].concat();
                let run = folder.ign(&args);
                if own.contains(&what) {
                    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
                    folder.remove(name);
                } else {
                    run.failed(1, &format!("{name}: this is the name of {what}, and "));
                }
            }
        }
        // Other names say nothing.
        folder.ign(&[command, &["-q", "-o", "out"]].concat()).done();
        folder.remove("out");
    }
    for name in [
        "out.csv",
        "out.parquet",
        "out.json",
        "out.jsonl",
        "out.arrow",
    ] {
        let find = ["find", "a.ign", "-o", name];
        folder.ign(&find).failed(1, "ign export writes tables");
    }
    folder
        .ign(&["find", "a.ign", "-q", "--json", "-o", "out.json"])
        .done();
    let other = ["export", "a.ign", "--format", "csv", "-o", "out.parquet"];
    folder.ign(&other).failed(1, "another format");
    for name in ["out.ign", "out.csv.gz"] {
        let named = ["export", "a.ign", "--format", "csv", "-o", name];
        folder.ign(&named).failed(1, "and a table would be written");
    }
    folder
        .ign(&["export", "a.ign", "-q", "--format", "csv", "-o", "out.txt"])
        .done();
}

#[test]
fn the_first_games_are_listed_and_exported() {
    let folder = Folder::with("a.pgn", games(40));
    folder.ign(&["pack", "-qB", "4K", "a.pgn"]).done();
    folder.write("b.ign", folder.read("a.ign"));
    let lines = |args: &[&str]| -> Vec<String> {
        let out = String::from_utf8(folder.ign(args).done()).unwrap();
        out.lines().map(str::to_owned).collect()
    };
    let all = lines(&["list", "a.ign"]);
    assert_eq!(lines(&["list", "a.ign", "--limit", "3"]), all[..3]);
    assert_eq!(lines(&["list", "a.ign", "--limit", "100"]), all);
    assert_eq!(
        lines(&["list", "a.ign", "11..30", "--limit", "4"]),
        all[10..14]
    );
    let found = lines(&["list", "a.ign", "--result", "1-0"]);
    assert_eq!(
        lines(&["list", "a.ign", "--result", "1-0", "--limit", "2"]),
        found[..2]
    );
    let both = lines(&["list", "a.ign", "b.ign"]);
    assert_eq!(
        lines(&["list", "a.ign", "b.ign", "--limit", "41"]),
        both[..41]
    );
    for limit in ["1", "41"] {
        for more in [&[][..], &["--result", "1-0"]] {
            let numbers =
                lines(&[&["list", "a.ign", "b.ign", "-q", "--limit", limit], more].concat());
            let csv = [
                "export", "a.ign", "b.ign", "-c", "--format", "csv", "--limit", limit,
            ];
            let rows = lines(&[&csv[..], &["--columns", "number"], more].concat());
            assert_eq!(rows.len(), numbers.len() + 1, "{limit} {more:?}");
            let rows = lines(&[&csv[..], &["--positions", "--columns", "game"], more].concat());
            let games: std::collections::BTreeSet<&String> = rows[1..].iter().collect();
            assert_eq!(games.len(), numbers.len(), "{limit} {more:?}");
        }
    }
    assert_eq!(lines(&["list", "a.ign", "--skip", "37"]), all[37..]);
    for args in [
        &["list", "a.ign"][..],
        &["list", "a.ign", "--result", "*,1-0,0-1,1/2-1/2"],
        &["list", "a.ign", "--sort", "elo", "--limit", "3"],
        &["list", "a.ign", "--json"],
        &["find", "a.ign"],
        &["find", "a.ign", "--list"],
        &["find", "a.ign", "--limit", "3", "--json"],
    ] {
        let args = [args, &["--skip", "40"]].concat();
        let run = folder.ign(&args);
        assert!(run.out.is_empty(), "{args:?}");
        run.failed(1, "--skip 40 leaves out all 40 games");
        let run = folder.ign(&[&args[..], &["-q"]].concat());
        assert_eq!((run.code, &*run.err), (Some(1), ""), "{args:?}");
    }
    folder
        .ign(&[
            "list", "a.ign", "--skip", "9", "--limit", "2", "--white", "nobody",
        ])
        .failed(1, "no game meets the conditions");
    let page = ["--limit", "5", "--skip", "10"];
    assert_eq!(
        lines(&[&["list", "a.ign"][..], &page].concat()),
        all[10..15]
    );
    let number = |line: &String| line.split('\t').next().unwrap().to_owned();
    for more in [&[][..], &["--sort", "plies:desc"], &["--result", "1-0"]] {
        let listed = lines(&[&["list", "a.ign", "-q"][..], &page, more].concat());
        let numbers: Vec<String> = listed.iter().map(number).collect();
        let csv = [
            "export",
            "a.ign",
            "-c",
            "--format",
            "csv",
            "--columns",
            "number",
        ];
        let rows = lines(&[&csv[..], &page, more].concat());
        assert_eq!(rows[1..], numbers, "{more:?}");
    }
    for command in [&["list", "a.ign"][..], &["export", "a.ign", "-o", "x.csv"]] {
        let none = [command, &["--limit", "0"]].concat();
        folder
            .ign(&none)
            .failed(1, "write a number of games, at least 1");
    }
}

#[test]
fn a_list_is_written_to_a_file() {
    let folder = folder();
    let listed = folder.ign(&["list", "a.ign"]).done();
    folder.ign(&["list", "a.ign", "-o", "a.tsv"]).done();
    assert_eq!(folder.read("a.tsv"), listed);
    let again = ["list", "a.ign", "-o", "a.tsv"];
    folder.ign(&again).failed(1, "already exists");
    folder
        .ign(&["list", "a.ign", "--json", "-fo", "a.tsv", "--limit", "1"])
        .done();
    assert!(folder.read("a.tsv").starts_with(b"{"));
    folder
        .ign(&["list", "a.ign", "-fo", "a.ign"])
        .failed(1, "a.ign");
}

#[test]
fn a_key_or_column_of_a_tag_that_no_game_has_is_named() {
    let folder = folder();
    for args in [
        &["find", "a.ign", "--sort", "tag:Anotator"][..],
        &["list", "a.ign", "--sort", "elo,tag:Anotator:desc"],
        &["count", "a.ign", "--by", "tag:Anotator"],
        &[
            "export",
            "a.ign",
            "-c",
            "--format",
            "csv",
            "--columns",
            "number,tag:Anotator",
        ],
    ] {
        let hint = "no game has the tag Anotator; did you mean Annotator?";
        let run = folder.ign(args);
        assert!(run.err.contains(hint), "{args:?}: {}", run.err);
        run.done();
        let quiet = folder.ign(&[args, &["-q"]].concat());
        assert!(!quiet.err.contains("the tag"), "{}", quiet.err);
    }
    for key in ["tag:Annotator", "round", "elo"] {
        let run = folder.ign(&["find", "a.ign", "--sort", key]);
        assert!(!run.err.contains("the tag"), "{key}: {}", run.err);
    }
    let wrong = ["find", "a.ign", "--sort", "mean-elo"];
    folder
        .ign(&wrong)
        .failed(1, "the mean of both ratings is the key elo");
}

#[test]
fn unknown_options_suggest_only_similar_ones() {
    let folder = folder();
    for (option, suggested) in [
        ("--fields", None),
        ("--limt", Some("'--limit'")),
        ("--resul", Some("'--result'")),
        ("--zzz", None),
    ] {
        let run = folder.ign(&["list", "a.ign", option]);
        assert!(run.err.contains(option), "{}", run.err);
        match suggested {
            Some(suggested) => assert!(run.err.contains(suggested), "{}", run.err),
            None => assert!(!run.err.contains("similar"), "{}", run.err),
        }
        assert_eq!(run.code, Some(1));
    }
}

#[test]
fn without_games_get_says_how_to_read_standard_input() {
    let folder = folder();
    let hint = "no game is named; - reads numbers from standard input";
    let run = folder.ign_fed(b"1\n", &["get", "a.ign"]);
    assert!(run.err.contains(hint), "{}", run.err);
    assert!(run.done().is_empty());
    let run = folder.ign_fed(b"1\n", &["get", "a.ign", "-q"]);
    assert_eq!(run.err, "");
    let run = folder.ign_fed(b"1\n", &["get", "a.ign", "-"]);
    assert!(run.err.is_empty() && !run.done().is_empty());
}

#[test]
fn forms_of_other_programs_are_answered_with_those_of_this_one() {
    let folder = folder();
    for (args, said) in [
        (&["--sort", "elo desc"][..], "write elo:desc"),
        (&["--sort", "-elo"], "write elo:desc"),
        (&["--sort", "rating"], "write elo"),
        (&["--elo", "1600-1999"], "write 1600..1999"),
        (&["--date", "2012-2013"], "write 2012..2013"),
        (&["--plies", "20-40,60"], "write 20..40"),
        (
            &["--material", "KK", "--later", "material=KRKR,lasting=8"],
            "\"material=KRKR;lasting=8\"",
        ),
    ] {
        for command in ["find", "list"] {
            let args = [&[command, "a.ign"], args].concat();
            folder.ign(&args).failed(1, said);
        }
    }
    let later = ["find", "a.ign", "--material", "KRKR", "--later"];
    let hint = "--lasting 8 is about the position before the later one; for that: --later \"material=KK;lasting=8\"";
    for (more, is_hinted) in [
        (&["material=KK", "--lasting", "8"][..], true),
        (&["material=KK;lasting=3", "--lasting", "8"], false),
        (&["material=KK"], false),
    ] {
        let run = folder.ign(&[&later[..], more].concat());
        assert_eq!(run.err.contains(hint), is_hinted, "{}", run.err);
    }
}

#[test]
fn without_games_and_without_a_pipe_get_says_what_is_missing() {
    let folder = folder();
    let get = |more: &[&str]| {
        let mut command = folder.command(&[&["get", "a.ign"], more].concat());
        command.stdin(std::process::Stdio::null()).output().unwrap()
    };
    let output = get(&[]);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        err.contains("no game is named, so none is printed: name games by number"),
        "{err}"
    );
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(get(&["-q"]).stderr.is_empty());
}

#[test]
fn games_are_named_on_standard_input() {
    let folder = Folder::with("a.pgn", games(40));
    folder.ign(&["pack", "-qB", "4K", "a.pgn"]).done();
    let numbers = folder
        .ign(&["find", "a.ign", "-q", "--result", "1-0"])
        .done();
    let found = folder
        .ign(&["find", "a.ign", "-q", "--result", "1-0", "--pgn"])
        .done();
    assert_eq!(
        folder.ign_fed(&numbers, &["get", "a.ign", "-"]).done(),
        found
    );
    let mixed = folder
        .ign(&["get", "a.ign", "7", "9..12", "3", "3", "40"])
        .done();
    let fed = folder.ign_fed(b" 9..12\t3\n\n3\r\n", &["get", "a.ign", "7", "-", "40"]);
    assert_eq!(fed.done(), mixed);
    // A search that found nothing.
    for args in [&["get", "a.ign", "-q"][..], &["get", "a.ign", "-"]] {
        let run = folder.ign(args);
        assert_eq!(
            (run.code, &*run.out, &*run.err),
            (Some(0), &b""[..], ""),
            "{args:?}"
        );
    }
    for (input, message) in [
        (
            &b"1 2..1"[..],
            "standard input: '2..1': the range ends before it starts",
        ),
        (b"1\n41\n", "a.ign: there is no game 41"),
        (b"0", "standard input: '0': games are numbered from 1"),
        (b"-", "standard input: '-': "),
        (b"caf\xe9", "standard input: "),
    ] {
        let run = folder.ign_fed(input, &["get", "a.ign", "-"]);
        assert!(run.out.is_empty());
        run.failed(1, message);
    }
    folder
        .ign(&["get", "b.ign"])
        .failed(1, "b.ign: no such file");
}
