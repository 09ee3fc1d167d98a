//! Every kind of read that a search makes of a segment, for tests with bytes that are no index.

use ign_notation::chess::{Position, legal::Legal};

use super::{IndexColumn, Keys, Segment};
use crate::values::TextPattern;

impl Segment {
    /// Reads positions, columns, players and nodes of the opening tree, and ignores the answers and
    /// errors. The fuzz target of indexes calls it.
    #[doc(hidden)]
    pub fn exercise(&self) {
        let mut position = Position::default();
        for ordinal in [0, 12, 3, 7, 1] {
            _ = self.position(Keys::of_position(&position));
            position.play(Legal::new(&position).nth(ordinal));
        }
        for &column in IndexColumn::ALL {
            _ = self.column(column, |_| ());
            _ = self.dictionary(column);
        }
        for pattern in ["*", "a*", "nobody"] {
            _ = self.games_of_players(&TextPattern::new(pattern), |_| ());
        }
        for number in [0, 1, 5000] {
            if let Ok(node) = self.node(number) {
                _ = self.games_of_tree(node.games(), |_| ());
            }
        }
    }
}
