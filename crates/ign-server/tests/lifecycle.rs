//! Does the server go on when archives change, keep answers, and stop without breaking any off?

use std::{
    fs::{self, OpenOptions},
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    time::{Duration, Instant},
};

use crate::support::{Served, build_index, pack};
use flate2::read::GzDecoder;
use ign_server::{Options, Server};
use ign_testing::{games, games_of_seed};
use serde_json::Value;

fn reload(served: &Served) -> u16 {
    served.request("POST", "/api/reload", &[]).status
}

fn first_source(served: &Served) -> Value {
    served.get("/api/sources").ok()["sources"][0].clone()
}

#[test]
fn a_replaced_archive_is_served_after_a_reload() {
    let served = Served::new(50);
    let path = served.archive(0);
    let before = served.get("/lichess");
    let other = served.folder.path().join("other.ign");
    pack(&other, &games_of_seed(70, 2));
    fs::rename(&other, &path).unwrap();
    // Answers that were not requested before, too, are those of the old archive.
    assert_eq!(served.get("/api/sources").ok()["games"], 50);
    assert_eq!(served.get("/lichess").body, before.body);
    served.get("/api/game/50").ok();
    served.get("/lichess?play=e2e4").ok();
    assert_eq!(reload(&served), 204);
    let after = served.get("/lichess");
    assert_eq!(served.get("/api/sources").ok()["games"], 70);
    assert_ne!(after.header("etag"), before.header("etag"));
    assert_ne!(after.ok(), before.ok());
    // The index beside it is that of the old archive.
    let source = first_source(&served);
    assert_eq!(source["index"], false);
    let reason = source["rejected"].as_str().unwrap();
    assert!(reason.contains("belongs to another archive"), "{reason}");
    assert!(!reason.contains(path.to_str().unwrap()), "{reason}");
    build_index(&path);
    assert_eq!(reload(&served), 204);
    let source = first_source(&served);
    assert_eq!(source["index"], true);
    assert!(source["rejected"].is_null(), "{source}");
    assert_eq!(served.get("/lichess").ok(), after.ok());
}

#[test]
fn a_file_that_is_cut_off_is_an_error_until_it_is_whole_again() {
    for has_index in [true, false] {
        let served = Served::with(&[&games(200)], has_index, |options| options.block_bytes = 0);
        let path = served.archive(0);
        let whole = fs::read(&path).unwrap();
        let kept = served.get("/lichess").ok();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(100).unwrap();
        let reply = served.get("/api/game/100");
        assert_eq!(reply.status, 503);
        let message = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(!message.contains(path.to_str().unwrap()), "{message}");
        assert!(
            message.starts_with("the archive '0' cannot be read"),
            "{message}"
        );
        assert!(message.contains("POST /api/reload"), "{message}");
        assert_eq!(served.get("/api/game/100.pgn").status, 503);
        // The answer that is kept is still there.
        assert_eq!(served.get("/lichess").ok(), kept);
        // No reload makes it worse.
        let reply = served.request("POST", "/api/reload", &[]);
        assert_eq!(reply.status, 503);
        let message = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(!message.contains(path.to_str().unwrap()), "{message}");
        assert!(message.contains("served as before: 0: "), "{message}");
        assert_eq!(served.get("/lichess").ok(), kept);
        fs::write(&path, &whole).unwrap();
        served.get("/api/game/100").ok();
        assert_eq!(reload(&served), 204);
        served.get("/api/game/100").ok();
    }
}

#[test]
fn a_damaged_index_is_not_used() {
    let served = Served::new(200);
    let expected = served.get("/lichess?play=e2e4&white_elo=1500..").ok();
    let path = ign_archive::index::path_of(&served.archive(0));
    let mut bytes = fs::read(&path).unwrap();
    let middle = 40..bytes.len() - 40;
    bytes[middle]
        .iter_mut()
        .step_by(50)
        .for_each(|byte| *byte ^= 1);
    fs::write(&path, bytes).unwrap();
    assert_eq!(reload(&served), 204);
    assert_eq!(
        served.get("/lichess?play=e2e4&white_elo=1500..").ok(),
        expected
    );
    let source = first_source(&served);
    assert_eq!(source["index"], false);
    assert!(source["rejected"].as_str().is_some_and(|r| !r.is_empty()));
}

/// Statistics, once they are computed.
fn statistics(served: &Served) -> crate::support::Reply {
    let start = Instant::now();
    loop {
        let reply = served.get("/api/stats");
        if reply.status != 202 {
            return reply;
        }
        assert!(start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn statistics_are_those_of_the_archives_after_a_reload() {
    let served = Served::with(&[&games(50)], false, |_| {});
    let path = served.archive(0);
    assert_eq!(statistics(&served).ok()["games"], 50);
    let whole = fs::read(&path).unwrap();
    pack(&path, &games_of_seed(70, 2));
    assert_eq!(reload(&served), 204);
    // Those of the old archive are begun, and are not in the way.
    served.get("/api/stats");
    fs::write(&path, &whole).unwrap();
    assert_eq!(reload(&served), 204);
    assert_eq!(statistics(&served).ok()["games"], 50);
}

#[test]
fn statistics_that_failed_are_computed_after_a_reload() {
    let served = Served::with(&[&games(50)], false, |_| {});
    let path = served.archive(0);
    let whole = fs::read(&path).unwrap();
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(100).unwrap();
    assert_eq!(statistics(&served).status, 503);
    fs::write(&path, &whole).unwrap();
    assert_eq!(reload(&served), 204);
    assert_eq!(statistics(&served).ok()["games"], 50);
}

#[test]
fn a_search_beyond_its_time_limit_frees_its_thread() {
    let text = games(1500);
    let search = "/api/games?repetition=true&count=true";
    let served = Served::with(&[&text], false, |options| options.threads = 1);
    let start = Instant::now();
    served.get(search).ok();
    let whole = start.elapsed();
    let served = Served::with(&[&text], false, |options| {
        options.threads = 1;
        options.time_limit = whole / 20;
    });
    let start = Instant::now();
    // Many searches, one after the other: if each went on, the last game would wait for all of
    // them.
    for number in 0..10 {
        let reply = served.get(&format!("{search}&plies={number}.."));
        assert_eq!(reply.status, 429, "{number}");
    }
    while served.get("/api/game/1.pgn").status != 200 {
        assert!(start.elapsed() < 5 * whole, "{whole:?}");
    }
}

#[test]
fn answers_have_entity_tags() {
    let served = Served::new(50);
    for path in [
        "/lichess?play=e2e4",
        "/api/games?limit=2",
        "/api/game/3",
        "/",
    ] {
        let first = served.get(path);
        let etag = first.header("etag").to_owned();
        assert!(etag.len() > 10, "{path}: {etag}");
        for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
            let again = served.request("GET", path, &[("If-None-Match", &known)]);
            assert_eq!((again.status, again.body.len()), (304, 0), "{path} {known}");
            assert_eq!(again.header("etag"), etag);
        }
        let other = served.request("GET", path, &[("If-None-Match", "\"x\"")]);
        assert_eq!((other.status, &other.body), (200, &first.body));
    }
    // The same question in another form has the same answer, and another question has not.
    let tag = |path: &str| served.get(path).header("etag").to_owned();
    assert_eq!(
        tag("/lichess?play=e2e4&speeds=blitz,rapid"),
        tag("/lichess?speeds=rapid,blitz&play=e2e4")
    );
    assert_ne!(tag("/lichess?play=e2e4"), tag("/lichess?play=d2d4"));
    assert_ne!(tag("/lichess?moves=3"), tag("/lichess?moves=4"));
    assert_ne!(tag("/lichess"), tag("/masters"));
}

#[test]
fn the_page_is_compressed_and_loads_nothing_from_elsewhere() {
    let served = Served::new(5);
    let plain = served.get("/");
    assert!(plain.header("content-type").starts_with("text/html"));
    let policy = plain.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(!policy.contains("http"), "{policy}");
    let packed = served.request("GET", "/", &[("Accept-Encoding", "br, gzip")]);
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    let mut text = Vec::new();
    GzDecoder::new(&packed.body[..])
        .read_to_end(&mut text)
        .unwrap();
    assert_eq!(text, plain.body);
}

#[test]
fn missing_indexes_are_built_while_the_server_answers() {
    let texts = [games(300), games_of_seed(100, 2)];
    let [one, other] = texts.each_ref().map(|text| &text[..]);
    let expected = Served::with(&[one, other], false, |_| {})
        .get("/lichess?play=e2e4")
        .ok();
    let served = Served::with(&[one, other], false, |options| {
        options.builds_indexes = true
    });
    let start = Instant::now();
    loop {
        assert_eq!(served.get("/lichess?play=e2e4").ok(), expected);
        let sources = served.get("/api/sources").ok();
        let states = [0, 1].map(|number| sources["sources"][number]["index"].clone());
        if states.iter().all(|state| state == true) {
            break;
        }
        for state in states {
            assert!(state.is_boolean() || state == "building", "{state}");
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{sources}");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(served.get("/lichess?play=e2e4").ok(), expected);
    // Nothing is left of the files that were being written.
    let mut names: Vec<String> = fs::read_dir(served.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["0.ign", "0.ign.idx", "1.ign", "1.ign.idx"]);
}

/// Waits until the first source has an index.
fn wait_for_index(served: &Served) {
    let start = Instant::now();
    while first_source(served)["index"] != true {
        assert!(start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn missing_indexes_are_built_after_a_reload() {
    let served = Served::with(&[&games(100)], false, |options| {
        options.builds_indexes = true;
    });
    let path = served.archive(0);
    wait_for_index(&served);
    // The index beside the new archive is that of the old one.
    pack(&path, &games_of_seed(120, 2));
    assert_eq!(reload(&served), 204);
    assert_eq!(served.get("/api/sources").ok()["games"], 120);
    wait_for_index(&served);
    assert!(first_source(&served)["rejected"].is_null());
    fs::remove_file(ign_archive::index::path_of(&path)).unwrap();
    assert_eq!(reload(&served), 204);
    wait_for_index(&served);
}

#[test]
fn an_index_that_was_never_used_is_not_replaced() {
    let served = Served::with(&[&games(100), &games_of_seed(60, 3)], true, |_| {});
    let path = |number| ign_archive::index::path_of(&served.archive(number));
    let foreign = fs::read(path(1)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.ign");
    fs::copy(served.archive(0), &archive).unwrap();
    fs::write(ign_archive::index::path_of(&archive), &foreign).unwrap();
    let other = folder.path().join("b.ign");
    fs::copy(served.archive(1), &other).unwrap();
    let mut options = Options::new([&archive, &other]);
    options.builds_indexes = true;
    let server = Server::open(options).unwrap();
    let stopper = server.stopper();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let running = std::thread::spawn(move || server.run(listener));
    let start = Instant::now();
    while !ign_archive::index::path_of(&other).exists() {
        assert!(start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(20));
    }
    stopper.stop();
    running.join().unwrap().unwrap();
    assert_eq!(
        fs::read(ign_archive::index::path_of(&archive)).unwrap(),
        foreign
    );
}

#[test]
fn answers_of_json_are_compressed() {
    let served = Served::new(60);
    for path in ["/lichess", "/api/games", "/api/game/3", "/api/conditions"] {
        let plain = served.get(path);
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        let packed = served.request("GET", path, &[("Accept-Encoding", "br, gzip")]);
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        assert_eq!(packed.header("vary"), "accept-encoding", "{path}");
        assert_eq!(packed.header("etag"), plain.header("etag"), "{path}");
        assert!(packed.body.len() < plain.body.len() / 2, "{path}");
        let mut text = Vec::new();
        GzDecoder::new(&packed.body[..])
            .read_to_end(&mut text)
            .unwrap();
        assert_eq!(text, plain.body, "{path}");
    }
    // Small answers and downloads are sent as they are.
    for path in ["/api/sources", "/api/games.pgn"] {
        let reply = served.request("GET", path, &[("Accept-Encoding", "gzip")]);
        assert_eq!(reply.header("content-encoding"), "", "{path}");
    }
}

#[test]
fn a_full_queue_is_answered_with_429() {
    // Without an index each of these takes a while.
    let served = Served::with(&[&games(1500)], false, |options| {
        options.threads = 1;
        options.queue = 1;
    });
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let ask = |number: usize| {
            let served = &served;
            scope.spawn(move || {
                let path = format!("/api/games?repetition=true&plies={number}..&count=true");
                let reply = served.get(&path);
                if reply.status == 429 {
                    assert!(!reply.header("retry-after").is_empty());
                    assert!(reply.json()["error"].is_string());
                }
                reply.status
            })
        };
        let asked: Vec<_> = (1..=24).map(ask).collect();
        asked
            .into_iter()
            .map(|reply| reply.join().unwrap())
            .collect()
    });
    assert!(statuses.contains(&200), "{statuses:?}");
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(
        statuses.iter().all(|s| [200, 429].contains(s)),
        "{statuses:?}"
    );
    served.get("/lichess").ok();
}

#[test]
fn a_stop_lets_open_requests_end() {
    let text = games(400);
    let mut served = Served::with(&[&text], false, |_| {});
    // A download of several pieces, of which one is read before the stop.
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream
        .write_all(b"GET /api/games.pgn HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut read = vec![0; 1000];
    stream.read_exact(&mut read).unwrap();
    let stopper = served.stopper();
    stopper.stop();
    std::thread::sleep(Duration::from_millis(100));
    assert!(TcpStream::connect(served.address).is_err());
    stream.read_to_end(&mut read).unwrap();
    let read = String::from_utf8_lossy(&read);
    assert!(read.ends_with("0\r\n\r\n"), "the download is not complete");
    served.stop();
}

#[test]
fn downloads_have_the_names_of_their_archives() {
    let served = Served::with(&[&games(20), &games_of_seed(10, 2)], false, |_| {});
    for (path, name) in [
        ("/api/games.pgn", "games.pgn"),
        ("/api/games.pgn?source=1", "1.pgn"),
        ("/api/games.pgn?source=1&limit=3", "1-found.pgn"),
        ("/api/games.pgn?white_elo=1500..", "games-found.pgn"),
        ("/api/game/22.pgn", "1-game-2.pgn"),
        ("/api/game/2.pgn?source=1", "1-game-2.pgn"),
    ] {
        let reply = served.get(path);
        let expected = format!("attachment; filename=\"{name}\"");
        assert_eq!(reply.header("content-disposition"), expected, "{path}");
    }
}

/// A server whose text is more than the buffers of a connection take, and as many downloads as
/// there may be at the same time, which are not read.
fn with_stuck_downloads(client_time_limit: Duration) -> (Served, Vec<TcpStream>) {
    let comment = "long ".repeat(400_000);
    let text = format!("[White \"Ann\"]\n\n1. e4 {{ {comment} }} *\n\n").repeat(40);
    let served = Served::with(&[text.as_bytes()], false, |options| {
        options.client_time_limit = client_time_limit;
    });
    let open = || {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream
            .write_all(b"GET /api/games.pgn HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        stream
    };
    let mut stuck: Vec<TcpStream> = (0..4).map(|_| open()).collect();
    // They have started.
    for stream in &mut stuck {
        stream.read_exact(&mut [0; 100]).unwrap();
    }
    (served, stuck)
}

#[test]
fn a_client_that_takes_nothing_ends_its_download() {
    let (served, stuck) = with_stuck_downloads(Duration::from_millis(300));
    let reply = served.get("/api/games.pgn?limit=5");
    assert_eq!(reply.status, 200);
    let games = reply.body.windows(7).filter(|w| w == b"[White ");
    assert_eq!(games.count(), 5);
    drop(stuck);
}

#[test]
fn downloads_that_stall_do_not_make_others_wait_long() {
    let (served, stuck) = with_stuck_downloads(Duration::from_secs(60));
    let start = Instant::now();
    let reply = served.get("/api/games.pgn?limit=5");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(reply.status, 429);
    assert!(!reply.header("retry-after").is_empty());
    assert!(
        reply.json()["error"]
            .as_str()
            .unwrap()
            .contains("downloads")
    );
    // Other answers do not wait for them.
    served.get("/lichess").ok();
    drop(stuck);
    assert_eq!(served.get("/api/games.pgn?limit=5").status, 200);
}
