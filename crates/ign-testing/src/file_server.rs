//! An HTTP server for tests, which serves objects from memory and can misbehave.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    ops::Range,
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::Duration,
};

/// What the server does with requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// It returns ranges.
    #[default]
    Good,
    /// It returns only whole objects, with status 200.
    Whole,
    /// It does not know ranges that count from the end.
    FirstByteOnly,
    /// It closes the connection after half of the answer, except of each third one.
    CutsOff,
    /// It closes the connection after half of each answer.
    AlwaysCutsOff,
    /// It answers with this status, except each third request.
    Busy(u16),
    /// It always answers with this status and text.
    Answers(u16, &'static str),
    /// It waits this long before each answer, in milliseconds.
    Slow(u64),
}

/// A request that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `HEAD`.
    pub method: String,
    /// The path with the query.
    pub path: String,
    /// Names in lower case, and values.
    pub headers: BTreeMap<String, String>,
}

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, (Vec<u8>, String)>,
    manner: Manner,
    has_tags: bool,
    requests: Vec<Request>,
    /// Bytes of objects that were sent.
    sent: u64,
}

/// A running server. It ends with the process.
#[derive(Debug)]
pub struct FileServer {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl FileServer {
    /// Starts a server without objects.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::new(Mutex::new(State {
                has_tags: true,
                ..State::default()
            })),
        };
        let state = server.state.clone();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, state) = (connection.unwrap(), state.clone());
                // The client may close a connection at any time.
                thread::spawn(move || _ = answer_all(connection, &state));
            }
        });
        server
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Adds an object, or changes it. The path begins without a slash.
    pub fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        let mut state = self.state();
        let tag = format!("\"{}\"", state.objects.len() + state.requests.len());
        state
            .objects
            .insert(format!("/{path}"), (bytes.into(), tag));
    }

    /// Removes an object.
    pub fn remove(&self, path: &str) {
        self.state().objects.remove(&format!("/{path}"));
    }

    /// Changes the manner of the server.
    pub fn set(&self, manner: Manner) {
        self.state().manner = manner;
    }

    /// Sets whether answers have entity tags. They have by default.
    pub fn set_tags(&self, has_tags: bool) {
        self.state().has_tags = has_tags;
    }

    /// The address of an object.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// The requests since the last call, and the bytes of objects that were sent.
    pub fn take_requests(&self) -> (Vec<Request>, u64) {
        let mut state = self.state();
        (
            std::mem::take(&mut state.requests),
            std::mem::take(&mut state.sent),
        )
    }
}

fn answer_all(connection: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut connection = connection;
    while let Some(request) = read_request(&mut reader)? {
        let (head, body, waits) = answer(&request, state);
        thread::sleep(Duration::from_millis(waits));
        connection.write_all(head.as_bytes())?;
        // Before the client has the last byte, and may look at the count.
        state.lock().unwrap().sent += body.len() as u64;
        connection.write_all(&body)?;
        if head.contains("connection: close") {
            break;
        }
    }
    Ok(())
}

fn read_request(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        headers: BTreeMap::new(),
    };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        let (name, value) = (name.to_ascii_lowercase(), value.trim().to_owned());
        request.headers.insert(name, value);
    }
    let len = request
        .headers
        .get("content-length")
        .and_then(|len| len.parse().ok());
    std::io::copy(&mut reader.take(len.unwrap_or(0)), &mut std::io::sink())?;
    Ok(Some(request))
}

/// The head and the body of an answer, and the milliseconds before it.
fn answer(request: &Request, state: &Mutex<State>) -> (String, Vec<u8>, u64) {
    let mut state = state.lock().unwrap();
    state.requests.push(request.clone());
    let is_third = state.requests.len().is_multiple_of(3);
    let waits = match state.manner {
        Manner::Slow(waits) => waits,
        _ => 0,
    };
    let plain = |status: u16, text: &str| {
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-length: {}\r\n\r\n",
            text.len()
        );
        (head, text.as_bytes().to_vec(), waits)
    };
    match state.manner {
        Manner::Busy(status) if !is_third => return plain(status, "busy"),
        Manner::Answers(status, text) => return plain(status, text),
        _ => {}
    }
    let path = request.path.split('?').next().unwrap_or_default();
    let Some((object, tag)) = state.objects.get(path) else {
        return plain(404, "no such object");
    };
    let wanted = request.headers.get("if-match");
    if state.has_tags && wanted.is_some_and(|wanted| wanted != tag) {
        return plain(412, "another tag");
    }
    let range = match request.headers.get("range") {
        Some(_) if state.manner == Manner::Whole => None,
        Some(range) => match range_of(range, object.len()) {
            Some((range, from_end)) if !from_end || state.manner != Manner::FirstByteOnly => {
                Some(range)
            }
            _ => return plain(416, "no such range"),
        },
        None => None,
    };
    let (status, part) = match &range {
        Some(range) => (206, range.clone()),
        None => (200, 0..object.len()),
    };
    let mut head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", part.len());
    if let Some(range) = &range {
        let (first, last, len) = (range.start, range.end - 1, object.len());
        _ = write!(head, "content-range: bytes {first}-{last}/{len}\r\n");
    }
    if state.has_tags {
        _ = write!(head, "etag: {tag}\r\n");
    }
    let mut body = object[part].to_vec();
    let cuts = match state.manner {
        Manner::CutsOff => !is_third,
        Manner::AlwaysCutsOff => true,
        _ => false,
    };
    if request.method == "HEAD" {
        body.clear();
    } else if cuts {
        body.truncate(body.len() / 2);
        head += "connection: close\r\n";
    }
    (head + "\r\n", body, waits)
}

/// The bytes that a header requests, and whether they are counted from the end.
fn range_of(header: &str, len: usize) -> Option<(Range<usize>, bool)> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    if first.is_empty() {
        let count: usize = last.parse().ok()?;
        return (len > 0).then(|| (len.saturating_sub(count)..len, true));
    }
    let first = first.parse().ok().filter(|&first| first < len)?;
    let last: usize = last.parse().unwrap_or(len - 1);
    Some((first..(last + 1).min(len), false))
}
