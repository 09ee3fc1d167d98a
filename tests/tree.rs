//! Does `ign tree` count what a replay of the text by shakmaty counts?

use std::collections::{BTreeMap, BTreeSet};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::San};
use std::ops::ControlFlow;

use ign_testing::games;

use crate::util::Folder;

const AFTER_E4_C5: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// A game as pgn-reader sees it.
#[derive(Default, Clone)]
struct Game {
    tags: BTreeMap<String, String>,
    sans: Vec<San>,
}

impl Game {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", |value| value)
    }

    fn rating(&self, name: &str) -> Option<u64> {
        self.tag(name).parse().ok()
    }
}

struct Collect;

impl Visitor for Collect {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag) -> ControlFlow<Game> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        game.tags.insert(text(name), text(value.as_bytes()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.sans.push(san.san);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

fn read(text: &[u8]) -> Vec<Game> {
    let mut reader = Reader::new(text);
    std::iter::from_fn(|| reader.read_game(&mut Collect).unwrap()).collect()
}

/// What a replay counts: results of all games, and for each move in UCI notation its results, the
/// sum of ratings and the number of the first game.
#[derive(Default, PartialEq, Debug)]
struct Expected {
    all: [u64; 3],
    moves: BTreeMap<String, ([u64; 3], u64, u64, usize)>,
    ended: u64,
}

/// The four fields of a FEN that make a position.
fn key(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn replay(games: &[Game], root: &str, wanted: impl Fn(&Game) -> bool) -> Expected {
    let mut expected = Expected::default();
    // Games without moves have no positions.
    let wanted = |game: &Game| !game.sans.is_empty() && wanted(game);
    for (number, game) in (1..).zip(games).filter(|(_, game)| wanted(game)) {
        let mut position = Chess::default();
        let mut sans = game.sans.iter();
        let mut next;
        let reached = loop {
            let reached = key(&position) == root;
            next = sans.next().map(|san| san.to_move(&position).unwrap());
            match next {
                _ if reached => break true,
                Some(played) => position.play_unchecked(played),
                None => break false,
            }
        };
        if !reached {
            continue;
        }
        let result = match game.tag("Result") {
            "1-0" => [1, 0, 0],
            "1/2-1/2" => [0, 1, 0],
            "0-1" => [0, 0, 1],
            _ => [0, 0, 0],
        };
        let add = |sums: &mut [u64; 3]| sums.iter_mut().zip(result).for_each(|(s, n)| *s += n);
        add(&mut expected.all);
        let Some(played) = next else {
            expected.ended += 1;
            continue;
        };
        let uci = played.to_uci(CastlingMode::Standard).to_string();
        let entry = expected.moves.entry(uci).or_insert(([0; 3], 0, 0, number));
        add(&mut entry.0);
        if let (Some(white), Some(black)) = (game.rating("WhiteElo"), game.rating("BlackElo")) {
            entry.1 += white + black;
            entry.2 += 2;
        }
    }
    expected
}

fn results(value: &Value) -> [u64; 3] {
    ["white", "draws", "black"].map(|name| value[name].as_u64().unwrap())
}

#[track_caller]
fn check(folder: &Folder, options: &[&str], expected: &Expected) {
    let arguments = ["tree", "games.ign", "--json", "--moves", "500"];
    let out = folder.ign(&[&arguments, options].concat()).done();
    let tree: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(results(&tree), expected.all, "{options:?}");
    let moves = tree["moves"].as_array().unwrap();
    assert_eq!(moves.len(), expected.moves.len(), "{options:?}");
    let mut before = u64::MAX;
    for played in moves {
        let (wanted, ratings, count, number) = &expected.moves[played["uci"].as_str().unwrap()];
        let found = results(played);
        assert_eq!(&found, wanted, "{played}");
        let games: u64 = found.iter().sum();
        assert!(games <= before);
        before = games;
        let average = (*count > 0).then(|| (ratings + count / 2) / count);
        assert_eq!(played["averageRating"].as_u64(), average, "{played}");
        assert_eq!(played["game"].is_object(), games == 1, "{played}");
        if games == 1 {
            let game = folder
                .ign(&["get", "games.ign", &number.to_string()])
                .done();
            let name = played["game"]["white"]["name"].as_str().unwrap();
            let game = String::from_utf8(game).unwrap();
            assert!(game.contains(&format!("[White \"{name}\"]")), "{game}");
        }
    }
}

/// Generated games in an archive of several blocks.
fn folder(coding: &str) -> (Folder, Vec<Game>) {
    let text = games(600);
    let folder = Folder::with("games.pgn", &text);
    let pack = ["pack", "-q", "--coding", coding, "-B", "64K", "games.pgn"];
    folder.ign(&pack).done();
    (folder, read(&text))
}

#[test]
fn counts_equal_those_of_a_replay_with_and_without_conditions() {
    let start = key(&Chess::default());
    for coding in ["ign", "weighted"] {
        let (folder, games) = folder(coding);
        let all = replay(&games, &start, |_| true);
        assert!(all.moves.len() > 5);
        check(&folder, &[], &all);
        let sicilian = replay(&games, AFTER_E4_C5, |_| true);
        assert!(sicilian.all.iter().sum::<u64>() > 10);
        check(&folder, &["--opening", "1. e4 c5"], &sicilian);
        check(&folder, &["--position", AFTER_E4_C5], &sicilian);
        let strong = |game: &Game| {
            let ratings = ["WhiteElo", "BlackElo"].map(|name| game.rating(name));
            ratings
                .into_iter()
                .all(|rating| rating.is_some_and(|r| r >= 1600))
        };
        check(
            &folder,
            &["--elo", "1600.."],
            &replay(&games, &start, strong),
        );
        let rated =
            |game: &Game| game.tag("Event").contains("Blitz") && game.tag("Result") == "1-0";
        let options = ["--tag", "Event=Bl[i]tz", "--result", "white"];
        let options = [&options[..], &["--position", AFTER_E4_C5]].concat();
        check(&folder, &options, &replay(&games, AFTER_E4_C5, rated));
    }
}

#[test]
fn deeper_positions_are_found_by_every_order_of_moves() {
    let (folder, games) = folder("ign");
    let mut roots = BTreeSet::new();
    for game in games.iter().step_by(40) {
        let mut position = Chess::default();
        for (ply, san) in game.sans.iter().enumerate() {
            position.play_unchecked(san.to_move(&position).unwrap());
            if [3, 6, 20].contains(&ply) {
                roots.insert(key(&position));
            }
        }
    }
    for root in roots {
        let expected = replay(&games, &root, |_| true);
        check(&folder, &["--position", &root], &expected);
    }
}

/// Two move orders to one position, a game that repeats it, one that ends there, one of a variant.
const FEW: &str = "\
[White \"Ann\"]\n[WhiteElo \"2000\"]\n[BlackElo \"1800\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n
1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0\n
[White \"Ben\"]\n[Site \"https://lichess.org/j1dkb5dw\"]\n[Result \"0-1\"]\n
1. d4 d5 2. c4 0-1\n
[White \"Cy\"]\n[Result \"*\"]\n
1. c4 d5 2. d4 e6 *\n
[White \"Dee\"]\n[Result \"1/2-1/2\"]\n
1. b4 1/2-1/2\n
[White \"Eve\"]\n[Variant \"Atomic\"]\n[Result \"1-0\"]\n
1. e4 1-0\n";

fn few() -> Folder {
    let folder = Folder::with("few.pgn", FEW);
    folder.ign(&["pack", "-q", "few.pgn"]).done();
    folder
}

fn json(folder: &Folder, options: &[&str]) -> Value {
    let arguments = [&["tree", "few.ign", "--json"], options].concat();
    serde_json::from_slice(&folder.ign(&arguments).done()).unwrap()
}

#[test]
fn a_game_counts_once_at_its_first_occurrence() {
    let tree = json(&few(), &[]);
    assert_eq!(results(&tree), [1, 1, 1]);
    let moves = tree["moves"].as_array().unwrap();
    let uci: Vec<_> = moves.iter().map(|m| m["uci"].as_str().unwrap()).collect();
    // One game each, so the canonical order decides; Ann's game is not counted again for e4.
    assert_eq!(uci, ["g1f3", "b2b4", "c2c4", "d2d4"]);
    assert_eq!(moves[3]["game"]["id"], "j1dkb5dw");
    assert_eq!(moves[2]["game"]["id"], "3");
    assert_eq!(moves[2]["game"]["winner"], Value::Null);
    let ann = &moves[0]["game"];
    assert_eq!(
        (&ann["winner"], &ann["year"]),
        (&"white".into(), &2001.into())
    );
    assert_eq!(ann["month"], "2001-02");
    assert_eq!(ann["white"]["rating"], 2000);
    assert_eq!(tree["topGames"].as_array().unwrap().len(), 1);
    let recent = tree["recentGames"].as_array().unwrap();
    assert_eq!(recent[0]["white"]["name"], "Ann");
    assert_eq!(recent[1]["uci"], "b2b4");
}

#[test]
fn move_orders_are_added_and_the_last_name_on_the_way_is_kept() {
    let folder = few();
    let tree = json(&folder, &["--opening", "1. d4 d5 2. c4"]);
    assert_eq!(results(&tree), [0, 0, 1]);
    assert_eq!(tree["opening"]["name"], "Queen's Gambit");
    assert_eq!(tree["moves"][0]["san"], "e6");
    let text = folder
        .ign(&["tree", "few.ign", "--opening", "c4 d5 d4"])
        .done();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("1 game ends here"), "{text}");
}

#[test]
fn the_table_shows_results_in_bars_and_moves_by_depth() {
    let out = few()
        .ign(&["tree", "few.ign", "--depth", "2", "--moves", "2"])
        .done();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].starts_with("all        4  100.0%  +++++++======-------"),
        "{text}"
    );
    assert!(
        lines[2].starts_with("Nf3        1   25.0%  ++++++++++++++++++++"),
        "{text}"
    );
    assert!(
        lines[2].ends_with("100.0%    0.0%   0.0%    1900         2200   2001.02.03"),
        "{text}"
    );
    assert!(lines[3].starts_with("  Nf6 "), "{text}");
    assert!(
        text.ends_with("2 more moves in 2 games; --moves shows more\n"),
        "{text}"
    );
}

#[test]
fn the_picture_names_the_moves() {
    let folder = few();
    folder.ign(&["tree", "few.ign", "--svg", "tree.svg"]).done();
    let svg = String::from_utf8(folder.read("tree.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for word in ["Nf3", "Nf6", "Ng1", "Ng8", "25.0%", "4 games"] {
        assert!(svg.contains(word), "{word}");
    }
    let again = folder.ign(&["tree", "few.ign", "--svg", "tree.svg"]);
    again.failed(1, "already exists");
    folder
        .ign(&["tree", "few.ign", "--svg", "few.ign", "-f"])
        .failed(1, "also an input");
}

#[test]
fn rejects_illegal_positions_and_two_roots_and_reports_no_games() {
    let folder = few();
    let run = |options: &[&str]| folder.ign(&[&["tree", "few.ign"], options].concat());
    run(&["--position", "8/8/8/8/8/8/8/8 w - -"]).failed(1, "a tree has no games");
    run(&["--position", "x"]).failed(1, "--position");
    run(&["--opening", "1. e5"]).failed(1, "not a legal move");
    run(&["--opening", "e4", "--position", AFTER_E4_C5]).failed(1, "give one of them");
    run(&["--depth", "0"]).failed(1, "--depth");
    run(&["--depth", "21"]).failed(1, "--depth");
    run(&["--white", "Zoe"]).failed(1, "no game meets the conditions");
    run(&["--position", AFTER_E4_C5]).failed(1, "reaches the position");
    let nothing = run(&["--white", "Zoe", "--json"]);
    assert_eq!(nothing.code, Some(1));
    let tree: Value = serde_json::from_slice(&nothing.out).unwrap();
    assert_eq!(
        (results(&tree), &tree["moves"]),
        ([0; 3], &Value::Array(vec![]))
    );
}
