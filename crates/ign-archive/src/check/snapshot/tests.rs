//! Does a reader of a file that grows always find a state that the file had while it was read?
//!
//! The states are those of real appends and parity, recorded at each change of the file, and
//! between them the states of writes that are done in part. A reader asks for the length, for bytes
//! and for the lock; the file may have advanced by any number of states before each answer. All of
//! these interleavings are tried: those that give the reader the same answers are one run of it,
//! and the number of interleavings of all runs is compared with the number of all sequences of
//! states.

use std::{
    collections::HashMap,
    fs,
    io::{self, Cursor},
    sync::{Arc, Mutex, MutexGuard},
};

use ign_format::{container::append_mark, error::Remedy};
use ign_testing::{Folder, games_of_seed};

use super::*;
use crate::{
    Appender, Archive, Input, Packer,
    check::{Depth, Verifier},
    growing::record,
    parity::ParityBuilder,
};

/// Numbers of interleavings are counted modulo this prime.
const PRIME: u64 = (1 << 61) - 1;

/// A state of the file.
struct State {
    bytes: Vec<u8>,
    is_locked: bool,
}

/// How writes that are done in part look.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Tearing {
    /// The first bytes are written.
    First,
    /// The file has its new length, and the first of the new bytes, and then zeros. Of bytes that
    /// replace others the last ones are written.
    Length,
    /// As `First`, at fewer places.
    Few,
}

/// The states of a file, in their order.
struct History {
    states: Vec<State>,
    /// The archives that were in the file: the first state, the length of the archive and its
    /// parity, and the games.
    versions: Vec<(usize, u64, u64)>,
    tearing: Tearing,
}

impl History {
    fn push(&mut self, bytes: &[u8], is_locked: bool) {
        self.states.push(State {
            bytes: bytes.to_vec(),
            is_locked,
        });
    }

    /// Adds a change of the file by a writer.
    fn change(&mut self, next: &[u8]) {
        let before = self.states.last().unwrap().bytes.clone();
        for part in torn(&before, next, self.tearing) {
            self.push(&part, true);
        }
        self.push(next, true);
    }

    /// Adds the states of a writer that locks the file and ends.
    fn writer(&mut self, changes: &[Vec<u8>]) {
        let before = self.states.last().unwrap().bytes.clone();
        self.push(&before, true);
        changes.iter().for_each(|next| self.change(next));
        let after = self.states.last().unwrap().bytes.clone();
        self.push(&after, false);
    }

    /// As [`writer`](Self::writer), of which the result is another archive.
    fn new_version(&mut self, changes: &[Vec<u8>]) {
        let from = self.states.len();
        self.writer(changes);
        let whole = &self.states.last().unwrap().bytes;
        let end = whole.len();
        let mark = self.versions.last().unwrap().1 as usize;
        let is_in = |state: &State| {
            let (bytes, mark_end) = (&state.bytes, mark + append_mark::LEN);
            bytes.len() == end && bytes[mark_end..] == whole[mark_end..]
        };
        let first = self.states[from..].iter().position(is_in).unwrap();
        let games = Archive::from_read_at(whole.clone(), "").unwrap().len();
        self.versions.push((from + first, end as u64, games));
    }

    /// The version of a state.
    fn version(&self, state: usize) -> usize {
        self.versions.partition_point(|(first, ..)| *first <= state) - 1
    }
}

/// Places inside a write of `len` bytes: around the fields and the end of a mark, and around a
/// footer at the end.
fn cuts(len: usize, tearing: Tearing) -> Vec<usize> {
    let from_end = |bytes: usize| len.saturating_sub(bytes);
    let mut cuts = match tearing {
        Tearing::Few => vec![1, 12, 13, len / 2, from_end(1)],
        Tearing::First | Tearing::Length => {
            let from_start = [1, 8, 11, 12, 13, 20, 21, 28, 29, 30, len / 2];
            let at_end = [71, 70, 69, 12, 1].map(from_end);
            [&from_start[..], &at_end].concat()
        }
    };
    cuts.retain(|cut| (1..len).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The states between two others.
fn torn(before: &[u8], next: &[u8], tearing: Tearing) -> Vec<Vec<u8>> {
    let old = before.len();
    if next.len() < old {
        // Bytes after the new end may be gone before the length is.
        let mut zeros = next.to_vec();
        zeros.resize(old, 0);
        return vec![zeros];
    }
    let replaced: Vec<usize> = (0..old).filter(|&at| before[at] != next[at]).collect();
    if !replaced.is_empty() && next.len() == old {
        let parts = cuts(replaced.len(), tearing).into_iter().map(|cut| {
            let mut part = before.to_vec();
            let written = match tearing {
                Tearing::Length => &replaced[cut..],
                Tearing::First | Tearing::Few => &replaced[..cut],
            };
            written.iter().for_each(|&at| part[at] = next[at]);
            part
        });
        return parts.collect();
    }
    let parts = [0]
        .into_iter()
        .chain(cuts(next.len() - old, tearing))
        .map(|cut| {
            let mut part = next[..old + cut].to_vec();
            if tearing == Tearing::Length {
                part.resize(next.len(), 0);
            }
            part
        });
    parts
        .skip(usize::from(tearing != Tearing::Length))
        .collect()
}

/// Archives in a file that grows: appends, one of them after another that was killed; parity, one
/// set of which was not finished.
fn history(tearing: Tearing) -> History {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let input = |seed: u64| {
        let text = games_of_seed(1 + seed % 2, seed);
        [Input::reader(format!("{seed}"), Cursor::new(text))]
    };
    let packer = || Packer::new().threads(1).verify(false);
    let (bytes, _) = packer().pack(input(1), Vec::new()).unwrap();
    let mut history = History {
        states: Vec::new(),
        versions: vec![(0, bytes.len() as u64, 2)],
        tearing,
    };
    history.push(&bytes, false);
    fs::write(&path, &bytes).unwrap();
    let append = |seed: u64| {
        record::states(|| {
            let appender = Appender::open(&path).unwrap();
            appender.append(packer(), input(seed)).unwrap();
        })
    };
    // An append that is killed when it has written half of its blocks, and one after it.
    let mut killed = append(2);
    let whole = killed[1].len();
    killed.truncate(2);
    killed[1].truncate(bytes.len() + (whole - bytes.len()) / 2);
    history.writer(&killed);
    fs::write(&path, &killed[1]).unwrap();
    let after = append(3);
    assert_eq!(after.len(), 5, "cut, mark, blocks and index, footer, mark");
    history.new_version(&after);
    history.new_version(&append(4));
    let add = || record::states(|| _ = ParityBuilder::new(1.0).add_to(&path).unwrap());
    let before = fs::read(&path).unwrap();
    let mut killed = add();
    killed.truncate(3);
    history.writer(&killed);
    fs::write(&path, &killed[2]).unwrap();
    let added = add();
    assert!(added[0] == before && added.len() > 5);
    history.new_version(&added);
    history.new_version(&append(6));
    assert!(fs::read(&path).unwrap() == history.states.last().unwrap().bytes);
    history
}

/// What a reader asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    Size,
    IsLocked,
    Bytes(u64, usize),
}

impl Question {
    /// The bytes of a place, unless the file ends before.
    fn bytes(state: &State, offset: u64, len: usize) -> Option<&[u8]> {
        state.bytes.get(offset as usize..)?.get(..len)
    }

    /// The answers in all states, numbered: equal numbers are equal answers.
    fn answers(self, states: &[State]) -> Arc<Vec<u64>> {
        let (mut known, mut last) = (HashMap::new(), None);
        let answers = states.iter().map(|state| match self {
            Self::Size => state.bytes.len() as u64,
            Self::IsLocked => u64::from(state.is_locked),
            Self::Bytes(offset, len) => {
                let bytes = Self::bytes(state, offset, len);
                let next = known.len() as u64;
                match last {
                    Some((before, number)) if before == bytes => number,
                    _ => {
                        let number = *known.entry(bytes).or_insert(next);
                        last = Some((bytes, number));
                        number
                    }
                }
            }
        });
        Arc::new(answers.collect())
    }
}

/// What a reader has been answered.
struct Run {
    /// The choices among the possible answers.
    script: Vec<usize>,
    /// How many answers were possible.
    options: Vec<usize>,
    /// How many sequences of states that end in each state give these answers, modulo the prime;
    /// `None` if the file cannot be in that state.
    ways: Vec<Option<u64>>,
    /// Whether the reader holds the lock.
    is_locked: bool,
    /// Questions before which the file could advance.
    questions: usize,
    first: usize,
}

impl Run {
    fn new(states: usize, script: Vec<usize>) -> Self {
        let mut ways = vec![None; states];
        ways[0] = Some(1);
        Self {
            script,
            options: Vec::new(),
            ways,
            is_locked: false,
            questions: 0,
            first: 0,
        }
    }

    /// Chooses an answer, and returns the first state that gives it.
    fn ask(&mut self, answers: &[u64]) -> usize {
        if !self.is_locked {
            self.questions += 1;
            self.ways = advanced(&self.ways);
        }
        let mut possible = Vec::new();
        for (answer, ways) in answers.iter().zip(&self.ways) {
            if ways.is_some() && !possible.contains(answer) {
                possible.push(*answer);
            }
        }
        let number = self.options.len();
        self.options.push(possible.len());
        if number == self.script.len() {
            self.script.push(0);
        }
        let chosen = possible[self.script[number]];
        for (answer, ways) in answers.iter().zip(&mut self.ways) {
            if *answer != chosen {
                *ways = None;
            }
        }
        let state = self.ways.iter().position(Option::is_some).unwrap();
        if number == 0 {
            self.first = state;
        }
        state
    }

    /// The script of the next run; `None` after the last one.
    fn next(mut self) -> Option<Vec<usize>> {
        self.script.truncate(self.options.len());
        while let Some(choice) = self.script.pop() {
            if choice + 1 < self.options[self.script.len()] {
                self.script.push(choice + 1);
                return Some(self.script);
            }
        }
        None
    }
}

/// The numbers of sequences after the file has advanced by any number of states.
fn advanced(ways: &[Option<u64>]) -> Vec<Option<u64>> {
    let mut sum = None;
    let each = ways.iter().map(|ways| {
        sum = match (sum, *ways) {
            (Some(sum), Some(ways)) => Some((sum + ways) % PRIME),
            (sum, ways) => sum.or(ways),
        };
        sum
    });
    each.collect()
}

/// The number of sequences of `questions` states that never go back, modulo the prime, and its
/// decimal logarithm.
fn sequences(states: usize, questions: usize) -> (u64, f64) {
    let power = |base: u64, mut exponent: u64| {
        let (mut base, mut result) = (u128::from(base), 1);
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result * base % u128::from(PRIME);
            }
            base = base * base % u128::from(PRIME);
            exponent /= 2;
        }
        result as u64
    };
    let product =
        |one: u64, other: u64| (u128::from(one) * u128::from(other) % u128::from(PRIME)) as u64;
    // (states + questions - 1) choose questions.
    (1..=questions as u64).fold((1, 0.0), |(number, log), n| {
        let factor = states as u64 - 1 + n;
        let number = product(product(number, factor), power(n, PRIME - 2));
        (number, log + (factor as f64 / n as f64).log10())
    })
}

/// A file that advances while it is read.
struct GrowingFile {
    history: Arc<History>,
    answers: Mutex<HashMap<Question, Arc<Vec<u64>>>>,
    run: Mutex<Run>,
}

impl GrowingFile {
    fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap()
    }

    /// The state of the answer.
    fn ask(&self, question: Question) -> &State {
        let states = &self.history.states;
        let mut known = self.answers.lock().unwrap();
        let answers = known.entry(question);
        let answers = answers.or_insert_with(|| question.answers(states)).clone();
        &states[self.run().ask(&answers)]
    }
}

impl ReadAt for GrowingFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.ask(Question::Size).bytes.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let state = self.ask(Question::Bytes(offset, buffer.len()));
        let bytes = Question::bytes(state, offset, buffer.len());
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl Lockable for GrowingFile {
    fn try_shared(&self) -> Result<Lock> {
        if self.ask(Question::IsLocked).is_locked {
            return Ok(Lock::Busy);
        }
        self.run().is_locked = true;
        Ok(Lock::Held)
    }

    fn release(&self) {
        self.run().is_locked = false;
    }
}

/// What a reader may have seen: the states from that of its first answer to that of its last one.
struct Seen<'h> {
    history: &'h History,
    first: usize,
    last: usize,
}

impl Seen<'_> {
    fn states(&self) -> &[State] {
        &self.history.states[self.first..=self.last]
    }

    /// Whether an archive of this end was in the file meanwhile, with that many bytes after it.
    fn has(&self, end: u64, games: u64, trailing: u64) -> bool {
        let versions = self.history.version(self.first)..=self.history.version(self.last);
        let is_in = self.history.versions[versions]
            .iter()
            .any(|&(_, len, count)| (len, count) == (end, games));
        // The bytes after it are those of a writer that was killed.
        let has_rest =
            |state: &State| !state.is_locked && state.bytes.len() as u64 == end + trailing;
        is_in && (trailing == 0 || self.states().iter().any(has_rest))
    }
}

/// Runs a reader in all interleavings. `judge` asserts that what it returned is right, and returns
/// where the archive ends that it read.
fn explore<T>(
    history: History,
    name: &str,
    read: impl Fn(&Arc<GrowingFile>) -> Result<Option<T>>,
    judge: impl Fn(&T, &Seen) -> u64,
) {
    let history = Arc::new(history);
    let states = history.states.len();
    let mut file = Arc::new(GrowingFile {
        history: history.clone(),
        answers: Mutex::default(),
        run: Mutex::new(Run::new(states, Vec::new())),
    });
    // Of the runs with as many questions, the number of sequences that end in each state.
    let mut ended: Vec<Vec<Option<u64>>> = Vec::new();
    let (mut runs, mut again, mut versions) = (0_u64, 0_u64, vec![0_u64; history.versions.len()]);
    loop {
        let done = read(&file).unwrap_or_else(|error| {
            let run = file.run();
            panic!("{name}: {error}; answers {:?}", run.script)
        });
        runs += 1;
        let answers = std::mem::take(&mut *file.answers.lock().unwrap());
        let run = std::mem::replace(&mut *file.run(), Run::new(states, Vec::new()));
        let seen = Seen {
            history: &history,
            first: run.first,
            last: run.ways.iter().rposition(Option::is_some).unwrap(),
        };
        match done {
            Some(done) => {
                let end = judge(&done, &seen);
                let version = history.versions.iter().position(|version| version.1 == end);
                versions[version.unwrap()] += 1;
            }
            None => {
                again += 1;
                assert!(seen.states().iter().any(|state| state.is_locked));
            }
        }
        if ended.len() <= run.questions {
            ended.resize(run.questions + 1, vec![None; states]);
        }
        for (sum, ways) in ended[run.questions].iter_mut().zip(&run.ways) {
            if let Some(ways) = ways {
                *sum = Some((sum.unwrap_or(0) + ways) % PRIME);
            }
        }
        let Some(script) = run.next() else { break };
        file = Arc::new(GrowingFile {
            history: history.clone(),
            answers: Mutex::new(answers),
            run: Mutex::new(Run::new(states, script)),
        });
    }
    // Sequences of a run with fewer questions go on in any way.
    let most = ended.len() - 1;
    let none = vec![None; states];
    let total = ended.iter().fold(none, |before, own| {
        let add = |(before, own): (Option<u64>, &Option<u64>)| match (before, *own) {
            (Some(before), Some(own)) => Some((before + own) % PRIME),
            (before, own) => before.or(own),
        };
        advanced(&before).into_iter().zip(own).map(add).collect()
    });
    let counted = total
        .into_iter()
        .flatten()
        .fold(0, |sum, ways| (sum + ways) % PRIME);
    let (expected, log) = sequences(states, most);
    assert_eq!(counted, expected, "{name}: interleavings are missing");
    assert!(runs > states as u64 && versions.iter().all(|&runs| runs > 0));
    println!(
        "{name}: {states} states, at most {most} questions, 10^{log:.1} interleavings in {runs} runs, {again} of which \
         meet a writer and try again"
    );
}

/// An archive as [`Archive::open`] reads it.
fn open(file: &Arc<GrowingFile>) -> Result<Option<Archive>> {
    let opened = attempt(file, &|front| Archive::from_read_at(front, "a.ign"));
    file.release();
    opened
}

#[test]
fn an_archive_opens_as_before_or_after_whenever_it_is_read() {
    for tearing in [Tearing::First, Tearing::Length] {
        let name = format!("open, {tearing:?}");
        explore(history(tearing), &name, open, |archive, seen| {
            let (end, trailing) = (archive.end(), archive.trailing_len());
            assert!(
                seen.has(end, archive.len(), trailing),
                "{end}, {trailing}, {}..={}",
                seen.first,
                seen.last
            );
            end
        });
    }
}

#[test]
fn verification_finds_no_damage_whenever_it_reads() {
    let verify = |file: &Arc<GrowingFile>| {
        let Some(source) = attempt(file, &Ok)? else {
            return Ok(None);
        };
        let verifier = Verifier::new().depth(Depth::Quick).threads(1);
        let verified = verifier.verify_read_at(&source, "a.ign")?;
        Ok(Some((verified, source.size()?)))
    };
    explore(
        history(Tearing::Few),
        "verify",
        verify,
        |(verified, size), seen| {
            let versions = &seen.history.versions;
            let version = versions.iter().rfind(|(_, end, _)| end <= size).unwrap();
            let trailing = size - version.1;
            match verified.damage.first() {
                None => assert!(seen.has(*size, verified.games, 0)),
                // What a writer that was killed has left is reported.
                Some(damage) => {
                    assert!(trailing > 0 && seen.has(version.1, version.2, trailing));
                    let remedy = damage.error.remedy();
                    let is_rest = [Remedy::AppendOrRecover, Remedy::RepairParity];
                    assert!(
                        is_rest.iter().any(|rest| Some(rest) == remedy),
                        "{}",
                        damage.error
                    );
                }
            }
            version.1
        },
    );
}

#[test]
fn bytes_of_an_archive_never_change_but_those_of_marks() {
    let history = history(Tearing::First);
    for (first, end, _) in &history.versions {
        let marks: Vec<usize> = history
            .versions
            .iter()
            .map(|version| version.1 as usize)
            .collect();
        let is_mark = |at: usize| {
            marks
                .iter()
                .any(|&mark| (mark..mark + append_mark::LEN).contains(&at))
        };
        let whole = &history.states[*first].bytes;
        for state in &history.states[*first..] {
            let same = |at: usize| state.bytes[at] == whole[at] || is_mark(at);
            assert!((0..*end as usize).all(same));
        }
    }
}
