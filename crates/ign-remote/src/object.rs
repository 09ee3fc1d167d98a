//! An open object.

use std::{
    fmt, io,
    ops::Range,
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::TryStreamExt;
use object_store::{
    GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt as _, path::Path,
};
use tokio::runtime::Handle;

use crate::{
    address::{Address, Scheme},
    failure::{changed, describe, is_without_ranges, no_ranges, note_cut_off, noting},
    pages::{Found, PAGE, Pages, Run},
    store::{Counters, RETRIES, Traffic, connect, runtime, wait},
};

/// Bytes at the end of an object that are requested when it is opened.
const END: u64 = 64 << 10;
/// Bytes of a long read that are requested together.
const WINDOW: u64 = 16 << 20;

/// An object that is read at offsets, by several threads at once. Clones share it.
///
/// Its bytes must stay the same while it is open: its length, its entity tag and its time are
/// compared in every answer, and a difference is an error.
#[derive(Clone)]
pub struct Object {
    shared: Arc<Shared>,
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object")
            .field("path", &self.shared.path)
            .field("version", &self.shared.version)
            .finish_non_exhaustive()
    }
}

struct Shared {
    store: Box<dyn ObjectStore>,
    path: Path,
    scheme: Scheme,
    /// What the first answer said of the object.
    version: ObjectMeta,
    counters: Arc<Counters>,
    pages: Mutex<Pages>,
    /// Pages have arrived, or failed.
    arrived: Condvar,
    runtime: Handle,
    /// The process that opened it.
    process: u32,
}

impl Object {
    /// Opens an object. This takes one request, which reads the last 64 KiB.
    ///
    /// # Errors
    /// [`NotFound`](io::ErrorKind::NotFound);
    /// [`PermissionDenied`](io::ErrorKind::PermissionDenied);
    /// [`Unsupported`](io::ErrorKind::Unsupported) if the server returns only whole objects; others
    /// of the connection.
    pub fn open(address: &Address) -> io::Result<Self> {
        let counters = Arc::default();
        let (store, path) = connect(address, &counters)?;
        let (scheme, counted) = (address.scheme, counters.clone());
        let (store, path, (version, start, bytes)) = wait(async move {
            let first = first(&*store, &path, &counted)
                .await
                .map_err(|error| error.into_io(scheme))?;
            Ok((store, path, first))
        })?;
        let mut pages = Pages::new(version.size);
        // The first page of these may be cut off.
        let run = start.div_ceil(PAGE)..version.size.div_ceil(PAGE);
        let skipped = (run.start * PAGE).saturating_sub(start);
        if let Some(bytes) = bytes.get(skipped as usize..) {
            pages.add(&run, bytes);
        }
        Ok(Self {
            shared: Arc::new(Shared {
                store,
                path,
                scheme,
                version,
                counters,
                pages: Mutex::new(pages),
                arrived: Condvar::new(),
                runtime: runtime()?,
                process: process::id(),
            }),
        })
    }

    /// The number of bytes.
    pub fn size(&self) -> u64 {
        self.shared.version.size
    }

    /// What has been requested and received for this object.
    pub fn traffic(&self) -> Traffic {
        self.shared.counters.get()
    }

    /// Announces ranges of bytes in the order in which they will be read. They are requested ahead,
    /// as far as memory for them is left. What was announced before is forgotten.
    pub fn will_read(&self, ranges: impl IntoIterator<Item = Range<u64>>) {
        if self.shared.process == process::id() {
            self.shared.pages().announce(ranges);
            self.shared.request_ahead();
        }
    }

    /// Fills a buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the object ends inside the buffer; those
    /// of requests.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset
            .checked_add(buffer.len() as u64)
            .filter(|&end| end <= self.size());
        end.ok_or(io::ErrorKind::UnexpectedEof)?;
        if self.shared.process != process::id() {
            return Err(io::Error::other(
                "the object was opened by the parent of this process; open it here",
            ));
        }
        let mut at = offset;
        for part in buffer.chunks_mut(WINDOW as usize) {
            self.shared.read(part, at)?;
            at += part.len() as u64;
        }
        Ok(())
    }
}

impl Shared {
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(self: &Arc<Self>, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset + buffer.len() as u64;
        let wanted = Pages::of(&(offset..end));
        let mut pages = self.pages();
        self.request(pages.request(wanted.clone()));
        for page in wanted.clone() {
            let first = page * PAGE;
            loop {
                match pages.find(page) {
                    Found::Bytes(bytes) => {
                        let from = offset.max(first);
                        let until = end.min(first + bytes.len() as u64);
                        buffer[(from - offset) as usize..(until - offset) as usize]
                            .copy_from_slice(
                                &bytes[(from - first) as usize..(until - first) as usize],
                            );
                        break;
                    }
                    Found::Wait => {
                        let waited = self.arrived.wait(pages);
                        pages = waited.unwrap_or_else(PoisonError::into_inner);
                    }
                    // It had to make room for others meanwhile.
                    Found::Missing => self.request(pages.request(page..wanted.end)),
                    Found::Failed(error) => return Err(error),
                }
            }
        }
        drop(pages);
        self.request_ahead();
        Ok(())
    }

    /// Starts the requests of a reader that waits.
    fn request(self: &Arc<Self>, runs: Vec<Run>) {
        for run in runs {
            let shared = self.clone();
            self.spawn(async move { shared.fetch(run).await });
        }
    }

    /// Starts requests of what was announced.
    fn request_ahead(self: &Arc<Self>) {
        while let Some(run) = { self.pages().next_ahead() } {
            let shared = self.clone();
            self.spawn(async move {
                shared.fetch(run).await;
                shared.pages().end_ahead();
                shared.request_ahead();
            });
        }
    }

    fn spawn(&self, request: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(noting(request));
    }

    /// Requests a run of pages and adds it.
    async fn fetch(&self, run: Run) {
        let range = { self.pages().bytes(&run) };
        let read = read_range(
            &*self.store,
            &self.path,
            &self.version,
            range,
            &self.counters,
        )
        .await;
        let mut pages = self.pages();
        match read {
            Ok(bytes) => pages.add(&run, &bytes),
            Err(error) => pages.fail(&run, &error.into_io(self.scheme)),
        }
        drop(pages);
        self.arrived.notify_all();
    }
}

/// Why a part could not be read.
enum Error {
    Store(object_store::Error),
    /// The object has another length, tag or time than before.
    Changed,
    NoRanges,
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        Self::Store(error)
    }
}

impl Error {
    /// The error that users see. It is made in the task of the request.
    fn into_io(self, scheme: Scheme) -> io::Error {
        match self {
            Self::Store(error) => describe(&error, scheme),
            Self::Changed => changed(),
            Self::NoRanges => no_ranges(),
        }
    }
}

/// The last bytes of an object: what its answer says of it, their offset, and the bytes.
type First = (ObjectMeta, u64, Vec<u8>);

async fn first(store: &dyn ObjectStore, path: &Path, counters: &Counters) -> Result<First, Error> {
    let options = GetOptions {
        range: Some(GetRange::Suffix(END)),
        ..GetOptions::default()
    };
    match store.get_opts(path, options).await {
        Ok(answer) => {
            let (meta, start) = (answer.meta.clone(), answer.range.start);
            match collect(answer, counters).await {
                Ok(bytes) => Ok((meta, start, bytes)),
                // It is read again as every other range.
                Err(_) => Ok((meta.clone(), meta.size, Vec::new())),
            }
        }
        // Some servers know ranges from a first byte on only, and an empty object has no range.
        Err(error) if is_without_ranges(&error) => {
            let meta = store.head(path).await?;
            let start = meta.size.saturating_sub(END) / PAGE * PAGE;
            if meta.size == 0 {
                return Ok((meta, 0, Vec::new()));
            }
            match read_range(store, path, &meta, start..meta.size, counters).await {
                Ok(bytes) => Ok((meta, start, bytes)),
                Err(Error::Store(object_store::Error::NotSupported { .. })) => Err(Error::NoRanges),
                Err(error) => Err(error),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads a range of the version of an object.
async fn read_range(
    store: &dyn ObjectStore,
    path: &Path,
    version: &ObjectMeta,
    range: Range<u64>,
    counters: &Counters,
) -> Result<Vec<u8>, Error> {
    let mut pause = Duration::from_millis(100);
    let mut repeated = 0;
    loop {
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            // A weak tag does not match itself.
            if_match: version.e_tag.clone().filter(|tag| !tag.starts_with("W/")),
            ..GetOptions::default()
        };
        let answer = store.get_opts(path, options).await?;
        let meta = &answer.meta;
        if meta.size != version.size
            || meta.e_tag != version.e_tag
            || meta.last_modified != version.last_modified
        {
            return Err(Error::Changed);
        }
        // The client repeats requests, but an answer that is cut off only if the object has a tag.
        match collect(answer, counters).await {
            Ok(bytes) if bytes.len() as u64 == range.end - range.start => return Ok(bytes),
            Err(error) if !note_cut_off(&error) || repeated == RETRIES => return Err(error.into()),
            _ if repeated == RETRIES => return Err(Error::Changed),
            _ => {}
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
        repeated += 1;
    }
}

/// The bytes of an answer.
async fn collect(answer: GetResult, counters: &Counters) -> object_store::Result<Vec<u8>> {
    let len = answer.range.end - answer.range.start;
    let mut bytes = Vec::with_capacity(len.min(WINDOW) as usize);
    let mut parts = answer.into_stream();
    while let Some(part) = parts.try_next().await? {
        counters.add_bytes(part.len());
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}
