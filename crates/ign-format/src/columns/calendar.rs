//! Dates and times of day as integers, so that columns can store differences.
//!
//! A date `YYYY.MM.DD` is a day number, a time `hh:mm:ss` a number of seconds (spec §4.3.2). Years
//! have 16 months of 32 days, so every date that can be written has a number of its own,
//! 2013.02.31 and 2013.00.00 included. Other notations have no number.

/// Seconds of a day.
pub const DAY: i64 = 24 * 60 * 60;
/// Day numbers of a month (spec §4.3.2).
const MONTH_DAYS: i64 = 32;
/// Months of a year (spec §4.3.2).
const YEAR_MONTHS: i64 = 16;
/// Day numbers of a year.
const YEAR_DAYS: i64 = YEAR_MONTHS * MONTH_DAYS;
/// The end of the day numbers: the year has four digits.
pub const END_OF_DAYS: i64 = 10_000 * YEAR_DAYS;

const DATE_WIDTHS: [usize; 3] = [4, 2, 2];
const TIME_WIDTHS: [usize; 3] = [2, 2, 2];

/// The day number of a date.
pub fn parse_date(value: &[u8]) -> Option<i64> {
    let [year, month, day] = parse_fields(value, DATE_WIDTHS, b'.')?;
    (month < YEAR_MONTHS && day < MONTH_DAYS).then_some(year * YEAR_DAYS + month * MONTH_DAYS + day)
}

/// The date of a day number.
pub fn format_date(day: i64) -> Vec<u8> {
    let month = day % YEAR_DAYS / MONTH_DAYS;
    format_fields(
        [day / YEAR_DAYS, month, day % MONTH_DAYS],
        DATE_WIDTHS,
        b'.',
    )
}

/// The seconds of a time of day.
pub fn parse_time(value: &[u8]) -> Option<i64> {
    let [hours, minutes, seconds] = parse_fields(value, TIME_WIDTHS, b':')?;
    (hours < 24 && minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// The time of day with these seconds.
pub fn format_time(seconds: i64) -> Vec<u8> {
    let minutes = seconds / 60 % 60;
    format_fields([seconds / 3600, minutes, seconds % 60], TIME_WIDTHS, b':')
}

/// Parses decimal fields of fixed width between separators.
fn parse_fields<const N: usize>(
    value: &[u8],
    widths: [usize; N],
    separator: u8,
) -> Option<[i64; N]> {
    let mut rest = value;
    let mut out = [0; N];
    for (i, (&width, out)) in widths.iter().zip(&mut out).enumerate() {
        if i > 0 {
            rest = rest.strip_prefix(&[separator])?;
        }
        let (digits, after) = rest.split_at_checked(width)?;
        *out = digits.iter().try_fold(0, |n, c| {
            c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0'))
        })?;
        rest = after;
    }
    rest.is_empty().then_some(out)
}

/// Writes decimal fields with leading zeros between separators.
fn format_fields<const N: usize>(values: [i64; N], widths: [usize; N], separator: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(12);
    for (i, (mut value, width)) in values.into_iter().zip(widths).enumerate() {
        if i > 0 {
            out.push(separator);
        }
        let start = out.len();
        out.resize(start + width, b'0');
        for c in out[start..].iter_mut().rev() {
            *c += (value % 10) as u8;
            value /= 10;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_written_date_has_one_number() {
        for text in ["0000.00.00", "2013.02.31", "9999.15.31"] {
            let day = parse_date(text.as_bytes()).unwrap();
            assert!(day < END_OF_DAYS);
            assert_eq!(format_date(day), text.as_bytes());
        }
        for text in [
            "",
            "2013.1.31",
            "2013-01-31",
            "1984.??.??",
            "2013.01.32",
            "2013.16.01",
            "2013.01.311",
        ] {
            assert_eq!(parse_date(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn times_are_those_of_one_day() {
        assert_eq!(parse_time(b"23:59:59"), Some(86399));
        assert_eq!(format_time(86399), b"23:59:59");
        assert_eq!(parse_time(b"24:00:00"), None);
    }
}
