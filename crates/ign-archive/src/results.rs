//! The results of games: what the Result tag states, or else the end of the movetext.
//!
//! The tag decides if it states how the game ended. Otherwise the movetext decides, if it does.
//! Only games without such a tag cost more than reading their tag: the layout of their block if
//! some movetext states a result of its own, and the text of a game if only that shows it.

use ign_format::{
    block::decode::{Block, Records, StatedResult},
    columns::{Span, Table},
    error::Result,
    pgn::tags::{self, TagReader},
};

use crate::values::{GameResult, in_movetext, of_word};

/// Distinct values of a block that are read once.
const KNOWN: usize = 8;

/// The result of a game with this Result tag, whose movetext ends with `stated`.
fn of_both(tag: Option<GameResult>, stated: Option<GameResult>) -> Option<GameResult> {
    let is_final = |result: &GameResult| result.is_final();
    tag.filter(is_final)
        .or(stated.filter(is_final))
        .or(tag)
        .or(stated)
}

/// The result of a game with this value of the Result tag; `pgn` returns its text.
///
/// # Errors
/// Those of `pgn`.
pub(crate) fn of_game<'g>(
    tag: Option<&[u8]>,
    pgn: impl FnOnce() -> Result<&'g [u8]>,
) -> Result<Option<GameResult>> {
    let tag = tag.and_then(GameResult::read);
    if tag.is_some_and(GameResult::is_final) {
        return Ok(tag);
    }
    Ok(of_both(tag, in_movetext(pgn()?)))
}

/// The results of some records of a block, which ascend. The table has the Result tag, if the block
/// has it.
///
/// # Errors
/// Corrupt; unsupported when another move model coded the moves.
pub(crate) fn of_records(
    block: &Block,
    records: &Records,
    table: &Table,
    rows: &[usize],
) -> Result<Vec<Option<GameResult>>> {
    let tag = table.tag(b"Result");
    let span = |row: usize| tag.map_or(Span::ABSENT, |tag| table.span(tag, row));
    let value = |row: usize| tag.and_then(|tag| table.value(tag, row));
    // Most equal values have equal spans, and there are few.
    let mut known: Vec<(Span, Option<GameResult>)> = Vec::with_capacity(KNOWN);
    let mut results = Vec::with_capacity(rows.len());
    let mut last_open = None;
    for &row in rows {
        let span = span(row);
        let result = match known.iter().find(|(known, _)| *known == span) {
            Some(&(_, result)) => result,
            None => {
                let result = value(row).and_then(GameResult::read);
                if known.len() < KNOWN {
                    known.push((span, result));
                }
                result
            }
        };
        if !result.is_some_and(GameResult::is_final) {
            last_open = Some(row);
        }
        results.push(result);
    }
    let Some(last_open) = last_open else {
        return Ok(results);
    };
    // A value that the table leaves out follows from the text.
    let is_left_out = |row: usize| value(row).is_none() && span(row).is_present();
    let stated = block.stated_results(last_open + 1)?;
    let mut in_text = vec![false; records.len()];
    for (result, &row) in results.iter_mut().zip(rows) {
        if result.is_some_and(GameResult::is_final) {
            continue;
        }
        match stated.as_ref().map(|stated| stated[row]) {
            _ if is_left_out(row) => in_text[row] = true,
            None | Some(StatedResult::OfTag) => {}
            Some(StatedResult::Other(word)) => *result = of_both(*result, of_word(word)),
            Some(StatedResult::InText) => in_text[row] = true,
        }
    }
    if in_text.contains(&true) {
        let mut reader = TagReader::default();
        let mut tags = Vec::new();
        each_text(block, records, &in_text, |row, text| {
            reader.read(text, 0, &mut tags);
            let value = tags::find(text, &tags, b"Result");
            if let Ok(place) = rows.binary_search(&row) {
                results[place] = of_game(value, || Ok(text))?;
            }
            Ok(())
        })?;
    }
    Ok(results)
}

/// Passes the text of the records that are `wanted` to `look`.
///
/// # Errors
/// As [`of_records`]; those of `look`.
pub(crate) fn each_text(
    block: &Block,
    records: &Records,
    wanted: &[bool],
    mut look: impl FnMut(usize, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut ends = Vec::new();
    let text = block.text_of_some(records, None, |row| wanted[row], |end| ends.push(end))?;
    let rows = (0..wanted.len()).filter(|&row| wanted[row]);
    let mut start = 0;
    for (row, end) in rows.zip(ends) {
        look(row, &text[start..end])?;
        start = end;
    }
    Ok(())
}
