//! Which codec takes which tags: the choice made when packing.
//!
//! The choice is written into each block's directory, so a reader needs none of
//! this, and a better plan needs no new format.

use super::{Codec, Table, dates, ids};
use crate::format::block::Column;

/// How many values are looked at before choosing.
const SAMPLE: usize = 200;

/// Tags whose value follows from another's: tag, key. A key stands before the
/// tags it serves.
const FOLLOWS: &[(&str, &[&str])] = &[
    ("Event", &["TimeControl"]),
    ("ECO", &["Opening"]),
    ("Variation", &["Opening"]),
    ("ECOUrl", &["Opening"]),
    ("WhiteTitle", &["White"]),
    ("BlackTitle", &["Black"]),
    ("WhiteFideId", &["White"]),
    ("BlackFideId", &["Black"]),
    ("WhiteTeam", &["White"]),
    ("BlackTeam", &["Black"]),
    ("WhiteElo", &["White"]),
    ("BlackElo", &["Black"]),
    ("WhiteRD", &["White"]),
    ("BlackRD", &["Black"]),
    ("EventDate", &["Event"]),
    ("WhiteClock", &["TimeControl"]),
    ("BlackClock", &["TimeControl"]),
    ("EventType", &["Event"]),
];

/// The columns of all tags, in an order in which each comes after those it
/// refers to.
pub fn plan(table: &Table) -> Vec<Column> {
    let mut planner = Planner {
        table,
        columns: Vec::new(),
        taken: vec![false; table.names.len()],
    };
    planner.take(Codec::Words, &["White", "Black"], &[]);
    planner.take(Codec::Words, &["Result"], &[]);
    planner.ratings();
    planner.dates();
    planner.ids();
    for key in ["Opening", "TimeControl"] {
        planner.take(Codec::Words, &[key], &[]);
    }
    for (tag, keys) in FOLLOWS {
        let keys: Vec<&str> = keys
            .iter()
            .copied()
            .filter(|k| planner.is_words(k))
            .collect();
        planner.take(Codec::Words, &[tag], &keys);
    }
    for tag in 0..table.names.len() {
        if !planner.taken[tag] {
            planner.push(Codec::Words, vec![tag as u16], vec![]);
        }
    }
    planner.columns
}

struct Planner<'a> {
    table: &'a Table,
    columns: Vec<Column>,
    taken: Vec<bool>,
}

impl Planner<'_> {
    /// Takes these tags together, if the block has all of them and none is taken.
    fn take(&mut self, codec: Codec, tags: &[&str], refs: &[&str]) -> bool {
        let numbers = |names: &[&str]| {
            names
                .iter()
                .map(|n| self.table.tag(n.as_bytes()))
                .collect::<Option<Vec<_>>>()
        };
        let (Some(tags), Some(refs)) = (numbers(tags), numbers(refs)) else {
            return false;
        };
        if tags.iter().any(|&t| self.taken[usize::from(t)]) {
            return false;
        }
        self.push(codec, tags, refs);
        true
    }

    fn push(&mut self, codec: Codec, tags: Vec<u16>, refs: Vec<u16>) {
        for &tag in &tags {
            self.taken[usize::from(tag)] = true;
        }
        self.columns.push(Column {
            codec: codec as u8,
            tags,
            refs,
            switches: 0,
            streams: Vec::new(),
        });
    }

    /// Whether this tag is in a words column already: only those can be keys.
    fn is_words(&self, name: &str) -> bool {
        let tag = self.table.tag(name.as_bytes());
        self.columns
            .iter()
            .any(|c| c.codec == Codec::Words as u8 && tag.is_some_and(|t| c.tags.contains(&t)))
    }

    fn ratings(&mut self) {
        let elos = ["WhiteElo", "BlackElo"];
        let all = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"];
        for tags in [&all[..], &elos] {
            for refs in [&["White", "Black", "Result"][..], &["White", "Black"]] {
                if self.take(Codec::Ratings, tags, refs) {
                    return;
                }
            }
        }
    }

    fn dates(&mut self) {
        for (tags, refs) in [
            (&["UTCDate", "UTCTime"][..], &[][..]),
            (&["Date", "Time"], &[]),
            (&["UTCDate"], &[]),
            (&["Date"], &["UTCDate"]),
            (&["EndDate"], &["UTCDate"]),
        ] {
            if self.most(tags[0], dates::fits) {
                self.take(Codec::Dates, tags, refs);
            }
        }
    }

    fn ids(&mut self) {
        if self.most("Site", |v| ids::fits(v, None) && v.contains(&b'/')) {
            self.take(Codec::Ids, &["Site"], &[]);
            if self.most("GameId", |v| ids::fits(v, Some(b""))) {
                self.take(Codec::Ids, &["GameId"], &["Site"]);
            }
        }
    }

    /// Whether most of the first values of a tag pass.
    fn most(&self, name: &str, pass: impl Fn(&[u8]) -> bool) -> bool {
        let Some(tag) = self.table.tag(name.as_bytes()) else {
            return false;
        };
        let values = (0..self.table.rows)
            .filter_map(|row| self.table.value(tag, row))
            .take(SAMPLE);
        let (passed, all) = values.fold((0, 0), |(p, n), v| (p + usize::from(pass(v)), n + 1));
        passed * 10 > all * 9
    }
}
