//! A position of a variant: its board and the additional state of its rules.

use shakmaty::{
    Bitboard, ByColor, CastlingMode, CastlingSide, Color, EnPassantMode, KnownOutcome, Outcome,
    Position as _, PositionError, RemainingChecks, Role, Square,
    variant::VariantPosition,
    zobrist::{Zobrist64, ZobristValue as _},
};

use super::{crazyhouse::House, kings, names::Variant};
use crate::chess::{
    interop,
    legal::Legal,
    moves::{DROPS, Move},
    position::{Position, material},
    zobrist,
};

/// A position of a variant of chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) rules: Rules,
}

/// The state of a game by the rules of each variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rules {
    Crazyhouse(House),
    KingOfTheHill(Position),
    Losers(Position),
    ThreeCheck {
        position: Position,
        /// The number of checks that each side has yet to give.
        left: ByColor<u8>,
    },
    /// Chess with other kings than its laws allow.
    Kings(Position),
    /// The variants whose moves shakmaty generates.
    Listed(VariantPosition),
}

impl Board {
    /// The variant.
    pub fn variant(&self) -> Variant {
        use shakmaty::variant::Variant as Theirs;
        match &self.rules {
            Rules::Crazyhouse(_) => Variant::Crazyhouse,
            Rules::KingOfTheHill(_) => Variant::KingOfTheHill,
            Rules::Losers(_) => Variant::Losers,
            Rules::ThreeCheck { .. } => Variant::ThreeCheck,
            Rules::Kings(_) => Variant::Chess,
            Rules::Listed(listed) => match listed.variant() {
                Theirs::Atomic => Variant::Atomic,
                Theirs::Antichess => Variant::Antichess,
                Theirs::Horde => Variant::Horde,
                Theirs::RacingKings => Variant::RacingKings,
                _ => unreachable!("the others are not listed"),
            },
        }
    }

    /// The board as a chess position, with one king each and no capture of a king; `None` under
    /// rules that do not require this.
    pub fn position(&self) -> Option<&Position> {
        let has_regular_kings = !matches!(self.rules, Rules::Kings(_));
        self.bitboards().filter(|_| has_regular_kings)
    }

    /// The board, whatever its kings; `None` for the variants whose moves shakmaty generates.
    pub fn bitboards(&self) -> Option<&Position> {
        match &self.rules {
            Rules::Crazyhouse(House { position, .. })
            | Rules::KingOfTheHill(position)
            | Rules::Losers(position)
            | Rules::ThreeCheck { position, .. }
            | Rules::Kings(position) => Some(position),
            Rules::Listed(_) => None,
        }
    }

    /// The parts that every variant shares with chess: board, side to move, castling rights and en
    /// passant square. Kings may be missing or many.
    pub fn to_chess(&self) -> Position {
        match &self.rules {
            Rules::Listed(listed) => {
                let passing = listed.ep_square(EnPassantMode::PseudoLegal);
                Position::from_parts(
                    listed.board(),
                    listed.turn(),
                    listed.castles().castling_rights(),
                    passing.map_or(Bitboard::EMPTY, Bitboard::from_square),
                )
            }
            Rules::Crazyhouse(House { position, .. })
            | Rules::KingOfTheHill(position)
            | Rules::Losers(position)
            | Rules::ThreeCheck { position, .. }
            | Rules::Kings(position) => *position,
        }
    }

    /// The role of the piece on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        match &self.rules {
            Rules::Listed(listed) => listed.board().role_at(square),
            _ => self.bitboards()?.role_at(square),
        }
    }

    /// The material of both sides on the board, as [`Position::material`] counts it.
    pub fn material(&self) -> u32 {
        match &self.rules {
            Rules::Listed(listed) => material(|role| listed.board().by_role(role)),
            _ => self.bitboards().map_or(0, Position::material),
        }
    }

    /// The squares of one side.
    fn by_color(&self, color: Color) -> Bitboard {
        match &self.rules {
            Rules::Listed(listed) => listed.board().by_color(color),
            _ => self
                .bitboards()
                .map_or(Bitboard::EMPTY, |position| position.by_color(color)),
        }
    }

    /// The squares of the side to move.
    pub fn us(&self) -> Bitboard {
        self.by_color(self.side_to_move())
    }

    /// The squares of the side that just moved.
    pub fn them(&self) -> Bitboard {
        self.by_color(!self.side_to_move())
    }

    /// The side to which a legal move castles; `None` if it does not castle.
    pub fn castling_side(&self, m: Move) -> Option<CastlingSide> {
        let (from, to) = (m.from(), m.to());
        let castles = m.dropped().is_none()
            && !m.is_null()
            && self.role_at(from) == Some(Role::King)
            && (self.us().contains(to) || from.abs_diff(to) == 2);
        castles.then(|| CastlingSide::from_king_side(to > from))
    }

    /// The same position for shakmaty, `None` if shakmaty rejects it, as it rejects kings that the
    /// laws of chess do not allow. Losers, which shakmaty does not know, becomes a position of
    /// chess.
    pub fn to_shakmaty(&self) -> Option<VariantPosition> {
        use shakmaty::variant::Variant as Theirs;
        let (variant, position) = match &self.rules {
            Rules::Listed(listed) => return Some(listed.clone()),
            Rules::Kings(_) => return None,
            Rules::Losers(position) => (Theirs::Chess, position),
            Rules::KingOfTheHill(position) => (Theirs::KingOfTheHill, position),
            Rules::ThreeCheck { position, .. } => (Theirs::ThreeCheck, position),
            Rules::Crazyhouse(house) => (Theirs::Crazyhouse, &house.position),
        };
        let mut setup = position.to_shakmaty()?.to_setup(EnPassantMode::Always);
        match &self.rules {
            Rules::ThreeCheck { left, .. } => {
                setup.remaining_checks = Some(left.map(|left| RemainingChecks::new(left.into())));
            }
            Rules::Crazyhouse(house) => {
                setup.promoted = house.promoted;
                setup.pockets = Some(house.hands.map(|hand| {
                    let mut pocket = shakmaty::ByRole::default();
                    for (role, count) in DROPS.into_iter().zip(hand) {
                        *pocket.get_mut(role) = count;
                    }
                    pocket
                }));
            }
            _ => {}
        }
        VariantPosition::from_setup(variant, setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    /// The Zobrist key of the board and of the additional state of the rules.
    pub(super) fn key(&self) -> u64 {
        let of = |position: &Position| Zobrist64(zobrist::key(&Legal::new(position)));
        let key = match &self.rules {
            Rules::Listed(listed) => listed.zobrist_hash(EnPassantMode::Legal),
            Rules::KingOfTheHill(position) | Rules::Losers(position) => of(position),
            Rules::Kings(position) => Zobrist64(zobrist::key_of(position, position.passing())),
            Rules::ThreeCheck { position, left } => {
                let checks = Color::ALL.map(|color| {
                    let left = RemainingChecks::new((*left.get(color)).into());
                    Zobrist64::zobrist_for_remaining_checks(color, left)
                });
                of(position) ^ checks[0] ^ checks[1]
            }
            Rules::Crazyhouse(house) => {
                let mut key = of(&house.position);
                for square in house.promoted {
                    key ^= Zobrist64::zobrist_for_promoted(square);
                }
                for color in Color::ALL {
                    for (role, &pieces) in DROPS.into_iter().zip(house.hands.get(color)) {
                        key ^= Zobrist64::zobrist_for_pocket(color, role, pieces);
                    }
                }
                key
            }
        };
        key.0
    }

    /// `Some` if the rules of the variant have ended the game; whether somebody has won by them.
    fn is_over(&self) -> Option<bool> {
        let won = match &self.rules {
            Rules::Crazyhouse(_) | Rules::Kings(_) => return None,
            Rules::KingOfTheHill(position) => {
                (position.by_role(Role::King) & Bitboard::CENTER).any()
            }
            Rules::ThreeCheck { left, .. } => left.white == 0 || left.black == 0,
            Rules::Losers(position) => {
                return Color::ALL
                    .iter()
                    .any(|&color| position.by_color(color).count() == 1)
                    .then_some(false);
            }
            Rules::Listed(listed) => {
                return listed.is_variant_end().then(|| {
                    let outcome = listed.variant_outcome();
                    matches!(outcome, Outcome::Known(KnownOutcome::Decisive { .. }))
                });
            }
        };
        won.then_some(true)
    }

    /// The result in PGN (`1-0`) if the game is over; `None` if there are legal moves or the rules
    /// do not determine the winner.
    pub fn result(&self) -> Option<&'static str> {
        let (moves, sign) = self.legal_moves();
        if !moves.is_empty() {
            return None;
        }
        let turn = self.side_to_move();
        let winner = match &self.rules {
            Rules::Listed(listed) => listed.outcome().winner(),
            // A side that has only its king, or that is checkmated, has won.
            Rules::Losers(position) => {
                let bare = Color::ALL
                    .into_iter()
                    .find(|&color| position.by_color(color).count() == 1);
                Some(bare.or(sign.map(|_| turn))?)
            }
            _ => sign.filter(|&sign| sign == b'#').map(|_| !turn),
        };
        Some(match winner {
            None => "1/2-1/2",
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
        })
    }

    /// The side to move.
    pub(super) fn side_to_move(&self) -> Color {
        match &self.rules {
            Rules::Listed(listed) => listed.turn(),
            _ => self.bitboards().expect("not a listed one").turn(),
        }
    }

    /// Plays a legal move, or the null move where the side to move [may pass](Self::may_pass).
    pub(super) fn play_legal(&mut self, played: Move) {
        match &mut self.rules {
            Rules::Crazyhouse(house) => house.play(played),
            Rules::KingOfTheHill(position) | Rules::Losers(position) => position.play(played),
            Rules::ThreeCheck { position, left } => {
                let mover = position.turn();
                position.play(played);
                if position.is_check() {
                    let left = left.get_mut(mover);
                    *left = left.saturating_sub(1);
                }
            }
            Rules::Kings(position) => kings::play(position, played),
            Rules::Listed(listed) => {
                if let Some(played) = to_shakmaty(listed, played) {
                    listed.play_unchecked(played);
                }
            }
        }
    }

    /// Whether the null move is possible.
    pub(super) fn may_pass(&self) -> bool {
        matches!(&self.rules, Rules::Kings(position) if kings::may_pass(position))
    }

    /// The legal moves in order, and the SAN suffix of the move that led here.
    pub(super) fn legal_moves(&self) -> (Vec<Move>, Option<u8>) {
        let mut moves = Vec::new();
        let over = self.is_over();
        let in_check = match &self.rules {
            Rules::Listed(listed) => {
                if over.is_none() {
                    moves.extend(listed.legal_moves().into_iter().map(Move::from_shakmaty));
                    moves.sort_unstable();
                }
                // Antichess has no check, and a side without moves has won.
                let antichess = matches!(listed, VariantPosition::Antichess(_));
                listed.is_check() || antichess && moves.is_empty()
            }
            Rules::Kings(position) => {
                moves = kings::legal_moves(position);
                kings::is_check(position, position.turn())
            }
            _ => {
                let position = self.position().expect("a position of chess");
                let legal = Legal::new(position);
                if over.is_none() {
                    legal.each_move(|m| moves.push(m));
                }
                match &self.rules {
                    Rules::Crazyhouse(house) => house.drops(&legal, &mut moves),
                    Rules::Losers(position) => must_capture(position, &mut moves),
                    _ => {}
                }
                legal.is_check()
            }
        };
        let won = over == Some(true) || in_check && moves.is_empty();
        let sign = match (won, in_check) {
            (true, _) => Some(b'#'),
            (false, true) => Some(b'+'),
            (false, false) => None,
        };
        (moves, sign)
    }
}

/// Keeps only the captures, if there are any.
fn must_capture(position: &Position, moves: &mut Vec<Move>) {
    let captures = |m: &Move| {
        let passing = position.en_passant().contains(m.to());
        position.them().contains(m.to())
            || passing && position.role_at(m.from()) == Some(Role::Pawn)
    };
    if moves.iter().any(captures) {
        moves.retain(captures);
    }
}

/// A legal move for shakmaty's board of a variant.
fn to_shakmaty(listed: &VariantPosition, m: Move) -> Option<shakmaty::Move> {
    let (from, to) = (m.from(), m.to());
    let role = listed.board().role_at(from)?;
    let castles = role == Role::King
        && listed.castles().any()
        && (listed.us().contains(to) || from.abs_diff(to) == 2);
    if castles {
        let side = CastlingSide::from_king_side(to > from);
        let rook = listed.castles().rook(listed.turn(), side)?;
        return Some(shakmaty::Move::Castle { king: from, rook });
    }
    Some(interop::piece_move(m, role, listed.board().role_at(to)))
}
