//! Progress of long work, shown on a terminal only.

use std::{
    collections::VecDeque,
    io::{self, IsTerminal},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::numbers::grouped;
use ign_archive::Progress;

/// How often the progress is drawn.
const TICK: Duration = Duration::from_millis(100);

/// The time over which rates are measured: what was there at the start, or went faster long ago,
/// does not count.
const SPAN: Duration = Duration::from_secs(30);
/// Time between two measurements.
const INTERVAL: Duration = Duration::from_millis(500);

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
            "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {bytes}  {msg}  {elapsed}",
        ),
    };
    bar.set_style(style(template));
    bar.enable_steady_tick(TICK);
    let mut rates = Rates::default();
    let result = work(&mut |progress| {
        bar.set_position(progress.bytes);
        bar.set_message(rates.described(progress, Instant::now()));
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    result
}

/// How fast the work goes.
#[derive(Default)]
struct Rates {
    /// Measurements, the oldest first.
    earlier: VecDeque<(Instant, Progress)>,
}

impl Rates {
    /// The games, their rate, and that of the text, where it is counted, or else of the bytes:
    /// `12,000 games (4,000/s, 2.9 MB/s of text)`. Work that counts no games has the rate of the
    /// bytes alone.
    fn described(&mut self, progress: Progress, now: Instant) -> String {
        let is_new = |last: &(Instant, Progress)| now - last.0 >= INTERVAL;
        if self.earlier.back().is_none_or(is_new) {
            self.earlier.push_back((now, progress));
        }
        while self.earlier.get(1).is_some_and(|next| now - next.0 > SPAN) {
            self.earlier.pop_front();
        }
        let games = grouped(progress.games);
        // The first report has nothing before it: its time is not known.
        let Some((since, before)) = self.earlier.front().filter(|first| first.0 < now) else {
            return match progress.games {
                0 => String::new(),
                _ => format!("{games} games"),
            };
        };
        let seconds = (now - *since).as_secs_f64();
        let rate = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
        let (bytes_rate, of) = match progress.text_len {
            0 => (rate(progress.bytes, before.bytes), ""),
            text_len => (rate(text_len, before.text_len), " of text"),
        };
        let bytes_rate = format!("{:.1} MB/s{of}", bytes_rate / 1e6);
        if progress.games == 0 {
            return bytes_rate;
        }
        let games_rate = grouped(rate(progress.games, before.games) as u64);
        format!("{games} games ({games_rate}/s, {bytes_rate})")
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(bytes: u64, games: u64, text_len: u64) -> Progress {
        let mut progress = Progress::default();
        (progress.bytes, progress.games, progress.text_len) = (bytes, games, text_len);
        progress
    }

    #[test]
    fn rates_are_those_of_the_last_half_minute() {
        let start = Instant::now();
        let mut rates = Rates::default();
        let mut at = |seconds: u64, progress| {
            rates.described(progress, start + Duration::from_secs(seconds))
        };
        // What an earlier run has packed comes at once.
        assert_eq!(at(0, progress(9_000, 50_000, 40_000_000)), "50,000 games");
        for second in 1..100 {
            let [games, text_len] = [50_000 + 2000 * second, 40_000_000 + 1_500_000 * second];
            let line = at(second, progress(9_000, games, text_len));
            assert_eq!(
                line,
                format!("{} games (2,000/s, 1.5 MB/s of text)", grouped(games))
            );
        }
        let slower = at(130, progress(9_000, 248_000, 188_500_000));
        assert_eq!(slower, "248,000 games (0/s, 0.0 MB/s of text)");
        let mut rates = Rates::default();
        rates.described(progress(0, 0, 0), start);
        let line = rates.described(progress(3_000_000, 40, 0), start + Duration::from_secs(2));
        assert_eq!(line, "40 games (20/s, 1.5 MB/s)");
        let bytes = rates.described(progress(5_000_000, 0, 0), start + Duration::from_secs(4));
        assert_eq!(bytes, "1.2 MB/s");
    }
}
