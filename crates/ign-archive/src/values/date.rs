//! Dates of games, of which parts may be unknown.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use ign_format::error::{Error, Result};

use super::{Bounds, RangeEnd};

/// A date as PGN writes it: the day, or the month and the day, may be unknown (0).
///
/// The order is that of the calendar; an unknown part comes before every known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year, at least 1.
    pub year: u16,
    /// The month from 1, or 0.
    pub month: u8,
    /// The day from 1, or 0.
    pub day: u8,
}

/// The least and the greatest number of digits of a year. Months and days have fewer.
const YEAR_DIGITS: RangeInclusive<usize> = 3..=4;
const MONTHS: u16 = 12;
/// The English names of the months.
const MONTH_NAMES: [&[u8]; MONTHS as usize] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];
/// Number of digits of year, month and day without separators, and of the year alone.
const COMPACT_DIGITS: usize = 8;
const COMPACT_YEAR: usize = 4;

/// A part of a date: digits, or question marks or nothing for an unknown part.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Part {
    digits: usize,
    /// 0 if the part is unknown.
    number: u16,
}

impl Part {
    fn is_year(self) -> bool {
        YEAR_DIGITS.contains(&self.digits)
    }

    fn read(text: &[u8]) -> Option<Self> {
        if text.iter().all(|&c| c == b'?') {
            return Some(Self::default());
        }
        Self::read_number(text)
    }

    fn read_number(text: &[u8]) -> Option<Self> {
        let is_number = text.len() <= *YEAR_DIGITS.end() && text.iter().all(u8::is_ascii_digit);
        is_number.then(|| Self {
            digits: text.len(),
            number: text.iter().fold(0, |n, &c| 10 * n + u16::from(c - b'0')),
        })
    }
}

/// Whether a text has the digits of a year, a month and a day, without separators.
fn is_compact(text: &[u8]) -> bool {
    text.len() == COMPACT_DIGITS && text.iter().all(u8::is_ascii_digit)
}

/// The month of an English name, or of its first letters: at least three.
fn month_of_name(word: &[u8]) -> Option<Part> {
    let begins = |name: &&[u8]| {
        let start = name.get(..word.len());
        word.len() >= 3 && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let index = MONTH_NAMES.iter().position(begins)?;
    Some(Part {
        digits: 2,
        number: index as u16 + 1,
    })
}

impl Date {
    /// What takes the place of a missing date in a column.
    pub(crate) const NONE: Self = Self {
        year: 1,
        month: 0,
        day: 0,
    };

    /// Reads `2013.01.05`, `2013.01.??`, `2013.01` or `2013`, with full stops, hyphens or slashes
    /// between the parts, and `05.01.2013`, the day first; `20130105`; and with an English month
    /// `5 Jan 2013`, `January 5, 2013`, `2013 Jan 5` and `Jan 2013`. `None` if the year is unknown
    /// or the text is not a date.
    ///
    /// With hyphens or slashes, a date that ends with the year has its month where only a month can
    /// be: `31/01/2013` and `01/31/2013` are the same day, and of `01/02/2013` only the year is
    /// known.
    pub fn read(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii();
        Self::read_numbers(text)
            .or_else(|| Self::read_compact(text))
            .or_else(|| Self::read_named(text))
    }

    /// Reads `20130105`.
    fn read_compact(text: &[u8]) -> Option<Self> {
        let (year, rest) = text.split_at_checked(COMPACT_YEAR)?;
        let (month, day) = rest.split_at_checked(2)?;
        is_compact(text).then_some(())?;
        Self::of(Part::read(year)?, Part::read(month)?, Part::read(day)?)
    }

    /// Reads a date whose month has a name: `5 Jan 2013`, `January 5, 2013`, `2013 Jan 5`.
    fn read_named(text: &[u8]) -> Option<Self> {
        let is_between = |c: &u8| c.is_ascii_whitespace() || matches!(c, b'.' | b',' | b'-' | b'/');
        let mut words = text.split(is_between).filter(|word| !word.is_empty());
        let (first, second, third) = (words.next()?, words.next()?, words.next());
        if words.next().is_some() {
            return None;
        }
        let month = |word| month_of_name(word).ok_or(word);
        let (month, numbers) = match (month(first), month(second), third.map(month)) {
            (Ok(month), Err(year), None) | (Err(year), Ok(month), None) => {
                (month, [None, Some(year)])
            }
            (Ok(month), Err(a), Some(Err(b)))
            | (Err(a), Ok(month), Some(Err(b)))
            | (Err(a), Err(b), Some(Ok(month))) => (month, [Some(a), Some(b)]),
            _ => return None,
        };
        let numbers = numbers.map(|number| number.map_or(Some(Part::default()), Part::read_number));
        let (day, year) = match numbers {
            [Some(day), Some(year)] if year.is_year() && day.digits <= 2 => (day, year),
            [Some(year), Some(day)] if year.is_year() && day.digits <= 2 => (day, year),
            _ => return None,
        };
        Self::of(year, month, day)
    }

    /// Reads a date of numbers with separators.
    fn read_numbers(text: &[u8]) -> Option<Self> {
        let is_separator = |c: &u8| matches!(c, b'.' | b'-' | b'/');
        let mut parts = text.split(is_separator).map(Part::read);
        let first = parts.next()??;
        let (second, third) = (parts.next(), parts.next());
        if parts.next().is_some() {
            return None;
        }
        let unknown = Part::default();
        match (first, second, third) {
            (year, second, third) if year.is_year() => {
                let (month, day) = (
                    second.unwrap_or(Some(unknown))?,
                    third.unwrap_or(Some(unknown))?,
                );
                Self::of(year, month, day)
            }
            (month, Some(Some(year)), None) if year.is_year() => Self::of(year, month, unknown),
            (first, Some(Some(second)), Some(Some(year))) if year.is_year() => {
                let has_stops = !text.iter().any(|c| matches!(c, b'-' | b'/'));
                let is_month = |part: Part| part.number <= MONTHS;
                if has_stops || !is_month(first) || first.number == second.number {
                    Self::of(year, second, first)
                } else if !is_month(second) {
                    Self::of(year, first, second)
                } else {
                    Self::of(year, unknown, unknown)
                }
            }
            _ => None,
        }
    }

    fn of(year: Part, month: Part, day: Part) -> Option<Self> {
        let is_date = year.number > 0 && month.number <= MONTHS && day.number <= 31;
        // A day of an unknown month says nothing.
        let day = if month.number == 0 { 0 } else { day.number };
        is_date.then_some(Self {
            year: year.number,
            month: month.number as u8,
            day: day as u8,
        })
    }

    /// Whether the month has the day. Unknown parts are in every calendar.
    pub(crate) fn is_in_calendar(self) -> bool {
        self.day <= self.days_of_month()
    }

    /// The number of days of the month; 31 if it is unknown.
    fn days_of_month(self) -> u8 {
        let divides = |years| self.year.is_multiple_of(years);
        let is_leap = divides(4) && (!divides(100) || divides(400));
        match self.month {
            2 => 28 + u8::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// The last day that the date can mean. A day that the month does not have, which some files
    /// state, is its last one.
    fn last(self) -> Self {
        let or = |part, max| if part == 0 { max } else { part };
        let days = self.days_of_month();
        Self {
            year: self.year,
            month: or(self.month, 12),
            day: or(self.day, days).min(days),
        }
    }

    /// The first day that the date can mean.
    fn first(self) -> Self {
        Self {
            year: self.year,
            month: self.month.max(1),
            day: self.day.max(1),
        }
    }

    /// Whether every day that the date can mean is in the range. `2013.01.??` is in 2013, and not
    /// in `2013-01-01..2013-01-20`.
    pub fn is_in(self, range: &Bounds<Self>) -> bool {
        range.min.is_none_or(|min| min.first() <= self.first())
            && range.max.is_none_or(|max| self.last() <= max.last())
    }
}

impl RangeEnd for Date {
    /// A range ends with the last day that its end can mean.
    fn is_after(&self, end: &Self) -> bool {
        self.first() > end.last()
    }

    fn problem(text: &str, _: &Error) -> String {
        format!("'{text}' is not a date such as 2013-01-05, 2013-01 or 2013")
    }
}

impl FromStr for Date {
    type Err = Error;

    /// As [`read`](Self::read): `2013-01-05`, `2013-01` or `2013`.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let date = Self::read(text.as_bytes()).filter(|date| date.is_in_calendar());
        // Only a missing part is unknown.
        let stated = if is_compact(text.as_bytes()) {
            2
        } else {
            text.split(['.', '-', '/']).count() - 1
        };
        let is_known = |date: &Self| {
            [date.month, date.day]
                .iter()
                .take(stated)
                .all(|&part| part > 0)
        };
        date.filter(is_known).ok_or_else(|| {
            Error::usage("is not a date").with_remedy("write 2013-01-05, 2013-01 or 2013")
        })
    }
}

/// As PGN writes it: `2013.01.??`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day] {
            match part {
                0 => write!(f, ".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_pgn_files_have() {
        let read = |text: &str| Date::read(text.as_bytes()).map(|date| date.to_string());
        for (text, date) in [
            ("2013.01.05", "2013.01.05"),
            ("2013-1-5", "2013.01.05"),
            ("1997/12/31", "1997.12.31"),
            ("1997.??.??", "1997.??.??"),
            ("1997.05.??", "1997.05.??"),
            ("1997.??.13", "1997.??.??"),
            ("1997", "1997.??.??"),
            ("987.5.1", "0987.05.01"),
            ("2020.1.2", "2020.01.02"),
            ("2020.01", "2020.01.??"),
            ("2020-00-00", "2020.??.??"),
            ("02.01.2020", "2020.01.02"),
            ("2.1.2020", "2020.01.02"),
            ("??.01.2020", "2020.01.??"),
            ("??.??.2020", "2020.??.??"),
            ("01.2020", "2020.01.??"),
            ("01/2020", "2020.01.??"),
            ("31/01/2020", "2020.01.31"),
            ("01/31/2020", "2020.01.31"),
            ("05/05/2020", "2020.05.05"),
            ("13-01-2020", "2020.01.13"),
            ("01/02/2020", "2020.??.??"),
            ("01-02-2020", "2020.??.??"),
            ("20200102", "2020.01.02"),
            ("20200000", "2020.??.??"),
            ("2 Jan 2020", "2020.01.02"),
            ("02-Jan-2020", "2020.01.02"),
            ("2. JANUARY 2020", "2020.01.02"),
            ("Jan 2, 2020", "2020.01.02"),
            ("Jan. 02, 2020", "2020.01.02"),
            ("2020 Sept 30", "2020.09.30"),
            ("2020-May-01", "2020.05.01"),
            ("May 2020", "2020.05.??"),
            ("2020, June", "2020.06.??"),
        ] {
            assert_eq!(read(text).as_deref(), Some(date), "{text}");
        }
        for wrong in [
            "",
            "????.??.??",
            "0.1.1",
            "0000.01.01",
            "97.01.05",
            "05.01.13",
            "01.13.2020",
            "31.13.2020",
            "13/13/2020",
            "32.01.2020",
            "13.2020",
            "??.2.x",
            "2020.01.x",
            "1997.13.01",
            "1997.01.32",
            "02012020",
            "20201301",
            "2020010",
            "202001021",
            "Jan 2 20",
            "Jan 2020 2020",
            "Jan Feb 2020",
            "32 Jan 2020",
            "Ja 2020",
            "Janu ary 2020",
            "Januaryx 2020",
            "2 Jan ?",
            "2 Jan",
            "Jan",
            "on 2 Jan 2020",
            "1997.01.01.01",
            "x",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_unknown_part_must_be_in_the_range_whatever_it_is() {
        let is_in = |date: &str, range: &str| {
            Date::read(date.as_bytes())
                .unwrap()
                .is_in(&range.parse().unwrap())
        };
        assert!(is_in("2013.01.05", "2013"));
        assert!(is_in("2013.01.??", "2013-01..2013-02"));
        assert!(is_in("2013.??.??", "2013"));
        assert!(is_in("2013.01.31", "2013-01..2013-01"));
        assert!(!is_in("2013.01.??", "2013-01-01..2013-01-20"));
        assert!(!is_in("2013.01.08", "2013-01-05..2013-01-07"));
        assert!(!is_in("2013.??.??", "2013-02.."));
        assert!(is_in("2013.12.31", "2013-02..2013"));
        assert!(!is_in("2013.01.31", "2013-02..2013"));
        for range in ["2013", "2013-02", "2013-02-28", "..2013-02", "2013-02.."] {
            assert!(is_in("2013.02.30", range), "{range}");
        }
        assert!(!is_in("2013.02.30", "2013-03..") && !is_in("2013.02.30", "..2013-02-27"));
    }

    #[test]
    fn a_condition_names_days_of_the_calendar() {
        for (text, is_date) in [
            ("2013-02-28", true),
            ("2012-02-29", true),
            ("2013-02-29", false),
            ("1900-02-29", false),
            ("2013-04-31", false),
            ("2013-12", true),
            ("2013", true),
            ("2013-00", false),
            ("2013-13", false),
            ("2013-01-00", false),
            ("2013-00-05", false),
            ("2013-??", false),
            ("05.01.2013", true),
            ("31/01/2013", true),
            ("01/02/2013", false),
            ("29.02.2013", false),
            ("20200102", true),
            ("20200100", false),
            ("2 Jan 2020", true),
            ("5.-Jan-2020", true),
            ("Jan.--2020", false),
        ] {
            assert_eq!(text.parse::<Date>().is_ok(), is_date, "{text}");
        }
    }

    #[test]
    fn a_range_ends_with_the_last_day_of_its_end() {
        for (range, is_valid) in [
            ("2013-02..2013", true),
            ("2013-02-10..2013-02", true),
            ("2013..2013-01", true),
            ("2013-02..2013-01", false),
            ("2013-02..2012", false),
            ("2014..2013", false),
        ] {
            assert_eq!(range.parse::<Bounds<Date>>().is_ok(), is_valid, "{range}");
        }
    }
}
