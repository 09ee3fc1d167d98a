//! Does the command follow the conventions of command-line tools?

use std::{
    fs::{self, File},
    io::{Read, Write},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use ign_testing::{Need, Run, games, require};

use crate::util::Folder;

#[test]
fn names_archive_after_input_and_text_after_archive() {
    let text = games(50);
    let folder = Folder::with("a.pgn", &text);
    folder.ign(&["pack", "a.pgn"]).done();
    assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
    folder.remove("a.pgn");
    folder.ign(&["unpack", "a.ign"]).done();
    assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
    assert!(folder.read("a.pgn") == text);
}

#[test]
fn writes_to_the_given_output_and_treats_a_dash_as_a_pipe() {
    let text = games(50);
    let folder = Folder::with("a.pgn", &text);
    folder.ign(&["pack", "a.pgn", "-o", "b.ign"]).done();
    folder.ign(&["unpack", "b.ign", "-o", "c.pgn"]).done();
    assert!(folder.read("c.pgn") == text);
    let archive = folder.read("b.ign");
    for args in [&["pack", "a.pgn", "-c"][..], &["pack", "a.pgn", "-o", "-"]] {
        assert!(folder.ign(args).done() == archive, "{args:?}");
    }
    for args in [
        &["unpack", "b.ign", "-c"][..],
        &["unpack", "b.ign", "-o", "-"],
    ] {
        assert!(folder.ign(args).done() == text, "{args:?}");
    }
    let piped = folder.ign_fed(&text, &["pack", "-"]).done();
    folder.write("d.ign", piped);
    assert!(folder.ign(&["unpack", "d.ign", "-c"]).done() == text);
}

#[test]
fn packs_several_inputs_into_one_archive_in_order() {
    let folder = Folder::with("a.pgn", games(20));
    folder.write("b.txt", "no game\n");
    folder.write("empty", "");
    let inputs = ["pack", "a.pgn", "b.txt", "empty", "a.pgn"];
    folder.ign(&inputs).failed(1, "-o");
    folder
        .ign(&[&inputs[..], &["-o", "all.ign"]].concat())
        .done();
    let all = [
        folder.read("a.pgn"),
        b"no game\n".to_vec(),
        folder.read("a.pgn"),
    ]
    .concat();
    assert!(folder.ign(&["unpack", "all.ign", "-c"]).done() == all);
    folder.ign(&["verify", "all.ign"]).done();
}

#[test]
fn archives_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::with("a.pgn", games(400));
    for threads in ["-T1", "-T2", "-T7"] {
        for (size, coding) in [
            ("4K", "ign"),
            ("64K", "ign"),
            ("64K", "weighted"),
            ("8M", "ign"),
        ] {
            let archive = |threads: &str| format!("{}{size}{coding}.ign", &threads[1..]);
            let name = archive(threads);
            let options = ["-B", size, "--coding", coding, "-o", &name];
            folder
                .ign(&[&["pack", "a.pgn", threads][..], &options].concat())
                .done();
            assert!(folder.read(&name) == folder.read(&archive("-T1")), "{name}");
            let text = folder.ign(&["unpack", "-c", threads, &name]).done();
            assert!(text == folder.read("a.pgn"));
            folder.ign(&["verify", threads, &name]).done();
        }
    }
}

#[test]
fn overwrites_files_only_with_force() {
    let text = games(5);
    let folder = Folder::with("a.pgn", &text);
    folder.write("a.ign", "mine");
    folder.ign(&["pack", "a.pgn"]).failed(1, "-f");
    assert_eq!(folder.read("a.ign"), b"mine");
    folder.ign(&["pack", "a.pgn", "-f"]).done();
    folder.write("a.pgn", "mine");
    folder.ign(&["unpack", "a.ign"]).failed(1, "-f");
    assert_eq!(folder.read("a.pgn"), b"mine");
    folder.ign(&["unpack", "a.ign", "-f"]).done();
    assert!(folder.read("a.pgn") == text);
    folder.ign(&["sample", "-o", "a.pgn"]).failed(1, "-f");
    assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
}

#[test]
fn never_overwrites_an_input() {
    let text = games(5);
    let folder = Folder::with("a.pgn", &text);
    folder.write("b.ign", &text);
    for args in [
        &["pack", "-f", "a.pgn", "-o", "a.pgn"][..],
        &["pack", "-f", "a.pgn", "b.ign", "-o", "./a.pgn"],
        &["pack", "-f", "b.ign"],
    ] {
        folder.ign(args).failed(1, "input");
    }
    assert!(folder.read("a.pgn") == text && folder.read("b.ign") == text);
    folder.ign(&["pack", "a.pgn"]).done();
    let archive = folder.read("a.ign");
    folder.write("c.pgn", &archive);
    folder.ign(&["unpack", "-f", "c.pgn"]).failed(1, "input");
    assert!(folder.read("c.pgn") == archive);
    // So are lists, models and scores.
    folder.write("list", "a.pgn\n");
    folder.write("sums", format!("{}  a.pgn\n", "0".repeat(64)));
    folder.write("like", "1. e4 e5 *\n");
    for args in [
        &["pack", "-f", "--files-from", "list", "-o", "list"][..],
        &["pack", "-f", "a.pgn", "--sha256", "sums", "-o", "sums"],
        &["pack", "-f", "a.pgn", "--model", "a.pgn", "-o", "a.pgn"],
        &["train", "-f", "--files-from", "list", "-o", "list"],
        &["find", "a.ign", "--like", "like", "-f", "-o", "like"],
        &["list", "a.ign", "--like", "like", "-f", "-o", "like"],
    ] {
        let before = folder.read(args[args.len() - 1]);
        folder.ign(args).failed(1, "the output is also an input");
        assert_eq!(folder.read(args[args.len() - 1]), before);
    }
}

#[test]
fn rejects_archives_as_input_of_pack() {
    let folder = Folder::with("a.pgn", games(5));
    folder.ign(&["pack", "a.pgn"]).done();
    folder
        .ign(&["pack", "a.ign", "-o", "b.ign"])
        .failed(1, "archive");
    let archive = folder.read("a.ign");
    folder
        .ign_fed(&archive, &["pack", "-"])
        .failed(1, "archive");
    assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_as_an_archive_without_waiting_for_its_writer() {
    let folder = Folder::with("a.pgn", games(1));
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.unwrap().success());
    for args in [
        &["append", "pipe", "a.pgn"][..],
        &["verify", "pipe"],
        &["list", "pipe"],
        &["info", "pipe"],
        &["unpack", "pipe", "-c"],
        &["get", "pipe", "1"],
        &["recover", "pipe", "-o", "b.ign"],
        &["parity", "pipe"],
        &["index", "pipe"],
        &["merge", "pipe", "-o", "b.ign"],
    ] {
        let run = folder.ign(args);
        assert!(
            run.err.contains("is not a regular file"),
            "{args:?}: {}",
            run.err
        );
        assert!(
            run.err.contains("save it to a file first"),
            "{args:?}: {}",
            run.err
        );
    }
}

#[test]
fn failed_command_leaves_no_file() {
    let folder = Folder::new();
    folder
        .ign(&["pack", "missing.pgn"])
        .failed(1, "missing.pgn: no such file");
    folder
        .ign(&["unpack", "missing.ign"])
        .failed(1, "missing.ign: no such file");
    folder
        .ign(&["pack", "."])
        .failed(1, "no .pgn or .sgf files in this folder");
    folder.ign(&["unpack", "."]).failed(1, "is a directory");
    folder.write("a.pgn", "text");
    folder
        .ign(&["pack", "a.pgn", "missing.pgn", "-o", "x.ign"])
        .failed(1, "missing.pgn");
    folder
        .ign(&["pack", "a.pgn", "-o", "no/such/folder.ign"])
        .failed(1, "does not exist");
    folder
        .ign(&["pack", "a.pgn", "-o", "."])
        .failed(1, "is a directory");
    assert_eq!(folder.names(), ["a.pgn"]);
}

#[cfg(unix)]
#[test]
fn names_an_unreadable_file() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    /// The user `nobody`, whom permissions bind.
    const NOBODY: u32 = 65534;
    let folder = Folder::with("a.pgn", "text");
    let allow = |name, mode| {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    allow("a.pgn", 0o0);
    let mut command = folder.command(&["pack", "a.pgn"]);
    // Root can read every file.
    if File::open(folder.path("a.pgn")).is_ok() {
        allow("", 0o777);
        command.uid(NOBODY).gid(NOBODY);
        let starts = command.output().map(drop);
        let starts = starts.map_err(|_| "root can read every file, and nobody cannot run ign here");
        let Some(()) = require(Need::User, starts) else {
            return;
        };
    }
    Run::new(&mut command, b"", "ign pack a.pgn".into()).failed(1, "a.pgn: permission denied");
}

#[cfg(target_os = "linux")]
#[test]
fn reports_a_full_disk() {
    let folder = Folder::with("a.pgn", games(2000));
    folder
        .ign(&["pack", "a.pgn", "-o", "/dev/full"])
        .failed(1, "no space left");
    folder.ign(&["pack", "a.pgn"]).done();
    for args in [
        &["pack", "a.pgn", "-c"][..],
        &["unpack", "a.ign", "-c"],
        &["get", "a.ign", "1"],
        &["list", "a.ign"],
        &["duplicates", "a.ign", "a.ign"],
        &["duplicates", "a.ign", "-c"],
        &["info", "a.ign"],
        &["sample"],
        &["--help"],
        &["pack", "--help"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(args).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
        assert!(err.contains("no space left"), "{args:?}: {err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ignores_errors_of_standard_error() {
    let folder = Folder::with("a.pgn", games(5));
    for (args, code) in [
        (&["pack", "a.pgn"][..], 0),
        (&["verify", "a.ign"], 0),
        (&["pack", "a.pgn"], 1),
        (&["nonsense"], 1),
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let status = folder.command(args).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

/// The signals that end a command, with the statuses of commands that they end.
#[cfg(unix)]
const SIGNALS: [(&str, i32); 3] = [("HUP", 129), ("INT", 130), ("TERM", 143)];

/// Sends a signal to a command that waits for input and has created its output.
#[cfg(unix)]
fn interrupt(folder: &Folder, child: &Child, signal: &str) {
    let start = Instant::now();
    while folder.names().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "no output");
        thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[cfg(unix)]
#[test]
fn interrupted_command_leaves_no_file() {
    for (signal, status) in SIGNALS {
        let works = if is_ignored_here(status - 128) {
            Err(format!("this process ignores {signal}, as nohup makes it"))
        } else {
            Ok(())
        };
        let Some(()) = require(Need::Signals, works) else {
            continue;
        };
        let folder = Folder::new();
        let mut child = folder
            .command(&["pack", "-", "-o", "a.ign"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Otherwise waiting closes the input, and the command may finish before the signal reaches
        // it.
        let _input = child.stdin.take();
        interrupt(&folder, &child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(status), "{signal}");
        assert!(folder.names().is_empty(), "{signal}: {:?}", folder.names());
    }
}

/// Whether the process ignores the signal, as its commands then do from their start.
#[cfg(unix)]
fn is_ignored_here(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut masks = status
        .lines()
        .filter_map(|line| line.strip_prefix("SigIgn:"));
    masks.any(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_ignored_from_the_start_stay_ignored() {
    let text = games(5);
    for (signal, _) in SIGNALS {
        let folder = Folder::new();
        let mut command = folder.command(&["pack", "-", "-o", "a.ign"]);
        // As `nohup` does.
        let script = format!("trap '' {signal}; exec \"$0\" \"$@\"");
        let mut ignoring = Command::new("sh");
        ignoring
            .args(["-c", &script])
            .arg(command.get_program())
            .args(command.get_args())
            .current_dir(command.get_current_dir().unwrap());
        command = ignoring;
        let mut child = command
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        interrupt(&folder, &child, signal);
        child.stdin.take().unwrap().write_all(&text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(folder.ign(&["unpack", "-c", "a.ign"]).done(), text);
    }
}

#[test]
fn ends_quietly_when_the_reader_closes_the_pipe() {
    let folder = Folder::with("a.pgn", games(2000));
    folder.ign(&["pack", "a.pgn"]).done();
    for args in [
        &["unpack", "-c", "a.ign"][..],
        &["get", "a.ign", "1.."],
        &["duplicates", "a.ign", "a.ign"],
        &["sample", "--games", "3000"],
    ] {
        let mut child = folder
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut start = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn exits_with_1_on_invalid_arguments() {
    let folder = Folder::with("a.pgn", games(10));
    folder.ign(&["pack", "a.pgn"]).done();
    for args in [
        &[][..],
        &["nonsense"],
        &["pack"],
        &["pack", "--nonsense", "a.pgn"],
        &["pack", "a.pgn", "-B", "1"],
        &["get", "a.ign", "0"],
        &["get", "a.ign", "11"],
        &["get", "a.ign", "x"],
        &["get", "a.ign", "18446744073709551616"],
        &["unpack", "a.ign", "3..11", "-c"],
        &["list", "a.ign", "5..4"],
        &["find"],
        &["find", "a.ign", "--signature", "e4"],
        &["find", "a.ign", "--signature", "A=z9z9z9"],
        &["find", "a.ign", "--opening", "1. e5"],
        &["find", "a.ign", "--opening"],
        &["find", "a.ign", "--opening", "e4", "--json", "--pgn"],
        &["find", "a.ign", "--repetition", "--nonsense"],
        &["duplicates", "a.ign", "--min-plies", "x"],
        &["sample", "--games", "x"],
    ] {
        let run = folder.ign(args);
        assert!(run.out.is_empty(), "{args:?}");
        run.failed(1, "");
    }
    for (args, advice) in [
        (["pack", "a.pgn", "-l", "99"], "write a number from 1 to 22"),
        (
            ["pack", "a.pgn", "-T", "0"],
            "write a number from 1 to 1024",
        ),
        (
            ["count", "a.ign", "--limit", "0"],
            "write a number of at least 1",
        ),
    ] {
        let run = folder.ign(&args);
        assert!(run.out.is_empty(), "{args:?}");
        run.failed(1, advice);
    }
    assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
}

#[test]
fn prints_games_by_number_in_the_given_order() {
    let text = games(300);
    let folder = Folder::with("a.pgn", &text);
    let text = String::from_utf8(text).unwrap();
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let game = |n: usize| &text[starts[n - 1]..starts.get(n).copied().unwrap_or(text.len())];
    for options in [
        ["-B", "4K", "--coding", "ign"],
        ["-B", "32K", "--coding", "weighted"],
    ] {
        folder
            .ign(&[&["pack", "a.pgn", "-f"][..], &options].concat())
            .done();
        assert_games_by_number(&folder, game);
    }
}

#[track_caller]
fn assert_games_by_number<'a>(folder: &Folder, game: impl Fn(usize) -> &'a str) {
    for (args, numbers) in [
        (&["get", "a.ign", "1"][..], vec![1]),
        (&["get", "a.ign", "300"], vec![300]),
        (&["get", "a.ign", "299.."], vec![299, 300]),
        (&["get", "a.ign", "..3"], vec![1, 2, 3]),
        (
            &["get", "a.ign", "200..204", "7", "7"],
            vec![200, 201, 202, 203, 204, 7, 7],
        ),
        (
            &["unpack", "a.ign", "100..180", "-c"],
            (100..=180).collect(),
        ),
    ] {
        let wanted: String = numbers.into_iter().map(&game).collect();
        assert!(folder.ign(args).done() == wanted.as_bytes(), "{args:?}");
    }
    folder
        .ign(&["get", "a.ign", "8", "9", "-f", "-o", "some.pgn"])
        .done();
    assert!(folder.read("some.pgn") == [game(8), game(9)].concat().as_bytes());
    for (range, words) in [
        (
            "299..301",
            "there is no game 301; the archive has 300 (299.. reads to the last game)",
        ),
        ("1-3", "write a game number or a range such as 200..300"),
    ] {
        folder.ign(&["get", "a.ign", range]).failed(1, words);
    }
    let list = String::from_utf8(folder.ign(&["list", "a.ign", "17"]).done()).unwrap();
    assert!(list.starts_with("17\t") && list.lines().count() == 1);
    let list = String::from_utf8(folder.ign(&["list", "a.ign"]).done()).unwrap();
    assert_eq!(list.lines().count(), 300);
    assert!(list.lines().all(|line| line.split('\t').count() == 10));
}

#[test]
fn names_games_with_illegal_moves() {
    let mut text = games(40);
    for message in [
        "1 of 41 games is not, or only partly, understood (illegal move 1)",
        "2 of 42 games are not, or only partly, understood (illegal move 2)",
    ] {
        text.extend_from_slice(b"[Event \"wrong\"]\n\n1. e4 Ke5 2. d4 *\n\n");
        let folder = Folder::with("a.pgn", &text);
        let run = folder.ign(&["pack", "a.pgn", "-B", "4K"]);
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn reads_single_games_next_to_games_with_illegal_moves() {
    let kinds = [
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 *",
        "[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *",
        "\n1. e4 e5 2. Nf3 Nc6 *",
        "\n*",
        "[FEN \"nonsense\"]\n\n1. e4 *",
        "\n1. d4 Nf6 2. Ke8 no move",
    ];
    let game = |i: usize| format!("[Event \"{i}\"]\n{}\n\n", kinds[i * i % 37 % kinds.len()]);
    let text: String = (0..200).map(game).collect();
    let folder = Folder::with("a.pgn", text + "no game\n");
    for coding in ["ign", "ign-end", "weighted"] {
        folder
            .ign(&["pack", "-f", "--coding", coding, "a.pgn"])
            .done();
        folder.ign(&["verify", "a.ign"]).done();
        for i in (0..200).step_by(13) {
            let found = folder.ign(&["get", "a.ign", &(i + 1).to_string()]).done();
            assert_eq!(String::from_utf8(found).unwrap(), game(i), "{coding}");
        }
    }
}

#[test]
fn finds_games_by_signature() {
    // Plies 20 and 31 are knight moves to g8 and g1; the game ends before ply 40.
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(9);
    let moves: String = (knights.split_whitespace().enumerate())
        .map(|(i, san)| {
            if i % 2 == 0 {
                format!("{}. {san} ", i / 2 + 1)
            } else {
                format!("{san} ")
            }
        })
        .collect();
    let text = format!("[Event \"x\"]\n\n{moves}*\n\n");
    let folder = Folder::with("a.pgn", [games(100), text.clone().into_bytes()].concat());
    folder.ign(&["pack", "a.pgn"]).done();
    let find = |more: &[&str]| folder.ign(&[&["find", "a.ign", "--signature"], more].concat());
    assert_eq!(
        find(&["A=g8????", "B=g1????", "--pgn"]).done(),
        text.as_bytes()
    );
    assert_eq!(find(&["A=g8????", "B=g1????"]).done(), b"101\n");
    assert_eq!(find(&["A=g8????", "B=g1????", "--count"]).done(), b"1\n");
    let run = find(&["A=a1a1a1", "B=a1a1a1"]);
    assert_eq!((run.code, &run.out[..]), (Some(1), &b""[..]));
    assert_eq!(find(&["A=a1a1a1", "B=a1a1a1", "--count"]).out, b"0\n");
}

#[test]
fn info_lists_the_games_of_each_block() {
    let folder = Folder::with("a.pgn", games(300));
    folder.ign(&["pack", "-q", "-B", "64K", "a.pgn"]).done();
    let info = String::from_utf8(folder.ign(&["info", "-v", "a.ign"]).done()).unwrap();
    let mut next = 1;
    for line in info.lines().filter(|line| line.contains(" games (")) {
        let range = line.split(['(', ')']).nth(1).unwrap();
        let (first, last) = range.split_once(" to ").unwrap();
        assert_eq!(first.parse(), Ok(next), "{line}");
        next = last.parse::<u64>().unwrap() + 1;
    }
    assert_eq!(next, 301);
    assert!(info.contains("block 2: "), "{info}");
}

#[test]
fn finds_games_by_opening() {
    let text = String::from_utf8(games(400)).unwrap();
    let odd = "[Event \"no\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n\
               [Event \"yes\"]\n\n1. e4 *\n\n[Event \"yes\"]\n\n1. e4 e5 2. Nf3 *\n\n\
               [Event \"no\"]\n\n*\n\n[Event \"no\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n";
    let text = format!("no game\n\n{text}{odd}");
    let folder = Folder::with("a.pgn", &text);
    for coding in ["ign", "ign-end", "weighted"] {
        let options = ["pack", "-f", "-B", "64K", "--coding", coding, "a.pgn"];
        folder.ign(&options).done();
        let find = |more: &[&str]| folder.ign(&[&["find", "a.ign"], more].concat());
        let mut last = Vec::new();
        for opening in [
            "1. e4",
            "1. e4 e5",
            "1. e4 e5 2. Nf3",
            "1. e4 e5 2. Nf3 Nc6",
        ] {
            let found = String::from_utf8(find(&["--opening", opening]).done()).unwrap();
            let found: Vec<usize> = found.lines().map(|line| line.parse().unwrap()).collect();
            let begins = |game: &&str| {
                let moves = game.split_once("\n\n").unwrap().1;
                let whole = moves.strip_prefix(opening);
                whole.is_some_and(|rest| rest.starts_with(' ')) && !game.contains("\"no\"")
            };
            let games = text.split("[Event ").skip(1).enumerate();
            let expected = games.filter(|(_, game)| begins(game)).map(|(i, _)| i + 1);
            assert_eq!(found, expected.collect::<Vec<_>>(), "{coding}, {opening}");
            assert!(!found.is_empty());
            last = found;
        }
        let opening = ["--opening", "e4 e5 Nf3 Nc6"];
        let find = |more: &[&str]| find(&[&opening[..], more].concat());
        assert_eq!(
            find(&["--count"]).done(),
            format!("{}\n", last.len()).as_bytes()
        );
        let games = find(&["--json"]).objects();
        let games: Vec<_> = games.iter().map(|game| &game["game"]).collect();
        assert_eq!(games, last);
        let count = &find(&["--json", "--count"]).objects()[0];
        assert_eq!(count["found"], last.len());
        assert_eq!(count["games"], 405);
        let pgn = String::from_utf8(find(&["--pgn"]).done()).unwrap();
        assert_eq!(pgn.matches("[Event ").count(), last.len());
        // Games with the opening and the signature.
        let both = find(&["--signature", "A=??????"]).done();
        assert_eq!(String::from_utf8(both).unwrap().lines().count(), last.len());
        assert_eq!(find(&["--signature", "A=a1a1a1"]).code, Some(1));
    }
    let find = |opening| folder.ign(&["find", "a.ign", "--opening", opening]);
    find("1. e4 e5 2. Ke3").failed(1, "after 1. e4 e5, 'Ke3' is not a legal move");
    // Control characters of the argument are not printed.
    find("1. \u{1b}[31mZ").failed(1, "is not a legal move");
    find("").failed(1, "no moves");
    assert_eq!(find("1. a4 h5 2. a5 h4 3. a6 h3").code, Some(1));
}

#[test]
fn two_writers_of_one_archive_do_not_interfere() {
    let folder = Folder::with("a.pgn", games(500));
    for force in [false, true] {
        let args = if force {
            &["pack", "-f", "a.pgn"][..]
        } else {
            &["pack", "a.pgn"]
        };
        let start = || folder.command(args).stderr(Stdio::null()).spawn().unwrap();
        let mut codes = [start(), start()].map(|mut child| child.wait().unwrap().code());
        codes.sort();
        // The second one fails, unless the first has ended and may be overwritten.
        assert_eq!(codes[0], Some(0));
        assert!(
            codes[1] == Some(1) || (force && codes[1] == Some(0)),
            "{codes:?}"
        );
        folder.ign(&["verify", "a.ign"]).done();
        assert_eq!(folder.names(), ["a.ign", "a.pgn"]);
    }
}

#[test]
fn help_lists_every_command_with_examples() {
    let folder = Folder::new();
    let help = String::from_utf8(folder.ign(&["--help"]).done()).unwrap();
    for command in [
        "pack",
        "unpack",
        "append",
        "merge",
        "split",
        "get",
        "find",
        "list",
        "export",
        "verify",
        "recover",
        "parity",
        "info",
        "train",
        "sample",
        "stats",
        "encode",
        "decode",
        "position",
        "endgame",
        "duplicates",
        "site",
        "completions",
        "man",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        let own = String::from_utf8(folder.ign(&[command, "--help"]).done()).unwrap();
        assert!(
            own.contains(&format!("\nExamples:\n  ign {command} ")),
            "{own}"
        );
    }
    let version = folder.ign(&["--version"]).done();
    assert_eq!(
        version,
        concat!("ign ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()
    );
    for shell in ["bash", "zsh", "fish"] {
        assert!(!folder.ign(&["completions", shell]).done().is_empty());
    }
    assert!(folder.ign(&["man"]).done().starts_with(b".ie"));
    folder.ign(&["man", "share/man1"]).done();
    assert!(folder.path("share/man1/ign-pack.1").exists());
}

#[test]
fn info_prints_json() {
    let text = games(20);
    let folder = Folder::with("a.pgn", &text);
    folder.ign(&["pack", "a.pgn"]).done();
    let info = folder.ign(&["info", "--json", "a.ign"]).done();
    let info: serde_json::Value = serde_json::from_slice(&info).unwrap();
    assert_eq!(info["games"], 20);
    assert_eq!(info["codings"], serde_json::json!(["weighted"]));
    assert_eq!(info["text_bytes"], text.len());
    assert_eq!(info["archive_bytes"], folder.read("a.ign").len());
    assert_eq!(info["sources"][0]["file"], "a.pgn");
}

#[test]
fn verifies_all_archives_after_a_damaged_one() {
    let folder = Folder::with("a.pgn", games(20));
    folder.ign(&["pack", "a.pgn"]).done();
    let archive = folder.read("a.ign");
    folder.write("cut.ign", &archive[..archive.len() / 2]);
    folder
        .ign(&["verify", "missing.ign", "cut.ign", "a.ign"])
        .failed(2, "a.ign: verified 20 games");
    folder
        .ign(&["verify", "missing.ign", "a.ign"])
        .failed(1, "missing.ign: no such file");
}

#[test]
fn refuses_output_names_that_are_inputs() {
    let folder = Folder::with("a.pgn", games(20));
    folder.ign(&["pack", "a.pgn"]).done();
    folder
        .ign(&["unpack", "a.ign", "2..3", "-f"])
        .failed(1, "needs a file name");
    for input in ["a.ign", "a.pgn"] {
        folder
            .ign(&["stats", input, "-f", "--svg", input])
            .failed(1, "the output is also an input");
    }
    assert_eq!(folder.read("a.pgn"), games(20));
}

#[test]
fn list_replaces_control_characters_in_tags() {
    let text = "[Event \"a\tb\x1b[31m\"]\n[White \"W\"]\n\n1. e4 *\n\n";
    let folder = Folder::with("a.pgn", text);
    folder.ign(&["pack", "a.pgn"]).done();
    let line = folder.ign(&["list", "a.ign"]).done();
    assert_eq!(line, b"1\tW\t-\t-\t-\t-\t-\t-\ta b [31m\ta.pgn\n");
}

#[test]
fn verify_suggests_recover_once() {
    let folder = Folder::with("a.pgn", games(20));
    folder.ign(&["pack", "a.pgn"]).done();
    let archive = folder.read("a.ign");
    for name in ["bad.ign", "worse.ign"] {
        let mut bytes = archive.clone();
        bytes[archive.len() / 2] ^= 1;
        folder.write(name, bytes);
    }
    let run = folder.ign(&["verify", "bad.ign", "a.ign", "worse.ign"]);
    assert_eq!(run.err.matches("ign recover").count(), 1, "{}", run.err);
    run.failed(2, "ign recover BAD.ign -o GOOD.ign");
    let run = folder.ign(&["verify", "-q", "bad.ign"]);
    assert!(!run.err.contains("ign recover"), "{}", run.err);
    // A text is no archive, whatever is done to it; an archive may follow other bytes.
    let run = folder.ign(&["verify", "a.pgn"]);
    run.failed(2, "a.pgn: not an ign archive (ign pack makes one)");
    folder.write(
        "late.ign",
        [b"HTTP/1.1 200 OK\r\n\r\n", &archive[..]].concat(),
    );
    for command in ["verify", "unpack", "list"] {
        let remedy = "not an ign archive (ign pack makes one; if this is a damaged one, or one after other bytes, \
                      ign recover late.ign -o GOOD.ign returns it)";
        let run = folder.ign(&[command, "late.ign"]);
        assert_eq!(run.err.matches("ign recover").count(), 1, "{}", run.err);
        run.failed(2, remedy);
    }
    let run = folder.ign(&["recover", "late.ign", "-o", "good.ign"]);
    assert!(folder.read("good.ign") == archive, "{}", run.err);
}

#[test]
fn verify_says_what_it_has_compared_and_chooses_another_sample_each_time() {
    let folder = Folder::with("a.pgn", games(300));
    folder.ign(&["pack", "-B", "16K", "a.pgn"]).done();
    let run = folder.ign(&["verify", "--quick", "a.ign"]);
    let said = "a.ign: compared the checksums of 300 games, all equal, in ";
    assert!(run.err.starts_with(said), "{}", run.err);
    let sampled = |more: &[&str]| {
        let args = [&["verify", "--sample", "20%", "a.ign"], more].concat();
        let run = folder.ign(&args);
        let (line, _) = run.err.rsplit_once(", in ").unwrap();
        let line = line.to_owned();
        run.done();
        line
    };
    let line = sampled(&["--seed", "1"]);
    assert!(
        line.ends_with(" of 300 games, chosen by --seed 1"),
        "{line}"
    );
    let with = line.split(" with ").nth(1).unwrap();
    let with: u64 = with.split(' ').next().unwrap().parse().unwrap();
    assert!((1..300).contains(&with), "{line}");
    assert_eq!(line, sampled(&["--seed", "1"]));
    let (one, other) = (sampled(&[]), sampled(&[]));
    assert_ne!(one, other);
    let seed = one.rsplit(' ').next().unwrap();
    assert_eq!(sampled(&["--seed", seed]), one);
}

#[test]
fn games_whose_text_has_no_line_end_do_not_run_into_the_next() {
    let folder = Folder::with("a.pgn", "[Event \"1\"]\n\n1. e4 e5 1-0");
    folder.write("b.pgn", "[Event \"2\"]\n\n1. d4 d5 0-1");
    let text = [folder.read("a.pgn"), folder.read("b.pgn")];
    folder
        .ign(&["pack", "a.pgn", "b.pgn", "-o", "ab.ign"])
        .done();
    let apart = |one: usize, other: usize| [&text[one][..], b"\n\n", &text[other]].concat();
    for args in [
        &["get", "ab.ign", "1", "2"][..],
        &["get", "ab.ign", "1..2"],
        &["find", "ab.ign", "--pgn"],
    ] {
        assert!(folder.ign(args).done() == apart(0, 1), "{args:?}");
    }
    assert!(folder.ign(&["get", "ab.ign", "2", "1"]).done() == apart(1, 0));
    assert!(folder.ign(&["get", "ab.ign", "1"]).done() == text[0]);
    for args in [
        &["unpack", "ab.ign", "-c"][..],
        &["unpack", "ab.ign", "1..2", "-c"],
    ] {
        assert!(folder.ign(args).done() == text.concat(), "{args:?}");
    }
}

#[test]
fn info_shows_parity_and_the_games_of_each_source() {
    let folder = Folder::with("a.pgn", games(60));
    folder.write("b.pgn", games(1));
    folder.write("c.txt", "no game\n");
    folder
        .ign(&[
            "pack", "a.pgn", "b.pgn", "c.txt", "-o", "a.ign", "--parity", "5%",
        ])
        .done();
    let info = || {
        let text = String::from_utf8(folder.ign(&["info", "a.ign"]).done()).unwrap();
        let json = folder.ign(&["info", "--json", "a.ign"]).done();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        (text, json)
    };
    let number = |text: &str| -> u64 { text.replace(',', "").parse().unwrap() };
    // The bytes of a line of the table of frames.
    let bytes = |info: &str, name: &str| {
        let table = info.split("\nframes ").nth(1).unwrap();
        let line = table.lines().find(|line| line.starts_with(name)).unwrap();
        number(line[name.len()..].split_whitespace().nth(1).unwrap())
    };
    let (text, json) = info();
    let len = folder.read("a.ign").len() as u64;
    for line in [
        "source a.pgn: games 1 to 60, ",
        "source b.pgn: game 61, ",
        "source c.txt: no games, ",
        "parity of bytes 0 to ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        !text.contains("superseded") && !text.contains("not protected"),
        "{text}"
    );
    assert_eq!(bytes(&text, "all "), len);
    assert_eq!(json["parity_bytes"], bytes(&text, "parity "));
    assert_eq!(json["protected_bytes"], json["archive_bytes"]);
    assert_eq!(
        json["parity_sets"][0]["protected_bytes"],
        json["archive_bytes"]
    );
    assert_eq!(json["sources"][0]["last_game"], 60);
    assert_eq!(json["sources"][1]["first_game"], 61);
    assert!(json["sources"][2]["first_game"].is_null());
    // The parity of an append before works on.
    folder.ign(&["append", "a.ign", "b.pgn"]).done();
    let (text, json) = info();
    assert!(text.contains("\nparity of bytes 0 to "), "{text}");
    assert!(text.contains("not protected are "), "{text}");
    assert_eq!(bytes(&text, "all "), folder.read("a.ign").len() as u64);
    assert_eq!(json["parity_sets"].as_array().unwrap().len(), 1);
    assert!(
        bytes(&text, "superseded ") < bytes(&text, "parity "),
        "{text}"
    );
    folder.ign(&["parity", "a.ign"]).done();
    let (text, json) = info();
    assert!(!text.contains("not protected are "), "{text}");
    assert_eq!(json["parity_sets"].as_array().unwrap().len(), 2);
    assert_eq!(bytes(&text, "all "), folder.read("a.ign").len() as u64);
}
