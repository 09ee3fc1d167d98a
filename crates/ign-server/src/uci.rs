//! The process of a chess engine, and the Universal Chess Interface (UCI): lines of text on its
//! standard input and output.
//!
//! ```text
//! uci ─► options, uciok │ isready ─► readyok │ position, go movetime ─► info …, bestmove
//! ```
//!
//! The program is that of the user, but nothing that it writes is taken on trust: lines are short,
//! and every answer has a time.

use std::{collections::BTreeMap, fmt::Display, io, process::Stdio, time::Duration};

use ign_api::{Failure, Result};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::oneshot,
    time::{sleep, timeout},
};

use crate::options::Engine;

/// The time in which an engine must be ready.
const START_TIME: Duration = Duration::from_secs(10);
/// The time after the end of a search in which an engine must state its result.
const GRACE: Duration = Duration::from_secs(3);
/// Bytes of a line of an engine.
const MAX_LINE: usize = 64 << 10;
/// Moves of a line that are answered.
const MAX_MOVES: usize = 30;
/// Bytes of the name of an engine.
const MAX_NAME: usize = 100;

/// An engine that runs. It ends when the value is dropped.
pub struct Process {
    /// What the engine calls itself.
    pub name: String,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The start of a line that is not complete.
    line: Vec<u8>,
    _child: Child,
}

/// What an engine is to search.
#[derive(Debug, Clone)]
pub struct Search {
    /// The position.
    pub fen: String,
    /// Whether Black moves: engines state values for the side that moves.
    pub is_black: bool,
    /// How long.
    pub time: Duration,
    /// The number of best lines.
    pub lines: u8,
}

/// What a search has found, of its latest depth.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Plies of the best line that were searched.
    pub depth: u32,
    /// Positions that were searched.
    pub nodes: u64,
    lines: BTreeMap<u8, Line>,
}

/// A line of moves, with its value for White.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    value: Option<Score>,
    moves: Vec<String>,
}

/// The value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate.
    Mate(i32),
}

impl Process {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    /// The program cannot be started, or does not answer as an engine does.
    pub async fn start(engine: &Engine) -> Result<Self> {
        let program = engine.program.file_name().unwrap_or_default();
        let program = program.to_string_lossy();
        let started = timeout(START_TIME, Self::start_by(engine)).await;
        match started {
            Ok(Ok(process)) => Ok(process),
            Ok(Err(error)) if has_ended(&error) => Err(unavailable(format!(
                "{program} ended at its start: is it a UCI engine?"
            ))),
            Ok(Err(error)) => Err(unavailable(format!(
                "the engine {program} cannot be started: {error}"
            ))),
            Err(_) => Err(unavailable(format!(
                "{program} does not answer as a UCI engine does"
            ))),
        }
    }

    async fn start_by(engine: &Engine) -> io::Result<Self> {
        let mut child = Command::new(&engine.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut process = Self {
            name: String::new(),
            input,
            output: BufReader::new(output),
            line: Vec::new(),
            _child: child,
        };
        process.write("uci").await?;
        loop {
            let line = process.read().await?;
            if let Some(name) = line.strip_prefix("id name ") {
                process.name = name.chars().take(MAX_NAME).collect();
            } else if line == "uciok" {
                break;
            }
        }
        process.set("Threads", engine.threads).await?;
        process.set("Hash", engine.hash_mb as usize).await?;
        process.write("isready").await?;
        while process.read().await? != "readyok" {}
        Ok(process)
    }

    /// Searches a position, until the time has passed or nobody waits any more: the sender of
    /// `abandoned` is dropped.
    ///
    /// # Errors
    /// The engine ended, or did not answer in time. The process is of no use any more.
    pub async fn search(
        &mut self,
        search: &Search,
        abandoned: &mut oneshot::Receiver<()>,
    ) -> Result<Found> {
        let searched = timeout(search.time + GRACE, self.search_by(search, abandoned)).await;
        match searched {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(_)) => Err(unavailable(
                "the engine has ended; the next request starts it again",
            )),
            Err(_) => Err(unavailable(
                "the engine did not answer and was ended; the next request starts it again",
            )),
        }
    }

    async fn search_by(
        &mut self,
        search: &Search,
        abandoned: &mut oneshot::Receiver<()>,
    ) -> io::Result<Found> {
        self.set("MultiPV", usize::from(search.lines)).await?;
        // Castling of Chess960 is written as the move of the king to the rook.
        let castling = search.fen.split(' ').nth(2).unwrap_or_default();
        let is_chess960 = castling.contains(|c: char| !"KQkq-".contains(c));
        self.set("UCI_Chess960", is_chess960).await?;
        self.write(&format!("position fen {}", search.fen)).await?;
        let time = search.time.as_millis();
        self.write(&format!("go movetime {time}")).await?;
        let mut found = Found::default();
        let mut is_stopped = false;
        // Not all engines keep to the time of a search.
        let mut end = std::pin::pin!(sleep(search.time));
        loop {
            tokio::select! {
                line = self.read() => {
                    let line = line?;
                    if line.split(' ').next() == Some("bestmove") {
                        return Ok(found);
                    }
                    found.add(&line, search.is_black);
                }
                _ = &mut *abandoned, if !is_stopped => {
                    self.write("stop").await?;
                    is_stopped = true;
                }
                () = &mut end, if !is_stopped => {
                    self.write("stop").await?;
                    is_stopped = true;
                }
            }
        }
    }

    async fn set(&mut self, option: &str, value: impl Display) -> io::Result<()> {
        self.write(&format!("setoption name {option} value {value}"))
            .await
    }

    async fn write(&mut self, line: &str) -> io::Result<()> {
        self.input.write_all(format!("{line}\n").as_bytes()).await?;
        self.input.flush().await
    }

    /// Reads a line. What was read of one is kept if the future is dropped.
    async fn read(&mut self) -> io::Result<String> {
        loop {
            let bytes = self.output.fill_buf().await?;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let len = end.map_or(bytes.len(), |end| end + 1);
            if len == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.line.extend_from_slice(&bytes[..len]);
            self.output.consume(len);
            if self.line.len() > MAX_LINE {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Ok(String::from_utf8_lossy(&line).trim().to_owned());
            }
        }
    }
}

impl Found {
    /// Adds what a line of the engine says:
    /// `info depth 12 multipv 1 score cp 31 nodes 4711 pv e2e4`.
    fn add(&mut self, text: &str, is_black: bool) {
        let mut words = text.split_ascii_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let (mut rank, mut depth, mut nodes) = (1, None, None);
        let mut line = Line::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = number(words.next()),
                "nodes" => nodes = number(words.next()),
                "multipv" => rank = number(words.next()).unwrap_or(1),
                "score" => line.value = Score::read(words.next(), words.next(), is_black),
                // Only a bound of the value, which a later line states.
                "lowerbound" | "upperbound" | "string" => return,
                "pv" => line.moves = words.by_ref().take(MAX_MOVES).map(str::to_owned).collect(),
                _ => {}
            }
        }
        self.nodes = nodes.unwrap_or(self.nodes);
        if line.value.is_some() && line.moves.iter().all(|played| is_move(played)) {
            self.depth = depth.unwrap_or(self.depth);
            self.lines.insert(rank, line);
        }
    }

    /// The lines as JSON, the best first.
    pub fn lines(&self) -> Value {
        let lines = self.lines.values().map(|line| {
            let value = match line.value {
                Some(Score::Mate(moves)) => json!({"mate": moves}),
                Some(Score::Centipawns(cp)) => json!({"cp": cp}),
                None => Value::Null,
            };
            json!({"eval": value, "moves": line.moves})
        });
        lines.collect()
    }
}

impl Score {
    fn read(unit: Option<&str>, value: Option<&str>, is_black: bool) -> Option<Self> {
        let value: i32 = number(value)?;
        let value = if is_black {
            value.saturating_neg()
        } else {
            value
        };
        match unit? {
            "cp" => Some(Self::Centipawns(value)),
            "mate" => Some(Self::Mate(value)),
            _ => None,
        }
    }
}

fn number<N: std::str::FromStr>(word: Option<&str>) -> Option<N> {
    word?.parse().ok()
}

/// Whether a word has the form of a move in UCI: `e2e4`, `e7e8q`.
fn is_move(word: &str) -> bool {
    (4..=5).contains(&word.len()) && word.bytes().all(|c| c.is_ascii_alphanumeric())
}

/// Whether the process has ended: nothing is read from it, and nothing can be written to it.
fn has_ended(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe
    )
}

/// The engine is of no use now.
fn unavailable(message: impl Into<String>) -> Failure {
    Failure::new(503, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_values_for_white_and_moves() {
        let mut found = Found::default();
        for line in [
            "info string NNUE evaluation enabled",
            "info depth 1 multipv 1 score cp 10 nodes 20 pv a7a6",
            "info depth 7 seldepth 9 multipv 1 score cp -31 nodes 4711 nps 9 pv e7e5 g1f3",
            "info depth 7 multipv 2 score mate 3 nodes 4800 pv e7e8q",
            "info depth 8 multipv 1 score cp 90 lowerbound nodes 5000 pv d7d5",
            "info depth 8 currmove e7e5 currmovenumber 1 nodes 5100",
            "info depth 9 multipv 1 score cp x nodes 1 pv",
            "option name Hash",
        ] {
            found.add(line, true);
        }
        assert_eq!((found.depth, found.nodes), (7, 1));
        let lines = json!([
            {"eval": {"cp": 31}, "moves": ["e7e5", "g1f3"]},
            {"eval": {"mate": -3}, "moves": ["e7e8q"]},
        ]);
        assert_eq!(found.lines(), lines);
    }

    #[test]
    fn words_that_are_no_moves_make_no_line() {
        let mut found = Found::default();
        found.add("info depth 3 score cp 5 pv e2e4 <script>", false);
        found.add("info depth 3 score cp 2147483648 pv e2e4", false);
        assert_eq!(found.lines(), json!([]));
    }
}
