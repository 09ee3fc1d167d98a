//! The comments of a block: templates, and the numbers and moves in them
//! (spec §4.5).
//!
//! [`CommentModel`] codes, in both directions, the comments of one record after
//! the other: for each the template, which nearly always is the one that stood
//! last at the same place of a gap behind the same template; then its fields,
//! numbers by their [`series`], moves from a dictionary. Where comments stand is
//! known from the layout, as far as that tells, and from habit. Where clocks are
//! told the moves help ([`BY_MOVES`]): they say how many gaps there are, and how long
//! they may have taken; but for the first part ([`FIRST_WITHOUT`]). Else that number is coded here, and the comments can be read
//! without the moves. [`parts`] let those of one game be read without most others, and [`copies`]
//! are not coded at all.
//!
//! Templates and moves that appear for the first time are told in a stream of
//! text, each followed by `}`, which neither can hold.

pub mod clock_model;
pub mod copies;
pub mod evals;
pub mod formats;
pub mod move_features;
pub mod parts;
pub mod repeats;
pub mod series;

use rustc_hash::FxHashMap;

use self::{
    clock_model::{Moment, TimeControl},
    evals::Glyph,
    formats::{CLOCK, Field, MAX_VALUE, NUMBER, Scan, WORD, modes, spell, unit, value},
    move_features::MoveFeatures,
    series::{Kind, Place, Series},
};
use super::{
    gaps::Templates,
    layout::{Layout, LayoutModel},
};
use crate::{
    container::MAX_PLIES,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, BitTree, Coder, Number};

/// The switch of a column that is told by the moves too.
pub const BY_MOVES: u8 = 1;

/// The switch of a column of which the first part is told without the moves, whatever the other says.
pub const FIRST_WITHOUT: u8 = 2;

/// How many clocks comments of a text seem to show, counted up to so many.
pub fn count_clocks(text: &[u8], most: usize) -> usize {
    memchr::memmem::find_iter(text, b"%clk ").take(most).count()
}

/// New templates and words, on their way into a stream of text or out of it.
pub trait Strings {
    /// The next new string; one that is being packed is given.
    ///
    /// # Errors
    /// Corrupt when there is none.
    fn next(&mut self, given: &[u8]) -> Result<Vec<u8>>;
}

/// Strings being packed.
impl Strings for Vec<u8> {
    fn next(&mut self, given: &[u8]) -> Result<Vec<u8>> {
        self.extend_from_slice(given);
        self.push(b'}');
        Ok(given.to_vec())
    }
}

/// Strings being unpacked.
impl Strings for &[u8] {
    fn next(&mut self, _: &[u8]) -> Result<Vec<u8>> {
        let end = memchr::memchr(b'}', self)
            .ok_or_else(|| Error::corrupt("the comments column has too few strings"))?;
        let string = self[..end].to_vec();
        *self = &self[end + 1..];
        Ok(string)
    }
}

/// What the comments of a record stand in.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    /// The record's layout.
    pub layout: &'a Layout,
    /// What gaps to expect behind those that the layout tells.
    pub model: &'a LayoutModel,
    /// The templates of the block's gaps.
    pub gaps: &'a Templates,
    /// How the clocks run.
    pub control: TimeControl,
    /// The moves of the game, where the record is told by them.
    pub moves: Option<&'a [MoveFeatures]>,
}

/// Where a comment stands.
#[derive(Clone, Copy)]
struct At<'a> {
    /// Which gap, and which comment in it.
    slot: u32,
    /// The template of the comment before it in the record.
    before: Option<u32>,
    moment: Moment<'a>,
    glyph: Glyph,
}

/// Strings numbered by first appearance.
#[derive(Clone, Default)]
struct Dictionary {
    strings: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
    new: [Bit; 2],
    was_new: bool,
    number: Number<12>,
}

impl Dictionary {
    /// The number of a string; one beyond the known ones when it is new.
    fn find(&self, string: &[u8]) -> u32 {
        let next = self.strings.len() as u32;
        self.numbers.get(string).copied().unwrap_or(next)
    }

    /// Codes a string; gives its number.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        given: &[u8],
        number: u32,
    ) -> Result<u32> {
        let known = self.strings.len() as u32;
        let new = coder.bit(&mut self.new[usize::from(self.was_new)], number == known);
        self.was_new = new;
        if !new {
            let number = self.number.code(coder, u64::from(number));
            return u32::try_from(number)
                .ok()
                .filter(|&n| n < known)
                .ok_or_else(|| Error::corrupt("a comment refers to an unknown string"));
        }
        let string = strings.next(given)?;
        self.numbers.insert(string.clone(), known);
        self.strings.push(string);
        Ok(known)
    }
}

/// Which template stood at a place last, and whether it will again.
#[derive(Clone, Default)]
struct Habit {
    template: u32,
    hit: [Bit; 4],
    hits: usize,
}

/// What is known of a template.
#[derive(Clone, Copy)]
struct Known {
    /// Its first field among the fields of all templates; templates met once so
    /// far share those from 0 on.
    field: u32,
    used: bool,
}

/// How the last number of a field was spelled.
#[derive(Default, Clone)]
struct Mode {
    last: u8,
    other: Bit,
    next: BitTree<4>,
}

/// Fields that templates met for the first time share.
const SHARED_FIELDS: u32 = 4;
/// The longest template of a comment that can have fields.
const MAX_FIELDS: usize = 250;

/// The estimates behind the comments of a block.
#[derive(Clone)]
pub struct CommentModel {
    more: Bit,
    slots: FxHashMap<(u32, u32), u32>,
    habits: FxHashMap<(u32, u32), Habit>,
    templates: Dictionary,
    known: Vec<Known>,
    words: Dictionary,
    modes: Vec<[Mode; 2]>,
    series: Series,
    /// The comment under way.
    scan: Scan,
    /// Where a number is spelled again.
    room: Vec<u8>,
}

impl Default for CommentModel {
    fn default() -> Self {
        Self {
            more: Bit::default(),
            slots: FxHashMap::default(),
            habits: FxHashMap::default(),
            templates: Dictionary::default(),
            known: Vec::new(),
            words: Dictionary::default(),
            modes: vec![Default::default(); SHARED_FIELDS as usize],
            series: Series::default(),
            scan: Scan::default(),
            room: Vec::new(),
        }
    }
}

impl CommentModel {
    /// Whether the time control of a game has helped to tell its comments.
    fn asked_control(&self) -> bool {
        self.series.asked_control
    }

    /// Codes the comments of a record that has some: each with its `}` behind it.
    /// When packing they are given, and the number of moves; when unpacking they
    /// are appended to `out`, up to `most` bytes, unless they are asked for only
    /// because others learn from them.
    ///
    /// # Errors
    /// Corrupt, when unpacking bytes that no encoder wrote.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        record: Record,
        mut given: Option<(&[u8], usize)>,
        mut out: Option<&mut Vec<u8>>,
        most: usize,
    ) -> Result<()> {
        self.series.begin(record.control);
        let moves = record.moves.unwrap_or_default();
        let (mut gap, mut before) = (None, None);
        // Gaps since the last with a comment: habit goes round in circles.
        let mut without = 0;
        for ply in 0.. {
            let more = given.is_some_and(|(_, plies)| ply < plies);
            let next = self.next_gap(coder, &record, ply, gap, &mut without, more);
            let here = next.unwrap_or(record.layout.last);
            let glyph = Glyph::of_gap(record.gaps.get(here));
            for i in 0..record.gaps.comments(here) {
                let at = At {
                    slot: self.slot(here, i),
                    before,
                    moment: Moment { ply, moves },
                    glyph,
                };
                before = Some(self.comment(coder, strings, at, &mut given, &mut out)?);
                check(&out, most)?;
            }
            if next.is_none() {
                break;
            }
            gap = next;
        }
        Ok(())
    }

    /// The gap behind so many moves and the gap before, unless the moves have ended.
    fn next_gap(
        &mut self,
        coder: &mut impl Coder,
        record: &Record,
        ply: usize,
        before: Option<u32>,
        without: &mut usize,
        more: bool,
    ) -> Option<u32> {
        if record.moves.is_some_and(|moves| ply == moves.len()) {
            return None;
        }
        // Where nothing is expected the moves must have ended.
        let next = record.model.gap(record.layout, ply, before).ok()?;
        if record.moves.is_some() {
            return Some(next);
        }
        if ply > MAX_PLIES || *without > 2 * record.model.known() as usize + 2 {
            return None;
        }
        let told = ply < record.layout.told;
        let comments = record.gaps.comments(next) > 0;
        *without = if told || comments { 0 } else { *without + 1 };
        let asked = comments && !told;
        (!asked || coder.bit(&mut self.more, more)).then_some(next)
    }

    /// The number of a comment's place: which gap, and which comment in it.
    fn slot(&mut self, gap: u32, comment: u32) -> u32 {
        let next = self.slots.len() as u32;
        *self.slots.entry((gap, comment)).or_insert(next)
    }

    fn comment(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        at: At,
        given: &mut Option<(&[u8], usize)>,
        out: &mut Option<&mut Vec<u8>>,
    ) -> Result<u32> {
        let mut scan = std::mem::take(&mut self.scan);
        let mut comment = &b""[..];
        let mut wanted = 0;
        if let Some((comments, _)) = given {
            let len = memchr::memchr(b'}', comments).unwrap_or(comments.len());
            comment = &comments[..len];
            *comments = comments.get(len + 1..).unwrap_or_default();
            scan.read(comment);
            wanted = self.templates.find(&scan.template);
        }
        let before = (at.slot, at.before);
        let template = self.template(coder, strings, before, &scan.template, wanted)?;
        let text = std::mem::take(&mut self.templates.strings[template as usize]);
        let known = self.known[template as usize];
        let mut fields = scan.fields.iter();
        let mut number = 0;
        let mut told = 0;
        let is_mark = |byte: &u8| matches!(*byte, CLOCK | NUMBER | WORD);
        while let Some(len) = text[told..].iter().position(is_mark) {
            let i = told + len;
            tell(out, &text[told..i]);
            told = i + 1;
            let byte = text[i];
            let field = fields.next();
            let given = field.map(|field| &comment[field.place.clone()]);
            if byte == WORD {
                let word = given.unwrap_or_default();
                let wanted = self.words.find(word);
                let word = self.words.code(coder, strings, word, wanted)?;
                tell(out, &self.words.strings[word as usize]);
            } else {
                let place = Place {
                    slot: at.slot,
                    field: known.field + number.min(SHARED_FIELDS - 1),
                    moment: at.moment,
                    glyph: at.glyph,
                    evaluates: text[..i].ends_with(b"[%eval ")
                        || text[..i].ends_with("→ ".as_bytes()),
                };
                let around = (&text[..i], text.get(i + 1).copied());
                self.figure(coder, byte, around, place, field.zip(given), out)?;
                number += 1;
            }
        }
        tell(out, &text[told..]);
        self.scan = scan;
        self.templates.strings[template as usize] = text;
        if !known.used {
            // From now on it has fields of its own.
            let own = number.min(SHARED_FIELDS);
            let room = self.modes.len() + own as usize <= MAX_FIELDS;
            let field = if room && own > 0 {
                self.modes.len() as u32
            } else {
                0
            };
            if field > 0 {
                self.modes
                    .resize(self.modes.len() + own as usize, Default::default());
            }
            self.known[template as usize] = Known { field, used: true };
        }
        tell(out, b"}");
        Ok(template)
    }

    /// Codes which template a comment has.
    fn template(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        (slot, before): (u32, Option<u32>),
        given: &[u8],
        wanted: u32,
    ) -> Result<u32> {
        let key = (slot, before.map_or(0, |b| b + 1));
        if let Some(habit) = self.habits.get_mut(&key) {
            let hit = coder.bit(&mut habit.hit[habit.hits], habit.template == wanted);
            habit.hits = (habit.hits << 1 | usize::from(hit)) & 3;
            if hit {
                return Ok(habit.template);
            }
        }
        let template = self.templates.code(coder, strings, given, wanted)?;
        if template as usize == self.known.len() {
            self.known.push(Known {
                field: 0,
                used: false,
            });
        }
        self.habits.entry(key).or_default().template = template;
        Ok(template)
    }

    /// Codes a time or number.
    fn figure(
        &mut self,
        coder: &mut impl Coder,
        mark: u8,
        (before, after): (&[u8], Option<u8>),
        place: Place,
        field: Option<(&Field, &[u8])>,
        out: &mut Option<&mut Vec<u8>>,
    ) -> Result<()> {
        let state = &mut self.modes[place.field as usize][usize::from(mark == CLOCK)];
        // The last mode if it fits, else the first that does.
        let given = field.map(|(field, text)| match state.last {
            last if last == field.mode => (last, field.value),
            last => match value(mark, last, text, &mut self.room) {
                Some(value) => (last, value),
                None => (field.mode, field.value),
            },
        });
        let mode = given.map_or(0, |(mode, _)| mode);
        let mode = if coder.bit(&mut state.other, mode != state.last) {
            state.next.code(coder, u32::from(mode)) as u8
        } else {
            state.last
        };
        if mode >= modes(mark) {
            return Err(Error::corrupt(
                "a comment spells a number in an unknown way",
            ));
        }
        state.last = mode;
        let kind = Kind::of(mark, mode, before, after);
        let sign = sign_of_mate(before, place.moment.ply);
        let given = given.map_or(0, |(_, value)| sign * value);
        let value = self
            .series
            .code(coder, kind, unit(mark, mode), place, given)
            .saturating_mul(sign);
        if value.saturating_abs() >= MAX_VALUE || mark == CLOCK && value < 0 {
            return Err(Error::corrupt("a number in a comment is out of range"));
        }
        if let Some(out) = out {
            spell(mark, mode, value, out);
        }
        Ok(())
    }
}

/// Appends bytes where they are asked for.
fn tell(out: &mut Option<&mut Vec<u8>>, bytes: &[u8]) {
    if let Some(out) = out {
        out.extend_from_slice(bytes);
    }
}

/// The sign of a mate's distance, as evaluations have it: in words, behind this text, it has none.
/// "Mate in 3 → Mate in 2": the player had one and is threatened with another.
fn sign_of_mate(before: &[u8], ply: usize) -> i64 {
    let of_white = match ply & 1 == 1 {
        true => 1,
        false => -1,
    };
    if before.ends_with(b"(Mate in ") {
        of_white
    } else if before.ends_with("→ Mate in ".as_bytes()) {
        -of_white
    } else {
        1
    }
}

fn check(out: &Option<&mut Vec<u8>>, most: usize) -> Result<()> {
    if out.as_ref().is_some_and(|out| out.len() > most) {
        return Err(Error::corrupt("the comments of a block are too long"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_entropy::adaptive::{Decoder, Encoder};

    /// One template of a gap with a comment before every move, none behind the last.
    fn layout(told: usize) -> Layout {
        Layout {
            gaps: vec![0; told],
            told,
            last: 1,
            comments: true,
            ..Layout::default()
        }
    }

    /// A layout model that expects the template 0 before every move, and its gaps.
    fn expecting() -> (LayoutModel, Templates) {
        let mut model = LayoutModel::default();
        let mut coder = Encoder::new();
        model.code(&mut coder, &mut layout(3)).unwrap();
        (model, Templates::read(b" \x02 \0 *\0").unwrap())
    }

    /// Packs the comments of games, one before each move, and unpacks them again;
    /// gives how many bytes of codes and of strings they took.
    fn round_trip(games: &[Vec<String>], control: &str, by_moves: bool) -> (usize, usize) {
        let moves = vec![MoveFeatures::default(); 100];
        let (model, gaps) = expecting();
        let layout = layout(0);
        let record = |game: &Vec<String>| Record {
            layout: &layout,
            model: &model,
            gaps: &gaps,
            control: TimeControl::of_tag(Some(control.as_bytes())),
            moves: by_moves.then(|| &moves[..game.len()]),
        };
        let joined = |game: &Vec<String>| {
            let with_ends: String = game.iter().map(|c| format!("{c}}}")).collect();
            with_ends.into_bytes()
        };
        let mut coder = Encoder::new();
        let (mut strings, mut unpacked) = (Vec::new(), Vec::new());
        let mut comments = CommentModel::default();
        for game in games {
            let given = Some((&joined(game)[..], game.len()));
            unpacked.clear();
            comments
                .code(
                    &mut coder,
                    &mut strings,
                    record(game),
                    given,
                    Some(&mut unpacked),
                    usize::MAX,
                )
                .unwrap();
            assert_eq!(unpacked, joined(game));
        }
        let codes = coder.finish();
        let mut coder = Decoder::new(&codes);
        let mut rest = &strings[..];
        let mut comments = CommentModel::default();
        for game in games {
            unpacked.clear();
            comments
                .code(
                    &mut coder,
                    &mut rest,
                    record(game),
                    None,
                    Some(&mut unpacked),
                    1 << 20,
                )
                .unwrap();
            assert_eq!(unpacked, joined(game));
        }
        assert!(rest.is_empty());
        (codes.len(), strings.len())
    }

    #[test]
    fn comments_of_every_kind_come_back() {
        let games: Vec<Vec<String>> = [
            &["[%clk 0:03:00]", "[%clk 0:02:58.7]", "[%clk 0:02:59]"][..],
            &["+0.35/12 1.2s", "-M3/40 0.41s", "Kg6", "", "a\nb", "7"],
            &[
                "[%eval #-3] 1-0",
                "[%clk 9999999:00:59]",
                "[%clk 0:00:00.123]",
            ],
            &[
                "999999999.999 -999999999",
                "12:34 00:00:07",
                "Mistake. Nbxd7+ was best.",
            ],
            &[],
        ]
        .iter()
        .map(|game| game.iter().map(ToString::to_string).collect())
        .collect();
        for by_moves in [false, true] {
            round_trip(&games, "180+2", by_moves);
            round_trip(&games, "1/259200", by_moves);
        }
    }

    #[test]
    fn clocks_that_run_down_evenly_cost_a_fraction_of_a_bit() {
        let game = |start: i64| -> Vec<String> {
            let clock =
                |i: i64| format!("[%clk 0:{:02}:{:02}]", (start - i) / 60, (start - i) % 60);
            (0..80).map(|i| clock(i / 2 * 3)).collect()
        };
        let games: Vec<_> = (0..50).map(|_| game(300)).collect();
        let (codes, strings) = round_trip(&games, "300+0", false);
        assert!(codes < 400, "{codes} bytes for 4000 clocks");
        assert_eq!(strings, "[%clk C]}".len());
    }

    fn without_moves<'a>(
        layout: &'a Layout,
        model: &'a LayoutModel,
        gaps: &'a Templates,
    ) -> Record<'a> {
        Record {
            layout,
            model,
            gaps,
            control: TimeControl::default(),
            moves: None,
        }
    }

    #[test]
    fn a_record_is_read_with_the_first_part_and_its_own() {
        let (model, gaps) = expecting();
        let layout = layout(0);
        let record = without_moves(&layout, &model, &gaps);
        let comments = |game: usize| -> Vec<u8> {
            let text: String = (0..100)
                .map(|i| format!("t{} {}}}", game / 50, i * game))
                .collect();
            text.into_bytes()
        };
        let games = 500;
        let mut packer = parts::Packer::new(b"");
        for game in 0..games {
            let ends_group = game % 10 == 9;
            packer
                .push(record, &comments(game), 100, ends_group)
                .unwrap();
        }
        let packed = packer.finish().streams;
        let streams = [&packed.codes[..], &packed.text, &packed.parts, &[]];
        for wanted in [0, 163, 164, 300, games - 1] {
            let mut unpacker = parts::Unpacker::new(streams, games, |g| g == wanted).unwrap();
            let mut others = 0;
            for game in 0..games {
                unpacker.next_record().unwrap();
                let found = unpacker.take(record, true, 1 << 20).unwrap();
                assert!(game != wanted || found == comments(game), "game {game}");
                others += usize::from(game != wanted && !found.is_empty());
            }
            unpacker.parts.finish().unwrap();
            assert!(others < 300, "{others} others are read for game {wanted}");
        }
        for bad in [
            [&packed.codes[1..], &packed.text, &packed.parts, &[]],
            [&packed.codes, &packed.text[1..], &packed.parts, &[]],
            [&packed.codes, &packed.text, &packed.parts[1..], &[]],
            [&packed.codes, &packed.text, &[], &[]],
            [&[], &[], &[0, 0, 0], &[]],
        ] {
            assert!(parts::Unpacker::new(bad, games, |_| true).is_err());
        }
    }

    #[test]
    fn copies_are_read_with_what_they_are_copies_of() {
        let (model, gaps) = expecting();
        let layout = layout(0);
        let record = without_moves(&layout, &model, &gaps);
        // Each game stands there three times; each part ends behind the first of three.
        let comments = |game: usize| -> Vec<u8> {
            let text: String = (0..400).map(|i| format!("{}}}", i * (game / 3))).collect();
            text.into_bytes()
        };
        let games = 60;
        let mut packer = parts::Packer::new(b"");
        for game in 0..games {
            let pushed = packer.push(record, &comments(game), 400, game % 3 == 0);
            pushed.unwrap();
        }
        let packed = packer.finish();
        let parts::Packed {
            streams, copies, ..
        } = &packed;
        let streams = [&streams.codes[..], &streams.text, &streams.parts, copies];
        for wanted in 0..games {
            let unpacker = parts::Unpacker::new(streams, games, |game| game == wanted);
            let mut unpacker = unpacker.unwrap();
            for game in 0..games {
                let decoded = unpacker.next_record().unwrap();
                assert!(!decoded || game % 3 == 0);
                let found = unpacker.take(record, game == wanted, 1 << 20).unwrap();
                assert!(game != wanted || found == comments(game), "game {game}");
            }
        }
        assert!(parts::Unpacker::new(streams, games - 1, |_| true).is_err());
    }

    #[test]
    fn templates_without_number_share_what_is_learned() {
        let games: Vec<Vec<String>> = (0..40)
            .map(|i| {
                (0..50)
                    .map(|j| format!("t{}x {j} {}", i * 50 + j, j * j))
                    .collect()
            })
            .collect();
        // The digits behind the t belong to no field, so every template is new.
        let (_, strings) = round_trip(&games, "", true);
        assert!(strings > 2000 * 6);
    }

    #[test]
    fn foreign_bytes_end_in_an_error_or_in_comments() {
        let (model, gaps) = expecting();
        let layout = layout(0);
        let moves = [MoveFeatures::default(); 30];
        let mut errors = 0;
        for seed in 0..2000u32 {
            let noise = |i: u32| (seed.wrapping_mul(2_654_435_761).rotate_left(i) >> 5) as u8;
            let codes: Vec<u8> = (0..60).map(noise).collect();
            let mut strings = &b"[%clk \x01]}\x02 \x02s\x03}Nf3}\x01}"[..];
            let mut comments = CommentModel::default();
            let mut coder = Decoder::new(&codes);
            for _ in 0..20 {
                let record = Record {
                    layout: &layout,
                    model: &model,
                    gaps: &gaps,
                    control: TimeControl::of_tag(Some(b"60+1")),
                    moves: (seed % 2 == 0).then_some(&moves[..]),
                };
                let mut out = Vec::new();
                let result = comments.code(
                    &mut coder,
                    &mut strings,
                    record,
                    None,
                    Some(&mut out),
                    10_000,
                );
                assert!(out.len() < 20_000);
                if result.is_err() {
                    errors += 1;
                    break;
                }
            }
        }
        assert!(errors > 500, "{errors}");
    }
}
