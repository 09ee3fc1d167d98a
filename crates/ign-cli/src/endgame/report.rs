//! The figures of an endgame, for people and for programs.

use std::io::Write;

use serde_json::{Value as Json, json};
use shakmaty::Color;

use super::sizes::Sizes;
use crate::{grouped, output::Output};
use ign_endgame::{
    file::IntervalTable, intervals::View, numbering::Numbering, search::Best, summary::Summary,
    tables::Tables, value::Value,
};
use ign_format::error::Result;
use ign_notation::chess::{Legal, Position, san};

/// The most families that are shown one by one.
const MAX_FAMILIES: usize = 6;

/// What there is to tell.
pub struct Report<'a> {
    pub tables: &'a Tables,
    /// Whose move it is in the intervals.
    pub turn: Color,
    pub fixed: &'a [(usize, u8)],
    /// Families that were searched, the document's first; none if nothing was.
    pub found: &'a [Best],
    pub sizes: Option<&'a Sizes>,
}

impl Report<'_> {
    pub fn print(&self, as_json: bool) -> Result<()> {
        let mut out = Output::stdout();
        let table = self.tables.main();
        let summaries = [Color::White, Color::Black].map(|turn| Summary::new(table, turn));
        if as_json {
            writeln!(out, "{:#}", self.json(&summaries))?;
            return out.finish();
        }
        if self.fixed.is_empty() {
            figures(&summaries, &mut out)?;
        }
        if !self.found.is_empty() {
            if self.fixed.is_empty() {
                writeln!(out)?;
            }
            self.intervals(&mut out)?;
        }
        if let Some(sizes) = self.sizes {
            let who = self.turn;
            writeln!(
                out,
                "\n{:<60}{:>12}",
                format!("Table with {who} to move"),
                "bytes"
            )?;
            for (name, bytes) in [
                ("a byte for each number of F1", sizes.raw),
                ("the same, zstd -19", sizes.raw_zstd),
                (
                    "a byte for each number of the best function, zstd -19",
                    sizes.ordered_zstd,
                ),
                ("its intervals, four bytes each", sizes.searchable),
                ("its intervals as a file", sizes.file),
            ] {
                writeln!(out, "{name:<60}{:>12}", grouped(bytes))?;
            }
        }
        out.finish()
    }

    /// F1, F2 and their counts; of an order that was asked for, only that.
    fn documents(&self) -> Vec<(&'static str, Numbering, u64)> {
        let table = self.tables.main();
        let pieces = table.material().pieces().len();
        if self.found.iter().map(|best| best.tried).sum::<u64>() == 1 {
            return Vec::new();
        }
        let (first, second) = (Numbering::f1(pieces), Numbering::f2(pieces));
        let view = View::new(table, self.turn, &first, self.fixed);
        let count = |numbering: &Numbering| view.count(numbering, u64::MAX);
        let counts = (count(&first), count(&second));
        vec![("F1", first, counts.0), ("F2", second, counts.1)]
    }

    /// The best families, the document's own among them.
    fn families(&self) -> Vec<&Best> {
        let mut found: Vec<&Best> = self.found.iter().collect();
        found[1..].sort_by_key(|best| best.intervals);
        found.truncate(MAX_FAMILIES);
        found
    }

    fn intervals(&self, out: &mut Output) -> Result<()> {
        let material = self.tables.main().material();
        let title = format!("Intervals with {} to move", self.turn);
        writeln!(
            out,
            "{title:<38}{:<32}{:>11}{:>8}",
            "order", "intervals", "tried"
        )?;
        let mut row = |name: &str, numbering: &Numbering, intervals: u64, tried: Option<u64>| {
            let order = numbering.formula(material);
            let tried = tried.map(grouped).unwrap_or_default();
            let line = format!("{name:<38}{order:<32}{:>11}{tried:>8}", grouped(intervals));
            writeln!(out, "{}", line.trim_end())
        };
        for (name, numbering, intervals) in self.documents() {
            row(
                &format!("{name} of the document"),
                &numbering,
                intervals,
                None,
            )?;
        }
        for best in self.families() {
            let name = best.numbering.options(material).to_string();
            row(&name, &best.numbering, best.intervals, Some(best.tried))?;
        }
        let first = &self.found[0];
        let rest = self.found.len().saturating_sub(MAX_FAMILIES);
        if rest > 0 {
            writeln!(out, "{rest} more families")?;
        }
        writeln!(
            out,
            "positions {}, values {}: no fewer intervals are possible",
            grouped(first.legal),
            first.distinct
        )?;
        Ok(())
    }

    fn json(&self, summaries: &[Summary; 2]) -> Json {
        let material = self.tables.main().material();
        let side = |summary: &Summary| {
            json!({
                "positions": summary.positions,
                "drawn": summary.drawn,
                "wins_by_moves": summary.wins,
                "losses_by_moves": summary.losses,
                "longest_win": summary.longest_win_moves(),
                "longest_win_fen": summary.longest_win,
                "longest_loss": summary.longest_loss_moves(),
                "longest_loss_fen": summary.longest_loss,
            })
        };
        let family = |best: &Best| {
            json!({
                "kind": best.numbering.options(material).to_string(),
                "order": best.numbering.formula(material),
                "intervals": best.intervals,
                "tried": best.tried,
                "complete": best.complete,
                "positions": best.legal,
                "values": best.distinct,
            })
        };
        let documents = if self.found.is_empty() {
            Vec::new()
        } else {
            self.documents()
        };
        let documents: serde_json::Map<String, Json> = documents
            .into_iter()
            .map(|(name, _, intervals)| (name.to_string(), intervals.into()))
            .collect();
        let sizes = self.sizes.map(|sizes| {
            json!({
                "raw": sizes.raw,
                "raw_zstd": sizes.raw_zstd,
                "ordered_zstd": sizes.ordered_zstd,
                "searchable": sizes.searchable,
                "file": sizes.file,
            })
        });
        json!({
            "endgame": material.to_string(),
            "white_to_move": side(&summaries[0]),
            "black_to_move": side(&summaries[1]),
            "side": self.turn.to_string(),
            "document": documents,
            "families": self.found.iter().map(family).collect::<Vec<_>>(),
            "bytes": sizes,
        })
    }
}

/// The two sides beside each other.
fn figures([white, black]: &[Summary; 2], out: &mut Output) -> Result<()> {
    let mut row =
        |name: &str, left: String, right: String| writeln!(out, "{name:<24}{left:>16}{right:>16}");
    let sum = |list: &[u64]| grouped(list.iter().sum());
    let longest = |moves: Option<usize>| moves.map_or_else(|| "-".into(), |m| m.to_string());
    row("", "White to move".into(), "Black to move".into())?;
    row(
        "positions",
        grouped(white.positions),
        grouped(black.positions),
    )?;
    row("won by White", sum(&white.wins), sum(&black.losses))?;
    row("drawn", grouped(white.drawn), grouped(black.drawn))?;
    row("won by Black", sum(&white.losses), sum(&black.wins))?;
    let (left, right) = (white.longest_win_moves(), black.longest_loss_moves());
    row("longest win of White", longest(left), longest(right))?;
    let (left, right) = (white.longest_loss_moves(), black.longest_win_moves());
    row("longest win of Black", longest(left), longest(right))?;
    for fen in [&white.longest_win, &black.longest_win]
        .into_iter()
        .flatten()
    {
        writeln!(out, "longest win: {fen}")?;
    }
    for (who, left, right) in [
        ("White", &white.wins, &black.losses),
        ("Black", &white.losses, &black.wins),
    ] {
        if left.len().max(right.len()) == 0 {
            continue;
        }
        writeln!(out, "\n{who} mates in")?;
        for moves in 0..left.len().max(right.len()) {
            let count = |list: &[u64]| grouped(list.get(moves).copied().unwrap_or(0));
            writeln!(out, "{moves:>24}{:>16}{:>16}", count(left), count(right))?;
        }
    }
    Ok(())
}

/// What an interval table is.
pub fn table(table: &IntervalTable, as_json: bool) -> Result<()> {
    let mut out = Output::stdout();
    let (material, numbering) = (table.material(), table.numbering());
    let (kind, order) = (
        numbering.options(material).to_string(),
        numbering.formula(material),
    );
    let intervals = table.intervals().len();
    if as_json {
        let value = json!({
            "endgame": material.to_string(),
            "side": table.turn().to_string(),
            "kind": kind,
            "order": order,
            "intervals": intervals,
        });
        writeln!(out, "{value:#}")?;
    } else {
        writeln!(
            out,
            "{material}, {} to move: {} intervals",
            table.turn(),
            grouped(intervals as u64)
        )?;
        writeln!(out, "numbered by {order}, {kind}")?;
    }
    out.finish()
}

/// What a value says of a position with `turn` to move.
fn words(value: Value, turn: Color) -> String {
    let name = |color: Color| if color.is_white() { "White" } else { "Black" };
    match (value, value.moves()) {
        (Value::Win(_), Some(moves)) => format!("{} mates in {moves}", name(turn)),
        (Value::Loss(0), _) => format!("{} has mated", name(!turn)),
        (Value::Loss(_), Some(moves)) => format!("{} mates in {moves}", name(!turn)),
        _ => "drawn".into(),
    }
}

/// Positions with what they are worth.
pub fn values(
    positions: &[Position],
    as_json: bool,
    value: impl Fn(&Position) -> Result<Value>,
) -> Result<()> {
    write_each(positions, |position, out| {
        let value = value(position)?;
        if as_json {
            writeln!(out, "{}", json_value(position, value))?;
        } else {
            writeln!(out, "{}", words(value, position.turn()))?;
        }
        Ok(())
    })
}

/// Positions with what they and all their moves are worth, the best moves first.
pub fn positions(
    positions: &[Position],
    as_json: bool,
    value: impl Fn(&Position) -> Result<Value>,
) -> Result<()> {
    write_each(positions, |position, out| {
        let whole = value(position)?;
        let moves = moves(position, &value)?;
        if as_json {
            let list = moves.iter().map(|(value, name)| {
                json!({"move": name, "result": result(*value), "moves": value.moves()})
            });
            let mut json = json_value(position, whole);
            json["list"] = list.collect();
            writeln!(out, "{json}")?;
            return Ok(());
        }
        writeln!(out, "{}", words(whole, position.turn()))?;
        for (value, name) in moves {
            writeln!(out, "  {name:<8}{}", words(value, position.turn()))?;
        }
        Ok(())
    })
}

/// Prints what there is to say of each position.
fn write_each(
    positions: &[Position],
    mut write: impl FnMut(&Position, &mut Output) -> Result<()>,
) -> Result<()> {
    let mut out = Output::stdout();
    for position in positions {
        write(position, &mut out)?;
    }
    out.finish()
}

/// What the moves of a position are worth to the player, and their names, the best first.
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
    moves.sort_by_key(|(value, _)| std::cmp::Reverse(value.rank()));
    Ok(moves)
}

fn json_value(position: &Position, value: Value) -> Json {
    json!({
        "fen": String::from_utf8_lossy(&position.fen_fields()),
        "result": result(value),
        "moves": value.moves(),
    })
}

fn result(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "win",
        Value::Draw => "draw",
        Value::Loss(_) => "loss",
    }
}
