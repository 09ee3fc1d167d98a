//! Layout of a record: line wrapping and the gap templates between its moves (spec §4.4).
//!
//! [`LayoutModel`] predicts a layout from those before it and codes the exceptions, in both
//! directions. A layout with no exception takes two binary decisions, both highly predictable:
//! whether it has comments, and that all else is as predicted. A layout is decoded without the
//! moves, so readers can skip records.

use super::{
    gaps::{GapContext, GapPredictor},
    wrap::Wrap,
};
use crate::{
    container::{MAX_BLOCK_TEXT, MAX_PLIES, MAX_TEXT_PIECES},
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, BitTree, Coder, Number};
use ign_notation::chess::san::Naming;

/// Maximum number of alternative templates per place (spec §4.4). It bounds the decoding time per
/// input byte.
const MAX_ALTERNATIVES: usize = 16;

/// The layout of one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// How lines are wrapped.
    pub wrap: Wrap,
    /// Notation of the moves.
    pub naming: Naming,
    /// Whether the record has comments.
    pub comments: bool,
    /// Whether the record has variations.
    pub variations: bool,
    /// Lengths of the pieces of literal text.
    pub text_lens: Vec<u32>,
    /// Gap templates before each move. A decoder fills in those up to the last exception;
    /// [`LayoutModel::gap`] predicts the rest.
    pub gaps: Vec<u32>,
    /// Number of `gaps` that are stored: those up to the last exception. Set when the layout is
    /// coded.
    pub stored_gaps: usize,
    /// Gap template after the last move.
    pub last: u32,
    /// For variations: whether the first move is by the side that does not begin the game. Not
    /// stored here.
    pub second_side: bool,
}

impl Layout {
    /// How the moves are written: in SAN if `in_san`, else in the notation of the text.
    #[inline]
    pub fn written(&self, in_san: bool) -> Naming {
        if in_san {
            Naming::Standard
        } else {
            self.naming
        }
    }
}

/// Model of the layouts of a block.
#[derive(Debug, Clone, Default)]
pub struct LayoutModel {
    /// Whether all is as predicted, by whether the record has comments and whether all was for the
    /// last record.
    as_predicted: [[Bit; 2]; 2],
    was_as_predicted: bool,
    wrap: Wrap,
    same_wrap: Bit,
    naming: Naming,
    same_naming: Bit,
    other_naming: Bit,
    wrap_kind: BitTree<2>,
    wrap_width: Number<3>,
    /// Whether a record has comments, variations, text, each by whether the last one had.
    has: [[Bit; 2]; 3],
    had: [bool; 3],
    text_count: Number<3>,
    text_len: Number<3>,
    more: [Bit; 3],
    /// Number of predicted gaps before the first exception, and before others.
    runs: [Number<3>; 2],
    last_as_predicted: [Bit; 2],
    is_new: Bit,
    template: Number<12>,
    /// Number of templates introduced so far.
    template_count: u32,
    predictor: GapPredictor,
    /// For each place the templates that were exceptions there, in order of first appearance, each
    /// with the estimate that the exception is this one and none before it.
    alternatives: Vec<Vec<(u32, Bit)>>,
}

impl LayoutModel {
    /// The template predicted at a place.
    #[inline]
    pub fn predict(&self, place: GapContext) -> Option<u32> {
        self.predictor.predict(place)
    }

    /// Number of templates introduced so far.
    pub fn template_count(&self) -> u32 {
        self.template_count
    }

    /// Sets the number of templates, some of which were introduced by layouts that are not decoded
    /// here.
    pub fn set_template_count(&mut self, template_count: u32) {
        self.template_count = template_count;
    }

    /// The gap template after `plies` moves of a decoded layout; `before` is the gap before it.
    /// Valid until the next layout is coded.
    ///
    /// # Errors
    /// Returns a corruption error if there is no prediction.
    #[inline]
    pub fn gap(&self, layout: &Layout, plies: usize, before: Option<u32>) -> Result<u32> {
        if let Some(&gap) = layout.gaps.get(plies) {
            return Ok(gap);
        }
        let place = before.map_or(GapContext::first(layout.second_side), |gap| {
            GapContext::after(gap, plies)
        });
        self.predict(place).ok_or_else(no_prediction)
    }

    /// Codes the layout of the next record. A decoder passes an empty one, which is filled in.
    ///
    /// # Errors
    /// Returns a corruption error if a decoded number exceeds its limit.
    pub fn code(&mut self, coder: &mut impl Coder, layout: &mut Layout) -> Result<()> {
        let first = GapContext::first(layout.second_side);
        self.code_has(coder, 0, &mut layout.comments);
        let place_of_last = GapContext::last(layout.comments);
        let last = self.predictor.predict(place_of_last);
        let as_predicted = self.is_as_predicted(layout, first, last);
        let estimate = &mut self.as_predicted[usize::from(layout.comments)]
            [usize::from(self.was_as_predicted)];
        self.was_as_predicted = coder.bit(estimate, as_predicted);
        if self.was_as_predicted {
            layout.wrap = self.wrap;
            layout.naming = self.naming;
            layout.variations = self.had[1];
            self.had[2] = false;
            layout.stored_gaps = 0;
            layout.last = last.ok_or_else(no_prediction)?;
            self.predictor.update(place_of_last, layout.last);
            return Ok(());
        }
        self.code_wrap(coder, &mut layout.wrap)?;
        if coder.bit(&mut self.same_naming, layout.naming != self.naming) {
            // One of the two other notations, in cyclic order.
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
        layout.stored_gaps = self.code_gaps(coder, first, &mut layout.gaps)?;
        let estimate = &mut self.last_as_predicted[usize::from(layout.comments)];
        layout.last = match last {
            Some(predicted) if coder.bit(estimate, predicted == layout.last) => predicted,
            _ => self.code_template(coder, place_of_last, layout.last)?,
        };
        self.predictor.update(place_of_last, layout.last);
        Ok(())
    }

    /// Whether a layout is as predicted: wrapping and notation as before, variations if the last
    /// record had them, no text, and the predicted gaps.
    fn is_as_predicted(&self, layout: &Layout, first: GapContext, last: Option<u32>) -> bool {
        last == Some(layout.last)
            && layout.wrap == self.wrap
            && layout.naming == self.naming
            && layout.variations == self.had[1]
            && layout.text_lens.is_empty()
            && self.predicted_run(first, 0, &layout.gaps) == layout.gaps.len()
    }

    /// Codes whether the record has payloads of a kind: comments, variations, text.
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
            _ => return Err(Error::corrupt("a layout has an unknown wrapping rule")),
        };
        self.wrap = *wrap;
        Ok(())
    }

    fn code_text_lens(&mut self, coder: &mut impl Coder, lens: &mut Vec<u32>) -> Result<()> {
        let count = self.text_count.code(coder, lens.len() as u64) as usize;
        if count > MAX_TEXT_PIECES {
            return Err(Error::corrupt("a record has too many pieces of text"));
        }
        lens.resize(count, 0);
        for len in lens {
            let coded = self.text_len.code(coder, u64::from(*len));
            if coded > MAX_BLOCK_TEXT {
                return Err(Error::corrupt("a piece of text is too long"));
            }
            *len = coded as u32;
        }
        Ok(())
    }

    /// Codes the gaps before the moves: the number of predicted gaps, then an exception, and so
    /// on. Returns the number of stored gaps.
    fn code_gaps(
        &mut self,
        coder: &mut impl Coder,
        first: GapContext,
        gaps: &mut Vec<u32>,
    ) -> Result<usize> {
        let mut place = first;
        let mut position = 0;
        // Exceptions cluster: after two of them another is more likely.
        let mut exceptions = 0;
        loop {
            let given = &gaps[position.min(gaps.len())..];
            let run = self.predicted_run(place, position, given);
            let more = coder.bit(&mut self.more[exceptions.min(2)], run < given.len());
            if !more {
                return Ok(position);
            }
            let run = self.runs[exceptions.min(1)].code(coder, run as u64) as usize;
            exceptions += 1;
            if run > MAX_PLIES {
                return Err(Error::corrupt("a game has too many moves"));
            }
            for _ in 0..run {
                let predicted = self.predictor.predict(place).ok_or_else(no_prediction)?;
                self.predictor.update(place, predicted);
                position += 1;
                place = GapContext::after(predicted, position);
                if gaps.len() < position {
                    gaps.push(predicted);
                }
            }
            let given = gaps.get(position).copied().unwrap_or(0);
            let template = self.code_template(coder, place, given)?;
            self.predictor.update(place, template);
            if gaps.len() == position {
                gaps.push(template);
            }
            position += 1;
            if position > MAX_PLIES {
                return Err(Error::corrupt("a game has too many moves"));
            }
            place = GapContext::after(template, position);
        }
    }

    /// Number of given gaps, from the first, that are as predicted.
    fn predicted_run(&self, mut place: GapContext, mut position: usize, given: &[u32]) -> usize {
        let as_expected = |&gap: &u32| {
            let predicted = self.predictor.predict(place) == Some(gap);
            position += 1;
            place = GapContext::after(gap, position);
            predicted
        };
        given.iter().copied().take_while(as_expected).count()
    }

    /// Codes an exception: a template at a place where another one is predicted, or none. The
    /// place's earlier exceptions come first, because odd gaps are mostly a few that recur.
    fn code_template(
        &mut self,
        coder: &mut impl Coder,
        place: GapContext,
        template: u32,
    ) -> Result<u32> {
        let (index, predicted) = (place.index(), self.predictor.predict(place));
        if self.alternatives.len() <= index {
            self.alternatives.resize_with(index + 1, Vec::new);
        }
        for (alternative, is_this) in &mut self.alternatives[index] {
            if Some(*alternative) != predicted && coder.bit(is_this, *alternative == template) {
                return Ok(*alternative);
            }
        }
        let template = self.code_new(coder, template)?;
        let alternatives = &mut self.alternatives[index];
        if alternatives.len() < MAX_ALTERNATIVES {
            alternatives.push((template, Bit::new()));
        }
        Ok(template)
    }

    fn code_new(&mut self, coder: &mut impl Coder, template: u32) -> Result<u32> {
        if coder.bit(&mut self.is_new, template == self.template_count) {
            self.template_count += 1;
            return Ok(self.template_count - 1);
        }
        let template = self.template.code(coder, u64::from(template));
        if template >= u64::from(self.template_count) {
            return Err(Error::corrupt("a gap has an unknown template"));
        }
        Ok(template as u32)
    }

    /// Checks that no more templates were introduced than there are.
    ///
    /// # Errors
    /// Returns a corruption error otherwise.
    pub fn check_templates(&self, available: usize) -> Result<()> {
        if self.template_count as usize > available {
            return Err(Error::corrupt("a gap has an unknown template"));
        }
        Ok(())
    }
}

fn no_prediction() -> Error {
    Error::corrupt("a gap is coded as predicted where there is no prediction")
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

    /// Renumbers templates by first appearance, as the parser does.
    fn renumbered() -> Vec<Layout> {
        let mut seen = Vec::new();
        let mut renumber = |t: &mut u32| {
            let place = seen.iter().position(|s| s == t).unwrap_or_else(|| {
                seen.push(*t);
                seen.len() - 1
            });
            *t = place as u32;
        };
        layouts()
            .into_iter()
            .map(|mut l| {
                l.gaps.iter_mut().for_each(&mut renumber);
                renumber(&mut l.last);
                l
            })
            .collect()
    }

    #[test]
    fn round_trips_layouts_with_and_without_moves() {
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
            // Every other record is skipped.
            if i % 2 == 0 {
                for plies in decoded.gaps.len()..layout.gaps.len() {
                    let gap = model
                        .gap(&decoded, plies, decoded.gaps.last().copied())
                        .unwrap();
                    decoded.gaps.push(gap);
                }
                decoded.stored_gaps = layout.stored_gaps;
                assert_eq!(&decoded, layout, "record {i}");
            }
        }
        model.check_templates(8).unwrap();
        assert!(model.check_templates(7).is_err());
    }

    #[test]
    fn a_regular_game_takes_a_fraction_of_a_bit() {
        let regular = renumbered().remove(0);
        let mut coder = Encoder::new();
        let mut model = LayoutModel::default();
        for _ in 0..10_000 {
            model.code(&mut coder, &mut regular.clone()).unwrap();
        }
        assert!(coder.finish().len() < 100);
    }

    #[test]
    fn a_rare_exception_costs_little_more_than_its_position() {
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
        // The position of one exception in 20 gaps takes at least 5.7 bits.
        let bits = 8 * coder.finish().len();
        assert!(bits < 6 * odd, "{bits} bits for {odd} odd gaps");
    }

    #[test]
    fn decodes_arbitrary_bytes_without_panic() {
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
