//! A client that asks one question after the other over one connection.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

/// The status of a request that has no answer.
pub const NO_ANSWER: u16 = 0;
/// The longest wait for an answer: more than the server gives itself.
const LIMIT: Duration = Duration::from_secs(90);
/// How often a request is sent, if the server closes the connection.
const TRIES: usize = 3;

/// A connection that is kept.
pub struct Client<'a> {
    address: &'a str,
    stream: Option<BufReader<TcpStream>>,
}

impl<'a> Client<'a> {
    /// A client of the server at this address.
    pub fn new(address: &'a str) -> Self {
        Self {
            address,
            stream: None,
        }
    }

    /// The status of the answer to a GET.
    pub fn get(&mut self, path: &str) -> u16 {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    /// The status of the answer to a request. Connections that the server has closed are opened
    /// again.
    pub fn send(&mut self, request: &str) -> u16 {
        for _ in 0..TRIES {
            let stream = self.stream.get_or_insert_with(|| {
                let stream = TcpStream::connect(self.address).unwrap();
                stream.set_nodelay(true).unwrap();
                stream.set_read_timeout(Some(LIMIT)).unwrap();
                stream.set_write_timeout(Some(LIMIT)).unwrap();
                BufReader::new(stream)
            });
            match exchange(stream, request) {
                Some((status, is_kept)) => {
                    if !is_kept {
                        self.stream = None;
                    }
                    return status;
                }
                None => self.stream = None,
            }
        }
        NO_ANSWER
    }
}

/// The status of the answer to a request, and whether the connection is kept; `None` if it was
/// closed before.
fn exchange(stream: &mut BufReader<TcpStream>, request: &str) -> Option<(u16, bool)> {
    // The server may answer, and close the connection, before it has read all.
    _ = stream.get_mut().write_all(request.as_bytes());
    let status = line(stream)?.split(' ').nth(1)?.parse().ok()?;
    let (mut len, mut is_chunked, mut is_kept) = (0, false, true);
    loop {
        let line = line(stream)?;
        match line.split_once(": ") {
            Some(("content-length", value)) => len = value.parse().ok()?,
            Some(("transfer-encoding", value)) => is_chunked = value == "chunked",
            Some(("connection", value)) => is_kept = value != "close",
            _ if line.is_empty() => break,
            _ => {}
        }
    }
    if is_chunked {
        while chunk(stream)? > 0 {}
    } else {
        skip(stream, len)?
    }
    Some((status, is_kept))
}

/// A line in lower case, without its end.
fn line(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let len = stream.read_line(&mut line).ok()?;
    (len > 0).then(|| line.trim_end().to_ascii_lowercase())
}

/// Reads a chunk and returns its length.
fn chunk(stream: &mut BufReader<TcpStream>) -> Option<u64> {
    let len = u64::from_str_radix(&line(stream)?, 16).ok()?;
    skip(stream, len)?;
    line(stream)?;
    Some(len)
}

fn skip(stream: &mut BufReader<TcpStream>, len: u64) -> Option<()> {
    let skipped = std::io::copy(&mut stream.take(len), &mut std::io::sink()).ok()?;
    (skipped == len).then_some(())
}
