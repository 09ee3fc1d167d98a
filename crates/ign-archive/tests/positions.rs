//! Do the rows of positions equal the games, replayed by shakmaty?

use std::{collections::HashMap, sync::LazyLock, time::Duration};

use ign_archive::{
    Archive, Archives, Coding, Game, GameNumber, Input, Packer, PositionScan, Query,
    movetext::Eval,
    positions::{
        NO_CLOCK, NO_EVAL, NO_MOVE, PositionBatch, PositionColumn, SkippedGames, UNKNOWN_RESULT,
    },
    scan::uci_moves,
};
use ign_testing::{Collection, clocked_games, games_of_seed};
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Position as _, Role,
    fen::Fen,
    variant::{Variant, VariantPosition},
};

/// Chess960, starting positions, counters in a FEN, variants, unknown rules, an illegal move, games
/// without moves, odd ratings, results and comments, promotions, captures en passant.
const ODD: &[u8] = b"\
[White \"A\"]\n[WhiteElo \"?\"]\n[BlackElo \" 1500 \"]\n[Result \"0-1\"]\n\n\
{ [%clk 9:00:00] } 1. f3 { [%clk 0:03:00] } e5 { [%clk 0:02:59.9] [%eval -0.31] } 2. g4?? { A mistake. } \
(2. g3 { [%clk 0:00:01] [%eval 9] }) Qh4# { [%eval #-1] } 0-1\n
[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n[Result \"1-0\"]\n\n\
1. e4 e5 2. f4 exf4 3. O-O O-O 1-0\n
[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 17 60\"]\n[Result \"*\"]\n\n60. Kb2 Kg7 61. a8=Q Kg6 62. Qe4+ *\n
[White \"No moves\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n
[WhiteElo \"2700\"]\n[BlackElo \"10000\"]\n[Result \"won\"]\n\n{Before.} 1. e4 d5 2. e5 f5 3. exf6 $1 Nh6 4. fxg7 Nf7 \
5. gxh8=N Nxh8 6. Nf3 Nc6 7. Bc4 Bg7 8. O-O Kf8 1-0\n
[White \"Illegal\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. Ke8 { [%clk 0:00:09] } Nf6 1-0\n
[Variant \"Unknown\"]\n\n1. e4 e5 0-1\n
[Variant \"Crazyhouse\"]\n[Result \"1-0\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Qd8 4. Nc3 P@d5 1-0\n
[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 a6 3. Bxa6 Rxa6 *\n
[Variant \"Horde\"]\n\n1. a5 h6 *\n
[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 9\"]\n[Result \"1/2-1/2\"]\n\n\
9... O-O-O 10. O-O { [%eval 0.5,20] [%clk 1:00] } Rd7 1/2-1/2\n
1. Nf3 *\n";

fn archive(text: &[u8], coding: Coding, block_size: usize) -> Archive {
    let packer = Packer::new().coding(coding).block_size(block_size);
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    Archive::from_read_at(bytes, "games.ign").unwrap()
}

/// One row of a batch, or what it should be.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    game: u64,
    ply: u32,
    boards: [u64; 12],
    white_to_move: bool,
    castling: u8,
    en_passant: i8,
    halfmoves: u16,
    fullmoves: u32,
    played: u16,
    result: i8,
    ratings: [u16; 2],
    clock: u32,
    eval: (i32, i32),
}

/// The rows of a batch.
fn rows_of(batch: &PositionBatch) -> Vec<Row> {
    let row = |row: usize| Row {
        game: batch.game[row],
        ply: batch.ply[row],
        boards: batch.boards[12 * row..][..12].try_into().unwrap(),
        white_to_move: batch.white_to_move[row],
        castling: batch.castling[row],
        en_passant: batch.en_passant[row],
        halfmoves: batch.halfmoves[row],
        fullmoves: batch.fullmoves[row],
        played: batch.played[row],
        result: batch.result[row],
        ratings: [batch.white_elo[row], batch.black_elo[row]],
        clock: batch.clock[row],
        eval: (batch.cp[row], batch.mate[row]),
    };
    (0..batch.len()).map(row).collect()
}

/// All rows of a scan, whose batches must be full.
fn rows(scan: PositionScan, size: usize) -> Vec<Row> {
    let batches: Vec<_> = scan
        .columns(PositionColumn::ALL.iter().copied())
        .batch(size)
        .map(Result::unwrap)
        .collect();
    let lens: Vec<usize> = batches.iter().map(PositionBatch::len).collect();
    if let Some((last, full)) = lens.split_last() {
        assert!(full.iter().all(|&len| len == size) && (1..=size).contains(last));
    }
    batches.iter().flat_map(rows_of).collect()
}

fn rating(game: &Game, tag: &str) -> u16 {
    let value = game.tag(tag).unwrap().unwrap_or_default().trim().to_owned();
    let is_rating = value.len() <= 4 && value.bytes().all(|c| c.is_ascii_digit());
    value.parse().ok().filter(|_| is_rating).unwrap_or(0)
}

fn result(game: &Game) -> i8 {
    match game
        .result()
        .unwrap()
        .map(|result| result.to_string())
        .as_deref()
    {
        Some("1-0") => 1,
        Some("1/2-1/2") => 0,
        Some("0-1") => -1,
        _ => UNKNOWN_RESULT,
    }
}

/// The code of each move in UCI notation.
static CODES: LazyLock<HashMap<String, u16>> = LazyLock::new(|| {
    let codes = 0..uci_moves().len() as u16;
    codes
        .map(|code| (uci_moves().get(code).unwrap().to_owned(), code))
        .collect()
});

/// The UCI notation of a move, as python-chess and shakmaty write it.
fn uci(position: &VariantPosition, played: shakmaty::Move, is_chess960: bool) -> String {
    let mode = if is_chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    assert!(position.is_legal(played));
    played.to_uci(mode).to_string()
}

/// The rows of a game, by replay with shakmaty. The last position has the move [`NO_MOVE`].
fn replayed(game: &Game) -> Vec<Row> {
    let moves: Vec<shakmaty::Move> = game.moves().unwrap().collect();
    let clocks = game.clocks().unwrap();
    let evals = game.evals().unwrap();
    let fen = game
        .tag("FEN")
        .unwrap()
        .map(|fen| fen.parse::<Fen>().unwrap());
    let mut halfmoves = fen.as_ref().map_or(0, |fen| fen.as_setup().halfmoves) as u16;
    let mut fullmoves = fen.as_ref().map_or(1, |fen| fen.as_setup().fullmoves.get());
    let is_chess960 = game.tag("Variant").unwrap().as_deref() == Some("Chess960");
    let positions = game.positions().unwrap();
    let rows = positions.enumerate().map(|(ply, position)| {
        let board = position.board();
        let mut boards = [0; 12];
        for (number, role) in Role::ALL.into_iter().enumerate() {
            boards[number] = board.by_piece(role.of(Color::White)).0;
            boards[6 + number] = board.by_piece(role.of(Color::Black)).0;
        }
        let sides = [
            (Color::White, CastlingSide::KingSide),
            (Color::White, CastlingSide::QueenSide),
            (Color::Black, CastlingSide::KingSide),
            (Color::Black, CastlingSide::QueenSide),
        ];
        let castling = sides
            .into_iter()
            .enumerate()
            .map(|(bit, (color, side))| u8::from(position.castles().has(color, side)) << bit);
        let played = moves.get(ply).copied();
        let clock = clocks
            .get(ply)
            .copied()
            .flatten()
            .filter(|_| played.is_some());
        let eval = ply.checked_sub(1).and_then(|ply| evals[ply]);
        let row = Row {
            game: game.number().get(),
            ply: ply as u32,
            boards,
            white_to_move: position.turn().is_white(),
            castling: castling.sum(),
            en_passant: position
                .ep_square(EnPassantMode::PseudoLegal)
                .map_or(-1, |square| square.to_u32() as i8),
            halfmoves,
            fullmoves,
            played: NO_MOVE,
            result: result(game),
            ratings: [rating(game, "WhiteElo"), rating(game, "BlackElo")],
            clock: clock.map_or(NO_CLOCK, |clock: Duration| clock.as_millis() as u32),
            eval: match eval {
                Some(Eval::Centipawns(cp)) => (cp, NO_EVAL),
                Some(Eval::Mate(mate)) => (NO_EVAL, mate),
                None => (NO_EVAL, NO_EVAL),
            },
        };
        let Some(played) = played else {
            return row;
        };
        halfmoves = if played.is_zeroing() {
            0
        } else {
            halfmoves + 1
        };
        fullmoves += u32::from(position.turn().is_black());
        let uci = uci(&position, played, is_chess960);
        Row {
            played: CODES[&uci],
            ..row
        }
    });
    rows.collect()
}

/// Whether a game is one of a variant other than chess.
fn is_variant(game: &Game) -> bool {
    let mut positions = game.positions().unwrap();
    positions
        .next()
        .is_some_and(|position| position.variant() != Variant::Chess)
}

/// All positions of an archive, those after the last moves and those of variants too, by game and
/// ply.
fn all_of(archive: &Archive) -> Vec<Row> {
    let games = archive.games().map(Result::unwrap);
    games.flat_map(|game| replayed(&game)).collect()
}

/// The positions in which a move was played in a game of chess.
fn expected(archive: &Archive) -> Vec<Row> {
    let games = archive.games().map(Result::unwrap);
    let rows = games
        .filter(|game| !is_variant(game))
        .flat_map(|game| replayed(&game));
    rows.filter(|row| row.played != NO_MOVE).collect()
}

const CODINGS: [Coding; 3] = [Coding::Ign, Coding::IgnEnd, Coding::Weighted];

#[test]
fn rows_equal_odd_games_replayed() {
    for coding in CODINGS {
        let archive = archive(ODD, coding, Packer::DEFAULT_BLOCK_SIZE);
        let mut scan = archive
            .positions()
            .columns(PositionColumn::ALL.iter().copied())
            .batch(5);
        let got: Vec<Row> = scan
            .by_ref()
            .flat_map(|batch| rows_of(&batch.unwrap()))
            .collect();
        assert_eq!(got, expected(&archive));
        let mut skipped = SkippedGames::default();
        skipped.without_moves = 2;
        skipped.variants = 3;
        assert_eq!(scan.skipped(), skipped);

        let all = archive.positions().final_positions(true).variants(true);
        let played: Vec<Row> = all_of(&archive);
        let games: Vec<u64> = played
            .iter()
            .filter(|row| row.ply == 1)
            .map(|row| row.game)
            .collect();
        assert_eq!(games, [1, 2, 3, 5, 6, 8, 9, 10, 11, 12]);
        let moved = |row: &Row| games.contains(&row.game);
        let expected: Vec<Row> = played.into_iter().filter(moved).collect();
        assert_eq!(rows(all, 7), expected);
    }
}

#[test]
fn text_columns_are_the_positions_of_their_rows() {
    let archive = archive(ODD, Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    let mut seen = 0;
    let batches = archive
        .positions()
        .columns(PositionColumn::ALL.iter().copied());
    for batch in batches.final_positions(true) {
        let batch = batch.unwrap();
        for (row, expected) in rows_of(&batch).iter().enumerate() {
            let (fen, epd) = (batch.fen.get(row).unwrap(), batch.epd.get(row).unwrap());
            let counters = format!(" {} {}", expected.halfmoves, expected.fullmoves);
            assert_eq!(fen, format!("{epd}{counters}"));
            let read: Fen = fen.parse().unwrap();
            let position: Chess = read.into_position(CastlingMode::Chess960).unwrap();
            let game = archive.game(expected.game).unwrap();
            let theirs = game
                .positions()
                .unwrap()
                .nth(expected.ply as usize)
                .unwrap();
            assert_eq!(position.board(), theirs.board(), "{fen}");
            let rights = |castles: &shakmaty::Castles| castles.castling_rights();
            assert_eq!(
                rights(position.castles()),
                rights(theirs.castles()),
                "{fen}"
            );
            let passing = [position.maybe_ep_square(), theirs.maybe_ep_square()];
            let passing = passing.map(|square| square.filter(|_| expected.en_passant >= 0));
            assert_eq!(passing[0], passing[1], "{fen}");
            seen += 1;
        }
        assert_eq!(
            (batch.fen.len(), batch.epd.len()),
            (batch.len(), batch.len())
        );
    }
    assert!(seen > 30);
}

#[test]
fn rows_equal_generated_games_replayed_for_any_threads_and_batches() {
    let text = clocked_games(150, 11);
    for coding in CODINGS {
        let archive = archive(&text, coding, 1 << 17);
        assert!(archive.blocks().len() > 2);
        let expected = expected(&archive);
        assert_eq!(expected.len() as u64, archive.plies());
        for (threads, size) in [(1, 4096), (2, 1000), (7, 77)] {
            let scan = archive.positions().threads(threads);
            assert!(rows(scan, size) == expected, "{threads} threads");
        }
    }
}

#[test]
fn choices_orders_shards_and_tokens_give_the_right_rows() {
    for (coding, games) in [(Coding::Ign, 1300), (Coding::Weighted, 700)] {
        let text = games_of_seed(games, 11);
        // Several units in a block, and several blocks.
        let archive = archive(&text, coding, 1 << 19);
        assert!(archive.blocks().iter().any(|block| block.games > 512));
        let expected = expected(&archive);
        check_choices(&archive, &expected);
        check_orders(&archive, &expected);
    }
}

/// Checks the choices of games and positions.
fn check_choices(archive: &Archive, expected: &[Row]) {
    let only = |scan: PositionScan, keep: &dyn Fn(&Row) -> bool| {
        let kept: Vec<Row> = expected.iter().filter(|row| keep(row)).cloned().collect();
        assert!(kept.len() < expected.len());
        assert!(rows(scan, 512) == kept);
    };
    let scan = || archive.positions();
    only(scan().every_nth(8), &|row| {
        (row.game + u64::from(row.ply)) % 8 == 0
    });
    // Numbers that continue those of other archives.
    let after: Vec<Row> = expected
        .iter()
        .map(|row| Row {
            game: row.game + 1001,
            ..row.clone()
        })
        .collect();
    assert!(rows(scan().after(1001), 512) == after);
    let some: Vec<Row> = after
        .into_iter()
        .filter(|row| row.game > 1005 && (row.game + u64::from(row.ply)) % 8 == 0)
        .collect();
    assert!(rows(scan().range(5..).after(1001).every_nth(8), 512) == some);
    only(scan().min_ply(10), &|row| row.ply >= 10);
    only(scan().max_ply(0), &|row| row.ply == 0);
    only(scan().min_ply(5).max_ply(20), &|row| {
        (5..=20).contains(&row.ply)
    });
    only(scan().range(630..), &|row| row.game >= 630);
    only(scan().range(..0), &|_| false);
    let some = [1, 3, 4, 630, 99_999].map(|game| GameNumber::new(game).unwrap());
    only(scan().only(some).range(4..), &|row| {
        row.game == 4 || row.game == 630
    });
    let query = Query::new().white_elo(1700..);
    let found = archive.find(&query).unwrap();
    assert!(found.len() > 10);
    let is_found = |row: &Row| found.iter().any(|game| row.game == *game);
    only(scan().filter(&query).only(&found[1..4]), &|row| {
        found[1..4].iter().any(|game| row.game == *game)
    });
    only(scan().filter(&query).every_nth(3), &|row| {
        is_found(row) && (row.game + u64::from(row.ply)) % 3 == 0
    });
    let moves = archive
        .positions()
        .columns([PositionColumn::Move])
        .batch(usize::MAX);
    let batches: Vec<PositionBatch> = moves.map(Result::unwrap).collect();
    assert_eq!(batches.len(), 1);
    assert!(batches[0].boards.is_empty() && batches[0].game.is_empty());
    assert!(
        batches[0]
            .played
            .iter()
            .eq(expected.iter().map(|row| &row.played))
    );
}

/// Checks shuffled rows, shards and tokens.
fn check_orders(archive: &Archive, expected: &[Row]) {
    let sorted = |mut rows: Vec<Row>| {
        rows.sort_by_key(|row| (row.game, row.ply));
        rows
    };
    let scan = |seed| archive.positions().shuffle(5000, seed);
    let first = rows(scan(1), 512);
    assert!(first != expected && sorted(first.clone()) == expected);
    assert!(rows(scan(1).threads(7), 100) == first);
    assert!(rows(scan(2), 512) != first);
    for shards in [1, 2, 5, 100] {
        let mut of_all = Vec::new();
        for shard in 0..shards {
            // The seed does not move games between shards.
            of_all.extend(rows(scan(shard).shard(shard, shards), 999));
        }
        assert!(sorted(of_all) == expected, "{shards} shards");
    }
    let scans: [&dyn Fn() -> PositionScan; 3] = [
        &|| archive.positions(),
        &|| archive.positions().shuffle(3000, 9).every_nth(2),
        &|| archive.positions().shard(1, 3).shuffle(1 << 20, 5),
    ];
    for scan in scans {
        let all = rows(scan(), 700);
        let mut reading = scan()
            .columns(PositionColumn::ALL.iter().copied())
            .batch(700);
        let mut before = 0;
        for step in 0.. {
            let token = reading.token().unwrap();
            if step % 40 == 0 {
                // Columns, batches and threads may differ.
                let mut rest = scan()
                    .threads(1)
                    .resume(token)
                    .columns(PositionColumn::ALL.iter().copied())
                    .batch(699);
                let continued: Vec<Row> = rest
                    .by_ref()
                    .flat_map(|batch| rows_of(&batch.unwrap()))
                    .collect();
                assert!(continued == all[before..], "after {before}");
                assert_eq!(rest.skipped(), scan_to_end(scan()));
            }
            let Some(batch) = reading.next() else {
                break;
            };
            before += batch.unwrap().len();
        }
        assert_eq!(before, all.len());
        let end = reading.token().unwrap();
        assert!(scan().resume(end).next().is_none());
    }
}

fn scan_to_end(mut scan: PositionScan) -> SkippedGames {
    scan.by_ref().for_each(|batch| drop(batch.unwrap()));
    scan.skipped()
}

#[test]
fn several_archives_are_read_as_one() {
    let text = games_of_seed(600, 5);
    let first = archive(&text, Coding::Weighted, 1 << 18);
    let other = archive(ODD, Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    let mut both = expected(&first);
    both.extend(expected(&other).into_iter().map(|row| Row {
        game: row.game + first.len(),
        ..row
    }));
    let archives = Archives::from(vec![first, other]);
    assert!(rows(archives.positions(), 1000) == both);
    both.retain(|row| row.ratings[0] == 2700 || row.game == 602);
    let query = Query::new().white_elo(2700..=2700);
    let found = rows(archives.positions().filter(&query), 1000);
    assert!(!found.is_empty() && found.iter().all(|row| both.contains(row)));
}

#[test]
fn rows_equal_real_games_replayed() {
    let files = [
        "lichess_users_clk",
        "computer",
        "otb_pgnmentor",
        "lichess_2013-01",
    ];
    for file in files {
        let name = format!("{file}.pgn.zst");
        // Whole games: pgn-reader rejects a comment that is cut off.
        let text = Collection::open(&name).first_games(400_000);
        for coding in [Coding::Ign, Coding::Weighted] {
            let archive = archive(&text, coding, 1 << 17);
            let expected = expected(&archive);
            assert!(expected.len() > 1000, "{file}");
            assert!(rows(archive.positions(), 4096) == expected, "{file}");
        }
    }
}

#[test]
fn wrong_options_and_tokens_are_errors() {
    let archive = archive(ODD, Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    let message = |mut scan: PositionScan| {
        let error = scan.next().unwrap().unwrap_err();
        assert_eq!(error.kind(), ign_archive::ErrorKind::Usage);
        assert!(scan.next().is_none());
        error.to_string()
    };
    let scan = || archive.positions();
    assert!(message(scan().shard(3, 3)).contains("no shard 3 of 3"));
    assert!(message(scan().shard(0, 0)).contains("no shard 0 of 0"));
    assert!(message(scan().batch(0)).contains("batch"));
    assert!(message(scan().every_nth(0)).contains("every_nth"));
    assert!(message(scan().shuffle(0, 1)).contains("shuffle"));
    assert!(message(scan().resume("x")).contains("token"));
    let token = scan().min_ply(1).token().unwrap();
    assert!(message(scan().resume(token.clone())).contains("other positions"));
    assert!(scan().min_ply(1).resume(token).next().unwrap().is_ok());
}

#[test]
fn damaged_moves_are_an_error_with_their_place() {
    let text = games_of_seed(300, 5);
    let packer = Packer::new().coding(Coding::Weighted).block_size(1 << 16);
    let input = Input::reader("games.pgn", std::io::Cursor::new(text));
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    let whole = Archive::from_read_at(bytes.clone(), "games.ign").unwrap();
    let block = whole.blocks()[1];
    let all = expected(&whole);
    let mut failed = 0;
    for part in 1..40 {
        let mut damaged = bytes.clone();
        damaged[(block.offset + block.stored_len * part / 40) as usize] ^= 0x55;
        let archive = Archive::from_read_at(damaged, "games.ign").unwrap();
        let mut scan = archive
            .positions()
            .columns(PositionColumn::ALL.iter().copied());
        let batches: Vec<_> = scan.by_ref().collect();
        match batches.last().unwrap() {
            Ok(_) => {}
            Err(error) => {
                assert!(error.to_string().contains("games.ign"), "{error}");
                failed += 1;
            }
        }
        assert!(scan.next().is_none());
        let first = batches[0].as_ref().map(rows_of);
        assert!(first.is_err() || first.unwrap()[0] == all[0]);
    }
    assert!(failed > 10, "{failed} of 39");
}

#[test]
fn an_archive_without_games_has_no_positions() {
    let archive = archive(b"", Coding::Ign, Packer::DEFAULT_BLOCK_SIZE);
    for mut scan in [archive.positions(), archive.positions().shuffle(10, 1)] {
        assert!(scan.next().is_none());
        assert_eq!(scan.skipped().total(), 0);
        let token = scan.token().unwrap();
        assert!(
            archive
                .positions()
                .shuffle(11, 1)
                .resume(token)
                .next()
                .unwrap()
                .is_err()
        );
    }
}
