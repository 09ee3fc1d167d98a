//! A chunk of games with their tags.
//!
//! A [`Generator`] generates one chunk after another and reuses its memory. Invariant: a chunk
//! depends on the seed and its number only, not on the chunks generated before it.

use super::CHUNK;
use super::clocks::Controls;
use super::game::{Board, Setting};
use super::openings::Names;
use super::players::{Lobby, write_name};
use super::random::Random;
use super::text;

/// The games to generate.
#[derive(Debug)]
pub struct Chunk {
    /// Zero-based number of the chunk in the dump.
    pub number: u64,
    /// Number of games, from the start of the chunk.
    pub games: u64,
    /// Whether clock comments are written.
    pub clocks: bool,
}

/// Seconds from the start of one game to the start of the next, each equally likely.
const GAPS: [u64; 16] = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 17];
/// Seconds of a chunk: the expected sum of its gaps (4 per game) and a reserve for deviations.
const SPAN: u64 = CHUNK * 4 + 1800;
/// Digits of game ids.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Generates chunks.
pub struct Generator {
    seed: u64,
    names: Names,
    controls: Controls,
    lobby: Lobby,
    board: Board,
    /// The movetext of the current game.
    moves: Vec<u8>,
}

impl Generator {
    /// A generator for the dump of this seed.
    pub fn new(seed: u64) -> Generator {
        Generator {
            seed,
            names: Names::new(),
            controls: Controls::new(),
            lobby: Lobby::new(seed),
            board: Board::default(),
            moves: Vec::new(),
        }
    }

    /// Appends the games of a chunk to `out`.
    pub fn append(&mut self, chunk: &Chunk, out: &mut Vec<u8>) {
        // Random streams of players are numbered from 0 up, those of chunks from the top down.
        let random = &mut Random::new(self.seed, !chunk.number);
        self.lobby.reset(random);
        let start = chunk.number.wrapping_mul(SPAN);
        let mut elapsed = 0;
        for _ in 0..chunk.games {
            elapsed = SPAN.min(elapsed + GAPS[(random.bits() >> 60) as usize]);
            self.game(start.wrapping_add(elapsed), chunk.clocks, random, out);
        }
    }

    /// Appends a game that starts at `moment`.
    fn game(&mut self, moment: u64, clocks: bool, random: &mut Random, out: &mut Vec<u8>) {
        let pair = self.lobby.pair(random);
        let ratings = pair.map(|id| self.lobby.player(id).rating);
        let setting = Setting {
            ratings,
            control: self.controls.draw(random),
            clocks,
        };
        let id = random.bits();
        self.moves.clear();
        let ending = self.board.play(&setting, random, &mut self.moves);
        let opening = self.names.of(self.board.opening());
        let diffs = self.lobby.settle(pair, ending.score(), random);

        let mut tag = |name: &str, write: &dyn Fn(&mut Vec<u8>)| {
            out.extend_from_slice(name.as_bytes());
            write(out);
            out.extend_from_slice(b"\"]\n");
        };
        let text =
            |value: &'static str| move |out: &mut Vec<u8>| out.extend_from_slice(value.as_bytes());
        tag("[Event \"", &text(setting.control.event()));
        tag("[Site \"https://lichess.org/", &|out| write_id(id, out));
        tag("[White \"", &|out| write_name(self.seed, pair[0], out));
        tag("[Black \"", &|out| write_name(self.seed, pair[1], out));
        tag("[Result \"", &text(ending.result()));
        tag("[UTCDate \"", &|out| text::date(moment, out));
        tag("[UTCTime \"", &|out| text::time(moment, out));
        tag("[WhiteElo \"", &|out| text::decimal(ratings[0] as u32, out));
        tag("[BlackElo \"", &|out| text::decimal(ratings[1] as u32, out));
        tag("[WhiteRatingDiff \"", &|out| text::signed(diffs[0], out));
        tag("[BlackRatingDiff \"", &|out| text::signed(diffs[1], out));
        tag("[ECO \"", &text(opening.eco));
        tag("[Opening \"", &text(opening.name));
        tag("[TimeControl \"", &text(setting.control.name));
        tag("[Termination \"", &text(ending.termination));
        out.push(b'\n');
        out.extend_from_slice(&self.moves);
        out.extend_from_slice(ending.result().as_bytes());
        out.extend_from_slice(b"\n\n");
    }
}

/// Writes a game id: eight letters and digits.
fn write_id(bits: u64, out: &mut Vec<u8>) {
    let mut left = bits % 62u64.pow(8);
    for _ in 0..8 {
        out.push(BASE62[(left % 62) as usize]);
        left /= 62;
    }
}
