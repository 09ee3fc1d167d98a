//! Gap parser: splits the text between two moves into a template and payloads.
//!
//! A gap is first compared with the predicted template ([`match_template`]), which takes a few
//! bytes. Only if that fails it is scanned byte by byte ([`GapScanner`]).

use super::{
    gaps::{COMMENT, LAST_MARK, MAX_TEMPLATE_LEN, NUMBER, RESULT, TEXT, Templates, VARIATION},
    number::MoveNumber,
    payloads::{Payloads, variation_len},
    records::RESULTS,
};
use crate::container::MAX_PLIES;
use ign_notation::chess::san::starts_with_figurine;

/// What follows a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A word that should be a move starts here.
    Move(usize),
    /// The end of the movetext.
    End,
    /// Text from here on that gaps cannot express.
    Text(usize),
}

/// Length of the gap at the start of a text, if it has this template and a move follows. Its
/// comments are added to the payloads, also without a match.
#[inline(always)]
pub fn match_template(
    templates: &Templates,
    template: u32,
    text: &[u8],
    number: &MoveNumber,
    payloads: &mut Payloads,
) -> Option<usize> {
    if let Some(gap) = templates.expand(template, number)
        && let Some(bytes) = text.first_chunk()
    {
        // Compare the whole gap with one operation.
        let word = u64::from_le_bytes(*bytes);
        let same = gap.len == 0 || (word ^ gap.word) << (64 - 8 * gap.len) == 0;
        return (same && starts_move((word >> (8 * gap.len)) as u8)).then_some(gap.len);
    }
    let mut at = 0;
    for &byte in templates.get(template) {
        match byte {
            NUMBER => {
                // For a few bytes a loop is faster than a call to compare slices.
                for digit in number.text() {
                    (text.get(at) == Some(digit)).then_some(())?;
                    at += 1;
                }
            }
            COMMENT => at += take_comment(&text[at..], payloads)?,
            _ if byte <= LAST_MARK => return None,
            _ => {
                (text.get(at) == Some(&byte)).then_some(())?;
                at += 1;
            }
        }
    }
    text.get(at).is_some_and(|&c| starts_move(c)).then_some(at)
}

/// Scans a gap.
pub struct GapScanner<'a> {
    /// The template of the gap.
    pub template: &'a mut Vec<u8>,
    /// Receives the payloads of the gap.
    pub payloads: &'a mut Payloads,
    /// Whether the last result in the movetext is a draw.
    pub is_draw: &'a mut bool,
}

impl GapScanner<'_> {
    /// Parses the gap at `at`. `number` is the current move number, `result` the value of the
    /// Result tag.
    pub fn scan(self, body: &[u8], mut at: usize, number: &[u8], result: Option<&[u8]>) -> Next {
        let Self {
            template,
            payloads,
            is_draw,
        } = self;
        template.clear();
        let mut ended = false;
        loop {
            // Leave room for a mark, a result and the final mark of a literal move.
            if template.len() + 10 > MAX_TEMPLATE_LEN {
                return Next::Text(at);
            }
            let text = &body[at..];
            let Some(&byte) = text.first() else {
                return Next::End;
            };
            if ended && !byte.is_ascii_whitespace() {
                return Next::Text(at);
            }
            let len = match byte {
                b'{' => take_comment(text, payloads).inspect(|_| template.push(COMMENT)),
                b'(' => variation_len(&text[1..]).map(|len| {
                    payloads.variations.extend_from_slice(&text[1..=len]);
                    template.push(VARIATION);
                    len + 1
                }),
                // Leave room for the literal text of each move and for the rest.
                b';' | b'%' if payloads.text_lens.len() + 1 >= MAX_PLIES => None,
                b';' | b'%' => {
                    let len = memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len());
                    template.push(TEXT);
                    payloads.push_text(&text[..len]);
                    Some(len)
                }
                b'0'..=b'9' | b'*' => {
                    if let Some(found) = starts_with_result(text) {
                        ended = true;
                        *is_draw = found == b"1/2-1/2";
                        if result == Some(found) {
                            template.push(RESULT);
                        } else {
                            template.extend_from_slice(found);
                        }
                        Some(found.len())
                    } else if text.starts_with(b"0-0") {
                        return Next::Move(at);
                    } else if byte == b'*' {
                        template.push(byte);
                        Some(1)
                    } else {
                        let digits = text
                            .iter()
                            .take(20)
                            .take_while(|c| c.is_ascii_digit())
                            .count();
                        if &text[..digits] == number {
                            template.push(NUMBER);
                        } else {
                            template.extend_from_slice(&text[..digits]);
                        }
                        Some(digits)
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' => return Next::Move(at),
                // A dropped pawn, written without its letter.
                b'@' if matches!(text, [_, b'a'..=b'h', b'1'..=b'8', ..]) => {
                    return Next::Move(at);
                }
                _ if byte.is_ascii() => {
                    template.push(byte);
                    Some(1)
                }
                _ if starts_with_figurine(text) => return Next::Move(at),
                _ => symbol_len(text).inspect(|&len| template.extend_from_slice(&text[..len])),
            };
            match len {
                Some(len) => at += len,
                None => return Next::Text(at),
            }
        }
    }
}

/// Length of the character at the start of a text if it is not a letter. A letter is part of a word, so a square
/// after it is not a pawn move. Bytes that are not UTF-8 are Latin-1.
fn symbol_len(text: &[u8]) -> Option<usize> {
    let first = text[..text.len().min(4)].utf8_chunks().next()?;
    let symbol = first.valid().chars().next();
    let symbol = symbol.unwrap_or(char::from(text[0]));
    let len = if first.valid().is_empty() {
        1
    } else {
        symbol.len_utf8()
    };
    (!symbol.is_alphabetic()).then_some(len)
}

/// Whether a move may start with this byte.
#[inline]
const fn starts_move(byte: u8) -> bool {
    matches!(
        byte,
        b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' | b'P' | b'@'
    )
}

/// Adds a comment in braces to the payloads; returns its length with braces.
#[inline]
fn take_comment(text: &[u8], payloads: &mut Payloads) -> Option<usize> {
    let rest = text.strip_prefix(b"{")?;
    let len = memchr::memchr(b'}', rest)? + 1;
    payloads.comments.extend_from_slice(&rest[..len]);
    Some(len + 1)
}

/// The result at the start of a text.
fn starts_with_result(text: &[u8]) -> Option<&'static [u8]> {
    RESULTS.into_iter().find(|result| {
        // It must not be the start of a longer word.
        text.starts_with(result)
            && text
                .get(result.len())
                .is_none_or(|c| !c.is_ascii_alphanumeric() && *c != b'-')
    })
}
