//! Does a command that reads an archive ever call it damaged because others append to it at that
//! moment?
//!
//! Two programs append to one archive, a third adds parity, and beside them run all commands that
//! read archives, and a server that opens the archive again and again. Each run must do its work,
//! with the games of an archive that was in the file, or say that another program is writing it. In
//! `cargo test` that takes some seconds, with `IGN_FULL` a minute, as in `make readers`.
//!
//! Alone in its process, because it uses all processors.

mod serving;
mod util;

use std::{
    collections::BTreeMap,
    fmt, fs,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use ign_archive::Archive;
use ign_testing::{Run, cases, games, games_of_seed};
use serde_json::Value;
use serving::Serving;
use util::Folder;

/// What a command says that cannot read because of a writer.
const BUSY: &str = "another ign process is writing";
/// Words that no command says of an archive that is whole.
const OF_DAMAGE: [&str; 7] = [
    "recover",
    "damage",
    "interrupted",
    "cut off",
    "follow",
    "ends early",
    "panicked",
];
/// The commands that read, `OUT` being a name of their own. Each ends with the archive.
const COMMANDS: [&[&str]; 25] = [
    &["info", "a.ign"],
    &["info", "-v", "a.ign"],
    &["list", "a.ign"],
    &["get", "a.ign", "1", "60"],
    &["find", "-q", "--white-elo", "1500..", "a.ign"],
    &["find", "--no-index", "--result", "1-0", "a.ign"],
    &["tree", "a.ign"],
    &["stats", "a.ign"],
    &["verify", "--quick", "a.ign"],
    &["verify", "a.ign"],
    &["unpack", "-c", "a.ign"],
    &["unpack", "-c", "--damaged", "a.ign"],
    &["export", "-c", "--format", "csv", "a.ign"],
    &["index", "-f", "-o", "OUT.idx", "a.ign"],
    &["duplicates", "-c", "a.ign"],
    &["merge", "-f", "-o", "OUT.ign", "a.ign", "b.ign"],
    &["split", "-f", "--games", "100", "-o", "OUT", "a.ign"],
    &[
        "transcode",
        "-f",
        "--coding",
        "ign-end",
        "-o",
        "OUT.ign",
        "a.ign",
    ],
    &["recover", "-f", "--json", "-o", "OUT.ign", "a.ign"],
    // With an index, in the rounds that have one.
    &["index", "a.ign"],
    &["verify", "a.ign.idx"],
    &["list", "--player", "*a*", "a.ign"],
    &["tree", "--opening", "1. e4", "a.ign"],
    // These write to it.
    &["parity", "a.ign", "1"],
    &["append", "a.ign", "-"],
];

/// What became of the runs of a command.
#[derive(Debug, Default, Clone, Copy)]
struct Runs {
    done: u64,
    refused: u64,
    /// Runs that did their work without an index that had changed meanwhile.
    without_index: u64,
}

/// The runs of all commands.
#[derive(Default)]
struct Counts(Mutex<BTreeMap<String, Runs>>);

impl Counts {
    fn add(&self, name: &str, count: impl FnOnce(&mut Runs)) {
        count(self.0.lock().unwrap().entry(name.to_owned()).or_default());
    }

    /// Counts a run, which must have done its work or have been refused. Returns its output.
    fn judge(&self, name: &str, run: Run) -> Option<Vec<u8>> {
        let Run { code, out, err, .. } = run;
        if code == Some(1) && err.contains(BUSY) {
            self.add(name, |runs| runs.refused += 1);
            return None;
        }
        let said = err.replace("nothing is damaged", "");
        let is_of_damage = OF_DAMAGE.iter().any(|words| said.contains(words));
        assert!(code == Some(0) && !is_of_damage, "{name}: {code:?}: {err}");
        let without_index = u64::from(err.contains("without the index"));
        self.add(name, |runs| {
            runs.done += 1;
            runs.without_index += without_index;
        });
        Some(out)
    }

    fn of(&self, name: &str) -> Runs {
        self.0
            .lock()
            .unwrap()
            .get(name)
            .copied()
            .unwrap_or_default()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>7} {:>7} {:>8}", "done", "refused", "no index")?;
        for (name, runs) in &*self.0.lock().unwrap() {
            let Runs {
                done,
                refused,
                without_index,
            } = runs;
            writeln!(f, "{done:>7} {refused:>7} {without_index:>8}  {name}")?;
        }
        Ok(())
    }
}

/// The texts in the archive: the first one, and those that are appended.
struct Texts {
    first: Vec<u8>,
    appended: [Vec<u8>; 2],
}

impl Texts {
    /// How many texts were appended to the first one, if that is all of the text.
    fn appended_in(&self, text: &[u8]) -> Option<u64> {
        let mut rest = text.strip_prefix(&*self.first)?;
        let mut count = 0;
        while !rest.is_empty() {
            let mut texts = self.appended.iter();
            rest = texts.find_map(|text| rest.strip_prefix(&**text))?;
            count += 1;
        }
        Some(count)
    }
}

/// A round: the archive begins with its first text.
struct Round<'r> {
    folder: Folder,
    texts: &'r Texts,
    counts: &'r Counts,
    has_index: bool,
    ends: Instant,
    /// Whether the readers have ended.
    is_over: AtomicBool,
}

impl Round<'_> {
    /// Runs one of the commands.
    fn command(&self, args: &[&str], reader: usize) {
        let name = format!("ign {}", args.join(" "));
        let out = format!("out{reader}");
        let own: Vec<String> = args.iter().map(|arg| arg.replace("OUT", &out)).collect();
        let input = match args[0] {
            "append" => &*self.texts.appended[0],
            _ => b"",
        };
        let Some(out) = self.counts.judge(&name, self.folder.ign_fed(input, &own)) else {
            return;
        };
        if args[0] == "recover" {
            let report: Value = serde_json::from_slice(&out).unwrap();
            assert!(
                report["complete"] == true && report["method"] != "repaired",
                "{report}"
            );
            assert_eq!(report["notes"], Value::Array(Vec::new()), "{report}");
        }
        let text = match args[0] {
            "unpack" => out,
            "merge" | "recover" | "transcode" => {
                let made = own.iter().find(|arg| arg.starts_with("out")).unwrap();
                self.folder.ign(&["verify", "-q", made]).done();
                let mut text = self.folder.ign(&["unpack", "-qc", made]).done();
                if args[0] == "merge" {
                    text.truncate(text.len() - self.texts.first.len());
                }
                text
            }
            _ => return,
        };
        assert!(self.texts.appended_in(&text).is_some(), "{name}");
    }

    /// Runs each command of one of several readers, and then again until the time is over.
    fn read(&self, reader: usize, readers: usize) {
        let own = COMMANDS.iter().skip(reader).step_by(readers);
        for (number, args) in own.cycle().enumerate() {
            let all_ran = number * readers >= COMMANDS.len();
            if all_ran && Instant::now() > self.ends {
                break;
            }
            if self.has_index || args[1] != "a.ign.idx" {
                self.command(args, reader);
            }
        }
    }

    /// Appends until the readers have ended.
    fn append(&self, appender: usize) {
        let mut number = appender;
        while !self.is_over.load(Ordering::Relaxed) {
            // One long append after several short ones.
            let name = if number.is_multiple_of(8) {
                "long.pgn"
            } else {
                "short.pgn"
            };
            let run = self.folder.ign(&["append", "a.ign", name]);
            self.counts.judge(&format!("ign append a.ign {name}"), run);
            number += 1;
        }
    }

    /// Opens the archive in this process until the readers have ended.
    fn open(&self) {
        let mut games = 0;
        while !self.is_over.load(Ordering::Relaxed) {
            match Archive::open(self.folder.path("a.ign")) {
                Ok(archive) => {
                    assert!(archive.len() >= games && archive.trailing_len() == 0);
                    games = archive.len();
                    self.counts.add("Archive::open", |runs| runs.done += 1);
                }
                Err(error) => {
                    assert!(error.to_string().contains(BUSY), "{error}");
                    self.counts.add("Archive::open", |runs| runs.refused += 1);
                }
            }
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// Reloads the archive and asks for its moves until the readers have ended.
    fn serve(&self, serving: &Serving) {
        while !self.is_over.load(Ordering::Relaxed) {
            match serving.request("POST", "/api/reload") {
                (200..=204, _) => self
                    .counts
                    .add("reload of ign serve", |runs| runs.done += 1),
                (_, body) => {
                    assert!(body.contains(BUSY), "{body}");
                    self.counts
                        .add("reload of ign serve", |runs| runs.refused += 1);
                }
            }
            let tree = serving.json("/lichess");
            assert!(tree["moves"].is_array(), "{tree}");
            self.counts
                .add("request to ign serve", |runs| runs.done += 1);
        }
    }

    /// Runs everything at once. Returns how many texts were appended.
    fn run(self) -> u64 {
        let before = self.appends();
        let mut args = vec!["a.ign"];
        args.extend((!self.has_index).then_some("--no-index"));
        let serving = Serving::start(&self.folder, &args);
        let readers = 3;
        thread::scope(|scope| {
            let round = &self;
            let others = [0, 1].map(|appender| scope.spawn(move || round.append(appender)));
            let server = scope.spawn(|| round.serve(&serving));
            let opening = scope.spawn(|| round.open());
            let readers =
                (0..readers).map(|reader| scope.spawn(move || round.read(reader, readers)));
            let readers: Vec<_> = readers.collect();
            // A reader that fails must not leave the others running.
            let ended: Vec<_> = readers.into_iter().map(|reader| reader.join()).collect();
            self.is_over.store(true, Ordering::Relaxed);
            let others = others
                .into_iter()
                .chain([server, opening])
                .map(|other| other.join());
            let ended = ended.into_iter().chain(others.collect::<Vec<_>>());
            ended.for_each(|ended| ended.unwrap());
        });
        #[cfg(unix)]
        {
            serving.signal("TERM");
            let (status, messages) = serving.wait();
            let is_of_damage = OF_DAMAGE.iter().any(|words| messages.contains(words));
            assert!(status.success() && !is_of_damage, "{status}: {messages}");
        }
        // All that was appended is there, and nothing else.
        let appended = self.appends() - before;
        self.folder.ign(&["verify", "-q", "a.ign"]).done();
        let text = self.folder.ign(&["unpack", "-qc", "a.ign"]).done();
        assert_eq!(self.texts.appended_in(&text), Some(appended));
        appended
    }

    /// The appends that did their work, in all rounds.
    fn appends(&self) -> u64 {
        ["long.pgn", "short.pgn", "-"]
            .map(|name| self.counts.of(&format!("ign append a.ign {name}")).done)
            .iter()
            .sum()
    }
}

#[test]
fn readers_never_call_a_growing_archive_damaged() {
    let texts = Texts {
        first: games(60),
        appended: [games_of_seed(2, 1), games_of_seed(300, 2)],
    };
    let counts = Counts::default();
    let (rounds, time) = cases((2, Duration::from_secs(2)), (12, Duration::from_secs(5)));
    let mut appended = 0;
    for number in 0..rounds {
        let folder = Folder::with("a.pgn", &texts.first);
        folder.write("short.pgn", &texts.appended[0]);
        folder.write("long.pgn", &texts.appended[1]);
        let pack = ["pack", "-q", "-B", "16K", "--coding", "ign", "a.pgn", "-o"];
        folder.ign(&[&pack[..], &["a.ign"]].concat()).done();
        folder.ign(&[&pack[..], &["b.ign"]].concat()).done();
        let has_index = number % 2 == 0;
        if has_index {
            folder.ign(&["index", "-q", "a.ign"]).done();
        }
        for reader in 0..COMMANDS.len() {
            fs::create_dir(folder.path(&format!("out{reader}"))).unwrap();
        }
        let round = Round {
            folder,
            texts: &texts,
            counts: &counts,
            has_index,
            ends: Instant::now() + time,
            is_over: AtomicBool::new(false),
        };
        appended += round.run();
    }
    println!("{appended} texts appended in {rounds} rounds\n{counts}");
    for args in COMMANDS {
        let Runs { done, refused, .. } = counts.of(&format!("ign {}", args.join(" ")));
        // Whoever writes may have been refused each time.
        let writes = ["parity", "append"].contains(&args[0]) || args[..2] == ["index", "a.ign"];
        assert!(done > 0 || writes && refused > 0, "{args:?} did not run");
    }
    assert!(appended >= 4 * rounds, "{appended} appends");
    for name in [
        "reload of ign serve",
        "request to ign serve",
        "Archive::open",
    ] {
        assert!(counts.of(name).done > 0, "{name}");
    }
}
