//! Parses a record into tags, moves, templates and extracted values.
//!
//! The head, up to the first move, becomes a template with the values of its properties as tags.
//! The text between two moves becomes a gap template. A move is a property `B` or `W` whose single
//! value is legal. Any other `B` or `W` stays text, and so do the moves after it in its branch and
//! the moves after a setup property within a game. The writer decides which moves are encoded; a
//! reader takes them from the layout.

use std::ops::Range;

use super::{
    layout::{Layout, MAX_TEMPLATE, Templates, mark},
    start::Heading,
    syntax::value_end,
};
use crate::container::{MAX_INTEGER_BITS, MAX_RECORD_TAGS, MAX_TAG_NAME_LEN};
use ign_notation::{
    go::{Color, Move, Point, Position, signature::Gathering},
    signature::Signature,
};

/// Maximum number of encoded moves of a main line, including implicit passes (spec §7): each has at
/// most 2^12 choices.
pub const MAX_MOVES: usize = MAX_INTEGER_BITS as usize / 12;
/// Maximum nesting depth of variations whose moves are encoded (spec §14.4.2).
pub const MAX_DEPTH: usize = 512;
/// Maximum length in bytes of a value that is not a tag and stays in the template of the head.
const SHORT: usize = 32;

/// Stack of the positions at which the open variations began (spec §14.4.2).
#[derive(Debug, Default)]
pub struct Branches {
    positions: Vec<Option<Position>>,
    /// Number of open variations beyond [`MAX_DEPTH`], whose positions are not stored.
    beyond: usize,
    /// Whether a variation has ended, and with it the main line.
    ended: bool,
}

impl Branches {
    /// Processes a byte outside values: `(` pushes the position, `)` restores the position at which
    /// the variation began, if it was stored. Other bytes have no effect.
    #[inline]
    pub fn pass(&mut self, byte: u8, position: &mut Option<Position>) {
        match byte {
            b'(' if self.positions.len() < MAX_DEPTH => self.positions.push(position.clone()),
            b'(' => self.beyond += 1,
            b')' => {
                self.ended = true;
                if self.beyond > 0 {
                    self.beyond -= 1;
                } else if let Some(before) = self.positions.pop() {
                    *position = before;
                }
            }
            _ => {}
        }
    }

    /// Whether the main line has not ended.
    #[inline]
    pub fn in_main(&self) -> bool {
        !self.ended
    }

    /// Whether the nesting is deeper than [`MAX_DEPTH`].
    pub fn are_beyond(&self) -> bool {
        self.beyond > 0
    }

    /// Sets the position of all open variations: they began before the first move.
    fn begin(&mut self, start: &Position) {
        for position in &mut self.positions {
            *position = Some(start.clone());
        }
    }
}

/// A tag: its name and value as ranges of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Name.
    pub name: Range<usize>,
    /// The text between its first and last bracket.
    pub value: Range<usize>,
}

/// A move of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The move.
    pub played: Move,
    /// Whether it belongs to the main line.
    pub main: bool,
    /// Whether the move is explicit, that is, in the text. If one colour moves twice in a row, the
    /// other player's pass in between is implicit.
    pub said: bool,
}

impl Played<'_> {
    /// Adds the move to the signature of the game if it is an explicit move of the main line.
    pub fn gather(&self, gathering: &mut Gathering) {
        if self.main && self.said {
            gathering.push(self.position.turn(), self.played);
        }
    }
}

/// A parsed record.
#[derive(Debug, Default)]
pub struct Record {
    /// Its tags, in order, without duplicate names.
    pub tags: Vec<Tag>,
    /// The start of the game, if the tags describe one.
    pub start: Option<Position>,
    /// Numbers of the templates, and how passes are written.
    pub layout: Layout,
    /// Extracted values, each with its `]`.
    pub values: Vec<u8>,
    /// The text that ends the record.
    pub text: Range<usize>,
    /// Signature of the main line.
    pub signature: Signature,
    /// Number of explicit moves of the main line that are encoded.
    pub main_moves: usize,
    /// Whether the main line has further moves, kept as text.
    pub main_ends_early: bool,
}

/// Parses the records of a block, which share one table of templates.
#[derive(Debug, Default)]
pub struct Parser {
    /// Templates of the records parsed so far.
    pub templates: Templates,
}

/// State while a record is parsed.
struct Walk<'t, 'p, V> {
    text: &'t [u8],
    templates: &'p mut Templates,
    record: &'p mut Record,
    visit: V,
    template: Vec<u8>,
    position: Option<Position>,
    branches: Branches,
    /// Whether no move has been parsed yet.
    in_head: bool,
    /// Whether passes are written as `tt`; `None` before the first pass.
    passes: Option<bool>,
    gathering: Option<Gathering>,
    /// The name of the current property.
    name: Range<usize>,
    /// Whether the current property has had a value.
    had_value: bool,
    /// Number of encoded moves of the main line, including implicit passes.
    digits: usize,
    /// Whether the rest of the record is text.
    ends: bool,
}

impl Parser {
    /// Parses a record. Calls `visit` for each of its moves, in the order of the text.
    pub fn parse(&mut self, text: &[u8], record: &mut Record, visit: impl FnMut(Played)) {
        record.tags.clear();
        record.values.clear();
        record.layout.gaps.clear();
        record.layout.passes_by_letters = false;
        record.start = None;
        record.text = text.len()..text.len();
        record.signature = Signature::default();
        record.main_moves = 0;
        record.main_ends_early = false;
        let mut walk = Walk {
            text,
            templates: &mut self.templates,
            record,
            visit,
            template: Vec::new(),
            position: None,
            branches: Branches::default(),
            in_head: true,
            passes: None,
            gathering: None,
            name: 0..0,
            had_value: false,
            digits: 0,
            ends: false,
        };
        walk.run();
        let Walk {
            template,
            passes,
            gathering,
            in_head,
            ..
        } = walk;
        let last = self.templates.number(&template);
        if in_head {
            record.layout.head = last;
            record.start = heading(text, &record.tags).start();
        } else {
            record.layout.gaps.push(last);
        }
        record.layout.passes_by_letters = passes.unwrap_or(false);
        record.layout.text_len = record.text.len() as u32;
        record.signature = gathering.map(|g| g.signature()).unwrap_or_default();
    }

    /// Stores a whole record as text.
    pub fn parse_as_text(&mut self, text: &[u8], record: &mut Record) {
        *record = Record {
            text: 0..text.len(),
            layout: Layout {
                head: self.templates.number(&[mark::TEXT]),
                text_len: text.len() as u32,
                ..Layout::default()
            },
            start: Heading::default().start(),
            ..Record::default()
        };
    }
}

/// The properties of the start among the tags.
fn heading<'t>(text: &'t [u8], tags: &[Tag]) -> Heading<'t> {
    Heading::new(|name| {
        let tag = tags
            .iter()
            .find(|t| &text[t.name.clone()] == name.as_bytes())?;
        Some(&text[tag.value.clone()])
    })
}

impl<V: FnMut(Played)> Walk<'_, '_, V> {
    fn run(&mut self) {
        let text = self.text;
        let is_tree = text.trim_ascii_start().starts_with(b"(");
        let mut at = 0;
        while at < text.len() {
            if !is_tree || self.ends || self.template.len() > MAX_TEMPLATE - 4 * SHORT {
                return self.end_in_text(at);
            }
            let byte = text[at];
            at += 1;
            match byte {
                b'[' => match self.value(at) {
                    Some(after) => at = after,
                    None => return self.end_in_text(at - 1),
                },
                _ => self.outside(byte, at - 1),
            }
        }
    }

    /// Keeps everything from `at` on as text.
    fn end_in_text(&mut self, at: usize) {
        self.template.push(mark::TEXT);
        self.record.text = at..self.text.len();
    }

    /// Processes a byte outside values.
    fn outside(&mut self, byte: u8, at: usize) {
        self.branches.pass(byte, &mut self.position);
        if let mark::TAG..=mark::TEXT = byte {
            self.template.push(mark::ESCAPE);
        }
        self.template.push(byte);
        if byte.is_ascii_alphabetic() {
            if self.name.end != at || self.had_value {
                self.name = at..at;
            }
            self.name.end = at + 1;
            self.had_value = false;
        } else if !byte.is_ascii_whitespace() {
            self.name = 0..0;
            self.had_value = false;
        }
    }

    /// Processes the value whose content starts at `start`. Returns where parsing continues, or
    /// `None` if the value does not end.
    fn value(&mut self, start: usize) -> Option<usize> {
        let text = self.text;
        let end = value_end(text, start)?;
        let name = &text[self.name.clone()];
        let is_first = !std::mem::replace(&mut self.had_value, true);
        let color = match name {
            b"B" => Some(Color::Black),
            b"W" => Some(Color::White),
            _ => None,
        };
        if let Some(color) = color {
            let alone = self.name.end + 1 == start && text.get(end + 1) != Some(&b'[');
            let played = if is_first && alone {
                self.played(&text[start..end], color)
            } else {
                None
            };
            if let Some(played) = played {
                self.play(color, played);
                return Some(end);
            }
            self.lose();
            self.record.main_ends_early |= self.branches.in_main();
        } else if self.in_head
            && is_first
            && !name.is_empty()
            && (!is_setup(name) || matches!(name, b"AB" | b"AW"))
            && let Some(after) = self.tag(start)
        {
            return Some(after);
        }
        let name = &text[self.name.clone()];
        if self.in_head && end - start <= SHORT && color.is_none() {
            self.template.push(b'[');
            for &byte in &text[start..end] {
                if matches!(byte, mark::TAG..=mark::TEXT | b'(' | b')') {
                    self.template.push(mark::ESCAPE);
                }
                self.template.push(byte);
            }
            self.template.push(b']');
        } else {
            self.template.extend([b'[', mark::VALUE]);
            self.record.values.extend_from_slice(&text[start..=end]);
        }
        if is_setup(name) {
            self.lose();
        }
        Some(end + 1)
    }

    /// Marks the position as unknown for the rest of the branch. In the head this makes the rest of
    /// the record text.
    fn lose(&mut self) {
        self.ends |= self.in_head;
        self.position = None;
    }

    /// Stores the property whose first value starts at `start` as a tag, if possible. Returns where
    /// parsing continues.
    fn tag(&mut self, start: usize) -> Option<usize> {
        let text = self.text;
        let name = self.name.clone();
        let again = |tag: &Tag| text[tag.name.clone()] == text[name.clone()];
        if name.len() as u64 > MAX_TAG_NAME_LEN
            || self.record.tags.len() == MAX_RECORD_TAGS
            || self.record.tags.iter().any(again)
        {
            return None;
        }
        let mut end = value_end(text, start)?;
        loop {
            let space = text[end + 1..]
                .iter()
                .take_while(|c| c.is_ascii_whitespace());
            let next = end + 1 + space.count();
            if text.get(next) != Some(&b'[') {
                break;
            }
            end = value_end(text, next + 1)?;
        }
        if memchr::memchr(b'\n', &text[start..end]).is_some() {
            return None;
        }
        self.record.tags.push(Tag {
            name,
            value: start..end,
        });
        self.template.extend([b'[', mark::TAG, b']']);
        Some(end + 1)
    }

    /// Returns the move of a value, if it is legal and can be encoded.
    fn played(&mut self, value: &[u8], color: Color) -> Option<Move> {
        if self.in_head {
            self.position = heading(self.text, &self.record.tags).start();
        }
        let position = self.position.as_ref()?;
        if self.branches.are_beyond() || self.branches.in_main() && self.digits + 2 > MAX_MOVES {
            return None;
        }
        let by_letters = value == b"tt" && position.size().passes_by_letters();
        if value.is_empty() || by_letters {
            return (*self.passes.get_or_insert(by_letters) == by_letters).then_some(Move::Pass);
        }
        let played = Move::Stone(Point::from_letters(value)?);
        let legal = if position.turn() == color {
            position.is_legal(played)
        } else {
            let mut position = position.clone();
            position.play(Move::Pass);
            position.is_legal(played)
        };
        legal.then_some(played)
    }

    /// Plays a move that [`Self::played`] returned, and ends the template before it.
    fn play(&mut self, color: Color, played: Move) {
        self.template.push(b'[');
        let template = self.templates.number(&self.template);
        self.template.clear();
        let position = self.position.as_mut().expect("a move has a position");
        if self.in_head {
            self.in_head = false;
            self.record.layout.head = template;
            self.record.start = Some(position.clone());
            self.branches.begin(position);
            let handicap = heading(self.text, &self.record.tags).has_handicap();
            self.gathering = Some(Gathering::new(position.size(), handicap));
        } else {
            self.record.layout.gaps.push(template);
        }
        let main = self.branches.in_main();
        let unsaid = (position.turn() != color).then_some((Move::Pass, false));
        for (played, said) in unsaid.into_iter().chain([(played, true)]) {
            (self.visit)(Played {
                position,
                played,
                main,
                said,
            });
            position.play(played);
            self.digits += usize::from(main);
        }
        if let Some(gathering) = self.gathering.as_mut().filter(|_| main) {
            gathering.push(color, played);
            self.record.main_moves += 1;
        }
    }
}

/// Whether a property adds or removes stones. Lowercase letters in its name are ignored.
fn is_setup(name: &[u8]) -> bool {
    let mut capitals = name.iter().copied().filter(u8::is_ascii_uppercase);
    let name = [capitals.next(), capitals.next(), capitals.next()];
    [b'B', b'W', b'E']
        .iter()
        .any(|&kind| name == [Some(b'A'), Some(kind), None])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a record: tags, moves as text, templates and the record.
    fn parse(text: &str) -> (Vec<(String, String)>, String, Vec<String>, Record) {
        let mut parser = Parser::default();
        let mut record = Record::default();
        let mut moves = String::new();
        parser.parse(text.as_bytes(), &mut record, |played| {
            moves += if played.said { " " } else { " ~" };
            moves += &match played.played {
                Move::Pass => "--".to_string(),
                Move::Stone(point) => point.to_string(),
            };
            moves += if played.main { "" } else { "'" };
        });
        let tags = record.tags.iter().map(|tag| {
            let part = |range: &Range<usize>| text[range.clone()].to_string();
            (part(&tag.name), part(&tag.value))
        });
        let templates = record
            .layout
            .templates()
            .map(|t| String::from_utf8_lossy(parser.templates.text(t)).into_owned())
            .collect();
        (tags.collect(), moves.trim().to_string(), templates, record)
    }

    #[test]
    fn splits_a_game_into_tags_moves_and_templates() {
        let (tags, moves, templates, record) =
            parse("(;GM[1]PB[A]\nAB[aa][bb] [cc];W[pd]C[hm\\]]\n;B[dp];W[])\n");
        let tag = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(
            tags,
            [tag("GM", "1"), tag("PB", "A"), tag("AB", "aa][bb] [cc")]
        );
        assert_eq!(moves, "pd dp --");
        assert_eq!(
            templates,
            [
                "(;GM[\x01]PB[\x01]\nAB[\x01];W[",
                "]C[\x02\n;B[",
                "];W[",
                "])\n"
            ]
        );
        assert_eq!(record.values, b"hm\\]]");
    }

    #[test]
    fn variations_restore_the_position_at_which_they_began() {
        let (_, moves, ..) =
            parse("(;SZ[9](;B[aa];W[bb](;B[cc])(;B[cc];W[dd]))(;B[aa](;W[bb])(;W[cc])))");
        assert_eq!(moves, "aa bb cc cc' dd' aa' bb' cc'");
    }

    #[test]
    fn two_moves_of_one_colour_have_an_implicit_pass_between_them() {
        assert_eq!(parse("(;B[aa];B[bb];W[cc];W[tt])").1, "aa ~-- bb cc ~-- --");
        assert_eq!(parse("(;W[aa])").1, "~-- aa");
        assert_eq!(parse("(;AB[dd];W[aa])").1, "aa");
    }

    #[test]
    fn illegal_moves_and_the_moves_after_them_stay_text() {
        let (_, moves, templates, record) = parse("(;B[aa];W[bb](;B[aa];W[cc])(;B[dd]))");
        assert_eq!(moves, "aa bb dd'");
        assert_eq!(templates[2], "](;B[\x02;W[\x02)(;B[");
        assert_eq!(record.values, b"aa]cc]");
        for text in [
            "(;B[aa];W[zz])",
            "(;B[aa];W[aaa])",
            "(;B[aa];W[bb][cc])",
            "(;B[aa];W [bb])",
            "(;B[aa];White[bb])",
            "(;B[aa]AE[aa];W[bb])",
            "(;B[aa]AddBlack[cc];W[bb])",
            "(;B[];W[tt])",
        ] {
            let (_, moves, ..) = parse(text);
            assert!(["aa", "--"].contains(&&moves[..]), "{text}: {moves}");
        }
    }

    #[test]
    fn a_record_without_a_known_start_stays_text() {
        for text in [
            "(;GM[2];B[aa])",
            "(;SZ[60];B[aa])",
            "(;AB[aa];AB[bb];W[cc])",
            "(;AE[aa];W[cc])",
            "(;AB[aa\n][bb];W[cc])",
            "(;B[zz];W[cc])",
        ] {
            let (_, moves, templates, record) = parse(text);
            assert_eq!((moves.as_str(), templates.len()), ("", 1), "{text}");
            assert!(templates[0].ends_with('\x04'), "{text}");
            assert!(!record.text.is_empty(), "{text}");
        }
    }

    #[test]
    fn text_outside_trees_and_unterminated_values_stay_text() {
        let (tags, moves, templates, record) = parse("From: me [x]\n\n");
        assert!(tags.is_empty() && moves.is_empty());
        assert_eq!((templates[0].as_str(), record.text), ("\x04", 0..14));
        let (_, moves, templates, record) = parse("(;PB[x];B[aa];W[bb");
        assert_eq!((moves.as_str(), templates[1].as_str()), ("aa", "];W\x04"));
        assert_eq!(record.text, 15..18);
        // A value with a line break is not a tag.
        let (tags, ..) = parse("(;GC[a\nb]PB[x])");
        assert_eq!(tags.len(), 1);
    }

    #[test]
    fn mark_bytes_in_the_text_are_escaped() {
        let (_, _, templates, _) = parse("(;\x01PB[x]PB[(\x02)];B[aa])");
        assert_eq!(templates[0], "(;\x03\x01PB[\x01]PB[\x03(\x03\x02\x03)];B[");
    }
}
