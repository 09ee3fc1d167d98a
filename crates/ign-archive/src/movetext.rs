//! The movetext of a game, parsed by pgn-reader: SAN, comments, clocks, evaluations, variations.

pub use crate::moves::{Moves, Positions, after_null_move};

use std::{borrow::Cow, ops::ControlFlow, time::Duration};

use ign_format::pgn::tags::{self, TagReader};
use pgn_reader::{Nag, RawComment, Reader, SanPlus, Skip, Visitor};

use crate::{
    text::{decode_text, unescape},
    values::TimeControl,
};

/// The depth of variations within each other that are read: enough for games that people write, and
/// little enough for recursion over them.
const MAX_DEPTH: usize = 512;

/// A sequence of moves with what is written between them: the main line, or a variation. Variations
/// that are nested more than 512 deep are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<AnnotatedMove>,
}

/// A move of a [`Line`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnnotatedMove {
    /// The move in standard algebraic notation.
    pub san: SanPlus,
    /// Numeric annotation glyphs: `$4`, also written `??`.
    pub nags: Vec<Nag>,
    /// Comments after the move, without white space at their ends.
    pub comments: Vec<String>,
    /// Variations after the move. Each starts from the position before it.
    pub variations: Vec<Line>,
    short_clock: ShortClock,
}

/// A variation of the main line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variation<'g> {
    /// The number of plies of the game before its first move.
    pub plies: usize,
    /// Its moves, with variations of their own.
    pub line: &'g Line,
}

/// The evaluation of a position, from White's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; negative if Black mates.
    Mate(i32),
}

impl Line {
    /// Comments with the number of plies before each.
    pub(crate) fn comments(&self) -> Vec<(usize, String)> {
        let first = self.comments.iter().map(|comment| (0, comment.clone()));
        let after = (1..).zip(&self.moves).flat_map(|(ply, played)| {
            let comments = played.comments.iter();
            comments.map(move |comment| (ply, comment.clone()))
        });
        first.chain(after).collect()
    }

    /// The clock time after each move.
    pub(crate) fn clocks(&self) -> Vec<Option<Duration>> {
        self.moves.iter().map(AnnotatedMove::clock).collect()
    }

    /// The time that each move took.
    pub(crate) fn move_times(&self) -> Vec<Option<Duration>> {
        self.moves.iter().map(AnnotatedMove::time).collect()
    }

    /// The evaluation after each move.
    pub(crate) fn evals(&self) -> Vec<Option<Eval>> {
        self.moves.iter().map(AnnotatedMove::eval).collect()
    }

    /// The variations, with the number of plies before each.
    pub(crate) fn variations(&self) -> Vec<Variation<'_>> {
        let moves = self.moves.iter().enumerate();
        moves
            .flat_map(|(plies, played)| {
                let lines = played.variations.iter();
                lines.map(move |line| Variation { plies, line })
            })
            .collect()
    }
}

impl AnnotatedMove {
    /// The time left on the clock, from a comment such as `[%clk 0:02:59.9]`. `[%clk 1:30]` is 90
    /// seconds, or an hour and a half in games whose TimeControl tag allows such times.
    pub fn clock(&self) -> Option<Duration> {
        let read = |text| read_clock(text, self.short_clock);
        self.command("clk").find_map(read)
    }

    /// The time that the move took, from a comment such as `[%emt 0:00:05.2]`. `[%emt 1:30]` is 90
    /// seconds.
    pub fn time(&self) -> Option<Duration> {
        let read = |text| read_clock(text, ShortClock::MinutesAndSeconds);
        self.command("emt").find_map(read)
    }

    /// The evaluation of the position after the move, from a comment such as `[%eval -0.31]` or
    /// `[%eval #3]`.
    pub fn eval(&self) -> Option<Eval> {
        self.command("eval").find_map(read_eval)
    }

    /// The arguments of a command such as `[%clk 0:03:00]` in the comments.
    fn command<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c str> {
        let comments = self.comments.iter();
        comments.flat_map(move |comment| arguments(comment, name))
    }
}

/// The arguments of a command such as `[%clk 0:03:00]` in a comment.
pub(crate) fn arguments<'c>(comment: &'c str, name: &'c str) -> impl Iterator<Item = &'c str> {
    let parts = comment.split("[%").skip(1);
    let commands = parts.filter_map(|part| part.split_once(']'));
    commands.filter_map(move |(command, _)| {
        let arguments = command.strip_prefix(name)?;
        arguments
            .starts_with(char::is_whitespace)
            .then(|| arguments.trim())
    })
}

/// What the two numbers of a clock such as `1:30` are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ShortClock {
    #[default]
    MinutesAndSeconds,
    /// As in the clocks of PGN, which begin with hours.
    HoursAndMinutes,
}

impl ShortClock {
    /// How clocks are read in a game with this text: as hours and minutes if the game has a time
    /// control that allows such times.
    pub fn of(pgn: &[u8]) -> Self {
        const COMMAND: &[u8] = b"[%clk ";
        let clocks = memchr::memmem::find_iter(pgn, COMMAND).map(|at| {
            let text = &pgn[at + COMMAND.len()..];
            let end = memchr::memchr(b']', text).unwrap_or(text.len());
            str::from_utf8(&text[..end]).unwrap_or_default().trim()
        });
        let mut clocks = clocks.peekable();
        // A game has clocks of one form.
        let is_short = |text: &&str| text.matches(':').count() == 1;
        if clocks.peek().is_none_or(|first| !is_short(first)) {
            return Self::default();
        }
        let mut found = Vec::new();
        TagReader::default().read(pgn, 0, &mut found);
        let control = tags::find(pgn, &found, b"TimeControl")
            .and_then(|value| TimeControl::read(&unescape(value)));
        let longest = clocks
            .filter(is_short)
            .filter_map(|text| read_clock(text, Self::HoursAndMinutes))
            .max();
        let is_allowed = control
            .zip(longest)
            .is_some_and(|(control, longest)| longest.as_secs_f64() <= control.longest());
        if is_allowed {
            Self::HoursAndMinutes
        } else {
            Self::MinutesAndSeconds
        }
    }
}

/// Reads `0:02:59.9`, `59.9`, `1:00:00:00` with days, or `1:30`, of which `short` says what it is.
pub(crate) fn read_clock(text: &str, short: ShortClock) -> Option<Duration> {
    let mut parts = [0.0; 4];
    let mut count = 0;
    for part in text.split(':') {
        let unsigned = part.bytes().all(|c| c.is_ascii_digit() || c == b'.');
        *parts.get_mut(count)? = part.parse().ok().filter(|_| unsigned)?;
        count += 1;
    }
    // A fraction is one of seconds.
    let is_hours = count == 2 && short == ShortClock::HoursAndMinutes && !text.contains('.');
    count += usize::from(is_hours);
    let units = [1.0, 60.0, 3_600.0, 86_400.0];
    let units = units[..count].iter().rev();
    let seconds: f64 = parts
        .iter()
        .zip(units)
        .map(|(part, unit)| part * unit)
        .sum();
    // Tenths and hundredths are rounded to the millisecond that they mean.
    let milliseconds = (1000.0 * seconds).round();
    (milliseconds < u64::MAX as f64).then(|| Duration::from_millis(milliseconds as u64))
}

/// Reads `0.17`, `-12`, `#-3`, each perhaps followed by a comma and the depth.
pub(crate) fn read_eval(text: &str) -> Option<Eval> {
    let value = text.split(',').next()?.trim();
    if let Some(moves) = value.strip_prefix('#') {
        return moves.parse().ok().map(Eval::Mate);
    }
    let pawns: f64 = value.parse().ok()?;
    let centipawns = (100.0 * pawns).round();
    let fits = centipawns.abs() <= f64::from(i32::MAX);
    fits.then_some(Eval::Centipawns(centipawns as i32))
}

/// A reader of the text of a record, which accepts tags and comments of every length. It fails only
/// at a tag or a comment that is not closed; a visitor has then seen all that precedes, and the
/// comment.
pub(crate) fn reader_of(pgn: &[u8]) -> Reader<&[u8]> {
    Reader::build(pgn)
        .set_supported_tag_line_length(pgn.len())
        .set_supported_comment_length(pgn.len())
        .finish()
}

/// Reads the movetext of a record with a visitor. It begins where this format's own reader of tags
/// ends them: pgn-reader gives up in tags whose quotes or brackets are not closed. A comment that is
/// not closed ends with the text.
pub(crate) fn visit_movetext<V: Visitor>(pgn: &[u8], visitor: &mut V) {
    let section = TagReader::default().read(pgn, 0, &mut Vec::new());
    let movetext = with_null_moves(&pgn[section.end..]);
    _ = reader_of(&movetext).read_game(visitor);
}

/// A movetext in which the null moves `0000` and `@@@@`, which pgn-reader ignores, are written `--`.
fn with_null_moves(movetext: &[u8]) -> Cow<'_, [u8]> {
    const NULL_MOVES: [&[u8]; 2] = [b"0000", b"@@@@"];
    const LEN: usize = NULL_MOVES[0].len();
    let is_in = |null: &&[u8]| memchr::memmem::find(movetext, null).is_some();
    if !NULL_MOVES.iter().any(is_in) {
        return Cow::Borrowed(movetext);
    }
    let mut text = movetext.to_vec();
    let mut at = 0;
    while let Some(&byte) = movetext.get(at) {
        let rest = &movetext[at..];
        let is_word = |c: &u8| c.is_ascii_alphanumeric() || b":-/$@".contains(c);
        let is_null = NULL_MOVES.iter().any(|null| rest.starts_with(null))
            && !at
                .checked_sub(1)
                .is_some_and(|before| is_word(&movetext[before]))
            && !rest.get(LEN).is_some_and(is_word);
        if is_null {
            text[at..at + LEN].copy_from_slice(b"--  ");
        }
        let comment = match byte {
            b'{' => memchr::memchr(b'}', rest).unwrap_or(rest.len()),
            b';' => memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
            _ => 0,
        };
        at += comment + 1;
    }
    Cow::Owned(text)
}

/// Parses the movetext of a record. A comment that is not closed ends with the text.
pub(crate) fn read_line(pgn: &[u8]) -> Line {
    let mut parser = Parser {
        lines: vec![Line::default()],
        short_clock: ShortClock::of(pgn),
    };
    visit_movetext(pgn, &mut parser);
    while parser.lines.len() > 1 {
        parser.close();
    }
    parser.lines.pop().unwrap_or_default()
}

/// Builds a [`Line`].
struct Parser {
    /// The open lines: the main line and the variations within each other.
    lines: Vec<Line>,
    short_clock: ShortClock,
}

impl Parser {
    fn innermost(&mut self) -> &mut Line {
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.last_mut().expect("a line was pushed")
    }

    /// Ends a variation: it belongs to the last move of the line around it.
    fn close(&mut self) {
        if self.lines.len() < 2 {
            return;
        }
        let variation = self.lines.pop().expect("two lines are open");
        let around = self.innermost();
        match around.moves.last_mut() {
            Some(last) if variation != Line::default() => last.variations.push(variation),
            // Parentheses without moves, as in `a8 (Q)`.
            Some(_) => {}
            // A variation before any move has nothing to vary; its comments are kept.
            None => around.comments.extend(variation.comments),
        }
    }
}

impl Visitor for Parser {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        let short_clock = self.short_clock;
        self.innermost().moves.push(AnnotatedMove {
            san,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
            short_clock,
        });
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        if let Some(last) = self.innermost().moves.last_mut() {
            last.nags.push(nag);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment) -> ControlFlow<()> {
        let text = decode_text(comment.as_bytes()).trim().to_owned();
        let line = self.innermost();
        let comments = match line.moves.last_mut() {
            Some(last) => &mut last.comments,
            None => &mut line.comments,
        };
        comments.push(text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        let is_too_deep = self.lines.len() > MAX_DEPTH;
        if !is_too_deep {
            self.lines.push(Line::default());
        }
        ControlFlow::Continue(Skip(is_too_deep))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.close();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"?\"]\n\n{ First. } 1. e4! { [%eval 0.2,18] [%clk 0:02:59.9] } e5 \
        (1... c5 2. Nf3 (2. c3 { Alapin } d5) d6) (1... e6) 2. Qh5?? { bad } { [%eval #-12] } *\n";

    #[test]
    fn variations_are_read_up_to_a_depth() {
        for depth in [1, MAX_DEPTH, MAX_DEPTH + 1, 100_000] {
            let text = format!(
                "1. e4 {}{} e5 *",
                "(1. d4 ".repeat(depth),
                ")".repeat(depth)
            );
            let line = read_line(text.as_bytes());
            assert_eq!(line.moves.len(), 2, "{depth}");
            let (mut found, mut line) = (0, &line);
            while let Some(inner) = line.moves[0].variations.first() {
                (found, line) = (found + 1, inner);
            }
            assert_eq!(found, depth.min(MAX_DEPTH));
        }
    }

    #[test]
    fn movetext_is_read_after_tags_that_are_not_closed() {
        for tags in [
            r#"[White "Smith, John "Jack""]"#,
            r#"[White "Smith, "Jack" John"]"#,
            r#"[White "Smith]"#,
            r#"[White "Smith""#,
            r#"[White "Smith\"]"#,
            r#"[White Smith]"#,
        ] {
            let text = format!(
                "[Event \"?\"]\n{tags}\n[Black \"B\"]\n\n1. e4 {{ [%clk 0:01:00] a }} e5 *\n"
            );
            let line = read_line(text.as_bytes());
            assert_eq!(line.moves.len(), 2, "{tags}");
            assert_eq!(line.comments().len(), 1, "{tags}");
        }
    }

    #[test]
    fn movetext_is_read_with_comments_and_nested_variations() {
        let line = read_line(GAME.as_bytes());
        let sans: Vec<String> = line.moves.iter().map(|m| m.san.to_string()).collect();
        assert_eq!(sans, ["e4", "e5", "Qh5"]);
        assert_eq!(
            line.comments(),
            [
                (0, "First.".to_owned()),
                (1, "[%eval 0.2,18] [%clk 0:02:59.9]".to_owned()),
                (3, "bad".to_owned()),
                (3, "[%eval #-12]".to_owned()),
            ]
        );
        assert_eq!(
            line.clocks(),
            [Some(Duration::from_millis(179_900)), None, None]
        );
        assert_eq!(
            line.evals(),
            [Some(Eval::Centipawns(20)), None, Some(Eval::Mate(-12))]
        );
        let variations = line.variations();
        assert_eq!(variations.len(), 2);
        assert!(variations.iter().all(|variation| variation.plies == 1));
        let nested = variations[0].line.variations();
        assert_eq!(nested[0].plies, 1);
        assert_eq!(nested[0].line.moves[0].comments, ["Alapin"]);
        assert_eq!(line.moves[0].nags, [Nag::GOOD_MOVE]);
    }

    #[test]
    fn clocks_of_two_numbers_depend_on_the_time_control() {
        for (control, clocks, seconds) in [
            ("", &["1:30"][..], &[90.0][..]),
            ("?", &["1:30"], &[90.0]),
            ("300", &["4:59", "0:04"], &[299.0, 4.0]),
            ("300+3", &["0:04", "5:01"], &[4.0, 301.0]),
            ("5 min + 3 s", &["4:59"], &[299.0]),
            (
                "5400+30",
                &["1:30", "1:31", "0:04"],
                &[5_400.0, 5_460.0, 240.0],
            ),
            ("40/7200:3600", &["2:30", "0:01"], &[9_000.0, 60.0]),
            ("-", &["23:10"], &[1_390.0]),
            ("300", &["0:04:59", "3:10"], &[299.0, 190.0]),
            ("300", &["59.95", "9.9"], &[59.95, 9.9]),
            ("", &["1:30.5"], &[90.5]),
            (
                "1/86400",
                &["1:00:00:00", "0:23:59:59"],
                &[86_400.0, 86_399.0],
            ),
        ] {
            let moves: String = clocks
                .iter()
                .map(|c| format!("e4 {{[%clk {c}]}} "))
                .collect();
            let text = format!("[TimeControl \"{control}\"]\n\n{moves}*\n");
            let read: Vec<f64> = read_line(text.as_bytes())
                .clocks()
                .into_iter()
                .flatten()
                .map(|clock| clock.as_secs_f64())
                .collect();
            assert_eq!(read, seconds, "{control} {clocks:?}");
        }
    }

    #[test]
    fn every_null_move_is_a_move() {
        let moves = |line: &Line| {
            line.moves
                .iter()
                .map(|m| m.san.to_string())
                .collect::<Vec<_>>()
        };
        let text = "[Date \"0000.00.00\"]\n\n1. e4 {0000} (1. d4 -- 2. 0000 {0000} Z0 3. @@@@ (3. 0000) a6) \
            0000 ; 0000\n2. d4 {[%clk 0000]} $0000 *\n";
        let line = read_line(text.as_bytes());
        assert_eq!(moves(&line), ["e4", "--", "d4"]);
        assert_eq!(line.moves[0].comments, ["0000"]);
        let variation = &line.moves[0].variations[0];
        assert_eq!(moves(variation), ["d4", "--", "--", "--", "--", "a6"]);
        assert_eq!(moves(&variation.moves[4].variations[0]), ["--"]);
    }

    #[test]
    fn odd_clocks_and_evaluations_are_none() {
        for text in ["", "x", "-1", "1:", "1:-2", "1e9", "inf", "1:2:3:4:5"] {
            assert_eq!(read_clock(text, ShortClock::default()), None, "{text}");
        }
        for text in ["", "#", "#x", "1e300", "NaN", "?"] {
            assert_eq!(read_eval(text), None, "{text}");
        }
        assert_eq!(read_eval("-1.07"), Some(Eval::Centipawns(-107)));
    }

    #[test]
    fn tags_and_comments_may_be_long_or_not_closed() {
        let long = "x ".repeat(40_000);
        let comments = |text: &str| read_line(text.as_bytes()).comments();
        let text = format!("[A \"{long}\"]\n\n1. e4 {{{long}}} e5 {{last}} *\n");
        let expected = [(1, long.trim().to_owned()), (2, "last".to_owned())];
        assert_eq!(comments(&text), expected);
        assert_eq!(
            comments("[A \"b\"]\n\n1. e4 {one} e5 {two } 2. d4 {three (x) "),
            [(1, "one"), (2, "two"), (3, "three (x)")].map(|(ply, text)| (ply, text.to_owned()))
        );
        assert_eq!(comments("[A \"b"), []);
    }

    #[test]
    fn any_bytes_give_a_line() {
        for text in [
            "",
            "(",
            ")",
            "1. e4 (",
            "(1. e4) )",
            "{",
            "[",
            "1. e4 ((d4) c4",
            "\u{0}\u{ff}",
        ] {
            _ = read_line(text.as_bytes());
        }
    }
}
