//! The reference implementation of chess: sorted move lists, simple and slow.
//!
//! The moves are shakmaty's, and the canonical order is a sort key, so the code can be compared
//! with the definition. The fast [`Position`](super::Position) is tested against it. It also has
//! options that archives do not use, and is fast enough for single games.
//!
//! **Canonical order**: rank of the origin, file of the origin, rank of the destination, file of
//! the destination, promotion piece (bishop, knight, queen, rook). Castling is a king move of two
//! squares if the king is on the e-file and the rook on the a- or h-file. Any other castling of
//! Chess960 is ordered as a king move to the square of the castling rook. No other king move has
//! this destination, so no two moves have the same key.

use std::fmt;

use shakmaty::san::{San, SanPlus};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::moves::castling_destination;
use crate::Game;

/// How squares are numbered when Black is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// a1 is the first square for both sides.
    #[default]
    Plain,
    /// h8 is the first square when Black is to move: square `s` has the number `63 − s`.
    Rotated,
}

/// Which moves are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// The moves of the laws of chess.
    #[default]
    Legal,
    /// The moves of the pieces without regard to the safety of the king: pinned pieces move freely,
    /// the king moves to attacked squares, and a check may be ignored. Castling follows the laws:
    /// not out of check, through attacked squares or into check. A side without its king has no
    /// moves.
    ///
    /// These lists give the integer published for Fischer–Spassky. It does not determine them
    /// completely: castling that ignores attacks gives the same integer.
    PseudoLegal,
}

/// A position of standard chess or Chess960, with the options of the notation.
///
/// ```
/// use ign_notation::chess::reference::ReferenceChess;
/// use ign_notation::plain;
///
/// let start = ReferenceChess::default();
/// let moves = start.parse_movetext("1. f3 e5 2. g4 Qh4#")?;
/// assert_eq!(plain::encode(start, &moves)?, 143_395);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReferenceChess {
    /// The position; with [`Rules::PseudoLegal`] it may be illegal.
    position: Chess,
    /// How squares are numbered when Black is to move.
    numbering: Numbering,
    /// Which moves are listed.
    rules: Rules,
}

impl ReferenceChess {
    /// A position with plain numbering and legal moves.
    pub fn new(position: Chess) -> Self {
        ReferenceChess {
            position,
            ..ReferenceChess::default()
        }
    }

    /// Sets the numbering.
    #[must_use]
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.numbering = numbering;
        self
    }

    /// Sets the rules.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Parses a movetext from this position: SAN with move numbers, `{comments}`, `$` glyphs and
    /// results; no variations. Moves must be legal whatever the rules, because SAN is defined for
    /// legal moves.
    ///
    /// # Errors
    /// The first word that is not a legal move.
    pub fn parse_movetext(&self, text: &str) -> Result<Vec<Move>, MovetextError> {
        let mut position = self.position.clone();
        let mut moves = Vec::new();
        let mut in_comment = false;
        for word in text
            .replace('{', " { ")
            .replace('}', " } ")
            .split_whitespace()
        {
            in_comment = word == "{" || in_comment && word != "}";
            let is_result = matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*");
            if in_comment || word == "}" || is_result || word.starts_with('$') {
                continue;
            }
            // A move number is a word of its own or a prefix of the move.
            let san = match word.find('.') {
                Some(_) => word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'),
                None => word,
            };
            if san.is_empty() {
                continue;
            }
            let error = || MovetextError {
                ply: moves.len(),
                word: word.to_owned(),
            };
            let parsed = SanPlus::from_ascii(san.as_bytes()).map_err(|_| error())?;
            let played = parsed.san.to_move(&position).map_err(|_| error())?;
            position.play_unchecked(played);
            moves.push(played);
        }
        Ok(moves)
    }

    /// The move of a word in SAN: a legal move or, if the rules allow it and no legal move matches,
    /// the only pseudo-legal move that matches.
    pub fn resolve(&self, word: &[u8]) -> Option<Move> {
        let san = SanPlus::from_ascii(word).ok()?.san;
        if let Ok(played) = san.to_move(&self.position) {
            return Some(played);
        }
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut named = moves.into_iter().filter(|&m| san.matches(m));
        named.next().filter(|_| named.next().is_none())
    }

    /// The SAN of a move, without `+` or `#`.
    pub fn name(&self, played: Move) -> String {
        let mut listed = Vec::new();
        self.legal_moves(&mut listed);
        if self.position.is_legal(played) {
            // Legal moves need no disambiguation from illegal ones.
            listed.retain(|&m| self.position.is_legal(m));
        }
        San::disambiguate(played, &listed.into_iter().collect()).to_string()
    }

    /// The sort key of a move in canonical order.
    fn key(&self, played: Move) -> u32 {
        let (from, to) = match played {
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
            Move::Castle { king, rook } => (king, castling_destination(king, rook)),
            Move::Put { .. } => unreachable!("chess has no drops"),
        };
        let flip = self.numbering == Numbering::Rotated && self.position.turn() == Color::Black;
        // Squares are numbered by rank, then file: a1 is 0, b1 1, h8 63.
        let number = |square: Square| u32::from(square) ^ if flip { 63 } else { 0 };
        let promotion = match played.promotion() {
            None => 0,
            Some(Role::Bishop) => 1,
            Some(Role::Knight) => 2,
            Some(Role::Queen) => 3,
            Some(_) => 4,
        };
        number(from) << 9 | number(to) << 3 | promotion
    }

    /// Appends the moves of [`Rules::PseudoLegal`] in no particular order.
    fn pseudo_legal(&self, moves: &mut Vec<Move>) {
        let position = &self.position;
        let (board, turn, ours) = (position.board(), position.turn(), position.us());
        if position.our(Role::King).is_empty() {
            return;
        }
        for from in ours & !board.pawns() {
            let piece = board.piece_at(from).expect("an occupied square");
            for to in attacks::attacks(from, piece, board.occupied()) & !ours {
                moves.push(Move::Normal {
                    role: piece.role,
                    from,
                    capture: board.role_at(to),
                    to,
                    promotion: None,
                });
            }
        }
        for from in ours & board.pawns() {
            let captures = attacks::pawn_attacks(turn, from);
            for to in captures & position.them() | self.pawn_steps(from) {
                push_pawn_move(moves, from, to, board.role_at(to));
            }
            if let Some(to) = position.maybe_ep_square()
                && captures.contains(to)
            {
                moves.push(Move::EnPassant { from, to });
            }
        }
        for side in CastlingSide::ALL {
            moves.extend(position.castling_moves(side));
        }
    }

    /// The destinations of the pawn on `from` without captures.
    fn pawn_steps(&self, from: Square) -> Bitboard {
        let (forward, home) = match self.position.turn() {
            Color::White => (8, Rank::Second),
            Color::Black => (-8, Rank::Seventh),
        };
        let free = |square: &Square| self.position.board().piece_at(*square).is_none();
        let one = from.offset(forward).filter(free);
        let two = one
            .filter(|_| from.rank() == home)
            .and_then(|square| square.offset(forward))
            .filter(free);
        one.into_iter().chain(two).collect()
    }
}

impl Game for ReferenceChess {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        match self.rules {
            Rules::Legal => moves.extend(self.position.legal_moves()),
            Rules::PseudoLegal => self.pseudo_legal(moves),
        }
        moves.sort_unstable_by_key(|&played| self.key(played));
    }

    fn play(&mut self, played: Move) {
        self.position.play_unchecked(played);
    }
}

/// Appends a pawn move, four times if it promotes.
fn push_pawn_move(moves: &mut Vec<Move>, from: Square, to: Square, capture: Option<Role>) {
    let promotions: &[Option<Role>] = match to.rank() {
        Rank::First | Rank::Eighth => &[
            Some(Role::Bishop),
            Some(Role::Knight),
            Some(Role::Queen),
            Some(Role::Rook),
        ],
        _ => &[None],
    };
    moves.extend(promotions.iter().map(|&promotion| Move::Normal {
        role: Role::Pawn,
        from,
        capture,
        to,
        promotion,
    }));
}

/// A word of a movetext that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovetextError {
    /// The number of plies before it.
    pub ply: usize,
    /// The word.
    pub word: String,
}

impl fmt::Display for MovetextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "after ply {}: {:?} is not a legal move",
            self.ply, self.word
        )
    }
}

impl std::error::Error for MovetextError {}
