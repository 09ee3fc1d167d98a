//! Are the positions that games reach in few plies as many as published?

use std::collections::{HashMap, HashSet};

use ign_endgame::proof::packed::{Packed, pack, unpack};
use ign_notation::chess::{Legal, Position};

/// Breadth-first search over all games, as in document 001: the number of positions after each ply,
/// and of those not reached sooner. The former are known (OEIS A083276). Prints the table of
/// docs/positions.md.
#[test]
#[ignore = "a minute; make endgames"]
fn position_counts_agree_with_published_ones() {
    let start = Position::default();
    // The positions after the current ply, each with the smallest integer of its shortest games and
    // the product of that integer's bases.
    let mut now: HashMap<Packed, (u128, u128)> = [(pack(&start), (0, 1))].into();
    let mut before = [HashSet::new(), HashSet::new()];
    let mut turn = start.turn();
    for (plies, known) in (0i32..).zip([1, 20, 400, 5_362, 72_078, 822_518]) {
        assert_eq!(now.len(), known, "after {plies} plies");
        let sooner = &mut before[plies as usize % 2];
        let new = now.iter().filter(|(packed, _)| !sooner.contains(*packed));
        let bits = |integer: u128| u128::BITS - integer.leading_zeros();
        let bits: Vec<u32> = new.map(|(_, &(integer, _))| bits(integer)).collect();
        let sum: u32 = bits.iter().sum();
        println!(
            "{plies} plies: {known} positions of {} games, {} new, {:.1} bits on average, {} at most; \
             document 001: {:.1}",
            20u64.pow(plies as u32),
            bits.len(),
            f64::from(sum) / bits.len() as f64,
            bits.iter().max().unwrap(),
            f64::from(plies + 1) * 20f64.log2(),
        );
        sooner.extend(now.keys().copied());
        let mut next = HashMap::new();
        for (packed, (integer, product)) in now {
            let position = unpack(packed, turn);
            let legal = Legal::new(&position);
            let bases = u128::from(legal.count());
            let mut ordinal = 0;
            legal.each_move(|played| {
                ordinal += 1;
                let mut after = position;
                after.play(played);
                let game = (integer + product * ordinal, product * bases);
                let known = next.entry(pack(&after)).or_insert(game);
                *known = game.min(*known);
            });
        }
        now = next;
        turn = !turn;
    }
}
