//! Helpers of the command's tests: a temporary folder, `ign` run in it, generated games.
#![allow(
    dead_code,
    reason = "each test file is a crate of its own and uses some of them"
)]

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Mutex,
    thread,
};

use ign_format::block::decode::Block;
use ign_notation::chess::{
    rules::{Board as _, LegalMoves as _},
    san::Naming,
    variant::{Start, Variant},
};
use ign_sample::Sample;
use tempfile::TempDir;

/// Checks that records of a block, read without the others, one or many at once, are parts of its
/// text.
#[track_caller]
pub fn parts_round_trip(block: &Block, text: &[u8]) {
    let records = block.records().unwrap();
    let all = records.len();
    let mut cuts: Vec<usize> = (0..5)
        .flat_map(|i| [i * all / 5, i * all / 5 + 1])
        .collect();
    cuts.retain(|&cut| cut < all);
    cuts.sort_unstable();
    cuts.push(all);
    cuts.dedup();
    let mut parts = Vec::new();
    for (&first, &end) in cuts.iter().zip(&cuts[1..]) {
        let wanted = |record| record >= first;
        block.render(&records, end, wanted, &mut parts).unwrap();
        assert!(text.starts_with(&parts), "records {first} to {end}");
    }
    assert_eq!(parts.len(), text.len());
}

/// A temporary folder for one test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file in it.
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, bytes);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The names of all files, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The command `ign` with these arguments, in the folder.
    pub fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ign"));
        command.current_dir(self.0.path()).args(args);
        command
    }

    /// Runs `ign` in the folder, with nothing on standard input.
    pub fn ign(&self, args: &[impl AsRef<OsStr>]) -> Run {
        self.ign_fed(b"", args)
    }

    /// Runs `ign` in the folder with these bytes on standard input.
    pub fn ign_fed(&self, input: &[u8], args: &[impl AsRef<OsStr>]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = thread::scope(|scope| {
            // The command may end before it has read everything.
            scope.spawn(move || _ = stdin.write_all(input));
            child.wait_with_output().unwrap()
        });
        let args = args.iter().map(|a| a.as_ref().to_string_lossy());
        Run::new(
            format!("ign {}", args.collect::<Vec<_>>().join(" ")),
            output,
        )
    }
}

/// A finished command.
pub struct Run {
    command: String,
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Run {
    fn new(command: String, output: Output) -> Self {
        Self {
            command,
            code: output.status.code(),
            out: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts success and returns standard output.
    #[track_caller]
    pub fn done(self) -> Vec<u8> {
        assert_eq!(self.code, Some(0), "{}: {}", self.command, self.err);
        self.out
    }

    /// Asserts this exit status, and these words on standard error.
    #[track_caller]
    pub fn failed(self, code: i32, words: &str) {
        let Self { command, err, .. } = self;
        assert_eq!(self.code, Some(code), "{command}: {err}");
        assert!(err.contains(words), "{command}: {err}");
        assert!(!err.contains("panicked"), "{command}: {err}");
    }
}

/// Generated games; each number of games is generated once.
pub fn games(count: u64) -> Vec<u8> {
    static GENERATED: Mutex<BTreeMap<u64, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let generate = || {
        let mut text = Vec::new();
        Sample::new(count, 1).write(&mut text).unwrap();
        text
    };
    let mut generated = GENERATED.lock().unwrap();
    generated.entry(count).or_insert_with(generate).clone()
}

/// Generated games with clocks, and games of variants, each up to three times in a row.
pub fn repeated_games() -> String {
    let text = String::from_utf8(games(40)).unwrap();
    let mut seconds = 0;
    let mut clocked = |word: &str| match word.ends_with('.') || word.contains("1-0") {
        true => format!("{word} "),
        false => {
            seconds = (seconds * 31 + word.len()) % 997;
            format!(
                "{word} {{[%clk 0:{:02}:{:02}]}} ",
                seconds / 60,
                seconds % 60
            )
        }
    };
    let lines = text
        .split_inclusive('\n')
        .map(|line| match line.starts_with("1. ") {
            true => {
                line.trim_end()
                    .split(' ')
                    .map(&mut clocked)
                    .collect::<String>()
                    + "\n"
            }
            false => line.to_string(),
        });
    let text = lines.collect::<String>() + "\n" + &variant_games(1);
    let games = text.split("[Event ").skip(1);
    let times = [1, 2, 1, 3].into_iter().cycle();
    games
        .zip(times)
        .map(|(game, times)| format!("[Event {game}").repeat(times))
        .collect()
}

/// Positions of variants with features that the starting position lacks.
const VARIANT_FENS: [(Variant, &str); 12] = [
    (
        Variant::Crazyhouse,
        "r1b1k2r/pP1p1ppp/8/4p3/4P3/8/PP3PpP/R3K2R[QRBNPqrbnp] w KQkq - 0 9",
    ),
    (
        Variant::Crazyhouse,
        "4k3/Q~6p/8/3N~4/8/8/1r~6/R3K3/PPn w Q - 0 30",
    ),
    (
        Variant::Crazyhouse,
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN[] w GEge - 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+2 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 2 3 +2+0",
    ),
    (Variant::KingOfTheHill, "8/5p2/2k5/8/8/4K3/2P5/8 w - - 0 1"),
    (Variant::Antichess, "8/2PK1k2/3P4/8/8/5p2/6p1/8 w - - 0 40"),
    (Variant::Antichess, "4k3/8/2KK4/8/8/2K5/8/8 w - - 0 1"),
    (
        Variant::Atomic,
        "r3k2r/ppp2ppp/8/2b1p3/3PP3/2n2N2/PPP2PPP/R1B1K2R w KQkq - 0 9",
    ),
    (
        Variant::Losers,
        "r3k2r/ppp2ppp/8/2b1p3/3PP3/5N2/PPP2PPP/R1B1K2R w KQkq - 0 9",
    ),
    (
        Variant::Horde,
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 20",
    ),
    (Variant::RacingKings, "8/1k4K1/8/8/8/8/2bnNB2/8 w - - 0 1"),
];

/// `times` games of each variant, from its starting position and from others, of random moves with
/// a fixed seed.
pub fn variant_games(times: u64) -> String {
    let usual = Variant::ALL.into_iter().filter_map(|variant| {
        let start = Start::usual(variant)?;
        Some((variant, String::new(), start))
    });
    let others = VARIANT_FENS.into_iter().map(|(variant, fen)| {
        let start = Start::from_fen(variant, fen.as_bytes()).unwrap();
        (variant, format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n"), start)
    });
    let starts: Vec<_> = usual.chain(others).collect();
    let mut state = 7u64;
    let mut out = String::new();
    for (variant, tags, start) in (0..times).flat_map(|_| &starts) {
        let mut board = start.board.clone();
        let black_starts = u32::from(board.turn().is_black());
        let mut moves = String::new();
        for ply in 0..80 {
            let legal = board.legal();
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let random = (state >> 33) as u32;
            let choose = |count: u32| Ok::<_, ()>((count > 0).then(|| random % count));
            let Ok(Some(played)) = legal.pick(choose) else {
                break;
            };
            let number = u32::from(start.fullmoves) + (ply + black_starts) / 2;
            match (ply, board.turn().is_white()) {
                (_, true) => moves += &format!("{number}. "),
                (0, false) => moves += &format!("{}... ", u32::from(start.fullmoves)),
                _ => {}
            }
            let name = legal.write_with(Naming::Standard, played);
            moves += std::str::from_utf8(name.as_bytes()).unwrap();
            board.play(played);
            moves.extend(board.legal().sign().map(char::from));
            moves.push(' ');
        }
        out += &format!(
            "[Event \"?\"]\n[Result \"1-0\"]\n[Variant \"{variant}\"]\n{tags}\n{moves}1-0\n\n"
        );
    }
    out
}

/// The folder of real collections; `None`, with a message, if it does not exist.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("IGN_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no folder {} (set IGN_DATA)", folder.display());
    None
}
