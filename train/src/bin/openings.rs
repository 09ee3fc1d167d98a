//! Learns a book of openings from games: which first moves have which ECO code and name.
//!
//! The games make a tree of moves. Going down it, a book says something new at some of its nodes;
//! which, is found from the leaves up, so that what it takes to say it and what it takes to tell
//! the games that it gets wrong are together as few bits as can be. The last fifth of each file is
//! held out, and judged by. The book goes to standard output, as `format-spec.md` (§4.3.8) has it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Parser;
use ign_archive::pipeline::{pack::look_at, source::Input};
use ign_format::{block::decode::Block, error::Result};
use ign_notation::chess::{Move, Start};

/// Learns a book of openings from games.
#[derive(Parser)]
struct Args {
    /// PGN, compressed or not.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The tags that the book tells: games that lack one teach nothing.
    #[arg(long, value_delimiter = ',', default_value = "ECO,Opening")]
    tags: Vec<String>,
    /// How many bits an entry of the book must save.
    #[arg(long, default_value_t = 30)]
    entry: i64,
    /// How many bits it takes to tell what a game is when the book is wrong.
    #[arg(long, default_value_t = 9)]
    wrong: i64,
    /// How many plies a line has at most.
    #[arg(long, default_value_t = 30)]
    plies: usize,
}

struct Game {
    said: String,
    moves: Vec<Move>,
}

#[derive(Default)]
struct Node {
    next: BTreeMap<Move, usize>,
    /// Games that end here, by what they are said to be.
    games: BTreeMap<usize, i64>,
    /// What the games from here on cost if the book says this here, less `otherwise`.
    saved: BTreeMap<usize, i64>,
    /// What they cost if it says what none of them is.
    otherwise: i64,
}

impl Node {
    /// What the games from here on cost if the book has said this.
    fn cost(&self, said: usize) -> i64 {
        self.otherwise + self.saved.get(&said).copied().unwrap_or(0)
    }

    /// What is best said here, and what the games cost then.
    fn best(&self) -> (usize, i64) {
        let best = self
            .saved
            .iter()
            .min_by_key(|(said, saved)| (**saved, **said));
        best.map_or((0, self.otherwise), |(&said, &saved)| {
            (said, self.otherwise + saved)
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
        let said = *numbers.entry(&game.said).or_insert(number);
        let mut at = 0;
        for &played in &game.moves {
            let new = nodes.len();
            at = *nodes[at].next.entry(played).or_insert(new);
            if at == new {
                nodes.push(Node::default());
            }
        }
        *nodes[at].games.entry(said).or_default() += 1;
    }
    // A node has a higher number than the one before it.
    for at in (0..nodes.len()).rev() {
        let node = &nodes[at];
        let mut otherwise = node.games.values().sum::<i64>() * args.wrong;
        let mut saved: BTreeMap<usize, i64> = BTreeMap::new();
        for (&said, &count) in &node.games {
            *saved.entry(said).or_default() -= count * args.wrong;
        }
        for next in node.next.values().map(|&next| &nodes[next]) {
            let anew = next.best().1 + args.entry;
            let worst = next.otherwise.min(anew);
            otherwise += worst;
            for &said in next.saved.keys() {
                let less = next.cost(said).min(anew) - worst;
                if less < 0 {
                    *saved.entry(said).or_default() += less;
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
    while let Some((at, said, line)) = walk.pop() {
        for (&played, &next) in &nodes[at].next {
            let mut line: Vec<Move> = line.clone();
            line.push(played);
            let (best, cost) = nodes[next].best();
            let anew = nodes[next].cost(said) > cost + args.entry;
            if anew {
                book.insert(line.clone(), best);
            }
            walk.push((next, if anew { best } else { said }, line));
        }
    }
    println!("sequence\t{}", args.tags.join("\t"));
    let mut before: &[Move] = &[];
    let mut known = vec![BTreeMap::new(); args.tags.len()];
    for (line, &said) in &book {
        let same = line.iter().zip(before);
        let shared = same.take_while(|(one, other)| one == other).count();
        let others: Vec<String> = line[shared..].iter().map(Move::to_string).collect();
        print!("{shared}\t{}", others.join(" "));
        for (known, value) in known.iter_mut().zip(names[said].split('\t')) {
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
        let said = lines.filter_map(|len| book.get(&game.moves[..len])).next();
        said.is_some_and(|&said| names[said] == game.said)
    };
    for (what, games) in [("learned from", &games), ("held out", &held_out)] {
        let frequency = games.iter().filter(right).count() as f64 / games.len() as f64;
        eprintln!(
            "{what}: {} games, {:.2}% told by {} lines",
            games.len(),
            100.0 * frequency,
            book.len()
        );
    }
    Ok(())
}

/// The games of a file that start as usual and have these tags.
fn load(file: &Path, args: &Args) -> Result<Vec<Game>> {
    let tags: Vec<&str> = args.tags.iter().map(String::as_str).collect();
    let mut games = Vec::new();
    look_at(
        Input::File(file.to_path_buf()),
        |block| games_of(&block.bytes, &tags, args.plies),
        |more| games.extend(more),
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
