//! Numbers that are read from the values of tags: changes of ratings, times of day.

/// Reads the change of a rating: an optional sign and one to four digits.
pub(super) fn read_difference(value: &[u8]) -> Option<i16> {
    let value = value.trim_ascii();
    let (sign, digits) = match value {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    let is_number = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let number = || digits.iter().fold(0, |n, &c| 10 * n + i16::from(c - b'0'));
    is_number.then(|| sign * number())
}

/// Reads a time `HH:MM:SS` as seconds since midnight.
pub(super) fn read_time(value: &[u8]) -> Option<u32> {
    let &[h1, h0, b':', m1, m0, b':', s1, s0] = value else {
        return None;
    };
    let number = |tens: u8, ones: u8| {
        let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        are_digits.then(|| 10 * u32::from(tens - b'0') + u32::from(ones - b'0'))
    };
    let (hours, minutes, seconds) = (number(h1, h0)?, number(m1, m0)?, number(s1, s0)?);
    let is_time = hours < 24 && minutes < 60 && seconds < 60;
    is_time.then_some(3600 * hours + 60 * minutes + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_since_midnight() {
        assert_eq!(read_time(b"00:00:00"), Some(0));
        assert_eq!(read_time(b"23:59:59"), Some(86_399));
        for text in [
            "", "24:00:00", "12:60:00", "12:00:60", "1:00:00", "12-00-00", "??:??:??",
        ] {
            assert_eq!(read_time(text.as_bytes()), None, "{text}");
        }
    }
}
