//! Conditions of a query on tags, in the order in which they are evaluated: those on columns that
//! are small and quickly decoded first.

use crate::{
    query::{Date, Eco, GameId, GameResult, Query, Speed, TextPattern},
    scan::read_rating,
};

/// The value of a tag; `None` if the game lacks the tag.
pub type Value<'v> = Option<&'v [u8]>;

/// A property of a value.
pub type Property<'q> = Box<dyn Fn(&[u8]) -> bool + Sync + 'q>;

/// A property of several values together.
pub type Relation<'q> = Box<dyn Fn(&[Value]) -> bool + Sync + 'q>;

/// A condition on one tag or on several.
pub struct TagCondition<'q> {
    /// The name of the condition.
    pub name: &'q str,
    /// The tags, each once.
    pub tags: Vec<&'q str>,
    /// How their values decide.
    pub test: Test<'q>,
}

/// How the values of the tags of a condition decide whether a game meets it.
pub enum Test<'q> {
    /// Each of the tags is present and its value has this property.
    All(Property<'q>),
    /// One of the tags is present and its value has this property.
    Any(Property<'q>),
    /// The values together have this property.
    Together(Relation<'q>),
}

impl TagCondition<'_> {
    /// Whether values, one for each of the tags, meet the condition.
    pub fn holds(&self, values: &[Value]) -> bool {
        match &self.test {
            Test::All(test) => values.iter().all(|value| value.is_some_and(test)),
            Test::Any(test) => values.iter().any(|value| value.is_some_and(test)),
            Test::Together(test) => test(values),
        }
    }
}

/// The conditions of a query on tags.
pub fn conditions(query: &Query) -> Vec<TagCondition<'_>> {
    let mut all = Vec::new();
    let mut add = |name, tags: &[&'static str], test| {
        all.push(TagCondition {
            name,
            tags: tags.to_vec(),
            test,
        });
    };
    if !query.result.is_empty() {
        let wanted = &query.result;
        let is_wanted = |value: &[u8]| GameResult::read(value).is_some_and(|r| wanted.contains(&r));
        add("result", &["Result"], Test::All(Box::new(is_wanted)));
    }
    if !query.speed.is_empty() {
        let wanted = &query.speed;
        let is_wanted =
            |value: &[u8]| Speed::of_time_control(value).is_some_and(|s| wanted.contains(&s));
        add("speed", &["TimeControl"], Test::All(Box::new(is_wanted)));
    }
    for (name, tag, pattern) in [
        ("time_control", "TimeControl", &query.time_control),
        ("termination", "Termination", &query.termination),
        ("event", "Event", &query.event),
    ] {
        if let Some(pattern) = pattern {
            add(name, &[tag], matches(pattern));
        }
    }
    for (name, tags, bounds) in [
        ("elo", &["WhiteElo", "BlackElo"][..], query.elo),
        ("white_elo", &["WhiteElo"], query.white_elo),
        ("black_elo", &["BlackElo"], query.black_elo),
    ] {
        if let Some(bounds) = bounds {
            let is_in = move |value: &[u8]| read_rating(value).is_some_and(|r| bounds.contains(&r));
            add(name, tags, Test::All(Box::new(is_in)));
        }
    }
    if let Some(bounds) = query.elo_diff {
        let is_in = move |values: &[Value]| {
            ratings(values).is_some_and(|[white, black]| {
                bounds.contains(&(i32::from(white) - i32::from(black)))
            })
        };
        let tags = ["WhiteElo", "BlackElo"];
        add("elo_diff", &tags, Test::Together(Box::new(is_in)));
    }
    if !query.mean_elo.is_empty() {
        let ranges = &query.mean_elo;
        let is_in = |values: &[Value]| {
            ratings(values).is_some_and(|[white, black]| {
                let mean = u16::midpoint(white, black);
                ranges.iter().any(|range| range.contains(&mean))
            })
        };
        let tags = ["WhiteElo", "BlackElo"];
        add("mean_elo", &tags, Test::Together(Box::new(is_in)));
    }
    if let Some(bounds) = query.date {
        let is_in = move |values: &[Value]| {
            // The first that is a date counts.
            let mut dates = values.iter().filter_map(|value| Date::read((*value)?));
            dates.next().is_some_and(|date| date.is_in(&bounds))
        };
        add(
            "date",
            &["UTCDate", "Date"],
            Test::Together(Box::new(is_in)),
        );
    }
    for (name, tag, pattern) in [
        ("white", "White", &query.white),
        ("black", "Black", &query.black),
    ] {
        if let Some(pattern) = pattern {
            add(name, &[tag], matches(pattern));
        }
    }
    if let Some(pattern) = &query.player {
        let test = Test::Any(Box::new(|value| pattern.matches(value)));
        add("player", &["White", "Black"], test);
    }
    if let Some(pattern) = &query.site {
        add("site", &["Site"], matches(pattern));
    }
    if let Some(id) = &query.id {
        let test = Test::Any(Box::new(|value| id.matches(value)));
        add("id", &GameId::TAGS, test);
    }
    // Openings may have to be derived from the moves.
    if let Some(bounds) = query.eco {
        let is_in = move |value: &[u8]| Eco::read(value).is_some_and(|code| bounds.contains(&code));
        add("eco", &["ECO"], Test::All(Box::new(is_in)));
    }
    if let Some(pattern) = &query.opening_name {
        add("opening_name", &["Opening"], matches(pattern));
    }
    // Expressions may be expensive.
    for pattern in &query.tags {
        all.push(TagCondition {
            name: &pattern.name,
            tags: vec![&pattern.name],
            test: Test::All(Box::new(|value| pattern.regex.is_match(value))),
        });
    }
    all
}

fn matches(pattern: &TextPattern) -> Test<'_> {
    Test::All(Box::new(|value| pattern.matches(value)))
}

/// The ratings of White and Black, if both are known.
fn ratings(values: &[Value]) -> Option<[u16; 2]> {
    let rating = |side: usize| values.get(side).copied().flatten().and_then(read_rating);
    Some([rating(0)?, rating(1)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_date_counts_and_a_difference_needs_both_ratings() {
        let query = Query {
            date: Some("2013".parse().unwrap()),
            elo_diff: Some("-50..50".parse().unwrap()),
            ..Query::default()
        };
        let conditions = conditions(&query);
        let [difference, date] = &conditions[..] else {
            panic!("two conditions");
        };
        assert!(date.holds(&[Some(b"2013.01.02"), Some(b"2012.12.31")]));
        assert!(date.holds(&[Some(b"????.??.??"), Some(b"2013.??.??")]));
        assert!(!date.holds(&[Some(b"2012.12.31"), Some(b"2013.01.01")]));
        assert!(!date.holds(&[None, None]));
        assert!(difference.holds(&[Some(b"1500"), Some(b"1550")]));
        assert!(!difference.holds(&[Some(b"1500"), Some(b"1551")]));
        assert!(!difference.holds(&[Some(b"1500"), Some(b"?")]));
        assert!(!difference.holds(&[None, Some(b"10")]));
    }
}
