//! Formats of numbers and times: conversion between text and value (spec §4.5.2).
//!
//! The text of a field is determined by its *mode* and its value. A mode is a format, such as "two
//! decimals, a plus sign before positive numbers". Text that no mode writes exactly is not a field.

/// Mark of a time, `h:mm:ss`, in a template.
pub const CLOCK: u8 = 0x01;
/// Mark of a number in a template.
pub const NUMBER: u8 = 0x02;

/// Number of modes of a time: three formats of the hours times five of the fraction.
pub const CLOCK_MODES: u8 = 15;
/// Number of modes of a number: three formats of the sign times five of the fraction.
pub const NUMBER_MODES: u8 = 15;
/// Maximum number of digits before the decimal point.
const MAX_DIGITS: usize = 9;
/// Absolute values of fields are below this.
pub const MAX_VALUE: i64 = 1_000_000_000_000_000;

/// Format of a fraction. Trailing zeros are dropped down to `min_digits`.
#[derive(Clone, Copy)]
struct Fraction {
    digits: usize,
    min_digits: usize,
}

/// Fractions of a time: none, tenths unless zero, tenths, hundredths, thousandths. Modes are tried
/// in this order.
const CLOCK_FRACTIONS: [Fraction; 5] = [
    Fraction {
        digits: 0,
        min_digits: 0,
    },
    Fraction {
        digits: 1,
        min_digits: 0,
    },
    Fraction {
        digits: 1,
        min_digits: 1,
    },
    Fraction {
        digits: 2,
        min_digits: 2,
    },
    Fraction {
        digits: 3,
        min_digits: 3,
    },
];
/// Fractions of a number: none, tenths, hundredths without a trailing zero, hundredths,
/// thousandths.
const NUMBER_FRACTIONS: [Fraction; 5] = [
    Fraction {
        digits: 0,
        min_digits: 0,
    },
    Fraction {
        digits: 1,
        min_digits: 1,
    },
    Fraction {
        digits: 2,
        min_digits: 1,
    },
    Fraction {
        digits: 2,
        min_digits: 2,
    },
    Fraction {
        digits: 3,
        min_digits: 3,
    },
];

/// Mark and length of the time or number at the start of a text.
pub(super) fn prefix(text: &[u8]) -> Option<(u8, usize)> {
    let sign = usize::from(matches!(text[0], b'-' | b'+'));
    let digits = digits(&text[sign..]);
    if digits == 0 || digits > MAX_DIGITS {
        return None;
    }
    let mut end = sign + digits;
    let colon = |at: usize| {
        text.get(at) == Some(&b':') && self::digits(&text[at + 1..]) == 2 && text[at + 1] < b'6'
    };
    let clock = sign == 0 && colon(end);
    if clock {
        end += 3;
        if colon(end) {
            end += 3;
        }
    }
    if text.get(end) == Some(&b'.') {
        let fraction = self::digits(&text[end + 1..]);
        if (1..=3).contains(&fraction) {
            end += 1 + fraction;
        }
    }
    Some((if clock { CLOCK } else { NUMBER }, end))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|c| c.is_ascii_digit()).count()
}

/// Number of modes of a field with this mark.
pub fn modes(mark: u8) -> u8 {
    if mark == CLOCK {
        CLOCK_MODES
    } else {
        NUMBER_MODES
    }
}

/// Number of thousandths in the unit of a field's value.
pub fn unit(mark: u8, mode: u8) -> i64 {
    [1000, 100, 10, 1][fraction(mark, mode).digits]
}

fn fraction(mark: u8, mode: u8) -> Fraction {
    let fractions = if mark == CLOCK {
        CLOCK_FRACTIONS
    } else {
        NUMBER_FRACTIONS
    };
    fractions[usize::from(mode % 5)]
}

/// Parses a time or number: its value in the mode's unit, or `None` if the mode writes the value
/// differently. `buffer` is overwritten.
pub fn value(mark: u8, mode: u8, text: &[u8], buffer: &mut Vec<u8>) -> Option<i64> {
    let fraction = fraction(mark, mode);
    let mut value = 0i64;
    // Number of digits after the decimal point, once it is reached.
    let mut decimals = None;
    let mut group = 0i64;
    for &c in text {
        match c {
            b'0'..=b'9' => {
                group = group * 10 + i64::from(c - b'0');
                decimals = decimals.map(|n: usize| n + 1);
            }
            b':' => {
                value = (value + group) * 60;
                group = 0;
            }
            b'.' => {
                value += group;
                group = 0;
                decimals = Some(0);
            }
            _ => {}
        }
    }
    let known = decimals.unwrap_or(0);
    if known > fraction.digits {
        return None;
    }
    if decimals.is_none() {
        value += group;
        group = 0;
    }
    for i in 0..fraction.digits {
        value *= 10;
        if i >= known {
            group *= 10;
        }
    }
    value += group;
    if text[0] == b'-' {
        value = -value;
    }
    buffer.clear();
    write(mark, mode, value, buffer);
    (buffer == text).then_some(value)
}

/// Appends a time or number as text.
pub fn write(mark: u8, mode: u8, value: i64, out: &mut Vec<u8>) {
    let fraction = fraction(mark, mode);
    let scale = 1000 / unit(mark, mode);
    let size = value.unsigned_abs() as i64;
    let (whole, part) = (size / scale, size % scale);
    if mark == CLOCK {
        let two = |n: i64| [b':', b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        let (minutes, seconds) = (whole / 60, whole % 60);
        match mode / 5 {
            2 => decimal(minutes, out),
            form => {
                let hours = minutes / 60;
                if form == 1 && hours < 10 {
                    out.push(b'0');
                }
                decimal(hours, out);
                out.extend_from_slice(&two(minutes % 60));
            }
        }
        out.extend_from_slice(&two(seconds));
    } else {
        let plus = match mode / 5 {
            0 => false,
            1 => value > 0,
            _ => value >= 0,
        };
        if value < 0 {
            out.push(b'-');
        } else if plus {
            out.push(b'+');
        }
        decimal(whole, out);
    }
    let start = out.len();
    let mut left = part;
    let mut digit = scale / 10;
    if fraction.digits > 0 {
        out.push(b'.');
    }
    while digit > 0 {
        out.push(b'0' + (left / digit) as u8);
        left %= digit;
        digit /= 10;
    }
    if fraction.min_digits < fraction.digits {
        while out.len() > start + 1 + fraction.min_digits && out.last() == Some(&b'0') {
            out.pop();
        }
        if out.len() == start + 1 {
            out.pop();
        }
    }
}

/// Appends a non-negative integer in decimal.
fn decimal(value: i64, out: &mut Vec<u8>) {
    let mut buffer = [0; 20];
    let mut start = buffer.len();
    let mut left = value;
    while left > 0 || start == buffer.len() {
        start -= 1;
        buffer[start] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    out.extend_from_slice(&buffer[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_has_its_format() {
        for (mark, mode, value, text) in [
            (CLOCK, 0, 3723, "1:02:03"),
            (CLOCK, 5, 3723, "01:02:03"),
            (CLOCK, 10, 3723, "62:03"),
            (CLOCK, 2, 50, "0:00:05.0"),
            (CLOCK, 1, 50, "0:00:05"),
            (CLOCK, 1, 51, "0:00:05.1"),
            (CLOCK, 4, 5001, "0:00:05.001"),
            (NUMBER, 0, -7, "-7"),
            (NUMBER, 5, 7, "+7"),
            (NUMBER, 5, 0, "0"),
            (NUMBER, 10, 0, "+0"),
            (NUMBER, 2, 30, "0.3"),
            (NUMBER, 2, -100, "-1.0"),
            (NUMBER, 3, 30, "0.30"),
            (NUMBER, 8, 35, "+0.35"),
            (NUMBER, 4, 5, "0.005"),
        ] {
            let mut out = Vec::new();
            write(mark, mode, value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
            assert_eq!(
                super::value(mark, mode, text.as_bytes(), &mut Vec::new()),
                Some(value),
                "{text}"
            );
        }
        assert_eq!(value(NUMBER, 3, b"-0.00", &mut Vec::new()), None);
        assert_eq!(value(NUMBER, 0, b"07", &mut Vec::new()), None);
    }
}
