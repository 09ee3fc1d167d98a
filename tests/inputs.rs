//! Do compressed inputs pack like plain text, and is an archive a sequence of zstd frames?

use std::io::Write;

use ign_testing::{Need, games, require};

use crate::util::Folder;

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 3).unwrap()
}

/// As pzstd writes it: each frame follows a skippable frame with its length.
fn pzstd(text: &[u8], frame: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for text in text.chunks(frame) {
        let compressed = zstd(text);
        out.extend_from_slice(&0x184D_2A50_u32.to_le_bytes());
        out.extend_from_slice(&4_u32.to_le_bytes());
        out.extend_from_slice(&(compressed.len() as u32).to_le_bytes());
        out.extend_from_slice(&compressed);
    }
    out
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

/// File names, and the text compressed in every supported way.
fn compressed(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (start, end) = text.split_at(text.len() / 3);
    let streamed = zstd::stream::encode_all(text, 1).unwrap();
    let skippable = [
        &0x184D_2A53_u32.to_le_bytes()[..],
        &3_u32.to_le_bytes(),
        b"abc",
    ]
    .concat();
    vec![
        ("a.pgn.zst", zstd(text)),
        ("streamed.pgn.zst", streamed.clone()),
        ("frames.pgn.zst", [zstd(start), zstd(end)].concat()),
        (
            "skippable.pgn.zst",
            [&skippable[..], &zstd(start), &skippable, &zstd(end)].concat(),
        ),
        ("pzstd.pgn.zst", pzstd(text, 50_000)),
        ("mixed.pgn.zst", [pzstd(start, 40_000), zstd(end)].concat()),
        ("a.pgn.gz", gzip(text)),
        ("B.PGN.GZ", gzip(text)),
        ("members.pgn.gz", [gzip(start), gzip(end)].concat()),
        ("a.pgn.bz2", bzip2(text)),
        ("streams.pgn.bz2", [bzip2(start), bzip2(end)].concat()),
        ("wrong-name.pgn", streamed),
    ]
}

#[test]
fn compressed_inputs_make_the_same_blocks_as_plain_text() {
    let text = games(300);
    for (name, bytes) in compressed(&text) {
        let folder = Folder::with(name, &bytes);
        folder.ign(&["pack", name]).done();
        let archive = format!("{}.ign", name.split('.').next().unwrap());
        assert!(
            folder.ign(&["unpack", "-c", &archive]).done() == text,
            "{name}"
        );
        folder.write("piped.ign", folder.ign_fed(&bytes, &["pack", "-"]).done());
        assert!(
            folder.ign(&["unpack", "-c", "piped.ign"]).done() == text,
            "{name}"
        );
        folder.write("plain.pgn", &text);
        folder.ign(&["pack", "plain.pgn"]).done();
        // The archives differ only in the name of the source.
        let blocks = |name: &str| {
            let archive = ign_archive::Archive::open(folder.path(name)).unwrap();
            let blocks = 0..archive.blocks().len();
            blocks
                .map(|b| archive.block_bytes(b).unwrap())
                .collect::<Vec<_>>()
        };
        assert!(blocks(&archive) == blocks("plain.ign"), "{name}");
    }
}

#[test]
fn rejects_truncated_compressed_input_and_leaves_no_archive() {
    let text = games(300);
    for (name, bytes) in compressed(&text) {
        for len in [20, bytes.len() / 2, bytes.len() - 1] {
            let folder = Folder::with(name, &bytes[..len]);
            folder.ign(&["pack", name]).failed(2, "damaged or cut off");
            folder
                .ign_fed(&bytes[..len], &["pack", "-"])
                .failed(2, "damaged or cut off");
            assert_eq!(folder.names(), [name]);
        }
    }
}

#[test]
fn rejects_damaged_compressed_input() {
    let text = games(300);
    for (name, mut bytes) in compressed(&text) {
        // zstd frames without a checksum do not reveal all damage.
        if name.ends_with(".zst") || name == "wrong-name.pgn" {
            continue;
        }
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        Folder::with(name, &bytes)
            .ign(&["pack", name])
            .failed(2, "damaged or cut off");
    }
}

/// Counts zstd frames and skippable frames, which must fill the file. The zstd frames are
/// decompressed.
fn walk(mut bytes: &[u8]) -> (usize, usize) {
    let (mut content, mut skippable) = (0, 0);
    while !bytes.is_empty() {
        let magic = u32::from_le_bytes(bytes[..4].try_into().unwrap());
        let len = if magic & !0xf == 0x184D_2A50 {
            skippable += 1;
            8 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize
        } else {
            assert_eq!(magic, 0xFD2F_B528);
            content += 1;
            let len = zstd::zstd_safe::find_frame_compressed_size(bytes).unwrap();
            zstd::stream::decode_all(&bytes[..len]).unwrap();
            len
        };
        bytes = &bytes[len..];
    }
    (content, skippable)
}

#[test]
fn archives_pass_zstd_test() {
    // The columns of small blocks are stored in the block head; long repetitive text has a zstd
    // frame.
    let long = vec![b'x'; 100_000];
    for (text, at_least) in [
        (games(500), 0),
        (Vec::new(), 0),
        (b"x".to_vec(), 0),
        (long, 1),
    ] {
        let folder = Folder::with("a.pgn", &text);
        folder.ign(&["pack", "a.pgn", "-B", "16K"]).done();
        let (content, skippable) = walk(&folder.read("a.ign"));
        assert!(skippable >= 4 && content >= at_least);
        let zstd = std::process::Command::new("zstd")
            .arg("-tq")
            .arg(folder.path("a.ign"))
            .status();
        let zstd = zstd.map_err(|_| "there is no command zstd");
        if let Some(status) = require(Need::Zstd, zstd) {
            assert!(status.success(), "zstd -t");
        }
    }
}

#[test]
fn a_file_with_the_extension_of_archives_is_one_or_an_error() {
    let folder = Folder::new();
    folder.write("empty.ign", "");
    folder.write("text.IGN", games(2));
    folder.write("games.pgn", games(2));
    for name in ["empty.ign", "text.IGN"] {
        for args in [
            &["find", name, "--white", "*"][..],
            &["list", name],
            &["export", name, "-c", "--format", "csv"],
            &["stats", name],
            &["duplicates", name],
            &["append", name, "games.pgn"],
        ] {
            let run = folder.ign(args);
            assert!(run.out.is_empty(), "{args:?}");
            assert!(run.err.contains(name), "{args:?}: {}", run.err);
            run.failed(2, "not an ign archive (ign pack makes one");
        }
    }
    // Other names are those of texts.
    folder.write("empty.pgn", "");
    for args in [
        &["stats", "empty.pgn"][..],
        &["export", "empty.pgn", "-c", "--format", "csv"],
    ] {
        folder.ign(args).done();
    }
}
