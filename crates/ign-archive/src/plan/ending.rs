//! The last positions of games, as far as they say how the games ended.

use ign_format::{
    block::{
        Coding, Kind,
        decode::{Block, Records},
        integers::{Follower, Prefixes},
    },
    error::Result,
    pgn::start::Start,
};
use ign_notation::chess::{
    Move, Position,
    repetition::Watch,
    rules::{Board as _, LegalMoves},
};

use crate::values::{Ending, LastPosition, has_insufficient_material};

/// What the last positions of the `wanted` records say; `None` for games of variants and without
/// moves. `endings` are those that matter.
///
/// # Errors
/// Corrupt; unsupported when another move model coded the moves.
pub(crate) fn last_positions(
    block: &Block,
    records: &Records,
    wanted: &[bool],
    endings: &[Ending],
) -> Result<Vec<Option<LastPosition>>> {
    let mut found = vec![None; wanted.len()];
    if block.kind() != Kind::Chess {
        return Ok(found);
    }
    let is_wanted = |row: usize| wanted[row] && records.has_moves(row);
    // An agreed draw is none by these rules.
    let draws = [Ending::Repetition, Ending::FiftyMoves, Ending::Agreed];
    let game = LastSeen::new(endings.iter().any(|ending| draws.contains(ending)));
    if block.coding() == Coding::Weighted {
        block.follow_groups(
            records,
            is_wanted,
            |start| {
                let mut game = game.clone();
                game.begin(start);
                (start.as_chess().map(|start| start.position), game)
            },
            |(position, game), played| {
                let Some(position) = position else {
                    return false;
                };
                game.follow(position, played);
                true
            },
            |row, (_, game)| found[row] = game.last,
        )?;
        return Ok(found);
    }
    let mut boards = Boards {
        games: [(0, game.clone()), (0, game)],
        found: &mut found,
    };
    block.follow_integers(records, is_wanted, &mut boards, None::<&mut Prefixes<()>>)?;
    Ok(found)
}

/// A game that is followed to its end.
#[derive(Clone, Default)]
pub(crate) struct LastSeen {
    /// Whether repetitions and moves without progress matter.
    watches: bool,
    is_chess: bool,
    watch: Watch,
    last: Option<LastPosition>,
}

impl LastSeen {
    /// Repetitions and moves without progress are looked for only if they matter.
    pub fn new(watches: bool) -> Self {
        Self {
            watches,
            ..Self::default()
        }
    }

    /// What the last position says, after it has been seen; `None` for games of variants.
    pub fn last(&self) -> Option<LastPosition> {
        self.last
    }

    /// Begins a game.
    pub fn begin(&mut self, start: &Start) {
        self.is_chess = start.as_chess().is_some();
        self.watch.finish();
        self.watch.begin(start.halfmoves());
        self.last = None;
    }

    /// Takes the next position and the move played there, and plays it; `None` in the last
    /// position.
    fn follow(&mut self, position: &mut Position, played: Option<Move>) {
        if self.watches || played.is_none() {
            self.see(&position.legal(), played);
        }
        if let Some(played) = played {
            position.play(played);
        }
    }

    /// Takes the next position and the move played there; `None` in the last position. Those of
    /// variants do not matter.
    pub fn see(&mut self, legal: &(impl LegalMoves + ?Sized), played: Option<Move>) {
        if !self.is_chess {
            return;
        }
        match played {
            Some(_) if self.watches => self.watch.see(legal, played),
            Some(_) => {}
            None => self.end(legal),
        }
    }

    /// Takes the last position.
    fn end(&mut self, legal: &(impl LegalMoves + ?Sized)) {
        if self.watches {
            self.watch.see(legal, None);
        }
        let claimable = self.watch.finish();
        let is_over = legal.count() == 0;
        self.last = Some(LastPosition {
            checkmate: is_over && !legal.may_pass(),
            stalemate: is_over && legal.may_pass(),
            insufficient: has_insufficient_material(&legal.board()),
            repetition: claimable.repetition_at_end,
            fifty_moves: claimable.fifty_moves_at_end,
        });
    }
}

/// Follows the two games in progress of a block of integers.
struct Boards<'m> {
    /// The record and the state of each.
    games: [(usize, LastSeen); 2],
    found: &'m mut [Option<LastPosition>],
}

impl Follower for Boards<'_> {
    type Known = ();

    fn begin(&mut self, board: usize, record: usize, start: &Start) {
        let (number, game) = &mut self.games[board];
        *number = record;
        game.begin(start);
    }

    fn know(&self, _: Option<(&(), Move)>, _: &Position) -> ((), bool) {
        ((), false)
    }

    fn resume(&mut self, _: usize, (): &()) {}

    fn see_position<L>(&mut self, board: usize, legal: &L, is_last: bool) -> bool
    where
        L: LegalMoves + ?Sized,
    {
        let game = &mut self.games[board].1;
        if is_last && game.is_chess {
            game.end(legal);
        }
        game.is_chess
    }

    fn see_move<L>(&mut self, board: usize, legal: &L, played: Move) -> bool
    where
        L: LegalMoves + ?Sized,
    {
        self.games[board].1.see(legal, Some(played));
        true
    }

    fn end(&mut self, board: usize) {
        let (record, game) = &self.games[board];
        self.found[*record] = game.last;
    }
}
