//! Finds the boundaries of SGF values, records and collections.
//!
//! The functions accept any bytes: incomplete trees and text between trees become records too.

use memchr::{memchr2, memmem};

/// Root and game-info properties. At the start of a line, `(;` and one of them begins a record,
/// even if the previous record has not ended.
const ROOT: [&[u8]; 25] = [
    b"AN", b"AP", b"BR", b"BT", b"CA", b"CP", b"DT", b"EV", b"FF", b"GM", b"GN", b"HA", b"KM",
    b"PB", b"PC", b"PW", b"RE", b"RO", b"RU", b"SO", b"ST", b"SZ", b"US", b"WR", b"WT",
];

/// Returns the offset of the `]` that ends the value whose content starts at `start`. A backslash
/// escapes the byte after it.
pub fn value_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr2(b']', b'\\', text.get(at..)?)?;
        if text[at] == b']' {
            return Some(at);
        }
        at += 2;
    }
}

fn skip_space(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// Returns the text after `(;`, with optional white space after each of the two bytes.
fn tree(text: &[u8]) -> Option<&[u8]> {
    let rest = skip_space(text.strip_prefix(b"(")?);
    rest.strip_prefix(b";").map(skip_space)
}

/// Whether a text is an SGF collection, by its first bytes: an optional byte order mark, optional
/// white space and `(;`.
pub fn is_collection(start: &[u8]) -> bool {
    let start = skip_space(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start));
    tree(start).is_some()
}

/// Whether a record, after optional white space, contains the end of its tree.
pub fn is_whole(record: &[u8]) -> bool {
    let space = record.iter().take_while(|c| c.is_ascii_whitespace());
    tree_end(record, space.count()).is_some()
}

/// Whether a new record begins here, even inside another record.
fn begins_record(text: &[u8]) -> bool {
    let Some(rest) = tree(text) else {
        return false;
    };
    let name = rest.iter().take_while(|c| c.is_ascii_alphabetic()).count();
    ROOT.contains(&&rest[..name]) && skip_space(&rest[name..]).starts_with(b"[")
}

/// Returns the offset, at or after `from`, of the next line that begins a record.
pub fn next_record_line(text: &[u8], from: usize) -> Option<usize> {
    let starts_line = |at: usize| at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    memchr::memchr_iter(b'(', &text[from..])
        .map(|i| from + i)
        .find(|&at| starts_line(at) && begins_record(&text[at..]))
}

/// Returns the offset, at or after `from`, of the next record that begins at the start of a line or
/// after the end of a tree.
pub fn next_record(text: &[u8], from: usize) -> Option<usize> {
    let may_begin = |at: usize| match text[..at].trim_ascii_end().last() {
        None | Some(b')') => true,
        Some(_) => at == 0 || matches!(text[at - 1], b'\n' | b'\r'),
    };
    memchr::memchr_iter(b'(', text.get(from..)?)
        .map(|i| from + i)
        .find(|&at| may_begin(at) && begins_record(&text[at..]))
}

/// Finds the ends of records. Calls with ascending offsets inspect each byte a bounded number of
/// times.
#[derive(Debug, Default)]
pub struct RecordFinder {
    /// Offset of the next line that begins a record, after the start of the last call.
    line: Option<usize>,
}

impl RecordFinder {
    /// Returns the end of the record that starts at `start`: after its tree and trailing white
    /// space, but at the latest before a line that begins another record. Text that is not a tree
    /// ends before the next tree.
    pub fn record_end(&mut self, text: &[u8], start: usize) -> usize {
        let line = match self.line {
            Some(line) if line > start => line,
            _ => next_record_line(text, start + 1).unwrap_or(text.len()),
        };
        self.line = Some(line);
        let Some(space) = text[start..line]
            .iter()
            .position(|c| !c.is_ascii_whitespace())
        else {
            return line;
        };
        let first = start + space;
        if tree(&text[first..line]).is_none() {
            // Not a tree: the record ends before a tree that follows a `)` or a line break.
            let found = memmem::find_iter(&text[first + 1..line], b"(;")
                .map(|i| first + 1 + i)
                .find(|&at| matches!(text[at - 1], b'\n' | b'\r' | b')'));
            return found.unwrap_or(line);
        }
        let Some(end) = tree_end(&text[..line], first) else {
            return line;
        };
        let space = text[end..line]
            .iter()
            .take_while(|c| c.is_ascii_whitespace());
        end + space.count()
    }
}

/// Returns the offset after the last `)` of the tree that starts at `start`.
fn tree_end(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = start;
    loop {
        at += memchr::memchr3(b'[', b'(', b')', &text[at..])?;
        match text[at] {
            b'[' => at = value_end(text, at + 1)?,
            b'(' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<&str> {
        let mut finder = RecordFinder::default();
        let mut records = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let end = finder.record_end(text.as_bytes(), at);
            assert!(end > at, "{text:?}");
            records.push(&text[at..end]);
            at = end;
        }
        records
    }

    #[test]
    fn recognises_collections_by_their_first_bytes() {
        for text in ["(;GM[1])", "\u{feff}(;", " \r\n( ; FF[4]", "(;)"] {
            assert!(is_collection(text.as_bytes()), "{text:?}");
        }
        for text in ["", "(", ";", "[Event \"(;\"]", "1. e4 (;", "()"] {
            assert!(!is_collection(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn values_end_at_the_first_unescaped_bracket() {
        assert_eq!(value_end(b"[a\\]b\\\\]c]", 1), Some(7));
        assert_eq!(value_end(b"[a\\]", 1), None);
        assert_eq!(value_end(b"[a\\", 1), None);
    }

    #[test]
    fn a_record_is_a_tree_and_its_trailing_white_space() {
        assert_eq!(
            records("(;C[)(;])\n\n(;B[aa](;W[bb])(;W[cc]))(;)"),
            ["(;C[)(;])\n\n", "(;B[aa](;W[bb])(;W[cc]))", "(;)"]
        );
    }

    #[test]
    fn an_unterminated_tree_ends_before_the_next_record_line() {
        assert_eq!(
            records("(;PB[a\n(;W[b])\n(;GM[1];B[aa])\n"),
            ["(;PB[a\n(;W[b])\n", "(;GM[1];B[aa])\n"]
        );
        assert_eq!(records("(;B[aa]"), ["(;B[aa]"]);
        assert_eq!(records("(;C[x"), ["(;C[x"]);
    }

    #[test]
    fn text_between_trees_is_a_record_of_its_own() {
        assert_eq!(
            records("From: me\n\n(;GM[1])hello)(;B[aa])\n  \n"),
            ["From: me\n\n", "(;GM[1])", "hello)", "(;B[aa])\n  \n"]
        );
        assert_eq!(records("   "), ["   "]);
    }
}
