//! The one failure vocabulary of the crate: what went wrong, where, and the way out.
//!
//! Every fallible function returns [`Result`]. An error starts small where the
//! fault is seen (`Error::corrupt("…")`) and gathers its place on the way up
//! ([`Error::in_block`], [`Error::in_file`]); the command line prints it in one
//! line and turns its [`Kind`] into the exit status.

use std::{fmt, io, path::Path};

use ign_entropy::varint::VarintError;

/// What an operation gives: a value, or an [`Error`] that names its place.
pub type Result<T> = std::result::Result<T, Error>;

/// The few kinds of failure, one exit status each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request itself cannot be carried out: exit status 1.
    Usage,
    /// The caller cancelled the operation: exit status 1.
    Cancelled,
    /// The environment refused (no such file, no space, no permission): exit status 1.
    Io,
    /// The reader of our output went away: nobody is left to tell, exit status 0.
    ClosedPipe,
    /// The input's bytes are not what they claim to be: exit status 2.
    Corrupt,
    /// The input is whole, but of a version or kind this program does not know: exit status 2.
    Unsupported,
    /// A promise of this program was broken: exit status 3.
    Internal,
}

/// A failure with its place and the way out.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: Kind,
    message: String,
    file: Option<String>,
    /// Byte offset in the file, where one is known.
    byte: Option<u64>,
    /// One-based block number, where one is known.
    block: Option<u64>,
    remedy: Option<String>,
    source: Option<io::Error>,
}

impl Error {
    /// An error of this kind, with no place yet.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            file: None,
            byte: None,
            block: None,
            remedy: None,
            source: None,
        }))
    }

    /// Bytes that are not what they claim to be.
    pub fn corrupt(message: impl Into<String>) -> Self {
        Self::new(Kind::Corrupt, message)
    }

    /// A broken promise of this program.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message)
    }

    /// A request that cannot be carried out.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// The kind, from which the exit status follows.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The exit status of a command that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self.0.kind {
            Kind::ClosedPipe => 0,
            Kind::Usage | Kind::Io | Kind::Cancelled => 1,
            Kind::Corrupt | Kind::Unsupported => 2,
            Kind::Internal => 3,
        }
    }

    /// Names the file, unless a deeper place has named one.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        let name = path.as_ref().display().to_string();
        self.0.file.get_or_insert(name);
        self
    }

    /// Names the byte offset in the file, unless a deeper place has named one.
    #[must_use]
    pub fn at_byte(mut self, byte: u64) -> Self {
        self.0.byte.get_or_insert(byte);
        self
    }

    /// Names the block by its zero-based number; it is shown one-based.
    #[must_use]
    pub fn in_block(mut self, block: u64) -> Self {
        self.0.block.get_or_insert(block + 1);
        self
    }

    /// Whether it names a block.
    pub fn is_in_block(&self) -> bool {
        self.0.block.is_some()
    }

    /// Says the way out.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy.get_or_insert(remedy.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(file) = &inner.file {
            write!(f, "{file}: ")?;
        }
        if let Some(block) = inner.block {
            write!(f, "block {block}: ")?;
        }
        if let Some(byte) = inner.byte {
            write!(f, "byte {byte}: ")?;
        }
        write!(f, "{}", inner.message)?;
        if let Some(remedy) = &inner.remedy {
            write!(f, " ({remedy})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|e| e as _)
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::BrokenPipe => Kind::ClosedPipe,
            _ => Kind::Io,
        };
        let mut error = Self::new(kind, plain_words(&source));
        error.0.source = Some(source);
        error
    }
}

impl From<VarintError> for Error {
    fn from(source: VarintError) -> Self {
        Self::corrupt(source.to_string())
    }
}

/// The system's message without its error number, with a remedy where one is plain.
fn plain_words(error: &io::Error) -> String {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "no such file",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::StorageFull => "no space left on the device; free some or write elsewhere",
        io::ErrorKind::IsADirectory => "is a directory; name a file",
        io::ErrorKind::QuotaExceeded => "disk quota exceeded; free some space or write elsewhere",
        io::ErrorKind::FileTooLarge => "the file would be larger than the system allows",
        _ => return error.to_string(),
    };
    advice.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_tells_place_and_remedy_in_one_line() {
        let error = Error::corrupt("checksum differs")
            .in_block(2)
            .in_file("a.ign")
            .remedy("unpack the other blocks");
        assert_eq!(
            error.to_string(),
            "a.ign: block 3: checksum differs (unpack the other blocks)"
        );
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn the_deepest_place_stands() {
        let error = Error::corrupt("x").in_file("inner").in_file("outer");
        assert_eq!(error.to_string(), "inner: x");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let error = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(error.exit_code(), 0);
    }
}
