//! `GET /api/position`: a position with its legal moves, so that a page needs no rules of its own.

use std::collections::BTreeMap;

use ign_archive::query::has_insufficient_material;
use ign_notation::chess::Legal;
use serde_json::{Value, json};
use shakmaty::Color;

use crate::{answer::Name, failure::Result, request::Request, root::Root, task::Task};

/// `GET /api/position?fen=…&play=…`
pub(crate) fn position(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let root = Root::take(&mut parameters)?;
    parameters.finish()?;
    let legal = Legal::new(&root.position);
    let mut moves: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut promotes = false;
    legal.each_move(|played| {
        let targets = moves.entry(played.from().to_string()).or_default();
        let target = played.to().to_string();
        promotes |= played.promotion().is_some();
        if !targets.contains(&target) {
            targets.push(target);
        }
    });
    let line = root.line.iter().map(|played| {
        json!({
            "uci": played.uci,
            "san": played.san,
            "fen": played.fen,
            "opening": played.opening.map(Name::from),
        })
    });
    let value = json!({
        "fen": root.fen(),
        "opening": root.opening.map(Name::from),
        "turn": color_name(root.position.turn()),
        "check": legal.is_check(),
        "legal": moves,
        "promotes": promotes,
        "outcome": outcome(&legal),
        "line": line.collect::<Vec<Value>>(),
    });
    Ok(Task::done("max-age=3600", &value))
}

/// `white` or `black`.
fn color_name(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}

/// How the game has ended by the rules; null if it goes on.
fn outcome(legal: &Legal) -> Value {
    let position = legal.position();
    let winner = color_name(!position.turn());
    match (legal.count(), legal.is_check()) {
        (0, true) => json!({"winner": winner, "reason": "checkmate"}),
        (0, false) => json!({"winner": null, "reason": "stalemate"}),
        _ if has_insufficient_material(position) => {
            json!({"winner": null, "reason": "insufficient material"})
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::chess::Position;

    fn outcome_of(fen: &str) -> Value {
        outcome(&Legal::new(&Position::from_fen(fen.as_bytes()).unwrap()))
    }

    #[test]
    fn outcomes_follow_the_rules() {
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(outcome_of(mate)["winner"], "black");
        assert_eq!(
            outcome_of("7k/5Q2/6K1/8/8/8/8/8 b - -")["reason"],
            "stalemate"
        );
        for (fen, dead) in [
            ("4k3/8/8/8/8/8/8/4K3 w - -", true),
            ("4k3/8/8/8/8/8/8/4KN2 w - -", true),
            ("4k3/8/8/8/8/8/8/2B1KB2 w - -", false),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - -", true),
            ("4k3/8/8/8/8/8/8/3NKN2 w - -", false),
            ("4k3/8/8/8/8/8/8/3NKB2 w - -", false),
            ("4k3/8/8/8/8/8/P7/4K3 w - -", false),
        ] {
            assert_eq!(outcome_of(fen).is_null(), !dead, "{fen}");
        }
    }
}
