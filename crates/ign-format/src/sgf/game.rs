//! Reads games of Go from SGF and writes them as SGF: the start and the main line.
//!
//! Variations, comments and layout are ignored; [`parse`](super::parse) keeps them.

use super::{
    parse::{Parser, Played, Record},
    start::Heading,
    syntax::{RecordFinder, is_collection, is_whole},
};
use crate::error::{Error, Result};
use ign_notation::{
    go::{Color, Move, Point, Position},
    signature::Signature,
};

/// A game of Go: its start, main line and tags.
#[derive(Debug, Clone)]
pub struct Game {
    /// The position before the first move.
    pub start: Position,
    /// The moves of the main line, with players alternating. If the record has two moves of one
    /// colour in a row, the implicit pass between them is included.
    pub moves: Vec<Move>,
    /// Its signature (D. Dyer, "Signatures for Go game records"; spec §14.5).
    pub signature: Signature,
    /// Names and values of the properties before the first move.
    pub tags: Vec<(String, Vec<u8>)>,
}

/// Reads the games of a collection. Text between the games is skipped.
///
/// # Errors
/// Corrupt if the text is not a collection. Corrupt with the game's number and byte offset if a
/// record is not a game of Go, has an illegal move in its main line or is incomplete.
pub fn read(text: &[u8]) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    each(text, |game| {
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

/// Calls `show` for each game of a collection, in order.
///
/// # Errors
/// Those of [`read`] and of `show`.
pub fn each(text: &[u8], mut show: impl FnMut(Game) -> Result<()>) -> Result<()> {
    if !is_collection(text) {
        return Err(Error::corrupt("the text is not SGF").with_remedy("a record begins with (;"));
    }
    let mut number = 0;
    let mut finder = RecordFinder::default();
    let mut parser = Parser::default();
    let mut record = Record::default();
    let mut at = 0;
    while at < text.len() {
        let end = finder.record_end(text, at);
        let part = &text[at..end];
        let mut moves = Vec::new();
        parser.parse(part, &mut record, |Played { played, main, .. }| {
            if main {
                moves.push(played);
            }
        });
        if part.trim_ascii_start().starts_with(b"(") {
            number += 1;
            let wrong =
                |what: &str| Error::corrupt(format!("game {number}: {what}")).at_byte(at as u64);
            let start = record.start.take().ok_or_else(|| {
                wrong("the record does not start a game of Go")
                    .with_remedy("a record needs GM[1], SZ[1] to SZ[52], and stones on the board")
            })?;
            if record.main_ends_early {
                let next = record.main_moves + 1;
                return Err(wrong(&format!("move {next} is not legal")));
            }
            if !is_whole(part) {
                let last = record.main_moves;
                return Err(wrong(&format!("the record is cut off after move {last}")));
            }
            let tag = |tag: &super::parse::Tag| {
                let name = String::from_utf8_lossy(&part[tag.name.clone()]).into_owned();
                (name, part[tag.value.clone()].to_vec())
            };
            show(Game {
                start,
                moves,
                signature: record.signature,
                tags: record.tags.iter().map(tag).collect(),
            })?;
        }
        at = end;
    }
    Ok(())
}

/// Writes a game as SGF: the properties that describe its start, then ten moves a line.
pub fn write(start: &Position, moves: &[Move]) -> String {
    let size = start.size();
    let mut out = String::from("(;GM[1]FF[4]");
    out += &match (size.columns(), size.rows()) {
        (columns, rows) if columns == rows => format!("SZ[{rows}]"),
        (columns, rows) => format!("SZ[{columns}:{rows}]"),
    };
    if start.rules().suicide {
        out += "RU[NZ]";
    }
    let mut stones = [false; 2];
    for (i, (name, color)) in [("AB", Color::Black), ("AW", Color::White)]
        .into_iter()
        .enumerate()
    {
        for row in 0..size.rows() {
            for column in 0..size.columns() {
                let point = Point { row, column };
                if start.stone(point) == Some(color) {
                    if !std::mem::replace(&mut stones[i], true) {
                        out += name;
                    }
                    out += &format!("[{point}]");
                }
            }
        }
    }
    let usual = match stones {
        [true, false] => Color::White,
        _ => Color::Black,
    };
    if start.turn() != usual {
        out += if start.turn() == Color::Black {
            "PL[B]"
        } else {
            "PL[W]"
        };
    }
    let mut color = start.turn();
    for (i, played) in moves.iter().enumerate() {
        if i % 10 == 0 {
            out.push('\n');
        }
        let letter = match color {
            Color::Black => 'B',
            Color::White => 'W',
        };
        out += &match played {
            Move::Stone(point) => format!(";{letter}[{point}]"),
            Move::Pass => format!(";{letter}[]"),
        };
        color = !color;
    }
    out += ")\n";
    out
}

/// Returns the starting position that properties describe, given as names and values.
///
/// # Errors
/// Usage if they do not describe a start (spec §14.2).
pub fn start(properties: &[(String, Vec<u8>)]) -> Result<Position> {
    let value = |name: &str| {
        let found = properties.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| &value[..])
    };
    Heading::new(value)
        .start()
        .ok_or_else(|| Error::usage("the properties do not describe the start of a game of Go"))
}
