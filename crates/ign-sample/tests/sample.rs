//! Tests of generated dumps: form, determinism, legality and realistic distributions.

use std::collections::HashMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use ign_format::error::Kind;
use ign_sample::{CHUNK, Sample};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position};
use xxhash_rust::xxh64::xxh64;

fn text(sample: Sample) -> Vec<u8> {
    let mut text = Vec::new();
    sample.write(&mut text).unwrap();
    text
}

/// A game as read by pgn-reader.
#[derive(Default)]
struct Game {
    tags: Vec<(String, String)>,
    position: Chess,
    plies: usize,
    clocks: usize,
}

impl Game {
    fn tag(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|tag| tag.0 == name);
        &found.unwrap_or_else(|| panic!("no {name}")).1
    }

    fn number(&self, name: &str) -> i32 {
        self.tag(name).parse().unwrap()
    }
}

/// Replays every game and compares each move with shakmaty.
struct Play;

impl Visitor for Play {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        game.tags
            .push((name, value.decode_utf8().unwrap().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Game, Skip> {
        panic!("a variation");
    }

    fn san(&mut self, game: &mut Game, written: SanPlus) -> ControlFlow<Game> {
        let m = written.san.to_move(&game.position).expect("a legal move");
        let before = game.position.clone();
        let standard = SanPlus::from_move_and_play_unchecked(&mut game.position, m);
        assert_eq!(written, standard, "in {before:?}");
        game.plies += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        assert!(comment.as_bytes().starts_with(b" [%clk 0:"), "{comment:?}");
        game.clocks += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

fn games(text: &[u8]) -> Vec<Game> {
    let mut reader = Reader::new(text);
    std::iter::from_fn(|| reader.read_game(&mut Play).unwrap()).collect()
}

/// These values may change with the generator. The test detects unintended changes and differences
/// between machines.
#[test]
fn generates_fixed_bytes() {
    let plain = text(Sample::new(100, 1));
    let timed = text(Sample::new(100, 1).clocks(true));
    assert_eq!(
        (plain.len(), xxh64(&plain, 0), timed.len(), xxh64(&timed, 0)),
        (
            69_907,
            7_600_268_080_415_711_087,
            196_764,
            1_834_416_636_567_303_996
        )
    );
}

#[test]
fn has_the_form_of_a_lichess_dump() {
    let text = String::from_utf8(text(Sample::new(50, 3))).unwrap();
    let names = [
        "Event",
        "Site",
        "White",
        "Black",
        "Result",
        "UTCDate",
        "UTCTime",
        "WhiteElo",
        "BlackElo",
        "WhiteRatingDiff",
        "BlackRatingDiff",
        "ECO",
        "Opening",
        "TimeControl",
        "Termination",
    ];
    for game in text
        .split_terminator("\n\n[Event")
        .enumerate()
        .map(|(i, rest)| {
            if i == 0 {
                rest.to_owned()
            } else {
                format!("[Event{rest}")
            }
        })
    {
        let (tags, moves) = game.split_once("\n\n").unwrap();
        for (line, name) in tags.lines().zip(names) {
            assert!(
                line.starts_with(&format!("[{name} \"")) && line.ends_with("\"]"),
                "{line}"
            );
        }
        assert_eq!(tags.lines().count(), names.len());
        assert!(
            moves.starts_with("1. ") && moves.trim_end().lines().count() == 1,
            "{moves}"
        );
    }
    assert!(text.ends_with("-1\n\n") || text.ends_with("-0\n\n") || text.ends_with("1/2\n\n"));
}

#[test]
fn the_bytes_depend_on_the_seed_only() {
    let sample = Sample::new(2 * CHUNK + 100, 9);
    let threads = |n| sample.clone().threads(NonZeroUsize::new(n).unwrap());
    let alone = text(threads(1));
    assert!(
        alone == text(threads(2)) && alone == text(threads(5)),
        "the bytes depend on the number of threads"
    );
    let other = text(Sample::new(100, 10));
    assert_ne!(alone[..other.len()], other);
    assert!(
        alone.starts_with(&text(Sample::new(CHUNK + 1, 9))),
        "a smaller dump is not a prefix"
    );
}

#[test]
fn generates_the_requested_number_of_games() {
    assert!(text(Sample::new(0, 1)).is_empty());
    for count in [1, 2, CHUNK - 1, CHUNK, CHUNK + 1] {
        let text = text(Sample::new(count, 1));
        let events = text
            .split(|&b| b == b'\n')
            .filter(|line| line.starts_with(b"[Event "));
        assert_eq!(events.count() as u64, count);
    }
}

#[test]
fn games_are_legal_and_results_agree_with_the_final_position() {
    for game in games(&text(Sample::new(CHUNK + 500, 2))) {
        let (result, termination) = (game.tag("Result"), game.tag("Termination"));
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&result), "{result}");
        assert!(
            ["Normal", "Time forfeit", "Abandoned"].contains(&termination),
            "{termination}"
        );
        if game.position.is_checkmate() {
            let winner = game.position.turn().fold_wb("0-1", "1-0");
            assert_eq!((result, termination), (winner, "Normal"));
        }
        if game.position.is_stalemate() || game.position.is_insufficient_material() {
            assert_eq!((result, termination), ("1/2-1/2", "Normal"));
        }
        let [base, increment] = [0, 1].map(|i| {
            game.tag("TimeControl")
                .split('+')
                .nth(i)
                .unwrap()
                .parse::<u32>()
                .unwrap()
        });
        let speed = match base + 40 * increment {
            0..180 => "Bullet",
            180..480 => "Blitz",
            _ => "Classical",
        };
        assert_eq!(game.tag("Event"), format!("Rated {speed} game"));
    }
}

#[test]
fn ratings_continue_from_game_to_game() {
    let mut last = HashMap::new();
    let (mut returns, mut rematches, mut previous) = (0, 0, HashMap::new());
    let games = games(&text(Sample::new(CHUNK, 4)));
    for (i, game) in games.iter().enumerate() {
        for colour in ["White", "Black"] {
            let rating = game.number(&format!("{colour}Elo"));
            let diff = game.number(&format!("{colour}RatingDiff"));
            let name = game.tag(colour).to_owned();
            if let Some(expected) = last.insert(name, rating + diff) {
                assert_eq!(rating, expected);
                returns += 1;
            }
        }
        let (white, black) = (game.tag("White"), game.tag("Black"));
        assert_ne!(white, black);
        rematches += usize::from(previous.get(&(black, white)).is_some_and(|&at| i - at < 20));
        previous.insert((white, black), i);
    }
    assert!(returns > games.len(), "too few players return: {returns}");
    assert!(
        rematches > games.len() / 20,
        "too few rematches: {rematches}"
    );
}

#[test]
fn game_lengths_are_realistic() {
    let lengths: Vec<usize> = games(&text(Sample::new(1000, 5)))
        .iter()
        .map(|g| g.plies)
        .collect();
    let mean = lengths.iter().sum::<usize>() / lengths.len();
    assert!((55..=80).contains(&mean), "{mean} plies on average");
    assert!(
        (150..700).contains(lengths.iter().max().unwrap()),
        "{:?}",
        lengths.iter().max()
    );
}

#[test]
fn endings_and_openings_vary() {
    let games = games(&text(Sample::new(1000, 6)));
    let percent = |is: &dyn Fn(&Game) -> bool| games.iter().filter(|g| is(g)).count() * 100 / 1000;
    let mates = percent(&|game| game.position.is_checkmate());
    let forfeits = percent(&|game| game.tag("Termination") == "Time forfeit");
    let draws = percent(&|game| game.tag("Result") == "1/2-1/2");
    assert!((10..40).contains(&mates), "{mates}% mates");
    assert!((20..50).contains(&forfeits), "{forfeits}% lost on time");
    assert!((1..10).contains(&draws), "{draws}% draws");
    assert!(percent(&|game| game.tag("ECO").starts_with('A')) > 5);
}

#[test]
fn times_ascend_across_chunks() {
    let games = games(&text(Sample::new(CHUNK + 200, 7)));
    let moments: Vec<_> = games
        .iter()
        .map(|game| (game.tag("UTCDate"), game.tag("UTCTime")))
        .collect();
    assert!(moments.is_sorted());
    assert_eq!(moments[0].0, "2013.01.01");
}

#[test]
fn clocks_follow_every_move_and_do_not_change_the_games() {
    let (plain, timed) = (Sample::new(300, 8), Sample::new(300, 8).clocks(true));
    let (plain, timed) = (games(&text(plain)), games(&text(timed)));
    assert_eq!(plain.len(), timed.len());
    for (plain, timed) in plain.iter().zip(&timed) {
        assert_eq!((timed.plies, plain.clocks), (timed.clocks, 0));
        assert_eq!(
            (&plain.tags, &plain.position),
            (&timed.tags, &timed.position)
        );
    }
}

/// Accepts a number of bytes, then fails.
struct Full(usize, io::ErrorKind);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(self.1.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failing_writer_stops_the_generation() {
    for threads in [1, 3] {
        // Would run forever if it did not stop.
        let sample = Sample::new(u64::MAX, 1).threads(NonZeroUsize::new(threads).unwrap());
        let error = sample
            .clone()
            .write(&mut Full(1000, io::ErrorKind::StorageFull));
        assert_eq!(error.unwrap_err().kind(), Kind::Io);
        let error = sample.write(&mut Full(1_000_000, io::ErrorKind::BrokenPipe));
        assert_eq!(error.unwrap_err().kind(), Kind::ClosedPipe);
    }
}
