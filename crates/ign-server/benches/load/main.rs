//! Load of a server: answers a second, times, statuses and memory.
//!
//! ```text
//! cargo bench -p ign-server --bench load -- games.ign [SECONDS [CONNECTIONS [KIND]]]
//! ```
//!
//! The server is a process of its own, over the archive with the index beside it. Each connection
//! asks one question after the other; `questions` has the kinds. `make load` runs the kind `mixed`
//! for ten minutes.
//!
//! The run fails if an answer has a status of 500 or more, or if a request has no answer. On Linux
//! the memory of the server is read from `/proc` at intervals.

mod client;
mod memory;
mod questions;

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use ign_archive::Archive;
use ign_server::{Options, Server};
use ign_testing::Random;

use self::{
    client::{Client, NO_ANSWER},
    memory::Memory,
    questions::{KINDS, Questions},
};

/// The argument of the process that is the server.
const SERVE: &str = "serve-archive";

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    match &args[..] {
        [] => println!("load: name an archive; see benches/load/main.rs"),
        [serve, archive] if serve == SERVE => run_server(archive),
        [archive, rest @ ..] => measure(archive, rest),
    }
}

/// Serves an archive, and prints the address.
fn run_server(archive: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::open(Options::new([archive])).unwrap();
    println!("{}", listener.local_addr().unwrap());
    server.run(listener).unwrap();
}

fn measure(archive: &str, rest: &[String]) {
    let number = |place: usize, default| rest.get(place).map_or(default, |n| n.parse().unwrap());
    let (seconds, connections) = (number(0, 20), number(1, 32) as usize);
    let asked = rest.get(2).map(String::as_str);
    let kinds: Vec<&str> = KINDS
        .into_iter()
        .filter(|&kind| asked.is_none_or(|asked| asked == kind))
        .collect();
    assert!(!kinds.is_empty(), "the kinds are {KINDS:?}");
    let questions = Questions::draw(&Archive::open(archive).unwrap());
    for kind in kinds {
        let start = Instant::now();
        let process = Process::start(archive);
        let status = Client::new(&process.address).get("/lichess");
        let first = start.elapsed().as_secs_f64() * 1e3;
        println!("{kind}: first answer {status} after {first:.0} ms");
        Load::run(&process, kind, &questions, seconds, connections).print(kind);
    }
}

/// A process that serves an archive until this is dropped.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(archive: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([SERVE, archive])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        Self { child, address }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// What was measured.
struct Load {
    times: Vec<Duration>,
    statuses: BTreeMap<u16, u64>,
    took: Duration,
    memory: Memory,
}

impl Load {
    fn run(
        process: &Process,
        kind: &str,
        questions: &Questions,
        seconds: u64,
        connections: usize,
    ) -> Self {
        let start = Instant::now();
        let length = Duration::from_secs(seconds);
        let mut memory = Memory::of(process.child.id());
        let all: Vec<(Duration, u16)> = std::thread::scope(|scope| {
            let ask = |number: usize| {
                scope.spawn(move || {
                    let mut random = Random(number as u64 + 1);
                    let mut client = Client::new(&process.address);
                    let mut asked = Vec::new();
                    while start.elapsed() < length {
                        let request = questions.request(kind, &mut random);
                        let start = Instant::now();
                        let status = client.send(&request);
                        asked.push((start.elapsed(), status));
                    }
                    asked
                })
            };
            let threads: Vec<_> = (0..connections).map(ask).collect();
            memory.sample(length);
            let threads = threads.into_iter();
            threads.flat_map(|t| t.join().unwrap()).collect()
        });
        let took = start.elapsed();
        let mut statuses = BTreeMap::new();
        for (_, status) in &all {
            *statuses.entry(*status).or_insert(0) += 1;
        }
        let mut times: Vec<Duration> = all.into_iter().map(|(time, _)| time).collect();
        times.sort_unstable();
        Self {
            times,
            statuses,
            took,
            memory,
        }
    }

    /// Prints what was measured.
    ///
    /// # Panics
    /// There was an answer that must not be.
    fn print(&self, kind: &str) {
        let at = |part: f64| {
            let place = (self.times.len() as f64 * part) as usize;
            let time = self
                .times
                .get(place.min(self.times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        let rate = self.times.len() as f64 / self.took.as_secs_f64();
        println!(
            "{kind}: {rate:.0} answers a second; ms: median {:.2}, 90% {:.2}, 99% {:.2}, most {:.2}",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0),
        );
        println!("{kind}: statuses {:?}", self.statuses);
        println!("{kind}: {}", self.memory);
        let is_wrong = |&status: &u16| status >= 500 || status == NO_ANSWER;
        let wrong: Vec<&u16> = self.statuses.keys().filter(|s| is_wrong(s)).collect();
        assert!(wrong.is_empty(), "{kind}: answers of status {wrong:?}");
    }
}
