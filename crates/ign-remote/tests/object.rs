//! Objects are read right from servers of all manners, or an error says why not.

#![allow(clippy::single_range_in_vec_init)]

use std::{io, thread, time::Duration, time::Instant};

use ign_remote::{Address, Object};
use ign_testing::{FileServer, Manner};

fn random(len: usize) -> Vec<u8> {
    let mut state = 7u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn open(server: &FileServer, path: &str) -> io::Result<Object> {
    Object::open(&server.url(path).parse::<Address>()?)
}

/// Reads parts of all sizes and compares them.
fn check(object: &Object, bytes: &[u8]) {
    assert_eq!(object.size(), bytes.len() as u64);
    let len = bytes.len();
    let ranges = [
        (0, 1),
        (0, 20_000),
        (len / 3, len / 2),
        (len - 1, len),
        (0, len),
    ];
    for (first, end) in ranges.into_iter().filter(|&(_, end)| end <= len) {
        let mut buffer = vec![0; end - first];
        object.read_exact_at(&mut buffer, first as u64).unwrap();
        assert!(buffer == bytes[first..end], "{first}..{end}");
    }
    let error = object
        .read_exact_at(&mut [0; 2], len as u64 - 1)
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn objects_are_read_whatever_the_server_does() {
    let server = FileServer::new();
    for has_tags in [true, false] {
        server.set_tags(has_tags);
        for len in [1, 1000, 16_384, 70_000, 5_000_000] {
            let bytes = random(len);
            server.put("a", &bytes[..]);
            for manner in [
                Manner::Good,
                Manner::FirstByteOnly,
                Manner::CutsOff,
                Manner::Busy(503),
                Manner::Slow(20),
            ] {
                server.set(manner);
                check(&open(&server, "a").unwrap(), &bytes);
            }
        }
    }
    server.set(Manner::Good);
    server.put("empty", "");
    let empty = open(&server, "empty").unwrap();
    assert_eq!(empty.size(), 0);
    empty.read_exact_at(&mut [], 0).unwrap();
}

#[test]
fn what_cannot_be_read_is_an_error_without_the_query() {
    let server = FileServer::new();
    server.put("a", random(300_000));
    for (manner, kind, message) in [
        (
            Manner::Whole,
            io::ErrorKind::Unsupported,
            "download the file",
        ),
        (
            Manner::Answers(403, "key=secret"),
            io::ErrorKind::PermissionDenied,
            "denies access",
        ),
        (
            Manner::Answers(401, "key=secret"),
            io::ErrorKind::PermissionDenied,
            "denies access",
        ),
        (
            Manner::Answers(410, "key=secret"),
            io::ErrorKind::Other,
            "status 410",
        ),
    ] {
        server.set(manner);
        let error = open(&server, "a?key=secret").err().unwrap();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    server.set(Manner::Good);
    let error = open(&server, "b").err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    // Nobody listens at this port.
    let address: Address = "http://127.0.0.1:1/a?key=secret".parse().unwrap();
    let error = Object::open(&address).err().unwrap();
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn a_connection_that_is_always_cut_off_is_an_error_after_some_time() {
    let server = FileServer::new();
    server.put("a", random(300_000));
    let object = open(&server, "a").unwrap();
    server.set(Manner::AlwaysCutsOff);
    let start = Instant::now();
    let error = object.read_exact_at(&mut [0; 9], 0).unwrap_err();
    assert!(
        error.to_string().contains("the connection failed"),
        "{error}"
    );
    assert!(start.elapsed() < Duration::from_secs(60));
    // A later read succeeds.
    server.set(Manner::Good);
    object.read_exact_at(&mut [0; 9], 0).unwrap();
}

#[test]
fn an_object_that_changes_is_an_error() {
    let server = FileServer::new();
    for has_tags in [true, false] {
        server.set_tags(has_tags);
        server.put("a", random(300_000));
        let object = open(&server, "a").unwrap();
        object.read_exact_at(&mut [0; 9], 0).unwrap();
        // Without tags only the length shows it.
        server.put("a", random(300_001));
        let error = object.read_exact_at(&mut [0; 9], 100_000).unwrap_err();
        assert!(error.to_string().contains("has changed"), "{error}");
        // What is in memory belongs to the first version.
        object.read_exact_at(&mut [0; 9], 0).unwrap();
    }
    server.remove("a");
    let object = open(&server, "a");
    assert_eq!(object.err().unwrap().kind(), io::ErrorKind::NotFound);
}

#[test]
fn few_requests_are_made() {
    let server = FileServer::new();
    let bytes = random(40_000_000);
    server.put("a", &bytes[..]);
    let object = open(&server, "a").unwrap();
    assert_eq!(server.take_requests().0.len(), 1);
    // The end is in memory already.
    object.read_exact_at(&mut [0; 50_000], 39_950_000).unwrap();
    assert_eq!(server.take_requests().0.len(), 0);
    // Small neighbouring reads are one request.
    for offset in 0..100 {
        object.read_exact_at(&mut [0; 100], offset * 100).unwrap();
    }
    let (requests, sent) = server.take_requests();
    assert_eq!((requests.len(), sent), (1, 16_384));
    // What is announced is requested in large parts, which are read once.
    object.will_read([1_000_000..30_000_000]);
    let mut at = 1_000_000;
    while at < 30_000_000 {
        let mut buffer = [0; 100_000];
        object.read_exact_at(&mut buffer, at as u64).unwrap();
        assert!(buffer == bytes[at..at + 100_000]);
        at += 100_000;
    }
    let (requests, sent) = server.take_requests();
    assert!(requests.len() <= 8, "{}", requests.len());
    assert!((29_000_000..29_100_000).contains(&sent), "{sent}");
    assert_eq!(object.traffic().requests, 2 + requests.len() as u64);
    assert_eq!(object.traffic().bytes, 65_536 + 16_384 + sent);
}

#[test]
fn requests_run_at_the_same_time() {
    let server = FileServer::new();
    let bytes = random(16_000_000);
    server.put("a", &bytes[..]);
    let object = open(&server, "a").unwrap();
    server.set(Manner::Slow(1_000));
    let start = Instant::now();
    let mut buffer = vec![0; bytes.len() - 100_000];
    object.read_exact_at(&mut buffer, 0).unwrap();
    assert!(buffer == bytes[..bytes.len() - 100_000]);
    let elapsed = start.elapsed();
    // Four requests one after the other would take four seconds.
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
}

#[test]
fn threads_read_one_object() {
    let server = FileServer::new();
    let bytes = random(20_000_000);
    server.put("a", &bytes[..]);
    server.set(Manner::CutsOff);
    let object = open(&server, "a").unwrap();
    thread::scope(|scope| {
        for number in 0..8 {
            let (object, bytes) = (object.clone(), &bytes);
            scope.spawn(move || {
                let mut state = number as u64 + 1;
                for _ in 0..60 {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let at = (state >> 33) as usize % (bytes.len() - 300_000);
                    let len = (state >> 20) as usize % 300_000;
                    if state.is_multiple_of(5) {
                        object.will_read([at as u64..(at + len) as u64]);
                    }
                    let mut buffer = vec![0; len];
                    object.read_exact_at(&mut buffer, at as u64).unwrap();
                    assert!(buffer == bytes[at..at + len]);
                }
            });
        }
    });
}
