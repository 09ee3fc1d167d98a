//! Figures of a collection: what it costs, and where the bits go.
//!
//! ```text
//! archive ─► blocks ─┐
//!                    ├─► block figures ─► Stats
//! text ─► packed ────┘
//! ```
//!
//! Both ways meet at the packed block ([`gather`]), so the figures of a text are
//! those of its archive. A block's games are played once
//! ([`block`]), and once more to be weighed by the move model ([`weighed`]); what that gives are sums and histograms ([`histogram`]), which
//! add up block by block in the order of the blocks: the result does not depend
//! on the number of threads. Memory is that of the pipeline, some megabytes for
//! histograms, and four bytes a game, up to eight while they grow, to count
//! equal signatures ([`signatures`]).
//!
//! What the figures mean for the claims of the seed documents is in [`claims`].
//! Nothing here prints: that is the command's.

pub mod block;
pub mod claims;

pub mod gather;
pub mod histogram;
pub mod moves;
pub mod signatures;
pub mod space;
pub mod weighted;

use std::collections::BTreeSet;

use ign_format::block::Kind;
use ign_notation::chess::repetition::Claimable;

use self::{
    histogram::Histogram, moves::Moves, signatures::Signatures, space::Space, weighted::Weighed,
};

/// All figures of a collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stats {
    /// Where its bytes go.
    pub space: Space,
    /// Its games.
    pub games: Games,
    /// Its moves and their integers.
    pub moves: Moves,
    /// What the move model makes of its moves.
    pub weighed: Weighed,
    /// How telling its signatures are.
    pub signatures: Signatures,
}

/// Games and what they are made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Games {
    /// Blocks they are packed in.
    pub blocks: u64,
    /// Games.
    pub games: u64,
    /// Records that are no game: text between games.
    pub other_records: u64,
    /// Games of which some movetext is kept as text.
    pub partly_text: u64,
    /// Half-moves that are in integers.
    pub plies: u64,
    /// Games by their half-moves; those without an integer, which are of
    /// variants that are not chess, are left out.
    pub lengths: Histogram,
    /// Draws that could be claimed.
    pub claimable: Claimables,
    /// How moves became integers: the names of the codings.
    pub codings: BTreeSet<&'static str>,
    /// Which games they are: the names.
    pub kinds: BTreeSet<&'static str>,
}

/// Games in which a draw could be claimed, by what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claimables {
    /// A position for the third time.
    pub repetition: Claimed,
    /// Fifty moves without a pawn's move or a capture.
    pub fifty_moves: Claimed,
}

/// How many games there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claimed {
    /// Anywhere.
    pub games: u64,
    /// At the end.
    pub at_end: u64,
    /// At the end, and the result is a draw.
    pub at_end_drawn: u64,
}

impl Claimables {
    /// Counts a game, which was drawn or not.
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
        self.partly_text += other.partly_text;
        self.plies += other.plies;
        self.lengths.merge(&other.lengths);
        self.claimable.merge(&other.claimable);
        self.codings.extend(&other.codings);
        self.kinds.extend(&other.kinds);
    }
}

impl Games {
    /// Whether all of them are games of Go.
    pub fn are_all_go(&self) -> bool {
        self.kinds.iter().eq([Kind::Go.name()].iter())
    }
}

impl Stats {
    /// Adds what a block told.
    fn add(&mut self, block: &block::BlockFigures) {
        self.space.add(&block.space);
        self.games.add(&block.games);
        self.moves.add(&block.moves);
        self.weighed.add(&block.weighed);
        self.signatures.add(&block.signatures);
    }

    /// Bytes of archive for each game.
    pub fn bytes_per_game(&self) -> Option<f64> {
        ratio(self.space.archive_len, self.games.games)
    }

    /// Bits in the archive for each half-move, whatever tells lengths included.
    pub fn bits_per_ply(&self) -> Option<f64> {
        ratio(self.moves.stored_bits(), self.games.plies)
    }

    /// Bits of the archive for moves and signatures.
    pub fn bits_with_signatures(&self) -> u64 {
        self.moves.stored_bits() + 8 * self.space.signatures()
    }

    /// Games by their bits in the archive: integer and length prefix, or, where moves are coded
    /// in groups, what their choices are worth without what signatures tell.
    pub fn bits_of_games(&self) -> Histogram {
        if self.moves.group_bits > 0 {
            self.weighed.games.clone()
        } else {
            self.moves.stored.games()
        }
    }
}

/// A quotient; none of nothing.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
