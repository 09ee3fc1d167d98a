//! The opening tree: the moves played from a position, with their results.
//!
//! ```text
//! indexed: games that the index has at the position ─┐
//! replay: games of a block at the position ──────────┴► Tallies ─► one Tally ─► Tree
//!                                                       collect
//! ```

mod collect;
mod indexed;
mod opening;
mod options;
mod replay;
pub(crate) mod tally;

use ign_format::{error::Result, game_number::GameNumber};
use ign_notation::chess::{Legal, Move, Position, san};
use shakmaty::Color;

pub use self::opening::Opening;
use self::{
    options::Options,
    tally::{Node, Results, Sums, Tally},
};
use crate::{
    archive::Archive,
    archives::Archives,
    progress::{OnProgress, progress_setter},
    query::Query,
    values::Date,
};

/// The moves played from a position, in the games that match a query.
///
/// A game counts once, at its first occurrence of the position, however it reached it. Games of
/// chess and Chess960 count; games of other variants, and games without moves or whose moves are
/// kept as text, do not.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tree {
    /// The position.
    pub position: Position,
    /// Its name.
    pub opening: Option<Opening>,
    /// All games. The performance is that of the side to move.
    pub counts: Counts,
    /// The moves, those played most first; equals are in the canonical order of moves.
    pub moves: Vec<TreeMove>,
    /// The games with the highest mean rating, the highest first, with the move played.
    pub top_games: Vec<ListedGame>,
    /// The games played last, the last first, with the move played. Games without a date come
    /// last.
    pub recent_games: Vec<ListedGame>,
    /// Results by month, if [requested](TreeBuilder::history). Games without a result or without a
    /// month are left out.
    pub history: Vec<Month>,
}

/// A move of a [`Tree`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreeMove {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move as engines write it: `e2e4`, `e1g1`, `b7a8q`; in Chess960 castling is the king's
    /// move to the square of the rook.
    pub uci: String,
    /// The name of the position after the move.
    pub opening: Option<Opening>,
    /// The games in which it was played. The performance is that of the side that plays it.
    pub counts: Counts,
    /// The next moves in these games, as far as the [depth](TreeBuilder::depth) of the tree.
    pub moves: Vec<TreeMove>,
}

/// What is known of some games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// All games. Those without one of the three results count here only.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games that have no further move. It is 0 for the last moves of a tree: what comes after
    /// them is not looked at.
    pub ended: u64,
    /// The mean rating of both players, over the games in which both are known.
    pub average_rating: Option<u16>,
    /// The mean rating of the opponents of the side to move, over the games with a result and a
    /// known opponent's rating.
    pub average_opponent_rating: Option<u16>,
    /// The performance of the side to move, or of the [side chosen](TreeBuilder::performance_of):
    /// the mean rating of its opponents plus 400 times the difference of wins and losses per game,
    /// over the games with a result and a known opponent's rating.
    pub performance: Option<i32>,
    /// The latest date.
    pub last_played: Option<Date>,
    /// The least number of a game; `None` without games, or if
    /// [numbers](TreeBuilder::game_numbers) were not wanted.
    pub first_game: Option<GameNumber>,
    /// The greatest number of a game, as the least one.
    pub last_game: Option<GameNumber>,
}

impl Counts {
    fn of(sums: &Sums, tally: &Tally) -> Self {
        let number = |game: Option<GameNumber>| game.filter(|_| tally.has_game_numbers());
        Self {
            games: sums.games,
            white: sums.white,
            draws: sums.draws,
            black: sums.black,
            ended: sums.ended,
            average_rating: sums.average_rating(),
            average_opponent_rating: sums.average_opponent_rating(),
            performance: sums.performance(),
            last_played: sums.last_played,
            first_game: number(sums.first_game),
            last_game: number(sums.last_game),
        }
    }
}

/// A game that a tree lists.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedGame {
    /// Its number over all archives.
    pub game: GameNumber,
    /// The move played from the position, in UCI notation; `None` if the game ends there.
    pub uci: Option<String>,
}

/// The results of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Month {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

/// Computes [`Tree`]s. The default is the moves of the position, without games and history.
///
/// ```no_run
/// use ign_archive::{Archives, Query, TreeBuilder, query::parse_position};
///
/// let archives = Archives::open(["games.ign"])?;
/// let start = parse_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
/// let tree = TreeBuilder::new().depth(2).top_games(4).build(&archives, &start, &Query::new())?;
/// println!("{} games", tree.counts.games);
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct TreeBuilder<'p> {
    options: Options,
    on_progress: OnProgress<'p>,
}

impl<'p> TreeBuilder<'p> {
    progress_setter!();

    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The greatest depth. A tree has at most a move for each game and ply of its depth.
    pub const MAX_DEPTH: usize = 20;

    /// The number of plies to follow, from 1. A move is counted with the moves before it: games
    /// that reach the same position by other moves are not added.
    #[must_use]
    pub fn depth(mut self, plies: usize) -> Self {
        self.options.depth = plies;
        self
    }

    /// The number of games to list by rating.
    #[must_use]
    pub fn top_games(mut self, games: usize) -> Self {
        self.options.top_games = games;
        self
    }

    /// The number of games to list by date.
    #[must_use]
    pub fn recent_games(mut self, games: usize) -> Self {
        self.options.recent_games = games;
        self
    }

    /// The side whose performance and opponents are measured in all moves, instead of the side that
    /// moves.
    #[must_use]
    pub fn performance_of(mut self, side: Color) -> Self {
        self.options.side = Some(side);
        self
    }

    /// Whether to count results by month.
    #[must_use]
    pub fn history(mut self, history: bool) -> Self {
        self.options.history = history;
        self
    }

    /// Whether [`Counts`] have their first and last game, as by default. Without them, and without
    /// games that are listed, less of a search index is read.
    #[must_use]
    pub fn game_numbers(mut self, game_numbers: bool) -> Self {
        self.options.game_numbers = game_numbers;
        self
    }
}

impl Archive {
    /// The moves played from a position in the games that match a query. See [`Tree`].
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// # let text = b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n1. d4 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// use ign_archive::{Query, query::parse_position};
    ///
    /// let start = parse_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
    /// let tree = archive.tree(&start, &Query::default())?;
    /// assert_eq!(tree.counts.games, 3);
    /// assert_eq!((tree.moves[0].san.as_str(), tree.moves[0].counts.games), ("e4", 2));
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if moves were coded by another move model.
    pub fn tree(&self, position: &Position, query: &Query) -> Result<Tree> {
        TreeBuilder::new().build(&Archives::from(self), position, query)
    }
}

impl Archives {
    /// The moves played from a position in the games that match a query, as [`Archive::tree`].
    ///
    /// # Errors
    /// As [`Archive::tree`].
    pub fn tree(&self, position: &Position, query: &Query) -> Result<Tree> {
        TreeBuilder::new().build(self, position, query)
    }
}

impl Tree {
    fn new(position: Position, tally: &Tally) -> Self {
        let month = |((year, month), [white, draws, black]): ((u16, u8), Results)| Month {
            year,
            month,
            white,
            draws,
            black,
        };
        Self {
            position,
            opening: Opening::of(&position),
            counts: Counts::of(&tally.root().sums, tally),
            moves: moves_of(position, tally, tally.root()),
            top_games: listed(tally.top_games()),
            recent_games: listed(tally.recent_games()),
            history: tally.history().map(month).collect(),
        }
    }
}

fn listed(games: Vec<(GameNumber, Option<Move>)>) -> Vec<ListedGame> {
    let listed = |(game, played): (GameNumber, Option<Move>)| ListedGame {
        game,
        uci: played.map(|played| played.uci()),
    };
    games.into_iter().map(listed).collect()
}

/// The moves of a node, with those after them.
fn moves_of(position: Position, tally: &Tally, node: &Node) -> Vec<TreeMove> {
    let legal = Legal::new(&position);
    let mut next = node.next.clone();
    let games = |node: usize| tally.node(node).sums.games;
    next.sort_unstable_by_key(|&(played, node)| (std::cmp::Reverse(games(node)), played));
    let tree_move = |(played, number): (Move, usize)| {
        let mut after = position;
        after.play(played);
        let mut san = san::write(&legal, played).as_bytes().to_vec();
        san.extend(Legal::new(&after).sign());
        let node = tally.node(number);
        TreeMove {
            san: String::from_utf8_lossy(&san).into_owned(),
            uci: played.uci(),
            opening: Opening::of(&after),
            counts: Counts::of(&node.sums, tally),
            moves: moves_of(after, tally, node),
        }
    };
    next.into_iter().map(tree_move).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Packer, query::parse_position};

    #[test]
    fn games_without_legal_moves_are_not_counted() {
        let text = b"1. e4 *\n\n[White \"Ann\"]\n\n1-0\n\n[White \"Ben\"]\n\n1. e5 *\n";
        let input = Input::reader("games.pgn", &text[..]);
        let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
        let archive = Archive::from_read_at(bytes, "games.ign").unwrap();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let start = parse_position(start).unwrap();
        let tree = archive.tree(&start, &Query::default()).unwrap();
        assert_eq!(
            (archive.len(), tree.counts.games, tree.counts.ended),
            (3, 1, 0)
        );
    }
}
