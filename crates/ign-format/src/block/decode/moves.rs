//! The games of a block and their moves, without the text.

use crate::{
    block::{
        Coding, Fixed, Kind,
        decode::{block::Block, records::Records},
        groups::{self, Groups},
        integers::{self, Follower, Integers, Prefixes},
        moves::{GameBits, GameMoves, MoveLists, MovesColumn},
        starts::Starts,
    },
    error::Result,
    model::Style,
    models::{Architecture, Model},
    pgn::start::Start,
};
use ign_entropy::prefixed;
use ign_notation::chess::Move;

/// A game, visited by [`Block::walk_games`].
#[derive(Debug)]
pub struct Game<'a> {
    /// Its record.
    pub record: usize,
    /// Where it starts.
    pub start: &'a Start,
    /// Its moves, to be played.
    pub moves: GameMoves<'a>,
}

impl Game<'_> {
    /// Size of its integer; `None` in codings without integers.
    pub fn bits(&self) -> Option<GameBits> {
        let limbs = self.moves.stored()?;
        Some(GameBits::of(prefixed::bit_length(limbs)))
    }

    /// Its plain Integer Game Notation, in limbs, the lowest first, whatever the coding.
    ///
    /// # Errors
    /// Corrupt; unsupported when the game has null moves.
    pub fn ign(&mut self) -> Result<Vec<u64>> {
        self.moves.ign(self.start)
    }
}

/// A game whose moves are known as a list: `game` itself, or its moves played into `room`, which is
/// cleared.
///
/// # Errors
/// Corrupt when the stored moves are not a game.
pub(super) fn decode_list<'m>(
    mut game: GameMoves<'m>,
    start: &Start,
    room: &'m mut Vec<Move>,
) -> Result<GameMoves<'m>> {
    if game.list().is_none() {
        room.clear();
        game.play(start, |_, played| room.push(played))?;
        game = GameMoves::of_list(room);
    }
    Ok(game)
}

impl<'a> Block<'a> {
    /// Where the games of all records start.
    ///
    /// # Errors
    /// Corrupt.
    pub fn starts(&self, records: &Records) -> Result<Starts> {
        let names = &self.head().tag_names;
        let has = |name: &&str| names.iter().any(|n| n == name.as_bytes());
        if Starts::TAGS.iter().any(has) {
            let table = self.table(records, Some(&Starts::TAGS))?;
            return records.starts(&table);
        }
        let moves = (0..records.len()).map(|record| records.has_moves(record));
        Starts::of_moves(moves).with_nulls(records.nulls())
    }

    /// The model and the style of play with which the moves are coded; `None` if they are coded
    /// without model.
    ///
    /// # Errors
    /// Corrupt; unsupported when the program does not have the model.
    pub fn style(&self) -> Result<Option<Style>> {
        let [column] = self.fixed(Fixed::Moves)?;
        if self.kind() != Kind::Chess || self.coding() != Coding::Weighted || column.is_empty() {
            return Ok(None);
        }
        groups::read_style(&column, self.model()?).map(Some)
    }

    /// The model of moves of chess or Go in this stream; `None` if they are coded without model.
    ///
    /// # Errors
    /// Unsupported when the program does not have the model; corrupt.
    pub(in crate::block) fn move_model<A: Architecture>(
        &self,
        stream: &[u8],
    ) -> Result<Option<Model<A>>> {
        let is_needed = self.coding() == Coding::Weighted && !stream.is_empty();
        is_needed.then(|| self.model()).transpose()
    }

    /// The moves of all records, in any coding.
    ///
    /// # Errors
    /// Unsupported when another move model coded the moves; corrupt.
    pub(super) fn moves_column<'m>(
        &self,
        column: &'m [u8],
        records: &Records,
        starts: &'m Starts,
    ) -> Result<MovesColumn<'m>>
    where
        'a: 'm,
    {
        let signatures = self.known_signatures(records, starts)?;
        MovesColumn::new(
            column,
            self.coding(),
            self.move_model(column)?,
            starts,
            signatures,
            self.head().plies,
        )
    }

    /// The groups of a moves column of weighted games.
    ///
    /// # Errors
    /// Unsupported when another move model coded the moves; corrupt.
    pub(super) fn groups<'m>(
        &self,
        column: &'m [u8],
        records: &Records,
        starts: &'m Starts,
    ) -> Result<Groups<'m>>
    where
        'a: 'm,
    {
        let signatures = self.known_signatures(records, starts)?;
        Groups::new(
            column,
            self.move_model(column)?,
            starts,
            signatures,
            self.head().plies,
        )
    }

    /// Visits each game of chess that has a start, in order; `visit` may play it. Visits nothing in
    /// a block of Go, which `go::walk` visits.
    ///
    /// # Errors
    /// Corrupt, and the errors of `visit`.
    pub fn walk_games(
        &self,
        records: &Records,
        visit: impl FnMut(Game) -> Result<()>,
    ) -> Result<()> {
        self.walk_some(records, |_| true, visit)
    }

    /// [`walk_games`](Self::walk_games) of the `wanted` records only.
    ///
    /// # Errors
    /// Corrupt, and the errors of `visit`.
    pub fn walk_some(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        visit: impl FnMut(Game) -> Result<()>,
    ) -> Result<()> {
        self.walk(records, wanted, |_, _| false, visit)
    }

    /// [`walk_some`](Self::walk_some) with the moves of each game as a list.
    ///
    /// # Errors
    /// As `walk_some`.
    pub fn walk_moves(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &Start, &[Move]) -> Result<()>,
    ) -> Result<()> {
        // If most games are wanted, decoding in advance decodes little in vain.
        let looks_ahead = |starts: &Starts, is_wanted: &dyn Fn(usize) -> bool| {
            let played = starts.played();
            let games = played.iter().filter(|&&record| is_wanted(record as usize));
            2 * games.count() >= played.len()
        };
        let mut list = Vec::new();
        self.walk(records, wanted, looks_ahead, |game| {
            let moves = decode_list(game.moves, game.start, &mut list)?;
            visit(game.record, game.start, moves.list().unwrap_or_default())
        })
    }

    /// The moves of the `wanted` games.
    ///
    /// # Errors
    /// Corrupt; unsupported when another move model coded the moves.
    pub fn move_lists(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<MoveLists> {
        let mut lists = MoveLists::new(records.len());
        self.walk_moves(records, wanted, |record, _, moves| {
            lists.set(record, moves);
            Ok(())
        })?;
        Ok(lists)
    }

    /// Visits the `wanted` games. `looks_ahead` is asked once whether games are decoded in advance.
    fn walk(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        looks_ahead: impl FnOnce(&Starts, &dyn Fn(usize) -> bool) -> bool,
        mut visit: impl FnMut(Game) -> Result<()>,
    ) -> Result<()> {
        if self.kind() != Kind::Chess {
            return Ok(());
        }
        let starts = self.starts(records)?;
        let [moves] = self.fixed(Fixed::Moves)?;
        let mut moves = self.moves_column(&moves, records, &starts)?;
        let is_wanted = |record: usize| records.is_game(record) && wanted(record);
        if looks_ahead(&starts, &is_wanted) {
            moves.look_ahead(None);
        }
        let last = (0..records.len()).rfind(|&record| wanted(record));
        for record in 0..last.map_or(0, |last| last + 1) {
            match starts.of(record).filter(|_| is_wanted(record)) {
                Some(start) => visit(Game {
                    record,
                    start,
                    moves: moves.next_game()?,
                })?,
                None => moves.skip()?,
            }
        }
        Ok(())
    }

    /// The integers of the moves column of a block whose games are integers.
    pub(super) fn integers<'c>(&self, column: &'c [u8]) -> Integers<'c> {
        Integers::new(column, self.coding(), self.head().plies)
    }

    /// Follows the `wanted` playable records of a block whose games are integers. With `prefixes`,
    /// first moves are looked up there; they must be those of the same follower and coding.
    ///
    /// # Errors
    /// Corrupt.
    pub fn follow_integers<F: Follower>(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        follower: &mut F,
        prefixes: Option<&mut Prefixes<F::Known>>,
    ) -> Result<()> {
        let starts = self.starts(records)?;
        let [column] = self.fixed(Fixed::Moves)?;
        integers::follow(self.integers(&column), &starts, wanted, follower, prefixes)
    }

    /// Follows the `wanted` playable records of a block of weighted games, which are decoded in
    /// lockstep: `open` makes the state of a game, `see` takes its next move, or `None` at its end,
    /// and returns whether it wants more of the game, `close` takes the state back. A group is
    /// abandoned once no more is wanted of any of its games.
    ///
    /// # Errors
    /// Corrupt; unsupported when another move model coded the moves.
    pub fn follow_groups<S>(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        mut open: impl FnMut(&Start) -> S,
        mut see: impl FnMut(&mut S, Option<Move>) -> bool,
        mut close: impl FnMut(usize, S),
    ) -> Result<()> {
        let starts = self.starts(records)?;
        let [column] = self.fixed(Fixed::Moves)?;
        let mut groups = self.groups(&column, records, &starts)?;
        for group in 0..groups.len() {
            let rows = groups.records(group).iter().map(|&row| row as usize);
            let mut games: Vec<_> = rows
                .enumerate()
                .filter(|&(_, row)| wanted(row))
                .filter_map(|(game, row)| Some((game, row, open(starts.of(row)?))))
                .collect();
            if games.is_empty() {
                continue;
            }
            let mut ply = 0;
            let mut going: Vec<usize> = (0..games.len()).collect();
            groups.first_rounds(group, |moves| {
                going.retain(|&place| {
                    let (game, _, state) = &mut games[place];
                    let played = moves[*game].get(ply).copied();
                    see(state, played) && played.is_some()
                });
                ply += 1;
                !going.is_empty()
            })?;
            // The games of which more was wanted are over.
            for place in going {
                see(&mut games[place].2, None);
            }
            games
                .into_iter()
                .for_each(|(_, row, state)| close(row, state));
        }
        Ok(())
    }
}
