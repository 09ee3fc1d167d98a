//! Lines on standard error: messages, and the access log with a line for each request.

use std::{
    io::Write,
    net::SocketAddr,
    time::{Duration, Instant},
};

use axum::http::{Method, Uri};

/// Writes a line.
pub fn say(line: &str) {
    // Control characters could send commands to a terminal.
    let line = line.replace(char::is_control, "?");
    _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// A request that is being answered.
pub struct Entry {
    start: Instant,
    client: Option<SocketAddr>,
    method: Method,
    uri: Uri,
}

impl Entry {
    /// A request that arrives.
    pub fn new(client: Option<SocketAddr>, method: &Method, uri: &Uri) -> Self {
        Self {
            start: Instant::now(),
            client,
            method: method.clone(),
            uri: uri.clone(),
        }
    }

    /// Writes the line: client, request, status, milliseconds.
    pub fn write(self, status: u16) {
        let client = self
            .client
            .map_or("-".to_owned(), |client| client.ip().to_string());
        let took = milliseconds(self.start.elapsed());
        let (method, uri) = (self.method, self.uri);
        say(&format!("{client} \"{method} {uri}\" {status} {took} ms"));
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1}", duration.as_secs_f64() * 1e3)
}
