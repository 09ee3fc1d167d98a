//! The moves of variations: choices among the legal moves (spec §4.6.2).
//!
//! The position tells which moves there are and the move model what frequency each
//! has, or all have the same where the block's moves are not weighted. A
//! variation does not begin with the move that it replaces, so that has the
//! least frequency. How many moves a line has is known before.
//!
//! Games are coded in parts of [`PART`], so that those of one game come
//! quickly: it takes no others than those of its part.

use super::Game;
use crate::{
    error::{Error, Result},
    model::{Frequencies, STYLES, Scorer},
    pgn::{game_state::GameState, start::Start},
};
use ign_entropy::{
    frequencies::{Decoder, Encoder, Interval, IntervalLog},
    varint,
};
use ign_notation::{Game as _, chess::Move};

/// Games of a part: of those that are played, the first eight, the next eight, …
pub const PART: usize = 8;
/// Games by which the style is chosen. The choice is the writer's: it is no part of the format.
const TRIED: usize = 16;

/// What packing knew of the moves of lines, for checking them: a stream in which the choices are found
/// again by what they had of the frequencies holds these moves.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Of each part.
    portions: IntervalLog,
    games: Vec<Played>,
}

impl Known {
    /// One part in so many is played all the same, as a reader would.
    const PLAYED: usize = 8;

    /// The moves of the lines of a game, which have these lengths.
    fn lines(&self, game: usize, lens: impl Iterator<Item = usize>) -> Option<Vec<Vec<Move>>> {
        let place = self.games.binary_search_by_key(&game, |game| game.number);
        let lines = &self.games[place.ok()?].lines;
        let are_long = lens.eq(lines.iter().map(|line| line.moves.len()));
        are_long.then(|| lines.iter().map(|line| line.moves.clone()).collect())
    }
}

/// A game and the lines beside it.
#[derive(Debug, Clone)]
struct Played {
    number: usize,
    start: Start,
    moves: Vec<Move>,
    lines: Vec<Line>,
}

/// A line: within how many others, which move of the one it is beside it replaces, its moves.
#[derive(Debug, Clone)]
struct Line {
    depth: usize,
    at: Option<usize>,
    moves: Vec<Move>,
}

/// The moves of lines being packed.
#[derive(Default)]
pub struct Choices {
    games: Vec<Played>,
    lines: usize,
}

impl Choices {
    /// Begins the lines of a record; `game` is that beside which they stand, if it is played.
    pub fn begin(&mut self, game: Option<Game>) {
        if let Some(game) = game {
            self.games.push(Played {
                number: game.number,
                start: game.start.clone(),
                moves: game.moves.to_vec(),
                lines: Vec::new(),
            });
        }
    }

    /// Adds a line to the record; one that has moves replaces a move.
    pub fn push(&mut self, depth: usize, at: Option<usize>, moves: &[Move]) {
        self.lines += 1;
        if let Some(game) = self.games.last_mut() {
            game.lines.push(Line {
                depth,
                at,
                moves: moves.to_vec(),
            });
        }
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// The stream; what is known of it is kept where that is asked for.
    pub fn write(mut self, weighted: bool, mut known: Option<&mut Known>) -> Vec<u8> {
        let has_moves = |line: &Line| !line.moves.is_empty();
        self.games.retain(|game| game.lines.iter().any(has_moves));
        let style = weighted.then(|| self.style());
        let mut odds = Odds::new(style);
        let (mut lens, mut streams) = (Vec::new(), Vec::new());
        for part in self
            .games
            .chunk_by(|a, b| a.number / PART == b.number / PART)
        {
            let (number, start) = (part[0].number / PART, streams.len());
            if let Some(known) = &mut known {
                let skipped = number - known.portions.streams();
                (0..skipped).for_each(|_| known.portions.end_stream());
            }
            encode(&mut odds, part.iter(), &mut streams, |portion| {
                if let Some(known) = &mut known {
                    known.portions.push(portion);
                }
            });
            if let Some(known) = &mut known {
                known.portions.end_stream();
            }
            lens.resize(number, 0);
            lens.push(streams.len() - start);
        }
        let mut out = Vec::new();
        out.extend(style);
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

    /// The style of play that packs a sample of the games best.
    fn style(&self) -> u8 {
        let tried = TRIED.min(self.games.len());
        let cost = |&style: &u8| {
            let mut odds = Odds::new(Some(style));
            let games = (0..tried).map(|i| &self.games[i * self.games.len() / tried]);
            let mut out = Vec::new();
            encode(&mut odds, games, &mut out, |_| ());
            out.len()
        };
        (0..STYLES).min_by_key(cost).unwrap_or(0)
    }
}

/// Appends the stream of a part, and shows what its choices have of the frequencies.
fn encode<'p>(
    odds: &mut Odds,
    part: impl Iterator<Item = &'p Played>,
    out: &mut Vec<u8>,
    mut show: impl FnMut(Interval),
) {
    let mut encoder = Encoder::new(out);
    for game in part {
        let shapes = game.lines.iter();
        let shapes = shapes.map(|line| (line.depth, line.at, line.moves.len()));
        let choose = |odds: &Odds, line: usize, ply: usize| {
            let played = game.lines[line].moves[ply];
            let (before, frequency) = odds.interval(played);
            encoder.encode(before, frequency, odds.total);
            show(Interval {
                before,
                frequency,
                total: odds.total,
            });
            Ok(played)
        };
        play(odds, &game.start, &game.moves, shapes, choose).expect("nothing here fails");
    }
    encoder.finish();
}

/// The frequencies of the moves in a position.
struct Odds {
    /// None where all moves have the same.
    scorer: Option<Scorer>,
    /// Those with the end of the game, which is no choice here.
    scored: Frequencies,
    moves: Vec<Move>,
    frequencies: Vec<u32>,
    total: u32,
}

impl Odds {
    fn new(style: Option<u8>) -> Self {
        Self {
            scorer: style.map(Scorer::new),
            scored: Frequencies::default(),
            moves: Vec::new(),
            frequencies: Vec::new(),
            total: 0,
        }
    }

    /// Makes them those of the moves that may come next, but not `replaced`.
    fn tell(&mut self, state: &GameState, replaced: Option<Move>) {
        self.moves.clear();
        self.frequencies.clear();
        if let Some(scorer) = &mut self.scorer {
            state.frequency(scorer, 0, &mut self.scored);
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

    /// The sum of the frequencies before a legal move, and its own.
    fn interval(&self, played: Move) -> (u32, u32) {
        let choice = self.moves.iter().position(|&m| m == played);
        let choice = choice.expect("a legal move");
        (
            self.frequencies[..choice].iter().sum(),
            self.frequencies[choice],
        )
    }

    /// The move whose frequency holds this part of the total, and its interval.
    fn find(&self, target: u32) -> (Move, u32, u32) {
        let mut before = 0;
        for (&played, &frequency) in self.moves.iter().zip(&self.frequencies) {
            if target < before + frequency {
                return (played, before, frequency);
            }
            before += frequency;
        }
        unreachable!("no move holds {target} of {}", self.total)
    }
}

/// Plays the lines beside a game, of which the depths, the moves replaced and the lengths are
/// given. `choose` tells the next move of a line, by its number and the number of the move.
fn play(
    odds: &mut Odds,
    start: &Start,
    moves: &[Move],
    shapes: impl Iterator<Item = (usize, Option<usize>, usize)>,
    mut choose: impl FnMut(&Odds, usize, usize) -> Result<Move>,
) -> Result<()> {
    // Of the game, and of the lines that the present one is within: what was played, and how the
    // game stood before each move.
    let mut levels: Vec<Vec<(GameState, Move)>> = vec![Vec::new()];
    let mut here = GameState::new(start);
    for &played in moves {
        levels[0].push((here.clone(), played));
        here.play(played);
    }
    for (line, (depth, at, plies)) in shapes.enumerate() {
        levels.truncate(depth);
        let mut level = Vec::with_capacity(plies);
        if plies > 0 {
            let beside = levels.last().expect("the game is always there");
            let (before, replaced) = at.and_then(|at| beside.get(at)).ok_or_else(wrong)?;
            let mut here = before.clone();
            for ply in 0..plies {
                odds.tell(&here, (ply == 0).then_some(*replaced));
                let played = choose(odds, line, ply)?;
                level.push((here.clone(), played));
                here.play(played);
            }
        }
        levels.push(level);
    }
    Ok(())
}

/// The moves of lines being unpacked, part by part.
pub struct Reader<'a> {
    odds: Odds,
    /// The parts, from that of the first eight games on; empty where no line has moves.
    parts: Vec<&'a [u8]>,
    part: Option<usize>,
    stream: Decoder<'a>,
    known: Option<&'a Known>,
}

impl<'a> Reader<'a> {
    /// A reader of the stream.
    ///
    /// # Errors
    /// Corrupt.
    pub fn new(mut stream: &'a [u8], weighted: bool) -> Result<Self> {
        let mut style = None;
        let mut lens = Vec::new();
        if !stream.is_empty() {
            if weighted {
                style = stream.split_off_first().copied();
            }
            if style.is_some_and(|style| style >= STYLES) {
                return Err(Error::corrupt("variations are of an unknown style"));
            }
            let most = stream.len() as u64;
            let count = varint::read_limited(&mut stream, most, "parts of variations")?;
            for _ in 0..count {
                let len = varint::read_limited(&mut stream, most, "a part of variations")?;
                lens.push(len as usize);
            }
        }
        if lens.iter().sum::<usize>() != stream.len() {
            return Err(wrong());
        }
        let own = |len| {
            let (own, rest) = stream.split_at(len);
            stream = rest;
            own
        };
        Ok(Self {
            odds: Odds::new(style),
            parts: lens.into_iter().map(own).collect(),
            part: None,
            stream: Decoder::new(&[]),
            known: None,
        })
    }

    /// Has parts checked by what packing knew of them, instead of read.
    pub fn check_by(&mut self, known: &'a Known) {
        self.known = Some(known);
    }

    /// Goes to the part that the game of this number is in; gives what is known of that, if it is
    /// not to be read.
    ///
    /// # Errors
    /// Corrupt when there is none, or it is another than the known one.
    fn enter(&mut self, game: usize) -> Result<Option<&'a Known>> {
        let part = game / PART;
        let known = self.known.filter(|_| !part.is_multiple_of(Known::PLAYED));
        if self.part != Some(part) {
            let stream = self.parts.get(part).ok_or_else(wrong)?;
            if known.is_some_and(|known| !known.portions.matches(part, stream)) {
                return Err(wrong());
            }
            self.stream = Decoder::new(stream);
            self.part = Some(part);
        }
        Ok(known)
    }

    /// The moves of a game's lines, of which depths, moves replaced and lengths are given. Those of
    /// the games before it in its part must have been asked for.
    ///
    /// # Errors
    /// Corrupt when a line cannot be played.
    pub fn moves(
        &mut self,
        game: Option<Game>,
        shapes: impl Iterator<Item = (usize, Option<usize>, usize)> + Clone,
    ) -> Result<Vec<Vec<Move>>> {
        let mut lines: Vec<Vec<Move>> = shapes.clone().map(|_| Vec::new()).collect();
        let plies: usize = shapes.clone().map(|(_, _, plies)| plies).sum();
        if plies == 0 {
            return Ok(lines);
        }
        let game = game.ok_or_else(wrong)?;
        if let Some(known) = self.enter(game.number)? {
            let lens = shapes.map(|(_, _, plies)| plies);
            return known.lines(game.number, lens).ok_or_else(wrong);
        }
        let stream = &mut self.stream;
        let choose = |odds: &Odds, line: usize, _| {
            if odds.total == 0 {
                return Err(wrong());
            }
            let target = stream.target(odds.total);
            let (played, before, frequency) = odds.find(target);
            stream.take(before, frequency);
            lines[line].push(played);
            Ok(played)
        };
        play(&mut self.odds, game.start, game.moves, shapes, choose)?;
        Ok(lines)
    }
}

fn wrong() -> Error {
    Error::corrupt("the moves of variations do not fit the games they stand beside")
}
