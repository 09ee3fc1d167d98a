//! Extraction of the features of all choices of a position, with a cache for scoring.

use ign_notation::go::{Position, Size};

use super::{
    context::{CORNER_TABLE, Context, PATTERN_TABLES, pattern_entries},
    corners::{CornerKey, Corners},
    tables::{STARTS, TABLES},
};

/// Cached scores of a point for one player. Patterns and corners change less often than positions.
#[derive(Debug, Clone, Copy)]
struct Cached {
    /// The pattern around the point, and the score of its entries.
    pattern: u64,
    pattern_score: i32,
    /// The key of the corner, and the score of the entry.
    corner: CornerKey,
    corner_score: i32,
}

impl Cached {
    /// Keys that no point has.
    const EMPTY: Self = Self {
        pattern: u64::MAX,
        pattern_score: 0,
        corner: (0, 0, 0),
        corner_score: 0,
    };
}

/// Extracts the features of choices. It holds working space and a cache.
#[derive(Debug, Default)]
pub struct Extractor {
    /// By the point that represents a chain: its liberties and stones.
    chains: Vec<(u32, u32)>,
    rows: Vec<[u32; TABLES]>,
    /// By player and point of a board of this size.
    cache: [Vec<Cached>; 2],
    size: Option<Size>,
}

impl Extractor {
    /// The entries of the legal stones of a position, in canonical order, then of the pass.
    pub fn extract(&mut self, position: &Position) -> &[[u32; TABLES]] {
        self.count(position);
        self.rows.clear();
        let context = Context::new(position, &self.chains);
        let corners = Corners::new(position);
        position.each_legal(|at| {
            let (row, column) = position.lines(at);
            let mut entries = [0; TABLES];
            entries[..PATTERN_TABLES].copy_from_slice(&pattern_entries(context.pattern(at)));
            entries[PATTERN_TABLES..CORNER_TABLE].copy_from_slice(&context.entries(at));
            entries[CORNER_TABLE] = STARTS[CORNER_TABLE] + corners.entry(row, column);
            self.rows.push(entries);
        });
        self.rows.push(context.pass());
        &self.rows
    }

    /// Replaces `scores` by the sums of the parameters of the entries that
    /// [`extract`](Extractor::extract) gives. It is faster, since it caches the scores of patterns
    /// and corners that have not changed since the same player's last turn.
    pub fn score(&mut self, position: &Position, parameters: &[i8], scores: &mut Vec<i32>) {
        self.count(position);
        scores.clear();
        let context = Context::new(position, &self.chains);
        let corners = Corners::new(position);
        if self.size.replace(position.size()) != Some(position.size()) {
            self.cache.iter_mut().for_each(Vec::clear);
        }
        let cache = &mut self.cache[usize::from(context.white)];
        cache.resize(position.numbers(), Cached::EMPTY);
        position.each_legal(|at| {
            let cached = &mut cache[at];
            let pattern = context.pattern(at);
            if cached.pattern != pattern {
                cached.pattern = pattern;
                cached.pattern_score = sum(&pattern_entries(pattern), parameters);
            }
            let (row, column) = position.lines(at);
            let corner = corners.key(row, column);
            if cached.corner != corner {
                cached.corner = corner;
                let entry = STARTS[CORNER_TABLE] + corners.entry(row, column);
                cached.corner_score = sum(&[entry], parameters);
            }
            let local_score = sum(&context.entries(at), parameters);
            scores.push(cached.pattern_score + local_score + cached.corner_score);
        });
        scores.push(sum(&context.pass(), parameters));
    }

    /// Counts the liberties and stones of all chains.
    fn count(&mut self, board: &Position) {
        self.chains.clear();
        self.chains.resize(board.numbers(), (0, 0));
        board.each_point(|at| match board.chain(at) {
            Some((chain, _)) => self.chains[chain].1 += 1,
            None => {
                let mut adjacent = [0; 4];
                let mut found = 0;
                for neighbour in board.next_to(at) {
                    if let Some((chain, _)) = board.chain(neighbour)
                        && !adjacent[..found].contains(&chain)
                    {
                        adjacent[found] = chain;
                        found += 1;
                        self.chains[chain].0 += 1;
                    }
                }
            }
        });
    }
}

fn sum(entries: &[u32], parameters: &[i8]) -> i32 {
    let values = entries
        .iter()
        .map(|&entry| i32::from(parameters[entry as usize]));
    values.sum()
}
