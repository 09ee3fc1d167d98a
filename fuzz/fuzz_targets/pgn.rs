//! Any text has the same games, with the same text, whatever the size of the blocks that it is cut
//! into.
#![no_main]

use ign_archive::{Archive, Coding};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let archives = [1 << 10, 1 << 20].map(|size| {
        let archive = ign_fuzz::open(&ign_fuzz::pack(text, Coding::Ign, size)).expect("an archive");
        assert!(ign_fuzz::unpacked(&archive).expect("the text") == text);
        archive
    });
    let [small, large] = &archives;
    assert_eq!(small.len(), large.len());
    assert_eq!(games(small), games(large));
    ign_fuzz::read_all(large);
});

/// The text, the moves and the tags of each game.
fn games(archive: &Archive) -> Vec<(Vec<u8>, Vec<String>, usize)> {
    let parts = |game: ign_archive::Result<ign_archive::Game>| {
        let game = game?;
        Ok((game.pgn()?.to_vec(), game.san()?, game.tags()?.count()))
    };
    let games = archive.games().map(parts);
    games.collect::<ign_archive::Result<_>>().expect("games")
}
