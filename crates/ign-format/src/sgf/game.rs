//! A game of Go read from SGF and written to it, for those who want no more than the game.

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

/// A game: where it starts, and its main line.
#[derive(Debug, Clone)]
pub struct Game {
    /// Where it starts.
    pub start: Position,
    /// Its moves, of both players in turn: where the record has two of one colour, there is a pass
    /// between them.
    pub moves: Vec<Move>,
    /// Its signature (seed document 002).
    pub signature: Signature,
    /// Names and values of the properties in its head.
    pub tags: Vec<(String, Vec<u8>)>,
}

/// Reads the games of a collection. Text between them is passed over.
///
/// # Errors
/// Corrupt, naming the byte, when it is no collection, or when a record is no game of Go, or has a
/// move that the rules forbid.
pub fn read(text: &[u8]) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    each(text, |game| {
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

/// Shows the games of a collection, one after the other.
///
/// # Errors
/// Those of [`read`], and of `show`.
pub fn each(text: &[u8], mut show: impl FnMut(Game) -> Result<()>) -> Result<()> {
    if !is_collection(text) {
        return Err(Error::corrupt("this is no SGF").with_remedy("a record begins with (;"));
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
            let start = record.start.take();
            let start = start.ok_or_else(|| {
                wrong("the record does not start a game of Go")
                    .with_remedy("it wants GM[1], SZ[1] to SZ[52], and stones on the board")
            })?;
            if record.main_ends_early {
                let next = record.main_moves + 1;
                return Err(wrong(&format!("move {next} is not legal")));
            }
            if !is_whole(part) {
                let last = record.main_moves;
                return Err(wrong(&format!("it breaks off behind move {last}")));
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

/// Writes a game as SGF: the head that its start needs, then the moves, ten to a line.
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

/// The position that the properties of a head describe, by their names and values.
///
/// # Errors
/// Usage.
pub fn start(properties: &[(String, Vec<u8>)]) -> Result<Position> {
    let value = |name: &str| {
        let found = properties.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| &value[..])
    };
    Heading::new(value)
        .start()
        .ok_or_else(|| Error::usage("these properties describe no start of a game of Go"))
}
