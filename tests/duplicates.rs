//! Does `ign duplicates` find all duplicate games and no others?

use std::{collections::BTreeMap, process::Stdio};

use ign_testing::{Random, Run, games, variant_games};
use serde_json::Value;
use shakmaty::{Chess, Position as _, san::SanPlus};

use crate::util::Folder;

/// The moves of a game, and the text of its record.
struct Game {
    moves: Vec<String>,
    text: String,
}

/// Short games with few distinct moves, so that many are equal or begin with the same moves. They
/// differ in tags, comments, variations and layout.
fn short_games(count: usize, seed: u64) -> Vec<Game> {
    let mut random = Random(seed);
    let game = |number| {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for _ in 0..1 + random.below(6) {
            let legal = position.legal_moves();
            let chosen = legal[random.below(2) * (legal.len() - 1)];
            moves.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
        }
        let mut text = format!("[Event \"{}\"]\n[White \"W{number}\"]\n\n", random.below(9));
        for (ply, name) in moves.iter().enumerate() {
            if ply % 2 == 0 {
                text += &format!("{}.{}", ply / 2 + 1, ["", " "][random.below(2)]);
            }
            text += name;
            text += [" ", "\n", " {so} ", "!? ", " (1. e4) "]
                [random.below(if ply == 0 { 5 } else { 4 })];
        }
        text += ["1-0\n\n", "*\n\n"][random.below(2)];
        Game { moves, text }
    };
    (0..count).map(game).collect()
}

/// Groups of games by number: the game to keep, and its duplicates.
type Groups = BTreeMap<usize, Vec<usize>>;

/// The groups, found by comparing every game with every other.
fn expected(games: &[Game], inside: bool, min_plies: usize) -> Groups {
    let compared = |i: &usize| games[*i].moves.len() >= min_plies;
    let all: Vec<usize> = (0..games.len()).filter(compared).collect();
    let mut groups = Groups::new();
    for &game in &all {
        let matches = |&&other: &&usize| {
            if inside {
                games[other].moves.starts_with(&games[game].moves)
            } else {
                games[other].moves == games[game].moves
            }
        };
        let group = all.iter().filter(matches);
        // The first of the longest.
        let longest = group.max_by_key(|&&other| (games[other].moves.len(), usize::MAX - other));
        groups.entry(*longest.unwrap()).or_default().push(game);
    }
    for (kept, games) in &mut groups {
        games.retain(|game| game != kept);
    }
    groups.retain(|_, duplicates| !duplicates.is_empty());
    groups
}

/// The groups that the command finds, whoever played. `files` holds the number of games of each
/// file.
fn found(folder: &Folder, args: &[&str], files: &[(&str, usize)]) -> Groups {
    let any = ["duplicates", "--json", "--any-players", "--prefer", "first"];
    let [duplicates, apart] = groups(folder.ign(&[&any, args].concat()), files);
    assert!(apart.is_empty());
    duplicates
}

/// The groups of duplicates, and those of games apart, that `--json` prints.
fn groups(run: Run, files: &[(&str, usize)]) -> [Groups; 2] {
    let number = |member: &Value| {
        let file = member["archive"].as_str().unwrap();
        let before = files.iter().take_while(|(name, _)| *name != file);
        let before: usize = before.map(|(_, games)| games).sum();
        before + member["game"].as_u64().unwrap() as usize - 1
    };
    let members = run.objects();
    let mut found = [Groups::new(), Groups::new()];
    for group in members.chunk_by(|one, other| one["group"] == other["group"]) {
        let is_apart = group[0]["role"] == "apart";
        let others = if is_apart { "apart" } else { "copy" };
        assert!(is_apart || group[0]["role"] == "keep");
        assert!(group[1..].iter().all(|member| member["role"] == others));
        let mut duplicates: Vec<_> = group[1..].iter().map(number).collect();
        duplicates.sort_unstable();
        found[usize::from(is_apart)].insert(number(&group[0]), duplicates);
    }
    found
}

/// Equal moves make duplicates, and the first one is kept.
const ANY: [&str; 4] = ["duplicates", "--any-players", "--prefer", "first"];

fn text(games: &[Game]) -> String {
    games.iter().map(|game| &game.text[..]).collect()
}

#[test]
fn finds_all_duplicates_and_no_other_games() {
    let games = short_games(400, 1);
    let (one, rest) = games.split_at(150);
    let (two, three) = rest.split_at(200);
    let folder = Folder::with("one.pgn", text(one));
    folder.write("two.pgn", text(two));
    folder.write("three.pgn", text(three));
    for (file, coding) in [("one", "weighted"), ("two", "ign-end")] {
        let pgn = format!("{file}.pgn");
        let options = ["pack", "-B4K", "--coding", coding, &pgn];
        folder.ign(&options).done();
    }
    for files in [
        [("one.pgn", 150), ("two.pgn", 200), ("three.pgn", 50)],
        [("one.ign", 150), ("two.ign", 200), ("three.pgn", 50)],
    ] {
        let names = files.map(|(name, _)| name);
        for options in [
            &[][..],
            &["--inside"],
            &["--min-plies", "3"],
            &["--inside", "--min-plies", "2", "-T1"],
            &["--turned"],
        ] {
            let inside = options.contains(&"--inside");
            let min = options.windows(2).find(|pair| pair[0] == "--min-plies");
            let min = min.map_or(1, |pair| pair[1].parse().unwrap());
            let wanted = expected(&games, inside, min);
            assert!(wanted.len() > 20);
            let args = [&names[..], options].concat();
            assert_eq!(found(&folder, &args, &files), wanted, "{args:?}");
        }
    }
}

#[test]
fn writes_the_text_without_duplicates_byte_for_byte() {
    let games = short_games(200, 2);
    let folder = Folder::with(
        "a.pgn",
        format!("% a word before\n\n{}", text(&games[..90])),
    );
    // This text has no line end, so the next file would continue its last line.
    let last = text(&games[90..]);
    folder.write("b.pgn", last.trim_end());
    folder.write("c.pgn", "");
    folder.ign(&["pack", "a.pgn"]).done();
    let mut wanted = String::from("% a word before\n\n");
    let duplicates: Vec<usize> = expected(&games, false, 1).into_values().flatten().collect();
    for (number, game) in games.iter().enumerate() {
        if !duplicates.contains(&number) {
            wanted += &game.text;
        }
    }
    let kept_last = !duplicates.contains(&199);
    let wanted = if kept_last {
        wanted.trim_end()
    } else {
        &wanted
    };
    folder
        .ign(&[&ANY[..], &["a.ign", "b.pgn", "c.pgn", "-o", "rest.pgn"]].concat())
        .done();
    assert_eq!(String::from_utf8(folder.read("rest.pgn")).unwrap(), wanted);
    // The file is written even if nothing reads the list.
    let files = ["a.ign", "b.pgn", "c.pgn", "-fo", "rest.pgn"];
    folder.remove("rest.pgn");
    let mut child = folder
        .command(&[&ANY[..], &files[..]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    assert_eq!(String::from_utf8(folder.read("rest.pgn")).unwrap(), wanted);
    let out = folder.ign(&[&ANY[..], &["a.ign", "b.pgn", "-c"]].concat());
    let out = out.done();
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
    // The result has no duplicates, and writing all of it is a success.
    folder
        .ign(&[&ANY[..], &["rest.pgn"]].concat())
        .failed(1, "no duplicates");
    let unique = folder.ign(&["duplicates", "rest.pgn", "-o", "-"]).done();
    assert_eq!(String::from_utf8(unique).unwrap(), wanted);
    folder
        .ign(&["duplicates", "a.pgn", "-o", "rest.pgn"])
        .failed(1, "-f");
    folder
        .ign(&["duplicates", "a.pgn", "-fo", "a.pgn"])
        .failed(1, "input");
}

#[test]
fn an_empty_line_is_written_between_files() {
    // Each would run into the next one.
    let files = [
        "[Event \"a\"]\n\n1. e4 *",
        "1. d4 d5\n",
        "1. c4 c5\r\n",
        "1. f4\r\n\r\n",
        "[White \"b\"]\n[WhiteElo",
        "1. d4 d5",
        "no game\n",
    ];
    let all = "[Event \"a\"]\n\n1. e4 *\n\n1. d4 d5\n\n1. c4 c5\r\n\n1. f4\r\n\r\n\
               [White \"b\"]\n[WhiteElo\n\nno game\n";
    let folder = Folder::new();
    let names: Vec<String> = (1..=files.len()).map(|n| format!("{n}.pgn")).collect();
    for (name, text) in names.iter().zip(files) {
        folder.write(name, text);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder
        .ign(&[&["pack", "-q", "-o", "all.ign"], &names[..]].concat())
        .done();
    for inputs in [&names[..], &["all.ign"]] {
        let args = [
            "duplicates",
            "--any-players",
            "-o",
            "kept.pgn",
            "--removed",
            "copies.pgn",
            "-fq",
        ];
        folder.ign(&[&args[..], inputs].concat()).done();
        assert_eq!(
            String::from_utf8(folder.read("kept.pgn")).unwrap(),
            all,
            "{inputs:?}"
        );
        assert_eq!(folder.read("copies.pgn"), b"1. d4 d5");
    }
    let found = folder.ign(&["find", "all.ign", "--plies", "1..2", "--pgn"]);
    folder.write("found.pgn", found.done());
    folder.ign(&["pack", "-q", "found.pgn"]).done();
    let count = folder.ign(&["find", "found.ign", "--plies", "1..2", "--count"]);
    assert_eq!(count.done(), b"5\n");
}

#[test]
fn lists_file_number_plies_and_tags_of_each_game() {
    let text = "[Event \"Cup\"]\n[White \"Ann Lee\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n\
                [Event \"C\tup\"]\n[White \"lee, A.\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 1-0\n\n\
                [White \"Cid\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n\
                [Event \"Cup\"]\n\n1. e4 e6 Ke3 1-0\n\n[Event \"Cup\"]\n\n1. e4 e6 Ke3 1-0\n\n";
    let folder = Folder::new();
    let run = folder.ign_fed(text.as_bytes(), &["duplicates", "-"]);
    let listed = String::from_utf8(run.out.clone()).unwrap();
    assert!(
        listed.lines().count() == 2 && !listed.contains("apart"),
        "{listed}"
    );
    let run = folder.ign_fed(text.as_bytes(), &["duplicates", "-", "--apart"]);
    for words in [
        "1 duplicate in 1 group; 4 of 5 games remain without them",
        "apart: 2 games in 1 group",
        "not compared: 2 games",
    ] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    assert_eq!(
        String::from_utf8(run.done()).unwrap(),
        "1\tkeep\t-\t2\t2\tlee, A.\t-\t-\t-\t1-0\t-\t-\tC up\n\
         1\tcopy\t-\t1\t2\tAnn Lee\t-\tB\t-\t-\t-\t-\tCup\n\
         2\tapart\t-\t2\t2\tlee, A.\t-\t-\t-\t1-0\t-\t-\tC up\n\
         2\tapart\t-\t3\t2\tCid\t-\tB\t-\t-\t-\t-\t-\n"
    );
}

/// Names, and the people who may be meant: each name agrees with those that have one in common.
const NAMES: [(&str, &[u8]); 10] = [
    ("Carlsen, Magnus", &[1]),
    ("magnus carlsen", &[1]),
    ("Carlsen,M", &[1]),
    ("GM Carlsen (NOR)", &[1, 2]),
    ("CARLSEN, Henrik", &[2]),
    ("Müller, Jörg", &[3]),
    ("J. Muller", &[3]),
    ("?", &[1, 2, 3]),
    ("", &[1, 2, 3]),
    ("N.N.", &[1, 2, 3]),
];

/// Games with equal moves, by number: the first, and those that are other games; and the groups.
fn divided(games: &[([usize; 2], Game)]) -> (Groups, Groups) {
    let agree = |one: &usize, other: &usize| {
        let people = |game: &usize, side: usize| NAMES[games[*game].0[side]].1;
        let same = |side| {
            people(one, side)
                .iter()
                .any(|p| people(other, side).contains(p))
        };
        same(0) && same(1)
    };
    let mut sets: BTreeMap<&[String], Vec<Vec<usize>>> = BTreeMap::new();
    for (number, (_, game)) in games.iter().enumerate() {
        let groups = sets.entry(&game.moves).or_default();
        let joined = groups
            .iter_mut()
            .find(|group| group.iter().all(|other| agree(&number, other)));
        match joined {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    let apart = sets.values().filter(|groups| groups.len() > 1);
    let apart = apart.map(|groups| groups.iter().map(|group| group[0]).collect::<Vec<_>>());
    let groups = sets.values().flatten().filter(|group| group.len() > 1);
    let grouped = |groups: Vec<Vec<usize>>| {
        let split = groups
            .into_iter()
            .map(|group| (group[0], group[1..].to_vec()));
        split.collect::<Groups>()
    };
    (grouped(groups.cloned().collect()), grouped(apart.collect()))
}

#[test]
fn only_games_of_players_who_agree_are_duplicates() {
    let mut random = Random(7);
    let games = short_games(600, 3).into_iter().map(|mut game| {
        let players = [(); 2].map(|()| random.below(NAMES.len()));
        let [white, black] = players.map(|number| NAMES[number].0);
        let movetext = game.text.split_once("\n\n").unwrap().1;
        game.text =
            format!("[Event \"?\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n{movetext}");
        (players, game)
    });
    let games: Vec<_> = games.collect();
    let text = |games: &[([usize; 2], Game)]| -> String {
        games.iter().map(|(_, game)| &game.text[..]).collect()
    };
    let (one, two) = games.split_at(250);
    let folder = Folder::with("one.pgn", text(one));
    // The second file is in Latin-1.
    let latin: Vec<u8> = text(two).chars().map(|c| c as u8).collect();
    folder.write("two.pgn", latin);
    folder.ign(&["pack", "-q", "-B4K", "one.pgn"]).done();
    let files = [("one.ign", 250), ("two.pgn", 350)];
    let args = [
        "duplicates",
        "--json",
        "--prefer",
        "first",
        "one.ign",
        "two.pgn",
    ];
    let found = groups(folder.ign(&args), &files);
    let (duplicates, apart) = divided(&games);
    assert!(duplicates.len() > 50 && apart.len() > 50);
    assert_eq!(found, [duplicates, apart]);
}

/// A game of these players with some tags and these moves.
fn game(white: &str, black: &str, tags: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n{tags}\n{moves} *\n\n")
}

#[test]
fn long_games_and_addresses_decide_before_names() {
    let mut position = Chess::default();
    let mut random = Random(5);
    let mut moves = Vec::new();
    for _ in 0..80 {
        let legal = position.legal_moves();
        let chosen = legal[random.below(legal.len())];
        moves.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
    }
    let long = moves.join(" ");
    let short = moves[..79].join(" ");
    let at = |address: &str| format!("[Site \"{address}\"]\n");
    let lichess = |id: &str| at(&format!("https://lichess.org/{id}"));
    let text = [
        game("A1", "B1", "", &long),
        game("C1", "D1", "", &long),
        game("A2", "B2", "", &short),
        game("C2", "D2", "", &short),
        // The same players and moves at two addresses, and again at the first.
        game("Ann", "Ben", &lichess("aaaaaaaa"), "e4"),
        game("Ann", "Ben", &lichess("bbbbbbbb"), "e4"),
        game("Ann", "Ben", &lichess("aaaaaaaabcde"), "e4"),
        // Places are no addresses of games, and two servers may have one game.
        game("Ann", "Ben", &at("Oslo"), "e4"),
        game("Ann", "Ben", &at("https://www.chess.com/game/live/1"), "e4"),
        game(
            "Ann",
            "Ben",
            &at("https://lichess.org/study/bcdefghi/aaaaaaaa"),
            "e4",
        ),
    ];
    let folder = Folder::with("a.pgn", text.concat());
    let files = [("a.pgn", 10)];
    let run = folder.ign(&["duplicates", "--json", "a.pgn", "--prefer", "first"]);
    assert_eq!(
        groups(run, &files),
        [
            [(0, vec![1]), (4, vec![6, 7, 8, 9])].into(),
            [(2, vec![3]), (4, vec![5])].into(),
        ]
    );
}

#[test]
fn a_game_is_inside_the_longest_game_of_its_players() {
    let text = [
        game("Ann", "Ben", "", "e4 e5"),
        game("Cid", "Dan", "", "e4 e5 Nf3 Nc6 Bb5 a6"),
        game("Lee, Ann", "Ben", "", "e4 e5 Nf3 Nc6 Bc4"),
        game("Ann", "Ben", "", "e4 e5 Nf3 d6"),
        game("Eve", "Fay", "", "e4 e5"),
        game("Eve", "Fay", "", "e4 e5 Nf3 {good} Nc6 Bb5"),
    ];
    let folder = Folder::with("a.pgn", text.concat());
    let files = [("a.pgn", 6)];
    let found = |options: &[&str]| {
        let args = [&["duplicates", "--json", "--inside", "a.pgn"], options].concat();
        groups(folder.ign(&args), &files)
    };
    let duplicates: Groups = [(2, vec![0]), (5, vec![4])].into();
    let apart: Groups = [(1, vec![5])].into();
    assert_eq!(found(&[]), [duplicates, apart]);
    // A game at the end of a short one is kept only if that is asked for.
    let annotated = found(&["--any-players", "--prefer", "annotated"]);
    assert_eq!(annotated[0], [(5, vec![0, 1, 4])].into());
}

#[test]
fn keeps_the_preferred_game_and_writes_the_others() {
    let players = |tags: &str, moves: &str| game("Ann", "Ben", tags, moves);
    let plain = players("", "1. e4 e5 2. Nf3");
    let tags = players("[Date \"2020.01.02\"]\n[Round \"?\"]\n", "1. e4 e5 2. Nf3");
    let notes = players(
        "",
        "1. e4 {best} e5 $1 (1... c5 2. Nf3) 2. Nf3 {[%eval 0.2]}",
    );
    let clocks = players("", "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} 2. Nf3");
    let other = game("Cid", "Dan", "", "1. e4 e5 2. Nf3");
    let all = [&plain, &tags, &notes, &other, &clocks];
    let text: String = all.iter().map(|text| &text[..]).collect();
    let folder = Folder::with("a.pgn", &text);
    folder
        .ign(&["pack", "-q", "a.pgn", "--coding", "ign"])
        .done();
    for (prefer, kept) in [
        (&[][..], &notes),
        (&["--prefer", "annotated"], &notes),
        (&["--prefer", "clocks"], &clocks),
        (&["--prefer", "longest"], &notes),
        (&["--prefer", "first"], &plain),
    ] {
        let part = |wanted: &dyn Fn(&String) -> bool| -> String {
            let games = all.iter().filter(|text| wanted(text));
            games.map(|text| &text[..]).collect()
        };
        let unique = part(&|text| text == kept || *text == other);
        let removed = part(&|text| text != kept && *text != other);
        for (out, copies) in [("u.pgn", "r.pgn"), ("u.ign", "r.ign"), ("u.ign", "r.pgn")] {
            for input in ["a.pgn", "a.ign"] {
                let args = ["duplicates", input, "-fo", out, "--removed", copies];
                folder.ign(&[&args, prefer].concat()).done();
                for (file, wanted) in [(out, &unique), (copies, &removed)] {
                    let text = match file.strip_suffix(".ign") {
                        Some(_) => folder.ign(&["unpack", "-c", file]).done(),
                        None => folder.read(file),
                    };
                    assert_eq!(
                        String::from_utf8(text).unwrap(),
                        *wanted,
                        "{args:?} {prefer:?}"
                    );
                }
            }
        }
    }
    // An archive is written like the first one that is read.
    let coding = |args: &[&str]| {
        folder
            .ign(&[&["duplicates", "-fo", "u.ign"], args].concat())
            .done();
        let info = folder.ign(&["info", "--json", "u.ign"]).done();
        serde_json::from_slice::<Value>(&info).unwrap()["codings"][0].clone()
    };
    assert_eq!(coding(&["a.pgn"]), "weighted");
    assert_eq!(coding(&["a.pgn", "a.ign"]), "ign");
    // Text that is no game stays.
    folder.write("b.pgn", format!("% words\n\n{plain}{plain}"));
    folder
        .ign(&["duplicates", "b.pgn", "-fo", "u.ign", "--removed", "r.ign"])
        .done();
    let unpacked = folder.ign(&["unpack", "-c", "u.ign"]).done();
    assert_eq!(
        String::from_utf8(unpacked).unwrap(),
        format!("% words\n\n{plain}")
    );
    // Without duplicates, the file of the others is empty.
    folder
        .ign(&["duplicates", "u.ign", "-fo", "v.pgn", "--removed", "r.ign"])
        .done();
    assert!(folder.ign(&["unpack", "-c", "r.ign"]).done().is_empty());
}

#[test]
fn refuses_outputs_that_contradict_each_other() {
    let folder = Folder::with("a.pgn", games(5));
    for (args, words) in [
        (&["--removed", "r.pgn"][..], "-o"),
        (&["-o", "u.pgn", "--removed", "u.pgn"], "two files"),
        (&["-o", "u.pgn", "--removed", "./u.pgn"], "two files"),
        (&["-o", "u.pgn", "--removed", "a.pgn"], "input"),
        (&["-o", "a.pgn", "-f", "--removed", "r.pgn"], "input"),
        (&["-o", "u.idx"], "name of an index"),
        (&["-o", "u.pgn", "--prefer", "best"], "possible values"),
    ] {
        folder
            .ign(&[&["duplicates", "a.pgn"], args].concat())
            .failed(1, words);
    }
    folder.write("u.pgn", "mine");
    let both = ["duplicates", "a.pgn", "-o", "new.pgn", "--removed", "u.pgn"];
    folder.ign(&both).failed(1, "-f");
    assert_eq!(folder.names(), ["a.pgn", "u.pgn"]);
}

#[test]
fn compares_starting_positions_and_variants() {
    let game = |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n{moves} *\n\n");
    let fen = |fen: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let later = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9";
    let text = [
        game("", "1. e4 e5"),
        game(&fen(standard), "1. e4 e5"),
        game(&fen(later), "9. e4 e5"),
        game(
            &fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kq - 0 1"),
            "1. e4 e5",
        ),
        game("[Variant \"Atomic\"]\n", "1. e4 e5"),
        game("[Variant \"Crazyhouse\"]\n", "1. e4 e5"),
        game("[Variant \"crazyhouse\"]\n", "1. e4 e5"),
        game("", "1. e4 e5 2. Nf3"),
    ];
    let folder = Folder::with("a.pgn", text.concat());
    let files = [("a.pgn", 8)];
    let equal = found(&folder, &["a.pgn"], &files);
    assert_eq!(equal, [(0, vec![1, 2]), (5, vec![6])].into());
    let inside = found(&folder, &["a.pgn", "--inside"], &files);
    assert_eq!(inside, [(7, vec![0, 1, 2]), (5, vec![6])].into());
    // Each game of the variants occurs twice.
    let variants = variant_games(1);
    folder.write("v.pgn", &variants);
    folder
        .ign(&["pack", "v.pgn", "--coding", "weighted"])
        .done();
    let count = variants.matches("[Event ").count();
    let files = [("v.ign", count), ("v.pgn", count)];
    let twice = found(&folder, &["v.ign", "v.pgn"], &files);
    assert_eq!(
        twice,
        (0..count).map(|game| (game, vec![count + game])).collect()
    );
}

#[test]
fn finds_go_games_on_a_rotated_board() {
    let one = "(;GM[1]SZ[9]PB[A];B[cb];W[gg];B[ee](;W[dd])(;W[ff]))\n";
    let same = "(;SZ[9]C[other words]PB[B];B[cb];W[gg];B[ee];W[dd])\n";
    let turned = "(;SZ[9];B[gb];W[cg];B[ee];W[fd])\n";
    let begins = "(;SZ[9];B[cb];W[gg])\n";
    let other = "(;SZ[9];B[cb];W[gg];B[ee];W[de])\n";
    let folder = Folder::with("a.sgf", [one, same, turned, begins, other].concat());
    for coding in ["ign", "ign-end", "weighted"] {
        let archive = format!("{coding}.ign");
        folder
            .ign(&["pack", "a.sgf", "--coding", coding, "-o", &archive])
            .done();
        let files = [(&archive[..], 5)];
        let find = |options: &[&str]| found(&folder, &[&[&archive[..]], options].concat(), &files);
        assert_eq!(find(&[]), [(0, vec![1])].into());
        assert_eq!(find(&["--turned"]), [(0, vec![1, 2])].into());
        assert_eq!(find(&["--turned", "--inside"]), [(0, vec![1, 2, 3])].into());
    }
    let rest = [&ANY[..], &["a.sgf", "-c", "--turned"]].concat();
    let rest = folder.ign(&rest).done();
    assert_eq!(rest, [one, begins, other].concat().into_bytes());
    // By default, the players A and B are two.
    folder
        .ign(&["duplicates", "a.sgf"])
        .failed(1, "apart: 2 games");
    folder.write("a.pgn", games(3));
    folder.ign(&[&ANY[..], &["a.sgf", "a.pgn"]].concat()).done();
    folder
        .ign(&["duplicates", "a.sgf", "a.pgn", "-c"])
        .failed(1, "for PGN and for SGF separately");
}

#[test]
fn handles_inputs_without_games_and_rejects_damaged_ones() {
    let folder = Folder::with("empty", "");
    folder.write(
        "noise",
        (0..3000u32)
            .map(|i| ((i * i) >> 3) as u8)
            .collect::<Vec<_>>(),
    );
    folder.write("a.pgn", games(20));
    folder.ign(&["pack", "a.pgn"]).done();
    let archive = folder.read("a.ign");
    folder.write("cut.ign", &archive[..archive.len() / 2]);
    folder
        .ign(&["duplicates", "empty"])
        .failed(1, "no duplicates in 0 games");
    folder
        .ign(&["duplicates", "noise"])
        .failed(1, "no duplicates in 0 games");
    folder.ign(&["duplicates", "."]).failed(1, "is a directory");
    folder
        .ign(&["duplicates", "gone.pgn"])
        .failed(1, "no such file");
    folder.ign(&["duplicates", "-", "-"]).failed(1, "once");
    folder
        .ign(&["duplicates", "cut.ign", "a.pgn"])
        .failed(2, "cut.ign");
    folder.ign(&["duplicates"]).failed(1, "required");
}

#[test]
fn what_only_copies_know_is_added_to_the_game_that_stays() {
    let folder = Folder::with(
        "a.pgn",
        "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 {good} e5 2. Nf3 *\n\n[White \"Cleo\"]\n\n1. d4 d5 *\n",
    );
    let copy = "[White \"Ann\"]\n[Black \"Ben\"]\n[ECO \"C40\"]\n\n1. e4 e5 {[%clk 0:03:00]} 2. Nf3 $1 *\n";
    folder.write("b.pgn", copy);
    let combined = "[White \"Ann\"]\n[Black \"Ben\"]\n[ECO \"C40\"]\n\n1. e4 {good} 1... e5 {[%clk 0:03:00]} 2. Nf3 $1 *\n\n\
                    [White \"Cleo\"]\n\n1. d4 d5 *\n";
    let command = [
        "duplicates",
        "-q",
        "a.pgn",
        "b.pgn",
        "--prefer",
        "first",
        "--combine",
    ];
    folder.ign(&command).failed(1, "-o");
    folder
        .ign(&[&command[..], &["-o", "c.pgn"]].concat())
        .done();
    assert_eq!(String::from_utf8(folder.read("c.pgn")).unwrap(), combined);
    let removed = ["-f", "-o", "c.ign", "--removed", "r.pgn"];
    folder.ign(&[&command[..], &removed].concat()).done();
    assert_eq!(folder.read("r.pgn"), copy.as_bytes());
    let unpacked = folder.ign(&["unpack", "-c", "c.ign"]).done();
    assert_eq!(String::from_utf8(unpacked).unwrap(), combined);
}
