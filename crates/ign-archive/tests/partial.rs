//! Is an archive that is opened without its damaged blocks ever copied as if it were whole? Is a
//! forged archive opened in bounded memory?

use std::{fs, path::PathBuf};

use ign_archive::{
    Archive, Coding, Error, ErrorKind, Input, Merger, Packer, Remedy, Splitter, pack::SplitBy,
};
use ign_format::container::{footer::Footer, frame, header, index::Index};
use tempfile::TempDir;

/// An archive file of which the second block is damaged.
fn damaged() -> (TempDir, PathBuf) {
    let game = "[Event \"a name that is long enough for a frame\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let input = Input::reader("a.pgn", std::io::Cursor::new(game.repeat(400)));
    let packer = Packer::new().block_size(1 << 13).coding(Coding::Ign);
    let (mut bytes, _) = packer.pack([input], Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes.clone(), "a.ign").unwrap();
    assert!(archive.blocks().len() > 2);
    bytes[archive.blocks()[1].offset as usize + 20] ^= 1;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn archives_without_their_damaged_blocks_are_not_merged_split_or_transcoded() {
    let (_folder, path) = damaged();
    let (partial, damage) = Archive::open_damaged(&path).unwrap();
    assert!(partial.is_partial());
    assert_eq!(damage.len(), 1);
    let check = |error: Error| {
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        assert_eq!(error.remedy(), Some(&Remedy::Recover), "{error}");
        assert!(error.to_string().contains("a.ign"), "{error}");
    };
    check(
        Merger::new()
            .merge(std::slice::from_ref(&partial), Vec::new())
            .unwrap_err(),
    );
    for by in [
        SplitBy::Games(50),
        SplitBy::Bytes(1 << 14),
        SplitBy::Tag("Event".into()),
    ] {
        check(
            Splitter::new(by)
                .split(&partial, |_| Ok(Vec::new()))
                .unwrap_err(),
        );
    }
    let packer = Packer::new().coding(Coding::Weighted);
    check(packer.transcode(&partial, Vec::new()).unwrap_err());
}

/// The metadata frame is at most 64 KiB and some bytes. One that states more is not read.
#[test]
fn metadata_of_an_impossible_length_are_rejected() {
    for len in [(1 << 16) + 1, 1 << 24] {
        let mut bytes = header::write();
        bytes.extend(frame::seal(frame::Kind::Meta, &vec![0; len]));
        let index_offset = bytes.len() as u64;
        let index = Index::default().write();
        bytes.extend_from_slice(&index);
        let file_len = bytes.len() as u64 + ign_format::container::footer::LEN as u64;
        let footer = Footer {
            index_offset,
            index_len: index.len() as u64,
            games: 0,
            plies: 0,
            text_len: 0,
            file_len,
        };
        bytes.extend(footer.write());
        let archive = Archive::from_read_at(bytes, "a.ign").unwrap();
        let error = archive.meta().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(error.message().contains("no metadata"), "{error}");
    }
}
