//! An answer of the Lichess opening explorer, from a [`Tree`].

mod game;

use ign_archive::{
    GameNumber, Result, Tree,
    query::Date,
    tree::{Counts, ListedGame, Opening, TreeMove},
};
use serde::Serialize;

pub(crate) use self::game::{COLUMNS, read_block};
pub use self::game::{Game, Player, games};

/// The answer for a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// The moves, those played most first.
    pub moves: Vec<Move>,
    /// The games with the highest mean rating.
    pub top_games: Vec<Listed>,
    /// The games played last.
    pub recent_games: Vec<Listed>,
    /// The name of the position.
    pub opening: Option<Name>,
    /// Results by month, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<Month>>,
    /// The length of the queue of players to index: nothing waits. Only for the games of a player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_position: Option<u64>,
    /// What Lichess does not state, in extended answers.
    #[serde(flatten)]
    pub extended: Option<Extended>,
}

/// Further numbers of an extended answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extended {
    /// The mean rating of both players.
    pub average_rating: Option<u16>,
    /// The performance: that of the player, or of the side to move.
    pub performance: Option<i32>,
}

/// A move of an [`Answer`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Ratings of the players.
    #[serde(flatten)]
    pub ratings: Ratings,
    /// The performance: that of the player, or of the side that moves.
    pub performance: Option<i32>,
    /// The game, if only one was played and its number is known.
    pub game: Option<Game>,
    /// The name of the position after the move.
    pub opening: Option<Name>,
    /// The latest date, `2013-01-05`, in extended answers; `None` inside if no game has one.
    #[serde(rename = "lastPlayed", skip_serializing_if = "Option::is_none")]
    pub last_played: Option<Option<String>>,
}

/// A mean rating over the games of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Ratings {
    /// That of both players.
    All {
        /// The mean.
        average_rating: Option<u16>,
    },
    /// That of a player's opponents.
    Opponents {
        /// The mean.
        average_opponent_rating: Option<u16>,
    },
}

/// A game with the move that it played; `None` if it ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The game.
    #[serde(flatten)]
    pub game: Game,
}

/// The name of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Name {
    /// Its code in the *Encyclopaedia of Chess Openings*.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
}

impl From<Opening> for Name {
    fn from(opening: Opening) -> Self {
        let Opening { eco, name, .. } = opening;
        Self { eco, name }
    }
}

/// The results of a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Month {
    /// The month: `2013-01`.
    pub month: String,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

/// Which parts an answer has beside those that every answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The greatest number of moves.
    pub moves: usize,
    /// Whether it is about the games of a player.
    pub of_player: bool,
    /// Whether it has results by month.
    pub history: bool,
    /// Whether it has more than an answer of Lichess: ratings of all games, latest dates, numbers
    /// of games.
    pub extended: bool,
}

impl Answer {
    /// The answer of a tree. `read` returns games by their numbers in the tree.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn of<E>(
        tree: &Tree,
        shown: Shown,
        read: impl FnOnce(&[GameNumber]) -> std::result::Result<Vec<Game>, E>,
    ) -> std::result::Result<Self, E> {
        let moves = &tree.moves[..tree.moves.len().min(shown.moves)];
        let lists = tree.top_games.iter().chain(&tree.recent_games);
        let only = |counts: &Counts| counts.first_game.filter(|_| counts.games == 1);
        let mut numbers: Vec<GameNumber> = lists.map(|listed| listed.game).collect();
        numbers.extend(moves.iter().filter_map(|m| only(&m.counts)));
        numbers.sort_unstable();
        numbers.dedup();
        let games = read(&numbers)?;
        let game = |number: GameNumber| {
            let place = numbers.binary_search(&number).ok();
            place.and_then(|place| games.get(place)).cloned()
        };
        let listed = |list: &[ListedGame]| {
            let list = list.iter().filter_map(|listed| {
                Some(Listed {
                    uci: listed.uci.clone(),
                    game: game(listed.game)?,
                })
            });
            list.collect()
        };
        let tree_move = |tree_move: &TreeMove| {
            let counts = &tree_move.counts;
            Move {
                uci: tree_move.uci.clone(),
                san: tree_move.san.clone(),
                white: counts.white,
                draws: counts.draws,
                black: counts.black,
                ratings: if shown.of_player {
                    Ratings::Opponents {
                        average_opponent_rating: counts.average_opponent_rating,
                    }
                } else {
                    Ratings::All {
                        average_rating: counts.average_rating,
                    }
                },
                performance: counts.performance,
                game: only(counts).and_then(game),
                opening: tree_move.opening.map(Name::from),
                last_played: shown.extended.then(|| {
                    let date = counts.last_played?;
                    Some(iso_date(date))
                }),
            }
        };
        let month = |month: &ign_archive::tree::Month| Month {
            month: format!("{:04}-{:02}", month.year, month.month),
            white: month.white,
            draws: month.draws,
            black: month.black,
        };
        Ok(Self {
            white: tree.counts.white,
            draws: tree.counts.draws,
            black: tree.counts.black,
            moves: moves.iter().map(tree_move).collect(),
            top_games: listed(&tree.top_games),
            recent_games: listed(&tree.recent_games),
            opening: tree.opening.map(Name::from),
            history: shown
                .history
                .then(|| tree.history.iter().map(month).collect()),
            queue_position: shown.of_player.then_some(0),
            extended: shown.extended.then_some(Extended {
                average_rating: tree.counts.average_rating,
                performance: tree.counts.performance,
            }),
        })
    }
}

/// A date as JSON has it: `2013-01-05`, `2013-??-??`.
pub(crate) fn iso_date(date: Date) -> String {
    date.to_string().replace('.', "-")
}

/// A value as JSON in UTF-8.
///
/// # Errors
/// Internal: the values of this crate can be written.
pub fn to_json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|e| ign_archive::Error::internal(e.to_string()))
}
