//! Options of a server.

use std::{path::PathBuf, time::Duration};

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
    /// The time in which a client must send the head of a request, and take an answer.
    pub client_time_limit: Duration,
    /// Connections that are served at the same time. More wait.
    pub connections: usize,
}

impl Options {
    /// The greatest length of a path with its query string, in bytes.
    pub const MAX_URI: usize = 32 << 10;
    /// The greatest length of the body of a request, in bytes. No request needs one.
    pub const MAX_BODY: u64 = 64 << 10;

    /// The default options for these archives.
    pub fn new(archives: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self {
            archives: archives.into_iter().map(Into::into).collect(),
            index: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            uses_indexes: true,
            builds_indexes: false,
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
