//! Work without Python's lock, which Ctrl-C ends.
//!
//! The work runs on a thread of its own. The calling thread waits and looks for signals; if one
//! raises an exception, it sets the flag that cancels the work, and raises the exception when the
//! work has ended.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use ign_archive::{Error, Progress};
use pyo3::prelude::*;

use crate::failure::{Failure, Result};

/// The time between two looks for signals.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(50);

/// How work learns that it should end.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    /// The exception that cancelled the work.
    reason: Arc<Mutex<Option<PyErr>>>,
}

impl Cancel {
    /// The flag, for [`ign_archive::Archive::with_cancel`].
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Cancels the work because of an exception.
    pub fn because_of(&self, reason: PyErr) {
        let mut first = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(reason);
        self.flag.store(true, Ordering::Relaxed);
    }

    /// A callback for operations that report progress. It calls `callback(bytes, games)`, whose
    /// exception cancels the operation.
    pub fn on_progress<'c>(
        &'c self,
        callback: Option<&'c Py<PyAny>>,
    ) -> impl FnMut(Progress) -> ControlFlow<()> + 'c {
        move |progress| {
            if let Some(callback) = callback {
                let call = |py: Python| callback.call1(py, (progress.bytes, progress.games));
                if let Err(error) = Python::attach(call) {
                    self.because_of(error);
                }
            }
            if self.flag.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
}

/// Runs work without Python's lock.
///
/// # Errors
/// Those of the work; the exception of a signal, such as `KeyboardInterrupt`.
pub fn interruptible<T: Send>(
    py: Python,
    work: impl FnOnce(&Cancel) -> ign_archive::Result<T> + Send,
) -> Result<T> {
    let cancel = Cancel::default();
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let cancel = &cancel;
            let worker = scope.spawn(move || {
                let done = work(cancel);
                // A panic drops it too.
                drop(ended);
                done
            });
            while end.recv_timeout(BETWEEN_SIGNALS) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    cancel.because_of(error);
                }
            }
            let joined = worker.join();
            joined.unwrap_or_else(|_| Err(Error::internal("the work panicked")))
        })
    });
    let mut reason = cancel.reason.lock().unwrap_or_else(PoisonError::into_inner);
    match reason.take() {
        // The work has ended because of it, or was done before it noticed.
        Some(reason) => Err(Failure::Python(reason)),
        None => Ok(done?),
    }
}
