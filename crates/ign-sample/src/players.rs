//! Who plays: names that return, and ratings that move.
//!
//! All chunks of a dump share one pool of [`POOL`] people, so names return all over the file;
//! what they are rated is a chunk's own affair, because chunks are made independently: each
//! starts people near their lasting strength. Invariant: within a chunk, a rating shown is the
//! last one shown plus the difference shown with it.
//!
//! A [`Lobby`] states the people who are online. They play each other, mostly near their own
//! rating, some once more with colours reversed, and leave after a handful of games.

use super::random::{Random, mix};

/// People in the pool; the name scheme has room for exactly so many.
pub const POOL: u32 = 1 << 16;
/// People online at once.
const SEATS: usize = 256;
/// Games that start before an agreed rematch does.
const REMATCH_AFTER: usize = 8;
/// Ratings never fall below this.
const FLOOR: i32 = 600;

/// The number of a person in the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerId(u32);

/// One person, as a chunk sees them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Player {
    /// Elo-like rating; zero before the chunk has met them.
    pub rating: i32,
    /// Rated games so far, those before the chunk included.
    games: u32,
    online: bool,
}

/// The two people of a game, White first.
pub type Pair = [PlayerId; 2];

/// The people who are online, and everybody's rating.
#[derive(Debug)]
pub struct Lobby {
    seed: u64,
    players: Vec<Player>,
    states: Vec<PlayerId>,
    /// Games agreed on, by the turn at which they start.
    rematches: [Option<Pair>; REMATCH_AFTER],
    turn: usize,
}

impl Lobby {
    /// An empty lobby for the dump of this seed.
    pub fn new(seed: u64) -> Lobby {
        Lobby {
            seed,
            players: Vec::new(),
            states: Vec::with_capacity(SEATS),
            rematches: [None; REMATCH_AFTER],
            turn: 0,
        }
    }

    /// Forgets everything and states a new crowd.
    pub fn open(&mut self, random: &mut Random) {
        self.players.clear();
        self.players.resize(POOL as usize, Player::default());
        self.states.clear();
        self.rematches = [None; REMATCH_AFTER];
        self.turn = 0;
        for _ in 0..SEATS {
            let newcomer = self.arrive(random);
            self.states.push(newcomer);
        }
    }

    /// What the chunk knows of a person.
    #[inline]
    pub fn player(&self, id: PlayerId) -> &Player {
        &self.players[id.0 as usize]
    }

    /// Two people who play now.
    pub fn pair(&mut self, random: &mut Random) -> Pair {
        self.turn = (self.turn + 1) % REMATCH_AFTER;
        if let Some([white, black]) = self.rematches[self.turn].take() {
            return [black, white];
        }
        let state = random.below(SEATS as u32) as usize;
        let host = self.states[state];
        let wanted = self.player(host).rating;
        let mut guest = self.states[(state + 1) % SEATS];
        for _ in 0..4 {
            let other = self.states[(state + 1 + random.below(SEATS as u32 - 1) as usize) % SEATS];
            let gap = |id| self.player(id).rating.abs_diff(wanted);
            if gap(other) < gap(guest) {
                guest = other;
            }
        }
        // The host's state may go to somebody else; the guest's stays theirs.
        if random.chance(1, 3) {
            self.players[host.0 as usize].online = false;
            self.states[state] = self.arrive(random);
        }
        if random.chance(1, 2) {
            [host, guest]
        } else {
            [guest, host]
        }
    }

    /// Counts a game: the new ratings' differences from the old, White's first.
    ///
    /// `score` is what White made of it, in half points.
    pub fn settle(&mut self, pair: Pair, score: i32, random: &mut Random) -> [i32; 2] {
        let ratings = pair.map(|id| self.player(id).rating);
        let expected = expected_score(ratings[0] - ratings[1]);
        let surprise = score * 500 - expected;
        let mut diffs = [0; 2];
        for (side, id) in pair.into_iter().enumerate() {
            let player = &mut self.players[id.0 as usize];
            let gain = if side == 0 { surprise } else { -surprise };
            let diff = round_thousandths(gain * step(player.games));
            diffs[side] = diff.max(FLOOR - player.rating);
            player.rating += diffs[side];
            player.games += 1;
        }
        if random.chance(1, 5) {
            self.rematches[self.turn] = Some(pair);
        }
        diffs
    }

    /// Somebody who was not online; those who play much arrive often.
    fn arrive(&mut self, random: &mut Random) -> PlayerId {
        loop {
            // The cube of a uniform fraction: low numbers are drawn far more often.
            let part = u64::from(random.below(1 << 20));
            let id = ((part * part / (1 << 20) * part * u64::from(POOL)) >> 40) as u32;
            let player = &mut self.players[id as usize];
            if player.online {
                continue;
            }
            player.online = true;
            if player.rating == 0 {
                let mut lasting = Random::new(self.seed, u64::from(id));
                let strength: u32 = (0..4).map(|_| lasting.below(400)).sum();
                let form = random.below(60);
                player.rating = 800 + (strength + form) as i32 - 30;
                player.games = lasting.below(20 + (POOL - id) / 64);
            }
            return PlayerId(id);
        }
    }
}

/// How far one game moves a rating: much at first, then less and less.
const fn step(games: u32) -> i32 {
    (12 + 480 / (games + 4)) as i32
}

/// Thousandths of a point to whole points, halves away from zero.
const fn round_thousandths(value: i32) -> i32 {
    (value + 500 * value.signum()) / 1000
}

/// What a player so much stronger expects of a game, in thousandths.
const fn expected_score(lead: i32) -> i32 {
    /// Elo's curve every 100 points from an equal opponent upwards.
    const CURVE: [i32; 10] = [500, 640, 760, 849, 909, 947, 969, 983, 990, 994];
    let gap = if lead.abs() > 899 { 899 } else { lead.abs() };
    let (below, above) = (CURVE[gap as usize / 100], CURVE[gap as usize / 100 + 1]);
    let expected = below + (above - below) * (gap % 100) / 100;
    if lead < 0 { 1000 - expected } else { expected }
}

/// Writes a person's name. Two people of a dump never share one.
pub fn write_name(seed: u64, id: PlayerId, out: &mut Vec<u8>) {
    // Odd multipliers and the shift are one-to-one on 16 bits: scattered, but never the same.
    let key = id.0.wrapping_mul(0x9e4d).wrapping_add(mix(seed) as u32) & 0xffff;
    let key = (key ^ key >> 7).wrapping_mul(0x2c9b) & 0xffff;
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
    // Ranges of numbers that no two styles of the same spelling share.
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
    fn no_two_people_share_a_name() {
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
    fn equals_expect_half_a_point_and_sides_share_it() {
        assert_eq!(expected_score(0), 500);
        for lead in [1, 99, 100, 450, 899, 2000] {
            assert_eq!(expected_score(lead) + expected_score(-lead), 1000);
            assert!(expected_score(lead) >= expected_score(lead - 1));
        }
    }

    #[test]
    fn steps_shrink_with_experience() {
        assert!(step(0) > step(10) && step(10) > step(200));
        assert_eq!(round_thousandths(-1500), -2);
    }
}
