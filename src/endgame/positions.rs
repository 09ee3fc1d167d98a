//! The values of positions, and of all moves in them.

use std::{cmp::Reverse, io::Write};

use shakmaty::Color;

use crate::{
    json::{self, solved},
    output::Output,
};
use ign_archive::Result;
use ign_endgame::value::Value;
use ign_notation::chess::{Legal, Position, san};

/// Prints the value of each position.
///
/// # Errors
/// Io; those of `value`.
pub fn write_values(
    positions: &[Position],
    as_json: bool,
    value: impl Fn(&Position) -> Result<Value>,
) -> Result<()> {
    let mut out = Output::stdout();
    for position in positions {
        let value = value(position)?;
        if as_json {
            json::write(&mut out, &object(position, value, None))?
        } else {
            writeln!(out, "{}", described(value, position.turn()))?
        }
    }
    out.finish()
}

/// Prints the value of each position and of all its moves, the best move first.
///
/// # Errors
/// Io; those of `value`.
pub fn write_moves(
    positions: &[Position],
    as_json: bool,
    value: impl Fn(&Position) -> Result<Value>,
) -> Result<()> {
    let mut out = Output::stdout();
    for position in positions {
        let own = value(position)?;
        let moves = moves(position, &value)?;
        if as_json {
            let moves = moves.into_iter().map(|(value, played)| solved::Move {
                played,
                value: value_of(value),
            });
            json::write(&mut out, &object(position, own, Some(moves.collect())))?;
            continue;
        }
        writeln!(out, "{}", described(own, position.turn()))?;
        for (value, name) in moves {
            writeln!(out, "  {name:<8}{}", described(value, position.turn()))?;
        }
    }
    out.finish()
}

/// The value of each move for the player, and its name, the best move first.
fn moves(
    position: &Position,
    value: impl Fn(&Position) -> Result<Value>,
) -> Result<Vec<(Value, String)>> {
    let legal = Legal::new(position);
    let mut played = Vec::new();
    legal.each_move(|m| played.push(m));
    let mut moves = Vec::with_capacity(played.len());
    for m in played {
        let mut next = *position;
        next.play(m);
        let sign = Legal::new(&next).sign().map(char::from);
        let mut name = String::from_utf8_lossy(san::write(&legal, m).as_bytes()).into_owned();
        name.extend(sign);
        moves.push((value(&next)?.before(), name));
    }
    moves.sort_by_key(|(value, _)| Reverse(value.rank()));
    Ok(moves)
}

/// A value in words, with `turn` to move.
fn described(value: Value, turn: Color) -> String {
    let name = |color: Color| if color.is_white() { "White" } else { "Black" };
    match (value, value.moves()) {
        (Value::Win(_), Some(moves)) => format!("{} mates in {moves}", name(turn)),
        (Value::Loss(0), _) => format!("{} has mated", name(!turn)),
        (Value::Loss(_), Some(moves)) => format!("{} mates in {moves}", name(!turn)),
        _ => "drawn".into(),
    }
}

fn object(position: &Position, value: Value, moves: Option<Vec<solved::Move>>) -> solved::Position {
    solved::Position {
        fen: String::from_utf8_lossy(&position.fen_fields()).into_owned(),
        value: value_of(value),
        moves,
    }
}

fn value_of(value: Value) -> solved::Value {
    solved::Value {
        result: match value {
            Value::Win(_) => solved::Outcome::Win,
            Value::Draw => solved::Outcome::Draw,
            Value::Loss(_) => solved::Outcome::Loss,
        },
        moves_to_mate: value.moves(),
    }
}
