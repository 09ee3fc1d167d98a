//! The records of a block: their schemas.

use crate::{
    block::{
        Fixed, Kind,
        decode::block::Block,
        nulls::NullMoves,
        schemas::{Schema, Schemas},
        starts::Starts,
    },
    columns::{self, Table},
    error::{Error, Result},
    pgn::{line_end::LineEnd, section::TagSections},
};
use ign_entropy::adaptive::Decoder;

/// The schemas of all records of a block. Records are counted from zero.
#[derive(Debug)]
pub struct Records {
    schemas: Vec<Schema>,
    nulls: NullMoves,
    lists: Schemas,
    sections: TagSections,
}

impl Records {
    /// Number of records.
    pub fn len(&self) -> usize {
        self.schemas.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.schemas.is_empty()
    }

    /// Whether a record is a game: it has tags or moves.
    pub fn is_game(&self, record: usize) -> bool {
        self.has_moves(record) || !self.tags(record).is_empty()
    }

    /// Whether a record has moves.
    pub fn has_moves(&self, record: usize) -> bool {
        self.schemas[record].moves
    }

    /// Where the games of the records start, by a table in which [`Starts::TAGS`] are decoded.
    ///
    /// # Errors
    /// Corrupt if a record has null moves but is not a game of chess.
    pub(super) fn starts(&self, table: &Table) -> Result<Starts> {
        Starts::of_table(table, |record| self.has_moves(record)).with_nulls(&self.nulls)
    }

    /// The null moves of the records.
    pub fn nulls(&self) -> &NullMoves {
        &self.nulls
    }

    /// The record of a game; both are counted from zero.
    pub fn of_game(&self, game: usize) -> Option<usize> {
        self.games().nth(game)
    }

    /// The number of a record's tag list.
    #[cfg(feature = "go")]
    pub(in crate::block) fn list(&self, record: usize) -> u32 {
        self.schemas[record].list
    }

    /// The records that are games, in order.
    pub fn games(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.len()).filter(|&record| self.is_game(record))
    }

    /// The tags of a record, by their number in the head, in the order of the text.
    pub fn tags(&self, record: usize) -> &[u16] {
        self.lists.tags(self.schemas[record].list)
    }

    /// The line end of a record's tag lines and of its wrapped movetext.
    pub(super) fn line_end(&self, record: usize) -> LineEnd {
        self.schemas[record].line_end
    }

    /// Whether a record has a tag section that does not have the standard form.
    pub(in crate::block) fn have_sections(&self) -> bool {
        self.sections.count() > 0
    }

    /// The template of a record's tag section, if it does not have the standard form.
    pub(in crate::block) fn section(&self, record: usize) -> Option<&[u8]> {
        let number = self.schemas[record].section.checked_sub(1)?;
        Some(self.sections.get(number))
    }
}

impl Block<'_> {
    /// The schemas of all records.
    ///
    /// # Errors
    /// Corrupt.
    pub fn records(&self) -> Result<Records> {
        let [codes, sections] = self.fixed(Fixed::Schemas)?;
        let mut coder = Decoder::new(&codes);
        let mut lists = Schemas::default();
        let head = self.head();
        let names = head.tag_names.len();
        let mut schemas = Vec::with_capacity(self.reserved(head.records));
        let mut nulls = NullMoves::default();
        for record in 0..head.records {
            schemas.push(lists.code(&mut coder, Schema::default(), &[], names, &[])?);
            columns::check_overrun(&coder)?;
            nulls.push(record, lists.nulls());
            if nulls.count() as u64 > head.plies {
                return Err(Error::corrupt("a block has more null moves than plies"));
            }
        }
        if self.kind() == Kind::Go && !nulls.is_empty() {
            return Err(Error::corrupt("a game of Go has null moves of chess"));
        }
        let sections = TagSections::read(&sections)?;
        if sections.count() != lists.templates() as usize {
            return Err(Error::corrupt(
                "a block has another number of tag sections than its records",
            ));
        }
        let records = Records {
            schemas,
            nulls,
            lists,
            sections,
        };
        let games = records.games();
        if games.count() != head.games {
            return Err(Error::corrupt(
                "the number of games in a block differs from its head",
            ));
        }
        Ok(records)
    }
}
