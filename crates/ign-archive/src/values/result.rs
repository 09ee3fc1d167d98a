//! Results of games, as the Result tag or the end of the movetext states them.

use std::str::FromStr;

use ign_format::error::{Error, Result};

use crate::text::decode_text;

/// A draw, as a word.
const DRAW: &str = "draw";

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, or not known.
    Unknown,
    /// `0-0`: both players lose.
    BothLose,
}

impl GameResult {
    /// Reads the value of a Result tag. `None` if it states no result.
    ///
    /// Besides the four values of PGN these are read: other dashes, a colon, and `½`, as in `½-½`
    /// and `1:0`; `1/2`; `draw` in any letter case; `0-0`; `+-`, `-+` and `+:-`, for games that
    /// were not played; and after each of them a remark in words, as in `1-0 FF`; and `=`, a draw.
    pub fn read(value: &[u8]) -> Option<Self> {
        Some(match value {
            b"1-0" => Self::WhiteWins,
            b"0-1" => Self::BlackWins,
            b"1/2-1/2" => Self::Draw,
            b"*" => Self::Unknown,
            _ => return read_text(&decode_text(value)),
        })
    }

    /// The value of the Result tag.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
            Self::BothLose => "0-0",
        }
    }

    /// Whether the game is over.
    pub(crate) fn is_final(self) -> bool {
        self != Self::Unknown
    }
}

/// What one side scores.
#[derive(Clone, Copy, PartialEq)]
enum Score {
    Won,
    Lost,
    Half,
    /// `+`: won without a game.
    WonByForfeit,
    /// `-`
    LostByForfeit,
}

fn read_text(text: &str) -> Option<GameResult> {
    use Score::{Half, Lost, LostByForfeit, Won, WonByForfeit};
    let text = text.trim();
    if text == "*" {
        return Some(GameResult::Unknown);
    }
    if text == "=" || after_draw(text).is_some_and(is_remark) {
        return Some(GameResult::Draw);
    }
    let (white, after) = take_score(text)?;
    if white == Half && is_remark(after) {
        return Some(GameResult::Draw);
    }
    let after = after.trim_start();
    // Between the signs of a forfeit there may be nothing.
    let separated = match white {
        WonByForfeit | LostByForfeit => after.strip_prefix([':', '/']).unwrap_or(after),
        _ => after.strip_prefix(|c| c == ':' || is_dash(c))?,
    };
    let (black, after) = take_score(separated.trim_start())?;
    let result = match (white, black) {
        (Won, Lost) | (WonByForfeit, LostByForfeit) => GameResult::WhiteWins,
        (Lost, Won) | (LostByForfeit, WonByForfeit) => GameResult::BlackWins,
        (Half, Half) => GameResult::Draw,
        (Lost, Lost) => GameResult::BothLose,
        _ => return None,
    };
    is_remark(after).then_some(result)
}

/// The text after the word `draw` at the start of a text.
fn after_draw(text: &str) -> Option<&str> {
    let (word, after) = text.split_at_checked(DRAW.len())?;
    word.eq_ignore_ascii_case(DRAW).then_some(after)
}

/// The score at the start of a text, and the text after it.
fn take_score(text: &str) -> Option<(Score, &str)> {
    const SCORES: [(&str, Score); 7] = [
        ("1/2", Score::Half),
        ("½", Score::Half),
        ("0.5", Score::Half),
        ("0,5", Score::Half),
        ("1", Score::Won),
        ("0", Score::Lost),
        ("+", Score::WonByForfeit),
    ];
    let known = SCORES.into_iter().find_map(|(prefix, score)| {
        let after = text.strip_prefix(prefix)?;
        Some((score, after))
    });
    known.or_else(|| Some((Score::LostByForfeit, text.strip_prefix(is_dash)?)))
}

/// Whether a character is a hyphen, a dash or a minus sign, also of Windows-1252.
fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{96}' | '\u{97}'
    )
}

/// Whether the text after a result is nothing, `F`, `FF`, or words after white space or a sign.
fn is_remark(text: &str) -> bool {
    let words = text.trim_start();
    let is_apart = words.len() < text.len() || words.starts_with([',', ';', '(', '[', '{']);
    let is_mark = matches!(words, "" | "F" | "FF" | "f" | "ff");
    let states_more = |c: char| c.is_numeric() || matches!(c, '+' | '*' | '?' | '=');
    is_mark || is_apart && !words.contains(states_more)
}

/// The result that is the last word of the text of a game, outside of comments. `+-` is an
/// evaluation there, as is `=`, and `0-0` castles.
pub fn in_movetext(pgn: &[u8]) -> Option<GameResult> {
    let mut text = pgn.trim_ascii_end();
    while let Some(before) = text.strip_suffix(b"}") {
        text = before[..memchr::memrchr(b'{', before)?].trim_ascii_end();
    }
    // A comment that is not closed has no results.
    let opened = memchr::memrchr(b'{', text);
    if opened.is_some_and(|at| !text[at..].contains(&b'}')) {
        return None;
    }
    let is_end = |c: &u8| c.is_ascii_whitespace() || matches!(c, b'}' | b')');
    let start = text.iter().rposition(is_end).map_or(0, |at| at + 1);
    of_word(&text[start..])
}

/// The result that a word of movetext states.
pub fn of_word(word: &[u8]) -> Option<GameResult> {
    let begins = matches!(word, [b'0'..=b'9' | b'*' | 0x80.., ..]);
    // The last byte of ½ is the same in both encodings.
    let ends = matches!(word, [.., b'0'..=b'9' | b'*' | 0xbd]);
    let result = GameResult::read(word).filter(|_| begins && ends);
    result.filter(|&result| result != GameResult::BothLose)
}

impl FromStr for GameResult {
    type Err = Error;

    /// Reads a value of the Result tag, or `white`, `black`, `draw`, `unknown`.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let named = match text {
            "white" => Some(Self::WhiteWins),
            "black" => Some(Self::BlackWins),
            "unknown" => Some(Self::Unknown),
            _ => Self::read(text.as_bytes()),
        };
        named.ok_or_else(|| {
            Error::usage(format!("'{text}' is not a result"))
                .with_remedy("write 1-0, 0-1, 1/2-1/2, *, 0-0, white, black, draw or unknown")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{BlackWins, BothLose, Draw, Unknown, WhiteWins};

    #[test]
    fn results_are_read_as_people_write_them() {
        for (text, result) in [
            ("1-0", Some(WhiteWins)),
            (" 0-1\t", Some(BlackWins)),
            ("1/2-1/2 ", Some(Draw)),
            (" * ", Some(Unknown)),
            ("1/2", Some(Draw)),
            ("½", Some(Draw)),
            ("½-½", Some(Draw)),
            ("½–½", Some(Draw)),
            ("1/2 - 1/2", Some(Draw)),
            ("0.5-0.5", Some(Draw)),
            ("1–0", Some(WhiteWins)),
            ("0—1", Some(BlackWins)),
            ("1−0", Some(WhiteWins)),
            ("1:0", Some(WhiteWins)),
            ("0 : 1", Some(BlackWins)),
            ("+-", Some(WhiteWins)),
            ("-+", Some(BlackWins)),
            ("+:-", Some(WhiteWins)),
            ("-:+", Some(BlackWins)),
            ("+/-", Some(WhiteWins)),
            ("–+", Some(BlackWins)),
            ("1-0 FF", Some(WhiteWins)),
            ("1-0F", Some(WhiteWins)),
            ("0-1ff", Some(BlackWins)),
            ("0-1 (time)", Some(BlackWins)),
            ("1/2-1/2, agreed", Some(Draw)),
            ("1/2 by agreement", Some(Draw)),
            ("0-0", Some(BothLose)),
            ("0:0 FF", Some(BothLose)),
            ("", None),
            ("?", None),
            ("-", None),
            ("--", None),
            ("++", None),
            ("=", Some(Draw)),
            ("1", None),
            ("0", None),
            ("1-1", None),
            ("1/0", None),
            ("1-0-1", None),
            ("1-01", None),
            ("1-0 or 0-1", None),
            ("1-0?", None),
            ("1-½", None),
            ("1/2-0", None),
            ("1/2-1/2-1/2", None),
            ("10-0", None),
            ("2-0", None),
            ("draw", Some(Draw)),
            (" Draw", Some(Draw)),
            ("DRAW (agreed)", Some(Draw)),
            ("drawing", None),
            ("draw?", None),
            ("= 1", None),
            ("1-0x", None),
        ] {
            assert_eq!(GameResult::read(text.as_bytes()), result, "{text}");
        }
        // ISO 8859-1 and Windows-1252.
        assert_eq!(GameResult::read(b"\xbd-\xbd"), Some(Draw));
        assert_eq!(GameResult::read(b"0\x961"), Some(BlackWins));
    }

    #[test]
    fn the_last_word_of_the_movetext_is_the_result() {
        for (text, result) in [
            ("1. e4 e5 1-0\n\n", Some(WhiteWins)),
            ("1. e4 {x}0-1", Some(BlackWins)),
            ("1. e4 (1. d4)*", Some(Unknown)),
            ("1. e4 ½-½", Some(Draw)),
            ("1. e4 1/2", Some(Draw)),
            ("1-0 {White won.} { 0-1 }\n", Some(WhiteWins)),
            ("1. e4 { 1-0 }", None),
            ("1. e4 { 1-0", None),
            ("1. e4 e5 +-", None),
            ("1. e4 0-0", None),
            ("1. e4 e5 =", None),
            ("1. e4 e5 draw\n", None),
            ("1. e4 1", None),
            ("[Result \"1-0\"]\n", None),
            ("[Event \"x 1-0,\"]\n", None),
            ("1. e4 1-0 FF", None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(in_movetext(text.as_bytes()), result, "{text}");
        }
    }
}
