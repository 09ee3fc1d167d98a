//! From games to integers.

use super::{Notation, Opening, Options, Player, StartTags, Step, fault, steps::steps};
use ign_format::{
    container::MAX_PLIES,
    error::{Error, Result},
    model::{Scorer, Style},
    pgn::{
        records::RecordFinder,
        tags::{self, TagReader},
        tokens::{Token, Tokens},
    },
    sgf::{self, syntax::is_collection},
};
use ign_notation::{
    Integer,
    chess::san::null_len,
    counted,
    ends::{self, EndMoves},
    plain,
    residue::Residue,
    signature::{Signature, element_of_ply},
    weighted,
};

/// A game as an integer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Encoded {
    /// The integer.
    pub integer: Integer,
    /// The number of plies.
    pub plies: usize,
    /// How the game ended, if the notation has end moves.
    pub ending: Option<EndMoves>,
    /// The signature; empty for rules that archives do not have.
    pub signature: Signature,
    /// The digits, if they were requested.
    pub steps: Vec<Step>,
}

/// What the integers of all games with the same first moves have in common.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PrefixResidue {
    /// The residue of the integers.
    pub residue: Integer,
    /// Its modulus.
    pub modulus: Integer,
    /// The least integer of such a game. Smaller integers with this residue are those of shorter
    /// games.
    pub least: Integer,
    /// The number of first moves, in plies.
    pub plies: usize,
}

/// Passes the integers of the games of a text to `show`, in order. The text is PGN, movetext alone,
/// or SGF.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) with the first word that is no legal move and its place, or
/// for an impossible starting position; those of `show`.
pub fn encode(
    text: &[u8],
    options: &Options,
    with_steps: bool,
    mut show: impl FnMut(Encoded) -> Result<()>,
) -> Result<()> {
    if is_collection(text) {
        options.check_go()?;
        let encode = |game: &sgf::game::Game| -> Result<Encoded> {
            // In Go no position ends the game.
            let encoded = number(
                &game.start,
                &game.moves,
                EndMoves::Stopped,
                options,
                with_steps,
                1,
            )?;
            Ok(Encoded {
                signature: game.signature,
                ..encoded
            })
        };
        return each_game_of_go(text, |game| show(encode(&game)?));
    }
    let encode = |sheet: &Sheet| match &sheet.opening {
        Opening::GameState(game) => encode_game(&**game, sheet, options, with_steps),
        Opening::Reference(game) => encode_game(&**game, sheet, options, with_steps),
    };
    each_game(text, options, encode, show)
}

/// For each game of a text, passes to `show` what the integers of all games have in common that
/// start with its moves.
///
/// # Errors
/// As [`encode`]; [`Usage`](crate::ErrorKind::Usage) for the weighted notation, which has no such
/// residue.
pub fn residue(
    text: &[u8],
    options: &Options,
    mut show: impl FnMut(PrefixResidue) -> Result<()>,
) -> Result<()> {
    if is_collection(text) {
        options.check_go()?;
        let line = |game: sgf::game::Game| line_of(&game.start, &game.moves, options);
        return each_game_of_go(text, |game| show(line(game)?));
    }
    let line = |sheet: &Sheet| match &sheet.opening {
        Opening::GameState(game) => line(&**game, sheet, options),
        Opening::Reference(game) => line(&**game, sheet, options),
    };
    each_game(text, options, line, show)
}

/// Passes the games of a collection of Go to `show`.
fn each_game_of_go(text: &[u8], mut show: impl FnMut(sgf::game::Game) -> Result<()>) -> Result<()> {
    let mut number = 0;
    sgf::game::each(text, |game| {
        number += 1;
        if game.moves.len() > MAX_PLIES {
            return Err(Error::usage(format!(
                "game {number}: a game has more than {MAX_PLIES} moves"
            )));
        }
        show(game)
    })
}

/// One game of a text, not yet replayed.
struct Sheet<'t> {
    opening: Opening,
    /// The number of the first move.
    first_number: u32,
    words: Vec<&'t [u8]>,
    /// Whether the result is a draw.
    drawn: bool,
}

/// Converts each game of a text by `make` and passes the result to `show`.
fn each_game<T>(
    text: &[u8],
    options: &Options,
    make: impl Fn(&Sheet) -> Result<T>,
    mut show: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut finder = RecordFinder::new(text);
    let mut tag_reader = TagReader::default();
    let mut tags = Vec::new();
    let mut game = 0;
    let mut at = 0;
    while at < text.len() {
        let tags_end = tag_reader.read(text, at, &mut tags).end;
        at = finder.record_end(at, tags_end);
        let value = |name: &[u8]| tags::find(text, &tags, name);
        let start = StartTags {
            fen: value(b"FEN"),
            variant: value(b"Variant"),
        };
        let drawn = value(b"Result") == Some(b"1/2-1/2");
        let mut words = Tokens::new(&text[tags_end..at]).peekable();
        if tags.is_empty() && words.peek().is_none() {
            continue;
        }
        // Movetext alone may hold several games, each with its result.
        loop {
            game += 1;
            let place = |error: Error| match game {
                1 if at == text.len() => error,
                _ => Error::new(error.kind(), format!("game {game}: {error}")),
            };
            let (opened, opening) = options.opening(start).map_err(place)?;
            let mut sheet = Sheet {
                opening,
                first_number: opened.fullmoves().get(),
                words: Vec::new(),
                drawn,
            };
            for word in words.by_ref() {
                match word {
                    Token::Move(word) => sheet.words.push(word),
                    Token::Result(result) => {
                        sheet.drawn = result == b"1/2-1/2";
                        break;
                    }
                }
            }
            show(make(&sheet).map_err(place)?)?;
            if words.peek().is_none() {
                break;
            }
            if !tags.is_empty() {
                return Err(place(Error::usage("there are moves after the result")));
            }
        }
    }
    Ok(())
}

/// The moves of a game, and the position after them.
fn read<P: Player>(start: &P, sheet: &Sheet) -> Result<(Vec<P::Move>, P)> {
    if sheet.words.len() > MAX_PLIES {
        return Err(Error::usage(format!(
            "a game has more than {MAX_PLIES} plies"
        )));
    }
    let mut game = start.clone();
    let mut moves = Vec::with_capacity(sheet.words.len());
    let mut number = sheet.first_number;
    for (place, word) in sheet.words.iter().enumerate() {
        let white = game.white_to_move();
        let Some(played) = game.resolve(word) else {
            if null_len(word).is_some() {
                let word = shown(word);
                return Err(Error::usage(format!(
                    "{word} is a null move, which an integer cannot express"
                )));
            }
            let named = |number: u32, white: bool, word: &[u8]| {
                let dots = if white { "." } else { "..." };
                format!("{number}{dots} {}", shown(word))
            };
            let wrong = named(number, white, word);
            let message = match place.checked_sub(1) {
                None => format!("{wrong} is not a legal move at the start"),
                Some(before) => {
                    let number = number - u32::from(white);
                    let before = named(number, !white, sheet.words[before]);
                    format!("{wrong} is not a legal move after {before}")
                }
            };
            return Err(Error::usage(message).with_remedy(
                "moves are read in standard algebraic notation, from the first move on",
            ));
        };
        game.play(played);
        moves.push(played);
        if !white {
            number = number.saturating_add(1);
        }
    }
    Ok((moves, game))
}

/// A word for an error message: shortened, without control characters.
fn shown(word: &[u8]) -> String {
    const MAX: usize = 40;
    let word = String::from_utf8_lossy(word);
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let mut shown: String = word.chars().take(MAX).map(clean).collect();
    if word.chars().nth(MAX).is_some() {
        shown.push('…');
    }
    shown
}

fn encode_game<P: Player>(
    start: &P,
    sheet: &Sheet,
    options: &Options,
    with_steps: bool,
) -> Result<Encoded> {
    let (moves, end) = read(start, sheet)?;
    let ending = match (end.count(), sheet.drawn) {
        (0, _) => EndMoves::Position,
        (_, true) => EndMoves::DrawAgreed,
        (_, false) => EndMoves::Stopped,
    };
    number(
        start,
        &moves,
        ending,
        options,
        with_steps,
        sheet.first_number,
    )
}

/// The integer of the moves.
fn number<P: Player>(
    start: &P,
    moves: &[P::Move],
    ending: EndMoves,
    options: &Options,
    with_steps: bool,
    first_number: u32,
) -> Result<Encoded> {
    let game = start.clone();
    let integer = match options.notation {
        Notation::Plain => plain::encode(game, moves),
        Notation::Ends => ends::encode(game, moves, ending),
        Notation::Counted => counted::encode(game, moves),
        Notation::Weighted => {
            let mut scorer = Scorer::new(Style::builtin(options.style));
            weighted::encode(game, moves, ending, |game, weights| {
                game.weigh(&mut scorer, weights);
            })
        }
    };
    let ending = options.notation.has_ending().then_some(ending);
    let steps = if with_steps {
        let (notation, style) = (options.notation, options.style);
        steps(start, moves, ending, notation, style, first_number)
    } else {
        Vec::new()
    };
    Ok(Encoded {
        integer: integer.map_err(fault)?,
        plies: moves.len(),
        ending,
        signature: signature(start, moves),
        steps,
    })
}

/// The signature of the moves.
fn signature<P: Player>(start: &P, moves: &[P::Move]) -> Signature {
    let mut game = start.clone();
    let mut signature = Signature::default();
    for (ply, &played) in (1..).zip(moves) {
        if let Some(element) = element_of_ply(ply) {
            signature[element] = game.landing(played);
        }
        game.play(played);
    }
    signature
}

fn line<P: Player>(start: &P, sheet: &Sheet, options: &Options) -> Result<PrefixResidue> {
    let (moves, _) = read(start, sheet)?;
    line_of(start, &moves, options)
}

fn line_of<P: Player>(start: &P, moves: &[P::Move], options: &Options) -> Result<PrefixResidue> {
    let residue = match options.notation {
        Notation::Plain => Residue::plain(start.clone(), moves),
        Notation::Ends => Residue::with_ends(start.clone(), moves),
        Notation::Counted => Residue::counted(start.clone(), moves),
        Notation::Weighted => {
            return Err(Error::usage(
                "weighted integers of games with equal first moves have no common residue",
            ));
        }
    };
    let residue = residue.map_err(fault)?;
    Ok(PrefixResidue {
        residue: residue.residue(),
        modulus: residue.modulus().clone(),
        least: residue.least().clone(),
        plies: moves.len(),
    })
}
