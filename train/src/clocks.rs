//! Training samples of the clock model (`ign_format::pgn::comments::clock_model`), which predicts
//! thinking times.

use ign_format::pgn::comments::{
    clock_model::{Clocks, INPUTS, SHAPE},
    context::GamePoint,
    formats::unit,
    move_features,
    scan::Field,
    series::Kind,
    time_control::TimeControl,
};

use super::predict::{Sample, Task, find_field, games};

/// Training of the clock model.
pub const TASK: Task = Task {
    shape: SHAPE,
    inputs: INPUTS,
    samples,
    blind: Some(8),
    unit: "games",
};

/// The thinking times in a PGN text, by game.
fn samples(text: &[u8], with_moves: bool) -> Vec<Vec<Sample>> {
    let mut seen = Vec::new();
    games(text, |game| {
        seen.clear();
        if with_moves {
            move_features::of_game(game.start, &game.movetext.moves, &mut seen);
        }
        let mut clocks = Clocks::new(TimeControl::of_tag(game.time_control));
        let mut samples = Vec::new();
        game.each_comment(|ply, _, comment| {
            let Some((unit, shown)) = clock(comment) else {
                return;
            };
            let side = ply & 1;
            let thought = clocks.left(side) / unit - shown;
            let point = GamePoint { ply, moves: &seen };
            let inputs = clocks.inputs(side, unit, point);
            samples.extend(inputs.and_then(|inputs| Sample::new(&inputs, thought)));
            clocks.push(side, unit, shown * unit, thought * unit);
        });
        samples
    })
}

/// The clock in a comment: its unit in thousandths of a second, and the time left in that unit.
fn clock(comment: &[u8]) -> Option<(i64, i64)> {
    find_field(comment, |before, after, field| {
        let Field {
            mark, mode, value, ..
        } = *field;
        let counts_down = Kind::of(mark, mode, before, after) == Kind::Countdown;
        counts_down.then(|| (unit(mark, mode), value))
    })
}
