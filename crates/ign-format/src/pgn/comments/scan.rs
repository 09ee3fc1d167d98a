//! Comments as templates with fields (spec §4.5.2).
//!
//! `[%eval 0.31] [%clk 0:05:02]` has the template `[%eval #] [%clk #]` and the fields 0.31 and
//! 0:05:02. Text that no [format](super::formats) writes exactly stays in the template, so every
//! comment has a template and is restored from it.

use std::ops::Range;

use super::formats::{modes, prefix, value};

/// Mark of a move in a template.
pub const WORD: u8 = 0x03;

/// A field of a comment.
#[derive(Debug, Clone)]
pub struct Field {
    /// [`CLOCK`](super::formats::CLOCK), [`NUMBER`](super::formats::NUMBER) or [`WORD`].
    pub mark: u8,
    /// Its position in the comment.
    pub range: Range<usize>,
    /// First mode that writes the time or number as it is.
    pub mode: u8,
    /// Its value in the unit of that mode.
    pub value: i64,
}

/// A parsed comment. Its buffers are reused for the next one.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// The comment with marks in place of its fields.
    pub template: Vec<u8>,
    /// The fields, in order.
    pub fields: Vec<Field>,
    /// Buffer for [`value`].
    buffer: Vec<u8>,
}

impl Scan {
    /// Parses a comment.
    pub fn read(&mut self, comment: &[u8]) {
        self.template.clear();
        self.fields.clear();
        let mut at = 0;
        let mut before = b' ';
        while let Some(&byte) = comment.get(at) {
            let rest = &comment[at..];
            let field = match byte {
                b'0'..=b'9' | b'-' | b'+' if !before.is_ascii_alphanumeric() => self.number(rest),
                b'a'..=b'z' | b'A'..=b'Z' if !before.is_ascii_alphanumeric() => {
                    let len = rest
                        .iter()
                        .position(|&c| !belongs_to_word(c))
                        .unwrap_or(rest.len());
                    if is_move(&rest[..len]) {
                        Some(Field {
                            mark: WORD,
                            range: 0..len,
                            mode: 0,
                            value: 0,
                        })
                    } else {
                        // The distance of a mate is a number after a letter: M12.
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
                at += field.range.end;
                field.range = start..at;
                self.fields.push(field);
            } else {
                self.template.push(byte);
                at += 1;
            }
            before = comment[at - 1];
        }
    }

    /// The time or number at the start of a text.
    fn number(&mut self, text: &[u8]) -> Option<Field> {
        let (mark, len) = prefix(text)?;
        let parsed = |mode| Some((mode, value(mark, mode, &text[..len], &mut self.buffer)?));
        let (mode, value) = (0..modes(mark)).find_map(parsed)?;
        Some(Field {
            mark,
            range: 0..len,
            mode,
            value,
        })
    }
}

fn belongs_to_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'-' | b'=' | b'+' | b'#')
}

/// Whether a word has the form of a move in SAN.
fn is_move(word: &[u8]) -> bool {
    let without_check = word.strip_suffix(b"+").unwrap_or(word);
    let without_mate = without_check.strip_suffix(b"#").unwrap_or(without_check);
    if without_mate == b"O-O" || without_mate == b"O-O-O" {
        return true;
    }
    let without_promotion = match without_mate {
        [rest @ .., b'=', b'N' | b'B' | b'R' | b'Q'] => rest,
        rest => rest,
    };
    let before_target = match without_promotion {
        [rest @ .., b'a'..=b'h', b'1'..=b'8'] => rest,
        _ => return false,
    };
    let from = match before_target.strip_suffix(b"x").unwrap_or(before_target) {
        [b'K' | b'Q' | b'R' | b'B' | b'N', from @ ..] => from,
        from => from,
    };
    matches!(
        from,
        [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8']
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::comments::formats::{CLOCK, NUMBER, write};
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
        let fields = scan.fields.iter().map(|f| comment[f.range.clone()].into());
        (shown.collect(), fields.collect())
    }

    #[test]
    fn splits_common_comments_into_template_and_fields() {
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

    proptest! {
        #[test]
        fn template_and_fields_restore_the_comment(
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
                    out.extend_from_slice(&comment.as_bytes()[field.range.clone()]);
                } else {
                    write(c, field.mode, field.value, &mut out);
                }
            }
            prop_assert!(fields.next().is_none());
            prop_assert_eq!(out, comment.as_bytes());
        }
    }
}
