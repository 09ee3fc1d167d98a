//! Chess, slowly: every list of moves is made, sorted and searched.
//!
//! The moves come from shakmaty and the order is written out as a sort key, so
//! that the code can be read against the definition. It is what the fast
//! position is tested against, it covers options that archives do not use, and
//! it is quick enough for one game on a command line.
//!
//! **Canonical order**: rank of the origin, file of the origin, rank of the
//! destination, file of the destination, piece of a promotion (bishop, knight,
//! queen, rook: B, N, Q, R). Castling is the king's move by two squares, if
//! the king stands on the e file of its home rank and the rook on the a or h
//! file; any other castling of Chess960 is ordered as a king's move to the
//! castling rook's square. Either way no other move of the king goes there, so
//! no two moves have the same place.

use std::fmt;

use shakmaty::san::{San, SanPlus};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::moves::castling_destination;
use crate::Game;

/// From which end Black's squares are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// a1 is the first square, whoever is to move.
    #[default]
    Plain,
    /// h8 is the first square when Black is to move: square `s` counts as
    /// `63 − s`.
    Rotated,
}

/// Which moves are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// The moves of the laws of chess.
    #[default]
    Legal,
    /// All moves of the pieces, the safety of the king left out of account:
    /// pinned pieces move, the king steps onto attacked squares, a check may
    /// be ignored. Castling is as in the laws: not out of check, through
    /// attacked squares or into check. Who has lost the king has no moves.
    ///
    /// The number published for Fischer–Spassky comes out under these lists. It
    /// does not settle every point of them: it would come out as well if
    /// castling took no account of attacks at all, but not without castling.
    PseudoLegal,
}

/// A chess position (standard or Chess960) with the options of the notation.
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
    /// The position, which under [`Rules::PseudoLegal`] may be one that the
    /// laws exclude.
    position: Chess,
    /// Order of Black's squares.
    numbering: Numbering,
    /// Which moves are listed.
    rules: Rules,
}

impl ReferenceChess {
    /// The given position, plain numbering, legal moves.
    pub fn new(position: Chess) -> Self {
        ReferenceChess {
            position,
            ..ReferenceChess::default()
        }
    }

    /// The same with this numbering.
    #[must_use]
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.numbering = numbering;
        self
    }

    /// The same with this rule set.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The moves of a movetext from this position: SAN moves between move
    /// numbers, `{comments}`, `$` glyphs and results. No variations, and legal
    /// moves only, whatever the rule set: short moves mean nothing else.
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
            // A move number may stand alone or against its move.
            let san = match word.find('.') {
                Some(_) => word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'),
                None => word,
            };
            if san.is_empty() {
                continue;
            }
            let fault = || MovetextError {
                ply: moves.len(),
                word: word.to_owned(),
            };
            let parsed = SanPlus::from_ascii(san.as_bytes()).map_err(|_| fault())?;
            let played = parsed.san.to_move(&position).map_err(|_| fault())?;
            position.play_unchecked(played);
            moves.push(played);
        }
        Ok(moves)
    }

    /// The move that a word in SAN names: a legal one, or, where the rules have it and no legal one
    /// is meant, the one pseudo-legal move of that name.
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

    /// The name of a listed move, without the sign of check or mate.
    pub fn name(&self, played: Move) -> String {
        let mut listed = Vec::new();
        self.legal_moves(&mut listed);
        if self.position.is_legal(played) {
            // Short moves mean legal ones, where there are such.
            listed.retain(|&m| self.position.is_legal(m));
        }
        San::disambiguate(played, &listed.into_iter().collect()).to_string()
    }

    /// The place of a move in canonical order, as a number to sort by.
    fn key(&self, played: Move) -> u32 {
        let (from, to) = match played {
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
            Move::Castle { king, rook } => (king, castling_destination(king, rook)),
            Move::Put { .. } => unreachable!("chess has no drops"),
        };
        let flip = self.numbering == Numbering::Rotated && self.position.turn() == Color::Black;
        // Squares are numbered by rank, then file: a1 0, b1 1, … h8 63.
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

    /// Adds the moves of [`Rules::PseudoLegal`] in any order.
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

    /// Where the pawn on `from` can go without capturing.
    fn pawn_steps(&self, from: Square) -> Bitboard {
        let (forward, home) = match self.position.turn() {
            Color::White => (8, Rank::Second),
            Color::Black => (-8, Rank::Seventh),
        };
        let free = |square: &Square| self.position.board().piece_at(*square).is_none();
        let one = from.offset(forward).filter(free);
        let two = one.filter(|_| from.rank() == home);
        let two = two.and_then(|square| square.offset(forward)).filter(free);
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

/// Adds a pawn's move, four times if it promotes.
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
    /// Plies read before it.
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
