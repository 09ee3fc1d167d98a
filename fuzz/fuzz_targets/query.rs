//! Any text is a condition or an error, and a search finds the games that match one by one, with
//! and without an index.
//!
//! The input has a condition on each line: its number, and its text.
#![no_main]

use std::{fs, sync::OnceLock};

use ign_archive::{
    Archive, Coding, Query,
    index::{self, IndexBuilder},
    query::CONDITIONS,
};
use libfuzzer_sys::fuzz_target;

/// The archive without an index, and with one.
fn archives() -> &'static [Archive; 2] {
    static ARCHIVES: OnceLock<[Archive; 2]> = OnceLock::new();
    ARCHIVES.get_or_init(|| {
        let text = [ign_fuzz::sample(40), ign_fuzz::chess()].concat();
        let path = std::env::temp_dir().join(format!("ign-fuzz-{}.ign", std::process::id()));
        fs::write(&path, ign_fuzz::pack(&text, Coding::Ign, 1 << 14)).expect("a file");
        let open = || Archive::open(&path).expect("an archive").with_threads(1);
        let mut bytes = Vec::new();
        let build = IndexBuilder::new().build(&[open()], &mut bytes);
        build.expect("an index");
        fs::write(index::path_of(&path), bytes).expect("a file");
        let archives = [open().with_search_index(false), open()];
        // The index is opened by the first search.
        assert!(archives[1].search_index().is_some());
        archives
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut query = Query::default();
    for line in bytes.split(|&byte| byte == b'\n').take(4) {
        let Some((&number, text)) = line.split_first() else {
            continue;
        };
        let name = CONDITIONS[number as usize % CONDITIONS.len()].name;
        if let Ok(text) = std::str::from_utf8(text) {
            _ = query.set(name, text);
        }
    }
    if query.check().is_err() {
        return;
    }
    let [plain, indexed] = archives();
    let found = plain.find(&query);
    let matching = plain.games().filter_map(|game| {
        let game = game.expect("a game");
        match query.matches(&game) {
            Ok(true) => Some(Ok(game.number())),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    });
    match (found, matching.collect::<Result<Vec<_>, _>>()) {
        (Ok(found), Ok(matching)) => {
            assert_eq!(found, matching);
            assert_eq!(indexed.find(&query).expect("games"), matching);
        }
        (Err(_), Err(_)) => assert!(indexed.find(&query).is_err()),
        (found, matching) => panic!("{:?} {:?}", found.err(), matching.err()),
    }
});
