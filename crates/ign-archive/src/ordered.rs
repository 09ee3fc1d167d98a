//! Jobs done by several threads, with the results in the order of the jobs.
//!
//! A feeder thread takes jobs from an iterator. For each job it makes a ticket, a channel for one
//! result. The job goes to the workers, the ticket to the caller. Waiting on the tickets in turn
//! gives the results in order, without a lock and without sorting. Both channels are bounded, so a
//! slow caller slows the feeder. At most `threads + 4` jobs and results are in memory:
//! `threads + AHEAD` in the channel of tickets, one at the feeder that waits to add its ticket, and
//! one at the caller.
//!
//! When the caller stops early, the tickets' channel closes; the feeder and the workers notice that
//! and end. A panic in a worker becomes an error in the place of its result.
//!
//! Where there are no threads, a job is done when its result is taken.
//!
//! rayon has no ordered and bounded parallel map over an iterator, so this is written by hand.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    thread::{Builder, Scope},
};

use crossbeam_channel::{Receiver, Sender, bounded};

use ign_format::error::{Error, Result};

use crate::threads::HAS_THREADS;

/// The number of jobs that may be finished or waiting beyond one for each worker.
const AHEAD: usize = 2;

/// The channel of one result.
type Ticket<R> = Receiver<Result<R>>;

/// Results in the order of their jobs.
pub struct Ordered<'t, R>(From<'t, R>);

/// Where results come from.
enum From<'t, R> {
    /// Threads.
    Threads(Receiver<Ticket<R>>),
    /// No thread could be started.
    Failed(Option<Error>),
    /// The calling thread does each job.
    Caller(Box<dyn Iterator<Item = Result<R>> + Send + 't>),
}

impl<R> Iterator for Ordered<'_, R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            From::Threads(tickets) => {
                let ended = |_| Err(Error::internal("a worker thread ended early"));
                Some(tickets.recv().ok()?.recv().unwrap_or_else(ended))
            }
            From::Failed(error) => error.take().map(Err),
            From::Caller(results) => results.next(),
        }
    }
}

/// Does the jobs on threads of the scope, and returns the results in the order of the jobs. An
/// error among the jobs is returned in its place.
pub fn ordered<'scope, J, R>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    jobs: impl Iterator<Item = Result<J>> + Send + 'scope,
    work: impl Fn(J) -> Result<R> + Clone + Send + 'scope,
) -> Ordered<'scope, R>
where
    J: Send + 'scope,
    R: Send + 'scope,
{
    let spawn = |task| Builder::new().spawn_scoped(scope, task).map(drop);
    start(threads, jobs, work, spawn)
}

/// As [`ordered`], on threads that end with their work: when the jobs are done, or soon after the
/// results are dropped.
pub fn ordered_detached<J, R>(
    threads: usize,
    jobs: impl Iterator<Item = Result<J>> + Send + 'static,
    work: impl Fn(J) -> Result<R> + Clone + Send + 'static,
) -> Ordered<'static, R>
where
    J: Send + 'static,
    R: Send + 'static,
{
    start(threads, jobs, work, |task| {
        Builder::new().spawn(task).map(drop)
    })
}

/// What a thread does.
type Task<'t> = Box<dyn FnOnce() + Send + 't>;

fn start<'t, J: Send + 't, R: Send + 't>(
    threads: usize,
    jobs: impl Iterator<Item = Result<J>> + Send + 't,
    work: impl Fn(J) -> Result<R> + Clone + Send + 't,
    spawn: impl Fn(Task<'t>) -> io::Result<()>,
) -> Ordered<'t, R> {
    if !HAS_THREADS {
        return Ordered(From::Caller(Box::new(jobs.map(move |job| work(job?)))));
    }
    let threads = threads.max(1);
    let (ticket_sender, tickets) = bounded(threads + AHEAD);
    let (job_sender, job_receiver) = bounded(1);
    let worker = || {
        let (jobs, work) = (job_receiver.clone(), work.clone());
        spawn(Box::new(move || do_jobs(&jobs, work)))
    };
    // Without memory for more threads, fewer do the jobs.
    let spawned = worker().and_then(|()| {
        spawn(Box::new(move || feed(jobs, &job_sender, &ticket_sender)))?;
        _ = (1..threads).try_for_each(|_| worker());
        Ok(())
    });
    Ordered(match spawned {
        Ok(()) => From::Threads(tickets),
        Err(error) => From::Failed(Some(Error::threads(error))),
    })
}

type Job<J, R> = (J, Sender<Result<R>>);

fn feed<J, R>(
    jobs: impl Iterator<Item = Result<J>>,
    workers: &Sender<Job<J, R>>,
    tickets: &Sender<Ticket<R>>,
) {
    let fed = catch_unwind(AssertUnwindSafe(|| {
        for job in jobs {
            let (result, ticket) = bounded(1);
            if tickets.send(ticket).is_err() {
                return;
            }
            // A send fails only after the caller has stopped waiting.
            _ = match job {
                Ok(job) => workers.send((job, result)).is_ok(),
                Err(error) => result.send(Err(error)).is_ok(),
            };
        }
    }));
    if fed.is_err() {
        let (result, ticket) = bounded(1);
        _ = result.send(Err(Error::internal("the reading thread panicked")));
        _ = tickets.send(ticket);
    }
}

fn do_jobs<J, R>(jobs: &Receiver<Job<J, R>>, work: impl Fn(J) -> Result<R>) {
    for (job, result) in jobs {
        let done = catch_unwind(AssertUnwindSafe(|| work(job)))
            .unwrap_or_else(|_| Err(Error::internal("a worker thread panicked")));
        // The caller may have stopped.
        _ = result.send(done);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn squares(threads: usize, jobs: Vec<Result<u64>>, take: usize) -> Vec<Result<u64>> {
        thread::scope(|scope| {
            let work = |n: u64| {
                // Later jobs are faster, so they finish out of order.
                thread::sleep(std::time::Duration::from_micros(500 / (n + 1)));
                if n == 13 {
                    panic!("unlucky")
                } else {
                    Ok(n * n)
                }
            };
            ordered(scope, threads, jobs.into_iter(), work)
                .take(take)
                .collect()
        })
    }

    #[test]
    fn returns_results_in_the_order_of_the_jobs() {
        for threads in [0, 1, 2, 7] {
            let jobs = (0..13).chain(14..200).map(Ok).collect();
            let results: Vec<u64> = squares(threads, jobs, usize::MAX)
                .into_iter()
                .map(Result::unwrap)
                .collect();
            assert_eq!(
                results,
                (0..13).chain(14..200).map(|n| n * n).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn returns_errors_and_panics_in_their_place_and_stops_early() {
        let jobs = || {
            (0..20)
                .map(|n| {
                    if n == 3 {
                        Err(Error::usage("three"))
                    } else {
                        Ok(n)
                    }
                })
                .collect()
        };
        let results = squares(2, jobs(), 20);
        assert_eq!(results[3].as_ref().unwrap_err().to_string(), "three");
        let last = results[13].as_ref().unwrap_err();
        assert_eq!(last.kind(), ign_format::error::Kind::Internal);
        assert_eq!(results.len(), 20);
        assert_eq!(squares(2, jobs(), 2).len(), 2);
    }
}
