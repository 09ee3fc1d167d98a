//! What openings are called, where a tag column leaves that to the moves (spec §4.3.8).
//!
//! To unpack games their moves are there. To list them they are decoded as far as the book of the
//! column has lines: in blocks of weighted games that is the beginning of each group.

use crate::block::{
    Coding, Fixed, Kind,
    decode::{Block, Records},
    groups::Groups,
    opening_prefix::is_usual,
};
use crate::{
    columns::{
        Codec, Span, Table,
        openings::{self, Book, BookSpans, Walk},
    },
    error::Result,
    pgn::start::Start,
};

/// The book of a block, and what it tells.
pub(super) struct Openings {
    book: &'static Book,
    /// The tags, and the field of the book for each.
    tags: Vec<(u16, usize)>,
    spans: BookSpans,
}

impl Openings {
    /// Those of a block; none where no column leaves openings to the moves.
    ///
    /// # Errors
    /// Unsupported when the book is not known.
    pub fn of(block: &Block) -> Result<Option<Self>> {
        let head = block.head();
        let is_it = |codec: u8| codec == Codec::Openings as u8;
        let Some(column) = head.columns.iter().find(|c| is_it(c.codec)) else {
            return Ok(None);
        };
        let (book, fields) = openings::open(column.flags, &column.tags, &head.tag_names)?;
        Ok(Some(Self {
            book,
            tags: column.tags.iter().copied().zip(fields).collect(),
            spans: BookSpans::default(),
        }))
    }

    /// Looks a game up, move by move.
    pub fn lookup(&self) -> Walk {
        Walk::new(self.book)
    }

    /// Whether a record has a tag that follows from its moves.
    pub fn follow(&self, table: &Table, row: usize) -> bool {
        self.tags
            .iter()
            .any(|&(tag, _)| table.span(tag, row) == Span::DERIVED)
    }

    /// Fills in what follows from the first moves of a game; nothing where the book cannot tell.
    pub fn tell(&mut self, table: &mut Table, row: usize, start: &Start, lookup: &Walk) {
        let Some(line) = lookup.found().filter(|_| is_usual(start)) else {
            return;
        };
        for &(tag, field) in &self.tags {
            if table.span(tag, row) == Span::DERIVED {
                let span = self.spans.of_line(table, self.book, field, line);
                table.set(tag, row, span);
            }
        }
    }
}

impl Block<'_> {
    /// Fills in what openings are called, in the records that are wanted, where that is left to
    /// the moves: these are decoded as far as it takes.
    ///
    /// # Errors
    /// Corrupt; unsupported when the book, or the model of the moves, is not known.
    pub fn fill_openings(
        &self,
        records: &Records,
        table: &mut Table,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let Some(mut openings) = Openings::of(self)?.filter(|_| self.kind() == Kind::Chess) else {
            return Ok(());
        };
        let starts = self.starts(records)?;
        let [column] = self.fixed(Fixed::Moves)?;
        let plies = self.head().plies;
        let asked = |openings: &Openings, table: &Table, row: usize| {
            wanted(row) && openings.follow(table, row)
        };
        if self.coding() == Coding::Weighted {
            let mut groups = Groups::new(
                &column,
                &starts,
                self.known_signatures(records, &starts)?,
                plies,
            )?;
            for group in 0..groups.len() {
                // The games that are asked for: their place in the group, their record, the lookup.
                let rows = groups.records(group).iter().map(|&row| row as usize);
                let asked = rows
                    .enumerate()
                    .filter(|&(_, row)| asked(&openings, table, row));
                let mut lookups: Vec<_> = asked
                    .map(|(game, row)| (game, row, openings.lookup()))
                    .collect();
                if lookups.is_empty() {
                    continue;
                }
                let mut ply = 0;
                groups.begin(group, |moves| {
                    let mut on = false;
                    for (game, _, lookup) in &mut lookups {
                        on |= moves[*game]
                            .get(ply)
                            .is_some_and(|&played| lookup.play(played));
                    }
                    ply += 1;
                    on
                })?;
                for (_, row, lookup) in &lookups {
                    if let Some(start) = starts.of(*row) {
                        openings.tell(table, *row, start, lookup);
                    }
                }
            }
            // Those without moves are in no group.
            for row in (0..records.len()).filter(|&row| !starts.is_played(row)) {
                if let Some(start) = starts.of(row).filter(|_| asked(&openings, table, row)) {
                    let lookup = openings.lookup();
                    openings.tell(table, row, start, &lookup);
                }
            }
            return Ok(());
        }
        let mut moves = self.moves_column(&column, records, &starts)?;
        for row in 0..records.len() {
            match starts.of(row).filter(|_| asked(&openings, table, row)) {
                Some(start) => {
                    let mut lookup = openings.lookup();
                    moves
                        .next_game()?
                        .begin(start, |played| lookup.play(played))?;
                    openings.tell(table, row, start, &lookup);
                }
                None => moves.skip()?,
            }
        }
        Ok(())
    }
}
