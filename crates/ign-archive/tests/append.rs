//! Is an archive to which inputs are appended the archive of all inputs, and is it never lost on
//! the way?

use std::{
    fs::{self, File},
    io::{self, Cursor, Read},
    path::Path,
};

use ign_archive::{
    Appender, Archive, Coding, ErrorKind, Input, Merger, NewFile, Packer, Recoverer, Remedy,
    Result, location::open_archive_file, pack::Summary, parity::ParityBuilder,
};
use ign_format::container::{
    append_mark::{self, State},
    frame::{self, Kind},
};
use ign_testing::{Folder, cases, games_of_seed};
use proptest::prelude::*;

/// The size of blocks.
const BLOCK_SIZE: usize = 1 << 12;

/// An input: its name and its text.
type Text = (String, Vec<u8>);

fn sgf(count: usize) -> Vec<u8> {
    let game = |n: usize| {
        let point = |n: usize| (b'a' + (n % 9) as u8) as char;
        let [one, two] = [point(n), point(n + 3)];
        format!("(;GM[1]SZ[9]PB[Player {n}];B[{one}{two}];W[{two}{one}])\n")
    };
    (0..count).map(game).collect::<String>().into_bytes()
}

fn inputs(texts: &[Text]) -> Vec<Input> {
    let input = |(name, text): &Text| Input::reader(name.clone(), Cursor::new(text.clone()));
    texts.iter().map(input).collect()
}

fn packer(coding: Coding) -> Packer<'static> {
    Packer::new()
        .coding(coding)
        .block_size(BLOCK_SIZE)
        .threads(2)
}

fn pack(path: &Path, texts: &[Text], coding: Coding) -> Summary {
    let file = NewFile::create(path, true).unwrap();
    let (file, summary) = packer(coding).pack(inputs(texts), file).unwrap();
    file.finish().unwrap();
    summary
}

fn append(path: &Path, texts: &[Text]) -> Result<Summary> {
    let appender = Appender::open(path)?;
    let packer = appender.packer()?.threads(2);
    appender.append(packer, inputs(texts))
}

fn unpacked(archive: &Archive) -> Vec<u8> {
    let mut text = Vec::new();
    archive.unpack(&mut text).unwrap();
    text
}

fn concatenated(texts: &[Text]) -> Vec<u8> {
    texts.iter().flat_map(|(_, text)| text.clone()).collect()
}

/// Inputs of every sort: games, text without games, Go, nothing.
fn texts() -> impl Strategy<Value = Vec<Text>> {
    let text = prop_oneof![
        4 => (1u64..40, any::<u64>()).prop_map(|(count, seed)| games_of_seed(count, seed)),
        1 => (1usize..300).prop_map(sgf),
        1 => (1usize..400).prop_map(|n| b"no game at all\n".repeat(n)),
        1 => Just(b"1. e4 e5 2. Ke2 *".to_vec()),
        1 => Just(Vec::new()),
    ];
    // Shorter ones would share a block if they were packed together.
    let text = text.prop_map(|text| match text.len() {
        0 => text,
        len => text.repeat(BLOCK_SIZE.div_ceil(len)),
    });
    let named = ("[a-z]{0,8}", text);
    prop::collection::vec(named, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn appending_one_by_one_gives_the_blocks_of_packing_together(
        texts in texts(),
        first in 0usize..3,
        coding in prop::sample::select(Coding::ALL.to_vec()),
    ) {
        let folder = Folder::new();
        let path = folder.path("a.ign");
        let first = first.min(texts.len());
        pack(&path, &texts[..first], coding);
        for text in &texts[first..] {
            append(&path, std::slice::from_ref(text)).unwrap();
        }
        let grown = Archive::open(&path).unwrap();
        grown.verify().unwrap();
        prop_assert_eq!(unpacked(&grown), concatenated(&texts));

        let (bytes, _) = packer(coding).pack(inputs(&texts), Vec::new()).unwrap();
        let together = Archive::from_read_at(bytes.clone(), "together").unwrap();
        prop_assert_eq!(grown.len(), together.len());
        prop_assert_eq!(grown.plies(), together.plies());
        prop_assert_eq!(grown.sources(), together.sources());
        for block in 0..together.blocks().len() {
            prop_assert_eq!(grown.block_bytes(block).unwrap(), together.block_bytes(block).unwrap());
        }
        // What appends leave behind is all that differs in size, and merging leaves it out.
        let other = grown.other_frames().unwrap();
        let (frames, superseded) = (other.superseded, other.superseded_len);
        let appends = (texts.len() - first) as u64;
        prop_assert_eq!(frames, 3 * appends);
        let blocks = together.blocks_len();
        prop_assert_eq!(grown.blocks_len(), blocks);
        prop_assert!(grown.file_len() >= together.file_len() + superseded);
        prop_assert!(grown.file_len() <= together.file_len() + superseded + 10 * appends);
        let (merged, _) = Merger::new().merge(&[grown], Vec::new()).unwrap();
        prop_assert_eq!(merged, bytes);
    }
}

#[test]
fn archive_cut_at_any_byte_of_an_append_opens_as_before_or_after() {
    for coding in [Coding::Ign, Coding::Weighted] {
        let folder = Folder::new();
        let path = folder.path("a.ign");
        let texts = [
            ("one.pgn".to_owned(), games_of_seed(3, 1)),
            ("two.pgn".to_owned(), games_of_seed(2, 2)),
            ("three.pgn".to_owned(), games_of_seed(2, 3)),
        ];
        pack(&path, &texts[..1], coding);
        append(&path, &texts[1..2]).unwrap();
        let before = fs::read(&path).unwrap();
        append(&path, &texts[2..]).unwrap();
        let after = fs::read(&path).unwrap();
        assert_eq!(after[..before.len()], before);
        let interrupted = interrupted(&after, before.len());
        // The mark at the start and the footer at the end, and fewer bytes between them.
        let step = cases(7, 1);
        let is_tried = |len: &usize| {
            let added = len - before.len();
            added <= 64 || len + 64 >= after.len() || added.is_multiple_of(step)
        };
        for len in (before.len()..=after.len()).filter(is_tried) {
            fs::write(&path, &interrupted[..len]).unwrap();
            let archive = Archive::open(&path).unwrap();
            let whole = len == after.len();
            let expected = if whole { &texts[..] } else { &texts[..2] };
            assert_eq!(unpacked(&archive), concatenated(expected), "{len} bytes");
            let more = if whole { 0 } else { len - before.len() };
            assert_eq!(archive.trailing_len(), more as u64);
            assert_eq!(archive.verify().is_ok(), more == 0, "{len} bytes");
        }
        // The remains are removed, and the append is done again.
        for len in (before.len() + 1..after.len()).step_by(97) {
            fs::write(&path, &interrupted[..len]).unwrap();
            let appender = Appender::open(&path).unwrap();
            assert_eq!(appender.removed_len(), (len - before.len()) as u64);
            let packer = appender.packer().unwrap();
            appender.append(packer, inputs(&texts[2..])).unwrap();
            assert!(fs::read(&path).unwrap() == after, "{len} bytes");
        }
        // A complete append that is cut off later had games: nothing removes what is left of them,
        // except if no byte shows that it was complete.
        for len in (before.len() + 1..after.len()).filter(is_tried) {
            fs::write(&path, &after[..len]).unwrap();
            let shows = len - before.len() > 12;
            match Archive::open(&path) {
                Ok(archive) => assert!(!shows && unpacked(&archive) == concatenated(&texts[..2])),
                Err(error) => {
                    assert!(shows && error.kind() == ErrorKind::Corrupt, "{error}");
                    assert_eq!(error.remedy(), Some(&Remedy::Recover), "{error}");
                    let error = Appender::open(&path).err().unwrap();
                    assert_eq!(error.kind(), ErrorKind::Corrupt);
                    assert!(fs::read(&path).unwrap() == after[..len]);
                }
            }
        }
        // Without its first footer, an archive is cut off.
        fs::write(&path, &before[..before.len() / 3]).unwrap();
        assert_eq!(
            Archive::open(&path).err().unwrap().kind(),
            ErrorKind::Corrupt
        );
    }
}

/// An archive as if its last append, which starts at this byte, had been interrupted.
fn interrupted(whole: &[u8], start: usize) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let mark = append_mark::write(start as u64, State::Appending);
    bytes[start..][..mark.len()].copy_from_slice(&mark);
    bytes
}

fn add_parity(path: &Path) {
    let file = File::options().read(true).write(true).open(path).unwrap();
    ParityBuilder::new(10.0).add_to_file(&file).unwrap();
}

#[test]
fn an_archive_with_a_damaged_last_footer_is_not_the_archive_before() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let texts = [
        ("a".to_owned(), games_of_seed(3, 1)),
        ("b".to_owned(), games_of_seed(3, 2)),
    ];
    let before = pack(&path, &texts[..1], Coding::Ign).archive_len;
    append(&path, &texts[1..]).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut damaged: Vec<Vec<u8>> = (whole.len() - 70..whole.len())
        .map(|at| {
            let mut bad = whole.clone();
            bad[at] ^= 1;
            bad
        })
        .collect();
    // The last step of the append may be missing: its footer shows that it is complete.
    for number in 0..damaged.len() {
        damaged.push(interrupted(&damaged[number], before as usize));
    }
    add_parity(&path);
    let mut with_parity = interrupted(&fs::read(&path).unwrap(), before as usize);
    with_parity[whole.len() - 1] ^= 1;
    // Zeros in the place of the mark, and of all that was appended: only the parity is left.
    let mut zeros = with_parity.clone();
    zeros[before as usize..whole.len()].fill(0);
    fs::write(&path, &zeros).unwrap();
    let error = Appender::open(&path).err().unwrap();
    assert_eq!(error.remedy(), Some(&Remedy::Recover), "{error}");
    assert!(fs::read(&path).unwrap() == zeros);
    damaged.push(with_parity);
    // The last 70 bytes may be those of an append that lost power while it wrote its footer.
    for written in 1..=62 {
        let mut torn = interrupted(&whole, before as usize);
        torn[whole.len() - 70 + written..].fill(0);
        fs::write(&path, &torn).unwrap();
        assert_eq!(Appender::open(&path).unwrap().archive().len(), 3);
        assert_eq!(fs::metadata(&path).unwrap().len(), before);
    }
    // Two archives in one file, and other bytes after an archive.
    damaged.push([&whole[..], &whole].concat());
    damaged.push([&whole[..], &[7; 100]].concat());
    for bad in damaged {
        fs::write(&path, &bad).unwrap();
        let error = Archive::open(&path).err().unwrap();
        assert!(error.message().contains("the last whole footer"), "{error}");
        assert!(error.byte() >= Some(before));
        // Nothing removes the games that were appended.
        assert_eq!(
            Appender::open(&path).err().unwrap().kind(),
            ErrorKind::Corrupt
        );
        assert!(fs::read(&path).unwrap() == bad);
        let (archive, damage) = Archive::open_damaged(&path).unwrap();
        assert_eq!(archive.len(), 6);
        assert!(!damage.is_empty());
    }
}

/// A footer, a frame of parity or a mark as a later version writes it: with another value of the
/// first byte, or of the second one.
fn later(frame: &[u8], at: usize) -> Vec<u8> {
    let kind = Kind::of(frame).unwrap();
    let mut payload = frame::open(kind, frame).unwrap().to_vec();
    payload[at] += 2;
    frame::seal(kind, &payload)
}

#[test]
fn what_a_later_version_appended_is_named_and_never_removed() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let texts = [
        ("a".to_owned(), games_of_seed(3, 1)),
        ("b".to_owned(), games_of_seed(3, 2)),
    ];
    let before = pack(&path, &texts[..1], Coding::Ign).archive_len as usize;
    let first = fs::read(&path).unwrap();
    let open = || File::options().read(true).write(true).open(&path).unwrap();
    add_parity(&path);
    let mut frames = Vec::new();
    let mut parity = &fs::read(&path).unwrap()[before..];
    while let Some(len) = frame::skippable_len(parity) {
        let (frame, rest) = parity.split_at(len as usize);
        parity = rest;
        frames.push(match Kind::of(frame) {
            Some(Kind::Recovery) => frame.to_vec(),
            _ => later(frame, 0),
        });
    }
    fs::write(&path, &first).unwrap();
    append(&path, &texts[1..]).unwrap();
    let appended = fs::read(&path).unwrap();
    let mut files = vec![[&first[..], &frames.concat()].concat()];
    for at in [0, 1] {
        let (start, footer) = appended.split_at(appended.len() - 70);
        let file = [start, &later(footer, at)].concat();
        // The last step of the append may be missing.
        files.push(interrupted(&file, before));
        files.push(file);
    }
    for number in 0..files.len() {
        // Another append was interrupted.
        let mark = append_mark::write(files[number].len() as u64, State::Appending);
        files.push([&files[number][..], &mark, &[7; 100]].concat());
    }
    let mark = append_mark::write(before as u64, State::Complete);
    files.push([&first[..], &later(&mark, 0)].concat());
    // Writing parity was interrupted.
    files.push([&first[..], &frames[..2].concat()].concat());
    for file in files {
        fs::write(&path, &file).unwrap();
        let out = tempfile::tempfile().unwrap();
        for error in [
            Archive::open(&path).err(),
            Archive::open_damaged(&path).err(),
            Appender::open(&path).err(),
            Recoverer::new().recover(&file, "a.ign", &out).err(),
            ParityBuilder::new(10.0).add_to_file(&open()).err(),
        ] {
            let error = error.unwrap();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        }
        assert!(fs::read(&path).unwrap() == file);
    }
}

#[test]
fn an_append_after_which_something_was_added_is_not_removed() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = |seed: u64| [(format!("{seed}"), games_of_seed(2, seed))];
    let first = pack(&path, &text(1), Coding::Ign).archive_len as usize;
    append(&path, &text(2)).unwrap();
    let second = fs::metadata(&path).unwrap().len() as usize;
    let appended = fs::read(&path).unwrap();
    append(&path, &text(3)).unwrap();
    let twice = interrupted(&fs::read(&path).unwrap(), second);
    fs::write(&path, appended).unwrap();
    add_parity(&path);
    for bytes in [twice, fs::read(&path).unwrap()] {
        // The last step of the first append is missing, and its footer is damaged.
        let mut bad = interrupted(&bytes[..bytes.len() - 1], first);
        bad[second - 20] ^= 1;
        // What was added may be of a later version.
        let len = frame::skippable_len(&bytes[second..]).unwrap() as usize;
        let added = second..second + len;
        let mut newer = bad.clone();
        newer[added.clone()].copy_from_slice(&later(&bytes[added], 0));
        for (bad, kind) in [(bad, ErrorKind::Corrupt), (newer, ErrorKind::Unsupported)] {
            fs::write(&path, &bad).unwrap();
            assert_eq!(Archive::open(&path).unwrap().len(), 2);
            let error = Appender::open(&path).err().unwrap();
            assert_eq!(error.kind(), kind, "{error}");
            if kind == ErrorKind::Corrupt {
                assert_eq!(error.remedy(), Some(&Remedy::Recover), "{error}");
            }
            assert!(fs::read(&path).unwrap() == bad);
        }
    }
}

#[test]
fn frames_of_parity_that_are_not_a_set_of_the_last_footer_are_not_removed() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = [("a".to_owned(), games_of_seed(2, 1))];
    let end = pack(&path, &text, Coding::Ign).archive_len;
    let archive = fs::read(&path).unwrap();
    add_parity(&path);
    let parity = &fs::read(&path).unwrap()[archive.len()..];
    let (first, rest) = parity.split_at(frame::skippable_len(parity).unwrap() as usize);
    let payload = frame::open(Kind::Parity, first).unwrap();
    // Another place of the set, and another end of the protected bytes.
    let others = [(2, end + 64), (18, end - 1)].map(|(at, value)| {
        let mut payload = payload.to_vec();
        payload[at..at + 8].copy_from_slice(&value.to_le_bytes());
        [&frame::seal(Kind::Parity, &payload)[..], rest].concat()
    });
    // A trailer without a set.
    let places = [end, end, end + 46].map(u64::to_le_bytes).concat();
    let trailer = frame::seal(Kind::Trailer, &[&[1, 0][..], &places].concat());
    for set in others.iter().chain([&trailer]) {
        let bad = [&archive[..], set, &[b'k'; 100]].concat();
        fs::write(&path, &bad).unwrap();
        let error = Archive::open(&path).err().unwrap();
        assert!(error.message().contains("the last whole footer"), "{error}");
        let error = Appender::open(&path).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(fs::read(&path).unwrap() == bad);
    }
}

#[test]
fn nothing_is_removed_if_the_metadata_are_damaged() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = [("a".to_owned(), games_of_seed(2, 1))];
    pack(&path, &text, Coding::Ign);
    let mut bad = fs::read(&path).unwrap();
    bad[40] ^= 1;
    bad.extend(append_mark::write(bad.len() as u64, State::Appending));
    fs::write(&path, &bad).unwrap();
    let error = Appender::open(&path).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
    assert!(fs::read(&path).unwrap() == bad);
}

#[test]
fn a_mark_that_lost_power_while_it_was_written_is_removed() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = [("a".to_owned(), games_of_seed(2, 1))];
    let before = pack(&path, &text, Coding::Ign).archive_len;
    let whole = fs::read(&path).unwrap();
    for written in 0..=append_mark::LEN {
        let mut mark = append_mark::write(before, State::Appending);
        mark[written..].fill(0);
        fs::write(&path, [&whole[..], &mark].concat()).unwrap();
        assert_eq!(Archive::open(&path).unwrap().len(), 2);
        Appender::open(&path).unwrap();
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn a_mark_that_lost_power_while_it_was_written_again_is_a_mark() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = |seed: u64| [(format!("{seed}"), games_of_seed(2, seed))];
    let start = pack(&path, &text(1), Coding::Ign).archive_len as usize;
    append(&path, &text(2)).unwrap();
    let whole = fs::read(&path).unwrap();
    let begun = interrupted(&whole, start);
    let end = start + append_mark::LEN;
    for cut in start..=end {
        let torn = [&whole[..cut], &begun[cut..end], &whole[end..]].concat();
        fs::write(&path, &torn).unwrap();
        Archive::open(&path).unwrap().verify().unwrap();
        append(&path, &text(3)).unwrap();
        let archive = Archive::open(&path).unwrap();
        archive.verify().unwrap();
        assert_eq!(archive.len(), 6);
        assert!(archive.other_frames().is_ok());
        // It is not that of an append that was interrupted.
        let mut bad = torn.clone();
        *bad.last_mut().unwrap() ^= 1;
        fs::write(&path, &bad).unwrap();
        assert!(Appender::open(&path).is_err());
        fs::write(&path, &bad[..bad.len() - 70]).unwrap();
        assert_eq!(Appender::open(&path).is_ok(), torn == begun, "{cut}");
    }
}

#[test]
fn verify_detects_damage_to_superseded_frames() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let texts = [
        ("a".to_owned(), games_of_seed(2, 1)),
        ("b".to_owned(), games_of_seed(2, 2)),
    ];
    let len = pack(&path, &texts[..1], Coding::Ign).archive_len as usize;
    let first = crate::recover::table_offset(&Archive::open(&path).unwrap());
    append(&path, &texts[1..]).unwrap();
    let whole = fs::read(&path).unwrap();
    for at in first..len {
        let mut bad = whole.clone();
        bad[at] ^= 0x20;
        fs::write(&path, &bad).unwrap();
        let archive = Archive::open(&path).unwrap();
        assert_eq!(
            archive.verify().unwrap_err().kind(),
            ErrorKind::Corrupt,
            "{at}"
        );
    }
}

#[cfg(unix)]
#[test]
fn games_appended_to_a_file_that_was_replaced_or_removed_are_an_error() {
    for replaces in [true, false] {
        let folder = Folder::new();
        let [path, other] = ["a.ign", "b.ign"].map(|name| folder.path(name));
        for path in [&path, &other] {
            let texts = [("a".to_owned(), games_of_seed(20, 1))];
            pack(path, &texts, Coding::Ign);
        }
        let before = fs::read(&path).unwrap();
        let appender = Appender::open(&path).unwrap();
        let packer = appender.packer().unwrap().on_progress(|_| {
            _ = if replaces {
                fs::rename(&other, &path)
            } else {
                fs::remove_file(&path)
            };
            std::ops::ControlFlow::Continue(())
        });
        let inputs = [Input::reader("more", Cursor::new(games_of_seed(200, 3)))];
        let error = appender.append(packer, inputs).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        let message = error.to_string();
        assert!(message.contains("was replaced or removed"), "{message}");
        assert_eq!(fs::read(&path).ok(), replaces.then_some(before));
    }
}

/// Text, then an error.
struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the cable was pulled")),
            n => Ok(n),
        }
    }
}

#[test]
fn after_an_error_the_archive_is_as_it_was() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    pack(
        &path,
        &[("a".to_owned(), games_of_seed(20, 1))],
        Coding::Ign,
    );
    let before = fs::read(&path).unwrap();
    let failing = Failing(Cursor::new(games_of_seed(400, 2)));
    let appender = Appender::open(&path).unwrap();
    let packer = appender.packer().unwrap();
    let inputs = [
        Input::reader("good", Cursor::new(games_of_seed(200, 3))),
        Input::reader("bad", failing),
    ];
    let error = appender.append(packer, inputs).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(fs::read(&path).unwrap() == before);

    let appender = Appender::open(&path).unwrap();
    let mut blocks = 0;
    let packer = appender.packer().unwrap().on_progress(|_| {
        blocks += 1;
        match blocks {
            3 => std::ops::ControlFlow::Break(()),
            _ => std::ops::ControlFlow::Continue(()),
        }
    });
    let inputs = [Input::reader("good", Cursor::new(games_of_seed(200, 3)))];
    let error = appender.append(packer, inputs).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(fs::read(&path).unwrap() == before);

    assert_eq!(append(&path, &[]).unwrap().archive_len, before.len() as u64);
    assert!(fs::read(&path).unwrap() == before);

    let archive = Input::reader("a.ign", Cursor::new(before.clone()));
    let appender = Appender::open(&path).unwrap();
    let packer = appender.packer().unwrap();
    let error = appender.append(packer, [archive]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!(error.remedy(), Some(&Remedy::MergeOrUnpack), "{error}");
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn options_are_those_of_the_archive_unless_others_are_given() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = ("a".to_owned(), games_of_seed(40, 1));
    pack(&path, std::slice::from_ref(&text), Coding::IgnEnd);
    append(&path, std::slice::from_ref(&text)).unwrap();
    let archive = Archive::open(&path).unwrap();
    let half = archive.blocks().len() / 2;
    assert!(half > 2);
    for block in 0..half {
        let [one, other] = [block, half + block].map(|n| archive.block_bytes(n).unwrap());
        assert!(one == other);
    }
    let appender = Appender::open(&path).unwrap();
    let packer = appender
        .packer()
        .unwrap()
        .coding(Coding::Ign)
        .block_size(1 << 20);
    appender
        .append(packer, inputs(std::slice::from_ref(&text)))
        .unwrap();
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.blocks().len(), 2 * half + 1);
    assert_eq!(archive.len(), 120);
    archive.verify().unwrap();
    assert_eq!(unpacked(&archive), text.1.repeat(3));
}

#[test]
fn one_appender_at_a_time_and_readers_need_no_lock() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = ("a".to_owned(), games_of_seed(5, 1));
    pack(&path, std::slice::from_ref(&text), Coding::Ign);
    let reader = Archive::open(&path).unwrap();
    let appender = Appender::open(&path).unwrap();
    let busy = |error: ign_archive::Error| {
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(
            error.message().contains("another ign process is writing"),
            "{error}"
        );
    };
    busy(Appender::open(&path).err().unwrap());
    if cfg!(unix) {
        busy(NewFile::create(&path, true).unwrap_err());
    }
    let packer = appender.packer().unwrap();
    appender
        .append(packer, inputs(std::slice::from_ref(&text)))
        .unwrap();
    assert_eq!(unpacked(&reader), text.1);
    assert_eq!(Archive::open(&path).unwrap().len(), 10);
    Appender::open(&path).unwrap();
    // Whoever opened a file before it was replaced appends to the new one.
    let file = NewFile::create(&path, true).unwrap();
    if cfg!(unix) {
        busy(Appender::open(&path).err().unwrap());
    }
    drop(file);
    Appender::open(&path).unwrap();
}

#[test]
fn an_open_archive_with_remains_is_not_affected_by_the_next_append() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let texts = [
        ("a".to_owned(), games_of_seed(3, 1)),
        ("b".to_owned(), games_of_seed(300, 2)),
        ("c".to_owned(), games_of_seed(2, 3)),
    ];
    let before = pack(&path, &texts[..1], Coding::Ign).archive_len as usize;
    append(&path, &texts[1..2]).unwrap();
    let remains = interrupted(&fs::read(&path).unwrap(), before);
    fs::write(&path, &remains[..remains.len() - 70]).unwrap();
    let reader = Archive::open(&path).unwrap();
    let error = reader.verify().unwrap_err();
    assert_eq!(error.remedy(), Some(&Remedy::AppendOrRecover), "{error}");
    // Whoever reads what is left, keeps others from removing it meanwhile.
    let source = open_archive_file(&path).unwrap();
    if cfg!(unix) {
        let error = append(&path, &texts[2..]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    }
    drop(source);
    append(&path, &texts[2..]).unwrap();
    assert_eq!(reader.verify().unwrap_err().to_string(), error.to_string());
    assert_eq!(unpacked(&reader), texts[0].1);
    Archive::open(&path).unwrap().verify().unwrap();
}

#[test]
fn an_append_is_undone_until_readers_may_have_seen_it() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let text = |seed| [(format!("{seed}"), games_of_seed(3, seed))];
    let before = pack(&path, &text(1), Coding::Ign).archive_len;
    let old = fs::read(&path).unwrap();
    append(&path, &text(2)).unwrap();
    let whole = fs::read(&path).unwrap();
    let running = interrupted(&whole, before as usize);
    let next = append_mark::write(whole.len() as u64, State::Appending);
    let without_footer = &running[..running.len() - 1];
    let (start, footer) = running.split_at(running.len() - 70);
    let by_later = [start, &later(footer, 0)].concat();
    for (bytes, expected) in [
        (&old[..], &old[..]),
        (&old[..before as usize - 1], &old[..before as usize - 1]),
        (&running[..before as usize + 1], &old),
        (without_footer, &old),
        (&running, &running),
        (&whole, &whole),
        (&by_later, &by_later),
        (&[&whole[..], &next].concat(), &[&whole[..], &next].concat()),
    ] {
        fs::write(&path, bytes).unwrap();
        let stays = Appender::undo(&path, before).unwrap();
        assert!(fs::read(&path).unwrap() == expected, "{}", bytes.len());
        assert_eq!(stays, expected.len() > old.len(), "{}", bytes.len());
    }
}

#[test]
fn rejects_what_is_no_archive() {
    let folder = Folder::new();
    let path = folder.path("a.ign");
    let kind = |path: &Path| Appender::open(path).err().unwrap().kind();
    assert_eq!(kind(&path), ErrorKind::Io);
    assert_eq!(kind(&folder.path("")), ErrorKind::Usage);
    assert_eq!(kind(Path::new("-")), ErrorKind::Usage);
    fs::write(&path, games_of_seed(2, 1)).unwrap();
    assert_eq!(kind(&path), ErrorKind::Corrupt);
    assert_eq!(fs::read(&path).unwrap(), games_of_seed(2, 1));
    File::create(&path).unwrap();
    assert_eq!(kind(&path), ErrorKind::Corrupt);
}
