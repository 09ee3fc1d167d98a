//! Games: their tags, positions and moves as plain values.

use std::{collections::HashMap, sync::LazyLock};

use regex::bytes::Regex;
use shakmaty::{CastlingSide, Move, Position as _, Role, Square, san::SanPlus};

use super::{
    records::{self, Comments},
    rules::{self, Parts, Rules},
    tags,
};

/// A game.
#[derive(Debug, Clone)]
pub struct Game {
    /// The first value of each name, as it is written.
    pub written: HashMap<Vec<u8>, Vec<u8>>,
    /// The first value of each name, without escapes.
    pub tags: HashMap<Vec<u8>, Vec<u8>>,
    /// Number of tags, repeated ones included.
    pub tag_count: usize,
    /// The result by the Result tag, or else by the movetext.
    pub result: Option<&'static str>,
    /// Whether the rules are those of chess.
    pub is_chess: bool,
    /// Whether it starts from the standard position of chess.
    pub is_standard: bool,
    /// All positions, from the first to the last; none without moves.
    pub positions: Vec<Parts>,
    /// The moves between them.
    pub moves: Vec<Played>,
    /// Whether a position occurred three times.
    pub repetition: bool,
    /// Whether fifty moves of each side had no pawn move and no capture.
    pub fifty_moves: bool,
    /// The last position.
    pub last: Option<Last>,
    pub comments: Comments,
}

/// What the last position says about the end of a game.
#[derive(Debug, Clone)]
pub struct Last {
    pub checkmate: bool,
    pub stalemate: bool,
    pub insufficient: bool,
    /// How often the position occurred.
    pub times: usize,
    /// The number of plies since the last pawn move or capture.
    pub idle: u32,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub san: Box<str>,
    pub uci: Box<str>,
    pub landing: Square,
    pub shape: Shape,
}

/// What is compared of a move in a score that may have mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Piece(Role, Square, Option<Role>),
    Castling(CastlingSide),
    Drop(Role, Square),
}

impl Shape {
    pub fn of_move(played: Move) -> Self {
        match played {
            Move::Castle { king, rook } => {
                Self::Castling(CastlingSide::from_king_side(king < rook))
            }
            Move::Put { role, to } => Self::Drop(role, to),
            _ => Self::Piece(played.role(), played.to(), played.promotion()),
        }
    }
}

impl Game {
    pub fn tag(&self, name: &str) -> Option<&[u8]> {
        self.tags.get(name.as_bytes()).map(Vec::as_slice)
    }
}

/// The games of a text. Records without tags and moves are no games.
pub fn read(text: &[u8]) -> Vec<Game> {
    let records = records::split(text);
    let games = records.iter().map(|record| {
        let tag = |name: &str| record.tags.get(name.as_bytes()).map(Vec::as_slice);
        let mut game = Game {
            written: record.written.clone(),
            tags: record.tags.clone(),
            tag_count: record.tag_count,
            result: tags::result(tag("Result"), record.movetext),
            is_chess: false,
            is_standard: false,
            positions: Vec::new(),
            moves: Vec::new(),
            repetition: false,
            fifty_moves: false,
            last: None,
            comments: records::comments(record.movetext),
        };
        if let Some(start) = Rules::of_tags(tag("FEN"), tag("Variant")) {
            replay(&mut game, start, record.movetext);
        }
        game
    });
    games
        .filter(|game| !game.tags.is_empty() || !game.moves.is_empty())
        .collect()
}

/// What movetext consists of.
enum Token<'t> {
    Skipped,
    Move(&'t str),
    End,
}

/// The next token and its length.
fn next(text: &[u8]) -> (Token<'_>, usize) {
    static RESULT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?-u)^(?:1-0|0-1|1/2-1/2|\*)(?:[^A-Za-z0-9-]|\z)").unwrap());
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?-u)^[A-Za-z0-9+#=@-]+").unwrap());
    static SKIPPED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?s-u)^(?:\{[^}]*\}|[;%][^\r\n]*|[0-9]+|[^A-Za-z0-9{(;%])").unwrap()
    });
    if text.is_empty() || RESULT.is_match(text) {
        return (Token::End, 0);
    }
    if text[0] == b'(' {
        return match variation(text) {
            Some(len) => (Token::Skipped, len),
            None => (Token::End, 0),
        };
    }
    let is_drop = Regex::is_match;
    let starts_move = text[0].is_ascii_alphabetic()
        || text.starts_with(b"0-0")
        || text[0] == b'@' && is_drop(&WORD, text);
    if !starts_move && let Some(skipped) = SKIPPED.find(text) {
        return (Token::Skipped, skipped.len());
    }
    match WORD.find(text) {
        Some(word) if starts_move => {
            let word = word.as_bytes();
            (Token::Move(std::str::from_utf8(word).unwrap()), word.len())
        }
        _ => (Token::End, 0),
    }
}

/// The length of the variation at the start of a text; `None` if it is not closed.
fn variation(text: &[u8]) -> Option<usize> {
    let (mut depth, mut in_comment) = (0, false);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'}' => in_comment = false,
            _ if in_comment => {}
            b'{' => in_comment = true,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Bytes with which a movetext is kept as text (format specification, section 4.4.2).
fn is_kept_as_text(movetext: &[u8]) -> bool {
    movetext.iter().any(|&c| c <= 6 || c == 0x1f)
}

/// Plays the main line up to the first word that is no legal move.
fn replay(game: &mut Game, mut rules: Rules, movetext: &[u8]) {
    if is_kept_as_text(movetext) {
        return;
    }
    game.is_chess = rules.is_chess();
    game.is_standard = game.is_chess && rules.parts() == Parts::of_fen(STANDARD);
    let mut states = HashMap::from([(rules.state(), 1)]);
    let mut idle = rules.position.halfmoves();
    let is_claimable = |idle: u32, rules: &Rules| idle >= 100 && rules.has_fifty_move_rule();
    let claimable_at_start = is_claimable(idle, &rules);
    let mut positions = vec![rules.parts()];
    let mut rest = movetext;
    loop {
        let (token, len) = next(rest);
        rest = &rest[len..];
        let word = match token {
            Token::Skipped => continue,
            Token::End => break,
            Token::Move(word) => word,
        };
        let Some(played) = rules::read_move(&rules, word) else {
            break;
        };
        let san = SanPlus::from_move(rules.position.clone(), played);
        game.moves.push(Played {
            san: san.to_string().into(),
            uci: rules::uci(played).into(),
            landing: rules::landing(played),
            shape: Shape::of_move(played),
        });
        idle = if played.is_capture() || played.role() == Role::Pawn {
            0
        } else {
            idle + 1
        };
        rules.play(played);
        game.fifty_moves |= is_claimable(idle, &rules);
        let times = states.entry(rules.state()).or_insert(0);
        *times += 1;
        game.repetition |= *times >= 3;
        positions.push(rules.parts());
    }
    game.last = Some(Last {
        checkmate: rules.position.is_checkmate(),
        stalemate: rules.position.is_stalemate(),
        insufficient: rules.position.is_insufficient_material(),
        times: states[&rules.state()],
        idle,
    });
    if !game.moves.is_empty() {
        game.positions = positions;
        game.fifty_moves |= claimable_at_start;
    }
}

pub const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
