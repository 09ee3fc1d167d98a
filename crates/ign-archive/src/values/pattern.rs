//! Boards with wildcards, in the manner of pgn-extract's FENPattern.

use std::str::FromStr;

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;
use shakmaty::{Bitboard, Color, File, Piece, Rank, Square};

use super::pawns::pawns_can_reach;

/// The number of things that a square can hold: six pieces of each side, or nothing.
const CONTENTS: usize = 13;

/// What a square may hold, as a bit set: pawn to king of White, of Black, nothing.
type Contents = u16;

const ANYTHING: Contents = (1 << CONTENTS) - 1;
const WHITE: Contents = 0b11_1111;
const BLACK: Contents = WHITE << 6;
const EMPTY: Contents = 1 << 12;
const WHITE_PAWN: Contents = 1;
const BLACK_PAWN: Contents = 1 << 6;

/// The names of the files and of the ranks.
const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const RANKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

/// A board on which a square may hold one of several pieces. There are two forms.
///
/// **A board** has eight ranks from the eighth to the first, separated by `/`, as in a FEN. A rank
/// is a sequence of
///
/// | symbol | stands for |
/// | --- | --- |
/// | `K` `Q` `R` `B` `N` `P`, `k` … `p` | a square with this piece; White's are upper case |
/// | `1` … `8` | this number of empty squares |
/// | `_` | an empty square |
/// | `?` | any square |
/// | `!` | a square with any piece |
/// | `A`, `a` | a square with any piece of White, of Black |
/// | `[xyz]` | a square of which one of the symbols in brackets is true: `[QR]`, `[a_]` |
/// | `[^xyz]` | a square of which none of them is true |
/// | `*` | any number of squares, none included, whatever they hold |
///
/// **A list of squares** has a symbol for one square and its name each, separated by commas:
/// `Ke1,[Qq]d4,_e5`. In place of a square there may be a file or a rank, on each square of which
/// the symbol must be true: `[^Pp]d,_8` is a d-file without pawns and an empty eighth rank. A range
/// of files or ranks stands for at least one of them: `[^Pp]a..h` is any file without pawns. The
/// other squares may hold anything.
///
/// ```
/// use ign_archive::query::{BoardPattern, parse_position};
///
/// let position = parse_position("r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 w - -")?;
/// let castled: BoardPattern = "*/*/*/*/*/*/*PPP/*[R_]K?".parse()?;
/// assert!(castled.matches(&position));
/// assert!("Kg1,kg8,_h8".parse::<BoardPattern>()?.matches(&position));
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPattern {
    /// For each thing that a square can hold, the squares that must not hold it.
    forbidden: [u64; CONTENTS],
    /// The ranks that `*` lets match in several ways.
    ranks: Vec<RankPattern>,
    /// Files or ranks of which one must match.
    ranges: Vec<LineRange>,
    /// The squares that must hold a pawn of White, of Black.
    pawns: [Bitboard; 2],
}

/// A rank with several ways to match.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RankPattern {
    /// Its number from 0.
    rank: usize,
    /// For each way, as [`BoardPattern::forbidden`] of the eight squares.
    ways: Vec<[u8; CONTENTS]>,
}

/// A range of files or ranks. Each square of at least one of them may hold only what is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineRange {
    allowed: Contents,
    lines: Vec<Bitboard>,
}

impl LineRange {
    /// Whether one of the lines has nothing else than what is allowed, for what the squares hold.
    fn matches(&self, held: impl IntoIterator<Item = (usize, u64)>) -> bool {
        let not = held
            .into_iter()
            .filter(|(content, _)| self.allowed & 1 << content == 0);
        let not = not.fold(0, |not, (_, squares)| not | squares);
        self.lines.iter().any(|line| line.0 & not == 0)
    }
}

impl BoardPattern {
    /// Whether a position matches.
    pub fn matches(&self, position: &Position) -> bool {
        let held = contents(position);
        let is_allowed = |(held, forbidden): (&u64, &u64)| held & forbidden == 0;
        held.iter().zip(&self.forbidden).all(is_allowed)
            && self.ranks.iter().all(|pattern| {
                let held = held.map(|squares| (squares >> (8 * pattern.rank)) as u8);
                pattern
                    .ways
                    .iter()
                    .any(|way| held.iter().zip(way).all(|(held, not)| held & not == 0))
            })
            && self
                .ranges
                .iter()
                .all(|range| range.matches(held.into_iter().enumerate()))
    }

    /// Whether a game of chess in this position can still reach one that matches, as far as the
    /// squares that must hold pawns decide it.
    pub(crate) fn is_reachable(&self, position: &Position) -> bool {
        let [white, black] = self.pawns;
        pawns_can_reach(position, Color::White, white)
            && pawns_can_reach(position, Color::Black, black)
    }

    /// Whether a game of chess in which these pawns, on the second ranks of their sides, never move
    /// can have a position that matches.
    pub(super) fn allows_unmoved(&self, pawns: Bitboard) -> bool {
        let held = [(WHITE_PAWN, Rank::Second), (BLACK_PAWN, Rank::Seventh)].map(|(pawn, rank)| {
            let squares = pawns & Bitboard::from_rank(rank);
            (pawn.trailing_zeros() as usize, squares.0)
        });
        held.iter()
            .all(|&(content, squares)| squares & self.forbidden[content] == 0)
            && self.ranks.iter().all(|pattern| {
                pattern.ways.iter().any(|way| {
                    held.iter().all(|&(content, squares)| {
                        (squares >> (8 * pattern.rank)) as u8 & way[content] == 0
                    })
                })
            })
            && self.ranges.iter().all(|range| range.matches(held))
    }

    /// The pattern with colors exchanged.
    pub(super) fn flip(&self) -> Self {
        let other = |content: usize| match content {
            0..6 => content + 6,
            6..12 => content - 6,
            _ => content,
        };
        let ranks = self.ranks.iter().map(|pattern| RankPattern {
            rank: 7 - pattern.rank,
            ways: pattern
                .ways
                .iter()
                .map(|way| std::array::from_fn(|content| way[other(content)]))
                .collect(),
        });
        let ranges = self.ranges.iter().map(|range| LineRange {
            allowed: range.allowed & EMPTY
                | (range.allowed & WHITE) << 6
                | (range.allowed & BLACK) >> 6,
            lines: range
                .lines
                .iter()
                .map(|line| line.flip_vertical())
                .collect(),
        });
        let [white, black] = self.pawns.map(Bitboard::flip_vertical);
        Self {
            // A byte has a rank.
            forbidden: std::array::from_fn(|content| self.forbidden[other(content)].swap_bytes()),
            ranks: ranks.collect(),
            ranges: ranges.collect(),
            pawns: [black, white],
        }
    }

    /// The pattern of what each square may hold, by rank; several ways only for ranks with `*`.
    fn of_ranks(ranks: [Vec<[Contents; 8]>; 8]) -> Self {
        let mut pattern = Self {
            forbidden: [0; CONTENTS],
            ranks: Vec::new(),
            ranges: Vec::new(),
            pawns: [Bitboard::EMPTY; 2],
        };
        for (rank, mut ways) in ranks.into_iter().enumerate() {
            ways.sort_unstable();
            ways.dedup();
            if let [squares] = ways[..] {
                let first = 8 * rank as u32;
                for (square, &allowed) in (first..).zip(&squares) {
                    pattern.restrict(Square::new(square), allowed);
                }
                continue;
            }
            let ways = ways
                .iter()
                .map(|squares| {
                    let mut forbidden = [0; CONTENTS];
                    for (file, &allowed) in squares.iter().enumerate() {
                        let not = forbidden.iter_mut().enumerate();
                        not.filter(|(content, _)| allowed & 1 << content == 0)
                            .for_each(|(_, files)| *files |= 1 << file);
                    }
                    forbidden
                })
                .collect();
            pattern.ranks.push(RankPattern { rank, ways });
        }
        pattern
    }

    /// Lets a square hold only what is allowed.
    fn restrict(&mut self, square: Square, allowed: Contents) {
        let not = self.forbidden.iter_mut().enumerate();
        not.filter(|(content, _)| allowed & 1 << content == 0)
            .for_each(|(_, squares)| *squares |= 1 << square.to_u32());
        for (pawns, pawn) in self.pawns.iter_mut().zip([WHITE_PAWN, BLACK_PAWN]) {
            if allowed == pawn {
                pawns.add(square);
            }
        }
    }
}

/// The squares that hold each of the things that a square can hold.
fn contents(position: &Position) -> [u64; CONTENTS] {
    let &[roles @ .., black, white] = position.board_words();
    std::array::from_fn(|content| match content {
        0..6 => roles[content] & white,
        6..12 => roles[content - 6] & black,
        _ => !(white | black),
    })
}

/// A symbol of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Square(Contents),
    Empty(u8),
    Any,
}

/// Reads the next symbol; `None` at the end.
fn next_symbol(text: &mut &str) -> std::result::Result<Option<Symbol>, String> {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return Ok(None);
    };
    *text = chars.as_str();
    Ok(Some(match first {
        '*' => Symbol::Any,
        digit @ '1'..='8' => Symbol::Empty(digit as u8 - b'0'),
        '[' => {
            let Some((set, after)) = text.split_once(']') else {
                return Err("a '[' is not closed".into());
            };
            *text = after;
            let (set, not) = match set.strip_prefix('^') {
                Some(set) => (set, true),
                None => (set, false),
            };
            if set.is_empty() {
                return Err("brackets are empty".into());
            }
            let mut allowed = 0;
            for letter in set.chars() {
                allowed |= one_square(letter)?;
            }
            let allowed = if not { ANYTHING & !allowed } else { allowed };
            if allowed == 0 {
                return Err(format!("nothing is allowed by '[{set}]'"));
            }
            Symbol::Square(allowed)
        }
        letter => Symbol::Square(one_square(letter)?),
    }))
}

/// What a symbol of one letter allows.
fn one_square(letter: char) -> std::result::Result<Contents, String> {
    Ok(match letter {
        '?' => ANYTHING,
        '!' => ANYTHING & !EMPTY,
        '_' => EMPTY,
        'A' => WHITE,
        'a' => BLACK,
        letter => {
            let piece =
                Piece::from_char(letter).ok_or_else(|| format!("'{letter}' is not a symbol"))?;
            let place = piece.role as u32 - 1;
            1 << (place + if piece.color.is_white() { 0 } else { 6 })
        }
    })
}

/// The ways in which the symbols of a rank can stand for eight squares.
fn ways_of_rank(mut text: &str) -> std::result::Result<Vec<[Contents; 8]>, String> {
    let rank = text;
    let mut symbols = Vec::new();
    let mut squares = 0;
    while let Some(symbol) = next_symbol(&mut text)? {
        let is_repeated = symbol == Symbol::Any && symbols.last() == Some(&Symbol::Any);
        squares += match symbol {
            Symbol::Square(_) => 1,
            Symbol::Empty(n) => usize::from(n),
            Symbol::Any => 0,
        };
        if squares > 8 {
            break;
        }
        if !is_repeated {
            symbols.push(symbol);
        }
    }
    if squares > 8 || squares < 8 && !symbols.contains(&Symbol::Any) {
        return Err(format!("the rank '{rank}' has not eight squares"));
    }
    let mut ways = vec![Vec::new()];
    for symbol in symbols {
        match symbol {
            Symbol::Square(allowed) => ways.iter_mut().for_each(|way| way.push(allowed)),
            Symbol::Empty(n) => ways
                .iter_mut()
                .for_each(|way| way.extend(std::iter::repeat_n(EMPTY, n.into()))),
            Symbol::Any => {
                let with = |way: &Vec<Contents>, n: usize| {
                    let mut way = way.clone();
                    way.extend(std::iter::repeat_n(ANYTHING, n));
                    way
                };
                // The squares of the symbols fit; what is too long with these is left out.
                let free = 8 - squares;
                ways = ways
                    .iter()
                    .flat_map(|way| (0..=free).map(move |n| with(way, n)))
                    .filter(|way| way.len() <= 8)
                    .collect();
            }
        }
    }
    let ways = ways.into_iter().filter_map(|way| way.try_into().ok());
    Ok(ways.collect())
}

impl FromStr for BoardPattern {
    type Err = Error;

    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) with what is wrong.
    fn from_str(text: &str) -> Result<Self> {
        let read = || {
            if text.contains('/') {
                read_board(text.trim())
            } else {
                read_list(text.trim())
            }
        };
        read().map_err(|why| {
            Error::usage(format!("'{text}' is not a board pattern: {why}")).with_remedy(
                "write eight ranks, such as */*/*/*/*/*/*PPP/*K?, or squares, such as Ke1,[Qq]d4,_e5, files or ranks: [^Pp]d,_8, \
                 or one of several files or ranks: [^Pp]a..h",
            )
        })
    }
}

fn read_board(text: &str) -> std::result::Result<BoardPattern, String> {
    let mut ranks: [Vec<[Contents; 8]>; 8] = Default::default();
    let written: Vec<&str> = text.split('/').collect();
    if written.len() != ranks.len() {
        return Err(format!("it has {} ranks, not eight", written.len()));
    }
    for (ways, rank) in ranks.iter_mut().rev().zip(written) {
        *ways = ways_of_rank(rank)?;
    }
    Ok(BoardPattern::of_ranks(ranks))
}

fn read_list(text: &str) -> std::result::Result<BoardPattern, String> {
    let mut pattern = BoardPattern::of_ranks(std::array::from_fn(|_| vec![[ANYTHING; 8]]));
    let mut given = Vec::new();
    for part in text.split(',').map(str::trim) {
        let mut rest = part;
        let symbol = next_symbol(&mut rest)?;
        let Some(Symbol::Square(allowed)) = symbol else {
            return Err(format!("'{part}' is not a symbol and a square"));
        };
        let wrong =
            || format!("'{rest}' in '{part}' is not a square, a file, a rank or a range of these");
        if let Some((first, last)) = rest.split_once("..") {
            let lines = lines_between(first, last).ok_or_else(wrong)?;
            pattern.ranges.push(LineRange { allowed, lines });
            continue;
        }
        let squares = squares_of(rest).ok_or_else(wrong)?;
        if given.contains(&squares) {
            return Err(format!("{rest} is given twice"));
        }
        given.push(squares);
        for square in squares {
            pattern.restrict(square, allowed);
        }
    }
    Ok(pattern)
}

/// The files `a` to `c`, or the ranks `1` to `3`, for the first and the last of them.
fn lines_between(first: &str, last: &str) -> Option<Vec<Bitboard>> {
    let names = [&FILES, &RANKS].into_iter().find_map(|names| {
        let place = |name| names.iter().position(|&other| other == name);
        let range = names.get(place(first)?..=place(last)?);
        range.filter(|names| !names.is_empty())
    })?;
    names.iter().map(|name| squares_of(name)).collect()
}

/// The square of a name such as `e4`, or the squares of the file `e` or the rank `4`.
fn squares_of(name: &str) -> Option<Bitboard> {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => {
            let file = File::from_char(letter).map(Bitboard::from_file);
            file.or_else(|| Rank::from_char(letter).map(Bitboard::from_rank))
        }
        _ => name.parse().ok().map(Bitboard::from_square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::parse_position;

    const FEN: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 1";

    fn matches(pattern: &str) -> bool {
        let position = parse_position(FEN).unwrap();
        pattern.parse::<BoardPattern>().unwrap().matches(&position)
    }

    #[test]
    fn symbols_stand_for_what_they_say() {
        for (pattern, expected) in [
            (FEN.split(' ').next().unwrap(), true),
            ("*/*/*/*/*/*/*/*", true),
            ("*/*/*/*/*/*/*PPP/RNBQK__R", true),
            ("*/*/*/*/*/*/*PPP/RNBQK2R", true),
            ("*/*/*/*/*/*/PPP*PPP/*", true),
            ("*/*/*/*/*/*/PPPP*PPP/*", false),
            ("*/*/*/*/*/*/*/*k*", false),
            ("*/*/*/*/*/*/*/*K*", true),
            ("*/*/*/*/*/*/*/*K?R", false),
            ("*/*/*/*/*/*/*/*K??R", true),
            ("*/*/*/*/*/*/*/AAAAA2A", true),
            ("*/*/*/*/*/*/*/aAAAA2A", false),
            ("*/*/*/*/*/*/*/!!!!!__!", true),
            ("*/*/*/*/*/*/*/!!!!!_!!", false),
            ("?1bqk2r/*/*/*/*/*/*/*", true),
            ("a_aaa__a/*/*/*/*/*/*/*", true),
            ("*/*/*/*/??[BN]*/*/*/*", true),
            ("*/*/*/*/??[^BN]*/*/*/*", false),
            ("*/*/*/*/*/*/*/****K****", true),
            ("*/*/*n*n*/*/*/*/*/*", true),
            ("*/*/*n*n*n*/*/*/*/*/*", false),
            ("*/*/*/*b*b*/*/*/*/*", false),
            ("*/*/*/*[a_]*[a_]*/*/*/*/*", true),
            ("Ke1,ke8", true),
            ("Ke1, kg8", false),
            ("[Bb]c4,[^P_]c5,_e3,?a3,!a1,Aa2,aa7", true),
            ("_e4", false),
            ("[^Nn]a,[^Pp]1", true),
            ("[^Pp]a", false),
            ("_6", false),
            ("[^P]6,[A_]1", true),
            ("[A_]1,Ke1,[^K]8", true),
            ("[A_]1,ke1", false),
            ("[^Pp]a..h", false),
            ("[^P]a..h", false),
            ("[^Qq]a..h", true),
            ("[^P]1..8,[^Pp]3..8", true),
            ("_2..7", false),
            ("[^n_]a..h", false),
            ("[^Kk]e..e", false),
            ("[^Kk]d..e,Ke1", true),
            ("[a_]3..6", true),
        ] {
            assert_eq!(matches(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn rejects_what_is_no_pattern() {
        for (wrong, words) in [
            ("", "not a symbol and a square"),
            ("Ke9", "not a square"),
            ("K", "not a square"),
            ("Ke1,Qe1", "twice"),
            ("_e,Pe", "twice"),
            ("_i", "not a square, a file, a rank or a range"),
            ("_0", "not a square, a file, a rank or a range"),
            ("_b..a", "not a square, a file, a rank or a range"),
            ("_h..a", "not a square, a file, a rank or a range"),
            ("_a..8", "not a square, a file, a rank or a range"),
            ("_a1..a8", "not a square, a file, a rank or a range"),
            ("_a..", "not a square, a file, a rank or a range"),
            ("*e1", "not a symbol and a square"),
            ("3e1", "not a symbol and a square"),
            ("xe1", "'x' is not a symbol"),
            ("[e1", "not closed"),
            ("[]e1", "empty"),
            ("[^!_]e1", "nothing is allowed"),
            ("*/*", "2 ranks"),
            ("*/*/*/*/*/*/*/PPP", "not eight squares"),
            ("*/*/*/*/*/*/*/88888888888888888*", "not eight squares"),
            ("*/*/*/*/*/*/*/9", "'9' is not a symbol"),
        ] {
            let error = wrong.parse::<BoardPattern>().unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{wrong}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn a_rank_of_stars_has_no_more_ways_than_places() {
        let pattern: BoardPattern = "*/*/*/*/*/*/*p*p*p*p*/*".parse().unwrap();
        assert_eq!(pattern.ranks.len(), 1);
        assert!(pattern.ranks[0].ways.len() <= 70);
    }

    #[test]
    fn pawns_that_have_left_do_not_come_back() {
        let reaches = |pattern: &str, fen: &str| {
            let pattern: BoardPattern = pattern.parse().unwrap();
            pattern.is_reachable(&parse_position(fen).unwrap())
        };
        assert!(reaches("Pe4,pd5", FEN));
        assert!(reaches("Pd5", FEN));
        assert!(!reaches("Pe2", FEN));
        assert!(!reaches("pe7", FEN));
        assert!(reaches("[PN]e2", FEN));
    }
}
