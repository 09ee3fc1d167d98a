//! Does parity repair damage up to its bound to the original bytes, and report what is beyond it?

use std::{fs::File, io::Read as _};

use std::ops::ControlFlow::{Break, Continue};

use ign_archive::{
    Appender, Archive, Coding, ErrorKind, Input, Packer, Recoverer,
    parity::{self, ParityBuilder},
    recover::{Method, Recovered},
};
use ign_format::container::{
    append_mark::{self, State},
    frame,
    parity::{Set, trailer},
};
use ign_testing::{Random, games};

/// An archive with parity, its number of recovery shards, and where its footer ends.
fn protected(text: &[u8], coding: Coding, percent: f64) -> (Vec<u8>, parity::Added) {
    use std::io::{Seek, Write};
    let input = Input::reader("a.pgn", std::io::Cursor::new(text.to_vec()));
    let packer = Packer::new().coding(coding).block_size(1 << 12);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let added = ParityBuilder::new(percent).add_to_file(&file).unwrap();
    file.rewind().unwrap();
    let with_parity = content(file);
    assert_eq!(added.protected, bytes.len() as u64);
    assert_eq!(with_parity.len() as u64, bytes.len() as u64 + added.added);
    assert!(with_parity.starts_with(&bytes));
    let archive = Archive::from_read_at(with_parity.clone(), "a.ign").unwrap();
    archive.verify().unwrap();
    (with_parity, added)
}

fn content(mut file: File) -> Vec<u8> {
    use std::io::Seek;
    file.rewind().unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn recovered(bytes: &[u8]) -> (Recovered, Vec<u8>) {
    let out = tempfile::tempfile().unwrap();
    let report = Recoverer::new()
        .threads(1)
        .recover(&bytes.to_vec(), "bad.ign", &out);
    (report.unwrap(), content(out))
}

#[test]
fn bursts_up_to_the_bound_are_repaired_to_the_byte_wherever_they_are() {
    let mut random = Random(1);
    for (coding, percent) in [
        (Coding::Ign, 10.0),
        (Coding::Weighted, 25.0),
        (Coding::Ign, 100.0),
    ] {
        let (whole, added) = protected(&games(60), coding, percent);
        let shard = added.shard_len as usize;
        // A burst of n - 1 shards and a byte touches at most n shards.
        let most = (added.recovery_shards as usize - 1) * shard + 1;
        let protected = added.protected as usize;
        for round in 0..60 {
            let mut bad = whole.clone();
            let len = match round % 3 {
                0 => 1 + random.below(most),
                _ => most,
            };
            let at = match round % 4 {
                // Over the footer and into the description.
                0 => protected - len + random.below(len.min(60) + 1),
                _ => random.below(protected - len + 1),
            };
            for byte in &mut bad[at..at + len] {
                *byte = random.below(256) as u8 ^ 0x55;
            }
            let (report, out) = recovered(&bad);
            let what = format!("{coding:?}, round {round}: {len} bytes at {at}: {report:?}");
            assert!(report.is_complete(), "{what}");
            assert!(out == whole, "{what}");
        }
    }
}

#[test]
fn a_burst_over_footer_and_parity_is_repaired_while_enough_recovery_shards_are_left() {
    let (whole, added) = protected(&games(60), Coding::Ign, 50.0);
    let shard = added.shard_len as usize;
    let protected = added.protected as usize;
    for lost in 1..added.recovery_shards as usize / 3 {
        // As many shards of the data as of the parity, and the first copy of the description.
        let start = protected - lost * shard;
        let end = protected + 2 * 1024 + lost * (shard + 32);
        let mut bad = whole.clone();
        bad[start..end.min(whole.len())].fill(0);
        let (report, out) = recovered(&bad);
        assert!(report.is_complete() && out == whole, "{lost}: {report:?}");
    }
}

#[test]
fn parity_that_is_damaged_or_cut_off_is_written_again() {
    let (whole, added) = protected(&games(30), Coding::Ign, 20.0);
    let protected = added.protected as usize;
    for at in (protected..whole.len()).step_by(11) {
        let mut bad = whole.clone();
        bad[at] ^= 4;
        let (report, out) = recovered(&bad);
        assert!(
            report.is_complete() && out == whole,
            "byte {at}: {report:?}"
        );
        assert_eq!(report.method, Method::Repaired(Vec::new()), "byte {at}");
    }
    // Cut off after the first frame of the description, and excess bytes.
    for len in (protected + 1500..whole.len()).step_by(97) {
        let (report, out) = recovered(&whole[..len]);
        assert!(
            report.is_complete() && out == whole,
            "{len} bytes: {report:?}"
        );
    }
    let (report, out) = recovered(&[&whole[..], b"excess"].concat());
    assert!(report.is_complete() && out == whole, "{report:?}");
}

/// A copy of the description that has the right checksum, but another number of recovery shards.
#[test]
fn a_description_that_contradicts_the_frames_is_not_believed() {
    let (bytes, added) = protected(&games(200), Coding::Weighted, 5.0);
    let at = added.protected as usize;
    let (set, number, checksums) = {
        let len = frame::skippable_len(&bytes[at..at + 8]).unwrap() as usize;
        Set::read_description(&bytes[at..at + len]).unwrap()
    };
    let forged = Set {
        recovery: 5634,
        ..set
    };
    let frame = forged.write_description(number, &checksums);
    for (copy, damage) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut damaged = bytes.clone();
        let place = set.description_frame(copy, number).start as usize;
        damaged[place..place + frame.len()].copy_from_slice(&frame);
        // Damage that the true set repairs, or none.
        damaged[at / 2] ^= damage;
        let (report, repaired) = recovered(&damaged);
        assert!(repaired == bytes, "copy {copy}: the original bytes");
        assert!(matches!(report.method, Method::Repaired(_)), "{report:?}");
    }
}

#[test]
fn scattered_bytes_are_repaired_if_they_are_in_few_shards() {
    let (whole, added) = protected(&games(120), Coding::Weighted, 10.0);
    // Parity is of use only while one of the two copies of its description is whole: here, the
    // second one.
    let first = added.protected as usize;
    let len = frame::skippable_len(&whole[first..]).unwrap() as usize;
    let second = whole.len() - trailer::LEN - len..whole.len() - trailer::LEN;
    assert_eq!(whole[first..first + len], whole[second.clone()]);
    let mut random = Random(7);
    for round in 0..60 {
        let mut bad = whole.clone();
        let places: Vec<usize> = std::iter::repeat_with(|| random.below(whole.len()))
            .filter(|at| !second.contains(at))
            .take(added.recovery_shards as usize / 2)
            .collect();
        // The parity is damaged as well.
        places.iter().for_each(|&at| bad[at] ^= 0x20);
        let (report, out) = recovered(&bad);
        assert!(
            report.is_complete() && out == whole,
            "round {round}: {report:?}"
        );
    }
}

#[test]
fn damage_beyond_the_bound_is_reported_and_whole_blocks_are_recovered() {
    let (whole, added) = protected(&games(60), Coding::Ign, 3.0);
    let mut bad = whole.clone();
    let shard = added.shard_len as usize;
    let len = (added.recovery_shards as usize + 1) * shard;
    let from = added.protected as usize / 2;
    bad[from..from + len].fill(0xaa);
    let (report, out) = recovered(&bad);
    assert_eq!(report.method, Method::Rebuilt);
    assert!(!report.is_complete());
    assert!(
        report.notes[0].contains("parity cannot repair"),
        "{report:?}"
    );
    let archive = Archive::from_read_at(out, "good.ign").unwrap();
    archive.verify().unwrap();
    assert!(!archive.is_empty());
    // Inserted bytes move everything that follows.
    let inserted = [&whole[..100], b"more", &whole[100..]].concat();
    let (report, out) = recovered(&inserted);
    assert!(
        report.notes[0].contains("parity cannot repair"),
        "{report:?}"
    );
    let archive = Archive::from_read_at(out, "good.ign").unwrap();
    assert!(archive.len() >= 45, "{}", archive.len());
}

/// The product of the specification (spec §16.2): of words that stand for polynomials.
struct Field {
    /// The polynomial of each word, and the word of each polynomial.
    polynomials: Vec<u16>,
    words: Vec<u16>,
}

impl Field {
    fn new() -> Self {
        const BASIS: [u16; 16] = [
            0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012, 0x6c98, 0x10d8, 0x6a72,
            0xb900, 0xfdb8, 0xfb34, 0xff38, 0x991e,
        ];
        let polynomial = |word: u32| {
            let bits = (0..16).filter(|bit| word >> bit & 1 == 1);
            bits.fold(0, |sum, bit| sum ^ BASIS[bit as usize])
        };
        let polynomials: Vec<u16> = (0..1 << 16).map(polynomial).collect();
        let mut words = vec![0; 1 << 16];
        for (word, &polynomial) in (0..=u16::MAX).zip(&polynomials) {
            words[usize::from(polynomial)] = word;
        }
        Self { polynomials, words }
    }

    fn product(&self, x: u16, y: u16) -> u16 {
        let [x, y] = [x, y].map(|word| u32::from(self.polynomials[usize::from(word)]));
        let mut product = 0;
        for bit in (0..16).rev() {
            product <<= 1;
            if product >> 16 == 1 {
                product ^= 0x1002d;
            }
            if y >> bit & 1 == 1 {
                product ^= x;
            }
        }
        self.words[product as usize]
    }
}

#[test]
fn recovery_shards_satisfy_the_equations_of_the_specification() {
    use ign_format::container::parity::Set;
    let (_, added) = protected(&games(30), Coding::Ign, 1.0);
    // All words of a codeword are stored if the number of recovery shards is a power of two.
    let percent = 100.0 * 7.5 / f64::from(added.data_shards);
    let (file, added) = protected(&games(30), Coding::Ign, percent);
    let count = added.recovery_shards;
    assert_eq!(
        (count, count.is_power_of_two()),
        (8, true),
        "choose another share"
    );
    let at = added.protected as usize;
    let len = u32::from_le_bytes(file[at + 4..at + 8].try_into().unwrap()) as usize + 8;
    let (set, ..) = Set::read_description(&file[at..at + len]).unwrap();
    let field = Field::new();
    let shard = |number: u32| -> Vec<u8> {
        let place = match number.checked_sub(count) {
            None => set.recovery_shard(number),
            Some(data) => set.data_shard(data),
        };
        let mut bytes = file[place.start as usize..place.end as usize].to_vec();
        bytes.resize(set.shard_len as usize, 0);
        bytes
    };
    let shards: Vec<Vec<u8>> = (0..count + set.data).map(shard).collect();
    for at in [0, 1, 31] {
        let word = |shard: &Vec<u8>| u16::from_le_bytes([shard[at], shard[at + 32]]);
        let words: Vec<u16> = shards.iter().map(word).collect();
        let mut powers = vec![1; words.len()];
        for k in 0..count {
            let terms = powers.iter().zip(&words);
            let sum = terms.fold(0, |sum, (&power, &word)| sum ^ field.product(power, word));
            assert_eq!(sum, 0, "word at byte {at}, power {k}");
            for (x, power) in (0..).zip(&mut powers) {
                *power = field.product(*power, x);
            }
        }
    }
}

#[test]
fn games_appended_after_parity_are_protected_by_another_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let [first, second] = [games(40), games(25)];
    let (protected, _) = protected(&first, Coding::Ign, 20.0);
    std::fs::write(&path, &protected).unwrap();
    let append = || {
        let appender = Appender::open(&path).unwrap();
        let packer = appender.packer().unwrap();
        let input = Input::reader("b.pgn", std::io::Cursor::new(second.clone()));
        appender.append(packer, [input]).unwrap();
    };
    append();
    let open = || Archive::open(&path).unwrap();
    let archive = open();
    assert_eq!((archive.len(), archive.trailing_len()), (65, 0));
    archive.verify().unwrap();
    let mut text = Vec::new();
    archive.unpack(&mut text).unwrap();
    assert!(text == [&first[..], &second].concat());

    // An append that is interrupted leaves the archive before with its parity.
    let appended = std::fs::read(&path).unwrap();
    let start = protected.len();
    let mark = append_mark::write(start as u64, State::Appending);
    let mut interrupted = appended[..appended.len() - 9].to_vec();
    interrupted[start..][..mark.len()].copy_from_slice(&mark);
    std::fs::write(&path, interrupted).unwrap();
    let cut = open();
    assert_eq!((cut.len(), cut.end()), (40, protected.len() as u64));
    append();
    assert!(std::fs::read(&path).unwrap() == appended);

    let file = File::options().read(true).write(true).open(&path).unwrap();
    let added = ParityBuilder::new(20.0).add_to_file(&file).unwrap();
    assert_eq!(added.protected as usize, appended.len() - protected.len());
    let whole = std::fs::read(&path).unwrap();
    open().verify().unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 50) {
        let mut bad = whole.clone();
        bad[at..].iter_mut().take(40).for_each(|byte| *byte ^= 0x41);
        let (report, out) = recovered(&bad);
        assert!(
            report.is_complete() && out == whole,
            "byte {at}: {report:?}"
        );
    }
}

#[test]
fn parity_is_not_added_while_games_are_appended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let (whole, _) = protected(&games(20), Coding::Ign, 10.0);
    std::fs::write(&path, &whole).unwrap();
    let open = || File::options().read(true).write(true).open(&path).unwrap();
    let appender = Appender::open(&path).unwrap();
    let error = ParityBuilder::new(50.0).add_to_file(&open()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    assert!(std::fs::read(&path).unwrap() == whole);
    drop(appender);
    let file = open();
    assert!(ParityBuilder::new(50.0).add_to_file(&file).unwrap().added > 0);
    assert!(Appender::open(&path).is_err());
    drop(file);
    Appender::open(&path).unwrap();
}

/// A file that is open for parity, with these bytes.
fn file_of(bytes: &[u8]) -> File {
    use std::io::Write;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn parity_is_neither_made_of_damaged_bytes_nor_removed_while_it_may_repair_some() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let (whole, added) = protected(&games(40), Coding::Ign, 10.0);
    let flipped = |places: &[usize]| {
        let mut bytes = whole.clone();
        places.iter().for_each(|&at| bytes[at] ^= 1);
        bytes
    };
    let (in_block, in_footer) = (200, added.protected as usize - 5);
    let in_trailer = whole.len() - 5;
    let in_recovery = whole.len() - 3 * added.shard_len as usize;
    for places in [
        &[in_block][..],
        &[in_footer],
        &[in_recovery],
        &[in_block, in_trailer],
        &[in_footer, in_trailer],
    ] {
        let bad = flipped(places);
        let file = file_of(&bad);
        let error = ParityBuilder::new(50.0).add_to_file(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{places:?}: {error}");
        assert!(content(file) == bad, "{places:?}");
        if places.contains(&in_trailer) {
            std::fs::write(&path, &bad).unwrap();
            assert_eq!(
                Appender::open(&path).err().unwrap().kind(),
                ErrorKind::Corrupt
            );
            assert!(std::fs::read(&path).unwrap() == bad, "{places:?}");
        }
        let (report, out) = recovered(&bad);
        assert!(
            report.is_complete() && out == whole,
            "{places:?}: {report:?}"
        );
    }
    // Nothing else is damaged, so a set without its end is of no use.
    let file = file_of(&flipped(&[in_trailer]));
    assert!(ParityBuilder::new(10.0).add_to_file(&file).unwrap().added > 0);
    assert!(content(file) == whole);
}

#[test]
fn parity_is_raised_for_all_bytes_that_have_less() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let (first, _) = protected(&games(60), Coding::Ign, 2.0);
    std::fs::write(&path, &first).unwrap();
    let open = || File::options().read(true).write(true).open(&path).unwrap();
    let appender = Appender::open(&path).unwrap();
    let packer = appender.packer().unwrap();
    let input = Input::reader("b.pgn", std::io::Cursor::new(games(3)));
    appender.append(packer, [input]).unwrap();
    let appended = std::fs::metadata(&path).unwrap().len();
    let added = ParityBuilder::new(2.0).add_to_file(&open()).unwrap();
    assert_eq!(added.protected, appended - first.len() as u64);
    assert_eq!(
        ParityBuilder::new(1.0).add_to_file(&open()).unwrap().added,
        0
    );
    assert_eq!(
        ParityBuilder::new(2.0).add_to_file(&open()).unwrap().added,
        0
    );
    let added = ParityBuilder::new(20.0).add_to_file(&open()).unwrap();
    assert_eq!(added.protected, appended);
    assert!(added.added > 0 && 5 * added.recovery_shards >= added.data_shards);
    assert_eq!(
        ParityBuilder::new(20.0).add_to_file(&open()).unwrap().added,
        0
    );
    Archive::open(&path).unwrap().verify().unwrap();
}

#[test]
fn games_appended_after_parity_are_kept_if_the_last_footer_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let (first, _) = protected(&games(40), Coding::Ign, 10.0);
    std::fs::write(&path, &first).unwrap();
    let appender = Appender::open(&path).unwrap();
    let packer = appender.packer().unwrap();
    let input = Input::reader("b.pgn", std::io::Cursor::new(games(25)));
    appender.append(packer, [input]).unwrap();
    let mut bad = std::fs::read(&path).unwrap();
    *bad.last_mut().unwrap() ^= 1;
    bad[300] ^= 1;
    let (report, out) = recovered(&bad);
    assert_eq!(report.games, 65, "{report:?}");
    let archive = Archive::from_read_at(out, "good.ign").unwrap();
    archive.verify().unwrap();
    let mut text = Vec::new();
    archive.unpack(&mut text).unwrap();
    assert!(text == [games(40), games(25)].concat());
}

#[test]
fn forged_sets_demand_neither_space_nor_time() {
    let input = Input::reader("a.pgn", std::io::Cursor::new(games(10)));
    let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
    let end = bytes.len() as u64;
    let set = |shard_len, data, recovery| Set {
        at: end,
        start: 0,
        end,
        shard_len,
        data,
        recovery,
    };
    let data = end.div_ceil(64) as u32;
    set(64, data, data).check().unwrap();
    for forged in [
        set(1 << 30, 1, 1 << 15),
        set(1 << 30, 1, 1),
        set(64, data, data + 1),
    ] {
        assert!(forged.check().is_err());
        let description = forged.write_description(0, &[0]);
        let (report, out) = recovered(&[&bytes[..], &description].concat());
        assert_eq!((report.games, out.len()), (10, bytes.len()));
    }
    // A long protected range, in a description at another place.
    let far = Set {
        at: 1 << 45,
        end: 1 << 45,
        shard_len: 1 << 30,
        data: 1 << 15,
        ..set(64, 1, 1)
    };
    far.check().unwrap();
    let checksums = vec![0; 256];
    let many = far.write_description(0, &checksums).repeat(20);
    let (report, _) = recovered(&[&bytes[..], &many].concat());
    assert_eq!(report.games, 10);
    // Many sets of all bytes before them.
    let mut many = bytes.clone();
    for _ in 0..2000 {
        let (at, end) = (many.len() as u64, many.len() as u64);
        let shard_len = end.div_ceil(256).next_multiple_of(64);
        let data = end.div_ceil(shard_len) as u32;
        let set = Set {
            at,
            end,
            shard_len,
            data,
            ..set(64, 1, 1)
        };
        many.extend(set.write_description(0, &vec![0; data as usize]));
    }
    let start = std::time::Instant::now();
    recovered(&many);
    let whole = start.elapsed();
    assert!(whole.as_secs() < 60, "{whole:?}");
}

#[test]
fn verify_reports_recovery_shards_that_are_not_at_their_places() {
    let (whole, added) = protected(&games(40), Coding::Ign, 10.0);
    assert!(added.recovery_shards > 1);
    let at = added.protected as usize;
    let len = u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap()) as usize + 8;
    let (set, ..) = Set::read_description(&whole[at..at + len]).unwrap();
    let place =
        |shard| set.recovery_frame(shard).start as usize..set.recovery_frame(shard).end as usize;
    let mut swapped = whole.clone();
    swapped[place(0)].copy_from_slice(&whole[place(1)]);
    swapped[place(1)].copy_from_slice(&whole[place(0)]);
    let archive = Archive::from_read_at(swapped.clone(), "a.ign").unwrap();
    let error = archive.verify().unwrap_err();
    assert_eq!(error.byte(), Some(place(0).start as u64), "{error}");
    let (report, out) = recovered(&swapped);
    assert!(report.is_complete() && out == whole, "{report:?}");
}

#[test]
fn parity_that_is_cancelled_leaves_the_archive_as_it_was() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let input = Input::reader("a.pgn", std::io::Cursor::new(games(40)));
    let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
    std::fs::write(&file, &bytes).unwrap();
    for calls in [1, 20] {
        let mut left = calls;
        let builder = ParityBuilder::new(10.0).on_progress(|progress| {
            left -= 1;
            assert!(progress.bytes > 0);
            if left == 0 { Break(()) } else { Continue(()) }
        });
        let error = builder.add_to(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert!(std::fs::read(&file).unwrap() == bytes);
    }
    assert!(ParityBuilder::new(10.0).add_to(&file).unwrap().added > 0);
}
