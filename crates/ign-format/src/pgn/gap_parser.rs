//! Gap parser: splits the text between two moves into a template and payloads.
//!
//! A gap is first compared with the predicted template ([`match_template`]), which takes a few
//! bytes. Only if that fails it is scanned byte by byte ([`GapScanner`]).
//!
//! The scanner stops at each word. If the word is not a move, [`GapScanner::skip_word`] skips it as
//! an annotation, unless the next move could then be assigned to the wrong side.

use super::{
    gaps::{COMMENT, LAST_MARK, MAX_TEMPLATE_LEN, NUMBER, RESULT, TEXT, Templates, VARIATION},
    line_end::line_len,
    number::MoveNumber,
    payloads::{Payloads, variation_len},
    words::{self, Written},
    wrap::KEPT_SPACE,
};
use crate::container::MAX_PLIES;
use ign_notation::chess::san::{null_len, starts_with_castling, starts_with_figurine};

/// Maximum number of words in a gap that are not known as annotations.
const MAX_WORDS: usize = 4;
/// Maximum length of a word or result that becomes a part of the template. Longer ones are literal
/// text.
const MAX_LITERAL: usize = 8;
/// Number of blanks from which they are literal text.
const MANY_BLANKS: usize = 64;

/// What follows a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A word that should be a move starts here.
    Word(usize),
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

/// What the scanner knows of a gap from the moves before it.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The current move number.
    pub number: &'a [u8],
    /// The value of the Result tag.
    pub result: Option<&'a [u8]>,
    /// Whether White is to move.
    pub white: bool,
    /// Whether no move precedes.
    pub is_first: bool,
    /// Whether the next move may be a null move.
    pub may_pass: bool,
    /// Whether the gap before the last move of this side has a number, or there is none.
    pub is_numbered: bool,
}

/// Scans a gap.
pub struct GapScanner<'a> {
    /// The template of the gap.
    pub template: &'a mut Vec<u8>,
    /// Receives the payloads of the gap.
    pub payloads: &'a mut Payloads,
    /// Whether the last result in the movetext is a draw.
    pub is_draw: &'a mut bool,
    /// What the moves before demand.
    pub expected: Expected<'a>,
    /// Whether braces nest in comments.
    pub nested: bool,
    /// What has been scanned.
    pub found: Found,
}

/// What a gap contains.
#[derive(Debug, Clone, Copy, Default)]
pub struct Found {
    /// Whether the game has ended with a result.
    pub ended: bool,
    /// Whether the last number is the expected one; `None` without a number.
    agrees: Option<bool>,
    /// Number of words that were skipped and are not known as annotations.
    pub words: usize,
    /// Whether known annotations were skipped.
    annotated: bool,
    /// Whether a comment contains an opening brace.
    pub opens_in_comment: bool,
}

impl GapScanner<'_> {
    /// Parses the gap up to the next word, from `at` on.
    pub fn scan(&mut self, body: &[u8], mut at: usize) -> Next {
        loop {
            // Leave room for a mark, a result and the final mark of a literal move.
            if self.template.len() + 10 > MAX_TEMPLATE_LEN {
                return Next::Text(at);
            }
            let text = &body[at..];
            let Some(&byte) = text.first() else {
                return self.end(at);
            };
            let len = match byte {
                b' ' | b'\t' | b'\n' | 0x0c | b'\r' | KEPT_SPACE => self.take_blank(byte, text),
                b'{' => self.take_comment(text),
                b'(' => variation_len(&text[1..]).map(|len| {
                    self.payloads.variations.extend_from_slice(&text[1..=len]);
                    self.template.push(VARIATION);
                    len + 1
                }),
                b'&' | b'<' if let Some(len) = words::markup_len(text) => {
                    self.take_literal(&text[..len])
                }
                b'[' if let Some(len) = words::command_len(text) => self.take_text(&text[..len]),
                b';' => self.take_text(&text[..line_len(text)]),
                b'%' if self.escapes_line(body, at) => self.take_text(&text[..line_len(text)]),
                b'0' if self.both_lose(text) => {
                    let len = words::both_lose(text).unwrap_or(0);
                    self.take_result(&text[..len], false)
                }
                b'0'..=b'9' | b'*' | b'+' | b'-' | 0xC2 | 0xBD
                    if let Some(Written { len, is_draw }) = words::result(text) =>
                {
                    self.take_result(&text[..len], is_draw)
                }
                b'0' if !self.found.ended && is_castling(body, at) => return Next::Word(at),
                b'$' => {
                    self.template.push(byte);
                    let digits = &text[1..][..digits(&text[1..])];
                    self.put_number(digits);
                    Some(1 + digits.len())
                }
                b'0' | b'-' | b'@' if !self.found.ended && self.is_null(body, at) => {
                    return Next::Word(at);
                }
                b'0'..=b'9' if !self.found.ended => Some(self.take_number(text)),
                b'a'..=b'z' | b'A'..=b'Z' if self.found.ended => {
                    let len = words::word_len(text);
                    let word = &text[..len];
                    words::may_follow_result(word).then(|| self.put(word))
                }
                b'a'..=b'z' | b'A'..=b'Z' => return Next::Word(at),
                // A dropped pawn, written without its letter.
                b'@' if !self.found.ended && matches!(text, [_, b'a'..=b'h', b'1'..=b'8', ..]) => {
                    return Next::Word(at);
                }
                0..0x20 | 0x7f => {
                    let run = text.iter().take_while(|&&c| is_control(c)).count();
                    self.take_text(&text[..run])
                }
                b'0'..=b'9' | b'[' | b'<' if self.found.ended => None,
                _ if byte.is_ascii() => {
                    self.template.push(byte);
                    Some(1)
                }
                0xA0 | 0xC2 | 0xEF if let Some(len) = words::unseen_len(text) => {
                    Some(self.put(&text[..len]))
                }
                _ if self.found.ended => None,
                _ if starts_with_figurine(text) => return Next::Word(at),
                _ => match symbol_len(text) {
                    Some(len) => {
                        self.template.extend_from_slice(&text[..len]);
                        Some(len)
                    }
                    None => return Next::Word(at),
                },
            };
            match len {
                Some(len) => at += len,
                None => return Next::Text(at),
            }
        }
    }

    /// Skips the word at `at`, which is not a move, and returns its end; `None` if the moves end
    /// here.
    pub fn skip_word(&mut self, body: &[u8], at: usize) -> Option<usize> {
        let text = &body[at..];
        let word = &text[..words::word_len(text)];
        let has_number = self.found.agrees.is_some();
        // Between number and move, N is a knight.
        if words::is_annotation(word) && !(word == b"N" && has_number) {
            self.found.annotated = true;
            return self.take_literal(word).map(|len| at + len);
        }
        if let Some(len) = words::both_lose(text) {
            return self.take_result(&text[..len], false).map(|len| at + len);
        }
        if let Some(len) = words::final_draw(text) {
            return self.take_result(&text[..len], true).map(|len| at + len);
        }
        let is_move = words::resembles_move(word) || starts_with_figurine(text);
        if self.found.words == MAX_WORDS || word.is_empty() || is_move {
            return None;
        }
        self.found.words += 1;
        self.take_text(word).map(|len| at + len)
    }

    /// Whether a move may follow the words that were skipped.
    pub fn allows_move(&self) -> bool {
        let Found {
            agrees,
            words,
            annotated,
            ..
        } = self.found;
        let Expected {
            white,
            is_first,
            is_numbered,
            ..
        } = self.expected;
        match agrees {
            _ if words == 0 && !(annotated && is_first) => true,
            Some(agrees) => agrees,
            None => !is_first && (!white || !is_numbered),
        }
    }

    /// Whether the gap has the expected number and no words.
    pub fn is_at_number(&self) -> bool {
        let Found {
            agrees,
            words,
            annotated,
            ..
        } = self.found;
        agrees == Some(true) && words == 0 && !annotated
    }

    /// The end of the movetext. Words that no move follows are text. Other text at the end is
    /// followed by an empty piece, which tells it from text that was not understood.
    fn end(&mut self, at: usize) -> Next {
        if self.found.words > 0 {
            return Next::Text(at);
        }
        if self.template.last() == Some(&TEXT) {
            self.template.push(TEXT);
            self.payloads.push_text(b"");
        }
        Next::End
    }

    /// Appends bytes to the template; returns their number.
    fn put(&mut self, text: &[u8]) -> usize {
        self.template.extend_from_slice(text);
        text.len()
    }

    /// Adds a piece of literal text, or extends the one directly before it.
    fn take_text(&mut self, text: &[u8]) -> Option<usize> {
        if self.template.last() == Some(&TEXT) {
            self.payloads.extend_text(text);
            return Some(text.len());
        }
        // Leave room for the literal text of each move and for the rest.
        if self.payloads.text_lens.len() + 1 >= MAX_PLIES {
            return None;
        }
        self.template.push(TEXT);
        self.payloads.push_text(text);
        Some(text.len())
    }

    /// Adds text to the template if it is short and contains no marks, else as literal text.
    fn take_literal(&mut self, text: &[u8]) -> Option<usize> {
        if text.len() <= MAX_LITERAL && !has_mark(text) {
            Some(self.put(text))
        } else {
            self.take_text(text)
        }
    }

    fn take_blank(&mut self, byte: u8, text: &[u8]) -> Option<usize> {
        let many = text.get(..MANY_BLANKS);
        if many.is_some_and(|blanks| blanks.iter().all(|&c| is_blank(c))) {
            let run = text.iter().take_while(|&&c| is_blank(c)).count();
            return self.take_text(&text[..run]);
        }
        self.template.push(byte);
        Some(1)
    }

    /// Takes a comment in braces. What a nested comment has after its first closing brace becomes
    /// literal text, and so does a comment that contains marks.
    fn take_comment(&mut self, text: &[u8]) -> Option<usize> {
        let len = memchr::memchr(b'}', text)? + 1;
        self.found.opens_in_comment |= memchr::memchr(b'{', &text[1..len]).is_some();
        if has_mark(&text[..len]) {
            self.take_text(&text[..len])?;
        } else {
            self.payloads.comments.extend_from_slice(&text[1..len]);
            self.template.push(COMMENT);
        }
        if !self.nested {
            return Some(len);
        }
        let end = balanced_len(text)?;
        if end > len {
            self.take_text(&text[len..end])?;
        }
        Some(end)
    }

    fn take_result(&mut self, found: &[u8], is_draw: bool) -> Option<usize> {
        self.found.ended = true;
        *self.is_draw = is_draw;
        if self.expected.result == Some(found) {
            self.template.push(RESULT);
            return Some(found.len());
        }
        self.take_literal(found)
    }

    /// Whether `%` here hides the rest of its line: at the start of the line, or after the result.
    fn escapes_line(&self, body: &[u8], at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| body[before]);
        self.found.ended || matches!(before, None | Some(b'\n' | b'\r'))
    }

    /// Whether a text is `0-0` as a result. Directly after a move number it is castling.
    fn both_lose(&self, text: &[u8]) -> bool {
        (self.found.ended || self.found.agrees.is_none()) && words::both_lose(text).is_some()
    }

    /// Whether a null move is possible and written at `at`, not as a part of a longer word.
    fn is_null(&self, body: &[u8], at: usize) -> bool {
        let (before, text) = body.split_at(at);
        self.expected.may_pass && null_len(text).is_some() && before.last() != text.first()
    }

    fn take_number(&mut self, text: &[u8]) -> usize {
        let (digits, rest) = text.split_at(digits(text));
        self.put_number(digits);
        let spaced = rest.iter().take_while(|&&c| c == b'.' || c == b' ');
        let dots = spaced.filter(|&&c| c == b'.').count();
        let fits = match dots {
            0 => true,
            1 => self.expected.white,
            _ => !self.expected.white,
        };
        self.found.agrees = Some(fits && digits == self.expected.number);
        digits.len()
    }

    fn put_number(&mut self, digits: &[u8]) {
        if digits == self.expected.number && !digits.is_empty() {
            self.template.push(NUMBER);
        } else {
            self.template.extend_from_slice(digits);
        }
    }
}

/// Number of digits at the start of a text, up to 20.
fn digits(text: &[u8]) -> usize {
    let start = text.iter().take(20);
    start.take_while(|c| c.is_ascii_digit()).count()
}

/// Whether castling is written with zeros here. Zeros without dashes may be a part of a number or
/// of a time.
fn is_castling(body: &[u8], at: usize) -> bool {
    let starts_word = match at.checked_sub(1).map(|before| body[before]) {
        None => true,
        Some(before) if body[at..].starts_with(b"00") => is_blank(before),
        Some(before) => !matches!(before, b':' | b'/'),
    };
    starts_word && starts_with_castling(&body[at..])
}

fn has_mark(text: &[u8]) -> bool {
    text.iter().any(|&c| c <= LAST_MARK)
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == KEPT_SPACE
}

fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !is_blank(byte)
}

/// Length of the comment at the start of a text, in which braces nest; `None` if it is not closed.
pub(super) fn balanced_len(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    memchr::memchr2_iter(b'{', b'}', text).find_map(|at| {
        if text[at] == b'{' {
            depth += 1;
        } else {
            depth -= 1;
        }
        (depth == 0).then_some(at + 1)
    })
}

/// Length of the character at the start of a text if it is not a letter. A letter is part of a
/// word, so a square after it is not a pawn move. Bytes that are not UTF-8 are Latin-1.
fn symbol_len(text: &[u8]) -> Option<usize> {
    let first = text[..text.len().min(4)].utf8_chunks().next()?;
    let symbol = first.valid().chars().next().unwrap_or(char::from(text[0]));
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
