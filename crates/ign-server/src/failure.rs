//! Errors as answers: `{"error": "…", "parameter": "white_elo"}`.
//!
//! An answer names archives as the sources do, never by their paths.

use std::path::Path;

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
    unreadable: Option<Unreadable>,
}

/// An archive that cannot be read any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its path.
    pub file: String,
    /// The line for the log.
    pub line: String,
}

/// Why an archive cannot be read any more.
const CAUSE: &str = "it is damaged, or was cut off or overwritten while it was served";
/// What to do about an archive that cannot be read any more.
const REMEDY: &str =
    "rename a whole file into its place, then reload: kill -HUP, or POST /api/reload";

/// The result of a request.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure with this status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            parameter: None,
            unreadable: None,
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

    /// The archives cannot be opened again.
    pub fn reload(error: &Error) -> Self {
        let name = error.file().map(|file| format!("{}: ", archive_name(file)));
        let message = format!(
            "not reloaded, the archives are served as before: {}{}",
            name.unwrap_or_default(),
            message_of(error)
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
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
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        let Some(unreadable) = Unreadable::of(error) else {
            return Self::new(status, message_of(error));
        };
        let (name, message) = (archive_name(&unreadable.file), error.message());
        let place = error
            .block()
            .map(|block| format!("block {block}: "))
            .unwrap_or_default();
        let message =
            format!("the archive '{name}' cannot be read ({place}{message}): {CAUSE}; {REMEDY}");
        Self {
            unreadable: Some(unreadable),
            ..Self::new(status, message)
        }
    }
}

impl Unreadable {
    /// The archive of an error of reading; `None` for other errors.
    pub fn of(error: &Error) -> Option<Self> {
        let file = matches!(error.kind(), ErrorKind::Io | ErrorKind::Corrupt)
            .then(|| error.file())
            .flatten()?;
        Some(Self {
            file: file.to_owned(),
            line: format!("{error}: {CAUSE}; {REMEDY}"),
        })
    }
}

/// The name of the archive at a path, without its folder and `.ign`.
pub fn archive_name(path: impl AsRef<Path>) -> String {
    let file = path
        .as_ref()
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    file.strip_suffix(".ign").unwrap_or(&file).to_owned()
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
        if let Some(unreadable) = self.unreadable {
            // The router writes it to the log.
            response.extensions_mut().insert(unreadable);
        }
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
    fn an_answer_names_the_archive_but_not_its_path() {
        let error = Error::corrupt("the file ends early").in_file("/home/ann/games.ign");
        let reload = Failure::reload(&error);
        assert_eq!(
            reload.message,
            "not reloaded, the archives are served as before: games: the file ends early"
        );
        let failure = Failure::from(error.in_block(2));
        assert_eq!(failure.status, StatusCode::SERVICE_UNAVAILABLE);
        let start = "the archive 'games' cannot be read (block 3: the file ends early): ";
        assert!(failure.message.starts_with(start), "{}", failure.message);
        assert!(failure.message.ends_with(REMEDY), "{}", failure.message);
        assert!(!failure.message.contains("/home"), "{}", failure.message);
        let unreadable = failure.unreadable.unwrap();
        assert_eq!(unreadable.file, "/home/ann/games.ign");
        assert!(
            unreadable
                .line
                .starts_with("/home/ann/games.ign: block 3: ")
        );
        let failure = Failure::from(Error::usage("no").with_remedy("write yes"));
        assert_eq!(
            (failure.status, &*failure.message),
            (StatusCode::BAD_REQUEST, "no; write yes")
        );
    }
}
