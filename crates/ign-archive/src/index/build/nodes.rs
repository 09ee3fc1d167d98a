//! The nodes of the opening tree on the way of each game.

use crate::index::{
    keys::Occurrence,
    openings::{self, MAX_PLY},
};

/// The nodes of the opening tree that a game passes.
pub(super) struct NodeOfGame {
    /// For each slot the place of its game in the order of the tree.
    places: Vec<u32>,
    /// For each place the number of nodes on the way of its game.
    depths: Vec<u8>,
    /// For each ply the first place of each node and its number, ascending.
    nodes: Vec<Vec<(u64, u32)>>,
}

impl NodeOfGame {
    /// The nodes of a tree. `places` has for each slot the place of its game.
    pub fn new(tree: &openings::OpeningTree, places: Vec<u32>) -> Self {
        let games = tree.nodes.first().map_or(0, |root| root.games().end);
        let mut depths = vec![0; games as usize];
        let mut nodes = vec![Vec::new(); MAX_PLY + 1];
        tree.walk(|ply, number, node| {
            let range = node.games();
            nodes[ply].push((range.start, number));
            depths[range.start as usize..range.end as usize].fill(ply as u8 + 1);
        });
        nodes
            .iter_mut()
            .for_each(|level: &mut Vec<_>| level.sort_unstable());
        Self {
            places,
            depths,
            nodes,
        }
    }

    /// The place of the game in a slot.
    pub fn place(&self, slot: u32) -> u32 {
        self.places[slot as usize]
    }

    /// The node that holds an occurrence, if there is one.
    pub fn of(&self, occurrence: Occurrence) -> Option<u32> {
        let place = self.places[occurrence.slot() as usize];
        let ply = occurrence.ply();
        let depth = *self.depths.get(place as usize)?;
        if ply >= depth {
            return None;
        }
        let level = &self.nodes[usize::from(ply)];
        let after = level.partition_point(|&(first, _)| first <= u64::from(place));
        level.get(after.checked_sub(1)?).map(|&(_, node)| node)
    }
}
