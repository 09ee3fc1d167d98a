//! Generated games of chess.

use std::{collections::BTreeMap, sync::Mutex};

use ign_sample::Sample;

use crate::{Random, variant_games};

/// Generated games; each number of games is generated once.
pub fn games(count: u64) -> Vec<u8> {
    static GENERATED: Mutex<BTreeMap<u64, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut generated = GENERATED.lock().unwrap();
    let text = generated
        .entry(count)
        .or_insert_with(|| games_of_seed(count, 1));
    text.clone()
}

/// Generated games of a seed.
pub fn games_of_seed(count: u64, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    Sample::new(count, seed).write(&mut text).unwrap();
    text
}

/// Generated games of a seed, with a clock comment after each move.
pub fn clocked_games(count: u64, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    let sample = Sample::new(count, seed).clocks(true);
    sample.write(&mut text).unwrap();
    text
}

/// Changes the movetext of each game.
fn map_movetext(games: &[u8], mut map: impl FnMut(&str) -> String) -> String {
    let lines = std::str::from_utf8(games).unwrap().split_inclusive('\n');
    lines
        .map(|line| {
            if line.starts_with("1. ") {
                map(line.trim_end()) + "\n"
            } else {
                line.to_owned()
            }
        })
        .collect()
}

/// Generated games, each with a comment of its own length.
pub fn commented(games: &[u8]) -> Vec<u8> {
    let mut number = 0;
    let words = [
        "better", "was", "the", "knight", "on", "f3", "now", "White", "wins",
    ];
    let text = map_movetext(games, |line| {
        number += 1;
        let comment: Vec<_> = (0..120 + 7 * number % 90)
            .map(|i| words[(i * i + i * number) % words.len()])
            .collect();
        line.replacen("1. ", &format!("{{{}}} 1. ", comment.join(" ")), 1)
    });
    text.into_bytes()
}

/// Whether a word of movetext is a move.
fn is_move(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Generated games without comments, with an evaluation, a depth and a time after each move, as
/// engines write them.
pub fn analysed(games: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let text = map_movetext(games, |line| {
        let words = line.split(' ').map(|word| {
            if is_move(word) {
                let sign = ["+", "-"][random.below(2)];
                let [pawns, parts, depth, seconds] = [3, 100, 12, 90].map(|n| random.below(n));
                format!(
                    "{word} {{{sign}{pawns}.{parts:02}/{} {}.{}s}}",
                    depth + 9,
                    seconds / 10,
                    seconds % 10
                )
            } else {
                word.to_owned()
            }
        });
        words.collect::<Vec<_>>().join(" ")
    });
    text.into_bytes()
}

/// Games with lines of at most 80 bytes, as in collections of games over the board.
pub fn wrapped(games: &[u8]) -> Vec<u8> {
    let text = map_movetext(games, |line| {
        let mut out = String::new();
        let mut column = 0;
        for word in line.split(' ') {
            let space = match column {
                0 => "",
                column if column + 1 + word.len() > 80 => "\n",
                _ => " ",
            };
            column = match space {
                "\n" => word.len(),
                space => column + space.len() + word.len(),
            };
            out += space;
            out += word;
        }
        out
    });
    text.into_bytes()
}

/// Generated games with clocks, and games of variants, each up to three times in a row.
pub fn repeated_games() -> String {
    let mut seconds = 0;
    let mut clocked = |word: &str| {
        if word.ends_with('.') || word.contains("1-0") {
            format!("{word} ")
        } else {
            seconds = (seconds * 31 + word.len()) % 997;
            format!(
                "{word} {{[%clk 0:{:02}:{:02}]}} ",
                seconds / 60,
                seconds % 60
            )
        }
    };
    let text = map_movetext(&games(40), |line| {
        line.split(' ').map(&mut clocked).collect()
    });
    let text = text + "\n" + &variant_games(1);
    let games = text.split("[Event ").skip(1);
    let times = [1, 2, 1, 3].into_iter().cycle();
    games
        .zip(times)
        .map(|(game, times)| format!("[Event {game}").repeat(times))
        .collect()
}
