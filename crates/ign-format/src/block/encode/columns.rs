//! Stage 9: the encoded columns of a block of chess that are not tags.

use crate::{
    block::{
        Fixed,
        encode::framing::{
            Content::{Codes, Text},
            Framing,
        },
    },
    columns::{Table, pawns},
    container::NotUnderstoodCounts,
    error::Result,
    pgn::{comments, variations},
};
use ign_notation::signature::Signature;
use shakmaty::Bitboard;

/// The columns, and the figures of the block.
pub struct Columns {
    /// The codes of the schemas column.
    pub schemas: Vec<u8>,
    /// The templates of the schemas column.
    pub sections: Vec<u8>,
    /// The moves column.
    pub moves: Vec<u8>,
    /// The codes of the layout column.
    pub layout: Vec<u8>,
    /// The templates of the layout column.
    pub templates: Vec<u8>,
    /// The comments column.
    pub comments: comments::parts::Packed,
    /// The variations column.
    pub variations: variations::Packed,
    /// The text column.
    pub text: Vec<u8>,
    /// The signature of each game.
    pub signatures: Vec<Signature>,
    /// The unmoved pawns of the games of chess, each with the number of elements of its signature.
    pub pawns: Vec<(u8, Bitboard)>,
    /// Plies of all games.
    pub plies: u64,
    /// The games that are not, or only partly, understood.
    pub not_understood: NotUnderstoodCounts,
}

impl Columns {
    /// Frames all columns but the comments.
    ///
    /// # Errors
    /// Internal.
    pub fn frame(&self, framing: &mut Framing) -> Result<()> {
        framing.signatures(&self.signatures)?;
        if !self.pawns.is_empty() {
            framing.fixed(Fixed::Pawns, &[Codes(&pawns::encode(&self.pawns))])?;
        }
        let schemas = [Codes(&self.schemas), Text(&self.sections)];
        framing.fixed(Fixed::Schemas, &schemas)?;
        framing.fixed(Fixed::Moves, &[Codes(&self.moves)])?;
        let layout = [Codes(&self.layout), Text(&self.templates)];
        framing.fixed(Fixed::Layout, &layout)?;
        let variations::Packed { lines, moves } = &self.variations;
        if !lines.parts.is_empty() {
            let streams = [
                Codes(&lines.codes),
                Text(&lines.text),
                Codes(&lines.parts),
                Codes(moves),
            ];
            framing.fixed(Fixed::Variations, &streams)?;
        }
        if !self.text.is_empty() {
            framing.fixed(Fixed::Text, &[Text(&self.text)])?;
        }
        Ok(())
    }

    /// Frames the comments, after the columns of the tags that they refer to.
    ///
    /// # Errors
    /// Internal.
    pub fn frame_comments(&self, framing: &mut Framing, table: &Table) -> Result<()> {
        let comments::parts::Packed {
            streams,
            duplicates,
            flags,
            uses_time_control,
        } = &self.comments;
        if streams.parts.is_empty() {
            return Ok(());
        }
        let control = table
            .tag(b"TimeControl")
            .filter(|_| *uses_time_control)
            .into_iter()
            .collect();
        let streams = [
            Codes(&streams.codes),
            Text(&streams.text),
            Codes(&streams.parts),
            Codes(duplicates),
        ];
        framing.fixed_with(Fixed::Comments, control, *flags, &streams)
    }
}
