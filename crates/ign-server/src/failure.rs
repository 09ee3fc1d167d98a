//! Errors as answers: `{"error": "…", "parameter": "white_elo"}`.
//!
//! An answer never names a file of the server.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ign_archive::{Error, ErrorKind};
use serde_json::json;

/// A request that is not fulfilled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The status of the answer.
    pub status: StatusCode,
    message: String,
    parameter: Option<String>,
}

/// The result of a request.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure with this status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            parameter: None,
        }
    }

    /// The request is wrong in a parameter.
    pub fn parameter(name: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message).of(name)
    }

    /// Something that does not exist.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The server has too much to do.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// Names the parameter that is wrong.
    #[must_use]
    pub fn of(mut self, parameter: &str) -> Self {
        self.parameter = Some(parameter.to_owned());
        self
    }
}

/// An error as [`message_of`] writes it.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Usage => StatusCode::BAD_REQUEST,
            ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorKind::Cancelled => StatusCode::TOO_MANY_REQUESTS,
            // An archive that was cut off or overwritten since it was opened.
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, message_of(error))
    }
}

/// The message and the remedy of an error, without the place in a file.
pub fn message_of(error: &Error) -> String {
    match error.remedy() {
        Some(remedy) => format!("{}; {remedy}", error.message()),
        None => error.message().to_owned(),
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({"error": self.message});
        if let Some(parameter) = self.parameter {
            body["parameter"] = parameter.into();
        }
        let headers = [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "no-store"),
        ];
        let mut response = (self.status, headers, body.to_string()).into_response();
        if matches!(
            self.status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_does_not_name_files() {
        let error = Error::corrupt("the file ends early").in_file("/home/ann/games.ign");
        let failure = Failure::from(error);
        assert_eq!(failure.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(failure.message, "the file ends early");
        let failure = Failure::from(Error::usage("no").with_remedy("write yes"));
        assert_eq!(
            (failure.status, &*failure.message),
            (StatusCode::BAD_REQUEST, "no; write yes")
        );
    }
}
