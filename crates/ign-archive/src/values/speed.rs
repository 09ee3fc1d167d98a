//! The speed of games.

use std::str::FromStr;

use ign_format::error::{Error, Result};

use super::time_control::TimeControl;

/// The speed of a game, by the classes of Lichess: its estimated duration for each player is the
/// base time plus 40 increments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

    /// The speed that a TimeControl tag states: `300+3`, `600`, `40/7200:3600`, `1/86400`, `-`, or
    /// free text such as `15 min + 10 s`. Of several periods the first counts. `None` for `?` and
    /// for text that states no time.
    pub fn of_time_control(value: &[u8]) -> Option<Self> {
        if value == b"-" {
            return Some(Self::Correspondence);
        }
        TimeControl::read(value).map(Self::of)
    }

    /// The speed of a time control.
    fn of(control: TimeControl) -> Self {
        if control.is_per_day() {
            return Self::Correspondence;
        }
        match control.estimate() {
            time if time < 30.0 => Self::UltraBullet,
            time if time < 180.0 => Self::Bullet,
            time if time < 480.0 => Self::Blitz,
            time if time < 1_500.0 => Self::Rapid,
            time if time < 21_600.0 => Self::Classical,
            _ => Self::Correspondence,
        }
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
            ("G/60", Some(Classical)),
            ("5+3", Some(Bullet)),
            ("90min/40 moves + 30s", Some(Classical)),
            ("15 min + 10 s", Some(Rapid)),
            ("Blitz 3'+2\"", Some(Blitz)),
            ("3 days/move", Some(Correspondence)),
            ("1 day", Some(Correspondence)),
            ("30 s/move", Some(Rapid)),
            ("Blitz", None),
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
}
