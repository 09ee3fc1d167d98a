//! Packing: inputs to one archive.

use std::{
    io::{self, Write},
    thread,
};

use super::{Progress, ordered::ordered, source::Input, split::Splitter};
use crate::writer::{ArchiveWriter, Summary};
use ign_format::{
    block::{
        Coding, Kind,
        encode::{Encoded, Options, encode_kind},
    },
    error::Result,
};

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackOptions {
    /// How its blocks are.
    pub block: Options,
    /// Bytes of text that a block aims at: no less, and at most twice as many.
    pub block_size: usize,
    /// Worker threads.
    pub threads: usize,
}

/// The smallest and the largest block size that may be asked for.
pub const BLOCK_SIZES: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 26;
/// The block size where none is asked for: larger ones pack tighter, smaller
/// ones give single games sooner.
pub const DEFAULT_BLOCK_SIZE: usize = 8 << 20;

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            block: Options::default(),
            block_size: DEFAULT_BLOCK_SIZE,
            threads: default_threads(),
        }
    }
}

/// As many threads as the machine runs at once.
pub fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What goes through the workers: text to be packed, or the end of a source.
enum Job {
    Text(Vec<u8>, Kind),
    End(End),
}

enum Done<O> {
    Block(Encoded, O),
    End(End),
}

struct End {
    name: Vec<u8>,
    text_len: u64,
    text_checksum: u64,
}

/// Packs the inputs, one after the other, into one archive. Gives `out` back
/// with what the archive amounts to.
///
/// # Errors
/// Those of the inputs and of `out`; internal, when a block does not give its
/// text back.
pub fn pack<W: Write>(
    inputs: &[Input],
    out: W,
    options: &PackOptions,
    progress: &Progress,
) -> Result<(W, Summary)> {
    pack_observed(inputs, out, options, progress, |_| Ok(()), |()| ())
}

/// Packs an input only for its blocks to be looked at: by plain integers, as quickly as it goes, and
/// without verifying. `observe` and `take` are called as by [`pack_observed`].
///
/// # Errors
/// Those of the input and of `observe`.
pub fn look_at<O: Send>(
    input: Input,
    observe: impl Fn(&Encoded) -> Result<O> + Sync,
    take: impl FnMut(O),
) -> Result<()> {
    let options = PackOptions {
        block: Options {
            coding: Coding::Ign,
            level: 1,
            verify: false,
        },
        ..PackOptions::default()
    };
    let progress = Progress::default();
    pack_observed(&[input], io::sink(), &options, &progress, observe, take)?;
    Ok(())
}

/// Packs as [`pack`] does, and has each block looked at: `observe` is called on
/// the worker threads, `take` with what it gave, in the order of the blocks.
///
/// # Errors
/// As [`pack`], and those of `observe`.
pub fn pack_observed<W: Write, O: Send>(
    inputs: &[Input],
    out: W,
    options: &PackOptions,
    progress: &Progress,
    observe: impl Fn(&Encoded) -> Result<O> + Sync,
    mut take: impl FnMut(O),
) -> Result<(W, Summary)> {
    let work = |job| match job {
        Job::Text(text, kind) => {
            let block = encode_kind(kind, text, &options.block)?;
            let observed = observe(&block)?;
            Ok(Done::Block(block, observed))
        }
        Job::End(end) => Ok(Done::End(end)),
    };
    thread::scope(|scope| {
        let texts = texts(scope, inputs, options, progress);
        let mut writer = ArchiveWriter::new(out, &options.block, options.block_size as u64)?;
        for done in ordered(scope, options.threads, texts, work) {
            match done? {
                Done::Block(block, observed) => {
                    writer.block(&block)?;
                    progress.add_games(block.games as u64);
                    take(observed);
                }
                Done::End(end) => writer.source(&end.name, end.text_len, end.text_checksum),
            }
        }
        writer.finish()
    })
}

/// The blocks of all inputs, each input followed by its end.
fn texts<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    inputs: &'scope [Input],
    options: &'scope PackOptions,
    progress: &'scope Progress,
) -> impl Iterator<Item = Result<Job>> + Send + 'scope {
    let mut inputs = inputs.iter();
    let mut current = None;
    let mut failed = false;
    let mut next = move || -> Result<Option<Job>> {
        if current.is_none() {
            let Some(input) = inputs.next() else {
                return Ok(None);
            };
            let pieces = input.open(scope, options.threads, progress)?;
            current = Some((input, Splitter::new(pieces, options.block_size)));
        }
        let (input, splitter) = current.as_mut().expect("an input is open");
        if let Some(text) = splitter.next_block()? {
            return Ok(Some(Job::Text(text, splitter.kind())));
        }
        let (text_len, text_checksum) = splitter.totals();
        let end = End {
            name: input.source_name(),
            text_len,
            text_checksum,
        };
        current = None;
        Ok(Some(Job::End(end)))
    };
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let job = next().transpose();
        failed = matches!(job, Some(Err(_)));
        job
    })
}
