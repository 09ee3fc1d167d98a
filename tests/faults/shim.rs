//! The shim: `inject.c`, compiled once. It runs a command and makes one of its file operations
//! fail.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

/// Statuses of the shim itself.
const NOT_PERMITTED: i32 = 97;
const TOO_LONG: i32 = 98;
const BROKEN: i32 = 99;

/// A file operation of a command: its class and the file, with its path in the folder of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub class: String,
    pub path: String,
}

/// A command that has ended under the shim.
pub struct Run {
    /// The exit status; 128 and the number of the signal that ended it.
    pub status: i32,
    pub err: String,
    /// The calls that were counted, or those that failed.
    pub calls: Vec<Call>,
}

/// Compiles the shim. An error is the reason that faults cannot be injected here.
pub fn build() -> Result<PathBuf, String> {
    if !cfg!(target_os = "linux") {
        return Err("only Linux has seccomp".into());
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/inject.c");
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("inject-{}", std::process::id()));
    let compiler = std::env::var_os("CC").unwrap_or("cc".into());
    let built = Command::new(compiler)
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&path, &source])
        .output()
        .map_err(|e| format!("there is no C compiler: {e}"))?;
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let mut shell = Command::new(&path);
    shell.args(["/none", "/dev/null", "count", "/bin/true"]);
    match shell.status().map_err(|e| e.to_string())?.code() {
        Some(0) => Ok(path),
        Some(NOT_PERMITTED) => Err("this system does not permit seccomp".into()),
        status => panic!("inject /bin/true: {status:?}"),
    }
}

/// Runs `ign` in a folder with a plan: `count`, or what happens to which call. Its standard output
/// goes to the file `stdout` in the folder. Temporary files are in `tmp` there.
pub fn run(shim: &Path, folder: &Path, plan: &str, args: &[&str]) -> Run {
    // Beside the folder, so that the command's calls on it are not counted.
    let report = folder.with_extension("report");
    let mut command = Command::new(shim);
    command.args([folder, &report]).arg(plan);
    command.arg(env!("CARGO_BIN_EXE_ign")).args(args);
    let output = output(&mut command, folder).unwrap();
    let status = output.status.code().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let calls = fs::read_to_string(&report).unwrap();
    fs::remove_file(&report).unwrap();
    assert_ne!(status, BROKEN, "{plan} {args:?}: {err}");
    assert_ne!(status, TOO_LONG, "{plan} {args:?}: did not end: {err}");
    let call = |line: &str| {
        let (class, path) = line.split_once(' ').unwrap();
        let path = path.strip_prefix("./").unwrap_or(path);
        Call {
            class: class.into(),
            path: path.into(),
        }
    };
    Run {
        status,
        err,
        calls: calls.lines().map(call).collect(),
    }
}

/// Runs `ign` in a folder without faults.
pub fn run_plain(folder: &Path, args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ign"));
    let output = output(command.args(args), folder).unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        calls: Vec::new(),
    }
}

/// Runs `ign` in a folder until this time, and then sends it a signal.
pub fn run_until(folder: &Path, args: &[&str], time: Duration, signal: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ign"));
    prepare(command.args(args), folder).unwrap();
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(time);
    // It may have ended.
    let mut kill = Command::new("kill");
    _ = kill
        .args([
            &format!("-{}", signal.to_uppercase()),
            &child.id().to_string(),
        ])
        .stderr(Stdio::null())
        .status();
    let output = child.wait_with_output().unwrap();
    Run {
        status: status_of(&output),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        calls: Vec::new(),
    }
}

/// The exit status; 128 and the number of the signal that ended the command.
fn status_of(output: &Output) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&output.status) {
        return 128 + signal;
    }
    output.status.code().unwrap_or(-1)
}

fn output(command: &mut Command, folder: &Path) -> io::Result<Output> {
    prepare(command, folder)?.output()
}

fn prepare<'c>(command: &'c mut Command, folder: &Path) -> io::Result<&'c mut Command> {
    let stdout = fs::File::create(folder.join("stdout"))?;
    command
        .current_dir(folder)
        .env("TMPDIR", folder.join("tmp"))
        .stdin(Stdio::null())
        .stdout(stdout);
    Ok(command)
}
