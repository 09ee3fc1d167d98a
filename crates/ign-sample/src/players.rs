//! Players: recurring names and evolving ratings.
//!
//! All chunks of a dump share a pool of [`POOL`] players, so names recur in the whole file.
//! Ratings belong to a chunk, because chunks are generated independently: in each, a player starts
//! near a fixed strength. Invariant: within a chunk, the rating of a player is the previous one
//! plus the rating difference of the previous game.
//!
//! A [`Lobby`] holds the players who are online. They play opponents of similar rating, sometimes
//! a rematch with colours reversed, and leave after a few games.

use super::random::{Random, mix};

/// Players in the pool: exactly as many as [`write_name`] has names.
pub const POOL: u32 = 1 << 16;
/// Players online at a time.
const ONLINE: usize = 256;
/// Games between a game and its rematch.
const REMATCH_AFTER: usize = 8;
/// The lowest rating.
const MIN_RATING: i32 = 600;

/// Index of a player in the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerId(u32);

/// The state of a player in a chunk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Player {
    /// The rating; zero before the player's first arrival in the chunk.
    pub rating: i32,
    /// Rated games so far, including those before the chunk.
    games: u32,
    online: bool,
}

/// The players of a game, White first.
pub type Pair = [PlayerId; 2];

/// The players who are online, and the state of all players.
#[derive(Debug)]
pub struct Lobby {
    seed: u64,
    players: Vec<Player>,
    online: Vec<PlayerId>,
    /// Agreed rematches in a ring buffer, by the turn in which they start.
    rematches: [Option<Pair>; REMATCH_AFTER],
    turn: usize,
}

impl Lobby {
    /// An empty lobby for the dump of this seed.
    pub fn new(seed: u64) -> Lobby {
        Lobby {
            seed,
            players: Vec::new(),
            online: Vec::with_capacity(ONLINE),
            rematches: [None; REMATCH_AFTER],
            turn: 0,
        }
    }

    /// Resets all players and fills the lobby.
    pub fn reset(&mut self, random: &mut Random) {
        self.players.clear();
        self.players.resize(POOL as usize, Player::default());
        self.online.clear();
        self.rematches = [None; REMATCH_AFTER];
        self.turn = 0;
        for _ in 0..ONLINE {
            let player = self.arrive(random);
            self.online.push(player);
        }
    }

    /// The state of a player.
    #[inline]
    pub fn player(&self, id: PlayerId) -> &Player {
        &self.players[id.0 as usize]
    }

    /// The players of the next game.
    pub fn pair(&mut self, random: &mut Random) -> Pair {
        self.turn = (self.turn + 1) % REMATCH_AFTER;
        if let Some([white, black]) = self.rematches[self.turn].take() {
            return [black, white];
        }
        let place = random.below(ONLINE as u32) as usize;
        let host = self.online[place];
        let rating = self.player(host).rating;
        let mut guest = self.online[(place + 1) % ONLINE];
        for _ in 0..4 {
            let other =
                self.online[(place + 1 + random.below(ONLINE as u32 - 1) as usize) % ONLINE];
            let gap = |id| self.player(id).rating.abs_diff(rating);
            if gap(other) < gap(guest) {
                guest = other;
            }
        }
        // The host may leave and be replaced; the guest stays.
        if random.chance(1, 3) {
            self.players[host.0 as usize].online = false;
            self.online[place] = self.arrive(random);
        }
        if random.chance(1, 2) {
            [host, guest]
        } else {
            [guest, host]
        }
    }

    /// Updates the ratings after a game and returns the rating differences, White's first.
    ///
    /// `score` is the score of White in half points.
    pub fn settle(&mut self, pair: Pair, score: i32, random: &mut Random) -> [i32; 2] {
        let ratings = pair.map(|id| self.player(id).rating);
        let expected = expected_score(ratings[0] - ratings[1]);
        let surprise = score * 500 - expected;
        let mut diffs = [0; 2];
        for (side, id) in pair.into_iter().enumerate() {
            let player = &mut self.players[id.0 as usize];
            let gain = if side == 0 { surprise } else { -surprise };
            let diff = round_thousandths(gain * k_factor(player.games));
            diffs[side] = diff.max(MIN_RATING - player.rating);
            player.rating += diffs[side];
            player.games += 1;
        }
        if random.chance(1, 5) {
            self.rematches[self.turn] = Some(pair);
        }
        diffs
    }

    /// A player who was not online. Frequent players have low indices.
    fn arrive(&mut self, random: &mut Random) -> PlayerId {
        loop {
            // The cube of a uniform fraction: low indices are drawn far more often.
            let part = u64::from(random.below(1 << 20));
            let id = ((part * part / (1 << 20) * part * u64::from(POOL)) >> 40) as u32;
            let player = &mut self.players[id as usize];
            if player.online {
                continue;
            }
            player.online = true;
            if player.rating == 0 {
                let mut fixed = Random::new(self.seed, u64::from(id));
                let strength: u32 = (0..4).map(|_| fixed.below(400)).sum();
                let form = random.below(60);
                player.rating = 800 + (strength + form) as i32 - 30;
                player.games = fixed.below(20 + (POOL - id) / 64);
            }
            return PlayerId(id);
        }
    }
}

/// The K-factor of the Elo system: the largest change of a rating in one game. It falls with
/// experience.
const fn k_factor(games: u32) -> i32 {
    (12 + 480 / (games + 4)) as i32
}

/// Rounds thousandths of a point to points, halves away from zero.
const fn round_thousandths(value: i32) -> i32 {
    (value + 500 * value.signum()) / 1000
}

/// The expected score, in thousandths, of a player rated `lead` points above the opponent.
const fn expected_score(lead: i32) -> i32 {
    /// The expected scores for leads of 0, 100, 200, … points.
    const CURVE: [i32; 10] = [500, 640, 760, 849, 909, 947, 969, 983, 990, 994];
    let gap = if lead.abs() > 899 { 899 } else { lead.abs() };
    let (below, above) = (CURVE[gap as usize / 100], CURVE[gap as usize / 100 + 1]);
    let expected = below + (above - below) * (gap % 100) / 100;
    if lead < 0 { 1000 - expected } else { expected }
}

/// Writes the name of a player. The names of a dump are distinct.
pub fn write_name(seed: u64, id: PlayerId, out: &mut Vec<u8>) {
    // A bijection of 16 bits: odd multipliers and a xor-shift.
    let mixed = id.0.wrapping_mul(0x9e4d).wrapping_add(mix(seed) as u32) & 0xffff;
    let key = (mixed ^ mixed >> 7).wrapping_mul(0x2c9b) & 0xffff;
    let (first, second) = (FIRST[key as usize % 64], SECOND[key as usize / 64 % 64]);
    let style = key / 4096;
    let number = mix(u64::from(key) ^ seed) as u32;
    out.extend_from_slice(first.as_bytes());
    match style {
        0..3 => out.push(b'_'),
        3 => out.push(b'-'),
        _ => {}
    }
    let start = out.len();
    out.extend_from_slice(second.as_bytes());
    if matches!(style, 0 | 4..8) {
        out[start].make_ascii_uppercase();
    }
    if matches!(style, 0 | 1 | 4..9) {
        out[start - first.len() - usize::from(style < 4)].make_ascii_uppercase();
    }
    // Styles that differ only in the number have disjoint ranges of numbers.
    let (low, count) = match style {
        2 => (0, 10),
        5 | 9 => (1, 9),
        6 | 10 => (10, 90),
        7 | 11 => (1950, 64),
        8 | 12 => (100, 900),
        13 => (2015, 900),
        14 => (3000, 6000),
        15 => (10_000, 90_000),
        _ => return,
    };
    super::text::decimal(low + number % count, out);
}

const FIRST: [&str; 64] = [
    "al", "ben", "carl", "dan", "ed", "finn", "gus", "hans", "ivo", "jan", "ken", "leo", "max",
    "nils", "ola", "pat", "raj", "sam", "tom", "uwe", "vic", "wim", "yuri", "zoe", "anna", "bela",
    "cleo", "dora", "elsa", "fay", "gina", "hugo", "black", "white", "red", "blue", "dark", "fast",
    "slow", "old", "young", "mad", "calm", "iron", "gold", "lucky", "lazy", "silent", "wild",
    "grand", "royal", "tiny", "big", "cold", "hot", "deep", "chess", "blitz", "check", "doctor",
    "king", "night", "mister", "super",
];

const SECOND: [&str; 64] = [
    "abel", "berg", "costa", "dias", "ek", "ferro", "gomez", "holm", "ito", "jansen", "kovac",
    "lind", "moreau", "novak", "olsen", "petrov", "quist", "rossi", "silva", "tanaka", "ueda",
    "vega", "weber", "xu", "young", "zhou", "pawn", "rook", "bishop", "knight", "queen", "gambit",
    "fork", "pin", "tempo", "castle", "mate", "wolf", "bear", "fox", "hawk", "lion", "tiger",
    "owl", "shark", "cat", "horse", "dragon", "storm", "river", "stone", "mountain", "forest",
    "star", "moon", "comet", "player", "master", "wizard", "pirate", "baker", "smith", "coder",
    "zero",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        for seed in [0, 1, u64::MAX] {
            let mut names: Vec<Vec<u8>> = (0..POOL)
                .map(|id| {
                    let mut name = Vec::new();
                    write_name(seed, PlayerId(id), &mut name);
                    name
                })
                .collect();
            names.sort_unstable();
            let shared = names.windows(2).find(|pair| pair[0] == pair[1]);
            assert_eq!(
                shared.map(|p| String::from_utf8_lossy(&p[0]).into_owned()),
                None
            );
        }
    }

    #[test]
    fn expected_scores_of_both_sides_add_up_to_one() {
        assert_eq!(expected_score(0), 500);
        for lead in [1, 99, 100, 450, 899, 2000] {
            assert_eq!(expected_score(lead) + expected_score(-lead), 1000);
            assert!(expected_score(lead) >= expected_score(lead - 1));
        }
    }

    #[test]
    fn rating_changes_shrink_with_experience() {
        assert!(k_factor(0) > k_factor(10) && k_factor(10) > k_factor(200));
        assert_eq!(round_thousandths(-1500), -2);
    }
}
