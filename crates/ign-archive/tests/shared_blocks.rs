//! Do short files share blocks, and does each stay its own: its text, its games, its name?

use std::{collections::BTreeMap, fs, fs::File, io::Cursor};

use ign_archive::{
    Appender, Archive, Coding, GameNumber, Input, Merger, NewFile, Packer, Query, Recoverer,
    Splitter, Unpacker,
    pack::{SplitBy, UnfinishedArchive},
};
use ign_testing::{Folder, cases, commented, games_of_seed};
use proptest::prelude::*;

const BLOCK_SIZE: usize = 1 << 13;

/// Texts that end, or begin, within something.
const ODD: [&str; 16] = [
    "",
    "[Event \"a\"]\n\n1. e4 e5 *",
    "[Event \"b\"]\n[Site \"x\"]\n\n1. d4 {not closed",
    "} d5 2. c4 *\n",
    "[Event \"c\"]\r\n\r\n1. e4 e5 2. Nf3\r\n",
    "2... Nc6 3. Bb5 1-0\n",
    "1-0",
    "[White \"Ann\"]\n",
    "[Black \"Ben\"]\n\n1. c4 (1. g3 *\n",
    "no game\n",
    "\n\n\n",
    "1. f3 e5 2. g4 Qh4# 0-1 ",
    "[Event \"d\"]\n\n*\n\n",
    "\u{feff}[Event \"e\"]\n\n1. a4 *\n",
    "1. e4",
    " e5 2. Ke3 *\n[Event \"f\"]",
];
const GO: [&str; 3] = [
    "(;GM[1]SZ[9];B[aa];W[bb])",
    "(;GM[1]SZ[9];B[aa](;W[bb])",
    "(;GM[1]SZ[19]PB[A]\n;B[cc])\n",
];

fn packer(coding: Coding) -> Packer<'static> {
    Packer::new()
        .coding(coding)
        .block_size(BLOCK_SIZE)
        .level(3)
        .threads(2)
}

fn name(number: usize) -> String {
    format!("{}/game{number:03}.pgn", number / 7)
}

fn inputs(texts: &[Vec<u8>]) -> Vec<Input> {
    let named = texts.iter().enumerate();
    let input =
        |(number, text): (usize, &Vec<u8>)| Input::reader(name(number), Cursor::new(text.clone()));
    named.map(input).collect()
}

fn open(bytes: impl Into<Vec<u8>>) -> Archive {
    Archive::from_read_at(bytes.into(), "a.ign").unwrap()
}

fn packed(texts: &[Vec<u8>], coding: Coding) -> Archive {
    open(packer(coding).pack(inputs(texts), Vec::new()).unwrap().0)
}

/// Texts of all kinds: odd ones, games, Go, UTF-16, and one that is longer than a block.
fn some_texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = ODD.map(|text| text.as_bytes().to_vec()).into();
    texts.extend((0..40).map(|seed| games_of_seed(1 + seed % 3, seed)));
    texts.push(games_of_seed(60, 99));
    texts.extend(GO.map(|text| text.as_bytes().to_vec()));
    let wide = "[Event \"x\"]\n\n1. e4 *\n".encode_utf16();
    texts.push(wide.flat_map(u16::to_le_bytes).collect());
    texts.extend(ODD.map(|text| text.as_bytes().to_vec()));
    texts
}

/// What a game is, wherever it is stored.
type Facts = (Vec<u8>, Vec<String>, Option<String>);

fn facts(archive: &Archive) -> Vec<Facts> {
    let of_game = |game: ign_archive::Game| {
        let moves = match game.kind().unwrap() {
            ign_archive::GameKind::Chess => game.san().unwrap(),
            _ => Vec::new(),
        };
        (
            game.pgn().unwrap().to_vec(),
            moves.iter().map(ToString::to_string).collect(),
            game.tag("Event").unwrap().map(|event| event.to_string()),
        )
    };
    let games = archive.games();
    games.map(|game| of_game(game.unwrap())).collect()
}

/// Compares an archive with the texts that it was packed from, in every way to read files.
fn check(archive: &Archive, texts: &[Vec<u8>]) {
    archive.verify().unwrap();
    let mut all = Vec::new();
    archive.unpack(&mut all).unwrap();
    assert!(all == texts.concat());
    let names: Vec<_> = archive.sources().iter().map(|s| s.name.clone()).collect();
    let expected: Vec<_> = (0..texts.len()).map(|n| name(n).into_bytes()).collect();
    assert_eq!(names, expected);
    let files = archive.source_files();
    let mut written = Vec::new();
    Unpacker::new()
        .unpack_files(
            archive,
            &files,
            |_| Ok(Vec::new()),
            |text| {
                written.push(text);
                Ok(())
            },
        )
        .unwrap();
    assert!(written == texts);
    let every_third: Vec<usize> = (0..texts.len()).step_by(3).collect();
    let some = every_third
        .iter()
        .fold(Unpacker::new(), |unpacker, &number| {
            unpacker.sources(files[number].sources.clone())
        });
    let mut text = Vec::new();
    some.unpack(archive, &mut text).unwrap();
    let expected: Vec<u8> = every_third.iter().flat_map(|&n| texts[n].clone()).collect();
    assert!(text == expected);
}

/// Compares the games with those of an archive for each text.
fn check_games(archive: &Archive, texts: &[Vec<u8>], coding: Coding) {
    let found = facts(archive);
    let ranges = archive.games_of_sources();
    for (number, (text, range)) in texts.iter().zip(&ranges).enumerate() {
        // Alone, text in UTF-16 is an error.
        let others = Input::reader("other", Cursor::new(Vec::new()));
        let own = Input::reader("own", Cursor::new(text.clone()));
        let alone = packer(coding).pack([own, others], Vec::new()).unwrap().0;
        let own = &found[range.start as usize - 1..range.end as usize - 1];
        assert_eq!(
            own,
            facts(&open(alone)),
            "{number}: {}",
            text.escape_ascii()
        );
        for game in range.clone() {
            let game = archive.game(game).unwrap();
            assert_eq!(game.source().name, name(number).as_bytes());
        }
    }
    let listed = {
        let mut out = Vec::new();
        archive.list(.., &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    for (line, game) in listed.lines().zip(1..) {
        let number = ranges
            .iter()
            .position(|range| range.contains(&game))
            .unwrap();
        assert!(line.ends_with(&format!("\t{}", name(number))), "{line}");
        let query = file_query(&name(number));
        assert!(query.matches(&archive.game(game).unwrap()).unwrap());
    }
    for (number, range) in ranges.iter().enumerate() {
        let found = archive.find(&file_query(&name(number))).unwrap();
        let numbers: Vec<u64> = found.into_iter().map(GameNumber::get).collect();
        assert_eq!(numbers, range.clone().collect::<Vec<_>>());
    }
}

fn file_query(name: &str) -> Query {
    let mut query = Query::new();
    query.set("file", name).unwrap();
    query
}

#[test]
fn short_files_share_blocks_and_stay_their_own() {
    let texts = some_texts();
    for &coding in Coding::ALL {
        let archive = packed(&texts, coding);
        // Before the long text, it and its rest, the games of Go, and what follows.
        assert!(archive.blocks().len() < 20, "{}", archive.blocks().len());
        check(&archive, &texts);
        check_games(&archive, &texts, coding);
        let bytes = archive.block_bytes(0).unwrap();
        let one_thread = packer(coding).threads(1).pack(inputs(&texts), Vec::new());
        assert!(open(one_thread.unwrap().0).block_bytes(0).unwrap() == bytes);
        for block_size in [1 << 16, Packer::DEFAULT_BLOCK_SIZE] {
            let packer = packer(coding).block_size(block_size);
            check(
                &open(packer.pack(inputs(&texts), Vec::new()).unwrap().0),
                &texts,
            );
        }
    }
}

#[test]
fn archives_do_not_depend_on_the_number_of_threads() {
    let texts = some_texts();
    let pack = |threads| {
        packer(Coding::Ign)
            .threads(threads)
            .pack(inputs(&texts), Vec::new())
    };
    let (one, three) = (pack(1).unwrap(), pack(3).unwrap());
    assert_eq!(one.1, three.1);
    assert!(one.0 == three.0);
}

#[test]
fn a_thousand_files_take_little_more_than_one() {
    let texts: Vec<_> = (0..1000).map(|seed| games_of_seed(1, seed)).collect();
    let pack = |inputs| {
        Packer::new()
            .coding(Coding::Ign)
            .pack(inputs, Vec::new())
            .unwrap()
            .0
    };
    let together = pack(inputs(&texts));
    let one = pack(vec![Input::reader("a.pgn", Cursor::new(texts.concat()))]);
    assert!(
        together.len() < one.len() * 5 / 4,
        "{} {}",
        together.len(),
        one.len()
    );
    let archive = open(together);
    assert_eq!((archive.blocks().len(), archive.len()), (1, 1000));
    check(&archive, &texts);
    let wanted: Vec<_> = (0..1000).step_by(10).map(GameNumber::from_index).collect();
    let (some, _) = packer(Coding::Ign)
        .pack_games(&archive, &wanted, Vec::new())
        .unwrap();
    let some = open(some);
    let names: Vec<_> = some
        .sources()
        .iter()
        .map(|source| source.name.clone())
        .collect();
    let expected: Vec<_> = (0..1000)
        .step_by(10)
        .map(|n| name(n).into_bytes())
        .collect();
    assert_eq!(names, expected);
    assert_eq!(some.len(), 100);
}

#[test]
fn texts_whose_tags_have_no_room_in_one_block_get_several() {
    let text = |first: usize| {
        let tags: String = (first..first + 250)
            .map(|n| format!("[T{n} \"x\"]\n"))
            .collect();
        format!("{tags}\n1. e4 *\n").into_bytes()
    };
    let texts: Vec<_> = (0..40).map(|n| text(n * 250)).collect();
    let packer = || packer(Coding::Ign).block_size(1 << 20);
    let archive = open(packer().pack(inputs(&texts), Vec::new()).unwrap().0);
    assert_eq!(archive.blocks().len(), 4);
    check(&archive, &texts);
    check_games(&archive, &texts, Coding::Ign);
    for game in archive.games() {
        assert_eq!(game.unwrap().tags().unwrap().count(), 250);
    }
}

#[test]
fn a_stopped_run_goes_on() {
    let folder = Folder::new();
    let texts = some_texts();
    let (path, part) = (folder.path("a.ign"), folder.path("a.ign.part"));
    let (whole, summary) = packer(Coding::Ign)
        .pack(inputs(&texts), Vec::new())
        .unwrap();
    for len in (0..whole.len()).step_by(cases(2999, 501)) {
        fs::write(&part, &whole[..len]).unwrap();
        let file = NewFile::resume(&path, true).unwrap();
        let kept = UnfinishedArchive::of(&file).unwrap();
        let packer = packer(Coding::Ign).resume(kept);
        let (file, resumed) = packer.pack(inputs(&texts), file).unwrap();
        file.finish().unwrap();
        assert_eq!(resumed, summary);
        assert!(fs::read(&path).unwrap() == whole, "{len}");
    }
    // The same text in other files is refused where the files end within records.
    let shift = |at: usize| {
        let mut other = texts.clone();
        let byte = other[at + 1].remove(0);
        other[at].push(byte);
        other
    };
    fs::write(&part, &whole[..whole.len() - 200]).unwrap();
    let file = NewFile::resume(&path, true).unwrap();
    let packer = packer(Coding::Ign).resume(UnfinishedArchive::of(&file).unwrap());
    packer.pack(inputs(&shift(20)), file).unwrap_err();
}

#[test]
fn appended_and_merged_archives_keep_their_files() {
    let folder = Folder::new();
    let texts = some_texts();
    let path = folder.path("a.ign");
    packer(Coding::Ign)
        .pack(inputs(&texts), File::create(&path).unwrap())
        .unwrap();
    let appender = Appender::open(&path).unwrap();
    appender
        .append(packer(Coding::Ign), inputs(&texts))
        .unwrap();
    let grown = Archive::open(&path).unwrap();
    let one = packed(&texts, Coding::Ign);
    let (merged, _) = Merger::new()
        .merge(&[one.clone(), one.clone()], Vec::new())
        .unwrap();
    let transcoded = Packer::new()
        .coding(Coding::Weighted)
        .transcode(&grown, Vec::new());
    for archive in [grown, open(merged), open(transcoded.unwrap().0)] {
        archive.verify().unwrap();
        assert_eq!(archive.sources(), [one.sources(), one.sources()].concat());
        let mut text = Vec::new();
        archive.unpack(&mut text).unwrap();
        assert!(text == texts.concat().repeat(2));
    }
}

/// The text of each file of archives, joined.
fn by_name(archives: &[Archive]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut texts: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for archive in archives {
        for (number, source) in archive.sources().iter().enumerate() {
            let text = texts.entry(source.name.clone()).or_default();
            let unpacker = Unpacker::new().sources(number..number + 1);
            unpacker.unpack(archive, text).unwrap();
        }
    }
    texts
}

#[test]
fn archives_are_divided_within_blocks_by_file_games_bytes_and_tags() {
    let texts = some_texts();
    let archive = packed(&texts, Coding::Weighted);
    let named = |text: &Vec<u8>| !text.is_empty();
    let expected: BTreeMap<_, _> = (0..texts.len())
        .map(|number| (name(number).into_bytes(), texts[number].clone()))
        .filter(|(_, text)| named(text))
        .collect();
    for by in [
        SplitBy::Source,
        SplitBy::Games(7),
        SplitBy::Games(1),
        SplitBy::Bytes(5000),
        SplitBy::Tag("Event".into()),
        SplitBy::Year,
    ] {
        let split = Splitter::new(by.clone()).split(&archive, |_| Ok(Vec::new()));
        let split = match split {
            Err(error) if by != SplitBy::Source => {
                // Text whose games are not recognized alone cannot be divided there.
                assert_eq!(error.kind(), ign_archive::ErrorKind::Unsupported, "{by:?}");
                continue;
            }
            split => split.unwrap(),
        };
        let parts: Vec<_> = split.parts.into_iter().map(|part| open(part.out)).collect();
        for part in &parts {
            part.verify().unwrap();
        }
        let sum: u64 = parts.iter().map(Archive::len).sum();
        assert_eq!(sum, archive.len(), "{by:?}");
        if by == SplitBy::Source {
            assert_eq!(parts.len(), expected.len());
        }
        let is_in_order = !matches!(by, SplitBy::Tag(_) | SplitBy::Year);
        if is_in_order {
            assert!(by_name(&parts) == expected, "{by:?}");
            let (merged, _) = Merger::new().merge(&parts, Vec::new()).unwrap();
            let mut text = Vec::new();
            open(merged).unpack(&mut text).unwrap();
            assert!(text == texts.concat(), "{by:?}");
        }
    }
}

fn recovered(bytes: &[u8]) -> Option<(ign_archive::recover::Recovered, Vec<u8>)> {
    let file = tempfile::tempfile().unwrap();
    let report = Recoverer::new().recover(&bytes, "a.ign", &file).ok()?;
    let mut out = Vec::new();
    let mut file = file;
    std::io::Seek::rewind(&mut file).unwrap();
    std::io::Read::read_to_end(&mut file, &mut out).unwrap();
    Some((report, out))
}

#[test]
fn of_a_damaged_block_what_is_whole_is_recovered_with_its_file() {
    let texts: Vec<_> = (0..60)
        .map(|seed| commented(&games_of_seed(1 + seed % 2, seed)))
        .collect();
    let archive = packed(&texts, Coding::Ign);
    let blocks = archive.blocks();
    assert!(blocks.len() > 3);
    let bytes = packer(Coding::Ign)
        .pack(inputs(&texts), Vec::new())
        .unwrap()
        .0;
    let (mut lost, mut reduced) = (0, 0);
    let block = blocks[1];
    for at in (block.offset..block.offset + block.stored_len).step_by(cases(97, 11)) {
        let mut damaged = bytes.clone();
        damaged[at as usize] ^= 0x20;
        let (report, out) = recovered(&damaged).unwrap();
        let good = open(out);
        good.verify().unwrap();
        lost += report.lost.len();
        reduced += report.reduced.len();
        // Files that are whole have their text, others are parts.
        for (file, text) in by_name(std::slice::from_ref(&good)) {
            let number = (0..texts.len()).find(|&n| name(n).as_bytes() == file);
            let source = good
                .sources()
                .iter()
                .find(|source| source.name == file)
                .unwrap();
            assert!(source.is_part || text == texts[number.unwrap()]);
        }
        let whole = good
            .sources()
            .iter()
            .filter(|source| !source.is_part)
            .count();
        let in_block = archive
            .sources()
            .iter()
            .scan(0, |end, source| {
                *end += source.text_len;
                Some(*end)
            })
            .filter(|&end| end > block.text_offset && end <= block.text_offset + block.text_len)
            .count();
        assert!(
            whole == texts.len() - in_block || whole == texts.len(),
            "{at}"
        );
    }
    assert!(lost > 0 && reduced > 0, "{lost} {reduced}");
    // Without the index too.
    let mut damaged = bytes.clone();
    let index = blocks.last().unwrap().bytes().end as usize;
    damaged[index + 20] ^= 1;
    let (_, out) = recovered(&damaged).unwrap();
    let good = open(out);
    good.verify().unwrap();
    let mut text = Vec::new();
    good.unpack(&mut text).unwrap();
    assert!(text == texts.concat());
}

#[test]
fn a_sha256_is_kept_by_files_that_share_a_block() {
    use sha2::Digest;
    let texts: Vec<_> = (0..4).map(|seed| games_of_seed(1, seed)).collect();
    let sum = |text: &[u8]| ign_archive::Sha256::new(sha2::Sha256::digest(text).into());
    let stated = |inputs: Vec<Input>| -> Vec<Input> {
        let stated = inputs.into_iter().zip(&texts);
        stated
            .map(|(input, text)| input.sha256(sum(text)))
            .collect()
    };
    let (bytes, _) = packer(Coding::Ign)
        .pack(stated(inputs(&texts)), Vec::new())
        .unwrap();
    let archive = open(bytes);
    assert_eq!(archive.blocks().len(), 1);
    let kept: Vec<_> = archive
        .sources()
        .iter()
        .map(|source| source.sha256)
        .collect();
    assert_eq!(
        kept,
        texts.iter().map(|text| Some(sum(text))).collect::<Vec<_>>()
    );
    let mut other = texts.clone();
    other[2][9] ^= 1;
    packer(Coding::Ign)
        .pack(stated(inputs(&other)), Vec::new())
        .unwrap_err();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24, 400)))]

    #[test]
    fn any_files_come_back_with_the_games_that_they_have_alone(
        picks in prop::collection::vec((0usize..24, 0u64..9), 0..12),
    ) {
        let text = |&(pick, seed): &(usize, u64)| match pick {
            0..16 => ODD[pick].as_bytes().to_vec(),
            16..19 => GO[pick - 16].as_bytes().to_vec(),
            19..23 => games_of_seed(1 + seed, seed),
            _ => games_of_seed(40, seed),
        };
        let texts: Vec<_> = picks.iter().map(text).collect();
        let archive = packed(&texts, Coding::Ign);
        check(&archive, &texts);
        check_games(&archive, &texts, Coding::Ign);
    }
}
