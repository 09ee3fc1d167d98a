//! Collections to ask about: generated games with everything that queries depend on, and real ones.

use ign_testing::{Collection, Random, clocked_games, difficult_files, games_of_seed};
use shakmaty::{Board, Move, Position as _, san::SanPlus};

use super::{
    rules::{self, Rules},
    tags,
};

/// An element of a list.
pub fn pick<'l, T>(random: &mut Random, list: &'l [T]) -> &'l T {
    &list[random.below(list.len())]
}

/// Whether an event of one in `n` happens.
pub fn one_in(random: &mut Random, n: usize) -> bool {
    random.below(n) == 0
}

/// A text of about `games` games: three quarters as Lichess writes them, the others odd.
pub fn generated(games: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut usual = Vec::new();
    let count = games as u64 * 3 / 8;
    usual.extend(games_of_seed(count, seed));
    usual.extend(clocked_games(count, seed));
    let mut parts: Vec<Vec<u8>> = split_at_events(&usual);
    while parts.len() < games {
        let part = match random.below(8) {
            0 => parts[random.below(parts.len())].clone(),
            1 => renamed(pick::<Vec<u8>>(&mut random, &parts)),
            _ => odd_game(&mut random),
        };
        let place = random.below(parts.len() + 1);
        parts.insert(place, part);
    }
    parts.concat()
}

fn split_at_events(text: &[u8]) -> Vec<Vec<u8>> {
    let starts: Vec<usize> = memchr::memmem::find_iter(text, b"[Event ").collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let games = starts.iter().zip(ends);
    games
        .map(|(&start, end)| text[start..end].to_vec())
        .collect()
}

/// The same game with another tag in front.
fn renamed(game: &[u8]) -> Vec<u8> {
    [b"[Annotator \"Ann\"]\n", game].concat()
}

const NAMES: [&[u8]; 18] = [
    b"Carlsen, Magnus",
    b"carlsen, magnus",
    b"Carlsen",
    b"J\xf6rg M\xfcller",
    "Jörg Müller".as_bytes(),
    b"Polgar, Judit",
    b"Polgar, Zsuzsa",
    b"?",
    b"",
    b"O\\\"Neill",
    b"Ann \\\\ B\\c",
    b"M\xdcLLER, \\\"J\xd6rg\\\"",
    "Mu\u{308}ller, J".as_bytes(),
    b"Muller, Jorg",
    "Петров, Артём".as_bytes(),
    "ПЕТРОВ, АРТЕМ".as_bytes(),
    b"NN",
    b"*",
];
const DATES: [&str; 27] = [
    "20130105",
    "5 Jan 2013",
    "Jan 5, 2013",
    "2013.01.05",
    "2013.01.??",
    "2013.??.??",
    "????.??.??",
    "2012.12.31",
    "2013-02-28",
    "2013/3/1",
    "1997",
    "2013.??.17",
    "2013.13.01",
    "?",
    "2013.12",
    "2013.00.00",
    "5 May 2013",
    "05.01.2013",
    "5.1.2013",
    "31/12/2012",
    "12/31/2012",
    "01/02/2013",
    "03-03-2013",
    "??.01.2013",
    "01.2013",
    "13.01.05",
    "2013.13",
];
const RATINGS: [&str; 22] = [
    "1500",
    "1501",
    "2200",
    "2500",
    "800",
    "?",
    "-",
    "0",
    "",
    "12000",
    " 1600 ",
    "2850",
    "2400+",
    "1500?",
    "(1500)",
    "2400 (FIDE)",
    "1500P",
    "1500p12",
    "2400/2500",
    "+5",
    "1500 (1600)",
    "( 1501 )",
];
const RESULTS: [&str; 24] = [
    "Draw, agreed",
    "=",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "1/2",
    "?",
    "draw",
    "½-½",
    "1/2-1/2 ",
    "1–0",
    "0:1",
    "+-",
    "-+",
    "+:-",
    "1-0 FF",
    "0-1F",
    "0-0",
    "1-1",
    "",
    "1-0 or 0-1",
    "0.5-0.5",
    "1-0?",
];
const CODES: [&str; 9] = [
    "B90/01", "B90", "C50h", "A00", "E99", "b20", "?", "B901", "F12",
];
const CONTROLS: [&str; 13] = [
    "40/7200:3600",
    "-",
    "?",
    "300+3",
    "15+0",
    "30",
    "180+2",
    "1/86400",
    "1/3600",
    "600+5",
    "21600",
    "180.5+2",
    "40/7200",
];
const SITES: [&str; 10] = [
    "https://lichess.org/abcdefgh",
    "https://lichess.org/abcdefghWXYZ",
    "https://lichess.org/abcdefgh/black#12",
    "lichess.org/zyxwvuts",
    "Moscow URS",
    "Moscow",
    "?",
    "https://www.chess.com/game/live/1234567?move=3",
    "https://www.chess.com/game/live/1234567/",
    "http://lichess.org/",
];
pub const STARTS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "4k3/8/8/8/4pP2/8/8/3KR3 b - f3 0 1",
    "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 40",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 5 20",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w - - 5 20",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/1P1P1P1P/8/2k5/8/5K2/p1p1p1p1/8 w - - 0 1",
    "k7/p7/8/8/8/8/8/K6R w - - 0 1",
    "k7/p7/8/8/8/8/8/K6R w - - 90 60",
    "k7/p7/8/8/8/8/8/K6R b - - 100 60",
    "8/8/8/3k4/8/3K4/3R4/8 w",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
    "not a position",
];
const VARIANTS: [&str; 9] = [
    "Crazyhouse",
    "Atomic",
    "Antichess",
    "Three-check",
    "King of the Hill",
    "Horde",
    "Racing Kings",
    "Losers",
    "Seirawan",
];

/// A game with unusual tags, start, moves or comments.
fn odd_game(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    let mut tag = |name: &str, value: &[u8]| {
        text.extend_from_slice(format!("[{name} \"").as_bytes());
        text.extend_from_slice(value);
        text.extend_from_slice(b"\"]\n");
    };
    let (mut fen, mut variant) = (None, None);
    let has_tags = !one_in(random, 12);
    match random.below(4) {
        0 => fen = Some(pick(random, &STARTS).to_string()),
        1 => {
            let board = Board::chess960(random.below(960) as u32).to_string();
            fen = Some(format!("{board} w KQkq - 0 1"));
            variant = one_in(random, 2).then_some("Chess960");
        }
        2 => variant = Some(*pick(random, &VARIANTS)),
        _ => {}
    }
    if has_tags {
        let free: Vec<&str> = tags::FREE_CONTROLS.iter().map(|(text, _)| *text).collect();
        let controls: &[&str] = if one_in(random, 2) { &free } else { &CONTROLS };
        for (name, chance) in [("White", 12), ("Black", 12)] {
            if !one_in(random, chance) {
                tag(name, pick::<&[u8]>(random, &NAMES));
            }
        }
        for (name, values) in [
            ("Site", &SITES[..]),
            ("Date", &DATES),
            ("UTCDate", &DATES),
            ("Result", &RESULTS),
            ("WhiteElo", &RATINGS),
            ("BlackElo", &RATINGS),
            ("ECO", &CODES),
            ("TimeControl", controls),
            ("Link", &SITES),
            ("Event", &["Casual", "casual game", "?"]),
            (
                "Opening",
                &["Italian Game", "Sicilian Defense: Najdorf", "?"],
            ),
            ("Termination", &["Normal", "Time forfeit", "normal"]),
        ] {
            if !one_in(random, 4) {
                tag(name, pick::<&str>(random, values).as_bytes());
            }
        }
        if let Some(fen) = &fen {
            tag("FEN", fen.as_bytes());
        }
        if let Some(variant) = variant {
            tag("Variant", variant.as_bytes());
        }
        if one_in(random, 15) {
            // The first values count.
            tag("White", b"Repeated");
            tag("Result", b"1-0");
        }
        text.push(b'\n');
    } else {
        (fen, variant) = (None, None);
    }
    let start = Rules::of_tags(
        fen.as_deref().map(str::as_bytes),
        variant.map(str::as_bytes),
    );
    let start = start.unwrap_or_else(|| Rules::of_tags(None, None).unwrap());
    movetext(random, start, has_tags, false, &mut text);
    text
}

const COMMENTS: [&str; 12] = [
    "{ [%clk 0:03:00] }",
    "{[%eval 0.17] [%clk 0:02:59.9]}",
    "{ [%eval #-3] best move }",
    "{ [%cal Ga1a2,Rb3b4] }",
    "{ [%clk] [%clock 3] }",
    "{ a good move (better than 1. d4 e5) }",
    "{ [%clk 0:03:00 }",
    "{}",
    "{   }",
    "; to the end of the line { [%clk 1] }\n",
    "({ [%eval 1.0] } Zz) ",
    "(1. a4 (1. h4 h5 { [%clk 0:00:01] }) 1... a5)",
];

/// Movetext from a start. A tidy one has legal moves in standard notation and nothing else.
pub fn movetext(
    random: &mut Random,
    mut rules: Rules,
    may_be_empty: bool,
    is_tidy: bool,
    out: &mut Vec<u8>,
) {
    let plies = match random.below(6) {
        0 if may_be_empty => 0,
        1 => 1 + random.below(8),
        2 => 150,
        _ => 20 + random.below(70),
    };
    let comments = if is_tidy {
        0
    } else {
        [0, 3, 40][random.below(3)]
    };
    let is_idle = one_in(random, 3);
    let mistake = (!is_tidy && one_in(random, 8)).then(|| random.below(plies + 1));
    let mut number = 1;
    let mut shuffle: Vec<Move> = Vec::new();
    if !is_tidy && one_in(random, 20) {
        out.extend_from_slice(b"{ Before the first move. }\n\n");
    }
    for ply in 0..plies {
        if rules.legal_moves().is_empty() {
            break;
        }
        if mistake == Some(ply) {
            let words = ["Ke9 ", "Qxh8xh1 ", "Kh1h2h3 "];
            out.extend_from_slice(pick(random, &words).as_bytes());
        }
        if rules.position.turn().is_white() || ply == 0 {
            let dots = if rules.position.turn().is_white() {
                "."
            } else {
                "..."
            };
            out.extend_from_slice(format!("{number}{dots} ").as_bytes());
        }
        if shuffle.is_empty() && one_in(random, 25) {
            shuffle = there_and_back(random, &rules);
        }
        let played = shuffle
            .pop()
            .unwrap_or_else(|| some_move(random, &rules, is_idle));
        let san = if is_tidy {
            SanPlus::from_move(rules.position.clone(), played).to_string()
        } else {
            written(random, &rules, played)
        };
        out.extend_from_slice(san.as_bytes());
        rules.play(played);
        number += usize::from(rules.position.turn().is_white());
        if one_in(random, 30) {
            out.extend_from_slice(pick(random, &["!", "?!", " $1", " $142"]).as_bytes());
        }
        out.push(b' ');
        if comments > 0 && one_in(random, comments) {
            out.extend_from_slice(pick(random, &COMMENTS).as_bytes());
            out.push(b' ');
        }
        if comments > 0 && one_in(random, 60 * comments) {
            out.extend_from_slice(long_comment(random).as_bytes());
        }
        if !is_tidy && one_in(random, 120) {
            out.extend_from_slice(b"\n\n");
        } else if ply % 12 == 11 {
            out.push(b'\n');
        }
    }
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    let odd = [
        "½-½",
        "1/2",
        "1–0",
        "+-",
        "",
        "1-0 {White won.}",
        "0-1 {a} { 1-0 }",
        "Resigns",
    ];
    let is_odd = !is_tidy && one_in(random, 8);
    let result = pick(random, if is_odd { &odd[..] } else { &results });
    out.extend_from_slice(result.as_bytes());
    out.extend_from_slice(b"\n\n");
}

/// A comment of more bytes than a reader's buffer for comments, in which a command ends far away.
fn long_comment(random: &mut Random) -> String {
    let longest = if one_in(random, 10) { 4_000 } else { 100 };
    let arrows = "Ga1a2,".repeat(40 + random.below(longest));
    match random.below(3) {
        0 => format!("{{ [%cal {arrows}Gb1b2] }} "),
        1 => format!("{{ [%cal {arrows}Gb1b2] [%clk 0:01:00] }} "),
        _ => format!("{{ {arrows} }} "),
    }
}

fn some_move(random: &mut Random, rules: &Rules, is_idle: bool) -> Move {
    let moves = rules.legal_moves();
    let idle: Vec<Move> = moves.iter().copied().filter(|m| !m.is_zeroing()).collect();
    if is_idle && !idle.is_empty() {
        *pick(random, &idle)
    } else {
        *pick(random, &moves)
    }
}

/// Moves of both sides that lead back to the position twice, the last first; none if there are
/// none.
fn there_and_back(random: &mut Random, rules: &Rules) -> Vec<Move> {
    let mut played = rules.clone();
    let mut line = Vec::new();
    for ply in 0..8 {
        let moves = played.legal_moves();
        let next = match ply {
            0 | 1 => {
                let quiet = moves.iter().copied();
                let quiet: Vec<Move> = quiet
                    .filter(|m| matches!(m, Move::Normal { .. }) && !m.is_zeroing())
                    .collect();
                if quiet.is_empty() {
                    return Vec::new();
                }
                *pick(random, &quiet)
            }
            _ => {
                let before: Move = line[ply - 2];
                let back =
                    |m: &&Move| m.from() == Some(before.to()) && Some(m.to()) == before.from();
                match moves.iter().find(back) {
                    Some(back) => *back,
                    None => return Vec::new(),
                }
            }
        };
        line.push(next);
        played.play(next);
    }
    line.reverse();
    line
}

/// A move in one of the forms that collections use.
fn written(random: &mut Random, rules: &Rules, played: Move) -> String {
    let san = SanPlus::from_move(rules.position.clone(), played).to_string();
    let is_plain = matches!(played, Move::Normal { .. } | Move::EnPassant { .. });
    match random.below(200) {
        0 if is_plain => rules::uci(played),
        1 => san.trim_end_matches(['+', '#']).to_owned(),
        2 => san.replace("O-O-O", "0-0-0").replace("O-O", "0-0"),
        3 => san.replace('=', ""),
        _ => san,
    }
}

/// The text of the first games of a collection.
pub fn first_games(name: &str, games: usize) -> Vec<u8> {
    let mut text = Collection::open(name).first_bytes(4_000 * games as u64);
    let mut starts = memchr::memmem::find_iter(&text, b"[Event ");
    let end = starts.nth(games).unwrap_or(text.len());
    text.truncate(end);
    text
}

/// The texts of the difficult files that are not large.
pub fn small_difficult_files(max_len: usize) -> Vec<Vec<u8>> {
    let files = difficult_files().into_iter().map(|(_, text)| text);
    files.filter(|text| text.len() <= max_len).collect()
}
