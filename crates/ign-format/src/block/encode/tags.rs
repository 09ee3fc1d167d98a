//! Stage 2: the tags of the records go into a table, a column for each tag name.

use std::{collections::HashMap, ops::Range};

use crate::{
    columns::{Span, Table},
    container::{MAX_BLOCK_VALUES, MAX_TAG_NAMES},
    pgn::tags::Tag,
};

/// Builds the table, record by record.
#[derive(Debug, Default)]
pub struct TagTable {
    names: TagNames,
    /// For each tag the value of each record so far; missing at the end if the last records lack
    /// it.
    values: Vec<Vec<Span>>,
    /// Values that are written on several lines, joined. Their spans follow those of the text.
    joined: Vec<u8>,
    /// Tags of the current record.
    list: Vec<u16>,
    /// Records before the current one.
    row: usize,
}

impl TagTable {
    /// Whether the table has room for another record with `tags` tags, all new.
    pub fn has_room(&self, tags: usize) -> bool {
        // A record of text, without tags, must have room after it.
        (self.names.names.len() + tags).max(1) * (self.row + 2) <= MAX_BLOCK_VALUES as usize
    }

    /// Number of tag names.
    pub fn names(&self) -> usize {
        self.names.names.len()
    }

    /// Number of the current record.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The tags of the current record.
    pub fn list(&self) -> &[u16] {
        &self.list
    }

    /// Adds the tags of a record of this text; removes those for whose names there is no room.
    pub fn push_record(&mut self, text: &[u8], tags: &mut Vec<Tag>) {
        tags.retain(|tag| {
            let mut value = tag.value.clone();
            if let Some(joined) = &tag.joined {
                let start = text.len() + self.joined.len();
                self.joined.extend_from_slice(&joined.value);
                value = start..start + joined.value.len();
            }
            self.push(tag.name(text), value)
        });
    }

    /// Adds a tag to the current record, with the range of its value in the text; returns whether
    /// there is room for its name.
    pub fn push(&mut self, name: &[u8], value: Range<usize>) -> bool {
        let Some(mut number) = self.names.number(name, self.list.len()) else {
            return false;
        };
        let is_taken = |values: &Vec<Span>| values.len() > self.row;
        while self.values.get(usize::from(number)).is_some_and(is_taken) {
            match self.names.repeat_of(number) {
                Some(repeat) => number = repeat,
                None => return false,
            }
        }
        self.list.push(number);
        if self.values.len() <= usize::from(number) {
            self.values.push(Vec::new());
        }
        let values = &mut self.values[usize::from(number)];
        values.resize(self.row, Span::ABSENT);
        values.push(Span {
            start: value.start as u32,
            len: value.len() as u32,
        });
        true
    }

    /// The current record's value of a tag, in this text.
    pub fn value<'t>(&'t self, text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
        let number = self.names.find(name)?;
        let span = self.values[usize::from(number)].get(self.row)?;
        let start = span.start as usize;
        let from = match start.checked_sub(text.len()) {
            None => &text[start..],
            Some(joined) => &self.joined[joined..],
        };
        Some(&from[..span.len as usize])
    }

    /// The number of a tag name.
    pub fn find(&self, name: &[u8]) -> Option<u16> {
        self.names.find(name)
    }

    /// Ends the current record.
    pub fn end_record(&mut self) {
        self.list.clear();
        self.row += 1;
    }

    /// The table. Its bytes are only those of the values that are not in the text.
    pub fn finish(mut self) -> Table {
        for values in &mut self.values {
            values.resize(self.row, Span::ABSENT);
        }
        Table {
            names: self.names.names,
            values: self.values,
            rows: self.row,
            bytes: self.joined,
            ..Table::default()
        }
    }
}

/// The tag names of a block, numbered by first appearance. A name that a record has several times
/// has several numbers: the first one for its first tag, and so on.
#[derive(Debug, Default)]
struct TagNames {
    names: Vec<Vec<u8>>,
    /// The first number of each name.
    numbers: HashMap<Vec<u8>, u16, rustc_hash::FxBuildHasher>,
    /// The next number with the same name.
    repeats: HashMap<u16, u16, rustc_hash::FxBuildHasher>,
    /// The number of the last name at each place in a record: records from the same source have
    /// the same tags in the same order.
    places: Vec<u16>,
}

impl TagNames {
    fn find(&self, name: &[u8]) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// A new number; `None` if there are too many.
    fn add(&mut self, name: Vec<u8>) -> Option<u16> {
        let number = self.names.len() as u16;
        (u64::from(number) < MAX_TAG_NAMES).then(|| self.names.push(name))?;
        Some(number)
    }

    /// The next number with the same name, a new one if necessary; `None` if there are too many.
    fn repeat_of(&mut self, number: u16) -> Option<u16> {
        if let Some(&repeat) = self.repeats.get(&number) {
            return Some(repeat);
        }
        let repeat = self.add(self.names[usize::from(number)].clone())?;
        self.repeats.insert(number, repeat);
        Some(repeat)
    }

    /// The first number of a name at this place of its record, a new one if necessary; `None` if
    /// there are too many.
    fn number(&mut self, name: &[u8], place: usize) -> Option<u16> {
        if let Some(&number) = self.places.get(place)
            && self.names[usize::from(number)] == name
        {
            return Some(number);
        }
        let number = match self.find(name) {
            Some(number) => number,
            None => {
                let number = self.add(name.to_vec())?;
                self.numbers.insert(name.to_vec(), number);
                number
            }
        };
        if self.places.len() <= place {
            self.places.resize(place + 1, number);
        }
        self.places[place] = number;
        Some(number)
    }
}
