//! Helpers for tests and benchmarks: conversion from shakmaty, random numbers, corpora, an HTTP
//! server.

mod file_server;

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

pub use file_server::{FileServer, Manner, Request};
use ign_notation::chess::{Move, Position};
use shakmaty::{CastlingMode, CastlingSide, Chess, FromSetup, Square};

/// Converts a move of shakmaty, by an independent implementation of the castling rule of [`Move`].
pub fn ours(m: shakmaty::Move) -> Move {
    let shakmaty::Move::Castle { king, rook } = m else {
        return Move::new(m.from().unwrap(), m.to(), m.promotion());
    };
    let standard = matches!(
        (king, rook),
        (Square::E1, Square::A1 | Square::H1) | (Square::E8, Square::A8 | Square::H8)
    );
    let to = match CastlingSide::from_king_side(king < rook) {
        _ if !standard => rook,
        CastlingSide::KingSide => king.offset(2).unwrap(),
        CastlingSide::QueenSide => king.offset(-2).unwrap(),
    };
    Move::new(king, to, None)
}

/// The position of a FEN in both representations.
pub fn both(fen: &str) -> (Position, Chess) {
    let setup = fen.parse::<shakmaty::fen::Fen>().unwrap().into_setup();
    let theirs = Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
        .unwrap();
    (Position::from_fen(fen.as_bytes()).unwrap(), theirs)
}

/// Generated games, each with a comment of its own length.
pub fn commented(games: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(games).unwrap();
    let mut number = 0;
    let words = [
        "better", "was", "the", "knight", "on", "f3", "now", "White", "wins",
    ];
    let lines = text.split_inclusive('\n').map(|line| {
        if line.starts_with("1. ") {
            number += 1;
            let comment: Vec<_> = (0..120 + 7 * number % 90)
                .map(|i| words[(i * i + i * number) % words.len()])
                .collect();
            line.replacen("1. ", &format!("{{{}}} 1. ", comment.join(" ")), 1)
        } else {
            line.to_owned()
        }
    });
    lines.collect::<String>().into_bytes()
}

/// The Chess960 starting position with this Scharnagl number.
pub fn chess960(number: u32) -> (Position, Chess) {
    let board = shakmaty::Board::chess960(number);
    let rank = board.board_fen().to_string();
    both(&format!("{rank} w KQkq - 0 1"))
}

/// SplitMix64: the same numbers on every machine.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// The path of a corpus; `None`, with a message on stderr, if it is not available.
pub fn corpus_path(name: &str) -> Option<PathBuf> {
    let directory = std::env::var_os("IGN_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = directory.join(name);
    if !path.is_file() {
        eprintln!("skipped: no corpus at {} (set IGN_DATA)", path.display());
        return None;
    }
    Some(path)
}

/// A reader of the decompressed text of a corpus; `None`, with a message on stderr, if the corpus
/// is not available.
pub fn corpus(name: &str) -> Option<impl std::io::BufRead> {
    let file = File::open(corpus_path(name)?).unwrap();
    let decoder = zstd::Decoder::new(file).unwrap();
    Some(BufReader::with_capacity(1 << 16, decoder))
}
