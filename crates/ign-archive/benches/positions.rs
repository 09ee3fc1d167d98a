//! Positions a second of `Archive::positions`, of a whole archive on 2 threads.
//!
//! ```text
//! cargo bench -p ign-archive --bench positions [-- ARCHIVE...]
//! ```
//!
//! Without an archive, the Lichess month of the data folder is packed in both codings into memory. Each line
//! is the median of three runs. The positions are counted, and where all are read, their number must be the
//! number of plies of the archive.

use std::time::Instant;

use ign_archive::{Archive, Coding, Input, Packer, PositionColumn as Column, PositionScan, positions};

/// The number of threads.
const THREADS: usize = 2;
/// Runs of each scan.
const RUNS: usize = 3;
/// Positions of a shuffle buffer.
const BUFFER: usize = 1 << 20;

fn main() {
    let paths: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    for path in &paths {
        measure(path, &Archive::open(path).expect("an archive"));
    }
    if !paths.is_empty() {
        return;
    }
    for coding in [Coding::Ign, Coding::Weighted] {
        let Some(path) = ign_testing::corpus_path("lichess_2013-01.pgn.zst") else {
            return;
        };
        let packer = Packer::new().coding(coding);
        let (bytes, _) = packer
            .pack([Input::file(path)], Vec::new())
            .expect("an archive");
        measure(
            coding.name(),
            &Archive::from_source(bytes, coding.name()).expect("an archive"),
        );
    }
}

fn measure(name: &str, archive: &Archive) {
    println!("{name}: {} plies", archive.plies());
    let archive = archive.clone().with_threads(THREADS);
    let scan = || archive.positions();
    let with = |column| scan().columns(Column::DEFAULT.into_iter().chain([column]));
    let is_all = Some(archive.plies());
    line("default columns", is_all, || scan());
    line("moves only", is_all, || scan().columns([Column::Move]));
    line("shuffled", is_all, || scan().shuffle(BUFFER, 1));
    line("with EPD", is_all, || with(Column::Epd));
    line("with FEN", is_all, || with(Column::Fen));
    line("with clocks and evaluations", is_all, || {
        let both = [Column::Clock, Column::Eval];
        scan().columns(Column::DEFAULT.into_iter().chain(both))
    });
    line("every 16th", None, || scan().every_nth(16));
    let mut planes = Vec::new();
    time("as planes of bytes", is_all, || {
        scan().fold(0, |all, batch| {
            let batch = batch.expect("positions");
            planes.clear();
            positions::planes::append(&batch.boards, 1u8, &mut planes);
            all + batch.len() as u64
        })
    });
}

fn line(name: &str, expected: Option<u64>, scan: impl Fn() -> PositionScan) {
    time(name, expected, || {
        scan().map(|batch| batch.expect("positions").len() as u64).sum()
    });
}

/// Prints the positions a second of a scan that returns how many it read.
fn time(name: &str, expected: Option<u64>, mut scan: impl FnMut() -> u64) {
    let mut seconds = Vec::new();
    let mut count = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        count = scan();
        seconds.push(start.elapsed().as_secs_f64());
        assert!(expected.is_none_or(|expected| expected == count));
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    println!(
        "  {name:<30} {count:>10} positions {median:>7.3} s {:>7.2} million a second",
        count as f64 / median / 1e6
    );
}
