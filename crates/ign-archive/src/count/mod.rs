//! Numbers of games by their properties: a table with a row for each combination of values.
//!
//! ```text
//! Scan ─► batches ─► codes of each key ─► groups of the batch ─► groups of all ─► CountTable
//!         threads                                               in the order of the blocks
//! ```
//!
//! Only the columns of the keys are decoded. Memory holds the distinct values of the keys and a
//! number for each combination that occurs.

mod groups;

use std::{cmp::Reverse, sync::Arc};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};

use self::groups::Groups;
use crate::{
    archives::Archives,
    keys::{self, Dictionary, GameKey, KeyValue},
    progress::{Counters, OnProgress, progress_setter},
    query::Query,
    scan::{Batch, Scan},
};

/// Counts games by keys.
///
/// ```
/// # use ign_archive::{Archive, Archives, Input, Packer};
/// # let text = b"[White \"Ann\"]\n[WhiteElo \"2100\"]\n\n1. e4 *\n\n[White \"Ann\"]\n\n1. d4 *\n\n[White \"Ben\"]\n[WhiteElo \"2199\"]\n\n1. c4 *\n\n";
/// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
/// # let archives = Archives::from(&Archive::from_read_at(bytes, "a.ign")?);
/// use ign_archive::{CountBuilder, KeyValue, Query};
///
/// let table = CountBuilder::new(["white_elo:200".parse()?]).build(&archives, &Query::new())?;
/// let rows: Vec<_> = table.rows.iter().map(|row| (&row.values[0], row.games)).collect();
/// assert_eq!(rows, [(&KeyValue::Number(2000), 2), (&KeyValue::Missing, 1)]);
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct CountBuilder<'p> {
    keys: Vec<GameKey>,
    on_progress: OnProgress<'p>,
}

/// Numbers of games by keys.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountTable {
    /// The keys, one for each column.
    pub keys: Vec<GameKey>,
    /// A row for each combination of values, the one with the most games first; of rows with
    /// equally many games the one with the least values.
    pub rows: Vec<CountRow>,
    /// The number of games that were counted.
    pub games: u64,
}

/// The games with the same values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountRow {
    /// The value of each key.
    pub values: Vec<KeyValue>,
    /// The number of games.
    pub games: u64,
}

impl<'p> CountBuilder<'p> {
    /// Counts by these keys.
    pub fn new(keys: impl IntoIterator<Item = GameKey>) -> Self {
        Self {
            keys: keys.into_iter().collect(),
            on_progress: OnProgress::default(),
        }
    }

    progress_setter!();

    /// Counts the games that match a query.
    ///
    /// # Errors
    /// As [`Archive::find`](crate::Archive::find); [`Usage`](crate::ErrorKind::Usage) if there are
    /// no keys, or two of the same name.
    pub fn build(self, archives: &Archives, query: &Query) -> Result<CountTable> {
        check(&self.keys)?;
        self.count(archives.scans(query)?)
    }

    /// Counts some games, which must ascend, such as those that a search has found.
    ///
    /// # Errors
    /// As [`build`](Self::build); [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn build_of_games(self, archives: &Archives, games: &[GameNumber]) -> Result<CountTable> {
        check(&self.keys)?;
        self.count(archives.scans_of(games)?)
    }

    fn count(self, scans: Vec<(u64, Scan)>) -> Result<CountTable> {
        let Self {
            keys,
            mut on_progress,
        } = self;
        let mut total = Total::new(keys.len());
        let shared: Arc<[GameKey]> = keys.as_slice().into();
        let counters = Counters::default();
        for (_, scan) in scans {
            for part in parts(scan, &shared) {
                let games = total.add(part?);
                counters.add_games(games);
                counters.report(&mut on_progress)?;
            }
        }
        Ok(total.finish(keys))
    }
}

/// Checks that there are keys, and that their columns have different names.
fn check(keys: &[GameKey]) -> Result<()> {
    if keys.is_empty() {
        return Err(Error::usage("there is no key to count by"));
    }
    for (place, key) in keys.iter().enumerate() {
        let name = key.name();
        if keys[..place].iter().any(|earlier| earlier.name() == name) {
            return Err(Error::usage(format!("the key {name} is given twice")));
        }
        if name == CountTable::GAMES {
            return Err(Error::usage(format!(
                "the tag {name} has the name of the column of the numbers of games"
            )));
        }
    }
    Ok(())
}

/// The games of a batch.
struct Part {
    /// The values of each key.
    values: Vec<Vec<KeyValue>>,
    groups: Groups,
}

/// Counts the games of each batch of a scan, on its threads.
fn parts(scan: Scan, keys: &Arc<[GameKey]>) -> impl Iterator<Item = Result<Part>> + use<> {
    let keys = keys.clone();
    scan.columns(keys::columns(&keys))
        .map_batches(move |batch| Part::of(&batch, &keys))
}

impl Part {
    fn of(batch: &Batch, keys: &[GameKey]) -> Result<Self> {
        let coded = keys::read(batch, keys)?;
        let mut groups = Groups::new(keys.len());
        let mut tuple = vec![0; keys.len()];
        for row in 0..batch.len() {
            for (code, coded) in tuple.iter_mut().zip(&coded) {
                *code = coded.codes[row];
            }
            groups.add(&tuple, 1);
        }
        Ok(Self {
            values: coded.into_iter().map(|coded| coded.values).collect(),
            groups,
        })
    }
}

/// The games of all batches.
struct Total {
    /// The values of each key.
    known: Vec<Dictionary>,
    groups: Groups,
}

impl Total {
    fn new(keys: usize) -> Self {
        Self {
            known: (0..keys).map(|_| Dictionary::default()).collect(),
            groups: Groups::new(keys),
        }
    }

    /// Adds a batch and returns the number of its games.
    fn add(&mut self, part: Part) -> u64 {
        let known = self.known.iter_mut().zip(part.values);
        let codes: Vec<Vec<u32>> = known
            .map(|(known, values)| known.codes_of(values))
            .collect();
        let (mut tuple, mut sum) = (vec![0; codes.len()], 0);
        for (local, games) in part.groups.iter() {
            for ((code, local), codes) in tuple.iter_mut().zip(local).zip(&codes) {
                *code = codes[*local as usize];
            }
            self.groups.add(&tuple, games);
            sum += games;
        }
        sum
    }

    fn finish(self, keys: Vec<GameKey>) -> CountTable {
        let known = self.known.into_iter();
        let values: Vec<Vec<KeyValue>> = known.map(Dictionary::into_values).collect();
        let row = |(codes, games): (&[u32], u64)| CountRow {
            values: codes
                .iter()
                .zip(&values)
                .map(|(&code, values)| values[code as usize].clone())
                .collect(),
            games,
        };
        let mut rows: Vec<CountRow> = self.groups.iter().map(row).collect();
        rows.sort_unstable_by(|one, other| {
            let order = |row: &CountRow| Reverse(row.games);
            order(one)
                .cmp(&order(other))
                .then_with(|| one.values.cmp(&other.values))
        });
        CountTable {
            keys,
            games: rows.iter().map(|row| row.games).sum(),
            rows,
        }
    }
}

impl CountTable {
    /// The name of the column of the numbers of games.
    pub const GAMES: &'static str = "games";

    /// Sorts the rows by their values, those of the first key first.
    pub fn sort_by_values(&mut self) {
        self.rows
            .sort_unstable_by(|one, other| one.values.cmp(&other.values));
    }
}
