//! Is an index that is extended the index of the whole archive, and is it never used for games that
//! it does not have?

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::oracle::{
    archives::{build_index, pack_parts, parts_of},
    data,
};
use ign_archive::{
    Archive, Archives, Coding, Error, ErrorKind, NewFile, Progress, Query, Remedy, Result,
    index::IndexBuilder,
    index::{self, Extended, Index, IndexSections},
};

/// A folder with an archive that grows by parts of a text.
struct Growing {
    folder: tempfile::TempDir,
    text: Vec<u8>,
    parts: usize,
}

impl Growing {
    fn new(games: usize, parts: usize, seed: u64) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            text: data::generated(games, seed),
            parts,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The archive `name` of some of the parts.
    fn pack(&self, name: &str, parts: std::ops::Range<usize>) -> Archive {
        let texts = &parts_of(&self.text, self.parts)[parts];
        // Shorter parts would share blocks.
        pack_parts(texts, Coding::Ign, 1 << 12, &self.path(name));
        Archive::open(self.path(name)).unwrap()
    }

    /// The archive `a.ign` of the first parts.
    fn grow(&self, parts: usize) -> Archive {
        self.pack("a.ign", 0..parts)
    }

    fn index_path(&self) -> PathBuf {
        index::path_of(&self.path("a.ign"))
    }

    fn index(&self) -> Vec<u8> {
        fs::read(self.index_path()).unwrap()
    }

    /// Packs the first parts and extends the index.
    fn extend(&self, parts: usize) -> Extended {
        extend(&self.index_path(), &[self.grow(parts)]).unwrap()
    }
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn extend(path: &Path, archives: &[Archive]) -> Result<Extended> {
    IndexBuilder::new()
        .on_progress(go_on)
        .extend(path, archives)
}

fn of_result() -> Query {
    Query::new().result(["1-0".parse().unwrap()])
}

/// Asserts that the archive finds the same games with its index, which covers `games`, and without.
#[track_caller]
fn assert_covers(archive: &Archive, games: u64) {
    let query = of_result();
    let found = archive.find(&query).unwrap();
    assert!(!found.is_empty());
    assert_eq!(
        found,
        archive
            .clone()
            .with_search_index(false)
            .find(&query)
            .unwrap()
    );
    assert!(archive.rejected_index().is_none());
    assert_eq!(archive.search_index().unwrap().games(), games);
}

#[test]
fn an_extension_adds_a_segment_and_changes_no_byte() {
    let growing = Growing::new(90, 3, 21);
    let first = growing.grow(1);
    build_index(&growing.path("a.ign"));
    let before = growing.index();
    let extended = growing.extend(3);
    let after = growing.index();
    let archive = Archive::open(growing.path("a.ign")).unwrap();
    assert_eq!(extended.summary.games, archive.len() - first.len());
    assert_eq!(extended.summary.len as usize, after.len() - before.len());
    assert!(!extended.is_rebuilt && after.starts_with(&before));
    assert_covers(&archive, archive.len());
    let index = archive.search_index().unwrap();
    let bytes: Vec<u64> = index.segments().iter().map(|s| s.bytes()).collect();
    assert_eq!(bytes, [before.len() as u64, extended.summary.len]);
    let verified = index::verify(growing.index_path()).unwrap();
    assert_eq!((verified.segments, verified.missing), (2, 0));
    // Nothing is left to add.
    let again = growing.extend(3);
    assert_eq!((again.summary.games, again.summary.len), (0, 0));
    assert!(growing.index() == after);
}

#[test]
fn games_after_the_index_are_searched_in_the_archive() {
    let growing = Growing::new(90, 3, 22);
    let covered = growing.grow(2).len();
    build_index(&growing.path("a.ign"));
    let archive = growing.grow(3);
    assert_covers(&archive, covered);
    let explanation = archive.explain(&of_result()).unwrap();
    let bytes_of = |source: &str| {
        let mut stages = explanation.stages.iter();
        stages.find(|stage| stage.reads == source).map(|s| s.bytes)
    };
    assert!(bytes_of("index").unwrap() > 0);
    let read = bytes_of("Result").unwrap();
    let plain = archive.clone().with_search_index(false);
    let all = plain.explain(&of_result()).unwrap().stages[0].bytes;
    assert!(read > 0 && read < all, "{read} of {all} bytes");
    let verified = index::verify(growing.index_path()).unwrap();
    assert_eq!(verified.missing, archive.len() - covered);
}

#[test]
fn an_archive_as_it_was_before_uses_the_segments_for_its_games() {
    let growing = Growing::new(90, 3, 23);
    growing.grow(1);
    build_index(&growing.path("a.ign"));
    growing.extend(2);
    growing.extend(3);
    let older = growing.grow(2);
    assert_covers(&older, older.len());
    assert_eq!(older.search_index().unwrap().segments().len(), 2);
}

#[test]
fn an_interrupted_extension_is_ignored_and_repeated() {
    let growing = Growing::new(90, 2, 24);
    let covered = growing.grow(1).len();
    build_index(&growing.path("a.ign"));
    let before = growing.index();
    growing.extend(2);
    let whole = growing.index();
    let new = whole.len() - before.len();
    for cut in [1, 40, new / 2, new - 20, new - 1] {
        fs::write(growing.index_path(), &whole[..before.len() + cut]).unwrap();
        let archive = Archive::open(growing.path("a.ign")).unwrap();
        assert_covers(&archive, covered);
        let error = index::verify(growing.index_path()).unwrap_err();
        assert!(error.to_string().contains("interrupted"), "{error}");
        growing.extend(2);
        assert!(growing.index() == whole, "{cut} bytes");
    }
}

#[test]
fn a_cancelled_extension_leaves_the_index_as_it_was() {
    let growing = Growing::new(90, 2, 25);
    growing.grow(1);
    build_index(&growing.path("a.ign"));
    let before = growing.index();
    let archive = growing.grow(2);
    let stop = |_| ControlFlow::Break(());
    let error = IndexBuilder::new()
        .on_progress(stop)
        .extend(growing.index_path(), &[archive])
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(growing.index() == before);
}

#[test]
fn an_index_of_sixteen_segments_is_built_again_as_one() {
    let growing = Growing::new(200, 18, 26);
    growing.grow(1);
    build_index(&growing.path("a.ign"));
    for parts in 2..=16 {
        assert!(!growing.extend(parts).is_rebuilt);
    }
    let archive = Archive::open(growing.path("a.ign")).unwrap();
    assert_covers(&archive, archive.len());
    assert!(!archive.search_index().unwrap().is_extendable());
    assert!(growing.extend(17).is_rebuilt);
    let rebuilt = growing.index();
    build_index(&growing.path("a.ign"));
    assert!(growing.index() == rebuilt);
    assert!(!growing.extend(18).is_rebuilt);
    assert_eq!(fs::read_dir(growing.folder.path()).unwrap().count(), 2);
}

#[test]
fn a_segment_has_the_sections_of_the_index() {
    let growing = Growing::new(60, 2, 27);
    let mut sections = IndexSections::ALL;
    sections.positions = false;
    IndexBuilder::new()
        .sections(sections)
        .build_file(growing.index_path(), &[growing.grow(1)])
        .unwrap();
    growing.extend(2);
    let archive = Archive::open(growing.path("a.ign")).unwrap();
    let index = archive.search_index().unwrap();
    let of_segments = index.segments().iter().map(|s| s.sections());
    assert_eq!(of_segments.collect::<Vec<_>>(), [sections; 2]);
}

#[test]
fn an_index_without_games_is_extended() {
    let growing = Growing::new(30, 1, 28);
    pack_parts(&[b""], Coding::Ign, 20_000, &growing.path("a.ign"));
    build_index(&growing.path("a.ign"));
    pack_parts(
        &[b"", &growing.text],
        Coding::Ign,
        20_000,
        &growing.path("a.ign"),
    );
    let archive = Archive::open(growing.path("a.ign")).unwrap();
    extend(&growing.index_path(), &[archive]).unwrap();
    let archive = Archive::open(growing.path("a.ign")).unwrap();
    assert_covers(&archive, archive.len());
}

#[track_caller]
fn assert_is_of_others(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert_eq!(error.remedy(), Some(&Remedy::RebuildIndex), "{error}");
}

#[test]
fn an_index_of_other_games_is_not_extended() {
    let growing = Growing::new(60, 2, 29);
    growing.grow(1);
    build_index(&growing.path("a.ign"));
    let before = growing.index();
    // The same number of bytes: a name has another letter.
    let mut other = growing.text.clone();
    let place = memchr::memmem::find(&other, b"[White \"").unwrap() + 8;
    other[place] ^= 1;
    let changed = Growing {
        text: other,
        ..growing
    };
    let error = extend(&changed.index_path(), &[changed.grow(2)]).unwrap_err();
    assert_is_of_others(&error);
    assert!(changed.index() == before);
    let archive = Archive::open(changed.path("a.ign")).unwrap();
    archive.find(&of_result()).unwrap();
    assert_is_of_others(archive.rejected_index().unwrap());
    assert_is_of_others(&index::verify(changed.index_path()).unwrap_err());
}

#[test]
fn an_index_of_several_archives_is_extended_if_only_the_last_has_grown() {
    let growing = Growing::new(120, 6, 30);
    let path = growing.path("all.idx");
    let [a, b] = [("a.ign", 0..2), ("b.ign", 2..3)].map(|(name, of)| growing.pack(name, of));
    IndexBuilder::new()
        .build_file(&path, &[a.clone(), b])
        .unwrap();
    let check = |archives: Vec<Archive>, segments: usize| {
        let plain = Archives::from(archives.clone()).find(&of_result()).unwrap();
        let members: Vec<&Archive> = archives.iter().collect();
        let index = Index::open(&path, &members).unwrap();
        assert_eq!(index.segments().len(), segments);
        let shared = Archives::from(archives).with_shared_index(&path).unwrap();
        assert_eq!(shared.find(&of_result()).unwrap(), plain);
        assert!(shared.rejected_indexes().next().is_none());
    };
    // The second archive grows, then a third one follows.
    let b = growing.pack("b.ign", 2..5);
    check(vec![a.clone(), b.clone()], 1);
    extend(&path, &[a.clone(), b.clone()]).unwrap();
    check(vec![a.clone(), b.clone()], 2);
    let c = growing.pack("c.ign", 5..6);
    extend(&path, &[a.clone(), b.clone(), c.clone()]).unwrap();
    check(vec![a.clone(), b.clone(), c.clone()], 3);
    check(vec![a.clone(), b.clone()], 2);
    let verified = index::verify(&path).unwrap();
    assert_eq!(
        (verified.archives, verified.found, verified.missing),
        (3, 3, 0)
    );
    // The first one grows, so the games of the second have other numbers.
    let a = growing.pack("a.ign", 0..3);
    assert_is_of_others(&extend(&path, &[a, b, c]).unwrap_err());
    assert_is_of_others(&index::verify(&path).unwrap_err());
}

/// Whoever writes into the folder removes temporary files that were left there.
#[test]
fn an_index_that_is_being_built_is_not_taken_for_left_over() {
    let growing = Growing::new(40, 2, 5);
    let archive = growing.grow(2);
    let index = growing.index_path();
    let mut blocks = 0;
    let other_writer = |_| {
        blocks += 1;
        drop(NewFile::create(growing.path("b.ign"), false).unwrap());
        let error = NewFile::create(&index, true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        ControlFlow::Continue(())
    };
    IndexBuilder::new()
        .on_progress(other_writer)
        .build_file(&index, &[archive])
        .unwrap();
    assert!(blocks > 0);
    let archive = growing.grow(2);
    assert_eq!(archive.search_index().unwrap().games(), archive.len());
}
