//! Dividing by a plan: texts that go to the same part are joined to blocks of the usual size.

use std::{collections::VecDeque, io::Write, thread};

use ign_format::{
    container::meta::Meta,
    error::{Error, Result},
};

use super::{
    parts::{NewBlock, Parts, Text, blocks_with_text, sources_of_blocks},
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
    /// Text that is encoded for a part.
    Encode(usize, Text),
    /// The end of a source, by its number.
    EndSource(usize),
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
    let sources = sources_of_blocks(archive);
    let texts = blocks_with_text(archive);
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
        let mut blocks = read.zip(sources);
        let steps = std::iter::from_fn(move || {
            loop {
                if let Some(step) = collector.steps.pop_front() {
                    return Some(Ok(step));
                }
                match blocks.next()? {
                    (Ok(block), (source, is_last)) => {
                        collector.add(block);
                        if is_last {
                            collector.end(source);
                        }
                    }
                    (Err(error), _) => return Some(Err(error)),
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
                Step::EndSource(source) => {
                    parts.end_source(&archive.sources()[source], texts[source]);
                }
                Step::Encode(..) => return Err(Error::internal("text was not encoded")),
            }
        }
        Ok(())
    })
}

/// Joins texts to blocks.
struct Collector {
    /// For each part the text that waits for more.
    waiting: Vec<Option<Text>>,
    waiting_len: usize,
    block_size: usize,
    steps: VecDeque<Step>,
}

impl Collector {
    fn add(&mut self, block: Read) {
        match block {
            Read::Whole(part, block) => {
                self.encode(part);
                self.steps
                    .push_back(Step::Write(part, NewBlock::Stored(block)));
            }
            Read::Cut(cut) => self.add_texts(cut),
            // Every part has it already.
            Read::Model => {}
        }
    }

    fn add_texts(&mut self, cut: Cut) {
        for more in cut.texts {
            let joins = self.waiting[more.part].as_ref().is_some_and(|text| {
                let len = text.text.len() + more.text.len();
                // As in packing: a block ends after the block size, and has at most twice as much.
                (text.kind, text.coding) == (cut.kind, cut.coding)
                    && text.text.len() < self.block_size
                    && len <= self.block_size.saturating_mul(2)
            });
            if !joins {
                self.encode(more.part);
            }
            self.waiting_len += more.text.len();
            let text = self.waiting[more.part].get_or_insert_with(|| Text {
                text: Vec::new(),
                games: 0,
                kind: cut.kind,
                coding: cut.coding,
            });
            text.text.extend(more.text);
            text.games += more.games;
        }
        while self.waiting_len > MAX_WAITING {
            let lens = self
                .waiting
                .iter()
                .map(|text| text.as_ref().map_or(0, |t| t.text.len()));
            match lens.enumerate().max_by_key(|&(part, len)| (len, part)) {
                Some((part, _)) => self.encode(part),
                None => break,
            }
        }
    }

    /// Encodes the text that waits in a part.
    fn encode(&mut self, part: usize) {
        if let Some(text) = self.waiting[part].take() {
            self.waiting_len -= text.text.len();
            self.steps.push_back(Step::Encode(part, text));
        }
    }

    fn end(&mut self, source: usize) {
        for part in 0..self.waiting.len() {
            self.encode(part);
        }
        self.steps.push_back(Step::EndSource(source));
    }
}
