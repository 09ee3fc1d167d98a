//! Filters of the explorer as conditions on games.
//!
//! A filter that names all classes sets no condition: games without a time control or a rating
//! count, too.

use ign_archive::{
    index::RATING_GROUPS,
    query::{Bounds, Date, RangeEnd, Ranges, Speed},
};

use crate::{
    failure::{Failure, Result},
    parameters::Parameters,
    selection::Selection,
};

/// `speeds=blitz,rapid`
pub struct Speeds(Vec<Speed>);

impl Speeds {
    /// Takes the filter.
    ///
    /// # Errors
    /// A speed is unknown.
    pub fn take(parameters: &mut Parameters) -> Result<Self> {
        let known: Vec<&str> = Speed::ALL.iter().map(|speed| speed.name()).collect();
        let known = known.join(", ");
        let mut speeds = parameters.list("speeds", &known, |name| name.parse().ok())?;
        speeds.sort_unstable();
        speeds.dedup();
        Ok(Self(speeds))
    }

    /// Adds the condition.
    ///
    /// # Errors
    /// `speed` is given, too.
    pub fn apply(self, selection: &mut Selection) -> Result<()> {
        if self.0.is_empty() || self.0.len() == Speed::ALL.len() {
            return Ok(());
        }
        refuse_both("speeds", "speed", selection.query.has("speed"))?;
        selection.add(format!("speeds {:?}", self.0), |query| query.speed(self.0));
        Ok(())
    }
}

/// `ratings=1600,1800`: groups of the mean rating of both players.
pub struct Ratings(Vec<usize>);

impl Ratings {
    /// Takes the filter.
    ///
    /// A number is in the group that has it, as for the server of Lichess.
    ///
    /// # Errors
    /// A value is not a number.
    pub fn take(parameters: &mut Parameters) -> Result<Self> {
        let known = RATING_GROUPS
            .iter()
            .map(u16::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        let place = |text: &str| {
            let rating: u16 = text.parse().ok()?;
            RATING_GROUPS.iter().rposition(|&group| group <= rating)
        };
        let mut groups = parameters.list("ratings", &known, place)?;
        groups.sort_unstable();
        groups.dedup();
        Ok(Self(groups))
    }

    /// Adds the condition.
    ///
    /// # Errors
    /// `mean_elo` is given, too.
    pub fn apply(self, selection: &mut Selection) -> Result<()> {
        if self.0.is_empty() || self.0.len() == RATING_GROUPS.len() {
            return Ok(());
        }
        refuse_both("ratings", "mean_elo", selection.query.has("mean_elo"))?;
        let groups = self.0.iter().map(|&place| Bounds {
            min: Some(RATING_GROUPS[place]),
            max: RATING_GROUPS.get(place + 1).map(|next| next - 1),
        });
        selection.add(format!("ratings {:?}", self.0), |query| {
            query.mean_elo(groups.collect::<Ranges<u16>>())
        });
        Ok(())
    }
}

/// `since=2013-01&until=2013-06`: months or years, both included.
pub struct Period(Bounds<Date>);

impl Period {
    /// Takes the filter.
    ///
    /// # Errors
    /// A value is not a month; the period ends before it starts.
    pub fn take(parameters: &mut Parameters) -> Result<Self> {
        let mut end = |name: &'static str| {
            let Some(text) = parameters.take(name)? else {
                return Ok(None);
            };
            let wrong = || {
                let message = format!("{name}: write a year or a month, such as 2013 or 2013-01");
                Failure::parameter(name, message)
            };
            read_month(&text).ok_or_else(wrong)
        };
        let (min, max) = (end("since")?, end("until")?);
        if let (Some(min), Some(max)) = (min, max)
            && min.is_after(&max)
        {
            let message = "until: the period ends before it starts";
            return Err(Failure::parameter("until", message));
        }
        Ok(Self(Bounds { min, max }))
    }

    /// Adds the condition.
    ///
    /// # Errors
    /// `date` is given, too.
    pub fn apply(self, selection: &mut Selection) -> Result<()> {
        if self.0.min.is_none() && self.0.max.is_none() {
            return Ok(());
        }
        refuse_both("since and until", "date", selection.query.has("date"))?;
        selection.add(format!("period {:?}", self.0), |query| query.date(self.0));
        Ok(())
    }
}

/// Reads `2013` or `2013-01`; the year 0 sets no limit. `None` for other text.
fn read_month(text: &str) -> Option<Option<Date>> {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    let (year, month) = match parts[..] {
        [year] if digits(year) => (year, None),
        [year, month] if digits(year) && digits(month) => (year, Some(month)),
        _ => return None,
    };
    let year: u16 = year.parse().ok().filter(|&year| year <= 9999)?;
    let month: u8 = match month {
        Some(month) => month
            .parse()
            .ok()
            .filter(|month| (1..=12).contains(month))?,
        None => 0,
    };
    Some((year > 0).then_some(Date {
        year,
        month,
        day: 0,
    }))
}

/// `modes=casual,rated`: by the first word of the event, as Lichess writes it.
pub struct Modes(Vec<&'static str>);

impl Modes {
    /// Takes the filter.
    ///
    /// # Errors
    /// A mode is unknown.
    pub fn take(parameters: &mut Parameters) -> Result<Self> {
        let known = ["casual", "rated"];
        let mode = |text: &str| known.into_iter().find(|&mode| mode == text);
        let mut modes = parameters.list("modes", &known.join(", "), mode)?;
        modes.sort_unstable();
        modes.dedup();
        Ok(Self(modes))
    }

    /// Adds the condition.
    pub fn apply(self, selection: &mut Selection) {
        if let [mode] = self.0[..] {
            selection.add(format!("mode {mode}"), |query| {
                let event = format!("(?i)^{mode}( |$)");
                query.tag("Event", &event).expect("a regular expression")
            });
        }
    }
}

fn refuse_both(filter: &str, condition: &str, is_given: bool) -> Result<()> {
    if is_given {
        let message = format!("{condition}: {filter} and {condition} set the same condition");
        Err(Failure::parameter(condition, message))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_archive::Query;

    fn parameters(query: &str) -> Parameters {
        Parameters::read(Some(query)).unwrap()
    }

    #[test]
    fn rating_groups_go_up_to_the_next() {
        let mut selection = Selection::default();
        let ratings = Ratings::take(&mut parameters("ratings=2500,1800,0")).unwrap();
        ratings.apply(&mut selection).unwrap();
        let groups: [Bounds<u16>; 3] = [(0..=999).into(), (1800..=1999).into(), (2500..).into()];
        let expected = Query::new().mean_elo(groups.into_iter().collect::<Ranges<u16>>());
        assert_eq!(format!("{:?}", selection.query), format!("{expected:?}"));
        let numbers = Ratings::take(&mut parameters("ratings=400,1900,9999")).unwrap();
        assert_eq!(numbers.0, [0, 5, 8]);
    }

    #[test]
    fn all_classes_are_no_condition() {
        let mut selection = Selection::default();
        let all = RATING_GROUPS
            .iter()
            .map(u16::to_string)
            .collect::<Vec<_>>()
            .join(",");
        let ratings = Ratings::take(&mut parameters(&format!("ratings={all}"))).unwrap();
        ratings.apply(&mut selection).unwrap();
        let all: Vec<&str> = Speed::ALL.iter().map(|speed| speed.name()).collect();
        let all = all.join(",");
        let speeds = Speeds::take(&mut parameters(&format!("speeds={all}"))).unwrap();
        speeds.apply(&mut selection).unwrap();
        let modes = Modes::take(&mut parameters("modes=rated,casual")).unwrap();
        modes.apply(&mut selection);
        assert!(selection.query.is_empty());
        let modes = Modes::take(&mut parameters("modes=rated")).unwrap();
        modes.apply(&mut selection);
        assert!(selection.query.has("tag"));
    }

    #[test]
    fn periods_are_months_or_years() {
        let period = |query: &str| Period::take(&mut parameters(query)).map(|period| period.0);
        let both = period("since=2013-01&until=2013").unwrap();
        assert_eq!(both, "2013-01..2013".parse().unwrap());
        assert_eq!(period("since=0000-01").unwrap().min, None);
        assert_eq!(period("until=3000-12").unwrap().max, Date::read(b"3000-12"));
        for wrong in [
            "since=2013-13",
            "since=2013-00",
            "since=x",
            "until=2013-01-05",
            "until=",
            "since=99999",
            "since=2014&until=2013-12",
        ] {
            assert!(period(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rejects_unknown_classes_and_two_conditions_of_one_kind() {
        assert!(Speeds::take(&mut parameters("speeds=fast")).is_err());
        assert!(Ratings::take(&mut parameters("ratings=x")).is_err());
        assert!(Modes::take(&mut parameters("modes=both")).is_err());
        let mut selection = Selection::default();
        selection.query.set("speed", "blitz").unwrap();
        let speeds = Speeds::take(&mut parameters("speeds=blitz")).unwrap();
        assert!(speeds.apply(&mut selection).is_err());
    }
}
