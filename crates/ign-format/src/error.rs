//! The error type of the whole library: what is wrong, where, and what to do about it.
//!
//! Every fallible function returns [`Result`]. A function that detects a fault creates an
//! [`Error`] with a [`Kind`] and a message. Callers that know more add the place
//! ([`Error::in_file`], [`Error::in_block`], [`Error::in_game`], [`Error::at_byte`]) and a remedy
//! ([`Error::with_remedy`]). The first place of each sort wins, because the code closest to the
//! fault knows it best.
//!
//! [`Display`](fmt::Display) writes one line: place, message, and the remedy in parentheses.
//! Programs need not parse it: each part has an accessor.
//!
//! ```
//! use ign_format::error::{Error, Kind};
//!
//! let error = Error::corrupt("the checksum differs").in_block(2).in_file("a.ign");
//! assert_eq!(error.to_string(), "a.ign: block 3: the checksum differs");
//! assert_eq!(error.kind(), Kind::Corrupt);
//! assert_eq!((error.file(), error.block()), (Some("a.ign"), Some(3)));
//! ```

use std::{convert::Infallible, fmt, io, path::Path};

use ign_entropy::varint::VarintError;

use crate::game_number::GameNumber;

/// The result of a fallible operation of this library.
pub type Result<T> = std::result::Result<T, Error>;

/// What sort of failure an [`Error`] is.
///
/// The command has an exit status for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The request is invalid, whatever the data: a malformed argument, a game number beyond the
    /// last game. Exit status 1.
    Usage,
    /// The caller cancelled the operation. Exit status 1.
    Cancelled,
    /// The operating system refused: no such file, no space left, no permission. The system's
    /// error is the [`source`](std::error::Error::source). Exit status 1.
    Io,
    /// The reader of the output closed its end of the pipe. This is not a failure, and there is
    /// nobody to report it to. Exit status 0.
    ClosedPipe,
    /// The input violates its format: a checksum differs, a length exceeds its limit, a file is
    /// truncated. Exit status 2.
    Corrupt,
    /// The input is intact, but its version, or a model or game that it names, is unknown to this
    /// program. Exit status 2.
    Unsupported,
    /// A bug in this library. Exit status 3.
    Internal,
}

/// A failure: its kind, a message, and where known the place and a remedy.
///
/// The value is one pointer wide, so that results stay small.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: Kind,
    message: String,
    file: Option<String>,
    /// Offset in the file, in bytes.
    byte: Option<u64>,
    /// One-based number of the block in the archive.
    block: Option<u64>,
    game: Option<GameNumber>,
    remedy: Option<Remedy>,
    source: Option<io::Error>,
}

impl Error {
    /// An error of this kind, without a place.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            file: None,
            byte: None,
            block: None,
            game: None,
            remedy: None,
            source: None,
        }))
    }

    /// An error of [`Kind::Corrupt`].
    pub fn corrupt(message: impl Into<String>) -> Self {
        Self::new(Kind::Corrupt, message)
    }

    /// An error of [`Kind::Unsupported`].
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// An error of [`Kind::Internal`].
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message)
    }

    /// An error of [`Kind::Usage`].
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// An error of reading with the message of its source: what a server answered, for example. The
    /// messages of system errors are replaced by [`From`].
    pub fn io(source: io::Error) -> Self {
        let mut error = Self::new(Kind::Io, source.to_string());
        error.0.source = Some(source);
        error
    }

    /// An error of starting threads.
    pub fn threads(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::from(io::Error::other(source))
            .with_remedy("no thread can be started: allow the program more memory or threads")
    }

    /// The kind of failure.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// What is wrong, without place and remedy.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file, as the user named it.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// The offset in the file, in bytes.
    pub fn byte(&self) -> Option<u64> {
        self.0.byte
    }

    /// The number of the block, counted from 1.
    pub fn block(&self) -> Option<u64> {
        self.0.block
    }

    /// The number of the game.
    pub fn game(&self) -> Option<GameNumber> {
        self.0.game
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> Option<&Remedy> {
        self.0.remedy.as_ref()
    }

    /// The place and the message, without the remedy.
    pub fn without_remedy(&self) -> impl fmt::Display + '_ {
        WithoutRemedy(&self.0)
    }

    /// Whether the bytes themselves are wrong, rather than reading them, which may succeed another
    /// time.
    pub fn is_data_error(&self) -> bool {
        matches!(self.0.kind, Kind::Corrupt | Kind::Unsupported)
    }

    /// Replaces the message. Kind, place and remedy stay.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Sets the file, unless one is set.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        let name = path.as_ref().display().to_string();
        self.0.file.get_or_insert(name);
        self
    }

    /// Sets the offset in the file, in bytes, unless one is set.
    #[must_use]
    pub fn at_byte(mut self, byte: u64) -> Self {
        self.0.byte.get_or_insert(byte);
        self
    }

    /// Sets the block by its zero-based index, unless one is set. [`Error::block`] and the
    /// message count from 1.
    #[must_use]
    pub fn in_block(mut self, index: u64) -> Self {
        self.0.block.get_or_insert(index.saturating_add(1));
        self
    }

    /// Sets the game, unless one is set.
    #[must_use]
    pub fn in_game(mut self, number: GameNumber) -> Self {
        self.0.game.get_or_insert(number);
        self
    }

    /// Sets the remedy, unless one is set.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<Remedy>) -> Self {
        self.0.remedy.get_or_insert(remedy.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.without_remedy())?;
        match &self.0.remedy {
            Some(remedy) => write!(f, " ({remedy})"),
            None => Ok(()),
        }
    }
}

struct WithoutRemedy<'e>(&'e Inner);

impl fmt::Display for WithoutRemedy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.0;
        if let Some(file) = &inner.file {
            write!(f, "{file}: ")?;
        }
        if let Some(block) = inner.block {
            write!(f, "block {block}: ")?;
        }
        if let Some(game) = inner.game {
            write!(f, "game {game}: ")?;
        }
        if let Some(byte) = inner.byte {
            write!(f, "byte {byte}: ")?;
        }
        f.write_str(&inner.message)
    }
}

/// What the user can do about an error. [`Display`](fmt::Display) writes it as a sentence for any
/// interface; a program may name its own commands instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Pack the text: the file is no archive.
    Pack,
    /// Merge archives, or unpack this one: it is an archive where text is expected.
    MergeOrUnpack,
    /// Unpack the games of an input: the archive was divided by inputs.
    UnpackSource,
    /// Make a new archive of the intact parts.
    Recover,
    /// Copy the file again, or make a new archive of the games that are left.
    CopyOrRecover,
    /// Remove the bytes after the archive by appending, or make a new archive.
    AppendOrRecover,
    /// Repair the parity, or replace it.
    RepairParity,
    /// Build the search index again.
    RebuildIndex,
    /// Extend the search index again.
    ExtendIndex,
    /// Use the version of the program that packed the archive.
    OtherVersion,
    /// Use a later version of the program.
    LaterVersion,
    /// Use a version of the program that has a model, or restore the model from its file.
    OtherModel,
    /// A sentence.
    Advice(String),
}

impl<T: Into<String>> From<T> for Remedy {
    fn from(advice: T) -> Self {
        Self::Advice(advice.into())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pack => "packing a text makes an archive",
            Self::MergeOrUnpack => "merge joins archives; unpack returns the text",
            Self::UnpackSource => "unpack the games of one input instead",
            Self::Recover => "recover copies the intact parts to a new archive",
            Self::CopyOrRecover => {
                "copy it again from an intact original; recover returns the games that are left"
            }
            Self::AppendOrRecover => "append removes them; recover keeps the games that are whole",
            Self::RepairParity => {
                "recover repairs it; new parity replaces it, if the archive is whole"
            }
            Self::RebuildIndex => "build the index again",
            Self::ExtendIndex => "extend the index again",
            Self::OtherVersion => "use the version of ign that packed it",
            Self::LaterVersion => "use a later version of ign",
            Self::OtherModel => "use a version of ign that has this model, or recover the archive with the file of the model",
            Self::Advice(advice) => advice,
        })
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|e| e as _)
    }
}

/// The error of the system, or the error of this library that [`io::Error::from`] wrapped.
impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        let source = match source.downcast::<Self>() {
            Ok(error) => return error,
            Err(source) => source,
        };
        let kind = match source.kind() {
            io::ErrorKind::BrokenPipe => Kind::ClosedPipe,
            _ => Kind::Io,
        };
        let mut error = Self::new(kind, io_message(&source));
        error.0.source = Some(source);
        error
    }
}

/// An error that passes through [`Read`](io::Read) or [`Write`](io::Write) and keeps what it knows.
/// Its kind is that of the system's error, so that an interrupted call is repeated.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match (&error.0.source, error.kind()) {
            (Some(source), _) => source.kind(),
            (None, Kind::Corrupt) => io::ErrorKind::InvalidData,
            (None, _) => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

/// An argument that is a valid value already needs no conversion.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

#[doc(hidden)]
impl From<VarintError> for Error {
    fn from(source: VarintError) -> Self {
        Self::corrupt(source.to_string())
    }
}

/// The message of a system error, without its number, and with advice where it is obvious.
fn io_message(error: &io::Error) -> String {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "no such file",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::StorageFull => "no space left on the device; free some or write elsewhere",
        io::ErrorKind::IsADirectory => "is a directory; name a file",
        io::ErrorKind::QuotaExceeded => "disk quota exceeded; free some space or write elsewhere",
        io::ErrorKind::UnexpectedEof => "the file ends early",
        io::ErrorKind::FileTooLarge => "the file would be larger than the system allows",
        _ => return error.to_string(),
    };
    message.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_place_and_remedy_in_one_line() {
        let error = Error::corrupt("checksum differs")
            .in_block(2)
            .in_file("a.ign")
            .with_remedy("unpack the other blocks");
        assert_eq!(
            error.to_string(),
            "a.ign: block 3: checksum differs (unpack the other blocks)"
        );
        assert_eq!(error.message(), "checksum differs");
        assert_eq!((error.file(), error.block()), (Some("a.ign"), Some(3)));
        assert_eq!(
            error.remedy(),
            Some(&Remedy::Advice("unpack the other blocks".into()))
        );
        assert_eq!((error.byte(), error.game()), (None, None));
    }

    #[test]
    fn another_message_keeps_place_and_remedy() {
        let error = Error::usage("x")
            .in_file("a.ign")
            .with_remedy("write 1")
            .with_message("elo: x");
        assert_eq!(error.to_string(), "a.ign: elo: x (write 1)");
        assert_eq!(error.kind(), Kind::Usage);
    }

    #[test]
    fn displays_game_and_byte_after_the_block() {
        let error = Error::corrupt("x")
            .in_block(0)
            .in_game(GameNumber::from_index(4))
            .at_byte(7);
        assert_eq!(error.to_string(), "block 1: game 5: byte 7: x");
        assert_eq!((error.byte(), error.game()), (Some(7), GameNumber::new(5)));
    }

    #[test]
    fn keeps_the_first_place() {
        let error = Error::corrupt("x").in_file("inner").in_file("outer");
        assert_eq!(error.to_string(), "inner: x");
    }

    #[test]
    fn keeps_everything_through_an_error_of_the_system() {
        let full = || Error::from(io::Error::from(io::ErrorKind::StorageFull)).in_file("a.ign");
        let wrapped = io::Error::from(full());
        assert_eq!(wrapped.kind(), io::ErrorKind::StorageFull);
        let error = Error::from(wrapped).in_file("b.ign");
        assert_eq!(error.to_string(), full().to_string());
        let wrapped = io::Error::from(Error::corrupt("x").in_block(2));
        assert_eq!(Error::from(wrapped).block(), Some(3));
    }

    #[test]
    fn a_closed_pipe_is_a_kind_of_its_own() {
        let error = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(error.kind(), Kind::ClosedPipe);
    }
}
