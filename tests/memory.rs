//! Is the memory of packing bounded, however long the input is?
#![cfg(target_os = "linux")]

use std::{
    fs,
    process::{Child, Stdio},
    thread,
    time::Duration,
};

use ign_testing::is_full;

use crate::util::Folder;

/// The most memory that a process has used so far, in bytes; `None` after its end.
fn peak(process: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Packs generated games from a stream, in blocks of this size. Returns the most memory that was
/// used.
fn packing(folder: &Folder, games: u64, block_size: u64, threads: u64) -> u64 {
    let count = games.to_string();
    let mut sample = folder.command(&["sample", "-q", "-c", "--games", &count]);
    let mut sample = sample.stdout(Stdio::piped()).spawn().unwrap();
    let (size, threads) = (block_size.to_string(), threads.to_string());
    let pack = ["pack", "-", "-qf", "-o", "a.ign", "--coding", "ign"];
    let pack = [&pack[..], &["-B", &size, "-T", &threads]].concat();
    let mut command = folder.command(&pack);
    let mut pack = command
        .stdin(sample.stdout.take().unwrap())
        .spawn()
        .unwrap();
    let mut most = 0;
    while pack.try_wait().unwrap().is_none() {
        most = most.max(peak(&pack).unwrap_or(0));
        thread::sleep(Duration::from_millis(2));
    }
    assert!(sample.wait().unwrap().success() && pack.wait().unwrap().success());
    most
}

/// The bound: blocks in the queues, of at most twice the size, and what encoding one takes.
fn bound(block_size: u64, threads: u64) -> u64 {
    (32 << 20) + (threads + 4) * 2 * block_size + threads * 6 * block_size
}

/// A gigabyte with `IGN_FULL`, in blocks of the default size; otherwise as many blocks as keep
/// eight threads busy.
#[test]
fn packing_a_stream_takes_bounded_memory() {
    let (games, block_size) = if is_full() {
        (1_400_000, 8 << 20)
    } else {
        (40_000, 1 << 20)
    };
    let folder = Folder::new();
    for threads in [1, 2, 8] {
        let (most, bound) = (
            packing(&folder, games, block_size, threads),
            bound(block_size, threads),
        );
        println!(
            "{games} games, {threads} threads: {} of {} MiB",
            most >> 20,
            bound >> 20
        );
        assert!(
            most > 4 << 20 && most <= bound,
            "{threads} threads: {most} of {bound}"
        );
    }
}
