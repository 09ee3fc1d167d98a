//! Reads the columns of a block from its tag table and its moves.

use std::{borrow::Cow, sync::Arc};

use ign_format::{
    block::{Kind, decode::Block, moves::MoveLists},
    columns::{Table, openings},
    error::{Error, Result},
    game_number::GameNumber,
    pgn::tags::Tag,
};
use ign_notation::chess::variant::is_chess960;

use super::{
    annotations::Annotations,
    batch::Batch,
    column::ScanColumn,
    data::ColumnData,
    days,
    indexed::{Indexed, data_of},
    lists::Lists,
    numbers::{read_difference, read_time},
    other_tags::{OtherTags, TagPairs},
    strings::Strings,
    text,
    texts::{self, Texts},
    values::Values,
};
use crate::{
    archive::Archive,
    game::Game,
    loaded::{LoadedBlock, Scope, Shared},
    results,
    text::{decode_text, unescape},
    uci::push_codes,
    values::{Date, Eco, GameResult, format_a, format_b, read_rating},
};

/// These columns of the `wanted` games of a block; block and games are counted from 0. Only the tag
/// columns that they are read from, and those that these depend on, are decoded; moves only for
/// [`ScanColumn::Plies`] and [`ScanColumn::Moves`], and as far as necessary for openings. With
/// `by_column` the block is not read whole, but the columns that are needed, one after the other.
///
/// # Errors
/// Io; corrupt; unsupported if moves were coded by another move model.
pub(crate) fn columns_of_games(
    archive: &Archive,
    number: usize,
    by_column: bool,
    columns: &[ScanColumn],
    wanted: &dyn Fn(u64) -> bool,
) -> Result<Batch> {
    let indexed = Indexed::default();
    read_columns(archive, number, by_column, columns, indexed, wanted)
}

/// [`columns_of_games`], with what an index has of the games of the block.
///
/// # Errors
/// As [`columns_of_games`].
pub(super) fn read_columns(
    archive: &Archive,
    number: usize,
    by_column: bool,
    columns: &[ScanColumn],
    indexed: Indexed,
    wanted: &dyn Fn(u64) -> bool,
) -> Result<Batch> {
    let first_game = archive.blocks()[number].first_game;
    if let Some(batch) = indexed.batch(columns, first_game, wanted) {
        return Ok(batch);
    }
    let block = if by_column {
        LoadedBlock::read_columns(archive, number)?
    } else {
        LoadedBlock::read(archive, number, |_| Ok(Scope::All))?
    };
    columns_of_block(Arc::new(block), columns, indexed, wanted)
}

/// [`columns_of_games`] of a block that is loaded for all of its records.
///
/// # Errors
/// As [`columns_of_games`].
pub(crate) fn columns_of_loaded(
    block: Shared,
    columns: &[ScanColumn],
    wanted: &dyn Fn(u64) -> bool,
) -> Result<Batch> {
    columns_of_block(block, columns, Indexed::default(), wanted)
}

/// The columns of the `wanted` games; `indexed` is what an index has of all games of the block.
fn columns_of_block(
    block: Shared,
    columns: &[ScanColumn],
    indexed: Indexed,
    wanted: &dyn Fn(u64) -> bool,
) -> Result<Batch> {
    let (games, records): (Vec<GameNumber>, Vec<usize>) = (block.first_game()..)
        .zip(block.records.games())
        .filter(|&(game, _)| wanted(game))
        .map(|(game, record)| (GameNumber::from_index(game), record))
        .unzip();
    // Moves are decoded once, also if the text is written with them.
    let needs_moves = columns.iter().any(|column| match column {
        ScanColumn::Plies => indexed.numbers(column).is_none(),
        ScanColumn::Moves => true,
        _ => false,
    });
    let has_all = games.len() == block.records.games().count();
    let mut moves = None;
    if needs_moves && has_all {
        block.decode_moves()?;
    } else if needs_moves {
        let is_row = |record: usize| records.binary_search(&record).is_ok();
        moves = Some(block.with(|open| open.move_lists(&block.records, is_row))?);
    }
    let known = block.known_moves();
    let is_from_tags = |column: &&ScanColumn| indexed.numbers(column).is_none();
    let from_tags: Vec<&ScanColumn> = columns.iter().filter(is_from_tags).collect();
    let rows = Rows {
        table: block.with(|open| table(open, &block, &from_tags, &records))?,
        texts: block.with(|open| Texts::read(open, &block.records, known, columns, &records))?,
        moves,
        indexed,
        block,
        games,
        records,
    };
    let mut annotations = rows.annotations(columns)?;
    let columns: Result<Vec<_>> = columns
        .iter()
        .map(|column| rows.column(column, &mut annotations))
        .collect();
    let games = rows.games.into_iter().map(GameNumber::get).collect();
    Ok(Batch::new(games, columns?))
}

/// The tags of a block that the columns are read from. `records` are those of the rows.
fn table(
    open: &Block,
    block: &LoadedBlock,
    columns: &[&ScanColumn],
    records: &[usize],
) -> Result<Table> {
    let names: Vec<&str> = columns.iter().flat_map(|column| column.tags()).collect();
    let wants_all = columns.contains(&&ScanColumn::OtherTags);
    let mut table = open.table(&block.records, (!wants_all).then_some(&names))?;
    if wants_all || openings::TAGS.iter().any(|tag| names.contains(tag)) {
        let is_row = |record: usize| records.binary_search(&record).is_ok();
        open.fill_openings(&block.records, &mut table, is_row)?;
    }
    Ok(table)
}

/// The rows of a batch and the tags of their block.
struct Rows {
    block: Shared,
    table: Table,
    texts: Texts,
    /// The moves of the rows, if a column needs them and they are not those of all games of the
    /// block.
    moves: Option<MoveLists>,
    /// What an index has of all games of the block.
    indexed: Indexed,
    /// The number of each row's game, and its record.
    games: Vec<GameNumber>,
    records: Vec<usize>,
}

impl Rows {
    /// A column. Those of annotations are taken out of `annotations`, unless they are requested
    /// again.
    fn column(&self, column: &ScanColumn, annotations: &mut Annotations) -> Result<ColumnData> {
        let indexed = self
            .indexed
            .numbers(column)
            .filter(|_| *column != ScanColumn::Plies);
        if let Some(data) = indexed.and_then(|numbers| data_of(column, self.of_rows(numbers))) {
            return Ok(data);
        }
        Ok(match column {
            ScanColumn::Number => {
                ColumnData::Number(self.games.iter().map(|game| game.get()).collect())
            }
            ScanColumn::Plies => ColumnData::Plies(self.plies()?),
            ScanColumn::WhiteElo | ScanColumn::BlackElo => {
                ColumnData::Rating(self.values(column, 0, read_rating)?)
            }
            ScanColumn::Date => ColumnData::Date(self.values(column, Date::NONE, Date::read)?),
            ScanColumn::Time => ColumnData::Time(self.values(column, 0, read_time)?),
            ScanColumn::Result => {
                let results = self.block.with(|open| {
                    results::of_records(open, &self.block.records, &self.table, &self.records)
                })?;
                let mut values = Values::default();
                for result in results {
                    values.push(result, GameResult::Unknown);
                }
                ColumnData::Result(values)
            }
            ScanColumn::Eco => ColumnData::Eco(self.values(column, Eco::A00, Eco::read)?),
            ScanColumn::WhiteRatingDiff | ScanColumn::BlackRatingDiff => {
                ColumnData::Difference(self.values(column, 0, read_difference)?)
            }
            ScanColumn::LocalDate | ScanColumn::UtcDate => {
                ColumnData::Days(self.values(column, 0, days::read)?)
            }
            ScanColumn::UtcTime => ColumnData::Time(self.values(column, 0, read_time)?),
            ScanColumn::Moves => ColumnData::Moves(self.moves()?),
            ScanColumn::Clocks => ColumnData::Decimals(annotations.clocks.clone()),
            ScanColumn::Evals => ColumnData::Decimals(annotations.evals.clone()),
            ScanColumn::Mates => ColumnData::Mates(annotations.mates.clone()),
            ScanColumn::Comments => ColumnData::Comments(annotations.comments.clone()),
            ScanColumn::Signature => ColumnData::Strings(self.signatures()?),
            ScanColumn::OtherTags => ColumnData::Tags(self.other_tags()?),
            ScanColumn::File => ColumnData::Text(self.file()?),
            ScanColumn::Movetext => ColumnData::Strings(self.strings(texts::movetext)?),
            ScanColumn::Pgn => ColumnData::Strings(self.strings(|pgn, _| pgn)?),
            ScanColumn::White
            | ScanColumn::Black
            | ScanColumn::Opening
            | ScanColumn::TimeControl
            | ScanColumn::Event
            | ScanColumn::Site
            | ScanColumn::Termination
            | ScanColumn::Tag(_) => ColumnData::Text(self.text(column)?),
        })
    }

    /// The values of a column that are read from those of its tags. `null` takes the place of those
    /// that are missing.
    fn values<T: Copy>(
        &self,
        column: &ScanColumn,
        null: T,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<Values<T>> {
        let tags: Vec<(&str, u16)> = column
            .tags()
            .into_iter()
            .filter_map(|name| Some((name, self.table.tag(name.as_bytes())?)))
            .collect();
        let mut values = Values::default();
        for row in 0..self.games.len() {
            let mut found = None;
            for &(name, tag) in &tags {
                found = self.value(row, name, tag)?.and_then(|value| read(&value));
                if found.is_some() {
                    break;
                }
            }
            values.push(found, null);
        }
        Ok(values)
    }

    /// The values of a text column, without escapes.
    fn text(&self, column: &ScanColumn) -> Result<text::TextColumn> {
        let name = column.name();
        let tag = self.table.tag(name.as_bytes());
        let mut builder = text::Builder::new(self.games.len());
        for (row, &record) in self.records.iter().enumerate() {
            let Some(tag) = tag.filter(|&tag| self.table.span(tag, record).is_present()) else {
                builder.push_null();
                continue;
            };
            match self.table.value(tag, record) {
                Some(value) => builder.push_span(self.table.span(tag, record), value)?,
                None => match self.derived(row, name)? {
                    Some(value) => builder.push(&value)?,
                    None => builder.push_null(),
                },
            }
        }
        Ok(builder.finish())
    }

    /// The name of the packed file.
    fn file(&self) -> Result<text::TextColumn> {
        let names = self.games.iter().map(|&game| {
            let name = &self.block.source_of_game(game).name[..];
            (!name.is_empty()).then_some(name)
        });
        text::Builder::raw(names)
    }

    /// The value of a tag in a row.
    fn value(&self, row: usize, name: &str, tag: u16) -> Result<Option<Cow<'_, [u8]>>> {
        let record = self.records[row];
        match self.table.value(tag, record) {
            Some(value) => Ok(Some(Cow::Borrowed(value))),
            None if !self.table.span(tag, record).is_present() => Ok(None),
            None => Ok(self.derived(row, name)?.map(Cow::Owned)),
        }
    }

    /// The value of a tag that the table leaves out, because it follows from all moves of the game.
    fn derived(&self, row: usize, name: &str) -> Result<Option<Vec<u8>>> {
        let game = Game::new(self.block.clone(), self.records[row], self.games[row]);
        Ok(game.tag_bytes(name)?.map(<[u8]>::to_vec))
    }

    /// The moves of the rows.
    fn lists(&self) -> Result<&MoveLists> {
        match &self.moves {
            Some(lists) => Ok(lists),
            None => self.block.all_moves(),
        }
    }

    /// The annotations of all rows, if the columns have any.
    fn annotations(&self, columns: &[ScanColumn]) -> Result<Annotations> {
        let mut annotations = Annotations::default();
        if !columns.iter().any(texts::is_annotation) {
            return Ok(annotations);
        }
        for row in 0..self.games.len() {
            match self.texts.annotated(row) {
                Some(pgn) => annotations.push(pgn)?,
                None => annotations.push_none()?,
            }
        }
        Ok(annotations)
    }

    fn signatures(&self) -> Result<Strings> {
        let all = self.block.signatures()?;
        let first = self.block.first_game();
        let mut strings = Strings::default();
        for &game in &self.games {
            let missing = || Error::corrupt("a block lacks the signature of a game");
            let signature = all
                .get((game.index() - first) as usize)
                .ok_or_else(missing)?;
            let (a, b) = (format_a(signature), format_b(signature));
            strings.push(format!("A={a} B={b}").as_bytes())?;
        }
        Ok(strings)
    }

    /// A part of the text of each row.
    fn strings(
        &self,
        part: impl for<'t> Fn(&'t [u8], &mut Vec<Tag>) -> &'t [u8],
    ) -> Result<Strings> {
        let mut strings = Strings::default();
        let mut room = Vec::new();
        for row in 0..self.games.len() {
            strings.push(part(self.texts.of(row).unwrap_or_default(), &mut room))?;
        }
        Ok(strings)
    }

    fn other_tags(&self) -> Result<Lists<TagPairs>> {
        let mut tags = OtherTags::default();
        let names = (0..).zip(&self.table.names);
        let repeated: Vec<bool> = names
            .map(|(tag, name)| self.table.tag(name) != Some(tag))
            .collect();
        for (row, &record) in self.records.iter().enumerate() {
            for &tag in self.block.records.tags(record) {
                let name = &self.table.names[usize::from(tag)];
                let value = match self.table.value(tag, record) {
                    Some(value) => Some(Cow::Borrowed(value)),
                    None => self.derived(row, &decode_text(name))?.map(Cow::Owned),
                };
                if let Some(value) = value {
                    tags.add(name, &unescape(&value), repeated[usize::from(tag)])?;
                }
            }
            tags.end_row()?;
        }
        Ok(tags.lists)
    }

    /// Those of the numbers of all games of the block that are numbers of the rows.
    fn of_rows<'n>(&'n self, numbers: &'n [Option<u32>]) -> impl Iterator<Item = Option<u32>> {
        let first = self.block.first_game();
        let place = move |game: &GameNumber| (game.index() - first) as usize;
        let places = self.games.iter().map(place);
        places.map(|place| numbers.get(place).copied().flatten())
    }

    fn plies(&self) -> Result<Values<u32>> {
        let mut values = Values::default();
        if let Some(known) = self.indexed.numbers(&ScanColumn::Plies) {
            let is_chess = self.block.with(|open| Ok(open.kind() == Kind::Chess))?;
            for (plies, &record) in self.of_rows(known).zip(&self.records) {
                let plies = match plies {
                    // The index has no plies of games without moves, nor of those that are kept as
                    // text.
                    None if is_chess && self.block.starts()?.of(record).is_some() => Some(0),
                    plies => plies,
                };
                values.push(plies, 0);
            }
            return Ok(values);
        }
        let lists = self.lists()?;
        for &record in &self.records {
            values.push(lists.of(record).map(|moves| moves.len() as u32), 0);
        }
        Ok(values)
    }

    fn moves(&self) -> Result<Lists<Vec<u16>>> {
        let moves = self.lists()?;
        let variant = self.table.tag(b"Variant");
        let mut lists = Lists::<Vec<u16>>::default();
        for &record in &self.records {
            let moves = moves.of(record);
            if let (Some(moves), Some(start)) = (moves, self.block.start(record)?) {
                let variant = variant.and_then(|tag| self.table.value(tag, record));
                let is_chess960 = variant.is_some_and(is_chess960);
                push_codes(start, is_chess960, moves, lists.items_mut());
            }
            lists.end_row(lists.items().len(), moves.is_some())?;
        }
        Ok(lists)
    }
}
