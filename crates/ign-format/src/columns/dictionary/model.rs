//! The adaptive statistics of a dictionary column, and how they predict and encode entries.
//!
//! Encoder and decoder run the same code: see [`Coder`]. An *entry* is the number of a distinct
//! value, by first appearance.

use ign_entropy::adaptive::{Bit, Coder, Number};
use rustc_hash::FxHashMap;

use crate::{
    columns::table::{Span, Table},
    container::block_head::Column,
    error::{Error, Result},
};

/// Flag: entries are encoded by their place in a move-to-front list (spec §4.3.1).
pub const RECENT: u8 = 1;
/// Flag: predictions are tried first (spec §4.3.1).
pub const PREDICT: u8 = 2;
/// Flag: the two values of a record are each other's key (spec §4.3.1). The prediction of the
/// second is the value that the first came with last.
pub const PAIRED: u8 = 4;
/// Flag: a head stores the first value of each key (spec §4.3.1).
pub const FIRST_VALUES: u8 = 8;
/// Flag: the name model encodes the strings (spec §4.3.1).
pub const NAME_MODEL: u8 = 16;

/// A column with [`RECENT`] has fewer entries than this: the move-to-front list takes linear time
/// (spec §7).
pub const MAX_RECENT: usize = 1 << 14;
/// Maximum number of references, and so of keys and predictions of a value (spec §4.3.1).
pub const MAX_KEYS: usize = 3;

/// What the decoder passes for an entry that it does not know yet. It equals no entry.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The keys of a value: the values of the references in the same record.
pub(super) type Keys = [Option<Span>; MAX_KEYS];

/// The places of the keys of a value in [`Model::by_key`].
type Places = [Option<u32>; MAX_KEYS];

/// The keys of a value of the `tag`-th tag of the column.
#[inline]
pub(super) fn keys(table: &Table, column: &Column, tag: usize, row: usize) -> Keys {
    let mut keys = Keys::default();
    if tag == 1 && column.flags & PAIRED != 0 {
        keys[0] = Some(table.span(column.tags[0], row));
    }
    for (key, &reference) in keys.iter_mut().zip(&column.refs) {
        *key = Some(table.span(reference, row));
    }
    keys
}

/// The statistics of a part.
pub(super) struct Model {
    recent: bool,
    predict: bool,
    paired: bool,
    /// Whether a prediction is right, by its key and the last two results of that key.
    hit: [[Bit; 4]; MAX_KEYS],
    /// The last two results of each key.
    hits: [usize; MAX_KEYS],
    /// Whether an entry is new, by whether the entry before was.
    new: [Bit; 2],
    was_new: bool,
    number: Number<12>,
    /// Number of entries so far.
    known: u32,
    /// The move-to-front list of all entries, with [`RECENT`].
    order: Vec<u32>,
    /// The place of each key in `by_key`.
    places: FxHashMap<Span, u32>,
    /// The last entry of each key, [`UNKNOWN`] before the first.
    by_key: Vec<u32>,
    /// The entry of the value before.
    before: Option<u32>,
}

impl Model {
    /// The statistics at the start of a part, when `known` entries have appeared.
    pub fn new(flags: u8, known: u32) -> Self {
        let recent = flags & RECENT != 0;
        Self {
            recent,
            predict: flags & PREDICT != 0,
            paired: flags & PAIRED != 0,
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
            places: FxHashMap::default(),
            by_key: Vec::new(),
            before: None,
        }
    }

    /// Number of entries so far.
    #[inline]
    pub fn known(&self) -> u32 {
        self.known
    }

    /// Codes an entry. `first_value` is the stored first entry of the first key. An entry that
    /// equals [`Model::known`] is new; the caller stores its string.
    ///
    /// # Errors
    /// Corrupt, if the codes name an entry that has not appeared.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        keys: Keys,
        first_value: Option<u32>,
        entry: u32,
    ) -> Result<u32> {
        let keys = if self.predict {
            keys.map(|key| key.map(|key| self.place(key)))
        } else {
            [None; MAX_KEYS]
        };
        let predictions = self.predictions(keys, first_value);
        for (i, prediction) in predictions.into_iter().enumerate() {
            let Some(prediction) = prediction.filter(|_| !predictions[..i].contains(&prediction))
            else {
                continue;
            };
            let hit = coder.bit(&mut self.hit[i][self.hits[i]], prediction == entry);
            self.hits[i] = (self.hits[i] << 1 | usize::from(hit)) & 3;
            if hit {
                if self.recent {
                    self.move_to_front(rank(&self.order, prediction));
                }
                self.update(keys, prediction);
                return Ok(prediction);
            }
        }
        let entry = self.code_unpredicted(coder, entry)?;
        self.update(keys, entry);
        Ok(entry)
    }

    /// Codes an entry that no prediction matches.
    fn code_unpredicted(&mut self, coder: &mut impl Coder, entry: u32) -> Result<u32> {
        let known = self.known;
        let new = coder.bit(&mut self.new[usize::from(self.was_new)], entry == known);
        self.was_new = new;
        if new {
            self.known += 1;
            if self.recent {
                if self.known as usize == MAX_RECENT {
                    return Err(too_many_entries());
                }
                self.order.push(known);
                self.move_to_front(known as usize);
            }
            return Ok(known);
        }
        if self.recent {
            // Only the encoder knows the entry and searches for it.
            let given = if entry < known {
                rank(&self.order, entry)
            } else {
                0
            };
            let place = self.number.code(coder, given as u64) as usize;
            let entry = *self.order.get(place).ok_or_else(unknown_entry)?;
            self.move_to_front(place);
            return Ok(entry);
        }
        let entry = self.number.code(coder, u64::from(entry));
        u32::try_from(entry)
            .ok()
            .filter(|&entry| entry < known)
            .ok_or_else(unknown_entry)
    }

    /// The place of a key in `by_key`.
    fn place(&mut self, key: Span) -> u32 {
        let next = self.by_key.len() as u32;
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.by_key.push(UNKNOWN);
        }
        place
    }

    /// The predictions for a value whose keys are at these places.
    fn predictions(&self, keys: Places, first_value: Option<u32>) -> [Option<u32>; MAX_KEYS] {
        if !self.predict {
            return [None; MAX_KEYS];
        }
        if keys[0].is_none() && !self.paired {
            let mut predictions = [None; MAX_KEYS];
            predictions[0] = self.before;
            return predictions;
        }
        let mut predictions =
            keys.map(|place| Some(self.by_key[place? as usize]).filter(|&entry| entry != UNKNOWN));
        predictions[0] = predictions[0].or(first_value);
        predictions
    }

    /// Stores an entry for the next predictions.
    fn update(&mut self, keys: Places, entry: u32) {
        self.before = Some(entry);
        for place in keys.into_iter().flatten() {
            self.by_key[place as usize] = entry;
        }
    }

    /// Pairs the values of a record, each as the next prediction of the other, with [`PAIRED`].
    /// `first` is the first value of the record, and is set by it.
    #[inline]
    pub fn pair(&mut self, first: &mut Option<(Span, u32)>, value: (Span, u32)) {
        if !self.paired {
            return;
        }
        match *first {
            None => *first = Some(value),
            Some(first) => {
                for (key, entry) in [(first.0, value.1), (value.0, first.1)] {
                    let place = self.place(key) as usize;
                    self.by_key[place] = entry;
                }
            }
        }
    }

    fn move_to_front(&mut self, place: usize) {
        self.order[..=place].rotate_right(1);
    }
}

/// The place of an entry in the move-to-front list.
fn rank(order: &[u32], entry: u32) -> usize {
    order.iter().position(|&e| e == entry).unwrap_or(0)
}

/// The error of a column with [`RECENT`] and [`MAX_RECENT`] entries or more.
pub(super) fn too_many_entries() -> Error {
    Error::corrupt("a dictionary column has too many entries for a move-to-front list")
}

fn unknown_entry() -> Error {
    Error::corrupt("a dictionary column uses an entry that has not appeared")
}
