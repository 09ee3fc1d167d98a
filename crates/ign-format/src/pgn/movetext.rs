//! Movetext to moves, gaps and payloads.
//!
//! Each gap is first compared with the template that is expected there, which
//! is a matter of a few bytes; only where that fails is it scanned. A move is
//! resolved on the board, numbered, and written again: where the standard SAN
//! differs from what stands there, the gap says so and the spelling is kept. At
//! the first thing that is no legal move, the moves end and the rest is kept as
//! text.

use super::{
    gaps::{
        COMMENT, LAST_MARK, MAX_TEMPLATE_LEN, NUMBER, Place, RESULT, SPELLING, TEXT, Templates,
        VARIATION,
    },
    layout::{Layout, LayoutModel},
    number::MoveNumber,
    payloads::{Payloads, variation_len},
    records::RESULTS,
    start::Start,
    wrap::{self, KEPT_SPACE, Wrap},
};
use crate::container::MAX_PLIES;
use ign_notation::{
    chess::{
        Move, Position,
        rules::{Board, LegalMoves},
        san::{self, Naming, San},
    },
    signature::{Signature, element_of_ply},
};

/// A record's movetext, taken apart.
#[derive(Debug, Clone, Default)]
pub struct Movetext {
    /// Wrapping and gaps.
    pub layout: Layout,
    /// Comments, variations, text.
    pub payloads: Payloads,
    /// The moves.
    pub moves: Vec<Move>,
    /// For each move its zero-based ordinal and the number of legal moves.
    pub digits: Vec<(u32, u32)>,
    /// For each move its name and sign, found to be what the board demands; empty where it is
    /// spelled otherwise.
    pub names: Vec<San>,
    /// The number of legal moves behind the last one; zero where there is no start.
    pub choices: u32,
    /// The position behind the last move, where the rules are those of chess.
    pub end: Option<Position>,
    /// Whether the game is said to be drawn.
    pub drawn: bool,
    /// Where the six moves of its signature went.
    pub signature: Signature,
}

impl Movetext {
    fn clear(&mut self) {
        self.layout.gaps.clear();
        self.layout.wrap = Wrap::None;
        self.layout.of_second = false;
        self.payloads.clear();
        self.moves.clear();
        self.digits.clear();
        self.names.clear();
        self.choices = 0;
        self.end = None;
        self.drawn = false;
        self.signature = [None; 6];
    }
}

/// What is known of a record before its movetext is read.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// How lines end when the wrapping breaks them.
    pub line_end: &'static [u8],
    /// Where the game starts; none when it cannot be played.
    pub start: Option<&'a Start>,
    /// The value of the Result tag.
    pub result: Option<&'a [u8]>,
}

/// Takes movetext apart, record by record of a block.
#[derive(Default)]
pub struct Parser {
    /// The templates of the block.
    pub templates: Templates,
    wrap: Wrap,
    spelling: Spelling,
    template: Vec<u8>,
    plain: Vec<u8>,
}

/// What a gap leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Something that should be a move starts here.
    Move(usize),
    /// The movetext is over.
    End,
    /// From here on nothing can be made of it.
    Text(usize),
}

/// A move read, before it is known whether check or mate is said as it should be.
struct Step {
    token: Token,
    /// The template of the gap before it, if it was the one expected; else the gap has been
    /// scanned.
    expected: Option<u32>,
}

/// A word that names a move.
struct Token {
    played: Move,
    /// Its bytes.
    len: usize,
    /// Whether it is called as the game's rule says, signs aside.
    named: bool,
    /// The last sign behind the name.
    sign: Option<u8>,
}

impl Parser {
    /// Takes one record's movetext apart. `expected` tells what gaps to expect.
    pub fn parse(
        &mut self,
        movetext: &[u8],
        context: Context,
        expected: &LayoutModel,
        out: &mut Movetext,
    ) {
        let start = match context.start {
            Some(start) if !has_mark(movetext) => start,
            start => return self.parse_as_text(movetext, start, out),
        };
        out.clear();
        let mut plain = std::mem::take(&mut self.plain);
        plain.clear();
        out.layout.wrap = self.unwrap(movetext, context.line_end, &mut plain);
        let body = if out.layout.wrap == Wrap::None {
            movetext
        } else {
            &plain
        };
        self.walk_from(start, body, context.result, expected, out);
        self.plain = plain;
        self.describe(out);
    }

    /// Takes a variation apart, which is in no line's wrapping and holds no marks. It starts there,
    /// with a move of the side that began the game or `of_second`.
    pub fn parse_variation(
        &mut self,
        variation: &[u8],
        start: &Start,
        of_second: bool,
        expected: &LayoutModel,
        out: &mut Movetext,
    ) {
        out.clear();
        out.layout.of_second = of_second;
        self.walk_from(start, variation, None, expected, out);
        self.describe(out);
    }

    /// Takes a record as text: no moves, one gap.
    pub fn parse_as_text(&mut self, movetext: &[u8], start: Option<&Start>, out: &mut Movetext) {
        out.clear();
        out.choices = start.map_or(0, Start::count);
        self.template.clear();
        self.end_as_text(movetext, out);
        self.describe(out);
    }

    /// Notes in the layout what follows from the rest.
    fn describe(&self, out: &mut Movetext) {
        out.layout.naming = self.spelling.naming;
        out.layout.comments = !out.payloads.comments.is_empty();
        out.layout.variations = !out.payloads.variations.is_empty();
        out.layout.text_lens.clone_from(&out.payloads.text_lens);
    }

    /// Finds how lines are wrapped and undoes it.
    fn unwrap(&mut self, movetext: &[u8], line_end: &[u8], plain: &mut Vec<u8>) -> Wrap {
        let (before, inner, after) = wrap_bounds(movetext);
        if has_line_comment(inner) {
            self.wrap = Wrap::None;
            return Wrap::None;
        }
        plain.extend_from_slice(before);
        if !wrap::unwrap_regular(self.wrap, inner, line_end, plain) {
            self.wrap = wrap::detect(inner, line_end, self.wrap);
            if self.wrap != Wrap::None {
                wrap::unwrap(self.wrap, inner, line_end, plain);
            }
        }
        plain.extend_from_slice(after);
        self.wrap
    }

    fn walk_from(
        &mut self,
        start: &Start,
        body: &[u8],
        result: Option<&[u8]>,
        expected: &LayoutModel,
        out: &mut Movetext,
    ) {
        let number = MoveNumber::new(start.fullmoves());
        match start {
            Start::Chess(start) => self.walk(body, start.position, number, result, expected, out),
            Start::Variant(start) => {
                self.walk(body, start.board.clone(), number, result, expected, out);
            }
        }
    }

    fn walk<B: Board>(
        &mut self,
        body: &[u8],
        mut position: B,
        mut number: MoveNumber,
        result: Option<&[u8]>,
        expected: &LayoutModel,
        out: &mut Movetext,
    ) {
        let mut place = Place::first(out.layout.of_second);
        let mut at = 0;
        let mut before = None;
        self.spelling.begin();
        let (rest, choices) = loop {
            let legal = position.legal();
            if let Some(step) = before {
                let gap = self.note(step, legal.sign(), &body[..at], out);
                out.layout.gaps.push(gap);
                place = Place::after(gap, out.digits.len());
            }
            let mark = out.payloads.mark();
            let quick = expected.expect(place).and_then(|template| {
                let end = self.match_template(template, &body[at..], &number, &mut out.payloads)?;
                Some((template, at + end))
            });
            let token_start = if let Some((_, end)) = quick {
                end
            } else {
                out.payloads.rewind(mark);
                match self.scan_gap(body, at, number.text(), result, out) {
                    Next::Move(token_start) if out.digits.len() < MAX_PLIES => token_start,
                    Next::End => break (None, legal.count()),
                    Next::Text(rest) if self.template.len() < MAX_TEMPLATE_LEN => {
                        break (Some(rest), legal.count());
                    }
                    Next::Move(_) | Next::Text(_) => {
                        out.payloads.rewind(mark);
                        self.template.clear();
                        break (Some(at), legal.count());
                    }
                }
            };
            let Some(token) = self.read_move(&legal, &body[token_start..]) else {
                out.payloads.rewind(mark);
                self.template.clear();
                break (Some(at), legal.count());
            };
            let Token { played, .. } = token;
            out.moves.push(played);
            out.digits.push(legal.ordinal_and_count(played));
            if let Some(element) = element_of_ply(out.digits.len()) {
                out.signature[element] = Some(legal.landing(played).to_u32() as u16);
            }
            at = token_start + token.len;
            before = Some(Step {
                token,
                expected: quick.map(|(template, _)| template),
            });
            position.play(played);
            if position.turn().is_white() {
                number.advance();
            }
        };
        out.choices = choices;
        out.end = position.as_chess().copied();
        match rest {
            None => self.end(out),
            Some(rest) => self.end_as_text(&body[rest..], out),
        }
    }

    /// The template of the gap before a move, once it is known what sign the move demands;
    /// `read` ends with the move.
    #[inline(always)]
    fn note(&mut self, step: Step, sign: Option<u8>, read: &[u8], out: &mut Movetext) -> u32 {
        let Step { token, expected } = step;
        let word = &read[read.len() - token.len..];
        if token.named && token.sign == self.spelling.naming.sign(sign) {
            out.names.push(San::from_start(word, token.len));
            return expected.unwrap_or_else(|| self.templates.number(&self.template));
        }
        if let Some(template) = expected {
            self.template.clear();
            self.template
                .extend_from_slice(self.templates.get(template));
        }
        self.template.push(SPELLING);
        out.names.push(San::default());
        out.payloads.push_text(word);
        self.templates.number(&self.template)
    }

    /// Reads the word at the start of the text as a move.
    #[inline]
    fn read_move(&mut self, legal: &impl LegalMoves, text: &[u8]) -> Option<Token> {
        if self.spelling.may_be_plain()
            && let Some(plain) = legal.read_plain(text)
        {
            self.spelling.is_plain();
            return Some(Token {
                played: plain.played,
                len: plain.len(),
                named: true,
                sign: plain.sign,
            });
        }
        let len = text.iter().position(|&c| !san::belongs(c));
        let token = &text[..len.unwrap_or(text.len())];
        let played = legal.resolve(token)?;
        let (name, sign) = split_sign(token);
        Some(Token {
            played,
            len: token.len(),
            named: self.spelling.names(name, played, legal),
            sign,
        })
    }

    /// Ends with the gap that was scanned last.
    fn end(&mut self, out: &mut Movetext) {
        out.layout.last = self.templates.number(&self.template);
    }

    /// Ends with the gap scanned so far and the rest as text.
    fn end_as_text(&mut self, rest: &[u8], out: &mut Movetext) {
        self.template.push(TEXT);
        out.payloads.push_text(rest);
        self.end(out);
    }

    /// Matches a gap with a template, if a move follows; gives the gap's length.
    #[inline(always)]
    fn match_template(
        &self,
        template: u32,
        text: &[u8],
        number: &MoveNumber,
        payloads: &mut Payloads,
    ) -> Option<usize> {
        if let Some(gap) = self.templates.spell(template, number)
            && let Some(bytes) = text.first_chunk()
        {
            // The whole gap and what follows it at once.
            let word = u64::from_le_bytes(*bytes);
            let same = gap.len == 0 || (word ^ gap.word) << (64 - 8 * gap.len) == 0;
            return (same && starts_move((word >> (8 * gap.len)) as u8)).then_some(gap.len);
        }
        let mut at = 0;
        for &byte in self.templates.get(template) {
            match byte {
                NUMBER => {
                    // A handful of bytes: a loop beats the call that compares slices.
                    for digit in number.text() {
                        (text.get(at) == Some(digit)).then_some(())?;
                        at += 1;
                    }
                }
                COMMENT => at += take_comment(&text[at..], payloads)?,
                _ if byte <= LAST_MARK => return None,
                _ => {
                    (text.get(at) == Some(&byte)).then_some(())?;
                    at += 1;
                }
            }
        }
        text.get(at).is_some_and(|&c| starts_move(c)).then_some(at)
    }

    /// Scans the gap at `at` into `self.template` and the payloads.
    fn scan_gap(
        &mut self,
        body: &[u8],
        at: usize,
        number: &[u8],
        result: Option<&[u8]>,
        out: &mut Movetext,
    ) -> Next {
        self.template.clear();
        let template = &mut self.template;
        let payloads = &mut out.payloads;
        let mut at = at;
        let mut ended = false;
        loop {
            // Room for a mark, a result, and a spelling mark behind.
            if template.len() + 10 > MAX_TEMPLATE_LEN {
                return Next::Text(at);
            }
            let text = &body[at..];
            let Some(&byte) = text.first() else {
                return Next::End;
            };
            if ended && !byte.is_ascii_whitespace() {
                return Next::Text(at);
            }
            let len = match byte {
                b'{' => take_comment(text, payloads).inspect(|_| template.push(COMMENT)),
                b'(' => variation_len(&text[1..]).map(|len| {
                    payloads.variations.extend_from_slice(&text[1..=len]);
                    template.push(VARIATION);
                    len + 1
                }),
                // Room for the spelling of each move, and for the rest.
                b';' | b'%' if payloads.text_lens.len() + 1 >= MAX_PLIES => None,
                b';' | b'%' => {
                    let len = memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len());
                    template.push(TEXT);
                    payloads.push_text(&text[..len]);
                    Some(len)
                }
                b'0'..=b'9' | b'*' => {
                    if let Some(found) = starts_with_result(text) {
                        ended = true;
                        out.drawn = found == b"1/2-1/2";
                        if result == Some(found) {
                            template.push(RESULT);
                        } else {
                            template.extend_from_slice(found);
                        }
                        Some(found.len())
                    } else if text.starts_with(b"0-0") {
                        return Next::Move(at);
                    } else if byte == b'*' {
                        template.push(byte);
                        Some(1)
                    } else {
                        let digits = text
                            .iter()
                            .take(20)
                            .take_while(|c| c.is_ascii_digit())
                            .count();
                        if &text[..digits] == number {
                            template.push(NUMBER);
                        } else {
                            template.extend_from_slice(&text[..digits]);
                        }
                        Some(digits)
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' => return Next::Move(at),
                // A pawn that is put on the board, without its letter.
                b'@' if matches!(text, [_, b'a'..=b'h', b'1'..=b'8', ..]) => {
                    return Next::Move(at);
                }
                _ => {
                    template.push(byte);
                    Some(1)
                }
            };
            match len {
                Some(len) => at += len,
                None => return Next::Text(at),
            }
        }
    }
}

/// Whether a move may start with this byte.
#[inline]
const fn starts_move(byte: u8) -> bool {
    matches!(
        byte,
        b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' | b'P' | b'@'
    )
}

/// Whether movetext holds a byte that stands for something else in templates and wrapping.
fn has_mark(movetext: &[u8]) -> bool {
    let is_mark = |&c: &u8| c <= LAST_MARK || c == KEPT_SPACE;
    // No byte of a piece decides, so that many are looked at in one step.
    let any = |piece: &[u8]| piece.iter().fold(false, |any, c| any | is_mark(c));
    movetext.chunks(256).any(any)
}

/// How the game spells its moves: as the game before until a move shows otherwise. Only the first
/// can show that it is by squares or no longer so, since what was read before must stay as it is.
#[derive(Default)]
struct Spelling {
    naming: Naming,
    /// Whether a move has been read.
    begun: bool,
    /// Whether a move has shown how pieces are told from each other.
    settled: bool,
}

impl Spelling {
    /// Begins a game.
    fn begin(&mut self) {
        (self.begun, self.settled) = (false, false);
    }

    /// Whether [`LegalMoves::read_plain`] may read the next move.
    #[inline]
    fn may_be_plain(&self) -> bool {
        !(self.begun && self.naming == Naming::Squares)
    }

    /// It has read one.
    #[inline]
    fn is_plain(&mut self) {
        if !self.begun && self.naming == Naming::Squares {
            self.naming = Naming::Standard;
        }
        self.begun = true;
    }

    /// Whether a move is called so by the game's own naming.
    #[inline]
    fn names(&mut self, name: &[u8], played: Move, legal: &impl LegalMoves) -> bool {
        let named = legal.write_with(self.naming, played).as_bytes() == name;
        let first = !std::mem::replace(&mut self.begun, true);
        // Only a piece told by its rank shows how it is told from others.
        let ranked = matches!(
            name,
            [b'N' | b'B' | b'R' | b'Q', b'1'..=b'8', ..] | [_, _, b'1'..=b'8', _, _, ..]
        );
        if ranked || (first && !named) {
            self.settle(named, first, name, played, legal)
        } else {
            named
        }
    }

    #[cold]
    fn settle(
        &mut self,
        named: bool,
        first: bool,
        name: &[u8],
        played: Move,
        legal: &impl LegalMoves,
    ) -> bool {
        let current = self.naming;
        let by_squares = |naming| naming == Naming::Squares;
        let may_be = |other| {
            other != current
                && (first || by_squares(other) == by_squares(current))
                && legal.write_with(other, played).as_bytes() == name
        };
        let mut others = Naming::ALL.into_iter().filter(|&other| may_be(other));
        match others.next() {
            // What more than one could have written shows nothing.
            Some(_) if named => return true,
            Some(other) if !self.settled => self.naming = other,
            Some(_) => return false,
            None if !named => return false,
            None => {}
        }
        self.settled = others.next().is_none();
        true
    }
}

/// Splits the sign of check or mate off a move.
#[inline]
fn split_sign(token: &[u8]) -> (&[u8], Option<u8>) {
    match token {
        [name @ .., sign @ (b'+' | b'#')] => (name, Some(*sign)),
        _ => (token, None),
    }
}

/// Takes a comment in braces; gives its length, braces included.
#[inline]
fn take_comment(text: &[u8], payloads: &mut Payloads) -> Option<usize> {
    let rest = text.strip_prefix(b"{")?;
    let len = memchr::memchr(b'}', rest)? + 1;
    payloads.comments.extend_from_slice(&rest[..len]);
    Some(len + 1)
}

fn starts_with_result(text: &[u8]) -> Option<&'static [u8]> {
    RESULTS.into_iter().find(|result| {
        // "0-1" is not the start of a longer word.
        text.starts_with(result)
            && text
                .get(result.len())
                .is_none_or(|c| !c.is_ascii_alphanumeric() && *c != b'-')
    })
}

/// White space before, what lies between, white space after: only what lies
/// between is wrapped.
pub(super) fn wrap_bounds(movetext: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let start = movetext.len() - movetext.trim_ascii_start().len();
    let inner = movetext[start..].trim_ascii_end();
    (&movetext[..start], inner, &movetext[start + inner.len()..])
}

/// Whether a comment that goes to the end of its line, or a line that is to be
/// passed over, stands outside of braces: line ends mean something then.
fn has_line_comment(text: &[u8]) -> bool {
    if memchr::memchr2(b';', b'%', text).is_none() {
        return false;
    }
    let mut rest = text;
    while let Some(at) = memchr::memchr3(b'{', b';', b'%', rest) {
        if rest[at] != b'{' {
            return true;
        }
        let Some(len) = memchr::memchr(b'}', &rest[at..]) else {
            return false;
        };
        rest = &rest[at + len..];
    }
    false
}
