//! The answers of [`ign_api`] as answers of the server: kept, and computed on its threads.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{self, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ign_api::{Cancel, Result, Task, Work, plan};
use serde_json::json;

use crate::{app::App, download, failure::response, statistics::State};

/// The answer of a request for one of [`ign_api::paths`].
pub async fn answer(extract::State(app): extract::State<Arc<App>>, request: Request) -> Response {
    let planned = plan(&app.served(), request.uri().path(), request.uri().query());
    let answered = match planned {
        Ok(task) => run(&app, request.headers(), task).await,
        Err(failure) => Err(failure),
    };
    answered.unwrap_or_else(response)
}

async fn run(app: &Arc<App>, headers: &HeaderMap, task: Task) -> Result<Response> {
    let content_type = task.content_type;
    let mut status = StatusCode::OK;
    let (file_name, body): (Option<String>, Body) = match task.work {
        Work::Done(body) => (None, body.into()),
        Work::Keyed { key, view, compute } => {
            return app.answer(headers, key, content_type, view, compute).await;
        }
        Work::Text {
            view,
            file_name,
            compute,
        } => {
            let read = move |cancel: &Cancel| compute(&view.with_cancel(cancel));
            (file_name, app.workers.run(read).await?.into())
        }
        Work::Games(download) => {
            let find = |cancel: &Cancel| {
                let cancel = cancel.clone();
                download.find(move |view| view.with_cancel(&cancel))
            };
            let found = app.workers.run(find).await?;
            let name = found.file_name();
            let body = download::stream(app, move |out| found.write(out)).await?;
            (Some(name), body)
        }
        Work::Statistics { view, source } => match app.statistics.of(view, source) {
            State::Ready(json) => (None, json.into()),
            State::Failed(failure) => return Err(failure),
            State::Computing(progress) => {
                status = StatusCode::ACCEPTED;
                let json = json!({"ready": false, "progress": progress});
                (None, json.to_string().into())
            }
        },
    };
    let attachment = file_name.map(|name| format!("attachment; filename=\"{name}\""));
    let headers = [
        (header::CONTENT_TYPE, Some(content_type.to_owned())),
        (header::CONTENT_DISPOSITION, attachment),
        (header::CACHE_CONTROL, task.cache_control.map(str::to_owned)),
    ];
    let mut response = (status, body).into_response();
    for (name, value) in headers {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(&value).ok()) {
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}
