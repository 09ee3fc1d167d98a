//! What the tests of the command share: a folder that goes away, and `ign` run in it.
#![allow(dead_code, reason = "each test file is its own crate and uses a part")]

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Mutex,
    thread,
};

use ign::sample::Sample;
use tempfile::TempDir;

/// A folder of its own for a test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file in it.
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, bytes);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The names of all files, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// `ign` with these arguments, to be started in the folder.
    pub fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ign"));
        command.current_dir(self.0.path()).args(args);
        command
    }

    /// Runs `ign` in the folder, with nothing on standard input.
    pub fn ign(&self, args: &[impl AsRef<OsStr>]) -> Run {
        self.ign_fed(b"", args)
    }

    /// Runs `ign` in the folder with these bytes on standard input.
    pub fn ign_fed(&self, input: &[u8], args: &[impl AsRef<OsStr>]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = thread::scope(|scope| {
            // The command may end without reading all of it.
            scope.spawn(move || _ = stdin.write_all(input));
            child.wait_with_output().unwrap()
        });
        let args = args.iter().map(|a| a.as_ref().to_string_lossy());
        Run::new(
            format!("ign {}", args.collect::<Vec<_>>().join(" ")),
            output,
        )
    }
}

/// How a command ended.
pub struct Run {
    words: String,
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Run {
    fn new(words: String, output: Output) -> Self {
        Self {
            words,
            code: output.status.code(),
            out: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// It must have ended well; gives what it wrote.
    #[track_caller]
    pub fn done(self) -> Vec<u8> {
        assert_eq!(self.code, Some(0), "{}: {}", self.words, self.err);
        self.out
    }

    /// It must have failed with this exit status, saying these words in one line.
    #[track_caller]
    pub fn failed(self, code: i32, words: &str) {
        let Self {
            words: command,
            err,
            ..
        } = self;
        assert_eq!(self.code, Some(code), "{command}: {err}");
        assert!(err.contains(words), "{command}: {err}");
        assert!(!err.contains("panicked"), "{command}: {err}");
    }
}

/// Made-up games; those of one number are made once.
pub fn games(count: u64) -> Vec<u8> {
    static MADE: Mutex<BTreeMap<u64, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let make = || {
        let mut text = Vec::new();
        Sample::new(count, 1).write(&mut text).unwrap();
        text
    };
    let mut made = MADE.lock().unwrap();
    made.entry(count).or_insert_with(make).clone()
}

/// The folder of real collections, where there is one; a word on stderr where there is not.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("IGN_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no folder {} (set IGN_DATA)", folder.display());
    None
}
