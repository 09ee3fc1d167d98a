//! Writes what the fuzzers begin with, in a folder for each target below the folder `corpus`.

use std::{error::Error, fs, io, path::Path};

use ign_archive::{Coding, query::CONDITIONS};
use ign_format::block::{
    decode::Block,
    encode::{Options, encode},
    go,
};
use ign_fuzz::{CLOCKS, GO, ODD, VARIANTS};

fn main() -> Result<(), Box<dyn Error>> {
    let sample = ign_fuzz::sample(3);
    let texts = [ODD, CLOCKS, VARIANTS].map(str::as_bytes);
    for (number, text) in texts.into_iter().chain([&sample[..]]).enumerate() {
        write("text", &number.to_string(), text)?;
        write("pgn", &number.to_string(), text)?;
        for &coding in Coding::ALL {
            let options = Options {
                coding,
                ..Options::default()
            };
            let block = encode(text.to_vec(), &options)?;
            let name = format!("{number}-{coding:?}");
            write("block", &name, &block.bytes)?;
            let archive = ign_fuzz::pack(text, coding, 1 << 10);
            write("archive", &name, &archive)?;
            write("recover", &name, &archive)?;
            let grown = ign_fuzz::grown(&archive, text);
            write("recover", &format!("{name}-grown"), &grown)?;
        }
    }
    // Any bytes are games for these targets. A fuzzer without long ones begins with single bytes.
    for target in ["games", "grow"] {
        write(target, "0", &sample)?;
    }
    for model in 0..4 {
        for (number, parameters) in [&[0][..], &[127, 128], &[3, 250, 77]].iter().enumerate() {
            let bytes = [&[model, 2, 9], *parameters].concat();
            write("model", &format!("{model}-{number}"), &bytes)?;
        }
    }
    write("index", "0", &ign_fuzz::indexed().1)?;
    write("sgf", "0", GO.as_bytes())?;
    let block = go::encode(GO.into(), &Options::default())?;
    write("block", "go", &block.bytes)?;
    write(
        "archive",
        "go",
        &ign_fuzz::pack(GO.as_bytes(), Coding::Weighted, 1 << 10),
    )?;
    for (which, block) in ign_fuzz::blocks().iter().enumerate() {
        let block = Block::open(block)?;
        for column in 0..block.head().columns.len() {
            for (stream, bytes) in block.streams(column)?.iter().enumerate() {
                let place = [which, column, stream].map(|n| n as u8);
                let name = format!("{which}-{column}-{stream}");
                write("column", &name, &[&place, &bytes[..]].concat())?;
            }
        }
    }
    for (number, token) in [
        "e4", "exd5", "Nf3", "O-O", "Qxf7#", "e8=Q+", "Nbd2", "0-0-0", "e2e4",
    ]
    .iter()
    .enumerate()
    {
        let game = [&[12, 3, 7, 19, 4, 0, 255], token.as_bytes()].concat();
        write("san", &number.to_string(), &game)?;
    }
    for (number, condition) in CONDITIONS.iter().enumerate() {
        let line = [&[number as u8], condition.example.as_bytes()].concat();
        write("query", &number.to_string(), &line)?;
    }
    for (number, target) in TARGETS.iter().enumerate() {
        write(
            "http",
            &number.to_string(),
            format!("GET\n{target}\naccept: */*").as_bytes(),
        )?;
    }
    Ok(())
}

/// Paths and queries of requests.
const TARGETS: &[&str] = &[
    "/lichess?fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F4P3%2F8%2FPPPP1PPP%2FRNBQKBNR+b+KQkq+-+0+1",
    "/lichess?play=e2e4,e7e5&speeds=blitz&ratings=1600,1800&moves=3&topGames=2&recentGames=1",
    "/masters?since=1952&until=2020",
    "/player?player=Ann&color=white&modes=rated",
    "/masters/pgn/abcdefgh",
    "/api/games?white_elo=1500..&limit=5&from=2",
    "/api/games.pgn?player=A*",
    "/api/game/1",
    "/api/position?fen=8/8/8/8/8/8/8/K6k%20w%20-%20-%200%201",
    "/api/sources",
    "/api/stats",
    "/",
];

fn write(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = Path::new("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}
