//! Sorting more records than fit into memory.
//!
//! [`Shards`] collects occurrences by shard. [`Sorter`] sorts records of a fixed number of bytes.
//! Both write to a temporary file when they hold more than their budget.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    sync::Arc,
};

use ign_format::error::Result;
use rayon::prelude::*;

use super::keys::Occurrence;
use crate::{source::ReadAt, temp_file::AnonymousTempFile};

/// Occurrences, ordered by shard.
#[derive(Debug)]
pub struct Partitioned {
    occurrences: Vec<Occurrence>,
    /// The end of each shard.
    ends: Vec<usize>,
}

impl Partitioned {
    /// Orders occurrences by shard, of `1 << bits`.
    pub fn new(unordered: &[Occurrence], bits: u32) -> Self {
        let mut ends = vec![0; 1 << bits];
        for occurrence in unordered {
            ends[occurrence.shard(bits)] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let Some(&any) = unordered.first() else {
            return Self {
                occurrences: Vec::new(),
                ends,
            };
        };
        let mut occurrences = vec![any; unordered.len()];
        for &occurrence in unordered {
            let place = &mut ends[occurrence.shard(bits)];
            occurrences[*place] = occurrence;
            *place += 1;
        }
        Self { occurrences, ends }
    }

    fn shard(&self, shard: usize) -> &[Occurrence] {
        let start = shard.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.occurrences[start..self.ends[shard]]
    }
}

/// Occurrences by shard, in memory and in a temporary file.
#[derive(Debug)]
pub struct Shards {
    budget: usize,
    bits: u32,
    held: Vec<Partitioned>,
    /// Number of occurrences held.
    len: usize,
    spilled: Option<Spilled>,
}

#[derive(Debug)]
struct Spilled {
    file: AnonymousTempFile,
    len: u64,
    /// For each shard the pieces in the file: offset and length in bytes.
    pieces: Vec<Vec<(u64, usize)>>,
}

impl Shards {
    /// Shards by `bits` bits that hold at most `budget` occurrences in memory, and one more part.
    pub fn new(bits: u32, budget: usize) -> Self {
        Self {
            budget,
            bits,
            held: Vec::new(),
            len: 0,
            spilled: None,
        }
    }

    /// The number of shards.
    pub fn count(&self) -> usize {
        1 << self.bits
    }

    /// Adds occurrences.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn add(&mut self, part: Partitioned) -> Result<()> {
        self.len += part.occurrences.len();
        self.held.push(part);
        if self.len > self.budget {
            self.spill()?;
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<()> {
        let count = self.count();
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            empty => empty.insert(Spilled {
                file: AnonymousTempFile::new()?,
                len: 0,
                pieces: vec![Vec::new(); count],
            }),
        };
        let mut out = BufWriter::with_capacity(1 << 20, &mut spilled.file);
        for (shard, pieces) in spilled.pieces.iter_mut().enumerate() {
            let mut len = 0;
            for part in &self.held {
                for occurrence in part.shard(shard) {
                    out.write_all(&occurrence.to_bytes())?;
                    len += OCCURRENCE;
                }
            }
            pieces.push((spilled.len, len));
            spilled.len += len as u64;
        }
        out.flush()?;
        drop(out);
        self.held.clear();
        self.len = 0;
        Ok(())
    }

    /// The occurrences of a shard, sorted. Those of a large shard are sorted in pieces: positions
    /// of the first moves occur in all games.
    ///
    /// # Errors
    /// Io of the temporary files.
    pub fn sorted(&self, shard: usize) -> Result<SortedShard> {
        let pieces = self
            .spilled
            .as_ref()
            .map(|spilled| &spilled.pieces[shard][..]);
        let pieces = pieces.unwrap_or_default();
        let in_file: usize = pieces.iter().map(|&(_, len)| len / OCCURRENCE).sum();
        let held: usize = self.held.iter().map(|part| part.shard(shard).len()).sum();
        let mut sorter = Sorter::<OCCURRENCE>::new(LARGE * OCCURRENCE);
        let mut all: Vec<Occurrence> = Vec::new();
        let is_large = in_file + held > LARGE;
        let mut add = |occurrence: Occurrence| {
            if is_large {
                return sorter.push(occurrence.to_bytes());
            }
            all.push(occurrence);
            Ok(())
        };
        if let Some(spilled) = &self.spilled {
            for &(offset, len) in pieces {
                let mut bytes = vec![0; len];
                ReadAt::read_exact_at(&spilled.file, &mut bytes, offset)?;
                let (read, _) = bytes.as_chunks();
                read.iter()
                    .try_for_each(|&bytes| add(Occurrence::from_bytes(bytes)))?;
            }
        }
        for part in &self.held {
            part.shard(shard).iter().copied().try_for_each(&mut add)?;
        }
        if is_large {
            return Ok(SortedShard::InPieces(sorter.finish()?));
        }
        all.sort_unstable();
        Ok(SortedShard::InMemory(all.into_iter()))
    }
}

/// Bytes of an occurrence in a file.
const OCCURRENCE: usize = size_of::<Occurrence>();
/// Occurrences of a shard that are sorted in memory, at most.
const LARGE: usize = 1 << 21;

/// The occurrences of a shard in order.
#[derive(Debug)]
pub enum SortedShard {
    InMemory(std::vec::IntoIter<Occurrence>),
    InPieces(Sorted<OCCURRENCE>),
}

impl Iterator for SortedShard {
    type Item = Result<Occurrence>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::InMemory(all) => all.next().map(Ok),
            Self::InPieces(all) => all.next().map(|bytes| bytes.map(Occurrence::from_bytes)),
        }
    }
}

/// Sorts records of `N` bytes by their bytes.
#[derive(Debug)]
pub struct Sorter<const N: usize> {
    budget: usize,
    held: Vec<[u8; N]>,
    file: Option<AnonymousTempFile>,
    /// The sorted runs in the file: offset in bytes, number of records.
    runs: Vec<(u64, usize)>,
}

impl<const N: usize> Sorter<N> {
    /// A sorter that holds at most `budget` bytes of records in memory.
    pub fn new(budget: usize) -> Self {
        Self {
            budget: budget / N,
            held: Vec::new(),
            file: None,
            runs: Vec::new(),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn push(&mut self, record: [u8; N]) -> Result<()> {
        if self.held.len() >= self.budget {
            self.spill()?;
        }
        self.held.push(record);
        Ok(())
    }

    fn spill(&mut self) -> Result<()> {
        self.held.par_sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            empty => empty.insert(AnonymousTempFile::new()?),
        };
        let offset = file.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for record in &self.held {
            out.write_all(record)?;
        }
        out.flush()?;
        self.runs.push((offset, self.held.len()));
        self.held.clear();
        Ok(())
    }

    /// All records in order.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn finish(mut self) -> Result<Sorted<N>> {
        self.held.par_sort_unstable();
        let file = self.file.take().map(Arc::new);
        let mut runs = Vec::new();
        for (offset, left) in self.runs {
            if let Some(file) = &file {
                let at = At {
                    file: Arc::clone(file),
                    offset,
                };
                runs.push(Run::File(BufReader::with_capacity(1 << 18, at), left));
            }
        }
        runs.push(Run::Memory(self.held.into_iter()));
        let mut heap = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            heap.extend(run.next()?.map(|record| Reverse((record, number))));
        }
        Ok(Sorted { runs, heap })
    }
}

/// A file read from an offset on.
#[derive(Debug)]
struct At {
    file: Arc<AnonymousTempFile>,
    offset: u64,
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let left = self.file.size()?.saturating_sub(self.offset);
        let len = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        self.file.read_exact_at(&mut buffer[..len], self.offset)?;
        self.offset += len as u64;
        Ok(len)
    }
}

#[derive(Debug)]
enum Run<const N: usize> {
    File(BufReader<At>, usize),
    Memory(std::vec::IntoIter<[u8; N]>),
}

impl<const N: usize> Run<N> {
    fn next(&mut self) -> Result<Option<[u8; N]>> {
        match self {
            Self::Memory(records) => Ok(records.next()),
            Self::File(_, 0) => Ok(None),
            Self::File(file, left) => {
                *left -= 1;
                let mut record = [0; N];
                file.read_exact(&mut record)?;
                Ok(Some(record))
            }
        }
    }
}

/// Sorted records.
#[derive(Debug)]
pub struct Sorted<const N: usize> {
    runs: Vec<Run<N>>,
    heap: BinaryHeap<Reverse<([u8; N], usize)>>,
}

impl<const N: usize> Iterator for Sorted<N> {
    type Item = Result<[u8; N]>;

    fn next(&mut self) -> Option<Self::Item> {
        if let [Run::Memory(records)] = &mut self.runs[..] {
            // The first record is in the heap.
            let first = self.heap.pop().map(|Reverse((record, _))| record);
            return first.or_else(|| records.next()).map(Ok);
        }
        let Reverse((record, number)) = self.heap.pop()?;
        match self.runs[number].next() {
            Ok(next) => self.heap.extend(next.map(|next| Reverse((next, number)))),
            Err(error) => return Some(Err(error)),
        }
        Some(Ok(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::keys::Keys;

    fn noise(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state >> 20
        }
    }

    #[test]
    fn sorts_records_that_do_not_fit_into_memory() {
        for budget in [0, 40, 8000, 1 << 20] {
            let mut random = noise(budget as u64);
            let records: Vec<[u8; 8]> = (0..2000).map(|_| (random() % 700).to_be_bytes()).collect();
            let mut sorter = Sorter::new(budget.max(8));
            for &record in &records {
                sorter.push(record).unwrap();
            }
            let mut expected = records;
            expected.sort_unstable();
            let sorted: Result<Vec<_>> = sorter.finish().unwrap().collect();
            assert_eq!(sorted.unwrap(), expected, "{budget}");
        }
    }

    #[test]
    fn shards_hold_all_occurrences_whatever_the_budget() {
        let mut random = noise(1);
        let mut part = || -> Vec<Occurrence> {
            (0..500)
                .map(|_| {
                    let keys = Keys {
                        structure: random() & ((1 << 32) - 1),
                        position: random() & 0xff,
                    };
                    Occurrence::new(keys, random() as u32 & 0xffff, 3, 4)
                })
                .collect()
        };
        let parts: Vec<_> = (0..6).map(|_| part()).collect();
        let mut expected = parts.concat();
        expected.sort_unstable();
        for budget in [0, 1200, 10_000] {
            let mut shards = Shards::new(3, budget);
            for part in &parts {
                shards.add(Partitioned::new(part, 3)).unwrap();
            }
            let all: Vec<_> = (0..8)
                .flat_map(|shard| shards.sorted(shard).unwrap())
                .map(Result::unwrap)
                .collect();
            assert_eq!(all, expected);
        }
    }
}
