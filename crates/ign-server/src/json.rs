//! Answers in JSON.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

/// Their type.
pub const CONTENT_TYPE: &str = "application/json";

/// An answer with the value of its `Cache-Control` header.
pub fn json_answer(status: StatusCode, cache_control: &'static str, body: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, CONTENT_TYPE),
        (header::CACHE_CONTROL, cache_control),
    ];
    (status, headers, body).into_response()
}
