//! Does `ign duplicates` find all duplicate games and no others?

use std::{collections::BTreeMap, process::Stdio};

use ign_testing::{Random, games, variant_games};
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

/// The groups that the command finds. `files` holds the number of games of each file.
fn found(folder: &Folder, args: &[&str], files: &[(&str, usize)]) -> Groups {
    let out = folder
        .ign(&[&["duplicates", "--json"], args].concat())
        .done();
    let value: Value = serde_json::from_slice(&out).unwrap();
    let number = |member: &Value| {
        let file = member["file"].as_str().unwrap();
        let before = files.iter().take_while(|(name, _)| *name != file);
        let before: usize = before.map(|(_, games)| games).sum();
        before + member["game"].as_u64().unwrap() as usize - 1
    };
    let groups = value["groups"].as_array().unwrap();
    let group = |group: &Value| {
        let mut games = group.as_array().unwrap().iter().map(number);
        let kept = games.next().unwrap();
        let mut duplicates: Vec<_> = games.collect();
        duplicates.sort_unstable();
        (kept, duplicates)
    };
    groups.iter().map(group).collect()
}

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
        .ign(&["duplicates", "a.ign", "b.pgn", "c.pgn", "-o", "rest.pgn"])
        .done();
    assert_eq!(String::from_utf8(folder.read("rest.pgn")).unwrap(), wanted);
    // The file is written even if nothing reads the list.
    let files = ["a.ign", "b.pgn", "c.pgn", "-fo", "rest.pgn"];
    folder.remove("rest.pgn");
    let mut child = folder
        .command(&[&["duplicates"], &files[..]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    assert_eq!(String::from_utf8(folder.read("rest.pgn")).unwrap(), wanted);
    let out = folder.ign(&["duplicates", "a.ign", "b.pgn", "-c"]).done();
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
    // The result has no duplicates, and writing all of it is a success.
    folder
        .ign(&["duplicates", "rest.pgn"])
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
fn a_text_without_games_begins_on_a_line_of_its_own() {
    let folder = Folder::with("a.pgn", "[Event \"a\"]\n\n1. e4 *");
    folder.write("b.txt", "no game\n");
    let out = folder.ign(&["duplicates", "a.pgn", "b.txt", "-c"]).done();
    let out = String::from_utf8(out).unwrap();
    assert!(out.ends_with("1. e4 *\nno game\n"), "{out}");
}

#[test]
fn lists_file_number_plies_and_tags_of_each_game() {
    let text = "[Event \"Cup\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n\
                [Event \"C\tup\"]\n[White \"Aa\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 1-0\n\n\
                [Event \"Cup\"]\n\n1. e4 e6 Ke3 1-0\n\n[Event \"Cup\"]\n\n1. e4 e6 Ke3 1-0\n\n";
    let folder = Folder::new();
    let run = folder.ign_fed(text.as_bytes(), &["duplicates", "-"]);
    assert!(
        run.err
            .contains("1 duplicate in 1 group; 3 of 4 games remain without them"),
        "{}",
        run.err
    );
    assert!(run.err.contains("not compared: 2 games"), "{}", run.err);
    assert_eq!(
        String::from_utf8(run.done()).unwrap(),
        "1\t-\t1\t2\tA\t-\tB\t-\t-\t-\t-\tCup\n1\t-\t2\t2\tAa\t-\t-\t-\t1-0\t-\t-\tC up\n"
    );
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
    let rest = folder
        .ign(&["duplicates", "a.sgf", "-c", "--turned"])
        .done();
    assert_eq!(rest, [one, begins, other].concat().into_bytes());
    folder.write("a.pgn", games(3));
    folder.ign(&["duplicates", "a.sgf", "a.pgn"]).done();
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
