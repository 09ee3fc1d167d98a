//! Movetext parser: splits movetext into moves, gaps and payloads.
//!
//! Each gap is parsed by the gap parser (`gap_parser.rs`). Each move is resolved on the board
//! and written again in the notation of the record. If that differs from the text, the gap's
//! template gets the mark [`MOVE_TEXT`] and the move's text is stored. The moves end at the first
//! word that is not a legal move; the rest is stored as text.

use super::{
    gap_parser::{GapScanner, Next, match_template},
    gaps::{LAST_MARK, MAX_TEMPLATE_LEN, MOVE_TEXT, Place, TEXT, Templates},
    layout::{Layout, LayoutModel},
    notation::NotationDetector,
    number::MoveNumber,
    payloads::Payloads,
    start::Start,
    wrap::{self, KEPT_SPACE, Wrap},
};
use crate::container::MAX_PLIES;
use ign_notation::{
    chess::{
        Move, Position,
        rules::{Board, LegalMoves},
        san::{self, Letters, San, starts_with_figurine},
    },
    signature::{Signature, element_of_ply},
};

/// The parts of a record's movetext.
#[derive(Debug, Clone, Default)]
pub struct Movetext {
    /// Wrapping and gaps.
    pub layout: Layout,
    /// Comments, variations, literal text.
    pub payloads: Payloads,
    /// The moves.
    pub moves: Vec<Move>,
    /// For each move its zero-based ordinal in the canonical order and the number of legal moves.
    pub digits: Vec<(u32, u32)>,
    /// For each move its text, with the sign of check or mate, if it is as the board demands;
    /// empty if it is stored literally.
    pub names: Vec<San>,
    /// Number of legal moves after the last move; zero without a start.
    pub choices: u32,
    /// Position after the last move, for chess.
    pub end: Option<Position>,
    /// Whether the movetext ends with the result of a draw.
    pub drawn: bool,
    /// The signature: destination squares of six plies.
    pub signature: Signature,
}

impl Movetext {
    fn clear(&mut self) {
        self.layout.gaps.clear();
        self.layout.wrap = Wrap::None;
        self.layout.second_side = false;
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

/// What the parser needs to know of a record beside its movetext.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Line end of wrapped lines.
    pub line_end: &'static [u8],
    /// Start of the game; `None` if it cannot be replayed.
    pub start: Option<&'a Start>,
    /// The value of the Result tag.
    pub result: Option<&'a [u8]>,
}

/// Parses the movetext of a block, record by record.
#[derive(Debug, Default)]
pub struct Parser {
    /// The templates of the block.
    pub templates: Templates,
    wrap: Wrap,
    notation: NotationDetector,
    template: Vec<u8>,
    plain: Vec<u8>,
}

/// A parsed move, until the next position shows whether its sign of check or mate is right.
struct PendingMove {
    token: MoveToken,
    /// The template of the gap before it if it was the predicted one; otherwise the gap has been
    /// scanned.
    predicted: Option<u32>,
}

/// A word parsed as a move.
struct MoveToken {
    played: Move,
    /// Its length in bytes.
    len: usize,
    /// Whether it is written in the game's notation, apart from the sign.
    is_standard: bool,
    /// Its sign of check or mate.
    sign: Option<u8>,
}

impl Parser {
    /// Parses the movetext of a record. `layouts` predicts its gaps.
    pub fn parse(
        &mut self,
        movetext: &[u8],
        context: Context,
        layouts: &LayoutModel,
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
        self.parse_from(start, body, context.result, layouts, out);
        self.plain = plain;
        self.complete_layout(out);
    }

    /// Parses a variation, which is not wrapped and contains no marks. It starts at `start`, with
    /// a move of the side that began the game or, if `second_side`, of the other.
    pub fn parse_variation(
        &mut self,
        variation: &[u8],
        start: &Start,
        second_side: bool,
        layouts: &LayoutModel,
        out: &mut Movetext,
    ) {
        out.clear();
        out.layout.second_side = second_side;
        self.parse_from(start, variation, None, layouts, out);
        self.complete_layout(out);
    }

    /// Parses a record as text: one gap and no moves.
    pub fn parse_as_text(&mut self, movetext: &[u8], start: Option<&Start>, out: &mut Movetext) {
        out.clear();
        out.choices = start.map_or(0, Start::count);
        self.template.clear();
        self.end_as_text(movetext, out);
        self.complete_layout(out);
    }

    /// Completes the layout from the payloads and the notation.
    fn complete_layout(&self, out: &mut Movetext) {
        out.layout.naming = self.notation.naming;
        out.layout.comments = !out.payloads.comments.is_empty();
        out.layout.variations = !out.payloads.variations.is_empty();
        out.layout.text_lens.clone_from(&out.payloads.text_lens);
    }

    /// Detects the wrapping rule and unwraps the movetext.
    fn unwrap(&mut self, movetext: &[u8], line_end: &[u8], plain: &mut Vec<u8>) -> Wrap {
        let (before, inner, after) = wrap::bounds(movetext);
        if wrap::has_line_comment(inner) {
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

    fn parse_from(
        &mut self,
        start: &Start,
        body: &[u8],
        result: Option<&[u8]>,
        layouts: &LayoutModel,
        out: &mut Movetext,
    ) {
        let number = MoveNumber::new(start.fullmoves());
        match start {
            Start::Chess(start) => {
                self.parse_moves(body, start.position, number, result, layouts, out)
            }
            Start::Variant(start) => {
                self.parse_moves(body, start.board.clone(), number, result, layouts, out);
            }
        }
    }

    fn parse_moves<B: Board>(
        &mut self,
        body: &[u8],
        mut position: B,
        mut number: MoveNumber,
        result: Option<&[u8]>,
        layouts: &LayoutModel,
        out: &mut Movetext,
    ) {
        let mut place = Place::first(out.layout.second_side);
        let mut at = 0;
        let mut before = None;
        self.notation.begin();
        let (rest, choices) = loop {
            let legal = position.legal();
            if let Some(step) = before {
                let gap = self.finish_move(step, legal.sign(), &body[..at], out);
                out.layout.gaps.push(gap);
                place = Place::after(gap, out.digits.len());
            }
            let mark = out.payloads.mark();
            let is_full = out.digits.len() == MAX_PLIES;
            let predicted = layouts.predict(place).filter(|_| !is_full);
            let quick = predicted.and_then(|template| {
                let payloads = &mut out.payloads;
                let end =
                    match_template(&self.templates, template, &body[at..], &number, payloads)?;
                Some((template, at + end))
            });
            let token_start = if let Some((_, end)) = quick {
                end
            } else {
                out.payloads.rewind(mark);
                let scanner = GapScanner {
                    template: &mut self.template,
                    payloads: &mut out.payloads,
                    is_draw: &mut out.drawn,
                };
                match scanner.scan(body, at, number.text(), result) {
                    Next::Move(token_start) if !is_full => token_start,
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
            let MoveToken { played, .. } = token;
            out.moves.push(played);
            out.digits.push(legal.ordinal_and_count(played));
            if let Some(element) = element_of_ply(out.digits.len()) {
                out.signature[element] = Some(legal.landing(played).to_u32() as u16);
            }
            at = token_start + token.len;
            before = Some(PendingMove {
                token,
                predicted: quick.map(|(template, _)| template),
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

    /// The template of the gap before a move, given the sign that the position after it demands;
    /// `read` ends with the move.
    #[inline(always)]
    fn finish_move(
        &mut self,
        step: PendingMove,
        sign: Option<u8>,
        read: &[u8],
        out: &mut Movetext,
    ) -> u32 {
        let PendingMove { token, predicted } = step;
        let word = &read[read.len() - token.len..];
        if token.is_standard && token.sign == self.notation.naming.sign(sign) {
            out.names.push(San::from_start(word, token.len));
            return predicted.unwrap_or_else(|| self.templates.number(&self.template));
        }
        if let Some(template) = predicted {
            self.template.clear();
            self.template
                .extend_from_slice(self.templates.get(template));
        }
        self.template.push(MOVE_TEXT);
        out.names.push(San::default());
        out.payloads.push_text(word);
        self.templates.number(&self.template)
    }

    /// Parses the word at the start of a text as a move.
    #[inline]
    fn read_move(&mut self, legal: &impl LegalMoves, text: &[u8]) -> Option<MoveToken> {
        if self.notation.may_be_plain()
            && let Some(plain) = legal.read_plain(text)
        {
            self.notation.note_plain();
            return Some(MoveToken {
                played: plain.played,
                len: plain.len(),
                is_standard: true,
                sign: plain.sign,
            });
        }
        let len = text.iter().position(|&c| !san::belongs(c));
        let (token, rest) = text.split_at(len.unwrap_or(text.len()));
        if starts_with_figurine(rest) {
            let (len, letters) = Letters::read(text)?;
            return Some(MoveToken {
                played: legal.resolve(letters.as_bytes())?,
                len,
                is_standard: false,
                sign: None,
            });
        }
        let played = legal.resolve(token)?;
        let (name, sign) = split_sign(token);
        Some(MoveToken {
            played,
            len: token.len(),
            is_standard: self.notation.matches(name, played, legal),
            sign,
        })
    }

    /// Ends the record with the last scanned gap.
    fn end(&mut self, out: &mut Movetext) {
        out.layout.last = self.templates.number(&self.template);
    }

    /// Ends the record with the gap scanned so far and the rest as text.
    fn end_as_text(&mut self, rest: &[u8], out: &mut Movetext) {
        self.template.push(TEXT);
        out.payloads.push_text(rest);
        self.end(out);
    }
}

/// Whether movetext contains a byte with a special meaning in templates or wrapped text.
fn has_mark(movetext: &[u8]) -> bool {
    let is_mark = |&c: &u8| c <= LAST_MARK || c == KEPT_SPACE;
    // No early exit within a chunk, so that the loop is vectorized.
    let any = |piece: &[u8]| piece.iter().fold(false, |any, c| any | is_mark(c));
    movetext.chunks(256).any(any)
}

/// Splits the sign of check or mate off a move's text.
#[inline]
fn split_sign(token: &[u8]) -> (&[u8], Option<u8>) {
    match token {
        [name @ .., sign @ (b'+' | b'#')] => (name, Some(*sign)),
        _ => (token, None),
    }
}
