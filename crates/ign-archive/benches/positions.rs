//! Positions a second of `Archive::positions`, of a whole archive on 2 threads.
//!
//! ```text
//! cargo bench -p ign-archive --bench positions [-- [ARCHIVE...] [NAME...]]
//! ```
//!
//! Only the scans with these names are timed. Without an archive, the Lichess month of the data
//! folder is packed in both codings into memory. Each line is the median of three runs. The
//! positions are counted, and where all are read, their number must be the number of plies of the
//! archive.

use std::time::Instant;

use ign_archive::{
    Archive, Coding, Input, Packer, PositionScan,
    positions::{self, PositionColumn as Column},
};

/// The number of threads.
const THREADS: usize = 2;
/// Runs of each scan.
const RUNS: usize = 3;
/// Positions of a shuffle buffer.
const BUFFER: usize = 1 << 20;

fn main() {
    let arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let (paths, names): (Vec<String>, _) = arguments.partition(|it| it.ends_with(".ign"));
    for path in &paths {
        measure(path, &Archive::open(path).expect("an archive"), &names);
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
            &Archive::from_read_at(bytes, coding.name()).expect("an archive"),
            &names,
        );
    }
}

fn measure(name: &str, archive: &Archive, names: &[String]) {
    println!("{name}: {} plies", archive.plies());
    let archive = archive.clone().with_threads(THREADS);
    let scan = || archive.positions();
    let with = |more: &[Column]| scan().columns(Column::DEFAULT.iter().chain(more).copied());
    let default = || scan().columns(Column::DEFAULT.iter().copied());
    let scans: [(&str, &dyn Fn() -> PositionScan); 7] = [
        ("default", &default),
        ("moves", &|| scan().columns([Column::Move])),
        ("shuffled", &|| scan().shuffle(BUFFER, 1)),
        ("epd", &|| with(&[Column::Epd])),
        ("fen", &|| with(&[Column::Fen])),
        ("comments", &|| with(&[Column::Clock, Column::Eval])),
        ("every-16th", &|| scan().every_nth(16)),
    ];
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|it| it == name);
    for (name, scan) in scans.iter().filter(|(name, _)| is_wanted(name)) {
        let expected = (*name != "every-16th").then(|| archive.plies());
        time(name, expected, || {
            scan()
                .map(|batch| batch.expect("positions").len() as u64)
                .sum()
        });
    }
    if is_wanted("planes") {
        let mut planes = Vec::new();
        time("planes", Some(archive.plies()), || {
            scan().fold(0, |all, batch| {
                let batch = batch.expect("positions");
                planes.clear();
                positions::planes::append(&batch.boards, 1u8, &mut planes);
                all + batch.len() as u64
            })
        });
    }
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
        "  {name:<12} {count:>10} positions {median:>7.3} s {:>7.2} million a second",
        count as f64 / median / 1e6
    );
}
