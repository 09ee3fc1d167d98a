//! Words: values from a dictionary that grows as the block goes on.
//!
//! A value is first compared with guesses: the value that a key had the last
//! time (Event by TimeControl, TimeControl by either player, a title by the
//! player's name), the value it came with (a player's last opponent), or without
//! a key the value before. A right guess costs a fraction of a bit. Else it is
//! a word known already, told by its number, or a new one, taken from the text
//! stream. Numbers follow either how often a word is used (its place of first
//! appearance, every bit of which learns) or how recently (players come back
//! soon). Which of all this is done is tried on the first records.
//!
//! Equal values of one column end up as equal spans of the table, in packing
//! and in unpacking alike: that is what makes a column usable as a key.

use std::{borrow::Cow, hash::BuildHasher, ops::Range};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{
    Lines, Span, Streams, Table, codes_and_text,
    name_model::Spelled,
    parts::{self, Packer},
    too_few_strings,
};
use crate::{
    container::block::Column,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, Coder, Encoder, Number};

/// Switch: words are told by how recently they were used (spec §4.3.1).
pub const RECENT: u8 = 1;
/// Switch: each value is first compared with a guess (spec §4.3.1).
pub const GUESS: u8 = 2;
/// Switch: the two values of a record are each other's key; the guess for the
/// second is whom the first came with last (spec §4.3.1).
pub const PAIRED: u8 = 4;

/// Switch: the first value of each word of the key is told in front of all parts
/// (spec §4.3.1).
pub const FIRSTS: u8 = 8;

/// Switch: the words are spelled letter by letter (spec §4.3.1).
pub const SPELLED: u8 = 16;

/// A column of so many different words is not told by recency: that would take
/// too long (spec §7).
const MAX_RECENT: usize = 1 << 14;
/// The most references, hence guesses for a value (spec §4.3.1).
pub const MAX_KEYS: usize = 3;

/// In place of a word, for the decoder.
const NOT_GIVEN: u32 = u32::MAX;

/// The keys of a value.
type Keys = [Option<Span>; MAX_KEYS];

/// The estimates of a part of a words column, and what it has seen.
struct Model {
    recent: bool,
    guess: bool,
    paired: bool,
    /// Whether a guess is right, by its number and how the last two of that number went.
    hit: [[Bit; 4]; MAX_KEYS],
    hits: [usize; MAX_KEYS],
    /// Whether the word is new, by whether the one before was.
    new: [Bit; 2],
    was_new: bool,
    number: Number<12>,
    /// How many words have appeared.
    known: u32,
    /// The words, the last used first, where they are told by recency.
    order: Vec<u32>,
    /// Word by key, and the word before.
    by_key: FxHashMap<Span, u32>,
    before: Option<u32>,
}

impl Model {
    /// At the start of a part before which so many words have appeared.
    fn new(switches: u8, known: u32) -> Self {
        let recent = switches & RECENT != 0;
        Self {
            recent,
            guess: switches & GUESS != 0,
            paired: switches & PAIRED != 0,
            hit: Default::default(),
            hits: [0; MAX_KEYS],
            new: Default::default(),
            was_new: false,
            number: Number::default(),
            known,
            order: if recent {
                (0..known).rev().collect()
            } else {
                Vec::new()
            },
            by_key: FxHashMap::default(),
            before: None,
        }
    }

    /// Codes a word by its number; `first` is what the first key had at first, if that is told.
    /// The number one beyond those known is a new word, whose spelling the caller adds.
    ///
    /// # Errors
    /// Corrupt when the stream tells a word that is not known.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        keys: Keys,
        first: Option<u32>,
        given: u32,
    ) -> Result<u32> {
        let guesses = self.guesses(keys, first);
        for (i, guess) in guesses.into_iter().enumerate() {
            let Some(guess) = guess.filter(|_| !guesses[..i].contains(&guess)) else {
                continue;
            };
            let hit = coder.bit(&mut self.hit[i][self.hits[i]], guess == given);
            self.hits[i] = (self.hits[i] << 1 | usize::from(hit)) & 3;
            if hit {
                if self.recent {
                    self.touch(rank(&self.order, guess));
                }
                self.note(keys, guess);
                return Ok(guess);
            }
        }
        let word = self.untold(coder, given)?;
        self.note(keys, word);
        Ok(word)
    }

    /// Codes a word that no guess has told.
    fn untold(&mut self, coder: &mut impl Coder, given: u32) -> Result<u32> {
        let known = self.known;
        let new = coder.bit(&mut self.new[usize::from(self.was_new)], given == known);
        self.was_new = new;
        if new {
            self.known += 1;
            if self.recent {
                if self.known as usize == MAX_RECENT {
                    return Err(too_many_words());
                }
                self.order.push(known);
                self.touch(known as usize);
            }
            return Ok(known);
        }
        if self.recent {
            // The encoder looks the word up; the decoder is given none.
            let place = if given < known {
                rank(&self.order, given)
            } else {
                0
            };
            let place = self.number.code(coder, place as u64) as usize;
            let word = *self.order.get(place).ok_or_else(unknown_word)?;
            self.touch(place);
            return Ok(word);
        }
        let word = self.number.code(coder, u64::from(given));
        u32::try_from(word)
            .ok()
            .filter(|&w| w < known)
            .ok_or_else(unknown_word)
    }

    /// The guesses for a value with these keys.
    fn guesses(&self, keys: Keys, first: Option<u32>) -> [Option<u32>; MAX_KEYS] {
        if !self.guess {
            return [None; MAX_KEYS];
        }
        if keys[0].is_none() && !self.paired {
            let mut guesses = [None; MAX_KEYS];
            guesses[0] = self.before;
            return guesses;
        }
        let mut guesses = keys.map(|key| self.by_key.get(&key?).copied());
        guesses[0] = guesses[0].or(first);
        guesses
    }

    /// Notes what the value was, for the next guess.
    fn note(&mut self, keys: Keys, word: u32) {
        if self.guess {
            self.before = Some(word);
            for key in keys.into_iter().flatten() {
                self.by_key.insert(key, word);
            }
        }
    }

    /// Notes two values that came together, each the other's next guess.
    fn pair(&mut self, first: (Span, u32), second: (Span, u32)) {
        self.by_key.insert(first.0, second.1);
        self.by_key.insert(second.0, first.1);
    }

    /// Moves the word at this place of the order to its front.
    fn touch(&mut self, place: usize) {
        self.order[..=place].rotate_right(1);
    }
}

/// The place of a known word in the order of last use.
fn rank(order: &[u32], word: u32) -> usize {
    order.iter().position(|&w| w == word).unwrap_or(0)
}

fn too_many_words() -> Error {
    Error::corrupt("a column has too many words for its order")
}

fn unknown_word() -> Error {
    Error::corrupt("a column tells a word that it has not introduced")
}

/// The keys of a value: what the references say in this record; or the first
/// value of the record, if values come in pairs.
fn keys(table: &Table, column: &Column, tag: usize, row: usize) -> Keys {
    let mut keys = Keys::default();
    if tag == 1 && column.switches & PAIRED != 0 {
        keys[0] = Some(table.span(column.tags[0], row));
    }
    for (key, &reference) in keys.iter_mut().zip(&column.refs) {
        *key = Some(table.span(reference, row));
    }
    keys
}

/// Remembers the first value of a record, and pairs it with the second.
fn pair_up(model: &mut Model, first: &mut Option<(Span, u32)>, value: (Span, u32)) {
    match *first {
        _ if !model.paired => {}
        None => *first = Some(value),
        Some(first) => model.pair(first, value),
    }
}

/// What each word of the first key had at first, as far as it had something.
#[derive(Debug, Default)]
struct Firsts(Vec<Option<u32>>);

impl Firsts {
    /// Bits of how many there are.
    const COUNT_BITS: u32 = 32;

    /// Finds them in these rows, and numbers the words by first appearance here, then in the rows.
    fn find(table: &Table, column: &Column, values: &Values, rows: usize) -> (Self, Values) {
        let mut firsts = Vec::new();
        let mut next = values.words.iter();
        for row in 0..rows {
            for &tag in &column.tags {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let word = *next.next().expect("a word for each value");
                if let Some(key) = first_key(table, column, row) {
                    let key = key as usize;
                    firsts.resize(firsts.len().max(key + 1), None);
                    firsts[key] = firsts[key].or(Some(word));
                }
            }
        }
        let mut renumbered = Values {
            words: values.words.clone(),
            spans: Vec::new(),
        };
        let mut numbers = vec![None; values.spans.len()];
        for word in firsts.iter_mut().flatten().chain(&mut renumbered.words) {
            let old = *word as usize;
            *word = *numbers[old].get_or_insert_with(|| {
                renumbered.spans.push(values.spans[old]);
                renumbered.spans.len() as u32 - 1
            });
        }
        (Self(firsts), renumbered)
    }

    /// Codes them, `most` at most; `new` is told each word that appears for the first time.
    ///
    /// # Errors
    /// Corrupt when the stream tells a word that is not known, or ends early.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        switches: u8,
        most: usize,
        mut new: impl FnMut(u32),
    ) -> Result<()> {
        let count = coder.uniform(self.0.len() as u64, Self::COUNT_BITS) as usize;
        if count > most {
            return Err(Error::corrupt(
                "a column has more keys than there are values",
            ));
        }
        self.0.resize(count, None);
        let mut model = Model::new(switches & !PAIRED, 0);
        let mut has = [Bit::new(); 2];
        let mut had = false;
        for first in &mut self.0 {
            had = coder.bit(&mut has[usize::from(had)], first.is_some());
            if had {
                let known = model.known;
                let given = first.unwrap_or(NOT_GIVEN);
                *first = Some(model.code(coder, Keys::default(), None, given)?);
                if model.known > known {
                    new(known);
                }
            }
        }
        Ok(())
    }

    /// What the key of a record had at first.
    fn of(&self, table: &Table, column: &Column, row: usize) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        *self.0.get(first_key(table, column, row)? as usize)?
    }
}

/// The word of the first key in a record.
fn first_key(table: &Table, column: &Column, row: usize) -> Option<u32> {
    let span = table.span(*column.refs.first()?, row);
    table.words.get(&span).copied()
}

/// Codes the column, sets its switches, and drops its references if they do not help.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let values = intern(table, &column.tags);
    let recent = if values.spans.len() < MAX_RECENT {
        RECENT
    } else {
        0
    };
    let mut ways = vec![(0, 0), (0, GUESS)];
    if column.refs.is_empty() && column.tags.len() == 2 {
        ways.push((0, GUESS | PAIRED));
    }
    for keys in 1..=column.refs.len() {
        ways.extend([(keys, GUESS), (keys, GUESS | FIRSTS)]);
    }
    let tried: Vec<_> = parts::of_trial(table.rows).collect();
    let refs = std::mem::take(&mut column.refs);
    let take = |column: &mut Column, (keys, switches): (usize, u8)| {
        column.refs = refs[..keys].to_vec();
        column.switches = switches;
    };
    let mut best_of = |ways: Vec<(usize, u8)>| {
        let len = |&way: &(usize, u8)| {
            take(column, way);
            pack(table, column, &values, &tried).0.codes.len()
        };
        ways.into_iter().min_by_key(len).expect("there are some")
    };
    ways.retain(|&(_, switches)| switches & FIRSTS == 0 || table.words.len() <= 2 * table.rows);
    // What came lately helps with whatever keys, or with none.
    let (keys, switches) = best_of(ways);
    let best = match recent {
        0 => (keys, switches),
        _ => best_of(vec![(keys, switches), (keys, switches | recent)]),
    };
    take(column, best);
    let parts: Vec<_> = parts::of(table.rows).collect();
    let (streams, spans) = pack(table, column, &values, &parts);
    table.words.extend(spans.into_iter().zip(0..));
    streams
}

/// Codes the column's words of these parts; gives the words in the order of their numbers.
fn pack(
    table: &Table,
    column: &Column,
    values: &Values,
    parts: &[Range<usize>],
) -> (Streams, Vec<Span>) {
    let mut out = Packer::default();
    let mut firsts = Firsts::default();
    let mut values = Cow::Borrowed(values);
    if column.switches & FIRSTS != 0 {
        let rows = parts.last().map_or(0, |rows| rows.end);
        let (found, renumbered) = Firsts::find(table, column, &values, rows);
        (firsts, values) = (found, Cow::Owned(renumbered));
        let mut coder = Encoder::new();
        let line = |word: u32| out.line(table.bytes_of(values.spans[word as usize]));
        let coded = firsts.code(&mut coder, column.switches, usize::MAX, line);
        debug_assert!(coded.is_ok());
        out.end(coder);
    }
    let mut next = values.words.iter();
    for rows in parts.iter().cloned() {
        let mut model = Model::new(column.switches, out.lines() as u32);
        let mut coder = Encoder::new();
        for row in rows {
            let mut pair = None;
            for (i, &tag) in column.tags.iter().enumerate() {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let word = *next.next().expect("a word for each value");
                let new = word == model.known;
                let keys = keys(table, column, i, row);
                let coded = model.code(&mut coder, keys, firsts.of(table, column, row), word);
                debug_assert!(coded.is_ok_and(|coded| coded == word));
                if new {
                    out.line(table.bytes_of(values.spans[word as usize]));
                }
                pair_up(&mut model, &mut pair, (table.span(tag, row), word));
            }
        }
        out.end(coder);
    }
    (out.finish(), values.into_owned().spans)
}

/// The values of a column in order, as words, and the words.
#[derive(Debug, Clone)]
struct Values {
    words: Vec<u32>,
    spans: Vec<Span>,
}

/// Numbers the different values by first appearance and makes equal values
/// equal spans.
#[allow(
    clippy::needless_range_loop,
    reason = "row by row, across the columns of several tags"
)]
fn intern(table: &mut Table, tags: &[u16]) -> Values {
    let mut words = Vec::with_capacity(table.rows * tags.len());
    let mut spans: Vec<Span> = Vec::new();
    let mut numbers: hashbrown::HashTable<u32> = hashbrown::HashTable::new();
    let hasher = FxBuildHasher;
    let Table {
        bytes,
        values,
        rows,
        ..
    } = table;
    #[expect(
        clippy::needless_range_loop,
        reason = "rows of several columns in turn"
    )]
    for row in 0..*rows {
        for &tag in tags {
            let span = &mut values[usize::from(tag)][row];
            if !span.is_present() {
                continue;
            }
            let value = &bytes[span.range()];
            let text = |n: u32| &bytes[spans[n as usize].range()];
            let hash = hasher.hash_one(value);
            let known = numbers.find(hash, |&n| text(n) == value).copied();
            let word = known.unwrap_or(spans.len() as u32);
            if known.is_none() {
                numbers.insert_unique(hash, word, |&n| hasher.hash_one(text(n)));
                spans.push(*span);
            }
            *span = spans[word as usize];
            words.push(word);
        }
    }
    Values { words, spans }
}

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when a word is told that no earlier one introduced, or streams end.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let mut strings = Strings::new(match column.switches & SPELLED {
        0 => Text::Lines(lines, Vec::new()),
        _ => {
            let spelled = Spelled::open(lines.rest(), table.rows * column.tags.len())?;
            let count = spelled.count();
            let first = table.spell(spelled);
            Text::Spelled { count, first }
        }
    });
    let (head, parts) = parts::open_with_head(table, codes, column.switches & FIRSTS != 0)?;
    let mut firsts = Firsts::default();
    if let Some(mut head) = head {
        firsts.code(&mut head.coder, column.switches, 2 * table.rows, |_| ())?;
        head.check()?;
    }
    for mut part in parts {
        strings.check(part.lines_before)?;
        if column.switches & RECENT != 0 && part.lines_before >= MAX_RECENT {
            return Err(too_many_words());
        }
        let mut model = Model::new(column.switches, part.lines_before as u32);
        for row in part.rows.clone() {
            let mut pair = None;
            for (i, &tag) in column.tags.iter().enumerate() {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let keys = keys(table, column, i, row);
                let first = firsts.of(table, column, row);
                let word = model.code(&mut part.coder, keys, first, NOT_GIVEN)?;
                let span = strings.span(table, word)?;
                table.set(tag, row, span);
                table.announce(row, span);
                pair_up(&mut model, &mut pair, (span, word));
            }
            part.check()?;
        }
    }
    let used = strings.spans.into_iter().zip(0..);
    table
        .words
        .extend(used.filter(|&(span, _)| span != Span::PENDING));
    Ok(())
}

/// Where a column's words are read from.
enum Text<'a> {
    /// The lines that are left, behind those that have been taken.
    Lines(Lines<'a>, Vec<&'a [u8]>),
    /// Those that the table spells, so many, from this number on.
    Spelled { count: usize, first: u32 },
}

/// The words of a column, put into a table when they are first used.
struct Strings<'a> {
    text: Text<'a>,
    spans: Vec<Span>,
}

impl<'a> Strings<'a> {
    fn new(text: Text<'a>) -> Self {
        let spans = Vec::new();
        Self { text, spans }
    }

    /// Fails unless there are so many words.
    fn check(&mut self, count: usize) -> Result<()> {
        match &mut self.text {
            Text::Lines(rest, taken) => {
                while taken.len() < count {
                    taken.push(rest.next_line()?);
                }
                Ok(())
            }
            Text::Spelled { count: all, .. } if count <= *all => Ok(()),
            Text::Spelled { .. } => Err(too_few_strings()),
        }
    }

    /// The span of a word.
    fn span(&mut self, table: &mut Table, word: u32) -> Result<Span> {
        let number = word as usize;
        if self.spans.len() <= number {
            self.check(number + 1)?;
            self.spans.resize(number + 1, Span::PENDING);
        }
        let span = &mut self.spans[number];
        if *span == Span::PENDING {
            *span = match &self.text {
                Text::Lines(_, taken) => table.add(taken[number]),
                Text::Spelled { first, .. } => Span::spelled(first + word),
            };
        }
        Ok(*span)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    fn column(tags: &[u16], refs: &[u16]) -> Column {
        Column {
            codec: Codec::Dictionary as u8,
            tags: tags.to_vec(),
            refs: refs.to_vec(),
            switches: 0,
            streams: vec![],
        }
    }

    #[test]
    fn values_return_with_gaps_repeats_and_keys() {
        let table = testing::table(
            &["White", "Black", "Title"],
            &[
                &[Some("Anand"), Some("Kramnik"), Some("GM")],
                &[Some("Kramnik"), None, None],
                &[Some("Anand"), Some(""), Some("GM")],
                &[None, Some("Anand"), None],
                &[Some("Kramnik"), Some("Anand"), Some("")],
            ],
        );
        testing::round_trip(&table, vec![column(&[0, 1], &[]), column(&[2], &[0])]);
    }

    #[test]
    fn a_column_that_follows_from_its_key_costs_next_to_nothing() {
        let keys: Vec<String> = (0..5000u64).map(|i| format!("k{}", i * i % 37)).collect();
        let rows: Vec<[Option<&str>; 2]> = keys
            .iter()
            .map(|k| [Some(k.as_str()), Some(&k[1..])])
            .collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        let table = testing::table(&["Key", "Value"], &rows);
        let without = testing::round_trip(&table, vec![column(&[0], &[])]);
        let with = testing::round_trip(&table, vec![column(&[0], &[]), column(&[1], &[0])]);
        assert!(with < without + 200, "{with} {without}");
    }

    #[test]
    fn many_different_words_come_back() {
        let names: Vec<String> = (0..3000u64).map(|i| format!("n{}", i * i % 1009)).collect();
        let rows: Vec<[Option<&str>; 1]> = names.iter().map(|n| [Some(n.as_str())]).collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        testing::round_trip(&testing::table(&["White"], &rows), vec![column(&[0], &[])]);
    }
}
