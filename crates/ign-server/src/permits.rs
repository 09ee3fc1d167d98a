//! `GET /api/server`: what this server does beside answering: an engine, and appending games.

use std::sync::Arc;

use axum::{extract::State, http::StatusCode, response::Response};
use serde_json::json;

use crate::{app::App, json::json_answer, options::Options};

/// `GET /api/server`
pub async fn permits(State(app): State<Arc<App>>) -> Response {
    let engine = app.engine.as_ref().map(|engine| {
        let limit = u64::try_from(engine.time_limit().as_millis()).unwrap_or(u64::MAX);
        json!({"limit_ms": limit})
    });
    let append = app
        .options
        .allows_append
        .then(|| json!({"limit_bytes": Options::MAX_APPENDED}));
    let body = json!({"engine": engine, "append": append});
    json_answer(StatusCode::OK, "no-cache", body.to_string())
}
