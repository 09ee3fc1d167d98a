//! Groups decoded by threads of their own, before they are asked for.
//!
//! A group takes longer to decode than the tags and the comments of a game, and does not need them.
//! So does a thread need little: the streams of its groups and where their games start, which it
//! is given.

use std::{
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use crate::block::groups::{Groups, Signed, Starts};
use crate::error::Result;
use ign_notation::chess::Move;

/// So many groups of each thread wait until they are asked for.
const AHEAD: usize = 2;
/// Threads, where there are so many groups: comments of a game take two or three.
const THREADS: usize = 2;

/// The number of a group, and the moves of its games.
type Decoded = (usize, Result<Vec<Vec<Move>>>);

/// Groups that are being decoded.
pub struct Prefetch {
    /// Their numbers, which ascend; the threads take them in turn.
    groups: Vec<usize>,
    decoded: Vec<Receiver<Decoded>>,
}

/// A group that is to be decoded.
struct Job {
    group: usize,
    stream: Vec<u8>,
    starts: Starts,
    signatures: Signed<'static>,
}

impl Prefetch {
    /// Has these groups decoded, in this order, and then something else done; none where no thread
    /// can be had.
    pub fn new(
        column: &Groups,
        groups: Vec<usize>,
        then: impl FnOnce() + Send + 'static,
    ) -> Option<Self> {
        let (style, plies) = (column.style, column.plies_left);
        let threads = THREADS.min(groups.len()).max(1);
        let mut frequencies: Vec<Vec<Job>> = (0..threads).map(|_| Vec::new()).collect();
        for (i, &group) in groups.iter().enumerate() {
            let mut starts = Starts::default();
            for &record in column.records(group) {
                starts.push(column.starts.of(record as usize), true);
            }
            frequencies[i % threads].push(Job {
                group,
                stream: column.stream(group).to_vec(),
                starts,
                signatures: Signed::Each(column.signatures(group)),
            });
        }
        // The last has as many groups as the others or one less.
        let mut then = Some(then);
        let mut decoded = Vec::new();
        for (i, jobs) in frequencies.into_iter().enumerate() {
            let (sender, receiver) = sync_channel(AHEAD);
            let then = then.take_if(|_| i == threads - 1);
            let work = move || {
                decode(jobs, style, plies, &sender);
                drop(sender);
                if let Some(then) = then {
                    then();
                }
            };
            thread::Builder::new().spawn(work).ok()?;
            decoded.push(receiver);
        }
        Some(Self { groups, decoded })
    }

    /// The moves of the games of a group; none if it is not among those that are decoded here.
    pub fn take(&self, group: usize) -> Option<Result<Vec<Vec<Move>>>> {
        let place = self.groups.binary_search(&group).ok()?;
        let mut decoded = self.decoded[place % self.decoded.len()].iter();
        decoded
            .find(|&(number, _)| number == group)
            .map(|(_, moves)| moves)
    }
}

/// Decodes groups of at most so many moves together, until nobody hears of them any more.
fn decode(jobs: Vec<Job>, style: Option<u8>, mut plies: u64, decoded: &SyncSender<Decoded>) {
    for job in jobs {
        let ends = vec![job.stream.len()];
        let mut alone = Groups::of(&job.stream, ends, &job.starts, job.signatures, style, plies);
        let moves = alone.decode(0).map(|()| alone.moves);
        plies = alone.plies_left;
        if decoded.send((job.group, moves)).is_err() {
            return;
        }
    }
}
