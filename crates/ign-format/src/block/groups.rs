//! The moves column of weighted IGN: games in groups, played side by side (spec §4.2.3).
//!
//! The move model tells the frequency of each choice, and a range coder takes the frequencies. The games
//! of a block are coded in groups of [`GROUP`], as in a simultaneous lockstep: a choice in each
//! game, in order, then another round, without those that are over. A choice is a legal move or
//! the end of the game; where no move is legal there is none. Games of variants stand
//! among the others; what the model can say of them is [`GameState`]'s to tell. What the signatures of
//! the games say, which stand in a column of their own, is not said again (`archive::constraints`).
//! A game that is the one before it once more is not played again: of such copies a group tells
//! which they are. So
//!
//! - no game needs a prefix to tell its length, and a group frequencies the cost of ending a stream;
//! - the first moves of all games stand at the opening_prefix of the groups: looking for an opening
//!   decodes no more than these;
//! - one game costs decoding its group.
//!
//! ```text
//! version of the model, its checksum | style | lengths of the groups | group | group | …
//! ```
//!
//! [`Lockstep`] walks a group once; packing, unpacking, looking for openings and measuring are
//! what its caller does at each choice. Nothing is allocated once a few groups have been played.
//! Nothing here but the model decides how well it packs, and the model must not change: a column
//! names the one it was made by, and another is refused.

mod prefetch;

use self::prefetch::Prefetch;
use crate::block::{
    constraints::Constraint, opening_prefix::is_usual, signatures::Signed, starts::Starts,
};
use crate::{
    container::MAX_PLIES,
    error::{Error, Kind, Result},
    model::{self, Frequencies, STYLES, Scorer},
    pgn::{game_state::GameState, start::Start},
};
use ign_entropy::{
    BitReader, BitWriter,
    frequencies::{self, Interval, IntervalLog},
    rice, varint,
};
use ign_notation::{Game as _, chess::Move, signature::Signature};

/// Games of a group; the last of a block may have fewer (spec §4.2.3).
pub const GROUP: usize = 16;
/// Of so many equal frequencies a group that has copies has the last (spec §4.2.3).
const ONE_HAS_COPIES: u32 = 4096;
/// Copies are told where they spare so many moves: telling them takes up to 27 bits. The choice is
/// the writer's, as the style is.
const SPARED: usize = 32;
/// Games by which the style is chosen. The choice is the writer's: it is no part of the format.
const TRIED: usize = 48;

/// Which games of a group are the one before them once more: a bit each, from the lowest on.
type Copies = u32;

/// Whether this game of a group is one of the copies.
fn is_copy(copies: Copies, game: usize) -> bool {
    copies >> game & 1 != 0
}

/// Games whose moves are known, as the ordinals of the moves.
#[derive(Debug, Clone, Default)]
pub struct Played {
    starts: Starts,
    /// What readers know of each game beforehand.
    signatures: Vec<Option<Signature>>,
    /// For each move its place in canonical order.
    ordinals: Vec<u16>,
    /// Where the moves of each game end.
    ends: Vec<usize>,
}

impl Played {
    /// Adds a game. Where its signature is given, the frequencies are those for readers who know it.
    pub fn push(
        &mut self,
        start: &Start,
        ordinals: impl Iterator<Item = u32>,
        signature: Option<Signature>,
    ) {
        self.starts.push(Some(start), true);
        self.signatures.push(signature);
        self.ordinals.extend(ordinals.map(|ordinal| ordinal as u16));
        self.ends.push(self.ordinals.len());
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves of a game.
    fn ordinals(&self, game: usize) -> &[u16] {
        let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ordinals[start..self.ends[game]]
    }

    /// Which games of a group are copies; none where that would not spare enough.
    fn copies(&self, games: impl Iterator<Item = usize> + Clone) -> Copies {
        let (mut copies, mut spared) = (0, 0);
        let pairs = games.clone().zip(games.skip(1));
        for (i, (before, game)) in pairs.enumerate() {
            let same = self.ordinals(before) == self.ordinals(game)
                && self.starts.of(before) == self.starts.of(game)
                && self.signatures[before] == self.signatures[game];
            if same {
                copies |= 2 << i;
                spared += self.ordinals(game).len();
            }
        }
        if spared < SPARED { 0 } else { copies }
    }

    /// Plays the games of a group, without the copies among them, by an lockstep, showing each
    /// choice: the game's place in the group, the game so far, the frequencies of its choices, the
    /// choice.
    pub fn play(
        &self,
        lockstep: &mut Lockstep,
        games: impl Iterator<Item = usize> + Clone,
        copies: Copies,
        mut visit: impl FnMut(usize, &GameState, &Frequencies, usize),
    ) {
        let mut left = [&[][..]; GROUP];
        for (left, game) in left.iter_mut().zip(games.clone()) {
            *left = self.ordinals(game);
        }
        let starts = games.map(|game| {
            let start = self.starts.of(game).expect("a game has a start");
            (start, self.signatures[game])
        });
        lockstep.start(starts, copies);
        let mut choose = |game: usize, state: &GameState, frequencies: &Frequencies| {
            let choice = match left[game].split_off_first() {
                Some(&ordinal) => usize::from(ordinal),
                None => frequencies.moves().len(),
            };
            visit(game, state, frequencies, choice);
            Ok(choice)
        };
        while lockstep.round(&mut choose).expect("nothing here fails") {}
    }

    /// Appends the stream of a group, showing what each choice has of the frequencies.
    fn encode(
        &self,
        lockstep: &mut Lockstep,
        games: impl Iterator<Item = usize> + Clone,
        out: &mut Vec<u8>,
        mut show: impl FnMut(Interval),
    ) {
        let mut encoder = frequencies::Encoder::new(out);
        let mut code = |before, frequency, total| {
            encoder.encode(before, frequency, total);
            show(Interval {
                before,
                frequency,
                total,
            });
        };
        let copies = self.copies(games.clone());
        if copies == 0 {
            code(0, ONE_HAS_COPIES - 1, ONE_HAS_COPIES);
        } else {
            code(ONE_HAS_COPIES - 1, 1, ONE_HAS_COPIES);
            for (game, _) in games.clone().enumerate().skip(1) {
                code(u32::from(is_copy(copies, game)), 1, 2);
            }
        }
        self.play(lockstep, games, copies, |_, _, frequencies, choice| {
            let (before, frequency) = frequencies.interval(choice);
            code(before, frequency, frequencies.total());
        });
        encoder.finish();
    }

    /// The style that packs a sample of the games best; of equal ones the first.
    pub fn style(&self) -> u8 {
        let tried = TRIED.min(self.len());
        let game = |i: usize| i * self.len() / tried;
        let cost = |&style: &u8| {
            let mut lockstep = Lockstep::new(style);
            let mut out = Vec::new();
            for first in (0..tried).step_by(GROUP) {
                let games = (first..tried.min(first + GROUP)).map(game);
                self.encode(&mut lockstep, games, &mut out, |_| ());
            }
            out.len()
        };
        (0..STYLES).min_by_key(cost).unwrap_or(0)
    }

    /// The column. The portions of all choices are kept where a record of them is given.
    pub fn write(&self, mut record: Option<&mut IntervalLog>) -> Vec<u8> {
        if self.is_empty() {
            return Vec::new();
        }
        let style = self.style();
        let mut lockstep = Lockstep::new(style);
        let mut streams = Vec::new();
        let mut lens = Vec::new();
        for first in (0..self.len()).step_by(GROUP) {
            let start = streams.len();
            let games = first..self.len().min(first + GROUP);
            self.encode(&mut lockstep, games, &mut streams, |portion| {
                if let Some(record) = &mut record {
                    record.push(portion);
                }
            });
            if let Some(record) = &mut record {
                record.end_stream();
            }
            lens.push((streams.len() - start) as u64);
        }
        let mut out = vec![model::VERSION];
        out.extend_from_slice(&model::CHECKSUM.to_le_bytes());
        out.push(style);
        write_lens(&mut out, &lens);
        out.extend_from_slice(&streams);
        out
    }
}

/// Writes the lengths of groups: their mean, a Rice parameter, and how far each is from the mean.
fn write_lens(out: &mut Vec<u8>, lens: &[u64]) {
    let mean = lens.iter().sum::<u64>() / lens.len() as u64;
    let steps = lens.iter().map(|&len| zigzag(len as i64 - mean as i64));
    let bits = |&parameter: &u32| -> u64 {
        let bits = steps.clone().map(|step| rice::len(step, parameter));
        bits.fold(0, u64::saturating_add)
    };
    let parameter = (0..=32).min_by_key(bits).unwrap_or(0);
    varint::write(out, mean);
    out.push(parameter as u8);
    let mut writer = BitWriter::new(out);
    for step in steps.clone() {
        rice::write(&mut writer, step, parameter);
    }
    writer.finish();
}

/// Reads the lengths of so many groups, which together with what is in front of them must be all
/// of `input`; gives where each ends, from the first one's start.
fn read_lens(input: &mut &[u8], groups: usize) -> Result<Vec<usize>> {
    let most = input.len() as u64;
    let mean = varint::read_limited(input, most, "the mean length of groups")? as i64;
    let (&parameter, rest) = input.split_first().ok_or_else(cut_off)?;
    *input = rest;
    if u32::from(parameter) > rice::MAX_PARAMETER {
        return Err(cut_off());
    }
    // Each length takes a bit at least, which bounds how many there can be.
    let mut reader = BitReader::new(input);
    let mut ends = Vec::with_capacity(groups.min(8 * input.len()));
    let mut end = 0;
    for _ in 0..groups {
        let step = rice::read(&mut reader, parameter.into(), 2 * most).map_err(|_| cut_off())?;
        let len = mean + unzigzag(step);
        if len < 0 || len > most as i64 {
            return Err(cut_off());
        }
        end += len as usize;
        ends.push(end);
    }
    let used = reader.position().div_ceil(8) as usize;
    let (lens, streams) = input.split_at(used);
    let padding = (8 * used) as u64 - reader.position();
    if lens
        .last()
        .is_some_and(|&byte| u64::from(byte.trailing_zeros()) < padding)
        || streams.len() != end
    {
        return Err(cut_off());
    }
    *input = streams;
    Ok(ends)
}

/// 0, −1, 1, −2, … as 0, 1, 2, 3, …
fn zigzag(step: i64) -> u64 {
    (step << 1 ^ step >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Games played side by side, the model telling the frequencies of each choice.
pub struct Lockstep {
    scorer: Scorer,
    frequencies: Frequencies,
    states: Vec<GameState>,
    /// What is known of each game beforehand.
    signatures: Vec<Option<Signature>>,
    /// Moves played in each of the games that go on.
    rounds: usize,
    /// The games that are not over.
    going: Vec<usize>,
}

impl Lockstep {
    /// One for games of this style.
    ///
    /// # Panics
    /// When the model knows no such style.
    pub fn new(style: u8) -> Self {
        Self {
            scorer: Scorer::new(style),
            frequencies: Frequencies::default(),
            states: Vec::with_capacity(GROUP),
            signatures: Vec::with_capacity(GROUP),
            rounds: 0,
            going: Vec::with_capacity(GROUP),
        }
    }

    /// Sets up the boards of some games, of which the signatures may be known. The copies among
    /// them are not played.
    pub fn start<'s>(
        &mut self,
        games: impl Iterator<Item = (&'s Start, Option<Signature>)>,
        copies: Copies,
    ) {
        self.states.clear();
        self.signatures.clear();
        for (start, signature) in games {
            self.states.push(GameState::new(start));
            self.signatures.push(signature);
        }
        self.rounds = 0;
        self.going.clear();
        let played = (0..self.states.len()).filter(|&game| !is_copy(copies, game));
        self.going.extend(played);
    }

    /// Plays a round; tells whether games go on. `choose` takes the number of a game, the game so
    /// far and the frequencies of its choices, and tells the choice: a legal move, or behind them the
    /// end.
    ///
    /// # Errors
    /// Those of `choose`; corrupt when a game cannot go on as its signature says.
    pub fn round(
        &mut self,
        mut choose: impl FnMut(usize, &GameState, &Frequencies) -> Result<usize>,
    ) -> Result<bool> {
        let Self {
            scorer,
            frequencies,
            states,
            signatures,
            rounds,
            going,
        } = self;
        let played = *rounds;
        *rounds += 1;
        let mut fault = None;
        going.retain(|&game| {
            let state = &mut states[game];
            if fault.is_some() {
                return false;
            }
            state.score(scorer, game, frequencies);
            let constraint =
                signatures[game].map_or(Constraint::None, |known| Constraint::of(&known, played));
            if !constraint.narrow(state, frequencies) {
                fault = Some(Error::corrupt(
                    "the moves of a game are not those of its signature",
                ));
                return false;
            }
            if frequencies.moves().is_empty() {
                return false;
            }
            let choice = choose(game, state, frequencies).unwrap_or_else(|error| {
                fault = Some(error);
                usize::MAX
            });
            let Some(&played) = frequencies.moves().get(choice) else {
                return false;
            };
            state.play(played);
            true
        });
        fault.map_or(Ok(!going.is_empty()), Err)
    }
}

/// The groups of a moves column, decoded as their games are asked for.
pub struct Groups<'a> {
    starts: &'a Starts,
    /// What is known of the games to play beforehand.
    signatures: Signed<'a>,
    streams: &'a [u8],
    /// Where the stream of each group ends.
    ends: Vec<usize>,
    /// None where there is no group.
    style: Option<u8>,
    /// Made when it is asked for: others may be decoding meanwhile.
    lockstep: Option<Lockstep>,
    /// The moves of the group that was decoded last.
    moves: Vec<Vec<Move>>,
    /// The copies among its games.
    copies: Copies,
    /// Its number.
    decoded: Option<usize>,
    /// How many more plies there may be, so that a few bytes cannot ask for endless play.
    plies_left: u64,
    /// Groups that are being decoded already.
    beside: Option<Prefetch>,
}

impl<'a> Groups<'a> {
    /// The groups of a moves column, of games that start there and have at most `plies` moves
    /// together. Of each that is played the signature is given that its frequencies were made with.
    ///
    /// # Errors
    /// Unsupported when they were coded by another model; corrupt.
    pub fn new(
        column: &'a [u8],
        starts: &'a Starts,
        signatures: Signed<'a>,
        plies: u64,
    ) -> Result<Self> {
        debug_assert_eq!(signatures.count(), starts.played().len());
        if starts.played().is_empty() {
            return match column.is_empty() {
                true => Ok(Self::of(&[], Vec::new(), starts, signatures, None, plies)),
                false => Err(cut_off()),
            };
        }
        let style = read_style(column)?;
        let mut streams = &column[HEAD_LEN..];
        let ends = read_lens(&mut streams, starts.played().len().div_ceil(GROUP))?;
        Ok(Self::of(
            streams,
            ends,
            starts,
            signatures,
            Some(style),
            plies,
        ))
    }

    /// Groups whose streams end there.
    fn of(
        streams: &'a [u8],
        ends: Vec<usize>,
        starts: &'a Starts,
        signatures: Signed<'a>,
        style: Option<u8>,
        plies: u64,
    ) -> Self {
        Self {
            starts,
            signatures,
            streams,
            ends,
            style,
            lockstep: None,
            moves: vec![Vec::new(); GROUP],
            copies: 0,
            decoded: None,
            plies_left: plies,
            beside: None,
        }
    }

    /// Has the groups of these games, by their numbers among those that are played, decoded by
    /// threads of their own, and something else done then. The numbers ascend.
    pub fn prefetch(
        &mut self,
        games: impl Iterator<Item = usize>,
        then: impl FnOnce() + Send + 'static,
    ) {
        let mut groups: Vec<usize> = games.map(|game| game / GROUP).collect();
        groups.dedup();
        self.beside = Prefetch::new(self, groups, then);
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves of a game, by its number among those that are played. Games are asked for in
    /// ascending order, so that each group is decoded once.
    ///
    /// # Errors
    /// Corrupt.
    pub fn game(&mut self, game: usize) -> Result<&[Move]> {
        let group = game / GROUP;
        if self.decoded != Some(group) {
            match self.beside.as_ref().and_then(|beside| beside.take(group)) {
                Some(moves) => self.moves = moves?,
                None => self.decode(group)?,
            }
            self.decoded = Some(group);
        }
        Ok(&self.moves[game % GROUP])
    }

    /// Decodes a group.
    fn decode(&mut self, group: usize) -> Result<()> {
        let mut stream = self.open(group)?;
        while self.round(&mut stream)? {}
        Ok(())
    }

    /// Adds to `found` the records of a group whose games start at the usual position and begin
    /// with these moves. Decodes no more rounds than it takes to tell.
    ///
    /// # Errors
    /// Corrupt.
    pub fn with_prefix(
        &mut self,
        group: usize,
        with: &[Move],
        found: &mut Vec<usize>,
    ) -> Result<()> {
        let records = self.records(group);
        let starts_so = |&game: &usize| {
            let start = self.starts.of(records[game] as usize);
            start.is_some_and(is_usual)
        };
        let mut candidates: Vec<usize> = (0..records.len()).filter(starts_so).collect();
        let mut stream = self.open(group)?;
        for (ply, wanted) in with.iter().enumerate() {
            if candidates.is_empty() {
                break;
            }
            self.round(&mut stream)?;
            candidates.retain(|&game| self.moves[game].get(ply) == Some(wanted));
        }
        found.extend(candidates.into_iter().map(|game| records[game] as usize));
        Ok(())
    }

    /// Fails unless a group's stream holds the choices that had these portions. The model is not
    /// asked.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check(&self, group: usize, known: &IntervalLog) -> Result<()> {
        match known.are_in(group, self.stream(group)) {
            true => Ok(()),
            false => Err(Error::corrupt("a group of games does not hold their moves")),
        }
    }

    /// Decodes the first rounds of a group: shows the moves of its games after each, until they
    /// are over or `look` has seen enough.
    ///
    /// # Errors
    /// Corrupt.
    pub fn begin(
        &mut self,
        group: usize,
        mut look: impl FnMut(&[Vec<Move>]) -> bool,
    ) -> Result<()> {
        let mut stream = self.open(group)?;
        while self.round(&mut stream)? && look(&self.moves) {}
        Ok(())
    }

    /// The bytes of a group.
    fn stream(&self, group: usize) -> &'a [u8] {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.streams[start..self.ends[group]]
    }

    /// The records of a group, in order.
    pub fn records(&self, group: usize) -> &'a [u32] {
        let from = &self.starts.played()[group * GROUP..];
        &from[..from.len().min(GROUP)]
    }

    /// What is known of the games of a group.
    fn signatures(&self, group: usize) -> Vec<Option<Signature>> {
        let first = group * GROUP;
        self.signatures.of(first..first + self.records(group).len())
    }

    /// Sets up the games of a group; gives its stream.
    fn open(&mut self, group: usize) -> Result<frequencies::Decoder<'a>> {
        self.decoded = None;
        self.moves.iter_mut().for_each(Vec::clear);
        let mut stream = frequencies::Decoder::new(self.stream(group));
        let signatures = self.signatures(group);
        self.copies = self.read_copies(group, &signatures, &mut stream)?;
        let all = self.starts;
        let starts = (self.records(group).iter()).map(|&record| start_of(all, record));
        let style = self.style.ok_or_else(cut_off)?;
        let lockstep = self.lockstep.get_or_insert_with(|| Lockstep::new(style));
        lockstep.start(starts.zip(signatures), self.copies);
        Ok(stream)
    }

    /// Which games of a group are copies, from its stream.
    fn read_copies(
        &self,
        group: usize,
        signatures: &[Option<Signature>],
        stream: &mut frequencies::Decoder,
    ) -> Result<Copies> {
        let last = ONE_HAS_COPIES - 1;
        if stream.target(ONE_HAS_COPIES) < last {
            stream.take(0, last);
            return Ok(0);
        }
        stream.take(last, 1);
        let mut copies = 0;
        for (i, pair) in self.records(group).windows(2).enumerate() {
            let same = stream.target(2);
            stream.take(same, 1);
            let differ = start_of(self.starts, pair[0]) != start_of(self.starts, pair[1])
                || signatures[i] != signatures[i + 1];
            if same == 1 && differ {
                let text =
                    "a game is said to be the one before it, with another start or signature";
                return Err(Error::corrupt(text));
            }
            copies |= same << (i + 1);
        }
        Ok(copies)
    }

    /// Decodes a round; tells whether games go on.
    fn round(&mut self, stream: &mut frequencies::Decoder) -> Result<bool> {
        let (moves, plies_left) = (&mut self.moves, &mut self.plies_left);
        let copies = self.copies;
        let lockstep = self.lockstep.as_mut().ok_or_else(cut_off)?;
        lockstep.round(|game, _, frequencies| {
            let target = stream.target(frequencies.total());
            let (choice, before, frequency) = frequencies.find(target);
            stream.take(before, frequency);
            if let Some(&played) = frequencies.moves().get(choice) {
                // The game itself, and those behind it that are copies of it.
                let copied = (copies >> (game + 1)).trailing_ones() as usize;
                for moves in &mut moves[game..=game + copied] {
                    if moves.len() == MAX_PLIES || *plies_left == 0 {
                        return Err(Error::corrupt("a group of games has too many moves"));
                    }
                    *plies_left -= 1;
                    moves.push(played);
                }
            }
            Ok(choice)
        })
    }
}

/// Where a record starts that is played.
fn start_of(starts: &Starts, record: u32) -> &Start {
    let start = starts.of(record as usize);
    start.expect("a record that is played has a start")
}

/// The style of a moves column that is not empty.
///
/// # Errors
/// Unsupported when it was coded by another model; corrupt.
pub fn read_style(column: &[u8]) -> Result<u8> {
    let head = column.first_chunk::<HEAD_LEN>().ok_or_else(cut_off)?;
    let [version, checksum @ .., style] = head;
    let checksum = u64::from_le_bytes(*checksum);
    if (*version, checksum) != (model::VERSION, model::CHECKSUM) {
        let (known, known_checksum) = (model::VERSION, model::CHECKSUM);
        return Err(Error::new(
            Kind::Unsupported,
            format!(
                "moves are coded by another move model, version {version} ({checksum:016x}); this program has version {known} ({known_checksum:016x})"
            ),
        )
        .remedy("use the version of ign that packed it"));
    }
    if *style >= STYLES {
        return Err(Error::corrupt("moves are of an unknown style"));
    }
    Ok(*style)
}

/// Bytes in front of the lengths: version, checksum, style.
const HEAD_LEN: usize = 10;

fn cut_off() -> Error {
    Error::corrupt("the moves column is malformed: its groups are not as long as it says")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::start::of_tags;
    use ign_notation::{chess::rules::LegalMoves as _, signature::element_of_ply};
    use proptest::prelude::*;

    /// Plays the moves whose ordinals `choose` gives, told how many there are and how many were
    /// played.
    fn play<B: ign_notation::chess::rules::Board>(
        mut board: B,
        choose: &mut impl FnMut(u32, usize) -> Option<u32>,
        moves: &mut Vec<Move>,
        signature: &mut Signature,
    ) {
        loop {
            let legal = board.legal();
            let picked = legal.pick(|count| Ok::<_, ()>(choose(count, moves.len())));
            let Ok(Some(played)) = picked else {
                return;
            };
            moves.push(played);
            if let Some(element) = element_of_ply(moves.len()) {
                signature[element] = Some(legal.landing(played).to_u32() as u16);
            }
            board.play(played);
        }
    }

    /// Some games of pseudo-random moves, some from odd starts, and their moves.
    fn games(seeds: &[(u64, usize)]) -> (Played, Vec<Vec<Move>>) {
        let fens: [(&[u8], &[u8]); 7] = [
            (
                b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                b"",
            ),
            (b"7k/5Q2/8/8/8/8/8/K7 b - - 0 1", b""),
            (
                b"nrk1bbrq/pppppppp/2n5/8/8/2N5/PPPPPPPP/NRK1BBRQ w GBgb - 0 1",
                b"Chess960",
            ),
            (b"4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 9", b""),
            (
                b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QNp] w KQkq - 0 1",
                b"Crazyhouse",
            ),
            (
                b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                b"Atomic",
            ),
            (b"4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 9", b"Antichess"),
        ];
        let mut played = Played::default();
        let mut lists = Vec::new();
        for &(seed, plies) in seeds {
            let (fen, variant) = fens[(seed % 7) as usize];
            let start = of_tags(Some(fen), Some(variant)).unwrap();
            let mut state = seed;
            let (mut ordinals, mut moves) = (Vec::new(), Vec::new());
            let mut choose = |count, played| {
                if count == 0 || played == plies {
                    return None;
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let ordinal = (state >> 33) as u32 % count;
                ordinals.push(ordinal);
                Some(ordinal)
            };
            let mut signature = Signature::default();
            match &start {
                Start::Chess(start) => {
                    play(start.position, &mut choose, &mut moves, &mut signature);
                }
                Start::Variant(start) => {
                    let board = start.board.clone();
                    play(board, &mut choose, &mut moves, &mut signature);
                }
            }
            played.push(&start, ordinals.into_iter(), Some(signature));
            lists.push(moves);
        }
        (played, lists)
    }

    /// The groups of a column, for a reader who knows the signatures.
    fn open<'a>(column: &'a [u8], played: &'a Played, plies: u64) -> Result<Groups<'a>> {
        let signatures = Signed::Each(played.signatures.clone());
        Groups::new(column, &played.starts, signatures, plies)
    }

    fn seeds(count: u64, plies: usize) -> Vec<(u64, usize)> {
        let spread = |seed: u64| (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize;
        (0..count)
            .map(|seed| (seed, spread(seed) % plies))
            .collect()
    }

    #[test]
    fn games_come_back_all_or_one_by_one() {
        for count in [0, 1, 31, 32, 33, 100] {
            let (played, lists) = games(&seeds(count, 90));
            let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
            let column = played.write(None);
            assert_eq!(column.is_empty(), count == 0);
            let open = || open(&column, &played, plies).unwrap();
            let mut groups = open();
            for (game, moves) in lists.iter().enumerate() {
                assert_eq!(groups.game(game).unwrap(), moves);
                assert_eq!(open().game(game).unwrap(), moves);
            }
            assert_eq!(groups.plies_left, 0);
        }
    }

    #[test]
    fn games_are_found_by_their_beginning() {
        let (played, lists) = games(&seeds(100, 6));
        let column = played.write(None);
        let usual = |game: usize| is_usual(played.starts.of(game).unwrap());
        for sought in &lists {
            let mut found = Vec::new();
            let mut groups = open(&column, &played, 600).unwrap();
            for group in 0..groups.len() {
                groups.with_prefix(group, sought, &mut found).unwrap();
            }
            let begins = |&game: &usize| usual(game) && lists[game].starts_with(sought);
            let expected: Vec<usize> = (0..lists.len()).filter(begins).collect();
            assert_eq!(found, expected, "{sought:?}");
        }
    }

    #[test]
    fn a_game_as_long_as_may_be_comes_back() {
        let start = Start::default();
        let mut played = Played::default();
        played.push(&start, std::iter::repeat_n(0, MAX_PLIES), None);
        let column = played.write(None);
        let mut groups = open(&column, &played, MAX_PLIES as u64).unwrap();
        assert_eq!(groups.game(0).unwrap().len(), MAX_PLIES);
    }

    #[test]
    fn known_choices_prove_a_stream_and_no_other() {
        let (played, _) = games(&seeds(70, 60));
        let mut known = IntervalLog::default();
        let column = played.write(Some(&mut known));
        let groups = open(&column, &played, 9999).unwrap();
        assert!((0..groups.len()).all(|group| groups.check(group, &known).is_ok()));
        let first = column.len() - groups.streams.len();
        for bit in 8 * first..8 * column.len() {
            let mut bad = column.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let groups = open(&bad, &played, 9999).unwrap();
            let passes = (0..groups.len()).all(|group| groups.check(group, &known).is_ok());
            if passes {
                // The last bits of a stream may be others that mean the same.
                let mut moves = open(&bad, &played, 9999).unwrap();
                let mut same = open(&column, &played, 9999).unwrap();
                assert!((0..70).all(|game| moves.game(game).unwrap() == same.game(game).unwrap()));
            }
        }
    }

    #[test]
    fn a_signature_spares_what_it_tells() {
        let (mut played, lists) = games(&seeds(64, 120));
        let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
        let with = played.write(None);
        let known = std::mem::take(&mut played.signatures);
        played.signatures = vec![None; 64];
        let without = played.write(None);
        assert!(
            with.len() + 64 < without.len(),
            "{} {}",
            with.len(),
            without.len()
        );
        // Other games' signatures are not taken for theirs.
        played.signatures = known;
        played.signatures.rotate_right(1);
        let mut groups = open(&with, &played, plies).unwrap();
        assert!((0..64).any(|game| groups.game(game).is_err()));
    }

    #[test]
    fn a_game_that_is_the_one_before_it_once_more_is_told_so() {
        // Games of 60 moves: two, one and three of a kind.
        let kinds = [1, 1, 2, 3, 3, 3].repeat(20);
        let copied: Vec<(u64, usize)> = kinds.iter().map(|&kind| (7 * kind, 60)).collect();
        let (played, lists) = games(&copied);
        let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
        let column = played.write(None);
        let (once, _) = games(&[(7, 60), (14, 60), (21, 60)].repeat(20));
        // The first game of each of the eight groups is no copy.
        let most = once.write(None).len() * (60 + 8) / 60;
        assert!(column.len() < most, "{} {most}", column.len());
        let mut groups = open(&column, &played, plies).unwrap();
        for (game, moves) in lists.iter().enumerate() {
            assert_eq!(groups.game(game).unwrap(), moves);
            let mut alone = open(&column, &played, plies).unwrap();
            assert_eq!(alone.game(game).unwrap(), moves);
        }
        assert_eq!(groups.plies_left, 0);
        // Moves of copies count among those that there may be.
        let mut groups = open(&column, &played, plies - 1).unwrap();
        assert!((0..lists.len()).any(|game| groups.game(game).is_err()));
        // They are copies only of games that start where they do.
        let fen = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
        let mut starts = Starts::default();
        for game in 0..lists.len() {
            let start = if game == 1 {
                of_tags(Some(fen), None).unwrap()
            } else {
                Start::default()
            };
            starts.push(Some(&start), true);
        }
        let signatures = Signed::Each(played.signatures.clone());
        let mut groups = Groups::new(&column, &starts, signatures, plies).unwrap();
        assert!(groups.game(0).is_err() && groups.game(GROUP).is_ok());
        // And only of those that have their signature.
        let mut other = played.signatures.clone();
        other[1] = Some(
            other[1]
                .unwrap()
                .map(|square| square.map_or(Some(9), |_| None)),
        );
        let mut groups = Groups::new(&column, &played.starts, Signed::Each(other), plies).unwrap();
        assert!(groups.game(0).is_err() && groups.game(GROUP).is_ok());
    }

    #[test]
    fn another_model_is_not_taken_for_this_one() {
        let (played, _) = games(&seeds(3, 20));
        let column = played.write(None);
        for at in 0..9 {
            let mut other = column.clone();
            other[at] ^= 0x40;
            let error = open(&other, &played, 100).err().unwrap();
            assert_eq!(error.kind(), Kind::Unsupported, "{error}");
            assert!(error.to_string().contains("model"), "{error}");
        }
    }

    #[test]
    fn claims_that_do_not_fit_are_refused() {
        let (played, lists) = games(&seeds(70, 60));
        let column = played.write(None);
        let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
        for len in 0..column.len() {
            assert!(open(&column[..len], &played, plies).is_err());
        }
        let mut long = column.clone();
        long.push(0);
        assert!(open(&long, &played, plies).is_err());
        assert!(Groups::new(&column, &Starts::default(), Signed::default(), plies).is_err());
        let mut style = column.clone();
        style[9] = STYLES;
        assert!(open(&style, &played, plies).is_err());
        // One ply less than there are.
        let mut groups = open(&column, &played, plies - 1).unwrap();
        assert!((0..lists.len()).any(|game| groups.game(game).is_err()));
    }

    proptest! {
        #[test]
        fn lengths_come_back(lens in prop::collection::vec(0..3000u64, 1..200), one in 0..1u64 << 20) {
            let lens = [&lens[..], &[one]].concat();
            let mut out = Vec::new();
            write_lens(&mut out, &lens);
            let streams = lens.iter().sum::<u64>() as usize;
            out.resize(out.len() + streams, 0xab);
            let mut input = &out[..];
            let ends = read_lens(&mut input, lens.len()).unwrap();
            prop_assert_eq!(input.len(), streams);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            prop_assert!(starts.zip(&ends).map(|(start, end)| (end - start) as u64).eq(lens));
        }

        #[test]
        fn foreign_bytes_come_to_an_end(
            bytes in prop::collection::vec(any::<u8>(), 0..200), games in 0..100u32, plies in 0..500u64
        ) {
            let mut column = vec![model::VERSION];
            column.extend_from_slice(&model::CHECKSUM.to_le_bytes());
            column.push(0);
            column.extend_from_slice(&bytes);
            let mut starts = Starts::default();
            for _ in 0..games {
                starts.push(Some(&Start::default()), true);
            }
            let signatures = Signed::Each(vec![Some(Signature::default()); games as usize]);
            if let Ok(mut groups) = Groups::new(&column, &starts, signatures, plies) {
                for game in 0..games as usize {
                    _ = groups.game(game);
                }
            }
        }

        #[test]
        fn zigzag_numbers_are_those_of_the_steps(step in -1i64 << 40..1 << 40) {
            prop_assert_eq!(unzigzag(zigzag(step)), step);
            let expected = if step < 0 { -2 * step - 1 } else { 2 * step };
            prop_assert_eq!(zigzag(step), expected as u64);
        }
    }
}
