//! The line of a game: where it starts, and its moves as numbers.
//!
//! Two games are the same when their lines are: tags, comments and variations are of no account,
//! nor is how the archive codes the moves. A line has a key of 64 bits that follows it move by
//! move, so that the keys of all opening_prefix of a game come out on the way.
//!
//! Of Go the lines of a board that is turned or mirrored can be taken for one: the least of the
//! eight stands for them. The beginning of the least is the least of the opening_prefix, so that this
//! goes for opening_prefix too.

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

/// Where a game starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A position of chess.
    Chess(Position),
    /// One of a variant.
    Variant(Box<variant::Board>),
    /// A board of Go.
    Go {
        /// Its size.
        size: Size,
        /// Who begins.
        turn: Color,
        /// The stones set up, by point.
        stones: Vec<(Point, Color)>,
    },
}

/// A game: where it starts, and its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it starts.
    pub origin: Origin,
    /// A number for each half-move; different moves in a position have different ones.
    pub moves: Vec<u16>,
}

impl Line {
    /// The key of the line before its first move.
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

    /// The keys behind each of its moves; the last is that of the line. Equal opening_prefix have
    /// equal keys, different ones hardly ever.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.moves
            .iter()
            .scan(mixed(self.first_key()), |key, &played| {
                *key = mixed(*key ^ u64::from(played));
                Some(*key)
            })
    }

    /// The key of the whole line.
    pub fn key(&self) -> u64 {
        self.keys().last().unwrap_or(mixed(self.first_key()))
    }

    /// Whether another line starts where this one does, and is this one or its beginning.
    pub fn has_within(&self, other: &Self) -> bool {
        self.moves.starts_with(&other.moves) && self.origin == other.origin
    }

    /// The least of the eight lines that a board of Go has when it is turned and mirrored, four
    /// where it is no square; a line of chess stays as it is.
    fn turned(self) -> Self {
        let Origin::Go { size, turn, stones } = &self.origin else {
            return self;
        };
        let square = size.rows() == size.columns();
        let least = Symmetry::all().filter(|s| square || !s.swap).map(|s| {
            let mut stones: Vec<_> = stones.iter().map(|&(p, c)| (s.of(p, *size), c)).collect();
            stones.sort_unstable_by_key(|&(point, _)| point);
            let turned = |&number: &u16| match signature::point(number) {
                Some(point) if size.has(point) => {
                    signature::number(Move::Stone(s.of(point, *size)), *size)
                }
                // A pass is one on any board.
                _ => number,
            };
            let moves: Vec<u16> = self.moves.iter().map(turned).collect();
            let order: Vec<_> = stones.iter().map(|&(p, c)| (p, c as u8)).collect();
            (order, moves, stones)
        });
        let least = least.min_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        let (_, moves, stones) = least.expect("there are four at least");
        let origin = Origin::Go {
            size: *size,
            turn: *turn,
            stones,
        };
        Self { origin, moves }
    }
}

/// A way to turn and mirror a board.
#[derive(Clone, Copy)]
struct Symmetry {
    flip_rows: bool,
    flip_columns: bool,
    /// Whether rows become columns then.
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

/// One step of a key; different keys stay different.
fn mixed(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key ^ key >> 29
}

/// Shows the lines of the records of a block that are wanted, and are games with a start, in order;
/// with `turned`, a board of Go turned and mirrored is one.
///
/// # Errors
/// Corrupt; unsupported when the moves were coded by another model.
pub fn each_line(
    block: &Block,
    records: &Records,
    turned: bool,
    wanted: impl Fn(usize) -> bool,
    visit: impl FnMut(usize, Line),
) -> Result<()> {
    let mut visitor = Boards {
        visit,
        turned,
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

/// Gathers the lines of a block of Go.
struct Boards<V> {
    visit: V,
    turned: bool,
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
            let line = if self.turned { line.turned() } else { line };
            (self.visit)(self.record, line);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_format::block::encode::Options;

    fn go_lines(text: &str, turned: bool) -> Vec<Line> {
        let bytes = go::encode(text.as_bytes().to_vec(), &Options::default()).unwrap();
        let block = Block::open(&bytes.bytes).unwrap();
        let mut lines = Vec::new();
        let records = block.records().unwrap();
        each_line(
            &block,
            &records,
            turned,
            |_| true,
            |_, line| lines.push(line),
        )
        .unwrap();
        lines
    }

    #[test]
    fn a_board_may_lie_in_eight_ways() {
        // The same three moves, the board turned by quarters and mirrored; then another game.
        let text = "(;SZ[5];B[ba];W[cb];B[])(;SZ[5];B[eb];W[dc];B[])(;SZ[5];B[de];W[cd];B[])\
                    (;SZ[5];B[ad];W[bc];B[])(;SZ[5];B[da];W[cb];B[])(;SZ[5];B[ed];W[dc];B[])\
                    (;SZ[5];B[be];W[cd];B[])(;SZ[5];B[ab];W[bc];B[])(;SZ[5];B[ba];W[cc];B[])";
        let turned = go_lines(text, true);
        assert_eq!(turned.len(), 9);
        assert!(turned[..8].iter().all(|line| *line == turned[0]));
        assert!(turned[8] != turned[0]);
        let plain = go_lines(text, false);
        assert!((1..9).all(|i| plain[i].key() != plain[0].key()));
    }

    #[test]
    fn stones_set_up_turn_with_the_board_and_keys_follow_the_moves() {
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
