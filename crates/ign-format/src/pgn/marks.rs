//! The marks in the templates of tag sections (spec §4.1.4), and values on several lines, which need
//! them.

/// Mark: the name of the next tag of the record's list.
pub const NAME: u8 = 0x01;
/// Mark: the value of the next tag of the record's list, or what [`WORD`] leaves of it.
pub const VALUE: u8 = 0x02;
/// Mark: a word of the value of the next tag. A space that is not written follows it in the value.
pub const WORD: u8 = 0x03;

/// Whether a byte is a mark or ends a template, so that a section outside of its tags must not
/// contain it.
pub const fn is_mark(byte: u8) -> bool {
    byte <= WORD
}

/// A value that is written on several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The value, with a space in place of each line end and the spaces around it.
    pub value: Vec<u8>,
    /// The part of a template that writes its words up to the last line end.
    pub words: Vec<u8>,
}

/// Joins the lines of a value; `None` if it is on one line.
pub fn join_lines(value: &[u8]) -> Option<Box<Joined>> {
    memchr::memchr2(b'\n', b'\r', value)?;
    let (mut joined, mut words) = (Vec::new(), Vec::new());
    let mut words_len = 0;
    for piece in value.chunk_by(|a, b| is_white(*a) == is_white(*b)) {
        if piece.iter().any(|c| matches!(c, b'\n' | b'\r')) {
            joined.push(b' ');
            words.push(WORD);
            words.extend_from_slice(piece);
            words_len = words.len();
            continue;
        }
        joined.extend_from_slice(piece);
        let spaces = piece.iter().filter(|c| **c == b' ');
        words.extend(spaces.flat_map(|_| [WORD, b' ']));
    }
    words.truncate(words_len);
    let value = joined;
    Some(Box::new(Joined { value, words }))
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_value_are_joined_by_a_space() {
        let join = |value: &str| join_lines(value.as_bytes()).map(|joined| *joined);
        let expected = |value: &str, words: &str| {
            Some(Joined {
                value: value.into(),
                words: words.into(),
            })
        };
        assert_eq!(join("a b"), None);
        assert_eq!(join("a\nb"), expected("a b", "\x03\n"));
        assert_eq!(
            join("a b \r\n  c d"),
            expected("a b c d", "\x03 \x03 \r\n  ")
        );
        assert_eq!(join("\r"), expected(" ", "\x03\r"));
    }
}
