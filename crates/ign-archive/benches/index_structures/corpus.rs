//! The games, their positions, and the positions that are searched.

use std::{io::Read, ops::ControlFlow};

use ign_archive::{
    Archive, Coding, Column, ColumnData, Input, Packer,
    index::{Index, IndexSummary, Keys, Sections, Segment, build},
};
use ign_notation::chess::{Legal, Position};
use ign_testing::{Random, ours};

use crate::GROUP;

/// Positions that are searched, of each kind.
const SEARCHED: usize = 10_000;
/// Common positions that are searched.
const COMMON: usize = 1_000;
/// Groups of which a common position is in more.
const COMMON_GROUPS: usize = 8;

/// The first occurrence of a position in a game.
#[derive(Debug, Clone, Copy)]
pub struct Occurrence {
    pub keys: Keys,
    pub game: u32,
    pub ply: u8,
    /// The ordinal of the move played; 255 at the end of the game.
    pub ordinal: u8,
}

impl Occurrence {
    fn order(&self) -> (u64, u64, u32, u8) {
        (self.keys.structure, self.keys.position, self.game, self.ply)
    }
}

/// A position that is searched, and the games that have it, ascending.
pub struct Sample {
    pub keys: Keys,
    pub games: Vec<u32>,
}

pub struct Corpus {
    /// The number of games.
    pub games: u32,
    /// Sorted by structure, position and game.
    pub occurrences: Vec<Occurrence>,
    /// The players, sorted, without repetitions.
    pub names: Vec<Vec<u8>>,
    /// The real index, in memory.
    index: Index,
    /// The group of each game in the index: each block begins with a new group.
    pub groups: Vec<u32>,
    pub summary: IndexSummary,
    /// The bytes of the positions of an index without the opening tree.
    pub without_tree: u64,
    /// Positions that occur.
    pub present: Vec<Sample>,
    /// Positions that do not occur.
    pub absent: Vec<Sample>,
    /// Positions in many groups.
    pub common: Vec<Sample>,
}

impl Corpus {
    pub fn new(text: impl Read + Send + 'static) -> Self {
        let packer = Packer::new().coding(Coding::Ign).verify(false);
        let (bytes, _) = packer
            .pack([Input::reader("lichess_2013-01.pgn", text)], Vec::new())
            .unwrap();
        let archive = Archive::from_source(bytes, "lichess_2013-01.ign").unwrap();
        let mut file = Vec::new();
        let on_progress = |_| ControlFlow::Continue(());
        let summary = build(
            std::slice::from_ref(&archive),
            Sections::ALL,
            &mut file,
            on_progress,
        )
        .unwrap();
        let sections = Sections {
            columns: false,
            players: false,
            openings: false,
            positions: true,
        };
        let without = build(
            std::slice::from_ref(&archive),
            sections,
            &mut std::io::sink(),
            on_progress,
        )
        .unwrap();
        let index = Index::read(Box::new(file), "index".into(), &[&archive]).unwrap();

        let mut random = Random(1);
        let (mut occurrences, mut others) = (Vec::new(), Vec::new());
        for (number, game) in (0..).zip(archive.games()) {
            let game = game.unwrap();
            replay(&game, |position, ply, played| {
                let legal = Legal::new(position);
                let keys = Keys::of(&legal);
                let ordinal = played.map_or(u8::MAX, |m| legal.ordinal_and_count(m).0 as u8);
                occurrences.push(Occurrence {
                    keys,
                    game: number,
                    ply,
                    ordinal,
                });
                let count = legal.count() as usize;
                if count > 0 && random.below(200) == 0 {
                    let mut other = *position;
                    other.play(legal.nth(random.below(count) as u32));
                    others.push(Keys::of_position(&other));
                }
            });
        }
        occurrences.sort_unstable_by_key(Occurrence::order);
        occurrences.dedup_by_key(|occurrence| (occurrence.keys, occurrence.game));

        let mut corpus = Self {
            games: archive.len() as u32,
            occurrences,
            names: names(&archive),
            index,
            groups: groups_of_index(&archive),
            without_tree: bytes_of(&without, "positions"),
            summary,
            present: Vec::new(),
            absent: Vec::new(),
            common: Vec::new(),
        };
        corpus.choose(&mut random, others);
        corpus
    }

    /// Chooses the positions that are searched.
    fn choose(&mut self, random: &mut Random, others: Vec<Keys>) {
        let positions: Vec<&[Occurrence]> = self.positions().collect();
        let is_common = |found: &&[Occurrence]| groups(found) > COMMON_GROUPS;
        let commons: Vec<_> = positions.iter().copied().filter(is_common).collect();
        let mut pick = |of: &[&[Occurrence]], count| -> Vec<Sample> {
            let picked = (0..count).map(|_| of[random.below(of.len())]);
            let searched = picked.map(|found| Sample {
                keys: found[0].keys,
                games: found.iter().map(|occurrence| occurrence.game).collect(),
            });
            searched.collect()
        };
        let present = pick(&positions, SEARCHED);
        let common = pick(&commons, COMMON);
        let order = |keys: &Keys| (keys.structure, keys.position);
        let find =
            |keys: &Keys| positions.binary_search_by_key(&order(keys), |p| order(&p[0].keys));
        let absent = others.into_iter().filter(|keys| find(keys).is_err());
        let absent = absent.map(|keys| Sample {
            keys,
            games: Vec::new(),
        });
        let absent = absent.take(SEARCHED).collect();
        (self.present, self.absent, self.common) = (present, absent, common);
    }

    /// The occurrences of each position.
    pub fn positions(&self) -> impl Iterator<Item = &[Occurrence]> {
        self.occurrences.chunk_by(|a, b| a.keys == b.keys)
    }

    /// The occurrences of each structure.
    pub fn structures(&self) -> impl Iterator<Item = &[Occurrence]> {
        self.occurrences
            .chunk_by(|a, b| a.keys.structure == b.keys.structure)
    }

    /// The only segment of the index.
    pub fn segment(&self) -> &Segment {
        &self.index.segments()[0]
    }

    /// The bytes of sections of the index.
    pub fn section(&self, name: &str) -> u64 {
        bytes_of(&self.summary, name)
    }

    /// Prints what there is.
    pub fn print(&self) {
        let shared = self.positions().filter(|found| found.len() > 1).count();
        println!(
            "{} games, {} pairs of position and game, {} positions, {shared} of them in two games or \
             more, {} structures",
            self.games,
            self.occurrences.len(),
            self.positions().count(),
            self.structures().count(),
        );
        println!(
            "\nSections of the index\n\n| section | bytes | bytes a game |\n| --- | ---: | ---: |"
        );
        let more = [
            ("all", self.summary.len),
            ("positions, without openings", self.without_tree),
        ];
        for (name, len) in self.summary.sections.iter().chain(&more) {
            println!(
                "| {name} | {len} | {:.2} |",
                *len as f64 / f64::from(self.games)
            );
        }
    }
}

fn bytes_of(summary: &IndexSummary, name: &str) -> u64 {
    let all = summary.sections.iter();
    all.filter(|(of, _)| *of == name).map(|(_, len)| len).sum()
}

/// The number of groups of occurrences that are sorted by game.
pub fn groups(found: &[Occurrence]) -> usize {
    found
        .chunk_by(|a, b| a.game / GROUP == b.game / GROUP)
        .count()
}

fn groups_of_index(archive: &Archive) -> Vec<u32> {
    let (mut groups, mut first) = (Vec::new(), 0);
    for block in &archive.index().blocks {
        let games = block.games as u32;
        groups.extend((0..games).map(|game| first + game / GROUP));
        first += games.div_ceil(GROUP);
    }
    groups
}

/// Visits the positions of a game, with the ply and the move played.
fn replay(
    game: &ign_archive::Game,
    mut visit: impl FnMut(&Position, u8, Option<ign_notation::chess::Move>),
) {
    let fen = game.tag_bytes("FEN").unwrap();
    let mut position = fen.map_or_else(Position::default, |fen| Position::from_fen(fen).unwrap());
    let mut ply = 0u8;
    for played in game.moves().unwrap() {
        let played = ours(played);
        visit(&position, ply, Some(played));
        position.play(played);
        ply = ply.saturating_add(1);
    }
    visit(&position, ply, None);
}

fn names(archive: &Archive) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    for batch in archive.scan().columns([Column::White, Column::Black]) {
        for column in batch.unwrap().columns() {
            let ColumnData::Text(text) = column else {
                panic!("names are text");
            };
            names.extend((0..text.distinct()).map(|code| text.value(code as u32).to_vec()));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}
