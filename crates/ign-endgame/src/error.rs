//! The error of endgame tables.

use std::fmt;

/// A value or an [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request cannot be answered: no such endgame, or a position that a table does not cover.
    Usage,
    /// The bytes of a file are damaged.
    Corrupt,
    /// A file of a version that this crate does not read.
    Unsupported,
    /// A bug of this crate.
    Internal,
}

/// A failure: its kind, a message and, where there is one, a remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    remedy: Option<&'static str>,
}

impl Error {
    /// An error without a remedy.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            remedy: None,
        }
    }

    /// An error of kind [`ErrorKind::Usage`].
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// An error of kind [`ErrorKind::Corrupt`].
    pub(crate) fn corrupt(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Corrupt, message)
    }

    /// An error of kind [`ErrorKind::Internal`].
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// Adds a remedy.
    pub(crate) fn with_remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = Some(remedy);
        self
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong, in one line without the remedy.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> Option<&'static str> {
        self.remedy
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.remedy {
            Some(remedy) => write!(f, " ({remedy})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
