//! Texts that are appended, also after damage at the end of the archive, and merged, come back to
//! the byte.
#![no_main]

use std::fs;

use arbitrary::Arbitrary;
use ign_archive::{Appender, Archive, Coding, Merger};
use ign_format::container::append_mark::{self, State};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Growth {
    first: Text,
    coding: u8,
    appends: Vec<Append>,
}

#[derive(Debug, Arbitrary)]
struct Append {
    text: Text,
    damage: Option<Damage>,
}

#[derive(Debug, Arbitrary)]
enum Text {
    /// Games, which any bytes rarely are.
    Odd,
    Clocks,
    Variants,
    Go,
    Any(Vec<u8>),
}

impl Text {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Odd => ign_fuzz::ODD.as_bytes(),
            Self::Clocks => ign_fuzz::CLOCKS.as_bytes(),
            Self::Variants => ign_fuzz::VARIANTS.as_bytes(),
            Self::Go => ign_fuzz::GO.as_bytes(),
            Self::Any(bytes) => bytes,
        }
    }
}

/// What happens to the file before games are appended.
#[derive(Debug, Arbitrary)]
enum Damage {
    /// So many of the last bytes are lost.
    Cut(u16),
    /// So many of the last bytes were not written yet when the last append was interrupted.
    Interrupted(u16),
    /// These bytes follow the archive.
    Excess(Vec<u8>),
    /// A byte is changed, so far from the end.
    Changed(u16, u8),
}

fuzz_target!(|growth: Growth| {
    let coding = Coding::ALL[growth.coding as usize % Coding::ALL.len()];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ign");
    let mut text = growth.first.bytes().to_vec();
    let mut parts = vec![ign_fuzz::pack(&text, coding, 1 << 10)];
    fs::write(&path, &parts[0]).expect("a file");
    // Where the last append starts, and the text before it.
    let (mut start, mut earlier) = (None, Vec::new());
    for append in growth.appends.iter().take(4) {
        let mut bytes = fs::read(&path).expect("a file");
        match &append.damage {
            None => {}
            Some(Damage::Cut(count)) => bytes.truncate(bytes.len().saturating_sub(*count as usize)),
            Some(Damage::Interrupted(count)) => {
                let Some(start) = start else { continue };
                let mark = append_mark::write(start as u64, State::Appending);
                bytes[start..][..mark.len()].copy_from_slice(&mark);
                bytes.truncate((bytes.len() - *count as usize % (bytes.len() - start)).max(start));
            }
            Some(Damage::Excess(excess)) => bytes.extend_from_slice(excess),
            Some(Damage::Changed(back, value)) => {
                let at = bytes.len().saturating_sub(1 + *back as usize);
                bytes[at] = *value;
            }
        }
        fs::write(&path, &bytes).expect("a file");
        let opened = Appender::open(&path).and_then(|appender| {
            // The archive as it is, which may be the one before the last append.
            let before = ign_fuzz::unpacked(appender.archive())?;
            Ok((appender, before))
        });
        let (appender, before) = match (opened, &append.damage) {
            (Ok(opened), _) => opened,
            (Err(error), None | Some(Damage::Interrupted(_))) => panic!("{error}"),
            (Err(_), _) => return,
        };
        match append.damage {
            None => assert!(before == text),
            Some(Damage::Interrupted(_)) => assert!(before == text || before == earlier),
            // An append does not read all bytes of the archive.
            Some(Damage::Changed(..)) if appender.archive().verify().is_err() => return,
            Some(_) => {}
        }
        start = Some(appender.archive().end() as usize);
        let packer = appender.packer().expect("a whole archive");
        let more = append.text.bytes();
        appender
            .append(packer, [ign_fuzz::input(more)])
            .expect("an append");
        text = [&before, more].concat();
        earlier = before;
        let archive = Archive::open(&path).expect("an archive");
        assert!(ign_fuzz::unpacked(&archive).expect("the text") == text);
        archive.verify().expect("a whole archive");
        parts.push(ign_fuzz::pack(more, coding, 1 << 10));
    }
    let archives: Vec<Archive> = parts
        .iter()
        .map(|part| ign_fuzz::open(part).expect("an archive"))
        .collect();
    let texts: Vec<Vec<u8>> = archives
        .iter()
        .map(|part| ign_fuzz::unpacked(part).expect("a text"))
        .collect();
    let (merged, _) = Merger::new().merge(&archives, Vec::new()).expect("a merge");
    let merged = ign_fuzz::open(&merged).expect("an archive");
    assert!(ign_fuzz::unpacked(&merged).expect("the text") == texts.concat());
    merged.verify().expect("a whole archive");
});
