//! Are games of variants found?

use crate::util::Folder;

#[test]
fn finds_games_of_variants_by_signature_but_not_by_opening() {
    // Ply 20 is a drop on e6.
    let house = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. Nb1 Nf6 5. Nc3 Ng8 6. Nb1 Nf6 7. Nc3 Ng8 \
                 8. Nb1 Nf6 9. Nc3 Ng8 10. Nb1 P@e6 *";
    let game = |tags: &str, moves: &str| format!("[Event \"x\"]\n{tags}\n{moves}\n\n");
    let text = game("[Variant \"Crazyhouse\"]\n", house) + &game("", "1. e4 d5 2. exd5 *");
    let folder = Folder::with("a.pgn", &text);
    for coding in ["ign", "ign-end", "weighted"] {
        folder
            .ign(&["pack", "-f", "--coding", coding, "a.pgn"])
            .done();
        folder.ign(&["verify", "a.ign"]).done();
        let found = folder.ign(&["find", "a.ign", "--signature", "A=e6????", "--pgn"]);
        assert_eq!(
            found.done(),
            game("[Variant \"Crazyhouse\"]\n", house).as_bytes()
        );
        let found = folder.ign(&["find", "a.ign", "--opening", "1. e4 d5"]);
        assert_eq!(found.done(), b"2\n", "{coding}");
        let stats = folder.ign(&["stats", "--json", "a.ign"]).done();
        assert!(!stats.is_empty());
    }
}
