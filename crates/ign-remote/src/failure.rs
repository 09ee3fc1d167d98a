//! Why a request failed, in words.
//!
//! The errors of the client contain whole addresses and the answers of servers, and both may
//! contain secrets. So messages are made from the status of the answer and the innermost cause
//! only.

use std::{cell::RefCell, error::Error as _, io};

use object_store::{
    Error,
    client::{HttpError, HttpErrorKind},
};

use crate::address::Scheme;

/// The last failure of a request, as its task saw it.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    /// The server answered with this status.
    Status(u16),
    /// There was no answer, or it was cut off.
    Transport(HttpErrorKind, String),
}

tokio::task_local! {
    /// The last failure in the current task.
    static LAST: RefCell<Option<Failure>>;
}

/// Requests whose failures are noted, for a task.
pub(crate) fn noting<F: Future>(requests: F) -> impl Future<Output = F::Output> {
    LAST.scope(RefCell::default(), requests)
}

/// The last failure in the current task; `None` outside of tasks, where nothing has been requested.
fn last() -> Option<Option<Failure>> {
    LAST.try_with(|last| last.borrow().clone()).ok()
}

/// Notes a failure for the message of the current task.
pub(crate) fn note(failure: Failure) {
    // Requests for credentials may run in tasks of the client.
    _ = LAST.try_with(|last| last.replace(Some(failure)));
}

/// The failure of a request without an answer.
pub(crate) fn transport(error: &HttpError) -> Failure {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    // The outer errors contain the address. Without a cause only the kind is known.
    let cause = match error.source() {
        Some(_) => cause.to_string(),
        None => String::new(),
    };
    Failure::Transport(error.kind(), cause)
}

/// Notes that an answer was cut off, if that is the reason of an error. Returns whether it is.
pub(crate) fn note_cut_off(error: &Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<HttpError>() {
            note(transport(error));
            return true;
        }
        cause = error.source();
    }
    false
}

/// Whether the server does not return the last bytes of an object, or no part of it. An answer that
/// is no failure but cannot be used is the whole object: `None`.
pub(crate) fn is_without_ranges(error: &Error) -> bool {
    matches!(error, Error::NotSupported { .. })
        || (matches!(error, Error::Generic { .. })
            && matches!(last(), Some(None | Some(Failure::Status(400 | 416 | 501))))
            && named_region(&error.to_string()).is_none())
}

/// The error that users see.
pub(crate) fn describe(error: &Error, scheme: Scheme) -> io::Error {
    let (kind, message) = match error {
        Error::NotFound { .. } => (io::ErrorKind::NotFound, not_found(scheme).to_owned()),
        Error::Precondition { .. } => return changed(),
        Error::NotSupported { .. } => return no_ranges(),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            (io::ErrorKind::PermissionDenied, denied(scheme).to_owned())
        }
        _ => match last() {
            Some(Some(Failure::Status(401 | 403))) => {
                (io::ErrorKind::PermissionDenied, denied(scheme).to_owned())
            }
            // The list of a bucket that does not exist.
            Some(Some(Failure::Status(404))) => {
                (io::ErrorKind::NotFound, not_found(scheme).to_owned())
            }
            Some(Some(Failure::Status(status @ (301 | 307 | 308 | 400))))
                if scheme == Scheme::S3 =>
            {
                (io::ErrorKind::Other, region(status, &error.to_string()))
            }
            Some(Some(Failure::Status(status))) => (
                io::ErrorKind::Other,
                format!("the server answered with status {status}"),
            ),
            Some(Some(Failure::Transport(kind, cause))) => transported(kind, &cause, scheme),
            Some(None) => (
                io::ErrorKind::Other,
                "the server sent an answer that cannot be used".to_owned(),
            ),
            None => (io::ErrorKind::InvalidInput, not_made(scheme)),
        },
    };
    io::Error::new(kind, message)
}

/// The object is another than the one that was opened.
pub(crate) fn changed() -> io::Error {
    io::Error::other("the object has changed since it was opened; open it again")
}

/// The server returns only whole objects.
pub(crate) fn no_ranges() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "the server does not return parts of files (HTTP range requests); download the file and open the copy",
    )
}

fn not_found(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Http => "the server has no such file",
        Scheme::S3 | Scheme::Gs => "there is no such object or bucket",
    }
}

fn denied(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Http => "the server denies access",
        Scheme::S3 => {
            "access is denied: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that may read the object, \
             or AWS_SKIP_SIGNATURE=true if everybody may"
        }
        Scheme::Gs => {
            "access is denied: set GOOGLE_SERVICE_ACCOUNT to the file of an account that may read the object, \
             or GOOGLE_SKIP_SIGNATURE=true if everybody may"
        }
    }
}

/// The message for a status that S3 returns for a bucket of another region. Its answer may name the
/// region.
fn region(status: u16, answer: &str) -> String {
    match (named_region(answer), status) {
        (Some(region), _) => {
            format!("the bucket is in the region {region}: set AWS_REGION={region}")
        }
        (None, 400) => "the server answered with status 400; AWS_REGION may be wrong".to_owned(),
        (None, _) => "the bucket is in another region: set AWS_REGION to it".to_owned(),
    }
}

/// The region that an answer of S3 names.
fn named_region(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("<Region>")?;
    let (region, _) = rest.split_once("</Region>")?;
    let mut bytes = region.bytes();
    let is_name = bytes.all(|c| c.is_ascii_alphanumeric() || c == b'-');
    is_name.then_some(region)
}

fn transported(kind: HttpErrorKind, cause: &str, scheme: Scheme) -> (io::ErrorKind, String) {
    let (kind, what) = match kind {
        HttpErrorKind::Connect => (io::ErrorKind::NotConnected, "the server cannot be reached"),
        HttpErrorKind::Timeout => (
            io::ErrorKind::TimedOut,
            "the server does not answer in time",
        ),
        _ => (io::ErrorKind::ConnectionAborted, "the connection failed"),
    };
    let cause = match cause {
        "" => String::new(),
        cause => format!(": {cause}"),
    };
    // Without keys in the environment the client asks the virtual machine for some, which may not
    // exist.
    let hint = match scheme {
        Scheme::S3 if std::env::var_os("AWS_ACCESS_KEY_ID").is_none() => {
            "; without AWS_ACCESS_KEY_ID, keys are requested from the cloud's own server; set AWS_SKIP_SIGNATURE=true \
             for an object that everybody may read"
        }
        _ => "",
    };
    (kind, format!("{what}{cause}{hint}"))
}

/// The message for a request that cannot be made.
fn not_made(scheme: Scheme) -> String {
    let variables = match scheme {
        Scheme::Http => "HTTP_PROXY and HTTPS_PROXY",
        Scheme::S3 => "AWS_…",
        Scheme::Gs => "GOOGLE_…",
    };
    format!("the request cannot be made; check the variables {variables} of the environment")
}
