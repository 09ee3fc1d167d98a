//! Does an index that is damaged, or that belongs to another archive, ever change an answer? Every
//! answer must be that of the archive without an index, and a damage that was read must be
//! reported.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::oracle::{
    Indexed,
    archives::{build_index, pack},
    conditions::some_position,
    data,
};
use ign_archive::{
    Archive, Coding, ErrorKind, GameNumber, Query, Tree,
    index::{self, Index, IndexBuilder},
    query::{Bounds, Date, Eco, parse_opening, parse_position},
};
use ign_testing::{Random, cases};

/// An archive with an index, and questions with the answers of the archive alone.
struct Questioned {
    _indexed: Indexed,
    path: PathBuf,
    queries: Vec<(Query, Vec<GameNumber>)>,
    tree: Tree,
}

/// The start of the tree that is asked for.
const START: &str = crate::oracle::games::STANDARD;

impl Questioned {
    fn new() -> Self {
        let text = data::generated(160, 7);
        let indexed = Indexed::of(&text, Coding::Ign, 60_000);
        Self::of(&text, indexed)
    }

    /// An index of three segments.
    fn extended() -> Self {
        let text = data::generated(160, 7);
        let indexed = Indexed::in_parts(&text, Coding::Ign, 60_000, 3, 3);
        Self::of(&text, indexed)
    }

    /// The queries read every section of the index.
    fn of(text: &[u8], indexed: Indexed) -> Self {
        let games = crate::oracle::games::read(text);
        let mut random = Random(7);
        let mut queries = vec![
            Query::new().player("*a*"),
            Query::new().elo(1_400..=1_900).elo_diff(-100..=100),
            Query::new()
                .date("2013".parse::<Bounds<Date>>().unwrap())
                .result(["1-0".parse().unwrap()]),
            Query::new()
                .eco("A00..C99".parse::<Bounds<Eco>>().unwrap())
                .plies(20..),
            Query::new().time_control("*+*").termination("normal"),
            Query::new().opening(parse_opening("e2e4").unwrap()),
        ];
        // Positions are in many parts of the index.
        for number in 0..24 {
            let fen = match number {
                0 => START.to_owned(),
                _ => some_position(&mut random, &games).fen(),
            };
            queries.push(Query::new().position(parse_position(&fen).unwrap()));
        }
        let archive = indexed.archive.clone().with_search_index(false);
        let answer = |query: Query| {
            let found = archive.find(&query).unwrap();
            (query, found)
        };
        let queries: Vec<_> = queries.into_iter().map(answer).collect();
        assert!(queries.iter().all(|(_, found)| found.len() < 160));
        let some = queries.iter().filter(|(_, found)| !found.is_empty());
        assert!(some.count() > 20);
        let tree = archive
            .tree(&parse_position(START).unwrap(), &queries[1].0)
            .unwrap();
        Self {
            path: archive.path().to_owned(),
            queries,
            tree,
            _indexed: indexed,
        }
    }

    fn index(&self) -> Vec<u8> {
        fs::read(index::path_of(&self.path)).unwrap()
    }

    /// Whether the archive rejects these bytes as its index. Its answers must not change.
    #[track_caller]
    fn rejects(&self, bytes: &[u8], name: &str) -> bool {
        fs::write(index::path_of(&self.path), bytes).unwrap();
        let archive = Archive::open(&self.path).unwrap().with_threads(1);
        for (query, expected) in &self.queries {
            assert_eq!(&archive.find(query).unwrap(), expected, "{name}, {query:?}");
        }
        let start = parse_position(START).unwrap();
        let tree = archive.tree(&start, &self.queries[1].0).unwrap();
        assert_eq!(tree, self.tree, "{name}");
        let Some(error) = archive.rejected_index() else {
            return false;
        };
        let kinds = [ErrorKind::Corrupt, ErrorKind::Unsupported];
        assert!(kinds.contains(&error.kind()), "{name}: {error}");
        assert!(error.to_string().contains(".idx"), "{name}: {error}");
        assert!(archive.search_index().is_none(), "{name}");
        true
    }
}

#[test]
fn an_index_that_is_whole_is_used() {
    let questioned = Questioned::new();
    assert!(!questioned.rejects(&questioned.index(), "whole"));
    let archive = Archive::open(&questioned.path).unwrap();
    let index = archive.search_index().unwrap();
    assert_eq!(index.sections(), index::IndexSections::ALL);
    let [segment] = index.segments() else {
        panic!("the index has one segment");
    };
    assert_eq!(segment.sections(), index::IndexSections::ALL);
    assert_eq!(
        (index.games(), segment.games()),
        (archive.len(), archive.len())
    );
}

#[test]
fn truncated_indexes_are_rejected() {
    let questioned = Questioned::new();
    let whole = questioned.index();
    let mut random = Random(8);
    let lens = (0..4)
        .chain(whole.len() - 30..whole.len())
        .chain((0..20).map(|_| random.below(whole.len())));
    for len in lens {
        assert!(questioned.rejects(&whole[..len], &format!("{len} bytes")));
    }
    // What follows the last whole segment is ignored.
    let longer = [&whole[..], b"\0"].concat();
    assert!(!questioned.rejects(&longer, "a byte more"));
    assert!(questioned.rejects(&vec![0; whole.len()], "zeros"));
}

#[test]
fn truncated_extended_indexes_are_used_up_to_the_last_whole_segment() {
    let questioned = Questioned::extended();
    let whole = questioned.index();
    let archive = Archive::open(&questioned.path).unwrap();
    let segments = archive.search_index().unwrap().segments();
    let mut ends = Vec::new();
    for segment in segments {
        ends.push(ends.last().unwrap_or(&0) + segment.bytes() as usize);
    }
    assert_eq!((ends.len(), ends[2]), (3, whole.len()));
    let mut random = Random(10);
    let near = ends
        .iter()
        .flat_map(|&end| [end - 38, end - 1, end, end + 1, end + 12]);
    let lens = near.chain((0..12).map(|_| random.below(whole.len())));
    for len in lens {
        let len = len.min(whole.len());
        let left = ends.iter().filter(|&&end| end <= len).count();
        for bytes in [whole[..len].to_vec(), [&whole[..len], &[0; 50]].concat()] {
            let is_rejected = questioned.rejects(&bytes, &format!("{len} bytes"));
            assert_eq!(is_rejected, left == 0, "{len} bytes");
            if !is_rejected {
                let archive = Archive::open(&questioned.path).unwrap();
                assert_eq!(archive.search_index().unwrap().segments().len(), left);
            }
        }
    }
}

#[test]
fn damaged_bytes_of_extended_indexes_change_no_answer() {
    let questioned = Questioned::extended();
    let whole = questioned.index();
    let mut random = Random(11);
    let mut rejected = 0;
    let parts = cases(40, 120);
    for part in 0..parts {
        let place = (part * whole.len() / parts + random.below(64)).min(whole.len() - 1);
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        rejected += usize::from(questioned.rejects(&bytes, &format!("byte {place}")));
    }
    assert!(rejected > parts / 3, "{rejected} of {parts}");
}

/// Some bytes of every section of the index of an archive.
fn sections(archive: &Path) -> Vec<usize> {
    let archives = [Archive::open(archive).unwrap()];
    let summary = IndexBuilder::new()
        .build(&archives, &mut Vec::new())
        .unwrap();
    let mut places = Vec::new();
    let mut start = 0;
    for (_, len) in summary.sections {
        let len = len as usize;
        places.extend([0, len / 2, len - 1].map(|place| start + place));
        start += len;
    }
    assert!(places.len() > 3 * 10);
    places
}

#[test]
fn damaged_bytes_change_no_answer() {
    let questioned = Questioned::new();
    let whole = questioned.index();
    let mut random = Random(9);
    let spread = cases(60, 200);
    // The directory and the end of the file are at the end.
    let last = whole.len() - 100..whole.len();
    let places = (0..spread).map(|part| part * whole.len() / spread + random.below(8));
    let places: Vec<usize> = places
        .chain(sections(&questioned.path))
        .chain(last.clone())
        .collect();
    let mut rejected = 0;
    for &place in &places {
        let place = place.min(whole.len() - 1);
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        let is_rejected = questioned.rejects(&bytes, &format!("bit {} of byte {place}", place % 8));
        assert!(is_rejected || !last.contains(&place), "byte {place}");
        rejected += usize::from(is_rejected);
    }
    // Of the positions only the parts that are asked for are read.
    assert!(
        rejected > places.len() / 2,
        "{rejected} of {}",
        places.len()
    );
}

#[test]
fn the_index_of_another_archive_is_rejected() {
    let questioned = Questioned::new();
    let whole = questioned.index();
    let folder = tempfile::tempdir().unwrap();
    // The same games in another coding, the same number of other games, and the file repacked.
    let own = data::generated(160, 7);
    let other = data::generated(160, 8);
    for (text, coding, name) in [
        (&own, Coding::IgnEnd, "coding"),
        (&other, Coding::Ign, "games"),
    ] {
        let path = folder.path().join(format!("{name}.ign"));
        pack(text, coding, 60_000, &path);
        let index = fs::read(build_index(&path)).unwrap();
        assert!(questioned.rejects(&index, name), "{name}");
    }
    assert!(!questioned.rejects(&whole, "its own"));
    repack_beside_the_index(&questioned, &own);
}

/// Packs an archive again, with other blocks, beside the index of the old file.
fn repack_beside_the_index(questioned: &Questioned, text: &[u8]) {
    pack(text, Coding::Ign, 50_000, &questioned.path);
    assert!(questioned.rejects(&questioned.index(), "repacked"));
    let index_path = build_index(&questioned.path);
    assert!(!questioned.rejects(&fs::read(&index_path).unwrap(), "built again"));
    let archive = Archive::open(&questioned.path).unwrap();
    assert!(Index::open(Path::new(&index_path), &[&archive]).is_ok());
}
