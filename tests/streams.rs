//! Does every command, in every form of its output, cope with names that are not UTF-8, with a
//! reader that goes away, and with an output without space?
//!
//! A program of its own: the ends of its pipes must not be inherited by programs that other tests
//! start.
#![cfg(target_os = "linux")]

#[path = "util/commands.rs"]
mod commands;
mod util;

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs,
    io::{BufRead as _, BufReader, Read as _},
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::Path,
    process::{Child, Stdio},
};

use commands::{COMMANDS, Case, Effect, named, prepared};
use rayon::prelude::*;
use util::Folder;

/// The start of a name that is not UTF-8, but ISO 8859-1.
const ODD: &[u8] = b"caf\xe9-";
/// A start of a name that is.
const PLAIN: &str = "plain_";
/// How messages, text and JSON show it.
const SHOWN: &str = "caf\u{fffd}-";

/// The names of all files in a folder and in those in it.
fn names(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names = BTreeSet::new();
    for entry in entries {
        if entry.path().is_dir() {
            names.extend(self::names(&entry.path()));
        } else {
            names.insert(entry.file_name());
        }
    }
    names
}

/// Standard error of a child whose reader has gone, and its exit status.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let mut err = Vec::new();
    child.stderr.take().unwrap().read_to_end(&mut err).unwrap();
    let err = String::from_utf8_lossy(&err).into_owned();
    (child.wait().unwrap().code(), err)
}

fn spawn(folder: &Folder, args: &[OsString], stdout: impl Into<Stdio>) -> Child {
    let mut command = folder.command(args);
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    command.stdout(stdout).spawn().unwrap()
}

/// Runs a check of each case in parallel, and reports all that fail.
fn each_case(
    is_meant: impl Fn(&Case) -> bool + Sync,
    check: impl Fn(&Case) -> Result<(), String> + Sync,
) {
    let wrong: Vec<String> = COMMANDS
        .par_iter()
        .with_max_len(1)
        .filter(|case| is_meant(case))
        .filter_map(|case| {
            check(case)
                .err()
                .map(|e| format!("ign {}: {e}", case.command))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn expect(is: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if is { Ok(()) } else { Err(what()) }
}

#[test]
fn names_that_are_not_utf_8_are_read_and_written() {
    let (odd, plain) = (OsStr::from_bytes(ODD), OsStr::new(PLAIN));
    each_case(
        |_| true,
        |case| {
            let [ours, theirs] = [odd, plain].map(|before| {
                let folder = prepared(before);
                let run = folder.ign(&case.args(before));
                (names(&folder.path("")), run)
            });
            let (files, run) = ours;
            expect(run.code == Some(0), || {
                format!("{:?}: {}", run.code, run.err)
            })?;
            let expected = theirs.0.into_iter().map(|name| {
                let name = name.into_vec();
                let name = match name.strip_prefix(plain.as_bytes()) {
                    Some(rest) => [ODD, rest].concat(),
                    None => name,
                };
                OsString::from_vec(name)
            });
            let expected: BTreeSet<OsString> = expected.collect();
            expect(files == expected, || format!("{files:?} {expected:?}"))?;
            let is_json = case.command.contains("--json") && !run.out.is_empty();
            let text = std::str::from_utf8(&run.out);
            if is_json {
                let text = text.map_err(|e| e.to_string())?;
                let values = serde_json::Deserializer::from_str(text);
                for value in values.into_iter::<serde_json::Value>() {
                    value.map_err(|e| format!("{e}: {text}"))?;
                }
            }
            let theirs = String::from_utf8(theirs.1.out);
            // What is text shows the name in one form wherever a usual name is shown.
            if let (Ok(ours), Ok(theirs)) = (text, &theirs) {
                let counts = [ours.matches(SHOWN).count(), theirs.matches(PLAIN).count()];
                let is_of_games = theirs.contains("[Event ");
                expect(
                    is_of_games || counts[0] >= usize::from(counts[1] > 0),
                    || ours.to_owned(),
                )?;
            } else {
                expect(text.is_err() && theirs.is_err(), || "not UTF-8".to_owned())?;
            }
            Ok(())
        },
    );
}

#[test]
fn messages_show_names_that_are_not_utf_8_in_one_form() {
    let missing = OsString::from_vec([ODD, b"missing"].concat());
    let folder = Folder::with("x.pgn", "1. e4 *\n");
    let commands = COMMANDS.iter().map(|case| case.command);
    let commands: BTreeSet<&str> = commands
        .filter(|command| command.contains('@'))
        .filter_map(|command| command.split(' ').next())
        .filter(|command| !["sample", "endgame", "man"].contains(command))
        .chain(["serve"])
        .collect();
    for command in commands {
        let more: &[&str] = match command {
            "append" => &["x.pgn"],
            "merge" | "recover" | "pack" | "site" | "train" | "transcode" => &["-o", "out"],
            "split" => &["--games", "9"],
            "count" => &["--by", "white"],
            "get" => &["1"],
            "export" => &["-o", "out.csv"],
            "encode" => {
                // A text that names no file is movetext.
                continue;
            }
            _ => &[],
        };
        let mut args: Vec<OsString> = vec![command.into(), missing.clone()];
        args.extend(more.iter().map(Into::into));
        if command == "transcode" {
            args.extend(["--coding".into(), "ign".into()]);
        }
        folder
            .ign(&args)
            .failed(1, &format!("{SHOWN}missing: no such file"));
    }
}

/// The reader is gone before the command starts, or goes after one line.
#[test]
fn a_reader_that_goes_away_ends_a_command_quietly() {
    let before = OsStr::new("");
    each_case(
        |case| case.effect == Effect::Prints,
        |case| {
            for lines in [0, 1] {
                let folder = prepared(before);
                let (reader, writer) = std::io::pipe().unwrap();
                let mut reader = BufReader::with_capacity(512, reader);
                let mut line = Vec::new();
                let child = if lines == 0 {
                    drop(reader);
                    spawn(&folder, &case.args(before), writer)
                } else {
                    let child = spawn(&folder, &case.args(before), writer);
                    reader.read_until(b'\n', &mut line).unwrap();
                    drop(reader);
                    child
                };
                let (code, err) = ended(child);
                let is_quiet =
                    !err.lines().any(|line| line.starts_with("ign: ")) && !err.contains("panicked");
                expect(code == Some(0) && is_quiet, || {
                    format!("{lines} lines: {code:?}: {err}")
                })?;
                expect(lines == 0 || !line.is_empty(), || "printed nothing".into())?;
            }
            Ok(())
        },
    );
}

#[test]
fn an_output_without_space_is_an_error_that_names_it() {
    let before = OsStr::new("");
    each_case(
        |case| case.effect == Effect::Prints,
        |case| {
            let folder = prepared(before);
            let full = fs::File::options().write(true).open("/dev/full").unwrap();
            let (code, err) = ended(spawn(&folder, &case.args(before), full));
            let message = "ign: standard output: no space left on the device";
            expect(code == Some(1) && err.contains(message), || {
                format!("{code:?}: {err}")
            })
        },
    );
    // The same devices as files of their own.
    let writes_one =
        |case: &Case| case.command.contains(" -o @out") && case.effect == Effect::Writes;
    each_case(writes_one, |case| {
        let folder = prepared(before);
        let before_run = names(&folder.path(""));
        let mut args = case.args(before);
        let place = args.iter().position(|word| word == "-o").unwrap() + 1;
        let extension = Path::new(&args[place]).extension().map(OsStr::to_owned);
        args[place] = "/dev/full".into();
        if let Some(extension) = extension
            && args[0] == "export"
        {
            args.extend(["--format".into(), extension]);
        }
        let run = folder.ign(&args);
        let is_named = run.err.contains("/dev/full: ") && !run.err.contains("panicked");
        expect(run.code == Some(1) && is_named, || {
            format!("{:?}: {}", run.code, run.err)
        })?;
        expect(names(&folder.path("")) == before_run, || {
            "files were made".into()
        })
    });
}

/// The options that choose what a command writes, and where.
const FORMS: [&str; 9] = [
    "--json",
    "--list",
    "--pgn",
    "--count",
    "--svg",
    "--lost",
    "--verbose",
    "--stdout",
    "--output",
];

#[test]
fn every_command_is_here_in_every_form() {
    let folder = Folder::new();
    let help = |args: &[&str]| String::from_utf8(folder.ign(args).done()).unwrap();
    let all = help(&["help"]);
    let (_, list) = all.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split_whitespace().next());
    for name in names.filter(|&name| name != "serve") {
        let cases: Vec<Vec<&str>> = COMMANDS
            .iter()
            .map(|case| case.command.split(' ').collect())
            .filter(|words: &Vec<&str>| words[0] == name)
            .collect();
        assert!(!cases.is_empty(), "{name}");
        let text = if name == "help" {
            all.clone()
        } else {
            help(&["help", name])
        };
        let options = text.lines().filter_map(|line| {
            let mut words = line
                .trim()
                .split([' ', ','])
                .filter(|word| word.starts_with('-'));
            line.trim()
                .starts_with('-')
                .then(|| words.find(|word| word.starts_with("--")))
                .flatten()
        });
        for option in options.filter(|option| FORMS.contains(option)) {
            let short = match option {
                "--verbose" => "-v",
                "--stdout" => "-c",
                "--output" => "-o",
                long => long,
            };
            let has = |words: &Vec<&str>| words.contains(&short);
            assert!(cases.iter().any(has), "{name} {option}");
        }
        let values = text.split("[possible values: ").skip(1);
        let forms = values
            .filter_map(|rest| rest.split_once(']'))
            .map(|(values, _)| values);
        let forms = forms.filter(|values| values.contains("csv") || values.contains("bash"));
        for value in
            forms.flat_map(|values| values.split([',', ' ', '\n']).filter(|v| !v.is_empty()))
        {
            let has = |words: &Vec<&str>| words.contains(&value);
            assert!(cases.iter().any(has), "{name} {value}");
        }
    }
}

#[test]
fn archives_are_served_whatever_their_names() {
    let odd = OsStr::from_bytes(ODD);
    let folder = prepared(odd);
    let args: [OsString; 4] = [
        "serve".into(),
        "--port".into(),
        "0".into(),
        named(odd, "few.ign"),
    ];
    // The reader of the address is gone.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let (code, err) = ended(spawn(&folder, &args, writer));
    assert!(
        code == Some(0) && !err.contains("panicked"),
        "{code:?}: {err}"
    );
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let (code, err) = ended(spawn(&folder, &args, full));
    assert!(
        code == Some(1) && err.contains("standard output: no space"),
        "{code:?}: {err}"
    );
    let mut child = spawn(&folder, &args, Stdio::piped());
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let request = "GET /api/sources HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.contains(&format!("{SHOWN}few")), "{answer}");
}
