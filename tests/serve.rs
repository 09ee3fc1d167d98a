//! Does `ign serve` answer as the other commands do, and stop on request?

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use ign_testing::games;
use serde_json::Value;

use crate::{serving::Serving, util::Folder};

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
        .objects();
    let found: Vec<Value> = found.iter().map(|game| game["game"].clone()).collect();
    let list = serving.json("/api/games?eco=B20..B99&limit=500");
    let numbers = list["games"].as_array().unwrap().iter();
    let numbers: Vec<Value> = numbers.map(|game| game["number"].clone()).collect();
    assert_eq!(numbers, found);
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

#[cfg(unix)]
#[test]
fn an_archive_that_was_overwritten_is_reported_once() {
    let folder = folder(200);
    let serving = Serving::start(&folder, &["games.ign"]);
    let whole = std::fs::read(folder.path("games.ign")).unwrap();
    folder.write("games.ign", b"short");
    for number in [1, 100, 200] {
        let (status, body) = serving.request("GET", &format!("/api/game/{number}"));
        assert_eq!(status, 503);
        assert!(
            body.contains("the archive 'games' cannot be read"),
            "{body}"
        );
        assert!(
            body.contains("rename a whole file into its place"),
            "{body}"
        );
    }
    let (status, body) = serving.request("POST", "/api/reload");
    assert_eq!(status, 503);
    assert!(body.contains("not reloaded, "), "{body}");
    folder.write("games.ign", whole);
    assert_eq!(serving.request("POST", "/api/reload").0, 204);
    serving.json("/api/game/100");
    serving.signal("TERM");
    let (_, messages) = serving.wait();
    let lines = messages.matches("overwritten while it was served").count();
    assert_eq!(lines, 1, "{messages}");
    assert!(messages.contains("not reloaded: games.ign: "), "{messages}");
    assert!(messages.contains("archives reloaded"), "{messages}");
}

#[cfg(unix)]
#[test]
fn the_second_signal_stops_without_waiting() {
    // More text than the buffers of a connection take.
    let comment = "long ".repeat(400_000);
    let text = format!("[White \"Ann\"]\n\n1. e4 {{ {comment} }} *\n\n").repeat(10);
    let folder = Folder::with("games.pgn", text);
    folder.ign(&["pack", "-q", "games.pgn"]).done();
    let serving = Serving::start(&folder, &["games.ign"]);
    // A download that its client does not take.
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    let download = b"GET /api/games.pgn HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(download).unwrap();
    stream.read_exact(&mut [0; 1000]).unwrap();
    let start = Instant::now();
    serving.signal("INT");
    std::thread::sleep(Duration::from_millis(400));
    serving.signal("INT");
    let (status, messages) = serving.wait();
    assert!(status.success(), "{status}: {messages}");
    assert!(start.elapsed() < Duration::from_secs(6), "{messages}");
    let message = "waiting for 1 request; press Ctrl-C again to stop now";
    assert!(messages.contains(message), "{messages}");
}

#[cfg(unix)]
#[test]
fn an_archive_that_is_given_twice_is_reported() {
    let folder = folder(20);
    std::fs::copy(folder.path("games.ign"), folder.path("copy.ign")).unwrap();
    let serving = Serving::start(&folder, &["games.ign", "copy.ign"]);
    assert_eq!(serving.json("/api/sources")["games"], 40);
    serving.signal("TERM");
    let (_, messages) = serving.wait();
    let warning = "warning: copy.ign has the same games as games.ign";
    assert_eq!(messages.matches(warning).count(), 1, "{messages}");
}

#[test]
fn a_name_of_this_machine_is_listened_to() {
    let folder = folder(10);
    let serving = Serving::start(&folder, &["games.ign", "--host", "localhost"]);
    assert_eq!(serving.json("/api/sources")["games"], 10);
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
        .ign(&["serve", "games.ign", "--host", "no.such.name.invalid"])
        .failed(1, "--host no.such.name.invalid: ");
    folder
        .ign(&["serve", "games.ign", "--port", "abc"])
        .failed(1, "write a whole number");
    for (program, words) in [
        (
            "no-such-engine",
            "the engine no-such-engine cannot be started",
        ),
        ("true", "true ended at its start: is it a UCI engine?"),
    ] {
        folder
            .ign(&["serve", "games.ign", "--engine", program, "--port", "0"])
            .failed(1, words);
    }
    folder
        .ign(&["serve", "games.ign", "--engine-time", "3"])
        .failed(1, "--engine");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    folder
        .ign(&["serve", "games.ign", "--port", &port])
        .failed(1, "choose another --port");
}
