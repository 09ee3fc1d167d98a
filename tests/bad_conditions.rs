//! Does every wrong condition give an error that names its flag and says what to write?

use ign_testing::games;

use crate::util::Folder;

/// Arguments of `ign find`, and words of the error beside the flag.
const CASES: &[(&[&str], &str)] = &[
    (&["--elo", "x"], "write a value"),
    (&["--elo", ""], "write a value"),
    (&["--elo", ".."], "write a value"),
    (&["--elo", "2500..2200"], "write the lower end first"),
    (&["--white-elo", "70000"], "write a value"),
    (&["--black-elo", "-5"], "write a value"),
    (&["--elo-diff", "-100..-200"], "write the lower end first"),
    (&["--plies", "1...3"], "write a value"),
    (
        &["--date", "2013-13"],
        "such as 2013-01-05, 2013-01 or 2013",
    ),
    (&["--date", "2014..2013"], "write the lower end first"),
    (&["--eco", "B2"], "an ECO code from A00 to E99"),
    (&["--result", "2-0"], "write 1-0, 0-1"),
    (&["--result", "1-0,x"], "write 1-0, 0-1"),
    (&["--speed", "fast"], "write one of ultraBullet"),
    (&["--ending", "mate"], "write one of checkmate"),
    (&["--players", "a;b", "c"], "write two names"),
    (&["--players", "a", ""], "write two names"),
    (&["--players", "a"], "2 values required"),
    (&["--tag", "Site"], "write NAME=REGEX"),
    (&["--tag", "Site=("], "not a regular expression"),
    (&["--tag", "Site=(a{1000}){1000}"], "it is too long"),
    (&["--exclude", "eco"], "write NAME=VALUE"),
    (&["--exclude", "eco=x"], "an ECO code from A00 to E99"),
    (&["--exclude", "econ=B20"], "did you mean eco?"),
    (&["--exclude", "final=true"], "cannot be excluded"),
    (&["--exclude", "exclude=eco=B20"], "cannot be excluded"),
    (&["--id", "a b"], "write the id"),
    (&["--opening", "1. e5"], "write the opening"),
    (&["--opening", "371395"], "write the opening"),
    (&["--opening", ""], "write the opening"),
    (&["--signature", "e4"], "write A= or B="),
    (
        &["--signature", "A=e4e4e4", "b.ign"],
        "archives are named before --signature",
    ),
    (&["--elo", "2000..2100;2200.."], "several with commas"),
    (&["--elo", "2000..2100,"], "several with commas"),
    (&["--elo-diff", "1.5"], "several with commas"),
    (&["--date", "2013 2015"], "several with commas"),
    (&["--date", "2013,yesterday"], "several with commas"),
    (&["--plies", "5,9..7"], "write the lower end first"),
    (&["--eco", "B20/C50"], "an ECO code from A00 to E99"),
    (&["--signature", "A=e4e4e4", "A=e4e4e4"], "given twice"),
    (&["--like", "none.pgn"], "name a PGN file"),
    (&["--like", "empty.pgn"], "empty.pgn"),
    (&["--like", "a.ign"], "ign unpack"),
    (&["--position", "8/8"], "write a FEN"),
    (&["--position", "8/8/4k3/8/8/4K3/4P3/8"], "no side to move"),
    (
        &["--position", "8/8/4k3/8/8/4K3/4P3/8 w"],
        "no castling rights",
    ),
    (&["--board", "8/8/8"], "write the eight ranks as in a FEN: "),
    (&["--date", "2013-02-30"], "is not a date"),
    (&["--material", "RPK"], "king"),
    (&["--material", "Q=x"], "the numbers of some pieces"),
    (&["--material", "Q=2..1"], "ends before it starts"),
    (&["--pattern", "Kz9"], "pattern"),
    (&["--final"], "add position"),
    (&["--flipped"], "add position"),
    (&["--lasting", "8"], "add position"),
    (&["--lasting", "0", "--material", "KRKP"], "such as 8"),
    (&["--later", "material=KRKP"], "add position"),
    (
        &["--later", "KRKP", "--material", "KRPKR"],
        "such as material=KRKR",
    ),
    (
        &["--later", "eco=B20", "--material", "KRPKR"],
        "such as material=KRKR",
    ),
    (&["--limit", "0"], "at least 1"),
    (&["--limit", "-1"], "unexpected argument"),
    (&["--sample", "0"], "at least 1"),
    (&["--sample", "5", "--limit", "2"], "--limit"),
    (&["--seed", "5"], "--sample"),
    (&["--coding", "ign"], "-o"),
    (&["--pgn", "--list"], "--list"),
];

#[test]
fn errors_name_the_flag_and_what_to_write() {
    let folder = Folder::with("a.pgn", games(10));
    folder.write("empty.pgn", "");
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    for (args, words) in CASES {
        let run = folder.ign(&[&["find", "a.ign"][..], args].concat());
        assert!(run.out.is_empty(), "{args:?}");
        // The parser takes a value that starts with a hyphen for another flag.
        let flag = match *words {
            "unexpected argument" => args[1],
            _ => args[0],
        };
        assert!(run.err.contains(flag), "{args:?}: {}", run.err);
        run.failed(1, words);
    }
    assert_eq!(folder.names(), ["a.ign", "a.pgn", "empty.pgn"]);
}

#[test]
fn control_characters_of_a_value_are_not_printed() {
    let folder = Folder::with("a.pgn", games(10));
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    for flag in ["--elo", "--opening", "--position", "--tag", "--nonsense"] {
        let run = folder.ign(&["find", "a.ign", flag, "x\u{1b}[31m\u{7}y"]);
        let mut characters = run.err.chars();
        assert!(
            !characters.any(|c| c.is_control() && c != '\n'),
            "{}",
            run.err
        );
        run.failed(1, flag);
    }
}

#[test]
fn a_text_that_finds_nothing_gets_advice_about_wildcards() {
    let folder = Folder::with("a.pgn", games(10));
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    let advice = "--player must match the whole value; * matches any text: --player \"*nobody*\"";
    folder
        .ign(&["find", "a.ign", "--player", "nobody"])
        .failed(1, advice);
    folder
        .ign(&["find", "a.ign", "--player", "nobody", "--elo", "9000.."])
        .failed(1, advice);
    folder
        .ign(&["find", "a.ign", "--time-control", "7+0"])
        .failed(1, "--time-control is in seconds");
    let text = String::from_utf8(games(10)).unwrap();
    let (_, player) = text.split_once("[White \"").unwrap();
    let (player, _) = player.split_once('"').unwrap();
    for quiet in [
        &["find", "a.ign", "--player", "nobody", "-q"][..],
        // Games of the player exist.
        &["find", "a.ign", "--player", player, "--elo", "9000.."],
        &["find", "a.ign", "--player", "nobody*"],
        &["find", "a.ign", "--elo", "9000.."],
    ] {
        let run = folder.ign(quiet);
        assert!(!run.err.contains("must match"), "{quiet:?}: {}", run.err);
        assert_eq!(run.code, Some(1));
    }
}
