//! Does python-chess find the same games? A second oracle, for the conditions that it can answer by
//! itself: positions, boards, material, openings, repetitions, fifty moves, plies and tags.
//!
//! `IGN_PYTHON` names the Python to use, the default is `python3`.

use std::{ffi::OsStr, fs, path::Path, process::Command};

use crate::oracle::{
    Game, Indexed, board::material, conditions::some_position, data, rules::Rules,
};
use ign_archive::{Coding, Query};
use ign_testing::{Folder, Random, games_of_seed, python};
use shakmaty::Board;

const ORACLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/python_chess.py");

/// The number of queries.
const QUERIES: usize = 500;

/// A text of games that every reader reads alike: chess and Chess960 from any position, with legal
/// moves in standard notation only.
fn tidy(games: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = games_of_seed(games as u64 / 2, seed);
    for number in 0..games / 2 {
        let board = Board::chess960(random.below(960) as u32).to_string();
        let (fen, variant) = match random.below(3) {
            0 => (None, ""),
            1 => (
                Some(format!("{board} w KQkq - 0 1")),
                "[Variant \"Chess960\"]\n",
            ),
            // The last two are no complete position.
            _ => (
                Some(data::pick(&mut random, &data::STARTS[..data::STARTS.len() - 3]).to_string()),
                "",
            ),
        };
        let start = Rules::of_tags(fen.as_deref().map(str::as_bytes), None).unwrap();
        let fen = fen.map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
        let name = data::pick(&mut random, &["Ann", "Ben", "Cid"]);
        let tags = format!("[Event \"?\"]\n[White \"{name}\"]\n[Round \"{number}\"]\n");
        text.extend_from_slice(tags.as_bytes());
        text.extend_from_slice(variant.as_bytes());
        text.extend_from_slice(fen.unwrap_or_default().as_bytes());
        text.push(b'\n');
        data::movetext(&mut random, start, false, true, &mut text);
    }
    text
}

/// A query, and its conditions as the script reads them.
struct Asked {
    query: Query,
    conditions: Vec<String>,
}

impl Asked {
    fn random(random: &mut Random, games: &[Game]) -> Self {
        let mut asked = Self {
            query: Query::default(),
            conditions: Vec::new(),
        };
        let first = random.below(11);
        asked.add(random, first, games);
        // Some queries have a second condition of another kind.
        if data::one_in(random, 3) {
            let second = 5 + (first + 1 + random.below(4)) % 5;
            asked.add(random, second, games);
        }
        asked
    }

    fn add(&mut self, random: &mut Random, kind: usize, games: &[Game]) {
        let parts = some_position(random, games);
        let game = data::pick(random, games);
        let query = &mut self.query;
        // Some conditions must not be met.
        let excluded = data::one_in(random, 4);
        if kind == 10 {
            let condition = sequence(random, game);
            let mut sequence = Query::default();
            let wanted = if excluded { &mut sequence } else { &mut *query };
            for (name, text) in sequence_values(&condition) {
                wanted.set(&name, &text).unwrap();
            }
            if excluded {
                *query = std::mem::take(query).exclude(sequence);
            }
            let not = if excluded { "exclude=" } else { "" };
            self.conditions.push(format!("{not}{condition}"));
            return;
        }
        let mut set = |name: &str, text: String| {
            if excluded {
                query.set("exclude", &format!("{name}={text}")).unwrap();
            } else {
                query.set(name, &text).unwrap();
            }
        };
        let condition = match kind {
            0..=2 => {
                set("position", parts.fen());
                format!("position={}", parts.fen())
            }
            3 => {
                set("board", parts.fen());
                format!("board={}", parts.board)
            }
            4 if data::one_in(random, 2) => {
                let letters = *data::pick(random, &["Q", "r", "Nn", "p", "QqRr"]);
                let most = random.below(4);
                let text = format!("{letters}=0..{most},P=2..8,Kk=2");
                set("material", text.clone());
                format!("counts={letters}=0..{most},P=2..8,Kk=2..2")
            }
            4 => {
                let text = material(&parts.board).join("-");
                set("material", text.clone());
                format!("material={text}")
            }
            5 => {
                let standard = games.iter().filter(|game| game.is_standard);
                let standard: Vec<&Game> = standard.collect();
                let game = data::pick(random, &standard);
                let plies = (1 + random.below(12)).min(game.moves.len());
                let moves: Vec<&str> = game.moves[..plies].iter().map(|m| &*m.uci).collect();
                set("opening", moves.join(" "));
                format!("opening={}", moves.join(" "))
            }
            6 => {
                let plies = game.moves.len() as u32;
                let range = format!("{}..{}", plies.saturating_sub(4), plies + 4);
                set("plies", range.clone());
                format!("plies={range}")
            }
            7 => {
                set("repetition", "true".to_owned());
                "repetition=".to_owned()
            }
            8 => {
                set("fifty_moves", "true".to_owned());
                "fifty_moves=".to_owned()
            }
            _ => {
                let name = String::from_utf8(game.tag("White").unwrap().to_vec()).unwrap();
                set("white", name.clone());
                format!("white={name}")
            }
        };
        let not = if excluded { "exclude=" } else { "" };
        self.conditions.push(format!("{not}{condition}"));
    }
}

/// Conditions on one position after another that a game meets, or nearly meets, as the script reads
/// them.
fn sequence(random: &mut Random, game: &Game) -> String {
    let mut places: Vec<usize> = (0..2 + random.below(2))
        .map(|_| random.below(game.positions.len()))
        .collect();
    if !data::one_in(random, 4) {
        places.sort_unstable();
    }
    let stages = places.into_iter().map(|place| {
        let parts = &game.positions[place];
        let lasting = 1 + random.below(3) * random.below(4);
        if data::one_in(random, 3) {
            format!("board#{}#1", parts.fen())
        } else {
            format!("material#{}#{lasting}", material(&parts.board).join("-"))
        }
    });
    format!("sequence={}", stages.collect::<Vec<_>>().join("|"))
}

/// The conditions of a sequence, as a query has them.
fn sequence_values(condition: &str) -> Vec<(String, String)> {
    let mut values = Vec::new();
    for stage in condition["sequence=".len()..].split('|') {
        let parts: Vec<&str> = stage.split('#').collect();
        if values.is_empty() {
            values.push((parts[0].to_owned(), parts[1].to_owned()));
            values.push(("lasting".to_owned(), parts[2].to_owned()));
        } else {
            let text = format!("{}={};lasting={}", parts[0], parts[1], parts[2]);
            values.push(("later".to_owned(), text));
        }
    }
    values
}

/// The answers of the script.
fn answers(python: &OsStr, text: &[u8], asked: &[Asked]) -> Vec<Vec<u64>> {
    let folder = Folder::new();
    let [games, queries] = ["games.pgn", "queries"].map(|name| folder.path(name));
    fs::write(&games, text).unwrap();
    let lines = asked.iter().map(|asked| asked.conditions.join("\t") + "\n");
    fs::write(&queries, lines.collect::<String>()).unwrap();
    let output = Command::new(python)
        .args([Path::new(ORACLE), &games, &queries])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let numbers = |line: &str| {
        line.split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect()
    };
    let output = String::from_utf8(output.stdout).unwrap();
    output.lines().map(numbers).collect()
}

#[test]
fn python_chess_finds_the_same_games() {
    let Some(python) = python("chess.pgn") else {
        return;
    };
    let text = tidy(300, 11);
    let indexed = Indexed::of(&text, Coding::Ign, 100_000);
    let games = indexed.games(&text);
    let mut random = Random(11);
    let asked: Vec<Asked> = (0..QUERIES)
        .map(|_| Asked::random(&mut random, &games))
        .collect();
    let answers = answers(&python, &text, &asked);
    assert_eq!(answers.len(), asked.len());
    let mut telling = 0;
    for (asked, expected) in asked.iter().zip(&answers) {
        for uses_index in [true, false] {
            let archive = indexed.archive.clone().with_search_index(uses_index);
            let found = archive.find(&asked.query).unwrap();
            let conditions = &asked.conditions;
            assert_eq!(&found, expected, "{conditions:?}, index {uses_index}");
        }
        telling += usize::from((1..games.len()).contains(&expected.len()));
    }
    assert!(telling > QUERIES / 2, "{telling}");
}
