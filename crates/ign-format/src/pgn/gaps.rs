//! Gaps: what stands between moves, as templates.
//!
//! A gap is a short string in which some bytes stand for what follows from
//! elsewhere: the move number that is due, the Result tag, a payload. Most
//! games of a file share a handful of these templates: `" "`, `" #. "`,
//! `" {…} #... "`. Each block numbers its own by first appearance.
//!
//! What comes next is nearly always what mostly came after the same gap:
//! [`Habits`] remembers that, and only departures from it are coded.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::number::MoveNumber;
use crate::error::{Error, Result};

/// In a template: the number of the move that is due (spec §4.4.2).
pub const NUMBER: u8 = 0x01;
/// In a template: a comment in braces.
pub const COMMENT: u8 = 0x02;
/// In a template: a variation in parentheses.
pub const VARIATION: u8 = 0x03;
/// In a template: the value of the Result tag.
pub const RESULT: u8 = 0x04;
/// In a template: a piece of text.
pub const TEXT: u8 = 0x05;
/// At the end of a template: the move that follows is spelled by a piece of text.
pub const SPELLING: u8 = 0x06;
/// Movetext that holds a byte up to this one, or a [`super::wrap::KEPT_SPACE`],
/// is kept whole as text.
pub const LAST_MARK: u8 = 0x06;
/// The longest template, in bytes (spec §7).
pub const MAX_TEMPLATE_LEN: usize = 255;

/// The templates of a block by number.
#[derive(Default)]
pub struct Templates {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// Each template in a form that is quick to match and to write, where it has one.
    short: Vec<Option<Short>>,
    numbers: HashTable<u32>,
}

/// A template of a few plain bytes, one move number at most among them.
#[derive(Debug, Clone, Copy)]
struct Short {
    /// What stands before the number, or all if there is none.
    before: Word,
    numbered: bool,
    after: Word,
}

/// Up to eight bytes, the first in the lowest byte of a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    /// The bytes; zeros behind them.
    pub word: u64,
    /// How many.
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

    /// Appends another; meaningless beyond eight bytes.
    #[inline]
    fn then(self, other: Self) -> Self {
        Self {
            word: self.word | other.word << ((8 * self.len) & 63),
            len: self.len + other.len,
        }
    }
}

impl Short {
    fn of(template: &[u8]) -> Option<Self> {
        let mut parts = template.split(|&byte| byte == NUMBER);
        let before = parts.next()?;
        let after = parts.next();
        let plain = |part: &[u8]| part.iter().all(|&byte| byte > LAST_MARK);
        let is_short = parts.next().is_none() && plain(before) && after.is_none_or(plain);
        is_short.then_some(())?;
        Some(Self {
            before: Word::of(before)?,
            numbered: after.is_some(),
            after: Word::of(after.unwrap_or_default())?,
        })
    }
}

impl Templates {
    /// Reads the templates from their stream: each followed by NUL.
    ///
    /// # Errors
    /// Corrupt when one is too long or the last is cut off.
    pub fn read(stream: &[u8]) -> Result<Self> {
        let mut templates = Self::default();
        let mut rest = stream;
        while !rest.is_empty() {
            let len = memchr::memchr(0, rest).filter(|&len| len <= MAX_TEMPLATE_LEN);
            let len = len.ok_or_else(|| Error::corrupt("a template is too long"))?;
            templates.bytes.extend_from_slice(&rest[..len]);
            templates.ends.push(templates.bytes.len() as u32);
            templates.short.push(Short::of(&rest[..len]));
            rest = &rest[len + 1..];
        }
        Ok(templates)
    }

    /// The stream of all templates.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + self.ends.len());
        for number in 0..self.ends.len() as u32 {
            out.extend_from_slice(self.get(number));
            out.push(0);
        }
        out
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The template of this number, which must be below [`Templates::len`].
    #[inline]
    pub fn get(&self, number: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// What the template stands for before the move of this number, if that is no more than
    /// seven bytes and needs nothing but the number.
    #[inline]
    pub fn spell(&self, template: u32, number: &MoveNumber) -> Option<Word> {
        let short = self.short[template as usize]?;
        if !short.numbered {
            return Some(short.before);
        }
        let (word, len) = number.word();
        let all = short.before.then(Word { word, len }).then(short.after);
        (all.len < 8).then_some(all)
    }

    /// Whether the template keeps text that gaps cannot express.
    pub fn keeps_text(&self, number: u32) -> bool {
        self.get(number).contains(&TEXT)
    }

    /// How many comments stand in a gap of this template.
    pub fn comments(&self, number: u32) -> u32 {
        self.count(number, COMMENT)
    }

    /// How many variations stand in a gap of this template.
    pub fn variations(&self, number: u32) -> u32 {
        self.count(number, VARIATION)
    }

    fn count(&self, number: u32, mark: u8) -> u32 {
        self.get(number).iter().filter(|&&c| c == mark).count() as u32
    }

    /// The number of a template, a new one if need be.
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
        short.push(Short::of(template));
        numbers.insert_unique(hash, number, |&n| hasher.hash_one(slice(bytes, ends, n)));
        number
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

/// Where in a game a gap stands, as far as its template depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(u32);

impl Place {
    /// Before the first move; of a variation that replaces a move of the side that does not
    /// begin the game, or of any other line.
    pub const fn first(of_second: bool) -> Self {
        Self(if of_second { 3 } else { 0 })
    }

    /// After `plies` moves, behind a gap of this template.
    #[inline]
    pub fn after(template: u32, plies: usize) -> Self {
        Self(template * 2 + (plies as u32 & 1) + 4)
    }

    /// After the last move, in a game with comments or one without.
    pub fn last(comments: bool) -> Self {
        Self(1 + u32::from(comments))
    }

    /// Its number, for a table by places.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which template to expect at each place.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    at: Vec<Habit>,
}

/// What to expect at a place: a template that outlives as many departures as it has votes, so
/// that an odd gap now and then changes nothing.
#[derive(Clone, Copy, Debug)]
struct Habit {
    template: u32,
    votes: u8,
}

const NONE: u32 = u32::MAX;
/// The most votes (spec §4.4): with more, a change of programs would be noticed late.
const MAX_VOTES: u8 = 7;

impl Habits {
    /// The template to expect at a place, if one has been there.
    #[inline]
    pub fn expect(&self, place: Place) -> Option<u32> {
        self.at
            .get(place.index())
            .map(|habit| habit.template)
            .filter(|&t| t != NONE)
    }

    /// Notes the template that stood at a place.
    pub fn note(&mut self, place: Place, template: u32) {
        let index = place.index();
        if self.at.len() <= index {
            let none = Habit {
                template: NONE,
                votes: 0,
            };
            self.at.resize(index + 1, none);
        }
        let habit = &mut self.at[index];
        if habit.template == template {
            habit.votes = (habit.votes + 1).min(MAX_VOTES);
        } else if habit.votes > 0 {
            habit.votes -= 1;
        } else {
            habit.template = template;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_numbered_once_and_come_back() {
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
    fn short_templates_are_spelled_at_once() {
        let mut templates = Templates::default();
        let mut spelled = |template: &[u8], number: u32| {
            let number = MoveNumber::new(number.try_into().unwrap());
            let template = templates.number(template);
            let word = templates.spell(template, &number)?;
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
            assert_eq!(spelled(template, number).as_deref(), expected);
        }
    }

    #[test]
    fn a_habit_outlives_as_many_departures_as_it_has_votes() {
        let (mut habits, place) = (Habits::default(), Place::after(0, 1));
        let mut expected = |templates: &[u32]| {
            templates.iter().for_each(|&t| habits.note(place, t));
            habits.expect(place)
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
    fn places_are_all_different() {
        let mut habits = Habits::default();
        let places = [
            Place::first(false),
            Place::first(true),
            Place::last(false),
            Place::last(true),
            Place::after(0, 1),
            Place::after(0, 2),
            Place::after(1, 1),
        ];
        for (i, &place) in places.iter().enumerate() {
            assert_eq!(habits.expect(place), None);
            habits.note(place, i as u32);
        }
        for (i, &place) in places.iter().enumerate() {
            assert_eq!(habits.expect(place), Some(i as u32));
        }
    }
}
