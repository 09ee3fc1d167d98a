//! Do collections of games of Go come back to the byte, and are their games found in archives?

mod util;

use ign_archive::{format_a, format_b};
use ign_format::block::{Coding, decode::Block, encode::Options, go};
use util::Folder;

/// Records of all kinds: well-formed ones, and those that no model expects.
const ODD: [&str; 30] = [
    "(;GM[1]FF[4]SZ[19]PB[A]PW[B];B[pd];W[dp];B[pp](;W[dd];B[qn])(;W[dc]C[or so];B[de]))\n",
    "(;SZ[9]AB[aa][bb]AW[cc];W[dd];B[];W[ee])\n",
    "(;SZ[9:5];B[aa];B[bb];W[tt];W[cc])",
    "(;SZ[52];B[ZZ];W[AA];B[];W[tt])\n\n\n",
    "(;SZ[60];B[aa];W[bb])\n",
    "(;GM[3];B[aa];W[bb])\n",
    "(;B[aa];W[aa];B[cc](;W[dd])(;W[ee]))\n",
    "(;SZ[5];B[aa]C[a \\] b [ c \\\\];W[bb]LB[aa:1][bb:2]\n[cc:3];B[cc])\n",
    "(;SZ[5](;B[aa](;W[bb](;B[cc](;W[dd]))))(;B[ee]))\n",
    "(;SZ[5];B[aa];W[bb]AB[cc];B[dd](;W[ee]))\n",
    "(;SZ[5];B[aa];W[bb]",
    "\n(;GM[1];B[aa]C[never ends\n",
    "\n(;GM[1]PB[x]PB[(y)]PB[a long value that does not stay where it was found];B[aa])\n",
    "(;C[line\nbreaks\n]EV[x];B[aa]\n;W[bb]\n;B[cc])\n",
    "(;)(;)(;B[aa])(;B[bb])",
    "(;SZ[5];B[aa];W[ab];B[ba]W[bb];B[cc];W[ca];B[ac])\n",
    "text between games (not one)\n",
    "(;B[])(;W[])(;B[tt];W[])",
    "(;SZ[1];B[aa];W[])\n",
    "(;SZ[2]RU[NZ];B[aa];W[ab];B[bb];W[ba])\n",
    "(;\u{1}PB[\u{2}]\u{3};B[aa]\u{4};W[bb])\n",
    "( ; SZ [ 5 ] ; B[aa] ; W [bb] ; B[cc] )\n",
    "(;Black[aa];White[bb])\n",
    "(;SZ[3];B[aa];W[cc];B[ac];W[ca];B[bb];W[ab];B[ba];W[bc];B[cb];W[aa])\n",
    "(;PB[\u{6797}\u{6d77}\u{5cf0}]PW[\u{8d99}\u{6cbb}\u{52f3}];B[pd])\n",
    "))((;B[aa])\n",
    "(;HA[2]AB[dd][pp];B[aa];W[bb];B[cc])\n",
    "(;B[aa]BL[1799.5]OB[5];W[bb]WL[1798];B[cc]BL[1790])\r\n",
    "(;AB[aa:cc]PL[B];B[dd];W[ee])\n",
    "\u{feff}",
];

/// A collection of so many regular games, by a simple rule.
fn collection(games: usize) -> String {
    let mut out = String::new();
    let mut seed = 1u64;
    for game in 0..games {
        out += &format!(
            "(;GM[1]FF[4]SZ[19]\nPB[Ann {}]PW[Bob]\nRE[B+R]\n\n",
            game % 7
        );
        for ply in 0..80 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            let at = seed >> 33;
            let point = [at % 19, at / 19 % 19].map(|line| (b'a' + line as u8) as char);
            let color = ["B", "W"][ply % 2];
            out += &format!(";{color}[{}{}]", point[0], point[1]);
            if ply % 10 == 9 {
                out.push('\n');
            }
        }
        out += ")\n\n";
    }
    out
}

fn options(coding: Coding) -> Options {
    Options {
        coding,
        ..Options::default()
    }
}

/// Packs as one block, which packing verifies; then all text, and each record alone, must come.
fn comes_back(text: &[u8], coding: Coding) {
    let packed = go::encode(text.to_vec(), &options(coding)).unwrap();
    let block = Block::open(&packed.bytes).unwrap();
    assert_eq!(block.text().unwrap(), text);
    let records = block.records().unwrap();
    let mut each = Vec::new();
    for record in 0..records.len() {
        let only = |row| row == record;
        block.render(&records, record + 1, only, &mut each).unwrap();
    }
    assert_eq!(each, text);
    // Signatures and plies are compared with the moves.
    assert_eq!(block.verified_text().unwrap(), text);
    let games = (0..records.len()).filter(|&r| records.is_game(r)).count();
    assert_eq!(block.signatures().unwrap().len(), games);
    let kept = (0..).zip(block.keeps_text(&records).unwrap());
    let partly_text = kept.filter(|&(record, kept)| kept && records.is_game(record));
    assert_eq!(partly_text.count() as u64, packed.partly_text.games);
}

#[test]
fn odd_records_come_back_in_every_coding() {
    for coding in Coding::ALL {
        for text in ODD {
            comes_back(text.as_bytes(), coding);
        }
        comes_back(ODD.concat().as_bytes(), coding);
        comes_back(collection(12).as_bytes(), coding);
        comes_back(b"", coding);
        comes_back(b"(;PB[\xff\xfe];B[aa];W[\xe9e])", coding);
    }
}

#[test]
fn variations_deeper_than_any_and_longer_than_a_chunk_come_back() {
    let deep = "(;SZ[9];B[aa]".to_string() + &"(;W[];B[]".repeat(700) + &")".repeat(690);
    let long = format!(
        "(;SZ[19];B[aa](;W[bb]){})",
        "(;W[cc];B[dd];B[ee])".repeat(400)
    );
    for coding in Coding::ALL {
        comes_back(deep.as_bytes(), coding);
        comes_back(long.as_bytes(), coding);
    }
}

#[test]
fn a_block_of_go_costs_less_with_likely_moves_and_says_what_it_is() {
    let text = "(;GM[1]SZ[19];B[pd];W[dp];B[pq];W[dd];B[qo];W[nc];B[qf];W[jd];B[fq];W[cn])\n";
    let text = text.repeat(50);
    let len = |coding| {
        let packed = go::encode(text.clone().into_bytes(), &options(coding)).unwrap();
        let block = Block::open(&packed.bytes).unwrap();
        assert_eq!(block.kind(), ign_format::block::Kind::Go);
        packed.bytes.len()
    };
    assert!(len(Coding::Weighted) * 10 < len(Coding::Ign) * 7);
}

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
    folder.write("b.pgn", util::games(5));
    folder
        .ign(&["pack", "-q", "a.sgf", "b.pgn", "-o", "c.ign"])
        .done();
    folder.ign(&["verify", "-q", "c.ign"]).done();
    let both = [collection(5).into_bytes(), util::games(5)].concat();
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

#[test]
fn a_tag_that_is_asked_for_alone_has_the_values_it_has_among_all() {
    // Ratings of both players stand in one column, and so do dates and places of some games.
    let mut text = String::new();
    for game in 0..300 {
        text += &format!(
            "(;GM[1]SZ[19]HA[{}]KM[{}]PB[Ann {}]PW[Bob]BR[{}d]WR[{}d]DT[19{}-01-0{}]RE[B+{}];B[aa])\n",
            game % 3,
            game % 2,
            game % 7,
            game % 9,
            (game + 1) % 9,
            60 + game / 10,
            1 + game % 9,
            game % 20,
        );
    }
    for text in [text, ODD.concat()] {
        let packed = go::encode(text.into_bytes(), &Options::default()).unwrap();
        let block = Block::open(&packed.bytes).unwrap();
        let records = block.records().unwrap();
        let all = block.table(&records, None).unwrap();
        for (tag, name) in (0..).zip(&all.names) {
            let name = std::str::from_utf8(name).unwrap();
            let alone = block.table(&records, Some(&[name])).unwrap();
            let rows = 0..records.len();
            let values = rows.map(|row| (alone.value(tag, row), all.value(tag, row)));
            assert!(
                values.into_iter().all(|(one, other)| one == other),
                "{name}"
            );
        }
    }
}

#[test]
fn a_flipped_byte_is_found_and_never_gives_other_text() {
    let text = collection(3) + &ODD[..12].concat();
    for coding in Coding::ALL {
        let packed = go::encode(text.clone().into_bytes(), &options(coding)).unwrap();
        for at in (0..packed.bytes.len()).step_by(11) {
            let mut bytes = packed.bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            let text = Block::open(&bytes).and_then(|block| block.text());
            assert!(text.is_err(), "byte {at}");
        }
    }
}
