//! What may be left after a command whose file operation failed.

use ign_format::container::{append_mark, frame};
use std::path::Path;

use crate::{
    cases::{Case, Effect, Files, LEFT_OVER},
    shim::{Run, run_plain},
};

/// The command without faults.
pub struct Clean {
    pub status: i32,
    pub err: String,
    pub before: Files,
    pub after: Files,
}

/// The command with a fault.
pub struct Ended<'a> {
    pub plan: &'a str,
    pub run: Run,
    /// The files then.
    pub files: Files,
}

/// The file of standard output.
const STDOUT: &str = "stdout";

impl Case {
    pub fn args(&self) -> Vec<&'static str> {
        // The order of calls must not depend on threads.
        self.command.split(' ').chain(["-T1"]).collect()
    }

    /// Its exit status without faults: damage is reported and left out.
    fn status(&self) -> i32 {
        match self.command.split(' ').next() {
            Some("verify") if self.command.contains("bad") => 2,
            Some("recover") if !self.command.contains("bad-parity") => 4,
            Some("unpack") if self.command.contains("bad") => 4,
            _ => 0,
        }
    }

    /// The command that does the work after a run that failed.
    fn args_again(&self) -> Vec<&'static str> {
        let mut args = self.args();
        if matches!(self.effect, Effect::Makes(_)) && !args.contains(&"-f") {
            args.push("-f");
        }
        args
    }

    /// Whether the command may change a file.
    fn writes(&self, name: &str) -> bool {
        match self.effect {
            Effect::Makes(files) => files.contains(&name),
            Effect::Grows(file) | Effect::Extends(file) => name
                .strip_prefix(file)
                .is_some_and(|rest| rest.is_empty() || rest == ".idx"),
            Effect::Reads => false,
        }
    }

    /// Whether a file of these bytes is one that the command has not finished, and that its next
    /// run finishes.
    fn is_grown(&self, name: &str, clean: &Clean, bytes: &[u8]) -> bool {
        let is_from = |start: &str| {
            clean
                .before
                .get(start)
                .is_some_and(|start| bytes.starts_with(start))
        };
        match self.effect {
            // What an earlier run has left is removed first.
            Effect::Grows(file) if file.starts_with("cut-") => is_from("a.ign"),
            Effect::Grows(_) | Effect::Extends(_) => is_from(name),
            Effect::Makes(_) | Effect::Reads => false,
        }
    }
}

impl Clean {
    /// What is wrong with the command itself.
    pub fn complaints(&self, case: &Case) -> Vec<String> {
        let mut changed = self
            .names()
            .filter(|name| self.before.get(*name) != self.after.get(*name));
        let unexpected =
            changed.find(|&name| !case.writes(name) && name != STDOUT && name != LEFT_OVER);
        let fine = self.status == case.status() && unexpected.is_none();
        let complaint = || {
            format!(
                "ign {}: {}, {unexpected:?}: {}",
                case.command, self.status, self.err
            )
        };
        (!fine).then(complaint).into_iter().collect()
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        let new = self
            .after
            .keys()
            .filter(|name| !self.before.contains_key(*name));
        self.before.keys().chain(new)
    }
}

/// The part of a plan after its last colon.
fn action(plan: &str) -> &str {
    plan.rsplit(':').next().unwrap_or("")
}

/// Whether a command may leave a temporary file after this: it was killed, or it cannot remove it.
fn may_leave_temporary(plan: &str) -> bool {
    matches!(action(plan), "kill" | "gone") || plan.starts_with("unlink:")
}

/// Whether a command may leave a file unfinished after this: it was ended, or it cannot undo what
/// it did.
fn may_leave(plan: &str) -> bool {
    matches!(action(plan), "kill" | "term" | "int" | "hup" | "gone")
        || plan.starts_with("truncate:")
}

pub fn judge(case: &Case, clean: &Clean, ended: &Ended, folder: &Path) -> Result<(), String> {
    let Ended { plan, run, files } = ended;
    let (status, err) = (run.status, run.err.trim());
    let signals = match action(plan) {
        "kill" => &[137][..],
        "term" => &[143],
        "int" => &[130],
        "hup" => &[129],
        _ => &[],
    };
    let is_hit = !run.calls.is_empty();
    let was_ended = signals.contains(&status);
    if err.contains("panicked") || !(status == clean.status || status == 1 || was_ended) {
        return Err(format!("status {status}: {err}"));
    }
    // Calls that were interrupted or did a part of their work are continued.
    let class = plan.split(':').next().unwrap_or("");
    let is_continued = matches!(action(plan), "short" | "short+")
        || action(plan) == "EINTR" && matches!(class, "read" | "write" | "sync" | "truncate");
    if is_continued && status != clean.status {
        return Err(format!("not continued: {err}"));
    }
    let is_done = status == clean.status && !was_ended;
    if is_done {
        complete(case, clean, ended)?;
    } else if !is_hit && !was_ended {
        return Err(format!("status {status} without a fault: {err}"));
    }
    unharmed(case, clean, ended)?;
    if !is_done && !was_ended {
        named(case, ended)?;
    }
    let files = &with_complete_mark(case, clean, folder, files);
    let is_known = |wanted: &Files| {
        let others = |(name, _): &(&String, _)| *name != STDOUT;
        files.iter().filter(others).eq(wanted.iter().filter(others))
    };
    if is_known(&clean.before) || is_known(&clean.after) {
        Ok(())
    } else {
        done_again(case, clean, folder, files)
    }
}

/// The files; an archive of which only the mark of the append is not as after the command has that
/// mark then, in the folder too. An append that is ended before its last step is complete, but its
/// mark does not say so.
fn with_complete_mark(case: &Case, clean: &Clean, folder: &Path, files: &Files) -> Files {
    let mut files = files.clone();
    if let Effect::Grows(archive) = case.effect
        && let (Some(left), Some(after)) = (files.get_mut(archive), clean.after.get(archive))
        && left.len() == after.len()
    {
        let differ = |at: &usize| left[*at] != after[*at];
        let first = (0..after.len()).find(differ).unwrap_or(0);
        let start = first.saturating_sub(frame::PREFIX_LEN);
        let end = start + append_mark::LEN;
        let is_mark = frame::is_kind(&after[start..], frame::Kind::Append);
        if is_mark && left[end..] == after[end..] {
            left.clone_from(after);
            std::fs::write(folder.join(archive), after).expect("a file");
        }
    }
    files
}

/// A command that reports success has done all of its work.
fn complete(case: &Case, clean: &Clean, ended: &Ended) -> Result<(), String> {
    // The games are in the archive, and its index answers for those before: the command warns of
    // that.
    let has_warned = ended.run.err.contains("warning: ") && !clean.err.contains("warning: ");
    for (name, wanted) in &clean.after {
        let is_same = ended.files.get(name) == Some(wanted);
        let is_warned =
            has_warned && matches!(case.effect, Effect::Grows(_)) && name.ends_with(".idx");
        if !is_same && !is_warned {
            return Err(format!(
                "status {}, but {name} is not complete: {}",
                ended.run.status, ended.run.err
            ));
        }
    }
    Ok(())
}

/// All files have their old or their new bytes.
fn unharmed(case: &Case, clean: &Clean, ended: &Ended) -> Result<(), String> {
    for (name, old) in &clean.before {
        if !ended.files.contains_key(name) && name != LEFT_OVER {
            return Err(format!("{name} of {} bytes is gone", old.len()));
        }
    }
    for (name, bytes) in ended.files.iter().filter(|(name, _)| *name != STDOUT) {
        let (old, new) = (clean.before.get(name), clean.after.get(name));
        if old == Some(bytes) || case.writes(name) && new == Some(bytes) {
            continue;
        }
        let file_name = name.rsplit('/').next().unwrap_or(name);
        let is_grown = case.is_grown(name, clean, bytes);
        let is_left = if file_name.starts_with(".ign-") {
            may_leave_temporary(ended.plan)
        } else {
            // What an earlier run has left is removed first.
            is_grown && (may_leave(ended.plan) || clean.before.get("a.ign") == Some(bytes))
        };
        if !is_left {
            let err = &ended.run.err;
            return Err(format!("{name} has {} other bytes: {err}", bytes.len()));
        }
    }
    Ok(())
}

/// The message names the file that failed.
fn named(case: &Case, ended: &Ended) -> Result<(), String> {
    let err = ended.run.err.trim();
    let message = err
        .lines()
        .find(|line| line.starts_with("ign: "))
        .unwrap_or("");
    let is_named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let name = name.strip_prefix(".ign-").unwrap_or(name);
        let name = name.strip_suffix(".partial").unwrap_or(name);
        match (path, case.effect) {
            (STDOUT, _) => message.contains("standard output"),
            // A folder that is read for temporary files, or synced.
            ("" | "parts", Effect::Makes(files)) => files.iter().any(|file| message.contains(file)),
            _ if path == "tmp" || path.starts_with("tmp/") => message.contains("/tmp"),
            _ => message.contains(name),
        }
    };
    if ended.run.calls.iter().any(|call| is_named(&call.path)) {
        Ok(())
    } else {
        Err(format!(
            "the message does not name {:?}: {err:?}",
            ended.run.calls[0].path
        ))
    }
}

/// The next run does the work, whatever is left.
fn done_again(case: &Case, clean: &Clean, folder: &Path, left: &Files) -> Result<(), String> {
    let run = |args: &[&str]| run_plain(folder, args);
    let mut args = case.args_again();
    if let Effect::Grows(archive) = case.effect {
        let is_grown = left.get(archive) == clean.after.get(archive);
        if !is_grown {
            let text = run(&["unpack", "-qc", archive]);
            let now = std::fs::read(folder.join(STDOUT)).unwrap_or_default();
            if text.status != 0
                || clean.before.get("a.pgn") != Some(&now) && archive != "weighted.ign"
            {
                return Err(format!("{archive} does not open as before: {}", text.err));
            }
        } else if clean.after.contains_key(&format!("{archive}.idx")) {
            args = vec!["index", archive];
        }
    }
    let again = run(&args);
    if again.status != clean.status {
        return Err(format!(
            "the next run ends with {}: {}",
            again.status,
            again.err.trim()
        ));
    }
    let now = crate::cases::files(folder);
    for name in now
        .keys()
        .chain(clean.after.keys())
        .filter(|name| *name != STDOUT)
    {
        if now.get(name) != clean.after.get(name) {
            return Err(format!(
                "after the next run {name} is {:?} bytes",
                now.get(name).map(Vec::len)
            ));
        }
    }
    Ok(())
}
