//! The payloads of a block of chess, record by record: comments, variations and literal text.
//!
//! Comments and variations may be predicted from the moves of their record. So [`Payloads::next`]
//! returns whether [`Payloads::read`] needs these. Columns that cannot be read are left out.

use std::borrow::Cow;

use crate::{
    block::{
        Fixed,
        decode::{
            block::Block,
            comments::Comments,
            layouts::Layouts,
            records::Records,
            selection::{Selection, Survey},
            unreadable::Unreadable,
        },
        moves::ProvenMoves,
        starts::Starts,
    },
    columns::Table,
    error::Result,
    pgn::{
        payloads::{RecordPayloads, TextStream},
        variations::{Game, Lines, Unpacker},
    },
};

/// The streams of the columns that can be read.
pub struct Streams<'a> {
    comments: Option<[Cow<'a, [u8]>; 4]>,
    variations: Option<[Cow<'a, [u8]>; 4]>,
    text: Option<[Cow<'a, [u8]>; 1]>,
}

impl<'a> Streams<'a> {
    /// The streams of a block.
    ///
    /// # Errors
    /// Corrupt.
    pub fn of(block: &Block<'a>, unreadable: &Unreadable) -> Result<Self> {
        let comments = || block.fixed(Fixed::Comments);
        let variations = || block.fixed(Fixed::Variations);
        let text = || block.fixed(Fixed::Text);
        Ok(Self {
            comments: (!unreadable.comments).then(comments).transpose()?,
            variations: (!unreadable.variations).then(variations).transpose()?,
            text: (!unreadable.text).then(text).transpose()?,
        })
    }
}

fn slices<'s>(streams: &'s [Cow<[u8]>; 4]) -> [&'s [u8]; 4] {
    streams.each_ref().map(AsRef::as_ref)
}

/// The payloads of a block. A column that cannot be read is `None`.
pub struct Payloads<'a> {
    comments: Option<Comments<'a>>,
    variations: Option<Variations<'a>>,
    text: Option<TextStream<'a>>,
}

impl<'a> Payloads<'a> {
    /// The payloads of a block, given their streams, where these records are selected.
    ///
    /// # Errors
    /// Corrupt.
    pub fn new(
        block: &Block,
        streams: &'a Streams,
        starts: &Starts,
        selection: &Selection,
        proven: Option<&'a ProvenMoves>,
    ) -> Result<Self> {
        let comments = streams.comments.as_ref();
        let comments = comments.map(|streams| Comments::new(block, slices(streams), selection));
        let variations = streams.variations.as_ref();
        let variations = variations
            .map(|streams| Variations::new(block, slices(streams), starts, selection, proven));
        Ok(Self {
            comments: comments.transpose()?,
            variations: variations.transpose()?,
            text: streams.text.as_ref().map(|[text]| TextStream::new(text)),
        })
    }

    /// For each of the first `rows` records whether its moves may be needed, by its payloads or
    /// because it is selected.
    pub fn needing_moves(&self, rows: usize) -> Vec<bool> {
        let variations = self.variations.as_ref();
        let mut needed = variations.map_or(Vec::new(), |column| column.decoded.clone());
        needed.resize(rows, false);
        let comments = self.comments.iter().flat_map(Comments::needing_moves);
        comments
            .filter(|&row| row < rows)
            .for_each(|row| needed[row] = true);
        needed
    }

    /// Surveys the selected records, and leaves out the columns of which they have nothing.
    ///
    /// # Errors
    /// Corrupt.
    pub fn survey(&mut self, layouts: Layouts<'a>, selection: &Selection) -> Result<Survey<'a>> {
        let comments = self.comments.iter().flat_map(Comments::needed);
        let variations = self.variations.iter().flat_map(|v| v.unpacker.needed());
        let survey = Survey::new(layouts, selection, comments.chain(variations))?;
        if let Some(comments) = self.comments.as_mut().filter(|_| !survey.with_comments) {
            comments.skip_all();
        }
        if let Some(variations) = self.variations.as_mut().filter(|_| !survey.with_variations) {
            variations.unpacker.skip_all();
            variations.decoded.fill(false);
        }
        Ok(survey)
    }

    /// Reads how clocks run in the first `rows` records; see [`Comments::read_controls`].
    ///
    /// # Errors
    /// Corrupt.
    pub fn read_controls(
        &mut self,
        block: &Block,
        records: &Records,
        table: &Table,
        rows: usize,
    ) -> Result<()> {
        match &mut self.comments {
            Some(comments) => comments.read_controls(block, records, table, rows),
            None => Ok(()),
        }
    }

    /// Skips a record of which nothing is needed, except for its text.
    ///
    /// # Errors
    /// Corrupt.
    pub fn skip(&mut self) -> Result<()> {
        if let Some(comments) = &mut self.comments {
            comments.skip()?;
        }
        if let Some(variations) = &mut self.variations {
            variations.unpacker.skip()?;
        }
        Ok(())
    }

    /// Takes this many bytes of text.
    ///
    /// # Errors
    /// Corrupt when there are fewer.
    pub fn take_text(&mut self, len: usize) -> Result<&'a [u8]> {
        match &mut self.text {
            Some(text) => text.take_len(len),
            None => Ok(&[]),
        }
    }

    /// Goes to the next record, whose layout has been read; returns whether [`read`](Self::read)
    /// needs its moves.
    ///
    /// # Errors
    /// Corrupt.
    pub fn next(&mut self, row: usize, layouts: &Layouts) -> Result<bool> {
        let mut needs_moves = false;
        if let Some(variations) = &mut self.variations {
            needs_moves |= variations.next(row, layouts)?;
        }
        if let Some(comments) = &mut self.comments {
            needs_moves |= comments.next(layouts.layout.comments)?;
        }
        Ok(needs_moves)
    }

    /// The payloads of the current record, at most `max` bytes each. `game` is its game, if it is
    /// playable and its moves are needed. If the record is not selected, the result is meaningless:
    /// its payloads only train the models.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(
        &mut self,
        row: usize,
        layouts: &Layouts,
        game: Option<Game>,
        selected: bool,
        max: usize,
    ) -> Result<RecordPayloads<'_>> {
        let text = self.take_text(layouts.text_len())?;
        let comments = match &mut self.comments {
            Some(comments) => comments.read(row, layouts, game, selected, max)?,
            None => &[],
        };
        let variations = match &mut self.variations {
            Some(variations) => variations.read(layouts, game, max)?,
            None => &[],
        };
        Ok(RecordPayloads {
            comments,
            variations,
            text,
        })
    }

    /// Fails unless all has been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(&self) -> Result<()> {
        self.comments.as_ref().map_or(Ok(()), Comments::finish)?;
        let variations = self.variations.as_ref();
        variations.map_or(Ok(()), |column| column.unpacker.finish())?;
        self.text.as_ref().map_or(Ok(()), TextStream::finish)
    }
}

/// The variations column.
struct Variations<'a> {
    unpacker: Unpacker<'a>,
    /// For each record whether the moves of its variations are decoded.
    decoded: Vec<bool>,
    /// The lines of the current record, if their moves are decoded.
    lines: Option<Lines<'a>>,
    /// The text of the variations of the current record.
    text: Vec<u8>,
}

impl<'a> Variations<'a> {
    fn new(
        block: &Block,
        streams: [&'a [u8]; 4],
        starts: &Starts,
        selection: &Selection,
        proven: Option<&'a ProvenMoves>,
    ) -> Result<Self> {
        let decoded = selection.variations(starts);
        let mut unpacker = Unpacker::new(
            streams,
            block.move_model(streams[3])?,
            block.head().text_len,
            decoded.len(),
            |row| decoded[row],
        )?;
        if let Some(proven) = proven {
            unpacker.check_by(&proven.lines);
        }
        Ok(Self {
            unpacker,
            decoded,
            lines: None,
            text: Vec::new(),
        })
    }

    /// Goes to the next record; returns whether its moves are needed.
    fn next(&mut self, row: usize, layouts: &Layouts) -> Result<bool> {
        let lines = self.unpacker.read(&layouts.variations())?;
        let decoded = layouts.layout.variations && self.decoded[row];
        self.lines = decoded.then_some(lines);
        Ok(decoded)
    }

    /// The text of the variations of the current record, if their moves are decoded.
    fn read(&mut self, layouts: &Layouts, game: Option<Game>, max: usize) -> Result<&[u8]> {
        let Some(lines) = self.lines.take() else {
            return Ok(&[]);
        };
        let record = layouts.variations();
        self.text = self.unpacker.render(&record, lines, game, max)?;
        Ok(&self.text)
    }
}
