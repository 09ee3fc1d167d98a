//! What a search read, stage by stage.

use std::fmt;

/// What one stage of a search read, and how many games it left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The condition, or the conditions.
    pub name: String,
    /// What was read for it: `index`, tag columns by name, `moves`, `text`.
    pub source: String,
    /// The compressed size in bytes of the columns that no earlier stage had read.
    pub bytes: u64,
    /// The number of games that met the conditions so far.
    pub games: u64,
}

/// How a search went: what each stage read, and the games found.
///
/// [`Display`](fmt::Display) writes it as a table in plain text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The number of games searched.
    pub games: u64,
    /// The stages in the order in which a block passes them. Sums over all blocks.
    pub stages: Vec<Stage>,
    /// The numbers of the games found, from 1, ascending.
    pub found: Vec<u64>,
}

/// Adds the stages of a block to those of other blocks.
pub(super) fn add(all: &mut Vec<Stage>, stages: Vec<Stage>) {
    if all.is_empty() {
        *all = stages;
        return;
    }
    for (sum, stage) in all.iter_mut().zip(stages) {
        sum.bytes += stage.bytes;
        sum.games += stage.games;
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let heads = ["stage", "source", "bytes read", "games left"];
        let rows = self.stages.iter().map(|stage| {
            let (bytes, games) = (stage.bytes.to_string(), stage.games.to_string());
            [stage.name.clone(), stage.source.clone(), bytes, games]
        });
        let all = [
            "all games".into(),
            String::new(),
            String::new(),
            self.games.to_string(),
        ];
        let rows: Vec<[String; 4]> = [heads.map(String::from), all]
            .into_iter()
            .chain(rows)
            .collect();
        let width = |column: usize| {
            let widths = rows.iter().map(|row| row[column].chars().count());
            widths.max().unwrap_or(0)
        };
        let widths = [0, 1, 2, 3].map(width);
        for [name, source, bytes, games] in &rows {
            let [w0, w1, w2, w3] = widths;
            writeln!(f, "{name:<w0$}  {source:<w1$}  {bytes:>w2$}  {games:>w3$}")?;
        }
        Ok(())
    }
}
