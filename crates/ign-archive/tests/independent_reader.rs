//! Does the Python reader, written from the specification alone, restore what was packed?

use std::{
    ffi::{OsStr, OsString},
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
    sync::RwLock,
};

use ign_archive::{Appender, Coding, Input, ModelFile, Packer, Sha256, parity::ParityBuilder};
use ign_format::{
    block::encode_model,
    columns::name_model::NameNetwork,
    container::append_mark::{self, State},
    model::Parameters,
    models::Architecture as _,
    pgn::comments::{clock_model::ClockNetwork, evals::EvalNetwork},
};
use ign_notation::chess::{Legal, Position, san};

use sha2::Digest as _;

use ign_testing::{
    Random, cases, clocked_games, kings_games, null_games, python, repeated_games,
    reshaped_move_model, variant_games,
};

const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/reader.py");

/// A program that starts has the locks of this process until it runs. Appending excludes that.
static STARTING: RwLock<()> = RwLock::new(());

/// The Python that can read archives; `None`, with a message, if there is none.
#[track_caller]
fn reading_python() -> Option<OsString> {
    python("zstandard")
}

/// Reads an archive with the Python reader.
fn read(python: &OsStr, archive: &Path) -> Output {
    let mut command = Command::new(python);
    command.arg(READER).arg(archive);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let starting = STARTING.read().unwrap();
    let child = command.spawn().unwrap();
    drop(starting);
    child.wait_with_output().unwrap()
}

/// Packs a text and unpacks it with the Python reader.
#[track_caller]
fn assert_round_trip(python: &OsStr, text: &[u8], coding: Coding, block_size: usize) {
    let mut input = tempfile::NamedTempFile::new().unwrap();
    input.write_all(text).unwrap();
    let mut archive = tempfile::NamedTempFile::new().unwrap();
    let packer = Packer::new().coding(coding).block_size(block_size);
    packer
        .pack([Input::file(input.path())], archive.as_file_mut())
        .unwrap();
    assert_same(python, text, archive.path());
}

#[track_caller]
fn assert_same(python: &OsStr, text: &[u8], archive: &Path) {
    let output = read(python, archive);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    if output.stdout != text {
        let same = output.stdout.iter().zip(text).take_while(|(a, b)| a == b);
        let at = same.count();
        let near = |text: &[u8]| {
            let range = at.saturating_sub(40)..(at + 40).min(text.len());
            String::from_utf8_lossy(&text[range]).into_owned()
        };
        panic!(
            "differs at byte {at}: {:?} instead of {:?}",
            near(&output.stdout),
            near(text)
        );
    }
}

/// A variation from this position in parentheses, with nested variations; and its first move.
fn variation(random: &mut Random, from: Position, number: u32, depth: u32) -> (String, String) {
    let (mut position, mut number) = (from, number);
    let (mut out, mut first) = (String::from("("), String::new());
    for ply in 0..1 + random.below(5) {
        let legal = Legal::new(&position);
        if legal.count() == 0 {
            break;
        }
        let san = san::write(
            &legal,
            legal.nth(random.below(legal.count() as usize) as u32),
        );
        let name = String::from_utf8(san.as_bytes().to_vec()).unwrap();
        let before = position;
        position.play(san::resolve(&legal, name.as_bytes()).unwrap());
        let sign = Legal::new(&position).sign().map(char::from);
        let name: String = name.chars().chain(sign).collect();
        let white = before.turn().is_white();
        if white || ply == 0 || out.ends_with(") ") {
            out += &format!("{number}{} ", if white { "." } else { "..." });
        }
        out += &name;
        out += ["", "", "", "!?", " {so}", " $5"][random.below(6)];
        out.push(' ');
        if depth < 3 && random.below(4) == 0 {
            out += &variation(random, before, number, depth + 1).0;
            out.push(' ');
        }
        number += u32::from(!white);
        if ply == 0 {
            first = name;
        }
    }
    (out.trim_end().to_string() + ")", first)
}

/// Random movetext from this position, with annotations in one of several styles.
fn movetext(random: &mut Random, mut position: Position, plies: usize, style: usize) -> String {
    let mut out = String::new();
    let mut number = 1;
    let mut interrupted = true;
    for _ in 0..plies {
        let legal = Legal::new(&position);
        if legal.count() == 0 {
            break;
        }
        let played = legal.nth(random.below(legal.count() as usize) as u32);
        let white = position.turn().is_white();
        if white {
            out += &format!("{number}. ");
        } else if interrupted {
            out += &format!("{number}... ");
        }
        let before = position;
        let san = san::write(&legal, played);
        out += std::str::from_utf8(san.as_bytes()).unwrap();
        position.play(played);
        let after = Legal::new(&position);
        if after.is_check() {
            out += if after.count() == 0 { "#" } else { "+" };
        }
        interrupted = false;
        match (style, random.below(6)) {
            (1, _) => {
                let seconds = random.below(600);
                out += &format!(" {{ [%clk 0:{:02}:{:02}] }}", seconds / 60, seconds % 60);
                interrupted = true;
            }
            (2, 0) => {
                out += " {a comment, (not a variation)}";
                interrupted = true;
            }
            (2, 1) => {
                out += " (1. e4 {with ) inside} (1. d4 d5) 1... e5)";
                interrupted = true;
            }
            (2, 4 | 5) => {
                let (text, first) = variation(random, before, number, 1);
                if random.below(2) == 0 {
                    out += &format!(" {{({first}) Mistake. {first} was best.}}");
                }
                out += &format!(" {text}");
                interrupted = true;
            }
            (2, 2) => out += [" $1", "!", "?!", " $14 $6"][random.below(4)],
            (2, 3) if random.below(4) == 0 => out += " ; to the end of the line\n",
            _ => {}
        }
        out.push(' ');
        number += u32::from(!white);
    }
    out
}

/// Breaks lines at a width.
fn fill(text: &str, width: usize, line_end: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if column == 0 {
        } else if column + 1 + word.len() > width {
            out += line_end;
            column = 0;
        } else {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += word.len();
    }
    out
}

/// Games as Lichess publishes them.
fn lichess(random: &mut Random, games: usize) -> String {
    const NAMES: [&str; 5] = ["anna", "boris", "Clara_1", "d-e-f", "x"];
    let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let mut out = String::new();
    for game in 0..games {
        let id: String = (0..8).map(|_| digits[random.below(62)]).collect();
        let [white, black] = [random.below(5), random.below(5)].map(|i| NAMES[i]);
        let [rating, other] = [1200 + random.below(900), 1200 + random.below(900)];
        let result = ["1-0", "0-1", "1/2-1/2", "*"][random.below(4)];
        let elo = if random.below(9) == 0 {
            "?".into()
        } else {
            rating.to_string()
        };
        let (day, second) = (1 + game / 7, random.below(60));
        out += &format!(
            "[Event \"Rated game\"]\n[Site \"https://lichess.org/{id}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"{result}\"]\n[UTCDate \"2013.01.{day:02}\"]\n\
             [UTCTime \"23:{:02}:{second:02}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{other}\"]\n",
            game % 60
        );
        if random.below(5) > 0 {
            let diff = random.below(30) as i32 - 15;
            out += &format!(
                "[WhiteRatingDiff \"{diff:+}\"]\n[BlackRatingDiff \"{:+}\"]\n",
                -diff
            );
        }
        if random.below(4) == 0 {
            out += "[WhiteTitle \"GM\"]\n";
        }
        out += &format!(
            "[ECO \"C{:02}\"]\n[Opening \"Opening {}\"]\n\n",
            game % 9,
            game % 9
        );
        let (plies, style) = (random.below(90), random.below(2));
        out += &movetext(random, Position::default(), plies, style);
        out += &format!("{result}\n\n\n");
    }
    out
}

/// Games of all other kinds.
fn difficult(random: &mut Random) -> Vec<u8> {
    let mut out = String::from("\u{feff}No game at all.\n\n");
    for (fen, extra) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17", ""),
        ("4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1", ""),
        ("8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 40", ""),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "[Variant \"Chess960\"]\n",
        ),
        (
            "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
            "[Variant \"Fischerandom\"]\n",
        ),
        ("QQQQ4/8/8/2N1N3/2N1N3/8/8/K5k1 w - - 0 1", ""),
        (
            "4k3/8/8/8/8/8/8/4K2R w KQ_- 4",
            "[Variant \"From Position\"]\n",
        ),
    ] {
        let position = Position::from_fen(fen.as_bytes()).unwrap();
        for _ in 0..4 {
            let text = movetext(random, position, 30, 0);
            out += &format!("[Event \"x\"]\n[FEN \"{fen}\"]\n{extra}\n{text}*\n\n");
        }
    }
    out += "[FEN \"rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 5\"]\n\n5. O-O-O O-O 6. Rf1 *\n\n";
    // Moves by squares, with a promotion and both castlings, and one move as text.
    out += "[FEN \"r3k3/7P/8/8/8/8/8/4K2R w Kq - 0 5\"]\n\ne1g1 e8c8 h7h8n b2b1 Kg2 *\n\n";
    out += "[FEN \"r3k3/7P/8/8/8/8/8/4K2R w Kq - 0 5\"]\n\ne1g1 e8c8 h7h8n d8d1 Kg2 *\n\n";
    out += "[FEN \"rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n";
    out += "[Event \"x\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 2. @f4 *\n\n";
    out += "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 and so on 1-0\n\n";
    out += "[Event \"x\"]\n\n1.e4 e5 2.Ng1f3 Nb8-c6 3.Bb5 a6!? 4.0-0?? 1/2-1/2\n\n";
    out += "[Event \"x\"]\n[Event \"twice\"]\n[Odd  \"tag\"]\n\n1. e4 {not closed\n\n";
    out +=
        "[Event \"x\"]\n\n1. e4 \u{1} e5 *\n\n[Event \"\"]\n\n*\n\n[A \"\"]\n[B \"a \\\"b\\\"\"]\n";
    out += "1. e4 e5 0-1\n1. d4 d5 2. c4 1-0\n1. Nf3\t*\n";
    for (width, line_end) in [(80, "\r\n"), (60, "\n"), (79, "\r"), (255, "\r\n")] {
        for style in [0, 1, 2, 2] {
            let text = movetext(random, Position::default(), 70, style);
            let text = fill(&(text + "1-0"), width, line_end);
            let tags = "[Event \"x\"]\n[Date \"1999.??.??\"]\n[Result \"1-0\"]\n\n"
                .replace('\n', line_end);
            out += &format!("{tags}{text}{line_end}{line_end}");
        }
    }
    let mut out = out.into_bytes();
    out.extend(b"[White \"M\xfcller\"]\n\n1. e4 {\xe4\xf6} *\n% a line\n\n\x00\x06\xff");
    out
}

#[test]
fn repeated_games_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let text = repeated_games();
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    // Chess at the start, variants at the end.
    let kept = cases(25, starts.len() / 2);
    let [first, last] = [starts[kept], starts[starts.len() - kept]];
    let text = text[..first].to_owned() + &text[last..];
    assert_round_trip(&python, text.as_bytes(), Coding::Weighted, 1 << 23);
}

#[test]
fn annotated_games_round_trip() {
    // Known and new positions, losses of all sizes, correct and wrong glyphs, mates in words.
    let game = |i: i32| {
        let clock = format!("[%clk 0:0{}:{:02}]", 3 - i % 3, i * 7 % 60);
        let (first, second) = (20 + i % 3, 20 + i % 3 - i * i % 90);
        let pawns = |e: i32| {
            format!(
                "{}{}.{:02}",
                if e < 0 { "-" } else { "" },
                e.abs() / 100,
                e.abs() % 100
            )
        };
        let glyph = ["?!", "?", "??", " $6", "!?", ""][i as usize % 6];
        let lost = [70, 140, 400, -60, 30, 7000][i as usize % 6] + i;
        let third = pawns(second + lost);
        format!(
            "[Event \"?\"]\n[Result \"*\"]\n[TimeControl \"180+2\"]\n\n\
             1. e4 {{ [%eval {}] {clock} }} 1... e5 {{ [%eval {}] {clock} }} \
             2. Nf3 {{ [%eval {}] {clock} }} \
             2... f6{glyph} {{ ({} → {third}) Mistake. Nc6 was best. }} {{ [%eval {third}] {clock} }} \
             (2... Nc6 3. Bb5) 3. Nxe5 {{ [%eval {}] {clock} }} \
             3... fxe5?? {{ ({} → Mate in 4) Checkmate is now unavoidable. d5 was best. }} \
             {{ [%eval #4] {clock} }} 4. Qh5+ {{ [%eval #4] {clock} }} 4... Ke7 {{ [%eval #1] {clock} }} \
             5. a3?? {{ (Mate in 1 → 1.{i:02}) Lost forced checkmate sequence. Qxe5+ was best. }} \
             {{ [%eval 1.{i:02}] {clock} }} 5... d6 {{ [%eval 1.1] {clock} }} *\n\n",
            pawns(first),
            pawns(first + 9),
            pawns(second),
            pawns(second),
            pawns(second + lost - 3),
            pawns(second + lost - 3),
        )
    };
    let text: String = (0..60).map(game).collect();
    let Some(python) = reading_python() else {
        return;
    };
    assert_round_trip(&python, text.as_bytes(), Coding::Ign, 1 << 20);
    let without_clocks = text.replace("[%clk", "[%emt");
    assert_round_trip(&python, without_clocks.as_bytes(), Coding::Ign, 1 << 20);
}

#[test]
fn clocks_evaluations_and_derived_tags_round_trip() {
    let game = |i: u32| {
        let (winner, black) = if i.is_multiple_of(3) {
            ("Ann", "bob")
        } else {
            ("Cy", "Cy")
        };
        let clock = |ply: u32| 1800 - ply * (3 + i % 5) - i;
        let comment = |ply: u32| {
            let tenths = clock(ply);
            let fraction = if tenths.is_multiple_of(10) {
                String::new()
            } else {
                format!(".{}", tenths % 10)
            };
            let eval = match (i + ply) % 7 {
                0 => "#-3".to_string(),
                n => format!("-0.{n}{}", n + 2),
            };
            format!(
                "{{ [%eval {eval}] [%clk 0:0{}:{:02}{fraction}] }}",
                tenths / 600,
                tenths / 10 % 60
            )
        };
        format!(
            "[Event \"?\"]\n[White \"Ann\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\
             [CurrentPosition \"rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq {}\"]\n\
             [UTCDate \"2024.01.0{}\"]\n[UTCTime \"23:5{}:00\"]\n[EndTime \"00:0{}:59\"]\n\
             [ECO \"B0{}\"]\n[Opening \"Defence No. {}\"]\n[TimeControl \"180+{}\"]\n[PlyCount \"{}\"]\n[Termination \"{winner} won on time\"]\n\
             [Link \"https://example.org/live/{}\"]\n\n\
             1. e4 {} 1... Nf6 {} 2. e5 {{+0.35/12 1.2s}} 2... d5 {{Nbd7 was best, 3:0{i}}} \
             {{ B0{} Defence No. {} }} 1-0\n\n",
            ["d6", "d6 0 3", "c6", "a6 17 3", "d6 1 2"][i as usize % 5],
            i % 9 + 1,
            i % 10,
            i % 6,
            i % 4,
            i % 5,
            i % 3,
            if i == 5 { 7 } else { 4 },
            700_000 + i * 917,
            comment(0),
            comment(1),
            i % 4,
            i % 5,
        )
    };
    let text: String = (0..40).map(game).collect();
    let Some(python) = reading_python() else {
        return;
    };
    assert_round_trip(&python, text.as_bytes(), Coding::Ign, 1 << 20);
}

#[test]
fn lichess_games_in_small_blocks_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let text = lichess(&mut Random(1), cases(25, 80));
    for coding in [Coding::Ign, Coding::IgnEnd] {
        assert_round_trip(&python, text.as_bytes(), coding, 1 << 14);
    }
}

#[test]
fn games_of_variants_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    // Starting positions that the variant does not allow, and unknown variants.
    let refused = [
        ("Horde", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("Horde", "4k3/8/8/8/8/8/P7/7P w - - 0 1"),
        ("Horde", "4k3/8/8/8/8/8/P7/7p w - - 0 1"),
        ("Crazyhouse", "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1"),
        ("Crazyhouse", "4k3/8/8/8/8/8/8/4K3/PP w - - 3+3 0 1"),
        ("Three-check", "4k3/8/8/8/8/8/8/4K2R w K - 3+4 0 1"),
        ("Three-check", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 +0+3"),
        ("Racing Kings", "8/8/8/8/8/8/k6K/R7 w - - 0 1"),
        ("Racing Kings", "1k4K1/8/8/8/8/8/8/R7 b - - 0 1"),
        ("Atomic", "8/8/8/3kK3/8/8/8/R2Q3R w - - 0 1"),
        ("Atomic", "8/8/3k4/8/4K3/8/8/R2Q3R w - - 0 1"),
        ("Antichess", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("Antichess", "8/8/8/8/8/8/8/4K3 w KQ - 0 1"),
        ("Losers", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("Bughouse", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ];
    let refused = refused.map(|(variant, fen)| {
        format!("[Event \"x\"]\n[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n1. Ke2 Rh1+ *\n\n")
    });
    let text = variant_games(cases(1, 3)) + &refused.concat();
    for coding in [Coding::Ign, Coding::IgnEnd] {
        assert_round_trip(&python, text.as_bytes(), coding, 1 << 20);
    }
}

#[test]
fn weighted_moves_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let random = &mut Random(4);
    let games = [lichess(random, cases(3, 8)).into_bytes(), difficult(random)].concat();
    assert_round_trip(&python, &games, Coding::Weighted, 1 << 20);
    assert_round_trip(
        &python,
        variant_games(1).as_bytes(),
        Coding::Weighted,
        1 << 20,
    );
}

#[test]
fn games_with_other_kings_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let text = kings_games(cases(40, 200), 5);
    for &coding in Coding::ALL {
        assert_round_trip(&python, text.as_bytes(), coding, 1 << 20);
    }
}

#[test]
fn null_moves_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    // Each game twice, so that some are duplicates.
    let games = null_games(cases(20, 60), 5);
    let records = games.split_inclusive("*\n\n");
    let text: String = records.flat_map(|game| [game, game]).collect();
    for &coding in Coding::ALL {
        assert_round_trip(&python, text.as_bytes(), coding, 1 << 20);
    }
}

#[test]
fn games_of_other_models_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let reshaped = reshaped_move_model(&Parameters::builtin().data(), 2, 9);
    // Another bias of an output.
    let changed = |mut data: Vec<u8>| {
        *data.last_mut().unwrap() ^= 40;
        data
    };
    let mut packer = Packer::new();
    for (architecture, data) in [
        (1, reshaped),
        (3, changed(ClockNetwork::builtin().data())),
        (4, changed(EvalNetwork::builtin().data())),
        (5, changed(NameNetwork::builtin().data())),
    ] {
        let path = folder.path().join(format!("{architecture}.model"));
        std::fs::write(&path, encode_model(architecture, &data, 3).unwrap().bytes).unwrap();
        packer = packer.model(&ModelFile::open(&path).unwrap()).unwrap();
    }
    let text = clocked_games(6, 2);
    let input = Input::reader("a.pgn", std::io::Cursor::new(text.clone()));
    let archive = folder.path().join("a.ign");
    let file = std::fs::File::create(&archive).unwrap();
    packer.pack([input], file).unwrap();
    assert_same(&python, &text, &archive);
}

#[test]
fn difficult_texts_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let text = difficult(&mut Random(2));
    for (coding, block_size) in [(Coding::Ign, 1 << 20), (Coding::IgnEnd, 1 << 12)] {
        assert_round_trip(&python, &text, coding, block_size);
    }
    assert_round_trip(&python, b"", Coding::Ign, 1 << 20);
}

#[test]
fn many_players_come_back_by_recency() {
    let Some(python) = reading_python() else {
        return;
    };
    let random = &mut Random(3);
    let text: String = (0..1500)
        .map(|_| {
            let [white, black] = [random.below(400), random.below(400)];
            format!("[White \"player {white}\"]\n[Black \"player {black}\"]\n\n1. e4 *\n\n")
        })
        .collect();
    assert_round_trip(&python, text.as_bytes(), Coding::Ign, 1 << 20);
}

#[test]
fn collections_of_go_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let odd = [
        "(;GM[1]FF[4]SZ[19]PB[A]PW[B];B[pd];W[dp];B[pp](;W[dd];B[qn])(;W[dc]C[or so];B[de]))\n",
        "(;SZ[9]AB[aa][bb:cc]AW[ci];W[dd];B[];W[ee];W[ef];B[fe])\n",
        "(;SZ[9:5];B[aa];B[bb];W[tt];W[cc])(;SZ[52];B[ZZ];W[AA];B[];W[tt])\r\n",
        "(;SZ[60];B[aa];W[bb])\n(;GM[3];B[aa];W[bb])\n(;AB[zz];B[aa])\n",
        "(;B[aa];W[aa];B[cc](;W[dd])(;W[ee]))\ntext between games (not one)\n",
        "(;SZ[5];B[aa]C[a \\] b [ c \\\\];W[bb]LB[aa:1][bb:2]\n[cc:3];B[cc])\n",
        "(;SZ[5](;B[aa](;W[bb](;B[cc](;W[dd]))))(;B[ee]))\n(;SZ[5];B[aa];W[bb]AB[cc];B[dd])\n",
        "(;SZ[5];B[aa];W[bb]\n(;GM[1];B[aa]C[never ends\n(;RU[NZ]SZ[2];B[aa];W[ab];B[bb];W[ba])\n",
        "(;HA[2]AB[dd][pp]PL[w];W[aa];B[bb];W[cc])\n(;\u{1}PB[\u{2}]\u{3};B[aa]\u{4};W[bb])\n",
    ];
    let mut text = odd.concat();
    // Random moves on a small board, some of them illegal, so that stones are captured and
    // recaptured; then many variations.
    let mut state = 1u64;
    let mut point = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(99);
        let [column, row] = [state >> 33, state >> 40].map(|n| char::from(b'a' + (n % 5) as u8));
        format!("{column}{row}")
    };
    for _ in 0..40 {
        text += "(;SZ[5]KM[0.5]";
        for color in ["B", "W"].iter().cycle().take(30) {
            text += &format!(";{color}[{}]", point());
        }
        text += ")\n";
    }
    text += &format!("(;SZ[5];B[aa]{})\n", "(;W[bb];B[cc])".repeat(300));
    for coding in [Coding::Ign, Coding::IgnEnd] {
        assert_round_trip(&python, text.as_bytes(), coding, 1 << 20);
        assert_round_trip(&python, text.as_bytes(), coding, 1 << 12);
    }
}

#[test]
fn archives_with_appends_are_read_as_far_as_they_are_complete() {
    let Some(python) = reading_python() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let games = ["1. e4 e5 *\n\n", "1. d4 d5 2. c4 *\n\n", "1. f4 *\n\n"];
    let input = |game: &'static str| Input::reader("games.pgn", game.as_bytes());
    let file = std::fs::File::create(&path).unwrap();
    Packer::new().pack([input(games[0])], file).unwrap();
    let starting = STARTING.write().unwrap();
    let append = |game| {
        let appender = Appender::open(&path).unwrap();
        let packer = appender.packer().unwrap();
        appender.append(packer, [input(game)]).unwrap();
    };
    append(games[1]);
    ParityBuilder::new(5.0).add_to(&path).unwrap();
    let before = std::fs::read(&path).unwrap();
    append(games[2]);
    drop(starting);
    let whole = std::fs::read(&path).unwrap();
    assert_same(&python, games.concat().as_bytes(), &path);
    let mark = append_mark::write(before.len() as u64, State::Appending);
    let mut interrupted = whole.clone();
    interrupted[before.len()..][..mark.len()].copy_from_slice(&mark);
    let last = whole.len() - before.len() - 1;
    for &len in cases(&[12, 13, last][..], &[1, 12, 13, 29, 60, last]) {
        let len = before.len() + len;
        std::fs::write(&path, &interrupted[..len]).unwrap();
        assert_same(&python, games[..2].concat().as_bytes(), &path);
        std::fs::write(&path, &whole[..len]).unwrap();
        if len - before.len() > 12 {
            let output = read(&python, &path);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                !output.status.success() && errors.contains("damaged or cut off"),
                "{errors}"
            );
        }
    }
}

#[test]
fn sources_with_a_sha256_round_trip() {
    let Some(python) = reading_python() else {
        return;
    };
    let text = ign_testing::games(30);
    let sha256 = Sha256::new(sha2::Sha256::digest(&text).into());
    let input = |name: &str| Input::reader(name, std::io::Cursor::new(text.clone()));
    let mut archive = tempfile::NamedTempFile::new().unwrap();
    let inputs = [input("a"), input("b").sha256(sha256), input("c")];
    Packer::new().pack(inputs, archive.as_file_mut()).unwrap();
    assert_same(&python, &text.repeat(3), archive.path());
}

#[test]
fn the_published_models_give_the_known_answers() {
    let Some(python) = reading_python() else {
        return;
    };
    let output = Command::new(&python)
        .args([READER, "--known-answers"])
        .output()
        .unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let spec = include_str!("../../../format-spec.md");
    let mut lines = answers.lines();
    for architecture in [1, 3, 4, 5] {
        let (number, sum) = lines.next().and_then(|line| line.split_once(' ')).unwrap();
        assert_eq!(number, architecture.to_string());
        assert!(
            spec.contains(&format!("| {number} | `{sum}` |")),
            "{number}"
        );
    }
}

#[test]
fn the_vectors_of_the_coders_decode_to_their_values() {
    let Some(python) = reading_python() else {
        return;
    };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new(&python)
        .args([
            format!("{root}/examples/coder_vectors.py"),
            format!("{root}/tests/vectors/coders"),
        ])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let decoded = String::from_utf8(output.stdout).unwrap();
    assert_eq!(decoded.lines().count(), 6, "{decoded}");
}
