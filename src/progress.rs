//! Progress of long work, shown on a terminal only.

use std::{
    io::{self, IsTerminal},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::numbers::grouped;
use ign_archive::Progress;

/// How often the progress is drawn.
const TICK: Duration = Duration::from_millis(100);

/// A status line.
pub struct Status(ProgressBar);

impl Status {
    /// Replaces the text of the line.
    pub fn set(&self, text: String) {
        self.0.set_message(text);
    }
}

/// Runs `work` with a status line.
pub fn with_status<R>(shown: bool, work: impl FnOnce(&Status) -> R) -> R {
    if !shown || !io::stderr().is_terminal() {
        return work(&Status(ProgressBar::hidden()));
    }
    let bar = ProgressBar::new_spinner();
    bar.set_style(style("{spinner} {msg}  {elapsed}"));
    bar.enable_steady_tick(TICK);
    let result = work(&Status(bar.clone()));
    bar.finish_and_clear();
    result
}

/// Runs `work` with a bar that shows bytes, games, rate and the time left. `total` is the number of
/// input bytes, if known.
pub fn with_bar<R>(
    shown: bool,
    total: Option<u64>,
    work: impl FnOnce(&mut dyn FnMut(Progress) -> ControlFlow<()>) -> R,
) -> R {
    if !shown || !io::stderr().is_terminal() {
        return work(&mut |_| ControlFlow::Continue(()));
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
    bar.set_style(style(template));
    bar.enable_steady_tick(TICK);
    let start = Instant::now();
    let result = work(&mut |progress| {
        let rate = progress.games as f64 / start.elapsed().as_secs_f64().max(0.001);
        bar.set_position(progress.bytes);
        bar.set_message(format!(
            "{} games ({}/s)",
            grouped(progress.games),
            grouped(rate as u64)
        ));
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    result
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is valid")
}
