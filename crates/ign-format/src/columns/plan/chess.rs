//! The plan for the tags of chess games in PGN.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::planner::{Planner, SAMPLE};
use crate::{
    columns::{
        calendar::parse_time,
        codec::Codec,
        dates, ids,
        numbers::{self, TIMES},
        openings,
        table::Table,
        templates,
    },
    container::block_head::Column,
};

/// Tags that other tags predict: tag, and keys. The keys that are in dictionary columns are used. A
/// key precedes the tags that it predicts.
const PREDICTED: &[(&str, &[&str])] = &[
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

/// The same, for tags that predict ratings.
const PREDICTED_BEFORE_RATINGS: &[(&str, &[&str])] = &[
    ("TimeControl", &["White", "Black"]),
    ("Event", &["TimeControl", "White"]),
];

/// The columns of a block of chess, in an order in which each follows those it refers to.
pub fn plan(table: &Table) -> Vec<Column> {
    let mut planner = Planner::new(table);
    if planner.take_few() {
        return planner.columns;
    }
    planner.take(Codec::Dictionary, &["White", "Black"], &[]);
    planner.take(Codec::Dictionary, &["Result"], &[]);
    for (tag, keys) in PREDICTED_BEFORE_RATINGS {
        planner.take_with_keys(tag, keys);
    }
    take_ratings(&mut planner);
    take_dates(&mut planner);
    take_ids(&mut planner);
    take_derived(&mut planner);
    take_openings(&mut planner);
    take_templates(&mut planner);
    for (tag, keys) in PREDICTED {
        planner.take_with_keys(tag, keys);
    }
    take_numbers(&mut planner);
    planner.take_rest();
    planner.columns
}

fn take_ratings(planner: &mut Planner) {
    let ratings = ["WhiteElo", "BlackElo"];
    let all = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"];
    for tags in [&all[..], &ratings] {
        for refs in [
            &["White", "Black", "Result", "Event"][..],
            &["White", "Black", "Result"],
            &["White", "Black"],
        ] {
            if planner.take(Codec::Ratings, tags, refs) {
                return;
            }
        }
    }
}

fn take_dates(planner: &mut Planner) {
    for (tags, refs) in [
        (&["UTCDate", "UTCTime"][..], &[][..]),
        (&["Date", "Time"], &[]),
        (&["UTCDate"], &[]),
        (&["Date"], &["UTCDate"]),
        (&["EndDate"], &["UTCDate"]),
    ] {
        if planner.most_values_of(tags[0], dates::fits) {
            planner.take(Codec::Dates, tags, refs);
        }
    }
}

fn take_ids(planner: &mut Planner) {
    if planner.most_values_of("Site", |v| ids::fits(v, None) && v.contains(&b'/')) {
        planner.take(Codec::Ids, &["Site"], &[]);
        if planner.most_values_of("GameId", |v| ids::fits(v, Some(b""))) {
            planner.take(Codec::Ids, &["GameId"], &["Site"]);
        }
    }
}

/// Takes the tags of which more than half of the values are derived from the moves.
fn take_derived(planner: &mut Planner) {
    let table = planner.table;
    for (tag, derived) in &table.derived {
        let values = (0..table.rows)
            .filter(|&row| table.span(*tag, row).is_present())
            .count();
        let hits = derived.rows.iter().flatten().count();
        if hits * 2 > values {
            let flags = derived.derivation as u8;
            planner.push(Codec::Derived, vec![*tag], vec![], flags);
        }
    }
}

/// Takes the names and codes of openings that a book mostly predicts.
fn take_openings(planner: &mut Planner) {
    let table = planner.table;
    let mut tags: Vec<u16> = openings::TAGS
        .iter()
        .filter_map(|name| table.tag(name.as_bytes()))
        .filter(|&tag| !planner.is_taken(tag))
        .collect();
    // Number of values that a book predicts.
    let hits = |book: usize, tag: u16| {
        let number = u8::try_from(book).unwrap_or(u8::MAX);
        let Ok((opened, fields)) = openings::open(number, &[tag], &table.names) else {
            return 0;
        };
        let is_hit = |&row: &usize| {
            let line = table.predicted.line(row, book);
            let value = line.map(|line| opened.value(fields[0], line).as_bytes());
            value.is_some() && value == table.value(tag, row)
        };
        (0..table.rows).filter(is_hit).count()
    };
    // The name is longer than the code, so it decides if there is one.
    let Some(&first) = tags.first() else {
        return;
    };
    let best = (0..openings::BOOKS).max_by_key(|&book| hits(book, first));
    let book = best.unwrap_or_default();
    let best_hits = hits(book, first);
    if best_hits == 0 || !book_pays(table, first, best_hits) {
        return;
    }
    tags.retain(|&tag| {
        let values = table.values[usize::from(tag)].iter();
        hits(book, tag) * 2 > values.filter(|span| span.is_present()).count()
    });
    if !tags.is_empty() {
        planner.push(Codec::Openings, tags, vec![], book as u8);
    }
}

/// Whether a book with this number of hits encodes a tag in fewer bits than a dictionary, by an
/// estimate.
fn book_pays(table: &Table, tag: u16, hits: usize) -> bool {
    /// Bits to signal a miss and to encode the value.
    const MISS: usize = 14;
    /// Bits of a new string of a dictionary.
    const STRING: usize = 40;
    let mut counts: FxHashMap<&[u8], usize> = FxHashMap::default();
    let values = (0..table.rows).filter_map(|row| table.value(tag, row));
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let all: usize = counts.values().sum();
    let bits = |&count: &usize| STRING + count * (all / count).ilog2() as usize;
    let dictionary: usize = counts.values().map(bits).sum();
    hits / 2 + (all - hits) * MISS < dictionary
}

/// Takes terminations that contain the players' names.
fn take_templates(planner: &mut Planner) {
    let table = planner.table;
    let players = ["White", "Black"].map(|name| table.tag(name.as_bytes()));
    let ([Some(white), Some(black)], Some(tag)) = (players, table.tag(b"Termination")) else {
        return;
    };
    let mut named = 0;
    for row in 0..table.rows {
        let Some(value) = table.value(tag, row) else {
            continue;
        };
        if !templates::fits(value) {
            return;
        }
        let names = [white, black].map(|tag| table.value(tag, row));
        named += usize::from(row < SAMPLE && templates::names_a_player(value, names));
    }
    let refs = ["White", "Black", "Result"];
    if named * 4 > SAMPLE.min(table.rows)
        && !planner.take(Codec::Templates, &["Termination"], &refs)
    {
        planner.take(Codec::Templates, &["Termination"], &refs[..2]);
    }
}

/// Takes the times of day and the large numbers among the tags that are left.
fn take_numbers(planner: &mut Planner) {
    let table = planner.table;
    for tag in 0..table.names.len() as u16 {
        if planner.is_taken(tag) {
            continue;
        }
        // A name that is not UTF-8 is not found, so its tag is not one of times.
        let name = String::from_utf8_lossy(&table.names[usize::from(tag)]);
        if planner.most_values_of(&name, |v| parse_time(v).is_some()) {
            let times = ["UTCTime", "StartTime", "Time"].map(|n| table.tag(n.as_bytes()));
            let reference = times.into_iter().flatten().find(|&t| planner.is_taken(t));
            let refs = reference.into_iter().collect();
            planner.push(Codec::Numbers, vec![tag], refs, TIMES);
        } else if has_numbers(planner, tag) {
            planner.push(Codec::Numbers, vec![tag], vec![], 0);
        }
    }
}

/// Whether the first values of a tag are large numbers after one prefix, nearly all distinct.
fn has_numbers(planner: &Planner, tag: u16) -> bool {
    /// A dictionary encodes smaller numbers better.
    const LARGE: i64 = 10_000;
    let values: Vec<_> = planner.sample(tag).map(numbers::split).collect();
    let prefix = values.iter().flatten().next().map(|(prefix, _)| *prefix);
    let fitting = values
        .iter()
        .flatten()
        .filter(|&&(p, n)| Some(p) == prefix && n >= LARGE);
    let distinct: BTreeSet<i64> = fitting.map(|(_, n)| *n).collect();
    distinct.len() * 10 > values.len() * 9
}

#[cfg(test)]
mod tests {
    use super::{super::planner::FEW_RECORDS, *};
    use crate::columns::testing;

    /// The plan for this number of games with the same tags.
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
    fn every_tag_is_in_one_column_with_its_codec() {
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
        assert_eq!((columns[1].flags, columns[2].flags), (0, TIMES));
    }

    #[test]
    fn few_records_have_one_column_for_all_tags() {
        let columns = planned(FEW_RECORDS);
        assert_eq!(columns.len(), 1);
        assert_eq!(
            (columns[0].codec, &columns[0].tags[..]),
            (Codec::Dictionary as u8, &[0, 1, 2, 3][..])
        );
        assert!(plan(&Table::default()).is_empty());
    }
}
