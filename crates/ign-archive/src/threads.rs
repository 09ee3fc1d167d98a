//! Data-parallel work, on the blocks of an archive for example, by rayon.

use ign_format::error::{Error, Result};
use rayon::{ThreadPoolBuilder, prelude::*};

use crate::archive::Archive;

/// Whether there are threads. In a browser all work is done by the thread that asks for it.
pub(crate) const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// Does work on blocks, on as many threads as the archive uses. Returns the results in the order of
/// the blocks, or the first error in that order. A block is in memory only while its work runs.
pub(crate) fn each_block<R: Send>(
    archive: &Archive,
    blocks: impl IntoIterator<Item = usize>,
    work: impl Fn(usize) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    each(archive.threads(), blocks, work)
}

/// Does jobs on up to this many threads. Returns the results in the order of the jobs, or the first
/// error in that order.
pub(crate) fn each<T: Send, R: Send>(
    threads: usize,
    jobs: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let jobs: Vec<T> = jobs.into_iter().collect();
    let threads = threads.min(jobs.len());
    if threads <= 1 || !HAS_THREADS {
        return jobs.into_iter().map(work).collect();
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(Error::threads)?;
    let results: Vec<Result<R>> = pool.install(|| jobs.into_par_iter().map(&work).collect());
    results.into_iter().collect()
}
