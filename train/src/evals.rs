//! Training samples of the evaluation model (`ign_format::pgn::comments::evals`), which predicts
//! engine evaluations.

use ign_format::pgn::comments::{
    context::{FieldContext, GamePoint},
    evals::{EvalHistory, INPUTS, SHAPE, UNIT},
    formats::{NUMBER, modes, unit, value},
    glyph::Glyph,
    move_features,
};

use super::predict::{Sample, Task, find_field, games};

/// Training of the evaluation model.
pub const TASK: Task = Task {
    shape: SHAPE,
    inputs: INPUTS,
    samples,
    blind: None,
    unit: "games",
};

/// The evaluations in a PGN text, by game. A text without clocks is encoded without move features,
/// so its samples have none.
fn samples(text: &[u8], with_moves: bool) -> Vec<Vec<Sample>> {
    let mut seen = Vec::new();
    let by_moves = with_moves && ign_format::pgn::comments::count_clocks(text, 1) > 0;
    games(text, |game| {
        seen.clear();
        if by_moves {
            move_features::of_game(game.start, &game.movetext.moves, &mut seen);
        }
        let mut history = EvalHistory::default();
        let mut samples = Vec::new();
        game.each_comment(|ply, gap, comment| {
            let Some(value) = evaluation(comment) else {
                return;
            };
            let context = FieldContext {
                slot: 0,
                field: 0,
                point: GamePoint { ply, moves: &seen },
                glyph: Glyph::of_gap(gap),
                is_evaluation: true,
            };
            let prediction = history.predict(&context);
            let sample = prediction.and_then(|p| Sample::new(&p.inputs, p.excess(value)));
            samples.extend(sample);
            history.push(&context, value);
        });
        samples
    })
}

/// The evaluation of the position in a comment (`[%eval ...]`), in hundredths of a pawn.
fn evaluation(comment: &[u8]) -> Option<i64> {
    find_field(comment, |before, _, field| {
        let text = &comment[field.range.clone()];
        let parsed = |mode| {
            let fits = field.mark == NUMBER && unit(NUMBER, mode) == UNIT;
            value(field.mark, mode, text, &mut Vec::new()).filter(|_| fits)
        };
        let is_one = before.ends_with(b"[%eval ");
        (0..modes(field.mark)).find_map(parsed).filter(|_| is_one)
    })
}
