//! An open block: its head, and its columns by name.

use std::{borrow::Cow, fmt};

use crate::{
    block::{Coding, Fixed, Kind, directory},
    columns,
    container::{
        block_head::{Column, Head},
        frame::skippable_len,
    },
    error::{Error, Remedy, Result},
    models::{Architecture, Model, Models},
};

/// Values for which memory is reserved at once, for each stored byte. Blocks of games have some 20
/// bytes of text for each; a forged head may state more, and what it states is read only as far as
/// there are bytes.
const RESERVED_PER_BYTE: usize = 256;
/// Bytes of a block that are counted in addition to those of its frames.
const MIN_STORED: usize = 1 << 12;

/// The columns of a block, each of which is read when it is first needed.
pub trait Columns: fmt::Debug + Send + Sync {
    /// The frames of a column, by its place in the directory of the head.
    ///
    /// # Errors
    /// Io.
    fn column(&self, place: usize) -> Result<&[u8]>;
}

/// Where a block has its columns.
#[derive(Debug, Clone, Copy)]
enum Body<'a> {
    Bytes(&'a [u8]),
    Columns(&'a dyn Columns),
}

/// A block of an archive.
///
/// Opening is cheap: it reads the head and locates the columns. A column is decompressed when a
/// method needs it, so walking the moves touches no tags, and listing the players no moves.
#[derive(Debug)]
pub struct Block<'a> {
    pub(super) head: Head,
    kind: Kind,
    coding: Coding,
    body: Body<'a>,
    pub(super) models: &'a Models,
}

impl<'a> Block<'a> {
    /// Opens the block that is exactly `bytes`.
    ///
    /// # Errors
    /// Corrupt when the head is malformed or the columns are incomplete; unsupported.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        Self::open_with(bytes, Models::builtin())
    }

    /// Opens the block that is exactly `bytes` and may need one of these models.
    ///
    /// # Errors
    /// As [`open`](Self::open). A model that is missing is an error where it is needed.
    pub fn open_with(bytes: &'a [u8], models: &'a Models) -> Result<Self> {
        let head_len =
            skippable_len(bytes).map_or(bytes.len(), |len| len.min(bytes.len() as u64) as usize);
        let (head, body) = bytes.split_at(head_len);
        let len = body.len() as u64;
        Self::read(head, Body::Bytes(body), len, models)
    }

    /// Opens the block with this head frame, whose columns have `len` bytes together.
    ///
    /// # Errors
    /// As [`open_with`](Self::open_with).
    pub fn open_columns(
        head: &[u8],
        columns: &'a dyn Columns,
        len: u64,
        models: &'a Models,
    ) -> Result<Self> {
        Self::read(head, Body::Columns(columns), len, models)
    }

    fn read(head: &[u8], body: Body<'a>, len: u64, models: &'a Models) -> Result<Self> {
        let head = Head::read(head)?;
        directory::check(&head)?;
        if head.body_len() != len {
            return Err(Error::corrupt(
                "the length of a block's columns differs from its directory",
            ));
        }
        let kind = Kind::from_number(head.game)?;
        kind.check_supported()?;
        Ok(Self {
            kind,
            coding: Coding::from_number(head.coding)?,
            head,
            body,
            models,
        })
    }

    /// The head.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The model of this architecture that the block names.
    ///
    /// # Errors
    /// Unsupported, if the program does not have it; corrupt, if the block names none.
    pub fn model<A: Architecture>(&self) -> Result<Model<A>> {
        let mut named = self.head.models.iter();
        let id = named
            .find(|id| id.architecture == A::NUMBER)
            .ok_or_else(|| {
                Error::corrupt(format!(
                    "the block does not name the {} that it needs",
                    A::NAME
                ))
            })?;
        self.models.find(*id)?.ok_or_else(|| {
            Error::unsupported(format!(
                "needs the {} {id}, which this program does not have",
                A::NAME
            ))
            .with_remedy(Remedy::OtherModel)
        })
    }

    /// The capacity to reserve for values or bytes of which the head states this number.
    pub(super) fn reserved(&self, stated: usize) -> usize {
        stated.min(RESERVED_PER_BYTE * (self.head.body_len() as usize + MIN_STORED))
    }

    /// The game of its records.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How its moves are coded.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// The frames of the streams of a column, by its place in the directory; empty for streams
    /// without a frame.
    ///
    /// # Errors
    /// Io.
    pub(super) fn frames(&self, column: usize) -> Result<impl Iterator<Item = &'a [u8]>> {
        let range = self.head.frames(column);
        let mut rest = match self.body {
            Body::Bytes(body) => &body[range],
            Body::Columns(columns) => columns.column(column)?,
        };
        let streams = self.head.columns[column].streams.iter();
        Ok(streams.map(move |stream| {
            let (frame, after) = rest.split_at(stream.frame_len());
            rest = after;
            frame
        }))
    }

    /// The streams of a column, by its place in the directory.
    ///
    /// # Errors
    /// Corrupt when a checksum differs; io.
    pub fn streams(&self, column: usize) -> Result<Vec<Cow<'a, [u8]>>> {
        let streams = &self.head.columns[column].streams;
        streams
            .iter()
            .zip(self.frames(column)?)
            .map(|(stream, frame)| columns::storage::read(stream, frame))
            .collect::<Result<_>>()
            .map_err(|error| self.naming_column(error, column))
    }

    /// An error of the frames of a column, with the name of the column.
    fn naming_column(&self, error: Error, column: usize) -> Error {
        let name = self.column_name(&self.head.columns[column]);
        let message = error
            .message()
            .replace("a column", &format!("the column {name}"));
        error.with_message(message)
    }

    /// Appends the frames of the streams of a column, as they are, after their checksums have been
    /// verified.
    ///
    /// # Errors
    /// Corrupt when a checksum differs.
    pub(in crate::block) fn copy_frames(&self, column: usize, out: &mut Vec<u8>) -> Result<()> {
        self.streams(column)?;
        self.frames(column)?
            .for_each(|frame| out.extend_from_slice(frame));
        Ok(())
    }

    /// The directory entry of a column that is not a tag, if the block has this column.
    pub(in crate::block) fn fixed_column(&self, fixed: Fixed) -> Option<&Column> {
        let place = self.head.column_index(fixed as u8)?;
        Some(&self.head.columns[place])
    }

    /// The streams of a column that is not a tag; empty if the block has no such column.
    pub(in crate::block) fn fixed<const N: usize>(
        &self,
        fixed: Fixed,
    ) -> Result<[Cow<'a, [u8]>; N]> {
        let Some(place) = self.head.column_index(fixed as u8) else {
            return Ok(std::array::from_fn(|_| Cow::default()));
        };
        self.streams(place)?.try_into().map_err(|_| {
            let name = fixed.name();
            Error::corrupt(format!("the {name} column has a wrong number of streams"))
        })
    }

    /// Bytes of the streams of a column that is not a tag, without their frames.
    pub fn fixed_len(&self, fixed: Fixed) -> usize {
        self.head
            .columns
            .iter()
            .filter(|c| c.codec == fixed as u8)
            .flat_map(|c| &c.streams)
            .map(|s| s.stream_len())
            .sum()
    }

    /// The name of a column of the directory: the fixed column's, or the names of its tags.
    pub fn column_name(&self, column: &Column) -> String {
        let fixed = Fixed::ALL.into_iter().find(|f| *f as u8 == column.codec);
        match fixed {
            Some(fixed) => fixed.name().to_string(),
            None => {
                let names = column
                    .tags
                    .iter()
                    .map(|&t| String::from_utf8_lossy(&self.head.tag_names[usize::from(t)]));
                names.collect::<Vec<_>>().join("+")
            }
        }
    }
}
