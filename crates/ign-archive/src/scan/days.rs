//! Days of the calendar, counted from 1970-01-01.

use crate::values::Date;

/// Reads a date of which year, month and day are known as days since 1970-01-01. `None` if it is no
/// day of the calendar.
pub(super) fn read(value: &[u8]) -> Option<i32> {
    let date = Date::read(value)?;
    // A known day has a known month.
    let exists = date.day > 0 && date.is_in_calendar();
    exists.then(|| since_epoch(date.year.into(), date.month.into(), date.day.into()))
}

/// The days from 1970-01-01 to a day of the Gregorian calendar (H. Hinnant, *chrono-compatible
/// low-level date algorithms*): years that begin in March have the leap day at their end.
fn since_epoch(year: u32, month: u32, day: u32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (146_097 * era + day_of_era) as i32 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        for (text, days) in [
            ("1970.01.01", 0),
            ("1969.12.31", -1),
            ("2000.02.29", 11_016),
            ("2013-01-05", 15_710),
            ("0001.01.01", -719_162),
            ("9999.12.31", 2_932_896),
        ] {
            assert_eq!(read(text.as_bytes()), Some(days), "{text}");
        }
    }

    #[test]
    fn dates_with_unknown_parts_and_days_that_do_not_exist_are_none() {
        for text in [
            "????.??.??",
            "2013.??.??",
            "2013.01.??",
            "2013.02.29",
            "1900.02.29",
            "2013.04.31",
            "2013.13.01",
            "2013",
            "",
            "?",
        ] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn every_day_follows_the_day_before() {
        let mut last = since_epoch(1899, 12, 31);
        for year in 1900..2101 {
            for month in 1..=12 {
                for day in 1..=31 {
                    let text = format!("{year}.{month:02}.{day:02}");
                    if let Some(days) = read(text.as_bytes()) {
                        assert_eq!(days, last + 1, "{text}");
                        last = days;
                    }
                }
            }
        }
    }
}
