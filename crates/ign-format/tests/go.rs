//! Do collections of games of Go come back to the byte?

use ign_format::block::{Coding, decode::Block, encode::Options, go};
use ign_testing::go::{ODD, collection};

fn options(coding: Coding) -> Options {
    Options {
        coding,
        ..Options::default()
    }
}

/// Packs as one block, which packing verifies; then all text, and each record alone, must come.
fn comes_back(text: &[u8], coding: Coding) {
    let packed = go::encode(text.to_vec(), &options(coding)).unwrap();
    assert!(!packed.is_fallback, "{coding:?}");
    let block = Block::open(&packed.bytes).unwrap();
    assert_eq!(block.text().unwrap(), text);
    let records = block.records().unwrap();
    let mut each = Vec::new();
    for record in 0..records.len() {
        let only = |row| row == record;
        block.render(&records, record + 1, only, &mut each).unwrap();
    }
    assert_eq!(each, text);
    // Signatures and plies are compared with the moves.
    assert_eq!(block.verified_text().unwrap(), text);
    let games = (0..records.len()).filter(|&r| records.is_game(r)).count();
    assert_eq!(block.signatures().unwrap().len(), games);
    let kept = (0..).zip(block.keeps_text(&records).unwrap());
    let partly_text = kept.filter(|&(record, kept)| kept && records.is_game(record));
    assert_eq!(partly_text.count() as u64, packed.not_understood.total());
}

#[test]
fn odd_records_come_back_in_every_coding() {
    for &coding in Coding::ALL {
        for text in ODD {
            comes_back(text.as_bytes(), coding);
        }
        comes_back(ODD.concat().as_bytes(), coding);
        comes_back(collection(12).as_bytes(), coding);
        comes_back(b"", coding);
        comes_back(b"(;PB[\xff\xfe];B[aa];W[\xe9e])", coding);
    }
}

#[test]
fn variations_deeper_than_any_and_longer_than_a_chunk_come_back() {
    let deep = "(;SZ[9];B[aa]".to_string() + &"(;W[];B[]".repeat(700) + &")".repeat(690);
    let long = format!(
        "(;SZ[19];B[aa](;W[bb]){})",
        "(;W[cc];B[dd];B[ee])".repeat(400)
    );
    for &coding in Coding::ALL {
        comes_back(deep.as_bytes(), coding);
        comes_back(long.as_bytes(), coding);
    }
}

#[test]
fn a_block_of_go_costs_less_with_likely_moves_and_says_what_it_is() {
    let text = "(;GM[1]SZ[19];B[pd];W[dp];B[pq];W[dd];B[qo];W[nc];B[qf];W[jd];B[fq];W[cn])\n";
    let text = text.repeat(50);
    let len = |coding| {
        let packed = go::encode(text.clone().into_bytes(), &options(coding)).unwrap();
        let block = Block::open(&packed.bytes).unwrap();
        assert_eq!(block.kind(), ign_format::block::Kind::Go);
        packed.bytes.len()
    };
    assert!(len(Coding::Weighted) * 10 < len(Coding::Ign) * 7);
}

#[test]
fn a_tag_that_is_asked_for_alone_has_the_values_it_has_among_all() {
    // Ratings of both players stand in one column, and so do dates and places of some games.
    let mut text = String::new();
    for game in 0..300 {
        text += &format!(
            "(;GM[1]SZ[19]HA[{}]KM[{}]PB[Ann {}]PW[Bob]BR[{}d]WR[{}d]DT[19{}-01-0{}]RE[B+{}];B[aa])\n",
            game % 3,
            game % 2,
            game % 7,
            game % 9,
            (game + 1) % 9,
            60 + game / 10,
            1 + game % 9,
            game % 20,
        );
    }
    for text in [text, ODD.concat()] {
        let packed = go::encode(text.into_bytes(), &Options::default()).unwrap();
        let block = Block::open(&packed.bytes).unwrap();
        let records = block.records().unwrap();
        let all = block.table(&records, None).unwrap();
        for (tag, name) in (0..).zip(&all.names) {
            let name = std::str::from_utf8(name).unwrap();
            let alone = block.table(&records, Some(&[name])).unwrap();
            let rows = 0..records.len();
            let values = rows.map(|row| (alone.value(tag, row), all.value(tag, row)));
            assert!(
                values.into_iter().all(|(one, other)| one == other),
                "{name}"
            );
        }
    }
}

#[test]
fn a_flipped_byte_is_found_and_never_gives_other_text() {
    let text = collection(3) + &ODD[..12].concat();
    for &coding in Coding::ALL {
        let packed = go::encode(text.clone().into_bytes(), &options(coding)).unwrap();
        for at in (0..packed.bytes.len()).step_by(11) {
            let mut bytes = packed.bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            let text = Block::open(&bytes).and_then(|block| block.text());
            assert!(text.is_err(), "byte {at}");
        }
    }
}
