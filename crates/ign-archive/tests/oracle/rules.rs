//! The rules of chess and of its variants, by shakmaty: starting positions, moves as collections
//! write them, and the parts of a position that queries compare.

use std::sync::LazyLock;

use regex::Regex;
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, EnPassantMode, Move, MoveList, Piece,
    Position as _, PositionError, Role, Setup, Square, attacks,
    fen::Fen,
    variant::{Variant, VariantPosition},
};

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Rules {
    pub position: VariantPosition,
    /// The variant Losers: chess in which a capture is compulsory, and that ends when a side has
    /// only its king.
    pub must_capture: bool,
}

/// The parts of a position that queries compare.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Parts {
    pub board: Board,
    pub turn: Color,
    pub castling: Bitboard,
    /// Only if a capture there is legal by the rules of chess.
    pub en_passant: Option<Square>,
}

impl Parts {
    /// The parts with colors exchanged.
    pub fn flipped(&self) -> Self {
        let mut board = Board::empty();
        for (square, piece) in self.board.clone() {
            let piece = piece.role.of(!piece.color);
            board.set_piece_at(square.flip_vertical(), piece);
        }
        Self {
            board,
            turn: !self.turn,
            castling: self.castling.flip_vertical(),
            en_passant: self.en_passant.map(Square::flip_vertical),
        }
    }
}

impl Rules {
    /// The start of a game with these tags; `None` if its rules or its position are not known.
    pub fn of_tags(fen: Option<&[u8]>, variant: Option<&[u8]>) -> Option<Self> {
        let name: String = variant
            .unwrap_or_default()
            .iter()
            .filter(|c| !b" -_/".contains(c))
            .map(|&c| c.to_ascii_lowercase() as char)
            .collect();
        let variant = match &*name {
            "" | "standard" | "chess" | "normal" | "regular" | "chess960" | "fischerandom"
            | "fischerrandom" | "frc" | "wildfr" | "fromposition" | "wildcastle" | "nocastle"
            | "wild0" | "wild1" | "wild2" | "wild3" | "wild4" | "wild5" | "wild8" | "wild8a"
            | "losers" => Variant::Chess,
            "antichess" | "suicide" | "giveaway" => Variant::Antichess,
            "atomic" => Variant::Atomic,
            "crazyhouse" | "zh" => Variant::Crazyhouse,
            "horde" => Variant::Horde,
            "kingofthehill" | "koth" => Variant::KingOfTheHill,
            "racingkings" => Variant::RacingKings,
            "threecheck" | "3check" => Variant::ThreeCheck,
            _ => return None,
        };
        let position = match fen {
            None => VariantPosition::new(variant),
            Some(fen) => {
                let setup = Fen::from_ascii(fen).ok()?.into_setup();
                if setup.pockets.is_some() && variant != Variant::Crazyhouse
                    || setup.remaining_checks.is_some() && variant != Variant::ThreeCheck
                {
                    return None;
                }
                position_of(variant, setup)?
            }
        };
        Some(Self {
            position,
            must_capture: name == "losers",
        })
    }

    pub fn is_chess(&self) -> bool {
        matches!(self.position, VariantPosition::Chess(_)) && !self.must_capture
    }

    pub fn has_fifty_move_rule(&self) -> bool {
        !matches!(self.position, VariantPosition::Crazyhouse(_))
    }

    pub fn legal_moves(&self) -> MoveList {
        let is_bare = |color| self.position.board().by_color(color).count() == 1;
        if self.must_capture && Color::ALL.into_iter().any(is_bare) {
            return MoveList::new();
        }
        let mut moves = self.position.legal_moves();
        if self.must_capture && moves.iter().any(|m| m.is_capture()) {
            moves.retain(|m| m.is_capture());
        }
        moves
    }

    pub fn play(&mut self, played: Move) {
        self.position.play_unchecked(played);
    }

    /// What a repeated position has in common with an earlier one.
    pub fn state(&self) -> Setup {
        let mut setup = self.position.to_setup(EnPassantMode::Legal);
        setup.halfmoves = 0;
        setup.fullmoves = std::num::NonZeroU32::MIN;
        setup
    }

    pub fn parts(&self) -> Parts {
        let position = &self.position;
        let passing = position.pseudo_legal_ep_square();
        Parts {
            board: position.board().clone(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: passing
                .filter(|&square| can_capture(position.board(), position.turn(), square)),
        }
    }
}

impl Parts {
    /// The parts of a FEN.
    pub fn of_fen(fen: &str) -> Self {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        let position = position_of(Variant::Chess, setup).unwrap();
        let rules = Rules {
            position,
            must_capture: false,
        };
        let passing = rules.position.legal_ep_square();
        let parts = rules.parts();
        assert_eq!(parts.en_passant, passing, "{fen}");
        parts
    }

    /// A FEN with these parts.
    pub fn fen(&self) -> String {
        let setup = Setup {
            board: self.board.clone(),
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.en_passant,
            ..Setup::empty()
        };
        Fen::try_from_setup(setup).unwrap().to_string()
    }
}

fn position_of(variant: Variant, mut setup: Setup) -> Option<VariantPosition> {
    if matches!(variant, Variant::Antichess | Variant::RacingKings) {
        setup.castling_rights = Bitboard::EMPTY;
    }
    VariantPosition::from_setup(variant, setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Whether a pawn can capture en passant on a square without leaving its king in check.
fn can_capture(board: &Board, turn: Color, square: Square) -> bool {
    let pawns = board.pawns() & board.by_color(turn);
    let victim = Square::from_coords(
        square.file(),
        turn.fold_wb(shakmaty::Rank::Fifth, shakmaty::Rank::Fourth),
    );
    (attacks::pawn_attacks(!turn, square) & pawns)
        .into_iter()
        .any(|from| {
            let mut after = board.clone();
            after.discard_piece_at(from);
            after.discard_piece_at(victim);
            after.set_piece_at(
                square,
                Piece {
                    color: turn,
                    role: Role::Pawn,
                },
            );
            let kings = after.kings() & after.by_color(turn);
            kings
                .into_iter()
                .all(|king| after.attacks_to(king, !turn, after.occupied()).is_empty())
        })
}

/// A move as engines write it: castling is the king's move by two squares from the standard
/// squares, elsewhere to the square of the rook.
pub fn uci(played: Move) -> String {
    match played {
        Move::Castle { king, rook } => {
            let is_standard = matches!(
                (king, rook),
                (Square::E1, Square::A1 | Square::H1) | (Square::E8, Square::A8 | Square::H8)
            );
            if is_standard {
                format!("{king}{}", landing(played))
            } else {
                format!("{king}{rook}")
            }
        }
        Move::Put { role, to } => format!("{}@{to}", role.upper_char()),
        _ => {
            let promotion = played.promotion().map(|role| role.char().to_string());
            let from = played.from().unwrap();
            format!("{from}{}{}", played.to(), promotion.unwrap_or_default())
        }
    }
}

/// The square on which the piece of a move ends.
pub fn landing(played: Move) -> Square {
    match played {
        Move::Castle { king, rook } => CastlingSide::from_king_side(king < rook)
            .king_to(Color::from_white(king.rank() == shakmaty::Rank::First)),
        _ => played.to(),
    }
}

/// The move that a word of movetext names; `None` if it is none or ambiguous. Superfluous
/// disambiguation, long algebraic notation and UCI notation are accepted.
pub fn read_move(rules: &Rules, word: &str) -> Option<Move> {
    static CASTLING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^(?:O-O(-O)?|0-0(-0)?)$").unwrap());
    static UCI: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^[a-h][1-8][a-h][1-8][nbrqk]?$").unwrap());
    static DROP: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^([PNBRQ]?)@([a-h][1-8])$").unwrap());
    static SAN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("^([NBRQK]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([NBRQK]))?$").unwrap()
    });
    let word = word.trim_end_matches(['+', '#']);
    let moves = rules.legal_moves();
    let only = |is_meant: &dyn Fn(&Move) -> bool| {
        let mut meant = moves.iter().copied().filter(|m| is_meant(m));
        meant.next().filter(|_| meant.next().is_none())
    };
    if let Some(castling) = CASTLING.captures(word) {
        let long = castling.get(1).or(castling.get(2)).is_some();
        let side = CastlingSide::from_queen_side(long);
        return only(&|m| m.castling_side() == Some(side));
    }
    if let Some(drop) = DROP.captures(word) {
        let role = drop[1].chars().next().and_then(Role::from_char);
        let to: Square = drop[2].parse().unwrap();
        let role = role.unwrap_or(Role::Pawn);
        return only(&|m| *m == Move::Put { role, to });
    }
    if let Some(san) = SAN.captures(word) {
        let role = san[1]
            .chars()
            .next()
            .map_or(Some(Role::Pawn), Role::from_char);
        let to: Square = san[4].parse().unwrap();
        let promotion = san.get(5).map(|role| role.as_str().chars().next().unwrap());
        let promotion = promotion.map(|role| Role::from_char(role).unwrap());
        let found = only(&|m| {
            let Some(from) = m.from() else { return false };
            m.castling_side().is_none()
                && Some(m.role()) == role
                && m.to() == to
                && m.promotion() == promotion
                && (san[2].is_empty() || san[2] == from.file().to_string())
                && (san[3].is_empty() || san[3] == from.rank().to_string())
        });
        if found.is_some() {
            return found;
        }
    }
    if UCI.is_match(word) {
        return only(&|m| uci(*m) == word);
    }
    None
}
