//! Reads damaged archives in every way, and judges what comes of it.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write as _,
    io::{Read as _, Seek as _},
    time::Duration,
};

use ign_archive::{
    Archive, ErrorKind, Query, Recoverer, Result,
    check::Verifier,
    query::{parse_opening, parse_signature},
};

use cpu_time::ProcessTime;
use peak_alloc::PeakAlloc;

use crate::{
    base::Base,
    damage::{Allowed, Damaged},
};

/// A reader may take this many times the processor time that it takes for the archive that is
/// whole.
const SLOWER: u32 = 10;
/// What a measurement of time may be off by.
const NOISE: Duration = Duration::from_millis(30);
/// The memory that a reader of a small archive may take: the format's limits are larger, but what a
/// block takes must be in proportion to its bytes.
const MEMORY: usize = 16 << 20;
/// After this many archives of a kind the count is printed, since a full run takes hours.
const PROGRESS: u64 = 5_000;

/// What was read of an archive.
struct Found {
    text: Result<Vec<u8>>,
    games: Vec<(u64, Vec<u8>)>,
    is_verified: bool,
    is_sound: bool,
    recovered: Option<Vec<u8>>,
}

/// Counts of outcomes, and what is right.
pub struct Judge<'a> {
    base: &'a Base,
    memory: &'a PeakAlloc,
    normal: Duration,
    slowest: (Duration, String),
    largest: (usize, String),
    counts: BTreeMap<&'static str, Outcomes>,
}

/// How many damaged archives of a kind came to which end.
#[derive(Default)]
struct Outcomes {
    tried: u64,
    right: u64,
    errors: u64,
    recovered: u64,
}

impl<'a> Judge<'a> {
    pub fn new(base: &'a Base, memory: &'a PeakAlloc) -> Self {
        let time = |_| {
            let start = ProcessTime::now();
            read(&base.bytes);
            start.elapsed()
        };
        let normal = (0..5).map(time).min().unwrap();
        Self {
            base,
            memory,
            normal,
            slowest: Default::default(),
            largest: Default::default(),
            counts: BTreeMap::new(),
        }
    }

    /// Reads an archive that is damaged, and fails if anything is read that is not allowed.
    pub fn judge(&mut self, damaged: &Damaged) {
        let what = format!("{}: {}: {}", self.base.name, damaged.kind, damaged.what);
        let start = ProcessTime::now();
        let before = self.memory.current_usage();
        self.memory.reset_peak_usage();
        let found = read(&damaged.bytes);
        let mut time = start.elapsed();
        let memory = self.memory.peak_usage() - before;
        let limit = self.normal * SLOWER + NOISE;
        for _ in 0..5 {
            if time > limit {
                let start = ProcessTime::now();
                read(&damaged.bytes);
                time = time.min(start.elapsed());
            }
        }
        assert!(time <= limit, "{what}: {time:?} for {:?}", self.normal);
        assert!(memory <= MEMORY, "{what}: {memory} bytes of memory");
        self.slowest = std::mem::take(&mut self.slowest).max((time, what.clone()));
        self.largest = std::mem::take(&mut self.largest).max((memory, what.clone()));
        self.check(damaged, &found, &what);
        let outcomes = self.counts.entry(damaged.kind).or_default();
        outcomes.tried += 1;
        outcomes.right += u64::from(found.text.is_ok());
        outcomes.errors += u64::from(found.text.is_err());
        outcomes.recovered += u64::from(found.recovered.is_some());
        if outcomes.tried.is_multiple_of(PROGRESS) {
            println!("{}: {}: {}", self.base.name, damaged.kind, outcomes.tried);
        }
    }

    fn check(&self, damaged: &Damaged, read: &Found, what: &str) {
        let base = self.base;
        assert_eq!(
            read.is_verified, read.is_sound,
            "{what}: one verification, not the other"
        );
        if let Some(recovered) = &read.recovered {
            self.check_recovered(damaged, recovered, what);
        }
        if damaged.allowed == Allowed::GamesOfBoth {
            let games = base.games.iter().chain(&damaged.other.games);
            let games: HashSet<&[u8]> = games.map(Vec::as_slice).collect();
            for (number, game) in &read.games {
                assert!(
                    games.contains(&game[..]),
                    "{what}: game {number} is another"
                );
            }
            return;
        }
        if let Ok(text) = &read.text {
            let is_right = *text == base.text || Some(text) == base.before.as_ref();
            assert!(is_right, "{what}: another text");
        }
        if damaged.allowed == Allowed::SameGames {
            for (number, game) in &read.games {
                let own = &base.games[*number as usize - 1];
                assert!(game == own, "{what}: game {number} is another");
            }
            // An archive that is cut off may be the whole archive before an append.
            let is_cut = base.bytes.starts_with(&damaged.bytes);
            assert!(
                !read.is_verified || is_cut || base.differs_in_marks(&damaged.bytes),
                "{what}: verified"
            );
        } else if read.is_verified {
            assert!(
                read.text.is_ok(),
                "{what}: verified, but cannot be unpacked"
            );
        }
    }

    /// What is recovered is made of whole blocks of the archives, but for blocks without some
    /// columns. One damaged byte costs one block at most.
    fn check_recovered(&self, damaged: &Damaged, recovered: &[u8], what: &str) {
        let blocks = self.base.texts.iter().chain(&damaged.other.texts);
        let mut rest = recovered;
        'blocks: while !rest.is_empty() {
            for block in blocks.clone().filter(|block| !block.is_empty()) {
                if let Some(after) = rest.strip_prefix(&block[..]) {
                    rest = after;
                    continue 'blocks;
                }
            }
            panic!("{what}: recovered another text");
        }
        let lost = self.base.text.len().saturating_sub(recovered.len());
        let longest = self.base.texts.iter().map(Vec::len).max().unwrap_or(0);
        assert!(
            !damaged.is_one_byte() || lost <= longest,
            "{what}: {lost} bytes were not recovered"
        );
    }

    /// A line for each kind of damage, and the extremes.
    pub fn report(&self) -> String {
        let mut report = format!("{}, {} bytes:\n", self.base.name, self.base.bytes.len());
        for (kind, outcomes) in &self.counts {
            let Outcomes {
                tried,
                right,
                errors,
                recovered,
            } = outcomes;
            _ = writeln!(
                report,
                "  {kind}: {tried} tried, {right} read right, {errors} errors, {recovered} recovered"
            );
            assert!(*tried > 0 && *errors > 0, "{kind}: no archive was damaged");
            assert!(*recovered > 0, "{kind}: no archive was recovered");
        }
        let (slowest, largest) = (&self.slowest, &self.largest);
        _ = writeln!(
            report,
            "  slowest: {:?} for {:?} ({})",
            slowest.0, self.normal, slowest.1
        );
        _ = write!(report, "  most memory: {} bytes ({})", largest.0, largest.1);
        report
    }
}

/// Reads an archive in every way.
fn read(bytes: &[u8]) -> Found {
    let open =
        || Archive::from_read_at(bytes.to_vec(), "a.ign").map(|archive| archive.with_threads(1));
    let text = open().and_then(|archive| {
        let mut text = Vec::new();
        archive.unpack(&mut text).map(|_| text)
    });
    let mut games = Vec::new();
    let mut is_verified = false;
    if let Ok(archive) = open() {
        for game in archive.games().flatten() {
            if let Ok(pgn) = game.pgn() {
                games.push((game.number().get(), pgn.to_vec()));
            }
            // Whatever they find, these calls must return.
            _ = game.moves().map(Iterator::count);
            _ = game.movetext();
        }
        is_verified = archive.verify().is_ok();
        _ = archive.list(1..=archive.len().min(100), std::io::sink());
        _ = archive.find(&Query::new().signature(parse_signature(&["A=e4????"]).unwrap()));
        _ = archive.find(&Query::new().opening(parse_opening("1. e4 e5").unwrap()));
        _ = archive.meta();
    }
    let verified = Verifier::new()
        .threads(1)
        .verify_read_at(&bytes.to_vec(), "a.ign");
    Found {
        text,
        games,
        is_verified,
        is_sound: verified.is_ok_and(|verified| verified.damage.is_empty()),
        recovered: recovered(bytes),
    }
}

/// The text that can be recovered, if no column is left out.
fn recovered(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = tempfile::tempfile().unwrap();
    let recoverer = Recoverer::new().threads(1);
    let report = recoverer.recover(&bytes.to_vec(), "bad.ign", &out).ok()?;
    let mut recovered = Vec::new();
    out.rewind().unwrap();
    out.read_to_end(&mut recovered).unwrap();
    let archive = Archive::from_read_at(recovered, "good.ign").expect("a recovered archive opens");
    match archive.verify() {
        // A block whose model is lost is copied as it is.
        Err(error) if error.kind() == ErrorKind::Unsupported => return None,
        verified => verified.expect("a recovered archive is whole"),
    };
    let mut text = Vec::new();
    archive
        .unpack(&mut text)
        .expect("a recovered archive is unpacked");
    report.reduced.is_empty().then_some(text)
}
