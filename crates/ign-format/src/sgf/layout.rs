//! The layout of a record: the templates of its head and of the gaps after its moves (spec §14.4).
//!
//! [`Templates`] is the table of distinct template texts of a block. [`LayoutModel`] encodes and
//! decodes each record's template numbers. It predicts a gap from the gap before it and the number
//! of moves since the last line break; a correct prediction costs a small fraction of a bit.
//! Layouts are decoded independently of the moves, so a reader can skip records.

use rustc_hash::FxHashMap;

use crate::{
    container::MAX_BLOCK_TEXT,
    error::{Error, Result},
};
use ign_entropy::{
    adaptive::{Bit, Coder, Number},
    varint,
};

/// Bytes with a meaning in templates (spec §14.4.1).
pub mod mark {
    /// Replaced by the value of the record's next tag.
    pub const TAG: u8 = 1;
    /// Replaced by the next extracted value, including its `]`.
    pub const VALUE: u8 = 2;
    /// The next byte is literal.
    pub const ESCAPE: u8 = 3;
    /// Replaced by the text that ends the record.
    pub const TEXT: u8 = 4;
}

/// The longest template, in bytes (spec §14.4.1).
pub const MAX_TEMPLATE: usize = 1 << 12;
/// Upper limit of the number of moves since the last line break; also the value if there was none.
const LONG_AGO: u32 = 63;

/// Summary of a template, computed once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outline {
    /// Number of extracted values.
    pub values: u32,
    /// Number of tags.
    pub tags: u32,
    /// Whether it ends with the record's text.
    pub text: bool,
    /// Whether it contains a line break.
    pub line: bool,
    /// Whether a variation begins or ends in it.
    pub branches: bool,
    /// Whether a variation ends in it.
    pub closes: bool,
    /// Whether it may keep moves as text: it ends with the record's text or has an extracted value
    /// of `B` or `W`.
    pub keeps_moves: bool,
}

impl Outline {
    fn of(template: &[u8]) -> Self {
        let mut outline = Self::default();
        let kept = |way: &[u8]| matches!(way, [before, b'B' | b'W', b'[', mark::VALUE] if !before.is_ascii_alphabetic());
        outline.keeps_moves = template.contains(&mark::TEXT) || template.windows(4).any(kept);
        let mut bytes = template.iter();
        while let Some(&byte) = bytes.next() {
            match byte {
                mark::TAG => outline.tags += 1,
                mark::VALUE => outline.values += 1,
                mark::TEXT => outline.text = true,
                b'\n' | b'\r' => outline.line = true,
                b'(' => outline.branches = true,
                b')' => (outline.branches, outline.closes) = (true, true),
                mark::ESCAPE => _ = bytes.next(),
                _ => {}
            }
        }
        outline
    }
}

/// The templates of a block, numbered by first occurrence.
#[derive(Debug, Default)]
pub struct Templates {
    texts: Vec<Vec<u8>>,
    outlines: Vec<Outline>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Templates {
    /// Returns the number of a template, and adds the template if it is new.
    pub fn number(&mut self, template: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(template) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(template.to_vec(), number);
        self.push(template);
        number
    }

    fn push(&mut self, template: &[u8]) {
        self.outlines.push(Outline::of(template));
        self.texts.push(template.to_vec());
    }

    /// Number of templates.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no templates.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The template with this number.
    pub fn text(&self, number: u32) -> &[u8] {
        &self.texts[number as usize]
    }

    /// The summary of the template with this number.
    pub fn outline(&self, number: u32) -> Outline {
        self.outlines[number as usize]
    }

    /// Writes the templates stream: the length and the bytes of each template.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for text in &self.texts {
            varint::write(&mut out, text.len() as u64);
            out.extend_from_slice(text);
        }
        out
    }

    /// Reads the templates stream.
    ///
    /// # Errors
    /// Corrupt if a template is too long or truncated.
    pub fn read(mut input: &[u8]) -> Result<Self> {
        let mut templates = Self::default();
        while !input.is_empty() {
            let len = varint::read_limited(&mut input, MAX_TEMPLATE as u64, "a template's length")?;
            let (text, rest) = input
                .split_at_checked(len)
                .ok_or_else(|| Error::corrupt("a template is truncated"))?;
            templates.push(text);
            input = rest;
        }
        Ok(templates)
    }
}

/// The layout of one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The template before the first move.
    pub head: u32,
    /// The template after each move.
    pub gaps: Vec<u32>,
    /// Whether passes are written as `tt` instead of an empty value.
    pub passes_by_letters: bool,
    /// Length in bytes of the text that ends the record; used only if the last template has
    /// [`mark::TEXT`].
    pub text_len: u32,
}

impl Layout {
    /// The template that ends the record.
    pub fn last(&self) -> u32 {
        self.gaps.last().copied().unwrap_or(self.head)
    }

    /// The templates in order: head, then gaps.
    pub fn templates(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.head).chain(self.gaps.iter().copied())
    }

    /// Number of explicit moves of the main line: those before the first end of a variation.
    pub fn main_moves(&self, templates: &Templates) -> usize {
        let closes = |template| templates.outline(template).closes;
        let before = self.templates().position(closes);
        before.unwrap_or(self.gaps.len()).min(self.gaps.len())
    }
}

/// A predicted template, and whether the last prediction was wrong.
#[derive(Debug, Clone, Copy)]
struct Habit {
    template: u32,
    missed: bool,
}

/// Adaptive model of the layouts of a block, for encoding and decoding.
#[derive(Debug, Default)]
pub struct LayoutModel {
    /// The last head of each tag list.
    heads: FxHashMap<u32, u32>,
    same_head: Bit,
    moves: Number<8>,
    passes_by_letters: bool,
    other_passes: Bit,
    /// Predictions by the previous template and the number of moves since the last line break.
    habits: FxHashMap<(u32, u32), Habit>,
    /// Whether a gap differs from its prediction. The context is whether it is the last gap, and
    /// which of the three gaps before it differed.
    differs: [[Bit; 8]; 2],
    new: Bit,
    which: Number<12>,
    /// Number of templates used so far.
    known: u32,
    text_len: Number<3>,
    /// Remaining limit of moves in the block, so that a small corrupt input cannot request an
    /// unbounded number.
    moves_left: u64,
}

impl LayoutModel {
    /// Creates the model for a block with `text_len` bytes of text.
    pub fn new(text_len: usize) -> Self {
        Self {
            moves_left: text_len as u64,
            ..Self::default()
        }
    }

    /// Encodes or decodes the layout of the next record, whose tag list has the number `list`. A
    /// decoder passes an empty layout, which is filled in.
    ///
    /// # Errors
    /// Corrupt if a decoded number exceeds its limit.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        list: u32,
        templates: &Templates,
        layout: &mut Layout,
    ) -> Result<()> {
        let head = self.heads.get(&list).copied();
        layout.head = match head {
            Some(head) if !coder.bit(&mut self.same_head, head != layout.head) => head,
            _ => self.code_template(coder, layout.head, templates)?,
        };
        self.heads.insert(list, layout.head);
        let moves = self.moves.code(coder, layout.gaps.len() as u64);
        if moves > self.moves_left {
            return Err(Error::corrupt("a record has too many moves"));
        }
        self.moves_left -= moves;
        layout.gaps.resize(moves as usize, 0);
        if moves > 0 {
            let differs = layout.passes_by_letters != self.passes_by_letters;
            self.passes_by_letters ^= coder.bit(&mut self.other_passes, differs);
            layout.passes_by_letters = self.passes_by_letters;
        }
        self.code_gaps(coder, templates, layout)?;
        if templates.outline(layout.last()).text {
            let len = self.text_len.code(coder, u64::from(layout.text_len));
            if len > MAX_BLOCK_TEXT {
                return Err(Error::corrupt("the text of a record is too long"));
            }
            layout.text_len = len as u32;
        }
        Ok(())
    }

    fn code_gaps(
        &mut self,
        coder: &mut impl Coder,
        templates: &Templates,
        layout: &mut Layout,
    ) -> Result<()> {
        let mut before = layout.head;
        let mut since_line = if templates.outline(before).line {
            0
        } else {
            LONG_AGO
        };
        let mut missed = 0;
        let last = layout.gaps.len().saturating_sub(1);
        for (i, gap) in layout.gaps.iter_mut().enumerate() {
            let is_last = i == last;
            let key = if is_last {
                (u32::MAX, 0)
            } else {
                (before, since_line)
            };
            let habit = self.habits.get(&key).copied();
            let hit = habit.is_some_and(|habit| {
                let estimate = &mut self.differs[usize::from(is_last)][missed];
                !coder.bit(estimate, habit.template != *gap)
            });
            let template = match habit {
                Some(habit) if hit => habit.template,
                _ => self.code_template(coder, *gap, templates)?,
            };
            // A prediction is replaced only after two misses in a row.
            let learned = match habit {
                Some(habit) if habit.template != template && !habit.missed => Habit {
                    missed: true,
                    ..habit
                },
                _ => Habit {
                    template,
                    missed: false,
                },
            };
            if !hit || habit.is_some_and(|habit| habit.missed) {
                self.habits.insert(key, learned);
            }
            *gap = template;
            before = template;
            since_line = if templates.outline(template).line {
                0
            } else {
                (since_line + 1).min(LONG_AGO)
            };
            missed = (missed << 1 | usize::from(!hit)) & 7;
        }
        Ok(())
    }

    fn code_template(
        &mut self,
        coder: &mut impl Coder,
        template: u32,
        templates: &Templates,
    ) -> Result<u32> {
        let template = if coder.bit(&mut self.new, template == self.known) {
            self.known += 1;
            self.known - 1
        } else {
            let coded = self.which.code(coder, u64::from(template));
            if coded >= u64::from(self.known) {
                return Err(Error::corrupt("a gap has an unknown template"));
            }
            coded as u32
        };
        if template as usize >= templates.len() {
            return Err(Error::corrupt("a gap has an unknown template"));
        }
        Ok(template)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_entropy::adaptive::{Decoder, Encoder};

    fn templates() -> Templates {
        let mut templates = Templates::default();
        for text in [
            &b"(;SZ[\x01]\n;B["[..],
            b"];W[",
            b"];B[",
            b"]\n;B[",
            b"])\n",
            b"]C[\x02;W[",
            b"](;W[",
            b"\x04",
        ] {
            templates.number(text);
        }
        templates
    }

    fn game(moves: usize) -> Layout {
        let gap = |i| match i {
            i if i + 1 == moves => 4,
            i if i % 10 == 9 => 3,
            i => 1 + (i as u32 & 1),
        };
        Layout {
            gaps: (0..moves).map(gap).collect(),
            ..Layout::default()
        }
    }

    fn round_trip(layouts: &[Layout]) -> usize {
        let templates = templates();
        let mut coder = Encoder::new();
        let mut model = LayoutModel::new(1 << 28);
        for layout in layouts {
            model
                .code(&mut coder, 0, &templates, &mut layout.clone())
                .unwrap();
        }
        let bytes = coder.finish();
        let templates = Templates::read(&templates.write()).unwrap();
        let mut coder = Decoder::new(&bytes);
        let mut model = LayoutModel::new(1 << 28);
        for layout in layouts {
            let mut decoded = Layout::default();
            model.code(&mut coder, 0, &templates, &mut decoded).unwrap();
            assert_eq!(&decoded, layout);
        }
        bytes.len()
    }

    #[test]
    fn layouts_round_trip() {
        let mut commented = game(120);
        commented.gaps[40] = 5;
        let mut branched = game(30);
        branched.gaps[7] = 6;
        branched.passes_by_letters = true;
        let text = Layout {
            head: 7,
            text_len: 70_000,
            ..Layout::default()
        };
        round_trip(&[
            game(200),
            commented,
            game(0),
            branched,
            text,
            game(1),
            game(55),
        ]);
    }

    #[test]
    fn regular_games_cost_less_than_one_byte_each() {
        let games = vec![game(230); 2000];
        let len = round_trip(&games);
        assert!(len < 1500, "{len} bytes");
    }

    #[test]
    fn main_line_ends_at_the_first_end_of_a_variation() {
        let templates = templates();
        assert_eq!(game(20).main_moves(&templates), 20);
        let mut templates = templates;
        let mut layout = game(20);
        layout.gaps[7] = templates.number(b"])(;W[");
        assert_eq!(layout.main_moves(&templates), 8);
        layout.head = templates.number(b"(;)(;B[");
        assert_eq!(layout.main_moves(&templates), 0);
    }

    #[test]
    fn arbitrary_bytes_never_panic() {
        let templates = templates();
        for seed in 0..2000u32 {
            let bytes: Vec<u8> = (0..40)
                .map(|i| (seed.wrapping_mul(2_654_435_761).rotate_left(i) >> 7) as u8)
                .collect();
            let mut coder = Decoder::new(&bytes);
            let mut model = LayoutModel::new(10_000);
            for _ in 0..50 {
                let mut layout = Layout::default();
                if model.code(&mut coder, 0, &templates, &mut layout).is_err() {
                    break;
                }
            }
        }
    }
}
