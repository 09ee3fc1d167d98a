//! Formatting of numbers and times into a reused buffer.
//!
//! A dump consists mostly of such fields, and `std::fmt` takes many times as long.

/// Days from 2013-01-01 through 9999-12-31.
const DAYS: u64 = 2_917_191;
/// Days from 0000-03-01, the start of the leap year cycle below, to 2013-01-01.
const EPOCH: u64 = 735_174;
const SECONDS_PER_DAY: u64 = 86_400;

/// Appends a number in decimal.
#[inline]
pub fn decimal(number: u32, out: &mut Vec<u8>) {
    let (mut digits, mut start, mut left) = ([0; 10], 10, number);
    loop {
        start -= 1;
        digits[start] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

/// Appends a number with its sign; zero has a plus sign.
#[inline]
pub fn signed(number: i32, out: &mut Vec<u8>) {
    out.push(if number < 0 { b'-' } else { b'+' });
    decimal(number.unsigned_abs(), out);
}

/// The two digits of a number below 100.
#[inline]
const fn two(number: u32) -> [u8; 2] {
    [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8]
}

/// Appends the date of a moment in seconds since the start of 2013: `2013.01.01`. After the year
/// 9999 the calendar starts again.
pub fn date(moment: u64, out: &mut Vec<u8>) {
    let days = moment / SECONDS_PER_DAY % DAYS + EPOCH;
    // Years that start in March have the leap day last: eras of 400 years, years, months.
    let (era, day) = ((days / 146_097) as u32, (days % 146_097) as u32);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year + month / 10;
    let month = if month < 10 { month + 3 } else { month - 9 };
    decimal(year, out);
    out.push(b'.');
    out.extend_from_slice(&two(month));
    out.push(b'.');
    out.extend_from_slice(&two(day));
}

/// Appends the time of day, `00:00:12`.
pub fn time(moment: u64, out: &mut Vec<u8>) {
    let seconds = (moment % SECONDS_PER_DAY) as u32;
    out.extend_from_slice(&two(seconds / 3600));
    out.push(b':');
    out.extend_from_slice(&two(seconds / 60 % 60));
    out.push(b':');
    out.extend_from_slice(&two(seconds % 60));
}

/// A time of less than ten hours as on a clock: `0:03:00`.
#[inline]
pub const fn clock(seconds: u32) -> [u8; 7] {
    let hours = two(seconds / 3600);
    let (minutes, seconds) = (two(seconds / 60 % 60), two(seconds % 60));
    [
        hours[1], b':', minutes[0], minutes[1], b':', seconds[0], seconds[1],
    ]
}

/// The digits of a number below 1000, and how many there are.
#[inline]
pub const fn small(number: u32) -> ([u8; 3], usize) {
    let [tens, ones] = two(number % 100);
    match number {
        0..10 => ([ones, 0, 0], 1),
        10..100 => ([tens, ones, 0], 2),
        _ => ([b'0' + (number / 100 % 10) as u8, tens, ones], 3),
    }
}

/// The text of one move. Parts are copied as whole arrays, including unused bytes at their ends:
/// copies of constant length are faster.
#[derive(Debug)]
pub struct Word {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Word {
    /// Enough for `150... Qa1xb2+ { [%clk 0:03:00] } ` and unused bytes.
    const CAPACITY: usize = 48;

    /// Appends the first `len` bytes of `part`.
    #[inline]
    pub fn push<const N: usize>(&mut self, part: &[u8; N], len: usize) {
        if let Some(room) = self.bytes.get_mut(self.len..self.len + N) {
            room.copy_from_slice(part);
        }
        self.len += len;
    }

    /// Appends the text to `out`.
    #[inline]
    pub fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }
}

impl Default for Word {
    #[inline]
    fn default() -> Word {
        Word {
            bytes: [0; Self::CAPACITY],
            len: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn dates_follow_the_calendar() {
        for (day, expected) in [
            (0, "2013.01.01"),
            (58, "2013.02.28"),
            (59, "2013.03.01"),
            (364, "2013.12.31"),
            (1154, "2016.02.29"),
            (4382, "2024.12.31"),
            (DAYS - 1, "9999.12.31"),
            (DAYS, "2013.01.01"),
        ] {
            assert_eq!(text(|out| date(day * SECONDS_PER_DAY, out)), expected);
        }
    }

    #[test]
    fn formats_fields_as_in_lichess_dumps() {
        assert_eq!(text(|out| time(86_400 + 3_723, out)), "01:02:03");
        assert_eq!(&clock(3_723), b"1:02:03");
        assert_eq!(text(|out| decimal(u32::MAX, out)), "4294967295");
        for (number, digits) in [(7, &b"7"[..]), (42, b"42"), (305, b"305")] {
            let (text, len) = small(number);
            assert_eq!(&text[..len], digits);
        }
        assert_eq!(text(|out| signed(0, out)), "+0");
        assert_eq!(text(|out| signed(-12, out)), "-12");
    }
}
