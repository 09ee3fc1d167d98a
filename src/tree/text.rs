//! The tree as a table.

use std::io::Write;

use ign_archive::{
    Result, Tree,
    tree::{Counts, TreeMove},
};

use crate::{
    numbers::{counted, grouped, percent},
    table::Table,
};

/// The characters of bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Unicode blocks.
    Blocks,
    /// ASCII characters.
    Ascii,
}

/// Characters of a bar.
const BAR: u64 = 20;

/// Writes the tree to this depth, with at most `moves` moves of each position.
///
/// # Errors
/// Those of `out`.
pub fn write(
    tree: &Tree,
    depth: usize,
    moves: usize,
    style: Style,
    out: &mut impl Write,
) -> Result<()> {
    if let Some(opening) = tree.opening {
        writeln!(out, "{} {}\n", opening.eco, opening.name)?;
    }
    let header = [
        "move",
        "games",
        "share",
        "",
        "white",
        "draw",
        "black",
        "rating",
        "performance",
        "last played",
    ];
    let mut lines = Lines {
        table: Table::new(&header).left(3),
        all: tree.counts.games,
        moves,
        style,
        notes: Vec::new(),
    };
    lines.add("all", &tree.counts);
    lines.add_moves(&tree.moves, depth, 0);
    write!(out, "{}", lines.table)?;
    if tree.counts.ended > 0 {
        writeln!(out, "{} here", ended(tree.counts.ended))?;
    }
    for note in lines.notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn ended(games: u64) -> String {
    let verb = if games == 1 { "ends" } else { "end" };
    format!("{} {verb}", counted(games, "game"))
}

/// The table while it is filled.
struct Lines {
    table: Table,
    /// All games of the tree.
    all: u64,
    moves: usize,
    style: Style,
    /// Lines after the table.
    notes: Vec<String>,
}

impl Lines {
    fn add_moves(&mut self, moves: &[TreeMove], depth: usize, level: usize) {
        if level == depth {
            return;
        }
        let (shown, rest) = moves.split_at(moves.len().min(self.moves));
        for tree_move in shown {
            let indent = "  ".repeat(level);
            self.add(&format!("{indent}{}", tree_move.san), &tree_move.counts);
            self.add_moves(&tree_move.moves, depth, level + 1);
        }
        if level == 0 && !rest.is_empty() {
            let games = rest.iter().map(|rest| rest.counts.games).sum();
            self.notes.push(format!(
                "{} in {}; --moves shows more",
                counted(rest.len() as u64, "more move"),
                counted(games, "game")
            ));
        }
    }

    fn add(&mut self, name: &str, counts: &Counts) {
        let results = counts.white + counts.draws + counts.black;
        let number = |number: Option<String>| number.unwrap_or_else(|| "-".into());
        self.table.row([
            &name,
            &grouped(counts.games),
            &percent(counts.games, self.all),
            &bar(counts, self.style),
            &percent(counts.white, results),
            &percent(counts.draws, results),
            &percent(counts.black, results),
            &number(counts.average_rating.map(|rating| rating.to_string())),
            &number(counts.performance.map(|rating| rating.to_string())),
            &number(counts.last_played.map(|date| date.to_string())),
        ]);
    }
}

/// A bar of the results: won by White, drawn, won by Black. Empty without results.
fn bar(counts: &Counts, style: Style) -> String {
    let results = counts.white + counts.draws + counts.black;
    if results == 0 {
        return String::new();
    }
    // Rounded to the nearest end; the ends of all parts add up to the bar.
    let end = |games: u64| (2 * BAR * games + results) / (2 * results);
    let (white, draws) = (end(counts.white), end(counts.white + counts.draws));
    let characters = match style {
        Style::Blocks => ['█', '▒', '░'],
        Style::Ascii => ['+', '=', '-'],
    };
    let parts = [white, draws - white, BAR - draws];
    characters
        .into_iter()
        .zip(parts)
        .flat_map(|(character, len)| (0..len).map(move |_| character))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts([white, draws, black]: [u64; 3]) -> Counts {
        let mut counts = Counts::default();
        counts.games = white + draws + black;
        (counts.white, counts.draws, counts.black) = (white, draws, black);
        counts
    }

    #[test]
    fn bars_have_one_length_whatever_the_results() {
        let ascii = |results| bar(&counts(results), Style::Ascii);
        assert_eq!(ascii([0, 0, 0]), "");
        assert_eq!(ascii([1, 0, 0]), "+".repeat(20));
        assert_eq!(ascii([2, 1, 1]), "++++++++++=====-----");
        for results in [[1, 1, 1], [997, 1, 2], [0, 1, 7], [3, 5, 7]] {
            assert_eq!(ascii(results).len(), 20, "{results:?}");
        }
        let blocks = bar(&counts([1, 1, 2]), Style::Blocks);
        assert_eq!(blocks, "█████▒▒▒▒▒░░░░░░░░░░");
    }
}
