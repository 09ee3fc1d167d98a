//! One game of an archive.

use std::{
    borrow::Cow,
    fmt,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering::Relaxed},
    },
    time::Duration,
};

use ign_format::{
    block::Kind as GameKind,
    columns::{Table, openings},
    container::{NotUnderstood, index::Source},
    error::{Error, Result},
    game_number::GameNumber,
    pgn::{
        start::Start,
        tags::{self, Tag, TagReader},
    },
};
use ign_notation::{
    chess::{Move, variant::is_chess960},
    signature::Signature,
};
use pgn_reader::Visitor;
use shakmaty::{Color, KnownOutcome, Outcome};
#[cfg(feature = "integers")]
use {
    ign_format::pgn::game_state::GameState,
    ign_notation::{Integer, plain},
};

use crate::{
    asked::GameData,
    loaded::Shared,
    moves::{Moves, Positions, san_of},
    movetext::{Eval, Line, Variation, read_line, reader_of},
    results,
    text::{after_odd_tags, decode_text, tag_text},
    uci::push_codes,
    values::GameResult,
};

/// One game of an archive.
///
/// A game is decoded on demand and part by part: asking for a tag decodes no moves, asking for the
/// moves decodes no comments. What was decoded is kept as long as the game lives. Games from
/// [`Archive::games`](crate::Archive::games) share the memory of their block.
///
/// Moves, positions and everything in the movetext are those of chess and its variants; a game of
/// Go has tags, a signature and its exact text.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let text = br#"[Event "Casual"]
/// # [White "Ann"]
/// # [Black "Ben"]
/// # [Result "0-1"]
/// #
/// # 1. f3 { [%clk 0:03:00] } e5 2. g4?? Qh4# { The quickest mate. } 0-1
/// # "#;
/// # let (bytes, _) = Packer::new().pack([Input::reader("mate.pgn", &text[..])], Vec::new())?;
/// # let archive = Archive::from_read_at(bytes, "mate.ign")?;
/// let game = archive.game(1)?;
/// assert_eq!(game.tag("White")?.as_deref(), Some("Ann"));
///
/// let moves: Vec<String> = game.moves()?.map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["f2-f3", "e7-e5", "g2-g4", "Qd8-h4"]);
/// assert_eq!(game.comments()?, [(1, "[%clk 0:03:00]".to_owned()), (4, "The quickest mate.".to_owned())]);
/// assert_eq!(game.clocks()?[0].unwrap().as_secs(), 180);
/// assert_eq!(game.pgn()?, text);
/// # Ok::<(), ign_archive::Error>(())
/// ```
pub struct Game {
    block: Shared,
    record: usize,
    number: GameNumber,
    text: OnceLock<Vec<u8>>,
    moves: OnceLock<Vec<Move>>,
    /// The tags as they are in the text, if one of them had to be read from there.
    text_tags: OnceLock<Vec<Tag>>,
    line: OnceLock<Line>,
    /// The parts that were asked for, as bits by their numbers.
    asked: AtomicU8,
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("number", &self.number)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

impl Game {
    pub(crate) fn new(block: Shared, record: usize, number: GameNumber) -> Self {
        Self {
            block,
            record,
            number,
            text: OnceLock::new(),
            moves: OnceLock::new(),
            text_tags: OnceLock::new(),
            line: OnceLock::new(),
            asked: AtomicU8::new(0),
        }
    }

    /// Counts the first request for a part. Call it after the part was decoded.
    fn report(&self, part: GameData) {
        let bit = 1 << part as u8;
        let is_new = |asked| asked & bit == 0;
        if is_new(self.asked.load(Relaxed)) && is_new(self.asked.fetch_or(bit, Relaxed)) {
            self.block.report(part);
        }
    }

    /// The tags of the block.
    fn table(&self) -> Result<&Table> {
        let table = self.block.tags()?;
        self.report(GameData::Tags);
        Ok(table)
    }

    /// The game's number in its archive.
    pub fn number(&self) -> GameNumber {
        self.number
    }

    /// The packed file that holds the game, or the part of it that an archive has after a split.
    /// The [name](Source::name) is empty if the text came from standard input.
    pub fn source(&self) -> &Source {
        self.block.source_of_game(self.number)
    }

    /// Whether this is a game of chess (or of a chess variant) or of Go.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn kind(&self) -> Result<GameKind> {
        self.block.with(|block| Ok(block.kind()))
    }

    /// The value of a tag as text, `None` if the game has no such tag.
    ///
    /// Bytes that are not UTF-8 are read as ISO 8859-1 (Latin-1), the encoding of the PGN standard.
    /// `\"` is a quotation mark and `\\` a backslash. The value borrows from the game where it is
    /// as it is written.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn tag(&self, name: &str) -> Result<Option<Cow<'_, str>>> {
        Ok(self.tag_bytes(name)?.map(tag_text))
    }

    /// The value of a tag as it is written, to the byte.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn tag_bytes(&self, name: &str) -> Result<Option<&[u8]>> {
        let table = self.table()?;
        match table.tag(name.as_bytes()) {
            None => Ok(None),
            Some(tag) => self.value(table, tag),
        }
    }

    /// All tags, name and value as [`tag`](Self::tag) returns it, in the order of the text.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn tags(&self) -> Result<impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)>> {
        let table = self.table()?;
        let mut tags = Vec::new();
        for &tag in self.block.records.tags(self.record) {
            if let Some(value) = self.value(table, tag)? {
                let name = &table.names[usize::from(tag)];
                tags.push((decode_text(name), tag_text(value)));
            }
        }
        Ok(tags.into_iter())
    }

    /// The value of a tag of the table: from its column, from the opening book, or, where it
    /// follows from all moves, from the text.
    fn value<'g>(&'g self, table: &'g Table, tag: u16) -> Result<Option<&'g [u8]>> {
        let has_tag = self.block.records.tags(self.record).contains(&tag);
        if !has_tag {
            return Ok(None);
        }
        if let Some(value) = table.value(tag, self.record) {
            return Ok(Some(value));
        }
        let name = &table.names[usize::from(tag)];
        if openings::TAGS
            .iter()
            .any(|opening| opening.as_bytes() == name)
        {
            let openings = self.block.openings()?;
            let value = openings
                .tag(name)
                .and_then(|tag| openings.value(tag, self.record));
            if let Some(value) = value {
                return Ok(Some(value));
            }
        }
        let text = self.pgn()?;
        let tags = self.text_tags.get_or_init(|| {
            let mut tags = Vec::new();
            TagReader::default().read(text, 0, &mut tags);
            tags
        });
        Ok(tags::find(text, tags, name))
    }

    /// The result, by the Result tag, or by the end of the movetext if the tag does not state how
    /// the game ended: [`Outcome::Unknown`] for `*`, `None` if neither states a result, or if both
    /// players lost.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn result(&self) -> Result<Option<Outcome>> {
        Ok(self.game_result()?.and_then(|result| {
            Some(Outcome::Known(match result {
                GameResult::WhiteWins => KnownOutcome::Decisive {
                    winner: Color::White,
                },
                GameResult::BlackWins => KnownOutcome::Decisive {
                    winner: Color::Black,
                },
                GameResult::Draw => KnownOutcome::Draw,
                GameResult::Unknown => return Some(Outcome::Unknown),
                GameResult::BothLose => return None,
            }))
        }))
    }

    /// The result as searches compare it.
    pub(crate) fn game_result(&self) -> Result<Option<GameResult>> {
        let tag = self.tag_bytes("Result")?;
        match self.kind()? {
            GameKind::Chess => results::of_game(tag, || self.pgn()),
            GameKind::Go => Ok(tag.and_then(GameResult::read)),
        }
    }

    /// Why the game is not, or only partly, understood: some moves or tags are stored as text only.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn not_understood(&self) -> Result<Option<NotUnderstood>> {
        Ok(self.block.not_understood()?[self.record])
    }

    /// The moves of the main line, as [`shakmaty::Move`]. For their text see [`san`](Self::san) and
    /// [`uci_codes`](Self::uci_codes). Empty if the game has none, or if its rules or its starting
    /// position are not known. Moves after an illegal move are text, not moves.
    ///
    /// Null moves (`--`) are moves of the game, but shakmaty's move cannot express them.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt); [`Unsupported`](crate::ErrorKind::Unsupported) if
    /// the moves were coded by a move model that this program does not have, or if there are null
    /// moves.
    pub fn moves(&self) -> Result<Moves<'_>> {
        let Some(start) = self.block.start(self.record)? else {
            return Ok(Moves::none());
        };
        let moves = self.own_moves()?;
        if moves.contains(&Move::NULL) {
            let message = "the game has null moves, which a move of shakmaty cannot express";
            return Err(Error::unsupported(message)
                .with_remedy("use san, uci_codes or positions, which have them"));
        }
        Ok(Moves::new(start, moves))
    }

    /// The moves of the main line as codes of [`uci_moves`](crate::scan::uci_moves), without replaying
    /// the game. As [`moves`](Self::moves) otherwise, but null moves have a code: that of `0000`.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn uci_codes(&self) -> Result<Vec<u16>> {
        let Some(start) = self.block.start(self.record)? else {
            return Ok(Vec::new());
        };
        let moves = self.own_moves()?;
        let mut codes = Vec::with_capacity(moves.len());
        let variant = self.block.variant(self.record)?;
        push_codes(start, variant.is_some_and(is_chess960), moves, &mut codes);
        Ok(codes)
    }

    /// The moves of the main line in standard algebraic notation, with the signs of check and mate:
    /// as the rules write them, not as the text does. A null move is `--`.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// # let text = b"1. f2f3 e5 2. g4?? Qd8h4 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// assert_eq!(archive.game(1)?.san()?, ["f3", "e5", "g4", "Qh4#"]);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn san(&self) -> Result<Vec<String>> {
        Ok(match self.block.start(self.record)? {
            Some(start) => san_of(start, self.own_moves()?),
            None => Vec::new(),
        })
    }

    /// The number of moves of the main line, in plies.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt); [`Unsupported`](crate::ErrorKind::Unsupported) if
    /// the moves were coded by a move model that this program does not have.
    pub fn plies(&self) -> Result<usize> {
        Ok(self.own_moves()?.len())
    }

    /// The positions of the main line: the starting position, then the position after each move.
    /// There are none if the game has no moves.
    ///
    /// # Errors
    /// As [`plies`](Self::plies); [`Unsupported`](crate::ErrorKind::Unsupported) if shakmaty does
    /// not accept the starting position.
    pub fn positions(&self) -> Result<Positions<'_>> {
        match self.block.start(self.record)? {
            Some(start) => Positions::new(start, self.own_moves()?),
            None => Ok(Positions::none()),
        }
    }

    /// Where the game starts, and its moves. `None` if it has no moves to replay.
    pub(crate) fn start_and_moves(&self) -> Result<(Option<&Start>, &[Move])> {
        Ok((self.block.start(self.record)?, self.own_moves()?))
    }

    /// The moves as the archive codes them.
    fn own_moves(&self) -> Result<&[Move]> {
        let moves = self.decoded_moves()?;
        self.report(GameData::Moves);
        Ok(moves)
    }

    fn decoded_moves(&self) -> Result<&[Move]> {
        if let Some(moves) = self.moves.get() {
            return Ok(moves);
        }
        if self.block.start(self.record)?.is_none() {
            return Ok(&[]);
        }
        if let Some(moves) = self.block.shared_moves(self.record)? {
            return Ok(moves);
        }
        let moves = self.block.single_moves(self.record)?;
        Ok(self.moves.get_or_init(|| moves))
    }

    /// The integer of the game in plain Integer Game Notation, whatever the coding of the archive.
    /// Games with equal moves from the same start have equal integers. 0 if there are no moves.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// # let text = "1. f3 e5 2. g4 Qh4# 0-1\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a", text.as_bytes())], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// assert_eq!(archive.game(1)?.ign()?.to_string(), "143395");
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`moves`](Self::moves): an integer cannot express null moves.
    #[cfg(feature = "integers")]
    pub fn ign(&self) -> Result<Integer> {
        let Some(start) = self.block.start(self.record)? else {
            return Ok(Integer::ZERO);
        };
        let moves = self.own_moves()?;
        if moves.contains(&Move::NULL) {
            let message = "the game has null moves, which an integer cannot express";
            return Err(Error::unsupported(message));
        }
        plain::encode(GameState::new(start), moves).map_err(|e| Error::internal(e.to_string()))
    }

    /// The destinations of plies 20, 31, 40, 51, 60 and 71: [`A and B`](crate::query::format_a) of
    /// document 002.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn signature(&self) -> Result<Signature> {
        let before = (0..self.record).filter(|&row| self.block.records.is_game(row));
        let place = before.count();
        Ok(self.block.signatures()?[place])
    }

    /// The exact text of the game: tags, movetext and the white space up to the next game.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn pgn(&self) -> Result<&[u8]> {
        let text = self.decoded_text()?;
        self.report(GameData::Text);
        Ok(text)
    }

    fn decoded_text(&self) -> Result<&[u8]> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        if let Some(text) = self.block.shared_text(self.record)? {
            return Ok(text);
        }
        let text = self.block.single_text(self.record)?;
        Ok(self.text.get_or_init(|| text))
    }

    /// The text of the game in standard PGN, as other programs read it: each tag once and on a line
    /// of its own, an empty line, and the moves in SAN, in whatever form or language they are
    /// written, with the comments, variations, glyphs and numbers between them. Braces within
    /// comments are parentheses. What follows the last move is as it is written.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// let text = b"[White \"Ann\"] [Black \"Ben\"]\n\n\n1.e2-e4 {best} e7-e5 2.Sg1-f3 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let standard = b"[White \"Ann\"]\n[Black \"Ben\"]\n\n1.e4 {best} e5 2.Nf3 *\n";
    /// assert_eq!(&archive.game(1)?.standard_pgn()?[..], standard);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// The text of a game of Go is as it is written.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn standard_pgn(&self) -> Result<Cow<'_, [u8]>> {
        let text = self.san_text()?;
        let is_chess = self.kind()? == GameKind::Chess;
        let Some(moves) = after_odd_tags(&text).filter(|_| is_chess) else {
            return Ok(text);
        };
        let table = self.table()?;
        let mut standard = Vec::with_capacity(text.len());
        let mut names = Vec::new();
        for &tag in self.block.records.tags(self.record) {
            let name = &table.names[usize::from(tag)];
            if let Some(value) = self.value(table, tag)?.filter(|_| !names.contains(&name)) {
                names.push(name);
                standard.extend([b"[", &name[..], b" \"", value, b"\"]\n"].concat());
            }
        }
        standard.push(b'\n');
        standard.extend_from_slice(moves);
        Ok(Cow::Owned(standard))
    }

    /// The text, with the moves of the main line in SAN, so that pgn-reader finds them.
    fn san_text(&self) -> Result<Cow<'_, [u8]>> {
        let pgn = self.pgn()?;
        let other = match self.kind()? {
            GameKind::Chess => self.block.san_text(self.record)?,
            GameKind::Go => None,
        };
        Ok(other.unwrap_or(Cow::Borrowed(pgn)))
    }

    /// Runs a [`pgn_reader::Visitor`] over [`standard_pgn`](Self::standard_pgn). `None` if it holds
    /// no game for `pgn-reader`.
    ///
    /// # Errors
    /// As [`plies`](Self::plies); [`Io`](crate::ErrorKind::Io) if `pgn-reader` rejects the text,
    /// because a tag or a comment is not closed.
    pub fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<Option<V::Output>> {
        Ok(reader_of(&self.standard_pgn()?).read_game(visitor)?)
    }

    /// The movetext: moves in SAN with their comments, glyphs and variations. The moves are those of
    /// the game, and after them those that are not legal. A comment that is not closed ends with the
    /// text.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn movetext(&self) -> Result<&Line> {
        if let Some(line) = self.line.get() {
            return Ok(line);
        }
        let line = match self.kind()? {
            GameKind::Chess => read_line(&self.san_text()?),
            GameKind::Go => Line::default(),
        };
        Ok(self.line.get_or_init(|| line))
    }

    /// The comments of the main line, without white space at their ends. The number is that of
    /// plies before the comment: 0 is before the first move.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn comments(&self) -> Result<Vec<(usize, String)>> {
        Ok(self.movetext()?.comments())
    }

    /// The time left on the clock after each ply of the main line, from comments such as
    /// `[%clk 0:02:59.9]`; `None` for a ply without one.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn clocks(&self) -> Result<Vec<Option<Duration>>> {
        Ok(self.movetext()?.clocks())
    }

    /// The time that each ply of the main line took, from comments such as `[%emt 0:00:05.2]`;
    /// `None` for a ply without one. Clocks alone give no times.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn move_times(&self) -> Result<Vec<Option<Duration>>> {
        Ok(self.movetext()?.move_times())
    }

    /// The evaluation after each ply of the main line, from comments such as `[%eval -0.31]` or
    /// `[%eval #3]`, from White's point of view; `None` for a ply without one.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn evals(&self) -> Result<Vec<Option<Eval>>> {
        Ok(self.movetext()?.evals())
    }

    /// The variations of the main line, in the order of the text.
    ///
    /// # Errors
    /// As [`plies`](Self::plies).
    pub fn variations(&self) -> Result<Vec<Variation<'_>>> {
        Ok(self.movetext()?.variations())
    }
}

/// Games can be used by several threads.
const _: fn() = || {
    fn check<T: Send + Sync>() {}
    check::<Game>();
};
