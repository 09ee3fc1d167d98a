//! Are the archives that an archive is split into together the archive?

use std::io::Cursor;

use ign_archive::{
    Archive, Coding, ErrorKind, Input, Merger, Packer, Result, Splitter,
    pack::{Split, SplitBy},
};
use ign_format::container::{
    footer,
    frame::{self, Kind},
    index::Index,
};
use ign_testing::games_of_seed;
use proptest::prelude::*;

use crate::recover::names_model;

fn packed(texts: &[Vec<u8>], coding: Coding) -> Archive {
    Archive::from_read_at(packed_bytes(texts, coding), "a.ign").unwrap()
}

fn packed_bytes(texts: &[Vec<u8>], coding: Coding) -> Vec<u8> {
    let names = (0..).map(|number| format!("input-{number}.pgn"));
    let inputs = names.zip(texts);
    let inputs = inputs.map(|(name, text)| Input::reader(name, Cursor::new(text.clone())));
    let packer = Packer::new().coding(coding).block_size(1 << 12).level(3);
    packer.pack(inputs, Vec::new()).unwrap().0
}

fn parts(splitting: &Split<Vec<u8>>) -> Vec<Archive> {
    let parts = splitting.parts.iter();
    let archives: Vec<_> = parts
        .map(|part| {
            let archive = Archive::from_read_at(part.out.clone(), &part.name).unwrap();
            archive.verify().unwrap();
            assert_eq!(part.summary.games, archive.len());
            assert_eq!(part.summary.archive_len, part.out.len() as u64);
            archive
        })
        .collect();
    let blocks: usize = archives.iter().map(|part| part.blocks().len()).sum();
    assert_eq!(
        blocks as u64,
        splitting.copied_blocks + splitting.encoded_blocks
    );
    archives
}

fn split_to_memory(archive: &Archive, by: &SplitBy) -> Result<Split<Vec<u8>>> {
    Splitter::new(by.clone()).split(archive, |_| Ok(Vec::new()))
}

fn unpacked(archive: &Archive) -> Vec<u8> {
    let mut text = Vec::new();
    archive.unpack(&mut text).unwrap();
    text
}

/// Texts with games, text before, between and after them, and without games.
fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop_oneof![
        4 => (1u64..60, any::<u64>()).prop_map(|(count, seed)| games_of_seed(count, seed)),
        2 => (1u64..30, any::<u64>()).prop_map(|(count, seed)| {
            let text = String::from_utf8(games_of_seed(count, seed)).unwrap();
            let text = text.replace("\n\n[Event", "\n\n; a line between games\n\n% and one more\n\n[Event");
            format!("before all games\n\n{text}after all games").into_bytes()
        }),
        1 => (1usize..400).prop_map(|n| b"no game at all\n".repeat(n)),
        1 => Just(Vec::new()),
    ];
    prop::collection::vec(text, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn archives_of_some_games_each_merge_to_the_text(
        texts in texts(),
        each in 1u64..50,
        coding in prop::sample::select(Coding::ALL.to_vec()),
    ) {
        let archive = packed(&texts, coding);
        prop_assume!(!archive.blocks().is_empty());
        let splitting = split_to_memory(&archive, &SplitBy::Games(each)).unwrap();
        let parts = parts(&splitting);
        let count = archive.len().div_ceil(each).max(1);
        prop_assert_eq!(parts.len() as u64, count);
        for part in &parts[..parts.len() - 1] {
            prop_assert_eq!(part.len(), each);
        }
        let (merged, _) = Merger::new().merge(&parts, Vec::new()).unwrap();
        let merged = Archive::from_read_at(merged, "merged").unwrap();
        merged.verify().unwrap();
        prop_assert!(unpacked(&merged) == texts.concat());
        prop_assert_eq!(merged.len(), archive.len());
        prop_assert_eq!(merged.plies(), archive.plies());
        // Inputs that are not divided keep their checksums, others their names.
        for source in archive.sources() {
            let named: Vec<_> = merged.sources().iter().filter(|s| s.name == source.name).collect();
            prop_assert!(!named.is_empty() || source.text_len == 0);
            prop_assert!(named.len() < 2 || named.iter().all(|s| s.is_part));
        }
    }

    #[test]
    fn archives_of_some_bytes_each_are_no_longer_and_merge_to_the_text(
        texts in texts(),
        limit in 2500u64..20_000,
        coding in prop::sample::select(Coding::ALL.to_vec()),
    ) {
        let archive = packed(&texts, coding);
        prop_assume!(!archive.blocks().is_empty());
        let splitting = split_to_memory(&archive, &SplitBy::Bytes(limit)).unwrap();
        let parts = parts(&splitting);
        for part in &parts {
            prop_assert!(part.file_len() <= limit, "{} > {limit}", part.file_len());
        }
        let (merged, _) = Merger::new().merge(&parts, Vec::new()).unwrap();
        let merged = Archive::from_read_at(merged, "merged").unwrap();
        prop_assert!(unpacked(&merged) == texts.concat());
        prop_assert_eq!(merged.len(), archive.len());
    }

    #[test]
    fn archives_of_values_have_all_games_of_their_value_in_order(
        texts in texts(),
        tag in prop::sample::select(vec!["Event", "result", "TimeControl"]),
        coding in prop::sample::select(vec![Coding::Ign, Coding::Weighted]),
    ) {
        let archive = packed(&texts, coding);
        prop_assume!(!archive.is_empty());
        let splitting = split_to_memory(&archive, &SplitBy::Tag(tag.to_owned())).unwrap();
        let parts = parts(&splitting);
        let name = match tag {
            "result" => "Result",
            name => name,
        };
        let text_len: u64 = parts.iter().map(Archive::text_len).sum();
        prop_assert_eq!(text_len, archive.text_len());
        let mut found = 0;
        for part in &parts {
            let first = part.game(1).unwrap();
            let value = first.tag(name).unwrap();
            let of_value = archive.games().map(|game| game.unwrap());
            let mut expected = of_value.filter(|game| game.tag(name).unwrap() == value);
            for game in part.games() {
                found += 1;
                let expected = expected.next().unwrap();
                let (game, expected) = (game.unwrap(), expected.pgn().unwrap().to_vec());
                prop_assert_eq!(game.pgn().unwrap(), &expected[..]);
            }
            prop_assert!(expected.next().is_none());
        }
        prop_assert_eq!(found, archive.len());
    }
}

/// Games of some days, each with this many games.
fn days(days: &[(&str, usize)]) -> Vec<u8> {
    let game = |(day, count): &(&str, usize)| {
        format!("[Event \"?\"]\n[Date \"{day}\"]\n[White \"A player with a long name\"]\n\n1. e4 e5 2. Nf3 *\n\n")
            .repeat(*count)
    };
    days.iter().map(game).collect::<String>().into_bytes()
}

#[test]
fn whole_blocks_are_copied_and_only_the_blocks_between_are_encoded() {
    let text = days(&[
        ("2013.01.05", 300),
        ("2013.02.01", 300),
        ("2014.02.??", 300),
    ]);
    let archive = packed(&[text], Coding::Ign);
    let blocks = archive.blocks().len() as u64;
    for (by, names, cuts) in [
        (SplitBy::Year, &["2013", "2014"][..], 1),
        (SplitBy::Month, &["2013-01", "2013-02", "2014-02"], 2),
        (SplitBy::Day, &["2013-01-05", "2013-02-01", "2014-02-xx"], 2),
        (SplitBy::Games(450), &["001", "002"], 1),
        (SplitBy::Games(1000), &["001"], 0),
    ] {
        let splitting = split_to_memory(&archive, &by).unwrap();
        parts(&splitting);
        let found: Vec<_> = splitting.parts.iter().map(|part| &part.name[..]).collect();
        assert_eq!(found, names, "{by:?}");
        assert_eq!(splitting.copied_blocks, blocks - cuts, "{by:?}");
        assert_eq!(splitting.encoded_blocks, 2 * cuts, "{by:?}");
        if cuts == 0 {
            let part = &parts(&splitting)[0];
            assert_eq!(part.sources(), archive.sources());
        }
    }
}

#[test]
fn every_input_becomes_an_archive_again() {
    let texts = [
        games_of_seed(30, 1),
        Vec::new(),
        b"no game\n".to_vec(),
        games_of_seed(25, 2),
        games_of_seed(20, 3),
    ];
    let names = ["a.pgn", "empty", "note.txt", "A.pgn.zst", ""];
    let inputs = names.iter().zip(&texts);
    let inputs = inputs.map(|(name, text)| Input::reader(*name, Cursor::new(text.clone())));
    let packer = Packer::new().block_size(1 << 12).level(3);
    let (bytes, _) = packer.pack(inputs, Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes, "a.ign").unwrap();
    let check = |archive: &Archive| {
        let splitting = split_to_memory(archive, &SplitBy::Source).unwrap();
        let names: Vec<&str> = splitting.parts.iter().map(|part| &*part.name).collect();
        assert_eq!(names, ["a", "note.txt", "A-2", "standard_input"]);
        assert_eq!(splitting.encoded_blocks, 0);
        let parts = parts(&splitting);
        let texts = texts.iter().filter(|text| !text.is_empty());
        for (part, text) in parts.iter().zip(texts) {
            assert!(unpacked(part) == *text);
        }
        parts
    };
    let parts_of = |archive: &Archive| archive.sources().to_vec();
    let parts = check(&archive);
    assert_eq!(parts_of(&parts[0]), parts_of(&archive)[..1]);
    // So do inputs that were divided before.
    let divided = split_to_memory(&archive, &SplitBy::Games(7)).unwrap();
    let (merged, _) = Merger::new()
        .merge(&self::parts(&divided), Vec::new())
        .unwrap();
    let merged = Archive::from_read_at(merged, "a.ign").unwrap();
    assert!(parts_of(&merged).len() > 5);
    check(&merged);
}

#[test]
fn games_of_many_blocks_are_joined_to_blocks_of_the_usual_size() {
    // The values alternate, so every block has games of both.
    let two = days(&[("2013.01.05", 1), ("2014.01.05", 1)]);
    let archive = packed(&[two.repeat(600)], Coding::Ign);
    let splitting = split_to_memory(&archive, &SplitBy::Year).unwrap();
    assert_eq!(splitting.copied_blocks, 0);
    let blocks = archive.blocks().len() as u64;
    assert!(
        splitting.encoded_blocks <= blocks + 4,
        "{} of {blocks}",
        splitting.encoded_blocks
    );
    for part in parts(&splitting) {
        assert_eq!(part.len(), 600);
    }
}

#[test]
fn games_of_go_are_divided_as_well() {
    let game = |n: usize| {
        format!(
            "(;GM[1]SZ[9]PB[Player {}];B[aa];W[bb];B[c{}])\n",
            n % 3,
            ["a", "b"][n % 2]
        )
    };
    let text: String = (0..500).map(game).collect();
    let archive = packed(&[text.clone().into_bytes()], Coding::Ign);
    let splitting = split_to_memory(&archive, &SplitBy::Tag("pb".into())).unwrap();
    let names: Vec<_> = splitting.parts.iter().map(|part| &part.name).collect();
    assert_eq!(names, ["Player_0", "Player_1", "Player_2"]);
    parts(&splitting);
    let splitting = split_to_memory(&archive, &SplitBy::Games(77)).unwrap();
    let (merged, _) = Merger::new().merge(&parts(&splitting), Vec::new()).unwrap();
    let merged = Archive::from_read_at(merged, "merged").unwrap();
    assert_eq!(unpacked(&merged), text.as_bytes());
}

#[test]
fn games_of_go_are_divided_by_the_first_day_of_their_date() {
    let dates = [
        "1970-12-23,24",
        "1970",
        "1971-01-05",
        "1971-01,02",
        "?",
        "unknown",
    ];
    let game = |date: &&str| format!("(;GM[1]SZ[9]DT[{date}];B[aa];W[bb])\n");
    let text: String = dates.iter().map(game).collect();
    let archive = packed(&[text.into_bytes()], Coding::Ign);
    let names = |by| {
        let splitting = split_to_memory(&archive, &by).unwrap();
        let names = splitting.parts.iter().map(|part| part.name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(SplitBy::Year), ["1970", "1971", "unknown"]);
    let days = [
        "1970-12-23",
        "1970-xx-xx",
        "1971-01-05",
        "1971-01-xx",
        "unknown",
    ];
    assert_eq!(names(SplitBy::Day), days);
}

#[test]
fn games_without_a_value_are_not_in_the_archive_of_the_value_unknown() {
    let event = |event: &str| format!("{event}[White \"A\"]\n\n1. e4 *\n\n");
    let events = [
        "[Event \"unknown\"]\n",
        "[Event \"?\"]\n",
        "[Event \"Unknown\"]\n",
    ];
    let archive = packed(&[events.map(event).concat().into_bytes()], Coding::Ign);
    let splitting = split_to_memory(&archive, &SplitBy::Tag("event".into())).unwrap();
    let found = splitting.parts.iter().zip(parts(&splitting));
    let found = found.map(|(part, archive)| {
        let game = archive.game(1).unwrap();
        (
            part.name.clone(),
            game.tag("Event").unwrap().unwrap().to_string(),
        )
    });
    let expected = [
        ("Unknown-2", "Unknown"),
        ("unknown-3", "unknown"),
        ("unknown", "?"),
    ];
    assert_eq!(
        found.collect::<Vec<_>>(),
        expected.map(|(name, event)| (name.to_owned(), event.to_owned()))
    );
}

#[test]
fn rejects_what_cannot_be_split() {
    let many = packed(
        &vec![b"1. e4 *\n".to_vec(); SplitBy::MAX_PARTS + 1],
        Coding::Ign,
    );
    let error = split_to_memory(&many, &SplitBy::Source).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("401 archives"), "{error}");
    let archive = packed(&[games_of_seed(500, 1)], Coding::Ign);
    let fails = |archive: &Archive, by, words: &str| {
        let mut opened = 0;
        let error = Splitter::new(by).split(archive, |_| {
            opened += 1;
            Ok(Vec::new())
        });
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.file().is_some(), "{error}");
        opened
    };
    for (by, words) in [
        (SplitBy::Games(0), "games must be at least 1"),
        (SplitBy::Games(1), "500 archives would be written"),
        (SplitBy::Bytes(0), "takes more than 0 bytes"),
        (
            SplitBy::Tag("Evnt".into()),
            "no game has a value of the tag Evnt",
        ),
        (SplitBy::Tag("Site".into()), "more than 400 archives"),
    ] {
        assert_eq!(fails(&archive, by, words), 0, "no file is made");
    }
    fails(&archive, SplitBy::Bytes(400), "this game alone takes more");
    fails(
        &packed(&[Vec::new()], Coding::Ign),
        SplitBy::Games(1),
        "nothing to split",
    );
    // The last that is possible.
    assert_eq!(
        split_to_memory(&archive, &SplitBy::Games(2))
            .unwrap()
            .parts
            .len(),
        250
    );
}

#[test]
fn errors_of_outputs_and_of_blocks_end_the_splitting() {
    let archive = packed(&[games_of_seed(50, 1)], Coding::Ign);
    let no = |_: &str| -> Result<Vec<u8>> { Err(ign_archive::Error::usage("no")) };
    assert_eq!(
        Splitter::new(SplitBy::Games(10))
            .split(&archive, no)
            .unwrap_err()
            .message(),
        "no"
    );
    let bytes = packed_bytes(&[games_of_seed(50, 1)], Coding::Ign);
    for block in archive.blocks() {
        let mut bad = bytes.clone();
        bad[(block.offset + block.stored_len / 2) as usize] ^= 1;
        let bad = Archive::from_read_at(bad, "bad.ign").unwrap();
        for by in [SplitBy::Games(7), SplitBy::Bytes(5000), SplitBy::Year] {
            let error = split_to_memory(&bad, &by).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{by:?} {error}");
        }
    }
}

#[test]
fn models_of_a_later_version_are_in_every_part() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [games_of_seed(30, 1), games_of_seed(30, 2)];
    let input = |number: usize| {
        let text = Cursor::new(texts[number].clone());
        Input::reader(format!("{number}.pgn"), text)
    };
    let packer = Packer::new().block_size(1 << 12).level(3);
    let packer = packer.model(&names_model(folder.path(), 1)).unwrap();
    let (mut bytes, _) = packer.pack([input(0), input(1)], Vec::new()).unwrap();
    let (footer, _) = footer::find_last(&bytes, 0).unwrap().unwrap();
    let start = footer.index_offset as usize;
    let index_place = start..start + footer.index_len as usize;
    let mut index = Index::read(&bytes[index_place.clone()], footer.index_offset).unwrap();
    let mut models = Vec::new();
    for block in index.blocks.iter_mut().filter(|block| block.text_len == 0) {
        let start = block.offset as usize;
        let head = &mut bytes[start..start + block.head_len as usize];
        let mut payload = frame::open(Kind::Block, head).unwrap().to_vec();
        payload[0] += 1;
        head.copy_from_slice(&frame::seal(Kind::Block, &payload));
        block.head_checksum = frame::stored_checksum(head).unwrap();
        models.push(bytes[start..start + block.stored_len as usize].to_vec());
    }
    assert_eq!(models.len(), 2);
    bytes[index_place].copy_from_slice(&index.write_checked().unwrap());
    let archive = Archive::from_read_at(bytes, "a.ign").unwrap();
    let splitting = split_to_memory(&archive, &SplitBy::Source).unwrap();
    assert_eq!(splitting.parts.len(), 2);
    for part in splitting.parts {
        let archive = Archive::from_read_at(part.out.clone(), &part.name).unwrap();
        let copies = archive.blocks().iter().filter(|block| block.text_len == 0);
        let copies: Vec<&[u8]> = copies
            .map(|block| &part.out[block.offset as usize..][..block.stored_len as usize])
            .collect();
        assert_eq!(copies, models);
    }
}
