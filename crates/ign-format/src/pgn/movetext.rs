//! Movetext parser: splits movetext into moves, gaps and payloads.
//!
//! Each gap is parsed by the gap parser (`gap_parser.rs`). Each move is resolved on the board
//! and written again in the notation of the record. If that differs from the text, the gap's
//! template gets the mark [`MOVE_TEXT`] and the move's text is stored. The moves end at the first
//! word that is neither a legal move nor an annotation; the rest is stored as text.
//!
//! The letters of pieces are English, unless all moves can be read in another language and not in
//! English.

use super::{
    gap_parser::{Expected, Found, GapScanner, Next, match_template},
    gaps::{GapContext, LAST_MARK, MAX_TEMPLATE_LEN, MOVE_TEXT, NUMBER, TEXT, Templates},
    layout::{Layout, LayoutModel},
    notation::NotationDetector,
    number::MoveNumber,
    payloads::Payloads,
    start::Start,
    words,
    wrap::{self, KEPT_SPACE, Wrap},
};
use crate::container::MAX_PLIES;
use ign_notation::{
    chess::{
        Move, Position,
        rules::{Board, LegalMoves},
        san::{self, Language, Letters, San, read_loose, starts_with_figurine},
    },
    signature::{Signature, element_of_ply},
};

/// The digit of a null move, which is no choice among the legal moves.
pub const NO_CHOICE: (u32, u32) = (0, 0);

/// Maximum length of two moves that are written as one word.
const MAX_JOINED: usize = 16;

/// The parts of a record's movetext.
#[derive(Debug, Clone, Default)]
pub struct Movetext {
    /// Wrapping and gaps.
    pub layout: Layout,
    /// Comments, variations, literal text.
    pub payloads: Payloads,
    /// The moves.
    pub moves: Vec<Move>,
    /// For each move its zero-based ordinal in the canonical order and the number of legal moves;
    /// [`NO_CHOICE`] for null moves.
    pub digits: Vec<(u32, u32)>,
    /// The plies of the null moves, from 0.
    pub nulls: Vec<u32>,
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
        self.layout.wrap = Wrap::None;
        self.layout.second_side = false;
        self.clear_moves();
    }

    /// Clears all but what is known before the moves are read.
    fn clear_moves(&mut self) {
        self.layout.gaps.clear();
        self.payloads.clear();
        self.moves.clear();
        self.digits.clear();
        self.nulls.clear();
        self.names.clear();
        self.choices = 0;
        self.end = None;
        self.drawn = false;
        self.signature = [None; 6];
    }

    /// The digits of the moves that are not null moves.
    pub fn choices(&self) -> impl Iterator<Item = (u32, u32)> {
        let digits = self.digits.iter().copied();
        digits.filter(|&digit| digit != NO_CHOICE)
    }

    /// Sets the plies of the null moves to those of these moves.
    pub fn set_nulls(&mut self, moves: &[Move]) {
        let nulls = (0..).zip(moves).filter(|(_, played)| played.is_null());
        self.nulls.clear();
        self.nulls.extend(nulls.map(|(ply, _)| ply));
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
    language: Language,
    template: Vec<u8>,
    plain: Vec<u8>,
    /// What the record that is read knows beside its board.
    reading: Reading,
    /// The moves in another language.
    other: Movetext,
}

/// State of the record that is read.
#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    /// Whether null moves are read.
    reads_nulls: bool,
    /// Whether the text contains a byte with a special meaning in templates or wrapped text.
    has_marks: bool,
    /// Whether a move had the letter P of a pawn.
    has_pawn_letter: bool,
    /// Whether a move had a letter of another language that is not the letter of an English piece.
    has_other_letter: bool,
    /// Whether a comment with nested braces was not closed, after which none is looked for.
    is_unbalanced: bool,
}

/// How the moves of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// With the text or with a result.
    Whole,
    /// At this offset.
    Stopped(usize),
}

impl End {
    fn of(at: usize, found: Found) -> Self {
        if found.ended && found.words == 0 {
            End::Whole
        } else {
            End::Stopped(at)
        }
    }
}

/// What follows a gap that was scanned.
enum Step {
    /// A move, with the offset of its text.
    Move(usize, MoveToken),
    /// The end of the movetext.
    End,
    /// Text from this offset on.
    Text(usize, End),
    /// Text, of which the gap is a part.
    Rest(End),
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

impl MoveToken {
    /// A move that is written as in PGN.
    #[inline]
    fn plain(plain: &san::Plain) -> Self {
        Self {
            played: plain.played,
            len: plain.len(),
            is_standard: true,
            sign: plain.sign,
        }
    }

    /// A move that is written otherwise, whose text is stored.
    fn otherwise(played: Move, len: usize) -> Self {
        Self {
            played,
            len,
            is_standard: false,
            sign: None,
        }
    }
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
            Some(start) => start,
            None => return self.parse_as_text(movetext, None, out),
        };
        out.clear();
        let mut plain = std::mem::take(&mut self.plain);
        plain.clear();
        self.reading.has_marks = has_mark(movetext);
        self.reading.reads_nulls = true;
        if !self.reading.has_marks {
            out.layout.wrap = self.unwrap(movetext, context.line_end, &mut plain);
        }
        let body = if out.layout.wrap == Wrap::None {
            movetext
        } else {
            &plain
        };
        self.parse_in_any_language(start, body, context.result, layouts, out);
        self.plain = plain;
        self.complete_layout(out);
    }

    /// Parses a variation, which is not wrapped and whose moves end before a null move. It starts
    /// at `start`, with a move of the side that began the game or, if `second_side`, of the other.
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
        self.reading.has_marks = has_mark(variation);
        self.reading.reads_nulls = false;
        self.parse_in_any_language(start, variation, None, layouts, out);
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

    /// Parses the moves with English letters or, if all can be read in another language only, with
    /// the letters of that language. Text that is no move may follow them.
    fn parse_in_any_language(
        &mut self,
        start: &Start,
        body: &[u8],
        result: Option<&[u8]>,
        layouts: &LayoutModel,
        out: &mut Movetext,
    ) {
        let before = (self.templates.len(), self.notation);
        let end = self.parse_from(start, body, result, layouts, out);
        let has_pawn_letter = self.reading.has_pawn_letter;
        let may_be_other =
            has_pawn_letter || matches!(end, End::Stopped(at) if is_named_otherwise(&body[at..]));
        if !may_be_other {
            return;
        }
        let is_english = matches!(end, End::Whole);
        let again = |parser: &mut Self, language, out: &mut Movetext| {
            (parser.language, parser.notation) = (language, before.1);
            out.clear_moves();
            let end = parser.parse_from(start, body, result, layouts, out);
            parser.language = Language::English;
            end
        };
        let (english, notation) = (self.templates.len(), self.notation);
        let mut other = std::mem::take(&mut self.other);
        other.layout.second_side = out.layout.second_side;
        let mut found: Option<(Language, Vec<Move>)> = None;
        let mut agree = true;
        for language in Language::OTHERS {
            let end = again(self, language, &mut other);
            self.templates.truncate(english);
            let reads_all = match end {
                End::Whole => true,
                End::Stopped(at) => !words::resembles_move(first_word(&body[at..])),
            };
            // R is a rook in English and a king in others, so R alone shows no language.
            if reads_all && self.reading.has_other_letter {
                let first = found.as_ref().map(|(_, moves)| moves);
                let first = first.or(is_english.then_some(&out.moves));
                agree &= first.is_none_or(|moves| *moves == other.moves);
                found.get_or_insert_with(|| (language, other.moves.clone()));
            }
        }
        self.other = other;
        self.notation = notation;
        let is_found = found.is_some() && !is_english;
        if agree && !is_found && (is_english || !has_pawn_letter) {
            return;
        }
        self.templates.truncate(before.0);
        if !agree {
            self.notation = before.1;
            out.clear_moves();
            out.choices = start.count();
            self.template.clear();
            self.end_as_text(body, out);
        } else if let Some((language, _)) = found {
            again(self, language, out);
        } else if has_pawn_letter {
            again(self, Language::EnglishPieces, out);
        }
    }

    fn parse_from(
        &mut self,
        start: &Start,
        body: &[u8],
        result: Option<&[u8]>,
        layouts: &LayoutModel,
        out: &mut Movetext,
    ) -> End {
        let number = MoveNumber::new(start.fullmoves());
        match start {
            Start::Chess(start) => {
                self.parse_moves(body, start.position, number, result, layouts, out)
            }
            Start::Variant(start) => {
                self.parse_moves(body, start.board.clone(), number, result, layouts, out)
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
    ) -> End {
        let mut place = GapContext::first(out.layout.second_side);
        let mut at = 0;
        let mut before = None;
        self.notation.begin();
        self.reading.has_pawn_letter = false;
        self.reading.has_other_letter = false;
        self.reading.is_unbalanced = false;
        let (rest, choices) = loop {
            let legal = position.legal();
            if let Some(step) = before {
                let gap = self.finish_move(step, legal.sign(), &body[..at], out);
                out.layout.gaps.push(gap);
                place = GapContext::after(gap, out.digits.len());
            }
            let mark = out.payloads.mark();
            let is_full = out.digits.len() == MAX_PLIES;
            // A comment with a mark is not taken as one, which only the scanner checks.
            let may_be_quick =
                !is_full && !self.reading.has_marks && self.language == Language::English;
            let predicted = layouts.predict(place).filter(|_| may_be_quick);
            let quick = predicted.and_then(|template| {
                let payloads = &mut out.payloads;
                let end =
                    match_template(&self.templates, template, &body[at..], &number, payloads)?;
                let token_start = at + end;
                let token = read_move(&mut self.notation, &legal, &body[token_start..])?;
                Some((template, token_start, token))
            });
            let (predicted, token_start, token) = if let Some((template, start, token)) = quick {
                (Some(template), start, token)
            } else {
                out.payloads.rewind(mark);
                let gaps = &out.layout.gaps;
                let expected = Expected {
                    number: number.text(),
                    result,
                    white: position.turn().is_white(),
                    is_first: gaps.is_empty(),
                    may_pass: self.reading.reads_nulls && legal.may_pass(),
                    is_numbered: gaps.len().checked_sub(2).is_none_or(|i| {
                        let is_digit = |c: &u8| *c == NUMBER || c.is_ascii_digit();
                        self.templates.get(gaps[i]).iter().any(is_digit)
                    }),
                };
                let here = (&position, &legal);
                match self.scan_gap(here, body, at, expected, is_full, out) {
                    Step::Move(start, token) => (None, start, token),
                    Step::End => break (None, legal.count()),
                    Step::Text(rest, end) if self.template.len() < MAX_TEMPLATE_LEN => {
                        break (Some((rest, end)), legal.count());
                    }
                    Step::Text(_, end) | Step::Rest(end) => {
                        out.payloads.rewind(mark);
                        self.template.clear();
                        break (Some((at, end)), legal.count());
                    }
                }
            };
            let MoveToken { played, .. } = token;
            out.moves.push(played);
            if played.is_null() {
                out.nulls.push(out.digits.len() as u32);
            }
            out.digits.push(legal.digit(played).unwrap_or(NO_CHOICE));
            if let Some(element) = element_of_ply(out.digits.len()) {
                out.signature[element] = Some(legal.landing(played).to_u32() as u16);
            }
            at = token_start + token.len;
            before = Some(PendingMove { token, predicted });
            position.play(played);
            if position.turn().is_white() {
                number.advance();
            }
        };
        out.choices = choices;
        out.end = position.as_chess().copied();
        match rest {
            None => {
                self.end(out);
                End::Whole
            }
            Some((rest, end)) => {
                self.end_as_text(&body[rest..], out);
                end
            }
        }
    }

    /// Scans the gap at `at` and reads the move after it, unless the game `is_full`.
    fn scan_gap<B: Board>(
        &mut self,
        (position, legal): (&B, &B::Legal),
        body: &[u8],
        at: usize,
        expected: Expected,
        is_full: bool,
        out: &mut Movetext,
    ) -> Step {
        let Self {
            template,
            notation,
            language,
            reading,
            ..
        } = self;
        let (mark, drawn) = (out.payloads.mark(), out.drawn);
        let mut nested = false;
        loop {
            out.payloads.rewind(mark);
            template.clear();
            let mut scanner = GapScanner {
                template,
                payloads: &mut out.payloads,
                is_draw: &mut out.drawn,
                expected,
                nested,
                found: Found::default(),
            };
            let mut from = at;
            let stopped = loop {
                let word = match scanner.scan(body, from) {
                    Next::End => return Step::End,
                    Next::Text(rest)
                        if scanner.found.words > 0 || (nested && !scanner.found.ended) =>
                    {
                        break rest;
                    }
                    Next::Text(rest) => return Step::Text(rest, End::of(rest, scanner.found)),
                    Next::Word(word) => word,
                };
                if is_full {
                    break word;
                }
                let text = &body[word..];
                if scanner.allows_move() {
                    let null = read_null(text).filter(|_| expected.may_pass);
                    let token =
                        null.or_else(|| read_any(notation, *language, reading, legal, text));
                    let may_be_joined = token.is_none() && expected.white && scanner.is_at_number();
                    let token = token.or_else(|| {
                        let len = may_be_joined.then(|| joined_len(position, legal, text))??;
                        read_move(notation, legal, &text[..len])
                    });
                    if let Some(token) = token {
                        return Step::Move(word, token);
                    }
                }
                // The text after a nested comment's first closing brace is not that of moves.
                if scanner.found.opens_in_comment && !nested && !reading.is_unbalanced {
                    break word;
                }
                match scanner.skip_word(body, word) {
                    Some(end) => from = end,
                    None => break word,
                }
            };
            let found = scanner.found;
            out.drawn = drawn;
            if nested {
                (nested, reading.is_unbalanced) = (false, true);
            } else if found.opens_in_comment && !reading.is_unbalanced && !is_full {
                nested = true;
            } else {
                return Step::Rest(End::of(stopped, found));
            }
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

    /// Ends the record with the last scanned gap.
    fn end(&mut self, out: &mut Movetext) {
        out.layout.last = self.templates.number(&self.template);
    }

    /// Ends the record with the gap scanned so far and the rest as text.
    fn end_as_text(&mut self, rest: &[u8], out: &mut Movetext) {
        if self.template.last() == Some(&TEXT) {
            out.payloads.extend_text(rest);
        } else {
            self.template.push(TEXT);
            out.payloads.push_text(rest);
        }
        self.end(out);
    }
}

/// Parses the word at the start of a text as a move in PGN, long algebraic or UCI notation.
#[inline]
fn read_move(
    notation: &mut NotationDetector,
    legal: &impl LegalMoves,
    text: &[u8],
) -> Option<MoveToken> {
    if notation.may_be_plain()
        && let Some(plain) = legal.read_plain(text)
    {
        notation.note_plain();
        return Some(MoveToken::plain(&plain));
    }
    let len = text.iter().position(|&c| !san::belongs(c));
    let (token, rest) = text.split_at(len.unwrap_or(text.len()));
    if starts_with_figurine(rest) {
        let (len, letters) = Letters::read(text)?;
        let played = legal.resolve(letters.as_bytes())?;
        return Some(MoveToken::otherwise(played, len));
    }
    let played = legal.resolve(token)?;
    let (name, sign) = split_sign(token);
    Some(MoveToken {
        played,
        len: token.len(),
        is_standard: notation.matches(name, played, legal),
        sign,
    })
}

/// Length of the first of two moves that are written as one word, as in `1.e4e5`: both are legal,
/// the word can be divided in one way only, and no other move follows it.
#[cold]
fn joined_len<B: Board>(position: &B, legal: &B::Legal, text: &[u8]) -> Option<usize> {
    let word = first_word(text);
    let next = text[word.len()..].trim_ascii_start().first();
    if word.len() > MAX_JOINED || next.is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let reads_both = |&at: &usize| {
        let (first, second) = word.split_at(at);
        // Two squares are a move in UCI notation, which may be a part of one in another.
        let is_uci = |name: &[u8]| {
            matches!(
                name,
                [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..]
            )
        };
        if is_uci(first) || is_uci(second) {
            return None;
        }
        let played = legal.resolve(first)?;
        let mut next = position.clone();
        next.play(played);
        next.legal().resolve(second)
    };
    let mut places = (2..word.len().saturating_sub(1)).filter(|at| reads_both(at).is_some());
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

/// Parses the word at the start of a text as a null move.
fn read_null(text: &[u8]) -> Option<MoveToken> {
    let len = san::null_len(text)?;
    Some(MoveToken {
        played: Move::NULL,
        len,
        is_standard: &text[..len] == b"--",
        sign: None,
    })
}

/// Parses the word at the start of a text as a move in any form, with the letters of a language.
#[cold]
fn read_any(
    notation: &mut NotationDetector,
    language: Language,
    reading: &mut Reading,
    legal: &impl LegalMoves,
    text: &[u8],
) -> Option<MoveToken> {
    if language.is_english()
        && let Some(token) = read_move(notation, legal, text)
    {
        return Some(token);
    }
    // Pawn moves and castling are the same in all languages.
    if !language.is_english()
        && matches!(text, [b'a'..=b'h' | b'O', ..])
        && notation.may_be_plain()
        && let Some(plain) = legal.read_plain(text)
        && plain.played.promotion().is_none()
    {
        notation.note_plain();
        return Some(MoveToken::plain(&plain));
    }
    let loose = read_loose(legal, text, language)?;
    reading.has_pawn_letter |= loose.has_pawn_letter;
    reading.has_other_letter |= !language.is_english()
        && (0..loose.len).any(|at| {
            !b"KQRBN".contains(&text[at]) && language.piece(&text[at..loose.len]).is_some()
        });
    Some(MoveToken::otherwise(loose.played, loose.len))
}

fn first_word(text: &[u8]) -> &[u8] {
    &text[..words::word_len(text)]
}

/// Whether a word looks like a move with a letter that is not English, for its piece or for a
/// promotion.
fn is_named_otherwise(text: &[u8]) -> bool {
    let word = first_word(text);
    let is_name = |at: usize| {
        let names = |language: Language| language.piece(&word[at..]).is_some();
        Language::OTHERS.into_iter().any(names)
    };
    words::resembles_move(word) && (0..word.len()).any(is_name)
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
