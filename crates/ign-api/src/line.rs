//! The moves of a game as JSON: main line, comments, clocks, evaluations, variations.

use ign_archive::{
    movetext::{AnnotatedMove, Eval, Line, after_null_move},
    shakmaty::{
        CastlingMode, EnPassantMode, File, Move, Position as _, Square,
        fen::Fen,
        san::{San, SanPlus},
        uci::UciMove,
        variant::VariantPosition,
    },
};
use serde_json::{Value, json};

/// The greatest depth of variations within variations.
const MAX_DEPTH: usize = 16;

/// The moves of a line from a position, as far as they are legal, and whether all of them are.
pub fn moves(line: &Line, start: &VariantPosition) -> (Vec<Value>, bool) {
    moves_at(line, start, 0)
}

fn moves_at(line: &Line, start: &VariantPosition, depth: usize) -> (Vec<Value>, bool) {
    let mut position = start.clone();
    let mut values = Vec::with_capacity(line.moves.len());
    for annotated in &line.moves {
        let Some((san, uci, after)) = play(&position, &annotated.san.san) else {
            return (values, false);
        };
        // Variations replace the move, so they start before it.
        let variations: Vec<Value> = if depth < MAX_DEPTH {
            annotated
                .variations
                .iter()
                .map(|variation| json!(moves_at(variation, &position, depth + 1).0))
                .collect()
        } else {
            Vec::new()
        };
        position = after;
        let mut value = bare(&san, &uci, &position);
        value["clock"] = json!(annotated.clock().map(|clock| clock.as_secs_f64()));
        value["eval"] = json!(annotated.eval().map(eval));
        value["nags"] = json!(annotated.nags.iter().map(|nag| nag.0).collect::<Vec<u8>>());
        value["comment"] = json!(comment(annotated));
        value["variations"] = json!(variations);
        values.push(value);
    }
    (values, true)
}

/// A move without annotations, and the position after it.
fn bare(san: &str, uci: &str, after: &VariantPosition) -> Value {
    json!({
        "san": san,
        "uci": uci,
        "fen": fen_of(after),
        "clock": null,
        "eval": null,
        "nags": [],
        "comment": null,
        "variations": [],
    })
}

/// The moves of the archive, in SAN, with the annotations of those that were read from the text, as
/// far as both have the same moves.
pub fn complete(read: Vec<Value>, coded: &[String], start: &VariantPosition) -> Vec<Value> {
    let same = read
        .iter()
        .zip(coded)
        .take_while(|(read, san)| read["san"] == **san);
    let same = same.count();
    let mut position = start.clone();
    let mut values = read;
    values.truncate(same);
    for (ply, san) in coded.iter().enumerate() {
        let san: Option<San> = SanPlus::from_ascii(san.as_bytes()).ok().map(|san| san.san);
        let Some((san, uci, after)) = san.and_then(|san| play(&position, &san)) else {
            break;
        };
        position = after;
        if ply >= same {
            values.push(bare(&san, &uci, &position));
        }
    }
    values
}

/// The SAN and UCI notation of a move that is legal or a null move, and the position after it.
fn play(position: &VariantPosition, san: &San) -> Option<(String, String, VariantPosition)> {
    if *san == San::Null {
        let after = after_null_move(position)?;
        return Some((san.to_string(), UciMove::Null.to_string(), after));
    }
    let played = san.to_move(position).ok()?;
    let name = SanPlus::from_move(position.clone(), played).to_string();
    let mut after = position.clone();
    after.play_unchecked(played);
    let uci = played.to_uci(castling_mode(played)).to_string();
    Some((name, uci, after))
}

/// How castling is written: as the king's move if king and rook are where standard chess has them,
/// as in [`TreeMove::uci`](ign_archive::tree::TreeMove::uci).
fn castling_mode(played: Move) -> CastlingMode {
    let is_standard = |king: Square, rook: Square| {
        king.file() == File::E && matches!(rook.file(), File::A | File::H)
    };
    match played {
        Move::Castle { king, rook } if !is_standard(king, rook) => CastlingMode::Chess960,
        _ => CastlingMode::Standard,
    }
}

/// The FEN of a position.
pub fn fen_of(position: &VariantPosition) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn eval(eval: Eval) -> Value {
    match eval {
        Eval::Centipawns(cp) => json!({"cp": cp}),
        Eval::Mate(moves) => json!({"mate": moves}),
    }
}

fn comment(annotated: &AnnotatedMove) -> Option<String> {
    text(&annotated.comments)
}

/// The text of comments, without commands such as `[%clk …]`; `None` if there is none.
pub fn text(comments: &[String]) -> Option<String> {
    let texts: Vec<String> = comments
        .iter()
        .map(|comment| {
            let mut text = String::with_capacity(comment.len());
            let mut rest = comment.as_str();
            while let Some((before, command)) = rest.split_once("[%") {
                let Some((_, after)) = command.split_once(']') else {
                    break;
                };
                text.push_str(before);
                rest = after;
            }
            text.push_str(rest);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .filter(|text| !text.is_empty())
        .collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_comments_is_without_commands() {
        let of = |comments: &[&str]| {
            let comments: Vec<String> = comments.iter().map(|&c| c.to_owned()).collect();
            text(&comments)
        };
        assert_eq!(of(&["[%eval 0.2] [%clk 0:01:00]"]), None);
        assert_eq!(
            of(&["Good. [%clk 0:01:00] Very", "good"]).as_deref(),
            Some("Good. Very good")
        );
        assert_eq!(of(&["[%clk 0:01"]).as_deref(), Some("[%clk 0:01"));
        assert_eq!(of(&[]), None);
    }
}
