//! Material to games (spec §15.10): the games that have few pieces left, by the numbers of these.
//!
//! A *material* is the number of the pieces of each kind that each side has. The index has those
//! with at most [`MAX_PIECES`] pieces and pawns beside the kings: a game passes through all of
//! them, and most games end with more.

use ign_entropy::varint;
use ign_format::error::{Error, Result};
use ign_notation::chess::Position;
use shakmaty::{Color, Role};

use super::gaps;
use crate::values::Pieces;

/// The greatest number of pieces and pawns, without kings.
pub const MAX_PIECES: u32 = 8;
/// Bytes of lists of a shard, about.
const SHARD: usize = 1 << 16;
/// Bits of the number of pieces of one kind and side.
const BITS: u32 = 4;
/// The kinds of pieces, the first in the highest bits.
const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// The numbers of all pieces: for each of [`ROLES`] those of White, then those of Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counts(u64);

impl Counts {
    /// Those of a position, if they are few enough for the index.
    #[inline]
    pub fn of(position: &Position) -> Option<Self> {
        let others = position.occupied() & !position.by_role(Role::King);
        (others.count() <= MAX_PIECES as usize).then(|| Self::of_pieces(position))
    }

    /// Those of some pieces.
    pub fn of_pieces(pieces: &impl Pieces) -> Self {
        let all = ROLES
            .into_iter()
            .flat_map(|role| [(role, Color::White), (role, Color::Black)]);
        Self(all.fold(0, |code, (role, color)| {
            let max = (1 << BITS) - 1;
            code << BITS | pieces.number(role, color).min(max) as u64
        }))
    }

    /// The number, which takes 48 bits.
    pub fn code(self) -> u64 {
        self.0
    }

    /// The numbers of a code.
    pub fn from_code(code: u64) -> Self {
        Self(code)
    }
}

impl Pieces for Counts {
    fn number(&self, role: Role, color: Color) -> usize {
        let kind = ROLES.iter().position(|&other| other == role).unwrap_or(0);
        let place = 2 * kind + usize::from(color.is_black());
        let shift = (2 * ROLES.len() - 1 - place) as u32 * BITS;
        (self.0 >> shift) as usize & ((1 << BITS) - 1)
    }
}

/// Writes shards: materials by ascending code, each with its games.
#[derive(Debug)]
pub struct Writer {
    /// The number of games of the index.
    games: u64,
    heads: Vec<u8>,
    lists: Vec<u8>,
    /// The number of materials in the shard, its first one and its last one.
    count: u64,
    first: u64,
    last: u64,
}

impl Writer {
    /// A writer for an index of `games` games.
    pub fn new(games: u64) -> Self {
        Self {
            games,
            heads: Vec::new(),
            lists: Vec::new(),
            count: 0,
            first: 0,
            last: 0,
        }
    }

    /// Adds a material with its games, which ascend. Returns a shard that is full, with the code of
    /// its first material.
    pub fn add(&mut self, counts: Counts, games: &[u64]) -> Option<(u64, Vec<u8>)> {
        let Counts(code) = counts;
        let list = gaps::write(games, self.games);
        if self.count == 0 {
            (self.first, self.last) = (code, code);
        }
        varint::write(&mut self.heads, code - self.last);
        varint::write(&mut self.heads, games.len() as u64);
        varint::write(&mut self.heads, list.len() as u64);
        self.lists.extend_from_slice(&list);
        self.last = code;
        self.count += 1;
        (self.lists.len() + self.heads.len() >= SHARD).then(|| self.take())
    }

    /// The last shard, if there is one.
    pub fn finish(mut self) -> Option<(u64, Vec<u8>)> {
        (self.count > 0).then(|| self.take())
    }

    fn take(&mut self) -> (u64, Vec<u8>) {
        let mut out = Vec::new();
        varint::write(&mut out, self.count);
        varint::write(&mut out, self.heads.len() as u64);
        out.append(&mut self.heads);
        out.append(&mut self.lists);
        self.count = 0;
        (self.first, out)
    }
}

/// The shards that can have one of these materials, of shards with these first codes; all shards if
/// the materials are not known.
pub fn shards_of(
    firsts: impl ExactSizeIterator<Item = u64>,
    wanted: Option<&[Counts]>,
) -> Vec<usize> {
    let Some(wanted) = wanted else {
        return (0..firsts.len()).collect();
    };
    let firsts: Vec<u64> = firsts.collect();
    let shard = |&Counts(code): &Counts| {
        firsts
            .partition_point(|&first| first <= code)
            .checked_sub(1)
    };
    let mut shards: Vec<usize> = wanted.iter().filter_map(shard).collect();
    shards.sort_unstable();
    shards.dedup();
    shards
}

/// Visits the games of the materials of a shard that are wanted, in an index of `games` games.
///
/// # Errors
/// Corrupt.
pub fn find(
    mut shard: &[u8],
    first: u64,
    games: u64,
    wanted: impl Fn(&Counts) -> bool,
    mut visit: impl FnMut(u64),
) -> Result<()> {
    let input = &mut shard;
    let count = varint::read_limited(input, input.len() as u64, "the number of materials")?;
    let len = varint::read_limited(input, input.len() as u64, "the length of materials")?;
    let heads = &mut input.split_off(..len).ok_or_else(cut_off)?;
    let mut code = first;
    for _ in 0..count {
        code += varint::read_at_most(heads, u64::MAX - code, "a material")?;
        let count = varint::read_at_most(heads, games, "the games of a material")?;
        let len = varint::read_limited(heads, input.len() as u64, "the games of a material")?;
        let list = input.split_off(..len).ok_or_else(cut_off)?;
        if wanted(&Counts(code)) {
            for game in gaps::read(list, count, games) {
                visit(game?);
            }
        }
    }
    Ok(())
}

fn cut_off() -> Error {
    Error::corrupt("the materials of the index are cut off")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Material, parse_board};

    #[test]
    fn counts_are_those_of_the_position_and_only_of_few_pieces() {
        let position = parse_board("4k3/pp6/8/8/8/8/PPPP4/RN2K3").unwrap();
        let counts = Counts::of(&position).unwrap();
        for role in Role::ALL {
            for color in Color::ALL {
                assert_eq!(
                    counts.number(role, color),
                    position.number(role, color),
                    "{role:?}"
                );
            }
        }
        assert_eq!(counts.code(), 0x42_10_00_10_00_11);
        assert_eq!(Counts::from_code(counts.code()), counts);
        assert_eq!(
            Counts::of(&parse_board("4k3/ppp5/8/8/8/8/PPPP4/RN2K3").unwrap()),
            None
        );
    }

    #[test]
    fn games_of_materials_are_found_in_their_shards() {
        let mut all = Vec::new();
        for code in 0..400u64 {
            let games = (0..=code % 90).map(|n| 7 * n * n + code);
            all.push((Counts(1000 + code * code), games.collect::<Vec<_>>()));
        }
        let games = 100_000;
        let mut writer = Writer::new(games);
        let mut shards = Vec::new();
        for (counts, games) in &all {
            shards.extend(writer.add(*counts, games));
        }
        shards.extend(writer.finish());
        let firsts = || shards.iter().map(|(first, _)| *first);
        for (counts, expected) in &all {
            let mut found = Vec::new();
            for shard in shards_of(firsts(), Some(&[*counts])) {
                let (first, bytes) = &shards[shard];
                let wanted = |other: &Counts| other == counts;
                find(bytes, *first, games, wanted, |game| found.push(game)).unwrap();
            }
            assert_eq!(found, *expected);
        }
        assert_eq!(shards_of(firsts(), None).len(), shards.len());
        assert!(shards_of(firsts(), Some(&[Counts(3)])).is_empty());
        let (first, bytes) = &shards[0];
        for len in 0..bytes.len() {
            assert!(
                find(&bytes[..len], *first, games, |_| true, |_| ()).is_err(),
                "{len}"
            );
        }
    }

    #[test]
    fn a_material_names_its_counts() {
        for (text, fens) in [
            (
                "KRPKR",
                &["4k3/8/8/8/8/8/P7/R3K2r", "4k2r/p7/8/8/8/8/8/R3K3"][..],
            ),
            ("KRP-KR", &["4k3/8/8/8/8/8/P7/R3K2r"]),
            ("KNKN", &["4k2n/8/8/8/8/8/8/N3K3"]),
        ] {
            let expected = fens
                .iter()
                .map(|fen| Counts::of(&parse_board(fen).unwrap()).unwrap());
            let named = text.parse::<Material>().unwrap().all_counts().unwrap();
            assert_eq!(named, expected.collect::<Vec<_>>(), "{text}");
        }
    }
}
