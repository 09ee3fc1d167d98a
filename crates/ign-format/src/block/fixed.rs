//! The columns of a block that are not tags (spec §4.1).

/// A column that is not a tag; its number is its codec in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// Which tags each record has.
    Schemas = 0,
    /// The moves of the games.
    Moves = 1,
    /// Naming, wrapping and gaps of each record, and the templates of the gaps.
    Layout = 2,
    /// Comments.
    Comments = 3,
    /// Variations.
    Variations = 4,
    /// Text that the model cannot express.
    Text = 5,
    /// The signatures of the games.
    Signatures = 6,
    /// The unmoved pawns of the games.
    Pawns = 7,
    /// The data of a model; the only column of its block.
    Model = 8,
}

impl Fixed {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Schemas,
        Self::Moves,
        Self::Layout,
        Self::Comments,
        Self::Variations,
        Self::Text,
        Self::Signatures,
        Self::Pawns,
        Self::Model,
    ];

    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schemas => "schemas",
            Self::Moves => "moves",
            Self::Layout => "layout",
            Self::Comments => "comments",
            Self::Variations => "variations",
            Self::Text => "text",
            Self::Signatures => "signatures",
            Self::Pawns => "unmoved pawns",
            Self::Model => "model",
        }
    }
}
