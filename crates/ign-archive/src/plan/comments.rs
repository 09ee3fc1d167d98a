//! Conditions of a query on comments: what the comments of a game hold, variations included.

use ign_format::pgn::tags::TagReader;

use super::stage::names_of;

/// What comments hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contents {
    /// The time on a clock, `[%clk …]`.
    pub clocks: bool,
    /// An engine's evaluation, `[%eval …]`.
    pub evals: bool,
    /// Text other than commands.
    pub text: bool,
}

/// What comments must hold, and must not hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether there must be clocks.
    pub clocks: Option<bool>,
    /// Whether there must be evaluations.
    pub evals: Option<bool>,
    /// Whether there must be text.
    pub text: Option<bool>,
}

impl Wanted {
    /// Whether nothing is wanted.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The names of the conditions.
    pub fn names(self) -> String {
        names_of([
            ("has_clocks", self.clocks.is_some()),
            ("has_evals", self.evals.is_some()),
            ("commented", self.text.is_some()),
        ])
    }

    /// Each content that matters: whether it is wanted, and whether it was seen.
    fn compared(self, seen: Contents) -> impl Iterator<Item = (bool, bool)> {
        let all = [
            (self.clocks, seen.clocks),
            (self.evals, seen.evals),
            (self.text, seen.text),
        ];
        all.into_iter()
            .filter_map(|(wanted, seen)| Some((wanted?, seen)))
    }

    /// Whether comments with these contents are as wanted.
    pub fn matches(self, contents: Contents) -> bool {
        self.compared(contents).all(|(wanted, seen)| wanted == seen)
    }

    /// Whether further comments change nothing.
    fn is_decided_by(self, seen: Contents) -> bool {
        self.compared(seen).all(|(_, seen)| seen)
            || self.compared(seen).any(|(wanted, seen)| seen && !wanted)
    }
}

impl Contents {
    /// What the comments of a record of chess hold, found out until that decides about what is
    /// `wanted`. Comments are those in braces, also after a blank line and where moves are kept as
    /// text.
    pub fn of_record(pgn: &[u8], wanted: Wanted) -> Self {
        let mut seen = Self::default();
        let section = TagReader::default().read(pgn, 0, &mut Vec::new());
        let movetext = &pgn[section.end..];
        let mut at = 0;
        while let Some(len) = memchr::memchr3(b'{', b';', b'%', &movetext[at..]) {
            at += len;
            let rest = &movetext[at + 1..];
            let is_line_start = at == 0 || matches!(movetext[at - 1], b'\n' | b'\r');
            at += 1;
            if movetext[at - 1] == b'{' {
                let Some(len) = memchr::memchr(b'}', rest) else {
                    break;
                };
                seen.add(&rest[..len]);
                if wanted.is_decided_by(seen) {
                    break;
                }
                at += len;
            } else if movetext[at - 1] == b';' || is_line_start {
                at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            }
        }
        seen
    }

    /// Adds what a comment holds.
    fn add(&mut self, comment: &[u8]) {
        let mut rest = comment;
        loop {
            let start = memchr::memmem::find(rest, b"[%");
            let text = &rest[..start.unwrap_or(rest.len())];
            self.text |= text.iter().any(|c| !c.is_ascii_whitespace());
            let Some(start) = start else {
                return;
            };
            let command = &rest[start + 2..];
            let Some(end) = memchr::memchr(b']', command) else {
                // A command that does not end is text.
                self.text = true;
                return;
            };
            let (command, after) = (&command[..end], &command[end + 1..]);
            let mut words = command.split(u8::is_ascii_whitespace);
            let (name, argument) = (words.next(), words.any(|word| !word.is_empty()));
            self.clocks |= argument && name == Some(b"clk");
            self.evals |= argument && name == Some(b"eval");
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Wanted = Wanted {
        clocks: Some(true),
        evals: Some(true),
        text: Some(true),
    };

    #[test]
    fn what_is_not_wanted_decides_when_it_is_seen() {
        let wanted = Wanted {
            clocks: Some(true),
            evals: Some(false),
            text: None,
        };
        for (movetext, is_met) in [
            ("1. e4 *", false),
            ("1. e4 { [%clk 1] } *", true),
            ("1. e4 { [%clk 1] } { [%eval 1] } *", false),
            ("1. e4 { [%eval 1] } { [%clk 1] } *", false),
        ] {
            let contents = Contents::of_record(movetext.as_bytes(), wanted);
            assert_eq!(wanted.matches(contents), is_met, "{movetext}");
        }
        assert!(!wanted.matches(Contents::default()));
    }

    #[test]
    fn commands_are_no_text_and_need_an_argument() {
        let of = |movetext: &str| {
            let contents = Contents::of_record(movetext.as_bytes(), ALL);
            [contents.clocks, contents.evals, contents.text]
        };
        for (movetext, expected) in [
            ("1. e4 *", [false, false, false]),
            ("1. e4 { [%clk 0:03:00] } *", [true, false, false]),
            ("1. e4 {[%eval 0.17] [%clk 0:03:00]} *", [true, true, false]),
            ("1. e4 { [%eval #-3] best } *", [false, true, true]),
            ("1. e4 { [%clk] [%clock 3] } *", [false, false, false]),
            ("1. e4 { [%cal Ga1a2] } *", [false, false, false]),
            ("1. e4 { [%clk 0:03:00 } *", [false, false, true]),
            ("{ first } 1. e4 *", [false, false, true]),
            ("1. e4 (1. d4 { [%clk 1] a ] b }) *", [true, false, true]),
            ("1. e4 {   } *", [false, false, false]),
            ("{ [%eval 1] }\n\n1. e4\n\n{ a } e5 *", [false, true, true]),
            (
                "1. e4 ; { a }\n% { b }\n1... e5 50% { [%clk 1] } *",
                [true, false, false],
            ),
            ("1. e5 { [%clk 1] } *", [true, false, false]),
            ("1. e4 { a", [false, false, false]),
            ("[Event \"{ a }\"]\n\n1. e4 *", [false, false, false]),
        ] {
            assert_eq!(of(movetext), expected, "{movetext}");
        }
    }

    #[test]
    fn commands_of_any_length_are_no_text() {
        for arrows in [10, 100, 1_000, 10_000] {
            let command = format!("[%cal {}Gb1b2]", "Ga1a2,".repeat(arrows));
            let movetext = format!("1. e4 {{ {command} [%clk 0:01:00] }} *");
            let clocks = Contents {
                clocks: true,
                ..Contents::default()
            };
            assert_eq!(Contents::of_record(movetext.as_bytes(), ALL), clocks);
        }
    }
}
