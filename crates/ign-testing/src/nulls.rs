//! Generated games with null moves.

use ign_notation::chess::{Legal, Move, Position, Start, san};

use crate::random::Random;

/// Starts of games: no tag, or a FEN and whether it is one of Chess960.
const STARTS: [Option<(&str, bool)>; 6] = [
    None,
    None,
    None,
    Some((
        "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R b KQkq - 0 7",
        false,
    )),
    Some(("4k3/8/8/pP6/8/8/8/R3K3 w Q a6 0 40", false)),
    // Castling rights of a king on a1, the square of the null move.
    Some(("k6r/pppppppp/8/8/8/8/PPPPPPPP/K6R w Hh - 0 1", true)),
];

/// Games of chess with null moves in different forms, some of them at the first ply, several in a
/// row or at the end; some games have none. They have comments, clocks and variations.
pub fn null_games(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    (0..count).map(|number| game(&mut random, number)).collect()
}

fn game(random: &mut Random, number: usize) -> String {
    let start = STARTS[random.below(STARTS.len())];
    let mut position = start.map_or_else(Position::default, |(fen, _)| {
        Start::from_fen(fen.as_bytes()).expect("a FEN").position
    });
    let mut number_of_move = start.map_or(1, |(fen, _)| {
        let last = fen.rsplit(' ').next();
        last.and_then(|n| n.parse().ok()).expect("a move number")
    });
    let (style, rate) = (random.below(3), [0, 2, 5, 12][random.below(4)]);
    let (length, mut plies) = (1 + random.below(90), 0);
    let mut movetext = String::new();
    let mut interrupted = true;
    while plies < length {
        let legal = Legal::new(&position);
        let may_pass = !legal.is_check();
        let played = if may_pass && rate > 0 && random.below(rate) == 0 {
            Move::NULL
        } else if legal.count() > 0 {
            legal.nth(random.below(legal.count() as usize) as u32)
        } else {
            break;
        };
        let white = position.turn().is_white();
        if white {
            movetext += &format!("{number_of_move}. ");
        } else if interrupted {
            movetext += &format!("{number_of_move}... ");
        }
        interrupted = false;
        let before = position;
        movetext += &name(&legal, played, &mut position);
        if played.is_null() && random.below(4) == 0 {
            let len = movetext.len() - 2;
            movetext.replace_range(len.., ["Z0", "@@@@", "--!?"][random.below(3)]);
        }
        match (style, random.below(4)) {
            (1, _) => {
                movetext += &format!(" {{ [%clk 0:{:02}:00] }}", random.below(60));
                interrupted = true;
            }
            (2, 0) => {
                movetext += " {a comment} $1";
                interrupted = true;
            }
            (2, 1) if legal.count() > 0 => {
                let mut position = before;
                let other = legal.nth(random.below(legal.count() as usize) as u32);
                let dots = if white { "." } else { "..." };
                let other = name(&legal, other, &mut position);
                movetext += &format!(" ({number_of_move}{dots} {other})");
                interrupted = true;
            }
            _ => {}
        }
        movetext.push(' ');
        number_of_move += u32::from(!white);
        plies += 1;
    }
    let mut tags = format!("[Event \"Game {number}\"]\n[Result \"*\"]\n");
    if let Some((fen, is_chess960)) = start {
        tags += if is_chess960 {
            "[Variant \"Chess960\"]\n"
        } else {
            ""
        };
        tags += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    let fields = String::from_utf8(position.fen_fields()).expect("ASCII");
    tags += &format!("[PlyCount \"{plies}\"]\n[CurrentPosition \"{fields}\"]\n");
    format!("{tags}\n{movetext}*\n\n")
}

/// The SAN of a move, which is played.
fn name(legal: &Legal, played: Move, position: &mut Position) -> String {
    let mut name = String::from_utf8_lossy(san::write(legal, played).as_bytes()).into_owned();
    position.play(played);
    name.extend(Legal::new(position).sign().map(char::from));
    name
}
