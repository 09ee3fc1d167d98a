//! The position that a request is about: a FEN, and moves played from there.

use std::num::NonZeroU32;

use ign_archive::{query::parse_position, tree::Opening};
use ign_notation::chess::{Legal, Move, Position, Start, rules::LegalMoves as _, san};
use shakmaty::{Role, Square};

use crate::{
    failure::{Failure, Result},
    parameters::Parameters,
};

/// The greatest number of moves of `play`.
const MAX_PLIES: usize = 2000;

/// Names of variants, with whether their games are counted.
const VARIANTS: [(&str, bool); 10] = [
    ("standard", true),
    ("chess960", true),
    ("fromPosition", true),
    ("antichess", false),
    ("atomic", false),
    ("crazyhouse", false),
    ("horde", false),
    ("kingOfTheHill", false),
    ("racingKings", false),
    ("threeCheck", false),
];

/// A position and the way to it.
#[derive(Debug, Clone)]
pub struct Root {
    /// The position, without an en passant square on which no capture is legal.
    pub position: Position,
    /// Whether `fen` or `play` chose it.
    is_given: bool,
    /// Plies since the last capture or pawn move, as far as they are known.
    pub halfmoves: u32,
    /// The number of the next move.
    pub fullmoves: u32,
    /// The last name of an opening on the way to the position.
    pub opening: Option<Opening>,
    /// The moves played from the FEN.
    pub line: Vec<Played>,
}

/// A move on the way to a position.
#[derive(Debug, Clone)]
pub struct Played {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The FEN after the move.
    pub fen: String,
    /// The name of the position after the move.
    pub opening: Option<Opening>,
}

impl Root {
    /// Takes `variant`, `fen` and `play`.
    ///
    /// # Errors
    /// One of them is invalid; the variant is not counted.
    pub fn take(parameters: &mut Parameters) -> Result<Self> {
        let is_given = parameters.has("fen") || parameters.has("play");
        if let Some(variant) = parameters.take("variant")? {
            check_variant(&variant)?;
        }
        let fen = parameters.take("fen")?;
        let mut root = Self::of_fen(fen.as_deref().unwrap_or_default())?;
        root.is_given = is_given;
        let play = parameters.take("play")?.unwrap_or_default();
        for (number, uci) in play.split(',').filter(|uci| !uci.is_empty()).enumerate() {
            if number == MAX_PLIES {
                let message = format!("play: there are more than {MAX_PLIES} moves");
                return Err(Failure::parameter("play", message));
            }
            root.play(uci)?;
        }
        Ok(root)
    }

    /// The position, if `fen` or `play` chose it.
    pub fn given(&self) -> Option<Position> {
        self.is_given.then_some(self.position)
    }

    /// The position of a FEN; the standard starting position if it is empty.
    fn of_fen(fen: &str) -> Result<Self> {
        let fields: Vec<&str> = fen.split([' ', '_']).filter(|f| !f.is_empty()).collect();
        let (position, fullmoves) = if fields.is_empty() {
            (Position::default(), NonZeroU32::MIN)
        } else {
            let fen = fields.join(" ");
            let wrong = |e: ign_archive::Error| Failure::from(e).of("fen");
            let position = parse_position(&fen).map_err(wrong)?;
            let start = Start::from_fen(fen.as_bytes());
            (
                position,
                start.map_or(NonZeroU32::MIN, |start| start.fullmoves),
            )
        };
        Ok(Self {
            position,
            is_given: false,
            halfmoves: fields.get(4).and_then(|n| n.parse().ok()).unwrap_or(0),
            fullmoves: fullmoves.get(),
            opening: Opening::of(&position),
            line: Vec::new(),
        })
    }

    fn play(&mut self, uci: &str) -> Result<()> {
        let legal = Legal::new(&self.position);
        let played = read_uci(&legal, uci).ok_or_else(|| {
            let uci: String = uci.chars().take(10).collect();
            let place = match self.line.last() {
                None => String::new(),
                Some(last) => format!(" after {}", last.san),
            };
            let message =
                format!("play: '{uci}' is not a legal move{place}; write e2e4,e7e8q,e1g1");
            Failure::parameter("play", message)
        })?;
        let is_pawn = self.position.role_at(played.from()) == Some(Role::Pawn);
        let (turn, before) = (self.position.turn(), self.position.occupied().count());
        let mut san = String::from_utf8_lossy(san::write(&legal, played).as_bytes()).into_owned();
        self.position.play(played);
        let after = Legal::new(&self.position);
        san.extend(after.sign().map(char::from));
        if after.passing().is_none() {
            self.position = self.position.without_en_passant();
        }
        let is_capture = self.position.occupied().count() < before;
        self.halfmoves = if is_pawn || is_capture {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        let moves = u32::from(turn.is_black());
        self.fullmoves = self.fullmoves.saturating_add(moves);
        let opening = Opening::of(&self.position);
        self.opening = opening.or(self.opening);
        let played = Played {
            uci: uci.to_owned(),
            san,
            fen: self.fen(),
            opening,
        };
        self.line.push(played);
        Ok(())
    }

    /// The FEN of the position, with both counters.
    pub fn fen(&self) -> String {
        let fields = self.position.fen_fields();
        format!(
            "{} {} {}",
            String::from_utf8_lossy(&fields),
            self.halfmoves,
            self.fullmoves
        )
    }
}

fn check_variant(variant: &str) -> Result<()> {
    let known = VARIANTS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(variant));
    let message = match known {
        Some((_, true)) => return Ok(()),
        Some((name, false)) => {
            format!("variant: games of {name} are not counted, only those of chess and Chess960")
        }
        None => {
            let names: Vec<&str> = VARIANTS.iter().map(|&(name, _)| name).collect();
            format!("variant: write one of {}", names.join(", "))
        }
    };
    Err(Failure::parameter("variant", message))
}

/// The legal move of this text in UCI notation, or the null move, `0000`, if it is possible.
/// Castling is the king's move to its destination, or to the square of the rook.
fn read_uci(legal: &Legal, uci: &str) -> Option<Move> {
    if uci == "0000" {
        return legal.may_pass().then_some(Move::NULL);
    }
    let squares = Move::of_squares(uci.as_bytes().get(..4)?)?;
    let promotion = match uci.as_bytes().get(4..)? {
        [] => None,
        [letter] => Some(Role::from_char(char::from(*letter))?),
        _ => return None,
    };
    let (from, to) = (squares.from(), squares.to());
    let is_piece = |role| role != Role::Pawn;
    let played = promotion
        .is_none_or(is_piece)
        .then(|| Move::new(from, to, promotion))?;
    if legal.contains(played) {
        return Some(played);
    }
    let position = legal.position();
    let king = position.king(position.turn());
    let is_castling = promotion.is_none() && from == king && position.castling_rooks().contains(to);
    let file = if to > from { 6 } else { 2 };
    let landing = Square::new(u32::from(from.rank()) * 8 + file);
    let castling = Move::new(from, landing, None);
    (is_castling && legal.contains(castling)).then_some(castling)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(query: &str) -> Result<Root> {
        Root::take(&mut Parameters::read(Some(query))?)
    }

    #[test]
    fn castling_is_accepted_in_both_forms() {
        for (castling, after) in [
            ("e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
            ("e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
            ("e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"),
            ("e1a1,e8h8", "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"),
        ] {
            let root = root(&format!(
                "fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq&play={castling}"
            ));
            assert_eq!(root.unwrap().fen(), after, "{castling}");
        }
        let root = root("fen=5k2/8/8/8/8/8/8/1RK4R w BH - 0 1&play=c1b1&variant=chess960");
        assert_eq!(root.unwrap().fen(), "5k2/8/8/8/8/8/8/2KR3R b - - 1 1");
    }

    #[test]
    fn names_and_counters_follow_the_line() {
        let root = root("play=e2e4,c7c5,g1f3,a7a6,a2a3").unwrap();
        assert_eq!(
            root.opening.unwrap().name,
            "Sicilian Defense: O'Kelly Variation"
        );
        assert!(root.fen().ends_with(" b KQkq - 0 3"), "{}", root.fen());
        assert_eq!(root.line[2].san, "Nf3");
        assert!(root.line[2].fen.ends_with(" b KQkq - 1 2"));
        // No capture is possible on e3.
        assert!(root.line[0].fen.ends_with(" b KQkq - 0 1"));
    }

    #[test]
    fn rejects_what_is_no_position_and_no_legal_move() {
        for (query, parameter) in [
            ("fen=x", "fen"),
            ("fen=8/8/8/8/8/8/8/8", "fen"),
            ("fen=%00", "fen"),
            ("play=e2e5", "play"),
            ("play=e2e4,e2e4", "play"),
            ("play=e2", "play"),
            ("play=e2e4q", "play"),
            ("play=e2e4%C3%A9", "play"),
            ("play=P@e4", "play"),
            ("play=e1g1", "play"),
            ("fen=4k3/P7/8/8/8/8/8/4K3_w_-_-&play=a7a8", "play"),
            ("fen=4k3/P7/8/8/8/8/8/4K3_w_-_-&play=a7a8p", "play"),
            ("fen=4k3/P7/8/8/8/8/8/4K3_w_-_-&play=a7a8k", "play"),
            ("variant=atomic", "variant"),
            ("variant=x", "variant"),
        ] {
            let failure = root(query).unwrap_err();
            assert_eq!(failure.clone().of(parameter), failure, "{query}");
        }
        assert!(root("fen=4k3/P7/8/8/8/8/8/4K3_w_-_-&play=a7a8n").is_ok());
    }
}
