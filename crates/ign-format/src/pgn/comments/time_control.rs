//! Time control: base time and increment, parsed from the TimeControl tag (spec §4.5.3).

/// Base time and increment of a game, in thousandths of a second. All zero if unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time on the clock at the start of the game.
    pub(super) base: i64,
    /// Time added for each move.
    pub(super) increment: i64,
    /// Whether each move has the full base time (correspondence games).
    pub(super) per_move: bool,
}

impl TimeControl {
    /// Parses the value of a TimeControl tag: `base+increment`, `base` or `moves/base`, in
    /// seconds. Any other value gives the default.
    pub fn of_tag(value: Option<&[u8]>) -> Self {
        let seconds = |text: &[u8]| {
            let plain = (1..=7).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
            plain.then(|| {
                text.iter()
                    .fold(0, |n, c| n * 10 + i64::from(c - b'0') * 1000)
            })
        };
        let value = value.unwrap_or_default();
        let split = |at: u8| {
            let at = value.iter().position(|&c| c == at)?;
            Some((&value[..at], &value[at + 1..]))
        };
        let (base, increment, per_move) = match (split(b'/'), split(b'+')) {
            (Some((moves, base)), None) => (seconds(base), Some(0), moves == b"1"),
            (None, Some((base, increment))) => (seconds(base), seconds(increment), false),
            (None, None) => (seconds(value), Some(0), false),
            _ => (None, None, false),
        };
        match (base, increment) {
            (Some(base), Some(increment)) => Self {
                base,
                increment,
                per_move,
            },
            _ => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_forms_that_programs_write() {
        let read = |text: &str| {
            let control = TimeControl::of_tag(Some(text.as_bytes()));
            (control.base, control.increment, control.per_move)
        };
        assert_eq!(read("180+2"), (180_000, 2000, false));
        assert_eq!(read("300"), (300_000, 0, false));
        assert_eq!(read("40/7200"), (7_200_000, 0, false));
        assert_eq!(read("1/259200"), (259_200_000, 0, true));
        for text in ["-", "", "?", "1+2+3", "40/7200+30", "99999999"] {
            assert_eq!(read(text), (0, 0, false), "{text}");
        }
        assert_eq!(TimeControl::of_tag(None), TimeControl::default());
    }
}
