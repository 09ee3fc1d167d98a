//! How long a ply takes: numbering, un-numbering, reading and writing SAN; and the column of moves
//! of weighted IGN.
//!
//! Data: the first 2,000 games of `lichess_2013-01.pgn.zst` where it is at hand (`IGN_DATA`, or
//! `../shared/data`), otherwise 2,000 random games of up to 80 plies. Times are for a whole pass
//! over all games; the throughput line, elements a second, counts plies.

use std::convert::Infallible;
use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ign_format::block::{
    groups::{Groups, Played},
    known_signatures::KnownSignatures,
    starts::Starts,
};
use ign_format::{model::Parameters, models::Architecture as _, pgn::start::Start};
use ign_notation::chess::{
    Legal, Move, Position, interleaved,
    san::{self, San},
};
use ign_testing::{Random, corpus};
use pgn_reader::{Reader, SanPlus, Skip, Visitor};

const GAMES: usize = 2_000;

/// One game: its moves, their ordinals and their SAN.
#[derive(Default)]
struct Game {
    moves: Vec<Move>,
    ordinals: Vec<u32>,
    sans: Vec<Vec<u8>>,
    /// The same, as they are written.
    names: Vec<San>,
}

impl Game {
    fn push(&mut self, position: &mut Position, m: Move) {
        let legal = Legal::new(position);
        let name = san::write(&legal, m);
        self.sans.push(name.as_bytes().to_vec());
        self.names.push(name);
        self.ordinals.push(legal.ordinal_and_count(m).0);
        self.moves.push(m);
        position.play(m);
    }

    fn random(random: &mut Random) -> Game {
        let (mut game, mut position) = Game::empty();
        for _ in 0..80 {
            let legal = Legal::new(&position);
            if legal.count() == 0 {
                break;
            }
            let m = legal.nth(random.below(legal.count() as usize) as u32);
            game.push(&mut position, m);
        }
        game
    }

    fn empty() -> (Game, Position) {
        (Game::default(), Position::default())
    }
}

/// Collects the games of a PGN stream.
struct Collect;

impl Visitor for Collect {
    type Tags = ();
    type Movetext = (Game, Position);
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Game, (Game, Position)> {
        ControlFlow::Continue(Game::empty())
    }

    fn san(&mut self, (game, position): &mut (Game, Position), san: SanPlus) -> ControlFlow<Game> {
        let mut token = Vec::new();
        san.append_ascii_to(&mut token);
        let m = san::resolve(&Legal::new(position), &token).expect("a legal move");
        game.push(position, m);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut (Game, Position)) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (game, _): (Game, Position)) -> Game {
        game
    }
}

fn games() -> Vec<Game> {
    if let Some(corpus) = corpus("lichess_2013-01.pgn.zst") {
        let mut reader = Reader::new(corpus);
        let read =
            std::iter::from_fn(|| reader.read_game(&mut Collect).expect("a readable corpus"));
        read.take(GAMES).collect()
    } else {
        let mut random = Random(7);
        (0..GAMES).map(|_| Game::random(&mut random)).collect()
    }
}

/// Sum of ordinals and of counts, from the moves.
fn encode(games: &[Game]) -> (u64, u64) {
    let mut sums = (0, 0);
    for game in games {
        let mut position = Position::default();
        for &m in &game.moves {
            let (k, n) = Legal::new(&position).ordinal_and_count(m);
            sums = (sums.0 + u64::from(k), sums.1 + u64::from(n));
            position.play(m);
        }
    }
    sums
}

/// The same sums, and whether the moves come out, from the ordinals.
fn decode(games: &[Game]) -> ((u64, u64), bool) {
    let mut sums = (0, 0);
    let mut same = true;
    for game in games {
        let mut position = Position::default();
        for (&k, &m) in game.ordinals.iter().zip(&game.moves) {
            let legal = Legal::new(&position);
            let numbering = legal.numbering();
            sums = (sums.0 + u64::from(k), sums.1 + u64::from(numbering.count()));
            let decoded = numbering.nth(k);
            same &= decoded == m;
            position.play(decoded);
        }
    }
    (sums, same)
}

/// [`decode`] as archives are read, two games interleaved.
fn decode_abreast(games: &[Game]) -> ((u64, u64), bool) {
    struct Decode<'a> {
        games: std::slice::Iter<'a, Game>,
        /// What is left of the games at the boards.
        left: [(&'a [u32], &'a [Move]); 2],
        sums: (u64, u64),
        same: bool,
    }
    impl interleaved::Games for Decode<'_> {
        type Error = Infallible;

        fn begin(&mut self, board: usize) -> Result<Option<Position>, Infallible> {
            Ok(self.games.next().map(|game| {
                self.left[board] = (&game.ordinals, &game.moves);
                Position::default()
            }))
        }

        fn choose(&mut self, board: usize, _: &Legal, n: u32) -> Result<Option<u32>, Infallible> {
            let (ordinals, _) = &mut self.left[board];
            let Some(&k) = ordinals.split_off_first() else {
                return Ok(None);
            };
            self.sums = (self.sums.0 + u64::from(k), self.sums.1 + u64::from(n));
            Ok(Some(k))
        }

        fn played(&mut self, board: usize, _: &Legal, played: Move) {
            let (_, moves) = &mut self.left[board];
            self.same &= moves.split_off_first() == Some(&played);
        }

        fn end(&mut self, _: usize, _: &Position) {}
    }
    let mut decode = Decode {
        games: games.iter(),
        left: [(&[], &[]); 2],
        sums: (0, 0),
        same: true,
    };
    let Ok(()) = interleaved::play(&mut decode);
    (decode.sums, decode.same)
}

/// The walk alone: what reading and writing SAN add is the difference to this. Gives the number
/// of positions in check.
fn walk(games: &[Game]) -> usize {
    let mut checks = 0;
    for game in games {
        let mut position = Position::default();
        for &m in &game.moves {
            checks += usize::from(black_box(&Legal::new(&position)).is_check());
            position.play(m);
        }
    }
    checks
}

/// Whether every SAN gives its move.
fn read_san(games: &[Game]) -> bool {
    let mut same = true;
    for game in games {
        let mut position = Position::default();
        for (token, &m) in game.sans.iter().zip(&game.moves) {
            let legal = Legal::new(&position);
            let legal = black_box(&legal);
            same &= san::resolve(legal, token) == Some(m);
            position.play(m);
        }
    }
    same
}

/// How many moves are read at once, and whether these are right.
fn read_plain(games: &[Game]) -> (usize, bool) {
    let (mut read, mut same) = (0, true);
    for game in games {
        let mut position = Position::default();
        for (token, &m) in game.sans.iter().zip(&game.moves) {
            let legal = Legal::new(&position);
            if let Some(plain) = san::read_plain(black_box(&legal), token) {
                read += 1;
                same &= plain.played == m && plain.name_len == token.len();
            }
            position.play(m);
        }
    }
    (read, same)
}

/// Whether every move gives its SAN.
fn write_san(games: &[Game]) -> bool {
    let mut same = true;
    for game in games {
        let mut position = Position::default();
        for (&name, &m) in game.names.iter().zip(&game.moves) {
            let legal = Legal::new(&position);
            let legal = black_box(&legal);
            same &= san::write(legal, m) == name;
            position.play(m);
        }
    }
    same
}

/// The column of moves of weighted IGN and back, the choice of a style included.
fn weighted(criterion: &mut Criterion, games: &[Game]) {
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut played = Played::default();
    for game in games {
        played.push(&Start::default(), game.ordinals.iter().copied(), &[], None);
    }
    let column = played.write(&Parameters::builtin(), None);
    let starts = Starts::of_moves(games.iter().map(|_| true));
    let read = || {
        let signatures = KnownSignatures::List(vec![None; games.len()]);
        let mut groups = Groups::new(
            &column,
            Some(Parameters::builtin()),
            &starts,
            signatures,
            plies as u64,
        )
        .expect("just written");
        let mut same = true;
        for (number, game) in games.iter().enumerate() {
            same &= groups.game(number).expect("just written") == game.moves;
        }
        same
    };
    let mut group = criterion.benchmark_group("weighted");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(plies as u64));
    group.bench_function("encode", |b| {
        b.iter(|| {
            assert_eq!(
                black_box(&played).write(&Parameters::builtin(), None).len(),
                column.len()
            )
        });
    });
    group.bench_function("decode", |b| b.iter(|| assert!(black_box(read()))));
    group.finish();
}

fn bench(criterion: &mut Criterion) {
    let games = games();
    weighted(criterion, &games);
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let ordinals = games.iter().flat_map(|game| &game.ordinals);
    let total: u64 = ordinals.map(|&k| u64::from(k)).sum();
    let (_, counts) = encode(&games);

    let mut group = criterion.benchmark_group("chess");
    group.throughput(Throughput::Elements(plies as u64));
    group.bench_function("encode", |b| {
        b.iter(|| assert_eq!(encode(black_box(&games)), (total, counts)));
    });
    group.bench_function("decode", |b| {
        b.iter(|| assert_eq!(decode(black_box(&games)), ((total, counts), true)));
    });
    group.bench_function("decode_abreast", |b| {
        b.iter(|| assert_eq!(decode_abreast(black_box(&games)), ((total, counts), true)));
    });
    let checks = walk(&games);
    assert!(
        checks > 0 && checks < plies / 5,
        "{checks} checks in {plies} plies"
    );
    group.bench_function("legal", |b| {
        b.iter(|| assert_eq!(walk(black_box(&games)), checks))
    });
    let (plain, _) = read_plain(&games);
    assert!(plain > plies * 9 / 10, "{plain} plain moves of {plies}");
    group.bench_function("legal+san_plain", |b| {
        b.iter(|| assert_eq!(read_plain(black_box(&games)), (plain, true)))
    });
    group.bench_function("legal+san_read", |b| {
        b.iter(|| assert!(read_san(black_box(&games))))
    });
    group.bench_function("legal+san_write", |b| {
        b.iter(|| assert!(write_san(black_box(&games))))
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
