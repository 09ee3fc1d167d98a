//! The tag section of a record, as programs and people write it.
//!
//! In the standard form a tag is a line `[Name "value"]`, and all tag lines of a section end alike.
//! Most sections have this form, and the tags of the section before in the same order, so each line
//! is first compared with the expected one. Sections in other forms are read too. They may have
//!
//! - blanks before, inside and after the brackets, or no blank before the value;
//! - several tags on a line, line ends of several kinds, or movetext on the line of the last tag;
//! - empty lines, comments, and lines in brackets that are not tags, between tags;
//! - before a known name that is new to the section, a line of other text, or such text after the
//!   tag before;
//! - a byte order mark, or the end-of-file character of DOS, before the first tag;
//! - [`known`] names in other letter case, and repeated names;
//! - for known names next to another tag: values in other quotes or without quotes, values that are
//!   not closed or continue on the next lines, a line end before the value or the closing bracket,
//!   a colon or an equals sign before the value, and lines without brackets.
//!
//! A section ends before anything else, and before the tags of another record: an Event tag or a
//! repeated name after an empty line or a comment, or an Event tag that begins the same tags again.
//!
//! [`section`](super::section) describes how a section in another form is stored.

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

use super::{
    line_end::{LineEnd, line_len, next_line},
    marks, words,
};
use crate::container::{MAX_RECORD_TAGS, MAX_TAG_NAME_LEN, tag_names::known};

/// Limit of the length of a comment between tags, in bytes. A longer one ends the section, so that
/// an unclosed comment is searched a bounded number of times.
const MAX_COMMENT_LEN: usize = 4096;
/// Limit of the length of a line of other text between tags, in bytes.
const MAX_OTHER_LINE_LEN: usize = 200;
/// Bytes of a line in which the end of a tag is looked for at first, so that many tags on one line
/// take linear time.
const NEAR: usize = 512;
/// Quotes that values have in place of `"`, the longest first.
const OTHER_QUOTES: [&str; 12] = [
    "&quot;", "“", "”", "„", "‟", "«", "»", "‘", "’", "‚", "''", "'",
];
/// Limit of the number of lines of a value.
const MAX_VALUE_LINES: usize = 8;

/// A tag in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name as it is written.
    pub written: Range<usize>,
    /// The value between the quotes, with its escapes.
    pub value: Range<usize>,
    /// The value and its words, if it is written on several lines (`marks::join_lines`).
    pub joined: Option<Box<marks::Joined>>,
    /// The known name, if it is written in other letter case.
    known: Option<&'static str>,
}

impl Tag {
    /// Moves the tag: the text that it was read from begins here in another one.
    pub fn shift(&mut self, by: usize) {
        for range in [&mut self.written, &mut self.value] {
            *range = range.start + by..range.end + by;
        }
    }

    /// The name; a known one in its standard letter case.
    #[inline]
    pub fn name<'t>(&'t self, text: &'t [u8]) -> &'t [u8] {
        match self.known {
            None => &text[self.written.clone()],
            Some(known) => known.as_bytes(),
        }
    }

    /// Whether the name is written in the letter case of [`name`](Self::name).
    pub fn is_written_as_named(&self) -> bool {
        self.known.is_none()
    }
}

/// The value of the first tag with this name.
pub fn find<'t>(text: &'t [u8], tags: &[Tag], name: &[u8]) -> Option<&'t [u8]> {
    let tag = tags.iter().find(|tag| tag.name(text) == name)?;
    Some(&text[tag.value.clone()])
}

/// Where a tag section ends, and how it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TagSection {
    /// The offset after it.
    pub end: usize,
    /// The line end of its lines if it has the standard form, or no tags; otherwise `None`.
    pub standard: Option<LineEnd>,
}

/// Reads the tag sections of records.
#[derive(Debug, Default)]
pub struct TagReader {
    /// `[Name "` of each tag of the last section whose list differed.
    heads: Vec<Vec<u8>>,
}

impl TagReader {
    /// Reads the section at `start`: its first [`MAX_RECORD_TAGS`] tags, and its end. It is empty
    /// if no tag starts there.
    pub fn read(&mut self, text: &[u8], start: usize, tags: &mut Vec<Tag>) -> TagSection {
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
                .or_else(|| standard_name_len(line))
            else {
                break;
            };
            let Some((tag, end)) = read_standard(text, position, name_len) else {
                break;
            };
            let name = &text[tag.written.clone()];
            let is_odd = || {
                in_other_case(name).is_some()
                    || name.ends_with(b":")
                    || find(text, tags, name).is_some()
            };
            if line_end.is_some_and(|first| first != end) || (expected.is_none() && is_odd()) {
                break;
            }
            as_predicted &= expected.is_some();
            line_end = Some(end);
            position = tag.value.end + 2 + end.bytes().len();
            tags.push(tag);
        }
        let mut section = TagSection {
            end: position,
            standard: Some(line_end.unwrap_or_default()),
        };
        if !is_over(text, position) {
            section.end = read_on(text, position, tags);
            if section.end != position {
                section.standard = standard_form(text, start..section.end, tags);
            }
        }
        if !as_predicted || section.end != position {
            self.heads.resize(tags.len(), Vec::new());
            for (head, tag) in self.heads.iter_mut().zip(tags) {
                head.clear();
                head.push(b'[');
                head.extend_from_slice(tag.name(text));
                head.extend_from_slice(b" \"");
            }
        }
        section
    }
}

/// Whether a section certainly ends here: before an empty line, after which moves start.
#[inline]
fn is_over(text: &[u8], at: usize) -> bool {
    let rest = &text[at..];
    match LineEnd::at(rest) {
        None => rest.is_empty(),
        Some(end) => rest
            .get(end.bytes().len())
            .is_none_or(|c| c.is_ascii_alphanumeric() || *c == b'*'),
    }
}

/// Length of the name in the tag line at the start of `line`, if it is in the standard form up to
/// the quote.
fn standard_name_len(line: &[u8]) -> Option<usize> {
    let rest = line.strip_prefix(b"[")?;
    let len = name_len(rest)?;
    rest[len..].starts_with(b" \"").then_some(len)
}

/// Length of the tag name at the start of a text.
fn name_len(text: &[u8]) -> Option<usize> {
    let starts_name = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    let is_in_name = |c: u8| starts_name(c) || b"+#=:.-".contains(&c);
    let max = MAX_TAG_NAME_LEN as usize;
    let letters = text.iter().take(max + 1).take_while(|c| is_in_name(**c));
    let len = letters.count();
    (len <= max && text.first().is_some_and(|c| starts_name(*c))).then_some(len)
}

/// The known name that is written here in other letter case.
fn in_other_case(name: &[u8]) -> Option<&'static str> {
    known(name).filter(|known| known.as_bytes() != name)
}

/// Reads the tag line in the standard form at `start`, given the length of its name, if its value
/// contains no quote.
#[inline]
fn read_standard(text: &[u8], start: usize, name_len: usize) -> Option<(Tag, LineEnd)> {
    let written = start + 1..start + 1 + name_len;
    let value_start = written.end + 2;
    let rest = &text[value_start..];
    let len = memchr3(b'"', b'\n', b'\r', rest)?;
    let end = LineEnd::at(rest[len..].strip_prefix(b"\"]")?)?;
    let tag = Tag {
        written,
        value: value_start..value_start + len,
        joined: None,
        known: None,
    };
    Some((tag, end))
}

/// The line end of a section with these tags, if it has the standard form.
fn standard_form(text: &[u8], section: Range<usize>, tags: &[Tag]) -> Option<LineEnd> {
    let mut at = section.start;
    let mut line_end = None;
    for tag in tags {
        let end = LineEnd::at(text[tag.value.end..].strip_prefix(b"\"]")?)?;
        let is_standard = tag.is_written_as_named()
            && tag.joined.is_none()
            && &text[at..tag.written.start] == b"["
            && &text[tag.written.end..tag.value.start] == b" \""
            && *line_end.get_or_insert(end) == end;
        is_standard.then_some(())?;
        at = tag.value.end + 2 + end.bytes().len();
    }
    line_end.filter(|_| at == section.end)
}

/// Reads the rest of a section, which is not in the standard form there, after these tags. Returns
/// its end.
fn read_on(text: &[u8], from: usize, tags: &mut Vec<Tag>) -> usize {
    let mut section_end = from;
    let mut at = from;
    loop {
        let (bracket, is_separated) = match tags.as_slice() {
            [] => (at + indent(&text[at..]), false),
            _ => match skip_between(text, at) {
                Some(found) => found,
                None => match after_other_line(text, at, section_end, tags) {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => return section_end,
                },
            },
        };
        let read = match tags.as_slice() {
            [] => first_tag(text, bracket),
            _ if text[bracket] != b'[' => read_bare_tag(text, bracket),
            _ => read_tag(text, bracket).filter(|read| read.is_proper || read.is_known(text)),
        };
        let Some(ReadTag { tag, end, .. }) = read else {
            if tags.is_empty() {
                return section_end;
            }
            // A line in brackets that is not a tag.
            let line = short_line(&text[bracket..], NEAR)
                .filter(|line| !is_separated && looks_like_tag(line) && !has_mark(line));
            if let Some(line) = line {
                at = next_line(text, bracket + line.len());
                let is_apart = LineEnd::at(&text[at + blanks(&text[at..])..]).is_some();
                if is_label(line) && (is_apart || !words::starts_with_move(&line[1..])) {
                    section_end = at;
                }
                continue;
            }
            match after_other_line(text, at, section_end, tags) {
                Some(next) => {
                    at = next;
                    continue;
                }
                None => return section_end,
            }
        };
        let name = tag.name(text);
        let is_event = name == b"Event";
        let repeats = |name: &[u8]| find(text, tags, name).is_some();
        let begins_again = || {
            let next = end_of_line(text, end).and_then(|next| read_tag(text, next));
            next.is_some_and(|next| repeats(next.tag.name(text)))
        };
        let is_next_record = !tags.is_empty()
            && if is_separated {
                is_event || repeats(name)
            } else {
                is_event && repeats(name) && begins_again()
            };
        if is_next_record {
            return section_end;
        }
        if tags.len() < MAX_RECORD_TAGS {
            tags.push(tag);
        }
        // The section includes the line end of its last tag.
        section_end = end_of_line(text, end).unwrap_or(end);
        at = section_end;
    }
}

/// The offset after the line end here and the blanks that follow it.
fn after_line_end(text: &[u8], at: usize) -> Option<usize> {
    let next = at + LineEnd::at(&text[at..])?.bytes().len();
    Some(next + blanks(&text[next..]))
}

/// The offset after the blanks and the HTML tags here.
fn after_markup(text: &[u8], mut at: usize) -> usize {
    at += blanks(&text[at..]);
    while let Some(len) = words::markup_len(&text[at..]) {
        at += len;
        at += blanks(&text[at..]);
    }
    at
}

/// The start of the next line, if only blanks and HTML tags follow in this one.
fn end_of_line(text: &[u8], at: usize) -> Option<usize> {
    let end = after_markup(text, at);
    let line_end = LineEnd::at(&text[end..]);
    (line_end.is_some() || end == text.len()).then(|| next_line(text, end))
}

/// Skips what may be between two tags, from after the line end of the first one. Returns the offset
/// of the next bracket, or of a tag without brackets, and whether an empty line or a comment
/// precedes it. HTML tags are skipped.
fn skip_between(text: &[u8], from: usize) -> Option<(usize, bool)> {
    let starts_line = |at: usize| at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    let mut at = from;
    let mut is_separated = false;
    loop {
        at += indent(&text[at..]);
        let len = match text.get(at)? {
            b'[' => return Some((at, is_separated)),
            c if c.is_ascii_alphabetic() => {
                return read_bare_tag(text, at).map(|_| (at, is_separated));
            }
            b'\n' | b'\r' => {
                is_separated |= starts_line(at);
                next_line(text, at) - at
            }
            b'<' => words::markup_len(&text[at..])?,
            b';' => line_len(&text[at..]),
            b'%' if starts_line(at) => line_len(&text[at..]),
            b'{' => {
                let rest = &text[at..text.len().min(at + MAX_COMMENT_LEN)];
                memchr(b'}', rest)? + 1
            }
            _ => return None,
        };
        let skipped = &text[at..at + len];
        is_separated |= matches!(skipped, [b';' | b'%' | b'{', ..]);
        if has_mark(skipped) {
            return None;
        }
        at += len;
    }
}

/// The line at the start of a text, if it has at most `max` bytes.
fn short_line(text: &[u8], max: usize) -> Option<&[u8]> {
    let near = &text[..text.len().min(max + 1)];
    Some(&near[..line_len(near)]).filter(|line| line.len() <= max)
}

/// The start of the next line, if the rest of this one is other text directly after the section and
/// a known name that is new to it follows. Text that may be moves is no other text.
fn after_other_line(text: &[u8], at: usize, section_end: usize, tags: &[Tag]) -> Option<usize> {
    let line = short_line(&text[at..], MAX_OTHER_LINE_LEN)?;
    let first = *line.trim_ascii_start().first()?;
    let may_be_moves = first.is_ascii_digit()
        || matches!(first, b'*' | b'(' | b'{' | b'$')
        || words::starts_with_move(line);
    if at != section_end || has_mark(line) || may_be_moves {
        return None;
    }
    let next = next_line(text, at);
    let read = read_tag(text, next + indent(&text[next..]))?;
    let name = read.tag.name(text);
    let is_new = name != b"Event" && find(text, tags, name).is_none();
    (is_new && read.is_proper && read.is_known(text)).then_some(next)
}

fn has_mark(text: &[u8]) -> bool {
    text.iter().any(|&c| marks::is_mark(c))
}

/// Whether a line looks like a tag, although it is not read as one: it begins with a bracket and a
/// letter, or is a label.
fn looks_like_tag(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_alphabetic)) || is_label(line)
}

/// Whether a line is in brackets, and no command such as `[%clk 0:01:00]`.
fn is_label(line: &[u8]) -> bool {
    let inner = line.trim_ascii_end().strip_prefix(b"[");
    let inner = inner.and_then(|inner| inner.strip_suffix(b"]"));
    inner.is_some_and(|inner| !inner.contains(&b']') && !inner.starts_with(b"%"))
}

/// Length of the blanks at the start of a text: spaces, tabs and no-break spaces.
fn blanks(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        len += match &text[len..] {
            [b' ' | b'\t' | 0xa0, ..] => 1,
            [0xc2, 0xa0, ..] => 2,
            _ => return len,
        };
    }
}

/// Length of what may precede a tag in its line: blanks, byte order marks, and the end-of-file
/// character of DOS.
pub(super) fn indent(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        len += match &text[len..] {
            [b' ' | b'\t' | 0xa0 | 0x1a, ..] => 1,
            [0xc2, 0xa0, ..] => 2,
            [0xef, 0xbb, 0xbf, ..] => 3,
            _ => return len,
        };
    }
}

/// The start of what precedes the tag at this bracket in its line.
pub(super) fn indented(text: &[u8], bracket: usize) -> usize {
    let mut start = bracket;
    loop {
        start -= match &text[..start] {
            [.., b' ' | b'\t' | 0x1a] => 1,
            [.., 0xc2, 0xa0] => 2,
            [.., 0xef, 0xbb, 0xbf] => 3,
            _ => return start,
        };
    }
}

/// A tag that has been read.
pub(super) struct ReadTag {
    pub(super) tag: Tag,
    /// The offset after it.
    pub(super) end: usize,
    /// Whether its value is in double quotes and on one line, and its bracket is closed.
    is_proper: bool,
}

impl ReadTag {
    /// Whether its name is a known one.
    pub(super) fn is_known(&self, text: &[u8]) -> bool {
        known(self.tag.name(text)).is_some()
    }

    /// The tag that follows, on the same line or on the next.
    fn next(&self, text: &[u8]) -> Option<Self> {
        let next = end_of_line(text, self.end).unwrap_or_else(|| after_markup(text, self.end));
        read_tag(text, next + indent(&text[next..]))
    }

    /// Whether another tag follows, on the same line or on the next.
    pub(super) fn is_followed_by_tag(&self, text: &[u8]) -> bool {
        self.next(text).is_some()
    }

    /// Whether it is an Event tag, and a tag of another name follows.
    pub(super) fn begins_game(&self, text: &[u8]) -> bool {
        let is_event = |read: &Self| read.tag.name(text) == b"Event";
        is_event(self) && self.next(text).is_some_and(|next| !is_event(&next))
    }
}

/// The tag at the start of a record, if a record may start at this bracket. A tag that is not
/// written properly must have a known name and be followed by another tag.
pub(super) fn first_tag(text: &[u8], bracket: usize) -> Option<ReadTag> {
    let read = read_tag(text, bracket)?;
    let accepted = read.is_proper || (read.is_known(text) && read.is_followed_by_tag(text));
    accepted.then_some(read)
}

/// Reads a tag in any form at this bracket.
fn read_tag(text: &[u8], bracket: usize) -> Option<ReadTag> {
    let inner = text[bracket..].strip_prefix(b"[")?;
    read_from_name(text, bracket + 1 + blanks(inner))
}

/// Reads a tag without brackets, which is a known name and a value in quotes on a line of its own.
fn read_bare_tag(text: &[u8], line: usize) -> Option<ReadTag> {
    let bare = short_line(&text[line..], NEAR)?;
    let is_closed = bare.trim_ascii_end().ends_with(b"\"");
    let read = is_closed.then(|| read_from_name(text, line))??;
    let is_quoted = text[read.tag.value.start - 1] == b'"' && read.end == line + bare.len();
    (is_quoted && read.is_known(text)).then_some(read)
}

/// Reads a tag from its name on.
fn read_from_name(text: &[u8], name_start: usize) -> Option<ReadTag> {
    let mut written = name_start..name_start + name_len(&text[name_start..])?;
    let mut quote = written.end + blanks(&text[written.end..]);
    let has_sign = match sign_after_known(&text[written.start..]) {
        Some((name_len, len)) => {
            written.end = written.start + name_len;
            quote = written.start + len;
            true
        }
        None => false,
    };
    let below = after_line_end(text, quote).filter(|&below| text[below..].starts_with(b"\""));
    let is_below = below.is_some();
    let quote = below.unwrap_or(quote);
    let line = line_of_value(&text[quote..]);
    let (value, end, is_proper) = match line {
        [b'"', ..] => quoted(text, quote + 1, &line[1..]),
        _ if let Some(len) = other_quote_len(line)
            && let Some(read) = enclosed(quote + len, &line[len..]) =>
        {
            read
        }
        [first, ..] if quote > written.end && *first != b']' && !has_sign => {
            let value = line.trim_ascii_end().strip_suffix(b"]")?.trim_ascii_end();
            let is_bare = !value.iter().any(|c| b"\"[]".contains(c));
            is_bare.then_some(())?;
            let bracket = memchr(b']', line)?;
            (quote..quote + value.len(), quote + bracket + 1, false)
        }
        _ => return None,
    };
    let tag = Tag {
        known: in_other_case(&text[written.clone()]),
        written,
        joined: marks::join_lines(&text[value.clone()]),
        value,
    };
    Some(ReadTag {
        tag,
        end,
        is_proper: is_proper && !has_sign && !is_below,
    })
}

/// The length of the known name at the start of a text that a colon or an equals sign follows, and
/// the length up to the value after it.
fn sign_after_known(text: &[u8]) -> Option<(usize, usize)> {
    let is_sign = |c: &u8| matches!(c, b':' | b'=');
    let sign = text
        .iter()
        .take(1 + MAX_TAG_NAME_LEN as usize)
        .position(is_sign)?;
    let name = text[..sign].trim_ascii_end();
    known(name)?;
    Some((name.len(), sign + 1 + blanks(&text[sign + 1..])))
}

/// The line at the start of a text, or its start if the value there ends near. A value in other
/// quotes must end near.
fn line_of_value(text: &[u8]) -> &[u8] {
    let near = &text[..text.len().min(NEAR)];
    let len = line_len(near);
    let is_long = len == NEAR
        && near
            .strip_prefix(b"\"")
            .is_some_and(|value| closing_quote(value).is_none());
    &text[..if is_long { line_len(text) } else { len }]
}

/// A value with its range, the offset after the tag, and whether it is written properly.
type ReadValue = (Range<usize>, usize, bool);

/// The value in double quotes that starts at `start`, where `line` is the rest of its line.
fn quoted(text: &[u8], start: usize, line: &[u8]) -> ReadValue {
    if let Some((len, after)) = closing_quote(line) {
        // A tag that was cut off where another file begins.
        if let Some(cut) = memmem::find(&line[..len], b"[Event \"") {
            return (start..start + cut, start + cut, false);
        }
        return (start..start + len, start + after, true);
    }
    let value = line.trim_ascii_end();
    let line_end = start + line.len();
    if let Some(value) = value.strip_suffix(b"\"")
        && let Some(below) = after_line_end(text, line_end)
        && text[below..].starts_with(b"]")
    {
        return (start..start + value.len(), below + 1, false);
    }
    let mut at = next_line(text, line_end);
    for _ in 1..MAX_VALUE_LINES {
        let rest = &text[at..][..line_len(&text[at..])];
        if rest.trim_ascii().is_empty() || rest[indent(rest)..].starts_with(b"[") {
            break;
        }
        if let Some((len, after)) = closing_quote(rest) {
            return (start..at + len, at + after, false);
        }
        at = next_line(text, at);
    }
    // The value is not closed, or by another quote.
    let value = value.strip_suffix(b"]").unwrap_or(value);
    let value = strip_quote(value).unwrap_or(value);
    (start..start + value.len(), line_end, false)
}

/// The quote that closes the value at the start of a line: its offset, and the offset after the
/// bracket that follows it. It is the first quote before a bracket that ends the line or is
/// followed by another tag; or, if there is none, the first before a bracket.
fn closing_quote(line: &[u8]) -> Option<(usize, usize)> {
    let mut closing = memchr::memchr_iter(b'"', line).filter_map(|quote| {
        let bracket = quote + 1 + blanks(&line[quote + 1..]);
        (line.get(bracket) == Some(&b']')).then_some((quote, bracket + 1))
    });
    let ends_tag = |&(_, after): &(usize, usize)| {
        let rest = line[after_markup(line, after)..].trim_ascii_start();
        rest.is_empty() || rest.starts_with(b"[")
    };
    let mut first = None;
    closing
        .find(|found| {
            first.get_or_insert(*found);
            ends_tag(found)
        })
        .or(first)
}

/// The length of another quote than `"` at the start of a text.
fn other_quote_len(text: &[u8]) -> Option<usize> {
    let mut quotes = OTHER_QUOTES.iter().map(|quote| quote.as_bytes());
    quotes
        .find(|quote| text.starts_with(quote))
        .map(<[u8]>::len)
}

/// A value without the quote at its end.
fn strip_quote(value: &[u8]) -> Option<&[u8]> {
    let mut quotes = OTHER_QUOTES.iter().chain(&["\""]);
    quotes.find_map(|quote| value.strip_suffix(quote.as_bytes()))
}

/// The value at the start of `line`, which is at `start`, up to a quote and a bracket.
fn enclosed(start: usize, line: &[u8]) -> Option<ReadValue> {
    let bracket = memchr(b']', line)?;
    let value = strip_quote(line[..bracket].trim_ascii_end())?;
    Some((start..start + value.len(), start + bracket + 1, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags of a text, its line end in the standard form, and what follows the section.
    fn read(text: &str) -> (Vec<(String, String)>, Option<LineEnd>, String) {
        let mut tags = Vec::new();
        let mut reader = TagReader::default();
        let section = reader.read(text.as_bytes(), 0, &mut tags);
        // The section before has no influence.
        let first = tags.clone();
        for before in [
            text,
            "[A \"1\"]\n[Event \"x\"]\n",
            "[Event \"x\"]\n[White \"x\"]\n",
        ] {
            reader.read(before.as_bytes(), 0, &mut tags);
            let again = reader.read(text.as_bytes(), 0, &mut tags);
            assert_eq!((again, &tags), (section, &first));
        }
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let pair = |tag: &Tag| {
            let value = match &tag.joined {
                Some(joined) => &joined.value,
                None => &text.as_bytes()[tag.value.clone()],
            };
            (string(tag.name(text.as_bytes())), string(value))
        };
        let pairs = tags.iter().map(pair).collect();
        (pairs, section.standard, text[section.end..].to_string())
    }

    fn assert_tags(text: &str, expected: &[(&str, &str)], rest: &str) {
        let (tags, _, after) = read(text);
        let tags: Vec<_> = tags.iter().map(|(n, v)| (&n[..], &v[..])).collect();
        assert_eq!((&tags[..], &after[..]), (expected, rest), "{text:?}");
    }

    #[test]
    fn standard_sections_have_one_line_end_and_known_names_in_their_case() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("[Event \"a\"]{end}[White \"x \\\"y\\\" z\"]{end}{end}1. e4");
            let (tags, line_end, rest) = read(&text);
            assert_eq!(tags[1], ("White".into(), "x \\\"y\\\" z".into()));
            assert_eq!(line_end.unwrap().bytes(), end.as_bytes());
            assert_eq!(rest, format!("{end}1. e4"));
        }
        for text in [
            "[A \"1\"]\r\n[B \"2\"]\n",
            "[A \"1\"] \n",
            "[A  \"1\"]\n",
            "[white \"1\"]\n",
            "[A \"1\"]",
            "\u{feff}[A \"1\"]\n",
        ] {
            let (tags, line_end, rest) = read(text);
            assert!(
                !tags.is_empty() && line_end.is_none() && rest.is_empty(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn tags_are_read_in_the_forms_that_people_write() {
        let both = [("White", "A"), ("Black", "B")];
        for (white, black) in [
            ("  [White \"A\"]", "\t[Black \"B\"]"),
            ("[White \"A\"]  ", "[Black \"B\"]\t"),
            ("[ White \"A\" ]", "[\tBlack\t\"B\"\t]"),
            ("[White\"A\"]", "[Black\"B\"]"),
            ("[White \"A\"] [Black \"B\"]", ""),
            ("[White \"A\"][Black \"B\"]", ""),
            ("[white \"A\"]", "[BLACK \"B\"]"),
            ("[White \"A\"]", "\n[Black \"B\"]"),
            ("[White \"A\"]", "; a note\n% another\n[Black \"B\"]"),
            ("[White \"A\"]", "{[a \"b\"]\n}\n[Black \"B\"]"),
            ("[White \"A\"]", "[Not a tag\n[Black \"B\"]"),
            ("\u{feff}[White \"A\"]", "[Black \"B\"]"),
            ("[White 'A']", "[Black “B”]"),
            ("[White A]", "[Black „B“]"),
            ("[White \"A]", "[Black \"B"),
            ("[White \"A\"", "[Black B]"),
            ("[White \"A\"]", "Black \"B\""),
            ("[White: \"A\"]", "[Black = \"B\"]"),
            ("[White =\"A\"]", "[Black : 'B']"),
            ("[White\u{a0}\"A\"]", "[Black \u{a0} \"B\"]\u{a0}"),
            ("[White ”A”]", "[Black «B»]"),
            ("[White ‘A’]", "[Black &quot;B&quot;]"),
            ("[White \"A”]", "[Black ''B'']"),
            ("[White \"A\"]<br/>", "[Black \"B\"] <br>"),
            ("[White \"A\"]<br/>[Black \"B\"]", ""),
            (
                "[White \"A\"]",
                "[]\n[--]\n[Бел \"x\"]\n[Black \"B\"]\n[some words]",
            ),
            ("[White\n\"A\"]", "[Black \n \"B\"]"),
            ("[White \"A\"\n]", "[Black \"B\"\n ]"),
            ("[White\n\"A\"\n]", "[Black:\n\"B\"]"),
            ("[White \"A\"]", "foo\n[Black \"B\"]"),
            ("[White \"A\"]", "-----\n[Black \"B\"]"),
            ("[White \"A\"]", "[]\n[Black \"B\"]"),
            ("[White \"A\"],", "[Black \"B\"]"),
            ("[White \"A\"]<br>", "[Black \"B\"]"),
            ("[White \"A\"] -- note", "[Black \"B\"]"),
        ] {
            for end in ["\n", "\r\n", "\r"] {
                let text = format!("{white}\n{black}\n").replace('\n', end);
                assert_tags(&text, &both, if black.is_empty() { end } else { "" });
                let rest = format!("{end}1. e4 *{end}");
                let rest = if black.is_empty() {
                    format!("{end}{rest}")
                } else {
                    rest
                };
                assert_tags(&format!("{text}{end}1. e4 *{end}"), &both, &rest);
            }
        }
        assert_tags("[White \"A\"] 1. e4", &[("White", "A")], " 1. e4");
        assert_tags(
            "[White \"A\nB\"]\n[Black \"C \r\n D E\"]\n",
            &[("White", "A B"), ("Black", "C D E")],
            "",
        );
        assert_tags("[A \"a\"]b\"]\n", &[("A", "a\"]b")], "");
        assert_tags(
            "[A \"1\"]\n[White \"x\"]\n[White \"y\"]\n",
            &[("A", "1"), ("White", "x"), ("White", "y")],
            "",
        );
    }

    #[test]
    fn other_text_is_no_tag_section() {
        for text in [
            "[ \"1\"]\n",
            "[%clk 1:00]\n",
            "[",
            "[A \"",
            "[A 'b']\n[C \"d\"]\n",
            "[White 'b']\n\n",
            "[Diagram follows]\n[White \"A\"]\n",
            "White \"A\"\n[Black \"B\"]\n",
            "1. e4\n[White \"A\"]\n",
            "\n[White \"A\"]\n",
        ] {
            assert_tags(text, &[], text);
        }
        // Other text that may be moves, or that no new known name follows, is movetext.
        for rest in [
            "1. e4\n[Black \"B\"]\n",
            "e4\n[Black \"B\"]\n",
            "*\n[Black \"B\"]\n",
            "x\n[White \"B\"]\n",
            "x\n[Event \"B\"]\n",
            "x\n[Other \"B\"]\n",
            "x\n\n[Black \"B\"]\n",
        ] {
            assert_tags(&format!("[White \"A\"]\n{rest}"), &[("White", "A")], rest);
        }
        // A line in brackets after an empty line is movetext, and so are moves and control bytes.
        let white = [("White", "A")];
        for rest in [
            "\n[not a tag\n[B \"x\"]\n",
            "[D] 1. e4 e5\n",
            "[Diagram] 1. e4 e5\n",
            "[e4 e5 *\n",
            "[1. e4 e5]\n2. Nf3 *\n",
            "[%clk 0:01:00]\n",
            "; \u{1}\n[B \"x\"]\n",
            "{x\n[B \"x\"]\n",
        ] {
            assert_tags(&format!("[White \"A\"]\n{rest}"), &white, rest);
        }
    }

    #[test]
    fn tags_of_the_next_record_end_a_section() {
        let first = [("Event", "a"), ("Site", "b")];
        for rest in [
            "\n[Event \"c\"]\n",
            "\n[Site \"c\"]\n",
            "{x}\n[Site \"c\"]\n",
            "[Event \"c\"]\n[Site \"d\"]\n",
        ] {
            assert_tags(
                &format!("[Event \"a\"]\n[Site \"b\"]\n{rest}"),
                &first,
                rest,
            );
        }
        assert_tags(
            "[Event \"a\"]\n[Site \"b[Event \"c\"]\n[Site \"d\"]\n",
            &first,
            "[Event \"c\"]\n[Site \"d\"]\n",
        );
    }

    #[test]
    fn tags_beyond_the_limit_belong_to_the_section() {
        let line = |i: usize| format!("[T{i} \"{i}\"]\n");
        let section: String = (0..MAX_RECORD_TAGS + 5).map(line).collect();
        let (tags, standard, rest) = read(&(section + "\n1. e4 *\n"));
        assert_eq!((tags.len(), standard), (MAX_RECORD_TAGS, None));
        assert_eq!(rest, "\n1. e4 *\n");
    }

    #[test]
    fn hostile_sections_take_linear_time() {
        for text in [
            "[White \"A\n".repeat(1_000_000),
            "[A \"\n{".repeat(1_000_000),
            format!("[White \"A\"]\n{}", "{ ".repeat(2_000_000)),
            format!("[White \"A\"]\n{}", "[x\n".repeat(1_000_000)),
            format!("[White \"{}", "\"] ".repeat(1_000_000)),
            format!("[White \"{}", "a\n".repeat(1_000_000)),
            "[Event \"x\"] ".repeat(500_000),
            "[White: \"x\"] ".repeat(500_000),
            "[White 'x'] ".repeat(500_000),
            "[White x] ".repeat(500_000),
            "[White \"A\"]\nfoo\n".repeat(500_000),
        ] {
            let text = text.as_bytes();
            let (mut reader, mut tags) = (TagReader::default(), Vec::new());
            let mut finder = super::super::records::RecordFinder::new(text);
            let mut at = 0;
            while at < text.len() {
                let section = reader.read(text, at, &mut tags);
                at = finder.record_end(at, section.end);
            }
        }
    }
}
