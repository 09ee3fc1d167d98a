//! The signatures of games: of a block that is open, and out of a file by themselves.

use std::{borrow::Cow, ops::Range};

use super::{
    Coding, Fixed,
    decode::{Block, Records},
    reader::Archive,
    starts::Starts,
};
use crate::{
    columns::{
        signatures::{self, Levels},
        text,
    },
    error::{Error, Result},
    format::{
        block::{Head, Stream},
        index::BlockEntry,
        signatures::Signature,
    },
};

impl<'a> Block<'a> {
    /// The signatures of all games, in order.
    ///
    /// # Errors
    /// Corrupt.
    pub fn signatures(&self) -> Result<Vec<Signature>> {
        let levels = self.levels()?;
        Ok(levels.iter().flat_map(|levels| levels.from(0)).collect())
    }

    /// Where there are games, their signatures, to be read one by one.
    fn levels(&self) -> Result<Option<Levels<'a>>> {
        if self.head().games == 0 {
            return Ok(None);
        }
        let place = place_of(self.head())?;
        let switches = self.head().columns[place].switches;
        Levels::open(self.streams(place)?, switches, self.head().games).map(Some)
    }

    /// The signatures of the games to play, where the coding of moves leaves to them what they say.
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn known_beforehand(
        &self,
        records: &Records,
        starts: &Starts,
    ) -> Result<Signed<'a>> {
        let levels = match self.coding() {
            Coding::Weighted => self.levels()?,
            Coding::Ign | Coding::IgnEnd => None,
        };
        let Some(levels) = levels else {
            return Ok(Signed::default());
        };
        let games = (0..records.len()).filter(|&record| records.is_game(record));
        let games = (0..).zip(games);
        let played = games.filter(|&(_, record)| starts.is_played(record));
        let games = played.map(|(game, _)| game).collect();
        Ok(Signed::Column { levels, games })
    }
}

/// The signatures of games to play, as far as they are known before they are played.
pub enum Signed<'a> {
    /// One by one.
    Each(Vec<Option<Signature>>),
    /// In the column of their block: its levels, and the number of each there.
    Column {
        /// The levels.
        levels: Levels<'a>,
        /// The numbers.
        games: Vec<u32>,
    },
}

impl Default for Signed<'_> {
    fn default() -> Self {
        Self::Each(Vec::new())
    }
}

impl Signed<'_> {
    /// How many games there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Each(signatures) => signatures.len(),
            Self::Column { games, .. } => games.len(),
        }
    }

    /// Those of some games in a row.
    pub fn of(&self, games: Range<usize>) -> Vec<Option<Signature>> {
        match self {
            Self::Each(signatures) => signatures[games].to_vec(),
            Self::Column { levels, games: all } => {
                let mut next = all.get(games.start).copied().unwrap_or(0);
                let mut signatures = levels.from(next as usize);
                let signature = |&game: &u32| {
                    let skipped = (game - next) as usize;
                    next = game + 1;
                    signatures.nth(skipped)
                };
                all[games].iter().map(signature).collect()
            }
        }
    }
}

impl Archive {
    /// Numbers of the games, counted from zero, that have these squares in their
    /// signature. Of each block no more is read than its head and what is asked for.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn find_signature(&self, wanted: &Signature) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        for (number, block) in self.index().blocks.iter().enumerate() {
            let find = || match block.games {
                0 => Ok(Vec::new()),
                _ => Column::open(self, block)?.find(wanted),
            };
            let games = find().map_err(|e| e.in_block(number as u64).in_file(self.path()))?;
            found.extend(games.into_iter().map(|game| game + block.first_game));
        }
        Ok(found)
    }

    /// The signatures of all games of a block. No more is read of it than its head and these.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn signatures(&self, block: usize) -> Result<Vec<Signature>> {
        let entry = &self.index().blocks[block];
        let read = || match entry.games {
            0 => Ok(Vec::new()),
            _ => Column::open(self, entry)?.all(),
        };
        read().map_err(|e| e.in_block(block as u64).in_file(self.path()))
    }
}

/// The signatures of a block, read by themselves.
struct Column<'a> {
    archive: &'a Archive,
    head: Head,
    /// The column's place in the directory.
    place: usize,
    /// Where its frames start in the file.
    start: u64,
}

impl<'a> Column<'a> {
    fn open(archive: &'a Archive, block: &BlockEntry) -> Result<Self> {
        let head = Head::read(&archive.read_at(block.offset, block.head_len)?)?;
        if head.games as u64 != block.games {
            return Err(Error::corrupt("index and head of a block differ"));
        }
        let place = place_of(&head)?;
        Ok(Self {
            archive,
            start: block.offset + block.head_len + head.frames_at(place) as u64,
            place,
            head,
        })
    }

    fn streams(&self) -> &[Stream] {
        &self.head.columns[self.place].streams
    }

    fn switches(&self) -> u8 {
        self.head.columns[self.place].switches
    }

    /// The stream of a level.
    fn level(&self, level: usize) -> Result<Cow<'static, [u8]>> {
        let (before, from) = self.streams().split_at(level.min(self.streams().len()));
        let stream = from.first();
        let stream = stream.ok_or_else(|| Error::corrupt("a level of signatures is missing"))?;
        let before: usize = before.iter().map(Stream::frame_len).sum();
        let at = self.start + before as u64;
        let frame = self.archive.read_at(at, stream.frame_len() as u64)?;
        Ok(Cow::Owned(text::unwrap(stream, &frame)?.into_owned()))
    }

    fn all(&self) -> Result<Vec<Signature>> {
        let levels: Result<Vec<_>> = (0..self.streams().len()).map(|l| self.level(l)).collect();
        let levels = Levels::open(levels?, self.switches(), self.head.games)?;
        Ok(levels.from(0).collect())
    }

    fn find(&self, wanted: &Signature) -> Result<Vec<u64>> {
        signatures::find(wanted, self.switches(), self.head.games, |l| self.level(l))
    }
}

/// The place of the signatures in the directory of a block that has games.
///
/// # Errors
/// Corrupt when there are none.
fn place_of(head: &Head) -> Result<usize> {
    let place = head.place_of(Fixed::Signatures as u8);
    place.ok_or_else(|| Error::corrupt("a block lacks the signatures of its games"))
}
