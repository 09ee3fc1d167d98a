//! Made-up games: a dump of any size, in exactly the shape in which Lichess publishes its own.
//!
//! For trying the archiver, and for measuring it, where no real games are at hand. People come
//! back under their names, ratings move by the differences shown, time controls are as skewed as
//! real ones, and moves are drawn from the move model, which plays as people do online.
//!
//! Flow: the dump is made in chunks of [`CHUNK`] games. A chunk knows its number and the seed,
//! and nothing of its neighbours, so threads make chunks side by side and one writer puts them
//! in order. Invariant: the same number of games and seed give the same bytes on every machine
//! and with any number of threads, and fewer games give the beginning of more.
//!
//! ```
//! use ign_sample::Sample;
//!
//! let mut text = Vec::new();
//! Sample::new(3, 1).write(&mut text).unwrap();
//! assert!(text.starts_with(b"[Event \"Rated "));
//! ```

mod chunk;
mod clocks;
mod game;
mod openings;
mod players;
mod random;
mod text;

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use chunk::{Chunk, Maker};
use ign_format::error::{Error, Result};

/// Games that are made together: ratings go on within a chunk and start anew with the next.
pub const CHUNK: u64 = 1024;

/// A dump to be made.
#[derive(Debug, Clone)]
#[must_use = "nothing is made before it is written"]
pub struct Sample {
    games: u64,
    seed: u64,
    clocks: bool,
    threads: Option<NonZeroUsize>,
}

impl Sample {
    /// A dump of so many games; another seed gives other games.
    pub const fn new(games: u64, seed: u64) -> Sample {
        Sample {
            games,
            seed,
            clocks: false,
            threads: None,
        }
    }

    /// Whether each move is followed by what the clock shows. Off unless set.
    pub const fn clocks(mut self, clocks: bool) -> Sample {
        self.clocks = clocks;
        self
    }

    /// How many threads make games; as many as the machine runs at once unless set.
    ///
    /// A thread takes some 4 MB, or 13 MB with clocks, beside the model: the chunk that it makes, one that waits
    /// and one that is being written.
    pub const fn threads(mut self, threads: NonZeroUsize) -> Sample {
        self.threads = Some(threads);
        self
    }

    /// Makes the games and writes them.
    ///
    /// # Errors
    /// When `out` fails; what is left of the dump is then not made.
    pub fn write(self, out: &mut impl Write) -> Result<()> {
        let chunks = self.games.div_ceil(CHUNK);
        let available = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(available).get() as u64;
        match threads.min(chunks) {
            0 | 1 => self.write_alone(chunks, out)?,
            threads => self.write_together(threads, chunks, out)?,
        }
        Ok(out.flush()?)
    }

    /// The chunk with this number.
    fn chunk(&self, number: u64) -> Chunk {
        Chunk {
            number,
            games: (self.games - number * CHUNK).min(CHUNK),
            clocks: self.clocks,
        }
    }

    fn write_alone(&self, chunks: u64, out: &mut impl Write) -> Result<()> {
        let (mut maker, mut text) = (Maker::new(self.seed), Vec::new());
        for number in 0..chunks {
            text.clear();
            maker.make(&self.chunk(number), &mut text);
            out.write_all(&text)?;
        }
        Ok(())
    }

    /// Deals the chunks out in turn and collects them in the same order. When the collecting
    /// ends early, the channels close and every thread stops at its next delivery.
    fn write_together(&self, threads: u64, chunks: u64, out: &mut impl Write) -> Result<()> {
        thread::scope(|scope| {
            let lanes: Vec<Lane> = (0..threads)
                .map(|first| {
                    let (full, made) = mpsc::sync_channel(1);
                    let (give_back, empty) = mpsc::sync_channel(2);
                    let numbers = (first..chunks).step_by(threads as usize);
                    scope.spawn(move || self.deliver(numbers, &full, &empty));
                    Lane { made, give_back }
                })
                .collect();
            for number in 0..chunks {
                let lane = &lanes[(number % threads) as usize];
                let text = lane
                    .made
                    .recv()
                    .map_err(|_| Error::internal("a thread that made games stopped"))?;
                out.write_all(&text)?;
                // A thread that has made its last chunk wants no buffer back.
                let _ = lane.give_back.try_send(text);
            }
            Ok(())
        })
    }

    /// Makes chunks until they are done or nobody takes them.
    fn deliver(
        &self,
        numbers: impl Iterator<Item = u64>,
        full: &SyncSender<Vec<u8>>,
        empty: &Receiver<Vec<u8>>,
    ) {
        let mut maker = Maker::new(self.seed);
        for number in numbers {
            let mut text = empty.try_recv().unwrap_or_default();
            text.clear();
            maker.make(&self.chunk(number), &mut text);
            if full.send(text).is_err() {
                return;
            }
        }
    }
}

/// The writer's ends of a thread's channels.
struct Lane {
    /// Chunks in the thread's order.
    made: Receiver<Vec<u8>>,
    /// Buffers for further chunks.
    give_back: SyncSender<Vec<u8>>,
}
