//! Does `ign serve` answer as the other commands do, and stop on request?

mod util;

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use util::{Folder, games};

/// A running `ign serve`.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let args = [&["serve", "--port", "0"], args].concat();
        let mut child = folder
            .command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Self { child, address }
    }

    /// The status and the body of the answer to a request.
    fn request(&self, method: &str, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.request("GET", path);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Sends a signal.
    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-s", name, &id])
            .status();
        assert!(sent.unwrap().success());
    }

    /// Waits for the end, and returns the status and the messages.
    fn wait(mut self) -> (ExitStatus, String) {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "the server does not stop"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut messages = String::new();
        let mut err = self.child.stderr.take().unwrap();
        err.read_to_string(&mut messages).unwrap();
        (self.child.wait().unwrap(), messages)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn folder(count: u64) -> Folder {
    let folder = Folder::with("games.pgn", games(count));
    folder.ign(&["pack", "-q", "-B", "64K", "games.pgn"]).done();
    folder
}

#[test]
fn answers_equal_those_of_ign_tree_and_ign_find() {
    let folder = folder(300);
    folder.ign(&["index", "-q", "games.ign"]).done();
    let serving = Serving::start(&folder, &["games.ign"]);
    for (query, args) in [
        ("", &[][..]),
        ("moves=3", &["--moves", "3"]),
        ("play=e2e4,c7c5", &["--opening", "1. e4 c5"]),
        ("play=d2d4", &["--opening", "d2d4", "--no-index"]),
        (
            "fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-",
            &[
                "--position",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
            ],
        ),
        (
            "white_elo=1600..&result=draw",
            &["--white-elo", "1600..", "--result", "draw"],
        ),
        (
            "speed=blitz,rapid&mean_elo=..1500",
            &["--speed", "blitz,rapid", "--mean-elo", "..1500"],
        ),
        ("tag=Event%3DRated", &["--tag", "Event=Rated"]),
        ("elo=4000..", &["--elo", "4000.."]),
    ] {
        let args = [&["tree", "games.ign", "--json"], args].concat();
        let tree: Value = serde_json::from_slice(&folder.ign(&args).out).unwrap();
        assert_eq!(serving.json(&format!("/lichess?{query}")), tree, "{query}");
    }
    let found = folder
        .ign(&["find", "games.ign", "--json", "--eco", "B20..B99"])
        .done();
    let found: Value = serde_json::from_slice(&found).unwrap();
    let list = serving.json("/api/games?eco=B20..B99&limit=500");
    let numbers = list["games"].as_array().unwrap().iter();
    let numbers: Vec<Value> = numbers.map(|game| game["number"].clone()).collect();
    assert_eq!(Value::from(numbers), found["found"]);
    let (_, text) = serving.request("GET", "/api/game/7.pgn");
    assert_eq!(
        text.into_bytes(),
        folder.ign(&["get", "games.ign", "7"]).done()
    );
}

#[cfg(unix)]
#[test]
fn signals_stop_the_server_and_reload_the_archives() {
    let folder = folder(50);
    let serving = Serving::start(&folder, &["games.ign", "--log"]);
    assert_eq!(serving.json("/api/sources")["games"], 50);
    folder.write("games.pgn", games(60));
    folder.ign(&["pack", "-q", "-f", "games.pgn"]).done();
    assert_eq!(serving.json("/api/sources")["games"], 50);
    serving.signal("HUP");
    let start = Instant::now();
    while serving.json("/api/sources")["games"] != 60 {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the archive is not reloaded"
        );
    }
    // A file that is no archive leaves the old one.
    folder.write("broken.ign", b"no archive");
    std::fs::rename(folder.path("broken.ign"), folder.path("games.ign")).unwrap();
    serving.signal("HUP");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(serving.json("/api/sources")["games"], 60);
    serving.signal("TERM");
    let (status, messages) = serving.wait();
    assert!(status.success(), "{messages}");
    assert!(messages.contains("archives reloaded"), "{messages}");
    assert!(messages.contains("not reloaded: games.ign"), "{messages}");
    assert!(messages.contains("\"GET /api/sources\" 200"), "{messages}");

    let folder = self::folder(10);
    let serving = Serving::start(&folder, &["games.ign"]);
    // The server that answers has set its signals.
    assert_eq!(serving.json("/api/sources")["games"], 10);
    serving.signal("INT");
    let (status, messages) = serving.wait();
    assert!(status.success(), "{status}: {messages}");
}

#[test]
fn a_missing_index_is_built_on_request() {
    let folder = folder(100);
    let serving = Serving::start(&folder, &["games.ign", "--build-index"]);
    let start = Instant::now();
    while serving.json("/api/sources")["sources"][0]["index"] != true {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "there is no index"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(folder.names().contains(&"games.ign.idx".to_owned()));
    drop(serving);
    folder.ign(&["verify", "-q", "games.ign"]).done();
}

#[cfg(unix)]
#[test]
fn an_index_that_is_not_used_is_reported_at_the_start() {
    let folder = folder(20);
    folder.ign(&["index", "-q", "games.ign"]).done();
    folder.write("games.pgn", games(30));
    folder.ign(&["pack", "-q", "-f", "games.pgn"]).done();
    for (args, is_reported) in [
        (&["games.ign"][..], true),
        (&["games.ign", "-q"], false),
        (&["games.ign", "--no-index"], false),
    ] {
        let serving = Serving::start(&folder, args);
        serving.json("/lichess?white_elo=1500..");
        serving.signal("TERM");
        let (_, messages) = serving.wait();
        let warnings = messages.matches("warning: games.ign.idx: ").count();
        assert_eq!(warnings, usize::from(is_reported), "{args:?}: {messages}");
    }
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let folder = folder(10);
    folder.ign(&["serve", "none.ign"]).failed(1, "none.ign");
    folder.ign(&["serve", "games.pgn"]).failed(2, "games.pgn");
    folder
        .ign(&["serve", "games.ign", "--index", "none.idx", "--port", "0"])
        .failed(1, "none.idx");
    folder
        .ign(&["serve", "games.ign", "--host", "x"])
        .failed(1, "--host");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    folder
        .ign(&["serve", "games.ign", "--port", &port])
        .failed(1, "choose another --port");
}
