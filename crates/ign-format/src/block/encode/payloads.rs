//! Stages 6 and 7: the comments and the variations of the records become columns.

use crate::{
    block::encode::tags::TagTable,
    error::Result,
    model::MoveModel,
    models::Models,
    pgn::{
        comments::{
            self, Networks,
            move_features::{self, MoveFeatures},
            repeats::Repeats,
            time_control::TimeControl,
        },
        gaps::Templates,
        layout::LayoutModel,
        movetext::Movetext,
        payloads::RecordPayloads,
        start::Start,
        variations,
    },
};

/// A record after its layout has been encoded.
#[derive(Clone, Copy)]
pub struct LaidOut<'a> {
    /// Its moves, layout and payloads.
    pub movetext: &'a Movetext,
    /// The layout model after the record.
    pub model: &'a LayoutModel,
    /// The templates of the block's gaps.
    pub templates: &'a Templates,
    /// Its start if it is playable.
    pub start: Option<&'a Start>,
    /// Number of playable records before it.
    pub number: usize,
}

/// Encodes the comments, record by record.
pub struct CommentsEncoder {
    packer: comments::parts::Packer,
    /// Features of the moves of the current record.
    features: Vec<MoveFeatures>,
    /// The comments of the current record, without what they repeat of the tags.
    shortened: Vec<u8>,
}

impl CommentsEncoder {
    /// An encoder for the comments of this text, with the preferred ones of some models.
    pub fn new(text: &[u8], models: &Models) -> Self {
        let networks = Networks {
            clocks: models.preferred(),
            evals: models.preferred(),
        };
        Self {
            packer: comments::parts::Packer::new(text, networks),
            features: Vec::new(),
            shortened: Vec::new(),
        }
    }

    /// Adds a record, which is the current one of the tag table. A part of the column may end after
    /// it if `ends_group`: then no group of the moves column continues.
    ///
    /// # Errors
    /// Internal.
    pub fn push(
        &mut self,
        text: &[u8],
        tags: &TagTable,
        record: LaidOut,
        ends_group: bool,
    ) -> Result<()> {
        let Movetext {
            layout,
            payloads,
            moves,
            ..
        } = record.movetext;
        self.shortened.clear();
        self.features.clear();
        if layout.comments {
            let section = RecordPayloads {
                comments: &payloads.comments,
                variations: &payloads.variations,
                text: &[],
            };
            let values = Repeats::TAGS.map(|name| tags.value(text, name.as_bytes()));
            let gaps = layout.gaps.iter().chain([&layout.last]).copied();
            let templates = record.templates;
            Repeats { tags: values }.shorten(section, gaps, templates, &mut self.shortened)?;
        }
        let by_moves = layout.comments && self.packer.needs_moves();
        if let Some(start) = record.start.filter(|_| by_moves) {
            move_features::of_game(start, moves, &mut self.features);
        }
        let place = comments::Record {
            layout,
            model: record.model,
            gaps: record.templates,
            control: TimeControl::of_tag(tags.value(text, b"TimeControl")),
            moves: by_moves.then_some(&self.features),
        };
        self.packer
            .push(place, &self.shortened, moves.len(), ends_group)
    }

    /// The column.
    pub fn finish(self) -> comments::parts::Packed {
        self.packer.finish()
    }
}

/// Encodes the variations, record by record.
#[derive(Default)]
pub struct VariationsEncoder {
    packer: variations::Packer,
}

impl VariationsEncoder {
    /// Adds a record.
    ///
    /// # Errors
    /// Internal.
    pub fn push(&mut self, record: LaidOut) -> Result<()> {
        let Movetext {
            layout,
            payloads,
            moves,
            ..
        } = record.movetext;
        let game = record.start.map(|start| variations::Game {
            number: record.number,
            start,
            moves,
        });
        let place = variations::Record {
            layout,
            model: record.model,
            gaps: record.templates,
        };
        self.packer.push(&place, game, &payloads.variations)
    }

    /// The column, with frequencies of the model or equal ones. The moves of the variations are
    /// added to `proven` if it is given.
    pub fn finish(
        self,
        model: Option<&MoveModel>,
        proven: Option<&mut variations::choices::KnownMoves>,
    ) -> variations::Packed {
        self.packer.finish(model, proven)
    }
}
