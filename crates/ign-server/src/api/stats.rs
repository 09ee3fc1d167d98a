//! `GET /api/stats`: statistics of a source.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    app::{App, JSON},
    failure::Result,
    parameters::Parameters,
    statistics,
};

/// `GET /api/stats?source=`
pub async fn stats(State(app): State<Arc<App>>, request: Request) -> Result<Response> {
    let mut parameters = Parameters::read(request.uri().query())?;
    let source = parameters.take("source")?;
    parameters.finish()?;
    let view = app.view(source.as_deref())?;
    let state = app.statistics.of(view, source);
    let headers = [
        (header::CONTENT_TYPE, JSON),
        (header::CACHE_CONTROL, "no-store"),
    ];
    match state {
        statistics::State::Ready(json) => Ok((headers, json).into_response()),
        statistics::State::Failed(failure) => Err(failure),
        statistics::State::Computing(progress) => {
            let body = json!({"ready": false, "progress": progress}).to_string();
            Ok((StatusCode::ACCEPTED, headers, body).into_response())
        }
    }
}
