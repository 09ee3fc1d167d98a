//! Do collections of games of Go come back from archives to the byte, and are their games found?

use ign_archive::query::{format_a, format_b};
use ign_format::block::{decode::Block, encode::Options, go};
use ign_testing::{
    games,
    go::{ODD, collection},
};

use crate::util::Folder;

#[test]
fn archives_of_go_are_packed_verified_searched_and_listed() {
    let text = collection(60) + &ODD.concat();
    let folder = Folder::with("a.sgf", &text);
    let mut archives = Vec::new();
    for options in [
        &["-T1"][..],
        &["-T7"],
        &["--coding", "ign"],
        &["--coding", "ign-end"],
    ] {
        let pack = [
            &["pack", "-q", "-f", "-B", "8K", "a.sgf", "-o", "a.ign"],
            options,
        ]
        .concat();
        folder.ign(&pack).done();
        archives.push(folder.read("a.ign"));
        folder.ign(&["verify", "-q", "a.ign"]).done();
        assert_eq!(
            folder.ign(&["unpack", "-c", "a.ign"]).done(),
            text.as_bytes()
        );
        folder.remove("a.sgf");
        folder.ign(&["unpack", "-q", "a.ign"]).done();
        assert_eq!(folder.read("a.sgf"), text.as_bytes());
        let third = folder.ign(&["get", "a.ign", "3"]).done();
        let expected = text.split_inclusive(")\n\n").nth(2).unwrap();
        assert_eq!(String::from_utf8(third).unwrap(), expected);
        // The third game's moves 20, 40 and 60.
        let moves: Vec<&str> = expected.split("[").skip(7).map(|m| &m[..2]).collect();
        let legal = ign_format::sgf::game::read(expected.as_bytes());
        let signature = match &legal {
            Ok(games) => format_a(&games[0].signature),
            // Some point was taken already: the game ends there.
            Err(_) => format!("{}????", moves[19]),
        };
        let found = folder.ign(&[
            "find",
            "-q",
            "a.ign",
            "--signature",
            &format!("A={signature}"),
        ]);
        if found.code == Some(0) {
            let found = String::from_utf8(found.out).unwrap();
            assert!(
                found.lines().any(|line| line == "3"),
                "{signature}: {found}"
            );
        }
        folder.ign(&["stats", "-q", "a.ign"]).done();
        folder.ign(&["stats", "-q", "--json", "a.ign"]).done();
        folder.ign(&["info", "-v", "a.ign"]).done();
        let list = String::from_utf8(folder.ign(&["list", "a.ign", "3"]).done()).unwrap();
        assert!(list.contains("Bob") && list.contains("B+R"), "{list}");
        let none = folder.ign(&["find", "-q", "a.ign", "--opening", "1. e4"]);
        assert_eq!(none.code, Some(1));
    }
    assert!(
        archives[0] == archives[1],
        "the same bytes at any number of threads"
    );
}

#[test]
fn games_of_chess_and_of_go_stand_in_one_archive() {
    let folder = Folder::with("a.sgf", collection(5));
    folder.write("b.pgn", games(5));
    folder
        .ign(&["pack", "-q", "a.sgf", "b.pgn", "-o", "c.ign"])
        .done();
    folder.ign(&["verify", "-q", "c.ign"]).done();
    let both = [collection(5).into_bytes(), games(5)].concat();
    assert_eq!(folder.ign(&["unpack", "-c", "c.ign"]).done(), both);
    folder.ign(&["stats", "-q", "c.ign"]).done();
    let list = folder.ign(&["list", "c.ign"]).done();
    assert_eq!(String::from_utf8(list).unwrap().lines().count(), 10);
}

#[test]
fn the_game_of_1970_is_found_by_the_signature_that_was_printed() {
    let moves = "pddppqdcdececfcdqkjqdgfcckcmpfpnnpnnokqqqppprqqrpoopoooqnoqorpqmroqnonomnmnl\
                 mnolornqprmqlmrrpsnkojlkip";
    let record: String = moves
        .as_bytes()
        .chunks(2)
        .zip(["B", "W"].into_iter().cycle())
        .map(|(m, color)| format!(";{color}[{}]", std::str::from_utf8(m).unwrap()))
        .collect();
    let text = format!(
        "{}(;PB[Kajiwara Takeo]PW[Rin Kaiho]{record})\n",
        collection(3)
    );
    let folder = Folder::with("a.sgf", &text);
    folder.ign(&["pack", "-q", "a.sgf"]).done();
    for parts in [
        &["A=qqol??"][..],
        &["B=rpip??"],
        &["A=qqol??", "B=rpip??"],
        &["A=??ol??"],
    ] {
        let find = [&["find", "-q", "a.ign", "--signature"], parts].concat();
        assert_eq!(folder.ign(&find).done(), b"4\n", "{parts:?}");
    }
    let packed = go::encode(text.into_bytes(), &Options::default()).unwrap();
    let printed = Block::open(&packed.bytes).unwrap().signatures().unwrap()[3];
    assert_eq!(
        (format_a(&printed), format_b(&printed)),
        ("qqol??".into(), "rpip??".into())
    );
}
