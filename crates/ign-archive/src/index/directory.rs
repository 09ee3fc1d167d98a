//! The directory of a segment: the blocks that it covers and the places of its sections (spec
//! §15.1).
//!
//! The directories of an index are a chain: each names the byte at which its segment starts, and
//! there the segment before it ends. [`chain`] reads them from the last end of the file.

use std::num::NonZeroU32;

use ign_entropy::varint;
use ign_format::{
    container::frame,
    error::{Error, Kind as ErrorKind, Remedy, Result},
};

use super::{
    columns::{Chunk, IndexColumn, Layout},
    sections::IndexSections,
    source::Extent,
};
use crate::archive::Archive;

/// The version of the index format.
pub const VERSION: u8 = 8;
/// The greatest number of segments (spec §15.1). An index that would have more is built again as
/// one.
pub const MAX_SEGMENTS: usize = 16;
/// The greatest number of archives, shards or dictionaries.
const MAX_ENTRIES: u64 = 1 << 24;
/// The greatest number of columns, and of dictionaries: each column has at most one.
const MAX_COLUMNS: u64 = IndexColumn::ALL.len() as u64;
/// The greatest number of games or blocks of an archive. Sums over all archives do not overflow.
const MAX_GAMES: u64 = 1 << 38;
/// With the number of bits of a chunk: some of its values are missing.
const HAS_MISSING: u8 = 64;
/// The greatest length of a name.
const MAX_NAME: u64 = 1 << 16;
/// Bytes of the payload of the last frame: version, offset and length of the directory.
const END_PAYLOAD: usize = 1 + 2 * size_of::<u64>();
/// Bytes of the last frame.
pub const END_LEN: usize = END_PAYLOAD + frame::SEAL_LEN;

/// An archive of which an index covers the first blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// The name of its file, without folders.
    pub name: String,
    /// The number of these blocks.
    pub blocks: u64,
    /// The number of their games.
    pub games: u64,
    /// XXH64 of their places, lengths and numbers of games, and of the checksums of their sources.
    pub identity: u64,
}

/// The directory of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// The byte at which the segment starts and the one before it ends; 0 for the first.
    pub start: u64,
    /// What the segment has.
    pub sections: IndexSections,
    /// The depth of the positions: those that occur within this number of plies of a game are
    /// indexed; `None` for all.
    pub depth: Option<NonZeroU32>,
    /// The archives, in the order of their games, with the blocks that this segment and those
    /// before it cover. Of all archives but the last they are all blocks.
    pub members: Vec<Member>,
    /// The games that cannot be replayed.
    pub unplayed: Extent,
    /// The columns.
    pub columns: Vec<(IndexColumn, Layout)>,
    /// The dictionaries of columns.
    pub dictionaries: Vec<(IndexColumn, Extent)>,
    /// The shards of the players: the first name of each.
    pub players: Vec<(Vec<u8>, Extent)>,
    /// The parts of the opening tree: the number of the first node among the children of each.
    pub tree: Vec<(u32, Extent)>,
    /// The shards of materials: the code of the first one of each.
    pub materials: Vec<(u64, Extent)>,
    /// The shards of positions, `1 << bits` of them; none if there are no positions.
    pub positions: Vec<Extent>,
}

impl Directory {
    /// Writes the directory and the end of the segment. `offset` is the length of the file so far.
    pub fn write(&self, offset: u64) -> Vec<u8> {
        let mut out = vec![VERSION];
        let put = varint::write;
        put(&mut out, self.start);
        out.push(self.sections.to_bits());
        put(&mut out, self.depth.map_or(0, NonZeroU32::get).into());
        put(&mut out, self.members.len() as u64);
        for member in &self.members {
            put(&mut out, member.name.len() as u64);
            out.extend_from_slice(member.name.as_bytes());
            put(&mut out, member.blocks);
            put(&mut out, member.games);
            out.extend_from_slice(&member.identity.to_le_bytes());
        }
        self.unplayed.write(&mut out);
        put(&mut out, self.columns.len() as u64);
        for (column, layout) in &self.columns {
            out.push(*column as u8);
            put(&mut out, layout.count);
            let first = layout.chunks.first();
            put(&mut out, first.map_or(0, |chunk| chunk.place.offset));
            for chunk in &layout.chunks {
                put(&mut out, chunk.min.into());
                let missing = if chunk.has_missing { HAS_MISSING } else { 0 };
                out.push(chunk.bits as u8 | missing);
            }
        }
        put(&mut out, self.dictionaries.len() as u64);
        for (column, place) in &self.dictionaries {
            out.push(*column as u8);
            place.write(&mut out);
        }
        put(&mut out, self.players.len() as u64);
        for (name, place) in &self.players {
            put(&mut out, name.len() as u64);
            out.extend_from_slice(name);
            place.write(&mut out);
        }
        put(&mut out, self.tree.len() as u64);
        for (next, place) in &self.tree {
            put(&mut out, (*next).into());
            place.write(&mut out);
        }
        put(&mut out, self.materials.len() as u64);
        for (first, place) in &self.materials {
            put(&mut out, *first);
            place.write(&mut out);
        }
        put(&mut out, self.positions.len() as u64);
        for place in &self.positions {
            place.write(&mut out);
        }
        let directory = frame::seal(frame::Kind::Directory, &out);
        let mut end = vec![VERSION];
        end.extend_from_slice(&offset.to_le_bytes());
        end.extend_from_slice(&(directory.len() as u64).to_le_bytes());
        [directory, frame::seal(frame::Kind::IndexEnd, &end)].concat()
    }

    /// Reads the directory of the segment that ends at byte `len`, by its last frame. `read` reads
    /// bytes of the file. Also returns the place of the directory.
    ///
    /// # Errors
    /// Those of `read`; corrupt; unsupported if it has another version.
    fn open(len: u64, read: impl Fn(Extent) -> Result<Vec<u8>>) -> Result<(Self, Extent)> {
        let end = END_LEN as u64;
        let offset = len
            .checked_sub(end)
            .ok_or_else(|| Error::corrupt("the index is cut off"))?;
        let place = Self::place(&read(Extent { offset, len: end })?, len)?;
        Ok((Self::read(&read(place)?, place.offset)?, place))
    }

    /// The place of the directory, from the last [`END_LEN`] bytes of a segment that ends at byte
    /// `segment_end`.
    ///
    /// # Errors
    /// Corrupt if this is not the end of an index; unsupported if it has another version.
    fn place(end: &[u8], segment_end: u64) -> Result<Extent> {
        let not_one =
            |_| Error::corrupt("the end of an index is missing: the file is cut off or no index");
        let payload = frame::open(frame::Kind::IndexEnd, end).map_err(not_one)?;
        let Ok([version, rest @ ..]) = <&[u8; END_PAYLOAD]>::try_from(payload) else {
            return Err(malformed());
        };
        check_version(*version)?;
        let (offset, len) = rest.split_at(8);
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let place = Extent {
            offset: number(offset),
            len: number(len),
        };
        let before = segment_end - END_LEN as u64;
        if place.offset.checked_add(place.len) == Some(before) {
            Ok(place)
        } else {
            Err(malformed())
        }
    }

    /// Reads the directory from its frame, which begins at `end` in the file.
    ///
    /// # Errors
    /// Corrupt; unsupported.
    fn read(bytes: &[u8], end: u64) -> Result<Self> {
        let input = &mut frame::open(frame::Kind::Directory, bytes)?;
        check_version(byte(input)?)?;
        let mut directory = Self {
            start: count(input, end)?,
            sections: IndexSections::from_bits(byte(input)?).ok_or_else(malformed)?,
            depth: NonZeroU32::new(count(input, u32::MAX.into())? as u32),
            ..Self::default()
        };
        for _ in 0..count(input, MAX_ENTRIES)? {
            directory.members.push(Member {
                name: String::from_utf8_lossy(&name(input)?).into_owned(),
                blocks: count(input, MAX_GAMES)?,
                games: count(input, MAX_GAMES)?,
                identity: {
                    let bytes = input.split_off(..8).ok_or_else(malformed)?;
                    u64::from_le_bytes(bytes.try_into().unwrap_or_default())
                },
            });
        }
        directory.unplayed = Extent::read(input, end)?;
        for _ in 0..count(input, MAX_COLUMNS)? {
            let column = column(input)?;
            if directory.column(column).is_some() {
                return Err(malformed());
            }
            let values = count(input, u64::from(u32::MAX))?;
            let mut layout = Layout {
                count: values,
                chunks: Vec::new(),
            };
            let mut offset = count(input, end)?;
            let chunk_len = column.chunk_len();
            for first in (0..values).step_by(chunk_len as usize) {
                let min = count(input, u64::from(u32::MAX))? as u32;
                let bits = byte(input)?;
                let mut chunk = Chunk {
                    count: (values - first).min(chunk_len) as usize,
                    min,
                    bits: u32::from(bits & !HAS_MISSING),
                    has_missing: bits & HAS_MISSING > 0,
                    place: Extent { offset, len: 0 },
                };
                if chunk.bits > 0 {
                    chunk.place.len = (chunk.len() + frame::SEAL_LEN) as u64;
                }
                offset += chunk.place.len;
                if chunk.bits > u32::BITS || offset > end {
                    return Err(malformed());
                }
                layout.chunks.push(chunk);
            }
            directory.columns.push((column, layout));
        }
        for _ in 0..count(input, MAX_COLUMNS)? {
            let column = column(input)?;
            let mut others = directory.dictionaries.iter();
            if others.any(|(other, _)| *other == column) {
                return Err(malformed());
            }
            directory
                .dictionaries
                .push((column, Extent::read(input, end)?));
        }
        for _ in 0..count(input, MAX_ENTRIES)? {
            directory
                .players
                .push((name(input)?, Extent::read(input, end)?));
        }
        for _ in 0..count(input, MAX_ENTRIES)? {
            let next = count(input, u32::MAX.into())? as u32;
            directory.tree.push((next, Extent::read(input, end)?));
        }
        for _ in 0..count(input, MAX_ENTRIES)? {
            let first = count(input, u64::MAX)?;
            directory.materials.push((first, Extent::read(input, end)?));
        }
        for _ in 0..count(input, MAX_ENTRIES)? {
            directory.positions.push(Extent::read(input, end)?);
        }
        let shards = directory.positions.len();
        if !input.is_empty() || shards > 0 && !shards.is_power_of_two() {
            return Err(malformed());
        }
        Ok(directory)
    }

    /// The number of games that this segment and those before it cover.
    pub fn games(&self) -> u64 {
        self.members.iter().map(|member| member.games).sum()
    }

    /// The number of blocks that this segment and those before it cover.
    pub fn blocks(&self) -> u64 {
        self.members.iter().map(|member| member.blocks).sum()
    }

    /// Whether this segment and those before it cover the first games of these archives.
    pub fn belongs_to(&self, archives: &[&Archive]) -> bool {
        let mut members = archives.iter().enumerate().take(self.members.len());
        self.members.len() <= archives.len()
            && members.all(|(number, archive)| self.belongs_to_one(number, archive))
    }

    /// Whether this is the archive with this number, counted from 0, as far as the segment and
    /// those before it cover it. It may have been renamed.
    pub fn belongs_to_one(&self, number: usize, archive: &Archive) -> bool {
        let Some(member) = self.members.get(number) else {
            return true;
        };
        let own = archive.member(member.blocks);
        let is_whole = member.blocks == archive.blocks().len() as u64;
        let is_last = number + 1 == self.members.len();
        let identify = |member: &Member| (member.blocks, member.games, member.identity);
        (is_whole || is_last) && identify(&own) == identify(member)
    }

    /// Whether these are the archives in another order, as they were when the index was written.
    pub fn is_reordered(&self, archives: &[&Archive]) -> bool {
        let identify = |member: Member| (member.blocks, member.games, member.identity);
        let own = archives.iter().map(|a| a.member(a.blocks().len() as u64));
        let mut own: Vec<_> = own.map(identify).collect();
        let mut members: Vec<_> = self.members.iter().cloned().map(identify).collect();
        own.sort_unstable();
        members.sort_unstable();
        own == members
    }

    /// A column, if the index has it.
    pub fn column(&self, wanted: IndexColumn) -> Option<&Layout> {
        let found = self.columns.iter().find(|(column, _)| *column == wanted);
        found.map(|(_, layout)| layout)
    }
}

/// The directories of an index of `len` bytes, with their places, in the order of their segments.
/// `read` reads bytes of the file.
///
/// # Errors
/// Those of `read`; corrupt; unsupported if one has another version.
pub fn chain(
    len: u64,
    read: impl Fn(Extent) -> Result<Vec<u8>>,
) -> Result<Vec<(Directory, Extent)>> {
    let (mut chain, mut end) = (Vec::new(), len);
    loop {
        let (directory, place) = Directory::open(end, &read)?;
        end = directory.start;
        chain.push((directory, place));
        if end == 0 {
            break;
        }
        if chain.len() == MAX_SEGMENTS {
            return Err(malformed());
        }
    }
    chain.reverse();
    let (mut blocks, mut games) = (0, 0);
    for (directory, _) in &chain {
        let new = directory.games().checked_sub(games);
        let is_possible = new.is_some_and(|new| new <= u64::from(u32::MAX));
        if !is_possible || directory.blocks() < blocks {
            return Err(malformed());
        }
        (blocks, games) = (directory.blocks(), directory.games());
    }
    Ok(chain)
}

/// The byte at which the last whole segment ends in a file of `len` bytes; `None` if there is none.
/// Other bytes follow it if an extension was interrupted.
///
/// # Errors
/// Those of `read`.
pub fn last_end(len: u64, read: impl Fn(Extent) -> Result<Vec<u8>>) -> Result<Option<u64>> {
    let is_end = |offset| -> Result<bool> {
        let len = END_LEN as u64;
        let bytes = read(Extent { offset, len })?;
        Ok(frame::open(frame::Kind::IndexEnd, &bytes).is_ok())
    };
    if len >= END_LEN as u64 && is_end(len - END_LEN as u64)? {
        return Ok(Some(len));
    }
    // The frames are followed from the start of the file.
    let (mut offset, mut end) = (0, None);
    while let Some(left) = len
        .checked_sub(offset)
        .filter(|&left| left >= frame::SEAL_LEN as u64)
    {
        let head = read(Extent {
            offset,
            len: frame::SKIPPABLE_HEADER_LEN as u64,
        })?;
        let whole = |frame: &u64| (frame::SEAL_LEN as u64..=left).contains(frame);
        let Some(frame) = frame::skippable_len(&head).filter(whole) else {
            break;
        };
        if frame == END_LEN as u64 && is_end(offset)? {
            end = Some(offset + frame);
        }
        offset += frame;
    }
    Ok(end)
}

impl Extent {
    fn write(self, out: &mut Vec<u8>) {
        varint::write(out, self.offset);
        varint::write(out, self.len);
    }

    fn read(input: &mut &[u8], end: u64) -> Result<Self> {
        let offset = count(input, end)?;
        let len = count(input, end - offset)?;
        Ok(Self { offset, len })
    }
}

fn check_version(version: u8) -> Result<()> {
    match version {
        VERSION => Ok(()),
        other => Err(Error::new(
            ErrorKind::Unsupported,
            format!("the index has format version {other}; this program reads version {VERSION}"),
        )
        .with_remedy(Remedy::RebuildIndex)),
    }
}

fn byte(input: &mut &[u8]) -> Result<u8> {
    input.split_off_first().copied().ok_or_else(malformed)
}

fn count(input: &mut &[u8], max: u64) -> Result<u64> {
    Ok(varint::read_at_most(
        input,
        max,
        "a field of the directory",
    )?)
}

fn name(input: &mut &[u8]) -> Result<Vec<u8>> {
    let len = count(input, MAX_NAME)? as usize;
    Ok(input.split_off(..len).ok_or_else(malformed)?.to_vec())
}

fn column(input: &mut &[u8]) -> Result<IndexColumn> {
    IndexColumn::from_number(byte(input)?).ok_or_else(malformed)
}

fn malformed() -> Error {
    Error::corrupt("the directory of the index is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a directory with these columns and dictionaries.
    fn read(columns: &[IndexColumn], dictionaries: &[IndexColumn]) -> Result<Directory> {
        let chunk = Chunk {
            count: 1,
            min: 3,
            has_missing: true,
            ..Chunk::default()
        };
        let layout = Layout {
            count: 1,
            chunks: vec![chunk],
        };
        let directory = Directory {
            columns: columns.iter().map(|&c| (c, layout.clone())).collect(),
            dictionaries: dictionaries
                .iter()
                .map(|&c| (c, Extent::default()))
                .collect(),
            ..Directory::default()
        };
        let end = 1 << 40;
        let bytes = directory.write(end);
        let read = Directory::read(&bytes[..bytes.len() - END_LEN], end);
        read.inspect(|read| assert_eq!(*read, directory))
    }

    #[test]
    fn a_column_and_its_dictionary_appear_at_most_once() {
        let all = IndexColumn::ALL;
        read(all, all).unwrap();
        let twice = [IndexColumn::Date; 2];
        assert!(read(&twice, &[]).is_err());
        assert!(read(&[], &twice).is_err());
        assert!(read(&vec![IndexColumn::Date; 1 << 20], &[]).is_err());
    }
}
