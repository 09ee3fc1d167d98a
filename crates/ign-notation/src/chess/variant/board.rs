//! A position of a variant: its board, and what the rules remember besides.

use shakmaty::{
    Bitboard, ByColor, CastlingMode, CastlingSide, Color, EnPassantMode, KnownOutcome, Outcome,
    Position as _, PositionError, RemainingChecks, Role, Square, attacks,
    variant::VariantPosition,
    zobrist::{Zobrist64, ZobristValue as _},
};

use super::{Legal, Variant};
use crate::chess::{Move, Position, legal, moves::DROPS, position::material, repetition, rules};

/// A position of a variant of chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) rules: Rules,
}

/// What it takes to go on by the rules of each variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rules {
    Crazyhouse(House),
    KingOfTheHill(Position),
    Losers(Position),
    ThreeCheck {
        position: Position,
        /// Checks that each side has yet to give.
        left: ByColor<u8>,
    },
    /// Those whose moves shakmaty lists.
    Listed(VariantPosition),
}

/// A position of Crazyhouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct House {
    pub position: Position,
    /// Pieces in hand, as [`DROPS`] has them.
    pub hands: ByColor<[u8; DROPS.len()]>,
    /// Where pieces stand that were pawns: captured they are pawns again.
    pub promoted: Bitboard,
}

/// The place of a piece in hand.
pub(super) fn in_hand(role: Role) -> usize {
    DROPS.iter().position(|&d| d == role).unwrap_or(0)
}

impl House {
    fn play(&mut self, played: Move) {
        let turn = self.position.turn();
        let to = played.to();
        if let Some(role) = played.dropped() {
            let hand = &mut self.hands.get_mut(turn)[in_hand(role)];
            *hand = hand.saturating_sub(1);
            self.position.put(role, to);
            return;
        }
        let from = played.from();
        let position = &self.position;
        let taken = if position.them().contains(to) {
            let role = position.role_at(to);
            role.filter(|_| !self.promoted.contains(to))
                .or(Some(Role::Pawn))
        } else {
            let skips = position.en_passant().contains(to);
            (skips && position.role_at(from) == Some(Role::Pawn)).then_some(Role::Pawn)
        };
        if let Some(role) = taken {
            self.hands.get_mut(turn)[in_hand(role)] += 1;
        }
        let castles = position.castling_side(played).is_some();
        let was_pawn = self.promoted.contains(from) || played.promotion().is_some();
        self.promoted.discard(from);
        if !castles {
            self.promoted.set(to, was_pawn);
        }
        self.position.play(played);
    }

    /// Adds the drops, behind the moves on the board.
    fn drops(&self, legal: &legal::Legal, moves: &mut Vec<Move>) {
        let king = self.position.king(self.position.turn());
        let checkers = legal.checkers();
        let squares = match checkers.first() {
            None => !self.position.occupied(),
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker),
        };
        let hand = self.hands.get(self.position.turn());
        for (role, _) in DROPS.into_iter().zip(hand).filter(|&(_, &count)| count > 0) {
            let squares = match role {
                Role::Pawn => squares & !Bitboard::BACKRANKS,
                _ => squares,
            };
            moves.extend(squares.into_iter().map(|to| Move::drop(role, to)));
        }
    }
}

impl Board {
    /// Which rules it goes by.
    pub fn variant(&self) -> Variant {
        use shakmaty::variant::Variant as Theirs;
        match &self.rules {
            Rules::Crazyhouse(_) => Variant::Crazyhouse,
            Rules::KingOfTheHill(_) => Variant::KingOfTheHill,
            Rules::Losers(_) => Variant::Losers,
            Rules::ThreeCheck { .. } => Variant::ThreeCheck,
            Rules::Listed(listed) => match listed.variant() {
                Theirs::Atomic => Variant::Atomic,
                Theirs::Antichess => Variant::Antichess,
                Theirs::Horde => Variant::Horde,
                Theirs::RacingKings => Variant::RacingKings,
                _ => unreachable!("the others are not listed"),
            },
        }
    }

    /// The board as one of chess, where the variant's board is one.
    pub fn position(&self) -> Option<&Position> {
        match &self.rules {
            Rules::Crazyhouse(House { position, .. })
            | Rules::KingOfTheHill(position)
            | Rules::Losers(position)
            | Rules::ThreeCheck { position, .. } => Some(position),
            Rules::Listed(_) => None,
        }
    }

    /// The role of the piece on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        match &self.rules {
            Rules::Listed(listed) => listed.board().role_at(square),
            _ => self
                .position()
                .and_then(|position| position.role_at(square)),
        }
    }

    /// What both sides have on the board, as [`Position::material`] counts it.
    pub fn material(&self) -> u32 {
        match &self.rules {
            Rules::Listed(listed) => material(|role| listed.board().by_role(role)),
            _ => self.position().map_or(0, Position::material),
        }
    }

    /// The squares of a side.
    fn by_color(&self, color: Color) -> Bitboard {
        match &self.rules {
            Rules::Listed(listed) => listed.board().by_color(color),
            _ => self
                .position()
                .map_or(Bitboard::EMPTY, |position| position.by_color(color)),
        }
    }

    /// The squares of the side to move.
    pub fn us(&self) -> Bitboard {
        self.by_color(rules::Board::turn(self))
    }

    /// The squares of the side that just moved.
    pub fn them(&self) -> Bitboard {
        self.by_color(!rules::Board::turn(self))
    }

    /// The side a legal move castles to, if it castles.
    pub fn castling_side(&self, m: Move) -> Option<CastlingSide> {
        let (from, to) = (m.from(), m.to());
        let castles = m.dropped().is_none()
            && self.role_at(from) == Some(Role::King)
            && (self.us().contains(to) || from.abs_diff(to) == 2);
        castles.then(|| CastlingSide::from_king_side(to > from))
    }

    /// The same position for shakmaty, `None` if shakmaty rejects it. Losers, which shakmaty does not
    /// know, becomes a position of chess.
    pub fn to_shakmaty(&self) -> Option<VariantPosition> {
        use shakmaty::variant::Variant as Theirs;
        let (variant, position) = match &self.rules {
            Rules::Listed(listed) => return Some(listed.clone()),
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

    /// The Zobrist key: that of the position of chess, if it is one, and what the variant's rules
    /// remember besides.
    pub(super) fn key(&self) -> u64 {
        let of = |position: &Position| Zobrist64(repetition::key(&legal::Legal::new(position)));
        let key = match &self.rules {
            Rules::Listed(listed) => listed.zobrist_hash(EnPassantMode::Legal),
            Rules::KingOfTheHill(position) | Rules::Losers(position) => of(position),
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

    /// Whether the rules of the variant have ended the game, and whether someone has won by them.
    fn is_over(&self) -> Option<bool> {
        let won = match &self.rules {
            Rules::Crazyhouse(_) => return None,
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

    /// The result of a game that is over here; none while there are legal moves, or where the rules
    /// do not say who has won.
    pub fn result(&self) -> Option<&'static str> {
        let (moves, sign) = self.legal_moves();
        if !moves.is_empty() {
            return None;
        }
        let turn = rules::Board::turn(self);
        let winner = match &self.rules {
            Rules::Listed(listed) => listed.outcome().winner(),
            // Who is mated has won, and who has nothing but the king.
            Rules::Losers(position) => {
                let bare = |&color: &Color| position.by_color(color).count() == 1;
                let bare = Color::ALL.into_iter().find(bare);
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

    /// The legal moves, in order, and the sign that the move before demands.
    pub(super) fn legal_moves(&self) -> (Vec<Move>, Option<u8>) {
        let mut moves = Vec::new();
        let over = self.is_over();
        let in_check = match &self.rules {
            Rules::Listed(listed) => {
                if over.is_none() {
                    moves.extend(listed.legal_moves().into_iter().map(from_theirs));
                    moves.sort_unstable();
                }
                // In Antichess there is no check, and who has no move has won.
                let antichess = matches!(listed, VariantPosition::Antichess(_));
                listed.is_check() || antichess && moves.is_empty()
            }
            _ => {
                let position = self.position().expect("not a listed one");
                let legal = legal::Legal::new(position);
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

/// Leaves only the captures, if there are any.
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

impl rules::Board for Board {
    type Legal = Legal;

    fn legal(&self) -> Legal {
        Legal::new(self)
    }

    fn play(&mut self, played: Move) {
        match &mut self.rules {
            Rules::Crazyhouse(house) => house.play(played),
            Rules::KingOfTheHill(position) | Rules::Losers(position) => position.play(played),
            Rules::ThreeCheck { position, left } => {
                let mover = position.turn();
                position.play(played);
                if legal::Legal::new(position).is_check() {
                    let left = left.get_mut(mover);
                    *left = left.saturating_sub(1);
                }
            }
            Rules::Listed(listed) => {
                if let Some(played) = to_theirs(listed, played) {
                    listed.play_unchecked(played);
                }
            }
        }
    }

    fn turn(&self) -> Color {
        match &self.rules {
            Rules::Listed(listed) => listed.turn(),
            _ => self.position().expect("not a listed one").turn(),
        }
    }

    fn as_chess(&self) -> Option<&Position> {
        None
    }
}

/// A move of theirs as ours.
fn from_theirs(m: shakmaty::Move) -> Move {
    use shakmaty::Move as Theirs;
    match m {
        Theirs::Normal {
            from,
            to,
            promotion,
            ..
        } => Move::new(from, to, promotion),
        Theirs::EnPassant { from, to } => Move::new(from, to, None),
        Theirs::Castle { king, rook } => Move::new(
            king,
            crate::chess::moves::castling_destination(king, rook),
            None,
        ),
        Theirs::Put { role, to } => Move::drop(role, to),
    }
}

/// A legal move of ours as theirs.
fn to_theirs(listed: &VariantPosition, m: Move) -> Option<shakmaty::Move> {
    use shakmaty::Move as Theirs;
    let (from, to) = (m.from(), m.to());
    let role = listed.board().role_at(from)?;
    let capture = listed.board().role_at(to);
    let ours = listed.us();
    if role == Role::King && listed.castles().any() && (ours.contains(to) || from.abs_diff(to) == 2)
    {
        let side = CastlingSide::from_king_side(to > from);
        let rook = listed.castles().rook(listed.turn(), side)?;
        return Some(Theirs::Castle { king: from, rook });
    }
    if role == Role::Pawn && from.file() != to.file() && capture.is_none() {
        return Some(Theirs::EnPassant { from, to });
    }
    Some(Theirs::Normal {
        role,
        from,
        capture,
        to,
        promotion: m.promotion(),
    })
}
