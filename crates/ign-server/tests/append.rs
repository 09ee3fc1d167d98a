//! Are games appended only where that is permitted, and served at once?

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
};

use crate::support::{Served, build_index};
use ign_archive::Archive;
use ign_testing::{games, games_of_seed};

const ONE: &[u8] = b"[White \"New, Ann\"]\n[Result \"1-0\"]\n\n1. a3 a6 2. h3 1-0\n";

fn permitting(count: u64) -> Served {
    Served::with(&[&games(count)], true, |options| {
        options.allows_append = true
    })
}

#[test]
fn appended_games_are_served_with_their_index() {
    let served = permitting(50);
    let before = served.get("/lichess").ok();
    let answer = served.send("POST", "/api/append?source=0", &[], ONE).ok();
    assert_eq!(answer["games"], 1);
    assert_eq!(answer["all_games"], 51);
    assert_eq!(answer["is_repeated"], false);
    assert_eq!(answer["is_served"], true);
    let sources = served.get("/api/sources").ok();
    assert_eq!(
        (&sources["games"], &sources["sources"][0]["index"]),
        (&51.into(), &true.into())
    );
    let found = served
        .get("/lichess?play=a2a3,a7a6,h2h3&player=New,%20Ann")
        .ok();
    assert_eq!(found["white"], 1);
    assert_ne!(served.get("/lichess").ok(), before);
    let again = served.send("POST", "/api/append", &[], ONE).ok();
    assert_eq!(
        (&again["games"], &again["is_repeated"]),
        (&1.into(), &true.into())
    );
    // The text of a compressed file may have any length.
    let compressed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
    let refused = served.send("POST", "/api/append", &[], compressed);
    assert_eq!(refused.status, 415);
    let archive = Archive::open(served.archive(0)).unwrap();
    assert_eq!(archive.len(), 52);
    archive.verify().unwrap();
}

#[test]
fn games_are_appended_only_with_permission_and_by_the_own_page() {
    let served = Served::new(20);
    let whole = fs::read(served.archive(0)).unwrap();
    assert_eq!(
        served.get("/api/server").ok()["append"],
        serde_json::Value::Null
    );
    // Also if it is longer than what other requests send.
    for text in [ONE, &ONE.repeat(2_000)] {
        assert_eq!(served.send("POST", "/api/append", &[], text).status, 403);
    }
    assert_eq!(fs::read(served.archive(0)).unwrap(), whole);

    let served = permitting(20);
    let own = format!("http://{}", served.address);
    for (origin, status) in [("http://x.example", 403), ("null", 403), (&own, 200)] {
        let reply = served.send("POST", "/api/append", &[("Origin", origin)], ONE);
        assert_eq!(reply.status, status, "{origin}");
    }
    assert_eq!(served.get("/api/sources").ok()["games"], 21);
    assert_eq!(served.get("/api/append").status, 405);
}

#[test]
fn wrong_appends_are_refused_and_change_nothing() {
    let texts = [games(20), games_of_seed(10, 2)];
    let served = Served::with(&[&texts[0], &texts[1]], true, |options| {
        options.allows_append = true;
    });
    for (path, status) in [
        ("/api/append", 400),
        ("/api/append?source=x", 400),
        ("/api/append?source=0&name=x", 400),
    ] {
        let reply = served.send("POST", path, &[], ONE);
        assert_eq!(reply.status, status, "{path}");
        assert_ne!(reply.json()["error"], "", "{path}");
    }
    for text in [&b""[..], b"\n", b"no games are here\n", b"PK\x03\x04"] {
        let reply = served.send("POST", "/api/append?source=0", &[], text);
        assert_eq!(reply.status, 400);
        let message = "nothing was appended: the text has no games";
        assert_eq!(reply.json()["error"], message);
    }
    let mut client = TcpStream::connect(served.address).unwrap();
    let head =
        "POST /api/append?source=0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000000\r\n\r\n";
    client.write_all(head.as_bytes()).unwrap();
    let mut status = [0; 12];
    client.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 413");
    assert_eq!(served.get("/api/sources").ok()["games"], 30);
    // An archive that was replaced by something else is not written.
    fs::write(served.archive(1), "no archive").unwrap();
    let reply = served.send("POST", "/api/append?source=1", &[], ONE);
    let message = reply.json()["error"].as_str().unwrap().to_owned();
    assert!(message.starts_with("nothing was appended: "), "{message}");
    assert!(
        !message.contains(served.folder.path().to_str().unwrap()),
        "{message}"
    );
    assert_eq!(fs::read(served.archive(1)).unwrap(), b"no archive");
}

#[test]
fn an_archive_without_an_index_stays_without_one() {
    let served = Served::with(&[&games(20)], false, |options| options.allows_append = true);
    served.send("POST", "/api/append", &[], ONE).ok();
    assert_eq!(
        served.get("/api/sources").ok()["sources"][0]["index"],
        false
    );
    assert!(!ign_archive::index::path_of(&served.archive(0)).exists());
    build_index(&served.archive(0));
    assert_eq!(served.request("POST", "/api/reload", &[]).status, 204);
    assert_eq!(served.get("/api/sources").ok()["sources"][0]["index"], true);
}
