//! A lower bound of the number of moves that each side needs from one position to another.
//!
//! Each piece of the goal comes from a different piece of the origin, so the moves of a side add
//! up. For each piece of the goal the bound takes the moves of the nearest piece that can become
//! it, on a board that is empty except for pawns which the goal has on their initial squares:
//! those have never moved, and bishops, rooks and queens must go around them. Castling moves two
//! pieces at once and is tried separately. A side also needs at least as many moves as captures.
//!
//! Invariant: the bound is admissible, never above the true number. A search that drops positions
//! by it loses no game.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use ign_notation::chess::{Position, sliding};

/// The moves that each side needs, indexed by `Color as usize`.
pub type Needed = [u32; 2];

/// A lower bound of the moves of each side from `from` to `to`; `None` if no game leads there.
pub fn lower_bound(from: &Position, to: &Position) -> Option<Needed> {
    Some([side(from, to, Color::Black)?, side(from, to, Color::White)?])
}

/// Whether these moves fit into `plies` of which `turn` makes the first.
pub fn fits(needed: Needed, turn: Color, plies: u32) -> bool {
    needed[turn as usize] <= plies.div_ceil(2) && needed[!turn as usize] <= plies / 2
}

/// The lower bound for one side.
fn side(from: &Position, to: &Position, color: Color) -> Option<u32> {
    let (mine, goal) = (from.by_color(color), to.by_color(color));
    let (theirs, left) = (from.by_color(!color).count(), to.by_color(!color).count());
    let captures = theirs.checked_sub(left)? as u32;
    let lost = mine.count().checked_sub(goal.count())?;
    if ((to.castling_rooks() & goal) & !from.castling_rooks()).any() {
        return None;
    }
    promotions(from, to, color)?;

    let mut moves = 0;
    let mut files = 0;
    let pawns = mine & from.by_role(Role::Pawn);
    let goals = goal & to.by_role(Role::Pawn);
    // A pawn on its initial square has never moved, so it is the same pawn.
    let home = goals & Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
    let pawns = pawns & !home;
    for square in goals & !(mine & from.by_role(Role::Pawn)) {
        let (pawn_moves, aside) = pawn_from_any(pawns, square, color)?;
        moves += pawn_moves;
        files += aside;
    }
    // A pawn changes its file only by capturing.
    if files > captures {
        return None;
    }
    let walls = unmoved(to);
    for role in [Role::Knight, Role::Bishop, Role::Queen] {
        let pieces = mine & from.by_role(role);
        let goals = goal & to.by_role(role);
        for square in goals & !pieces {
            moves += nearest(role, pieces, pawns, square, color, walls)?;
        }
        let more = goals.count().saturating_sub(pieces.count());
        if more > 0 {
            let near = |square| nearest(role, pieces, pawns, square, color, walls);
            moves += promoting(goals, pawns, color, more, near)?;
        }
    }
    let pieces = (from.king(color), mine & from.by_role(Role::Rook));
    let mut least =
        king_and_rooks(pieces, pawns, to, color).map(|m| m + rights(from, to, color, lost));
    for rook in from.castling_rooks() & mine {
        let side = CastlingSide::from_king_side(rook > from.king(color));
        let rooks = pieces.1.without(rook).with(side.rook_to(color));
        let castled = king_and_rooks((side.king_to(color), rooks), pawns, to, color);
        least = least.into_iter().chain(castled.map(|m| m + 1)).min();
    }
    Some((moves + least?).max(captures))
}

/// The pawns on their initial squares. They have never moved, and no other piece has been there.
fn unmoved(to: &Position) -> Bitboard {
    let home = |color: Color| {
        let rank = Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
        to.by_color(color) & rank
    };
    to.by_role(Role::Pawn) & (home(Color::White) | home(Color::Black))
}

/// `None` if more pieces must be promoted than pawns have disappeared.
fn promotions(from: &Position, to: &Position, color: Color) -> Option<()> {
    let count = |position: &Position, role, squares| {
        (position.by_color(color) & position.by_role(role) & squares).count()
    };
    let kinds = [
        (Role::Knight, Bitboard::FULL),
        (Role::Bishop, Bitboard::LIGHT_SQUARES),
        (Role::Bishop, Bitboard::DARK_SQUARES),
        (Role::Rook, Bitboard::FULL),
        (Role::Queen, Bitboard::FULL),
    ];
    let more =
        |(role, squares)| count(to, role, squares).saturating_sub(count(from, role, squares));
    let promoted: usize = kinds.into_iter().map(more).sum();
    let pawns = |position| count(position, Role::Pawn, Bitboard::FULL);
    (promoted + pawns(to) <= pawns(from)).then_some(())
}

/// Moves that lost castling rights need although king and rook are on their initial squares.
fn rights(from: &Position, to: &Position, color: Color, lost: usize) -> u32 {
    let king = from.king(color);
    let gone = from.castling_rooks() & from.by_color(color) & !to.castling_rooks();
    let back = gone & to.by_color(color) & to.by_role(Role::Rook);
    if back.is_empty() || to.king(color) != king {
        0
    } else if lost == 0 {
        // The king or the rook moves away and back.
        2
    } else {
        // The rook can have been captured and the other one have moved here.
        1
    }
}

/// The moves of the king and the rooks, castling excepted.
fn king_and_rooks(
    (king, rooks): (Square, Bitboard),
    pawns: Bitboard,
    to: &Position,
    color: Color,
) -> Option<u32> {
    let mut moves = king.distance(to.king(color));
    for square in to.by_color(color) & to.by_role(Role::Rook) & !rooks {
        moves += nearest(Role::Rook, rooks, pawns, square, color, unmoved(to))?;
    }
    Some(moves)
}

/// The least moves of one of `pieces` to `to`, or of a pawn that promotes.
fn nearest(
    role: Role,
    pieces: Bitboard,
    pawns: Bitboard,
    to: Square,
    color: Color,
    walls: Bitboard,
) -> Option<u32> {
    let ways = pieces.into_iter().filter_map(|from| match role {
        Role::Knight => on_empty_board(role, from, to),
        _ => on_empty_board(role, from, to).and_then(|_| around(role, from, to, walls)),
    });
    let pawns = pawns.into_iter();
    ways.chain(pawns.map(|pawn| promoted(pawn, to, color)))
        .min()
}

/// The additional moves, beyond those of the nearest pieces, if at least `count` of the goals are
/// promoted pawns.
fn promoting(
    goals: Bitboard,
    pawns: Bitboard,
    color: Color,
    count: usize,
    near: impl Fn(Square) -> Option<u32>,
) -> Option<u32> {
    let mut beyond = Vec::with_capacity(goals.count());
    for square in goals {
        let promoted = pawns.into_iter().map(|pawn| promoted(pawn, square, color));
        beyond.push(promoted.min()?.saturating_sub(near(square)?));
    }
    beyond.sort_unstable();
    Some(beyond[..count].iter().sum())
}

/// The least moves of a pawn that promotes and moves to `to`.
fn promoted(pawn: Square, to: Square, color: Color) -> u32 {
    let ranks = 7 - rank(pawn, color);
    let steps = ranks - u32::from(ranks == 6);
    // Leaving the last rank takes another move.
    steps + u32::from(rank(to, color) < 7)
}

/// The moves of a piece on an empty board, at least; `None` if it cannot reach the square.
fn on_empty_board(role: Role, from: Square, to: Square) -> Option<u32> {
    let straight = from.rank() == to.rank() || from.file() == to.file();
    let diagonal = from.rank().distance(to.rank()) == from.file().distance(to.file());
    match role {
        _ if from == to => Some(0),
        Role::King => Some(from.distance(to)),
        Role::Rook => Some(if straight { 1 } else { 2 }),
        Role::Queen => Some(if straight || diagonal { 1 } else { 2 }),
        Role::Bishop if from.is_light() != to.is_light() => None,
        Role::Bishop => Some(if diagonal { 1 } else { 2 }),
        Role::Knight if attacks::knight_attacks(from).contains(to) => Some(1),
        // An even number of moves keeps the colour of the square, an odd number changes it.
        Role::Knight => Some(if from.is_light() == to.is_light() {
            2
        } else {
            3
        }),
        Role::Pawn => None,
    }
}

/// The moves of a bishop, rook or queen on a board with only these walls; `None` if it cannot reach
/// the square.
fn around(role: Role, from: Square, to: Square, walls: Bitboard) -> Option<u32> {
    let reaches = |square: Square| match role {
        Role::Bishop => sliding::bishop(square, walls),
        Role::Rook => sliding::rook(square, walls),
        _ => sliding::bishop(square, walls) | sliding::rook(square, walls),
    };
    let mut reached = Bitboard::from_square(from);
    let mut last = reached;
    for moves in 0.. {
        if reached.contains(to) {
            return Some(moves);
        }
        let next = last
            .into_iter()
            .map(reaches)
            .fold(Bitboard::EMPTY, |a, b| a | b);
        last = next & !reached & !walls;
        if last.is_empty() {
            break;
        }
        reached |= last;
    }
    None
}

/// The least moves of one of these pawns to `to`, and the least number of files that one of them
/// changes.
fn pawn_from_any(pawns: Bitboard, to: Square, color: Color) -> Option<(u32, u32)> {
    let mut least: Option<(u32, u32)> = None;
    for from in pawns {
        let aside = from.file().distance(to.file());
        let Some(ahead) = rank(to, color).checked_sub(rank(from, color)) else {
            continue;
        };
        if ahead < aside {
            continue;
        }
        let double = rank(from, color) == 1 && ahead - aside >= 2;
        let moves = ahead - u32::from(double);
        least = Some(least.map_or((moves, aside), |(m, a)| (m.min(moves), a.min(aside))));
    }
    least
}

/// The rank from 0, counted from the side's own end of the board.
fn rank(square: Square, color: Color) -> u32 {
    let rank = square.to_u32() / 8;
    if color.is_white() { rank } else { 7 - rank }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn lower_bounds_add_the_moves_of_pieces() {
        let start = Position::default();
        for (fen, moves) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                Some([0, 0]),
            ),
            (
                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
                Some([2, 2]),
            ),
            // White has castled: knight, pawn, bishop and castling.
            (
                "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq -",
                Some([3, 4]),
            ),
            // Only a castling right is lost.
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq -",
                Some([0, 2]),
            ),
            // The second has a doubled pawn without a capture.
            (
                "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq -",
                Some([0, 1]),
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/3P4/PPPP1PPP/RNBQKBNR b KQkq -",
                None,
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNQ b Qkq -", None),
            // Eight pawns promote and return to the first ranks: six moves each.
            (
                "nnnnnnnn/nn1k4/8/8/8/8/NN1K4/NNNNNNNN w - -",
                Some([49, 49]),
            ),
            // A bishop or queen behind unmoved pawns cannot come out; through a gap a queen goes
            // around.
            (
                "rnbqkbnr/pppppppp/8/8/2B5/8/PPPPPPPP/RNBQK1NR b KQkq -",
                None,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/3Q4/8/PPPPPPPP/RNB1KBNR b KQkq -",
                None,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/3Q4/4P3/PPPP1PPP/RNB1KBNR b KQkq -",
                Some([0, 3]),
            ),
        ] {
            assert_eq!(lower_bound(&start, &position(fen)), moves, "{fen}");
        }
    }
}
