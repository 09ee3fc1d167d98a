//! Threads that compute answers. Requests wait for a thread in a queue of bounded length and time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::http::StatusCode;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task,
    time::timeout,
};

use ign_api::{Cancel, Failure, Result};

use crate::failure::{busy, failure};

/// The longest that work waits to start whose end depends on other clients.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Sets a flag when it is dropped.
struct Abandoned(Cancel);

impl Drop for Abandoned {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The threads and their queue.
pub struct Workers {
    threads: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    time_limit: Duration,
}

/// A request that waits for a thread. Its place in the queue ends with it.
struct Waiting<'w>(&'w AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workers {
    /// So many threads, for which `queue` requests may wait. A request must be answered within the
    /// time limit.
    pub fn new(threads: usize, queue: usize, time_limit: Duration) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(threads.max(1))),
            waiting: AtomicUsize::new(0),
            queue,
            time_limit,
        }
    }

    /// Waits for a thread. It is free again when the value is dropped.
    ///
    /// # Errors
    /// Busy, if the queue is full.
    async fn thread(&self) -> Result<OwnedSemaphorePermit> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= self.queue {
            return Err(busy("too many requests wait; try again later"));
        }
        let thread = self.threads.clone().acquire_owned().await;
        thread.map_err(|_| busy("the server stops"))
    }

    /// Waits shortly for a thread for work that lasts as long as its client takes: the others may
    /// not end soon.
    ///
    /// # Errors
    /// Busy, if the queue is full or no thread is free after [`MAX_WAIT`].
    pub async fn start(&self) -> Result<OwnedSemaphorePermit> {
        let thread = timeout(self.time_limit.min(MAX_WAIT), self.thread()).await;
        thread.unwrap_or_else(|_| Err(busy("too many downloads run; try again later")))
    }

    /// Runs work that may take long or read files. The flag is set when the time limit is exceeded
    /// or the future is dropped, as when the client has gone away: the work should end soon.
    ///
    /// # Errors
    /// Those of the work; busy if the queue is full or the time limit is exceeded.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let cancel = Cancel::default();
        let _abandoned = Abandoned(cancel.clone());
        let run = async {
            let thread = self.thread().await?;
            let done = task::spawn_blocking(move || {
                let _thread = thread;
                work(&cancel)
            });
            done.await.unwrap_or_else(|_| {
                // A panic, which has been printed.
                Err(failure(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "internal error; please report it with the request",
                ))
            })
        };
        let done = timeout(self.time_limit, run).await;
        done.unwrap_or_else(|_| Err(too_late(self.time_limit)))
    }
}

/// The failure of a request that is not answered within the time limit.
pub fn too_late(time_limit: Duration) -> Failure {
    busy(format!(
        "no answer within {} s; an index, built by ign index, makes searches fast",
        time_limit.as_secs()
    ))
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Instant};

    use super::*;

    /// The longest that work waits for its flag.
    const LONG: Duration = Duration::from_secs(20);

    /// Work that ends when its flag is set, and then sends whether it was.
    fn until_cancelled(ended: mpsc::Sender<bool>) -> impl FnOnce(&Cancel) -> Result<()> {
        move |cancel| {
            let start = Instant::now();
            while !cancel.load(Ordering::Relaxed) && start.elapsed() < LONG {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.send(cancel.load(Ordering::Relaxed)).unwrap();
            Ok(())
        }
    }

    fn runtime() -> tokio::runtime::Runtime {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    }

    #[test]
    fn work_is_cancelled_at_the_time_limit_and_its_thread_is_free_again() {
        let workers = Workers::new(1, 4, Duration::from_millis(20));
        let (ended, end) = mpsc::channel();
        runtime().block_on(async {
            let done = workers.run(until_cancelled(ended)).await;
            assert_eq!(done.unwrap_err().status, StatusCode::TOO_MANY_REQUESTS);
            assert_eq!(end.recv_timeout(LONG), Ok(true));
            let start = Instant::now();
            while workers.run(|_| Ok(())).await.is_err() {
                assert!(start.elapsed() < LONG);
            }
        });
    }

    #[test]
    fn work_is_cancelled_when_nobody_waits_for_it() {
        let workers = Workers::new(1, 4, LONG);
        let (ended, end) = mpsc::channel();
        runtime().block_on(async {
            let run = workers.run(until_cancelled(ended));
            assert!(timeout(Duration::from_millis(20), run).await.is_err());
            assert_eq!(end.recv_timeout(LONG), Ok(true));
        });
    }

    #[test]
    fn work_that_is_awaited_is_not_cancelled() {
        let workers = Workers::new(1, 4, LONG);
        let done = workers.run(|cancel| Ok(cancel.load(Ordering::Relaxed)));
        assert_eq!(runtime().block_on(done), Ok(false));
    }
}
