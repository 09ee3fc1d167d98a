//! Load of a server: answers a second, times and memory.
//!
//! ```text
//! cargo bench -p ign-server --bench load -- games.ign [SECONDS [CONNECTIONS [KIND]]]
//! ```
//!
//! The server is a process of its own, over the archive with the index beside it. Each connection asks one question after the other, drawn from the games of the archive:
//!
//! - `opening`: `/lichess` for the position after 0 to 16 plies of a random game;
//! - `any`: `/lichess` for any position of a random game;
//! - `filtered`: `/lichess` after 0 to 16 plies, with random speeds and rating groups;
//! - `mixed`: all endpoints, and bad requests between them.
//!
//! On Linux the memory of the server is read from `/proc`.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use ign_archive::{
    Archive,
    shakmaty::{EnPassantMode, fen::Fen},
};
use ign_server::{Options, Server};
use ign_testing::Random;

/// Games from which questions are drawn.
const GAMES: usize = 4000;
/// The greatest number of plies of an opening.
const OPENING: usize = 16;

fn main() {
    let args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let args: Vec<String> = args.collect();
    match &args[..] {
        [] => println!("load: name an archive; see benches/load.rs"),
        [serve, archive] if serve == SERVE => run_server(archive),
        [archive, rest @ ..] => measure(archive, rest),
    }
}

/// The argument of the process that is the server.
const SERVE: &str = "serve-archive";

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
    let questions = Questions::draw(&Archive::open(archive).unwrap());
    let kinds = ["opening", "any", "filtered", "mixed"];
    let kinds = kinds
        .into_iter()
        .filter(|kind| rest.get(2).is_none_or(|only| only == kind));
    for kind in kinds {
        let start = Instant::now();
        let mut server = Command::new(std::env::current_exe().unwrap())
            .args([SERVE, archive])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let out = server.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut address).unwrap();
        let address = address.trim();
        let status = Client::new(address).get("/lichess");
        let first = start.elapsed().as_secs_f64() * 1e3;
        println!("{kind}: first answer {status} after {first:.0} ms");
        let load = Load::run(address, kind, &questions, seconds, connections);
        load.print(kind, server.id());
        server.kill().unwrap();
        server.wait().unwrap();
    }
}

/// The positions of games.
struct Questions {
    lines: Vec<Vec<String>>,
}

impl Questions {
    fn draw(archive: &Archive) -> Self {
        let mut random = Random(1);
        let numbers = (0..GAMES).map(|_| 1 + random.below(archive.len() as usize) as u64);
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut lines = Vec::new();
        for game in archive.games().decoding([ign_archive::Part::Moves]) {
            let game = game.unwrap();
            if numbers.binary_search(&game.number()).is_err() {
                continue;
            }
            let positions = game.positions().unwrap();
            let fens = positions.map(|position| {
                let fen = Fen::from_position(&position, EnPassantMode::Legal);
                fen.to_string().replace(' ', "_")
            });
            lines.push(fens.collect());
        }
        Self { lines }
    }

    /// The path of a question.
    fn path(&self, kind: &str, random: &mut Random) -> String {
        let line = &self.lines[random.below(self.lines.len())];
        let opening = &line[random.below(line.len().min(OPENING + 1))];
        match kind {
            "opening" => format!("/lichess?fen={opening}"),
            "any" => format!("/lichess?fen={}", line[random.below(line.len())]),
            "filtered" => {
                let group = ["1400", "1600", "1800", "2000", "1400,1600,1800"][random.below(5)];
                let speeds = ["bullet", "blitz", "rapid,classical"][random.below(3)];
                format!("/lichess?fen={opening}&ratings={group}&speeds={speeds}")
            }
            _ => self.mixed(line, opening, random),
        }
    }

    fn mixed(&self, line: &[String], opening: &str, random: &mut Random) -> String {
        let game = 1 + random.below(100_000);
        match random.below(16) {
            0 => format!("/masters?fen={opening}"),
            1 => format!("/lichess?fen={opening}&history=true&speeds=blitz"),
            2 => format!(
                "/api/games?position={}&limit=10",
                line[random.below(line.len())]
            ),
            3 => format!(
                "/api/games?white_elo={}..&limit=20",
                1500 + random.below(700)
            ),
            4 => format!("/api/game/{game}"),
            5 => format!("/api/game/{game}.pgn"),
            6 => format!("/api/position?fen={opening}"),
            7 => "/".to_owned(),
            8 => "/api/sources".to_owned(),
            9 => format!("/lichess?fen={}x", opening.replace('/', "//")),
            10 => format!("/lichess?play={}", "e2e4,".repeat(1 + random.below(4000))),
            11 => format!("/api/game/{}", 10_000_000 + game),
            12 => format!("/..%2f{game}"),
            13 => format!("/api/games?elo={game}..1"),
            14 => format!("/lichess?fen={opening}&ratings=1700"),
            _ => format!("/lichess?fen={opening}"),
        }
    }
}

/// What was measured.
struct Load {
    times: Vec<Duration>,
    statuses: BTreeMap<u16, u64>,
    took: Duration,
}

impl Load {
    fn run(
        address: &str,
        kind: &str,
        questions: &Questions,
        seconds: u64,
        connections: usize,
    ) -> Self {
        let start = Instant::now();
        let end = start + Duration::from_secs(seconds);
        let all = std::thread::scope(|scope| {
            let ask = |number: usize| {
                scope.spawn(move || {
                    let mut random = Random(number as u64 + 1);
                    let mut client = Client::new(address);
                    let mut asked = Vec::new();
                    while Instant::now() < end {
                        let path = questions.path(kind, &mut random);
                        let start = Instant::now();
                        let status = client.get(&path);
                        asked.push((start.elapsed(), status));
                    }
                    asked
                })
            };
            let threads: Vec<_> = (0..connections).map(ask).collect();
            let asked = threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap());
            asked.collect::<Vec<_>>()
        });
        let took = start.elapsed();
        let mut statuses = BTreeMap::new();
        all.iter()
            .for_each(|(_, status)| *statuses.entry(*status).or_insert(0) += 1);
        let mut times: Vec<Duration> = all.into_iter().map(|(time, _)| time).collect();
        times.sort_unstable();
        Self {
            times,
            statuses,
            took,
        }
    }

    fn print(&self, kind: &str, process: u32) {
        let at = |part: f64| {
            let place = (self.times.len() as f64 * part) as usize;
            let time = self
                .times
                .get(place.min(self.times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        println!(
            "{kind}: {:.0} answers a second; ms: median {:.2}, 90% {:.2}, 99% {:.2}, most {:.2}; {:?}; {}",
            self.times.len() as f64 / self.took.as_secs_f64(),
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0),
            self.statuses,
            memory(process).unwrap_or_default(),
        );
        let is_error = |(&status, _): (&u16, &u64)| status >= 500;
        assert!(!self.statuses.iter().any(is_error), "{:?}", self.statuses);
    }
}

/// A connection that is kept.
struct Client<'a> {
    address: &'a str,
    stream: Option<BufReader<TcpStream>>,
}

impl<'a> Client<'a> {
    fn new(address: &'a str) -> Self {
        Self {
            address,
            stream: None,
        }
    }

    /// The status of the answer. Connections that the server has closed are opened again.
    fn get(&mut self, path: &str) -> u16 {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        loop {
            let stream = self.stream.get_or_insert_with(|| {
                let stream = TcpStream::connect(self.address).unwrap();
                stream.set_nodelay(true).unwrap();
                BufReader::new(stream)
            });
            match exchange(stream, &request) {
                Some(status) => return status,
                None => self.stream = None,
            }
        }
    }
}

/// The status of the answer to a request; `None` if the connection is closed.
fn exchange(stream: &mut BufReader<TcpStream>, request: &str) -> Option<u16> {
    stream.get_mut().write_all(request.as_bytes()).ok()?;
    let (mut status, mut len, mut line) = (None, 0, String::new());
    loop {
        line.clear();
        stream.read_line(&mut line).ok().filter(|&len| len > 0)?;
        let lower = line.trim_end().to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length: ") {
            len = value.parse().unwrap();
        }
        status = status.or_else(|| lower.split(' ').nth(1)?.parse().ok());
        if lower.is_empty() {
            break;
        }
    }
    let mut body = vec![0; len];
    stream.read_exact(&mut body).ok()?;
    status
}

/// The memory of a process.
fn memory(process: u32) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib / 1024)
    };
    Some(format!(
        "memory {} MiB, at most {} MiB",
        line("VmRSS")?,
        line("VmHWM")?
    ))
}
