//! Dictionaries of names: from a name to its number. What follows from the number, the games of the
//! player, takes the same space with each.

use std::hint::black_box;

use ign_entropy::varint;
use ign_testing::Random;

use crate::{
    corpus::Corpus,
    packed::{self, Packed},
    report::fastest,
};

/// Names that are searched.
const SEARCHED: usize = 10_000;

/// Names in order, each without the bytes that it has in common with the name before. Of every
/// `of_block` names the first is complete.
struct FrontCoded {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    of_block: usize,
}

impl FrontCoded {
    fn new(names: &[Vec<u8>], of_block: usize) -> Self {
        let (mut bytes, mut starts) = (Vec::new(), Vec::new());
        for block in names.chunks(of_block) {
            starts.push(bytes.len() as u32);
            let mut before: &[u8] = &[];
            for name in block {
                let common = name.iter().zip(before).take_while(|(a, b)| a == b).count();
                varint::write(&mut bytes, common as u64);
                varint::write(&mut bytes, (name.len() - common) as u64);
                bytes.extend_from_slice(&name[common..]);
                before = name;
            }
        }
        Self {
            bytes,
            starts,
            of_block,
        }
    }

    fn len(&self) -> usize {
        self.bytes.len() + 4 * self.starts.len()
    }

    fn find(&self, wanted: &[u8]) -> Option<usize> {
        let number =
            |input: &mut &[u8]| varint::read_limited(input, u64::from(u32::MAX), "a name").unwrap();
        let first = |start: u32| {
            let input = &mut &self.bytes[start as usize..];
            number(input);
            let len = number(input);
            &input[..len]
        };
        let after = self.starts.partition_point(|&start| first(start) <= wanted);
        let block = after.checked_sub(1)?;
        let end = self
            .starts
            .get(after)
            .map_or(self.bytes.len(), |&end| end as usize);
        let input = &mut &self.bytes[self.starts[block] as usize..end];
        let mut name = Vec::new();
        let mut at = block * self.of_block;
        while !input.is_empty() {
            name.truncate(number(input));
            let len = number(input);
            name.extend_from_slice(input.split_off(..len)?);
            if name == wanted {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

/// Names one after the other, and the end of each.
struct Plain {
    bytes: Vec<u8>,
    ends: Vec<u8>,
    count: u64,
    bits: u32,
}

impl Plain {
    fn new(names: &[Vec<u8>]) -> Self {
        let bytes = names.concat();
        let bits = packed::bits_for(bytes.len() as u64);
        let ends = names.iter().scan(0, |end, name| {
            *end += name.len() as u64;
            Some(*end)
        });
        let mut out = Vec::new();
        packed::write(&mut out, ends, bits);
        Self {
            bytes,
            ends: out,
            count: names.len() as u64,
            bits,
        }
    }

    fn find(&self, wanted: &[u8]) -> Option<usize> {
        let ends = Packed::read(&mut &self.ends[..], self.count, self.bits).unwrap();
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            let start = middle.checked_sub(1).map_or(0, |before| ends.get(before));
            match self.bytes[start as usize..ends.get(middle) as usize].cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle as usize),
            }
        }
        None
    }
}

fn report(
    names: &[Vec<u8>],
    games: u32,
    what: &str,
    len: usize,
    find: impl Fn(&[u8]) -> Option<usize>,
) {
    for (number, name) in names.iter().enumerate().step_by(7) {
        assert_eq!(find(name), Some(number));
        assert_eq!(find(&[name, &b"\x01"[..]].concat()), None);
    }
    let mut random = Random(3);
    let wanted: Vec<&Vec<u8>> = (0..SEARCHED)
        .map(|_| &names[random.below(names.len())])
        .collect();
    let time = fastest(&wanted, |name| {
        black_box(find(black_box(name)));
    });
    let of_name = len as f64 / names.len() as f64;
    let of_game = len as f64 / f64::from(games);
    println!("| {what} | {len} | {of_name:.2} | {of_game:.2} | {time:.2} |");
}

/// Prints a table of the dictionaries.
pub fn compare(corpus: &Corpus) {
    let names = &corpus.names;
    println!(
        "\nNames: {} players\n\n| dictionary | bytes | a name | a game | µs |\n\
         | --- | ---: | ---: | ---: | ---: |",
        names.len(),
    );
    let plain = Plain::new(names);
    let len = plain.bytes.len() + plain.ends.len();
    report(names, corpus.games, "sorted", len, |name| plain.find(name));
    for of_block in [16, 64, 4096] {
        let coded = FrontCoded::new(names, of_block);
        let what = format!("front-coded, blocks of {of_block}");
        report(names, corpus.games, &what, coded.len(), |name| {
            coded.find(name)
        });
    }
    let numbered = names.iter().zip(0..);
    let map = fst::Map::from_iter(numbered).unwrap();
    let find = |name: &[u8]| map.get(name).map(|number| number as usize);
    report(
        names,
        corpus.games,
        "fst::Map",
        map.as_fst().as_bytes().len(),
        find,
    );
}
