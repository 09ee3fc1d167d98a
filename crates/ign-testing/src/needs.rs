//! What tests need beside cargo, and how many random cases they try.
//!
//! A test whose need is not met is skipped. `IGN_REQUIRE` names needs, separated by commas, or
//! `all`: a test that would be skipped for one of them fails. `IGN_SKIPPED` names a file to which
//! each skip adds a line: the need, the test and the reason, separated by tabs.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fmt, fs,
    io::Write as _,
    panic::Location,
    process::{Command, Stdio},
    sync::Mutex,
    thread,
};

/// What a test needs beside cargo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Python with a module.
    Python,
    /// A C compiler and a system that permits seccomp, to inject faults.
    Faults,
    /// Collections of real games. Without them tests use generated games.
    Games,
    /// The command `zstd`.
    Zstd,
    /// A user whose files have permissions: root is not one, unless it may run the command as
    /// another.
    User,
    /// The chess engine Stockfish.
    Engine,
    /// Signals that end a command: not those that `nohup` has made this process ignore.
    Signals,
}

impl Need {
    /// The name in `IGN_REQUIRE`.
    const fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Faults => "faults",
            Self::Games => "games",
            Self::Zstd => "zstd",
            Self::User => "user",
            Self::Engine => "engine",
            Self::Signals => "signals",
        }
    }

    /// Whether `IGN_REQUIRE` names the need.
    fn is_required(self) -> bool {
        let required = env::var("IGN_REQUIRE").unwrap_or_default();
        let mut names = required.split([',', ' ']);
        names.any(|name| name == self.name() || name == "all")
    }
}

impl fmt::Display for Need {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// What a test needs, or `None`, with a message, if there is a reason that it is missing: then the
/// test returns.
///
/// # Panics
///
/// Panics if it is missing and `IGN_REQUIRE` names the need.
#[track_caller]
pub fn require<T>(need: Need, found: Result<T, impl fmt::Display>) -> Option<T> {
    let reason = match found {
        Ok(found) => return Some(found),
        Err(reason) => reason,
    };
    assert!(
        !need.is_required(),
        "IGN_REQUIRE names {need}, but {reason}"
    );
    eprintln!("skipped: {reason}");
    if let Some(path) = env::var_os("IGN_SKIPPED") {
        let current = thread::current();
        // A test has a thread of its name, unless there is only one thread.
        let test = match current.name() {
            Some(name) if name != "main" => name.to_owned(),
            _ => Location::caller().to_string(),
        };
        let file = fs::File::options().append(true).create(true).open(path);
        let line = format!("{need}\t{test}\t{reason}\n");
        file.unwrap().write_all(line.as_bytes()).unwrap();
    }
    None
}

/// The Python that has this module: `IGN_PYTHON`, or `python3`; `None`, with a message, if there is
/// none.
///
/// # Panics
///
/// Panics if there is none and `IGN_REQUIRE` names `python`.
#[track_caller]
pub fn python(module: &str) -> Option<OsString> {
    static FOUND: Mutex<BTreeMap<String, Result<OsString, String>>> = Mutex::new(BTreeMap::new());
    let find = || {
        let python = env::var_os("IGN_PYTHON").unwrap_or("python3".into());
        let ready = Command::new(&python)
            .args(["-c", &format!("import {module}")])
            .stderr(Stdio::null())
            .status();
        let shown = python.display();
        match ready {
            Ok(status) if status.success() => Ok(python),
            Ok(_) => Err(format!("{shown} has no module {module}")),
            Err(_) => Err(format!("there is no {shown}")),
        }
    };
    let found = FOUND
        .lock()
        .unwrap()
        .entry(module.to_owned())
        .or_insert_with(find)
        .clone();
    require(Need::Python, found)
}

/// Whether `IGN_FULL` is set: tests try everything that they can, as in `make proof`.
pub fn is_full() -> bool {
    env::var_os("IGN_FULL").is_some()
}

/// How many cases a test tries: `few`, or `all` if `IGN_FULL` is set.
pub fn cases<T>(few: T, all: T) -> T {
    if is_full() { all } else { few }
}
