//! How many moves each side needs at least to come from one position to another.
//!
//! Every piece of the goal stems from a piece that was there before, each from another, so that
//! their ways add up: to each the way of the nearest piece that could become it is charged, over
//! a board that is empty but for pawns that the goal has on their first squares: those were there
//! all the time, and bishops, rooks and queens have to go around them, or never get out. A castling
//! moves two pieces at once and is tried apart. What a side has to
//! take, it needs moves for as well. All of this can only be too little, never too much: a search
//! that leaves out positions from which the moves left do not suffice leaves out no game.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use ign_notation::chess::{Position, sliding};

/// Moves that both sides need, indexed by `Color as usize`.
pub type Needed = [u32; 2];

/// What each side needs from `from` to `to`; none where no moves suffice.
pub fn needed(from: &Position, to: &Position) -> Option<Needed> {
    Some([side(from, to, Color::Black)?, side(from, to, Color::White)?])
}

/// Whether these moves fit into `plies` half-moves of which `turn` makes the first.
pub fn fits(needed: Needed, turn: Color, plies: u32) -> bool {
    needed[turn as usize] <= plies.div_ceil(2) && needed[!turn as usize] <= plies / 2
}

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
    // Who stands on his first square has never left it, and is nobody else.
    let home = goals & Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
    let pawns = pawns & !home;
    for square in goals & !(mine & from.by_role(Role::Pawn)) {
        let (way, aside) = pawn_from_any(pawns, square, color)?;
        moves += way;
        files += aside;
    }
    // A pawn leaves its file by taking only.
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

/// Pawns on their first squares: they have never left them, and nobody else has come there.
fn unmoved(to: &Position) -> Bitboard {
    let home = |color: Color| {
        let rank = Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
        to.by_color(color) & rank
    };
    to.by_role(Role::Pawn) & (home(Color::White) | home(Color::Black))
}

/// None when more pieces must have been promoted than pawns are gone.
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

/// Moves that lost castling rights cost when king and rook stand as if they had never moved.
fn rights(from: &Position, to: &Position, color: Color, lost: usize) -> u32 {
    let king = from.king(color);
    let gone = from.castling_rooks() & from.by_color(color) & !to.castling_rooks();
    let back = gone & to.by_color(color) & to.by_role(Role::Rook);
    if back.is_empty() || to.king(color) != king {
        0
    } else if lost == 0 {
        // Away and back again.
        2
    } else {
        // The rook may have been taken and the other one be here.
        1
    }
}

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

/// The least moves of a piece to `to`, or of a pawn that promotes to one.
fn nearest(
    role: Role,
    pieces: Bitboard,
    pawns: Bitboard,
    to: Square,
    color: Color,
    walls: Bitboard,
) -> Option<u32> {
    let ways = pieces.into_iter().filter_map(|from| match role {
        Role::Knight => way(role, from, to),
        _ => way(role, from, to).and_then(|_| around(role, from, to, walls)),
    });
    let pawns = pawns.into_iter();
    ways.chain(pawns.map(|pawn| promoted(pawn, to, color)))
        .min()
}

/// What it costs beyond the nearest pieces that at least so `many` of the goals are pawns' that
/// promote.
fn promoting(
    goals: Bitboard,
    pawns: Bitboard,
    color: Color,
    many: usize,
    near: impl Fn(Square) -> Option<u32>,
) -> Option<u32> {
    let mut beyond = Vec::with_capacity(goals.count());
    for square in goals {
        let promoted = pawns.into_iter().map(|pawn| promoted(pawn, square, color));
        beyond.push(promoted.min()?.saturating_sub(near(square)?));
    }
    beyond.sort_unstable();
    Some(beyond[..many].iter().sum())
}

/// The least moves of a pawn that promotes and goes to `to`.
fn promoted(pawn: Square, to: Square, color: Color) -> u32 {
    let steps = 7 - rank(pawn, color);
    let steps = steps - u32::from(steps == 6);
    // From the last rank it takes another move to go elsewhere.
    steps + u32::from(rank(to, color) < 7)
}

/// Moves of a piece on an empty board; none if it never gets there.
fn way(role: Role, from: Square, to: Square) -> Option<u32> {
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
        // Two moves keep the colour of the square, three change it.
        Role::Knight => Some(if from.is_light() == to.is_light() {
            2
        } else {
            3
        }),
        Role::Pawn => None,
    }
}

/// Moves of a bishop, rook or queen on a board with these walls; none if it never gets there.
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

/// The least moves of one of these pawns to `to`, and the least files that one has to change.
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

/// The rank as the side sees it, from 0.
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
    fn moves_are_counted_piece_by_piece() {
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
            // Castled: knight, pawn, bishop and the castling.
            (
                "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq -",
                Some([3, 4]),
            ),
            // The right to castle is gone, and nothing else changed.
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq -",
                Some([0, 2]),
            ),
            // A doubled pawn, but nobody was taken.
            (
                "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq -",
                Some([0, 1]),
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/3P4/PPPP1PPP/RNBQKBNR b KQkq -",
                None,
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNQ b Qkq -", None),
            // Eight pawns promote and come back to the first ranks: six moves each.
            (
                "nnnnnnnn/nn1k4/8/8/8/8/NN1K4/NNNNNNNN w - -",
                Some([49, 49]),
            ),
            // Behind pawns that never moved a bishop or a queen is locked up; a queen goes around.
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
            assert_eq!(needed(&start, &position(fen)), moves, "{fen}");
        }
    }
}
