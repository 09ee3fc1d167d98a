//! What a scan of positions is asked for.

use std::{ops::Range, sync::Arc};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};
use xxhash_rust::xxh64::Xxh64;

use super::{
    column::{Columns, PositionColumn},
    token::Cursor,
};
use crate::{archive::Archive, query::Query, wanted::Wanted};

/// The options of a scan, as they are set.
#[derive(Debug, Clone)]
pub(super) struct Options {
    /// The games, counted from 0 over all archives.
    pub games: Range<u64>,
    /// What is added to the numbers of the games.
    pub before: u64,
    pub query: Query,
    /// The numbers of the only games.
    pub only: Option<Arc<[GameNumber]>>,
    pub columns: Columns,
    pub every_nth: u64,
    pub min_ply: u32,
    pub max_ply: u32,
    pub final_positions: bool,
    pub variants: bool,
    pub batch: usize,
    /// The number of the shard, from 0, and the number of shards.
    pub shard: (u64, u64),
    pub shuffle: Option<Shuffle>,
    pub token: Option<String>,
}

/// A random order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shuffle {
    /// The number of positions that are shuffled together.
    pub buffer: usize,
    pub seed: u64,
}

impl Options {
    /// The defaults, for a scan of `games` games.
    pub fn new(games: u64) -> Self {
        Self {
            games: 0..games,
            before: 0,
            query: Query::default(),
            only: None,
            columns: Columns::of(PositionColumn::DEFAULT.iter().copied()),
            every_nth: 1,
            min_ply: 0,
            max_ply: u32::MAX - 1,
            final_positions: false,
            variants: false,
            batch: 4096,
            shard: (0, 1),
            shuffle: None,
            token: None,
        }
    }

    /// Fails if a value makes no sense.
    ///
    /// # Errors
    /// Usage.
    pub fn check(&self) -> Result<()> {
        let (shard, shards) = self.shard;
        if shard >= shards {
            let message = format!("there is no shard {shard} of {shards}");
            return Err(Error::usage(message).with_remedy("shards are counted from 0"));
        }
        if self.min_ply > self.max_ply {
            let (min, max) = (self.min_ply, self.max_ply);
            let message = format!("min_ply {min} is greater than max_ply {max}");
            return Err(Error::usage(message).with_remedy("no position is in this range"));
        }
        if let Some(token) = &self.token {
            Cursor::read(token)?;
        }
        let counts = [
            ("batch", self.batch as u64),
            ("every_nth", self.every_nth),
            (
                "shuffle_buffer",
                self.shuffle.map_or(1, |it| it.buffer as u64),
            ),
        ];
        match counts.into_iter().find(|&(_, count)| count == 0) {
            Some((name, _)) => Err(Error::usage(format!("{name} is 0"))),
            None => Ok(()),
        }
    }

    /// A checksum of everything that decides which positions come in which order. The columns and
    /// the size of batches do not.
    pub fn fingerprint(&self, archives: &[Archive], selection: &Selection) -> u64 {
        let shuffle = self
            .shuffle
            .map_or([0; 2], |it| [it.buffer as u64, it.seed]);
        let numbers = [
            self.games.start,
            self.games.end,
            self.before,
            self.every_nth,
            u64::from(self.min_ply),
            u64::from(self.max_ply),
            u64::from(self.final_positions),
            u64::from(self.variants),
            self.shard.0,
            self.shard.1,
            shuffle[0],
            shuffle[1],
        ];
        let mut hasher = Xxh64::new(0);
        let mut add = |number: u64| hasher.update(&number.to_le_bytes());
        archives.iter().map(Archive::identity).for_each(&mut add);
        numbers.into_iter().for_each(&mut add);
        if let Wanted::Some(games) = &selection.wanted {
            games.words().iter().copied().for_each(&mut add);
        }
        hasher.digest()
    }
}

/// Which positions are wanted, and with which columns.
#[derive(Debug)]
pub(super) struct Selection {
    /// The games, counted from 0 over all archives.
    pub games: Range<u64>,
    /// What is added to their numbers.
    pub before: u64,
    /// Those that match the query.
    pub wanted: Wanted,
    pub columns: Columns,
    pub variants: bool,
    pub every_nth: u64,
    min_ply: u32,
    pub max_ply: u32,
    final_positions: bool,
}

impl Selection {
    pub fn new(options: &Options, wanted: Wanted) -> Self {
        Self {
            games: options.games.clone(),
            before: options.before,
            wanted,
            columns: options.columns,
            variants: options.variants,
            every_nth: options.every_nth,
            min_ply: options.min_ply,
            max_ply: options.max_ply,
            final_positions: options.final_positions,
        }
    }

    /// Whether a game, counted from 0, is wanted.
    pub fn has_game(&self, game: u64) -> bool {
        self.games.contains(&game) && self.wanted.contains(game)
    }

    /// Whether a game of a range, counted from 0, is wanted.
    pub fn has_any(&self, games: Range<u64>) -> bool {
        let start = games.start.max(self.games.start);
        self.wanted.has_any(start..games.end.min(self.games.end))
    }

    /// Whether a position of a wanted game is wanted.
    #[inline]
    pub fn has_position(&self, game: u64, ply: u32, is_last: bool) -> bool {
        (self.min_ply..=self.max_ply).contains(&ply)
            && (!is_last || self.final_positions)
            && (self.every_nth == 1
                || (self.before + game + u64::from(ply)).is_multiple_of(self.every_nth))
    }

    /// Whether comments are decoded.
    pub fn needs_comments(&self) -> bool {
        self.columns
            .has_any([PositionColumn::Clock, PositionColumn::Eval])
    }
}
