//! Joins the texts of short inputs to blocks.
//!
//! An input whose text is shorter than a block is joined to the inputs before it, if these are
//! short too, are of the same kind of games, and have not filled a block together. So a block that
//! is shared holds whole inputs, and what is joined depends on the inputs alone.

use std::{collections::VecDeque, thread};

use ign_format::{
    block::Kind as GameKind,
    container::{TextChecksum, checksum, index::Source},
    error::{Error, Result},
};

use super::{Input, cut::BlockCutter, input::Pieces, texts::Texts};
use crate::progress::Counters;

/// What goes through the workers: texts that become a block, and the inputs that end with it.
#[derive(Default)]
pub(super) struct Job {
    pub texts: Texts,
    pub kind: GameKind,
    /// The inputs, and whether they are in UTF-16. If there are several texts, each has its input.
    pub ended: Vec<(Source, bool)>,
}

/// The blocks of all inputs.
pub(super) fn jobs<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    inputs: &'scope [Input],
    block_size: usize,
    threads: usize,
    counters: &'scope Counters,
) -> impl Iterator<Item = Result<Job>> + Send + 'scope {
    let mut joiner = Joiner {
        open: move |input: &Input| {
            let pieces = input.open(scope, threads, counters)?;
            Ok(BlockCutter::new(pieces, block_size))
        },
        // Of a single input nothing would be found; among others it must not stop the work.
        is_alone: inputs.len() == 1,
        inputs: inputs.iter(),
        block_size,
        current: None,
        joined: Job::default(),
        jobs: VecDeque::new(),
    };
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let job = joiner.next().transpose();
        failed = matches!(job, Some(Err(_)));
        job
    })
}

struct Joiner<'scope, I, O> {
    open: O,
    is_alone: bool,
    inputs: I,
    block_size: usize,
    current: Option<Current<'scope>>,
    /// The short inputs that wait for more.
    joined: Job,
    /// What is complete.
    jobs: VecDeque<Job>,
}

/// The input that is read.
struct Current<'scope> {
    input: &'scope Input,
    cutter: BlockCutter<Pieces<'scope>>,
    checksum: TextChecksum,
}

impl<'scope, I, O> Joiner<'scope, I, O>
where
    I: Iterator<Item = &'scope Input>,
    O: FnMut(&'scope Input) -> Result<BlockCutter<Pieces<'scope>>>,
{
    fn next(&mut self) -> Result<Option<Job>> {
        loop {
            if let Some(job) = self.jobs.pop_front() {
                return Ok(Some(job));
            }
            let Some(mut current) = self.take_current()? else {
                self.end_block();
                return Ok(self.jobs.pop_front());
            };
            let cutter = &mut current.cutter;
            let text = cutter
                .next_block()
                .map_err(|e| e.in_file(current.input.display()))?;
            if self.is_alone && cutter.is_utf16() {
                return Err(Error::usage("the text is UTF-16, which is not read")
                    .with_remedy("convert it: iconv -f UTF-16 -t UTF-8 OLD.pgn > NEW.pgn")
                    .in_file(current.input.display()));
            }
            let (kind, is_utf16) = (cutter.kind(), cutter.is_utf16());
            let len = text.as_ref().map_or(0, Vec::len);
            if len < self.block_size && cutter.text_len() == len as u64 {
                // It is the whole text.
                self.join(text.unwrap_or_default(), kind, (current.source(), is_utf16));
                continue;
            }
            self.end_block();
            match text {
                Some(text) => {
                    current.checksum.add(&text);
                    self.jobs.push_back(Job {
                        texts: Texts::one(text),
                        kind,
                        ended: Vec::new(),
                    });
                    self.current = Some(current);
                }
                None => {
                    let text_checksum = Some(current.checksum.value());
                    let mut source = current.source();
                    source.text_checksum = text_checksum.filter(|_| !source.is_part);
                    self.jobs.push_back(Job {
                        ended: vec![(source, is_utf16)],
                        ..Job::default()
                    });
                }
            }
        }
    }

    /// The input that is read, or the next one.
    fn take_current(&mut self) -> Result<Option<Current<'scope>>> {
        if let Some(current) = self.current.take() {
            return Ok(Some(current));
        }
        let Some(input) = self.inputs.next() else {
            return Ok(None);
        };
        Ok(Some(Current {
            input,
            cutter: (self.open)(input)?,
            checksum: TextChecksum::default(),
        }))
    }

    /// Joins the whole text of an input to those that wait.
    fn join(&mut self, text: Vec<u8>, kind: GameKind, ended: (Source, bool)) {
        let before = &self.joined;
        let has_text = !text.is_empty() && !before.texts.text.is_empty();
        if before.texts.text.len() >= self.block_size || has_text && kind != before.kind {
            self.end_block();
        }
        if !text.is_empty() {
            self.joined.kind = kind;
        }
        self.joined.texts.push(text);
        self.joined.ended.push(ended);
    }

    /// Ends the block of the inputs that wait.
    fn end_block(&mut self) {
        let mut job = std::mem::take(&mut self.joined);
        let mut with_text = job
            .ended
            .iter_mut()
            .filter(|(source, _)| source.text_len > 0);
        if let (Some((source, _)), None) = (with_text.next(), with_text.next())
            && !source.is_part
        {
            // In a block of its own, it has its checksum.
            source.text_checksum = Some(checksum(&job.texts.text));
        }
        if !job.ended.is_empty() {
            self.jobs.push_back(job);
        }
    }
}

impl Current<'_> {
    /// The source that the input becomes, without its games and its checksum.
    fn source(&self) -> Source {
        let mut source = Source::new(self.input.source_name(), self.cutter.text_len(), 0);
        source.is_part = self.input.is_part();
        source.sha256 = self.input.stated_sha256();
        source
    }
}
