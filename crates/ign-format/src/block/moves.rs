//! The moves column: the moves of a block's games, whatever their coding.
//!
//! This is where a move coding plugs in. In the codings that make one integer of a game, the
//! column is integers behind their Elias-gamma lengths: [`write_game`] turns the digits of a
//! game (ordinal and number of legal moves, ply by ply) into its integer, and `Integers` takes
//! them one by one. Weighted games stand in [`groups`](super::groups). [`MovesColumn`] is both
//! for those who read, and [`GameMoves`] tells the next move while a game is played.

use std::thread;

use crate::block::{
    Coding,
    ahead::{Ahead, Decoded, DecodedNames},
    groups::{GROUP, Groups},
    signatures::Signed,
    starts::Starts,
};
use crate::{
    container::{MAX_INTEGER_BITS, MAX_PLIES},
    error::{Error, Result},
    pgn::{
        movetext::Movetext,
        render::{Moves, Names},
        start::Start,
        variations::choices,
    },
};
use ign_entropy::{BitReader, BitWriter, frequencies::IntervalLog, prefixed};
use ign_notation::{
    chess::{
        Move, Position,
        rules::{Board, LegalMoves},
        san::{Naming, San},
    },
    radix,
};

/// Of so many games that are checked while packing one is played.
const PLAYED: usize = 8;

/// Bits of a game in the column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameBits {
    /// Bits of the integer itself, its leading one included.
    pub integer: u64,
    /// Bits that tell its length.
    pub prefix: u64,
}

impl GameBits {
    /// Of an integer of so many bits: gamma(L + 1), then L - 1 bits (spec §4.2.2).
    pub fn of(integer: u64) -> Self {
        let gamma = u64::from(ign_entropy::gamma::len(integer + 1));
        // The leading one is not written again: it is the prefix's to pay for.
        Self {
            integer,
            prefix: gamma - u64::from(integer > 0),
        }
    }
}

/// Appends a game's integer; weighted games have none.
pub fn write_game(
    writer: &mut BitWriter,
    encoder: &mut radix::Encoder,
    coding: Coding,
    game: &Movetext,
) {
    encoder.clear();
    match coding {
        Coding::Weighted => return,
        Coding::Ign => {
            for &(ordinal, count) in &game.digits {
                encoder.push(ordinal + 1, count);
            }
        }
        Coding::IgnEnd => {
            for &(ordinal, count) in &game.digits {
                encoder.push(ordinal, count + 1);
            }
            // No end where the position itself ends the game, two for a draw agreed.
            let ends = if game.choices == 0 {
                0
            } else {
                1 + usize::from(game.drawn)
            };
            for _ in 0..ends {
                encoder.push(game.choices, game.choices + 1);
            }
        }
    }
    prefixed::write_integer(writer, encoder.finish());
}

/// The integers of a block, taken game by game.
struct Integers<'a> {
    reader: BitReader<'a>,
    limbs: Vec<u64>,
    decoder: radix::Decoder,
    coding: Coding,
    /// How the moves of games that are decoded ahead are named; none are where none is told.
    looks_ahead: Option<Naming>,
    ahead: Ahead,
}

impl<'a> Integers<'a> {
    fn new(column: &'a [u8], coding: Coding) -> Self {
        Self {
            reader: BitReader::new(column),
            limbs: Vec::new(),
            decoder: radix::Decoder::default(),
            coding,
            looks_ahead: None,
            ahead: Ahead::default(),
        }
    }

    /// Passes over the next game.
    ///
    /// # Errors
    /// Corrupt when there is none.
    fn skip(&mut self) -> Result<()> {
        if self.ahead.pass() {
            return Ok(());
        }
        prefixed::skip_integer(&mut self.reader, MAX_INTEGER_BITS).map_err(cut_off)
    }

    /// Takes the next game's integer into the limbs.
    ///
    /// # Errors
    /// Corrupt when there is none.
    fn take(&mut self) -> Result<()> {
        prefixed::read_integer(&mut self.reader, &mut self.limbs, MAX_INTEGER_BITS).map_err(cut_off)
    }

    /// The next game, to be played, which is that of this record.
    ///
    /// # Errors
    /// Corrupt when there is none.
    fn next_game(&mut self, starts: &Starts, record: usize) -> Result<GameMoves<'_>> {
        if let Some(naming) = self.looks_ahead
            && self
                .ahead
                .has_next(&mut self.reader, starts, record, naming)?
        {
            return Ok(GameMoves::of(Source::Decoded(self.ahead.next())));
        }
        self.take()?;
        let mut moves = GameMoves::of(Source::Integer {
            limbs: &self.limbs,
            decoder: &mut self.decoder,
            coding: self.coding,
        });
        moves.rewind();
        Ok(moves)
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    fn finish(self) -> Result<()> {
        self.reader.finish().map_err(cut_off)
    }
}

/// The moves of a block's records, taken record by record.
pub struct MovesColumn<'a> {
    starts: &'a Starts,
    /// The next record.
    record: usize,
    games: Games<'a>,
}

enum Games<'a> {
    Integers(Integers<'a>),
    Groups {
        groups: Box<Groups<'a>>,
        /// Games of the groups that lie before the next record.
        before: usize,
    },
}

impl<'a> MovesColumn<'a> {
    /// A column of this coding whose records start there and have at most `plies` moves together.
    /// `signatures` are those of the games to play, of weighted games, which leave to them what
    /// they say.
    ///
    /// # Errors
    /// Unsupported when the moves were coded by another move model; corrupt.
    pub fn new(
        column: &'a [u8],
        coding: Coding,
        starts: &'a Starts,
        signatures: Signed<'a>,
        plies: u64,
    ) -> Result<Self> {
        let games = match coding {
            Coding::Ign | Coding::IgnEnd => Games::Integers(Integers::new(column, coding)),
            Coding::Weighted => Games::Groups {
                groups: Box::new(Groups::new(column, starts, signatures, plies)?),
                before: 0,
            },
        };
        Ok(Self {
            starts,
            record: 0,
            games,
        })
    }

    /// Lets games be decoded ahead, which is quicker where all will be asked for, and their moves
    /// be named in this way, which is quicker where they will be.
    pub fn look_ahead(&mut self, naming: Naming) {
        if let Games::Integers(integers) = &mut self.games
            && integers.coding == Coding::Ign
        {
            integers.looks_ahead = Some(naming);
        }
    }

    /// Has the games of these records, which ascend, decoded by a thread of its own if that takes
    /// long: they are those that will be asked for. The thread does something else then.
    pub fn prefetch(
        &mut self,
        records: impl Iterator<Item = usize>,
        then: impl FnOnce() + Send + 'static,
    ) {
        match &mut self.games {
            Games::Groups { groups, .. } => {
                let games = records.filter_map(|record| self.starts.number(record));
                groups.prefetch(games, then);
            }
            // Where no thread can be had, it is done when it is asked for.
            Games::Integers(_) => drop(thread::Builder::new().spawn(then)),
        }
    }

    /// Passes over a record.
    ///
    /// # Errors
    /// Corrupt when it has moves, but there are none.
    pub fn skip(&mut self) -> Result<()> {
        let record = self.pass();
        match &mut self.games {
            Games::Integers(integers) if self.starts.is_played(record) => integers.skip(),
            _ => Ok(()),
        }
    }

    /// The number of the next record, which is counted as passed.
    #[inline]
    fn pass(&mut self) -> usize {
        let record = self.record;
        self.record += 1;
        if let Games::Groups { before, .. } = &mut self.games {
            *before += usize::from(self.starts.is_played(record));
        }
        record
    }

    /// The next record's game, to be played; one without moves where it has no start, or none.
    ///
    /// # Errors
    /// Corrupt.
    #[inline]
    pub fn next_game(&mut self) -> Result<GameMoves<'_>> {
        let record = self.pass();
        match &mut self.games {
            Games::Integers(integers) if self.starts.is_played(record) => {
                integers.next_game(self.starts, record)
            }
            Games::Groups { groups, before } if self.starts.is_played(record) => {
                Ok(GameMoves::of_list(groups.game(*before - 1)?))
            }
            _ => Ok(GameMoves::of_list(&[])),
        }
    }

    /// The names of the next record's game, which has a start and is the known one of this number:
    /// see [`Known`].
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn next_known_game<'k>(
        &'k mut self,
        known: &'k Known,
        game: usize,
    ) -> Result<KnownNames<'k>> {
        if let Games::Groups { groups, before } = &self.games
            && before.is_multiple_of(GROUP)
            && self.starts.is_played(self.record)
        {
            groups.check(before / GROUP, &known.portions)?;
        }
        let record = self.pass();
        let moves = known.game(game);
        let moves = moves.ok_or_else(more_games)?;
        let decoder = match &mut self.games {
            Games::Integers(integers) if self.starts.is_played(record) => {
                integers.take()?;
                integers.decoder.load(&integers.limbs);
                Some(&mut integers.decoder)
            }
            _ => None,
        };
        Ok(KnownNames {
            decoder,
            moves: moves.iter(),
            end: known.positions.get(game).and_then(Option::as_ref),
        })
    }

    /// Whether the next record's game, which is the known one of this number, is one of those that
    /// are played all the same: one in `PLAYED`, or all of one group in so many.
    pub fn is_to_be_played(&self, game: usize) -> bool {
        match self.games {
            Games::Integers(_) => game.is_multiple_of(PLAYED),
            Games::Groups { before, .. } => (before / GROUP).is_multiple_of(PLAYED),
        }
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(self) -> Result<()> {
        match self.games {
            Games::Integers(integers) => integers.finish(),
            // Their lengths have been found to fill the column.
            Games::Groups { .. } => Ok(()),
        }
    }
}

fn more_games() -> Error {
    Error::corrupt("a block has more games than its text")
}

pub(super) fn cut_off(error: impl std::fmt::Display) -> Error {
    Error::corrupt(format!("the moves column is malformed: {error}"))
}

/// What packing found out about the moves of a block, for checking it.
///
/// While the text was parsed every move was numbered among so many, and its name and sign were
/// compared with those that the board demands. So the integers of a block written with plain
/// digits ([`Coding::Ign`]) are proven by taking them apart by these numbers: if the digits are
/// the same, a reader who counts the same moves gets the same names. The streams of weighted games
/// are proven by the frequencies that the choices had.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// What each choice had of the frequencies, in weighted games.
    portions: IntervalLog,
    moves: Vec<KnownMove>,
    /// Where the moves of each game end in `moves`.
    ends: Vec<usize>,
    /// The position behind the moves of each game, where the rules are those of chess.
    positions: Vec<Option<Position>>,
    /// The moves of variations.
    pub lines: choices::KnownMoves,
}

#[derive(Debug, Clone, Copy)]
struct KnownMove {
    ordinal: u16,
    count: u16,
    name: San,
    played: Move,
}

impl Known {
    /// Whether moves in this coding can be checked so.
    pub fn checks(coding: Coding) -> bool {
        matches!(coding, Coding::Ign | Coding::Weighted)
    }

    /// What each choice had of the frequencies.
    pub fn portions(&mut self) -> &mut IntervalLog {
        &mut self.portions
    }

    /// The moves of the game of this number.
    fn game(&self, game: usize) -> Option<&[KnownMove]> {
        let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.moves[start..*self.ends.get(game)?])
    }

    /// The moves of the game of this number.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn moves(&self, game: usize) -> Result<Vec<Move>> {
        let moves = self.game(game).ok_or_else(more_games)?;
        Ok(moves.iter().map(|known| known.played).collect())
    }

    /// Adds the moves of a game.
    pub fn push(&mut self, game: &Movetext) {
        let moves = game.digits.iter().zip(&game.names).zip(&game.moves);
        self.moves.extend(
            moves.map(|((&(ordinal, count), &name), &played)| KnownMove {
                ordinal: ordinal as u16,
                count: count as u16,
                name,
                played,
            }),
        );
        self.ends.push(self.moves.len());
        self.positions.push(game.end);
    }
}

/// The names of a game's moves as packing knew them, each handed out only once the integer has
/// been found to hold its digit. A weighted game has none: its group was found to hold its moves; nor
/// has a game without moves.
pub struct KnownNames<'a> {
    decoder: Option<&'a mut radix::Decoder>,
    moves: std::slice::Iter<'a, KnownMove>,
    end: Option<&'a Position>,
}

impl Names for KnownNames<'_> {
    #[inline]
    fn next_name(&mut self) -> Result<Option<San>> {
        let differs = || Error::corrupt("a game's integer is not that of its moves");
        let known = self.moves.next();
        let Some(decoder) = &mut self.decoder else {
            return Ok(known.map(|known| known.name));
        };
        match known {
            None if decoder.is_zero() => Ok(None),
            Some(known)
                if decoder.take_one_based(u32::from(known.count))
                    == u32::from(known.ordinal) + 1 =>
            {
                Ok(Some(known.name))
            }
            _ => Err(differs()),
        }
    }

    fn position(&self) -> Option<&Position> {
        self.end
    }
}

/// The moves of one game, while it is played.
pub struct GameMoves<'a> {
    source: Source<'a>,
    plies: usize,
    ends: u32,
}

/// What the moves are taken from.
enum Source<'a> {
    Integer {
        limbs: &'a [u64],
        decoder: &'a mut radix::Decoder,
        coding: Coding,
    },
    List(&'a [Move]),
    Decoded(&'a Decoded),
}

impl<'a> GameMoves<'a> {
    /// Those of a list.
    pub fn of_list(moves: &'a [Move]) -> Self {
        Self::of(Source::List(moves))
    }

    fn of(source: Source<'a>) -> Self {
        Self {
            source,
            plies: 0,
            ends: 0,
        }
    }

    /// The names of the moves, where they are known.
    pub fn names(&self, naming: Naming) -> Option<DecodedNames<'a>> {
        match self.source {
            Source::Decoded(decoded) => decoded.names(naming),
            _ => None,
        }
    }

    /// The moves, where they need not be played to be known.
    pub fn list(&self) -> Option<&'a [Move]> {
        match self.source {
            Source::Integer { .. } => None,
            Source::List(moves) => Some(moves),
            Source::Decoded(decoded) => Some(&decoded.moves),
        }
    }

    /// Starts again with the first move.
    fn rewind(&mut self) {
        if let Source::Integer { limbs, decoder, .. } = &mut self.source {
            decoder.load(limbs);
        }
        self.plies = 0;
        self.ends = 0;
    }

    /// The integer that stands in the archive, in limbs, the lowest first; none where its coding
    /// has none.
    pub fn stored(&self) -> Option<&'a [u64]> {
        match self.source {
            Source::Integer { limbs, .. } => Some(limbs),
            Source::List(_) | Source::Decoded(_) => None,
        }
    }

    /// The plain Integer Game Notation of the game, in limbs, the lowest first: the one that is
    /// stored, or made by playing the game through. The moves then start again with the first.
    ///
    /// # Errors
    /// Corrupt when what is stored is no game.
    pub fn ign(&mut self, start: &Start) -> Result<Vec<u64>> {
        if let Source::Integer {
            limbs,
            coding: Coding::Ign,
            ..
        } = self.source
        {
            return Ok(limbs.to_vec());
        }
        let mut encoder = radix::Encoder::new();
        self.play(start, |legal, played| {
            let (ordinal, count) = legal.ordinal_and_count(played);
            encoder.push(ordinal + 1, count);
        })?;
        self.rewind();
        Ok(encoder.finish().to_vec())
    }

    /// Shows the first moves of the game, until `look` has seen enough. The moves then start again
    /// with the first.
    ///
    /// # Errors
    /// Corrupt when the integer is not that of a game.
    pub fn begin(&mut self, start: &Start, mut look: impl FnMut(Move) -> bool) -> Result<()> {
        if let Some(moves) = self.list() {
            moves.iter().all(|&played| look(played));
            return Ok(());
        }
        match start {
            Start::Chess(start) => self.begin_on(start.position, look)?,
            Start::Variant(start) => self.begin_on(start.board.clone(), look)?,
        }
        self.rewind();
        Ok(())
    }

    fn begin_on(
        &mut self,
        mut position: impl Board,
        mut look: impl FnMut(Move) -> bool,
    ) -> Result<()> {
        while let Some(played) = self.next_move(&position.legal())? {
            position.play(played);
            if !look(played) {
                break;
            }
        }
        Ok(())
    }

    /// How many end moves the game had, once it is over.
    pub fn ends(&self) -> u32 {
        self.ends
    }

    /// Plays the game from its start, telling the legal moves of each position and the one played;
    /// gives how many there are in the last.
    ///
    /// # Errors
    /// Corrupt when the integer is not that of a game.
    pub fn play(
        &mut self,
        start: &Start,
        mut visit: impl FnMut(&dyn LegalMoves, Move),
    ) -> Result<u32> {
        self.play_through(start, |legal, played| {
            if let Some(played) = played {
                visit(legal, played);
            }
        })
    }

    /// [`play`](Self::play), but the last position is shown too, in which no move is played.
    ///
    /// # Errors
    /// As `play`.
    pub fn play_through(
        &mut self,
        start: &Start,
        mut visit: impl FnMut(&dyn LegalMoves, Option<Move>),
    ) -> Result<u32> {
        match start {
            Start::Chess(start) => self.play_on(start.position, |legal, m| visit(legal, m)),
            Start::Variant(start) => self.play_on(start.board.clone(), |legal, m| visit(legal, m)),
        }
    }

    #[inline]
    fn play_on<B: Board>(
        &mut self,
        mut position: B,
        mut visit: impl FnMut(&B::Legal, Option<Move>),
    ) -> Result<u32> {
        loop {
            let legal = position.legal();
            let played = self.next_move(&legal)?;
            visit(&legal, played);
            let Some(played) = played else {
                return Ok(legal.count());
            };
            position.play(played);
        }
    }
}

impl Moves for GameMoves<'_> {
    #[inline]
    fn next_move(&mut self, legal: &impl LegalMoves) -> Result<Option<Move>> {
        let ply = self.plies;
        self.plies += 1;
        let (decoder, coding) = match &mut self.source {
            Source::List(moves) => return Ok(moves.get(ply).copied()),
            Source::Decoded(decoded) => return Ok(decoded.moves.get(ply).copied()),
            Source::Integer {
                decoder, coding, ..
            } => (decoder, *coding),
        };
        check_plies(ply)?;
        if coding == Coding::Ign && decoder.is_zero() {
            return Ok(None);
        }
        let ends = &mut self.ends;
        legal.pick(|count| match (count, coding) {
            (0, Coding::IgnEnd) if decoder.is_zero() => Ok(None),
            (0, Coding::IgnEnd) => Err(no_move()),
            (_, Coding::IgnEnd) => {
                let digit = decoder.take(count + 1);
                if digit < count {
                    return Ok(Some(digit));
                }
                *ends = match (decoder.is_zero(), decoder.equals(count)) {
                    (true, _) => 1,
                    (_, true) => 2,
                    _ => return Err(no_move()),
                };
                Ok(None)
            }
            _ => take_ordinal(decoder, count),
        })
    }
}

/// The ordinal of the next move of a plain integer, one of `count`; none when nothing is left.
///
/// # Errors
/// Corrupt when something is left, but there is no move.
#[inline]
pub(super) fn take_ordinal(decoder: &mut radix::Decoder, count: u32) -> Result<Option<u32>> {
    match (decoder.is_zero(), count) {
        (true, _) => Ok(None),
        (false, 0) => Err(no_move()),
        (false, _) => Ok(Some(decoder.take_one_based(count) - 1)),
    }
}

/// Fails where there are more moves than a game may have.
///
/// # Errors
/// Corrupt.
#[inline]
pub(super) fn check_plies(plies: usize) -> Result<()> {
    if plies > MAX_PLIES {
        return Err(Error::corrupt("a game has too many moves"));
    }
    Ok(())
}

fn no_move() -> Error {
    Error::corrupt("a game's integer goes on where the game is over")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{
        layout::LayoutModel,
        movetext::{Context, Parser},
        render::Played,
        start::of_tags,
    };

    const GAMES: [&str; 3] = [
        "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nge7 4. O-O *\n\n",
        "\n*\n",
        "\n1. f3 e5 2. g4 Qh4# 0-1\n",
    ];

    /// What is known of the games, and their integers.
    fn known() -> (Known, Vec<u8>) {
        let mut known = Known::default();
        let mut column = Vec::new();
        let mut writer = BitWriter::new(&mut column);
        let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
        let start = Start::default();
        for text in GAMES {
            let context = Context {
                line_end: b"\n",
                start: Some(&start),
                result: None,
            };
            parser.parse(
                text.as_bytes(),
                context,
                &LayoutModel::default(),
                &mut movetext,
            );
            write_game(
                &mut writer,
                &mut radix::Encoder::new(),
                Coding::Ign,
                &movetext,
            );
            known.push(&movetext);
        }
        writer.finish();
        (known, column)
    }

    /// The names of all games, if their integers are those known.
    fn names(known: &Known, column: &[u8]) -> Result<Vec<Vec<String>>> {
        let mut starts = Starts::default();
        for _ in GAMES {
            starts.push(Some(&Start::default()), true);
        }
        let mut integers = MovesColumn::new(column, Coding::Ign, &starts, Signed::default(), 100)?;
        let mut all = Vec::new();
        for game in 0..GAMES.len() {
            let mut names = integers.next_known_game(known, game)?;
            let mut game = Vec::new();
            while let Some(name) = names.next_name()? {
                game.push(String::from_utf8_lossy(name.as_bytes()).into_owned());
            }
            all.push(game);
        }
        integers.finish()?;
        Ok(all)
    }

    #[test]
    fn known_games_are_named_as_they_were() {
        let (known, column) = known();
        let expected = [
            &["e4", "e5", "Nf3", "Nc6", "Bb5", "Nge7", "O-O"][..],
            &[],
            &["f3", "e5", "g4", "Qh4#"],
        ];
        assert_eq!(names(&known, &column).unwrap(), expected);
    }

    #[test]
    fn any_other_integer_of_a_known_game_is_found_out() {
        let (known, column) = known();
        for bit in 0..8 * column.len() {
            let mut bad = column.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(names(&known, &bad).is_err(), "bit {bit}");
        }
        for place in 0..known.moves.len() {
            let mut other = known.clone();
            other.moves[place].ordinal ^= 1;
            assert!(names(&other, &column).is_err(), "ordinal {place}");
            let mut other = known.clone();
            other.moves[place].count += 1;
            let last = known.ends.contains(&(place + 1));
            assert!(last || names(&other, &column).is_err(), "count {place}");
        }
    }

    #[test]
    fn games_decoded_ahead_are_what_they_are_one_by_one() {
        let crazyhouse = of_tags(None, Some(b"Crazyhouse")).unwrap();
        let usual = Start::default();
        let records: Vec<(Option<&Start>, &str)> = (0..150)
            .map(|i| match i % 50 {
                7 | 40 => (None, GAMES[1]),
                9 | 10 | 48 => (Some(&crazyhouse), "\n1. e4 d5 2. exd5 Qxd5 3. P@d4 *\n"),
                _ => (Some(&usual), GAMES[i % 3]),
            })
            .collect();
        let (mut column, mut starts) = (Vec::new(), Starts::default());
        let mut writer = BitWriter::new(&mut column);
        let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
        for &(start, text) in &records {
            starts.push(start, true);
            if start.is_some() {
                let context = Context {
                    line_end: b"\n",
                    start,
                    result: None,
                };
                let text = text.as_bytes();
                parser.parse(text, context, &LayoutModel::default(), &mut movetext);
                write_game(
                    &mut writer,
                    &mut radix::Encoder::new(),
                    Coding::Ign,
                    &movetext,
                );
            }
        }
        writer.finish();
        for naming in Naming::ALL {
            let open = || {
                MovesColumn::new(&column, Coding::Ign, &starts, Signed::default(), 9999).unwrap()
            };
            let (mut ahead, mut one_by_one) = (open(), open());
            for (i, &(start, _)) in records.iter().enumerate() {
                ahead.look_ahead(naming);
                if i % 5 == 3 {
                    ahead.skip().unwrap();
                    one_by_one.skip().unwrap();
                    continue;
                }
                let (game, other) = (ahead.next_game().unwrap(), one_by_one.next_game().unwrap());
                let Some(Start::Chess(start)) = start else {
                    assert!(game.names(naming).is_none());
                    continue;
                };
                let mut names = game.names(naming).unwrap();
                let another = Naming::ALL.into_iter().find(|&other| other != naming);
                assert!(game.names(another.unwrap()).is_none());
                let mut played = Played::new(start.position, other, naming);
                while let Some(name) = played.next_name().unwrap() {
                    assert_eq!(names.next_name().unwrap(), Some(name));
                }
                assert_eq!(names.next_name().unwrap(), None);
                assert_eq!(names.position(), played.position());
            }
            ahead.finish().unwrap();
        }
    }
}
