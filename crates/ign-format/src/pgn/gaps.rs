//! Gaps: the text between moves, as numbered templates (spec §4.4.2).
//!
//! In a template some bytes are marks for text that is known elsewhere: the current move number,
//! the Result tag, a payload. Most games of a file use a handful of templates: `" "`, `" #. "`, `"
//! {…} #... "`. Each block numbers its templates by first appearance.
//!
//! [`GapPredictor`] predicts the template of a gap from the one before it, as the most frequent
//! successor by votes. Only exceptions are coded.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::{number::MoveNumber, words::result};
use crate::error::{Error, Result};

/// Mark in a template: the current move number (spec §4.4.2).
pub const NUMBER: u8 = 0x01;
/// Mark: a comment in braces.
pub const COMMENT: u8 = 0x02;
/// Mark: a variation in parentheses.
pub const VARIATION: u8 = 0x03;
/// Mark: the value of the Result tag.
pub const RESULT: u8 = 0x04;
/// Mark: a piece of literal text.
pub const TEXT: u8 = 0x05;
/// Mark at the end of a template: the next move is written as a piece of literal text.
pub const MOVE_TEXT: u8 = 0x06;
/// The largest mark. Bytes up to it are never part of a template or a comment, and movetext that
/// contains one, or a [`KEPT_SPACE`](super::wrap::KEPT_SPACE), is not unwrapped.
pub const LAST_MARK: u8 = 0x06;
/// Maximum length of a template in bytes (spec §7).
pub const MAX_TEMPLATE_LEN: usize = 255;

/// Whether a reader of PGN may take a gap for something else than it is, by its place in a game.
#[derive(Debug, Clone, Copy)]
pub struct Oddity {
    /// Before the first move.
    pub first: bool,
    /// Between two moves.
    pub between: bool,
    /// After the last move.
    pub last: bool,
    /// Between two moves, if lines are wrapped.
    pub wrapped: bool,
}

impl Oddity {
    fn of(template: &[u8]) -> Self {
        let is_odd = |&byte: &u8| {
            matches!(byte, TEXT | MOVE_TEXT) || (byte > LAST_MARK && !is_neutral(byte))
        };
        let is_payload = |byte: u8| matches!(byte, COMMENT | VARIATION);
        let begins = |&byte: &u8| is_payload(byte) || begins_move(byte);
        let ends = |&byte: &u8| is_payload(byte) || ends_move(byte);
        let has_pair = |gap: &[u8], is_pair: fn(u8, u8) -> bool| {
            gap.windows(2).any(|two| is_pair(two[0], two[1]))
        };
        // An empty line ends a game, but may precede its first move.
        let may_break = |gap: &[u8]| {
            gap.contains(&b'\n')
                || has_pair(gap, |a, b| {
                    a.is_ascii_whitespace() && b.is_ascii_whitespace()
                })
        };
        let is_odd =
            template.iter().any(is_odd) || template.last().is_some_and(|last| !begins(last));
        let is_joined = template.first().is_some_and(|first| !ends(first));
        let lines = memchr::memchr_iter(b'\n', template).count();
        Self {
            first: is_odd || may_break(template.trim_ascii_start()),
            between: is_odd || is_joined || template.is_empty() || lines > 1,
            // Of a comment in which braces nest, the first mark is the part to the first closing
            // brace.
            last: is_joined || has_pair(template, |a, b| (a, b) == (COMMENT, TEXT)),
            wrapped: may_break(template),
        }
    }
}

/// Whether a move ends before this byte for every reader.
pub fn ends_move(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{(!?$".contains(&byte)
}

/// Whether a move begins after this byte for every reader.
pub fn begins_move(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"}).".contains(&byte)
}

/// Whether readers of PGN take this byte for white space, or for a part of a number, a glyph, a
/// comment or a variation, and for nothing else.
pub fn is_neutral(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_digit() || b".!?${}()".contains(&byte)
}

/// Templates of a block by number.
#[derive(Debug, Default)]
pub struct Templates {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// For each short template a form that is fast to match and to write.
    short: Vec<Option<ShortTemplate>>,
    numbers: HashTable<u32>,
}

/// A template of up to seven literal bytes and at most one move number.
#[derive(Debug, Clone, Copy)]
struct ShortTemplate {
    /// Text before the number, or all text if there is none.
    before: Word,
    has_number: bool,
    after: Word,
}

/// Up to eight bytes, the first in the lowest byte of a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    /// The bytes, followed by zeros.
    pub word: u64,
    /// Number of bytes.
    pub len: usize,
}

impl Word {
    fn of(bytes: &[u8]) -> Option<Self> {
        let place = |(i, &byte): (usize, &u8)| u64::from(byte) << (8 * i);
        (bytes.len() < 8).then(|| Self {
            word: bytes.iter().enumerate().map(place).sum(),
            len: bytes.len(),
        })
    }

    /// Appends another word; the result is unspecified beyond eight bytes.
    #[inline]
    fn then(self, other: Self) -> Self {
        Self {
            word: self.word | other.word << ((8 * self.len) & 63),
            len: self.len + other.len,
        }
    }
}

impl ShortTemplate {
    fn of(template: &[u8]) -> Option<Self> {
        let mut parts = template.split(|&byte| byte == NUMBER);
        let before = parts.next()?;
        let after = parts.next();
        let plain = |part: &[u8]| part.iter().all(|&byte| byte > LAST_MARK);
        let is_short = parts.next().is_none() && plain(before) && after.is_none_or(plain);
        is_short.then_some(())?;
        Some(Self {
            before: Word::of(before)?,
            has_number: after.is_some(),
            after: Word::of(after.unwrap_or_default())?,
        })
    }
}

impl Templates {
    /// Reads the stream of templates, each followed by NUL.
    ///
    /// # Errors
    /// Returns a corruption error if a template is too long or the last one is not terminated.
    pub fn read(stream: &[u8]) -> Result<Self> {
        let mut templates = Self::default();
        let mut rest = stream;
        while !rest.is_empty() {
            let len = memchr::memchr(0, rest)
                .filter(|&len| len <= MAX_TEMPLATE_LEN)
                .ok_or_else(|| Error::corrupt("a template is too long"))?;
            templates.bytes.extend_from_slice(&rest[..len]);
            templates.ends.push(templates.bytes.len() as u32);
            templates.short.push(ShortTemplate::of(&rest[..len]));
            rest = &rest[len + 1..];
        }
        Ok(templates)
    }

    /// Writes the stream of templates.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + self.ends.len());
        for number in 0..self.ends.len() as u32 {
            out.extend_from_slice(self.get(number));
            out.push(0);
        }
        out
    }

    /// Number of templates.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no templates.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The template of a number below [`Templates::len`].
    #[inline]
    pub fn get(&self, number: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// The text of a gap before the move of this number, if it takes at most seven bytes and no
    /// other mark.
    #[inline]
    pub fn expand(&self, template: u32, number: &MoveNumber) -> Option<Word> {
        let short = self.short[template as usize]?;
        if !short.has_number {
            return Some(short.before);
        }
        let (word, len) = number.word();
        let all = short.before.then(Word { word, len }).then(short.after);
        (all.len < 8).then_some(all)
    }

    /// Whether a record with this last template ends with text that was not understood. Other text
    /// at the end is followed by an empty piece of text.
    pub fn keeps_text(&self, number: u32) -> bool {
        let template = self.get(number);
        template.ends_with(&[TEXT]) && !template.ends_with(&[TEXT, TEXT])
    }

    /// Whether a record with this last template has a result.
    pub fn has_result(&self, number: u32) -> bool {
        let template = self.get(number);
        let is_result = |at: usize| template[at] == RESULT || result(&template[at..]).is_some();
        (0..template.len()).any(is_result)
    }

    /// Whether a reader of PGN may take a gap of each template for something else.
    pub fn oddities(&self) -> Vec<Oddity> {
        let all = 0..self.ends.len() as u32;
        all.map(|number| Oddity::of(self.get(number))).collect()
    }

    /// Number of comments in a gap of this template.
    pub fn comments(&self, number: u32) -> u32 {
        self.count(number, COMMENT)
    }

    /// Number of variations in a gap of this template.
    pub fn variations(&self, number: u32) -> u32 {
        self.count(number, VARIATION)
    }

    fn count(&self, number: u32, mark: u8) -> u32 {
        self.get(number).iter().filter(|&&c| c == mark).count() as u32
    }

    /// The number of a template; a new template gets the next one.
    #[inline]
    pub fn number(&mut self, template: &[u8]) -> u32 {
        let Self {
            bytes,
            ends,
            short,
            numbers,
        } = self;
        let hasher = FxBuildHasher;
        let hash = hasher.hash_one(template);
        if let Some(&number) = numbers.find(hash, |&n| slice(bytes, ends, n) == template) {
            return number;
        }
        let number = ends.len() as u32;
        bytes.extend_from_slice(template);
        ends.push(bytes.len() as u32);
        short.push(ShortTemplate::of(template));
        numbers.insert_unique(hash, number, |&n| hasher.hash_one(slice(bytes, ends, n)));
        number
    }

    /// Removes the templates from this number on.
    pub fn truncate(&mut self, len: usize) {
        let Self {
            bytes,
            ends,
            short,
            numbers,
        } = self;
        for number in (len..ends.len()).rev() {
            let hash = FxBuildHasher.hash_one(slice(bytes, ends, number as u32));
            if let Ok(entry) = numbers.find_entry(hash, |&n| n == number as u32) {
                entry.remove();
            }
            ends.pop();
            bytes.truncate(ends.last().map_or(0, |&end| end as usize));
            short.pop();
        }
    }
}

#[inline]
fn slice<'a>(bytes: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = if number == 0 {
        0
    } else {
        ends[number - 1] as usize
    };
    &bytes[start..ends[number] as usize]
}

/// Context of a gap: what its template is predicted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GapContext(u32);

impl GapContext {
    /// Before the first move. `second_side`: of a variation that starts with a move by the side
    /// that does not begin the game.
    pub const fn first(second_side: bool) -> Self {
        Self(if second_side { 3 } else { 0 })
    }

    /// After `plies` moves, the last of them after a gap of this template.
    #[inline]
    pub fn after(template: u32, plies: usize) -> Self {
        Self(template * 2 + (plies as u32 & 1) + 4)
    }

    /// After the last move of a game, with or without comments.
    pub fn last(comments: bool) -> Self {
        Self(1 + u32::from(comments))
    }

    /// Its number, as the index of a table.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Predicts the template at each place.
#[derive(Clone, Debug, Default)]
pub struct GapPredictor {
    at: Vec<Prediction>,
}

/// The predicted template of a place. It survives as many exceptions as it has votes, so a rare
/// odd gap changes nothing.
#[derive(Clone, Copy, Debug)]
struct Prediction {
    template: u32,
    votes: u8,
}

const NONE: u32 = u32::MAX;
/// Maximum number of votes (spec §4.4). More would delay the adaptation to another program's
/// style.
const MAX_VOTES: u8 = 7;

impl GapPredictor {
    /// The predicted template at a place; `None` if there was none yet.
    #[inline]
    pub fn predict(&self, place: GapContext) -> Option<u32> {
        self.at
            .get(place.index())
            .map(|prediction| prediction.template)
            .filter(|&t| t != NONE)
    }

    /// Adapts to the template at a place.
    pub fn update(&mut self, place: GapContext, template: u32) {
        let index = place.index();
        if self.at.len() <= index {
            let none = Prediction {
                template: NONE,
                votes: 0,
            };
            self.at.resize(index + 1, none);
        }
        let prediction = &mut self.at[index];
        if prediction.template == template {
            prediction.votes = (prediction.votes + 1).min(MAX_VOTES);
        } else if prediction.votes > 0 {
            prediction.votes -= 1;
        } else {
            prediction.template = template;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_numbered_templates() {
        let mut templates = Templates::default();
        let numbers: Vec<u32> = [&b" "[..], b" \x01. ", b" ", b""]
            .iter()
            .map(|t| templates.number(t))
            .collect();
        assert_eq!(numbers, [0, 1, 0, 2]);
        let back = Templates::read(&templates.write()).unwrap();
        assert_eq!(
            (back.len(), back.get(1), back.get(2)),
            (3, &b" \x01. "[..], &b""[..])
        );
        assert!(Templates::read(b"cut off").is_err());
        assert!(Templates::read(&b"x".repeat(300)).is_err());
    }

    #[test]
    fn expands_short_templates() {
        let mut templates = Templates::default();
        let mut expand = |template: &[u8], number: u32| {
            let number = MoveNumber::new(number.try_into().unwrap());
            let template = templates.number(template);
            let word = templates.expand(template, &number)?;
            let bytes = word.word.to_le_bytes();
            assert!(bytes[word.len..].iter().all(|&byte| byte == 0));
            Some(String::from_utf8(bytes[..word.len].to_vec()).unwrap())
        };
        for (template, number, expected) in [
            (&b""[..], 1, Some("")),
            (b" ", 1, Some(" ")),
            (b"seven..", 1, Some("seven..")),
            (b" \x01. ", 12, Some(" 12. ")),
            (b" \x01... ", 12, Some(" 12... ")),
            (b" \x01... ", 123, None),
            (b"\x01.", 1_234_567_890, None),
            (b"eight...", 1, None),
            (b" \x02 ", 1, None),
            (b"\x01\x01", 1, None),
        ] {
            assert_eq!(expand(template, number).as_deref(), expected);
        }
    }

    #[test]
    fn a_prediction_survives_as_many_exceptions_as_it_has_votes() {
        let (mut predictor, place) = (GapPredictor::default(), GapContext::after(0, 1));
        let mut expected = |templates: &[u32]| {
            templates.iter().for_each(|&t| predictor.update(place, t));
            predictor.predict(place)
        };
        assert_eq!(expected(&[5]), Some(5));
        assert_eq!(expected(&[6]), Some(6));
        assert_eq!(expected(&[6, 6, 5, 7]), Some(6));
        assert_eq!(expected(&[5]), Some(5));
        assert_eq!(expected(&[5; 100]), Some(5));
        assert_eq!(expected(&[6; MAX_VOTES as usize]), Some(5));
        assert_eq!(expected(&[6]), Some(6));
    }

    #[test]
    fn places_are_distinct() {
        let mut predictor = GapPredictor::default();
        let places = [
            GapContext::first(false),
            GapContext::first(true),
            GapContext::last(false),
            GapContext::last(true),
            GapContext::after(0, 1),
            GapContext::after(0, 2),
            GapContext::after(1, 1),
        ];
        for (i, &place) in places.iter().enumerate() {
            assert_eq!(predictor.predict(place), None);
            predictor.update(place, i as u32);
        }
        for (i, &place) in places.iter().enumerate() {
            assert_eq!(predictor.predict(place), Some(i as u32));
        }
    }
}
