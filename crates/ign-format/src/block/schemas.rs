//! The schemas column: which tags each record has, in what order, how they are written, whether the
//! record has moves, and where it has null moves (spec §4.1.1).
//!
//! Tag lists are numbered as they first appear; [`Schemas`] predicts each record's list from the
//! one before it. The same code encodes and decodes.

use rustc_hash::FxHashMap;

use crate::{
    container::{MAX_PLIES, MAX_TAG_NAMES},
    error::{Error, Result},
    pgn::line_end::LineEnd,
};
use ign_entropy::adaptive::{Bit, BitTree, Coder, Encoder, Number};

/// The schema of a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Schema {
    /// Number of its tag list, see [`Schemas::tags`].
    pub list: u32,
    /// Line end of its tag lines and of wrapped movetext.
    pub line_end: LineEnd,
    /// How its tags are written: 0 for the standard form, otherwise 1 + the number of a template.
    pub section: u32,
    /// Whether it has moves.
    pub moves: bool,
}

/// Model of the plies of null moves.
#[derive(Debug, Default)]
struct NullModel {
    /// Whether a record with moves has null moves, by whether the last such record had.
    has: [Bit; 2],
    had: bool,
    count: Number<4>,
    /// The number of moves before the first null move, and between two of them.
    distance: [Number<7>; 2],
    /// The plies of the last record.
    plies: Vec<u32>,
}

impl NullModel {
    /// Codes the plies of a record with moves: encodes `given`, or decodes and keeps them.
    fn code(&mut self, coder: &mut impl Coder, given: &[u32]) -> Result<()> {
        self.plies.clear();
        self.had = coder.bit(&mut self.has[usize::from(self.had)], !given.is_empty());
        if !self.had {
            return Ok(());
        }
        let wrong = || Error::corrupt("a record has impossible null moves");
        let more = self.count.code(coder, given.len().saturating_sub(1) as u64);
        if more >= MAX_PLIES as u64 {
            return Err(wrong());
        }
        let mut next = 0;
        for i in 0..=more as usize {
            let ply = given.get(i).copied().unwrap_or(next);
            let distance = self.distance[usize::from(i > 0)].code(coder, u64::from(ply - next));
            if distance >= MAX_PLIES as u64 - u64::from(next) {
                return Err(wrong());
            }
            self.plies.push(next + distance as u32);
            next += distance as u32 + 1;
        }
        Ok(())
    }
}

/// The tag lists of a block, and the adaptive model of the schemas.
#[derive(Debug, Default)]
pub struct Schemas {
    lists: Vec<Vec<u16>>,
    /// The number of each list.
    numbers: FxHashMap<Vec<u16>, u32>,
    /// For each list the different list that last followed it; its own number until one does.
    next: Vec<u32>,
    before: Schema,
    /// Whether list, line end and section equal those of the record before, by whether they did
    /// there.
    same: [Bit; 2],
    was_same: bool,
    same_list: Bit,
    as_next: Bit,
    new: Bit,
    number: Number<12>,
    len: Number<3>,
    /// Whether a tag follows the one before it as in the last list that contained that one.
    as_follower: Bit,
    /// At 0 the last first tag, at `t + 1` the tag that last followed tag `t`.
    followers: Vec<u16>,
    tag: Number<12>,
    other_line_end: Bit,
    line_end: BitTree<2>,
    other_section: Bit,
    section: Number<12>,
    /// Number of templates so far.
    templates: u32,
    /// Whether the record has moves, by whether the one before had.
    moves: [Bit; 2],
    nulls: NullModel,
}

impl Schemas {
    /// The tags of a list.
    pub fn tags(&self, list: u32) -> &[u16] {
        &self.lists[list as usize]
    }

    /// The number of this tag list; for a new list the next free number.
    pub fn number(&self, tags: &[u16]) -> u32 {
        let before = self.lists.get(self.before.list as usize);
        if before.is_some_and(|list| list == tags) {
            return self.before.list;
        }
        let next = self.lists.len() as u32;
        self.numbers.get(tags).copied().unwrap_or(next)
    }

    /// Number of the templates of sections that the records so far have.
    pub fn templates(&self) -> u32 {
        self.templates
    }

    /// The plies of the null moves of the last record.
    pub fn nulls(&self) -> &[u32] {
        &self.nulls.plies
    }

    /// Codes the next record's schema: encodes `given`, or decodes and returns it. For a new list
    /// the `tags` are coded too; `names` is the number of tag names. The plies of the null moves
    /// are encoded from `nulls`, and kept ([`nulls`](Self::nulls)).
    ///
    /// # Errors
    /// Corrupt when a decoded number exceeds its limit.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        given: Schema,
        tags: &[u16],
        names: usize,
        nulls: &[u32],
    ) -> Result<Schema> {
        let before = self.before;
        let same_moves = Schema {
            moves: before.moves,
            ..given
        };
        let is_same = same_moves == before;
        let same = &mut self.same[usize::from(self.was_same)];
        self.was_same = !self.lists.is_empty() && coder.bit(same, is_same);
        if !self.was_same {
            self.before.list = self.code_number(coder, given.list, tags, names)?;
            self.before.line_end = self.code_line_end(coder, given.line_end)?;
            self.before.section = self.code_section(coder, given.section)?;
        }
        let moves = &mut self.moves[usize::from(before.moves)];
        self.before.moves = coder.bit(moves, given.moves);
        self.nulls.plies.clear();
        if self.before.moves {
            self.nulls.code(coder, nulls)?;
        }
        Ok(self.before)
    }

    fn code_number(
        &mut self,
        coder: &mut impl Coder,
        given: u32,
        tags: &[u16],
        names: usize,
    ) -> Result<u32> {
        let known = self.lists.len() as u32;
        if known > 0 && coder.bit(&mut self.same_list, given == self.before.list) {
            return Ok(self.before.list);
        }
        let before = self.before.list as usize;
        let next = self.next.get(before).copied().unwrap_or(0);
        if next as usize != before && coder.bit(&mut self.as_next, given == next) {
            return Ok(next);
        }
        let list = if coder.bit(&mut self.new, given == known) {
            let list = self.code_list(coder, tags, names)?;
            self.numbers.insert(list.clone(), known);
            self.lists.push(list);
            self.next.push(known);
            known
        } else {
            let number = self.number.code(coder, u64::from(given));
            u32::try_from(number)
                .ok()
                .filter(|&list| list < known)
                .ok_or_else(|| Error::corrupt("a record has an unknown tag list"))?
        };
        self.next[before] = list;
        Ok(list)
    }

    fn code_line_end(&mut self, coder: &mut impl Coder, given: LineEnd) -> Result<LineEnd> {
        let before = self.before.line_end;
        if !coder.bit(&mut self.other_line_end, given != before) {
            return Ok(before);
        }
        let number = self.line_end.code(coder, given as u32) as usize;
        let end = LineEnd::ALL.get(number).copied();
        end.ok_or_else(|| Error::corrupt("a record has an unknown line ending"))
    }

    fn code_section(&mut self, coder: &mut impl Coder, given: u32) -> Result<u32> {
        let before = self.before.section;
        if !coder.bit(&mut self.other_section, given != before) {
            return Ok(before);
        }
        let next = self.templates + 1;
        let section = self.section.code(coder, given.into());
        let section = u32::try_from(section)
            .ok()
            .filter(|&section| section <= next)
            .ok_or_else(|| Error::corrupt("a record has an unknown tag section"))?;
        self.templates = self.templates.max(section);
        Ok(section)
    }

    fn code_list(
        &mut self,
        coder: &mut impl Coder,
        tags: &[u16],
        names: usize,
    ) -> Result<Vec<u16>> {
        let wrong = || Error::corrupt("a record has an impossible tag list");
        let len = self.len.code(coder, tags.len() as u64);
        if len > names as u64 {
            return Err(wrong());
        }
        let mut list = Vec::with_capacity(len as usize);
        let mut taken = vec![false; names];
        if self.followers.is_empty() {
            // Tags are numbered by first appearance.
            self.followers = (0..=names as u16).collect();
        }
        let mut place = 0;
        for i in 0..len as usize {
            let given = tags.get(i).copied().unwrap_or(0);
            let follower = self.followers[place];
            let is_free = taken.get(usize::from(follower)) != Some(&true);
            let tag = if is_free && coder.bit(&mut self.as_follower, given == follower) {
                follower.into()
            } else {
                self.tag.code(coder, given.into()) as usize
            };
            let free = taken.get_mut(tag).filter(|taken| !**taken);
            *free.ok_or_else(wrong)? = true;
            self.followers[place] = tag as u16;
            place = tag + 1;
            list.push(tag as u16);
        }
        Ok(list)
    }
}

/// Encodes the schemas column, record by record.
#[derive(Debug, Default)]
pub struct SchemaEncoder {
    schemas: Schemas,
    coder: Encoder,
}

impl SchemaEncoder {
    /// Adds a record with these tags and this schema, whose list is not yet known, and with null
    /// moves at these plies; returns the number of the list.
    ///
    /// # Errors
    /// Internal.
    pub fn push(&mut self, tags: &[u16], mut schema: Schema, nulls: &[u32]) -> Result<u32> {
        schema.list = self.schemas.number(tags);
        // The number of tag names, which the decoder knows, only limits decoded numbers.
        let names = MAX_TAG_NAMES as usize;
        self.schemas
            .code(&mut self.coder, schema, tags, names, nulls)?;
        Ok(schema.list)
    }

    /// The column.
    pub fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_entropy::adaptive::Decoder;

    #[test]
    fn round_trips_schemas() {
        let lists: [&[u16]; 3] = [&[0, 1, 2], &[], &[2, 0]];
        let rows = [
            (0, 0, true),
            (0, 0, true),
            (1, 1, false),
            (1, 1, true),
            (2, 2, true),
            (2, 2, false),
            (0, 0, true),
            (1, 0, false),
        ];
        let nulls: [&[u32]; 8] = [&[], &[0], &[], &[3, 4, 65_535], &[], &[], &[9], &[]];
        let schema = |&(list, end, moves): &(u32, usize, bool)| Schema {
            list,
            line_end: LineEnd::ALL[end],
            section: list.min(1),
            moves,
        };
        let mut coder = Encoder::new();
        let mut schemas = Schemas::default();
        for (row, nulls) in rows.iter().zip(nulls) {
            let tags = lists[row.0 as usize];
            assert_eq!(schemas.number(tags), row.0);
            schemas
                .code(&mut coder, schema(row), tags, 3, nulls)
                .unwrap();
        }
        let bytes = coder.finish();
        let mut coder = Decoder::new(&bytes);
        let mut schemas = Schemas::default();
        for (row, nulls) in rows.iter().zip(nulls) {
            let decoded = schemas
                .code(&mut coder, Schema::default(), &[], 3, &[])
                .unwrap();
            assert_eq!(decoded, schema(row));
            assert_eq!(schemas.nulls(), nulls);
            assert_eq!(schemas.tags(decoded.list), lists[row.0 as usize]);
        }
    }

    #[test]
    fn rejects_null_moves_beyond_the_greatest_length_of_a_game() {
        // The number of null moves less one, and their distances.
        for (count, distances) in [
            (0, &[65_536][..]),
            (65_536, &[]),
            (i64::MAX as u64, &[]),
            (1, &[65_535, 0]),
            (1, &[3, 65_532]),
            (0, &[i64::MAX as u64]),
        ] {
            let mut coder = Encoder::new();
            let mut model = NullModel::default();
            coder.bit(&mut model.has[0], true);
            model.count.code(&mut coder, count);
            for (i, &distance) in distances.iter().enumerate() {
                model.distance[usize::from(i > 0)].code(&mut coder, distance);
            }
            let bytes = coder.finish();
            let read = NullModel::default().code(&mut Decoder::new(&bytes), &[]);
            assert!(read.is_err(), "{count} {distances:?}");
        }
    }
}
