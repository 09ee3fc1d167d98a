//! The parts of a file, found without an index: sealed frames are searched by their magic number.
//!
//! After a whole part the search continues behind it. The columns of a block are not searched,
//! unless nothing begins where the block should end: then bytes were removed or inserted, and the
//! next block may begin inside.

use std::ops::Range;

use ign_format::{
    block::decode::Block,
    container::{
        append_mark,
        block_head::Prefix,
        frame::{Kind, SKIPPABLE_MAGIC, stored_checksum},
        index::{BlockEntry, Index},
        meta::Meta,
        parity::{Set, trailer},
        version,
    },
    error::{Kind as ErrorKind, Result},
};
use memchr::memmem::Finder;

use super::frames::{START_LEN, frame_start, read_at, sealed_at};
use crate::source::ReadAt;

/// Bytes that are searched at a time.
const WINDOW: u64 = 1 << 20;
/// Frames without a correct seal are read until they have together this many times the bytes of the
/// file, and then only if they are short. Without a bound, a forged file of many frames that claim
/// to be long would take very long.
const MAX_WASTE: u64 = 16;
/// A frame that is short in this sense, in bytes.
const SHORT: u64 = 1 << 16;

/// What a scan finds, each in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Blocks with a whole head.
    pub blocks: Vec<FoundBlock>,
    /// Where headers are.
    pub headers: Vec<u64>,
    /// Whole indexes, with the place of their frames.
    pub indexes: Vec<(Range<u64>, Index)>,
    /// The metadata frame.
    pub meta: Option<Vec<u8>>,
    /// Parity sets, each once.
    pub sets: Vec<Set>,
    /// Whether frames of a parity set are not at their places: bytes were inserted or removed
    /// before them.
    pub has_moved_parity: bool,
}

/// A block with a whole head.
#[derive(Debug, Clone)]
pub(crate) struct FoundBlock {
    /// Its place and totals. The offsets of text and games are 0.
    pub entry: BlockEntry,
    /// XXH64 of its text.
    pub text_checksum: u64,
    /// The version of the format that it needs.
    pub version: u8,
    /// The names of its damaged columns.
    pub damaged: Vec<String>,
    /// Whether the file ends before the block.
    pub is_cut: bool,
}

impl FoundBlock {
    /// Whether nothing of it is damaged, as far as checksums show.
    pub fn is_complete(&self) -> bool {
        !self.is_cut && self.damaged.is_empty()
    }

    /// Whether it is complete and can be read.
    pub fn is_whole(&self) -> bool {
        self.is_complete() && version::check(self.version).is_ok()
    }
}

/// The sealed frames of a range of a file, searched by their magic number.
pub(crate) struct SealedFrames<'s> {
    source: &'s dyn ReadAt,
    size: u64,
    end: u64,
    /// Where the search continues.
    pub at: u64,
    /// Bytes of frames that were read in vain.
    waste: u64,
}

impl<'s> SealedFrames<'s> {
    /// Searches a range of a file of `size` bytes.
    pub fn new(source: &'s dyn ReadAt, size: u64, range: Range<u64>) -> Self {
        Self {
            source,
            size,
            end: range.end.min(size),
            at: range.start,
            waste: 0,
        }
    }

    /// The next frame with a correct seal: where it starts, its kind and its bytes. The search
    /// continues after it, unless [`at`](Self::at) is changed.
    ///
    /// # Errors
    /// Io.
    pub fn next(&mut self) -> Result<Option<(u64, Kind, Vec<u8>)>> {
        let magic = SKIPPABLE_MAGIC.to_le_bytes();
        let finder = Finder::new(&magic);
        while self.at < self.end {
            // Frames follow each other, mostly.
            if let Some((kind, frame)) = self.sealed(self.at)? {
                let start = self.at;
                self.at += frame.len() as u64;
                return Ok(Some((start, kind, frame)));
            }
            let window_end = (self.at + WINDOW).min(self.end);
            let window = read_at(self.source, self.size, self.at, window_end - self.at)?;
            let mut from = 1;
            while let Some(place) = finder.find(window.get(from..).unwrap_or_default()) {
                from += place + 1;
                let start = self.at + from as u64 - 1;
                if let Some((kind, frame)) = self.sealed(start)? {
                    self.at = start + frame.len() as u64;
                    return Ok(Some((start, kind, frame)));
                }
            }
            // The magic number may begin at the end of the window.
            let overlap = if window_end == self.end {
                0
            } else {
                magic.len() as u64 - 1
            };
            self.at = window_end - overlap;
        }
        Ok(None)
    }

    /// The frame at `start`, if it has a correct seal, and reading it is not too much.
    fn sealed(&mut self, start: u64) -> Result<Option<(Kind, Vec<u8>)>> {
        let rest = self.size - start;
        if rest < START_LEN as u64 {
            return Ok(None);
        }
        let first = read_at(self.source, self.size, start, START_LEN as u64)?;
        let Some((_, len)) = frame_start(&first, rest) else {
            return Ok(None);
        };
        if len > SHORT && self.waste > MAX_WASTE * self.size {
            return Ok(None);
        }
        let sealed = sealed_at(self.source, self.size, start)?;
        if sealed.is_none() {
            self.waste += len;
        }
        Ok(sealed)
    }
}

/// Scans a range of a file of `size` bytes.
///
/// # Errors
/// Io.
pub(crate) fn scan(source: &dyn ReadAt, size: u64, range: Range<u64>) -> Result<Found> {
    let mut found = Found::default();
    let mut frames = SealedFrames::new(source, size, range);
    // Bytes that are protected by the sets so far: without a bound, many forged sets would take
    // very long.
    let mut protected = 0;
    while let Some((start, kind, frame)) = frames.next()? {
        match kind {
            Kind::Header => found.headers.push(start),
            Kind::Block => frames.at = block(source, size, start, &frame, &mut found)?,
            Kind::Index => {
                // Blocks may be missing, so the index may list bytes beyond its own place.
                if let Ok(index) = Index::read(&frame, u64::MAX) {
                    found.indexes.push((start..frames.at, index));
                }
            }
            Kind::Meta if found.meta.is_none() && Meta::read(&frame).is_ok() => {
                found.meta = Some(frame);
            }
            Kind::Parity => match set_at(&frame, start) {
                None => found.has_moved_parity = true,
                Some(set) if protected <= MAX_WASTE * size && !found.sets.contains(&set) => {
                    protected += set.end - set.start;
                    found.sets.push(set);
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    Ok(found)
}

/// Whether an append was complete of which these bytes of a file of `size` bytes are: another append or
/// parity follows in them.
///
/// # Errors
/// Io; unsupported, if what follows is of a version that is not read.
pub(crate) fn shows_complete(source: &dyn ReadAt, size: u64, bytes: Range<u64>) -> Result<bool> {
    let mut frames = SealedFrames::new(source, size, bytes);
    while let Some((start, kind, frame)) = frames.next()? {
        let error = match kind {
            Kind::Append if append_mark::is_mark(&frame, start) => return Ok(true),
            Kind::Parity if set_at(&frame, start).is_some() => return Ok(true),
            Kind::Append => append_mark::read(&frame, start).err(),
            Kind::Parity => Set::read_description(&frame).err(),
            _ => None,
        };
        if let Some(error) = error.filter(|error| error.kind() == ErrorKind::Unsupported) {
            return Err(error);
        }
    }
    Ok(false)
}

/// The parts of a hole between the parts of a file that are not explained by sealed frames of the
/// kinds that may be there, each at its place: superseded indexes and footers, marks of appends,
/// parity sets.
///
/// # Errors
/// Io.
pub(crate) fn unexplained(
    source: &dyn ReadAt,
    size: u64,
    hole: Range<u64>,
) -> Result<Vec<Range<u64>>> {
    let mut gaps = Vec::new();
    let mut end = hole.start;
    let mut frames = SealedFrames::new(source, size, hole.clone());
    let mut set = None;
    while let Some((start, kind, frame)) = frames.next()? {
        let is_explained = match kind {
            Kind::Index | Kind::Footer => true,
            Kind::Append => append_mark::is_mark(&frame, start),
            Kind::Parity => {
                set = set_at(&frame, start).or(set);
                set_at(&frame, start).is_some()
            }
            Kind::Recovery => set.is_some_and(|set| is_recovery_of(&set, &frame, start)),
            Kind::Trailer => {
                set.is_some_and(|set| set.trailer().start == start && trailer::write(&set) == frame)
            }
            _ => false,
        };
        if !is_explained || frames.at > hole.end {
            continue;
        }
        if start > end {
            gaps.push(end..start);
        }
        end = frames.at;
    }
    if end < hole.end {
        gaps.push(end..hole.end);
    }
    Ok(gaps)
}

/// Whether this frame is the recovery shard of a set that belongs to its place.
fn is_recovery_of(set: &Set, frame: &[u8], start: u64) -> bool {
    let first = set.recovery_frame(0);
    let number = start
        .checked_sub(first.start)
        .map(|bytes| bytes / (first.end - first.start));
    let number = number.and_then(|number| u32::try_from(number).ok());
    number.is_some_and(|number| {
        number < set.recovery
            && set.recovery_frame(number).start == start
            && set.read_recovery(number, frame).is_ok()
    })
}

/// The parity set of which this frame is a description, unless the frame is not at its place: then
/// bytes were inserted or removed before it, and the set is of no use.
fn set_at(frame: &[u8], start: u64) -> Option<Set> {
    let (set, number, _) = Set::read_description(frame).ok()?;
    let places = [0, 1].map(|copy| set.description_frame(copy, number).start);
    places.contains(&start).then_some(set)
}

/// Adds the block with this head. Returns where the search continues.
fn block(
    source: &dyn ReadAt,
    size: u64,
    start: u64,
    head: &[u8],
    found: &mut Found,
) -> Result<u64> {
    let after_head = start + head.len() as u64;
    let Some(block) = examine(source, size, start, head)? else {
        return Ok(after_head);
    };
    let end = start + block.entry.stored_len;
    let whole = block.is_whole();
    found.blocks.push(block);
    // A frame at the end of the block shows that no bytes are missing in it.
    let continues = whole || end == size || end < size && sealed_at(source, size, end)?.is_some();
    Ok(if continues { end } else { after_head })
}

/// The block with this head, which is at `start`; `None` if the head is sealed but not valid. Of a
/// block of a version that is not read, only the prefix of the head is examined.
///
/// # Errors
/// Io.
pub(crate) fn examine(
    source: &dyn ReadAt,
    size: u64,
    start: u64,
    head: &[u8],
) -> Result<Option<FoundBlock>> {
    let Ok(prefix) = Prefix::read(head) else {
        return Ok(None);
    };
    let stored_len = head.len() as u64 + prefix.body_len;
    let available = size.saturating_sub(start).min(stored_len);
    // The columns beyond the end of the file are read as zeros.
    let mut bytes = read_at(source, size, start, available)?;
    let is_cut = available < stored_len;
    if is_cut {
        // Lengths in a sealed head are not forged by accident, but they may be.
        if stored_len > size.saturating_mul(4).saturating_add(1 << 20) {
            return Ok(None);
        }
        bytes.resize(stored_len as usize, 0);
    }
    let damaged = match Block::open(&bytes) {
        Ok(block) => block.damaged_column_names(),
        Err(_) if version::check(prefix.version).is_err() => Vec::new(),
        Err(_) => return Ok(None),
    };
    let stored_len = stored_len as usize;
    let mut entry = BlockEntry::new(head.len(), stored_len, prefix.text_len, prefix.games);
    entry.offset = start;
    entry.head_checksum = stored_checksum(head).unwrap_or_default();
    Ok(Some(FoundBlock {
        entry,
        text_checksum: prefix.text_checksum,
        version: prefix.version,
        damaged,
        is_cut,
    }))
}
