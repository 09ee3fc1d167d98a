//! Does a file operation that fails ever cost more than the command that it fails in?
//!
//! Every file operation of every command fails in turn: each once and for ever, in each way that
//! its class can, and the command is killed at each. Then files have their old bytes, their new
//! bytes or were never there; the message names the file that failed; and the same command does its
//! work in what is left.
//!
//! In `cargo test` a part of the faults is injected. `IGN_FULL=1` injects all, `IGN_FAULTS=3` one
//! in three.

mod cases;
mod judge;
mod shim;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use cases::{CASES, Case, Effect, Files, make_folders, restore, template};
use ign_testing::{Folder, Need, is_full, require};
use judge::{Clean, Ended, judge};
use rayon::prelude::*;
use shim::run;

/// One in this many faults is injected, unless all are. It divides no number of faults of a class.
const EVERY: u64 = 23;

/// What is done to the calls of a class.
fn actions(class: &str) -> &'static [&'static str] {
    match class {
        "open" => &["EIO", "EACCES", "EMFILE+", "EINTR", "kill", "gone"],
        "create" => &["EACCES", "ENOSPC", "EMFILE+", "EROFS+", "EINTR", "kill"],
        "read" => &["EIO", "EIO+", "EINTR", "short", "short+", "kill", "gone"],
        "write" => &[
            "ENOSPC", "ENOSPC+", "EIO", "EDQUOT+", "EINTR", "short", "short+", "kill", "term",
            "int", "hup", "gone",
        ],
        "sync" => &["EIO", "EIO+", "ENOSPC", "EINTR", "kill", "term", "gone"],
        "rename" => &["EIO", "ENOSPC+", "EACCES", "EINTR", "kill", "int", "hup"],
        "unlink" => &["EIO", "EACCES+", "EINTR", "kill"],
        "truncate" => &["EIO", "EIO+", "EINTR", "kill", "gone"],
        "lock" => &["ENOLCK", "ENOLCK+", "EINTR", "kill"],
        other => panic!("{other}"),
    }
}

/// All plans for a command that makes these calls.
fn plans(calls: &[shim::Call]) -> Vec<String> {
    let mut counts = BTreeMap::<&str, u64>::new();
    calls
        .iter()
        .for_each(|call| *counts.entry(&call.class).or_default() += 1);
    let plans = counts.into_iter().flat_map(|(class, count)| {
        let each = move |number| {
            actions(class)
                .iter()
                .map(move |action| (class, number, action))
        };
        (1..=count).flat_map(each)
    });
    plans
        .map(|(class, number, action)| format!("{class}:{number}:{action}"))
        .collect()
}

/// One in how many faults is injected.
fn every() -> u64 {
    let number = std::env::var("IGN_FAULTS")
        .ok()
        .and_then(|text| text.parse().ok());
    if is_full() {
        1
    } else {
        number.unwrap_or(EVERY)
    }
}

fn shared_template() -> &'static Files {
    static TEMPLATE: OnceLock<Files> = OnceLock::new();
    TEMPLATE.get_or_init(template)
}

/// A folder with the files of the template.
fn prepared() -> Folder {
    let folder = Folder::new();
    make_folders(&folder.path(""));
    restore(&folder.path(""), shared_template());
    folder
}

/// What came of the faults of a command.
#[derive(Default)]
struct Faults {
    /// Runs that should have a fault.
    planned: u64,
    /// Runs that had it.
    injected: u64,
    wrong: Vec<String>,
}

/// Runs the command without faults, and then with each fault.
fn torture(shim: &Path, case: &Case, faults_before: &AtomicU64) -> Faults {
    let args = case.args();
    let folder = prepared();
    let path = folder.path("").canonicalize().unwrap();
    let before = cases::files(&path);
    let clean = run(shim, &path, "count", &args);
    let plans = plans(&clean.calls);
    let clean = Clean {
        status: clean.status,
        err: clean.err,
        before,
        after: cases::files(&path),
    };
    assert!(!plans.is_empty(), "ign {} calls nothing", case.command);
    let mut faults = Faults {
        wrong: clean.complaints(case),
        ..Faults::default()
    };
    let first = faults_before.fetch_add(plans.len() as u64, Ordering::Relaxed);
    let chosen = (first..)
        .zip(&plans)
        .filter(|(number, _)| number % every() == 0);
    for (_, plan) in chosen {
        restore(&path, &clean.before);
        let run = run(shim, &path, plan, &args);
        faults.planned += 1;
        faults.injected += u64::from(!run.calls.is_empty());
        let ended = Ended {
            plan,
            run,
            files: cases::files(&path),
        };
        if let Err(complaint) = judge(case, &clean, &ended, &path) {
            let complaint = format!("{plan} in ign {}: {complaint}", case.command);
            faults.wrong.push(complaint);
        }
    }
    faults
}

#[test]
fn no_fault_costs_more_than_its_command() {
    let Some(shim) = require(Need::Faults, shim::build()) else {
        return;
    };
    let before = AtomicU64::new(0);
    let of_cases = CASES.par_iter().with_max_len(1).map(|case| {
        let faults = torture(&shim, case, &before);
        eprintln!("{:5} faults: ign {}", faults.injected, case.command);
        faults
    });
    let Faults {
        planned,
        injected,
        wrong,
    } = of_cases.reduce(Faults::default, |all, one| Faults {
        planned: all.planned + one.planned,
        injected: all.injected + one.injected,
        wrong: [all.wrong, one.wrong].concat(),
    });
    let all = before.into_inner();
    eprintln!(
        "{injected} of {planned} faults were injected into {} commands, which have places for \
         {all}",
        CASES.len()
    );
    if let Some(report) = std::env::var_os("IGN_REPORT") {
        fs::write(report, wrong.join("\n")).unwrap();
    }
    let shown: Vec<&String> = wrong.iter().take(40).collect();
    assert!(wrong.is_empty(), "{} faults: {shown:#?}", wrong.len());
    assert!(planned >= all / every() && planned > 0);
    // Threads may call in another order, and a call of one byte cannot be cut.
    assert!(injected * 10 >= planned * 9, "{injected} of {planned}");
}

/// Kills or interrupts the command at random moments rather than at its file operations.
#[cfg(unix)]
#[test]
fn no_signal_at_any_moment_costs_more_than_its_command() {
    const SIGNALS: [(&str, i32); 4] = [("kill", 137), ("term", 143), ("int", 130), ("hup", 129)];
    let moments = match every() {
        1 => 60,
        _ => 4,
    };
    let writing = CASES.iter().filter(|case| case.effect != Effect::Reads);
    let mut ended = 0;
    for case in writing {
        let folder = prepared();
        let path = folder.path("").canonicalize().unwrap();
        let start = Instant::now();
        let run = shim::run_plain(&path, &case.args());
        let time = start.elapsed();
        let clean = Clean {
            status: run.status,
            err: run.err,
            before: shared_template().clone(),
            after: cases::files(&path),
        };
        for moment in 0..moments {
            let (signal, status) = SIGNALS[moment % SIGNALS.len()];
            restore(&path, &clean.before);
            let after = time * moment as u32 / moments as u32;
            let run = shim::run_until(&path, &case.args(), after, signal);
            ended += u64::from(run.status == status);
            let ended = Ended {
                plan: &format!("any:1:{signal}"),
                run,
                files: cases::files(&path),
            };
            if let Err(complaint) = judge(case, &clean, &ended, &path) {
                panic!(
                    "{signal} after {after:?} in ign {}: {complaint}",
                    case.command
                );
            }
        }
    }
    assert!(ended > 0);
    eprintln!("{ended} commands were ended by a signal");
}
