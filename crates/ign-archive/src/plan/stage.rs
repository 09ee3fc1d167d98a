//! What a search read, stage by stage.

use std::fmt;

use ign_format::game_number::GameNumber;

/// What one stage of a search read, and how many games it left.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// The condition, or the conditions.
    pub name: String,
    /// What was read for it: `index`, tag columns by name, `moves`, `text`.
    pub reads: String,
    /// The compressed size in bytes of the columns that no earlier stage had read.
    pub bytes: u64,
    /// The number of games that met the conditions so far.
    pub games: u64,
}

/// How a search went: what each stage read, and the games found.
///
/// [`Display`](fmt::Display) writes it as a table in plain text.
///
/// If some of several archives have an index, the stages of archives with and without an index are
/// listed separately.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The number of games searched.
    pub games: u64,
    /// The stages in the order in which a block passes them. Sums over all blocks.
    pub stages: Vec<Stage>,
    /// The games found, ascending, numbered over all archives.
    pub found: Vec<GameNumber>,
}

/// The name of a stage that decides several conditions: of those that are set.
pub(super) fn names_of<const N: usize>(conditions: [(&str, bool); N]) -> String {
    let set = conditions.iter().filter(|(_, is_set)| *is_set);
    set.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// Adds stages to those of other blocks or other archives. Both are in the order of the search; a
/// stage that the others lack is inserted before the one that follows it.
pub(crate) fn add(all: &mut Vec<Stage>, stages: Vec<Stage>) {
    let mut end = all.len();
    for stage in stages.into_iter().rev() {
        let is_same = |known: &Stage| (&known.name, &known.reads) == (&stage.name, &stage.reads);
        match all[..end].iter().rposition(is_same) {
            Some(place) => {
                all[place].bytes += stage.bytes;
                all[place].games += stage.games;
                end = place;
            }
            None => all.insert(end, stage),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let heads = ["stage", "source", "bytes read", "games left"];
        let rows = self.stages.iter().map(|stage| {
            let (bytes, games) = (stage.bytes.to_string(), stage.games.to_string());
            [stage.name.clone(), stage.reads.clone(), bytes, games]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(name: &str, source: &str, bytes: u64) -> Stage {
        Stage {
            name: name.into(),
            reads: source.into(),
            bytes,
            games: bytes,
        }
    }

    #[test]
    fn stages_that_others_lack_are_inserted_in_order() {
        let mut all = Vec::new();
        add(
            &mut all,
            vec![stage("elo", "index", 1), stage("elo", "index", 2)],
        );
        add(&mut all, vec![stage("positions", "moves", 4)]);
        let tags = || vec![stage("elo", "WhiteElo", 8), stage("positions", "moves", 16)];
        add(&mut all, tags());
        add(&mut all, tags());
        add(
            &mut all,
            vec![stage("elo", "index", 32), stage("elo", "index", 64)],
        );
        let expected = [
            stage("elo", "index", 33),
            stage("elo", "index", 66),
            stage("elo", "WhiteElo", 16),
            stage("positions", "moves", 36),
        ];
        assert_eq!(all, expected);
    }
}
