//! What the tests of tables share.

use arrow_array::{
    Array, ArrayRef, StringArray,
    cast::AsArray,
    types::{Int16Type, Int32Type},
};
use ign_archive::{Archive, Coding, Input, Packer};
use ign_arrow::arrow_array;

/// Tags that are no UTF-8, `?`, bad dates, repeated tags, tags in other forms, tags named like
/// columns, variants, Chess960, illegal moves, unknown variants, no moves, comments with clocks and
/// evaluations.
pub const ODD: &[u8] = b"\
[White \"J\xf8rgen\"]\n[Black \"?\"]\n[WhiteElo \"?\"]\n[BlackElo \" 1500 \"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n
[White \"J\xc3\xb8rgen\"]\n[WhiteElo \"1500?\"]\n[BlackElo \"0\"]\n[Result \"won\"]\n[moves \"none\"]\n[number \"7\"]\n\n*\n
[Date \"1997.??.??\"]\n[UTCDate \"2013.01.05\"]\n[UTCTime \"23:59:59\"]\n[ECO \"B90/01\"]\n[PlyCount \"3\"]\n\n1. d4 { [%eval 0.2,18] [%clk 0:02:59.9] } d5 { [%clk 0:03:00] } 2. c4 { best } { [%eval #-12] } *\n
[White \"A\"]\n[White \"B\"]\n[Black \"C\"]\n[UTCTime \"9:00\"]\n\n1. d4 d5 2. Ke8 { [%clk 1:00] } *\n
1. c4 c5 1/2-1/2\n
[Variant \"Unknown\"]\n[Opening \"?\"]\n[Termination \"Time \\\"forfeit\\\"\"]\n[PlyCount \"2\"]\n\n1. e4 e5 { text } 0-1\n
[Variant \"Atomic\"]\n[WhiteElo \"10000\"]\n[BlackElo \"9999\"]\n[WhiteRatingDiff \"+12\"]\n[BlackRatingDiff \"-3\"]\n\n1. e4 *\n
[White \"J\xf8rgen\"]\n[TimeControl \"-\"]\n[UTCDate \"2020.02.30\"]\n[WhiteRatingDiff \"?\"]\n\n{ First. } 1. e4 (1. d4 { no } d5) e5 ; to the end\n2. Nf3 *\n
[Event  \"two spaces\"]\n[Site \"s\"]\n\n1. e4 *\n
[Variant \"Chess960\"]\n[Annotator \"An\"]\n\n1. e3 e6 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. Re1 Re8 *\n
[SetUp \"1\"]\n[FEN \"2k5/8/8/8/8/8/8/1RKR2N1 w DB - 0 1\"]\n\n1. Nf3 Kc7 2. O-O *\n
[Variant \"Crazyhouse\"]\n[Date \"2021-7-4\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. P@e4 *\n
[White \"Promotes\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 2. Qd5+ *\n
[White \"None\"]\n\n* { [%clk 0:01:00] }\n";

/// The bytes of an archive of a text.
pub fn pack(text: &[u8], coding: Coding, block_size: usize) -> Vec<u8> {
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    let packer = Packer::new().coding(coding).block_size(block_size);
    packer.pack([input], Vec::new()).unwrap().0
}

/// An archive of a text.
pub fn archive(text: &[u8], coding: Coding, block_size: usize) -> Archive {
    Archive::from_read_at(pack(text, coding, block_size), "games.ign").unwrap()
}

/// The text of a row, of an array of strings or a dictionary array.
pub fn text_at(array: &ArrayRef, row: usize) -> Option<String> {
    if !array.is_valid(row) {
        return None;
    }
    let value = |values: &StringArray, row: usize| values.value(row).to_owned();
    Some(
        if let Some(array) = array.as_dictionary_opt::<Int32Type>() {
            value(array.values().as_string(), array.keys().value(row) as usize)
        } else if let Some(array) = array.as_dictionary_opt::<Int16Type>() {
            value(array.values().as_string(), array.keys().value(row) as usize)
        } else {
            value(array.as_string(), row)
        },
    )
}

/// The texts of all rows, of which none is null.
pub fn texts(array: &ArrayRef) -> Vec<String> {
    (0..array.len())
        .map(|row| text_at(array, row).unwrap())
        .collect()
}

/// Days since 1970-01-01 of a complete date, counted year by year.
pub fn days(date: &str) -> Option<i32> {
    let parts: Vec<i32> = date
        .split(['.', '-', '/'])
        .map(|part| part.trim().parse().ok())
        .collect::<Option<_>>()?;
    let [year, month @ 1..=12, day] = parts[..] else {
        return None;
    };
    let leap = |year: i32| i32::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let len = |month: i32| match month {
        2 => 28 + leap(year),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let years: i32 = match year {
        1970.. => (1970..year).map(|year| 365 + leap(year)).sum(),
        _ => -(year..1970).map(|year| 365 + leap(year)).sum::<i32>(),
    };
    let months: i32 = (1..month).map(len).sum();
    (year > 0 && (1..=len(month)).contains(&day)).then_some(years + months + day - 1)
}

/// Milliseconds since midnight of a time `HH:MM:SS`.
pub fn milliseconds(time: &str) -> Option<i32> {
    let parts: Vec<i32> = time
        .split(':')
        .map(|part| part.parse().ok().filter(|_| part.len() == 2))
        .collect::<Option<_>>()?;
    match parts[..] {
        [h @ 0..24, m @ 0..60, s @ 0..60] => Some(1000 * (3600 * h + 60 * m + s)),
        _ => None,
    }
}
