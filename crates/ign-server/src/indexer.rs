//! The thread that builds missing indexes.
//!
//! A missing index is built on one thread and written beside its archive, and one that lacks games
//! is extended, as `ign index` does. When it is complete, the archives are opened again and use it.
//! The thread then waits until the archives are opened again by request, and builds what they lack.

use std::{collections::HashSet, path::PathBuf};

use ign_archive::{Archive, ErrorKind, index};

use crate::{app::App, log::say};

/// Builds the indexes that are missing, and extends those that lack games, one after the other,
/// until the server stops.
pub fn build_missing(app: &App) {
    let mut looked = Looked::default();
    loop {
        while let Some((source, archive)) = looked.next(app) {
            let Some(cancel) = app.indexing.start(source, &archive) else {
                return;
            };
            let path = index::path_of(archive.path());
            app.say(&format!("{}: building", path.display()));
            let built = app.indexing.build(archive, &cancel, &path);
            app.indexing.end();
            match built.and_then(|()| app.reopen()) {
                Ok(()) => {
                    app.say(&format!("{}: built", path.display()));
                    looked.used.insert(path);
                }
                Err(error) if error.kind() == ErrorKind::Cancelled => {}
                Err(error) => say(&format!("{}: {error}", path.display())),
            }
        }
        if !app.indexing.wait() {
            return;
        }
        looked.tried.clear();
    }
}

/// What the search for missing indexes has seen.
#[derive(Default)]
struct Looked {
    /// The identities of archives whose index has been built, or was tried to.
    tried: HashSet<u64>,
    /// The paths of indexes that were in use.
    used: HashSet<PathBuf>,
}

impl Looked {
    /// The first archive without a complete index that has not been tried, with the number of its
    /// source. A file in the place of the index that is not used belongs to another archive, or it
    /// is damaged: it is replaced only if it was in use before its archive was replaced. Otherwise
    /// it may not be ours to replace.
    fn next(&mut self, app: &App) -> Option<(usize, Archive)> {
        let collection = app.collection();
        let archives = collection.archives().archives();
        let mut missing = None;
        for (source, archive) in archives.iter().enumerate() {
            let path = index::path_of(archive.path());
            let is_missing = match archive.search_index() {
                Some(index) => {
                    self.used.insert(path);
                    index.games() < archive.len()
                }
                None => self.used.contains(&path) || !path.exists(),
            };
            if missing.is_none() && is_missing && self.tried.insert(archive.identity()) {
                missing = Some((source, archive.clone()));
            }
        }
        missing
    }
}
