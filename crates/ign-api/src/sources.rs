//! `GET /api/sources`: the archives.

use serde_json::{Value, json};

use crate::{
    failure::{Result, message_of},
    request::Request,
    task::Task,
};

/// `GET /api/sources`
pub(crate) fn sources(request: Request) -> Result<Task> {
    request.parameters.finish()?;
    let collection = &request.served.collection;
    let building = request.served.building;
    let shared = collection.archives().shared_index().is_some();
    let sources: Vec<Value> = collection
        .sources()
        .iter()
        .enumerate()
        .map(|(number, source)| {
            let archive = source.archive();
            let is_indexed = shared || archive.search_index().is_some();
            let building = building.filter(|b| b.source == number);
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
    Ok(Task::done("no-store", &value))
}
