//! What of a block can be read without its damaged columns.
//!
//! A column is decoded only with those that it depends on:
//!
//! | column | depends on |
//! | --- | --- |
//! | any | the schemas |
//! | moves | the tags that give the start of a game; in weighted games the signatures |
//! | tags | the tags to which the directory refers; opening tags and derived tags on the moves |
//! | text | the layout |
//! | comments | the layout, the moves, and the tag to which the directory refers (the time control) |
//! | variations | the layout, the moves |

use crate::{
    block::{Coding, Fixed, Kind, decode::block::Block, directory::is_coded_with, starts::Starts},
    container::block_head::Column,
    error::Result,
    pgn::render::Missing,
};

/// What of a block cannot be read, because columns are damaged.
#[derive(Debug, Default)]
pub(in crate::block) struct Unreadable {
    /// For each tag name of the head whether its values cannot be; empty if all can.
    tags: Vec<bool>,
    /// Comments.
    pub comments: bool,
    /// Variations.
    pub variations: bool,
    /// Movetext that is stored as text.
    pub text: bool,
}

impl Unreadable {
    /// Whether the values of a tag cannot be read.
    pub fn has_tag(&self, tag: u16) -> bool {
        self.tags.get(usize::from(tag)).is_some_and(|&is| is)
    }

    /// What its records lack. Whether the block has a Result tag that can be read is known to the
    /// caller.
    pub fn of_records(&self, has_no_result: bool) -> Missing {
        Missing {
            comments: self.comments,
            variations: self.variations,
            text: self.text,
            result: has_no_result && self.tags.contains(&true),
        }
    }
}

impl Block<'_> {
    /// Whether a fixed column is among the damaged ones.
    pub(super) fn is_damaged(&self, fixed: Fixed, damaged: &[usize]) -> bool {
        let place = self.head().column_index(fixed as u8);
        place.is_some_and(|place| damaged.contains(&place))
    }

    /// The places in the directory of the columns that are coded with a model which is missing or
    /// damaged.
    ///
    /// # Errors
    /// Those of reading models.
    pub fn columns_without_model(&self) -> Result<Vec<usize>> {
        let mut without = Vec::new();
        for &id in &self.head().models {
            if self.models.lacks(id)? {
                let columns = self.head.columns.iter().enumerate();
                let coded = columns.filter(|(_, column)| is_coded_with(column, id.architecture));
                without.extend(coded.map(|(place, _)| place));
            }
        }
        Ok(without)
    }

    /// What cannot be read if these columns are damaged, and the moves are not.
    pub(super) fn unreadable(&self, damaged: &[usize]) -> Unreadable {
        let readable = self.readable_tags(damaged);
        let layout = self.is_damaged(Fixed::Layout, damaged);
        let is_lost = |fixed: Fixed| layout || self.is_damaged(fixed, damaged);
        let comments = self.fixed_column(Fixed::Comments);
        let mut refs = comments.iter().flat_map(|column| &column.refs);
        Unreadable {
            comments: is_lost(Fixed::Comments) || refs.any(|&tag| !readable[usize::from(tag)]),
            variations: is_lost(Fixed::Variations),
            text: is_lost(Fixed::Text),
            tags: readable
                .into_iter()
                .map(|is_readable| !is_readable)
                .collect(),
        }
    }

    /// The columns that are whole but cannot be decoded without the damaged ones, by their places
    /// in the directory. If `keeps_layout` is not set, nothing of the columns that depend on the
    /// layout is used.
    pub fn columns_lost_with(&self, damaged: &[usize], keeps_layout: bool) -> Vec<usize> {
        let unreadable = self.unreadable(damaged);
        let columns = self.head().columns.iter().enumerate();
        let is_lost = |column: &Column| match Fixed::ALL.iter().find(|f| **f as u8 == column.codec)
        {
            Some(Fixed::Layout) => !keeps_layout,
            Some(Fixed::Comments) => !keeps_layout || unreadable.comments,
            Some(Fixed::Variations) => !keeps_layout || unreadable.variations,
            Some(Fixed::Text) => !keeps_layout || unreadable.text,
            Some(_) => false,
            None => column.tags.iter().any(|&tag| unreadable.has_tag(tag)),
        };
        // A column of tags without content has values that are all predicted. A fixed column has
        // none.
        let has_content = |column: &Column| {
            !column.tags.is_empty() || column.streams.iter().any(|s| s.stream_len() > 0)
        };
        columns
            .filter(|&(place, column)| {
                !damaged.contains(&place) && is_lost(column) && has_content(column)
            })
            .map(|(place, _)| place)
            .collect()
    }

    /// For each tag name of the head whether its values can be decoded: neither its column is
    /// damaged nor one that it refers to.
    pub(super) fn readable_tags(&self, damaged: &[usize]) -> Vec<bool> {
        let head = self.head();
        let mut readable = vec![false; head.tag_names.len()];
        for (place, column) in head.columns.iter().enumerate() {
            // References point to earlier columns.
            let refs_are = column.refs.iter().all(|&tag| readable[usize::from(tag)]);
            for &tag in &column.tags {
                readable[usize::from(tag)] = refs_are && !damaged.contains(&place);
            }
        }
        readable
    }

    /// Whether this is a block of chess whose moves can be decoded without the damaged columns.
    pub(super) fn keeps_moves(&self, damaged: &[usize]) -> bool {
        let needs_signatures = self.coding() == Coding::Weighted;
        let moves_are_lost = self.is_damaged(Fixed::Schemas, damaged)
            || self.is_damaged(Fixed::Moves, damaged)
            || needs_signatures && self.is_damaged(Fixed::Signatures, damaged);
        let readable = self.readable_tags(damaged);
        let names = self.head().tag_names.iter().zip(&readable);
        let mut lost = names
            .filter(|&(_, is_readable)| !is_readable)
            .map(|(name, _)| name);
        let gives_start = |name: &Vec<u8>| Starts::TAGS.iter().any(|tag| tag.as_bytes() == name);
        self.kind() == Kind::Chess && !moves_are_lost && !lost.any(gives_start)
    }
}
