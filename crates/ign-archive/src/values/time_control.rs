//! Time controls: the forms of PGN, and what people write instead.
//!
//! A value in a form of PGN means what PGN says: `300+3` is 300 seconds and 3 for each move, and
//! `5+3` is 5 seconds and 3. In any other text a time needs a unit, or a notation that has one:
//! `15 min + 10 s`, `90'/40 + 30"`, `1h30`, `G/60`, `15|10`.

use crate::text::decode_text;

/// A time control, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeControl {
    /// The number of moves of the first period, if it is stated.
    moves: Option<u64>,
    /// The time for the first period.
    base: f64,
    /// The time added for each move of the first period.
    increment: f64,
    /// The time for all later periods.
    later: f64,
}

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3_600.0;
const DAY: f64 = 86_400.0;
/// Moves of a game for which increments are counted, as Lichess does.
const MOVES: f64 = 40.0;

impl TimeControl {
    /// Reads the value of a TimeControl tag. `None` if it states no time, or not clearly.
    pub fn read(value: &[u8]) -> Option<Self> {
        let text = decode_text(value);
        Self::read_pgn(&text).or_else(|| Self::read_free(&text))
    }

    /// The estimated time of a player for a game: that of the first period with 40 increments.
    pub fn estimate(self) -> f64 {
        self.base + MOVES * self.increment
    }

    /// The time that a clock can show: the estimate with that of all later periods.
    pub fn longest(self) -> f64 {
        self.estimate() + self.later
    }

    /// Whether each move has a day or more.
    pub fn is_per_day(self) -> bool {
        self.moves == Some(1) && self.base >= DAY || self.increment >= DAY
    }

    /// A form of PGN: `300`, `300+3`, `40/7200`, perhaps with more periods after a colon.
    ///
    /// `1:30:00` and `15:00` are times of a clock, and not two periods of 1 and 30 seconds.
    fn read_pgn(text: &str) -> Option<Self> {
        if let [b'0'..=b'9', b':', rest @ ..] | [b'0'..=b'9', b'0'..=b'9', b':', rest @ ..] =
            text.as_bytes()
            && let [b'0'..=b'5', b'0'..=b'9', after @ ..] = rest
            && !after.first().is_some_and(u8::is_ascii_digit)
        {
            return None;
        }
        let mut periods = text.split(':').map(|period| {
            let (moves, time) = match period.split_once('/') {
                Some((moves, time)) => (Some(moves.parse().ok()?), time),
                None => (None, period),
            };
            let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
            Some((moves, seconds(base)?, seconds(increment)?))
        });
        let (moves, base, increment) = periods.next()??;
        Some(Self {
            moves,
            base,
            increment,
            later: periods.flatten().map(|(_, base, _)| base).sum(),
        })
    }

    /// Free text. The first time is the base time; a later one is the increment if it is added and
    /// below a minute, or else a later period.
    fn read_free(text: &str) -> Option<Self> {
        let (mut base, mut increment): (Option<f64>, Option<f64>) = (None, None);
        let mut later = 0.0;
        let tokens: Vec<Token> = Tokens { rest: text }.collect();
        let mut rest = &tokens[..];
        let mut before = Before::default();
        while let [token, after @ ..] = rest {
            rest = after;
            let &Token::Number(number) = token else {
                before.see(token);
                continue;
            };
            let before = std::mem::take(&mut before);
            match take_unit(&mut rest) {
                Some(Unit::Moves) => {}
                Some(Unit::Time(unit)) => {
                    let time = number * unit;
                    if take_per_move(&mut rest) {
                        increment = increment.or(Some(time));
                        base = base.or(Some(0.0));
                    } else if base.is_none() {
                        base = Some(time + take_smaller(unit, &mut rest));
                    } else if before.adds && unit < MINUTE {
                        increment = increment.or(Some(time));
                    } else {
                        later += time;
                    }
                }
                // The number of moves of a period.
                None if rest.first() == Some(&Token::Sign('/')) => {}
                None if base.is_some() && before.divides => {}
                // `G/60` and `15|10` are minutes; what is added to a time is seconds.
                None if base.is_none()
                    && (before.is_game || rest.first() == Some(&Token::Sign('|'))) =>
                {
                    base = Some(number * MINUTE);
                }
                None if base.is_some() && before.adds => increment = increment.or(Some(number)),
                None => return None,
            }
        }
        let (base, increment) = (base?, increment.unwrap_or(0.0));
        (base + increment > 0.0).then_some(Self {
            moves: None,
            base,
            increment,
            later,
        })
    }
}

/// A number of seconds.
fn seconds(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    (0.0..1e9).contains(&number).then_some(number)
}

/// A part of free text.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    /// A word in lower case.
    Word(String),
    Sign(char),
}

/// What is between two numbers.
#[derive(Debug, Default)]
struct Before {
    /// The number is added to another: `+`, `|`, or a word for an increment or a delay.
    adds: bool,
    /// A `/`.
    divides: bool,
    /// A word for the whole game.
    is_game: bool,
}

impl Before {
    fn see(&mut self, token: &Token) {
        match token {
            Token::Sign('+' | '|') => self.adds = true,
            Token::Sign('/') => self.divides = true,
            Token::Word(word) => match &**word {
                "d" | "delay" | "inc" | "increment" | "plus" => self.adds = true,
                "g" | "game" => self.is_game = true,
                _ => {}
            },
            _ => {}
        }
    }
}

/// What a word after a number makes of it.
enum Unit {
    /// Seconds of a unit of time.
    Time(f64),
    /// The number is one of moves.
    Moves,
}

fn unit_of(token: &Token) -> Option<Unit> {
    Some(match token {
        Token::Sign('"') => Unit::Time(1.0),
        Token::Sign('\'') => Unit::Time(MINUTE),
        Token::Word(word) => match &**word {
            "s" | "sec" | "secs" | "second" | "seconds" => Unit::Time(1.0),
            "m" | "min" | "mins" | "minute" | "minutes" => Unit::Time(MINUTE),
            "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Time(HOUR),
            "d" | "day" | "days" => Unit::Time(DAY),
            "move" | "moves" | "mv" | "mvs" => Unit::Moves,
            _ => return None,
        },
        _ => return None,
    })
}

/// Takes a unit at the start of the tokens.
fn take_unit(tokens: &mut &[Token]) -> Option<Unit> {
    let (first, after) = tokens.split_first()?;
    // `d5` is a delay of 5 seconds.
    let is_delay = matches!(first, Token::Word(word) if word == "d")
        && matches!(after.first(), Some(Token::Number(_)));
    let unit = unit_of(first).filter(|_| !is_delay)?;
    *tokens = after;
    Some(unit)
}

/// Takes `/move`, `per move` or `a move` after a time.
fn take_per_move(tokens: &mut &[Token]) -> bool {
    let [divided, unit, after @ ..] = tokens else {
        return false;
    };
    let is_divided = match divided {
        Token::Sign('/') => true,
        Token::Word(word) => matches!(&**word, "per" | "a" | "each" | "every"),
        _ => false,
    };
    let is_per_move = is_divided && matches!(unit_of(unit), Some(Unit::Moves));
    if is_per_move {
        *tokens = after;
    }
    is_per_move
}

/// Takes the minutes of `1h30` and `1 h 30 min`, or the seconds of `3m30s`, in seconds.
fn take_smaller(unit: f64, tokens: &mut &[Token]) -> f64 {
    let smaller = if unit == HOUR { MINUTE } else { 1.0 };
    let Some((&Token::Number(number), mut rest)) = tokens.split_first() else {
        return 0.0;
    };
    let is_smaller = match take_unit(&mut rest) {
        Some(Unit::Time(stated)) => unit > smaller && stated == smaller,
        Some(Unit::Moves) => false,
        None => unit == HOUR,
    };
    if !is_smaller {
        return 0.0;
    }
    *tokens = rest;
    number * smaller
}

/// The numbers, words and signs of a text, without white space. Typographic signs are those of
/// ASCII.
struct Tokens<'t> {
    rest: &'t str,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let is_word = |c: char| c.is_alphabetic();
        let is_digit = |c: char| c.is_ascii_digit();
        let is_part: &dyn Fn(char) -> bool = match first {
            c if is_digit(c) => &|c| is_digit(c) || c == '.',
            c if is_word(c) => &is_word,
            _ => {
                self.rest = &self.rest[first.len_utf8()..];
                return Some(Token::Sign(match first {
                    '\'' | '\u{2019}' | '\u{2032}' | '\u{b4}' => {
                        // Two single marks are a double one.
                        match self.rest.strip_prefix(first) {
                            Some(rest) => {
                                self.rest = rest;
                                '"'
                            }
                            None => '\'',
                        }
                    }
                    '\u{201c}' | '\u{201d}' | '\u{2033}' => '"',
                    other => other,
                }));
            }
        };
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(match seconds(token.trim_end_matches('.')) {
            Some(number) if is_digit(first) => Token::Number(number),
            _ => Token::Word(token.to_lowercase()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_text_states_a_base_time_and_an_increment() {
        for (text, expected) in [
            ("90min/40 moves + 30s", Some((5_400.0, 30.0))),
            ("15 min + 10 s", Some((900.0, 10.0))),
            ("15 min + 10", Some((900.0, 10.0))),
            ("15 minutes plus 10 seconds per move", Some((900.0, 10.0))),
            ("Blitz 3'+2\"", Some((180.0, 2.0))),
            ("3′+2″", Some((180.0, 2.0))),
            ("3'+2''", Some((180.0, 2.0))),
            ("90'/40+30'+30''", Some((5_400.0, 30.0))),
            ("40 moves in 2 hours", Some((7_200.0, 0.0))),
            ("40/2h, 20/1h", Some((7_200.0, 0.0))),
            ("1h30 + 30s", Some((5_400.0, 30.0))),
            ("1 h 30 min", Some((5_400.0, 0.0))),
            ("3m30s", Some((210.0, 0.0))),
            ("5m + 3s/move", Some((300.0, 3.0))),
            ("G/60", Some((3_600.0, 0.0))),
            ("G/90;+30", Some((5_400.0, 30.0))),
            ("G/25 d5", Some((1_500.0, 5.0))),
            ("Game in 30", Some((1_800.0, 0.0))),
            ("15|10", Some((900.0, 10.0))),
            ("30 s/move", Some((0.0, 30.0))),
            ("3 days per move", Some((0.0, 259_200.0))),
            ("10 min.", Some((600.0, 0.0))),
            ("2.5 min", Some((150.0, 0.0))),
            ("", None),
            ("?", None),
            ("*180", None),
            ("Blitz", None),
            ("5 + 3", None),
            ("1:30:00", None),
            ("1:30:00 + 30", None),
            ("15:00", None),
            ("40/90, SD/30", None),
            ("2h 40 moves", Some((7_200.0, 0.0))),
            ("90 min, then 30 min; increment 30 s", Some((5_400.0, 30.0))),
            ("0 min", None),
            ("30 or 60 min", None),
            ("é", None),
        ] {
            let read =
                TimeControl::read(text.as_bytes()).map(|control| (control.base, control.increment));
            assert_eq!(read, expected, "{text}");
        }
    }
}
