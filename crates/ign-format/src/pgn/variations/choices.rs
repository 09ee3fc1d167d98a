//! Moves of variations: choices among the legal moves (spec §4.6.2).
//!
//! Each move is coded with the frequency that the move model gives it, or with equal frequencies
//! if the block's moves are not weighted. The move that a variation replaces gets the lowest
//! frequency as the first move. The number of moves of a line is known beforehand.
//!
//! The games are divided into parts of [`PART`], so that a reader of one game decodes only the
//! moves of its part.

use super::line::{Game, LineShape};
use crate::{
    error::{Error, Result},
    model::{Frequencies, MoveModel, Scorer, Style},
    pgn::{game_state::GameState, start::Start},
};
use ign_entropy::{
    frequencies::{Decoder, Encoder, Interval, IntervalLog},
    varint,
};
use ign_notation::{Game as _, chess::Move};

/// Number of games in a part, counting those that can be replayed.
pub const PART: usize = 8;
/// Number of games that are tried to choose the style. This is the writer's choice and not part of
/// the format.
const SAMPLE: usize = 16;

/// Moves known from packing, to verify their streams without decoding: a stream that contains the
/// same intervals at each choice decodes to the same moves.
#[derive(Debug, Clone, Default)]
pub struct KnownMoves {
    /// The intervals of each part's choices.
    intervals: IntervalLog,
    games: Vec<GameLines>,
}

impl KnownMoves {
    /// One part in this many is decoded as by any reader, as a check of the decoder.
    const DECODE_ONE_IN: usize = 8;

    /// The moves of a game's lines; `None` unless they have these lengths.
    fn lines(&self, game: usize, lens: impl Iterator<Item = usize>) -> Option<Vec<Vec<Move>>> {
        let index = self.games.binary_search_by_key(&game, |game| game.number);
        let lines = &self.games[index.ok()?].lines;
        let matches = lens.eq(lines.iter().map(|line| line.moves.len()));
        matches.then(|| lines.iter().map(|line| line.moves.clone()).collect())
    }
}

/// A game and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GameLines {
    number: usize,
    start: Start,
    moves: Vec<Move>,
    lines: Vec<Line>,
}

/// A line and its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    depth: usize,
    at: Option<usize>,
    moves: Vec<Move>,
}

impl Line {
    fn shape(&self) -> LineShape {
        LineShape {
            depth: self.depth,
            at: self.at,
            plies: self.moves.len(),
        }
    }
}

/// The moves of lines, to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    games: Vec<GameLines>,
    lines: usize,
}

impl Choices {
    /// Starts the lines of a record; `game` is `None` if it cannot be replayed.
    pub(super) fn begin(&mut self, game: Option<Game>) {
        if let Some(game) = game {
            self.games.push(GameLines {
                number: game.number,
                start: game.start.clone(),
                moves: game.moves.to_vec(),
                lines: Vec::new(),
            });
        }
    }

    /// Adds a line to the record. A line with moves must replace a move.
    pub(super) fn push(&mut self, depth: usize, at: Option<usize>, moves: &[Move]) {
        self.lines += 1;
        if let Some(game) = self.games.last_mut() {
            game.lines.push(Line {
                depth,
                at,
                moves: moves.to_vec(),
            });
        }
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Writes the stream, with frequencies of the model or equal ones; `known` receives what
    /// verifies it later.
    pub fn write(
        mut self,
        model: Option<&MoveModel>,
        mut known: Option<&mut KnownMoves>,
    ) -> Vec<u8> {
        let has_moves = |line: &Line| !line.moves.is_empty();
        self.games.retain(|game| game.lines.iter().any(has_moves));
        let style = model.map(|model| self.style(model));
        let number = style.as_ref().map(Style::number);
        let mut frequencies = MoveFrequencies::new(style);
        let (mut lens, mut streams) = (Vec::new(), Vec::new());
        for part in self
            .games
            .chunk_by(|a, b| a.number / PART == b.number / PART)
        {
            let (number, start) = (part[0].number / PART, streams.len());
            if let Some(known) = &mut known {
                let skipped = number - known.intervals.streams();
                (0..skipped).for_each(|_| known.intervals.end_stream());
            }
            encode(&mut frequencies, part.iter(), &mut streams, |interval| {
                if let Some(known) = &mut known {
                    known.intervals.push(interval);
                }
            });
            if let Some(known) = &mut known {
                known.intervals.end_stream();
            }
            lens.resize(number, 0);
            lens.push(streams.len() - start);
        }
        let mut out = Vec::new();
        out.extend(number);
        varint::write(&mut out, lens.len() as u64);
        for len in lens {
            varint::write(&mut out, len as u64);
        }
        out.extend_from_slice(&streams);
        if let Some(known) = known {
            known.games = self.games;
        }
        out
    }

    /// The playing style with the smallest result for a sample of the games.
    fn style(&self, model: &MoveModel) -> Style {
        let tried = SAMPLE.min(self.games.len());
        let cost = |style: &Style| {
            let mut frequencies = MoveFrequencies::new(Some(style.clone()));
            let games = (0..tried).map(|i| &self.games[i * self.games.len() / tried]);
            let mut out = Vec::new();
            encode(&mut frequencies, games, &mut out, |_| ());
            out.len()
        };
        let best = Style::all(model).min_by_key(cost);
        best.expect("a model has a style")
    }
}

/// Appends the stream of a part and reports the interval of each choice.
fn encode<'p>(
    frequencies: &mut MoveFrequencies,
    part: impl Iterator<Item = &'p GameLines>,
    out: &mut Vec<u8>,
    mut report: impl FnMut(Interval),
) {
    let mut encoder = Encoder::new(out);
    for game in part {
        let shapes = game.lines.iter().map(Line::shape);
        let choose = |frequencies: &MoveFrequencies, line: usize, ply: usize| {
            let played = game.lines[line].moves[ply];
            let (before, frequency) = frequencies.interval(played);
            encoder.encode(before, frequency, frequencies.total);
            report(Interval {
                before,
                frequency,
                total: frequencies.total,
            });
            Ok(played)
        };
        play(frequencies, &game.start, &game.moves, shapes, choose).expect("nothing here fails");
    }
    encoder.finish();
}

/// Frequencies of the moves in a position.
#[derive(Debug)]
struct MoveFrequencies {
    /// `None` if all frequencies are equal.
    scorer: Option<Scorer>,
    /// Frequencies of the move model, which include the end of the game.
    scored: Frequencies,
    moves: Vec<Move>,
    frequencies: Vec<u32>,
    total: u32,
}

impl MoveFrequencies {
    fn new(style: Option<Style>) -> Self {
        Self {
            scorer: style.map(Scorer::new),
            scored: Frequencies::default(),
            moves: Vec::new(),
            frequencies: Vec::new(),
            total: 0,
        }
    }

    /// Sets the frequencies for a state; those of the legal moves except that `replaced` gets the
    /// lowest.
    fn set(&mut self, state: &GameState, replaced: Option<Move>) {
        self.moves.clear();
        self.frequencies.clear();
        if let Some(scorer) = &mut self.scorer {
            state.score(scorer, 0, &mut self.scored);
            self.moves.extend_from_slice(self.scored.moves());
            let frequencies = &self.scored.frequencies()[..self.moves.len()];
            self.frequencies.extend_from_slice(frequencies);
            if let Some(i) = self.moves.iter().position(|&m| Some(m) == replaced) {
                self.frequencies[i] = 1;
            }
        } else {
            state.legal_moves(&mut self.moves);
            self.frequencies.resize(self.moves.len(), 1);
        }
        self.total = self.frequencies.iter().sum();
    }

    /// Cumulative frequency before a legal move, and its frequency.
    fn interval(&self, played: Move) -> (u32, u32) {
        let choice = self
            .moves
            .iter()
            .position(|&m| m == played)
            .expect("a legal move");
        (
            self.frequencies[..choice].iter().sum(),
            self.frequencies[choice],
        )
    }

    /// The move whose interval contains `target`, and its interval.
    fn find(&self, target: u32) -> (Move, u32, u32) {
        let mut before = 0;
        for (&played, &frequency) in self.moves.iter().zip(&self.frequencies) {
            if target < before + frequency {
                return (played, before, frequency);
            }
            before += frequency;
        }
        unreachable!("no interval contains {target} of {}", self.total)
    }
}

/// Replays the lines of a game, given their shapes. `choose` returns the next move of a line, by
/// the index of the line and the ply.
fn play(
    frequencies: &mut MoveFrequencies,
    start: &Start,
    moves: &[Move],
    shapes: impl Iterator<Item = LineShape>,
    mut choose: impl FnMut(&MoveFrequencies, usize, usize) -> Result<Move>,
) -> Result<()> {
    // For the game and each line around the current one: the moves, and the state before each.
    let mut levels: Vec<Vec<(GameState, Move)>> = vec![Vec::new()];
    let mut here = GameState::new(start);
    for &played in moves {
        levels[0].push((here.clone(), played));
        here.play(played);
    }
    for (line, LineShape { depth, at, plies }) in shapes.enumerate() {
        levels.truncate(depth);
        let mut level = Vec::with_capacity(plies);
        if plies > 0 {
            let parent = levels.last().expect("the game is always there");
            let (before, replaced) = at.and_then(|at| parent.get(at)).ok_or_else(mismatch)?;
            let mut here = before.clone();
            for ply in 0..plies {
                frequencies.set(&here, (ply == 0).then_some(*replaced));
                let played = choose(frequencies, line, ply)?;
                level.push((here.clone(), played));
                here.play(played);
            }
        }
        levels.push(level);
    }
    Ok(())
}

/// Reader of the moves of lines, part by part.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    frequencies: MoveFrequencies,
    /// Streams of the parts; empty if no line has moves.
    parts: Vec<&'a [u8]>,
    part: Option<usize>,
    stream: Decoder<'a>,
    known: Option<&'a KnownMoves>,
}

impl<'a> Reader<'a> {
    /// A reader of a stream, with the model if frequencies are not equal.
    ///
    /// # Errors
    /// Returns a corruption error if the stream is malformed.
    pub fn new(mut stream: &'a [u8], model: Option<MoveModel>) -> Result<Self> {
        let mut style = None;
        let mut lens = Vec::new();
        if !stream.is_empty() {
            if let Some(model) = model {
                let number = stream.split_off_first().copied().unwrap_or_default();
                let unknown = || Error::corrupt("variations have an unknown style");
                style = Some(Style::new(model, number).ok_or_else(unknown)?);
            }
            let max = stream.len() as u64;
            let count = varint::read_limited(&mut stream, max, "parts of variations")?;
            for _ in 0..count {
                let len = varint::read_limited(&mut stream, max, "a part of variations")?;
                lens.push(len as usize);
            }
        }
        if lens.iter().sum::<usize>() != stream.len() {
            return Err(mismatch());
        }
        let own = |len| {
            let (own, rest) = stream.split_at(len);
            stream = rest;
            own
        };
        Ok(Self {
            frequencies: MoveFrequencies::new(style),
            parts: lens.into_iter().map(own).collect(),
            part: None,
            stream: Decoder::new(&[]),
            known: None,
        })
    }

    /// Verifies parts against known moves instead of decoding them.
    pub fn check_by(&mut self, known: &'a KnownMoves) {
        self.known = Some(known);
    }

    /// Goes to the part of a game; returns the known moves unless the part is to be decoded.
    ///
    /// # Errors
    /// Returns a corruption error if there is no such part or it differs from the known one.
    fn enter(&mut self, game: usize) -> Result<Option<&'a KnownMoves>> {
        let part = game / PART;
        let known = self
            .known
            .filter(|_| !part.is_multiple_of(KnownMoves::DECODE_ONE_IN));
        if self.part != Some(part) {
            let stream = self.parts.get(part).ok_or_else(mismatch)?;
            if known.is_some_and(|known| !known.intervals.matches(part, stream)) {
                return Err(mismatch());
            }
            self.stream = Decoder::new(stream);
            self.part = Some(part);
        }
        Ok(known)
    }

    /// The moves of a game's lines, given their shapes. The games before it in its part must have
    /// been read.
    ///
    /// # Errors
    /// Returns a corruption error if a line cannot be replayed.
    pub fn moves(
        &mut self,
        game: Option<Game>,
        shapes: impl Iterator<Item = LineShape> + Clone,
    ) -> Result<Vec<Vec<Move>>> {
        let mut lines: Vec<Vec<Move>> = shapes.clone().map(|_| Vec::new()).collect();
        let plies: usize = shapes.clone().map(|shape| shape.plies).sum();
        if plies == 0 {
            return Ok(lines);
        }
        let game = game.ok_or_else(mismatch)?;
        if let Some(known) = self.enter(game.number)? {
            let lens = shapes.map(|shape| shape.plies);
            return known.lines(game.number, lens).ok_or_else(mismatch);
        }
        let stream = &mut self.stream;
        let choose = |frequencies: &MoveFrequencies, line: usize, _| {
            if frequencies.total == 0 {
                return Err(mismatch());
            }
            let target = stream.target(frequencies.total);
            let (played, before, frequency) = frequencies.find(target);
            stream.take(before, frequency);
            lines[line].push(played);
            Ok(played)
        };
        play(
            &mut self.frequencies,
            game.start,
            game.moves,
            shapes,
            choose,
        )?;
        Ok(lines)
    }
}

fn mismatch() -> Error {
    Error::corrupt("the moves of variations do not fit their games")
}
