//! Any bytes are the stream of a column or an error: one stream of a block that is otherwise whole
//! is replaced. In this build all checksums are alike.
#![no_main]

use std::borrow::Cow;

use ign_format::{
    block::{decode::Block, go},
    container::{
        frame,
        stream::{Compression, Frame, Stream},
    },
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [which, column, stream, bytes @ ..] = bytes else {
        return;
    };
    let blocks = ign_fuzz::blocks();
    let block = Block::open(&blocks[*which as usize % blocks.len()]).expect("a block");
    let count = block.head().columns.len();
    let place = (*column as usize % count, *stream as usize);
    let changed = with_stream(&block, place, bytes);
    if let Ok(block) = Block::open(&changed) {
        read(&block);
    }
});

/// The block with other bytes as the stream at a place: column and stream.
fn with_stream(block: &Block, (column, stream): (usize, usize), bytes: &[u8]) -> Vec<u8> {
    let mut head = block.head().clone();
    let mut frames = Vec::new();
    for number in 0..head.columns.len() {
        let mut streams = block.streams(number).expect("the streams of a block");
        if number == column && !streams.is_empty() {
            let stream = stream % streams.len();
            streams[stream] = Cow::Borrowed(bytes);
        }
        for (entry, bytes) in head.columns[number].streams.iter_mut().zip(streams) {
            let start = frames.len();
            frame::write_skippable_header(&mut frames, bytes.len());
            frames.extend_from_slice(&bytes);
            *entry = Stream::Framed(Frame {
                compression: Compression::None,
                len: bytes.len(),
                stored_len: frames.len() - start,
                checksum: 0,
            });
        }
    }
    [head.write(), frames].concat()
}

fn read(block: &Block) {
    let Ok(records) = block.records() else {
        return;
    };
    _ = block.text();
    _ = block.table(&records, None);
    _ = block.signatures();
    _ = block.unmoved_pawns(&records);
    _ = block.keeps_text(&records);
    _ = block.walk_games(&records, |mut game| game.ign().map(drop));
    _ = go::keeps_text(block, &records);
}
