//! Records: their boundaries in a text.
//!
//! A record is the tag section and the movetext of one game, or text between games. A record ends
//!
//! - before a line that starts a tag section, if that line follows an empty line or a result, has
//!   an Event tag, or is followed by another tag;
//! - before a known tag on a line of moves, after a result or, if it is an Event tag, before a tag
//!   of another name, as in files that were joined;
//! - before a line that starts another game without tags: after a result the first move, or any
//!   word after an empty line; without a result the first move after an empty line;
//! - before a first move on a line of moves, after a result.
//!
//! Lines that start with `%`, which PGN leaves to programs, do not end a record. Nor do lines inside
//! comments in braces, except the tags of a game after a comment that is not closed: an Event tag
//! that is followed by another tag, and by no closing brace before the next opening one.

use std::ops::Range;

use memchr::memmem;

use super::{
    line_end::next_line,
    tags::{first_tag, indent, indented},
    words::RESULTS,
};

/// Bytes in which a tag on a line of moves must end, so that many of them on one line take linear
/// time.
const NEAR_TAG: usize = 1024;
/// Bytes before a brace in which a line comment must begin.
const NEAR_BRACE: usize = 512;
/// Results in other forms than those of PGN.
const OTHER_RESULTS: [&[u8]; 8] = [
    "1:0".as_bytes(),
    "0:1".as_bytes(),
    "1–0".as_bytes(),
    "0–1".as_bytes(),
    " 1/2".as_bytes(),
    "½".as_bytes(),
    b" \xbd",
    b"-\xbd",
];

/// A text without the white space at its end.
fn trim_end(text: &[u8]) -> &[u8] {
    let mut trimmed = text.trim_ascii_end();
    while let Some(rest) = trimmed.strip_suffix("\u{a0}".as_bytes()) {
        trimmed = rest.trim_ascii_end();
    }
    trimmed
}

/// Whether the text ends with a result, apart from white space.
fn ends_with_result(text: &[u8]) -> bool {
    let text = trim_end(text);
    RESULTS.iter().any(|result| text.ends_with(result))
}

/// [`ends_with_result`], or with one in another form.
fn ends_with_any_result(text: &[u8]) -> bool {
    let text = trim_end(text);
    let mut results = RESULTS.iter().chain(&OTHER_RESULTS);
    results.any(|result| text.ends_with(result))
}

fn starts_with_result(text: &[u8]) -> bool {
    RESULTS.iter().any(|result| text.starts_with(result))
}

/// The places after `from` where a game may start, as far as the text before and at them shows: an
/// Event tag at the start of a line or after a result.
pub fn game_starts(text: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let tags = memmem::find_iter(&text[from..], b"[Event");
    let places = tags.map(move |at| from + at);
    let events = places.filter(|&at| matches!(text.get(at + 6), Some(b'"' | b' ' | b'\t')));
    let starts = events.map(|at| indented(text, at));
    starts.filter(move |&at| {
        at > from && (matches!(text[at - 1], b'\n' | b'\r') || ends_with_result(&text[..at]))
    })
}

/// Whether the last line of a text is empty, or has only blanks.
fn ends_with_empty_line(text: &[u8]) -> bool {
    let line_end = text
        .strip_suffix(b"\r\n")
        .or_else(|| text.strip_suffix(b"\n"))
        .or_else(|| text.strip_suffix(b"\r"));
    let blanks = |c: &u8| matches!(c, b' ' | b'\t' | 0xc2 | 0xa0);
    line_end.is_none_or(|text| {
        let line = text.iter().rev().find(|c| !blanks(c));
        line.is_none_or(|c| matches!(c, b'\n' | b'\r'))
    })
}

/// Finds the ends of records. It must be called with ascending offsets; then it reads each byte a
/// bounded number of times.
#[derive(Debug)]
pub struct RecordFinder<'t> {
    text: &'t [u8],
    /// Finds a first move that is not the first word of its line.
    numbers: memmem::Finder<'static>,
    /// The next of them.
    next_number: usize,
    /// The next bracket of an Event tag or after a result.
    next_tag: usize,
    /// The line that was last looked at.
    line: Range<usize>,
}

impl<'t> RecordFinder<'t> {
    /// A finder for a text.
    pub fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            numbers: memmem::Finder::new(b" 1."),
            next_number: 0,
            next_tag: 0,
            line: 0..0,
        }
    }

    /// End of the record that starts at `start` and has its movetext at `movetext`: the start of
    /// the next record, or the end of the text.
    pub fn record_end(&mut self, start: usize, movetext: usize) -> usize {
        let text = self.text;
        let mut record = Record {
            text,
            movetext,
            comment: Nesting::new(movetext, b'{', *b"}}"),
            line_comment: Nesting::new(movetext, b';', *b"\n}"),
            variation: Nesting::new(movetext, b'(', *b"))"),
            has_moves: false,
        };
        if movetext > start && first_tag(text, movetext).is_some() {
            return movetext;
        }
        let starts_line = movetext == 0 || matches!(text[movetext - 1], b'\n' | b'\r');
        let mut at = movetext;
        while at < text.len() {
            let is_line = at > movetext || starts_line;
            if is_line && record.ends_before_line(at) && at > start {
                return at;
            }
            let next = self.next_line(at);
            if is_line && text[at] == b'%' && !record.comment.is_open(text, at) {
                at = next;
                continue;
            }
            loop {
                let place = self.next_tag(at).min(self.next_number(at));
                if place >= next {
                    break;
                }
                if let Some(end) = record.ends_within_line(place) {
                    return end;
                }
                at = place + 1;
            }
            at = next;
        }
        text.len()
    }

    /// The start of the line after this offset. Many records may be on one line, so its end is
    /// looked for once.
    fn next_line(&mut self, at: usize) -> usize {
        if !self.line.contains(&at) {
            self.line = at..next_line(self.text, at);
        }
        self.line.end
    }

    /// The next bracket of an Event tag or after a result, from this offset on.
    fn next_tag(&mut self, from: usize) -> usize {
        if self.next_tag < from || from == 0 {
            let text = self.text;
            let mut brackets = memchr::memchr_iter(b'[', &text[from..]).map(|at| from + at);
            let may_start = |&at: &usize| {
                let last = text[from..indented(text, at).max(from)].last();
                matches!(last, Some(b'0' | b'1' | b'2' | b'*')) || text[at..].starts_with(b"[Event")
            };
            self.next_tag = brackets.find(may_start).unwrap_or(text.len());
        }
        self.next_tag
    }

    /// The next first move within a line, from this offset on.
    fn next_number(&mut self, from: usize) -> usize {
        if self.next_number < from || from == 0 {
            let found = self.numbers.find(&self.text[from..]);
            self.next_number = found.map_or(self.text.len(), |len| from + len + 1);
        }
        self.next_number
    }
}

/// Whether a text starts with the number of White's first move.
fn starts_with_first_move(text: &[u8]) -> bool {
    matches!(text, [b'1', b'.', next, ..] if *next != b'.')
}

/// What is known of the movetext of a record up to a place.
struct Record<'t> {
    text: &'t [u8],
    movetext: usize,
    comment: Nesting,
    line_comment: Nesting,
    variation: Nesting,
    /// Whether a line that starts with a move or a number has been seen.
    has_moves: bool,
}

impl Record<'_> {
    /// Whether another record starts with this line.
    fn ends_before_line(&mut self, line: usize) -> bool {
        let text = self.text;
        let first = line + indent(&text[line..]);
        match text.get(first) {
            Some(b'[') => self.tags_start(line, first),
            Some(c) if c.is_ascii_alphanumeric() => self.movetext_starts(line, first),
            _ => false,
        }
    }

    /// Whether the tags of another record start with the line whose bracket is here.
    fn tags_start(&mut self, line: usize, bracket: usize) -> bool {
        let text = self.text;
        let Some(tag) = first_tag(text, bracket) else {
            return false;
        };
        let before = &text[self.movetext..line];
        let is_event = tag.tag.name(text) == b"Event";
        if self.comment.is_open(text, line) {
            is_event && tag.is_followed_by_tag(text) && !self.comment.is_closed_after(text, line)
        } else {
            is_event
                || ends_with_empty_line(before)
                || ends_with_result(before)
                || tag.is_followed_by_tag(text)
        }
    }

    /// Whether the movetext of another record, without tags, starts with the line whose first word
    /// is here: after a result the first move, or any word after an empty line; without a result
    /// the first move after an empty line.
    fn movetext_starts(&mut self, line: usize, word: usize) -> bool {
        let text = self.text;
        let before = &text[self.movetext..line];
        let is_first_move = match &text[word..] {
            [b'1', b' ', ..] => true,
            rest => starts_with_first_move(rest),
        };
        let is_apart = ends_with_empty_line(before);
        let may_start = if is_first_move {
            is_apart && self.has_moves || ends_with_any_result(before)
        } else {
            is_apart && ends_with_result(before) && !starts_with_result(&text[word..])
        };
        if may_start || !self.has_moves {
            let is_open = self.comment.is_open(text, line) || self.variation.is_open(text, line);
            self.has_moves |= !is_open;
            return may_start && !is_open;
        }
        false
    }

    /// Whether a place, in a line, is in a comment.
    fn is_in_comment(&mut self, place: usize) -> bool {
        self.comment.is_open(self.text, place) || self.line_comment.is_open(self.text, place)
    }

    /// The end of the record, if it is before this place in a line: before a first move or a known
    /// tag, because a result precedes it, or before an Event tag that another tag follows.
    fn ends_within_line(&mut self, place: usize) -> Option<usize> {
        let text = self.text;
        let is_tag = text[place] == b'[';
        let end = if is_tag {
            indented(text, place).max(self.movetext)
        } else {
            place
        };
        let movetext = self.movetext;
        let follows_result = || ends_with_result(&text[movetext..end]);
        if !is_tag {
            let starts = starts_with_first_move(&text[place..]) && follows_result();
            let mut is_open = || self.is_in_comment(end) || self.variation.is_open(text, end);
            return (starts && !is_open()).then_some(end);
        }
        if self.is_in_comment(end) {
            return None;
        }
        let near = &text[..text.len().min(place + NEAR_TAG)];
        let tag = first_tag(near, place)?;
        let starts = tag.is_known(near) && follows_result() || tag.begins_game(near);
        starts.then_some(end)
    }
}

/// Whether a place of a text is inside of brackets of a kind, which do not nest.
struct Nesting {
    opening: u8,
    /// Each of them closes.
    closing: [u8; 2],
    /// The offset up to which the text has been searched.
    at: usize,
    open: bool,
    /// The next bracket that was looked for.
    next: usize,
}

impl Nesting {
    fn new(at: usize, opening: u8, closing: [u8; 2]) -> Self {
        Self {
            opening,
            closing,
            at,
            open: false,
            next: at,
        }
    }

    /// Whether brackets are open at this offset; offsets must ascend.
    fn is_open(&mut self, text: &[u8], at: usize) -> bool {
        let [first, second] = self.closing;
        let mut passed = &text[self.at..at];
        while let Some(last) = memchr::memrchr3(self.opening, first, second, passed) {
            let opens = passed[last] == self.opening;
            if !(opens && self.opening == b'{' && is_hidden(text, self.at + last)) {
                self.open = opens;
                break;
            }
            passed = &passed[..last];
        }
        self.at = at;
        self.open
    }

    /// Whether the next bracket after this offset closes.
    fn is_closed_after(&mut self, text: &[u8], at: usize) -> bool {
        let [first, second] = self.closing;
        if self.next <= at {
            let next = memchr::memchr3(self.opening, first, second, &text[at..]);
            self.next = next.map_or(text.len(), |next| at + next);
        }
        text.get(self.next)
            .is_some_and(|&next| next != self.opening)
    }
}

/// Whether a brace that opens is in a line comment: in a line that starts with `%`, or after `;`
/// and white space before it. After a brace or parenthesis that closes, `;` is taken for text of a
/// comment or of a variation.
fn is_hidden(text: &[u8], brace: usize) -> bool {
    let near = &text[brace.saturating_sub(NEAR_BRACE)..brace];
    let line = match memchr::memrchr2(b'\n', b'\r', near) {
        Some(end) => &near[end + 1..],
        None => near,
    };
    let starts_comment = |&at: &usize| {
        let next = memchr::memchr3(b'{', b'}', b')', &line[at..]);
        let is_apart = at == 0 || line[at - 1].is_ascii_whitespace();
        is_apart && next.is_none_or(|next| line[at + next] == b'{')
    };
    line.starts_with(b"%") || memchr::memchr_iter(b';', line).any(|at| starts_comment(&at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::tags::TagReader;

    /// The records of a text.
    fn split(text: &str) -> Vec<&str> {
        let (mut reader, mut tags) = (TagReader::default(), Vec::new());
        let mut finder = RecordFinder::new(text.as_bytes());
        let mut records = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let section = reader.read(text.as_bytes(), at, &mut tags);
            let end = finder.record_end(at, section.end);
            assert!(end > at, "{text:?} at {at}");
            records.push(&text[at..end]);
            at = end;
        }
        records
    }

    #[test]
    fn records_end_where_another_game_starts() {
        for records in [
            &["[A \"1\"]\n\n1. e4 {\n[%clk 1]} *\n\n", "[A \"2\"]\n\n*\n"][..],
            &["[A \"1\"]\r\r1. e4 *\r\r", "[A \"2\"]\r"],
            &["[A \"1\"]\n[B  \"2\"]\n\n*\n"],
            &["1. e4 *\n", "1. d4 *\n"],
            &["1. e4 {\n1. d4} *\n"],
            &["1. e4 c5\n\n", "1. d4 d5\n\n", "1 c4\n"],
            &["e4 e5 1-0\n\n", "d4 d5 0-1\n\n", "c4 *"],
            &["1. e4 (1. d4\n\n1. c4) *\n"],
            &["1. e4 ; he lost 0-1 1. d4 was better\ne5 *"],
            &["1. e4 ; 1-0 [White \"A\"]\ne5 *"],
            &["1. e4 {; a} 1-0 ", "1. d4 *"],
            &["{a}\n\n1. e4\n\n1... c5\n\n2. Nf3 *"],
            &["[A \"1\"]\n*\n\n", "  [Event \"2\"]\n"],
            &["[A \"1\"]\n\n*\n\n", "\u{feff}[Event \"2\"]\n\n*\n"],
            &["[Event \"1\"]\n\n1. e4 1-0", "[Event \"2\"]\n\n*"],
            &["[Event \"1\"]\n\n1. e4 *", " \u{feff}[Event \"2\"]\n\n*"],
            &["1. e4 1-0", "[White \"A\"]\n\n*"],
            &[
                "1. e4 1/2-1/2",
                " [Site \"A\"][White \"B\"]\n*",
                "[Black \"A\"]",
            ],
            &["1. e4 {1-0[White \"A\"]} 1-0 [Nothing \"x\"] [%x \"1\"]"],
            &["1. e4 1-0 ", "1. d4 0-1 ", "1.c4 * ", "1. e4"],
            &["1. e4 1-0 1... e5"],
            &["1. e4 {1-0 1. d4} (1. d4 1-0 1. c4) e5 *"],
            &["1. e4 1/2\n", "1. d4 ½-½\n", "1. c4 0:1\r\n", "1. d4\n"],
            // A lone tag between moves, and text in comments, end nothing.
            &["[A \"1\"]\n\n1. e4\n[B \"x\"]\ne5 *\n"],
            &["[A \"1\"]\n\n1. e4 {\n[Event \"x\"] by y\n\n1-0\n1. d4} e5 *\n"],
            &["[A \"1\"]\n\n1. e4 {1-0[Event \"x\"]} *\n"],
            &[
                "[A \"1\"]\n\n1. e4 {see\n\n[Event \"x\"]\n[White \"y\"]\n\n1. d4 1-0\n\nand} e5 *\n",
            ],
            // Moves without a result before the first tag of a file that was joined.
            &[
                "[A \"1\"]\n\n1. e4 e5",
                "[Event \"2\"]\n[Site \"x\"]\n\n*\n",
            ],
            &[
                "[A \"1\"]\n\n1. e4 (1. d4)",
                "[Event \"2\"][Site \"x\"]\n\n*\n",
            ],
            // People number a move of Black like that of White.
            &["1. e4 {x}\n1. d5 {y}\n2. exd5 *\n"],
            // Braces in line comments open and close nothing.
            &[
                "[A \"1\"]\n\n1. e4 ; x { y\ne5 *\n\n",
                "[A \"2\"]\n\n1. d4 ; x }\n*\n\n",
                "[A \"3\"]\n\n1. c4 {hi; { }} *\n",
            ],
            &[
                "[A \"1\"]\n\n1. e4\r% {\re5 1-0\r",
                "[A \"2\"]\r\r1. e4 {\r% } 1-0",
                "[Event \"3\"][Site \"x\"]\r",
            ],
            &["[A \"1\"]\n\n1. e4&nbsp;e5 {a\n\n1. d4} 2. Nf3 *\n"],
            &["[A \"1\"]\n\n1. e4 e5 (1... c5 ; good) {a\n\n1. d4} 2. Nf3 *\n"],
            &["[A \"1\"]\n\n1. e4 {a {b} ; c} {d\n\n1. d4} e5 *\n"],
            &["1. e4 ; { x { y\n1. e5 1-0\u{a0}\n", "1. d4 *\n"],
            &[
                "[A \"1\"]\n\n1. e4 {;\n\n[A \"2\"]\n\n} e5 *\n\n",
                "[A \"3\"]\n",
            ],
            // A comment that is not closed does not hide the next game.
            &[
                "[A \"1\"]\n\n1. e4 {x\n\n",
                "[Event \"2\"]\n[Site \"y\"]\n\n1. d4 {z} *\n",
            ],
            &["[A \"1\"]\n1. e4\n", "[White \"2\"]\n[Black \"3\"]\n*\n"],
            &["[FEN \"x\"]\n\n", "[FEN \"y\"]\n\n", "[Event \"z\"]\n"],
            &["text\n\nmore\n"],
            // Tags in other lines than those of tags and moves.
            &["% by [Event \"x\"]\n", "[Event \"1\"]\n[Site \"y\"]\n\n*\n"],
            &["[A \"1\"]\n\n1. e4\n% 1-0 [White \"x\"] 1-0 1. d4\ne5 *\n"],
            &["by [Event \"x\"]\n", "[Event \"1\"]\n[Site \"y\"]\n\n*\n"],
            &["[A \""],
        ] {
            assert_eq!(split(&records.concat()), records);
        }
        assert!(split("").is_empty());
    }

    #[test]
    fn games_start_at_event_tags() {
        let text = b"x\n[Event \"a\"]\n*\n  [Event  \"b\"]\n1-0[Event \"c\"] [EventDate \"d\"] e [Event \"f\"]";
        let starts: Vec<usize> = game_starts(text, 0).collect();
        assert_eq!(starts, [2, 16, 34]);
    }

    #[test]
    fn hostile_movetext_takes_linear_time() {
        for text in [
            "\n\n1. e4".repeat(500_000),
            format!("1. e4 (\n{}", "\n\n1. x".repeat(500_000)),
            format!("1. e4 {{\n{}", "\n\n1. x".repeat(500_000)),
            format!("{{c}}$\n{}", "\n\n1. x".repeat(500_000)),
            "[Event".repeat(500_000),
            "1-0[Event \"".repeat(500_000),
            "1-0[Event \"x\"]".repeat(200_000),
            "1-0[Event \"x\"] e4 ".repeat(200_000),
            "1-0[White \"".repeat(500_000),
            "1-0[White \"x\"] e4 ".repeat(200_000),
            "1 [".repeat(1_000_000),
            format!("1. e4 {{{}", "1-0 1. ".repeat(400_000)),
            format!("1. e4 ({}", "1-0 1. ".repeat(400_000)),
            "1-0 1. ".repeat(300_000),
            " 1.".repeat(1_000_000),
            format!("1. e4 {}", "       [".repeat(300_000)),
            "\u{feff}[Event \"x\"]".repeat(200_000),
            format!(
                "1. e4 {{\n{}}}",
                "[Event \"x\"]\n[Site \"y\"]\n".repeat(300_000)
            ),
            "\n".repeat(3_000_000),
            " \n".repeat(1_500_000),
            "\n[".repeat(1_500_000),
        ] {
            assert_eq!(split(&text).concat(), text);
        }
    }
}
