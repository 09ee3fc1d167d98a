//! Groups decoded by a thread of their own, before they are asked for.
//!
//! A group takes longer to decode than the tags and the comments of a game, and does not need them.
//! So does the thread need little: the streams of its groups and where their games start, which it
//! is given.

use std::{
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

use super::{Groups, Starts};
use crate::{chess::Move, error::Result};

/// So many groups wait until they are asked for.
const AHEAD: usize = 2;

/// Groups that are being decoded.
pub struct Beside {
    /// Their numbers, which ascend.
    groups: Vec<usize>,
    decoded: Receiver<(usize, Result<Vec<Vec<Move>>>)>,
}

impl Beside {
    /// Has these groups decoded, in this order, and then something else done; none where no thread
    /// can be had.
    pub fn new(
        column: &Groups,
        groups: Vec<usize>,
        then: impl FnOnce() + Send + 'static,
    ) -> Option<Self> {
        let style = column.style;
        let mut plies_left = column.plies_left;
        let jobs: Vec<_> = groups
            .iter()
            .map(|&group| {
                let mut starts = Starts::default();
                for &record in column.records(group) {
                    starts.push(column.starts.of(record as usize), true);
                }
                let signatures = column.signatures(group).to_vec();
                (group, column.stream(group).to_vec(), starts, signatures)
            })
            .collect();
        let (sender, decoded) = sync_channel(AHEAD);
        let work = move || {
            for (group, stream, starts, signatures) in jobs {
                let ends = vec![stream.len()];
                let mut alone = Groups::of(&stream, ends, &starts, signatures, style, plies_left);
                let moves = alone.decode(0).map(|()| alone.moves);
                plies_left = alone.plies_left;
                // Whoever stops asking hears no more.
                if sender.send((group, moves)).is_err() {
                    return;
                }
            }
            drop(sender);
            then();
        };
        thread::Builder::new().spawn(work).ok()?;
        Some(Self { groups, decoded })
    }

    /// The moves of the games of a group; none if it is not among those that are decoded here.
    pub fn take(&self, group: usize) -> Option<Result<Vec<Vec<Move>>>> {
        self.groups.binary_search(&group).ok()?;
        let mut decoded = self.decoded.iter();
        decoded
            .find(|&(number, _)| number == group)
            .map(|(_, moves)| moves)
    }
}
