//! Data-parallel work, on the blocks of an archive for example, by rayon.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ign_format::error::{Error, Result};
use rayon::ThreadPoolBuilder;

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
    each_reported(threads, jobs, work, || Ok(()))
}

/// [`each`], with a call of `report` on this thread after each job. If it fails, no further job
/// begins.
///
/// # Errors
/// Those of `report`, and the first of the jobs.
pub(crate) fn each_reported<T: Send, R: Send>(
    threads: usize,
    jobs: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R> + Sync,
    mut report: impl FnMut() -> Result<()>,
) -> Result<Vec<R>> {
    let jobs: Vec<T> = jobs.into_iter().collect();
    let threads = threads.min(jobs.len());
    if threads <= 1 || !HAS_THREADS {
        let run = |job| {
            let result = work(job)?;
            report().map(|()| result)
        };
        return jobs.into_iter().map(run).collect();
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(Error::threads)?;
    let mut results: Vec<Option<Result<R>>> = jobs.iter().map(|_| None).collect();
    let is_cancelled = AtomicBool::new(false);
    let (sender, receiver) = crossbeam_channel::unbounded();
    pool.in_place_scope_fifo(|scope| -> Result<()> {
        for (number, job) in jobs.into_iter().enumerate() {
            let (sender, work, is_cancelled) = (sender.clone(), &work, &is_cancelled);
            scope.spawn_fifo(move |_| {
                if !is_cancelled.load(Relaxed) {
                    _ = sender.send((number, work(job)));
                }
            });
        }
        drop(sender);
        for (number, result) in receiver {
            results[number] = Some(result);
            report().inspect_err(|_| is_cancelled.store(true, Relaxed))?;
        }
        Ok(())
    })?;
    results.into_iter().flatten().collect()
}
