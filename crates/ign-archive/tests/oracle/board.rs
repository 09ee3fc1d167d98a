//! Material and board patterns, by their definitions.

use shakmaty::{Board, Color, Piece, Role, Square};

/// The pieces of both sides, as `KRP-KR`: the pieces of White, then those of Black, sorted.
pub fn material(board: &Board) -> [String; 2] {
    [Color::White, Color::Black].map(|color| {
        let roles = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let squares = board.by_color(color);
        roles
            .into_iter()
            .flat_map(|role| {
                let count = (board.by_role(role) & squares).count();
                std::iter::repeat_n(role.upper_char(), count)
            })
            .collect()
    })
}

/// Whether a board has the material of two sides; `fixed` if the first is White.
pub fn has_material(board: &Board, sides: &[String; 2], fixed: bool) -> bool {
    if board.occupied().count() != sides[0].len() + sides[1].len() {
        return false;
    }
    let has = material(board);
    has == *sides || !fixed && has[0] == sides[1] && has[1] == sides[0]
}

/// What a symbol allows on a square.
fn allows(symbol: &[char], holds: Option<Piece>) -> bool {
    let one = |symbol: char| match (symbol, holds) {
        ('?', _) | ('_', None) | ('!', Some(_)) => true,
        ('A', Some(piece)) => piece.color == Color::White,
        ('a', Some(piece)) => piece.color == Color::Black,
        (letter, Some(piece)) => piece.char() == letter,
        (_, None) => false,
    };
    match symbol {
        ['[', '^', letters @ .., ']'] => !letters.iter().any(|&letter| one(letter)),
        ['[', letters @ .., ']'] => letters.iter().any(|&letter| one(letter)),
        [letter] => one(*letter),
        _ => unreachable!("{symbol:?} is not a symbol"),
    }
}

/// The symbols of a pattern, each as its characters.
fn symbols(text: &str) -> Vec<Vec<char>> {
    let mut symbols: Vec<Vec<char>> = Vec::new();
    let mut is_open = false;
    for letter in text.chars() {
        match symbols.last_mut() {
            Some(last) if is_open => last.push(letter),
            _ => symbols.push(vec![letter]),
        }
        is_open = (is_open || letter == '[') && letter != ']';
    }
    symbols
}

/// Whether symbols stand for what these squares hold.
fn rank_matches(symbols: &[Vec<char>], squares: &[Option<Piece>]) -> bool {
    let Some((symbol, rest)) = symbols.split_first() else {
        return squares.is_empty();
    };
    match symbol[..] {
        ['*'] => (0..=squares.len()).any(|skipped| rank_matches(rest, &squares[skipped..])),
        [digit @ '1'..='8'] => {
            let count = digit as usize - '0' as usize;
            squares.len() >= count
                && squares[..count].iter().all(Option::is_none)
                && rank_matches(rest, &squares[count..])
        }
        _ => {
            let first = squares.split_first();
            first.is_some_and(|(&first, after)| allows(symbol, first) && rank_matches(rest, after))
        }
    }
}

/// A pattern, parsed.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// The symbols of the ranks, the eighth first.
    Ranks(Vec<Vec<Vec<char>>>),
    /// Symbols with the names of their squares, files or ranks, or of ranges of these.
    List(Vec<(Vec<char>, String)>),
}

impl Pattern {
    pub fn read(text: &str) -> Self {
        if text.contains('/') {
            return Self::Ranks(text.split('/').map(symbols).collect());
        }
        let part = |part: &str| {
            let (symbol, name) = part.split_at(part.find(']').map_or(1, |end| end + 1));
            (symbol.chars().collect(), name.to_owned())
        };
        Self::List(text.split(',').map(part).collect())
    }

    pub fn matches(&self, board: &Board) -> bool {
        match self {
            Self::Ranks(ranks) => ranks.iter().zip((0..8).rev()).all(|(symbols, rank)| {
                let squares: [_; 8] =
                    std::array::from_fn(|file| board.piece_at(Square::new(8 * rank + file as u32)));
                rank_matches(symbols, &squares)
            }),
            Self::List(list) => list.iter().all(|(symbol, name)| {
                let is_all = |name: &str| {
                    let mut named = Square::ALL
                        .into_iter()
                        .filter(|square| square.to_string().contains(name));
                    named.all(|square| allows(symbol, board.piece_at(square)))
                };
                match name.split_once("..") {
                    Some((first, last)) => ('1'..='h')
                        .map(String::from)
                        .filter(|line| (first..=last).contains(&&**line))
                        .any(|line| is_all(&line)),
                    None => is_all(name),
                }
            }),
        }
    }
}
