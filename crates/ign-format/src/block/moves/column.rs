//! The games of a moves column, taken record by record.

use std::thread;

use crate::{
    block::{
        Coding,
        groups::{GROUP, Groups},
        integers::{Integers, NextGame},
        known_signatures::KnownSignatures,
        moves::{game::GameMoves, lists::MoveLists, proven::ProvenMoves},
        starts::Starts,
    },
    error::{Error, Result},
    model::MoveModel,
};
use ign_notation::chess::san::Naming;

/// Verification decodes one game, or one group, of this many as a reader would.
const DECODED: usize = 8;

/// The moves of a block's records.
#[derive(Debug)]
pub struct MovesColumn<'a> {
    starts: &'a Starts,
    /// The next record.
    record: usize,
    games: Games<'a>,
    /// What parsing has proven, and the number of records with a start before the next one.
    proven: Option<(&'a ProvenMoves, usize)>,
}

#[derive(Debug)]
enum Games<'a> {
    Integers(Integers<'a>),
    Groups {
        groups: Box<Groups<'a>>,
        /// Playable records before the next record.
        before: usize,
    },
    /// Games that are decoded already.
    Lists(&'a MoveLists),
}

impl<'a> MovesColumn<'a> {
    /// A column in this coding, of records with these starts that have at most `plies` plies
    /// together. For weighted games `model` is the one that coded them, and `signatures` are those
    /// of the playable records.
    ///
    /// # Errors
    /// Corrupt.
    pub fn new(
        column: &'a [u8],
        coding: Coding,
        model: Option<MoveModel>,
        starts: &'a Starts,
        signatures: KnownSignatures<'a>,
        plies: u64,
    ) -> Result<Self> {
        let games = match coding {
            Coding::Ign | Coding::IgnEnd => Games::Integers(Integers::new(column, coding, plies)),
            Coding::Weighted => Games::Groups {
                groups: Box::new(Groups::new(column, model, starts, signatures, plies)?),
                before: 0,
            },
        };
        Ok(Self {
            starts,
            record: 0,
            games,
            proven: None,
        })
    }

    /// A column whose games are decoded already: the moves of all records with these starts.
    pub fn of_lists(starts: &'a Starts, lists: &'a MoveLists) -> Self {
        Self {
            starts,
            record: 0,
            games: Games::Lists(lists),
            proven: None,
        }
    }

    /// Takes most games from those proven by parsing, after verifying that the column encodes them.
    /// For callers that take all records.
    pub fn check_by(&mut self, proven: &'a ProvenMoves) {
        self.proven = Some((proven, 0));
    }

    /// Lets games be decoded in advance, with their SAN if there is a naming, where that is faster.
    /// For callers that take all games.
    pub fn look_ahead(&mut self, naming: Option<Naming>) {
        if let (Games::Integers(integers), None) = (&mut self.games, self.proven) {
            integers.look_ahead(naming);
        }
    }

    /// Starts to decode the games of these records in the background if that takes long, and then
    /// runs `then` there. The records are those that will be taken, ascending.
    pub fn prefetch(
        &mut self,
        records: impl Iterator<Item = usize>,
        then: impl FnOnce() + Send + 'static,
    ) {
        match &mut self.games {
            Games::Groups { groups, .. } => {
                let games = records.filter_map(|record| self.starts.number(record));
                groups.prefetch(games, then);
            }
            // `then` is an optimization: it may be dropped if no thread can be spawned.
            Games::Integers(_) | Games::Lists(_) => drop(thread::Builder::new().spawn(then)),
        }
    }

    /// Skips a record.
    ///
    /// # Errors
    /// Corrupt when its moves are missing.
    pub fn skip(&mut self) -> Result<()> {
        let record = self.advance();
        match &mut self.games {
            Games::Integers(integers) if self.starts.is_played(record) => integers.skip(),
            _ => Ok(()),
        }
    }

    /// Moves to the record after the next one; returns the next one.
    #[inline]
    fn advance(&mut self) -> usize {
        let record = self.record;
        self.record += 1;
        if let Some((_, game)) = &mut self.proven {
            *game += usize::from(self.starts.of(record).is_some());
        }
        if let Games::Groups { before, .. } = &mut self.games {
            *before += usize::from(self.starts.is_played(record));
        }
        record
    }

    /// Takes the moves of the next record; none if it is not playable.
    ///
    /// # Errors
    /// Corrupt.
    #[inline]
    pub fn next_game(&mut self) -> Result<GameMoves<'_>> {
        let proven = self.proven.filter(|&(_, game)| !self.decodes(game));
        let record = self.advance();
        if !self.starts.is_played(record) {
            return Ok(GameMoves::of_list(&[]));
        }
        if let Some((proven, game)) = proven {
            return self.checked_game(proven, record, game);
        }
        match &mut self.games {
            Games::Integers(integers) => {
                let (coding, max_plies) = (integers.coding(), integers.max_plies());
                Ok(match integers.next_game(self.starts, record)? {
                    NextGame::Decoded(decoded) => GameMoves::of_decoded(decoded),
                    NextGame::Integer(limbs, decoder) => {
                        let nulls = self.starts.nulls(record);
                        GameMoves::of_integer(limbs, decoder, coding, max_plies, nulls)
                    }
                })
            }
            Games::Groups { groups, before } => Ok(GameMoves::of_list(groups.game(*before - 1)?)),
            Games::Lists(lists) => {
                let missing = || Error::internal("the moves of a record were not decoded");
                Ok(GameMoves::of_list(lists.of(record).ok_or_else(missing)?))
            }
        }
    }

    /// The record just taken, which is game `game` of the proven ones, after its moves are
    /// verified.
    pub(super) fn checked_game(
        &mut self,
        proven: &'a ProvenMoves,
        record: usize,
        game: usize,
    ) -> Result<GameMoves<'_>> {
        let game = proven.game(game)?;
        game.check_nulls(self.starts.nulls(record))?;
        match &mut self.games {
            Games::Integers(integers) => game.check(integers.next_integer()?.1)?,
            // A group is verified as a whole with its first game.
            Games::Groups { groups, before } if (*before - 1).is_multiple_of(GROUP) => {
                groups.check((*before - 1) / GROUP, &proven.intervals)?;
            }
            Games::Groups { .. } | Games::Lists(_) => {}
        }
        Ok(GameMoves::of_proven(game))
    }

    /// Whether verification decodes the next record, which is game `game` of the proven ones, as a
    /// reader would.
    fn decodes(&self, game: usize) -> bool {
        match self.games {
            Games::Integers(_) => game.is_multiple_of(DECODED),
            Games::Lists(_) => true,
            Games::Groups { before, .. } => (before / GROUP).is_multiple_of(DECODED),
        }
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(self) -> Result<()> {
        match self.games {
            Games::Integers(integers) => integers.finish(),
            // The lengths of the groups were found to fill the column.
            Games::Groups { .. } | Games::Lists(_) => Ok(()),
        }
    }
}
