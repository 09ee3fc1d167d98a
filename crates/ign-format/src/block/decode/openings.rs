//! Opening names and codes, where a tag column derives them from the moves (spec §4.3.8).
//!
//! Rendering a record has its moves at hand. Listing tags decodes the moves only as far as the
//! lines of the column's opening book go: for weighted games the first rounds of each group.

use crate::{
    block::{
        Coding, Fixed, Kind,
        decode::{block::Block, records::Records},
        groups::Groups,
        integers::{self, Follower, Integers, Prefixes},
        starts::{Starts, is_standard},
    },
    columns::{
        Codec, Span, Table,
        openings::{self, Book, BookSpans, Walk},
    },
    error::Result,
    pgn::start::Start,
};
use ign_notation::chess::{Move, Position, rules::LegalMoves};

/// Fills in the opening tags of a table from the book of its column.
pub struct OpeningTags {
    book: &'static Book,
    /// The tags, and the field of the book of each.
    tags: Vec<(u16, usize)>,
    spans: BookSpans,
}

impl OpeningTags {
    /// The opening tags of a block; `None` if no column derives tags from an opening book.
    ///
    /// # Errors
    /// Unsupported when the book is unknown.
    pub fn of(block: &Block) -> Result<Option<Self>> {
        let head = block.head();
        let of_openings = |codec: u8| codec == Codec::Openings as u8;
        let Some(column) = head.columns.iter().find(|c| of_openings(c.codec)) else {
            return Ok(None);
        };
        let (book, fields) = openings::open(column.flags, &column.tags, &head.tag_names)?;
        Ok(Some(Self {
            book,
            tags: column.tags.iter().copied().zip(fields).collect(),
            spans: BookSpans::default(),
        }))
    }

    /// The tags.
    pub fn tags(&self) -> impl Iterator<Item = u16> {
        self.tags.iter().map(|&(tag, _)| tag)
    }

    /// A lookup of one game, to be given its first moves.
    pub fn lookup(&self) -> Walk {
        Walk::new(self.book)
    }

    /// Whether a record has a tag that is derived from its opening.
    pub fn follow(&self, table: &Table, row: usize) -> bool {
        self.tags
            .iter()
            .any(|&(tag, _)| table.span(tag, row) == Span::DERIVED)
    }

    /// Fills in the tags of a record after its lookup, which found this line; nothing if it found
    /// none.
    pub fn fill(&mut self, table: &mut Table, row: usize, start: &Start, line: Option<u32>) {
        let Some(line) = line.filter(|_| is_standard(start)) else {
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
    /// Preloads the opening book of the block, if a column needs one.
    pub(super) fn preload_book(&self) -> impl FnOnce() + Send + 'static {
        let codec = Codec::Openings as u8;
        let column = self.head().columns.iter().find(|c| c.codec == codec);
        let number = column.map(|column| column.flags.into());
        move || {
            if let Some(book) = number.and_then(Book::from_number) {
                book.preload();
            }
        }
    }

    /// Fills in the opening tags of the `wanted` records that are derived from the moves, which are
    /// decoded only as far as necessary.
    ///
    /// # Errors
    /// Corrupt; unsupported when the book or the move model is unknown.
    pub fn fill_openings(
        &self,
        records: &Records,
        table: &mut Table,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let Some(tags) = OpeningTags::of(self)?.filter(|_| self.kind() == Kind::Chess) else {
            return Ok(());
        };
        let starts = self.starts(records)?;
        let [column] = self.fixed(Fixed::Moves)?;
        let mut fill = Fill {
            tags,
            table,
            starts: &starts,
            wanted,
        };
        match self.coding() {
            Coding::Weighted => {
                let groups = self.groups(&column, records, &starts)?;
                fill.decode_groups(groups, records.len())
            }
            Coding::Ign | Coding::IgnEnd => {
                fill.decode_integers(self.integers(&column), records.len())
            }
        }
    }
}

/// The opening tags being filled in.
struct Fill<'t, W> {
    tags: OpeningTags,
    table: &'t mut Table,
    starts: &'t Starts,
    wanted: W,
}

impl<W: Fn(usize) -> bool> Fill<'_, W> {
    /// Whether a record is to be filled in.
    fn includes(&self, row: usize) -> bool {
        (self.wanted)(row) && self.tags.follow(self.table, row)
    }

    fn fill(&mut self, row: usize, line: Option<u32>) {
        if let Some(start) = self.starts.of(row) {
            self.tags.fill(self.table, row, start, line);
        }
    }

    fn decode_groups(&mut self, mut groups: Groups, rows: usize) -> Result<()> {
        for group in 0..groups.len() {
            // Index in the group, record and lookup of each game to look up.
            let rows = groups.records(group).iter().map(|&row| row as usize);
            let mut lookups: Vec<_> = rows
                .enumerate()
                .filter(|&(_, row)| self.includes(row))
                .map(|(game, row)| (game, row, self.tags.lookup()))
                .collect();
            if lookups.is_empty() {
                continue;
            }
            let mut ply = 0;
            groups.first_rounds(group, |moves| {
                let mut more = false;
                for (game, _, lookup) in &mut lookups {
                    let played = moves[*game].get(ply);
                    more |= played.is_some_and(|&played| lookup.play(played));
                }
                ply += 1;
                more
            })?;
            for (_, row, lookup) in &lookups {
                self.fill(*row, lookup.found());
            }
        }
        self.fill_without_moves(rows);
        Ok(())
    }

    fn decode_integers(&mut self, integers: Integers, rows: usize) -> Result<()> {
        let mut found = Vec::new();
        let mut boards = Boards {
            tags: &self.tags,
            games: [0, 1].map(|_| (0, self.tags.lookup())),
            found: &mut found,
        };
        let wanted = |row| self.includes(row);
        let mut prefixes = Prefixes::default();
        integers::follow(
            integers,
            self.starts,
            wanted,
            &mut boards,
            Some(&mut prefixes),
        )?;
        for (row, line) in found {
            self.fill(row, line);
        }
        self.fill_without_moves(rows);
        Ok(())
    }

    /// Fills in the games without moves.
    fn fill_without_moves(&mut self, rows: usize) {
        for row in (0..rows).filter(|&row| !self.starts.is_played(row)) {
            if self.starts.of(row).is_some() && self.includes(row) {
                self.fill(row, self.tags.lookup().found());
            }
        }
    }
}

/// Looks up the two games in progress of a column of integers.
struct Boards<'t> {
    tags: &'t OpeningTags,
    /// The record and the lookup of each.
    games: [(usize, Walk); 2],
    /// The line of each record, once it is looked up.
    found: &'t mut Vec<(usize, Option<u32>)>,
}

impl Follower for Boards<'_> {
    type Known = Walk;

    fn begin(&mut self, board: usize, record: usize, _: &Start) {
        self.games[board] = (record, self.tags.lookup());
    }

    fn know(&self, before: Option<(&Walk, Move)>, _: &Position) -> (Walk, bool) {
        let Some((before, played)) = before else {
            return (self.tags.lookup(), false);
        };
        let mut lookup = before.clone();
        let continues = lookup.play(played);
        (lookup, !continues)
    }

    fn resume(&mut self, board: usize, known: &Walk) {
        self.games[board].1.clone_from(known);
    }

    #[inline]
    fn see_position<L: LegalMoves + ?Sized>(&mut self, _: usize, _: &L, _: bool) -> bool {
        true
    }

    #[inline]
    fn see_move<L>(&mut self, board: usize, _: &L, played: Move) -> bool
    where
        L: LegalMoves + ?Sized,
    {
        self.games[board].1.play(played)
    }

    fn end(&mut self, board: usize) {
        let (record, lookup) = &self.games[board];
        self.found.push((*record, lookup.found()));
    }
}
