//! Moves of a list, replayed from a starting position. Each move is read in SAN or UCI notation and
//! checked.

use std::fmt::Write as _;

use ign_archive::{
    Error, Result,
    shakmaty::{CastlingMode, EnPassantMode, Position as _, fen::Fen},
};
use ign_format::pgn::start::{self, Start};
use ign_notation::chess::{
    Move,
    rules::{Board as _, LegalMoves},
    san::{Language, Naming, null_len, read_loose},
    variant::{Variant, is_chess960},
};

/// A game as far as its moves were played.
pub(super) struct Replay {
    start: Start,
    /// Plies since the last capture or pawn move.
    halfmoves: u32,
    ply: usize,
    /// How castling is written in UCI notation.
    castling: CastlingMode,
}

impl Replay {
    /// The start of a game with these tags.
    ///
    /// # Errors
    /// Usage if the rules are not known or do not allow the position.
    pub fn new(fen: Option<&str>, variant: Option<&str>) -> Result<Self> {
        let start = start::of_tags(fen.map(str::as_bytes), variant.map(str::as_bytes));
        let start = start.ok_or_else(|| {
            let fen = shown(fen.unwrap_or_default().as_bytes());
            let variant = shown(variant.unwrap_or("chess").as_bytes());
            Error::usage(format!("'{fen}' is not a starting position of {variant}"))
        })?;
        // A FEN names the files of rooks that do not castle as in standard chess.
        let fields = start.board().fen_fields();
        let rights = fields.split(|&c| c == b' ').nth(2).unwrap_or_default();
        let is_standard = rights.iter().all(|right| b"KQkq-".contains(right))
            && !variant.is_some_and(|variant| is_chess960(variant.as_bytes()));
        Ok(Self {
            halfmoves: start.halfmoves(),
            ply: 0,
            castling: CastlingMode::from_chess960(!is_standard),
            start,
        })
    }

    /// Plays the move that a word denotes, and returns it.
    ///
    /// # Errors
    /// Usage, with the ply and the word, if it denotes no legal move or several.
    pub fn play(&mut self, word: &[u8]) -> Result<Move> {
        let played = match &self.start {
            Start::Chess(start) => resolve(&start.position.legal(), word),
            Start::Variant(start) => resolve(&start.board.legal(), word),
        };
        self.ply += 1;
        let played = played.ok_or_else(|| {
            let (ply, word) = (self.ply, shown(word));
            Error::usage(format!("ply {ply}: '{word}' is not a legal move"))
        })?;
        let restarts = !played.is_null() && played.to_shakmaty(&self.start.board()).is_zeroing();
        self.halfmoves = if restarts {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        self.start.play(played);
        Ok(played)
    }

    /// Plays the move that a word denotes, and appends it in standard algebraic notation.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_san(&mut self, word: &[u8], out: &mut String) -> Result<()> {
        let before = self.start.clone();
        let played = self.play(word)?;
        let name = with_legal(&before, |legal| legal.write_with(Naming::Standard, played));
        out.push_str(&String::from_utf8_lossy(name.as_bytes()));
        out.extend(with_legal(&self.start, |legal| legal.sign()).map(char::from));
        Ok(())
    }

    /// Plays the move that a word denotes, and appends it in UCI notation, as the column `moves`
    /// has it.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_uci(&mut self, word: &[u8], out: &mut String) -> Result<()> {
        let before = self.start.clone();
        let played = self.play(word)?;
        if played.is_null() {
            out.push_str("0000");
        } else {
            let played = played.to_shakmaty(&before.board());
            _ = write!(out, "{}", played.to_uci(self.castling));
        }
        Ok(())
    }

    /// Appends the position as FEN, as the column `fen` of positions has it.
    ///
    /// # Errors
    /// Unsupported if the position of a variant has no FEN.
    pub fn append_fen(&self, out: &mut String) -> Result<()> {
        let fullmoves = self.start.fullmoves();
        if let Start::Variant(start) = &self.start
            && start.board.variant() != Variant::Chess
        {
            let unsupported = || Error::unsupported("the position of the variant has no FEN");
            let position = start.board.to_shakmaty().ok_or_else(unsupported)?;
            let mut setup = position.to_setup(EnPassantMode::PseudoLegal);
            (setup.halfmoves, setup.fullmoves) = (self.halfmoves, fullmoves);
            let fen = Fen::try_from_setup(setup).map_err(|_| unsupported())?;
            fen.append_to_string(out);
            return Ok(());
        }
        out.push_str(&String::from_utf8_lossy(&self.start.board().fen_fields()));
        _ = write!(out, " {} {fullmoves}", self.halfmoves);
        Ok(())
    }
}

fn with_legal<T>(start: &Start, visit: impl FnOnce(&dyn LegalMoves) -> T) -> T {
    match start {
        Start::Chess(start) => visit(&start.position.legal()),
        Start::Variant(start) => visit(&start.board.legal()),
    }
}

/// The legal move that a word denotes, or the null move; `None` if it denotes none or several.
fn resolve(legal: &impl LegalMoves, word: &[u8]) -> Option<Move> {
    if word == b"0000" || null_len(word) == Some(word.len()) {
        return legal.may_pass().then_some(Move::NULL);
    }
    legal.resolve(word).or_else(|| {
        let loose = read_loose(legal, word, Language::English)?;
        (loose.len == word.len()).then_some(loose.played)
    })
}

/// A word for an error message: shortened, without control characters.
pub(super) fn shown(word: &[u8]) -> String {
    const MAX: usize = 100;
    let word = String::from_utf8_lossy(&word[..word.len().min(4 * MAX)]);
    let clean = |c: char| if c.is_control() { '?' } else { c };
    word.chars().take(MAX).map(clean).collect()
}
