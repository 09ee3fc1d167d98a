//! The memory of a process over time.

use std::{
    fmt,
    time::{Duration, Instant},
};

/// The number of samples of a run.
const SAMPLES: u32 = 20;

/// Resident memory, sampled at intervals.
pub struct Memory {
    process: u32,
    /// Time since the start, and MiB.
    samples: Vec<(Duration, u64)>,
}

impl Memory {
    /// No samples yet.
    pub fn of(process: u32) -> Self {
        Self {
            process,
            samples: Vec::new(),
        }
    }

    /// Takes samples for this long.
    pub fn sample(&mut self, length: Duration) {
        let start = Instant::now();
        for number in 1..=SAMPLES {
            let next = length * number / SAMPLES;
            std::thread::sleep(next.saturating_sub(start.elapsed()));
            let resident = self.mebibytes("VmRSS");
            self.samples
                .extend(resident.map(|mib| (start.elapsed(), mib)));
        }
    }

    /// A value of the status of the process.
    fn mebibytes(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process)).ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib / 1024)
    }
}

/// The samples, and the greatest value of all times.
impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "memory in MiB after seconds:")?;
        for (time, mib) in &self.samples {
            write!(f, " {:.0}: {mib}", time.as_secs_f64())?;
        }
        match self.mebibytes("VmHWM") {
            Some(most) => write!(f, "; at most {most}"),
            None => Ok(()),
        }
    }
}
