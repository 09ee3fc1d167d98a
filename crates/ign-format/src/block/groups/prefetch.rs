//! Decodes groups in background threads before they are needed.
//!
//! Decoding a group takes longer than the tags and comments of a game, and is independent of them.
//! A thread gets copies of what it needs: the streams of its groups, and the starts and signatures
//! of their games. A bounded channel limits how far it runs ahead.

use std::{
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use crate::{
    block::{
        groups::decoder::{Group, GroupDecoder},
        starts::Starts,
    },
    error::Result,
    model::Style,
};
use ign_notation::{chess::Move, signature::Signature};

/// Decoded groups of each thread that wait in its channel.
const AHEAD: usize = 2;
/// Maximum number of threads. Decoding the comments of a game takes about as long as two or three
/// threads need for its moves.
const THREADS: usize = 2;

/// The number of a group and the moves of its games.
type Decoded = (usize, Result<Vec<Vec<Move>>>);

/// A group to decode, with all that this takes.
pub struct Job {
    /// Its number.
    pub group: usize,
    /// Its bytes.
    pub stream: Vec<u8>,
    /// The starts of its games.
    pub starts: Starts,
    /// The known signatures of its games.
    pub signatures: Vec<Option<Signature>>,
}

/// Groups being decoded in the background.
#[derive(Debug)]
pub struct Prefetch {
    /// Their numbers, ascending; group `groups[i]` is decoded by thread `i % decoded.len()`.
    groups: Vec<usize>,
    decoded: Vec<Receiver<Decoded>>,
}

impl Prefetch {
    /// Starts to decode the groups of `jobs`, in order, and runs `then` after the last; `None` if a
    /// thread cannot be spawned. The groups of one thread have at most `plies` plies together.
    pub fn start(
        style: &Style,
        plies: u64,
        jobs: impl Iterator<Item = Job>,
        then: impl FnOnce() + Send + 'static,
    ) -> Option<Self> {
        let jobs: Vec<Job> = jobs.collect();
        let groups: Vec<usize> = jobs.iter().map(|job| job.group).collect();
        let threads = THREADS.min(jobs.len()).max(1);
        let mut queues: Vec<Vec<Job>> = (0..threads).map(|_| Vec::new()).collect();
        for (i, job) in jobs.into_iter().enumerate() {
            queues[i % threads].push(job);
        }
        let mut then = Some(then);
        let mut decoded = Vec::new();
        for (i, queue) in queues.into_iter().enumerate() {
            let (sender, receiver) = sync_channel(AHEAD);
            // The last queue is never longer than the others.
            let then = then.take_if(|_| i == threads - 1);
            let decoder = GroupDecoder::new(Some(style.clone()), plies);
            let work = move || {
                decode(queue, decoder, &sender);
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

    /// Waits for the moves of a group; `None` if it is not decoded here. Groups are taken in
    /// ascending order.
    pub fn take(&self, group: usize) -> Option<Result<Vec<Vec<Move>>>> {
        let place = self.groups.binary_search(&group).ok()?;
        let mut decoded = self.decoded[place % self.decoded.len()].iter();
        decoded
            .find(|&(number, _)| number == group)
            .map(|(_, moves)| moves)
    }
}

/// Decodes groups until the receiver is gone.
fn decode(jobs: Vec<Job>, mut decoder: GroupDecoder, sender: &SyncSender<Decoded>) {
    for job in jobs {
        let group = Group {
            stream: &job.stream,
            starts: &job.starts,
            records: job.starts.played(),
            signatures: job.signatures,
        };
        if sender.send((job.group, decoder.decode(group))).is_err() {
            return;
        }
    }
}
