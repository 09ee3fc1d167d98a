//! Records: their boundaries in a text, and the tags at their start.
//!
//! A record starts at a line that looks like a tag and follows one that does not. Only lines in
//! the standard form are parsed as tags: `[Name "value"]` and a line end, with the same line end
//! for all tags of a record and no name twice. The first line of another form ends the tags; it
//! and the rest belong to the movetext, where they are stored as text.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::container::{MAX_RECORD_TAGS, MAX_TAG_NAME_LEN};

/// Results, which end the moves of a game.
pub const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Line end of a record's tag lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// `\n`
    #[default]
    Lf = 0,
    /// `\r\n`
    CrLf = 1,
    /// `\r`
    Cr = 2,
}

impl LineEnd {
    /// All line ends by number.
    pub const ALL: [Self; 3] = [Self::Lf, Self::CrLf, Self::Cr];

    /// Its bytes.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::Cr => b"\r",
        }
    }

    /// The line end at the start of `text`.
    fn at(text: &[u8]) -> Option<Self> {
        match text {
            [b'\n', ..] => Some(Self::Lf),
            [b'\r', b'\n', ..] => Some(Self::CrLf),
            [b'\r', ..] => Some(Self::Cr),
            _ => None,
        }
    }
}

/// A tag: ranges of its name and value in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Name.
    pub name: Range<usize>,
    /// Value between the quotes, with its escapes.
    pub value: Range<usize>,
}

/// Parses the tags of records. Most records have the same tags in the same order, so each tag is
/// first compared with the one in the same position of the previous record.
#[derive(Debug, Default)]
pub struct TagReader {
    /// `[Name "` of each tag of the last record whose list differed; names are distinct.
    heads: Vec<Vec<u8>>,
}

impl TagReader {
    /// Parses the tags at `start`; returns their line end and the offset after them.
    pub fn read(&mut self, text: &[u8], start: usize, tags: &mut Vec<Tag>) -> (LineEnd, usize) {
        tags.clear();
        let mut position = start;
        let mut line_end = None;
        let mut as_predicted = true;
        while tags.len() < MAX_RECORD_TAGS {
            let line = &text[position..];
            let head = self.heads.get(tags.len());
            let expected = head.filter(|head| as_predicted && line.starts_with(head));
            let Some(name_len) = expected
                .map(|head| head.len() - 3)
                .or_else(|| tag_name_len(line))
            else {
                break;
            };
            let Some((tag, end, after)) = read_tag(text, position, name_len) else {
                break;
            };
            let again = |t: &Tag| text[t.name.clone()] == text[tag.name.clone()];
            let repeated = expected.is_none() && tags.iter().any(again);
            if repeated || line_end.is_some_and(|first| first != end) {
                break;
            }
            as_predicted &= expected.is_some();
            line_end = Some(end);
            tags.push(tag);
            position = after;
        }
        if !as_predicted {
            self.heads.resize(tags.len(), Vec::new());
            for (head, tag) in self.heads.iter_mut().zip(tags) {
                head.clear();
                head.extend_from_slice(&text[tag.name.start - 1..tag.value.start]);
            }
        }
        (line_end.unwrap_or_default(), position)
    }
}

/// Length of the name in the tag line at the start of `line`.
fn tag_name_len(line: &[u8]) -> Option<usize> {
    let rest = line.strip_prefix(b"[")?;
    let is_name = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let len = rest
        .iter()
        .take(MAX_TAG_NAME_LEN as usize)
        .take_while(|c| is_name(c))
        .count();
    (len > 0 && rest[len..].starts_with(b" \"")).then_some(len)
}

/// Parses the tag line at `start`, given the length of its name.
#[inline]
fn read_tag(text: &[u8], start: usize, name_len: usize) -> Option<(Tag, LineEnd, usize)> {
    let name = start + 1..start + 1 + name_len;
    let value_start = name.end + 2;
    // The value ends at the quote that is followed by `]` and a line end.
    let rest = &text[value_start..];
    let mut len = 0;
    loop {
        len += memchr::memchr3(b'"', b'\n', b'\r', &rest[len..])?;
        // A CR or LF inside the value would end the line before its quote.
        if rest[len] != b'"' {
            return None;
        }
        if let Some(line_end) = rest[len + 1..].strip_prefix(b"]").and_then(LineEnd::at) {
            let value = value_start..value_start + len;
            let after = value.end + 2 + line_end.bytes().len();
            return Some((Tag { name, value }, line_end, after));
        }
        len += 1;
    }
}

/// Whether only blanks precede `at` in its line.
fn starts_line(text: &[u8], at: usize) -> bool {
    let blanks = text[..at]
        .iter()
        .rev()
        .take_while(|c| matches!(c, b' ' | b'\t'))
        .count();
    matches!(text[..at - blanks].last(), None | Some(b'\n' | b'\r'))
}

/// Offset of another game without tags in movetext: a line that starts with move 1 and follows a
/// result.
fn restart(movetext: &[u8]) -> Option<usize> {
    let ended = |text: &[u8]| {
        RESULTS
            .iter()
            .any(|result| text.trim_ascii_end().ends_with(result))
    };
    memmem::find_iter(movetext, b"\n1.")
        .map(|i| i + 1)
        .find(|&line| ended(&movetext[..line]))
}

/// Whether a line looks like a tag, in the standard form or another.
fn looks_like_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else {
        return false;
    };
    let line = &rest[..memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
    line.first().is_some_and(u8::is_ascii_alphabetic) && memchr(b'"', line).is_some()
}

/// Finds the ends of records. It must be called with ascending offsets; then it reads each byte a
/// bounded number of times.
#[derive(Debug)]
pub struct RecordFinder<'t> {
    text: &'t [u8],
    /// The next tag after each kind of line end, and the next indented Event tag.
    next: [(memmem::Finder<'static>, Option<usize>); 3],
}

impl<'t> RecordFinder<'t> {
    /// A finder for a text.
    pub fn new(text: &'t [u8]) -> Self {
        let finders = [&b"\n["[..], b"\r[", b" [Event \""].map(memmem::Finder::new);
        Self {
            text,
            next: finders.map(|finder| (finder, None)),
        }
    }

    /// End of the record whose movetext starts at `start`: the next line that looks like a tag and
    /// follows one that does not, or the end of the text. White space before an indented tag
    /// belongs to the record before it.
    pub fn record_end(&mut self, start: usize) -> usize {
        let mut from = start;
        // Nonstandard tag lines directly after the tags belong to this record.
        while looks_like_tag(&self.text[from..]) {
            match memchr::memchr2(b'\n', b'\r', &self.text[from..]) {
                Some(len) => from += len,
                None => return self.text.len(),
            }
            from += LineEnd::at(&self.text[from..]).map_or(0, |end| end.bytes().len());
        }
        let text = self.text;
        let nearest = self.next.iter_mut().map(|(finder, next)| {
            if let Some(found) = next.filter(|&found| found >= from) {
                return found;
            }
            // The line at `from` itself counts if a line ends before it.
            let search = from.saturating_sub(1);
            let found = finder
                .find_iter(&text[search..])
                .map(|i| search + i + 1)
                .find(|&at| starts_line(text, at) && looks_like_tag(&text[at..]));
            *next.insert(found.unwrap_or(text.len()))
        });
        let end = nearest.min().expect("three finders");
        start + restart(&text[start..end]).unwrap_or(end - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> (Vec<(&str, &str)>, LineEnd, &str) {
        let mut tags = Vec::new();
        let mut reader = TagReader::default();
        let (line_end, end) = reader.read(text.as_bytes(), 0, &mut tags);
        // The tags do not depend on the record before.
        let first = tags.clone();
        for before in [
            text,
            "[A \"1\"]\n[Event \"x\"]\n",
            "[Event \"x\"]\n[White \"x\"]\n",
        ] {
            reader.read(before.as_bytes(), 0, &mut tags);
            let again = reader.read(text.as_bytes(), 0, &mut tags);
            assert_eq!((again, &tags), ((line_end, end), &first));
        }
        let pairs = tags
            .into_iter()
            .map(|t| (&text[t.name], &text[t.value]))
            .collect();
        (pairs, line_end, &text[end..])
    }

    #[test]
    fn parses_standard_tags_up_to_the_first_other_line() {
        let (pairs, line_end, rest) =
            tags("[Event \"a\"]\n[White \"x \\\"y\\\" z\"]\n[Odd  \"b\"]\n\n1. e4");
        assert_eq!(pairs, [("Event", "a"), ("White", "x \\\"y\\\" z")]);
        assert_eq!((line_end, rest), (LineEnd::Lf, "[Odd  \"b\"]\n\n1. e4"));
    }

    #[test]
    fn a_changed_line_end_or_a_repeated_name_ends_the_tags() {
        assert_eq!(tags("[A \"1\"]\r\n[B \"2\"]\n").2, "[B \"2\"]\n");
        assert_eq!(tags("[A \"1\"]\n[A \"2\"]\n").2, "[A \"2\"]\n");
        assert_eq!(tags("[A \"1\"]\r[B \"\"]\r").1, LineEnd::Cr);
        for text in [
            "[A \"1\"] \n",
            "[A \"1\n\"]\n",
            "[A \"1\"]",
            "[ \"1\"]\n",
            "[A-b \"1\"]\n",
            "[",
            "[A \"",
        ] {
            assert_eq!(tags(text).2, text);
        }
        assert_eq!(tags("[A \"a\"]b\"]\n").0, [("A", "a\"]b")]);
    }

    #[test]
    fn records_end_at_the_next_tags() {
        let end = |text: &str, start: usize| RecordFinder::new(text.as_bytes()).record_end(start);
        let text = "[A \"1\"]\n\n1. e4 {\n[%clk 1]} *\n\n[A \"2\"]\n\n*\n";
        assert_eq!(end(text, 8), 30);
        assert_eq!(end(text, 40), text.len());
        assert_eq!(end("[A \"1\"]\r\r1. e4 *\r\r[A \"2\"]\r", 8), 18);
        // A nonstandard tag line belongs to the tags it follows.
        assert_eq!(end("[A \"1\"]\n[B  \"2\"]\n\n*\n", 8), 20);
        assert_eq!(end("1. e4 *\n1. d4 *\n", 0), 8);
        assert_eq!(end("1. e4 {\n1. d4} *\n", 0), 17);
        assert_eq!(end("[A \"1\"]\n*\n\n  [Event \"2\"]\n", 8), 13);
        assert_eq!(end("", 0), 0);
        assert_eq!(end("[A \"", 0), 4);
    }
}
