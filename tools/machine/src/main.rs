//! Packs, appends, indexes, recovers and searches on this machine, for comparison with others:
//! `tools/machines.sh`.
//!
//! ```sh
//! ign-machine FOLDER           # writes CODING.ign, CODING.ign.idx, CODING.ign.recovered and CODING.found
//! ign-machine --read FOLDER    # reads what another machine wrote
//! ```

use std::{error::Error, fs, path::Path};

use ign_archive::{
    Appender, Archive, Coding, Input, Packer, Query, Recoverer,
    index::{self, IndexBuilder},
    parity::ParityBuilder,
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [read, folder] if read == "--read" => Coding::ALL.iter().try_for_each(|&coding| {
            let path = Path::new(folder).join(format!("{}.ign", coding.name()));
            check(&path)
        }),
        [folder] => write_all(Path::new(folder)),
        _ => Err("usage: ign-machine FOLDER, or ign-machine --read FOLDER".into()),
    }
}

/// Writes the files of each coding, and checks them.
fn write_all(folder: &Path) -> Result<(), Box<dyn Error>> {
    Coding::ALL.iter().try_for_each(|&coding| {
        let path = folder.join(format!("{}.ign", coding.name()));
        write(coding, &path)?;
        check(&path)
    })
}

/// Packs generated games, adds parity and an index, and appends games. Writes the games that are
/// found, and what is recovered after damage.
fn write(coding: Coding, path: &Path) -> Result<(), Box<dyn Error>> {
    let file = fs::File::create_new(path)?;
    let packer = Packer::new().coding(coding).block_size(1 << 16);
    let (_, packed) = packer.pack([games(150)?], file)?;
    if packed.fallbacks.blocks > 0 {
        return Err("a block does not decode to its text".into());
    }
    let file = fs::File::options().read(true).write(true).open(path)?;
    ParityBuilder::new(2.0).add_to_file(&file)?;
    // The archive is locked until the file is closed.
    drop(file);
    let archive = Archive::open(path)?.with_search_index(false);
    IndexBuilder::new().build_file(index::path_of(path), &[archive])?;
    let appender = Appender::open(path)?;
    let packer = appender.packer()?;
    appender.append(packer, [games(60)?])?;
    let archive = Archive::open(path)?.with_search_index(false);
    IndexBuilder::new().extend(index::path_of(path), &[archive])?;
    fs::write(path.with_extension("found"), found(path)?)?;

    let mut damaged = fs::read(path)?;
    let middle = damaged.len() / 2;
    damaged[middle..middle + 100].fill(0);
    let recovered = path.with_extension("ign.recovered");
    let out = fs::File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&recovered)?;
    Recoverer::new().recover(&damaged, path, &out)?;
    assert!(
        fs::read(recovered)? == fs::read(path)?,
        "parity repairs the archive"
    );
    Ok(())
}

/// Generated games, compressed.
fn games(count: u64) -> Result<Input, Box<dyn Error>> {
    let mut text = Vec::new();
    ign_sample::Sample::new(count, 7).write(&mut text)?;
    let text = zstd::encode_all(&text[..], 3)?;
    Ok(Input::reader("games.pgn.zst", std::io::Cursor::new(text)))
}

/// Verifies an archive and compares the games that are found in it.
fn check(path: &Path) -> Result<(), Box<dyn Error>> {
    Archive::open(path)?.verify()?;
    assert_eq!(
        found(path)?,
        fs::read_to_string(path.with_extension("found"))?
    );
    Ok(())
}

/// The numbers of games by conditions of several kinds, with and without the index.
fn found(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut lines = String::new();
    for (name, text) in [
        ("white_elo", "1600.."),
        ("player", "a*"),
        ("opening", "1. e4 e5 2. Nf3"),
        (
            "position",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ),
        ("material", "KRPvKR"),
        ("plies", "..40"),
    ] {
        let mut query = Query::default();
        query.set(name, text)?;
        let found = Archive::open(path)?.find(&query)?;
        assert_eq!(
            found,
            Archive::open(path)?.with_search_index(false).find(&query)?,
            "{name}"
        );
        lines += &format!("{name} {text}: {found:?}\n");
    }
    Ok(lines)
}

#[test]
fn this_machine_writes_what_it_reads() {
    write_all(&ign_testing::Folder::new().path("")).unwrap();
}
