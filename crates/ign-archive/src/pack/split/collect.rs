//! Dividing by a plan: texts that go to the same part are joined to blocks of the usual size.

use std::{
    collections::{BTreeMap, VecDeque},
    io::Write,
    thread,
};

use ign_format::{
    container::meta::Meta,
    error::{Error, Result},
};

use super::{
    parts::{NewBlock, NewTexts, Parts},
    plan::Plan,
    reader::{Cut, Read, read},
};
use crate::{archive::Archive, ordered::ordered};

/// Bytes of text that wait for more, in all parts together.
const MAX_WAITING: usize = 1 << 28;

/// What is done next, in this order.
enum Step {
    /// A block that is copied to a part.
    Write(usize, NewBlock),
    /// Texts that are encoded for a part.
    Encode(usize, NewTexts),
}

/// Divides an archive by a plan.
///
/// # Errors
/// As [`split`](super::split).
pub(super) fn split<W: Write>(
    archive: &Archive,
    plan: &Plan,
    meta: &Meta,
    parts: &mut Parts<W>,
) -> Result<()> {
    let blocks = 0..archive.blocks().len();
    for name in &plan.names {
        parts.start(name)?;
    }
    thread::scope(|scope| {
        let threads = archive.threads();
        let work = |block| read(archive, plan, block);
        let read = ordered(scope, threads, blocks.map(Ok), work);
        let mut collector = Collector {
            waiting: plan.names.iter().map(|_| None).collect(),
            waiting_len: 0,
            block_size: usize::try_from(meta.block_size).unwrap_or(usize::MAX),
            steps: VecDeque::new(),
        };
        let mut blocks = read;
        let steps = std::iter::from_fn(move || {
            loop {
                if let Some(step) = collector.steps.pop_front() {
                    return Some(Ok(step));
                }
                match blocks.next() {
                    Some(Ok(block)) => collector.add(block),
                    Some(Err(error)) => return Some(Err(error)),
                    None => {
                        collector.encode_all();
                        return collector.steps.pop_front().map(Ok);
                    }
                }
            }
        });
        let level = meta.level;
        let encode = move |step| {
            Ok(match step {
                Step::Encode(part, text) => Step::Write(part, NewBlock::encode(text, level)?),
                step => step,
            })
        };
        for step in ordered(scope, threads, steps, encode) {
            match step? {
                Step::Write(part, block) => parts.write(part, &block)?,
                Step::Encode(..) => return Err(Error::internal("text was not encoded")),
            }
        }
        Ok(())
    })
}

/// Joins texts to blocks.
struct Collector {
    /// For each part the text that waits for more.
    waiting: Vec<Option<Waiting>>,
    waiting_len: usize,
    block_size: usize,
    steps: VecDeque<Step>,
}

/// Text that waits for more.
struct Waiting {
    new: NewTexts,
    /// The source that it ends with.
    source: usize,
}

impl Waiting {
    fn len(&self) -> usize {
        self.new.texts.text.len()
    }
}

impl Collector {
    fn add(&mut self, block: Read) {
        match block {
            Read::Whole(part, block, piece) => {
                self.encode(part);
                self.steps
                    .push_back(Step::Write(part, NewBlock::Stored(block, piece)));
            }
            Read::Cut(cut) => self.add_texts(cut),
            // Every part has it already.
            Read::Model => {}
        }
    }

    fn add_texts(&mut self, cut: Cut) {
        // As in packing: a block ends after the block size, and has at most twice as much. All text
        // of a block that goes to a part stays together.
        let mut lens = BTreeMap::new();
        for more in &cut.texts {
            *lens.entry(more.part).or_insert(0) += more.text.len();
        }
        for (&part, len) in &lens {
            let joins = self.waiting[part].as_ref().is_some_and(|text| {
                (text.new.kind, text.new.coding) == (cut.kind, cut.coding)
                    && text.len() < self.block_size
                    && text.len() + len <= self.block_size.saturating_mul(2)
            });
            if !joins {
                self.encode(part);
            }
        }
        for more in cut.texts {
            self.waiting_len += more.text.len();
            let waiting = self.waiting[more.part].get_or_insert_with(|| Waiting {
                new: NewTexts::new(cut.kind, cut.coding),
                source: more.source,
            });
            let continues = waiting.source == more.source;
            waiting.source = more.source;
            waiting.new.push(continues, &more.text, &more.piece);
        }
        while self.waiting_len > MAX_WAITING {
            let lens = self
                .waiting
                .iter()
                .map(|text| text.as_ref().map_or(0, Waiting::len));
            match lens.enumerate().max_by_key(|&(part, len)| (len, part)) {
                Some((part, _)) => self.encode(part),
                None => break,
            }
        }
    }

    /// Encodes the text that waits in a part.
    fn encode(&mut self, part: usize) {
        if let Some(text) = self.waiting[part].take() {
            self.waiting_len -= text.len();
            self.steps.push_back(Step::Encode(part, text.new));
        }
    }

    fn encode_all(&mut self) {
        for part in 0..self.waiting.len() {
            self.encode(part);
        }
    }
}
