//! Verification: every byte of an archive is checked, and all damage is reported.
//!
//! All frames must follow each other, every checksum must match, every block must give its text,
//! and index and footer must agree with the blocks. Each block is decoded once. What passes can be
//! unpacked to the byte.

use std::{path::Path, thread};

use ign_format::{
    block::{Coding, decode::Block},
    container::{NotUnderstoodCounts, index::BlockEntry},
    error::{Error, Result},
    known_answers,
    models::Models,
};

use super::{
    damage::{Damage, Place},
    outline::{BlockDamage, Listed, Outline, block_bytes, check},
};
use crate::{
    archive::{Archive, default_threads},
    location::open_archive_file,
    models,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
    source::{Front, ReadAt},
    sources::{Piece, Places, SourceTexts},
};

/// How much of an archive is verified.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Depth {
    /// Everything: all blocks are decoded.
    #[default]
    Full,
    /// The structure of the file, and a random sample of the blocks, which are decoded. The other
    /// blocks are not read.
    Sample {
        /// The share of the blocks, above 0 and at most 1. At least one block is decoded.
        share: f64,
        /// The seed of the choice.
        seed: u64,
    },
    /// All seals and checksums of frames: all bytes are read, and nothing is decoded.
    Quick,
}

/// What a verification found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Verified {
    /// Number of games, as far as known.
    pub games: u64,
    /// Length of the text in bytes, as far as known.
    pub text_len: u64,
    /// The games that are not, or only partly, understood, in the blocks that were read and are
    /// not damaged.
    pub not_understood: NotUnderstoodCounts,
    /// Number of blocks.
    pub blocks: u64,
    /// Number of blocks that were decoded.
    pub decoded: u64,
    /// Length of the file in bytes.
    pub file_len: u64,
    /// All damage, first that outside the blocks.
    pub damage: Vec<Damage>,
}

/// Verifies archives, which may be damaged anywhere.
///
/// ```no_run
/// use ign_archive::check::{Depth, Verifier};
///
/// let verified = Verifier::new().depth(Depth::Quick).verify("games.ign")?;
/// for damage in &verified.damage {
///     println!("{}", damage.error);
/// }
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Verifier<'p> {
    depth: Depth,
    threads: usize,
    on_progress: OnProgress<'p>,
}

impl Default for Verifier<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Verifier<'p> {
    /// Verifies everything, with as many threads as the machine runs at once.
    pub fn new() -> Self {
        Self {
            depth: Depth::Full,
            threads: default_threads(),
            on_progress: OnProgress::default(),
        }
    }

    /// How much is verified.
    #[must_use]
    pub fn depth(mut self, depth: Depth) -> Self {
        self.depth = depth;
        self
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    progress_setter!();

    /// Verifies an archive file. The bytes of the progress are those of text. Damage is no error.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if the file is no
    /// archive at all; [`Unsupported`](crate::ErrorKind::Unsupported) if it has another version of
    /// the format; [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn verify(self, path: impl AsRef<Path>) -> Result<Verified> {
        let (source, name) = open_archive_file(path)?;
        self.verify_read_at(&*source, name)
    }

    /// Verifies an archive over any source of byte ranges, which messages call `name`.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_read_at(
        mut self,
        source: &dyn ReadAt,
        name: impl AsRef<Path>,
    ) -> Result<Verified> {
        if self.depth != Depth::Quick {
            known_answers::check(Coding::Weighted)?;
        }
        let mut verify = || Outline::read(source)?.verify(source, &mut self);
        let name = name.as_ref();
        let mut verified = verify().map_err(|e| e.in_file(name))?;
        for damage in &mut verified.damage {
            let error = std::mem::replace(&mut damage.error, Error::internal(""));
            damage.error = error.in_file(name);
        }
        Ok(verified)
    }

    /// Verifies an open archive: an error is its first damage. Bytes after the archive are damage
    /// too, and are not read: the next append changes them.
    ///
    /// # Errors
    /// As [`Archive::verify`], and [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn check(self, archive: &Archive) -> Result<()> {
        let threads = archive.threads();
        let front = Front::new(archive.source(), archive.end());
        let verified = self
            .threads(threads)
            .verify_read_at(&front, archive.path())?;
        first_damage(verified)?;
        let trailing = archive.check_trailing();
        trailing.map_err(|e| e.in_file(archive.path()))
    }
}

/// The error of the first damage.
fn first_damage(verified: Verified) -> Result<()> {
    match verified.damage.into_iter().next() {
        None => Ok(()),
        Some(damage) => Err(damage.error),
    }
}

impl Archive {
    /// Checks every byte of the archive.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) with the place of the
    /// first damage; [`Unsupported`](crate::ErrorKind::Unsupported) if moves were coded by a move
    /// model that this program does not have.
    pub fn verify(&self) -> Result<()> {
        Verifier::new().check(self)
    }
}

/// Checks the seals and checksums of the first `len` bytes of a file, which are an archive with its
/// parity. Blocks that this program cannot read are no damage.
///
/// # Errors
/// Those of the source; corrupt with the first damage.
pub(crate) fn check_front(source: &dyn ReadAt, len: u64) -> Result<()> {
    let front = Front::new(source, len);
    let outline = Outline::read(&front)?;
    let mut verifier = Verifier::new().depth(Depth::Quick);
    let mut verified = outline.verify(&front, &mut verifier)?;
    verified.damage.retain(|damage| !damage.is_unread());
    first_damage(verified)
}

/// A block that was checked.
struct Checked {
    /// Its text, if it was decoded and nothing is wrong.
    text: Option<Vec<u8>>,
    plies: u64,
    not_understood: NotUnderstoodCounts,
    damage: Option<BlockDamage>,
}

/// The text of a block, verified. Where one of several sources ends in it, a record must end.
fn verified_text(block: &Block, entry: &BlockEntry, places: &Places) -> Result<Vec<u8>> {
    if !places.share(entry) {
        return block.verified_text();
    }
    let piece = Piece::of_block(entry);
    let mut sources = places.within(&piece).peekable();
    let records = block.records()?;
    let (mut record, mut game) = (0, piece.games.start);
    let mut agrees = true;
    let text = block.verified_text_by_record(&records, |end| {
        game += u64::from(records.is_game(record));
        record += 1;
        let end = piece.text.start + end as u64;
        if let Some((_, own)) = sources.next_if(|(_, own)| own.text.end <= end) {
            agrees &= (own.text.end, own.games.end) == (end, game);
        }
    })?;
    if agrees && sources.next().is_none() {
        Ok(text)
    } else {
        Err(Error::corrupt(
            "the records of a block do not end where its sources end",
        ))
    }
}

/// Checks a block, which may need one of these models, and decodes it if `decode` is set.
fn check_block(
    bytes: &[u8],
    entry: &BlockEntry,
    models: &Models,
    places: &Places,
    decode: bool,
) -> Checked {
    let mut checked = Checked {
        text: None,
        plies: 0,
        not_understood: NotUnderstoodCounts::default(),
        damage: check(bytes, entry),
    };
    if checked.damage.is_none() {
        let decoded = Block::open_with(bytes, models).and_then(|block| {
            checked.plies = block.head().plies;
            checked.not_understood = block.head().not_understood;
            let text = || verified_text(&block, entry, places);
            decode.then(text).transpose()
        });
        match decoded {
            Ok(text) => checked.text = text,
            Err(error) => {
                checked.damage = Some(BlockDamage {
                    columns: Vec::new(),
                    error,
                });
            }
        }
    }
    checked
}

impl Outline {
    /// Verifies what the outline lists.
    ///
    /// # Errors
    /// Those of the source; cancelled.
    pub(crate) fn verify(
        mut self,
        source: &dyn ReadAt,
        verifier: &mut Verifier,
    ) -> Result<Verified> {
        let depth = verifier.depth;
        let count = self.blocks.len();
        let chosen: Vec<usize> = match depth {
            Depth::Full | Depth::Quick => (0..count).collect(),
            Depth::Sample { share, seed } => sample(count, share, seed),
        };
        let decode = depth != Depth::Quick;
        let counters = Counters::default();
        let file_len = self.file_len;
        let known = match depth {
            Depth::Full => self.known_sources,
            _ => 0,
        };
        let sources = self.sources.clone();
        let places = Places::of(&sources);
        let mut texts = SourceTexts::new(&sources[..known], 0);
        let mut plies = (depth == Depth::Full).then_some(0);
        let mut decoded = 0;
        let mut not_understood = NotUnderstoodCounts::default();
        let entries: Vec<BlockEntry> = self.blocks.iter().map(|block| block.entry).collect();
        let models = if decode {
            models::of_blocks(source, file_len, &entries, &[])?
        } else {
            Models::default()
        };
        let bytes = chosen.iter().map(|&number| entries[number].bytes());
        source.will_read(&bytes.collect::<Vec<_>>());
        thread::scope(|scope| {
            let work = |number: usize| {
                let bytes = block_bytes(source, file_len, &entries[number])?;
                Ok(check_block(
                    &bytes,
                    &entries[number],
                    &models,
                    &places,
                    decode,
                ))
            };
            let jobs = chosen.iter().copied().map(Ok);
            let threads = verifier.threads.min(chosen.len());
            for (&number, checked) in chosen.iter().zip(ordered(scope, threads, jobs, work)) {
                let checked = checked?;
                counters.add_bytes(entries[number].text_len);
                counters.add_games(entries[number].games);
                decoded += u64::from(checked.text.is_some());
                plies = match checked.damage {
                    None => plies.map(|plies: u64| plies + checked.plies),
                    Some(_) => None,
                };
                if checked.damage.is_none() {
                    not_understood.add(&checked.not_understood);
                }
                texts.add(entries[number].text_len, checked.text.as_deref());
                self.blocks[number].damage = checked.damage;
                counters.report(&mut verifier.on_progress)?;
            }
            Ok::<(), Error>(())
        })?;
        let is_copy_damaged = |block: &Listed| block.damage.is_some() && block.entry.text_len == 0;
        if self.blocks.iter().any(is_copy_damaged) {
            let whole = models::of_blocks(source, file_len, &entries, &[])?;
            self.check_models(source, &whole, false)?;
        }
        let mut damage = std::mem::take(&mut self.damage);
        // What an interrupted append has left is one damage, which is known.
        let appended = self.append_start.unwrap_or(file_len);
        let gaps = self.gaps(source)?.into_iter();
        damage.extend(
            gaps.filter(|gap| !matches!(&gap.place, Place::Gap(bytes) if bytes.start >= appended)),
        );
        if let (Some(plies), Some(footer)) = (plies, &self.footer)
            && self.is_listed
            && !self.has_more()
            && plies != footer.plies
        {
            let error = Error::corrupt("footer and blocks contradict each other");
            damage.push(Damage::of(Place::Footer, error));
        }
        damage.extend(texts.differ.into_iter().map(|source| {
            let number = source as u64 + 1;
            let error = Error::corrupt(format!("the checksum of source {number} differs"));
            Damage::of(Place::Source(number), error)
        }));
        damage.extend(self.damaged_blocks());
        Ok(Verified {
            games: self.games(),
            text_len: entries.iter().map(|entry| entry.text_len).sum(),
            not_understood,
            blocks: count as u64,
            decoded,
            file_len,
            damage,
        })
    }
}

/// A share of `count` blocks, in order, at least one if there are any. Each choice of as many is
/// equally likely.
fn sample(count: usize, share: f64, seed: u64) -> Vec<usize> {
    let wanted = ((count as f64 * share).ceil() as usize).clamp(1, count.max(1));
    let mut state = seed;
    // splitmix64
    let mut random = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let mut left = wanted.min(count);
    let chosen = (0..count).filter(|&block| {
        let rest = (count - block) as u64;
        let is_chosen = random() % rest < left as u64;
        left -= usize::from(is_chosen);
        is_chosen
    });
    chosen.collect()
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn sample_has_the_share_of_the_blocks_in_order() {
        for (count, share, expected) in [(0, 0.5, 0), (1, 0.01, 1), (100, 0.05, 5), (7, 1.0, 7)] {
            for seed in 0..20 {
                let blocks = sample(count, share, seed);
                assert_eq!(blocks.len(), expected);
                assert!(blocks.is_sorted() && blocks.iter().all(|&block| block < count));
            }
        }
        assert_ne!(sample(1000, 0.05, 1), sample(1000, 0.05, 2));
    }
}
