//! Is the SHA-256 that a site publishes compared with the bytes of the input, however they are
//! read, and kept as long as it is that of a source?

use std::{
    fs::{self, File},
    io::{Cursor, Write},
};

use ign_archive::{
    Appender, Archive, Coding, ErrorKind, Input, Merger, Packer, Recoverer, Result, Sha256,
    Splitter, location::open_archive_file, pack::SplitBy,
};
use ign_testing::{Folder, games};
use sha2::Digest;

fn sha256(bytes: &[u8]) -> Sha256 {
    Sha256::new(sha2::Sha256::digest(bytes).into())
}

fn packer() -> Packer<'static> {
    Packer::new()
        .coding(Coding::Ign)
        .block_size(1 << 12)
        .threads(2)
}

fn packed(input: Input) -> Result<Archive> {
    let (bytes, _) = packer().pack([input], Vec::new())?;
    Archive::from_read_at(bytes, "a.ign")
}

/// The text in frames, after each of which pzstd writes the length of the next one.
fn pzstd(text: &[u8], states_len: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for piece in text.chunks(7000) {
        let frame = if states_len {
            zstd::bulk::compress(piece, 3).unwrap()
        } else {
            zstd::encode_all(piece, 3).unwrap()
        };
        for word in [0x184D_2A50, 4, frame.len() as u32] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend(frame);
    }
    file
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn the_sha256_is_that_of_the_bytes_as_they_are_read() {
    let folder = Folder::new();
    let text = games(200);
    // The SHA-256 of nothing is a well-known value.
    let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(sha256(b"").to_string(), of_nothing);
    let two_members = [gzip(&text[..5000]), gzip(&text[5000..]), vec![0; 512]].concat();
    for (name, bytes, text_len) in [
        ("a.pgn", text.clone(), text.len()),
        ("long.pgn", text.repeat(20), text.len() * 20),
        ("empty.pgn", Vec::new(), 0),
        (
            "a.pgn.zst",
            zstd::encode_all(&text[..], 3).unwrap(),
            text.len(),
        ),
        ("b.pgn.zst", pzstd(&text, true), text.len()),
        ("c.pgn.zst", pzstd(&text, false), text.len()),
        ("a.pgn.gz", two_members, text.len()),
    ] {
        let path = folder.path(name);
        fs::write(&path, &bytes).unwrap();
        let own = sha256(&bytes);
        for right in [
            Input::file(&path),
            Input::reader(name, Cursor::new(bytes.clone())),
        ] {
            let archive = packed(right.sha256(own)).unwrap();
            let source = &archive.sources()[0];
            assert_eq!(source.sha256, Some(own), "{name}");
            assert_eq!(source.text_len, text_len as u64, "{name}");
            archive.verify().unwrap();
        }
        let mut other = own;
        let mut bytes: [u8; 32] = other.as_bytes().try_into().unwrap();
        bytes[31] ^= 1;
        other = Sha256::new(bytes);
        let error = packed(Input::file(&path).sha256(other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert_eq!(error.file(), Some(path.to_str().unwrap()));
        for value in [own, other] {
            assert!(error.message().contains(&value.to_string()), "{error}");
        }
    }
    let part = Input::part(folder.path("a.pgn"), 0..100).sha256(sha256(&text));
    assert_eq!(packed(part).unwrap_err().kind(), ErrorKind::Usage);
}

#[test]
fn the_archive_without_a_sha256_has_none_and_is_the_same_otherwise() {
    let text = games(60);
    let input = || Input::reader("a.pgn", Cursor::new(text.clone()));
    let packed = |input| packer().pack([input], Vec::new()).unwrap().0;
    let (without, with) = (packed(input()), packed(input().sha256(sha256(&text))));
    assert_eq!(with.len(), without.len() + 32);
    let archive = Archive::from_read_at(without.clone(), "a.ign").unwrap();
    assert_eq!(archive.sources()[0].sha256, None);
    let blocks = archive.blocks().last().unwrap().bytes().end as usize;
    assert!(with[..blocks] == without[..blocks]);
}

#[test]
fn a_wrong_number_of_games_is_an_error() {
    let text = games(60);
    let input = || Input::reader("a.pgn", Cursor::new(text.clone()));
    for (stated, is_right) in [(60, true), (59, false), (0, false)] {
        let done = packer()
            .expect_games(stated)
            .pack([input(), input()], Vec::new());
        assert_eq!(done.unwrap_err().kind(), ErrorKind::Corrupt);
        let done = packer().expect_games(stated).pack([input()], Vec::new());
        assert_eq!(done.is_ok(), is_right, "{stated}");
    }
}

#[test]
fn an_append_with_a_wrong_sha256_or_number_changes_nothing() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = games(60);
    let input = || Input::reader("b.pgn", Cursor::new(text.clone()));
    packer()
        .pack([input()], File::create(&path).unwrap())
        .unwrap();
    let before = folder.read("a.ign");
    let append =
        |packer: Packer, input: Input| Appender::open(&path).unwrap().append(packer, [input]);
    let error = append(packer(), input().sha256(sha256(b"other"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(folder.read("a.ign") == before);
    append(packer().expect_games(61), input()).unwrap_err();
    assert!(folder.read("a.ign") == before);
    append(packer().expect_games(60), input().sha256(sha256(&text))).unwrap();
    let archive = Archive::open(&path).unwrap();
    let kept: Vec<_> = archive
        .sources()
        .iter()
        .map(|source| source.sha256)
        .collect();
    assert_eq!(kept, [None, Some(sha256(&text))]);
}

/// The SHA-256 of the sources, and how many sources are parts.
fn kept(archive: &Archive) -> (Vec<Option<Sha256>>, usize) {
    let sources = archive.sources();
    let parts = sources.iter().filter(|source| source.is_part).count();
    (sources.iter().map(|source| source.sha256).collect(), parts)
}

#[test]
fn whole_sources_keep_their_sha256_and_parts_have_none() {
    let folder = Folder::new();
    let texts = [games(60), games(90)];
    let own = texts.each_ref().map(|text| Some(sha256(text)));
    let inputs = texts
        .each_ref()
        .map(|text| Input::reader("a.pgn", Cursor::new(text.clone())).sha256(sha256(text)));
    let (bytes, _) = packer().pack(inputs, Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes.clone(), "a.ign").unwrap();
    assert_eq!(kept(&archive), (own.to_vec(), 0));

    let merged = Merger::new()
        .merge(&[archive.clone(), archive.clone()], Vec::new())
        .unwrap()
        .0;
    let merged = Archive::from_read_at(merged, "b.ign").unwrap();
    assert_eq!(kept(&merged), (own.repeat(2), 0));

    let transcoded = Packer::new()
        .coding(Coding::Weighted)
        .transcode(&archive, Vec::new())
        .unwrap()
        .0;
    assert_eq!(
        kept(&Archive::from_read_at(transcoded, "c.ign").unwrap()),
        (own.to_vec(), 0)
    );

    // The first 60 games are one source, the next 60 a part of the other.
    let split = Splitter::new(SplitBy::Games(60))
        .split(&archive, |_| Ok(Vec::new()))
        .unwrap();
    let split = split
        .parts
        .into_iter()
        .map(|part| kept(&Archive::from_read_at(part.out, "d.ign").unwrap()));
    let expected = [(vec![own[0]], 0), (vec![None], 1), (vec![None], 1)];
    assert_eq!(split.collect::<Vec<_>>(), expected);

    // A block of the second source is damaged.
    let last = archive.blocks().last().unwrap().bytes();
    for (damaged, expected) in [
        (None, (own.to_vec(), 0)),
        (Some(last.start + 20), (vec![own[0], None], 1)),
    ] {
        let mut bytes = bytes.clone();
        if let Some(at) = damaged {
            bytes[at as usize] ^= 1;
        }
        folder.write("bad.ign", bytes);
        let (source, name) = open_archive_file(folder.path("bad.ign")).unwrap();
        let good = folder.path("good.ign");
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&good)
            .unwrap();
        Recoverer::new().recover(&*source, &name, &file).unwrap();
        assert_eq!(
            kept(&Archive::open(&good).unwrap()),
            expected,
            "{damaged:?}"
        );
    }
}
