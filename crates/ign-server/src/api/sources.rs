//! `GET /api/sources`: the archives.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{
    app::{App, JSON},
    failure::{Result, message_of},
    parameters::Parameters,
};

/// `GET /api/sources`
pub async fn sources(State(app): State<Arc<App>>, request: Request) -> Result<Response> {
    Parameters::read(request.uri().query())?.finish()?;
    let collection = app.collection();
    let building = app.indexing.current();
    let shared = collection.archives().shared_index().is_some();
    let sources: Vec<Value> = collection
        .sources()
        .iter()
        .enumerate()
        .map(|(number, source)| {
            let archive = source.archive();
            let is_indexed = shared || archive.search_index().is_some();
            let building = building.as_ref().filter(|b| b.source == number);
            let mut value = json!({
                "name": source.name,
                "games": archive.len(),
                "bytes": archive.file_len(),
                "text_bytes": archive.text_len(),
                "plies": archive.plies(),
                "index": match building {
                    Some(_) => json!("building"),
                    None => json!(is_indexed),
                },
            });
            if let Some(building) = building {
                value["progress"] = json!(building.progress);
            }
            if let Some(rejected) = collection.rejected_index(source) {
                value["rejected"] = json!(message_of(rejected));
            }
            value
        })
        .collect();
    let value = json!({
        "sources": sources,
        "games": collection.archives().len(),
        "version": env!("CARGO_PKG_VERSION"),
        "etag": format!("{:016x}", collection.identity()),
    });
    let headers = [
        (header::CONTENT_TYPE, JSON),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, value.to_string()).into_response())
}
