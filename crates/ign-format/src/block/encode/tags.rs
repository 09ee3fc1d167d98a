//! Stage 2: the tags of the records go into a table, a column for each tag name.

use std::{collections::HashMap, ops::Range};

use crate::{
    block::encode::records::Accepted,
    columns::{Span, Table},
    container::{MAX_BLOCK_VALUES, MAX_TAG_NAMES},
    pgn::records::Tag,
};

/// Builds the table, record by record.
#[derive(Debug, Default)]
pub struct TagTable {
    names: TagNames,
    /// For each tag the value of each record so far; missing at the end if the last records lack it.
    values: Vec<Vec<Span>>,
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

    /// Adds the tags of a record of this text, as far as there is room.
    pub fn push_record(&mut self, text: &[u8], tags: &[Tag]) -> Accepted {
        if !self.has_room(tags.len()) {
            return Accepted::Nothing;
        }
        for (place, tag) in tags.iter().enumerate() {
            if !self.push(&text[tag.name.clone()], tag.value.clone()) {
                return Accepted::Before(place);
            }
        }
        Accepted::All
    }

    /// Adds a tag to the current record, with the range of its value in the text; returns whether
    /// there is room for its name.
    pub fn push(&mut self, name: &[u8], value: Range<usize>) -> bool {
        let Some(number) = self.names.number(name, self.list.len()) else {
            return false;
        };
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
    pub fn value<'t>(&self, text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
        let number = self.names.find(name)?;
        let span = self.values[usize::from(number)].get(self.row)?;
        Some(&text[span.start as usize..][..span.len as usize])
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

    /// The table, without the text of the values.
    pub fn finish(mut self) -> Table {
        for values in &mut self.values {
            values.resize(self.row, Span::ABSENT);
        }
        Table {
            names: self.names.names,
            values: self.values,
            rows: self.row,
            ..Table::default()
        }
    }
}

/// The tag names of a block, numbered by first appearance.
#[derive(Debug, Default)]
struct TagNames {
    names: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16, rustc_hash::FxBuildHasher>,
    /// The number of the last name at each place in a record: records from the same source have
    /// the same tags in the same order.
    places: Vec<u16>,
}

impl TagNames {
    fn find(&self, name: &[u8]) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// The number of a name at this place of its record, a new one if necessary; `None` if there
    /// are too many names.
    fn number(&mut self, name: &[u8], place: usize) -> Option<u16> {
        if let Some(&number) = self.places.get(place)
            && self.names[usize::from(number)] == name
        {
            return Some(number);
        }
        let number = match self.find(name) {
            Some(number) => number,
            None if self.names.len() as u64 == MAX_TAG_NAMES => return None,
            None => {
                let number = self.names.len() as u16;
                self.names.push(name.to_vec());
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
