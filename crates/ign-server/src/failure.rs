//! [`Failure`]s as answers of the server.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use ign_api::{Failure, Unreadable, archive_name, message_of};
use ign_archive::Error;

use crate::json::json_answer;

/// Why an archive cannot be read any more, and what to do about it.
const UNREADABLE: &str = "it is damaged, or was cut off or overwritten while it was served; \
                          rename a whole file into its place, then reload: kill -HUP, or POST /api/reload";

/// The server has too much to do.
pub fn busy(message: impl Into<String>) -> Failure {
    failure(StatusCode::TOO_MANY_REQUESTS, message)
}

/// A failure with this status.
pub fn failure(status: StatusCode, message: impl Into<String>) -> Failure {
    Failure::new(status.as_u16(), message)
}

/// The archives cannot be opened again.
pub fn not_reloaded(error: &Error) -> Failure {
    let name = error.file().map(|file| format!("{}: ", archive_name(file)));
    let message = format!(
        "not reloaded, the archives are served as before: {}{}",
        name.unwrap_or_default(),
        message_of(error)
    );
    failure(StatusCode::SERVICE_UNAVAILABLE, message)
}

/// The line for the log about an archive that cannot be read.
pub fn log_line(unreadable: &Unreadable) -> String {
    format!("{}: {UNREADABLE}", unreadable.error)
}

/// The answer.
pub fn response(failure: Failure) -> Response {
    let unreadable = failure.unreadable().cloned();
    let failure = if unreadable.is_some() {
        failure.because(UNREADABLE)
    } else {
        failure
    };
    let status = StatusCode::from_u16(failure.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_answer(status, "no-store", failure.json());
    if let Some(unreadable) = unreadable {
        // The router writes it to the log.
        response.extensions_mut().insert(unreadable);
    }
    if matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    ) {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_names_the_archive_but_not_its_path() {
        let error = Error::corrupt("the file ends early").in_file("/home/ann/games.ign");
        assert_eq!(
            not_reloaded(&error).message(),
            "not reloaded, the archives are served as before: games: the file ends early"
        );
        let failure = Failure::from(error.in_block(2));
        let unreadable = failure.unreadable().unwrap();
        let line = log_line(unreadable);
        assert!(line.starts_with("/home/ann/games.ign: block 3: "), "{line}");
        assert!(line.ends_with(UNREADABLE), "{line}");
        let response = response(failure);
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()["retry-after"], "5");
        assert!(response.extensions().get::<Unreadable>().is_some());
    }
}
