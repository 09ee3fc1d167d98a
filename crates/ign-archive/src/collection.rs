//! Archives that are searched as one.
//!
//! The games of a collection are numbered one after the other. Its parts are the archives that have
//! an index in common: all of them if they share an index, otherwise each archive by itself. A single
//! archive is a collection with one part.

use std::slice;

use ign_format::error::Error;

use crate::{
    archive::Archive,
    index::{Index, IndexInUse},
};

/// Archives that are searched as one.
pub(crate) struct Collection<'a> {
    parts: Vec<Part<'a>>,
    threads: usize,
}

/// The archives that have an index in common.
pub(crate) struct Part<'a> {
    archives: &'a [Archive],
    /// The first game, counted from 0 over all parts.
    pub first_game: u64,
    /// The number of games.
    pub games: u64,
    /// The index of all these archives; `None` for an archive that uses the one beside it.
    shared: Option<&'a IndexInUse>,
}

/// A block of one of the archives.
pub(crate) struct Place<'a> {
    /// The archive.
    pub archive: &'a Archive,
    /// The number of the block in the archive.
    pub block: usize,
    /// Its first game, counted from 0 over all archives.
    pub first_game: u64,
    /// The number of its games.
    pub games: u64,
}

impl<'a> Collection<'a> {
    /// A single archive.
    pub fn of(archive: &'a Archive) -> Self {
        Self::separate(slice::from_ref(archive), archive.threads())
    }

    /// Archives, each with an index of its own or none.
    pub fn separate(archives: &'a [Archive], threads: usize) -> Self {
        let mut first_game = 0;
        let part = |archive: &'a Archive| {
            let part = Part::new(slice::from_ref(archive), first_game, None);
            first_game += part.games;
            part
        };
        Self {
            parts: archives.iter().map(part).collect(),
            threads,
        }
    }

    /// Archives that share an index, which must be open.
    pub fn sharing(archives: &'a [Archive], index: &'a IndexInUse, threads: usize) -> Self {
        Self {
            parts: vec![Part::new(archives, 0, Some(index))],
            threads,
        }
    }

    /// The parts, in the order of their games.
    pub fn parts(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// The number of threads that searches use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.parts.iter().map(|part| part.games).sum()
    }
}

impl<'a> Part<'a> {
    fn new(archives: &'a [Archive], first_game: u64, shared: Option<&'a IndexInUse>) -> Self {
        Self {
            archives,
            first_game,
            games: archives.iter().map(Archive::len).sum(),
            shared,
        }
    }

    /// The index, if there is one that is not rejected.
    pub fn index(&self) -> Option<&'a Index> {
        match self.shared {
            Some(index) => index.get(|| Ok(None)),
            None => self.archives.first()?.search_index(),
        }
    }

    /// Stops using the index.
    pub fn reject_index(&self, error: Error) {
        match (self.shared, self.archives.first()) {
            (Some(index), _) => index.reject(error),
            (None, Some(archive)) => archive.reject_index(error),
            (None, None) => {}
        }
    }

    /// The blocks, in the order of their games.
    pub fn places(&self) -> impl Iterator<Item = Place<'a>> {
        let mut next_archive = self.first_game;
        self.archives.iter().flat_map(move |archive| {
            let before = next_archive;
            next_archive += archive.len();
            let blocks = archive.index().blocks.iter().enumerate();
            blocks.map(move |(block, entry)| Place {
                archive,
                block,
                first_game: before + entry.first_game,
                games: entry.games,
            })
        })
    }

    /// Starts to unpack the parameters of the move model in the background, if an archive needs them.
    pub fn preload(&self) {
        self.archives.iter().for_each(Archive::preload);
    }
}
