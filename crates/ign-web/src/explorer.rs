//! Archives that are open, and their answers.

use ign_api::{Collection, Failure, Memory, Served, plan};
use ign_archive::{Archive, Archives};
use serde::Deserialize;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::source::Source;

/// What is kept in memory of what was read.
const MEMORY: Memory = Memory {
    heads: 16 << 20,
    indexes: 32 << 20,
    blocks: 16 << 20,
};

/// An archive that is to be opened: the name of its file, and the numbers by which JavaScript knows
/// its sources.
#[derive(Debug, Deserialize)]
struct Opened {
    name: String,
    archive: u32,
    archive_length: u64,
    index: Option<u32>,
    #[serde(default)]
    index_length: u64,
}

/// Archives that are open.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Explorer(Served);

/// An answer.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Reply {
    /// The status, as in HTTP.
    pub status: u16,
    /// The type of the body.
    pub content_type: String,
    /// The name of a file for the body, if it is to be one.
    pub file_name: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// Opens archives: JSON of
/// `[{"name": "a.ign", "archive": 0, "archive_length": 1000, "index": 1, "index_length": 2000}]`. An
/// archive without an index has null.
///
/// # Errors
/// An archive cannot be read, or is none; a sentence says why.
#[wasm_bindgen]
pub fn open(sources: &str) -> Result<Explorer, JsError> {
    let sources: Vec<Opened> = serde_json::from_str(sources)?;
    let archives = sources.into_iter().map(|opened| {
        let source = Source::new(opened.archive, opened.archive_length);
        let archive = Archive::from_read_at(source, opened.name.clone())?;
        Ok(match opened.index {
            None => archive,
            Some(index) => {
                let index = Source::new(index, opened.index_length);
                archive.with_index_read_at(index, format!("{}.idx", opened.name))
            }
        })
    });
    let archives: ign_archive::Result<Vec<Archive>> = archives.collect();
    let archives = archives.map_err(|error| JsError::new(&error.to_string()))?;
    let collection = Collection::new(Archives::from(archives), MEMORY);
    Ok(Explorer(Served::new(collection)))
}

#[wasm_bindgen]
impl Explorer {
    /// The answer to a GET request of the interface of `ign serve`, such as `/lichess?play=e2e4`.
    pub fn answer(&self, path_and_query: &str) -> Reply {
        let (path, query) = match path_and_query.split_once('?') {
            None => (path_and_query, None),
            Some((path, query)) => (path, Some(query)),
        };
        match plan(&self.0, path, query).and_then(|task| task.run()) {
            Ok(reply) => Reply {
                status: 200,
                content_type: reply.content_type.to_owned(),
                file_name: reply.file_name,
                body: reply.body,
            },
            Err(failure) => Reply::of_failure(&failure),
        }
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.0.collection.archives().len() as f64
    }

    /// Why indexes are not used, and archives that are given twice: each is returned once.
    pub fn warnings(&self) -> Vec<String> {
        self.0.collection.new_warnings()
    }
}

impl Reply {
    fn of_failure(failure: &Failure) -> Self {
        Self {
            status: failure.status,
            content_type: "application/json".to_owned(),
            file_name: None,
            body: failure.json().into_bytes(),
        }
    }
}
