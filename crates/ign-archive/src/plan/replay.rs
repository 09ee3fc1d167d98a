//! Conditions of a query on the moves of a game, decided while the game is replayed.

use ign_format::{
    block::{
        Coding,
        decode::{Block, Records},
        integers::{Follower, Prefixes},
    },
    error::Result,
    pgn::start::Start,
};
use ign_notation::chess::{
    Move, Position,
    repetition::{Claimable, Watch},
    rules::{Board, LegalMoves},
    variant,
};
use shakmaty::{Bitboard, Color, Role};

use super::{
    sequence::{Progress, Sequence},
    stage::names_of,
};
use crate::values::{Comparison, Ranges, Score};

/// Draws that a player may claim, and whether one must be claimable by each rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Draws {
    /// Whether a position must occur three times.
    pub repetition: Option<bool>,
    /// Whether fifty moves of each side must be made without a pawn move or a capture.
    pub fifty_moves: Option<bool>,
}

impl Draws {
    /// Whether a game meets both conditions.
    pub fn matches(self, game: Claimable) -> bool {
        self.repetition.is_none_or(|is| is == game.repetition)
            && self.fifty_moves.is_none_or(|is| is == game.fifty_moves)
    }
}

/// The conditions of a query that a replay decides.
#[derive(Default)]
pub(crate) struct Replay<'q> {
    /// The number of plies.
    pub plies: Option<&'q Ranges<u32>>,
    /// What one of the positions must meet, or several.
    pub positions: Sequence,
    /// The same game as this score.
    pub like: Option<&'q Score>,
    /// Draws that could be claimed.
    pub draws: Draws,
}

impl Replay<'_> {
    /// Whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.plies.is_none() && self.positions.is_empty() && self.needs_positions_only()
    }

    /// Whether the number of plies is the only condition.
    pub fn is_only_plies(&self) -> bool {
        let has_others = !self.positions.is_empty() || self.like.is_some() || self.has_draws();
        self.plies.is_some() && !has_others
    }

    /// Whether there are conditions on draws.
    pub fn has_draws(&self) -> bool {
        self.draws != Draws::default()
    }

    /// The names of the conditions.
    pub fn names(&self) -> String {
        names_of([
            ("plies", self.plies.is_some()),
            ("positions", !self.positions.is_empty()),
            ("like", self.like.is_some()),
            ("repetition", self.draws.repetition.is_some()),
            ("fifty_moves", self.draws.fifty_moves.is_some()),
        ])
    }

    /// Which of the records that are left meet the conditions. Each game is replayed until that is
    /// certain.
    ///
    /// # Errors
    /// Corrupt; unsupported when another move model coded the moves.
    pub fn matching(&self, block: &Block, records: &Records, left: &[bool]) -> Result<Vec<bool>> {
        let without_moves = self.matches_without_moves();
        let mut meets: Vec<bool> = left.iter().map(|&left| left && without_moves).collect();
        if block.kind() != ign_format::block::Kind::Chess {
            return Ok(meets);
        }
        let wanted = |row: usize| left[row] && records.has_moves(row);
        if block.coding() == Coding::Weighted {
            block.follow_groups(
                records,
                wanted,
                |start| (Replayed::new(start), Follow::new(self, start)),
                |(replayed, follow), played| replayed.see(follow, played),
                |row, (_, mut follow)| meets[row] = follow.finish(),
            )?;
            return Ok(meets);
        }
        let mut boards = Boards {
            replay: self,
            games: [0, 1].map(|_| (0, Follow::new(self, &Start::default()))),
            meets: &mut meets,
        };
        // What is known of a sequence is more than what one position decides.
        let shares_prefixes = self.needs_positions_only() && self.positions.is_one_position();
        let mut prefixes = shares_prefixes.then(Prefixes::default);
        block.follow_integers(records, wanted, &mut boards, prefixes.as_mut())?;
        Ok(meets)
    }

    /// Whether the positions decide, whatever the moves.
    fn needs_positions_only(&self) -> bool {
        self.plies.is_none() && self.like.is_none() && !self.has_draws()
    }

    /// Whether a game without moves, or whose moves are kept as text, meets the conditions.
    fn matches_without_moves(&self) -> bool {
        self.positions.is_empty()
            && self.like.is_none()
            && self.draws.matches(Claimable::default())
            && self.plies.is_none_or(|plies| plies.contains(&0))
    }
}

/// Follows one game until the conditions are decided.
struct Follow<'r> {
    replay: &'r Replay<'r>,
    /// The number of plies played.
    plies: u32,
    /// The greatest number of plies that the game may have, if it is limited.
    max_plies: Option<u32>,
    /// When to ask whether the positions can still be reached; `None` if never: in variants pieces
    /// may return, or pawns may start elsewhere.
    reach: Option<Reach>,
    met_position: bool,
    /// What is met of the positions, if one does not decide.
    progress: Option<Progress>,
    failed: bool,
    like: Option<Comparison<'r>>,
    watch: Watch,
}

impl<'r> Follow<'r> {
    fn new(replay: &'r Replay<'r>, start: &Start) -> Self {
        let mut new = Self {
            replay,
            plies: 0,
            max_plies: replay.plies.and_then(Ranges::max),
            reach: None,
            met_position: false,
            progress: None,
            failed: false,
            like: replay.like.map(Comparison::new),
            watch: Watch::default(),
        };
        new.restart(start);
        new
    }

    /// Begins with another game, after [`finish`](Self::finish).
    fn restart(&mut self, start: &Start) {
        self.plies = 0;
        self.reach = start.as_chess().map(|_| Reach::default());
        let positions = &self.replay.positions;
        self.met_position = positions.is_empty();
        self.progress = (!positions.is_one_position()).then(Progress::default);
        self.failed = false;
        self.watch.begin(start.halfmoves());
        if let Some(like) = &mut self.like {
            like.restart();
        }
    }

    /// Takes the next position, and the move played there. Returns whether later ones matter.
    fn see(&mut self, legal: &impl LegalMoves, played: Option<Move>) -> bool {
        self.see_position(legal, played.is_none())
            && played.is_none_or(|played| self.see_move(legal, played))
    }

    /// Takes the next position. Returns whether later ones matter.
    #[inline]
    fn see_position(&mut self, legal: &(impl LegalMoves + ?Sized), is_last: bool) -> bool {
        if !self.met_position {
            let filter = &self.replay.positions.first;
            let position = &*legal.board();
            if self.progress.is_some() {
                self.see_in_sequence(position, is_last);
            } else if (is_last || !filter.last_only) && filter.matches(position) {
                self.met_position = true;
            } else if let Some(reach) = &mut self.reach
                && let Some(pawn) = reach.see(position)
                && !filter.is_reachable_after(position, pawn)
            {
                self.failed = true;
            }
        }
        if is_last && self.replay.has_draws() {
            self.watch.see(legal, None);
        }
        self.is_open()
    }

    /// Takes the next position, if one does not decide. Not inlined, since most searches are for
    /// one position.
    #[cold]
    #[inline(never)]
    fn see_in_sequence(&mut self, position: &Position, is_last: bool) {
        let sequence = &self.replay.positions;
        let Some(progress) = &mut self.progress else {
            return;
        };
        self.met_position = progress.see(sequence, position, is_last);
        if let Some(reach) = &mut self.reach
            && let Some(pawn) = reach.see(position)
            && !self.met_position
        {
            self.failed |= !progress.is_reachable_after(sequence, position, pawn);
        }
    }

    /// Takes the move played in the position seen last. Returns whether later ones matter.
    #[inline]
    fn see_move(&mut self, legal: &(impl LegalMoves + ?Sized), played: Move) -> bool {
        let replay = self.replay;
        if replay.has_draws() {
            self.watch.see(legal, Some(played));
        }
        self.plies += 1;
        self.failed |= self.max_plies.is_some_and(|max| self.plies > max);
        if let Some(like) = &mut self.like {
            self.failed |= !like.add(&legal.board(), played);
        }
        self.is_open()
    }

    /// Whether the rest of the game matters.
    #[inline]
    fn is_open(&self) -> bool {
        let replay = self.replay;
        !self.failed && (!self.met_position || !replay.needs_positions_only())
    }

    /// Whether the game meets the conditions.
    fn finish(&mut self) -> bool {
        let (replay, seen) = (self.replay, self.watch.finish());
        !self.failed
            && self.met_position
            && replay.plies.is_none_or(|plies| plies.contains(&self.plies))
            && self.like.as_ref().is_none_or(Comparison::matches)
            && replay.draws.matches(seen)
    }
}

/// Follows the two games in progress of a block of integers.
struct Boards<'r, 'm> {
    replay: &'r Replay<'r>,
    /// The record and the state of each.
    games: [(usize, Follow<'r>); 2],
    /// For each record whether it meets the conditions.
    meets: &'m mut [bool],
}

impl Follower for Boards<'_, '_> {
    type Known = Verdict;

    fn begin(&mut self, board: usize, record: usize, start: &Start) {
        let (number, game) = &mut self.games[board];
        *number = record;
        game.restart(start);
    }

    fn know(&self, _: Option<(&Verdict, Move)>, position: &Position) -> (Verdict, bool) {
        let filter = &self.replay.positions.first;
        let verdict = if !filter.last_only && filter.matches(position) {
            Verdict::Met
        } else if !filter.is_reachable(position) {
            Verdict::Dismissed
        } else {
            Verdict::Open
        };
        (verdict, verdict != Verdict::Open)
    }

    fn resume(&mut self, board: usize, known: &Verdict) {
        let (_, game) = &mut self.games[board];
        game.met_position |= *known == Verdict::Met;
        game.failed |= *known == Verdict::Dismissed;
    }

    #[inline]
    fn see_position<L>(&mut self, board: usize, legal: &L, is_last: bool) -> bool
    where
        L: LegalMoves + ?Sized,
    {
        self.games[board].1.see_position(legal, is_last)
    }

    #[inline]
    fn see_move<L>(&mut self, board: usize, legal: &L, played: Move) -> bool
    where
        L: LegalMoves + ?Sized,
    {
        self.games[board].1.see_move(legal, played)
    }

    fn end(&mut self, board: usize) {
        let (record, game) = &mut self.games[board];
        self.meets[*record] = game.finish();
    }
}

/// What a position that is not the last of a game decides about the positions of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Nothing.
    Open,
    /// It meets the conditions.
    Met,
    /// No later one meets the conditions.
    Dismissed,
}

/// The board of a game that is followed move by move.
enum Replayed {
    Chess(Box<Position>),
    Variant(Box<variant::Board>),
}

impl Replayed {
    fn new(start: &Start) -> Self {
        match start {
            Start::Chess(start) => Self::Chess(Box::new(start.position)),
            Start::Variant(start) => Self::Variant(Box::new(start.board.clone())),
        }
    }

    /// Passes the position and the move played there on, and plays it.
    fn see(&mut self, follow: &mut Follow, played: Option<Move>) -> bool {
        match self {
            Self::Chess(position) => see_on(&mut **position, follow, played),
            Self::Variant(board) => see_on(&mut **board, follow, played),
        }
    }
}

fn see_on(board: &mut impl Board, follow: &mut Follow, played: Option<Move>) -> bool {
    let goes_on = follow.see(&board.legal(), played);
    if let Some(played) = played {
        board.play(played);
    }
    goes_on
}

/// What decides whether a position can be reached. Other moves than those of pawns, captures, and
/// those that lose a castling right do not change it.
#[derive(Default)]
struct Reach {
    pawns: Bitboard,
    pieces: usize,
    castling: Bitboard,
}

impl Reach {
    /// Takes the position after the next move. `None` if nothing has changed; else the side that
    /// has made a move with a pawn, if nothing else has changed.
    #[inline]
    fn see(&mut self, position: &Position) -> Option<Option<Color>> {
        let before = std::mem::replace(
            self,
            Self {
                pawns: position.by_role(Role::Pawn),
                pieces: position.occupied().count(),
                castling: position.castling_rooks(),
            },
        );
        let others = (before.pieces, before.castling) != (self.pieces, self.castling);
        let has_changed = others || before.pawns != self.pawns;
        has_changed.then(|| (!others).then(|| !position.turn()))
    }
}
