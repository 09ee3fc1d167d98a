//! Writes what the fuzzers begin with: texts, blocks of them and an index, below the folder `corpus`.

use std::{error::Error, fs, io, ops::ControlFlow, path::Path};

use ign_archive::{
    Archive, Input, Packer,
    index::{self, Sections},
};
use ign_format::block::{
    Coding,
    encode::{Options, encode},
    go,
};
use ign_sample::Sample;

const ODD: &str = "[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
    1. e4 {a comment} (1. e3 {no} e5) 1... Kd7 $1 2. Kh8 not a move\n\n; the end\n";
const CLOCKS: &str = "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\
    [UTCDate \"2020.01.02\"]\n[UTCTime \"03:04:05\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1510\"]\n\
    [WhiteRatingDiff \"+6\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn Game\"]\n[TimeControl \"180+2\"]\n\
    [Termination \"Normal\"]\n[Result \"1-0\"]\n\n1. e4 { [%eval 0.3] [%clk 0:03:00] } \
    1... e5 { [%eval 0.2] [%clk 0:03:00] } 2. Qh5?! { (0.2 → -0.5) Inaccuracy. Nf3 was best. } \
    (2. Nf3 Nc6 3. Bb5) 2... Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n\n";
const CRAZY: &str = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 Qe5 *\n\n\
    [Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 c6 3. Nb5 1-0\n";
const GO: &str = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[a]PW[b];B[ee];W[ce]C[so];B[];W[]RE[B+3.5])\n\
    (;GM[1]SZ[19]HA[2]AB[dd][pp];W[qd](;B[dq])(;B[cc]))\n";

fn main() -> Result<(), Box<dyn Error>> {
    let mut sample = Vec::new();
    Sample::new(3, 1).write(&mut sample)?;
    let texts = [ODD.as_bytes(), CLOCKS.as_bytes(), CRAZY.as_bytes(), &sample];
    for (number, text) in texts.into_iter().enumerate() {
        write("text", &number.to_string(), text)?;
        for coding in Coding::ALL {
            let options = Options {
                coding,
                ..Options::default()
            };
            let block = encode(text.to_vec(), &options)?;
            write("block", &format!("{number}-{coding:?}"), &block.bytes)?;
        }
    }
    let mut pgn = Vec::new();
    Sample::new(40, 1).write(&mut pgn)?;
    let input = Input::reader("sample.pgn", io::Cursor::new(pgn));
    let (bytes, _) = Packer::new().pack([input], Vec::new())?;
    let archive = Archive::from_source(bytes, "sample.ign")?;
    let mut bytes = Vec::new();
    let on_progress = |_| ControlFlow::Continue(());
    index::build(&[archive], Sections::ALL, &mut bytes, on_progress)?;
    write("index", "0", &bytes)?;
    write("sgf", "0", GO.as_bytes())?;
    let block = go::encode(GO.as_bytes().to_vec(), &Options::default())?;
    write("block", "go", &block.bytes)?;
    Ok(())
}

fn write(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = Path::new("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}
