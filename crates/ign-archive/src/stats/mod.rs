//! Statistics of a collection: what it costs, and where the bits go.
//!
//! ```text
//! archive ─► blocks ─┐
//!                    ├─► BlockFigures ─► Stats
//! text ─► packed ────┘
//! ```
//!
//! Both ways meet at the packed block, so the statistics of a text are those of its
//! archive. The games of a block are replayed once, and again with the move model
//! ([`weighted`]). The results are sums and histograms ([`histogram`]), added block by block in the
//! order of the blocks, so they do not depend on the number of threads. Memory: a few megabytes for
//! histograms, and four bytes per game, up to eight while the vector grows, to count equal
//! signatures ([`signatures`]).
//!
//! [`claims`] compares the statistics with what the documents claim that the project grew from.
//! Nothing here prints; the command does.
//!
//! ```
//! use ign_archive::{Input, Packer, stats};
//!
//! let input = Input::reader("games.pgn", &b"1. f3 e5 2. g4 Qh4# 0-1\n"[..]);
//! let stats = stats::of_inputs([input], Packer::new())?;
//! assert_eq!((stats.games.games, stats.games.plies), (1, 4));
//! # Ok::<(), ign_archive::Error>(())
//! ```

mod block;
pub mod claims;
mod gather;
#[cfg(feature = "go")]
mod go;
pub mod histogram;
mod json;
pub mod moves;
mod ratio;
mod report;
pub mod signatures;
pub mod space;
pub mod weighted;

pub use gather::{StatsBuilder, of_inputs};
pub use ratio::ratio;
pub use report::Report;

use std::collections::BTreeSet;

use ign_format::{block::Kind as GameKind, container::NotUnderstoodCounts};
use ign_notation::chess::repetition::Claimable;

use self::{
    histogram::Histogram, moves::Moves, signatures::Signatures, space::Space, weighted::Weighted,
};

/// All statistics of a collection.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Where its bytes go.
    pub space: Space,
    /// Its games.
    pub games: Games,
    /// Its moves and their integers.
    pub moves: Moves,
    /// The cost of its moves under the move model.
    pub weighted: Weighted,
    /// How well its signatures identify games.
    pub signatures: Signatures,
}

/// Counts of games.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Games {
    /// Blocks.
    pub blocks: u64,
    /// Games.
    pub games: u64,
    /// Records that are no games: text between games.
    pub other_records: u64,
    /// Games that are not, or only partly, understood.
    pub not_understood: NotUnderstoodCounts,
    /// Plies that are coded as moves.
    pub plies: u64,
    /// Games by their number of plies. Games whose rules are not known are left out.
    pub lengths: Histogram,
    /// Games in which a draw could be claimed.
    pub claimable: Claimables,
    /// The names of the move codings.
    pub codings: BTreeSet<&'static str>,
    /// Which games they are: `chess`, `go`.
    pub kinds: BTreeSet<&'static str>,
}

/// Games in which a draw could be claimed, by the rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claimables {
    /// A position occurred three times.
    pub repetition: Claimed,
    /// Fifty moves of each side without a pawn move or a capture.
    pub fifty_moves: Claimed,
}

/// Numbers of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claimed {
    /// At any ply.
    pub games: u64,
    /// In the final position.
    pub at_end: u64,
    /// In the final position, and the result is a draw.
    pub at_end_drawn: u64,
}

impl Claimables {
    /// Counts a game.
    fn add(&mut self, seen: Claimable, drawn: bool) {
        let count = |claimed: &mut Claimed, anywhere, at_end| {
            claimed.games += u64::from(anywhere);
            claimed.at_end += u64::from(at_end);
            claimed.at_end_drawn += u64::from(at_end && drawn);
        };
        count(
            &mut self.repetition,
            seen.repetition,
            seen.repetition_at_end,
        );
        count(
            &mut self.fifty_moves,
            seen.fifty_moves,
            seen.fifty_moves_at_end,
        );
    }

    fn merge(&mut self, other: &Self) {
        let merge = |own: &mut Claimed, other: &Claimed| {
            own.games += other.games;
            own.at_end += other.at_end;
            own.at_end_drawn += other.at_end_drawn;
        };
        merge(&mut self.repetition, &other.repetition);
        merge(&mut self.fifty_moves, &other.fifty_moves);
    }
}

impl Games {
    fn add(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.games += other.games;
        self.other_records += other.other_records;
        self.not_understood.add(&other.not_understood);
        self.plies += other.plies;
        self.lengths.merge(&other.lengths);
        self.claimable.merge(&other.claimable);
        self.codings.extend(&other.codings);
        self.kinds.extend(&other.kinds);
    }
}

impl Games {
    /// Whether all games are games of Go.
    pub fn are_all_go(&self) -> bool {
        self.kinds.iter().eq([GameKind::Go.name()].iter())
    }
}

impl Stats {
    /// Adds a block.
    fn add(&mut self, block: &block::BlockFigures) {
        self.space.add(&block.space);
        self.games.add(&block.games);
        self.moves.add(&block.moves);
        self.weighted.add(&block.weighted);
        self.signatures.add(&block.signatures);
    }

    /// Adds the statistics of other games.
    pub fn merge(&mut self, other: &Self) {
        self.space.add(&other.space);
        self.games.add(&other.games);
        self.moves.add(&other.moves);
        self.weighted.add(&other.weighted);
        self.signatures.add(&other.signatures);
    }

    /// Bytes of the archive per game; `None` without games.
    pub fn bytes_per_game(&self) -> Option<f64> {
        ratio(self.space.archive_len, self.games.games)
    }

    /// Bits of the archive per ply, length prefixes included; `None` without plies.
    pub fn bits_per_ply(&self) -> Option<f64> {
        ratio(self.moves.stored_bits(), self.games.plies)
    }

    /// Bits of the archive for moves and signatures.
    pub fn bits_with_signatures(&self) -> u64 {
        self.moves.stored_bits() + 8 * self.space.signatures()
    }

    /// Games by their bits in the archive: integer and length prefix, or, where moves are coded in
    /// groups, the ideal cost of their choices, without the help of signatures.
    pub fn bits_of_games(&self) -> Histogram {
        if self.moves.group_bits > 0 {
            self.weighted.games.clone()
        } else {
            self.moves.stored.games()
        }
    }
}
