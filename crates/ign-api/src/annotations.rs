//! `GET /api/annotations`: how long players thought about the moves of a position, how it was
//! evaluated after them, and how often they were blunders. Clocks and evaluations are comments of
//! the games, so some of the games are read.

use std::collections::BTreeMap;

use ign_archive::{
    Game, GameNumber, Query,
    movetext::{AnnotatedMove, Eval},
};
use serde_json::{Value, json};
use shakmaty::Color;

use crate::{
    collection::View,
    failure::Result,
    games::search,
    key::Key,
    request::Request,
    root::Root,
    selection::Selection,
    task::{JSON, Task},
};

/// The greatest number of games that are read.
const MAX_GAMES: usize = 1000;
/// The parts in which they are taken from all games, at equal distances: games of a block are read
/// together.
const RUNS: usize = 8;
/// Pawns that an evaluation is cut to, and that a mate counts as.
const MAX_PAWNS: f64 = 10.0;
/// What a blunder loses of the expected score, as Lichess counts it: 15 of 100 points.
const BLUNDER: f64 = 0.15;

/// What is known of a move.
#[derive(Default)]
struct Sums {
    games: u64,
    times: Mean,
    evals: Mean,
    blunders: Mean,
}

/// A mean of values.
#[derive(Default)]
struct Mean {
    count: u64,
    sum: f64,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.count += 1;
            self.sum += value;
        }
    }

    fn value(&self) -> Option<f64> {
        let mean = self.sum / self.count as f64;
        (self.count > 0).then(|| (mean * 1000.0).round() / 1000.0)
    }
}

/// `GET /api/annotations?fen=…&play=…&…`
pub(crate) fn annotations(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let root = Root::take(&mut parameters)?;
    let selection = Selection::take(parameters, root.given())?;
    let view = request.served.view(selection.source.as_deref())?;
    let fields = root.position.fen_fields();
    let fen = String::from_utf8_lossy(&fields);
    let parts = ["annotations", &*fen].into_iter().chain(selection.parts());
    let key = Key::new(view.collection().identity(), parts);
    let compute = move |view: &View| {
        let (found, _) = search(view, &selection, root.given(), 0..usize::MAX, true)?;
        let sample = sample(&found);
        // In a fixed order: the ETag is that of the request.
        let mut moves = BTreeMap::new();
        let turn = root.position.turn();
        let position = Query::new().position(root.position);
        for (_, archive, numbers) in view.archives.by_archive(&sample)? {
            for game in archive.games().only(numbers) {
                let game = game?;
                if let Some(ply) = position.first_position(&game)? {
                    add(&game, ply, turn, &mut moves)?;
                }
            }
        }
        let moves: Vec<Value> = moves
            .iter()
            .map(|(san, sums)| {
                json!({
                    "san": san,
                    "games": sums.games,
                    "clocks": sums.times.count,
                    "seconds": sums.times.value(),
                    "evals": sums.evals.count,
                    "pawns": sums.evals.value(),
                    "blunders": sums.blunders.value(),
                })
            })
            .collect();
        let value = json!({"games": found.len(), "read": sample.len(), "moves": moves});
        Ok(value.to_string().into_bytes())
    };
    Ok(Task::keyed(JSON, key, view, compute))
}

/// At most [`MAX_GAMES`] of these games, in [`RUNS`] at equal distances.
fn sample(games: &[GameNumber]) -> Vec<GameNumber> {
    if games.len() <= MAX_GAMES {
        return games.to_vec();
    }
    let run = MAX_GAMES / RUNS;
    let last = games.len() - run;
    let runs = (0..RUNS).map(|number| &games[number * last / (RUNS - 1)..][..run]);
    runs.flatten().copied().collect()
}

/// Adds the move that a game plays at this ply.
fn add(game: &Game, ply: usize, turn: Color, moves: &mut BTreeMap<String, Sums>) -> Result<()> {
    let coded = game.san()?;
    let Some(san) = coded.get(ply) else {
        return Ok(());
    };
    let sums = moves.entry(san.clone()).or_default();
    sums.games += 1;
    let line = game.movetext()?;
    let Some(played) = line.moves.get(ply) else {
        return Ok(());
    };
    let before = |plies: usize| line.moves.get(ply.checked_sub(plies)?);
    sums.times.add(seconds(game, before(2), played)?);
    let after = played.eval().map(pawns);
    sums.evals.add(after);
    let start = before(1).and_then(|played| played.eval()).map(pawns);
    let sign = if turn.is_white() { 1.0 } else { -1.0 };
    let lost = start
        .zip(after)
        .map(|(start, after)| sign * (score(start) - score(after)));
    let is_blunder = lost.map(|lost| f64::from(u8::from(lost >= BLUNDER)));
    sums.blunders.add(is_blunder);
    Ok(())
}

/// The seconds from the clock after the player's move before this one, with the increment. The
/// first move starts from the base time, and gets no increment.
fn seconds(
    game: &Game,
    before: Option<&AnnotatedMove>,
    played: &AnnotatedMove,
) -> Result<Option<f64>> {
    let clock = |played: &AnnotatedMove| played.clock().map(|clock| clock.as_secs_f64());
    let control = game.tag("TimeControl")?.unwrap_or_default();
    let (base, increment) = control.split_once('+').unwrap_or((&control, "0"));
    let start = match before {
        Some(before) => clock(before).map(|start| start + increment.parse().unwrap_or(0.0)),
        None => base.parse().ok(),
    };
    let seconds = start.zip(clock(played)).map(|(start, end)| start - end);
    // Time can be added to a clock.
    Ok(seconds.filter(|&seconds: &f64| seconds >= 0.0))
}

fn pawns(eval: Eval) -> f64 {
    match eval {
        Eval::Centipawns(cp) => (f64::from(cp) / 100.0).clamp(-MAX_PAWNS, MAX_PAWNS),
        Eval::Mate(moves) if moves < 0 => -MAX_PAWNS,
        Eval::Mate(_) => MAX_PAWNS,
    }
}

/// The expected score of White, by the curve that Lichess fits to its games.
fn score(pawns: f64) -> f64 {
    1.0 / (1.0 + (-0.368_208 * pawns).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_games_from_all_parts_and_each_once() {
        for games in [0, 1, MAX_GAMES, MAX_GAMES + 1, 123_456] {
            let all: Vec<GameNumber> = (0..games as u64).map(GameNumber::from_index).collect();
            let sample = sample(&all);
            assert_eq!(sample.len(), games.min(MAX_GAMES));
            assert!(sample.is_sorted_by(|one, other| one < other));
            assert_eq!(sample.last(), all.last());
        }
    }
}
