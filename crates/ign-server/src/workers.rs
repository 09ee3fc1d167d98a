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

use crate::failure::{Failure, Result};

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
    /// So many threads, for which `queue` requests may wait. A request must be answered within the time
    /// limit.
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
            return Err(Failure::busy("too many requests wait; try again later"));
        }
        let thread = self.threads.clone().acquire_owned().await;
        thread.map_err(|_| Failure::busy("the server stops"))
    }

    /// Waits for a thread for work that ends by itself.
    ///
    /// # Errors
    /// Busy, if the queue is full or the time limit is exceeded.
    pub async fn start(&self) -> Result<OwnedSemaphorePermit> {
        let thread = timeout(self.time_limit, self.thread()).await;
        thread.unwrap_or_else(|_| Err(Failure::busy("too many requests wait; try again later")))
    }

    /// Runs work that may take long or read files.
    ///
    /// # Errors
    /// Those of the work; busy if the queue is full or the time limit is exceeded, in which case the work
    /// ends later and its result is dropped.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let run = async {
            let thread = self.thread().await?;
            let done = task::spawn_blocking(move || {
                let _thread = thread;
                work()
            });
            done.await.unwrap_or_else(|_| {
                // A panic, which has been printed.
                Err(Failure::new(
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
    Failure::busy(format!(
        "no answer within {} s; an index, built by ign index, makes searches fast",
        time_limit.as_secs()
    ))
}
