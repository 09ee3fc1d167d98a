//! Reads moves in the forms of people and of older programs.
//!
//! Nothing is guessed: a form is accepted if exactly one legal move fits, and if it is not the
//! standard form of another move. [`resolve`](super::resolve) comes first.

use super::language::Language;
use crate::chess::{moves::Move, rules::LegalMoves};
use shakmaty::Role;

/// A move read at the start of a text by [`read_loose`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loose {
    /// The move.
    pub played: Move,
    /// The length of its text in bytes, with signs and words of check, mate and en passant.
    pub len: usize,
    /// Whether it has the letter P of a pawn, which is the letter of a knight in Dutch.
    pub has_pawn_letter: bool,
}

/// Words and signs that may directly follow a move and belong to it, in the order of preference.
const SUFFIXES: [&[u8]; 16] = [
    b"+", b"#", b"e.p.", b"e.p", b"ep.", b"ep", b"mate", b"dbl.ch.", b"dbl.ch", b"dblch",
    b"dis.ch.", b"dis.ch", b"disch", b"dch", b"ch.", b"ch",
];

/// Reads the move at the start of a text, with the letters of a language for its piece.
///
/// Accepted beyond what [`resolve`](super::resolve) accepts: `exd6ep`, `exd6e.p.`, `bxa8(Q)`,
/// `bxa8/Q`, `bxa8 (Q)`, `e8 =Q`, `e8=q`, `Pe4`, `ed` and `exd` (a capture by its files), `Qxf7mate`, `Qxf7ch`, `o-o`,
/// `OO`, `00`, castling with other dashes or with the letter O of Cyrillic or Greek, `c1-b2`,
/// `B:b2`, `Bc1:b2`, `E2E4`, and the king that takes its own rook: `e1h1`.
///
/// ```
/// use ign_notation::chess::{Position, rules::Board, san::{Language, read_loose}};
///
/// let read = read_loose(&Position::default().legal(), "Sf3 d5".as_bytes(), Language::German);
/// assert_eq!(read.unwrap().played.uci(), "g1f3");
/// ```
pub fn read_loose(legal: &impl LegalMoves, text: &[u8], language: Language) -> Option<Loose> {
    if let Some((is_long, len)) = castling(text) {
        let name: &[u8] = if is_long { b"O-O-O" } else { b"O-O" };
        return Some(Loose {
            played: legal.resolve(name)?,
            len,
            has_pawn_letter: false,
        });
    }
    let form = Form::capital_squares(text).or_else(|| Form::read(text, language))?;
    let suffixes = suffixes_len(&text[form.len..]);
    let len = form.len + suffixes;
    ends_move(&text[len..]).then_some(())?;
    Some(Loose {
        played: form.resolve(legal)?,
        len,
        has_pawn_letter: form.piece == Some(b'P'),
    })
}

/// Whether a text starts with castling in any form, legal or not.
pub fn starts_with_castling(text: &[u8]) -> bool {
    castling(text).is_some()
}

/// Whether a word resembles castling, whatever follows it: two letters O with a dash, or two
/// capitals or zeros.
pub fn resembles_castling(word: &[u8]) -> bool {
    let is_joined = matches!(word, [b'O', b'O', ..] | [b'0', b'0', ..]);
    let dash = o_len(word).and_then(|o| Some(o + dash_len(&word[o..])?));
    is_joined || dash.is_some_and(|second| o_len(&word[second..]).is_some())
}

/// A file and a rank, of which either may be missing.
type Squares = (Option<u8>, Option<u8>);

/// The parts of a move's text.
#[derive(Clone, Copy, Default)]
struct Form {
    /// The English letter of the piece.
    piece: Option<u8>,
    from: Squares,
    takes: bool,
    to: Squares,
    /// The English letter, as a capital.
    promotion: Option<u8>,
    /// Length in bytes.
    len: usize,
}

impl Form {
    /// `E2E4` and `E2-E4`.
    fn capital_squares(text: &[u8]) -> Option<Form> {
        let square = |text: &[u8]| match *text {
            [file @ b'A'..=b'H', rank @ b'1'..=b'8', ..] => {
                Some((Some(file.to_ascii_lowercase()), Some(rank)))
            }
            _ => None,
        };
        let from = square(text)?;
        let second = 2 + usize::from(text.get(2) == Some(&b'-'));
        let to = square(text.get(second..)?)?;
        let promotion = text
            .get(second + 2)
            .map(u8::to_ascii_uppercase)
            .filter(|letter| b"QRBN".contains(letter));
        Some(Form {
            from,
            to,
            promotion,
            len: second + 2 + usize::from(promotion.is_some()),
            ..Form::default()
        })
    }

    /// `[piece][file][rank][x]file[rank][promotion]`.
    fn read(text: &[u8], language: Language) -> Option<Form> {
        let mut form = Form::default();
        if let Some((letter, len)) = language.piece(text) {
            form.piece = Some(letter);
            form.len = len;
        }
        let (first, len) = place(&text[form.len..]);
        form.len += len;
        let after_first = form.len;
        if let Some((takes, len)) = separator(&text[form.len..]) {
            form.takes = takes;
            form.len += len;
        }
        let (second, len) = place(&text[form.len..]);
        let is_separate = form.len > after_first;
        if second.0.is_some() && (second.1.is_some() || first.1.is_none() || is_separate) {
            (form.from, form.to) = (first, second);
            form.len += len;
        } else {
            // What follows, such as the `e` of `d6ep`, is not a part of the place.
            (form.to, form.len) = (first, after_first);
            form.takes = false;
        }
        form.to.0?;
        let rest = &text[form.len..];
        let must_promote =
            matches!(form.piece, None | Some(b'P')) && matches!(form.to.1, Some(b'1' | b'8'));
        let space = usize::from(must_promote && matches!(rest, [b' ', b'=' | b'(', ..]));
        if let Some((letter, len)) = promotion(&rest[space..], form.to, language) {
            form.promotion = Some(letter);
            form.len += space + len;
        }
        Some(form)
    }

    /// The only legal move of this form.
    fn resolve(&self, legal: &impl LegalMoves) -> Option<Move> {
        let is_pawn = matches!(self.piece, None | Some(b'P'));
        let played = match (self.from, self.to) {
            (_, (_, Some(_))) => self.resolve_to(legal, self.to)?,
            ((Some(_), None), (Some(file), None)) if is_pawn => {
                let mut fitting = (b'1'..=b'8')
                    .filter_map(|rank| self.resolve_to(legal, (Some(file), Some(rank))));
                let played = fitting.next()?;
                fitting.next().is_none().then_some(played)?
            }
            _ => return None,
        };
        let role = legal.board().role_at(played.from());
        (self.piece != Some(b'P') || role == Some(Role::Pawn)).then_some(played)
    }

    /// The legal move of this form to a square.
    fn resolve_to(&self, legal: &impl LegalMoves, to: Squares) -> Option<Move> {
        let piece = self.piece.filter(|&letter| letter != b'P');
        if (piece.is_some() && self.promotion.is_some())
            || (piece.is_none() && self.from.0.is_none() && self.from.1.is_some())
        {
            return None;
        }
        // Two squares have no sign of a capture, so that they are read as UCI notation too.
        let is_uci = piece.is_none() && self.from.0.is_some() && self.from.1.is_some();
        let takes = Some(b'x').filter(|_| self.takes && !is_uci);
        let mut name = [0; 8];
        let mut len = 0;
        let parts = [
            piece,
            self.from.0,
            self.from.1,
            takes,
            to.0,
            to.1,
            self.promotion,
        ];
        for byte in parts.into_iter().flatten() {
            name[len] = byte;
            len += 1;
        }
        let name = &name[..len];
        legal
            .resolve(name)
            .or_else(|| king_takes_rook(legal, name).filter(|_| is_uci))
    }
}

/// Castling as `e1h1`, where the squares are those of king and rook.
fn king_takes_rook(legal: &impl LegalMoves, squares: &[u8]) -> Option<Move> {
    let written = Move::of_squares(squares)?;
    let (from, to) = (written.from(), written.to());
    let board = legal.board();
    let rooks = board.castling_rooks() & board.us();
    if board.role_at(from) != Some(Role::King) || !rooks.contains(to) {
        return None;
    }
    let castling: &[u8] = if to > from { b"O-O" } else { b"O-O-O" };
    legal
        .resolve(castling)
        .filter(|played| played.from() == from)
}

/// The file and the rank at the start of a text, and their length.
fn place(text: &[u8]) -> (Squares, usize) {
    let file = text.first().copied().filter(|c| matches!(c, b'a'..=b'h'));
    let len = usize::from(file.is_some());
    let rank = text.get(len).copied().filter(|c| matches!(c, b'1'..=b'8'));
    ((file, rank), len + usize::from(rank.is_some()))
}

/// What separates two squares: whether it is a sign of a capture, and its length.
fn separator(text: &[u8]) -> Option<(bool, usize)> {
    match text {
        [b'x' | b'X' | b':', ..] => Some((true, 1)),
        [0xC3, 0x97, ..] => Some((true, 2)),
        _ => dash_len(text).map(|len| (false, len)),
    }
}

/// The English letter of the promotion piece at the start of a text, and the length of all that
/// gives it.
fn promotion(text: &[u8], to: Squares, language: Language) -> Option<(u8, usize)> {
    let letter_at = |at: usize| {
        let rest = text.get(at..)?;
        if let Some(found) = language.piece(rest) {
            return Some(found).filter(|(letter, _)| !matches!(letter, b'P' | b'K'));
        }
        let letter = rest.first()?.to_ascii_uppercase();
        (language.is_english() && b"QRBN".contains(&letter)).then_some((letter, 1))
    };
    let sign = usize::from(matches!(text, [b'=' | b'/', ..]));
    if text.get(sign) == Some(&b'(') {
        let start = sign + 1 + usize::from(text.get(sign + 1) == Some(&b'='));
        let (letter, len) = letter_at(start)?;
        return (text.get(start + len) == Some(&b')')).then_some((letter, start + len + 1));
    }
    let is_last_rank = matches!(to.1, Some(b'1' | b'8') | None);
    let (letter, len) = letter_at(sign).filter(|_| sign > 0 || is_last_rank)?;
    Some((letter, sign + len))
}

/// Castling at the start of a text: whether it is long, and its length with signs.
fn castling(text: &[u8]) -> Option<(bool, usize)> {
    let mut len = o_len(text)?;
    let part = |at: usize| {
        let dash = dash_len(&text[at..]).unwrap_or(0);
        o_len(&text[at + dash..]).map(|o| dash + o)
    };
    len += part(len)?;
    let third = part(len);
    len += third.unwrap_or(0);
    len += suffixes_len(&text[len..]);
    let follows = |c: &u8| matches!(c, b'.' | b':' | b'/' | b'-');
    let ends = ends_move(&text[len..]) && !text.get(len).is_some_and(follows);
    ends.then_some((third.is_some(), len))
}

/// Length of the O or zero of castling at the start of a text: Latin, Cyrillic or Greek.
fn o_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'O' | b'o' | b'0', ..] => Some(1),
        [0xD0, 0x9E | 0xBE, ..] | [0xCE, 0x9F | 0xBF, ..] => Some(2),
        _ => None,
    }
}

/// Length of the dash at the start of a text: a hyphen, a dash or a minus sign of Unicode or of
/// Windows-1252.
pub fn dash_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'-' | 0x96 | 0x97, ..] => Some(1),
        [0xE2, 0x80, 0x90..=0x95, ..] | [0xE2, 0x88, 0x92, ..] => Some(3),
        _ => None,
    }
}

/// Length of the suffixes at the start of a text.
fn suffixes_len(text: &[u8]) -> usize {
    let mut len = 0;
    let next = |rest: &[u8]| SUFFIXES.into_iter().find(|suffix| rest.starts_with(suffix));
    while let Some(suffix) = next(&text[len..]) {
        len += suffix.len();
    }
    len
}

/// Whether a move may end before this text: no letter or digit follows, nor a sign that joins one.
/// A result may follow, as in `Qb30-1`: no rank has two digits.
fn ends_move(text: &[u8]) -> bool {
    let results: [&[u8]; 3] = [b"1-0", b"0-1", b"1/2-1/2"];
    let after = results.iter().find_map(|result| text.strip_prefix(*result));
    if after.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace)) {
        return true;
    }
    let starts_word = |text: &[u8]| match text.first() {
        None => false,
        Some(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric() || *byte == b'@',
        Some(_) => {
            let valid = text[..text.len().min(4)].utf8_chunks().next();
            let letter = valid.and_then(|chunk| chunk.valid().chars().next());
            letter.is_some_and(char::is_alphabetic)
        }
    };
    let joined = separator(text).map_or(&[][..], |(_, len)| &text[len..]);
    !starts_word(text) && !starts_word(joined)
}
