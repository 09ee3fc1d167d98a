//! The games of a block that meet the conditions of a plan.
//!
//! The conditions are evaluated in stages: the signature, each condition on tags, the first moves,
//! whether signatures decide the number of plies, whether unmoved pawns exclude the positions, the
//! other conditions on moves in one replay, the ending, comments. Excluded queries are evaluated in
//! the same way, before or after. A stage decodes only the columns that it names, and as far as the
//! format allows only for the games that the stages before it have left.

use std::collections::BTreeSet;

use ign_format::{
    block::{
        Fixed,
        decode::{Block, Records},
        opening_prefix::OpeningPrefix,
        starts::Starts,
    },
    columns::{Codec, Span, Table, openings},
    error::Result,
    pgn::tags::{self, TagReader},
};
use rustc_hash::FxHashMap;

use super::signature;
use crate::{
    archive::Archive,
    opened::OpenBlock,
    plan::{
        Contents, Plan, Property, Replay, Stage, TagCondition, Test, Value, Wanted, has,
        last_positions, lengths, unmoved,
    },
    query::Query,
    results::{self, each_text},
    sources::Piece,
    values::{Ending, FilePattern, GameResult, PositionFilter, Ranges, Termination},
};

/// Games that match a query.
pub(crate) struct Matching {
    /// Their numbers, ascending: within the block, from 0, where nothing else is said.
    pub games: Vec<u64>,
    /// What each stage read. Every block has the same stages for the same query.
    pub stages: Vec<Stage>,
}

/// The games of a block, numbered from 0, that meet the conditions of a plan. With `candidates`,
/// which must be ascending, only these games are considered.
///
/// # Errors
/// Those of the source; corrupt; unsupported when another move model coded the moves.
pub(crate) fn matching(
    archive: &Archive,
    number: usize,
    plan: &Plan,
    candidates: Option<&[u64]>,
) -> Result<Matching> {
    let candidates = candidates.map(<[u64]>::to_vec);
    archive.in_block(number, || {
        if plan.excluded.is_empty() {
            evaluate(archive, number, plan, candidates)
        } else {
            without_excluded(archive, number, plan, candidates)
        }
    })
}

/// The games that meet the conditions of a plan and match none of its excluded queries. Queries on
/// moves are evaluated last.
fn without_excluded(
    archive: &Archive,
    number: usize,
    plan: &Plan,
    candidates: Option<Vec<u64>>,
) -> Result<Matching> {
    let (late, early): (Vec<_>, Vec<_>) =
        plan.excluded.iter().partition(|query| query.needs_moves());
    let all = || (0..archive.blocks()[number].games).collect();
    let mut left = candidates.unwrap_or_else(all);
    let mut stages = Vec::new();
    for query in early {
        exclude(archive, number, query, &mut left, &mut stages)?;
    }
    let mut matching = evaluate(archive, number, plan, Some(left))?;
    stages.append(&mut matching.stages);
    for query in late {
        exclude(archive, number, query, &mut matching.games, &mut stages)?;
    }
    Ok(Matching {
        games: matching.games,
        stages,
    })
}

/// Removes the games that match a query, and adds a stage.
fn exclude(
    archive: &Archive,
    number: usize,
    query: &Query,
    left: &mut Vec<u64>,
    stages: &mut Vec<Stage>,
) -> Result<()> {
    let matching = matching(archive, number, &query.plan(), Some(left))?;
    left.retain(|game| matching.games.binary_search(game).is_err());
    let names: Vec<&str> = query.conditions().map(|condition| condition.name).collect();
    let sources: Vec<&str> = matching.stages.iter().map(|stage| &*stage.reads).collect();
    stages.push(stage(
        format!("exclude {}", names.join(", ")),
        sources.join(", "),
        matching.stages.iter().map(|stage| stage.bytes).sum(),
        left.len() as u64,
    ));
    Ok(())
}

/// The games of a block that are in files of this name, of those that are left; `None` for all.
fn of_files(
    archive: &Archive,
    number: usize,
    pattern: &FilePattern,
    left: Option<Vec<u64>>,
) -> Option<Vec<u64>> {
    let block = Piece::of_block(&archive.blocks()[number]);
    let first = block.games.start;
    let sources = archive.places().within(&block);
    let (matching, others): (Vec<_>, Vec<_>) =
        sources.partition(|(source, _)| pattern.matches(&archive.sources()[*source]));
    if others.is_empty() {
        return left;
    }
    let games = |piece: Piece| piece.games.start - first..piece.games.end - first;
    let ranges = matching.into_iter().map(|(_, piece)| games(piece));
    Some(match left {
        None => ranges.flatten().collect(),
        Some(left) => {
            let from = |at| left.partition_point(|&game| game < at);
            ranges
                .flat_map(|range| left[from(range.start)..from(range.end)].to_vec())
                .collect()
        }
    })
}

fn evaluate(
    archive: &Archive,
    number: usize,
    plan: &Plan,
    mut left: Option<Vec<u64>>,
) -> Result<Matching> {
    let games = archive.blocks()[number].games;
    let mut stages = Vec::new();
    // The files of the query itself are decided before blocks are read.
    if let Some(pattern) = plan.file {
        left = of_files(archive, number, pattern, left);
        let games = left.as_ref().map_or(games, |left| left.len() as u64);
        stages.push(stage("file", "names of files", 0, games));
    }
    if let Some(wanted) = plan.signature {
        let mut bytes = 0;
        if left.as_ref().is_none_or(|left| !left.is_empty()) {
            let (mut found, read) = signature::find(archive, number, wanted)?;
            bytes = read;
            if let Some(left) = &left {
                found.retain(|game| left.binary_search(game).is_ok());
            }
            left = Some(found);
        }
        let games = left.as_ref().map_or(games, |left| left.len() as u64);
        stages.push(stage("signature", "signatures", bytes, games));
    }
    // Without games left nothing is read, but the stages are listed.
    let has_games = games > 0 && left.as_ref().is_none_or(|left| !left.is_empty());
    let open = if has_games {
        Some(archive.open_block(number)?)
    } else {
        None
    };
    let mut evaluation = match &open {
        Some(open) => Evaluation::open(open, left.as_deref())?,
        None => Evaluation::default(),
    };
    evaluation.stages = stages;
    for condition in &plan.tags {
        evaluation.tags(condition)?;
    }
    if let Some(wanted) = plan.results {
        evaluation.results(wanted)?;
    }
    if let Some(opening) = plan.opening {
        evaluation.opening(opening)?;
    }
    let decided = match plan.replay.plies {
        Some(plies) => evaluation.lengths(plies)?,
        None => Vec::new(),
    };
    if plan.replay.positions.first.is_decided_by_unmoved() {
        evaluation.unmoved_pawns(&plan.replay.positions.first)?;
    }
    if !plan.replay.is_empty() {
        let decided = if plan.replay.is_only_plies() {
            decided
        } else {
            Vec::new()
        };
        evaluation.replay(&plan.replay, &decided)?;
    }
    if let Some(wanted) = plan.endings {
        evaluation.endings(wanted)?;
    }
    if let Some(wanted) = plan.not_understood {
        evaluation.not_understood(wanted)?;
    }
    if !plan.comments.is_empty() {
        evaluation.comments(plan.comments)?;
    }
    Ok(Matching {
        games: evaluation.games(),
        stages: evaluation.stages,
    })
}

fn stage(name: impl Into<String>, source: impl Into<String>, bytes: u64, games: u64) -> Stage {
    Stage {
        name: name.into(),
        reads: source.into(),
        bytes,
        games,
    }
}

/// A block while the stages reduce its games.
#[derive(Default)]
struct Evaluation<'b> {
    /// `None` if there was nothing to read.
    block: Option<(Block<'b>, &'b Records)>,
    /// For each record whether it is a game that meets the conditions so far.
    left: Vec<bool>,
    /// The tags decoded so far.
    table: Option<Table>,
    /// The columns that were read, by their places in the directory.
    read: BTreeSet<usize>,
    stages: Vec<Stage>,
}

impl<'b> Evaluation<'b> {
    fn open(open: &'b OpenBlock, candidates: Option<&[u64]>) -> Result<Self> {
        let block = open.block()?;
        let records = &*open.records;
        let mut left = vec![false; records.len()];
        let mut candidates = candidates.map(|games| games.iter().peekable());
        for (game, record) in (0..).zip(records.games()) {
            left[record] = match &mut candidates {
                Some(candidates) => candidates.next_if(|&&c| c == game).is_some(),
                None => true,
            };
        }
        Ok(Self {
            left,
            block: Some((block, records)),
            ..Self::default()
        })
    }

    /// The games left, numbered within the block.
    fn games(&self) -> Vec<u64> {
        let Some((_, records)) = &self.block else {
            return Vec::new();
        };
        let games = (0..).zip(records.games());
        let left = games.filter(|&(_, record)| self.left[record]);
        left.map(|(game, _)| game).collect()
    }

    /// Runs a stage, if games are left: `columns` are those that it reads, `run` returns which of
    /// the records that are left meet its conditions.
    fn stage(
        &mut self,
        name: impl Into<String>,
        source: impl Into<String>,
        columns: impl FnOnce(&Block) -> Vec<usize>,
        run: impl FnOnce(&Block, &Records, &[bool]) -> Result<Vec<bool>>,
    ) -> Result<()> {
        let mut bytes = 0;
        if let Some((block, records)) = &self.block
            && self.left.contains(&true)
        {
            for column in columns(block) {
                if self.read.insert(column) {
                    let streams = &block.head().columns[column].streams;
                    bytes += streams.iter().map(|s| s.stored_len() as u64).sum::<u64>();
                }
            }
            self.left = run(block, records, &self.left)?;
        }
        let games = self.left.iter().filter(|&&left| left).count();
        self.stages.push(stage(name, source, bytes, games as u64));
        Ok(())
    }

    fn tags(&mut self, condition: &TagCondition) -> Result<()> {
        let columns = |block: &Block| {
            let mut columns = block.tag_columns(&condition.tags);
            let derives = columns
                .iter()
                .any(|&place| block.head().columns[place].codec == Codec::Openings as u8);
            if derives {
                columns.extend(moves_columns(block));
            }
            columns
        };
        let source = condition.tags.join(", ");
        let mut tables = self.table.take();
        self.stage(condition.name, source, columns, |block, records, left| {
            let mut table = table_of(block, records, tables.take(), left, &condition.tags)?;
            let is_opening = |tag: &&str| openings::TAGS.contains(tag);
            if condition.tags.iter().any(is_opening) {
                block.fill_openings(records, &mut table, |row| left.get(row) == Some(&true))?;
            }
            let verdicts = Verdicts::new(condition, block, &table);
            let meets = verdicts.of_rows(block, records, left)?;
            tables = Some(table);
            Ok(meets)
        })?;
        self.table = tables;
        Ok(())
    }

    fn results(&mut self, wanted: &[GameResult]) -> Result<()> {
        const TAGS: [&str; 1] = ["Result"];
        let columns = |block: &Block| block.tag_columns(&TAGS);
        let mut tables = self.table.take();
        self.stage("result", TAGS[0], columns, |block, records, left| {
            let table = table_of(block, records, tables.take(), left, &TAGS)?;
            let rows: Vec<usize> = (0..left.len()).filter(|&row| left[row]).collect();
            let results = results::of_records(block, records, &table, &rows)?;
            let mut meets = vec![false; left.len()];
            for (row, result) in rows.into_iter().zip(results) {
                meets[row] = result.is_some_and(|result| wanted.contains(&result));
            }
            tables = Some(table);
            Ok(meets)
        })?;
        self.table = tables;
        Ok(())
    }

    fn opening(&mut self, opening: &OpeningPrefix) -> Result<()> {
        self.stage("opening", "moves", moves_columns, |block, records, left| {
            let mut meets = vec![false; left.len()];
            for record in block.games_with_prefix(records, opening)? {
                meets[record] = left[record];
            }
            Ok(meets)
        })
    }

    fn unmoved_pawns(&mut self, positions: &PositionFilter) -> Result<()> {
        let reads = unmoved::is_worth_reading(positions, &self.left);
        let columns = |block: &Block| {
            if reads {
                unmoved::columns(block)
            } else {
                Vec::new()
            }
        };
        let source = Fixed::Pawns.name();
        self.stage("positions", source, columns, |block, records, left| {
            if reads {
                unmoved::not_excluded(positions, block, records, left)
            } else {
                Ok(left.to_vec())
            }
        })
    }

    /// Keeps the games that may have such a number of plies by their signatures. Returns for each
    /// record whether it has one by its signature.
    fn lengths(&mut self, plies: &Ranges<u32>) -> Result<Vec<bool>> {
        let mut has = Vec::new();
        let source = Fixed::Signatures.name();
        self.stage("plies", source, lengths::columns, |block, records, left| {
            let decided = lengths::decided(plies, block, records, left)?;
            has = decided.has;
            Ok(decided.may)
        })?;
        Ok(has)
    }

    /// Replays the games that are left, except those that are `decided` to meet the conditions.
    fn replay(&mut self, replay: &Replay, decided: &[bool]) -> Result<()> {
        let is_decided = |record: usize| decided.get(record) == Some(&true);
        let games = self.left.iter().enumerate();
        let open: Vec<bool> = games
            .map(|(record, &left)| left && !is_decided(record))
            .collect();
        let is_open = open.contains(&true);
        let columns = |block: &Block| {
            if is_open {
                moves_columns(block)
            } else {
                Vec::new()
            }
        };
        self.stage(replay.names(), "moves", columns, |block, records, _| {
            if !is_open {
                return Ok(decided.to_vec());
            }
            let mut meets = replay.matching(block, records, &open)?;
            let all = meets.iter_mut().enumerate();
            all.for_each(|(record, meets)| *meets |= is_decided(record));
            Ok(meets)
        })
    }

    fn endings(&mut self, wanted: &[Ending]) -> Result<()> {
        const TAGS: [&str; 2] = ["Result", "Termination"];
        let columns = |block: &Block| {
            let mut columns = block.tag_columns(&TAGS);
            columns.extend(moves_columns(block));
            columns
        };
        let mut tables = self.table.take();
        let source = "Result, Termination, moves";
        self.stage("ending", source, columns, |block, records, left| {
            let table = table_of(block, records, tables.take(), left, &TAGS)?;
            let mut meets = vec![false; left.len()];
            let terminations = terminations(block, records, &table, left)?;
            let allows = |row: usize| wanted.iter().any(|&e| terminations[row].allows(e));
            let open: Vec<bool> = (0..left.len())
                .map(|row| left[row] && allows(row))
                .collect();
            let rows: Vec<usize> = (0..left.len()).filter(|&row| open[row]).collect();
            let results = results::of_records(block, records, &table, &rows)?;
            let lasts = last_positions(block, records, &open, wanted)?;
            for (row, result) in rows.into_iter().zip(results) {
                let ending = terminations[row].ending(result, lasts[row]);
                meets[row] = ending.is_some_and(|ending| wanted.contains(&ending));
            }
            tables = Some(table);
            Ok(meets)
        })?;
        self.table = tables;
        Ok(())
    }

    fn not_understood(&mut self, wanted: bool) -> Result<()> {
        let columns = |block: &Block| {
            let fixed =
                [Fixed::Layout, Fixed::Text].map(|fixed| block.head().column_index(fixed as u8));
            fixed.into_iter().flatten().collect()
        };
        let run = |block: &Block, records: &Records, left: &[bool]| {
            if block.head().not_understood.total() == 0 {
                return Ok(left.iter().map(|&left| left && !wanted).collect());
            }
            let reasons = block.not_understood(records)?;
            let games = left.iter().zip(reasons);
            Ok(games
                .map(|(&left, reason)| left && reason.is_some() == wanted)
                .collect())
        };
        self.stage("not_understood", "layout", columns, run)
    }

    fn comments(&mut self, wanted: Wanted) -> Result<()> {
        let columns = |block: &Block| (0..block.head().columns.len()).collect();
        self.stage(wanted.names(), "text", columns, |block, records, left| {
            let without = wanted.matches(Contents::default());
            let mut meets: Vec<bool> = left.iter().map(|&left| left && without).collect();
            // Only these can have comments.
            let annotated = block.annotated(records)?;
            let rows: Vec<bool> = left
                .iter()
                .zip(annotated)
                .map(|(&left, annotated)| left && annotated)
                .collect();
            if !rows.contains(&true) {
                return Ok(meets);
            }
            each_text(block, records, &rows, |row, text| {
                meets[row] = wanted.matches(Contents::of_record(text, wanted));
                Ok(())
            })?;
            Ok(meets)
        })
    }
}

/// The table of a block with these tags of the records that are left. `known` has those that were
/// decoded before.
fn table_of(
    block: &Block,
    records: &Records,
    known: Option<Table>,
    left: &[bool],
    tags: &[&str],
) -> Result<Table> {
    let last = left.iter().rposition(|&left| left);
    let until = last.map_or(0, |last| last + 1);
    let is_wanted = |name: &Vec<u8>| tags.iter().any(|tag| tag.as_bytes() == name);
    let wanted: Vec<bool> = block.head().tag_names.iter().map(is_wanted).collect();
    let mut table = match known {
        Some(table) => table,
        None => block.table_of(records, until, |row| left[row], |_| false)?,
    };
    table.need_only(|row| left[row]);
    block.extend_table(records, &mut table, |tag| wanted[usize::from(tag)])?;
    Ok(table)
}

/// What the Termination tags of the records that are left say. The table has the tag, if the block
/// has it.
fn terminations(
    block: &Block,
    records: &Records,
    table: &Table,
    left: &[bool],
) -> Result<Vec<Termination>> {
    const TAG: &[u8] = b"Termination";
    let mut terminations = vec![Termination::default(); left.len()];
    let Some(tag) = table.tag(TAG) else {
        return Ok(terminations);
    };
    // Values that follow from the end of the game are read from its text.
    let mut in_text = vec![false; left.len()];
    let mut known: FxHashMap<&[u8], Termination> = FxHashMap::default();
    for row in (0..left.len()).filter(|&row| left[row]) {
        match table.value(tag, row) {
            Some(value) => {
                let read = || Termination::read(value);
                terminations[row] = *known.entry(value).or_insert_with(read);
            }
            None => in_text[row] = table.span(tag, row).is_present(),
        }
    }
    if in_text.contains(&true) {
        let mut reader = TagReader::default();
        let mut tags = Vec::new();
        each_text(block, records, &in_text, |row, text| {
            reader.read(text, 0, &mut tags);
            let value = tags::find(text, &tags, TAG);
            terminations[row] = value.map(Termination::read).unwrap_or_default();
            Ok(())
        })?;
    }
    Ok(terminations)
}

/// The columns that a replay reads.
fn moves_columns(block: &Block) -> Vec<usize> {
    let mut columns = block.tag_columns(&Starts::TAGS);
    columns.extend(block.head().column_index(Fixed::Moves as u8));
    columns
}

/// The verdicts of a condition on the values of a table. Equal values are tested once.
struct Verdicts<'t> {
    condition: &'t TagCondition<'t>,
    table: &'t Table,
    /// The number of each tag of the condition, if the block has the tag.
    tags: Vec<Option<u16>>,
    /// For each of them whether equal values have equal spans.
    have_equal_spans: Vec<bool>,
    /// Whether a value has the property, for spans of such tags.
    known: FxHashMap<Span, bool>,
}

impl<'t> Verdicts<'t> {
    fn new(condition: &'t TagCondition<'t>, block: &Block, table: &'t Table) -> Self {
        let number = |tag: &&str| table.tag(tag.as_bytes());
        let tags: Vec<Option<u16>> = condition.tags.iter().map(number).collect();
        let have_equal_spans = |tag: &Option<u16>| {
            let columns = &block.head().columns;
            let column = tag.and_then(|tag| columns.iter().find(|c| c.tags.contains(&tag)));
            let codec = column.and_then(|column| Codec::from_number(column.codec).ok());
            codec.is_some_and(Codec::has_equal_spans)
        };
        Self {
            condition,
            table,
            have_equal_spans: tags.iter().map(have_equal_spans).collect(),
            tags,
            known: FxHashMap::default(),
        }
    }

    /// Which of the records that are left meet the condition.
    fn of_rows(mut self, block: &Block, records: &Records, left: &[bool]) -> Result<Vec<bool>> {
        let mut meets = vec![false; left.len()];
        // Values that follow from the end of the game are read from its text.
        let mut in_text = vec![false; left.len()];
        for row in (0..left.len()).filter(|&row| left[row]) {
            match self.of_row(row) {
                Some(verdict) => meets[row] = verdict,
                None => in_text[row] = true,
            }
        }
        if in_text.contains(&true) {
            let mut reader = TagReader::default();
            let mut tags = Vec::new();
            each_text(block, records, &in_text, |row, text| {
                reader.read(text, 0, &mut tags);
                let value = |name: &&str| -> Value { tags::find(text, &tags, name.as_bytes()) };
                let values: Vec<Value> = self.condition.tags.iter().map(value).collect();
                meets[row] = self.condition.holds(&values);
                Ok(())
            })?;
        }
        Ok(meets)
    }

    /// The verdict on a record; `None` if a value is not in the table.
    fn of_row(&mut self, row: usize) -> Option<bool> {
        let condition = self.condition;
        let mut open = false;
        let verdict = match &condition.test {
            Test::All(test) => (0..self.tags.len()).all(|tag| self.has(tag, row, test, &mut open)),
            Test::Any(test) => (0..self.tags.len()).any(|tag| self.has(tag, row, test, &mut open)),
            Test::Together(test) => {
                let mut values: [Value; MAX_TOGETHER] = [None; MAX_TOGETHER];
                for (value, tag) in values.iter_mut().zip(&self.tags) {
                    let Some(tag) = *tag else { continue };
                    *value = self.table.value(tag, row);
                    open |= value.is_none() && self.table.span(tag, row).is_present();
                }
                test(&values[..self.tags.len().min(MAX_TOGETHER)])
            }
        };
        (!open).then_some(verdict)
    }

    /// Whether the value of a tag has the property; `open` is set if it is not in the table.
    #[inline]
    fn has(&mut self, place: usize, row: usize, test: &Property, open: &mut bool) -> bool {
        let Some(tag) = self.tags[place] else {
            return false;
        };
        let span = self.table.span(tag, row);
        if !span.is_present() {
            return false;
        }
        let has_equal_spans = self.have_equal_spans[place];
        if has_equal_spans && let Some(&known) = self.known.get(&span) {
            return known;
        }
        match self.table.value(tag, row) {
            Some(value) => {
                let has = has(value, test);
                if has_equal_spans {
                    self.known.insert(span, has);
                }
                has
            }
            None => {
                *open = true;
                false
            }
        }
    }
}

/// The greatest number of tags whose values are tested together.
const MAX_TOGETHER: usize = 2;
