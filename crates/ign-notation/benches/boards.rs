//! Speed of four board representations, with moves unmade and with copies of the board.
//!
//! Perft to depth 3 of a position with many kinds of moves ("Kiwipete"); the throughput counts its
//! 97,862 games. The generators are those of the tests, written for clarity.

#[path = "../tests/board_support/mod.rs"]
mod board_support;

use std::hint::black_box;

use board_support::{
    Game, Representation, array_8x8::Array8x8, bitboards::Bitboards, border_10x12::Border10x12,
    hex_0x88::Hex0x88,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 3;
const GAMES: u64 = 97_862;

fn bench<R: Representation>(c: &mut Criterion) {
    let game = Game::<R>::from_fen(FEN);
    let mut group = c.benchmark_group(R::NAME);
    group
        .throughput(Throughput::Elements(GAMES))
        .sample_size(10);
    group.bench_function("make and unmake", |b| {
        b.iter(|| assert_eq!(black_box(game.clone()).perft(DEPTH), GAMES));
    });
    group.bench_function("copy", |b| {
        b.iter(|| assert_eq!(black_box(game.clone()).perft_by_copy(DEPTH), GAMES));
    });
    group.finish();
}

fn boards(c: &mut Criterion) {
    bench::<Array8x8>(c);
    bench::<Border10x12>(c);
    bench::<Hex0x88>(c);
    bench::<Bitboards>(c);
}

criterion_group!(benches, boards);
criterion_main!(benches);
