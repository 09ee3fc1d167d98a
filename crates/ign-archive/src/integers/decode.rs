//! From integers to games.

use super::{Notation, Opening, Options, Player, StartTags, Step, fault, go, steps::steps};
use ign_format::{
    container::{MAX_INTEGER_BITS, MAX_PLIES},
    error::{Error, Result},
    model::{Scorer, Style},
    sgf,
};
use ign_notation::{
    Integer,
    chess::variant::Variant,
    counted,
    ends::{self, EndMoves},
    plain, weighted,
};

/// The game of an integer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Decoded {
    /// The game as PGN: the tags that the starting position needs, the moves, the result as far as
    /// it is known. A game of Go is SGF.
    pub pgn: String,
    /// The number of plies.
    pub plies: usize,
    /// How the game ended, if the notation has end moves.
    pub ending: Option<EndMoves>,
    /// The digits.
    pub steps: Vec<Step>,
}

/// The game of an integer. `plies` is its number of plies; only [`Notation::Counted`] needs it.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) if the integer is not that of a game.
pub fn decode(integer: &Integer, plies: Option<usize>, options: &Options) -> Result<Decoded> {
    if u64::from(integer.significant_bits()) > MAX_INTEGER_BITS {
        return Err(Error::usage(format!(
            "the integer has {} bits, more than any game of {MAX_PLIES} plies",
            integer.significant_bits()
        )));
    }
    if (options.notation == Notation::Counted) != plies.is_some() {
        return Err(Error::usage(
            "the number of plies is needed for the coding counted, and only there",
        )
        .with_remedy("give plies with counted, and with no other coding"));
    }
    if plies.is_some_and(|plies| plies > MAX_PLIES) {
        return Err(Error::usage(format!(
            "a game has at most {MAX_PLIES} plies"
        )));
    }
    if let Some(head) = &options.go {
        options.check_go()?;
        let start = go::start(head)?;
        let (moves, decoded) = decode_game(&start, integer, plies, options, 1)?;
        return Ok(Decoded {
            pgn: sgf::game::write(&start, &moves).trim_end().into(),
            ..decoded
        });
    }
    let (start, opening) = options.opening(StartTags::default())?;
    let first = start.fullmoves().get();
    let mut decoded = match &opening {
        Opening::GameState(game) => decode_game(&**game, integer, plies, options, first)?.1,
        Opening::Reference(game) => decode_game(&**game, integer, plies, options, first)?.1,
    };
    let tag = |name, value: &str| format!("[{name} \"{value}\"]\n");
    let mut tags = String::new();
    if let Some(variant) = options.variant.filter(|&v| v != Variant::Chess) {
        tags += &tag("Variant", variant.name());
    }
    if let Some(fen) = &options.fen {
        tags += &tag("SetUp", "1");
        tags += &tag("FEN", fen);
    }
    if !tags.is_empty() {
        tags.push('\n');
    }
    decoded.pgn.insert_str(0, &tags);
    Ok(decoded)
}

fn decode_game<P: Player>(
    start: &P,
    integer: &Integer,
    plies: Option<usize>,
    options: &Options,
    first_number: u32,
) -> Result<(Vec<P::Move>, Decoded)> {
    let game = start.clone();
    let notation = options.notation;
    let (moves, ending) = match notation {
        Notation::Plain => plain::decode(game, integer, MAX_PLIES).map(|moves| (moves, None)),
        Notation::Counted => {
            let plies = plies.unwrap_or_default();
            counted::decode(game, integer, plies).map(|moves| (moves, None))
        }
        Notation::Ends => {
            ends::decode(game, integer, MAX_PLIES).map(|(moves, ending)| (moves, Some(ending)))
        }
        Notation::Weighted => {
            let mut scorer = Scorer::new(Style::builtin(options.style));
            let weigh = |game: &P, weights: &mut Vec<u32>| game.weigh(&mut scorer, weights);
            weighted::decode(game, integer, MAX_PLIES, weigh)
                .map(|(moves, ending)| (moves, Some(ending)))
        }
    }
    .map_err(fault)?;
    let steps = steps(start, &moves, ending, notation, options.style, first_number);
    let mut pgn = String::new();
    for (place, step) in steps[..moves.len()].iter().enumerate() {
        if place == 0 || !step.number.ends_with("...") {
            pgn += &format!("{} ", step.number);
        }
        pgn += &format!("{} ", step.name);
    }
    let mut end = start.clone();
    moves.iter().for_each(|&played| end.play(played));
    pgn += match ending {
        Some(EndMoves::DrawAgreed) => "1/2-1/2",
        _ => end.result().unwrap_or("*"),
    };
    let decoded = Decoded {
        pgn,
        plies: moves.len(),
        ending,
        steps,
    };
    Ok((moves, decoded))
}
