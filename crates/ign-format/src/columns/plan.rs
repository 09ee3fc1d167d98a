//! Which codec takes which tags: the choice made when packing.
//!
//! The choice is written into each block's directory, so a reader needs none of
//! this, and a better plan needs no new format.

use rustc_hash::FxHashMap;

use super::{
    Codec, Table, dates, ids,
    numbers::{self, TIMES},
    openings, templates,
};
use crate::container::block::Column;

/// How many values are looked at before choosing.
const SAMPLE: usize = 200;
/// In blocks of so many records or fewer all tags are one column: what columns of
/// their own would save is less than their frames and places in the directory take.
const FEW_RECORDS: usize = 6;

/// Tags whose value follows from those of others: tag, and keys, of which those that
/// the block has are taken. A key stands before the tags it serves.
const FOLLOWS: &[(&str, &[&str])] = &[
    ("Opening", &["White"]),
    ("ECOUrl", &["Opening"]),
    ("ECO", &["Opening", "ECOUrl"]),
    ("Variation", &["Opening", "ECO"]),
    ("SubVariation", &["Variation", "Opening"]),
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
    ("Site", &["Event"]),
    ("EventDate", &["Event"]),
    ("WhiteClock", &["TimeControl"]),
    ("BlackClock", &["TimeControl"]),
    ("EventType", &["Event"]),
    ("Termination", &["Result"]),
];

/// The same, of tags that help to tell ratings.
const BEFORE_RATINGS: &[(&str, &[&str])] = &[
    ("TimeControl", &["White", "Black"]),
    ("Event", &["TimeControl", "White"]),
];

/// As [`FOLLOWS`], for the properties of games of Go.
const FOLLOWS_GO: &[(&str, &[&str])] = &[
    ("BR", &["PB"]),
    ("WR", &["PW"]),
    ("BT", &["PB"]),
    ("WT", &["PW"]),
    ("EV", &["PB"]),
    ("RO", &["EV"]),
    ("PC", &["EV"]),
    ("TM", &["EV", "PB"]),
    ("RU", &["EV", "TM"]),
    ("KM", &["RU", "EV"]),
    ("OT", &["TM"]),
    ("TC", &["TM"]),
    ("TT", &["TC"]),
    ("AB", &["HA"]),
    ("GN", &["EV"]),
];

/// The columns of the tags of a block of Go, in such an order.
pub fn plan_go(table: &Table) -> Vec<Column> {
    let mut planner = Planner::new(table);
    if planner.takes_few() {
        return planner.columns;
    }
    planner.take(Codec::Dictionary, &["PB", "PW"], &[]);
    planner.take(Codec::Dictionary, &["HA"], &[]);
    for (tag, keys) in FOLLOWS_GO {
        let key = keys.iter().copied().find(|k| planner.is_words(k));
        let keys: Vec<&str> = key.into_iter().collect();
        planner.take(Codec::Dictionary, &[tag], &keys);
    }
    planner.rest();
    planner.columns
}

/// The columns of all tags, in an order in which each comes after those it
/// refers to.
pub fn plan(table: &Table) -> Vec<Column> {
    let mut planner = Planner::new(table);
    if planner.takes_few() {
        return planner.columns;
    }
    planner.take(Codec::Dictionary, &["White", "Black"], &[]);
    planner.take(Codec::Dictionary, &["Result"], &[]);
    for (tag, keys) in BEFORE_RATINGS {
        planner.take_by(tag, keys);
    }
    planner.ratings();
    planner.dates();
    planner.ids();
    planner.outcomes();
    planner.openings();
    planner.phrases();
    for (tag, keys) in FOLLOWS {
        planner.take_by(tag, keys);
    }
    planner.numbers();
    planner.rest();
    planner.columns
}

struct Planner<'a> {
    table: &'a Table,
    columns: Vec<Column>,
    taken: Vec<bool>,
}

impl<'a> Planner<'a> {
    fn new(table: &'a Table) -> Self {
        Self {
            table,
            columns: Vec::new(),
            taken: vec![false; table.names.len()],
        }
    }

    /// Takes all tags together where there are few records.
    fn takes_few(&mut self) -> bool {
        let few = self.table.rows <= FEW_RECORDS;
        let tags: Vec<u16> = (0..self.table.names.len() as u16).collect();
        if few && !tags.is_empty() {
            self.push(Codec::Dictionary, tags, vec![]);
        }
        few
    }

    /// Takes the tags that are left, each by itself.
    fn rest(&mut self) {
        for tag in 0..self.table.names.len() {
            if !self.taken[tag] {
                self.push(Codec::Dictionary, vec![tag as u16], vec![]);
            }
        }
    }

    /// Takes these tags together, if the block has all of them, none is taken,
    /// and all that they refer to are: those are decoded before.
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
        let taken = |&t: &u16| self.taken[usize::from(t)];
        if tags.iter().any(taken) || !refs.iter().all(taken) {
            return false;
        }
        self.push(codec, tags, refs);
        true
    }

    /// Takes a tag as words that have these keys, those that are words themselves.
    fn take_by(&mut self, tag: &str, keys: &[&str]) {
        let keys: Vec<&str> = keys.iter().copied().filter(|k| self.is_words(k)).collect();
        self.take(Codec::Dictionary, &[tag], &keys);
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
            .any(|c| c.codec == Codec::Dictionary as u8 && tag.is_some_and(|t| c.tags.contains(&t)))
    }

    fn ratings(&mut self) {
        let elos = ["WhiteElo", "BlackElo"];
        let all = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"];
        for tags in [&all[..], &elos] {
            for refs in [
                &["White", "Black", "Result", "Event"][..],
                &["White", "Black", "Result"],
                &["White", "Black"],
            ] {
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

    /// Tags that mostly follow from the moves.
    fn outcomes(&mut self) {
        for (tag, follows) in &self.table.follows {
            let values = (0..self.table.rows)
                .filter(|&row| self.table.span(*tag, row).is_present())
                .count();
            let told = follows.rows.iter().flatten().count();
            if told * 2 > values {
                self.push(Codec::Derived, vec![*tag], vec![]);
                self.switch(follows.outcome as u8);
            }
        }
    }

    /// Names of openings and their codes, where most are what a book says.
    fn openings(&mut self) {
        let tags = openings::TAGS
            .iter()
            .filter_map(|name| self.table.tag(name.as_bytes()));
        let mut tags: Vec<u16> = tags.filter(|&tag| !self.taken[usize::from(tag)]).collect();
        let told = |book: usize, tag: u16| {
            let number = u8::try_from(book).unwrap_or(u8::MAX);
            let Ok((opened, fields)) = openings::open(number, &[tag], &self.table.names) else {
                return 0;
            };
            let is_told = |&row: &usize| {
                let line = self.table.predicted.line(row, book);
                let value = line.map(|line| opened.value(fields[0], line).as_bytes());
                value.is_some() && value == self.table.value(tag, row)
            };
            (0..self.table.rows).filter(is_told).count()
        };
        // The name decides, which is longer, if there is one.
        let Some(&first) = tags.first() else {
            return;
        };
        let best = (0..openings::BOOKS).max_by_key(|&book| told(book, first));
        let book = best.unwrap_or_default();
        if told(book, first) == 0 || !self.pays(first, told(book, first)) {
            return;
        }
        tags.retain(|&tag| {
            let values = self.table.values[usize::from(tag)].iter();
            told(book, tag) * 2 > values.filter(|span| span.is_present()).count()
        });
        if !tags.is_empty() {
            self.push(Codec::Openings, tags, vec![]);
            self.switch(book as u8);
        }
    }

    /// Whether telling a tag by a book, which is right so often, takes less than telling it in
    /// words, by an estimate in bits.
    fn pays(&self, tag: u16, right: usize) -> bool {
        /// What it takes to say that the book is wrong, and what is right.
        const WRONG: usize = 14;
        /// What a string takes in a dictionary.
        const STRING: usize = 40;
        let mut counts: FxHashMap<&[u8], usize> = FxHashMap::default();
        let values = (0..self.table.rows).filter_map(|row| self.table.value(tag, row));
        values.for_each(|value| *counts.entry(value).or_default() += 1);
        let all: usize = counts.values().sum();
        let one = |&count: &usize| STRING + count * (all / count).ilog2() as usize;
        let words: usize = counts.values().map(one).sum();
        right / 2 + (all - right) * WRONG < words
    }

    /// Gives the column pushed last its switches.
    fn switch(&mut self, switches: u8) {
        if let Some(column) = self.columns.last_mut() {
            column.switches = switches;
        }
    }

    /// How games ended, where that is said with the players' names.
    fn phrases(&mut self) {
        let players = ["White", "Black"].map(|name| self.table.tag(name.as_bytes()));
        let ([Some(white), Some(black)], Some(tag)) = (players, self.table.tag(b"Termination"))
        else {
            return;
        };
        let mut named = 0;
        for row in 0..self.table.rows {
            let Some(value) = self.table.value(tag, row) else {
                continue;
            };
            if !templates::fits(value) {
                return;
            }
            let names = [white, black].map(|tag| self.table.value(tag, row));
            named += usize::from(row < SAMPLE && templates::names_a_player(value, names));
        }
        let refs = ["White", "Black", "Result"];
        if named * 4 > SAMPLE.min(self.table.rows)
            && !self.take(Codec::Templates, &["Termination"], &refs)
        {
            self.take(Codec::Templates, &["Termination"], &refs[..2]);
        }
    }

    /// Of the tags left, those that count something, and times of day.
    fn numbers(&mut self) {
        let of_day = |v: &[u8]| dates::second(v).is_some();
        for tag in 0..self.table.names.len() as u16 {
            if self.taken[usize::from(tag)] {
                continue;
            }
            let name = String::from_utf8_lossy(&self.table.names[usize::from(tag)]).into_owned();
            if self.most(&name, of_day) {
                let times = ["UTCTime", "StartTime", "Time"].map(|n| self.table.tag(n.as_bytes()));
                let known = |t: &u16| self.taken[usize::from(*t)];
                let reference = times.into_iter().flatten().find(known);
                self.push(Codec::Numbers, vec![tag], reference.into_iter().collect());
                self.switch(TIMES);
            } else if self.counts(tag) {
                self.push(Codec::Numbers, vec![tag], vec![]);
            }
        }
    }

    /// Whether the first values of a tag are numbers behind one prefix, large and
    /// nearly all different.
    fn counts(&self, tag: u16) -> bool {
        /// Below this a number is better told as a word.
        const LARGE: i64 = 10_000;
        let values = (0..self.table.rows)
            .filter_map(|row| self.table.value(tag, row))
            .take(SAMPLE);
        let values: Vec<_> = values.map(numbers::split).collect();
        let prefix = values.iter().flatten().next().map(|(prefix, _)| *prefix);
        let fit =
            |v: &&Option<(&[u8], i64)>| v.is_some_and(|(p, n)| Some(p) == prefix && n >= LARGE);
        let fitting: Vec<_> = values.iter().filter(fit).flatten().collect();
        let different: std::collections::BTreeSet<i64> = fitting.iter().map(|(_, n)| *n).collect();
        different.len() * 10 > values.len() * 9
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

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// The columns planned for so many games with the same tags.
    fn planned(games: usize) -> Vec<Column> {
        let rows: Vec<String> = (0..games)
            .map(|i| (i * 977 + 100_000).to_string())
            .collect();
        let rows: Vec<[Option<&str>; 4]> = rows
            .iter()
            .map(|link| [Some("Ann"), Some("Bob"), Some(&link[..]), Some("07:00:00")])
            .collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|row| &row[..]).collect();
        plan(&testing::table(
            &["White", "Black", "Link", "EndTime"],
            &rows,
        ))
    }

    #[test]
    fn every_tag_is_in_one_column_and_each_kind_has_its_codec() {
        let columns = planned(FEW_RECORDS + 1);
        let codecs: Vec<(u8, &[u16])> = columns.iter().map(|c| (c.codec, &c.tags[..])).collect();
        let numbers = Codec::Numbers as u8;
        assert_eq!(
            codecs,
            [
                (Codec::Dictionary as u8, &[0, 1][..]),
                (numbers, &[2]),
                (numbers, &[3])
            ]
        );
        assert_eq!((columns[1].switches, columns[2].switches), (0, TIMES));
    }

    #[test]
    fn a_few_records_have_one_column_for_all_tags() {
        let columns = planned(FEW_RECORDS);
        assert_eq!(columns.len(), 1);
        assert_eq!(
            (columns[0].codec, &columns[0].tags[..]),
            (Codec::Dictionary as u8, &[0, 1, 2, 3][..])
        );
        assert!(plan(&Table::default()).is_empty());
    }
}
