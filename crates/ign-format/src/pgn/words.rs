//! Words in movetext that are no moves: annotations of other programs, results as people write
//! them, markup.

use ign_notation::chess::san::{self, dash_len};

/// Results, which end the moves of a game.
pub const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Annotations that may be between any two moves.
const ANNOTATIONS: [&[u8]; 23] = [
    b"N", b"TN", b"D", b"RR", b"zz", b"Novelty", b"novelty", b"e.p.", b"e.p", b"ep.", b"ep",
    b"mate", b"Mate", b"MATE", b"ch", b"ch.", b"check", b"dbl.ch", b"dbl.ch.", b"dis.ch",
    b"dis.ch.", b"disch", b"dblch",
];
/// Words that may follow a result: a game that was forfeited.
const AFTER_RESULT: [&[u8]; 4] = [b"FF", b"ff", b"forfeit", b"Forfeit"];
/// Words for a null move.
const NULL_MOVES: [&[u8]; 6] = [b"Z0", b"null", b"Null", b"NULL", b"pass", b"Pass"];

/// Maximum length of an HTML tag, a character reference or a command in bytes.
const MAX_MARKUP: usize = 64;

/// Length of the word at the start of a text that starts with a letter.
pub fn word_len(text: &[u8]) -> usize {
    let ends = |c: &u8| *c <= b' ' || *c == 0x7f || b"{}()[]<>;$!?,\"&*".contains(c);
    text.iter().position(ends).unwrap_or(text.len())
}

/// Whether a word is a known annotation.
pub fn is_annotation(word: &[u8]) -> bool {
    ANNOTATIONS.contains(&word)
}

/// Whether a word may follow a result.
pub fn may_follow_result(word: &[u8]) -> bool {
    AFTER_RESULT.contains(&word)
}

/// Whether a word looks like a move or a part of one, or like a null move. Skipping it could assign
/// the next move to the wrong side.
pub fn resembles_move(word: &[u8]) -> bool {
    // A file may be a letter of another alphabet.
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | 0x80.., b'0'..=b'9']);
    let of_move = |c: &u8| matches!(c, b'a'..=b'h' | b'0'..=b'9' | b'x' | b':' | b'-');
    let is_part = match word {
        [b'A'..=b'H', b'1'..=b'8'] | [b'A'..=b'H', b'1'..=b'8', b'A'..=b'H' | b'-', ..] => true,
        [b'P' | b'N' | b'B' | b'R' | b'Q' | b'K', rest @ ..] => rest.iter().all(of_move),
        [b'a'..=b'h', rest @ ..] => !rest.is_empty() && rest.iter().all(of_move),
        _ => false,
    };
    is_part
        || word.windows(2).any(is_square)
        || san::resembles_castling(word)
        || word
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"castl"))
        || NULL_MOVES.contains(&word)
}

/// Whether a text starts with a word that looks like a move, apart from white space and a move
/// number.
pub fn starts_with_move(text: &[u8]) -> bool {
    let is_before = |c: &u8| c.is_ascii_whitespace() || c.is_ascii_digit() || *c == b'.';
    let word = text.iter().position(|c| !is_before(c));
    word.is_some_and(|word| resembles_move(&text[word..][..word_len(&text[word..])]))
}

/// Length of the no-break space, in UTF-8 or ISO 8859-1, or of the byte order mark at the start of a
/// text.
pub fn unseen_len(text: &[u8]) -> Option<usize> {
    match text {
        [0xA0, ..] => Some(1),
        [0xC2, 0xA0, ..] => Some(2),
        [0xEF, 0xBB, 0xBF, ..] => Some(3),
        _ => None,
    }
}

/// Length of a command such as `[%clk 0:01:00]` at the start of a text, which should be in a comment.
pub fn command_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"[%")?;
    let mut near = rest.iter().take(MAX_MARKUP);
    let end = near.position(|c| b"]{}();\n\r".contains(c))?;
    (rest[end] == b']').then_some(end + 3)
}

/// Length of an HTML tag or of a character reference, such as `&nbsp;`, at the start of a text.
pub fn markup_len(text: &[u8]) -> Option<usize> {
    let (end, is_inner): (u8, fn(&u8) -> bool) = match text {
        [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/', ..] => {
            (b'>', |c| !matches!(c, b'<' | b'\n' | b'\r'))
        }
        [b'&', b'a'..=b'z' | b'A'..=b'Z' | b'#', ..] => {
            (b';', |c| c.is_ascii_alphanumeric() || *c == b'#')
        }
        _ => return None,
    };
    let inner = text[1..].iter().take(MAX_MARKUP);
    let len = 1 + inner.take_while(|&c| *c != end && is_inner(c)).count();
    (text.get(len) == Some(&end)).then_some(len + 1)
}

/// A result at the start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Its length in bytes.
    pub len: usize,
    /// Whether it is a draw.
    pub is_draw: bool,
}

/// Reads the result at the start of a text: in the form of PGN, or as `1/2`, `½-½`, `1:0`, `+:-`,
/// or with another dash.
pub fn result(text: &[u8]) -> Option<Written> {
    if let Some(found) = RESULTS.into_iter().find(|result| text.starts_with(result)) {
        // It must not be the start of a longer word.
        let follows = text.get(found.len());
        if follows.is_none_or(|c| !c.is_ascii_alphanumeric() && *c != b'-') {
            return Some(Written {
                len: found.len(),
                is_draw: found == b"1/2-1/2",
            });
        }
    }
    let (first, mut len) = score(text)?;
    let rest = &text[len..];
    let separator = match rest {
        [b':', ..] => Some(1),
        _ => dash_len(rest).filter(|_| !matches!(first, Score::Plus | Score::Minus)),
    };
    let is_draw = match separator {
        Some(separator) => {
            let (second, second_len) = score(&rest[separator..])?;
            len += separator + second_len;
            match (first, second) {
                (Score::One, Score::Zero)
                | (Score::Zero, Score::One)
                | (Score::Plus, Score::Minus)
                | (Score::Minus, Score::Plus) => false,
                (Score::Half, Score::Half) => true,
                _ => return None,
            }
        }
        None if text.starts_with(b"1/2") => true,
        None => return None,
    };
    ends_result(&text[len..]).then_some(Written { len, is_draw })
}

/// Length of the word `draw` at the start of a text, if the game ends with it or a result follows.
pub fn final_draw(text: &[u8]) -> Option<usize> {
    let (word, after) = text.split_at(word_len(text));
    if !word.eq_ignore_ascii_case(b"draw") {
        return None;
    }
    let after = after.trim_ascii_start();
    (after.is_empty() || result(after).is_some()).then_some(word.len())
}

/// Length of the score in which both sides lose, `0-0` or `0:0`, if nothing else follows it.
pub fn both_lose(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"0")?;
    let separator = match rest {
        [b':', ..] => 1,
        _ => dash_len(rest)?,
    };
    let after = rest[separator..].strip_prefix(b"0")?;
    let ends = |c: &u8| *c <= b' ' || *c == b'*';
    after.iter().all(ends).then_some(separator + 2)
}

/// One side of a result.
#[derive(Clone, Copy)]
enum Score {
    One,
    Half,
    Zero,
    Plus,
    Minus,
}

/// The score at the start of a text, and its length.
fn score(text: &[u8]) -> Option<(Score, usize)> {
    Some(match text {
        [b'1', b'/', b'2', ..] => (Score::Half, 3),
        [0xC2, 0xBD, ..] => (Score::Half, 2),
        [0xBD, ..] => (Score::Half, 1),
        [b'1', ..] => (Score::One, 1),
        [b'0', ..] => (Score::Zero, 1),
        [b'+', ..] => (Score::Plus, 1),
        [b'-', ..] => (Score::Minus, 1),
        _ => return None,
    })
}

/// Whether a result may end before this text.
fn ends_result(text: &[u8]) -> bool {
    text.first()
        .is_none_or(|c| *c <= b' ' || matches!(c, b'{' | b'(' | b';' | b'$' | b'*' | b'<'))
}
