//! What several fuzz targets share.

use std::{
    fs::File,
    io::{Read as _, Seek as _, Write as _},
    sync::OnceLock,
};

use ign_archive::{Appender, Archive, Coding, Input, Packer, Recoverer, Result, index::IndexBuilder, parity::ParityBuilder, recover::Recovered};
use ign_format::block::{
    encode::{Options, encode},
    go,
};

/// A record with a start, comments, a variation, and text that is no move.
pub const ODD: &str = "[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
    1. e4 {a comment} (1. e3 {no} e5) 1... Kd7 $1 2. Kh8 not a move\n\n; the end\n";
/// A game in the form of Lichess, with clocks, evaluations and comments.
pub const CLOCKS: &str = "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\
    [White \"Ann\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n[UTCDate \"2020.01.02\"]\n[UTCTime \"03:04:05\"]\n\
    [WhiteElo \"1500\"]\n[BlackElo \"1510\"]\n[WhiteRatingDiff \"+6\"]\n[BlackRatingDiff \"-6\"]\n\
    [ECO \"C20\"]\n[Opening \"King's Pawn Game\"]\n[TimeControl \"180+2\"]\n[Termination \"Normal\"]\n\n\
    1. e4 { [%eval 0.3] [%clk 0:03:00] } \
    1... e5 { [%eval 0.2] [%clk 0:03:00] } 2. Qh5?! { (0.2 → -0.5) Inaccuracy. Nf3 was best. } \
    (2. Nf3 Nc6 3. Bb5) 2... Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n\n";
/// Games of variants.
pub const VARIANTS: &str = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 Qe5 *\n\n\
    [Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 c6 3. Nb5 1-0\n\n";
/// Games of Go.
pub const GO: &str = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[a]PW[b];B[ee];W[ce]C[so];B[];W[]RE[B+3.5])\n\
    (;GM[1]SZ[19]HA[2]AB[dd][pp];W[qd](;B[dq])(;B[cc]))\n";

/// Generated games.
pub fn sample(games: u64) -> Vec<u8> {
    let mut text = Vec::new();
    let sample = ign_sample::Sample::new(games, 1);
    sample.write(&mut text).expect("a sample");
    text
}

/// A small text that uses every column of chess.
pub fn chess() -> Vec<u8> {
    let mut text = sample(3);
    text.extend_from_slice([ODD, CLOCKS, VARIANTS].concat().as_bytes());
    text
}

/// Blocks that together have every column.
pub fn blocks() -> &'static [Vec<u8>] {
    static BLOCKS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    BLOCKS.get_or_init(|| {
        let options = |coding| Options {
            coding,
            level: 1,
            ..Options::default()
        };
        let chess = [Coding::Ign, Coding::IgnEnd, Coding::Weighted].map(|coding| encode(chess(), &options(coding)));
        let go = go::encode(GO.into(), &options(Coding::Weighted));
        let all = chess.into_iter().chain([go]);
        all.map(|block| block.expect("a block").bytes).collect()
    })
}

/// An input in memory.
pub fn input(text: &[u8]) -> Input {
    Input::reader("a.pgn", std::io::Cursor::new(text.to_vec()))
}

/// Packs a text with blocks of this size, none of which is packed in a simpler encoding.
pub fn pack(text: &[u8], coding: Coding, block_size: usize) -> Vec<u8> {
    let packer = Packer::new().coding(coding).level(1).threads(1);
    let packed = packer
        .block_size(block_size)
        .pack([input(text)], Vec::new());
    let (archive, summary) = packed.expect("any text packs");
    assert_eq!(summary.fallbacks.blocks, 0);
    archive
}

/// An archive with parity, to which a text is appended.
pub fn grown(archive: &[u8], text: &[u8]) -> Vec<u8> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(archive).expect("a temporary file");
    ParityBuilder::new(10.0).add_to_file(file.as_file()).expect("parity of a whole archive");
    // Whoever holds the file holds its lock.
    let path = file.into_temp_path();
    let appender = Appender::open(&path).expect("a whole archive");
    let packer = appender.packer().expect("a whole archive").threads(1);
    appender.append(packer, [input(text)]).expect("an append");
    std::fs::read(&path).expect("a temporary file")
}

/// An archive to which games were appended, and its search index, which has a segment for them.
pub fn indexed() -> (Archive, Vec<u8>) {
    let text = [sample(30), chess()].concat();
    let first = pack(&text, Coding::Weighted, 1 << 16);
    let all = grown(&first, &text);
    let [first, all] = [first, all].map(|bytes| open(&bytes).expect("an archive"));
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    let build = IndexBuilder::new()
        .statistics(2, 0)
        .build(&[first], &mut file);
    build.expect("an index");
    let path = file.into_temp_path();
    let extend = IndexBuilder::new()
        .statistics(2, 0)
        .extend(&path, std::slice::from_ref(&all));
    extend.expect("an extended index");
    (all, std::fs::read(&path).expect("a temporary file"))
}

/// Opens an archive in memory.
pub fn open(bytes: &[u8]) -> Result<Archive> {
    Archive::from_read_at(bytes.to_vec(), "a.ign").map(|archive| archive.with_threads(1))
}

/// The text of an archive.
pub fn unpacked(archive: &Archive) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    archive.unpack(&mut text)?;
    Ok(text)
}

/// Reads everything of an archive. Whatever is found, all calls return.
pub fn read_all(archive: &Archive) {
    for game in archive.games().take(50) {
        let Ok(game) = game else { break };
        _ = game.tags().map(Iterator::count);
        _ = game.pgn();
        _ = game.san();
        _ = game.ign();
        _ = game.signature();
        _ = game.positions().map(Iterator::count);
        _ = game.movetext();
        _ = game.standard_pgn();
        _ = game.comments();
        _ = game.clocks();
        _ = game.evals();
        _ = game.variations();
    }
    _ = archive.list(1..=archive.len().min(100), std::io::sink());
    _ = archive.meta();
    _ = archive.verify();
}

/// What can be recovered of bytes: the report and the archive.
pub fn recovered(bytes: &[u8]) -> Result<(Recovered, Vec<u8>)> {
    let mut out: File = tempfile::tempfile().expect("a temporary file");
    let recoverer = Recoverer::new().threads(1);
    let report = recoverer.recover(&bytes.to_vec(), "bad.ign", &out)?;
    let mut archive = Vec::new();
    out.rewind().expect("a temporary file");
    out.read_to_end(&mut archive).expect("a temporary file");
    Ok((report, archive))
}
