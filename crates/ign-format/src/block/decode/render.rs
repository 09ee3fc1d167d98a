//! The text of a block, all of it or some of its records.
//!
//! The texts of the records come from a [source](super::text_source) of chess ([`Texts`]) or of Go,
//! and one loop joins them ([`append_selected`]). When only some records are selected, moves are
//! decoded in the background while the tags are read.

#[cfg(feature = "go")]
use crate::block::{Kind, go};
use crate::{
    block::{
        Fixed,
        decode::{
            block::Block,
            layouts::Layouts,
            payloads::{Payloads, Streams},
            played::Gathered,
            records::Records,
            selection::{Selection, Survey},
            tags::Tags,
            text_source::append_selected,
            texts::{MoveSource, PayloadSource, Texts, Writer},
            unreadable::Unreadable,
        },
        moves::{MoveLists, MovesColumn, ProvenMoves},
    },
    container::checksum,
    error::{Error, Result},
    pgn::gaps::Templates,
};

/// What is known of a block before its text is written, and what is gathered meanwhile.
#[derive(Default)]
pub(in crate::block) struct Pass<'a> {
    /// The moves of the whole block: most of it is compared with them instead of being decoded.
    pub proven: Option<&'a ProvenMoves>,
    /// The same for a block of Go.
    #[cfg(feature = "go")]
    pub intervals: Option<&'a [go::Interval]>,
    /// The moves of all games, decoded already.
    pub lists: Option<&'a MoveLists>,
    /// Receives what the moves show.
    pub gathered: Option<&'a mut Gathered>,
    /// What is left out.
    pub unreadable: Unreadable,
    /// Whether every move of a main line is written in SAN, whatever the text has.
    pub in_san: bool,
}

impl<'a> Pass<'a> {
    /// With the moves of all games, if they are decoded already.
    fn of_lists(lists: Option<&'a MoveLists>) -> Self {
        Self {
            lists,
            ..Self::default()
        }
    }
}

impl Block<'_> {
    /// The whole text.
    ///
    /// # Errors
    /// Corrupt, also when all is well-formed but the text is not the one packed.
    pub fn text(&self) -> Result<Vec<u8>> {
        self.text_by_record(&self.records()?, None, |_| ())
    }

    /// The whole text. After each record `ended` receives the length of the text so far. `moves`
    /// are those of all games, if they are decoded already ([`move_lists`](Self::move_lists)).
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn text_by_record(
        &self,
        records: &Records,
        moves: Option<&MoveLists>,
        ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let pass = Pass::of_lists(moves);
        self.text_in(records, pass, ended)
    }

    /// [`text_by_record`](Self::text_by_record), with more done in the same pass.
    pub(super) fn text_in(
        &self,
        records: &Records,
        pass: Pass,
        mut ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let head = self.head();
        let mut out = Vec::with_capacity(self.reserved(head.text_len));
        let mut look = |out: &mut Vec<u8>| {
            ended(out.len());
            Ok(())
        };
        self.render_each(records, records.len(), |_| true, pass, &mut out, &mut look)?;
        if out.len() != head.text_len || checksum(&out) != head.text_checksum {
            return Err(Error::corrupt("the checksum of the text differs"));
        }
        Ok(out)
    }

    /// Appends the text of those of the first `rows` records that are `wanted`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn render(
        &self,
        records: &Records,
        rows: usize,
        wanted: impl Fn(usize) -> bool,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.render_each(records, rows, wanted, Pass::default(), out, &mut |_| Ok(()))
    }

    /// The text of the `wanted` records. After each of them `ended` receives the length of the text
    /// so far. `moves` are those of all games of the block, if they are decoded already.
    ///
    /// # Errors
    /// Corrupt.
    pub fn text_of_some(
        &self,
        records: &Records,
        moves: Option<&MoveLists>,
        wanted: impl Fn(usize) -> bool,
        ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        self.some_in(records, Pass::of_lists(moves), wanted, ended)
    }

    /// [`text_of_some`](Self::text_of_some), with every move of a main line in SAN, in whatever form
    /// and language the text has it, apart from what is before and after it, with ASCII only outside
    /// of comments, and with parentheses for the braces within comments. So a reader that knows SAN
    /// only finds the moves that the archive has, and what is written between them. Only records
    /// that are not [`in_san`](Self::in_san) differ.
    ///
    /// # Errors
    /// Corrupt.
    pub fn san_text_of_some(
        &self,
        records: &Records,
        moves: Option<&MoveLists>,
        wanted: impl Fn(usize) -> bool,
        ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let pass = Pass {
            in_san: true,
            ..Pass::of_lists(moves)
        };
        self.some_in(records, pass, wanted, ended)
    }

    fn some_in(
        &self,
        records: &Records,
        pass: Pass,
        wanted: impl Fn(usize) -> bool,
        mut ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut look = |out: &mut Vec<u8>| {
            ended(out.len());
            Ok(())
        };
        let rows = (0..records.len())
            .rev()
            .find(|&row| wanted(row))
            .map_or(0, |row| row + 1);
        self.render_each(records, rows, wanted, pass, &mut out, &mut look)?;
        Ok(out)
    }

    /// [`render`](Block::render), calling `look` with the output after each record.
    pub(super) fn render_each(
        &self,
        records: &Records,
        rows: usize,
        wanted: impl Fn(usize) -> bool,
        pass: Pass,
        out: &mut Vec<u8>,
        look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let selection = Selection::new(records.len(), rows, wanted);
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            return go::render(self, records, &selection, pass, out, look);
        }
        let Pass {
            proven,
            lists,
            gathered,
            unreadable,
            in_san,
            ..
        } = pass;
        let table = |rows| {
            let readable = |tag: u16| !unreadable.has_tag(tag);
            self.table_of(records, rows, |row| selection.contains(row), readable)
        };
        let whole = selection.all.then(|| table(records.len())).transpose()?;
        let starts = match &whole {
            Some(table) => records.starts(table)?,
            None => self.starts(records)?,
        };

        // The moves first: they take longest, and may be decoded in the background.
        let streams = Streams::of(self, &unreadable)?;
        let mut payloads = Payloads::new(self, &streams, &starts, &selection, proven)?;
        let [moves] = self.fixed(Fixed::Moves)?;
        let mut moves = match lists {
            Some(lists) => MovesColumn::of_lists(&starts, lists),
            None => self.moves_column(&moves, records, &starts)?,
        };
        if let Some(proven) = proven {
            moves.check_by(proven);
        }
        if !selection.all {
            let needed = payloads.needing_moves(rows);
            moves.prefetch((0..rows).filter(|&row| needed[row]), self.preload_book());
        }

        let [layouts, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let layouts = Layouts::new(&layouts, &templates);
        let mut survey = Survey::default();
        if !selection.all {
            survey = payloads.survey(layouts.clone(), &selection)?;
        }
        let table = whole.map_or_else(|| table(rows), Ok)?;
        payloads.read_controls(self, records, &table, rows)?;
        let tags = Tags::new(self, records, table, &unreadable)?;
        let texts = Texts {
            moves: MoveSource {
                column: moves,
                starts: &starts,
                looks_ahead: selection.all,
                list: Vec::new(),
            },
            payloads: PayloadSource {
                payloads,
                layouts,
                survey,
            },
            writer: Writer {
                missing: unreadable.of_records(tags.lack_result()),
                tags,
                gathered,
                in_san,
                // A forged block could expand to endless text: its real text is never this long.
                max: 4 * self.head().text_len + 1024,
                movetext: Vec::new(),
            },
        };
        append_selected(texts, &selection, out, look)
    }
}
