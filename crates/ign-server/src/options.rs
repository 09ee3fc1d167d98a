//! Options of a server.

use std::{path::PathBuf, time::Duration};

use ign_archive::Error;
use tokio::runtime;

use crate::uci::Process;

/// What to serve, and within what limits.
///
/// Memory: at most `cache_bytes` of answers, `heads_bytes` of the games that answers list,
/// `index_bytes` of indexes, `block_bytes` of archives, and what the `threads` that compute answers
/// need, about 20 MB each.
#[derive(Debug, Clone)]
pub struct Options {
    /// The archives, each a source of its own; together they are one collection.
    pub archives: Vec<PathBuf>,
    /// An index of all archives.
    pub index: Option<PathBuf>,
    /// Names by which clients may address the server, beside addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Origins whose pages may read the explorer's answers, such as `https://lichess.org`; `*` is any.
    pub origins: Vec<String>,
    /// Whether indexes beside the archives are used.
    pub uses_indexes: bool,
    /// Whether missing indexes are built while the server runs.
    pub builds_indexes: bool,
    /// The engine that the page may use.
    pub engine: Option<Engine>,
    /// Whether the page may append games to the archives.
    pub allows_append: bool,
    /// Threads that compute answers.
    pub threads: usize,
    /// Whether each request is written to standard error.
    pub log: bool,
    /// Whether messages that are no errors are left out: indexes that are built or not used, and
    /// reloads.
    pub quiet: bool,
    /// Bytes of answers that are kept.
    pub cache_bytes: u64,
    /// Bytes of names, ratings and ids of games that are kept.
    pub heads_bytes: u64,
    /// Bytes of indexes that are kept in memory.
    pub index_bytes: u64,
    /// Bytes of blocks of archives that are kept in memory.
    pub block_bytes: u64,
    /// Requests that may wait for a thread. More are answered with status 429.
    pub queue: usize,
    /// The time in which a request must be answered. One that takes longer is answered with status
    /// 429.
    pub time_limit: Duration,
    /// The time in which a client must send the head of a request, and take each part of an answer.
    pub client_time_limit: Duration,
    /// Connections that are served at the same time. More wait.
    pub connections: usize,
}

/// A chess engine, a program that speaks UCI, and its limits.
#[derive(Debug, Clone)]
pub struct Engine {
    /// The program.
    pub program: PathBuf,
    /// Threads that it may use.
    pub threads: usize,
    /// Megabytes of its hash table.
    pub hash_mb: u32,
    /// The longest time for a position.
    pub time_limit: Duration,
}

impl Engine {
    /// An engine with one thread, a hash table of 64 MB, and 10 seconds for a position.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            threads: 1,
            hash_mb: 64,
            time_limit: Duration::from_secs(10),
        }
    }

    /// Starts the engine, waits until it is ready, and ends it. Not for asynchronous code: it has a
    /// runtime of its own.
    ///
    /// # Errors
    /// [`Usage`](ign_archive::ErrorKind::Usage) if the program cannot be started or is no engine.
    pub fn check(&self) -> ign_archive::Result<()> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let started = runtime.block_on(Process::start(self));
        started.map(drop).map_err(|failure| {
            Error::usage(format!("--engine: {}", failure.message())).with_remedy(
                "name a program that speaks UCI, such as stockfish, with its path if needed",
            )
        })
    }
}

impl Options {
    /// The greatest length of a path with its query string, in bytes.
    pub const MAX_URI: usize = 32 << 10;
    /// The greatest length of the body of a request, in bytes. Only games to append need one.
    pub const MAX_BODY: u64 = 64 << 10;
    /// The greatest length of the text of games to append, in bytes. It is in memory as a whole.
    pub const MAX_APPENDED: u64 = 64 << 20;

    /// The default options for these archives.
    pub fn new(archives: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self {
            archives: archives.into_iter().map(Into::into).collect(),
            index: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            uses_indexes: true,
            builds_indexes: false,
            engine: None,
            allows_append: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            log: false,
            quiet: false,
            cache_bytes: 32 << 20,
            heads_bytes: 64 << 20,
            index_bytes: 48 << 20,
            block_bytes: 32 << 20,
            queue: 256,
            time_limit: Duration::from_secs(60),
            client_time_limit: Duration::from_secs(30),
            connections: 512,
        }
    }
}
