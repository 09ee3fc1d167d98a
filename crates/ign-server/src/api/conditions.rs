//! `GET /api/conditions`: the conditions on games, from which the page makes its form.

use axum::{
    extract::Request,
    http::header,
    response::{IntoResponse, Response},
};
use ign_archive::query::{CONDITIONS, Condition, Form};
use serde_json::{Value, json};

use crate::{app::JSON, failure::Result, parameters::Parameters};

/// `GET /api/conditions`
pub async fn conditions(request: Request) -> Result<Response> {
    Parameters::read(request.uri().query())?.finish()?;
    let headers = [
        (header::CONTENT_TYPE, JSON),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, list().to_string()).into_response())
}

/// The conditions on games as JSON: the answer of `/api/conditions`.
#[must_use]
pub fn list() -> Value {
    let rows: Vec<Value> = CONDITIONS.iter().copied().map(row).collect();
    json!({ "conditions": rows })
}

fn row(condition: &Condition) -> Value {
    let choices = match condition.form {
        Form::Choices(words) => words,
        _ => &[],
    };
    json!({
        "name": condition.name,
        "form": condition.form.name(),
        "choices": choices,
        "repeatable": condition.is_repeatable(),
        "heading": condition.heading.title(),
        "label": condition.label,
        "help": condition.help,
        "example": condition.example,
    })
}
