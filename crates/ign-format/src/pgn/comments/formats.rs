//! Comments as templates with fields: `[%eval 0.31] [%clk 0:05:02]` is the
//! template `[%eval #] [%clk #]` and the fields 0.31 and 0:05:02.
//!
//! A field is spelled by its *mode* and its value: a mode is the form of a
//! number, such as "two decimals, a plus before positive ones". Whatever no mode
//! spells exactly as it stands there stays part of the template, so every
//! comment has a template and comes back from it.

use std::ops::Range;

/// In a template: a time, `h:mm:ss` (spec §4.5.2).
pub const CLOCK: u8 = 0x01;
/// In a template: a number.
pub const NUMBER: u8 = 0x02;
/// In a template: a move.
pub const WORD: u8 = 0x03;

/// Modes of a time: three forms of the hours times five of the fraction.
pub const CLOCK_MODES: u8 = 15;
/// Modes of a number: three forms of the sign times five of the fraction.
pub const NUMBER_MODES: u8 = 15;
/// The most digits of a number before its point.
const MAX_DIGITS: usize = 9;
/// Values of fields stay below this, and above its opposite.
pub const MAX_VALUE: i64 = 1_000_000_000_000_000;

/// Forms of a fraction: digits behind the point, and whether zeros at their end
/// are left out. Those that leave zeros out keep `least` digits.
#[derive(Clone, Copy)]
struct Fraction {
    digits: usize,
    least: usize,
}

/// Of a time: none, tenths unless zero, tenths, hundredths, thousandths. The first
/// form that fits is tried first, so those that more times fit come first.
const CLOCK_FRACTIONS: [Fraction; 5] = [
    Fraction {
        digits: 0,
        least: 0,
    },
    Fraction {
        digits: 1,
        least: 0,
    },
    Fraction {
        digits: 1,
        least: 1,
    },
    Fraction {
        digits: 2,
        least: 2,
    },
    Fraction {
        digits: 3,
        least: 3,
    },
];
/// Of a number: none, tenths, hundredths without a zero at the end, hundredths,
/// thousandths.
const NUMBER_FRACTIONS: [Fraction; 5] = [
    Fraction {
        digits: 0,
        least: 0,
    },
    Fraction {
        digits: 1,
        least: 1,
    },
    Fraction {
        digits: 2,
        least: 1,
    },
    Fraction {
        digits: 2,
        least: 2,
    },
    Fraction {
        digits: 3,
        least: 3,
    },
];

/// A field: where it stands in the comment, and how it is spelled.
#[derive(Debug, Clone)]
pub struct Field {
    /// [`CLOCK`], [`NUMBER`] or [`WORD`].
    pub mark: u8,
    /// Where it stands.
    pub place: Range<usize>,
    /// Of a time or number the first mode that spells it.
    pub mode: u8,
    /// Its value in the unit of that.
    pub value: i64,
}

/// A comment taken apart. One can be used for many, so that nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// The comment with marks in place of its fields.
    pub template: Vec<u8>,
    /// The fields, in order.
    pub fields: Vec<Field>,
    /// Fields spelled again.
    room: Vec<u8>,
}

impl Scan {
    /// Takes a comment apart.
    pub fn read(&mut self, comment: &[u8]) {
        self.template.clear();
        self.fields.clear();
        let mut at = 0;
        let mut before = b' ';
        while let Some(&byte) = comment.get(at) {
            let rest = &comment[at..];
            let field = match byte {
                b'0'..=b'9' | b'-' | b'+' if !before.is_ascii_alphanumeric() => self.figure(rest),
                b'a'..=b'z' | b'A'..=b'Z' if !before.is_ascii_alphanumeric() => {
                    let len = rest
                        .iter()
                        .position(|&c| !belongs_to_word(c))
                        .unwrap_or(rest.len());
                    if is_move(&rest[..len]) {
                        Some(Field {
                            mark: WORD,
                            place: 0..len,
                            mode: 0,
                            value: 0,
                        })
                    } else {
                        // A mate's distance, as in M12, is a number behind a letter.
                        let letters = rest.iter().take_while(|c| c.is_ascii_alphabetic()).count();
                        let kept = if byte == b'M' && letters == 1 {
                            1
                        } else {
                            letters
                        };
                        self.template.extend_from_slice(&rest[..kept]);
                        at += kept;
                        before = if kept == 1 && byte == b'M' {
                            b' '
                        } else {
                            b'a'
                        };
                        continue;
                    }
                }
                _ => None,
            };
            let start = at;
            if let Some(mut field) = field {
                self.template.push(field.mark);
                at += field.place.end;
                field.place = start..at;
                self.fields.push(field);
            } else {
                self.template.push(byte);
                at += 1;
            }
            before = comment[at - 1];
        }
    }

    /// The time or number at the start.
    fn figure(&mut self, text: &[u8]) -> Option<Field> {
        let (mark, len) = figure(text)?;
        let spelled = |mode| Some((mode, value(mark, mode, &text[..len], &mut self.room)?));
        let (mode, value) = (0..modes(mark)).find_map(spelled)?;
        Some(Field {
            mark,
            place: 0..len,
            mode,
            value,
        })
    }
}

fn belongs_to_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'-' | b'=' | b'+' | b'#')
}

/// Whether a word is a move's name, in form.
fn is_move(word: &[u8]) -> bool {
    let word = word.strip_suffix(b"+").unwrap_or(word);
    let word = word.strip_suffix(b"#").unwrap_or(word);
    if word == b"O-O" || word == b"O-O-O" {
        return true;
    }
    let word = match word {
        [rest @ .., b'=', b'N' | b'B' | b'R' | b'Q'] => rest,
        _ => word,
    };
    let from = match word {
        [from @ .., b'a'..=b'h', b'1'..=b'8'] => from,
        _ => return false,
    };
    let from = from.strip_suffix(b"x").unwrap_or(from);
    let from = match from {
        [b'K' | b'Q' | b'R' | b'B' | b'N', from @ ..] => from,
        _ => from,
    };
    matches!(
        from,
        [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8']
    )
}

/// The form of a time or number at the start: its mark and length.
fn figure(text: &[u8]) -> Option<(u8, usize)> {
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

/// How many modes fields of this mark have.
pub fn modes(mark: u8) -> u8 {
    if mark == CLOCK {
        CLOCK_MODES
    } else {
        NUMBER_MODES
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|c| c.is_ascii_digit()).count()
}

/// Thousandths in the unit of a field's value, whatever it is of.
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

/// The value of a time or number, in its mode's unit, if the mode spells it so; `room` is where it is
/// spelled again.
pub fn value(mark: u8, mode: u8, text: &[u8], room: &mut Vec<u8>) -> Option<i64> {
    let fraction = fraction(mark, mode);
    let mut value = 0i64;
    let mut behind = None;
    let mut group = 0i64;
    for &c in text {
        match c {
            b'0'..=b'9' => {
                group = group * 10 + i64::from(c - b'0');
                behind = behind.map(|n: usize| n + 1);
            }
            b':' => {
                value = (value + group) * 60;
                group = 0;
            }
            b'.' => {
                value += group;
                group = 0;
                behind = Some(0);
            }
            _ => {}
        }
    }
    let behind_point = behind.unwrap_or(0);
    if behind_point > fraction.digits {
        return None;
    }
    if behind.is_none() {
        value += group;
        group = 0;
    }
    for i in 0..fraction.digits {
        value *= 10;
        if i >= behind_point {
            group *= 10;
        }
    }
    value += group;
    if text[0] == b'-' {
        value = -value;
    }
    room.clear();
    spell(mark, mode, value, room);
    (room == text).then_some(value)
}

/// Appends a time or number.
pub fn spell(mark: u8, mode: u8, value: i64, out: &mut Vec<u8>) {
    let fraction = fraction(mark, mode);
    let scale = 1000 / unit(mark, mode);
    let size = value.unsigned_abs() as i64;
    let (whole, part) = (size / scale, size % scale);
    if mark == CLOCK {
        let two = |n: i64| [b':', b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        let (minutes, seconds) = (whole / 60, whole % 60);
        match mode / 5 {
            2 => number(minutes, out),
            form => {
                let hours = minutes / 60;
                if form == 1 && hours < 10 {
                    out.push(b'0');
                }
                number(hours, out);
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
        number(whole, out);
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
    if fraction.least < fraction.digits {
        while out.len() > start + 1 + fraction.least && out.last() == Some(&b'0') {
            out.pop();
        }
        if out.len() == start + 1 {
            out.pop();
        }
    }
}

/// Appends a number in decimal.
fn number(value: i64, out: &mut Vec<u8>) {
    let mut room = [0; 20];
    let mut start = room.len();
    let mut left = value;
    while left > 0 || start == room.len() {
        start -= 1;
        room[start] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    out.extend_from_slice(&room[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scanned(comment: &str) -> (String, Vec<String>) {
        let mut scan = Scan::default();
        scan.read(comment.as_bytes());
        let shown = scan.template.iter().map(|&c| match c {
            CLOCK => 'C',
            NUMBER => 'N',
            WORD => 'W',
            c => c as char,
        });
        let fields = scan.fields.iter().map(|f| comment[f.place.clone()].into());
        (shown.collect(), fields.collect())
    }

    #[test]
    fn the_usual_comments_are_templates_with_fields() {
        for (comment, template, fields) in [
            (
                " [%eval -0.3] [%clk 1:02:03] ",
                " [%eval N] [%clk C] ",
                &["-0.3", "1:02:03"][..],
            ),
            ("[%clk 0:02:06.2]", "[%clk C]", &["0:02:06.2"]),
            ("[%eval #-12]", "[%eval #N]", &["-12"]),
            ("+M3/40 0.41s", "+MN/N Ns", &["3", "40", "0.41"]),
            ("+0.35/12 1.2s", "N/N Ns", &["+0.35", "12", "1.2"]),
            (
                "(Kg6) [%eval 712,20] [%emt 00:01:13]",
                "(W) [%eval N,N] [%emt C]",
                &["Kg6", "712", "20", "00:01:13"],
            ),
            (
                "(1.5 to 2.24) Mistake. Nbxd7+ was best.",
                "(N to N) Mistake. W was best.",
                &["1.5", "2.24", "Nbxd7+"],
            ),
            (
                "O-O-O wins, e8=Q# too",
                "W wins, W too",
                &["O-O-O", "e8=Q#"],
            ),
            ("[%csl Ra1,Gb2]", "[%csl W,Gb2]", &["Ra1"]),
            (
                "007 -0.00 1:99 v1.5",
                "007 -N N:N v1.N",
                &["0.00", "1", "99", "5"],
            ),
        ] {
            let (found, values) = scanned(comment);
            assert_eq!(
                (&found[..], values),
                (template, fields.iter().map(|f| (*f).to_string()).collect())
            );
        }
    }

    #[test]
    fn each_mode_spells_its_own_way() {
        for (mark, mode, value, spelled) in [
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
            spell(mark, mode, value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), spelled);
            assert_eq!(
                super::value(mark, mode, spelled.as_bytes(), &mut Vec::new()),
                Some(value),
                "{spelled}"
            );
        }
        assert_eq!(value(NUMBER, 3, b"-0.00", &mut Vec::new()), None);
        assert_eq!(value(NUMBER, 0, b"07", &mut Vec::new()), None);
    }

    proptest! {
        #[test]
        fn template_and_fields_give_the_comment_back(
            comment in "([a-hNKM0-9]{0,3}[-+:./ #xO=]{0,2}){0,12}"
        ) {
            let mut scan = Scan::default();
            scan.read(comment.as_bytes());
            let mut fields = scan.fields.iter();
            let mut out = Vec::new();
            for &c in &scan.template {
                if !(CLOCK..=WORD).contains(&c) {
                    out.push(c);
                    continue;
                }
                let field = fields.next().unwrap();
                prop_assert_eq!(field.mark, c);
                if c == WORD {
                    out.extend_from_slice(&comment.as_bytes()[field.place.clone()]);
                } else {
                    spell(c, field.mode, field.value, &mut out);
                }
            }
            prop_assert!(fields.next().is_none());
            prop_assert_eq!(out, comment.as_bytes());
        }
    }
}
