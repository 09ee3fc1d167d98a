//! Test fixtures: a layout with a comment before every move.

use crate::pgn::{
    gaps::Templates,
    layout::{Layout, LayoutModel},
};
use ign_entropy::adaptive::Encoder;

/// A layout with a comment before every move and none after the last.
pub fn layout(stored_gaps: usize) -> Layout {
    Layout {
        gaps: vec![0; stored_gaps],
        stored_gaps,
        last: 1,
        comments: true,
        ..Layout::default()
    }
}

/// A layout model that predicts template 0 before every move, and the templates.
pub fn adapted_model() -> (LayoutModel, Templates) {
    let mut model = LayoutModel::default();
    let mut coder = Encoder::new();
    model.code(&mut coder, &mut layout(3)).unwrap();
    (model, Templates::read(b" \x02 \0 *\0").unwrap())
}
