//! `GET /api/server`: what this server does beside answering: an engine, and appending games.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{app::App, options::Options};

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
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::OK, headers, body.to_string()).into_response()
}
