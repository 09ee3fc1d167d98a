//! The layout column of a block of chess, record by record.

use std::cell::OnceCell;

use crate::{
    block::{
        Fixed, Kind,
        decode::{block::Block, records::Records},
    },
    columns,
    error::Result,
    pgn::{
        gaps::{GapContext, Oddity, Templates},
        layout::{Layout, LayoutModel},
        variations::Record,
        wrap::Wrap,
    },
};
use ign_entropy::adaptive::Decoder;
use ign_notation::chess::san::Naming;

/// The maximum number of different gaps in sequence that are looked at.
const MAX_PREDICTED: usize = 32;

/// The layouts of a block's records; a clone is a place to resume from.
#[derive(Clone)]
pub struct Layouts<'a> {
    coder: Decoder<'a>,
    /// The model after the current record.
    pub model: LayoutModel,
    pub templates: &'a Templates,
    /// The layout of the current record.
    pub layout: Layout,
}

impl<'a> Layouts<'a> {
    /// Before the first record.
    pub fn new(codes: &'a [u8], templates: &'a Templates) -> Self {
        Self {
            coder: Decoder::new(codes),
            model: LayoutModel::default(),
            templates,
            layout: Layout::default(),
        }
    }

    /// Decodes the next record.
    ///
    /// # Errors
    /// Corrupt.
    pub fn next(&mut self) -> Result<()> {
        self.layout.gaps.clear();
        self.layout.text_lens.clear();
        self.model.code(&mut self.coder, &mut self.layout)?;
        columns::check_overrun(&self.coder)?;
        self.model.check_templates(self.templates.len())
    }

    /// The places of variations in the current record.
    pub fn variations(&self) -> Record<'_> {
        Record {
            layout: &self.layout,
            model: &self.model,
            gaps: self.templates,
        }
    }

    /// See [`Block::in_san`].
    fn in_san(&self, oddities: &[Oddity]) -> bool {
        let Self { layout, model, .. } = self;
        if layout.naming == Naming::Squares || oddities[layout.last as usize].last {
            return false;
        }
        let is_wrapped = layout.wrap != Wrap::None;
        // The number of moves is not known here. After the last gap that is stored, the gaps are
        // predicted: few, which repeat.
        let mut predicted = Vec::new();
        let mut before = None;
        for plies in 0.. {
            let Ok(gap) = model.gap(layout, plies, before) else {
                break;
            };
            let Oddity {
                first,
                between,
                wrapped,
                ..
            } = oddities[gap as usize];
            let is_odd = match plies {
                0 => first,
                _ => between || (wrapped && is_wrapped),
            };
            if is_odd || predicted.len() == MAX_PREDICTED {
                return false;
            }
            if plies >= layout.gaps.len() {
                let place = GapContext::after(gap, plies);
                if predicted.contains(&place) {
                    break;
                }
                predicted.push(place);
            }
            before = Some(gap);
        }
        true
    }

    /// Bytes of the current record in the text column.
    pub fn text_len(&self) -> usize {
        self.layout.text_lens.iter().map(|&len| len as usize).sum()
    }
}

impl Block<'_> {
    /// For each record of a block of chess whether it keeps some movetext as text.
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn layouts_keep_text(&self, records: &Records) -> Result<Vec<bool>> {
        self.of_layouts(records.len(), |layouts| {
            layouts.templates.keeps_text(layouts.layout.last)
        })
    }

    /// For each record of a block of chess whether it has more than moves and their layout:
    /// comments, variations or text. False for all records of other blocks.
    ///
    /// # Errors
    /// Corrupt.
    pub fn annotated(&self, records: &Records) -> Result<Vec<bool>> {
        if self.kind() != Kind::Chess {
            return Ok(vec![false; records.len()]);
        }
        self.of_layouts(records.len(), |layouts| {
            let layout = &layouts.layout;
            layout.comments || layout.variations || !layout.text_lens.is_empty()
        })
    }

    /// For each record whether a reader of PGN surely finds the moves of its main line in its text:
    /// they are in SAN and stand apart, and nothing between them can be taken for something else.
    /// True for all records of blocks of Go.
    ///
    /// # Errors
    /// Corrupt.
    pub fn in_san(&self, records: &Records) -> Result<Vec<bool>> {
        if self.kind() != Kind::Chess {
            return Ok(vec![true; records.len()]);
        }
        let oddities = OnceCell::new();
        self.of_layouts(records.len(), |layouts| {
            layouts.in_san(oddities.get_or_init(|| layouts.templates.oddities()))
        })
    }

    /// A property of the layouts of the first records.
    pub(super) fn of_layouts<T>(
        &self,
        records: usize,
        property: impl Fn(&Layouts) -> T,
    ) -> Result<Vec<T>> {
        let [layout, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let mut layouts = Layouts::new(&layout, &templates);
        let of_next = |_| layouts.next().map(|()| property(&layouts));
        (0..records).map(of_next).collect()
    }
}
