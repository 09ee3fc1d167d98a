//! Conditions on the positions of a game.

use ign_format::error::{Error, Result};
use ign_notation::chess::{
    FenError, Position,
    variant::{self, Variant},
};
use shakmaty::{Bitboard, Color, Role};

use super::{material::Material, pattern::BoardPattern, pawns::can_advance};

/// Conditions on the positions of a game: one and the same position must meet all of them. With no
/// condition set, every game matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PositionFilter {
    /// This position: pieces, side to move, castling rights, and the en passant square if a
    /// capture there is legal. It does not matter how the game reached it.
    pub position: Option<Position>,
    /// The pieces of this position on their squares, whatever the side to move and its rights.
    pub board: Option<Position>,
    /// These pieces, wherever they are.
    pub material: Option<Material>,
    /// A board with wildcards.
    pub pattern: Option<BoardPattern>,
    /// The position must be the last of the game.
    pub last_only: bool,
    /// The number of positions in a row that must meet the conditions; 0 and 1 mean one position.
    pub lasting: u32,
    /// The conditions with colors exchanged, one or the other of which must be met.
    pub flipped: Option<Box<Self>>,
}

impl PositionFilter {
    /// Whether no condition is set.
    pub fn is_empty(&self) -> bool {
        self.position.is_none()
            && self.board.is_none()
            && self.material.is_none()
            && self.pattern.is_none()
    }

    /// Whether a position meets the conditions. Whether it is the last one is for the caller to
    /// know.
    pub fn matches(&self, position: &Position) -> bool {
        self.matches_as_written(position)
            || self
                .flipped
                .as_ref()
                .is_some_and(|flipped| flipped.matches_as_written(position))
    }

    /// The same conditions with colors exchanged.
    pub(crate) fn flip(&self) -> Self {
        Self {
            position: self.position.as_ref().map(flip),
            board: self.board.as_ref().map(flip),
            material: self.material.as_ref().map(Material::flip),
            pattern: self.pattern.as_ref().map(BoardPattern::flip),
            last_only: self.last_only,
            lasting: self.lasting,
            flipped: None,
        }
    }

    /// [`matches`](Self::matches) without exchanged colors.
    pub(crate) fn matches_as_written(&self, position: &Position) -> bool {
        self.board
            .as_ref()
            .is_none_or(|board| same_board(board, position))
            && self
                .material
                .as_ref()
                .is_none_or(|material| material.matches(position))
            && self
                .position
                .as_ref()
                .is_none_or(|wanted| same_position(wanted, position))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| pattern.matches(position))
    }

    /// Whether a game that is in this position can still reach one that meets the conditions.
    ///
    /// Pieces only disappear, pawns only advance and castling rights are only lost. In variants
    /// this need not hold.
    pub fn is_reachable(&self, position: &Position) -> bool {
        self.is_reachable_after(position, None)
    }

    /// [`is_reachable`](Self::is_reachable), where it is known that it was before the last move. If
    /// the move was that of a pawn and took nothing, `pawn` is the side that made it.
    pub(crate) fn is_reachable_after(&self, position: &Position, pawn: Option<Color>) -> bool {
        let flipped = self.flipped.as_ref();
        self.is_reachable_as_written(position, pawn)
            || flipped.is_some_and(|flipped| flipped.is_reachable_as_written(position, pawn))
    }

    /// [`is_reachable_after`](Self::is_reachable_after) without exchanged colors.
    pub(crate) fn is_reachable_as_written(&self, position: &Position, pawn: Option<Color>) -> bool {
        let board = |wanted: &Position| is_board_reachable(wanted, position, pawn);
        self.position.as_ref().is_none_or(|wanted| {
            board(wanted) && (wanted.castling_rooks() & !position.castling_rooks()).is_empty()
        }) && self.board.as_ref().is_none_or(board)
            && self
                .material
                .as_ref()
                .is_none_or(|material| material.is_reachable(position))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| pattern.is_reachable(position))
    }
}

/// Reads a position from a FEN or an EPD. What comes after the castling rights may be missing: then
/// nothing can be captured en passant. The en passant square is dropped unless a capture there is
/// legal. Each side must have one king, and the side to move must not be able to capture one.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) with what is wrong with the FEN.
pub fn parse_position(fen: &str) -> Result<Position> {
    let position = parse_any_position(fen)?;
    Position::from_fen(fen.trim().as_bytes()).map_err(|e| wrong(fen, e, FEN_ADVICE))?;
    Ok(position)
}

/// [`parse_position`], also with kings that the laws of chess do not allow.
///
/// # Errors
/// As `parse_position`.
pub(crate) fn parse_any_position(fen: &str) -> Result<Position> {
    let missing = match fen.split_whitespace().count() {
        0 | 1 => "side to move",
        2 => "castling rights",
        _ => return read(fen, FEN_ADVICE),
    };
    // An error in the fields that are there comes first.
    read(fen, FEN_ADVICE)?;
    Err(
        Error::usage(format!("'{fen}' is not a position: no {missing}")).with_remedy(
            "write all fields of a FEN: '... w KQkq -'; the condition board needs the pieces only",
        ),
    )
}

/// Reads the pieces of a FEN, whatever its kings. The other fields may be missing; White is then to
/// move.
///
/// # Errors
/// As [`parse_position`].
pub fn parse_board(fen: &str) -> Result<Position> {
    read(fen, BOARD_ADVICE)
}

const FEN_ADVICE: &str = "write a FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const BOARD_ADVICE: &str =
    "write the eight ranks as in a FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn read(fen: &str, advice: &str) -> Result<Position> {
    let position = of_fen(fen.trim().as_bytes()).map_err(|e| wrong(fen, e, advice))?;
    Ok(normal(position))
}

fn wrong(fen: &str, error: FenError, advice: &str) -> Error {
    Error::usage(format!("'{fen}' is not a position: {error}")).with_remedy(advice)
}

/// The position of a FEN, whatever its kings.
fn of_fen(fen: &[u8]) -> std::result::Result<Position, FenError> {
    Position::from_fen(fen).or_else(|error| {
        let start = variant::Start::from_fen(Variant::Chess, fen).map_err(|_| error)?;
        Ok(start.board.to_chess())
    })
}

/// The position without an en passant square on which no capture is legal.
pub(crate) fn normal(position: Position) -> Position {
    if position.en_passant().is_empty() || position.passing().is_some() {
        return position;
    }
    position.without_en_passant()
}

/// A position with colors exchanged: ranks in the opposite order, and letters in the other case.
fn flip(position: &Position) -> Position {
    let fen = String::from_utf8_lossy(&position.fen_fields()).into_owned();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, turn, castling, en_passant] = fields[..] else {
        return *position;
    };
    let other_case = |text: &str| -> String {
        let letters = text.chars();
        letters
            .map(|c| {
                if c.is_uppercase() {
                    c.to_ascii_lowercase()
                } else {
                    c.to_ascii_uppercase()
                }
            })
            .collect()
    };
    let ranks: Vec<&str> = board.rsplit('/').collect();
    let board = other_case(&ranks.join("/"));
    let turn = if turn == "w" { "b" } else { "w" };
    // White's rights are first.
    let (black, white): (String, String) = castling.chars().partition(|c| c.is_uppercase());
    let castling = other_case(&(white + &black));
    let en_passant = en_passant
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    let flipped = of_fen(format!("{board} {turn} {castling} {en_passant}").as_bytes());
    // What is a position is one with colors exchanged, too.
    flipped.unwrap_or(*position)
}

fn same_board(one: &Position, other: &Position) -> bool {
    // The pawns differ most often.
    one.by_role(Role::Pawn) == other.by_role(Role::Pawn) && one.board_words() == other.board_words()
}

/// `wanted` is [`normal`].
fn same_position(wanted: &Position, position: &Position) -> bool {
    same_board(wanted, position)
        && wanted.turn() == position.turn()
        && wanted.castling_rooks() == position.castling_rooks()
        && (wanted.en_passant() == position.en_passant()
            || wanted.en_passant().is_empty() && normal(*position).en_passant().is_empty())
}

/// Whether the pieces of `wanted` can still arise from a position of chess.
///
/// Pieces only disappear, other than pawns they only appear by promotion, and pawns only advance;
/// they leave their file only by captures, of which there are as many as pieces of the other side
/// disappear. `pawn` is as for [`PositionFilter::is_reachable_after`]: the other side has not
/// changed.
fn is_board_reachable(wanted: &Position, position: &Position, pawn: Option<Color>) -> bool {
    let [[ours, theirs], [wanted_ours, wanted_theirs]] =
        [position, wanted].map(|p| [Color::White, Color::Black].map(|color| p.by_color(color)));
    let (Some(lost), Some(captured)) = (
        ours.count().checked_sub(wanted_ours.count()),
        theirs.count().checked_sub(wanted_theirs.count()),
    ) else {
        return false;
    };
    let mut sides = [(Color::White, captured), (Color::Black, lost)].into_iter();
    sides.all(|(color, captures)| {
        pawn.is_some_and(|pawn| pawn != color)
            || is_side_reachable(wanted, position, color, captures)
    })
}

/// [`is_board_reachable`] for the pieces of one side, which makes `captures` captures in between.
fn is_side_reachable(
    wanted: &Position,
    position: &Position,
    color: Color,
    captures: usize,
) -> bool {
    let [has, wanted_has] = [position, wanted].map(|p| {
        let squares = p.by_color(color);
        move |role| p.by_role(role) & squares
    });
    let (pawns, wanted_pawns) = (has(Role::Pawn), wanted_has(Role::Pawn));
    if !can_advance(color, pawns, wanted_pawns, captures > 0) {
        return false;
    }
    let Some(gone) = pawns.count().checked_sub(wanted_pawns.count()) else {
        return false;
    };
    // Without pawns that disappear, each pawn that is there is one of the wanted ones.
    if gone == 0 && !can_advance(!color, wanted_pawns, pawns, captures > 0) {
        return false;
    }
    let promoted = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| {
        let [count, wanted] = [has(role), wanted_has(role)].map(Bitboard::count);
        wanted.saturating_sub(count)
    });
    promoted.into_iter().sum::<usize>() <= gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::chess::Legal;

    fn at(fen: &str) -> PositionFilter {
        PositionFilter {
            position: Some(parse_position(fen).unwrap()),
            ..PositionFilter::default()
        }
    }

    #[test]
    fn a_position_is_compared_with_its_rights_and_a_board_without() {
        let castled = "r3k2r/8/8/8/8/8/8/R3K2R";
        let position = |rest: &str| parse_position(&format!("{castled} {rest}")).unwrap();
        let exact = at(&format!("{castled} w KQ - 0 1"));
        assert!(exact.matches(&position("w KQ - 3 9")));
        assert!(!exact.matches(&position("w KQkq -")));
        assert!(!exact.matches(&position("b KQ -")));
        let board = PositionFilter {
            board: exact.position,
            ..PositionFilter::default()
        };
        assert!(board.matches(&position("b - -")));
        assert!(!board.matches(&parse_board("r3k2r/8/8/8/8/8/8/R3K3 w").unwrap()));
    }

    #[test]
    fn colors_are_exchanged_in_every_part() {
        for (fen, flipped) in [
            (
                "r3k2r/p7/8/8/4pP2/8/8/R3K2R b KQk f3",
                "r3k2r/8/8/4Pp2/8/8/P7/R3K2R w Kkq f6",
            ),
            ("4k3/8/8/8/8/8/8/3QK3 w - -", "3qk3/8/8/8/8/8/8/4K3 b - -"),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -",
            ),
            (
                "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBg -",
                "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Ggb -",
            ),
        ] {
            let [position, expected] = [fen, flipped].map(|fen| parse_position(fen).unwrap());
            assert_eq!(flip(&position), expected, "{fen}");
            assert_eq!(flip(&expected), position, "{fen}");
        }
        for (material, flipped) in [
            ("KRP-KR", "KR-KRP"),
            ("KRPKR", "KRPKR"),
            ("Q=0,rNn=2..", "q=0,RNn=2.."),
        ] {
            let [material, expected] = [material, flipped].map(|m| m.parse::<Material>().unwrap());
            assert_eq!(material.flip(), expected);
        }
        for (pattern, flipped) in [
            ("Kg1,[Qq]d4,[^pN]7,_e", "kg8,[qQ]d5,[^Pn]2,_e"),
            ("*/*p?/*/*/*/*/2*P/AA*", "aa*/2*p/*/*/*/*/*P?/*"),
        ] {
            let [pattern, expected] =
                [pattern, flipped].map(|pattern| pattern.parse::<BoardPattern>().unwrap());
            assert_eq!(pattern.flip().flip(), pattern);
            let texts = [
                "rnbqkbnr/pp2pppp/8/2p5/3pP3/8/PPPP1PPP/RNBQKBNR",
                "2b2rk1/3p2p1/8/8/8/8/4p2P/BN4K1",
                "bn4k1/4P2p/8/8/8/8/3P2P1/2B2RK1",
            ];
            for text in texts {
                let board = parse_board(text).unwrap();
                assert_eq!(
                    pattern.flip().matches(&board),
                    expected.matches(&board),
                    "{text}"
                );
                assert_eq!(
                    pattern.matches(&flip(&board)),
                    expected.matches(&board),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn en_passant_counts_only_where_the_capture_is_legal() {
        let legal = "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1";
        let pinned = "4k3/8/8/8/4pP2/8/8/3KR3 b - f3 0 1";
        let raw = |fen: &str| Position::from_fen(fen.as_bytes()).unwrap();
        let without = |fen: &str| fen.replace("f3", "-");
        assert!(at(legal).matches(&raw(legal)));
        assert!(!at(&without(legal)).matches(&raw(legal)));
        assert!(!at(legal).matches(&raw(&without(legal))));
        assert!(at(pinned).matches(&raw(pinned)));
        assert!(at(&without(pinned)).matches(&raw(pinned)));
        assert!(at(pinned).matches(&raw(&without(pinned))));
    }

    #[test]
    fn dismisses_positions_that_cannot_arise() {
        let start = Position::default();
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let reaches = |fen: &str, from: &Position| at(fen).is_reachable(from);
        let parsed = parse_position(after_e4).unwrap();
        assert!(reaches(after_e4, &start));
        assert!(reaches(after_e4, &parsed));
        for (fen, why) in [
            (
                "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
                "the pawn has left e2",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                "the pawn is past e3",
            ),
            (
                "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                "nothing was captured on the d-file",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RQBQKBNR b KQkq - 0 1",
                "no pawn has promoted",
            ),
        ] {
            assert!(!reaches(fen, &parsed), "{why}");
        }
        let no_right = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b kq - 0 1";
        assert!(reaches(no_right, &parsed));
        assert!(!reaches(after_e4, &parse_position(no_right).unwrap()));
    }

    /// A pseudorandom number below a bound.
    fn below(state: &mut u64, bound: u32) -> u32 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        ((*state >> 33) as u32) % bound
    }

    #[test]
    fn every_position_of_a_game_is_reachable_from_the_earlier_ones() {
        let mut state = 7;
        let mut dismissed = 0;
        for _ in 0..40 {
            let mut positions = vec![Position::default()];
            for _ in 0..300 {
                let last = *positions.last().unwrap();
                let legal = Legal::new(&last);
                if legal.count() == 0 {
                    break;
                }
                // Pawn moves and captures are preferred: games with promotions.
                let picks = [0; 3].map(|_| legal.nth(below(&mut state, legal.count())));
                let pawns = last.by_role(Role::Pawn);
                let played = picks.into_iter().find(|m| pawns.contains(m.from()));
                let mut next = last;
                next.play(played.unwrap_or(picks[0]));
                positions.push(next);
            }
            for (index, &wanted) in positions.iter().enumerate() {
                let exact = PositionFilter {
                    position: Some(normal(wanted)),
                    board: Some(wanted),
                    ..PositionFilter::default()
                };
                for from in &positions[..=index] {
                    assert!(exact.is_reachable(from), "{wanted:?} from {from:?}");
                }
                let later = &positions[index..];
                dismissed += later
                    .iter()
                    .filter(|from| !exact.is_reachable(from))
                    .count();
            }
        }
        assert!(dismissed > 100_000, "{dismissed}");
    }
}
