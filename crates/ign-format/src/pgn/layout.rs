//! The layout of a record: how its movetext is wrapped and which gaps stand
//! between its moves (spec §4.4).
//!
//! [`LayoutModel`] codes it, in both directions, as departures from what the
//! games before let expect; a game without any is told by one cheap decision
//! behind that of its comments. A layout can be read without the moves, so a
//! reader can pass over records.

use super::{
    gaps::{Habits, Place},
    wrap::Wrap,
};
use crate::{
    container::{MAX_BLOCK_TEXT, MAX_PLIES, MAX_TEXT_PIECES},
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, BitTree, Coder, Number};
use ign_notation::chess::san::Naming;

/// How many templates a place remembers (spec §4.4), so that few bytes cannot ask for much time.
const MAX_SEEN: usize = 16;

/// The layout of one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// How lines are wrapped.
    pub wrap: Wrap,
    /// How moves are named.
    pub naming: Naming,
    /// Whether there are payloads of the first two kinds.
    pub comments: bool,
    /// As above.
    pub variations: bool,
    /// Lengths of the pieces of text.
    pub text_lens: Vec<u32>,
    /// Templates of the gaps before each move. A decoder gives those up to the
    /// last departure; the rest are as [`LayoutModel::gap`] says.
    pub gaps: Vec<u32>,
    /// How many of `gaps`, up to the last departure, the column tells; set when
    /// the layout is coded.
    pub told: usize,
    /// Template of the gap behind the last move.
    pub last: u32,
    /// Of a variation: whether its first move is of the side that did not begin the game. The
    /// column does not tell it.
    pub of_second: bool,
}

/// The estimates behind the layouts of a block.
#[derive(Clone, Default)]
pub struct LayoutModel {
    /// Whether nothing departs, by comments and by whether nothing did before.
    usual: [[Bit; 2]; 2],
    was_usual: bool,
    wrap: Wrap,
    same_wrap: Bit,
    naming: Naming,
    same_naming: Bit,
    other_naming: Bit,
    wrap_kind: BitTree<2>,
    wrap_width: Number<3>,
    has: [[Bit; 2]; 3],
    had: [bool; 3],
    pieces: Number<3>,
    piece_len: Number<3>,
    more: [Bit; 3],
    /// How many gaps are as expected before the first departure, and before others.
    runs: [Number<3>; 2],
    last_expected: [Bit; 2],
    new: Bit,
    number: Number<12>,
    /// Templates introduced so far.
    known: u32,
    habits: Habits,
    /// By place: templates that once departed there, in the order in which they first did, each
    /// with whether a departure that is none of those before it is this one.
    seen: Vec<Vec<(u32, Bit)>>,
}

impl LayoutModel {
    /// The template to expect at a place.
    #[inline]
    pub fn expect(&self, place: Place) -> Option<u32> {
        self.habits.expect(place)
    }

    /// How many templates have been introduced so far.
    pub fn known(&self) -> u32 {
        self.known
    }

    /// Says how many templates have been introduced, by layouts that are not known here too.
    pub fn set_known(&mut self, known: u32) {
        self.known = known;
    }

    /// The template of the gap behind `plies` moves of a decoded layout, `before`
    /// being the one before it. To be asked before the next record is decoded.
    ///
    /// # Errors
    /// Corrupt when nothing is known to expect.
    #[inline]
    pub fn gap(&self, layout: &Layout, plies: usize, before: Option<u32>) -> Result<u32> {
        if let Some(&gap) = layout.gaps.get(plies) {
            return Ok(gap);
        }
        let place = before.map_or(Place::first(layout.of_second), |gap| {
            Place::after(gap, plies)
        });
        self.expect(place).ok_or_else(nothing_expected)
    }

    /// Codes the layout of the next record. A decoder passes an empty one, to
    /// be filled in.
    ///
    /// # Errors
    /// Corrupt when a decoded number is beyond its limit.
    pub fn code(&mut self, coder: &mut impl Coder, layout: &mut Layout) -> Result<()> {
        let first = Place::first(layout.of_second);
        self.code_has(coder, 0, &mut layout.comments);
        let place_of_last = Place::last(layout.comments);
        let last = self.habits.expect(place_of_last);
        let usual = self.is_usual(layout, first, last);
        let estimate = &mut self.usual[usize::from(layout.comments)][usize::from(self.was_usual)];
        self.was_usual = coder.bit(estimate, usual);
        if self.was_usual {
            layout.wrap = self.wrap;
            layout.naming = self.naming;
            layout.variations = self.had[1];
            self.had[2] = false;
            layout.told = 0;
            layout.last = last.ok_or_else(nothing_expected)?;
            self.habits.note(place_of_last, layout.last);
            return Ok(());
        }
        self.code_wrap(coder, &mut layout.wrap)?;
        if coder.bit(&mut self.same_naming, layout.naming != self.naming) {
            // One of the two others, in turn.
            let [next, last] = [1, 2].map(|on| Naming::ALL[(self.naming as usize + on) % 3]);
            let is_last = coder.bit(&mut self.other_naming, layout.naming == last);
            self.naming = if is_last { last } else { next };
        }
        layout.naming = self.naming;
        self.code_has(coder, 1, &mut layout.variations);
        let mut has_text = !layout.text_lens.is_empty();
        self.code_has(coder, 2, &mut has_text);
        if has_text {
            self.code_text_lens(coder, &mut layout.text_lens)?;
        }
        layout.told = self.code_gaps(coder, first, &mut layout.gaps)?;
        let estimate = &mut self.last_expected[usize::from(layout.comments)];
        layout.last = match last {
            Some(expected) if coder.bit(estimate, expected == layout.last) => expected,
            _ => self.code_template(coder, place_of_last, layout.last)?,
        };
        self.habits.note(place_of_last, layout.last);
        Ok(())
    }

    /// Whether a layout is as those before let expect: wrapped and told apart as the last, with
    /// variations if that had them, without text, and with the gaps of habit.
    fn is_usual(&self, layout: &Layout, first: Place, last: Option<u32>) -> bool {
        last == Some(layout.last)
            && layout.wrap == self.wrap
            && layout.naming == self.naming
            && layout.variations == self.had[1]
            && layout.text_lens.is_empty()
            && self.expected_run(first, 0, &layout.gaps) == layout.gaps.len()
    }

    /// Codes whether the record has payloads of a kind.
    fn code_has(&mut self, coder: &mut impl Coder, kind: usize, has: &mut bool) {
        let had = &mut self.had[kind];
        *had = coder.bit(&mut self.has[kind][usize::from(*had)], *has);
        *has = *had;
    }

    fn code_wrap(&mut self, coder: &mut impl Coder, wrap: &mut Wrap) -> Result<()> {
        if !coder.bit(&mut self.same_wrap, *wrap != self.wrap) {
            *wrap = self.wrap;
            return Ok(());
        }
        let (kind, width) = match *wrap {
            Wrap::None => (0, 0),
            Wrap::Fill(width) => (1, width),
            Wrap::Numbers(least) => (2, least),
        };
        let kind = self.wrap_kind.code(coder, kind);
        let width = if kind == 0 {
            0
        } else {
            self.wrap_width.code(coder, u64::from(width))
        };
        let width =
            u32::try_from(width).map_err(|_| Error::corrupt("a line width is out of range"))?;
        *wrap = match kind {
            0 => Wrap::None,
            1 => Wrap::Fill(width),
            2 => Wrap::Numbers(width),
            _ => return Err(Error::corrupt("lines are wrapped in an unknown way")),
        };
        self.wrap = *wrap;
        Ok(())
    }

    fn code_text_lens(&mut self, coder: &mut impl Coder, lens: &mut Vec<u32>) -> Result<()> {
        let pieces = self.pieces.code(coder, lens.len() as u64) as usize;
        if pieces > MAX_TEXT_PIECES {
            return Err(Error::corrupt("a record has too many pieces of text"));
        }
        lens.resize(pieces, 0);
        for len in lens {
            let coded = self.piece_len.code(coder, u64::from(*len));
            if coded > MAX_BLOCK_TEXT {
                return Err(Error::corrupt("a piece of text is too long"));
            }
            *len = coded as u32;
        }
        Ok(())
    }

    /// Codes the gaps before the moves: how many are as expected, then one that
    /// is not, and so on. Gives how many were told in all.
    fn code_gaps(
        &mut self,
        coder: &mut impl Coder,
        first: Place,
        gaps: &mut Vec<u32>,
    ) -> Result<usize> {
        let mut place = first;
        let mut position = 0;
        // Departures tend to come together: one more is likelier after two.
        let mut departures = 0;
        loop {
            let given = &gaps[position.min(gaps.len())..];
            let run = self.expected_run(place, position, given);
            let more = coder.bit(&mut self.more[departures.min(2)], run < given.len());
            if !more {
                return Ok(position);
            }
            let run = self.runs[departures.min(1)].code(coder, run as u64) as usize;
            departures += 1;
            if run > MAX_PLIES {
                return Err(Error::corrupt("a game has too many moves"));
            }
            for _ in 0..run {
                let expected = self.habits.expect(place).ok_or_else(nothing_expected)?;
                self.habits.note(place, expected);
                position += 1;
                place = Place::after(expected, position);
                if gaps.len() < position {
                    gaps.push(expected);
                }
            }
            let given = gaps.get(position).copied().unwrap_or(0);
            let template = self.code_template(coder, place, given)?;
            self.habits.note(place, template);
            if gaps.len() == position {
                gaps.push(template);
            }
            position += 1;
            if position > MAX_PLIES {
                return Err(Error::corrupt("a game has too many moves"));
            }
            place = Place::after(template, position);
        }
    }

    /// How many of the given gaps are as expected.
    fn expected_run(&self, mut place: Place, mut position: usize, given: &[u32]) -> usize {
        let as_expected = |&gap: &u32| {
            let expected = self.habits.expect(place) == Some(gap);
            position += 1;
            place = Place::after(gap, position);
            expected
        };
        given.iter().copied().take_while(as_expected).count()
    }

    /// Codes the template at a place where another one is expected, or none. Those seen there are
    /// asked for one by one, since odd gaps are mostly a few that come again and again.
    fn code_template(
        &mut self,
        coder: &mut impl Coder,
        place: Place,
        template: u32,
    ) -> Result<u32> {
        let (index, expected) = (place.index(), self.habits.expect(place));
        if self.seen.len() <= index {
            self.seen.resize_with(index + 1, Vec::new);
        }
        for (seen, is_it) in &mut self.seen[index] {
            if Some(*seen) != expected && coder.bit(is_it, *seen == template) {
                return Ok(*seen);
            }
        }
        let template = self.code_unseen(coder, template)?;
        let seen = &mut self.seen[index];
        if seen.len() < MAX_SEEN {
            seen.push((template, Bit::new()));
        }
        Ok(template)
    }

    fn code_unseen(&mut self, coder: &mut impl Coder, template: u32) -> Result<u32> {
        if coder.bit(&mut self.new, template == self.known) {
            self.known += 1;
            return Ok(self.known - 1);
        }
        let template = self.number.code(coder, u64::from(template));
        if template >= u64::from(self.known) {
            return Err(Error::corrupt("a gap has an unknown template"));
        }
        Ok(template as u32)
    }

    /// Fails when more templates were used than there are.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check_templates(&self, available: usize) -> Result<()> {
        if self.known as usize > available {
            return Err(Error::corrupt("a gap has an unknown template"));
        }
        Ok(())
    }
}

fn nothing_expected() -> Error {
    Error::corrupt("a gap is said to be as expected where nothing is known to expect")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_entropy::adaptive::{Decoder, Encoder};

    fn layouts() -> Vec<Layout> {
        let plain = |plies: usize| Layout {
            gaps: (0..plies)
                .map(|i| if i == 0 { 0 } else { 1 + (i as u32 & 1) })
                .collect(),
            last: 3,
            ..Layout::default()
        };
        let mut odd = plain(30);
        odd.gaps[7] = 4;
        odd.gaps[8] = 5;
        odd.comments = true;
        odd.last = 6;
        let text = Layout {
            text_lens: vec![0, 70_000],
            wrap: Wrap::Numbers(72),
            last: 7,
            ..Layout::default()
        };
        vec![
            plain(20),
            plain(1),
            plain(200),
            odd.clone(),
            plain(2),
            text,
            odd,
            plain(0),
            plain(90),
        ]
    }

    /// First appearances must come in the order of the numbers, as the parser gives them.
    fn renumbered() -> Vec<Layout> {
        let mut seen = Vec::new();
        let mut number = |t: &mut u32| {
            let place = seen.iter().position(|s| s == t).unwrap_or_else(|| {
                seen.push(*t);
                seen.len() - 1
            });
            *t = place as u32;
        };
        layouts()
            .into_iter()
            .map(|mut l| {
                l.gaps.iter_mut().for_each(&mut number);
                number(&mut l.last);
                l
            })
            .collect()
    }

    #[test]
    fn layouts_come_back_with_and_without_their_moves() {
        let layouts = renumbered();
        let mut coder = Encoder::new();
        let mut model = LayoutModel::default();
        for layout in &layouts {
            model.code(&mut coder, &mut layout.clone()).unwrap();
        }
        let bytes = coder.finish();
        let mut coder = Decoder::new(&bytes);
        let mut model = LayoutModel::default();
        for (i, layout) in layouts.iter().enumerate() {
            let mut decoded = Layout::default();
            model.code(&mut coder, &mut decoded).unwrap();
            // Every other record is passed over.
            if i % 2 == 0 {
                for plies in decoded.gaps.len()..layout.gaps.len() {
                    let gap = model
                        .gap(&decoded, plies, decoded.gaps.last().copied())
                        .unwrap();
                    decoded.gaps.push(gap);
                }
                decoded.told = layout.told;
                assert_eq!(&decoded, layout, "record {i}");
            }
        }
        model.check_templates(8).unwrap();
        assert!(model.check_templates(7).is_err());
    }

    #[test]
    fn a_regular_game_costs_a_fraction_of_a_bit() {
        let regular = renumbered().remove(0);
        let mut coder = Encoder::new();
        let mut model = LayoutModel::default();
        for _ in 0..10_000 {
            model.code(&mut coder, &mut regular.clone()).unwrap();
        }
        assert!(coder.finish().len() < 100);
    }

    #[test]
    fn an_odd_gap_now_and_then_costs_its_place_alone() {
        let (mut coder, mut model, mut odd) = (Encoder::new(), LayoutModel::default(), 0);
        for record in 0..1000u32 {
            let mut template = |ply: u32| {
                let random = (record * 100 + ply).wrapping_mul(2_654_435_761) >> 16;
                match ply {
                    0 => 0,
                    _ if record > 0 && random.is_multiple_of(20) => {
                        odd += 1;
                        4
                    }
                    _ => 2 - (ply & 1),
                }
            };
            let mut layout = Layout {
                gaps: (0..100).map(&mut template).collect(),
                last: 3,
                ..Layout::default()
            };
            model.code(&mut coder, &mut layout).unwrap();
        }
        // That one of 20 is odd cannot be told in less than 5.7 bits each.
        let bits = 8 * coder.finish().len();
        assert!(bits < 6 * odd, "{bits} bits for {odd} odd gaps");
    }

    #[test]
    fn foreign_bytes_end_in_an_error_or_a_layout() {
        for seed in 0..2000u32 {
            let bytes: Vec<u8> = (0..40)
                .map(|i| (seed.wrapping_mul(2_654_435_761).rotate_left(i) >> 7) as u8)
                .collect();
            let mut coder = Decoder::new(&bytes);
            let mut model = LayoutModel::default();
            for _ in 0..50 {
                let mut layout = Layout::default();
                if model.code(&mut coder, &mut layout).is_err() {
                    break;
                }
            }
        }
    }
}
