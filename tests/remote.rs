//! Do commands give the same for an archive on a server as for the file, with few requests, and an
//! error when the server fails?

use std::process::Stdio;

use ign_archive::Archive;
use ign_testing::{FileServer, Manner, Run, games};

use crate::util::Folder;

const POSITION: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// A folder with archives and their text, and a server with the same files.
fn both() -> (Folder, FileServer) {
    let folder = Folder::with("a.pgn", games(6000));
    folder
        .ign(&["pack", "-q", "-B", "64K", "--coding", "ign", "a.pgn"])
        .done();
    folder.ign(&["index", "-q", "a.ign"]).done();
    folder.write("b.pgn", games(40));
    folder
        .ign(&["pack", "-q", "b.pgn", "--parity", "10%"])
        .done();
    let server = FileServer::new();
    for name in folder.names() {
        server.put(&name, folder.read(&name));
    }
    (folder, server)
}

/// Runs a command that names files by `@`: in the folder, or on the server.
fn run(folder: &Folder, server: Option<&FileServer>, command: &str) -> Run {
    let args: Vec<String> = command
        .split('\u{20}')
        .map(|word| match (word.strip_prefix('@'), server) {
            (Some(name), Some(server)) => server.url(name),
            (Some(name), None) => name.to_owned(),
            (None, _) => word.replace('~', " "),
        })
        .collect();
    folder.ign(&args)
}

/// Commands that read, and write to standard output.
fn commands() -> Vec<String> {
    let position = POSITION.replace(' ', "~");
    let commands = [
        "get @a.ign 700",
        "get @a.ign 3 5..9",
        "list @a.ign 10..5200",
        "unpack @a.ign -c",
        "unpack @b.ign -c --damaged",
        "find @a.ign --elo 1800..",
        "find @a.ign --elo 1800.. --no-index",
        "find @a.ign @b.ign --position POSITION --count",
        "find @a.ign --position POSITION --no-index --limit 3 --pgn",
        "find @a.ign --elo 1800.. --index @a.ign.idx --list",
        "tree @a.ign --position POSITION --json",
        "tree @a.ign --no-index --elo 1500..",
        "export @a.ign -o - --format csv --columns number,White,plies,moves",
        "verify -q @a.ign @b.ign",
        "verify -q --quick @a.ign",
        "verify -q --sample 20% @a.ign",
        "duplicates -q @a.ign @b.ign",
    ];
    commands
        .map(|command| command.replace("POSITION", &position))
        .to_vec()
}

/// The output, with the addresses of the server as names of files.
fn named(run: Run, server: &FileServer) -> (Option<i32>, String, String) {
    let names = |text: &str| text.replace(&server.url(""), "");
    let out = names(&String::from_utf8_lossy(&run.out));
    (run.code, out, names(&run.err))
}

#[test]
fn commands_read_archives_on_servers_of_all_manners_as_files() {
    let (folder, server) = both();
    for command in commands() {
        let (code, out, err) = named(run(&folder, None, &command), &server);
        assert!(
            code == Some(0) || command.starts_with("duplicates"),
            "{command}: {err}"
        );
        for manner in [Manner::Good, Manner::FirstByteOnly, Manner::CutsOff] {
            server.set(manner);
            let remote = named(run(&folder, Some(&server), &command), &server);
            assert!(
                remote == (code, out.clone(), err.clone()),
                "{command}: {manner:?}: {}",
                remote.2
            );
        }
    }
}

#[test]
fn what_is_made_of_objects_is_what_is_made_of_files() {
    let (folder, server) = both();
    for (name, command) in [
        ("merged.ign", "merge -q @a.ign @b.ign -o merged.ign -f"),
        ("made.ign", "pack -q @a.pgn -o made.ign -f"),
        (
            "weighted.ign",
            "transcode -q @a.ign --coding weighted -o weighted.ign -f",
        ),
        ("good.ign", "recover -q @b.ign -o good.ign -f"),
        ("found.ign", "find -q @a.ign --elo 1800.. -o found.ign -f"),
        ("a-002.ign", "split -q @a.ign --games 500 -f"),
    ] {
        run(&folder, None, command).done();
        let expected = folder.read(name);
        folder.remove(name);
        run(&folder, Some(&server), command).done();
        assert!(folder.read(name) == expected, "{command}");
    }
    // The name of a new archive is that of the object, in the current folder.
    folder.remove("a.ign");
    folder
        .ign(&["pack", "-q", &server.url("a.pgn?key=secret")])
        .done();
    let archive = Archive::open(folder.path("a.ign")).unwrap();
    assert_eq!(archive.sources()[0].name, b"a.pgn");
}

/// The number of requests that a command reports.
fn requests(run: Run) -> (usize, String) {
    assert!(matches!(run.code, Some(0)), "{}", run.err);
    let line = run
        .err
        .lines()
        .find(|line| line.contains(" bytes received"))
        .unwrap_or("0 ");
    (line.split(' ').next().unwrap().parse().unwrap(), run.err)
}

#[test]
fn only_what_is_needed_is_requested() {
    let (folder, server) = both();
    for (most, command) in [
        (3, "get @a.ign 700 --explain".to_owned()),
        (
            8,
            format!(
                "find @a.ign --position {} --count --explain",
                POSITION.replace(' ', "~")
            ),
        ),
        (5, "find @a.ign --elo 1800.. --count --explain".to_owned()),
        (8, "tree @a.ign --explain".to_owned()),
    ] {
        server.take_requests();
        let (stated, err) = requests(run(&folder, Some(&server), &command));
        let (made, sent) = server.take_requests();
        assert_eq!(stated, made.len(), "{command}: {err}");
        assert!(stated <= most, "{command}: {made:?}");
        let whole = (folder.read("a.ign").len() + folder.read("a.ign.idx").len()) as u64;
        assert!(sent < whole * 2 / 5, "{command}: {sent} of {whole}");
    }
    // Neighbouring blocks are requested together.
    let blocks = Archive::open(folder.path("a.ign")).unwrap().blocks().len();
    server.take_requests();
    run(&folder, Some(&server), "unpack @a.ign -c -q").done();
    let (made, _) = server.take_requests();
    assert!(
        made.len() <= 4 && blocks > 8,
        "{} for {blocks} blocks",
        made.len()
    );
}

#[test]
fn a_server_that_fails_is_an_error_that_names_the_object_without_secrets() {
    let (folder, server) = both();
    let url = server.url("a.ign?X-Amz-Signature=secret");
    let shown = server.url("a.ign");
    for (manner, words) in [
        (Manner::Whole, "does not return parts of files"),
        (Manner::Answers(403, "secret"), "denies access"),
        (Manner::Answers(404, "secret"), "has no such file"),
    ] {
        server.set(manner);
        for args in [
            vec!["info"],
            vec!["verify"],
            vec!["stats"],
            vec!["unpack", "-c"],
        ] {
            let args = [&args[..], &[&url]].concat();
            let run = folder.ign(&args);
            assert_eq!(run.code, Some(1), "{args:?}: {}", run.err);
            assert!(
                run.err.contains(&shown) && run.err.contains(words),
                "{args:?}: {}",
                run.err
            );
            assert!(!run.err.contains("secret"), "{args:?}: {}", run.err);
        }
    }
    server.set(Manner::Good);
    for (address, words) in [
        ("ftp://host/a.ign?secret", "addresses begin with"),
        ("https://host/?secret", "names no object"),
        ("s3://bucket", "names no object"),
        ("file://server/a.ign", "names no file of this machine"),
    ] {
        let run = folder.ign(&["info", address]);
        assert_eq!(run.code, Some(1), "{address}: {}", run.err);
        assert!(run.err.contains(words), "{address}: {}", run.err);
        assert!(!run.err.contains("secret"), "{address}: {}", run.err);
    }
    // A file by its address.
    let address = format!("file://{}", folder.path("a.ign").display());
    assert!(folder.ign(&["unpack", "-c", &address]).done() == folder.read("a.pgn"));
}

#[test]
fn a_bucket_of_another_region_is_an_error_that_says_which() {
    let server = FileServer::new();
    let folder = Folder::new();
    for (manner, words) in [
        (
            Manner::Answers(301, "secret"),
            "the bucket is in another region: set AWS_REGION",
        ),
        (
            Manner::Answers(400, "<Error><Region>eu-west-1</Region>secret</Error>"),
            "the bucket is in the region eu-west-1: set AWS_REGION=eu-west-1",
        ),
        (
            Manner::Answers(403, "secret"),
            "access is denied: set AWS_ACCESS_KEY_ID",
        ),
    ] {
        server.set(manner);
        let run = folder
            .command(&["info", "s3://bucket/a.ign"])
            .env("AWS_ENDPOINT", server.url("").trim_end_matches('/'))
            .env("AWS_ACCESS_KEY_ID", "key-secret")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{manner:?}: {err}");
        assert!(
            err.contains("s3://bucket/a.ign") && err.contains(words),
            "{manner:?}: {err}"
        );
        assert!(!err.contains("secret"), "{manner:?}: {err}");
    }
}

#[test]
fn names_that_are_printed_have_no_secrets() {
    let (folder, server) = both();
    let url = server.url("a.ign?token=secret");
    let copies = folder.ign(&["duplicates", "-q", &url, "b.ign", "--json"]);
    let stats = folder.ign(&["stats", "-q", &url]);
    let append = folder.ign(&["append", "b.ign", &url]);
    assert!(append.err.contains("is an archive"), "{}", append.err);
    for run in [copies, stats, append] {
        let out = String::from_utf8_lossy(&run.out).into_owned() + &run.err;
        assert!(out.contains("a.ign") && !out.contains("secret"), "{out}");
    }
}

#[test]
fn patterns_and_variables_that_cannot_be_used_are_errors_that_name_them() {
    let server = FileServer::new();
    let folder = Folder::new();
    let endpoint = server.url("").trim_end_matches('/').to_owned();
    let host = endpoint.trim_start_matches("http://");
    for (key, endpoint, words) in [
        (
            "key",
            &*endpoint,
            "s3://bucket/*.ign: is a pattern, and one object is needed",
        ),
        (
            "key",
            host,
            "the variable AWS_ENDPOINT of the environment must begin with http",
        ),
        (
            "secret\n",
            &*endpoint,
            "the variable AWS_ACCESS_KEY_ID of the environment has a line break",
        ),
    ] {
        let run = folder
            .command(&["verify", "s3://bucket/*.ign"])
            .env("AWS_ENDPOINT", endpoint)
            .env("AWS_ACCESS_KEY_ID", key)
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{err}");
        assert!(err.contains(words) && !err.contains("secret"), "{err}");
    }
}

#[test]
fn an_index_is_verified_with_the_archives_beside_it() {
    let (folder, server) = both();
    let run = run(&folder, Some(&server), "verify @a.ign.idx");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let is_compared = |err: &str| !err.contains("not compared");
    assert!(is_compared(&run.err), "{}", run.err);
    server.put("c.ign.idx", folder.read("a.ign.idx"));
    server.put("c.ign", folder.read("b.ign"));
    let run = folder.ign(&["verify", &server.url("c.ign.idx")]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("the index does not match"), "{}", run.err);
    server.remove("c.ign");
    server.remove("a.ign");
    let run = folder.ign(&["verify", &server.url("c.ign.idx")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!is_compared(&run.err), "{}", run.err);
}

#[test]
fn damage_and_a_changed_object_are_errors() {
    let (folder, server) = both();
    let mut bytes = folder.read("a.ign");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    server.put("bad.ign", bytes);
    let run = folder.ign(&["verify", &server.url("bad.ign")]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(
        run.err.contains(&server.url("bad.ign")) && run.err.contains("block"),
        "{}",
        run.err
    );

    let archive = Archive::open(server.url("a.ign")).unwrap();
    server.put("a.ign", games(2));
    let error = archive
        .game(700)
        .and_then(|game| game.movetext().map(|_| ()))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("has changed since it was opened"),
        "{error}"
    );
    assert_eq!(error.kind(), ign_archive::ErrorKind::Io);
}

#[test]
fn new_files_cannot_be_written_to_servers() {
    let (folder, server) = both();
    for command in [
        "pack -q a.pgn -o @new.ign",
        "append @a.ign b.pgn",
        "parity @a.ign",
        "index @b.ign",
    ] {
        let mut command = command.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for word in &mut command {
            if let Some(name) = word.strip_prefix('@') {
                *word = server.url(name);
            }
        }
        let run = folder
            .command(&command)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{command:?}: {err}");
        assert!(err.contains("on a server"), "{command:?}: {err}");
    }
}
