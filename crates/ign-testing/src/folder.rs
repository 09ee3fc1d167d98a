//! A temporary folder, and a command that has ended.

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Output, Stdio},
    thread,
};

use tempfile::TempDir;

/// A temporary folder for one test. It is removed when it is dropped.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// An empty folder.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file in it.
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, bytes);
        folder
    }

    /// The path of a file in the folder, and with an empty name of the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, or replaces it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// The bytes of a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The names of all files, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// A finished command.
#[derive(Debug)]
pub struct Run {
    command: String,
    /// The exit status; `None` if a signal ended the command.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// The objects that the command printed with `--json`, one on each line. It succeeded.
    pub fn objects(self) -> Vec<serde_json::Value> {
        let out = self.done();
        let lines = out.split_inclusive(|&c| c == b'\n');
        let object = |line| serde_json::from_slice(line).expect("an object on each line");
        lines.map(object).collect()
    }

    /// Runs a command with these bytes on standard input. Messages call it `name`.
    pub fn new(command: &mut Command, input: &[u8], name: String) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output: Output = thread::scope(|scope| {
            // The command may end before it has read everything.
            scope.spawn(move || _ = stdin.write_all(input));
            child.wait_with_output().unwrap()
        });
        Self {
            command: name,
            code: output.status.code(),
            out: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts success and returns standard output.
    #[track_caller]
    pub fn done(self) -> Vec<u8> {
        assert_eq!(self.code, Some(0), "{}: {}", self.command, self.err);
        self.out
    }

    /// Asserts this exit status, and these words on standard error.
    #[track_caller]
    pub fn failed(self, code: i32, words: &str) {
        let Self { command, err, .. } = self;
        assert_eq!(self.code, Some(code), "{command}: {err}");
        assert!(err.contains(words), "{command}: {err}");
        assert!(!err.contains("panicked"), "{command}: {err}");
    }
}
