//! What all requests share.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use ign_api::{Cancel, Collection, Compute, Failure, Key, Result, Served, Unreadable, View};
use tokio::time::timeout;

use crate::{
    cache::Answers,
    collection,
    engine::Engine,
    failure::log_line,
    indexing::Indexing,
    log::say,
    options::Options,
    statistics::Statistics,
    workers::{Workers, too_late},
};

/// Downloads of games at the same time.
const DOWNLOADS: usize = 4;

/// The archives, the answers that are kept, and the threads that compute others.
pub struct App {
    /// The options of the server.
    pub options: Options,
    /// Threads for answers.
    pub workers: Workers,
    /// Threads for downloads, which last as long as the client takes.
    pub downloads: Workers,
    /// The state of indexes that are being built.
    pub indexing: Indexing,
    /// Statistics of the archives.
    pub statistics: Arc<Statistics>,
    /// The engine, if the server has one.
    pub engine: Option<Arc<Engine>>,
    /// Held while games are appended.
    pub appending: Arc<tokio::sync::Mutex<()>>,
    collection: RwLock<Arc<Collection>>,
    answers: Answers,
    /// The paths of archives that cannot be read, which have been [reported](Self::report).
    unreadable: Mutex<HashSet<String>>,
}

impl App {
    /// Opens the archives.
    ///
    /// # Errors
    /// As [`collection::open`].
    pub fn new(options: Options) -> ign_archive::Result<Arc<Self>> {
        let collection = collection::open(&options)?;
        Ok(Arc::new(Self {
            workers: Workers::new(options.threads, options.queue, options.time_limit),
            downloads: Workers::new(DOWNLOADS, options.queue, options.time_limit),
            indexing: Indexing::default(),
            statistics: Arc::default(),
            engine: options.engine.clone().map(Engine::new).map(Arc::new),
            appending: Arc::default(),
            collection: RwLock::new(Arc::new(collection)),
            answers: Answers::new(options.cache_bytes),
            unreadable: Mutex::default(),
            options,
        }))
    }

    /// The archives as they are served at present.
    pub fn collection(&self) -> Arc<Collection> {
        let collection = self.collection.read();
        collection.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is served at present.
    pub fn served(&self) -> Served {
        Served {
            collection: self.collection(),
            building: self.indexing.current().map(|building| building.state),
        }
    }

    /// Opens the archives [again](Self::reopen) by request, and writes to standard error whether
    /// that was possible. Missing indexes are built, if they are to be.
    ///
    /// # Errors
    /// As [`collection::open`].
    pub fn reload(&self) -> ign_archive::Result<()> {
        let reopened = self.reopen();
        match &reopened {
            Ok(()) => {
                self.indexing.request();
                self.say("archives reloaded");
            }
            Err(error) => say(&format!(
                "not reloaded: {error}; the archives are served as before"
            )),
        }
        reopened
    }

    /// Opens the archives again. If one cannot be opened, all are served as before. Statistics and
    /// indexes of archives that are no longer served are not computed any more.
    ///
    /// # Errors
    /// As [`collection::open`].
    pub fn reopen(&self) -> ign_archive::Result<()> {
        let opened = Arc::new(collection::open(&self.options)?);
        let mut collection = self.collection.write();
        **collection
            .as_mut()
            .unwrap_or_else(|poisoned| poisoned.get_mut()) = opened.clone();
        drop(collection);
        self.answers.clear();
        self.reported().clear();
        self.statistics.reload(&opened);
        self.indexing.keep(&opened);
        self.warn(&opened);
        Ok(())
    }

    /// Writes a line to standard error, unless the server is quiet.
    pub fn say(&self, line: &str) {
        if !self.options.quiet {
            say(line);
        }
    }

    /// Writes the warnings about a collection, once.
    pub fn warn(&self, collection: &Collection) {
        for message in collection.new_warnings() {
            self.say(&format!("warning: {message}"));
        }
    }

    /// Writes to standard error that an archive cannot be read, once until the archives are opened
    /// again.
    pub fn report(&self, unreadable: Unreadable) {
        let line = log_line(&unreadable);
        if self.reported().insert(unreadable.file) {
            say(&line);
        }
    }

    fn reported(&self) -> MutexGuard<'_, HashSet<String>> {
        self.unreadable
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer of this key about these archives: not at all if the client has it, from those
    /// that are kept, or computed.
    ///
    /// # Errors
    /// Those of `compute` and of [`Workers::run`].
    pub async fn answer(
        &self,
        headers: &HeaderMap,
        key: Key,
        content_type: &'static str,
        view: View,
        compute: Compute,
    ) -> Result<Response> {
        let etag = key.etag();
        if is_known(headers, &etag) {
            return Ok((StatusCode::NOT_MODIFIED, tagged(&etag, content_type)).into_response());
        }
        let compute = async {
            let collection = view.clone();
            let compute = move |cancel: &Cancel| compute(&view.with_cancel(cancel));
            let body = self.workers.run(compute).await;
            // A search may have found that an index is damaged.
            self.warn(collection.collection());
            let body = body?;
            // Unused capacity would not be counted in the bytes that are kept.
            Ok::<_, Failure>(Bytes::from(body.into_boxed_slice()))
        };
        // A request may wait for an equal one, and then have to compute the answer itself.
        let answer = timeout(self.options.time_limit, self.answers.get(&key, compute)).await;
        let body = answer.unwrap_or_else(|_| Err(too_late(self.options.time_limit)))?;
        Ok((tagged(&etag, content_type), body).into_response())
    }
}

/// The headers of an answer that a client may keep and revalidates before it uses it again.
fn tagged(etag: &str, content_type: &'static str) -> [(header::HeaderName, HeaderValue); 3] {
    let etag = HeaderValue::from_str(etag).unwrap_or(HeaderValue::from_static(""));
    [
        (header::ETAG, etag),
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ]
}

/// Whether the client has the answer with this entity tag.
pub fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).into_iter();
    known.filter_map(|value| value.to_str().ok()).any(|value| {
        let mut tags = value.split(',').map(str::trim);
        tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
    })
}
