//! The nodes of the opening tree on the way of each game.

use crate::index::{
    keys::Occurrence,
    openings::{self, MAX_PLY},
    positions,
};

/// The nodes of the opening tree that a game passes.
pub(super) struct NodeOfGame {
    /// For each slot the place of its game in the list of the tree.
    places: Vec<u32>,
    /// For each place the number of nodes on the way of its game.
    depths: Vec<u8>,
    /// For each ply the first place of each node and its number, ascending.
    nodes: Vec<Vec<(u64, u32)>>,
}

impl NodeOfGame {
    /// The nodes of a tree whose games are in these slots, in its order.
    pub fn new(tree: &openings::OpeningTree, slots: &[u32], groups: u64) -> Self {
        let mut places = vec![u32::MAX; (groups * u64::from(positions::GROUP)) as usize];
        for (place, &slot) in (0..).zip(slots) {
            places[slot as usize] = place;
        }
        let mut depths = vec![0; slots.len()];
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
