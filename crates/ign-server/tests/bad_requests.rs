//! Is a bad request answered with 4xx and JSON, and does it leave the server as it was?

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use crate::support::{Reply, Served};
use ign_testing::games;

#[track_caller]
fn refused(reply: &Reply, status: u16, what: &str) -> serde_json::Value {
    assert_eq!(
        reply.status,
        status,
        "{what}: {}",
        String::from_utf8_lossy(&reply.body)
    );
    let json = reply.json();
    assert!(
        json["error"].as_str().is_some_and(|e| !e.is_empty()),
        "{what}"
    );
    json
}

#[test]
fn wrong_parameters_are_named() {
    let served = Served::new(20);
    for (path, parameter) in [
        ("/lichess?fen=x", "fen"),
        ("/lichess?fen=8/8/8/8/8/8/8/8_w", "fen"),
        (
            "/lichess?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_x_1",
            "fen",
        ),
        ("/lichess?play=e2e5", "play"),
        ("/lichess?play=e7e5", "play"),
        ("/lichess?play=%ff%fe", "play"),
        ("/lichess?variant=chess", "variant"),
        ("/lichess?variant=crazyhouse", "variant"),
        ("/lichess?moves=-1", "moves"),
        ("/lichess?moves=99999999999999999999", "moves"),
        ("/lichess?topGames=x", "topGames"),
        ("/lichess?recentGames=1.5", "recentGames"),
        ("/lichess?history=maybe", "history"),
        ("/lichess?speeds=fast", "speeds"),
        ("/lichess?ratings=x", "ratings"),
        ("/lichess?since=2013-13", "since"),
        ("/lichess?since=2014&until=2013", "until"),
        ("/lichess?since=2014&date=2014", "date"),
        ("/lichess?fen=&fen=", "fen"),
        ("/api/games?source=x", "source"),
        ("/lichess?wite=Ann", "wite"),
        ("/lichess?elo=70000", "elo"),
        ("/lichess?elo=2..1", "elo"),
        ("/masters?since=x", "since"),
        ("/player?color=white", "player"),
        ("/player?player=&color=white", "player"),
        ("/player?player=Ann", "color"),
        ("/player?player=Ann&color=red", "color"),
        ("/player?player=Ann&color=white&white=Ben", "white"),
        ("/player?player=Ann&color=white&modes=x", "modes"),
        ("/api/games?limit=501", "limit"),
        ("/api/games?offset=-1", "offset"),
        ("/api/games?sort=elos", "sort"),
        ("/api/games?sort=elo:down", "sort"),
        ("/api/games?sort=elo&sort=date", "sort"),
        (
            "/api/games?sort=elo,date,eco,white,black,plies,year,month,result",
            "sort",
        ),
        ("/api/games?tag=Round%3D(", "tag"),
        ("/api/games?tag=Site%3D(a%7B1000%7D)%7B1000%7D", "tag"),
        ("/api/games?exclude=eco", "exclude"),
        ("/api/games?exclude=eco%3Dx", "exclude"),
        ("/api/games?final=true", "final"),
        ("/lichess?final=true", "final"),
        ("/api/games?pattern=*/*", "pattern"),
        ("/api/games?material=KX", "material"),
        ("/api/games?signature=A=e9", "signature"),
        ("/api/games?like=hello", "like"),
        ("/api/games?opening=1.+e5", "opening"),
        ("/api/games?opening=0", "opening"),
        ("/api/games?id=..%2F..", "id"),
        ("/api/game/1?x=1", "x"),
        ("/api/position?moves=1", "moves"),
        ("/api/stats?source=..%2F", "source"),
        ("/api/sources?x", "x"),
    ] {
        let reply = served.get(path);
        let json = refused(&reply, 400, path);
        assert_eq!(json["parameter"], parameter, "{path}: {json}");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
    let json = served.get("/lichess?wite=Ann").json();
    assert!(
        json["error"]
            .as_str()
            .unwrap()
            .contains("did you mean white?"),
        "{json}"
    );
    served.get("/lichess").ok();
}

#[test]
fn what_does_not_exist_is_not_found() {
    let served = Served::new(20);
    for path in [
        "/x",
        "/api",
        "/api/",
        "/api/x",
        "/lichess/",
        "/masters/pgn/",
        "/api/game/0",
        "/api/game/21",
        "/api/game/x",
        "/api/game/-1",
        "/api/game/99999999999999999999",
        "/api/game/1.pgn.pgn",
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
        "/index.html/..",
        "/%00",
        "/%ff",
    ] {
        refused(&served.get(path), 404, path);
    }
}

#[test]
fn other_methods_are_refused() {
    let served = Served::new(20);
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "FOO"] {
        for path in ["/lichess", "/api/games", "/", "/x"] {
            let reply = served.request(method, path, &[]);
            refused(&reply, 405, &format!("{method} {path}"));
            assert_eq!(reply.header("allow"), "GET, HEAD", "{method} {path}");
            assert_eq!(reply.headers.get_all("allow").iter().count(), 1);
        }
    }
    let reply = served.get("/api/reload");
    refused(&reply, 405, "reload");
    assert_eq!(reply.header("allow"), "POST");
    let message = reply.json()["error"].as_str().unwrap().to_owned();
    assert!(message.ends_with("allowed: POST"), "{message}");
    let head = served.request("HEAD", "/lichess", &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
    let options = served.request("OPTIONS", "/lichess", &[("Origin", "http://x.example")]);
    assert_eq!(options.status, 204);
    assert_eq!(options.header("access-control-allow-origin"), "");
    let refusal = served.request("POST", "/api/reload", &[("Origin", "http://x.example")]);
    refused(&refusal, 403, "reload from a page");
}

#[test]
fn long_addresses_and_bodies_are_refused() {
    let served = Served::new(20);
    let long = |bytes: usize| format!("/lichess?play={}", "e2e4,".repeat(bytes / 5));
    refused(&served.get(&long(40 << 10)), 414, "40 KiB");
    refused(&served.get(&long(20 << 10)), 400, "20 KiB");
    let many = format!("/lichess?{}", "tag=a%3Db&".repeat(101));
    refused(&served.get(&many), 400, "101 parameters");
    let body = served.request("GET", "/lichess", &[("Content-Length", "0")]);
    assert_eq!(body.status, 200);
    // A body of 10 MB is not read.
    let text = raw(
        &served,
        b"POST /lichess HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\nabc",
    );
    assert!(text.starts_with("HTTP/1.1 413"), "{text}");
    assert!(text.contains("{\"error\":"), "{text}");
    // An address of 10 MB is refused before it is read.
    let mut request = b"GET /lichess?fen=".to_vec();
    request.resize(10 << 20, b'8');
    request.extend_from_slice(b" HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let text = raw(&served, &request);
    assert!(text.is_empty() || text.starts_with("HTTP/1.1 4"), "{text}");
    served.get("/lichess").ok();
}

/// Sends bytes and returns what the server sends until it closes the connection.
fn raw(served: &Served, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(served.address).unwrap();
    let limit = Some(Duration::from_secs(20));
    stream.set_read_timeout(limit).unwrap();
    stream.set_write_timeout(limit).unwrap();
    // The server may close the connection before it has read all.
    _ = stream.write_all(request);
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(len @ 1..) = stream.read(&mut piece) {
        answer.extend_from_slice(&piece[..len]);
        if answer.windows(2).any(|w| w == b"}\n" || w == b"\"}") {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn what_is_no_http_ends_the_connection() {
    let served = Served::new(20);
    for request in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
    ] {
        let text = raw(&served, request);
        let is_refused = text.is_empty() || text.starts_with("HTTP/1.1 4");
        assert!(is_refused, "{}: {text}", String::from_utf8_lossy(request));
    }
    let headers = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "a: b\r\n".repeat(500)
    );
    assert!(raw(&served, headers.as_bytes()).starts_with("HTTP/1.1 4"));
    served.get("/lichess").ok();
}

#[test]
fn slow_clients_do_not_keep_others_waiting() {
    let limit = Duration::from_millis(500);
    let served = Served::with(&[&games(20)], true, |options| {
        options.client_time_limit = limit;
        options.connections = 20;
    });
    let start = Instant::now();
    // As many as there may be, and none sends a whole request.
    let mut slow: Vec<TcpStream> = (0..20)
        .map(|number| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            let part = &b"GET /lichess HTTP/1.1\r\nHost:"[..number];
            stream.write_all(part).unwrap();
            stream
        })
        .collect();
    served.get("/lichess").ok();
    let waited = start.elapsed();
    assert!(waited < 20 * limit, "{waited:?}");
    for stream in &mut slow {
        stream.set_read_timeout(Some(20 * limit)).unwrap();
        let mut end = Vec::new();
        // The server has closed the connection.
        _ = stream.read_to_end(&mut end);
        let end = String::from_utf8_lossy(&end);
        assert!(end.is_empty() || end.starts_with("HTTP/1.1 408"), "{end}");
    }
}

#[test]
fn only_allowed_pages_read_the_answers() {
    let allowed = "https://lichess.org";
    let served = Served::with(&[&games(20)], false, |options| {
        options.origins = vec![allowed.to_owned()];
        options.hosts = vec!["chess.example".to_owned()];
    });
    let reply = |path: &str, origin: &str| served.request("GET", path, &[("origin", origin)]);
    for path in ["/lichess", "/masters", "/player?player=A*&color=white"] {
        assert_eq!(
            reply(path, allowed).header("access-control-allow-origin"),
            allowed
        );
        let other = reply(path, "https://example.org");
        assert_eq!(other.header("access-control-allow-origin"), "", "{path}");
        // An answer that is compressed also varies by the encodings that the client accepts.
        let mut vary = other.headers.get_all("vary").iter();
        assert!(vary.any(|value| value == "Origin"), "{path}");
    }
    for path in ["/api/games", "/api/sources", "/api/game/1.pgn", "/"] {
        let reply = reply(path, allowed);
        assert_eq!(
            (reply.status, reply.header("access-control-allow-origin")),
            (200, "")
        );
    }
    let preflight = served.request("OPTIONS", "/lichess", &[("origin", allowed)]);
    assert_eq!(preflight.header("access-control-allow-origin"), allowed);
    // A name that another page points at this machine.
    for (host, status) in [
        ("localhost", 200),
        ("localhost:80", 200),
        ("127.0.0.1", 200),
        ("[::1]:8017", 200),
        ("chess.example", 200),
        ("evil.example", 403),
        ("localhost.evil.example:8017", 403),
    ] {
        let reply = served.request("GET", "/api/games", &[("host", host)]);
        assert_eq!(reply.status, status, "{host}");
    }
}

#[test]
fn explorer_ignores_parameters_of_other_servers() {
    let served = Served::new(50);
    let plain = served.get("/lichess").ok();
    // What the analysis board of Lichess sends, and ratings of no group.
    for query in [
        "source=analysis",
        "source=analysis&variant=standard&ratings=400,1000,1200,1400,1600,1800,2000,2200,2500",
        "x=1",
    ] {
        assert_eq!(
            served.get(&format!("/lichess?{query}")).ok(),
            plain,
            "{query}"
        );
    }
    let reply = served.get("/lichess?ratings=400,1700").ok();
    assert_eq!(reply, served.get("/lichess?ratings=0,1600").ok());
    assert_eq!(served.get("/lichess?white_elos=2000").status, 400);
    assert_eq!(served.get("/api/games?x=1").status, 400);
}

#[test]
fn an_unknown_parameter_is_answered_with_those_that_there_are() {
    let served = Served::new(1);
    for (request, known) in [
        (
            "/api/games?foo=1",
            "; there are offset, limit, count, sort, variant, fen, play, source, white, ",
        ),
        (
            "/api/games.pgn?foo=1",
            "; there are numbers, offset, limit, variant, fen, play, source, white, ",
        ),
        ("/api/games?pley=e2e4", "; did you mean play?"),
        ("/api/position?foo=1", "; there are variant, fen, play"),
        ("/api/sources?foo=1", "there is no parameter 'foo'\""),
    ] {
        let reply = served.get(request);
        assert_eq!(reply.status, 400, "{request}");
        let text = String::from_utf8_lossy(&reply.body);
        assert!(text.contains(known), "{request}: {text}");
    }
}
