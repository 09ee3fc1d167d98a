//! A chunk of games, each with its tags.
//!
//! A [`Maker`] makes one chunk after another in the same memory. Invariant: what it makes of a
//! chunk depends on the seed and the chunk's number only, not on what it made before.

use super::CHUNK;
use super::clocks::Controls;
use super::game::{Setting, Table};
use super::openings::Names;
use super::players::{Lobby, write_name};
use super::random::Random;
use super::text;

/// Which games to make.
#[derive(Debug)]
pub struct Chunk {
    /// Its place in the dump, counted from zero.
    pub number: u64,
    /// How many games of it are wanted.
    pub games: u64,
    /// Whether clocks are written.
    pub clocks: bool,
}

/// Seconds from one game's start to the next's, as often as they stand here.
const STEPS: [u64; 16] = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 17];
/// Seconds that a chunk spans: what its steps come to, and a little more than chance adds.
const SPAN: u64 = CHUNK * 4 + 1800;
/// What the numbers of games are written in.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Makes chunks.
pub struct Maker {
    seed: u64,
    names: Names,
    controls: Controls,
    lobby: Lobby,
    table: Table,
    /// The moves of the game being made.
    moves: Vec<u8>,
}

impl Maker {
    /// Makes the chunks of this seed's dump.
    pub fn new(seed: u64) -> Maker {
        Maker {
            seed,
            names: Names::new(),
            controls: Controls::new(),
            lobby: Lobby::new(seed),
            table: Table::default(),
            moves: Vec::new(),
        }
    }

    /// Appends the games of a chunk.
    pub fn make(&mut self, chunk: &Chunk, out: &mut Vec<u8>) {
        // People's lasting strengths are streams numbered from below; chunks' are from above.
        let random = &mut Random::new(self.seed, !chunk.number);
        self.lobby.open(random);
        let start = chunk.number.wrapping_mul(SPAN);
        let mut passed = 0;
        for _ in 0..chunk.games {
            passed = SPAN.min(passed + STEPS[(random.bits() >> 60) as usize]);
            self.game(start.wrapping_add(passed), chunk.clocks, random, out);
        }
    }

    /// Appends a game that started at this moment.
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
        let ending = self.table.play(&setting, random, &mut self.moves);
        let opening = self.names.of(self.table.opening());
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

/// Eight letters and digits.
fn write_id(bits: u64, out: &mut Vec<u8>) {
    let mut left = bits % 62u64.pow(8);
    for _ in 0..8 {
        out.push(BASE62[(left % 62) as usize]);
        left /= 62;
    }
}
