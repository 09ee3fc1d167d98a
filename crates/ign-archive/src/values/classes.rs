//! Classes of games: result, speed, ECO code.

use std::{fmt, str::FromStr};

use ign_format::error::{Error, Result};

/// The result of a game, as its Result tag states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, or not known.
    Unknown,
}

impl GameResult {
    /// Reads the value of a Result tag; `None` if it is none of the four.
    pub fn read(value: &[u8]) -> Option<Self> {
        Some(match value {
            b"1-0" => Self::WhiteWins,
            b"0-1" => Self::BlackWins,
            b"1/2-1/2" => Self::Draw,
            b"*" => Self::Unknown,
            _ => return None,
        })
    }

    /// The value of the Result tag.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl FromStr for GameResult {
    type Err = Error;

    /// Reads a value of the Result tag, or `white`, `black`, `draw`, `unknown`.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let named = match text {
            "white" => Some(Self::WhiteWins),
            "black" => Some(Self::BlackWins),
            "draw" | "1/2" => Some(Self::Draw),
            "unknown" => Some(Self::Unknown),
            _ => Self::read(text.as_bytes()),
        };
        named.ok_or_else(|| {
            Error::usage(format!("'{text}' is not a result"))
                .with_remedy("write 1-0, 0-1, 1/2-1/2, *, white, black, draw or unknown")
        })
    }
}

/// The speed of a game, by the classes of Lichess: its estimated duration for each player is the
/// base time plus 40 increments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// Below 30 seconds.
    UltraBullet,
    /// Below 3 minutes.
    Bullet,
    /// Below 8 minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// Below 6 hours.
    Classical,
    /// Longer, by days, or without a clock.
    Correspondence,
}

impl Speed {
    /// All speeds, the fastest first.
    pub const ALL: &'static [Self] = &[
        Self::UltraBullet,
        Self::Bullet,
        Self::Blitz,
        Self::Rapid,
        Self::Classical,
        Self::Correspondence,
    ];

    /// The speed that a TimeControl tag states: `300+3`, `600`, `40/7200:3600`, `1/86400`, `-`.
    /// Of several periods the first counts. `None` for `?` and for other text.
    pub fn of_time_control(value: &[u8]) -> Option<Self> {
        if value == b"-" {
            return Some(Self::Correspondence);
        }
        let text = std::str::from_utf8(value).ok()?;
        let period = text.split(':').next()?;
        let (moves, time) = match period.split_once('/') {
            Some((moves, time)) => (Some(moves.parse::<u64>().ok()?), time),
            None => (None, period),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = |text: &str| text.parse::<f64>().ok().filter(|s| (0.0..1e9).contains(s));
        let (base, increment) = (seconds(base)?, seconds(increment)?);
        // A day for each move.
        if moves == Some(1) && base >= 86_400.0 {
            return Some(Self::Correspondence);
        }
        Some(match base + 40.0 * increment {
            time if time < 30.0 => Self::UltraBullet,
            time if time < 180.0 => Self::Bullet,
            time if time < 480.0 => Self::Blitz,
            time if time < 1_500.0 => Self::Rapid,
            time if time < 21_600.0 => Self::Classical,
            _ => Self::Correspondence,
        })
    }

    /// The name of the speed, as Lichess writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultraBullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
}

impl FromStr for Speed {
    type Err = Error;

    /// Reads a [name](Self::name), in any case.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let named = Self::ALL
            .iter()
            .copied()
            .find(|speed| speed.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|speed| speed.name()).collect();
            let names = names.join(", ");
            Error::usage(format!("'{text}' is not a speed"))
                .with_remedy(format!("write one of {names}"))
        })
    }
}

/// An opening code of the *Encyclopaedia of Chess Openings*, from A00 to E99.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eco(u16);

impl Eco {
    /// The number of codes.
    pub const COUNT: u16 = 500;
    /// The first code.
    pub const A00: Self = Self(0);

    /// Reads the code that an ECO tag begins with; programs add variations to it (`B90/01`,
    /// `C50h`).
    pub fn read(value: &[u8]) -> Option<Self> {
        let &[letter @ b'A'..=b'E', tens, ones, ..] = value else {
            return None;
        };
        let is_code = tens.is_ascii_digit()
            && ones.is_ascii_digit()
            && !value.get(3).is_some_and(u8::is_ascii_digit);
        is_code.then(|| {
            Self(
                u16::from(letter - b'A') * 100
                    + u16::from(tens - b'0') * 10
                    + u16::from(ones - b'0'),
            )
        })
    }

    /// The code with this number: A00 is 0, E99 is 499. `None` for greater numbers.
    pub fn from_number(number: u16) -> Option<Self> {
        (number < Self::COUNT).then_some(Self(number))
    }

    /// The number of the code.
    pub fn number(self) -> u16 {
        self.0
    }
}

impl super::RangeEnd for Eco {
    fn problem(text: &str, _: &Error) -> String {
        format!("'{text}' is not an ECO code from A00 to E99")
    }
}

impl FromStr for Eco {
    type Err = Error;

    /// Reads a code in either case.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let code = Self::read(text.to_ascii_uppercase().as_bytes()).filter(|_| text.len() == 3);
        code.ok_or_else(|| {
            Error::usage("is not an ECO code").with_remedy("write a code from A00 to E99")
        })
    }
}

impl fmt::Display for Eco {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = (b'A' + (self.0 / 100) as u8) as char;
        write!(f, "{letter}{:02}", self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_follow_from_time_controls() {
        use Speed::*;
        for (control, speed) in [
            ("15+0", Some(UltraBullet)),
            ("0+1", Some(Bullet)),
            ("30+0", Some(Bullet)),
            ("60", Some(Bullet)),
            ("180+0", Some(Blitz)),
            ("300+4", Some(Blitz)),
            ("300+5", Some(Rapid)),
            ("1500", Some(Classical)),
            ("40/7200:3600", Some(Classical)),
            ("21600+0", Some(Correspondence)),
            ("1/259200", Some(Correspondence)),
            ("-", Some(Correspondence)),
            ("180.5+2", Some(Blitz)),
            ("?", None),
            ("", None),
            ("G/60", None),
            ("nan", None),
            ("-5", None),
        ] {
            assert_eq!(
                Speed::of_time_control(control.as_bytes()),
                speed,
                "{control}"
            );
        }
        assert_eq!("ULTRABULLET".parse::<Speed>().ok(), Some(UltraBullet));
    }

    #[test]
    fn eco_codes_are_read_with_what_programs_add() {
        let read = |text: &str| Eco::read(text.as_bytes()).map(|eco| eco.to_string());
        for (text, code) in [
            ("A00", "A00"),
            ("E99", "E99"),
            ("B90/01", "B90"),
            ("C50h", "C50"),
        ] {
            assert_eq!(read(text).as_deref(), Some(code));
        }
        for wrong in ["", "A0", "F00", "b20", "A000", "?"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        for number in 0..Eco::COUNT {
            let eco = Eco::from_number(number).unwrap();
            assert_eq!(eco.to_string().parse::<Eco>().unwrap(), eco);
        }
        assert_eq!(Eco::from_number(Eco::COUNT), None);
    }
}
