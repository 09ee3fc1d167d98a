//! The text of an ordinary game as python-chess reads it.
//!
//! `chess.pgn.read_game` spends most of its time looking for legal moves. [`read`] returns what a
//! visitor of `read_game` would see, and `_chess.py` makes the nodes. It reads games from the
//! standard starting position that are written without errors or rare forms. For any other text it
//! returns `None`, and python-chess reads the text.

use ign_archive::shakmaty::{CastlingMode, Chess, Position as _, san::San, uci::UciMove};
use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyList, PyType},
};

use crate::strings::Names;

/// What a visitor of python-chess sees.
#[derive(Debug, PartialEq, Eq)]
pub struct ChessText<'t> {
    /// Names and values.
    tags: Vec<(&'t str, &'t str)>,
    events: Vec<Event<'t>>,
    /// The first result of the movetext that is not `*`, or `*`.
    result: Option<&'t str>,
}

/// An element of the movetext.
#[derive(Debug, PartialEq, Eq)]
enum Event<'t> {
    Move(ChessMove),
    Comment(&'t str),
    Glyph(u32),
    BeginVariation,
    EndVariation,
}

/// The squares of a move and the role that a pawn promotes to, with their numbers, which are those
/// of python-chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ChessMove {
    from: u8,
    to: u8,
    /// 0 without promotion.
    promotion: u8,
}

/// The number of values of [`ChessMove::code`].
const CODES: usize = 7 << 12;

impl ChessMove {
    fn code(self) -> usize {
        usize::from(self.from) | usize::from(self.to) << 6 | usize::from(self.promotion) << 12
    }
}

/// The names that python-chess has for the rules of chess.
const STANDARD: [&str; 6] = [
    "Standard",
    "Chess",
    "Classical",
    "Normal",
    "Illegal",
    "From Position",
];

/// The position of a line, and the one before its last move; none before its first move.
struct Line {
    position: Chess,
    before: Option<Chess>,
}

/// Reads the text of a game. `None` if python-chess must read it.
pub fn read(text: &str) -> Option<ChessText<'_>> {
    // Some of these are white space or break lines for Python.
    let is_odd = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    if text.bytes().any(is_odd) {
        return None;
    }
    let mut rest = text;
    let mut tags = Vec::new();
    while rest.starts_with('[') {
        let (line, after) = split_line(rest);
        tags.push(read_tag(line)?);
        rest = after;
    }
    let (line, after) = split_line(rest);
    if is_blank(line) {
        // python-chess skips any number of empty lines before the tags, and one after them.
        rest = Some(after).filter(|_| !tags.is_empty())?;
    }
    if rest.starts_with('[') {
        return None;
    }
    let mut reader = Reader {
        rest,
        lines: vec![Line {
            position: Chess::default(),
            before: None,
        }],
        game: ChessText {
            tags,
            events: Vec::new(),
            result: None,
        },
    };
    reader.movetext()?;
    Some(reader.game)
}

/// The first line with its end, and what follows.
fn split_line(text: &str) -> (&str, &str) {
    text.split_at(text.find('\n').map_or(text.len(), |end| end + 1))
}

/// Whether a line has only white space.
fn is_blank(line: &str) -> bool {
    line.trim_ascii().is_empty()
}

/// Reads `[Name "value"]`.
fn read_tag(line: &str) -> Option<(&str, &str)> {
    let inner = line
        .trim_ascii_end()
        .strip_prefix('[')?
        .strip_suffix("\"]")?;
    let (start, value) = inner.split_once('"')?;
    let name = start.trim_ascii_end();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"_+#=:-".contains(&c));
    let is_read = is_name && start.len() > name.len() && !value.contains('\r');
    // The rules and the start of other games are left to python-chess.
    let is_standard = match name {
        "FEN" => false,
        "Variant" => STANDARD
            .iter()
            .any(|known| value.eq_ignore_ascii_case(known)),
        _ => true,
    };
    (is_read && is_standard).then_some((name, value))
}

struct Reader<'t> {
    rest: &'t str,
    /// The main line and the open variations.
    lines: Vec<Line>,
    game: ChessText<'t>,
}

impl<'t> Reader<'t> {
    /// Reads the movetext, which ends with an empty line.
    fn movetext(&mut self) -> Option<()> {
        let mut is_new_line = true;
        while let Some(&first) = self.rest.as_bytes().first() {
            if std::mem::take(&mut is_new_line) {
                if is_blank(split_line(self.rest).0) {
                    return Some(());
                }
                if matches!(first, b'%' | b';') {
                    return None;
                }
            }
            match first {
                b'\n' => {
                    self.take(1);
                    is_new_line = true;
                }
                b' ' | b'\t' | b'\r' | b'.' => _ = self.take(1),
                b'{' => self.comment()?,
                b'(' => {
                    let position = self.lines.last()?.before.clone()?;
                    self.lines.push(Line {
                        position,
                        before: None,
                    });
                    self.take(1);
                    self.game.events.push(Event::BeginVariation);
                }
                b')' => {
                    self.lines.pop();
                    // The main line is never closed.
                    self.lines.last()?;
                    self.take(1);
                    self.game.events.push(Event::EndVariation);
                }
                b'$' => {
                    self.take(1);
                    let digits = self.take_while(|c| c.is_ascii_digit());
                    // A number of more digits may be too large.
                    let number = digits.parse().ok().filter(|_| digits.len() < 10)?;
                    self.game.events.push(Event::Glyph(number));
                }
                b'!' | b'?' => {
                    let glyph = match self.rest.as_bytes() {
                        [b'!', b'?', ..] => 5,
                        [b'?', b'!', ..] => 6,
                        [b'!', b'!', ..] => 3,
                        [b'?', b'?', ..] => 4,
                        [b'!', ..] => 1,
                        _ => 2,
                    };
                    self.take(if glyph < 3 { 1 } else { 2 });
                    self.game.events.push(Event::Glyph(glyph));
                }
                b'*' => {
                    let result = self.take(1);
                    self.result(result)?;
                }
                b'0'..=b'9' => self.number_or_result()?,
                _ => self.played()?,
            }
        }
        Some(())
    }

    fn take(&mut self, len: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is_part: impl Fn(u8) -> bool) -> &'t str {
        let end = self.rest.bytes().position(|byte| !is_part(byte));
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// A comment without its braces and a space at each end.
    fn comment(&mut self) -> Option<()> {
        let len = self.rest.find('}')?;
        let comment = &self.take(len + 1)[1..len];
        let comment = comment.strip_prefix(' ').unwrap_or(comment);
        let comment = comment.strip_suffix(' ').unwrap_or(comment);
        self.game.events.push(Event::Comment(comment));
        Some(())
    }

    /// A number of a move, or a result.
    fn number_or_result(&mut self) -> Option<()> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'/'));
        if word.bytes().all(|c| c.is_ascii_digit()) {
            // `1.e4`, but not `1(`. Four zeros are a null move.
            let next = self.rest.bytes().next();
            let ends = next.is_none_or(|c| c == b'.' || c.is_ascii_whitespace());
            return (ends && !word.contains("0000")).then_some(());
        }
        self.result(word)
    }

    fn result(&mut self, result: &'t str) -> Option<()> {
        let is_known = matches!(result, "*" | "1-0" | "0-1" | "1/2-1/2");
        if !is_known || self.lines.len() > 1 {
            return None;
        }
        if self.game.result.is_none_or(|before| before == "*") {
            self.game.result = Some(result);
        }
        Some(())
    }

    /// A legal move in standard algebraic notation.
    fn played(&mut self) -> Option<()> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'='));
        let san = San::from_ascii(word.as_bytes()).ok()?;
        self.take_while(|c| matches!(c, b'+' | b'#'));
        let line = self.lines.last_mut()?;
        let played = san.to_move(&line.position).ok()?;
        let UciMove::Normal {
            from,
            to,
            promotion,
        } = played.to_uci(CastlingMode::Standard)
        else {
            return None;
        };
        line.before = Some(line.position.clone());
        line.position.play_unchecked(played);
        self.game.events.push(Event::Move(ChessMove {
            from: u8::from(from),
            to: u8::from(to),
            promotion: promotion.map_or(0, u8::from),
        }));
        Some(())
    }
}

type Cell = PyOnceLock<Py<PyAny>>;

impl ChessText<'_> {
    /// The number of moves of the main line.
    pub fn plies(&self) -> usize {
        let mut depth = 0;
        let main = self.events.iter().filter(|event| match event {
            Event::BeginVariation => {
                depth += 1;
                false
            }
            Event::EndVariation => {
                depth -= 1;
                false
            }
            Event::Move(_) => depth == 0,
            _ => false,
        });
        main.count()
    }

    /// The tags, the events and the result as `_chess.py` expects them.
    pub fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static MOVES: PyOnceLock<Box<[Cell]>> = PyOnceLock::new();
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(py, "chess", "Move")?;
        let table = MOVES.get_or_init(py, || (0..CODES).map(|_| Cell::new()).collect());
        let event = |event: &Event| -> PyResult<Bound<'py, PyAny>> {
            Ok(match *event {
                Event::Move(played) => {
                    let promotion = (played.promotion > 0).then_some(played.promotion);
                    let make = || -> PyResult<_> {
                        Ok(class.call1((played.from, played.to, promotion))?.unbind())
                    };
                    let object = table[played.code()].get_or_try_init(py, make)?;
                    object.bind(py).clone()
                }
                Event::Comment(comment) => comment.into_pyobject(py)?.into_any(),
                Event::Glyph(number) => number.into_pyobject(py)?.into_any(),
                Event::BeginVariation => true.into_pyobject(py)?.to_owned().into_any(),
                Event::EndVariation => false.into_pyobject(py)?.to_owned().into_any(),
            })
        };
        let names = Names::shared(py);
        let tags = self
            .tags
            .iter()
            .map(|&(name, value)| (names.get(py, name), value));
        let tags = PyList::new(py, tags.collect::<Vec<_>>())?;
        let events: PyResult<Vec<_>> = self.events.iter().map(event).collect();
        let events = PyList::new(py, events?)?;
        Ok((tags, events, self.result).into_pyobject(py)?.into_any())
    }
}
