//! Do statistics of an index say the same as games that are counted one by one?

use ign_archive::{
    Archive, Archives, Coding, Input, Packer, Query, Tree, TreeBuilder,
    index::{self, IndexBuilder},
    query::parse_position,
};
use ign_notation::chess::{Legal, Move, Position, san};
use ign_testing::{Random, games_of_seed, null_games, variant_games};
use shakmaty::Color;

/// Generated games in several months and speeds; some without ratings, results, dates or time
/// controls, with null moves, of variants, or from other positions.
fn text() -> Vec<u8> {
    let sample = String::from_utf8(games_of_seed(1500, 3)).unwrap();
    let mut random = Random(7);
    let mut text = String::new();
    for line in sample.lines() {
        let (name, _) = line.split_once(' ').unwrap_or_default();
        let missing = random.below(12) == 0;
        let line = match name {
            "[WhiteElo" if missing => continue,
            "[UTCDate" if missing => "[UTCDate \"????.??.??\"]".into(),
            "[UTCDate" => {
                let (year, month) = (2013 + random.below(2), 1 + random.below(3));
                let day = ["??", "01", "17", "28"][random.below(4)];
                format!("[UTCDate \"{year}.0{month}.{day}\"]")
            }
            "[WhiteElo" | "[BlackElo" => {
                format!("{name} \"{}\"]", 900 + random.below(1800))
            }
            "[TimeControl" if missing => "[TimeControl \"?\"]".into(),
            "[TimeControl" => {
                let control = ["15+0", "60+0", "300+3", "600+5", "1800+0", "-"];
                format!("[TimeControl \"{}\"]", control[random.below(6)])
            }
            "[Result" if missing => "[Result \"*\"]".into(),
            _ => line.to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    let mut text = text.into_bytes();
    text.extend_from_slice(variant_games(4).as_bytes());
    text.extend_from_slice(null_games(40, 5).as_bytes());
    text.extend_from_slice(b"[UTCDate \"2015.05.05\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n");
    text.extend_from_slice(b"[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n\n1. e4 -- 2. d4 d5 *\n\n");
    text
}

/// Positions of games, many of them common.
fn some_positions(archive: &Archive) -> Vec<Position> {
    let mut random = Random(11);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut positions = vec![parse_position(start).unwrap()];
    // Transposition: 1. d4 d5 2. Nf3 and 1. Nf3 d5 2. d4.
    let mut position = positions[0];
    for word in ["d4", "d5", "Nf3"] {
        let legal = Legal::new(&position);
        position.play(san::resolve(&legal, word.as_bytes()).unwrap());
        positions.push(position);
    }
    for _ in 0..24 {
        let mut position = positions[0];
        for _ in 0..random.below(8) {
            let tree = archive.tree(&position, &Query::new()).unwrap();
            if tree.moves.is_empty() {
                break;
            }
            let played = &tree.moves[random.below(tree.moves.len().min(3))];
            position.play(Move::of_squares(played.uci.as_bytes()).unwrap());
        }
        positions.push(position);
    }
    positions
}

/// Queries that statistics decide, and others.
const QUERIES: &[&[(&str, &str)]] = &[
    &[],
    &[("speed", "blitz,rapid")],
    &[("mean_elo", "1600..1799,2200..2499")],
    &[("mean_elo", "2500..")],
    &[("mean_elo", "1601..1799")],
    &[("date", "2013-02")],
    &[("date", "2013-02..2014-01")],
    &[("date", "2013-02-02..")],
    &[
        ("speed", "bullet"),
        ("mean_elo", "1400..1999"),
        ("date", "2014"),
    ],
    &[("white_elo", "1600..1799")],
    &[("elo_diff", "0..")],
    &[("result", "1-0")],
    &[("result", "draw"), ("speed", "classical")],
    &[("plies", "20..")],
    &[("player", "*a*"), ("speed", "blitz")],
];

fn query(conditions: &[(&str, &str)]) -> Query {
    let mut query = Query::new();
    for (name, value) in conditions {
        query.set(name, value).unwrap();
    }
    query
}

#[test]
fn trees_are_those_of_games_that_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let text = text();
    let (half, _) = text.split_at(text.len() / 2);
    let cut = half
        .windows(9)
        .rposition(|part| part == b"\n\n[Event ")
        .unwrap()
        + 2;
    // The games of the plain archive, counted without an index.
    let (mut expected, mut positions) = (None, None);
    for (coding, halves) in [(Coding::Ign, false), (Coding::Weighted, true)] {
        let mut archives = Vec::new();
        let texts = if halves {
            vec![&text[..cut], &text[cut..]]
        } else {
            vec![&text[..]]
        };
        for (number, text) in texts.into_iter().enumerate() {
            let path = folder.path().join(format!("{coding:?}{number}.ign"));
            let out = std::fs::File::create(&path).unwrap();
            let packer = Packer::new().coding(coding).block_size(1 << 17);
            let input = Input::reader("a.pgn", std::io::Cursor::new(text.to_vec()));
            packer.pack([input], out).unwrap();
            archives.push(path);
        }
        let open = || Archives::open(&archives).unwrap();
        let positions =
            positions.get_or_insert_with(|| some_positions(&Archive::open(&archives[0]).unwrap()));
        let options: [fn(TreeBuilder) -> TreeBuilder; 4] = [
            |tree| tree,
            |tree| tree.top_games(8).recent_games(8).history(true),
            |tree| tree.top_games(9).performance_of(Color::Black),
            |tree| tree.recent_games(4).performance_of(Color::White),
        ];
        let trees = |archives: &Archives| -> Vec<Tree> {
            let mut trees = Vec::new();
            for (number, position) in positions.iter().enumerate() {
                for (place, conditions) in QUERIES.iter().enumerate() {
                    let builder = options[(number + place) % options.len()](TreeBuilder::new());
                    trees.push(
                        builder
                            .build(archives, position, &query(conditions))
                            .unwrap(),
                    );
                }
            }
            trees
        };
        let expected = expected.get_or_insert_with(|| trees(&open()));
        for (min_games, games_of_cell) in [(2, 0), (100, 1), (u64::MAX, 0)] {
            let mut statistics = 0;
            for path in &archives {
                let archive = [Archive::open(path).unwrap()];
                let builder = IndexBuilder::new().statistics(min_games, games_of_cell);
                let index = index::path_of(path);
                _ = std::fs::remove_file(&index);
                let summary = builder.build_file(&index, &archive).unwrap();
                let mut sections = summary.sections.iter();
                let found = sections.find(|(name, _)| *name == "statistics");
                statistics += found.map_or(0, |&(_, bytes)| bytes);
            }
            assert_eq!(statistics > 0, min_games < u64::MAX);
            for (number, (found, expected)) in trees(&open()).iter().zip(&*expected).enumerate() {
                let conditions = QUERIES[number % QUERIES.len()];
                assert_eq!(found, expected, "{coding:?} {min_games} {conditions:?}");
            }
        }
        for path in &archives {
            std::fs::remove_file(index::path_of(path)).unwrap();
        }
    }
}

#[test]
fn a_game_counts_for_its_first_move_from_a_position_that_it_repeats_late() {
    let shuffle = |plies: usize| {
        let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
        knights.into_iter().cycle().take(plies)
    };
    // The position after 32 moves with the knights and e4 e5 is repeated once.
    let moves = shuffle(64).chain(["e4", "e5"]).chain(shuffle(4));
    let moves = moves.collect::<Vec<_>>().join(" ");
    let folder = tempfile::tempdir().unwrap();
    let position =
        parse_position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 34").unwrap();
    let second = [
        "a3", "Na3", "Be2", "c4", "Nc3", "d4", "Qh5", "Ke2", "g4", "h4",
    ];
    // Each game is a block of its own, so that the position is in many groups.
    let text: String = (0..60)
        .map(|number| {
            let last = second[number % second.len()];
            let comment = "x".repeat(4096);
            format!("[Event \"?\"]\n\n{moves} {last} {{{comment}}} *\n\n")
        })
        .collect();
    let path = folder.path().join("a.ign");
    let out = std::fs::File::create(&path).unwrap();
    let packer = Packer::new().coding(Coding::Ign).block_size(4096);
    let input = Input::reader("a.pgn", std::io::Cursor::new(text.into_bytes()));
    packer.pack([input], out).unwrap();
    let archive = [Archive::open(&path).unwrap()];
    IndexBuilder::new()
        .build_file(index::path_of(&path), &archive)
        .unwrap();
    let archive = Archive::open(&path).unwrap();
    let tree = archive.tree(&position, &Query::new()).unwrap();
    let moves: Vec<_> = tree
        .moves
        .iter()
        .map(|m| (&m.uci[..], m.counts.games))
        .collect();
    assert_eq!(moves, [("g1f3", 60)]);
}
