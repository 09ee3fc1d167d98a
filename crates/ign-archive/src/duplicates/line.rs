//! The line of a game: its starting position and its moves as numbers.
//!
//! Two games are equal if their lines are. Tags, comments, variations and the coding of the archive
//! do not matter. A line has a key of 64 bits that is updated move by move, so the keys of all
//! prefixes of a game are by-products.
//!
//! In Go, the lines of a board in its eight rotations and reflections can be identified: the least
//! of the eight represents them. The prefix of the least line is the least of the prefixes, so this
//! holds for prefixes too.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use ign_format::{
    block::{
        decode::{Block, Records},
        go,
    },
    error::Result,
    pgn::start::Start,
    sgf::parse::Played,
};
use ign_notation::{
    chess::{Position, variant},
    go::{Color, Move, Point, Size, signature},
};

/// The starting position of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A position of chess.
    Chess(Position),
    /// A position of a variant.
    Variant(Box<variant::Board>),
    /// A board of Go.
    Go {
        /// Its size.
        size: Size,
        /// The player to move.
        turn: Color,
        /// The stones set up, in the order of their points.
        stones: Vec<(Point, Color)>,
    },
}

/// A game: its starting position and its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The starting position.
    pub origin: Origin,
    /// A number for each ply; different moves of a position have different numbers.
    pub moves: Vec<u16>,
}

impl Line {
    /// The key before the first move.
    fn first_key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        match &self.origin {
            Origin::Chess(position) => position.hash(&mut hasher),
            Origin::Variant(board) => {
                (board.variant() as u8, board.us().0, board.them().0).hash(&mut hasher);
            }
            Origin::Go { size, turn, stones } => {
                (size, turn).hash(&mut hasher);
                stones.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// The keys after each move; the last is the key of the line. Equal prefixes have equal keys;
    /// different ones nearly never do.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.moves
            .iter()
            .scan(mix(self.first_key()), |key, &played| {
                *key = mix(*key ^ u64::from(played));
                Some(*key)
            })
    }

    /// The key of the whole line.
    pub fn key(&self) -> u64 {
        self.keys().last().unwrap_or(mix(self.first_key()))
    }

    /// Whether another line is equal to this one or a prefix of it.
    pub fn has_within(&self, other: &Self) -> bool {
        self.moves.starts_with(&other.moves) && self.origin == other.origin
    }

    /// The least of the eight lines of the rotated and mirrored board of Go, of four if the board
    /// is not square. A line of chess is returned unchanged.
    fn rotated(self) -> Self {
        let Origin::Go { size, turn, stones } = &self.origin else {
            return self;
        };
        let square = size.rows() == size.columns();
        let least = Symmetry::all()
            .filter(|s| square || !s.swap)
            .map(|s| {
                let mut stones: Vec<_> = stones.iter().map(|&(p, c)| (s.of(p, *size), c)).collect();
                stones.sort_unstable_by_key(|&(point, _)| point);
                let rotated = |&number: &u16| match signature::point(number) {
                    Some(point) if size.has(point) => {
                        signature::number(Move::Stone(s.of(point, *size)), *size)
                    }
                    // A pass has no point.
                    _ => number,
                };
                let moves: Vec<u16> = self.moves.iter().map(rotated).collect();
                let order: Vec<_> = stones.iter().map(|&(p, c)| (p, c as u8)).collect();
                (order, moves, stones)
            })
            .min_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        let (_, moves, stones) = least.expect("there are four at least");
        let origin = Origin::Go {
            size: *size,
            turn: *turn,
            stones,
        };
        Self { origin, moves }
    }
}

/// A rotation or reflection of a board.
#[derive(Clone, Copy)]
struct Symmetry {
    flip_rows: bool,
    flip_columns: bool,
    /// Whether rows and columns are exchanged after the flips.
    swap: bool,
}

impl Symmetry {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            flip_rows: bits & 1 > 0,
            flip_columns: bits & 2 > 0,
            swap: bits & 4 > 0,
        })
    }

    fn of(self, point: Point, size: Size) -> Point {
        let Point {
            mut row,
            mut column,
        } = point;
        if self.flip_rows {
            row = size.rows() - 1 - row;
        }
        if self.flip_columns {
            column = size.columns() - 1 - column;
        }
        if self.swap {
            (row, column) = (column, row);
        }
        Point { row, column }
    }
}

/// One step of a key. The function is a bijection.
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key ^ key >> 29
}

/// Passes the lines of the wanted records of a block that are games with a known start to `visit`,
/// in order. With `rotated`, rotations and reflections of a Go board have one line.
///
/// # Errors
/// Corrupt; unsupported when the moves were coded by another model.
pub fn each_line(
    block: &Block,
    records: &Records,
    rotated: bool,
    wanted: impl Fn(usize) -> bool,
    visit: impl FnMut(usize, Line),
) -> Result<()> {
    let mut visitor = Boards {
        visit,
        rotated,
        record: 0,
        line: None,
    };
    if block.kind() == ign_format::block::Kind::Go {
        return go::walk_some(block, records, wanted, &mut visitor);
    }
    block.walk_some(records, wanted, |mut game| {
        let mut moves = Vec::new();
        game.moves
            .play(game.start, |_, played| moves.push(played.number()))?;
        let origin = match game.start {
            Start::Chess(start) => Origin::Chess(start.position),
            Start::Variant(start) => Origin::Variant(Box::new(start.board.clone())),
        };
        (visitor.visit)(game.record, Line { origin, moves });
        Ok(())
    })
}

/// Collects the lines of a block of Go.
struct Boards<V> {
    visit: V,
    rotated: bool,
    record: usize,
    line: Option<Line>,
}

impl<V: FnMut(usize, Line)> go::Visitor for Boards<V> {
    fn open(&mut self, opening: go::Opening) {
        self.record = opening.record;
        let start = opening.start.filter(|_| opening.is_game);
        self.line = start.map(|start| {
            let size = start.size();
            let points = (0..size.rows())
                .flat_map(|row| (0..size.columns()).map(move |column| Point { row, column }));
            let stones = points.filter_map(|point| Some((point, start.stone(point)?)));
            Line {
                origin: Origin::Go {
                    size,
                    turn: start.turn(),
                    stones: stones.collect(),
                },
                moves: Vec::new(),
            }
        });
    }

    fn played(&mut self, played: Played) {
        if let Some(line) = self.line.as_mut().filter(|_| played.main) {
            let number = signature::number(played.played, played.position.size());
            line.moves.push(number);
        }
    }

    fn close(&mut self) -> Result<()> {
        if let Some(line) = self.line.take() {
            let line = if self.rotated { line.rotated() } else { line };
            (self.visit)(self.record, line);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_format::block::encode::Options;

    fn go_lines(text: &str, rotated: bool) -> Vec<Line> {
        let bytes = go::encode(text.as_bytes().to_vec(), &Options::default()).unwrap();
        let block = Block::open(&bytes.bytes).unwrap();
        let mut lines = Vec::new();
        let records = block.records().unwrap();
        each_line(
            &block,
            &records,
            rotated,
            |_| true,
            |_, line| lines.push(line),
        )
        .unwrap();
        lines
    }

    #[test]
    fn eight_orientations_of_a_board_have_one_line() {
        // The same three moves in eight orientations, then another game.
        let text = "(;SZ[5];B[ba];W[cb];B[])(;SZ[5];B[eb];W[dc];B[])(;SZ[5];B[de];W[cd];B[])\
                    (;SZ[5];B[ad];W[bc];B[])(;SZ[5];B[da];W[cb];B[])(;SZ[5];B[ed];W[dc];B[])\
                    (;SZ[5];B[be];W[cd];B[])(;SZ[5];B[ab];W[bc];B[])(;SZ[5];B[ba];W[cc];B[])";
        let rotated = go_lines(text, true);
        assert_eq!(rotated.len(), 9);
        assert!(rotated[..8].iter().all(|line| *line == rotated[0]));
        assert!(rotated[8] != rotated[0]);
        let plain = go_lines(text, false);
        assert!((1..9).all(|i| plain[i].key() != plain[0].key()));
    }

    #[test]
    fn setup_stones_rotate_with_the_board_and_keys_follow_the_moves() {
        let text = "(;SZ[9]AB[cc][gg];W[ca];B[da])(;SZ[9]AB[cg][gc];W[ag];B[af];W[ee])\
                    (;SZ[9]AB[cg][gc];W[aa];B[af])(;SZ[9];B[ca];W[da])(;SZ[9:7]AB[cc];W[ca])\
                    (;SZ[9:7]AB[ce];W[cg])";
        let lines = go_lines(text, true);
        let [one, longer, other, bare, oblong, mirrored] = &lines[..] else {
            panic!("{} lines", lines.len());
        };
        assert!(longer.has_within(one) && !one.has_within(longer));
        assert_eq!(longer.keys().nth(1), Some(one.key()));
        assert!(!longer.has_within(other) && !bare.has_within(one));
        assert_eq!(oblong, mirrored);
    }
}
