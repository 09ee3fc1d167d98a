//! Wrapped lines: the rule by which a program broke movetext into lines.
//!
//! A rule that explains a game's line ends makes them cost nothing: the text
//! is kept with a space where the rule breaks it. Where the game departs from
//! the rule the departure is written into the text: a line end that the rule
//! does not predict stays one, a space where the rule predicts a line end
//! becomes [`KEPT_SPACE`]. So unwrapping has an inverse whatever the rule; a
//! good rule only makes the text plainer.

/// Stands for a space at which the rule would have broken the line. Text that
/// holds this byte is not unwrapped.
pub const KEPT_SPACE: u8 = 0x1f;

/// A rule for breaking lines (spec §4.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// No rule: every line end stands in the text.
    #[default]
    None,
    /// Break when the next word would go beyond this column.
    Fill(u32),
    /// Break before a move number once the line has this many bytes.
    Numbers(u32),
}

impl Wrap {
    /// Whether the line is broken before `word`, `column` bytes of it written.
    #[inline]
    fn breaks(self, column: usize, word: &[u8]) -> bool {
        match self {
            Wrap::None => false,
            Wrap::Fill(width) => column + 1 + word.len() > width as usize,
            Wrap::Numbers(least) => column >= least as usize && is_number(word),
        }
    }
}

/// Whether a word starts as a move number does: digits and a dot.
fn is_number(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|c| c.is_ascii_digit()).count();
    digits > 0 && word.get(digits) == Some(&b'.')
}

/// Something between two words.
enum Separator {
    Space,
    KeptSpace,
    LineEnd,
    /// A byte of another line end.
    Other(u8),
}

/// A separator, how far the line had come, and the word after it.
struct Step<'a> {
    word: &'a [u8],
    separator: Separator,
    next: &'a [u8],
}

/// Walks the words of a text and what stands between them.
struct Tokens<'a> {
    rest: &'a [u8],
    line_end: &'a [u8],
}

impl<'a> Tokens<'a> {
    /// The next word with the separator behind it, or the last word.
    fn step(&mut self) -> Result<Step<'a>, &'a [u8]> {
        let len = word_len(self.rest);
        let (word, after) = self.rest.split_at(len);
        let Some(&byte) = after.first() else {
            return Err(word);
        };
        let (separator, len) = match byte {
            b' ' => (Separator::Space, 1),
            KEPT_SPACE => (Separator::KeptSpace, 1),
            _ if after.starts_with(self.line_end) => (Separator::LineEnd, self.line_end.len()),
            other => (Separator::Other(other), 1),
        };
        self.rest = &after[len..];
        Ok(Step {
            word,
            separator,
            next: &self.rest[..word_len(self.rest)],
        })
    }
}

#[inline]
fn word_len(text: &[u8]) -> usize {
    let ends = |&c: &u8| c == b' ' || c == b'\n' || c == b'\r' || c == KEPT_SPACE;
    text.iter().position(ends).unwrap_or(text.len())
}

/// Appends `text` with spaces for line ends, as [`unwrap`] does, if the rule explains all of them
/// and there is no departure from it; says whether that is so. Lines are looked at and copied
/// whole.
pub fn unwrap_regular(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) -> bool {
    if wrap == Wrap::None || memchr::memchr(KEPT_SPACE, text).is_some() {
        return false;
    }
    let start = out.len();
    let mut rest = text;
    loop {
        let len = memchr::memchr2(b'\n', b'\r', rest);
        let line = &rest[..len.unwrap_or(rest.len())];
        // Would the rule have broken the line before its end?
        let whole = match wrap {
            Wrap::None => true,
            Wrap::Fill(width) => line.len() <= width as usize,
            Wrap::Numbers(least) => numbered_space(line, least as usize).is_none(),
        };
        let next = rest[line.len()..].strip_prefix(line_end);
        let ends = match (len, next) {
            (None, _) => true,
            (_, Some(next)) => wrap.breaks(line.len(), &next[..word_len(next)]),
            (_, None) => false,
        };
        if !whole || !ends {
            out.truncate(start);
            return false;
        }
        out.extend_from_slice(line);
        let Some(next) = next.filter(|_| len.is_some()) else {
            return true;
        };
        out.push(b' ');
        rest = next;
    }
}

/// The first space at or behind a column that a move number follows.
fn numbered_space(text: &[u8], column: usize) -> Option<usize> {
    let from = column.min(text.len());
    memchr::memchr_iter(b' ', &text[from..])
        .map(|at| from + at)
        .find(|&at| is_number(&text[at + 1..]))
}

/// Appends `text` with the line ends that the rule explains as spaces.
pub fn unwrap(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
    let mut words = Tokens {
        rest: text,
        line_end,
    };
    let mut column = 0;
    let last = loop {
        let step = match words.step() {
            Ok(step) => step,
            Err(last) => break last,
        };
        out.extend_from_slice(step.word);
        column += step.word.len();
        let breaks = wrap.breaks(column, step.next);
        column = match step.separator {
            Separator::Space | Separator::KeptSpace => {
                out.push(if breaks { KEPT_SPACE } else { b' ' });
                column + 1
            }
            Separator::LineEnd => {
                out.extend_from_slice(if breaks { b" " } else { line_end });
                0
            }
            Separator::Other(byte) => {
                out.push(byte);
                0
            }
        };
    };
    out.extend_from_slice(last);
}

/// Appends `text` with its lines broken again: the inverse of [`unwrap`].
pub fn rewrap(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
    if memchr::memchr3(b'\n', b'\r', KEPT_SPACE, text).is_some() {
        return rewrap_by_words(wrap, text, line_end, out);
    }
    // Nothing but words and spaces: a line is copied whole, up to the first space at which the
    // rule breaks it.
    let mut rest = text;
    loop {
        let at = match wrap {
            Wrap::None => None,
            Wrap::Fill(width) if rest.len() <= width as usize => None,
            // The last space that the line has room for; in front of a word as long as that,
            // the one behind it.
            Wrap::Fill(width) => {
                let (room, beyond) = rest.split_at((width as usize + 1).min(rest.len()));
                memchr::memrchr(b' ', room)
                    .or_else(|| memchr::memchr(b' ', beyond).map(|at| room.len() + at))
            }
            Wrap::Numbers(least) => numbered_space(rest, least as usize),
        };
        let Some(at) = at else {
            return out.extend_from_slice(rest);
        };
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(line_end);
        rest = &rest[at + 1..];
    }
}

/// [`rewrap`] for any text, word by word.
fn rewrap_by_words(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
    let mut words = Tokens {
        rest: text,
        line_end,
    };
    let mut column = 0;
    let last = loop {
        let step = match words.step() {
            Ok(step) => step,
            Err(last) => break last,
        };
        out.extend_from_slice(step.word);
        column += step.word.len();
        column = match step.separator {
            Separator::Space if wrap.breaks(column, step.next) => {
                out.extend_from_slice(line_end);
                0
            }
            Separator::Space | Separator::KeptSpace => {
                out.push(b' ');
                column + 1
            }
            Separator::LineEnd => {
                out.extend_from_slice(line_end);
                0
            }
            Separator::Other(byte) => {
                out.push(byte);
                0
            }
        };
    };
    out.extend_from_slice(last);
}

/// Finds a rule for a text: the one of the game before where it explains all,
/// else one that does, else whichever of that and none departs least.
pub fn detect(text: &[u8], line_end: &[u8], before: Wrap) -> Wrap {
    if before == Wrap::None && memchr::memchr2(b'\n', b'\r', text).is_none() {
        return Wrap::None;
    }
    let mut evidence = Evidence::default();
    evidence.gather(text, line_end, before);
    if evidence.departures == 0 {
        return before;
    }
    if evidence.line_ends == 0 {
        return Wrap::None;
    }
    let [fill, numbers] = [evidence.fill, evidence.numbers].map(Bounds::pick);
    match (fill, numbers) {
        (Some(width), _) => Wrap::Fill(width),
        (None, Some(least)) => Wrap::Numbers(least),
        (None, None) if evidence.departures <= evidence.line_ends => before,
        (None, None) => Wrap::None,
    }
}

/// What the line ends of a text say about the rule behind them.
#[derive(Default)]
struct Evidence {
    line_ends: usize,
    /// Separators that the rule of the game before does not explain.
    departures: usize,
    fill: Bounds,
    numbers: Bounds,
}

/// The parameters that a rule may have: from the least up to the greatest.
#[derive(Clone, Copy)]
struct Bounds {
    least: usize,
    greatest: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            least: 0,
            greatest: usize::MAX,
        }
    }
}

impl Bounds {
    /// A parameter within the bounds: where there is a choice, the usual one.
    fn pick(self) -> Option<u32> {
        /// What most programs use.
        const USUAL: usize = 80;
        let picked = USUAL.clamp(self.least, self.greatest.max(self.least));
        (self.least <= self.greatest).then_some(picked as u32)
    }
}

impl Evidence {
    fn gather(&mut self, text: &[u8], line_end: &[u8], before: Wrap) {
        let mut words = Tokens {
            rest: text,
            line_end,
        };
        let mut column = 0;
        while let Ok(step) = words.step() {
            column += step.word.len();
            let breaks = before.breaks(column, step.next);
            let filled = column + 1 + step.next.len();
            match step.separator {
                Separator::Space | Separator::KeptSpace => {
                    self.departures += usize::from(breaks);
                    self.fill.least = self.fill.least.max(filled);
                    if is_number(step.next) {
                        self.numbers.least = self.numbers.least.max(column + 1);
                    }
                    column += 1;
                }
                Separator::LineEnd => {
                    self.line_ends += 1;
                    self.departures += usize::from(!breaks);
                    self.fill.greatest = self.fill.greatest.min(filled - 1);
                    let numbered = if is_number(step.next) { column } else { 0 };
                    self.numbers.greatest = self.numbers.greatest.min(numbered);
                    column = 0;
                }
                Separator::Other(_) => {
                    self.line_ends += 1;
                    column = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAME: &str = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 1/2-1/2";

    fn wrapped(wrap: Wrap) -> Vec<u8> {
        let mut out = Vec::new();
        rewrap(wrap, GAME.as_bytes(), b"\n", &mut out);
        out
    }

    #[test]
    fn a_rule_is_found_and_makes_the_line_ends_free() {
        for wrap in [Wrap::Fill(30), Wrap::Fill(41), Wrap::Numbers(22)] {
            let text = wrapped(wrap);
            assert!(text.contains(&b'\n'));
            let found = detect(&text, b"\n", Wrap::None);
            let mut plain = Vec::new();
            unwrap(found, &text, b"\n", &mut plain);
            assert_eq!(
                String::from_utf8(plain).unwrap(),
                GAME,
                "{wrap:?} {found:?}"
            );
        }
    }

    #[test]
    fn regular_lines_are_taken_whole() {
        for wrap in [Wrap::Fill(30), Wrap::Fill(41), Wrap::Numbers(22)] {
            let mut plain = Vec::new();
            assert!(unwrap_regular(wrap, &wrapped(wrap), b"\n", &mut plain));
            assert_eq!(plain, GAME.as_bytes());
            let odd = [&wrapped(wrap)[..], b"\n1-0 *"].concat();
            assert!(!unwrap_regular(wrap, &odd, b"\n", &mut plain));
        }
    }

    #[test]
    fn lines_are_broken_where_the_rule_says() {
        assert_eq!(
            &wrapped(Wrap::Fill(12))[..24],
            b"1.e4 e5\n2.Nf3 Nc6\n3.Bb5 "
        );
        assert_eq!(
            &wrapped(Wrap::Numbers(9))[..28],
            b"1.e4 e5 2.Nf3 Nc6\n3.Bb5 a6 4"
        );
    }

    #[test]
    fn the_rule_of_the_game_before_is_kept_where_it_fits() {
        assert_eq!(
            detect(b"1.e4 e5 1-0", b"\n", Wrap::Fill(80)),
            Wrap::Fill(80)
        );
        assert_eq!(
            detect(&wrapped(Wrap::Fill(30)), b"\n", Wrap::Fill(30)),
            Wrap::Fill(30)
        );
        assert_eq!(detect(&b"x".repeat(300), b"\n", Wrap::None), Wrap::None);
    }

    proptest! {
        #[test]
        fn unwrapping_has_an_inverse_under_any_rule(
            text in "([a-c1.]{0,6}[ \n\r]{1,2}){0,30}[a-c]{0,3}",
            kind in 0..3usize, width in 0u32..20, crlf in any::<bool>()
        ) {
            let line_end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
            let wrap = [Wrap::None, Wrap::Fill(width), Wrap::Numbers(width)][kind];
            for wrap in [wrap, detect(text.as_bytes(), line_end, wrap)] {
                let (mut plain, mut again) = (Vec::new(), Vec::new());
                unwrap(wrap, text.as_bytes(), line_end, &mut plain);
                rewrap(wrap, &plain, line_end, &mut again);
                prop_assert_eq!(&again[..], text.as_bytes());
                let mut by_words = Vec::new();
                rewrap_by_words(wrap, &plain, line_end, &mut by_words);
                prop_assert_eq!(by_words, again);
                let mut regular = b"before".to_vec();
                if unwrap_regular(wrap, text.as_bytes(), line_end, &mut regular) {
                    prop_assert_eq!(&regular[6..], &plain[..]);
                    prop_assert_eq!(detect(text.as_bytes(), line_end, wrap), wrap);
                } else {
                    prop_assert_eq!(&regular[..], b"before");
                }
            }
        }
    }
}
