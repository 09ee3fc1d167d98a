//! Builds an opening book from games: a map from opening lines to tag values (ECO code and name).
//!
//! The games form a tree of moves. A node with a book entry labels all games below it, down to the
//! next entry. Dynamic programming from the leaves to the root chooses the entries that minimize
//! the total cost in bits: that of the entries plus that of the games whose label is wrong. The
//! last fifth of each file is held out for evaluation. The book is written to standard output in
//! the form of spec §4.3.8.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Parser;
use ign_archive::{Coding, Input, Packer};
use ign_format::{block::decode::Block, error::Result};
use ign_notation::chess::{Move, Start};

/// Builds an opening book from games and writes it to standard output.
#[derive(Parser)]
struct Args {
    /// PGN files, compressed or not.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The tags that the book predicts. Games that lack one of them are ignored.
    #[arg(long, value_delimiter = ',', default_value = "ECO,Opening")]
    tags: Vec<String>,
    /// Cost of a book entry in bits: the minimum that it must save.
    #[arg(long, default_value_t = 30)]
    entry: i64,
    /// Cost in bits of a game that the book predicts wrongly.
    #[arg(long, default_value_t = 9)]
    wrong: i64,
    /// Maximum length of a line in plies.
    #[arg(long, default_value_t = 30)]
    plies: usize,
}

struct Game {
    /// The label: the values of the tags, separated by tabs.
    said: String,
    moves: Vec<Move>,
}

#[derive(Default)]
struct Node {
    next: BTreeMap<Move, usize>,
    /// Number of games that end here, by label.
    games: BTreeMap<usize, i64>,
    /// Cost of the games from here on if this label applies here, minus `otherwise`.
    saved: BTreeMap<usize, i64>,
    /// Their cost if a label applies that none of them has.
    otherwise: i64,
}

impl Node {
    /// Cost of the games from here on if this label applies here.
    fn cost(&self, label: usize) -> i64 {
        self.otherwise + self.saved.get(&label).copied().unwrap_or(0)
    }

    /// The label with the lowest cost here, and that cost.
    fn best(&self) -> (usize, i64) {
        let best = self
            .saved
            .iter()
            .min_by_key(|(label, saved)| (**saved, **label));
        best.map_or((0, self.otherwise), |(&label, &saved)| {
            (label, self.otherwise + saved)
        })
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let (mut games, mut held_out) = (Vec::new(), Vec::new());
    for file in &args.files {
        let mut found = load(file, &args)?;
        held_out.extend(found.split_off(found.len() - found.len() / 5));
        games.extend(found);
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut nodes = vec![Node::default()];
    for game in &games {
        let number = numbers.len();
        let label = *numbers.entry(&game.said).or_insert(number);
        let mut at = 0;
        for &played in &game.moves {
            let new = nodes.len();
            at = *nodes[at].next.entry(played).or_insert(new);
            if at == new {
                nodes.push(Node::default());
            }
        }
        *nodes[at].games.entry(label).or_default() += 1;
    }
    // The index of a node is higher than that of its parent, so children come first here.
    for at in (0..nodes.len()).rev() {
        let node = &nodes[at];
        let mut otherwise = node.games.values().sum::<i64>() * args.wrong;
        let mut saved: BTreeMap<usize, i64> = BTreeMap::new();
        for (&label, &count) in &node.games {
            *saved.entry(label).or_default() -= count * args.wrong;
        }
        for next in node.next.values().map(|&next| &nodes[next]) {
            let with_entry = next.best().1 + args.entry;
            let worst = next.otherwise.min(with_entry);
            otherwise += worst;
            for &label in next.saved.keys() {
                let less = next.cost(label).min(with_entry) - worst;
                if less < 0 {
                    *saved.entry(label).or_default() += less;
                }
            }
        }
        (nodes[at].saved, nodes[at].otherwise) = (saved, otherwise);
    }
    let mut names = vec![""; numbers.len()];
    for (name, &number) in &numbers {
        names[number] = name;
    }
    let root = nodes[0].best().0;
    let mut book = BTreeMap::from([(Vec::new(), root)]);
    let mut walk = vec![(0, root, Vec::new())];
    while let Some((at, label, line)) = walk.pop() {
        for (&played, &next) in &nodes[at].next {
            let mut line: Vec<Move> = line.clone();
            line.push(played);
            let (best, cost) = nodes[next].best();
            let is_new = nodes[next].cost(label) > cost + args.entry;
            if is_new {
                book.insert(line.clone(), best);
            }
            walk.push((next, if is_new { best } else { label }, line));
        }
    }
    println!("sequence\t{}", args.tags.join("\t"));
    let mut before: &[Move] = &[];
    let mut known = vec![BTreeMap::new(); args.tags.len()];
    for (line, &label) in &book {
        let same = line.iter().zip(before);
        let shared = same.take_while(|(one, other)| one == other).count();
        let others: Vec<String> = line[shared..].iter().map(Move::to_string).collect();
        print!("{shared}\t{}", others.join(" "));
        for (known, value) in known.iter_mut().zip(names[label].split('\t')) {
            let next = known.len();
            match *known.entry(value).or_insert(next) {
                number if number == next => print!("\t{value}"),
                number => print!("\t={number}"),
            }
        }
        println!();
        before = line;
    }
    let right = |game: &&Game| {
        let lines = (0..=game.moves.len()).rev();
        let label = lines.filter_map(|len| book.get(&game.moves[..len])).next();
        label.is_some_and(|&label| names[label] == game.said)
    };
    for (what, games) in [("training", &games), ("held out", &held_out)] {
        let frequency = games.iter().filter(right).count() as f64 / games.len() as f64;
        eprintln!(
            "{what}: {} games, {:.2}% predicted by {} lines",
            games.len(),
            100.0 * frequency,
            book.len()
        );
    }
    Ok(())
}

/// The games of a file that have the standard starting position and all the tags.
fn load(file: &Path, args: &Args) -> Result<Vec<Game>> {
    let tags: Vec<&str> = args.tags.iter().map(String::as_str).collect();
    let mut games = Vec::new();
    let packer = Packer::new().coding(Coding::Ign).level(1).verify(false);
    packer.each_block(
        [Input::file(file)],
        |block| games_of(block, &tags, args.plies),
        |more| {
            games.extend(more);
            Ok(())
        },
    )?;
    Ok(games)
}

fn games_of(bytes: &[u8], tags: &[&str], plies: usize) -> Result<Vec<Game>> {
    let block = Block::open(bytes)?;
    let records = block.records()?;
    let mut table = block.table(&records, Some(tags))?;
    block.fill_openings(&records, &mut table, |_| true)?;
    let mut games = Vec::new();
    block.walk_games(&records, |mut game| {
        let value = |tag: &&str| {
            let value = table.value(table.tag(tag.as_bytes())?, game.record)?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        let values: Option<Vec<String>> = tags.iter().map(value).collect();
        let usual = game
            .start
            .as_chess()
            .is_some_and(|start| *start == Start::default());
        if let (Some(values), true) = (values, usual) {
            let mut moves = Vec::new();
            game.moves.first_moves(game.start, |played| {
                moves.push(played);
                moves.len() < plies
            })?;
            games.push(Game {
                said: values.join("\t"),
                moves,
            });
        }
        Ok(())
    })?;
    Ok(games)
}
