//! Do `ign encode` and `ign decode` reproduce the numbers of the documents?
//!
//! Document 000 is W. Entriken's Integer Game Notation (2008), document 001 an answer on encoding
//! chess positions. The tests `notation_known_values` follow their errors to the letter; here the
//! output of the command is tested.

use ign_testing::{Run, variant_games};
use serde_json::Value;

use crate::util::Folder;

/// The game of document 000.
const FISCHER_SPASSKY: &str = "[Event \"F/S Return Match\"]
[Date \"1992.11.04\"]
[Round \"29\"]
[White \"Fischer, Robert J.\"]
[Black \"Spassky, Boris V.\"]
[Result \"1/2-1/2\"]

1.e4 e5 2.Nf3 Nc6 3.Bb5 {This opening is called the Ruy Lopez.} 3...a6
4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8  10.d4 Nbd7
11.c4 c6 12.cxb5 axb5 13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5
Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 20.Nbd2 Nxd6 21.Nc4 Nxc4 22.Bxc4 Nb6
23.Ne5 Rae8 24.Bxf7+ Rxf7 25.Nxf7 Rxe1+ 26.Qxe1 Kxf7 27.Qe3 Qg5 28.Qxg5
hxg5 29.b3 Ke6 30.a3 Kd6 31.axb4 cxb4 32.Ra5 Nd5 33.f3 Bc8 34.Kf2 Bf5
35.Ra7 g6 36.Ra6+ Kc5 37.Ke1 Nf4 38.g3 Nxh3 39.Kd2 Kb5 40.Rd6 Kc5 41.Ra6
Nf2 42.g4 Bd3 43.Re6 1/2-1/2
";
const WITH_LEGAL_MOVES: &str = "414544948623536137457453766428940222150104983665147877271701780732619071411016802177518083902648471410778014077775346194";
const AS_PUBLISHED: &str = "7194381939026059815816432728404500838835011451049668943765896734611284670867176530570061223664286778997380554654077775346194";

fn ign(args: &[&str]) -> Run {
    Folder::new().ign(args)
}

fn text(run: Run) -> String {
    String::from_utf8(run.done()).unwrap()
}

/// Asserts that the moves encode to the integer, and that it decodes to them.
#[track_caller]
fn assert_encodes(options: &[&str], moves: &str, integer: &str, result: &str) {
    let with = |command: &'static str, what: &str| {
        let args = [&[command], options, &[what]].concat();
        Folder::new().ign(&args)
    };
    assert_eq!(text(with("encode", moves)), format!("{integer}\n"));
    assert_eq!(text(with("decode", integer)), format!("{moves} {result}\n"));
}

#[test]
fn reproduces_the_integers_of_document_000() {
    assert_encodes(&[], "1. f3 e5 2. g4 Qh4#", "143395", "0-1");
    let folder = Folder::with("fs.pgn", FISCHER_SPASSKY);
    for (rules, integer, bits) in [
        ("legal", WITH_LEGAL_MOVES, 398),
        ("pseudo-legal", AS_PUBLISHED, 412),
    ] {
        let run = folder.ign(&["encode", "--rules", rules, "fs.pgn"]);
        assert!(
            run.err.contains(&format!("{bits} bits, 85 plies")),
            "{}",
            run.err
        );
        assert_eq!(text(run), format!("{integer}\n"));
        let moves = text(folder.ign(&["decode", "--rules", rules, integer]));
        assert!(moves.starts_with("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"));
        assert!(
            moves.ends_with("41. Ra6 Nf2 42. g4 Bd3 43. Re6 *\n"),
            "{moves}"
        );
        let again = folder.ign_fed(moves.as_bytes(), &["encode", "--rules", rules]);
        assert_eq!(text(again), format!("{integer}\n"));
    }
}

#[test]
fn games_beginning_with_f3_e5_are_195_modulo_400() {
    assert_eq!(text(ign(&["encode", "--mod", "1. f3 e5"])), "195 mod 400\n");
    // 143395, a game of document 000, is one of them.
    assert_eq!(143_395 % 400, 195);
    // 1. h4 is 20, which has the residue of 1. h4 Nh6 but is a shorter game.
    let run = ign(&["encode", "--mod", "1. h4 Nh6"]);
    assert!(
        run.err.contains("least integer of such a game is 420"),
        "{}",
        run.err
    );
    assert_eq!(text(run), "20 mod 400\n");
    let value: Value =
        serde_json::from_slice(&ign(&["encode", "--mod", "--json", "1. h4 Nh6"]).done()).unwrap();
    assert_eq!(value["least"], "420");
    let counted = [
        "encode",
        "--mod",
        "--coding",
        "counted",
        "--rotated",
        "1. e4 e5",
    ];
    assert_eq!(text(ign(&counted)), "233 mod 400\n");
    ign(&["encode", "--mod", "--coding", "weighted", "1. e4"]).failed(1, "no common residue");
}

#[test]
fn decodes_what_the_published_decoder_cannot() {
    assert_encodes(&[], "1. h4", "20", "*");
    // A game that ends before a forced move and one that ends after it have different integers.
    let [before, after] = ["1. e4 f5 2. Qh5+", "1. e4 f5 2. Qh5+ g6"];
    let [short, long] = [before, after].map(|moves| text(ign(&["encode", moves])));
    assert_ne!(short, long);
    assert_eq!(
        text(ign(&["decode", short.trim()])),
        format!("{before} *\n")
    );
    assert_eq!(text(ign(&["decode", long.trim()])), format!("{after} *\n"));
}

#[test]
fn reproduces_the_worked_example_of_document_001() {
    let options = ["--coding", "counted", "--rotated"];
    let moves = "1. e4 e5 2. Nf3 f6";
    let args = [&["encode", "--json", "-v"], &options[..], &[moves]].concat();
    let value: Value = serde_json::from_slice(&ign(&args).done()).unwrap();
    assert_eq!(value["integer"], "225833");
    let steps = value["moves"].as_array().unwrap();
    let values: Vec<&str> = steps.iter().map(|s| s["value"].as_str().unwrap()).collect();
    assert_eq!(values, ["13", "233", "5433", "225833"]);
    let digits: Vec<_> = steps
        .iter()
        .map(|s| (s["digit"].as_u64(), s["base"].as_u64()))
        .collect();
    let printed = [(13, 20), (11, 20), (13, 29), (19, 29)].map(|(k, n)| (Some(k), Some(n)));
    assert_eq!(digits, printed);
    let args = [&["decode", "--plies", "4"], &options[..], &["225833"]].concat();
    assert_eq!(text(ign(&args)), format!("{moves} *\n"));
    // "g = 0 denotes a valid game, the one where the piece on the lowest square moves to the
    // lowest square it can."
    let args = [&["decode", "--plies", "1"], &options[..], &["0"]].concat();
    assert_eq!(text(ign(&args)), "1. Na3 *\n");
    ign(&["decode", "--coding", "counted", "0"]).failed(1, "the number of plies is needed");
}

#[test]
fn end_moves_record_how_a_game_ended() {
    let coding = ["--coding", "ign-end"];
    // Moves 14, 8, 15, 17 of 20, 20, 19, 30, each base plus one; after mate there is no end move.
    let mate = 14 + 21 * (8 + 21 * (15 + 20 * 17));
    assert_encodes(&coding, "1. f3 e5 2. g4 Qh4#", &mate.to_string(), "0-1");
    let encode = |moves: &str| text(ign(&["encode", "--coding", "ign-end", moves]));
    assert_eq!(encode("1. h4 *"), format!("{}\n", 19 + 21 * 20));
    assert_eq!(encode("1. h4 1-0"), format!("{}\n", 19 + 21 * 20));
    assert_eq!(
        encode("1. h4 1/2-1/2"),
        format!("{}\n", 19 + 21 * (20 + 21 * 20))
    );
    let drawn = encode("1. h4 1/2-1/2");
    let args = ["decode", "--coding", "ign-end", drawn.trim()];
    assert_eq!(text(ign(&args)), "1. h4 1/2-1/2\n");
    let value: Value = serde_json::from_slice(
        &ign(&["decode", "--json", "--coding", "ign-end", drawn.trim()]).done(),
    )
    .unwrap();
    assert_eq!(value["ending"], "draw agreed");
}

#[test]
fn weighted_integers_of_likely_games_are_short() {
    let folder = Folder::with("fs.pgn", FISCHER_SPASSKY);
    for style in ["amateurs", "masters", "engines"] {
        let args = [
            "encode", "--coding", "weighted", "--style", style, "--json", "-v", "fs.pgn",
        ];
        let value: Value = serde_json::from_slice(&folder.ign(&args).done()).unwrap();
        assert!(value["bits"].as_u64().unwrap() < 300, "{}", value["bits"]);
        let integer = value["integer"].as_str().unwrap();
        // The value of the first step is the integer; that of the last step is the second end move.
        let steps = value["moves"].as_array().unwrap();
        assert_eq!(steps.len(), 87);
        assert_eq!(steps[0]["value"], integer);
        let last = &steps[86];
        assert_eq!(last["value"], last["digit"].to_string());
        let args = ["decode", "--coding", "weighted", "--style", style, integer];
        let moves = text(folder.ign(&args));
        assert!(moves.ends_with("43. Re6 1/2-1/2\n"), "{moves}");
    }
}

#[test]
fn writes_and_parses_three_bases() {
    for (option, written) in [("--hex", "0x23023"), ("--bits", "0b100011000000100011")] {
        assert_eq!(
            text(ign(&["encode", option, "1. f3 e5 2. g4 Qh4#"])),
            format!("{written}\n")
        );
        assert_eq!(text(ign(&["decode", written])), "1. f3 e5 2. g4 Qh4# 0-1\n");
    }
    let table = text(ign(&["encode", "-v", "1. f3 e5 2. g4 Qh4#"]));
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["move", "digit", "base", "so", "far"]);
    assert_eq!(rows[1], ["1.", "f3", "15", "20", "15"]);
    assert_eq!(rows[2], ["1...", "e5", "9", "20", "195"]);
    assert_eq!(rows[3], ["2.", "g4", "16", "19", "6595"]);
    assert_eq!(rows[4], ["2...", "Qh4#", "18", "30", "143395"]);
    assert_eq!(rows[5], ["143395"]);
}

#[test]
fn tags_and_options_set_start_and_variant() {
    let pgn = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... e5 8. e4 Kd7 *\n\n\
               [Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 *\n\n[Event \"none\"]\n\n*\n";
    let folder = Folder::with("a.pgn", pgn);
    let integers = text(folder.ign(&["encode", "a.pgn"]));
    let integers: Vec<&str> = integers.lines().collect();
    let fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7";
    let first = text(folder.ign(&["decode", "--fen", fen, integers[0]]));
    assert_eq!(
        first,
        format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n7... e5 8. e4 Kd7 *\n")
    );
    assert_eq!(
        text(folder.ign_fed(first.as_bytes(), &["encode"])),
        format!("{}\n", integers[0])
    );
    let second = text(folder.ign(&["decode", "--variant", "crazyhouse", integers[1]]));
    assert_eq!(
        second,
        "[Variant \"crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 *\n"
    );
    assert_eq!(integers[2], "0");
    // Movetext alone may hold several games.
    assert_eq!(
        text(ign(&["encode", "1. h4 1-0 1. f3 e5 2. g4 Qh4# 0-1"])),
        "20\n143395\n"
    );
}

#[test]
fn games_of_every_variant_round_trip() {
    let pgn = variant_games(1);
    for coding in ["ign", "ign-end", "weighted"] {
        for game in pgn.split_inclusive("1-0\n\n") {
            let tag = |name: &str| {
                let start = game.split(&format!("[{name} \"")).nth(1)?;
                start.split('"').next()
            };
            let variant = tag("Variant").unwrap();
            let encode = ["encode", "--coding", coding];
            let integer = text(Folder::new().ign_fed(game.as_bytes(), &encode));
            let mut args = vec!["decode", "--coding", coding, "--variant", variant];
            if let Some(fen) = tag("FEN") {
                args.extend(["--fen", fen]);
            }
            args.push(integer.trim());
            let back = text(ign(&args));
            let moves = |text: &str| {
                let moves = text
                    .rsplit("\n\n")
                    .find(|part| !part.trim().is_empty())
                    .unwrap();
                moves
                    .trim()
                    .rsplit_once(' ')
                    .map_or(String::new(), |(moves, _)| moves.to_string())
            };
            assert_eq!(moves(&back), moves(game), "{variant} {coding}");
        }
    }
}

#[test]
fn reports_what_cannot_be_encoded_or_decoded() {
    ign(&["encode", "1. e4 e5 2. Ke3"]).failed(1, "2. Ke3 is not a legal move after 1... e5");
    ign(&["encode", "1. e5"]).failed(1, "1. e5 is not a legal move at the start");
    ign(&["encode", "--fen", "x", "1. e4"]).failed(1, "no game of chess starts at 'x'");
    ign(&["encode", "--variant", "go", "1. e4"]).failed(1, "not one of chess");
    ign(&["encode", ""]).failed(1, "no game");
    ign(&["encode", "--rotated", "--variant", "atomic", "1. e4"]).failed(1, "to chess");
    ign(&["encode", "--rotated", "--coding", "weighted", "1. e4"]).failed(1, "legal moves");
    let folder = Folder::with(
        "a.pgn",
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e5 *\n",
    );
    let run = folder.ign(&["encode", "a.pgn"]);
    // The games before the wrong one are printed.
    assert_eq!(run.out, b"14\n");
    run.failed(2, "a.pgn: game 2: 1. e5 is not a legal move");
    folder.write("b.pgn", "[Event \"a\"]\n\n1. e4 * e5\n");
    folder
        .ign(&["encode", "b.pgn"])
        .failed(2, "there are moves after the result");
    folder.write("c.pgn", "[Variant \"Seirawan\"]\n\n1. e4 *\n");
    folder
        .ign(&["encode", "c.pgn"])
        .failed(2, "unknown variant 'Seirawan'");
    for wrong in ["x", "1.5", "0xg"] {
        ign(&["decode", wrong]).failed(1, "is not a non-negative integer");
    }
    ign(&["decode", "--", "-5"]).failed(1, "is not a non-negative integer");
    // No move follows fool's mate.
    let beyond = (143_395u64 + 20 * 20 * 19 * 30).to_string();
    ign(&["decode", &beyond]).failed(1, "the game is over, but the integer has more digits");
    ign(&["decode", "--coding", "ign-end", &(20 + 21 * 5).to_string()]).failed(1, "after the end");
    ign(&["decode", "--coding", "counted", "--plies", "1", "20"]).failed(1, "has more digits");
    ign(&["decode", "--plies", "3", "143395"]).failed(1, "the number of plies is needed");
    let huge = format!("0x{}", "f".repeat(200_000));
    folder
        .ign_fed(huge.as_bytes(), &["decode"])
        .failed(2, "800000 bits");
    folder
        .ign_fed(b"143395\n\nx\n", &["decode"])
        .failed(2, "line 3");
}

#[test]
fn errors_quote_text_without_control_characters() {
    let folder = Folder::with(
        "noise.pgn",
        "e4 \x1b[31mred\x07".to_string() + &"x".repeat(5000),
    );
    let run = folder.ign(&["encode", "noise.pgn"]);
    assert!(
        !run.err.trim_end().contains(|c: char| c.is_control()),
        "{}",
        run.err
    );
    assert!(run.err.len() < 300, "{}", run.err);
    run.failed(2, "noise.pgn: ");
    folder.write("a.pgn", "1. e4 e5 *");
    folder.ign(&["pack", "a.pgn"]).done();
    folder
        .ign(&["encode", "a.ign"])
        .failed(1, "ign unpack returns the text");
    let archive = folder.ign(&["encode", "a.pgn"]).done();
    assert_eq!(archive, b"194\n");
}

/// The first 51 moves of Rin and Kajiwara, 1970: the record of document 002.
const RIN_KAJIWARA: &str = "pddppqdcdececfcdqkjqdgfcckcmpfpnnpnnokqqqppprqqrpoopoooqnoqorpqmroqnonom\
    nmnlmnolornqprmqlmrrpsnkojlkip";

#[test]
fn encodes_go_games_with_their_signatures() {
    let moves = RIN_KAJIWARA.as_bytes().chunks(2);
    let letters = moves.zip(["B", "W"].into_iter().cycle());
    let record = |(m, color)| format!(";{color}[{}]", std::str::from_utf8(m).unwrap());
    let sgf = format!("(;GM[1]{})", letters.map(record).collect::<String>());
    let folder = Folder::with("game.sgf", &sgf);
    for options in [&[][..], &["--coding", "ign-end"], &["--coding", "counted"]] {
        let run = folder.ign(&[&["encode", "game.sgf"], options].concat());
        let words = "51 plies, signature A=qqol?? B=rpip??";
        assert!(run.err.contains(words), "{}", run.err);
        let integer = String::from_utf8(run.done()).unwrap();
        let plies = ["--plies", "51"];
        let plies = &plies[..if options.ends_with(&["counted"]) {
            2
        } else {
            0
        }];
        let args = [&["decode", "--go", integer.trim()], options, plies].concat();
        let back = String::from_utf8(folder.ign(&args).done()).unwrap();
        assert_eq!(
            back.replace('\n', ""),
            sgf.replace("GM[1]", "GM[1]FF[4]SZ[19]")
        );
    }
    // pd is number 73 of 362, dp then number 288 of 361.
    let two = folder.ign(&["encode", "-v", "(;B[pd];W[dp])"]).done();
    let two = String::from_utf8(two).unwrap();
    assert!(two.ends_with(&format!("{}\n", 73 + 362 * 288)), "{two}");
    assert!(two.contains("\n2. dp"), "{two}");
    let begins = folder.ign(&["encode", "--mod", "(;B[pd];W[dp])"]).done();
    let residue = format!("{} mod {}\n", 73 + 362 * 288, 362 * 361);
    assert_eq!(String::from_utf8(begins).unwrap(), residue);
    // The games before a wrong one are printed.
    let collection = folder.ign(&["encode", "(;SZ[19];B[pd];W[dp])(;SZ[19];B[aa];W[aa])"]);
    assert!(collection.err.contains("game 2: move 2 is not legal"));
    assert_eq!(collection.out, format!("{}\n", 73 + 362 * 288).as_bytes());
    // A handicap and a pass.
    let handicap = "(;SZ[9]HA[2]AB[cc][gg];W[ee];B[];W[cg])";
    let integer = folder.ign(&["encode", handicap]).done();
    let integer = String::from_utf8(integer).unwrap();
    let head = "--go=(;SZ[9]HA[2]AB[cc][gg])";
    let back = folder.ign(&["decode", head, integer.trim()]).done();
    let back = String::from_utf8(back).unwrap();
    assert_eq!(back, "(;GM[1]FF[4]SZ[9]AB[cc][gg]\n;W[ee];B[];W[cg])\n");
    for (args, words) in [
        (&["encode", "(;B[aa];W[aa])"][..], "move 2 is not legal"),
        (
            &["encode", "(;SZ[53];B[aa])"],
            "does not start a game of Go",
        ),
        (&["encode", "--rotated", "(;B[aa])"], "to chess, not to Go"),
        (
            &["encode", "--coding", "weighted", "(;B[aa])"],
            "to chess, not to Go",
        ),
        (&["encode", "(;B[pd];W[dp];B[q"], "cut off after move 2"),
        (&["encode", "gone.sgf"], "gone.sgf: no such file"),
        (&["encode", "."], "is a directory"),
        (
            &["decode", "--go=(;SZ[99])", "1"],
            "is not a starting position of Go",
        ),
        (
            &["decode", "--go=(;B[aa])", "1"],
            "is not a starting position of Go",
        ),
        (
            &["decode", "--go", "--fen", "x", "1"],
            "to chess, not to Go",
        ),
    ] {
        let run = folder.ign(args);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
        assert!(matches!(run.code, Some(1 | 2)), "{args:?}");
    }
}
