//! The progress bar, on a terminal only.

use std::{
    io::{self, IsTerminal},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::grouped;
use ign_archive::pipeline::Progress;

/// What a long piece of work says of itself.
pub struct Words(ProgressBar);

impl Words {
    /// Says this now, in place of what was said before.
    pub fn say(&self, words: String) {
        self.0.set_message(words);
    }
}

/// Runs `work`, which tells in words how far it has come.
pub fn with_words<R>(shown: bool, work: impl FnOnce(&Words) -> R) -> R {
    if !shown || !io::stderr().is_terminal() {
        return work(&Words(ProgressBar::hidden()));
    }
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}");
    bar.set_style(style.expect("a constant template"));
    bar.enable_steady_tick(TICK);
    let result = work(&Words(bar.clone()));
    bar.finish_and_clear();
    result
}

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Runs `work` with a bar that shows bytes, games, rate and the time left;
/// `total` is the number of bytes to come, where it is known.
pub fn with_bar<R>(shown: bool, total: Option<u64>, work: impl FnOnce(&Progress) -> R) -> R {
    let progress = Progress::default();
    if !shown || !io::stderr().is_terminal() {
        return work(&progress);
    }
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:30} {bytes}/{total_bytes}  {binary_bytes_per_sec}  {msg}  {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {bytes}  {binary_bytes_per_sec}  {msg}  {elapsed}",
        ),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("a constant template"));
    let done = AtomicBool::new(false);
    let start = Instant::now();
    let draw = || {
        while !done.load(Ordering::Acquire) {
            let games = progress.games.load(Ordering::Relaxed);
            let rate = games as f64 / start.elapsed().as_secs_f64().max(0.001);
            bar.set_position(progress.input.load(Ordering::Relaxed));
            bar.set_message(format!(
                "{} games ({}/s)",
                grouped(games),
                grouped(rate as u64)
            ));
            thread::park_timeout(TICK);
        }
        bar.finish_and_clear();
    };
    thread::scope(|scope| {
        let drawer = scope.spawn(draw);
        let result = work(&progress);
        done.store(true, Ordering::Release);
        drawer.thread().unpark();
        result
    })
}
