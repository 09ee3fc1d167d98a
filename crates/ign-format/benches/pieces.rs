//! How long the pieces of a block take: digits into integers and back, bits through the range
//! coder, a column of words, a whole block.
//!
//! Data: made-up games, the same on every machine. Throughput is in digits, bits, values or bytes
//! of text. Every run checks its answer once.

use std::{borrow::Cow, hint::black_box};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ign_entropy::adaptive::{self, Bit, Coder as _};
use ign_format::{
    block::{
        decode::Block,
        encode::{Options, encode},
    },
    columns::{Span, Table, dictionary, parts},
    container::block_head::Column,
};
use ign_notation::radix;
use ign_sample::Sample;

/// Numbers that look random and are the same everywhere.
fn noise(count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(|i| i.wrapping_mul(2_654_435_761) >> 8)
}

fn radix_digits(c: &mut Criterion) {
    // A game of 80 plies with about 30 choices each.
    let digits: Vec<(u32, u32)> = noise(80)
        .map(|n| (n % (20 + n % 21), 20 + n % 21))
        .collect();
    let mut group = c.benchmark_group("radix");
    group.throughput(Throughput::Elements(digits.len() as u64));
    let mut encoder = radix::Encoder::new();
    let mut write = || {
        encoder.clear();
        for &(digit, base) in &digits {
            encoder.push(digit, base);
        }
        encoder.finish().to_vec()
    };
    let limbs = write();
    group.bench_function("encode", |b| b.iter(|| black_box(write())));
    let mut decoder = radix::Decoder::default();
    let mut read = || {
        decoder.load(&limbs);
        digits
            .iter()
            .map(|&(_, base)| decoder.take(base))
            .collect::<Vec<_>>()
    };
    assert!(
        read()
            .into_iter()
            .eq(digits.iter().map(|&(digit, _)| digit))
    );
    group.bench_function("decode", |b| b.iter(|| black_box(read())));
    group.finish();
}

fn range_bits(c: &mut Criterion) {
    const COUNT: u32 = 100_000;
    // One in eight is set, predicted from one of 16 contexts.
    let bits: Vec<(usize, bool)> = noise(COUNT)
        .map(|n| (n as usize % 16, n >> 8 & 7 == 0))
        .collect();
    let mut group = c.benchmark_group("range coder");
    group.throughput(Throughput::Elements(u64::from(COUNT)));
    let write = || {
        let mut coder = adaptive::Encoder::new();
        let mut estimates: [Bit; 16] = Default::default();
        for &(context, bit) in &bits {
            coder.bit(&mut estimates[context], bit);
        }
        coder.finish()
    };
    let bytes = write();
    group.bench_function("encode", |b| b.iter(|| black_box(write())));
    let read = || {
        let mut coder = adaptive::Decoder::new(&bytes);
        let mut estimates: [Bit; 16] = Default::default();
        bits.iter()
            .all(|&(context, bit)| coder.bit(&mut estimates[context], false) == bit)
    };
    assert!(read());
    group.bench_function("decode", |b| b.iter(|| black_box(read())));
    group.finish();
}

fn words_column(c: &mut Criterion) {
    const ROWS: u32 = 20_000;
    // Some names come often, many seldom.
    let mut table = Table {
        names: vec![b"White".to_vec()],
        rows: ROWS as usize,
        ..Table::default()
    };
    let spans: Vec<Span> = noise(ROWS)
        .map(|n| table.add(format!("player{}", n % (1 + n % 3000)).as_bytes()))
        .collect();
    table.values = vec![spans];
    let mut column = Column {
        codec: 16,
        tags: vec![0],
        refs: vec![],
        flags: 0,
        streams: vec![],
    };
    let mut packed = table.clone();
    let encoded = dictionary::encode(&mut packed, &mut column);
    let streams = [encoded.codes, encoded.text].map(Cow::from);
    let mut group = c.benchmark_group("words column");
    group.throughput(Throughput::Elements(u64::from(ROWS)));
    group.bench_function("encode", |b| {
        b.iter(|| black_box(dictionary::encode(&mut table.clone(), &mut column.clone())));
    });
    let read = || {
        let mut again = Table {
            bytes: Vec::new(),
            values: vec![vec![Span::PENDING; ROWS as usize]],
            needed_parts: parts::of(ROWS as usize).map(|_| true).collect(),
            ..table.clone()
        };
        dictionary::decode(&mut again, &column, &streams).unwrap();
        again
    };
    let again = read();
    assert!((0..ROWS as usize).all(|row| again.value(0, row) == table.value(0, row)));
    group.bench_function("decode", |b| b.iter(|| black_box(read())));
    group.finish();
}

fn block(c: &mut Criterion) {
    let mut text = Vec::new();
    Sample::new(2000, 1).write(&mut text).unwrap();
    let mut group = c.benchmark_group("block");
    group
        .sample_size(20)
        .throughput(Throughput::Bytes(text.len() as u64));
    let options = Options {
        verify: false,
        ..Options::default()
    };
    let packed = encode(text.clone(), &options).unwrap();
    group.bench_function("encode", |b| {
        b.iter(|| encode(text.clone(), &options).unwrap())
    });
    let read = || {
        Block::open(&packed.bytes)
            .and_then(|block| block.text())
            .unwrap()
    };
    assert!(read() == text);
    group.bench_function("decode", |b| b.iter(|| black_box(read())));
    group.finish();
}

criterion_group!(benches, radix_digits, range_bits, words_column, block);
criterion_main!(benches);
