//! The conditions that select games, as flags of every command that selects games.
//!
//! Each flag is a field of [`Query`]; a value is read by its own type, so that an error names the
//! flag.

#![allow(
    rustdoc::broken_intra_doc_links,
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{fmt::Display, path::PathBuf, str::FromStr};

use ign_notation::chess::Position;

use super::messages::say;
use ign_archive::{
    Error, Input, OpeningPrefix, Query, Result, parse_opening, parse_signature,
    query::{
        BoardPattern, Bounds, Date, Eco, GameId, GameResult, Material, PositionFilter, RangeEnd,
        Score, Speed, TagPattern, TextPattern, parse_board, parse_position,
    },
};

/// Headings of the help.
const PLAYERS: &str = "Players and ratings";
const TAGS: &str = "Tags";
const MOVES: &str = "Moves";
const POSITIONS: &str = "Positions";
const CONTENT: &str = "Content";

/// Conditions on games. A game matches if it meets all that are given.
#[derive(Debug, clap::Args)]
pub struct Filters {
    /// White's name: the whole name, * matches any text
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    white: Option<TextPattern>,
    /// Black's name
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    black: Option<TextPattern>,
    /// The name of one of the players: "Carlsen*"
    #[arg(long, value_name = "NAME", help_heading = PLAYERS)]
    player: Option<TextPattern>,
    /// Both ratings: 2200..2500 (both included), 2200.., ..2500
    #[arg(long, value_name = "RANGE", value_parser = numbers::<u16>, help_heading = PLAYERS)]
    elo: Option<Bounds<u16>>,
    /// White's rating
    #[arg(long, value_name = "RANGE", value_parser = numbers::<u16>, help_heading = PLAYERS)]
    white_elo: Option<Bounds<u16>>,
    /// Black's rating
    #[arg(long, value_name = "RANGE", value_parser = numbers::<u16>, help_heading = PLAYERS)]
    black_elo: Option<Bounds<u16>>,
    /// The mean of both ratings: 1600..1799; several ranges with commas
    #[arg(long, value_name = "RANGE", value_delimiter = ',', value_parser = numbers::<u16>, help_heading = PLAYERS)]
    mean_elo: Vec<Bounds<u16>>,
    /// White's rating minus Black's: -200..-100
    #[arg(long, value_name = "RANGE", value_parser = numbers::<i32>, allow_hyphen_values = true, help_heading = PLAYERS)]
    elo_diff: Option<Bounds<i32>>,
    /// UTCDate tag, or else Date tag: 2013-01-05, 2013-01, 2013, or a range 2013-01-05..2013-01-07
    #[arg(long, value_name = "RANGE", help_heading = TAGS)]
    date: Option<Bounds<Date>>,
    /// Result: 1-0, 0-1, 1/2-1/2, *, white, black, draw, unknown; several with commas
    #[arg(long, value_name = "RESULT", value_delimiter = ',', help_heading = TAGS)]
    result: Vec<GameResult>,
    /// ECO code: B20, B20..B99
    #[arg(long, value_name = "RANGE", help_heading = TAGS)]
    eco: Option<Bounds<Eco>>,
    /// Opening tag: "Sicilian*"
    #[arg(long, value_name = "TEXT", help_heading = TAGS)]
    opening_name: Option<TextPattern>,
    /// TimeControl tag: 300+3, "60+*"
    #[arg(long, value_name = "TEXT", help_heading = TAGS)]
    time_control: Option<TextPattern>,
    /// Speed by the time control: ultraBullet, bullet, blitz, rapid, classical, correspondence;
    /// several with commas
    #[arg(long, value_name = "SPEED", value_delimiter = ',', help_heading = TAGS)]
    speed: Vec<Speed>,
    /// Event tag: "Rated Blitz*"
    #[arg(long, value_name = "TEXT", help_heading = TAGS)]
    event: Option<TextPattern>,
    /// Site tag
    #[arg(long, value_name = "TEXT", help_heading = TAGS)]
    site: Option<TextPattern>,
    /// Termination tag: "Time forfeit"
    #[arg(long, value_name = "TEXT", help_heading = TAGS)]
    termination: Option<TextPattern>,
    /// A tag by a regular expression, which may match anywhere in the value: Round=^3; repeatable.
    /// Upper and lower case differ; Event=(?i)open ignores case
    #[arg(long, value_name = "NAME=REGEX", help_heading = TAGS)]
    tag: Vec<TagPattern>,
    /// The id of the game on its server, or its address: https://lichess.org/j1dkb5dw
    #[arg(long, value_name = "ID", help_heading = TAGS)]
    id: Option<GameId>,
    /// First moves: "1. e4 e5 2. f4", in UCI notation "e2e4 e7e5 f2f4", or as an integer 10194
    #[arg(long, value_name = "MOVES", value_parser = parse_opening, help_heading = MOVES)]
    opening: Option<OpeningPrefix>,
    /// Number of plies: 20..40
    #[arg(long, value_name = "RANGE", value_parser = numbers::<u32>, help_heading = MOVES)]
    plies: Option<Bounds<u32>>,
    /// Signature: A=e4f6??, B=??d5c3, or both
    #[arg(long, num_args = 1.., value_name = "SIGNATURE", help_heading = MOVES)]
    signature: Vec<String>,
    /// The same game as the first of this PGN file, whose moves may have mistakes; - is standard
    /// input
    #[arg(long, value_name = "GAME.pgn", help_heading = MOVES)]
    like: Option<PathBuf>,
    /// A position occurs for the third time; --repetition=false: none does
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL",
        help_heading = MOVES)]
    repetition: Option<bool>,
    /// Both players make 50 moves without a pawn move or a capture; =false: they do not
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL",
        help_heading = MOVES)]
    fifty_moves: Option<bool>,
    /// This position occurs: "8/8/4k3/8/8/4K3/4P3/8 w - -"; pieces, side to move, castling, en
    /// passant
    #[arg(long, value_name = "FEN", value_parser = parse_position, help_heading = POSITIONS)]
    position: Option<Position>,
    /// The pieces of this position occur on their squares, whoever is to move
    #[arg(long, value_name = "FEN", value_parser = parse_board, help_heading = POSITIONS)]
    board: Option<Position>,
    /// These pieces occur: KRPKR is king, rook and pawn against king and rook; KRP-KR gives White
    /// the pawn
    #[arg(long, value_name = "PIECES", help_heading = POSITIONS)]
    material: Option<Material>,
    /// A board with wildcards occurs: squares "Kg1,[Qq]d4,_e5", or ranks "*/*/*/*/*/*/*PPP/*RK1";
    /// ign help find has the symbols
    #[arg(long, value_name = "PATTERN", help_heading = POSITIONS)]
    pattern: Option<BoardPattern>,
    /// The position must be the last of the game
    #[arg(long = "final", help_heading = POSITIONS)]
    last_only: bool,
    /// A comment states the time on a clock, [%clk ...]; =false: none does
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL",
        help_heading = CONTENT)]
    has_clocks: Option<bool>,
    /// A comment states an evaluation, [%eval ...]; =false: none does
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL",
        help_heading = CONTENT)]
    has_evals: Option<bool>,
    /// A comment has text; =false: none does
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL",
        help_heading = CONTENT)]
    commented: Option<bool>,
}

impl Filters {
    /// The conditions.
    ///
    /// # Errors
    /// Usage, if a signature has another form, the score of `--like` has no moves, or `--final` has
    /// no position; io.
    pub fn query(&self) -> Result<Query> {
        let signature = match &self.signature[..] {
            [] => None,
            parts => Some(parse_signature(parts).map_err(|e| of_flag("--signature", &e))?),
        };
        let like = self
            .like
            .as_ref()
            .map(|path| {
                let text = Input::from_name(path).text()?;
                Score::read(&text).map_err(|e| e.in_file(path))
            })
            .transpose()
            .map_err(|e| {
                of_flag(
                    "--like",
                    &e.with_remedy("name a PGN file with the moves to look for"),
                )
            })?;
        let positions = PositionFilter {
            position: self.position,
            board: self.board,
            material: self.material.clone(),
            pattern: self.pattern.clone(),
            last_only: self.last_only,
        };
        if self.last_only && positions.is_empty() {
            return Err(
                Error::usage("--final needs a condition on the last position")
                    .with_remedy("add --position, --board, --material or --pattern"),
            );
        }
        Ok(Query {
            white: self.white.clone(),
            black: self.black.clone(),
            player: self.player.clone(),
            elo: self.elo,
            white_elo: self.white_elo,
            black_elo: self.black_elo,
            mean_elo: self.mean_elo.clone(),
            elo_diff: self.elo_diff,
            date: self.date,
            result: self.result.clone(),
            eco: self.eco,
            opening_name: self.opening_name.clone(),
            time_control: self.time_control.clone(),
            speed: self.speed.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            termination: self.termination.clone(),
            plies: self.plies,
            tags: self.tag.clone(),
            id: self.id.clone(),
            opening: self.opening.clone(),
            signature,
            like,
            positions,
            repetition: self.repetition,
            fifty_moves: self.fifty_moves,
            has_clocks: self.has_clocks,
            has_evals: self.has_evals,
            commented: self.commented,
        })
    }

    /// Says what may explain that nothing was found: a text without `*`, which must be the whole
    /// value.
    pub fn say_advice(&self) {
        let texts = [
            ("--white", &self.white),
            ("--black", &self.black),
            ("--player", &self.player),
            ("--opening-name", &self.opening_name),
            ("--time-control", &self.time_control),
            ("--event", &self.event),
            ("--site", &self.site),
            ("--termination", &self.termination),
        ];
        let whole = texts.into_iter().find_map(|(flag, pattern)| {
            let text = pattern.as_ref()?.as_str();
            (!text.is_empty() && !text.contains('*')).then_some((flag, text))
        });
        if let Some((flag, text)) = whole {
            let before = match flag {
                "--time-control" => "",
                _ => "*",
            };
            say(format_args!(
                "{flag} must match the whole value; * matches any text: {flag} \"{before}{text}*\""
            ));
        }
    }
}

/// Reads a range of numbers.
fn numbers<T: FromStr<Err: Display> + PartialOrd + RangeEnd>(text: &str) -> Result<Bounds<T>> {
    let range = text.parse::<Bounds<T>>();
    range.map_err(|e| e.with_remedy("write a number, 'a..b' with both included, 'a..' or '..b'"))
}

/// The error of a flag's value that is read after the others.
fn of_flag(flag: &str, error: &Error) -> Error {
    Error::new(error.kind(), format!("{flag}: {error}"))
}
