//! Detection of the wrapping rule of a text.

use super::{Separator, Words, Wrap, is_number};

/// Finds the wrapping rule of a text: the rule of the last game if it predicts all line ends, else
/// a rule that does, else the last rule or none, whichever has fewer exceptions.
pub fn detect(text: &[u8], line_end: &[u8], before: Wrap) -> Wrap {
    if before == Wrap::None && memchr::memchr2(b'\n', b'\r', text).is_none() {
        return Wrap::None;
    }
    let mut evidence = Evidence::default();
    evidence.gather(text, line_end, before);
    if evidence.exceptions == 0 {
        return before;
    }
    if evidence.line_ends == 0 {
        return Wrap::None;
    }
    let [fill, numbers] = [evidence.fill, evidence.numbers].map(Bounds::pick);
    match (fill, numbers) {
        (Some(width), _) => Wrap::Fill(width),
        (None, Some(min)) => Wrap::Numbers(min),
        (None, None) if evidence.exceptions <= evidence.line_ends => before,
        (None, None) => Wrap::None,
    }
}

/// Constraints that the line ends of a text place on its rule.
#[derive(Default)]
struct Evidence {
    line_ends: usize,
    /// Number of separators that the last game's rule does not predict.
    exceptions: usize,
    fill: Bounds,
    numbers: Bounds,
}

/// Range of the possible parameters of a rule.
#[derive(Clone, Copy)]
struct Bounds {
    min: usize,
    max: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            min: 0,
            max: usize::MAX,
        }
    }
}

impl Bounds {
    /// A parameter within the bounds, preferably the common one; `None` if they exclude each
    /// other.
    fn pick(self) -> Option<u32> {
        /// Line width of most programs.
        const COMMON: usize = 80;
        let picked = COMMON.clamp(self.min, self.max.max(self.min));
        (self.min <= self.max).then_some(picked as u32)
    }
}

impl Evidence {
    fn gather(&mut self, text: &[u8], line_end: &[u8], before: Wrap) {
        let mut words = Words {
            rest: text,
            line_end,
        };
        let mut column = 0;
        while let Ok(step) = words.step() {
            column += step.word.len();
            let breaks = before.breaks(column, step.next);
            let filled = column + 1 + step.next.len();
            match step.separator {
                Separator::Space | Separator::KeptSpace => {
                    self.exceptions += usize::from(breaks);
                    self.fill.min = self.fill.min.max(filled);
                    if is_number(step.next) {
                        self.numbers.min = self.numbers.min.max(column + 1);
                    }
                    column += 1;
                }
                Separator::LineEnd => {
                    self.line_ends += 1;
                    self.exceptions += usize::from(!breaks);
                    self.fill.max = self.fill.max.min(filled - 1);
                    let numbered = if is_number(step.next) { column } else { 0 };
                    self.numbers.max = self.numbers.max.min(numbered);
                    column = 0;
                }
                Separator::Other(_) => {
                    self.line_ends += 1;
                    column = 0;
                }
            }
        }
    }
}
