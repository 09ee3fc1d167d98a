//! Line wrapping: the rule by which a program broke movetext into lines (spec §4.4.1).
//!
//! The text is stored with a space in place of each line end that the rule predicts. Exceptions
//! are part of the text: a line end that the rule does not predict stays, and a space where it
//! predicts a line end becomes [`KEPT_SPACE`]. So [`rewrap`] inverts [`unwrap`] for every rule; a
//! good rule only makes the text more regular.

mod detect;

pub use self::detect::detect;

/// Replaces a space at which the rule breaks the line. Text that contains this byte is not
/// unwrapped.
pub const KEPT_SPACE: u8 = 0x1f;

/// A rule for breaking lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// No rule: all line ends stay in the text.
    #[default]
    None,
    /// Break if the next word would end beyond this column.
    Fill(u32),
    /// Break before a move number if the line has at least this many bytes.
    Numbers(u32),
}

impl Wrap {
    /// Whether the line breaks before `word`, after `column` bytes.
    #[inline]
    fn breaks(self, column: usize, word: &[u8]) -> bool {
        match self {
            Wrap::None => false,
            Wrap::Fill(width) => column + 1 + word.len() > width as usize,
            Wrap::Numbers(least) => column >= least as usize && is_number(word),
        }
    }
}

/// Whether a word starts with a move number: digits and a dot.
fn is_number(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|c| c.is_ascii_digit()).count();
    digits > 0 && word.get(digits) == Some(&b'.')
}

/// Separator of two words.
enum Separator {
    Space,
    KeptSpace,
    LineEnd,
    /// A byte of another kind of line end.
    Other(u8),
}

/// A word, the separator after it, and the next word.
struct WordBreak<'a> {
    word: &'a [u8],
    separator: Separator,
    next: &'a [u8],
}

/// Iterates over the words of a text and their separators.
struct Words<'a> {
    rest: &'a [u8],
    line_end: &'a [u8],
}

impl<'a> Words<'a> {
    /// The next word and its separator, or the last word as an error.
    fn step(&mut self) -> Result<WordBreak<'a>, &'a [u8]> {
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
        Ok(WordBreak {
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

/// Unwraps a text without exceptions from the rule, line by line, which is fast. Appends what
/// [`unwrap`] would and returns true, or appends nothing and returns false if there are
/// exceptions.
pub fn unwrap_regular(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) -> bool {
    if wrap == Wrap::None || memchr::memchr(KEPT_SPACE, text).is_some() {
        return false;
    }
    let start = out.len();
    let mut rest = text;
    loop {
        let len = memchr::memchr2(b'\n', b'\r', rest);
        let line = &rest[..len.unwrap_or(rest.len())];
        // Whether the rule would have kept the line whole.
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

/// The first space at or after a column that a move number follows.
fn numbered_space(text: &[u8], column: usize) -> Option<usize> {
    let from = column.min(text.len());
    memchr::memchr_iter(b' ', &text[from..])
        .map(|at| from + at)
        .find(|&at| is_number(&text[at + 1..]))
}

/// Appends `text` with the predicted line ends replaced by spaces.
pub fn unwrap(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
    let mut words = Words {
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

/// Appends `text` with its lines wrapped again: the inverse of [`unwrap`].
pub fn rewrap(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
    if memchr::memchr3(b'\n', b'\r', KEPT_SPACE, text).is_some() {
        return rewrap_by_words(wrap, text, line_end, out);
    }
    // Only words and spaces: copy whole lines, up to the first space at which the rule breaks.
    let mut rest = text;
    loop {
        let at = match wrap {
            Wrap::None => None,
            Wrap::Fill(width) if rest.len() <= width as usize => None,
            // The last space that fits in the line, or the one after a word that is longer than a
            // line.
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

/// [`rewrap`] for all texts, word by word.
fn rewrap_by_words(wrap: Wrap, text: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
    let mut words = Words {
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

/// Splits movetext into leading white space, the inner text, and trailing white space. Only the
/// inner text is wrapped.
pub fn bounds(movetext: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let start = movetext.len() - movetext.trim_ascii_start().len();
    let inner = movetext[start..].trim_ascii_end();
    (&movetext[..start], inner, &movetext[start + inner.len()..])
}

/// Whether a text has a comment to the end of a line (`;`) or an escaped line (`%`) outside of
/// braces. Its line ends are significant then.
pub fn has_line_comment(text: &[u8]) -> bool {
    if memchr::memchr2(b';', b'%', text).is_none() {
        return false;
    }
    let mut rest = text;
    while let Some(at) = memchr::memchr3(b'{', b';', b'%', rest) {
        if rest[at] != b'{' {
            return true;
        }
        let Some(len) = memchr::memchr(b'}', &rest[at..]) else {
            return false;
        };
        rest = &rest[at + len..];
    }
    false
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
    fn detected_rule_removes_all_line_ends() {
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
    fn unwraps_regular_lines_whole() {
        for wrap in [Wrap::Fill(30), Wrap::Fill(41), Wrap::Numbers(22)] {
            let mut plain = Vec::new();
            assert!(unwrap_regular(wrap, &wrapped(wrap), b"\n", &mut plain));
            assert_eq!(plain, GAME.as_bytes());
            let odd = [&wrapped(wrap)[..], b"\n1-0 *"].concat();
            assert!(!unwrap_regular(wrap, &odd, b"\n", &mut plain));
        }
    }

    #[test]
    fn rewraps_by_the_rule() {
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
    fn keeps_the_last_rule_if_it_fits() {
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
        fn rewrap_inverts_unwrap_under_any_rule(
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
