//! What to search for: [`Query`] and the values of its conditions.
//!
//! A [`Query`] is a plain value. The command line builds it from flags, programs fill in its
//! fields:
//!
//! ```
//! use ign_archive::{parse_opening, query::{Query, Speed}};
//!
//! let query = Query {
//!     elo: Some("2200..2500".parse()?),
//!     speed: vec![Speed::Blitz, Speed::Rapid],
//!     opening: Some(parse_opening("1. e4 e5 2. f4")?),
//!     ..Query::default()
//! };
//! # Ok::<(), ign_archive::Error>(())
//! ```

mod bounds;
mod classes;
mod date;
mod id;
mod like;
mod material;
mod named;
mod pattern;
mod positions;
mod text;
mod unmoved;

use ign_format::block::opening_prefix::OpeningPrefix;
use ign_notation::signature::Signature;

pub use bounds::{Bounds, RangeEnd};
pub use classes::{Eco, GameResult, Speed};
pub use date::Date;
pub use id::GameId;
pub(crate) use like::Comparison;
pub use like::Score;
pub use material::Material;
pub use named::closest;
pub use pattern::BoardPattern;
pub(crate) use positions::normal;
pub use positions::{PositionFilter, parse_board, parse_position};
pub use text::{TagPattern, TextPattern};

/// A conjunction of conditions on games: a game matches if it meets every condition that is set.
/// The default sets none and matches every game.
///
/// A condition on a tag is not met by a game that lacks the tag, or whose value has another form: a
/// rating `?` is in no range. The tags of a game are its first lines of the form `[Name "value"]`;
/// a line of another form, or one that repeats a name, ends them and belongs to the movetext.
///
/// Moves are those of the main line up to the first word that is no legal move. Comments are those
/// in braces, wherever they are in the movetext.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// White's name.
    pub white: Option<TextPattern>,
    /// Black's name.
    pub black: Option<TextPattern>,
    /// The name of one of the players.
    pub player: Option<TextPattern>,
    /// The ratings of both players.
    pub elo: Option<Bounds<u16>>,
    /// White's rating.
    pub white_elo: Option<Bounds<u16>>,
    /// Black's rating.
    pub black_elo: Option<Bounds<u16>>,
    /// The mean of both ratings, rounded down, is in one of these ranges; any if empty.
    pub mean_elo: Vec<Bounds<u16>>,
    /// White's rating minus Black's.
    pub elo_diff: Option<Bounds<i32>>,
    /// The date: that of the UTCDate tag, or of the Date tag if UTCDate is missing or no date. An
    /// unknown part must be in the range whatever it is.
    pub date: Option<Bounds<Date>>,
    /// The Result tag is one of these; any if empty.
    pub result: Vec<GameResult>,
    /// The ECO tag.
    pub eco: Option<Bounds<Eco>>,
    /// The Opening tag.
    pub opening_name: Option<TextPattern>,
    /// The TimeControl tag.
    pub time_control: Option<TextPattern>,
    /// The speed that follows from the TimeControl tag is one of these; any if empty.
    pub speed: Vec<Speed>,
    /// The Event tag.
    pub event: Option<TextPattern>,
    /// The Site tag.
    pub site: Option<TextPattern>,
    /// The Termination tag.
    pub termination: Option<TextPattern>,
    /// The number of plies. It is 0 for a game without moves, for one whose moves are kept as text,
    /// and for Go.
    pub plies: Option<Bounds<u32>>,
    /// Regular expressions for tags.
    pub tags: Vec<TagPattern>,
    /// The id or the address of the game on its server.
    pub id: Option<GameId>,
    /// The first moves, from the standard starting position.
    pub opening: Option<OpeningPrefix>,
    /// The squares of the signature; `None` matches any.
    pub signature: Option<Signature>,
    /// The same game as a score that may have mistakes.
    pub like: Option<Score>,
    /// A position of the game. Games of variants are compared by the same parts; pieces in hand and
    /// remaining checks are not compared. A game without moves, or whose moves are kept as text,
    /// has no positions.
    pub positions: PositionFilter,
    /// Whether a position occurred three times. `false` selects the games that `true` does not
    /// select.
    pub repetition: Option<bool>,
    /// Whether fifty moves of each side were made without a pawn move or a capture.
    pub fifty_moves: Option<bool>,
    /// Whether a comment states the time on a clock (`[%clk …]`).
    pub has_clocks: Option<bool>,
    /// Whether a comment states an engine's evaluation (`[%eval …]`).
    pub has_evals: Option<bool>,
    /// Whether a comment has text other than commands such as `[%clk …]`.
    pub commented: Option<bool>,
}

impl Query {
    /// Whether a condition needs the moves of games.
    pub(crate) fn needs_moves(&self) -> bool {
        let flags = [
            self.repetition,
            self.fifty_moves,
            self.has_clocks,
            self.has_evals,
            self.commented,
        ];
        self.plies.is_some()
            || self.opening.is_some()
            || self.like.is_some()
            || !self.positions.is_empty()
            || flags.iter().any(Option::is_some)
    }

    /// Whether no condition is set, so that every game matches.
    pub fn is_empty(&self) -> bool {
        let Self {
            white,
            black,
            player,
            elo,
            white_elo,
            black_elo,
            mean_elo,
            elo_diff,
            date,
            result,
            eco,
            opening_name,
            time_control,
            speed,
            event,
            site,
            termination,
            plies,
            tags,
            id,
            opening,
            signature,
            like,
            positions,
            repetition,
            fifty_moves,
            has_clocks,
            has_evals,
            commented,
        } = self;
        let texts = [white, black, player, opening_name].into_iter().chain([
            time_control,
            event,
            site,
            termination,
        ]);
        let flags = [repetition, fifty_moves, has_clocks, has_evals, commented];
        texts.into_iter().all(Option::is_none)
            && [elo, white_elo, black_elo].into_iter().all(Option::is_none)
            && mean_elo.is_empty()
            && elo_diff.is_none()
            && date.is_none()
            && result.is_empty()
            && eco.is_none()
            && speed.is_empty()
            && plies.is_none()
            && tags.is_empty()
            && id.is_none()
            && opening.is_none()
            && signature.is_none()
            && like.is_none()
            && positions.is_empty()
            && flags.into_iter().all(Option::is_none)
    }
}
