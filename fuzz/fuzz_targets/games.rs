//! Games that are built from tags, moves, comments, variations and marks come back to the byte in
//! every coding, with the tags that were written, in any form, and the moves that were played. An
//! archive in another coding is the one that is packed in it.
#![no_main]

use std::{collections::HashSet, fmt::Write as _, mem};

use arbitrary::{Arbitrary, Unstructured};
use ign_archive::{Coding, Packer};
use ign_notation::chess::{Legal, Position, san};
use libfuzzer_sys::fuzz_target;

/// At most so many values. A vector would mostly have one or none.
#[derive(Debug)]
struct UpTo<const MAX: usize, T>(Vec<T>);

impl<'a, const MAX: usize, T: Arbitrary<'a>> Arbitrary<'a> for UpTo<MAX, T> {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let count = input.int_in_range(0..=MAX)?;
        let values = (0..count).map(|_| input.arbitrary());
        values.collect::<arbitrary::Result<_>>().map(Self)
    }
}

/// At most 40 bytes of text. A string would take about half of the rest of the input.
#[derive(Debug)]
struct Text(String);

impl<'a> Arbitrary<'a> for Text {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let len = input.int_in_range(0..=40)?.min(input.len());
        Ok(Self(String::from_utf8_lossy(input.bytes(len)?).into_owned()))
    }
}

#[derive(Debug, Arbitrary)]
struct Game {
    /// Whether it has tags, moves, clocks, evaluations and a result, and nothing else.
    is_plain: bool,
    tags: UpTo<8, Tag>,
    moves: UpTo<80, Ply>,
    result: Outcome,
    /// Whether the names of moves lack `+` and `#`.
    omits_checks: bool,
    has_crlf: bool,
    /// Whether moves are on lines of at most 80 characters.
    is_wrapped: bool,
}

#[derive(Debug, Arbitrary)]
struct Tag {
    name: TagName,
    value: Text,
    form: Form,
}

/// How a tag is written.
#[derive(Debug, Arbitrary)]
enum Form {
    Standard,
    Indented,
    Padded,
    Tight,
    LowerCase,
    SingleQuotes,
    /// The next tag is on the same line.
    Joined,
    /// An empty line follows.
    Apart,
    /// A comment line follows.
    Noted,
    OtherLineEnd,
}

#[derive(Debug, Arbitrary)]
enum TagName {
    White,
    Black,
    WhiteElo,
    BlackElo,
    Date,
    UtcDate,
    UtcTime,
    Site,
    Eco,
    Opening,
    TimeControl,
    Other(Text),
}

#[derive(Debug, Arbitrary)]
struct Ply {
    ordinal: u8,
    after: Option<After>,
}

/// What follows a move.
#[derive(Debug, Arbitrary)]
enum After {
    Comment(Text),
    Clock(u16),
    Eval(i16),
    Nag(u8),
    Variation(UpTo<20, u8>),
    Glyph,
}

#[derive(Debug, Arbitrary)]
enum Outcome {
    White,
    Black,
    Draw,
    Unknown,
    Missing,
}

fuzz_target!(|games: UpTo<4, Game>| {
    let games: Vec<Game> = games.0.into_iter().map(simplified).collect();
    let mut text = String::new();
    let moves: Vec<Vec<String>> = games.iter().map(|game| write(game, &mut text)).collect();
    let all = Coding::ALL.iter();
    let packed: Vec<Vec<u8>> = all
        .map(|&coding| ign_fuzz::pack(text.as_bytes(), coding, 1 << 12))
        .collect();
    for (from, bytes) in packed.iter().enumerate() {
        let archive = ign_fuzz::open(bytes).expect("an archive");
        let to = (from + 1) % packed.len();
        let packer = Packer::new().coding(Coding::ALL[to]).threads(1);
        let transcoded = packer.transcode(&archive, Vec::new());
        assert!(transcoded.expect("an archive").0 == packed[to]);
        assert!(ign_fuzz::unpacked(&archive).expect("the text") == text.as_bytes());
        // Text of tags and comments may be read as other tags and moves.
        if games.iter().all(is_plain) {
            let read = archive
                .games()
                .map(|game| game?.san())
                .collect::<ign_archive::Result<Vec<_>>>()
                .expect("moves");
            assert_eq!(read, moves);
            for (read, written) in archive.games().zip(&games) {
                let read = read.expect("a game");
                for Tag { name, value, .. } in &written.tags.0 {
                    let tag = read.tag(name.as_str()).expect("a tag");
                    assert_eq!(tag.as_deref(), Some(&value.0[..]));
                }
            }
        }
    }
});

/// The game without what a plain game has not.
fn simplified(mut game: Game) -> Game {
    if !game.is_plain {
        return game;
    }
    // A repeated tag may begin another game.
    let mut names = HashSet::new();
    let is_kept = |tag: &Tag| !matches!(tag.name, TagName::Other(_));
    let tags = &mut game.tags.0;
    tags.retain(|tag| is_kept(tag) && names.insert(mem::discriminant(&tag.name)));
    for tag in tags {
        tag.value.0.retain(char::is_alphanumeric);
    }
    for ply in &mut game.moves.0 {
        ply.after = ply
            .after
            .take()
            .filter(|after| matches!(after, After::Clock(_) | After::Eval(_)));
    }
    game
}

/// Whether the game is plain and does not depend on the games around it.
fn is_plain(game: &Game) -> bool {
    // The first tag is accepted in other quotes only if another follows.
    let is_clear = game.tags.0.first().is_some_and(|tag| !matches!(tag.form, Form::SingleQuotes));
    // Without moves and a result the tags of the next game may continue those of this one.
    let has_end = !(game.moves.0.is_empty() && matches!(game.result, Outcome::Missing));
    game.is_plain && is_clear && has_end
}

impl TagName {
    fn as_str(&self) -> &str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
            Self::WhiteElo => "WhiteElo",
            Self::BlackElo => "BlackElo",
            Self::Date => "Date",
            Self::UtcDate => "UTCDate",
            Self::UtcTime => "UTCTime",
            Self::Site => "Site",
            Self::Eco => "ECO",
            Self::Opening => "Opening",
            Self::TimeControl => "TimeControl",
            Self::Other(name) => &name.0,
        }
    }
}

/// Writes a game. Returns the names of its moves.
fn write(game: &Game, out: &mut String) -> Vec<String> {
    let start = out.len();
    for Tag { name, value, form } in &game.tags.0 {
        let (name, value) = (name.as_str(), &value.0);
        _ = match form {
            Form::Standard => writeln!(out, "[{name} \"{value}\"]"),
            Form::Indented => writeln!(out, " \t[{name} \"{value}\"]"),
            Form::Padded => writeln!(out, "[ {name}  \"{value}\" ] "),
            Form::Tight => writeln!(out, "[{name}\"{value}\"]"),
            Form::LowerCase => writeln!(out, "[{} \"{value}\"]", name.to_ascii_lowercase()),
            Form::SingleQuotes => writeln!(out, "[{name} '{value}']"),
            Form::Joined => write!(out, "[{name} \"{value}\"]"),
            Form::Apart => writeln!(out, "[{name} \"{value}\"]\n"),
            Form::Noted => writeln!(out, "[{name} \"{value}\"]\n; note"),
            Form::OtherLineEnd => write!(out, "[{name} \"{value}\"]\r"),
        };
    }
    out.push('\n');
    let (mut position, mut names, mut width) = (Position::default(), Vec::new(), 0);
    for (ply, played) in game.moves.0.iter().enumerate() {
        let before = position;
        let Some(name) = play(&mut position, played.ordinal) else {
            break;
        };
        let written = if game.omits_checks {
            name.trim_end_matches(['+', '#'])
        } else {
            &name
        };
        let mut token = match ply % 2 {
            0 => format!("{}. {written}", ply / 2 + 1),
            _ => written.to_owned(),
        };
        names.push(name);
        match &played.after {
            None => {}
            Some(After::Comment(text)) => _ = write!(token, " {{{}}}", text.0),
            Some(After::Clock(seconds)) => {
                _ = write!(
                    token,
                    " {{ [%clk {}:{:02}:{:02}] }}",
                    seconds / 3600,
                    seconds / 60 % 60,
                    seconds % 60
                );
            }
            Some(After::Eval(value)) => {
                _ = write!(token, " {{ [%eval {:.2}] }}", f32::from(*value) / 100.0)
            }
            Some(After::Nag(number)) => _ = write!(token, " ${number}"),
            Some(After::Glyph) => token.push_str("?!"),
            Some(After::Variation(choices)) => {
                let mut position = before;
                let line: Vec<String> = choices
                    .0
                    .iter()
                    .map_while(|&choice| play(&mut position, choice))
                    .collect();
                let dots = if ply % 2 == 0 { "." } else { "..." };
                _ = write!(token, " ({}{dots} {})", ply / 2 + 1, line.join(" "));
            }
        }
        width += token.len() + 1;
        let is_full = game.is_wrapped && width > 80;
        if is_full {
            width = token.len();
        }
        out.push_str(&token);
        out.push(if is_full { '\n' } else { ' ' });
    }
    out.push_str(match game.result {
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "*",
        Outcome::Missing => "",
    });
    out.push_str("\n\n");
    if game.has_crlf {
        let lines = out.split_off(start).replace('\n', "\r\n");
        out.push_str(&lines);
    }
    names
}

/// Plays a legal move. Returns its name; `None` if there is no legal move.
fn play(position: &mut Position, choice: u8) -> Option<String> {
    let legal = Legal::new(position);
    let count = legal.count();
    if count == 0 {
        return None;
    }
    let played = legal.nth(u32::from(choice) % count);
    let mut name = String::from_utf8_lossy(san::write(&legal, played).as_bytes()).into_owned();
    position.play(played);
    name.extend(Legal::new(position).sign().map(char::from));
    Some(name)
}
