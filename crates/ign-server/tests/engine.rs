//! Does the engine answer within its limits, and is the server as before when it does not?

use std::{
    fs,
    io::Write as _,
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use crate::support::{Reply, Served};
use ign_server::Engine;
use ign_testing::{Need, games, require};

/// An engine that writes what it reads to a file, and does `go` when it is to search.
fn script(folder: &Path, go: &str) -> PathBuf {
    let path = folder.join("engine");
    let log = folder.join("log");
    let text = format!(
        "#!/bin/sh
echo start >> {log}
while read -r line; do
  echo \"$line\" >> {log}
  case \"$line\" in
    uci) echo 'id name Made <b>up</b>'; echo 'option name Hash'; echo uciok;;
    isready) echo readyok;;
    go*) {go};;
    stop) echo bestmove e2e4;;
    quit) exit;;
  esac
done
",
        log = log.display()
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What an engine of these tests finds.
const INFO: &str = "echo 'info depth 5 multipv 1 score cp 20 nodes 100 pv e2e4 e7e5'";

struct Engined {
    served: Served,
    folder: tempfile::TempDir,
}

impl Engined {
    fn new(go: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine {
            time_limit: Duration::from_secs(20),
            ..Engine::new(script(folder.path(), go))
        };
        let served = Served::with(&[&games(5)], true, |options| options.engine = Some(engine));
        Self { served, folder }
    }

    fn ask(&self, query: &str) -> Reply {
        let path = format!("/api/engine?{query}");
        self.served.request("POST", &path, &[])
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn starts(&self) -> usize {
        self.log().lines().filter(|line| *line == "start").count()
    }
}

#[test]
fn an_engine_answers_with_values_for_white_and_is_started_once() {
    let engined = Engined::new(INFO);
    assert_eq!(
        engined.served.get("/api/server").ok()["engine"]["limit_ms"],
        20_000
    );
    assert_eq!(engined.starts(), 0);
    let answer = engined.ask("ms=50&lines=2").ok();
    assert_eq!(answer["engine"], "Made <b>up</b>");
    assert_eq!(answer["depth"], 5);
    assert_eq!(answer["lines"][0]["eval"]["cp"], 20);
    assert_eq!(answer["lines"][0]["moves"][1], "e7e5");
    let black = "fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-&ms=50";
    assert_eq!(engined.ask(black).ok()["lines"][0]["eval"]["cp"], -20);
    assert_eq!(engined.starts(), 1);
    let log = engined.log();
    for line in [
        "setoption name Threads value 1",
        "setoption name Hash value 64",
        "setoption name MultiPV value 2",
        "go movetime 50",
        "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ] {
        assert!(log.lines().any(|known| known == line), "{line}: {log}");
    }
}

#[test]
fn only_the_own_page_and_programs_start_an_engine() {
    let engined = Engined::new(INFO);
    let own = format!("http://{}", engined.served.address);
    let ask = |origin: &str| {
        let headers = [("Origin", origin)];
        engined
            .served
            .request("POST", "/api/engine?ms=50", &headers)
            .status
    };
    for other in ["http://x.example", "null", "http://127.0.0.1"] {
        assert_eq!(ask(other), 403, "{other}");
    }
    assert_eq!(engined.served.get("/api/engine").status, 405);
    for wrong in [
        "fen=x",
        "ms=0",
        "lines=x",
        "depth=90",
        "fen=8/8/8/8/8/8/8/8_w_-_-",
    ] {
        assert_eq!(engined.ask(wrong).status, 400, "{wrong}");
    }
    assert_eq!(engined.starts(), 0);
    assert_eq!(ask(&own), 200);
    let without = Served::new(5);
    assert_eq!(without.request("POST", "/api/engine", &[]).status, 404);
    assert!(without.get("/api/server").ok()["engine"].is_null());
}

#[test]
fn an_engine_that_dies_is_reported_and_started_again() {
    let engined = Engined::new("exit 1");
    for starts in 1..3 {
        let reply = engined.ask("ms=50");
        assert_eq!(reply.status, 503);
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with("the engine has ended"), "{error}");
        assert_eq!(engined.starts(), starts);
    }
    script(engined.folder.path(), INFO);
    assert_eq!(engined.ask("ms=50").ok()["depth"], 5);
    engined.served.get("/lichess").ok();
}

#[test]
fn an_engine_that_does_not_answer_is_ended() {
    // Lines without end, too, are not kept.
    for go in ["sleep 60", "tr '\\\\0' x < /dev/zero"] {
        let engined = Engined::new(go);
        let start = Instant::now();
        assert_eq!(engined.ask("ms=50").status, 503, "{go}");
        assert!(start.elapsed() < Duration::from_secs(10), "{go}");
    }
}

#[test]
fn a_search_stops_when_nobody_waits_for_it() {
    let engined = Engined::new(INFO);
    engined.ask("ms=10").ok();
    let mut client = TcpStream::connect(engined.served.address).unwrap();
    let head = "POST /api/engine?ms=19000 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    client.write_all(head.as_bytes()).unwrap();
    let start = Instant::now();
    while !engined.log().contains("go movetime 19000") {
        assert!(start.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(client);
    assert_eq!(engined.ask("ms=50").ok()["depth"], 5);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(engined.starts(), 1);
}

#[test]
fn a_program_that_is_no_engine_is_named() {
    for (program, words) in [
        ("/bin/true", "true ended at its start"),
        ("/no/such/engine", "the engine engine cannot be started"),
    ] {
        let error = Engine::new(program).check().unwrap_err();
        assert!(error.message().contains(words), "{}", error.message());
    }
}

#[test]
fn stockfish_finds_a_mate() {
    let found = ["stockfish", "/usr/games/stockfish"]
        .into_iter()
        .find(|program| {
            let version = Command::new(program).arg("--help").output();
            version.is_ok()
        });
    let Some(program) = require(Need::Engine, found.ok_or("Stockfish is not installed")) else {
        return;
    };
    let engine = Engine::new(program);
    engine.check().unwrap();
    let served = Served::with(&[&games(5)], true, |options| options.engine = Some(engine));
    let mate = "fen=6k1/5ppp/8/8/8/8/5PPP/3R2K1_w_-_-&ms=300&lines=3";
    let answer = served
        .request("POST", &format!("/api/engine?{mate}"), &[])
        .ok();
    assert_eq!(answer["lines"][0]["eval"]["mate"], 1);
    assert_eq!(answer["lines"][0]["moves"][0], "d1d8");
    assert_eq!(answer["lines"].as_array().unwrap().len(), 3);
}
