//! Ways to damage an archive.

use std::ops::Range;

use ign_entropy::varint;
use ign_format::container::{
    checksum,
    frame::{self, Kind},
};

use crate::base::Base;

/// What may come of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// Bytes were changed by accident: every game that is read is the game of that number, and
    /// `verify` finds the damage.
    SameGames,
    /// Bytes were changed and the checksums of their frame corrected: the whole text is right, or
    /// an error.
    SameText,
    /// Blocks were moved: every game is one of the archives they are from.
    GamesOfBoth,
}

/// An archive that is damaged.
pub struct Damaged<'a> {
    pub bytes: Vec<u8>,
    pub allowed: Allowed,
    /// The kind of damage.
    pub kind: &'static str,
    /// What exactly was done.
    pub what: String,
    /// The archive from which blocks were taken.
    pub other: &'a Base,
}

impl Damaged<'_> {
    /// Whether one byte was changed by accident, which damages one block at most.
    pub fn is_one_byte(&self) -> bool {
        matches!(self.kind, "bits flipped" | "bytes replaced")
    }
}

/// Damages an archive in all ways of a kind; every `step`-th one.
type Way = for<'a> fn(&'a Base, &'a Base, usize, &mut dyn FnMut(Damaged<'a>));

/// All kinds of damage, each with the step by which a sample of it is taken, and the step of a full
/// run.
pub const WAYS: &[(Way, usize, usize)] = &[
    (flipped_bits, 787, 1),
    (replaced_bytes, 18_493, 16),
    (corrected_bytes, 12_097, 16),
    (cut_lengths, 241, 1),
    (overwritten_ranges, 97, 1),
    (moved_blocks, 1, 1),
    (forged_counts, 797, 4),
];

fn flipped_bits<'a>(
    base: &'a Base,
    other: &'a Base,
    step: usize,
    each: &mut dyn FnMut(Damaged<'a>),
) {
    for bit in (0..base.bytes.len() * 8).step_by(step) {
        let mut bytes = base.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        each(Damaged {
            bytes,
            allowed: Allowed::SameGames,
            kind: "bits flipped",
            what: format!("bit {} of byte {}", bit % 8, bit / 8),
            other,
        });
    }
}

/// Every byte by every other value.
fn replacements(base: &Base, step: usize) -> impl Iterator<Item = (usize, u8)> {
    let all = (0..base.bytes.len()).flat_map(|at| (0..=u8::MAX).map(move |value| (at, value)));
    let changes = all.filter(|&(at, value)| base.bytes[at] != value);
    changes.step_by(step)
}

fn replaced_bytes<'a>(
    base: &'a Base,
    other: &'a Base,
    step: usize,
    each: &mut dyn FnMut(Damaged<'a>),
) {
    for (at, value) in replacements(base, step) {
        let mut bytes = base.bytes.clone();
        bytes[at] = value;
        each(Damaged {
            bytes,
            allowed: Allowed::SameGames,
            kind: "bytes replaced",
            what: format!("byte {at} by {value:#04x}"),
            other,
        });
    }
}

/// Every byte by every other value, and then the checksum of the frame corrected.
fn corrected_bytes<'a>(
    base: &'a Base,
    other: &'a Base,
    step: usize,
    each: &mut dyn FnMut(Damaged<'a>),
) {
    let frames = base.frames();
    for (at, value) in replacements(base, step) {
        let mut bytes = base.bytes.clone();
        bytes[at] = value;
        let own = frames.iter().find(|frame| frame.contains(&at)).unwrap();
        correct(base, &mut bytes, own, &frames);
        each(Damaged {
            bytes,
            allowed: Allowed::SameText,
            kind: "bytes replaced, checksums corrected",
            what: format!("byte {at} by {value:#04x}"),
            other,
        });
    }
}

/// Corrects the checksum of a frame.
fn correct(base: &Base, bytes: &mut [u8], changed: &Range<usize>, frames: &[Range<usize>]) {
    let old = &base.bytes[changed.clone()];
    if Kind::of(old).is_some() {
        return seal(&mut bytes[changed.clone()]);
    }
    // The frame of a stream: its checksum is in the head of the block, the last sealed frame before
    // it.
    let head = frames.iter().rev().find(|frame| {
        frame.start < changed.start && frame::is_kind(&base.bytes[(*frame).clone()], Kind::Block)
    });
    let head = head.expect("a head before each stream").clone();
    let [old, new] = [old, &bytes[changed.clone()]].map(|frame| checksum(frame).to_le_bytes());
    let place = bytes[head.clone()]
        .windows(8)
        .position(|window| window == old);
    let place = head.start + place.expect("the checksum of a stream in the head of its block");
    bytes[place..place + 8].copy_from_slice(&new);
    seal(&mut bytes[head]);
}

/// Corrects the checksum of a sealed frame.
fn seal(frame: &mut [u8]) {
    let (sealed, sum) = frame.split_at_mut(frame.len() - 8);
    sum.copy_from_slice(&checksum(sealed).to_le_bytes());
}

fn cut_lengths<'a>(
    base: &'a Base,
    other: &'a Base,
    step: usize,
    each: &mut dyn FnMut(Damaged<'a>),
) {
    for len in (0..base.bytes.len()).step_by(step) {
        each(Damaged {
            bytes: base.bytes[..len].to_vec(),
            allowed: Allowed::SameGames,
            kind: "lengths cut",
            what: format!("{len} bytes"),
            other,
        });
    }
}

/// Every 7th place overwritten by zeros, by ones, and by bytes of another place.
fn overwritten_ranges<'a>(
    base: &'a Base,
    other: &'a Base,
    step: usize,
    each: &mut dyn FnMut(Damaged<'a>),
) {
    let all = (0..base.bytes.len()).step_by(7).flat_map(|start| {
        let lengths = [2, 16, 200].map(|len| (start + len).min(base.bytes.len()));
        lengths.map(|end| start..end)
    });
    for range in all.step_by(step) {
        let elsewhere = (range.start * 31) % (base.bytes.len() - range.len());
        let copied = base.bytes[elsewhere..elsewhere + range.len()].to_vec();
        for with in [vec![0; range.len()], vec![0xff; range.len()], copied] {
            if with == base.bytes[range.clone()] {
                continue;
            }
            let mut bytes = base.bytes.clone();
            bytes[range.clone()].copy_from_slice(&with);
            each(Damaged {
                bytes,
                allowed: Allowed::SameGames,
                kind: "ranges overwritten",
                what: format!("{range:?} by {:02x?}", &with[..with.len().min(2)]),
                other,
            });
        }
    }
}

/// Blocks dropped, repeated, swapped, and taken from another archive, with the index as it was and
/// with one that fits.
fn moved_blocks<'a>(base: &'a Base, other: &'a Base, _: usize, each: &mut dyn FnMut(Damaged<'a>)) {
    let own: Vec<&[u8]> = (0..base.blocks.len()).map(|n| base.block(n)).collect();
    let mut give = |what: String, blocks: &[&[u8]]| {
        let (start, end) = (base.blocks[0].start, base.blocks.last().unwrap().end);
        let as_it_was = [&base.bytes[..start], &blocks.concat(), &base.bytes[end..]].concat();
        let fitting = base.with_blocks(blocks);
        for (index, bytes, allowed) in [
            ("its index", as_it_was, Allowed::SameGames),
            ("a fitting index", fitting, Allowed::GamesOfBoth),
        ] {
            if bytes == base.bytes {
                continue;
            }
            each(Damaged {
                bytes,
                allowed,
                kind: "blocks moved",
                what: format!("{what}, {index}"),
                other,
            });
        }
    };
    for block in 0..own.len() {
        let mut dropped = own.clone();
        dropped.remove(block);
        give(format!("block {block} dropped"), &dropped);
        let mut repeated = own.clone();
        repeated.insert(block, own[block]);
        give(format!("block {block} repeated"), &repeated);
        let next = (block + 1) % own.len();
        let mut swapped = own.clone();
        swapped.swap(block, next);
        give(format!("blocks {block} and {next} swapped"), &swapped);
        for foreign in 0..other.blocks.len() {
            let mut spliced = own.clone();
            spliced[block] = other.block(foreign);
            let what = format!(
                "block {block} replaced by block {foreign} of {}",
                other.name
            );
            give(what, &spliced);
        }
        // The streams of a block under the head of another.
        let split = |block: &'a [u8]| block.split_at(frame::skippable_len(block).unwrap() as usize);
        let mixed = [split(own[block]).0, split(own[next]).1].concat();
        let mut mixed_in = own.clone();
        mixed_in[block] = &mixed;
        give(
            format!("head of block {block} with streams of block {next}"),
            &mixed_in,
        );
    }
}

/// Every number of the heads of blocks and of the index replaced by others, singly, and the first
/// ones in pairs, under correct checksums and with an index and a footer that fit.
fn forged_counts<'a>(
    base: &'a Base,
    other: &'a Base,
    step: usize,
    each: &mut dyn FnMut(Damaged<'a>),
) {
    let mut number = 0;
    let mut give = |place: &str, payload: &[u8], build: &dyn Fn(&[u8]) -> Vec<u8>| {
        for changes in changes(payload.len()) {
            number += 1;
            if number % step != 0 {
                continue;
            }
            let mut forged = payload.to_vec();
            for &(at, value) in changes.iter().rev() {
                let mut bytes = Vec::new();
                varint::write(&mut bytes, value);
                forged.splice(at..=at, bytes);
            }
            each(Damaged {
                bytes: build(&forged),
                allowed: Allowed::SameText,
                kind: "counts forged",
                what: format!("{place}, {changes:?}"),
                other,
            });
        }
    };
    let blocks: Vec<&[u8]> = (0..base.blocks.len()).map(|n| base.block(n)).collect();
    for (number, block) in blocks.iter().enumerate() {
        let (head, streams) = block.split_at(frame::skippable_len(block).unwrap() as usize);
        give(&format!("block {number}"), payload(head), &|forged| {
            let block = [&frame::seal(Kind::Block, forged), streams].concat();
            let mut blocks = blocks.clone();
            blocks[number] = &block;
            base.with_blocks(&blocks)
        });
    }
    give("index", payload(&base.index().write()), &|forged| {
        base.with_index(&frame::seal(Kind::Index, forged))
    });
}

fn payload(frame: &[u8]) -> &[u8] {
    &frame[frame::PREFIX_LEN..frame.len() - 8]
}

/// Which bytes of a payload are replaced by which numbers: each byte by each number, and pairs
/// among those that hold the first counts.
fn changes(len: usize) -> Vec<Vec<(usize, u64)>> {
    const NUMBERS: [u64; 9] = [
        0,
        1,
        127,
        1 << 14,
        1 << 21,
        (1 << 28) - 1,
        1 << 28,
        1 << 40,
        u64::MAX,
    ];
    let single = (0..len).flat_map(|at| NUMBERS.map(|number| (at, number)));
    let first = (11..len.min(22)).flat_map(|at| NUMBERS.map(|number| (at, number)));
    let pairs = first.clone().flat_map(|one| {
        let second = first.clone().filter(move |two| two.0 > one.0);
        second.map(move |two| vec![one, two])
    });
    single.map(|one| vec![one]).chain(pairs).collect()
}
