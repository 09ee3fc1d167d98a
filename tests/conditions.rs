//! Does each condition of `ign find` select the games that it describes?

use crate::util::Folder;

/// A game with these tags, given as `Name=value`.
fn game(tags: &[&str], moves: &str) -> String {
    let tags = tags.iter().map(|tag| {
        let (name, value) = tag.split_once('=').unwrap();
        format!("[{name} \"{value}\"]\n")
    });
    format!("{}\n{moves}\n\n", tags.collect::<String>())
}

/// Pieces that go and return a number of times.
fn to_and_fro(moves: &str, times: usize) -> String {
    format!("{moves} ").repeat(times)
}

/// Seven games, each with something that the others lack.
fn games() -> String {
    [
        game(
            &[
                "Event=Rated Blitz game",
                "Site=https://lichess.org/aaaaaaaa",
                "White=Ann Adams",
                "Black=Ben",
                "Result=1-0",
                "UTCDate=2013.01.05",
                "WhiteElo=2300",
                "BlackElo=2250",
                "ECO=C20",
                "Opening=King's Pawn Game: Wayward Queen Attack",
                "TimeControl=300+0",
                "Termination=Normal",
            ],
            "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
        ),
        game(
            &[
                "Event=Rated Bullet game",
                "Site=https://lichess.org/bbbbbbbb",
                "White=Ben",
                "Black=Cal",
                "Result=0-1",
                "UTCDate=2013.01.07",
                "WhiteElo=1500",
                "BlackElo=1700",
                "ECO=A00",
                "Opening=Barnes Opening: Fool's Mate",
                "TimeControl=60+0",
                "Termination=Time forfeit",
            ],
            "1. f3 { [%clk 0:01:00] } 1... e5 2. g4 Qh4# 0-1",
        ),
        game(
            &[
                "Event=Match",
                "Site=Paris",
                "White=Dan",
                "Black=Eve",
                "Result=1/2-1/2",
                "Date=1997.05.??",
                "WhiteElo=?",
                "BlackElo=2600",
                "ECO=A05",
                "Round=3",
            ],
            &(to_and_fro("Nf3 Nf6 Ng1 Ng8", 2) + "1/2-1/2"),
        ),
        game(
            &[
                "Event=Study",
                "White=?",
                "Black=?",
                "Result=*",
                "TimeControl=-",
            ],
            "1. e4 { [%eval 0.2] } 1... e5 { the best reply } 2. f4 *",
        ),
        game(
            &[
                "Event=Endgame",
                "White=Flo",
                "Black=Gus",
                "Result=1/2-1/2",
                "FEN=8/8/4k3/8/8/4K3/4P3/8 w - - 99 80",
                "SetUp=1",
            ],
            "80. Kd4 Kd6 81. e3 Ke6 1/2-1/2",
        ),
        game(
            &[
                "Event=Endgame",
                "White=Flo",
                "Black=Gus",
                "Result=1/2-1/2",
                "FEN=8/8/4k3/8/8/3QK3/8/8 w - - 0 90",
                "SetUp=1",
            ],
            &(to_and_fro("Ke2 Kf7 Ke3 Ke6", 25) + "1/2-1/2"),
        ),
        game(
            &["Event=Casual", "White=Ann", "Black=Adams", "Result=1-0"],
            "1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3 Nf6 5. Ne2 Bg7 1-0",
        ),
    ]
    .concat()
}

/// A score of game 7 with a wrong and a missing move.
const SCORE: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qg4 Nf6 5. Ne2 1-0\n";

/// Arguments of `ign find`, and the games that they find.
const CASES: &[(&[&str], &[u64])] = &[
    (&[], &[1, 2, 3, 4, 5, 6, 7]),
    (&["--white", "ann*"], &[1, 7]),
    (&["--white", "Ann"], &[7]),
    (&["--black", "ben"], &[1]),
    (&["--player", "Ben"], &[1, 2]),
    (&["--player", "*Adams"], &[1, 7]),
    (&["--players", "Ben", "Cal"], &[2]),
    (&["--players", "cal", "ben"], &[2]),
    (&["--players", "Ben", "Ben"], &[]),
    (&["--players", "*", "ann*"], &[1, 7]),
    (&["--players", "*Adams", "Ben"], &[1]),
    (&["--players", "gus", "flo", "--result", "draw"], &[5, 6]),
    (&["--elo", "2200..2500"], &[1]),
    (&["--elo", "1500.."], &[1, 2]),
    (&["--elo", "1500..1700,2200..2500"], &[1, 2]),
    (&["--elo", "1500,1700"], &[2]),
    (&["--elo", "1500..1600,2200..2280"], &[]),
    (&["--elo", "1500", "--elo", "1700"], &[2]),
    (&["--exclude", "white=ann*"], &[2, 3, 4, 5, 6]),
    (&["--exclude", "eco=C20"], &[2, 3, 4, 5, 6, 7]),
    (&["--exclude", "eco=A00..E99"], &[4, 5, 6, 7]),
    (&["--material", "Q=1,KkPpRrBbNn=2"], &[6]),
    (&["--material", "q=1,KkPpRrBbNn=2"], &[]),
    (&["--material", "q=1,KkPpRrBbNn=2", "--flipped"], &[6]),
    (&["--material", "Q=1,KkPpRrBbNn=2", "--lasting", "90"], &[6]),
    (&["--material", "Q=1,KkPpRrBbNn=2", "--lasting", "900"], &[]),
    (
        &[
            "--pattern",
            "Pe4",
            "--later",
            "pattern=pe5",
            "--later",
            "pattern=Qh5",
            "--later",
            "pattern=Qf3",
        ],
        &[7],
    ),
    (
        &["--pattern", "Qh5", "--later", "pattern=pe5;lasting=2"],
        &[1, 7],
    ),
    (&["--pattern", "Qh5", "--later", "pattern=_e4"], &[]),
    (&["--elo", "1500..", "--exclude", "eco=C20"], &[2]),
    (
        &["--exclude", "white-elo=1500", "--exclude", "white=ann*"],
        &[3, 4, 5, 6],
    ),
    (
        &[
            "--exclude",
            "tag=Event=^Rated",
            "--exclude",
            "players=gus;flo",
        ],
        &[3, 4, 7],
    ),
    (&["--white-elo", "..2000"], &[2]),
    (&["--white-elo", "2300,1500"], &[1, 2]),
    (&["--black-elo", "2600"], &[3]),
    (&["--mean-elo", "..1600,2275"], &[1, 2]),
    (&["--elo-diff", "-200..-100"], &[2]),
    (&["--elo-diff", "-200,50"], &[1, 2]),
    (&["--elo-diff", "0.."], &[1]),
    (&["--date", "2013-01-05..2013-01-07"], &[1, 2]),
    (&["--date", "2013.01.06.."], &[2]),
    (&["--date", "1997"], &[3]),
    (&["--date", "1997,2013-01-07"], &[2, 3]),
    (&["--date", "2013-01-05,2013-01-07..2014"], &[1, 2]),
    (
        &["--date", "1997-05-01..1997-05-15,1997-05-16..1997-05-31"],
        &[],
    ),
    (&["--date", "..1997-05-20"], &[]),
    (&["--result", "1-0,0-1"], &[1, 2, 7]),
    (&["--result", "draw", "--result", "*"], &[3, 4, 5, 6]),
    (&["--eco", "A00..A05"], &[2, 3]),
    (&["--eco", "c20"], &[1]),
    (&["--eco", "A00..A02,C20"], &[1, 2]),
    (&["--opening-name", "barnes*"], &[2]),
    (&["--time-control", "300+0"], &[1]),
    (&["--time-control", "-"], &[4]),
    (&["--speed", "bullet,Correspondence"], &[2, 4]),
    (&["--event", "Rated*"], &[1, 2]),
    (&["--site", "paris"], &[3]),
    (&["--termination", "time forfeit"], &[2]),
    (&["--tag", "Round=^3$"], &[3]),
    (&["--tag", "Event=Rated", "--tag", "White=n{2}"], &[1]),
    (&["--tag", "NoSuchTag="], &[]),
    (&["--id", "bbbbbbbb"], &[2]),
    (&["--id", "https://lichess.org/aaaaaaaa/black#3"], &[1]),
    (&["--site", "https://lichess.org/aaaaaaaa"], &[1]),
    (&["--opening", "1. e4 e5 2. Qh5"], &[1, 7]),
    (&["--opening", "e2e4 e7e5 f2f4"], &[4]),
    (&["--opening", "10194"], &[4]),
    (&["--plies", "4..5"], &[2, 5]),
    (&["--plies", "9.."], &[6, 7]),
    (&["--plies", "10,3..5"], &[2, 4, 5, 7]),
    (&["--signature", "A=??????"], &[1, 2, 3, 4, 5, 6, 7]),
    (&["--signature", "A=e4????", "B=e4????"], &[]),
    (&["--like", "score.pgn"], &[7]),
    (&["--repetition"], &[3, 6]),
    (&["--fifty-moves"], &[5, 6]),
    (&["--ending", "checkmate"], &[1, 2]),
    (&["--ending", "time"], &[]),
    (&["--ending", "Repetition"], &[3, 6]),
    (&["--ending", "fifty"], &[]),
    (&["--ending", "repetition,checkmate"], &[1, 2, 3, 6]),
    (
        &["--ending", "resignation,agreed,insufficient,stalemate"],
        &[],
    ),
    (
        &[
            "--position",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
        ],
        &[1, 4, 7],
    ),
    (
        &[
            "--position",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
        ],
        &[],
    ),
    (
        &[
            "--board",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b - -",
        ],
        &[1, 4, 7],
    ),
    (
        &[
            "--board",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "--final",
        ],
        &[3],
    ),
    (&["--material", "KPK"], &[5]),
    (&["--material", "KQK", "--final"], &[6]),
    (&["--pattern", "Qh5,pe5"], &[1, 7]),
    (&["--pattern", "Qf7", "--final"], &[1]),
    (&["--has-clocks"], &[2]),
    (&["--has-evals"], &[4]),
    (&["--commented"], &[4]),
    (&["--commented=true"], &[4]),
    (&["--has-clocks=false"], &[1, 3, 4, 5, 6, 7]),
    (&["--has-evals=false", "--date", "2013"], &[1, 2]),
    (&["--repetition=false"], &[1, 2, 4, 5, 7]),
    (&["--fifty-moves=false"], &[1, 2, 3, 4, 7]),
    (&["--player", "Ben", "--result", "white"], &[1]),
    (
        &["--player", "Ben", "--eco", "A00", "--speed", "blitz"],
        &[],
    ),
];

#[test]
fn each_flag_selects_the_games_it_describes() {
    let folder = Folder::with("a.pgn", games());
    folder.write("score.pgn", SCORE);
    for options in [["--coding", "ign"], ["--coding", "weighted"]] {
        let pack = [&["pack", "-q", "-f", "a.pgn"][..], &options].concat();
        folder.ign(&pack).done();
        for (args, expected) in CASES {
            let run = folder.ign(&[&["find", "a.ign"][..], args].concat());
            let lines: String = expected.iter().map(|game| format!("{game}\n")).collect();
            let found = String::from_utf8_lossy(&run.out);
            assert_eq!(found, lines, "{args:?}: {}", run.err);
            let code = i32::from(expected.is_empty());
            assert_eq!(run.code, Some(code), "{args:?}: {}", run.err);
        }
    }
}

/// Tags, moves, and the ending.
const ENDINGS: &[(&[&str], &str, &str)] = &[
    (
        &["Termination=Time forfeit"],
        "1. f3 e5 2. g4 Qh4# 0-1",
        "checkmate",
    ),
    (&["Termination=Normal"], "1. e4 e5 1-0", "resignation"),
    (&[], "1. e4 e5 1-0", ""),
    (&["Termination=normal"], "1. e4 e5 1/2-1/2", "agreed"),
    (&["Termination=Normal"], "1. e4 e5 *", ""),
    (&["Termination=Time forfeit"], "1. e4 1-0", "time"),
    (
        &["Termination=Game drawn by timeout vs insufficient material"],
        "1. e4 1/2-1/2",
        "time",
    ),
    (
        &["Termination=Timo won by resignation"],
        "1. e4 0-1",
        "resignation",
    ),
    (
        &["Termination=Game drawn by agreement"],
        "1/2-1/2",
        "agreed",
    ),
    (&["Termination=Normal"], "1-0", ""),
    (&["Termination=Abandoned"], "1. e4 1-0", ""),
    (
        &["FEN=7k/8/8/6Q1/8/8/8/K7 w - - 0 1"],
        "1. Qg6 1-0",
        "stalemate",
    ),
    (
        &["FEN=7k/8/8/8/8/8/1p6/K7 w - - 0 1", "Termination=Normal"],
        "1. Kxb2 1/2-1/2",
        "insufficient",
    ),
    (&["FEN=7k/8/8/8/8/8/1p6/K7 w - - 0 1"], "1. Kxb2 *", ""),
    (
        &["FEN=8/8/4k3/8/8/3QK3/8/8 w - - 98 90"],
        "90. Ke2 Kf6 1/2-1/2",
        "fifty",
    ),
    (
        &["FEN=8/8/4k3/8/8/3QK3/8/8 w - - 97 90"],
        "90. Ke2 Kf6 1/2-1/2",
        "",
    ),
    (
        &[],
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2",
        "repetition",
    ),
    (
        &["Termination=Normal"],
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1-0",
        "resignation",
    ),
    (
        &["Termination=Normal"],
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. a3 1/2-1/2",
        "agreed",
    ),
    (
        &["Variant=Atomic", "Termination=Normal"],
        "1. e4 e5 1-0",
        "",
    ),
    (
        &["Variant=Atomic", "Termination=Time forfeit"],
        "1. e4 e5 1-0",
        "time",
    ),
];

#[test]
fn endings_follow_from_the_last_position_and_the_tags() {
    let games = ENDINGS.iter().map(|(tags, moves, _)| {
        let result = moves.rsplit(' ').next().unwrap();
        let result = format!("Result={result}");
        game(&[&["Event=x", &*result][..], tags].concat(), moves)
    });
    let folder = Folder::with("a.pgn", games.collect::<String>());
    for coding in ["ign", "weighted"] {
        folder
            .ign(&["pack", "-q", "-f", "a.pgn", "--coding", coding])
            .done();
        for indexed in [false, true] {
            if indexed {
                folder.ign(&["index", "-q", "-f", "a.ign"]).done();
            }
            for ending in
                "checkmate stalemate insufficient repetition fifty resignation time agreed"
                    .split(' ')
            {
                let run = folder.ign(&["find", "-q", "a.ign", "--ending", ending]);
                let found = String::from_utf8(run.out).unwrap();
                let expected = (1..).zip(ENDINGS).filter(|(_, (.., of))| *of == ending);
                let expected: String = expected.map(|(number, _)| format!("{number}\n")).collect();
                assert_eq!(found, expected, "{coding} {indexed} {ending}");
            }
        }
        std::fs::remove_file(folder.path("a.ign.idx")).unwrap();
    }
}

#[test]
fn list_takes_the_same_conditions_within_its_range() {
    let folder = Folder::with("a.pgn", games());
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    let all = String::from_utf8(folder.ign(&["list", "a.ign"]).done()).unwrap();
    let line = |game: usize| format!("{}\n", all.lines().nth(game - 1).unwrap());
    let list = |args: &[&str]| {
        let run = folder.ign(&[&["list", "a.ign"][..], args].concat());
        (run.code, String::from_utf8(run.out).unwrap(), run.err)
    };
    let (code, out, _) = list(&["--opening", "1. e4 e5"]);
    assert_eq!((code, out), (Some(0), [1, 4, 7].map(line).concat()));
    let (code, out, _) = list(&["2..", "--opening", "1. e4 e5"]);
    assert_eq!((code, out), (Some(0), [4, 7].map(line).concat()));
    let (code, out, err) = list(&["2..", "--white", "Adams"]);
    assert_eq!((code, &out[..]), (Some(1), ""));
    assert!(err.contains("--white \"*Adams*\""), "{err}");
}

#[test]
fn duplicates_compares_only_games_that_match() {
    let text = [games(), games(), games()].concat();
    let folder = Folder::with("a.pgn", &text);
    folder.write("b.pgn", games());
    folder.ign(&["pack", "-q", "-B", "4K", "a.pgn"]).done();
    let run = |args: &[&str]| {
        let all = [&["duplicates", "a.ign", "b.pgn", "--json"][..], args].concat();
        let count = folder.ign(&[&all[..], &["--count"]].concat()).out;
        let count: serde_json::Value = serde_json::from_slice(&count).unwrap();
        let found = String::from_utf8(folder.ign(&all).out).unwrap();
        let mut groups: Vec<Vec<(String, u64)>> = Vec::new();
        for line in found.lines() {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            if game["role"] == "apart" {
                continue;
            }
            if game["role"] == "keep" {
                groups.push(Vec::new());
            }
            let input = game["archive"].as_str().unwrap().to_owned();
            let place = (input, game["game"].as_u64().unwrap());
            groups.last_mut().unwrap().push(place);
        }
        (count["games"].clone(), groups)
    };
    let of = |games: [u64; 3], other| {
        let [a, b, c] = games.map(|game| ("a.ign".to_owned(), game));
        vec![a, b, c, ("b.pgn".to_owned(), other)]
    };
    for options in [&[][..], &["--inside"]] {
        let one = [&["--id", "bbbbbbbb"][..], options].concat();
        assert_eq!(
            run(&one),
            (4.into(), vec![of([2, 9, 16], 2)]),
            "{options:?}"
        );
        let two = [&["--material", "KPK"][..], options].concat();
        assert_eq!(
            run(&two),
            (4.into(), vec![of([5, 12, 19], 5)]),
            "{options:?}"
        );
    }
    assert_eq!(run(&[]).1.len(), 7);
    assert_eq!(run(&["--white", "nobody"]), (0.into(), vec![]));
    // Games that do not match are written, whether or not they are duplicates.
    let unique = ["duplicates", "a.ign", "--id", "bbbbbbbb", "-c"];
    let unique = String::from_utf8(folder.ign(&unique).done()).unwrap();
    assert_eq!(unique.matches("bbbbbbbb").count(), 1);
    assert_eq!(unique.matches("aaaaaaaa").count(), 3);
}

#[test]
fn duplicates_writes_no_file_of_chess_and_go_whatever_is_compared() {
    let folder = Folder::with("a.pgn", games());
    folder.write("b.sgf", "(;GM[1]FF[4]SZ[19];B[pd];W[dp])\n");
    folder
        .ign(&["pack", "-q", "a.pgn", "b.sgf", "-o", "ab.ign"])
        .done();
    let words = "chess and Go games cannot be written to one file";
    for inputs in [&["ab.ign"][..], &["a.pgn", "b.sgf"]] {
        let args = [&["duplicates", "--white", "Ann*", "-o", "all"], inputs].concat();
        folder.ign(&args).failed(1, words);
    }
    assert_eq!(folder.names(), ["a.pgn", "ab.ign", "b.sgf"]);
}
