//! Archives to damage: small ones of every coding and every kind of block.

use std::{
    fs::{self, File},
    io::Cursor,
    ops::Range,
    path::Path,
};

use ign_archive::{Appender, Archive, Coding, Input, ModelFile, Packer, parity::ParityBuilder};
use ign_format::{
    block::encode_model,
    columns::name_model::NameNetwork,
    container::{
        append_mark::{self, State},
        block_head::Head,
        footer::{self, Footer},
        frame,
        index::{BlockEntry, Index},
    },
    models::Architecture as _,
    pgn::comments::evals::EvalNetwork,
};
use ign_testing::{commented, games, repeated_parameters};

/// What the columns of comments, variations, starts and text of blocks are made from.
const ODD: &[u8] = b"[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
    1. e4 {a comment} (1. e3 {no}) 1... Kd7 $1 2. Kh8 not a move\n\n; the end\n\n\
    [Event \"Rated Blitz game\"]\n[UTCDate \"2020.01.02\"]\n[WhiteElo \"1500\"]\n\
    [TimeControl \"180+2\"]\n\n1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval 0.2] [%clk 0:03:00] } \
    2. Qh5?! { (0.2 \xe2\x86\x92 -0.5) Inaccuracy. Nf3 was best. } (2. Nf3 Nc6 3. Bb5) 2... Nc6 1-0\n\n\
    [Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 Qe5 *\n\n\
    [FEN \"k2r3k/3K4/8/1K1pP2r/8/8/3K4/4K3 w - d6 0 1\"]\n\n1. K7e7 -- 2. Kd3 Rh7+ 3. Ke6 (3. Kf6) *\n\n";

/// An archive that is whole.
pub struct Base {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// The text of the archive.
    pub text: Vec<u8>,
    /// The text before the last append. An archive whose last footer is lost is read as the one
    /// before.
    pub before: Option<Vec<u8>>,
    /// The texts of its games.
    pub games: Vec<Vec<u8>>,
    /// The places of its blocks.
    pub blocks: Vec<Range<usize>>,
    /// The texts of its blocks.
    pub texts: Vec<Vec<u8>>,
}

impl Base {
    /// One of each coding and kind, one with models, one with parity, and one that has grown.
    pub fn all() -> Vec<Self> {
        let games = commented(&games(4));
        let chess = [&games, ODD].concat();
        let [plain, with_ends, weighted] =
            [Coding::Ign, Coding::IgnEnd, Coding::Weighted].map(|coding| packed(&chess, coding));
        let mut grown = Self::new("grown", grown(&plain));
        grown.before = Some(chess.clone());
        vec![
            Self::new("plain", plain.clone()),
            Self::new("with end moves", with_ends),
            Self::new("weighted", weighted),
            Self::new("models", with_models(&chess)),
            Self::new("Go", packed(&go(), Coding::Weighted)),
            Self::new("text", packed(&prose(), Coding::Ign)),
            Self::new("parity", with_parity(&plain)),
            grown,
        ]
    }

    fn new(name: &'static str, bytes: Vec<u8>) -> Self {
        let archive = Archive::from_read_at(bytes.clone(), "a.ign").unwrap();
        archive.verify().unwrap();
        let mut text = Vec::new();
        archive.unpack(&mut text).unwrap();
        let pgn = |number| archive.game(number).unwrap().pgn().unwrap().to_vec();
        let games = (1..=archive.len()).map(pgn).collect();
        let (mut blocks, mut texts) = (Vec::new(), Vec::new());
        for block in archive.blocks() {
            blocks.push(block.offset as usize..(block.offset + block.stored_len) as usize);
            let from = block.text_offset as usize;
            texts.push(text[from..from + block.text_len as usize].to_vec());
        }
        assert!(blocks.len() > 1, "{name}: {} blocks", blocks.len());
        Self {
            name,
            bytes,
            text,
            before: None,
            games,
            blocks,
            texts,
        }
    }

    /// The bytes of a block.
    pub fn block(&self, number: usize) -> &[u8] {
        &self.bytes[self.blocks[number].clone()]
    }

    /// The places of all sealed frames, and of all others, in the order of the file.
    pub fn frames(&self) -> Vec<Range<usize>> {
        let mut frames = Vec::new();
        let mut at = 0;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            let len = match frame::skippable_len(rest) {
                Some(len) => len as usize,
                None => zstd::zstd_safe::find_frame_compressed_size(rest).unwrap(),
            };
            frames.push(at..at + len);
            at += len;
        }
        frames
    }

    /// Whether bytes differ from the archive only in marks of appends, and are there those of marks with
    /// 0: such a mark has no meaning between blocks (spec §6.1).
    pub fn differs_in_marks(&self, bytes: &[u8]) -> bool {
        let mut other = self.bytes.clone();
        for frame in self.frames() {
            let start = frame.start as u64;
            if append_mark::read(&self.bytes[frame.clone()], start).is_ok() {
                other[frame].copy_from_slice(&append_mark::write(start, State::Appending));
            }
        }
        let mut both = bytes.iter().zip(self.bytes.iter().zip(&other));
        bytes.len() == other.len() && both.all(|(byte, (own, other))| byte == own || byte == other)
    }

    /// The index of the archive.
    pub fn index(&self) -> Index {
        let archive = self.archive();
        Index {
            sources: archive.sources().to_vec(),
            blocks: archive.blocks().to_vec(),
        }
    }

    fn archive(&self) -> Archive {
        Archive::from_read_at(self.bytes.clone(), "a.ign").unwrap()
    }

    /// The archive with other blocks, and with an index and a footer that fit them.
    pub fn with_blocks(&self, blocks: &[&[u8]]) -> Vec<u8> {
        let mut bytes = self.bytes[..self.blocks[0].start].to_vec();
        let mut index = Index::default();
        for block in blocks {
            index.blocks.push(entry(bytes.len(), &index, block));
            bytes.extend_from_slice(block);
        }
        // One source, whose checksum is that of the archive.
        let mut source = self.index().sources[0].clone();
        (source.text_len, source.games) = (index.text_len(), index.games());
        index.sources.push(source);
        self.finished(bytes, &index.write(), (index.games(), index.text_len()))
    }

    /// The archive with this frame as its index, and a footer that fits it.
    pub fn with_index(&self, frame: &[u8]) -> Vec<u8> {
        let end = self.blocks.last().unwrap().end;
        let index = self.index();
        self.finished(
            self.bytes[..end].to_vec(),
            frame,
            (index.games(), index.text_len()),
        )
    }

    /// Writes an index and a footer with totals after blocks.
    fn finished(&self, mut bytes: Vec<u8>, index: &[u8], (games, text_len): (u64, u64)) -> Vec<u8> {
        let footer = Footer {
            index_offset: bytes.len() as u64,
            index_len: index.len() as u64,
            games,
            plies: self.archive().plies(),
            text_len,
            file_len: (bytes.len() + index.len() + footer::LEN) as u64,
        };
        bytes.extend(index);
        bytes.extend(footer.write());
        bytes
    }
}

/// The entry of a block that follows those of an index, at this offset of the file. Of a head that
/// cannot be read the totals are 0.
fn entry(offset: usize, index: &Index, block: &[u8]) -> BlockEntry {
    let head_len = frame::skippable_len(block).unwrap();
    let head = Head::read(&block[..head_len as usize]);
    let (text_len, games) = head.map_or((0, 0), |head| (head.text_len, head.games));
    let head_len = head_len as usize;
    let mut entry = BlockEntry::new(head_len, block.len(), text_len, games);
    entry.offset = offset as u64;
    entry.text_offset = index.text_len();
    entry.first_game = index.games();
    entry.head_checksum = frame::stored_checksum(&block[..head_len]).unwrap();
    entry
}

fn packed(text: &[u8], coding: Coding) -> Vec<u8> {
    packed_by(Packer::new().coding(coding), text)
}

fn packed_by(packer: Packer, text: &[u8]) -> Vec<u8> {
    let input = Input::reader("a.pgn", Cursor::new(text.to_vec()));
    let packed = packer.block_size(1 << 11).pack([input], Vec::new());
    let (bytes, summary) = packed.unwrap();
    assert_eq!(summary.fallbacks.blocks, 0);
    bytes
}

/// An archive with models for evaluations and names that predict nothing: their data are mostly
/// zeros, and short.
fn with_models(text: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut packer = Packer::new();
    let (evals, names) = (EvalNetwork::builtin().data(), NameNetwork::builtin().data());
    for (architecture, data) in [(4, evals), (5, names)] {
        // The varints of the shapes.
        let data = repeated_parameters(&data, 5, &[0]);
        let path = folder.path().join(architecture.to_string());
        fs::write(&path, encode_model(architecture, &data, 3).unwrap().bytes).unwrap();
        packer = packer.model(&ModelFile::open(path).unwrap()).unwrap();
    }
    packed_by(packer, text)
}

/// The archive in a file that `change` changes.
fn changed(archive: &[u8], change: impl FnOnce(&Path)) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    fs::write(&path, archive).unwrap();
    change(&path);
    fs::read(&path).unwrap()
}

fn with_parity(archive: &[u8]) -> Vec<u8> {
    changed(archive, |path| {
        let file = File::options().read(true).write(true).open(path).unwrap();
        ParityBuilder::new(5.0).add_to_file(&file).unwrap();
    })
}

/// The archive with more games.
fn grown(archive: &[u8]) -> Vec<u8> {
    changed(archive, |path| {
        let appender = Appender::open(path).unwrap();
        let packer = appender.packer().unwrap();
        let more = Input::reader("more.pgn", Cursor::new(games(2)));
        appender.append(packer, [more]).unwrap();
    })
}

fn go() -> Vec<u8> {
    let game = |n: usize| {
        let comment = "a quiet move in the corner ".repeat(2 + n * 7 % 23);
        let point = |i: usize| char::from(b'a' + ((i * 7 + n) % 19) as u8);
        let moves: String = (0..30)
            .map(|i| {
                format!(
                    ";{}[{}{}]",
                    ["B", "W"][i % 2],
                    point(i),
                    point(i / 19 * 3 + i)
                )
            })
            .collect();
        format!("(;GM[1]SZ[19]PB[Ann {n}]PW[Ben]RE[B+R]C[{comment}]{moves})\n\n")
    };
    (0..16).map(game).collect::<String>().into_bytes()
}

fn prose() -> Vec<u8> {
    let line = |n: usize| format!("Line {n} of {} words that are no game.\n\n", n * n % 1013);
    (0..400).map(line).collect::<String>().into_bytes()
}
