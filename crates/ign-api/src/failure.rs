//! Errors as answers: `{"error": "…", "parameter": "white_elo"}`.
//!
//! An answer names archives as the sources do, never by their paths.

use std::path::Path;

use ign_archive::{Error, ErrorKind};
use serde_json::json;

/// A request that is not fulfilled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The status of the answer, as in HTTP.
    pub status: u16,
    message: String,
    parameter: Option<String>,
    unreadable: Option<Unreadable>,
}

/// An archive that cannot be read any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its path.
    pub file: String,
    /// The error with the place.
    pub error: String,
}

/// The result of a request.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure with this status.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            parameter: None,
            unreadable: None,
        }
    }

    /// The request is wrong in a parameter.
    pub fn parameter(name: &str, message: impl Into<String>) -> Self {
        Self::new(400, message).of(name)
    }

    /// Something that does not exist.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(404, message)
    }

    /// Names the parameter that is wrong.
    #[must_use]
    pub fn of(mut self, parameter: &str) -> Self {
        self.parameter = Some(parameter.to_owned());
        self
    }

    /// Adds the cause, and what to do about it, to the message.
    #[must_use]
    pub fn because(mut self, cause: &str) -> Self {
        self.message = format!("{}: {cause}", self.message);
        self
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The archive that cannot be read any more, if that is the reason.
    pub fn unreadable(&self) -> Option<&Unreadable> {
        self.unreadable.as_ref()
    }

    /// The body of the answer, which is JSON.
    pub fn json(&self) -> String {
        let mut body = json!({"error": self.message});
        if let Some(parameter) = &self.parameter {
            body["parameter"] = json!(parameter);
        }
        body.to_string()
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
            ErrorKind::Usage => 400,
            ErrorKind::Internal => 500,
            ErrorKind::Cancelled => 429,
            _ => 503,
        };
        let Some(unreadable) = Unreadable::of(error) else {
            return Self::new(status, message_of(error));
        };
        let (name, message) = (archive_name(&unreadable.file), error.message());
        let place = error
            .block()
            .map(|block| format!("block {block}: "))
            .unwrap_or_default();
        let message = format!("the archive '{name}' cannot be read ({place}{message})");
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
            error: error.to_string(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_names_the_archive_but_not_its_path() {
        let error = Error::corrupt("the file ends early").in_file("/home/ann/games.ign");
        let failure = Failure::from(error.in_block(2));
        assert_eq!(failure.status, 503);
        let message = "the archive 'games' cannot be read (block 3: the file ends early)";
        assert_eq!(failure.message, message);
        let failure = failure.because("it was cut off");
        assert_eq!(failure.message, format!("{message}: it was cut off"));
        let unreadable = failure.unreadable.unwrap();
        assert_eq!(unreadable.file, "/home/ann/games.ign");
        let start = "/home/ann/games.ign: block 3: ";
        assert!(unreadable.error.starts_with(start), "{}", unreadable.error);
        let failure = Failure::from(Error::usage("no").with_remedy("write yes"));
        assert_eq!((failure.status, &*failure.message), (400, "no; write yes"));
    }
}
