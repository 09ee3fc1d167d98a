//! Trains the network that foresees thinking times (`ign::pgn::comments::pace`): logistic
//! regression of each decision by which a thinking time is coded, through one layer of products,
//! by Adam. The recipe and what came of it: `docs/clocks.md`.

use std::{cell::RefCell, fs, path::PathBuf};

use ign::{
    bits::{mixed::Steps, range::Coder},
    pgn::{
        comments::{
            aspects,
            pace::{
                Clocks, INPUTS, Inputs, Moment, OUTPUT_BIASES, OUTPUT_WEIGHTS, PARAMETERS,
                TimeControl, UNIT_BIASES, UNITS, WIDTH, scale,
            },
            series::Kind,
            spelling::{CLOCK, NUMBER, WORD, modes, scan, unit, value},
        },
        layout::LayoutModel,
        movetext::{Context, Movetext, Parser},
        records::{RecordFinder, TagReader},
        start::of_tags,
    },
};

use super::{Learnt, Random, fail, in_steps, steps, write};

/// Trains the network that foresees thinking times. The last fifth of the games of each file is
/// held out and judged by.
#[derive(clap::Args)]
pub struct Args {
    /// Files to learn from: PGN with clocks, compressed by zstd or not.
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<PathBuf>,
    /// Passes over the clocks.
    #[arg(long, default_value_t = 8)]
    passes: usize,
    /// Clocks of a step.
    #[arg(long, default_value_t = 512)]
    batch: usize,
    /// Length of the first steps; it falls to nothing along a cosine.
    #[arg(long, default_value_t = 4e-3)]
    rate: f32,
    /// How much parameters shrink, in parts of a step.
    #[arg(long, default_value_t = 0.05)]
    decay: f32,
    /// How many of the products are left out while learning, by lot.
    #[arg(long, default_value_t = 0.15)]
    dropout: f32,
    /// Where everything that is drawn by lot comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the network goes: what src/pgn/comments holds, a byte a parameter.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A thinking time.
struct Sample {
    inputs: Inputs,
    /// The decisions by which it is coded, and the answers.
    decisions: Vec<(u8, bool)>,
}

/// A coder that keeps the answers it is given.
#[derive(Default)]
struct Answers(Vec<bool>);

impl Coder for Answers {
    fn decide(&mut self, _: u32, yes: bool) -> bool {
        self.0.push(yes);
        yes
    }

    fn uniform(&mut self, value: u64, _: u32) -> u64 {
        value
    }
}

/// The decisions by which a step is coded; none for one that is too long to be foreseen.
fn decisions(step: i64) -> Option<Vec<(u8, bool)>> {
    let asked = RefCell::new(Vec::new());
    let mut answers = Answers::default();
    let foresight = |decision: usize| {
        asked.borrow_mut().push(decision as u8);
        0
    };
    Steps::<1>::default().code_by(&mut answers, [0], foresight, step);
    let asked = asked.into_inner();
    (asked.len() == answers.0.len()).then(|| asked.into_iter().zip(answers.0).collect())
}

/// The thinking times of the games of a text, game by game.
fn samples(text: &[u8]) -> Vec<Vec<Sample>> {
    let mut finder = RecordFinder::new(text);
    let (mut reader, mut tags) = (TagReader::default(), Vec::new());
    let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
    let layout = LayoutModel::default();
    let (mut games, mut seen, mut position) = (Vec::new(), Vec::new(), 0);
    while position < text.len() {
        let (line_end, tags_end) = reader.read(text, position, &mut tags);
        position = finder.record_end(tags_end);
        let value = |name: &[u8]| {
            let tag = tags.iter().find(|tag| &text[tag.name.clone()] == name)?;
            Some(&text[tag.value.clone()])
        };
        let start = of_tags(value(b"FEN"), value(b"Variant"));
        let context = Context {
            line_end: line_end.bytes(),
            start: start.as_ref(),
            result: value(b"Result"),
        };
        parser.parse(&text[tags_end..position], context, &layout, &mut movetext);
        let Some(start) = &start else { continue };
        seen.clear();
        aspects::of_game(start, &movetext.moves, &mut seen);
        let mut clocks = Clocks::new(TimeControl::of_tag(value(b"TimeControl")));
        let mut comments = movetext.payloads.comments.split(|&byte| byte == b'}');
        let mut game = Vec::new();
        let gaps = movetext.layout.gaps.iter().chain([&movetext.layout.last]);
        for (ply, &gap) in gaps.enumerate() {
            for _ in 0..parser.templates.comments(gap) {
                let Some((unit, shown)) = comments.next().and_then(clock) else {
                    continue;
                };
                let side = ply & 1;
                let thought = clocks.left(side) / unit - shown;
                let moment = Moment { ply, moves: &seen };
                let inputs = clocks.inputs(side, unit, moment);
                if let (Some(inputs), Some(decisions)) = (inputs, decisions(thought)) {
                    game.push(Sample { inputs, decisions });
                }
                clocks.note(side, unit, shown * unit, thought * unit);
            }
        }
        if !game.is_empty() {
            games.push(game);
        }
    }
    games
}

/// The time that a comment says is left, behind the thousandths of its unit.
fn clock(comment: &[u8]) -> Option<(i64, i64)> {
    let (mut template, mut fields) = (Vec::new(), Vec::new());
    scan(comment, &mut template, &mut fields);
    let marks = |&(_, &byte): &(usize, &u8)| matches!(byte, CLOCK | NUMBER | WORD);
    let fields = template.iter().enumerate().filter(marks).zip(fields);
    fields.into_iter().find_map(|((at, &mark), field)| {
        let spelled = |mode| Some((mode, value(mark, mode, field.text)?));
        let (mode, value) = (0..modes(mark)).find_map(spelled)?;
        let after = template.get(at + 1).copied();
        let counts_down = Kind::of(mark, mode, &template[..at], after) == Kind::Countdown;
        counts_down.then(|| (unit(mark, mode), value))
    })
}

/// What a sample costs by these parameters, in bits, and the gradient of that, in nats, where it is
/// asked for, with products left out by lot.
fn cost(p: &[f32], sample: &Sample, mut learn: Option<(&mut [f32], f32, &mut Random)>) -> f64 {
    let mut units = [0.0; UNITS];
    units.copy_from_slice(&p[UNIT_BIASES..][..UNITS]);
    let row = |row: u16| usize::from(row) * UNITS;
    for &input in &sample.inputs {
        let weights = &p[row(input)..][..UNITS];
        units.iter_mut().zip(weights).for_each(|(u, w)| *u += w);
    }
    let cut = |i: usize| match i < WIDTH {
        true => units[i].clamp(0.0, 2.0),
        false => units[i].clamp(-2.0, 2.0),
    };
    let mut products: [f32; WIDTH] = std::array::from_fn(|i| cut(i) * cut(WIDTH + i));
    let mut kept = [1.0; WIDTH];
    if let Some((_, dropout, random)) = &mut learn {
        for (kept, product) in kept.iter_mut().zip(&mut products) {
            let out = random.unit() < *dropout;
            *kept = if out { 0.0 } else { 1.0 / (1.0 - *dropout) };
            *product *= *kept;
        }
    }
    let mut bits = 0.0;
    let mut back = [0.0; WIDTH];
    for &(decision, yes) in &sample.decisions {
        let weights = OUTPUT_WEIGHTS + usize::from(decision) * WIDTH;
        let bias = OUTPUT_BIASES + usize::from(decision);
        let sum: f32 = products.iter().zip(&p[weights..]).map(|(x, w)| x * w).sum();
        let no = 1.0 / (1.0 + (-sum - p[bias]).exp());
        bits -= f64::from(if yes { 1.0 - no } else { no }.max(1e-6)).log2();
        if let Some((slopes, ..)) = &mut learn {
            let error = no - f32::from(u8::from(!yes));
            slopes[bias] += error;
            for i in 0..WIDTH {
                slopes[weights + i] += error * products[i];
                back[i] += error * p[weights + i];
            }
        }
    }
    if let Some((slopes, ..)) = &mut learn {
        let mut unit_slopes = [0.0; UNITS];
        for i in 0..WIDTH {
            let error = back[i] * kept[i];
            if (0.0..2.0).contains(&units[i]) {
                unit_slopes[i] = error * cut(WIDTH + i);
            }
            if (-2.0..2.0).contains(&units[WIDTH + i]) {
                unit_slopes[WIDTH + i] = error * cut(i);
            }
        }
        for start in sample.inputs.iter().map(|&r| row(r)).chain([UNIT_BIASES]) {
            let slopes = &mut slopes[start..][..UNITS];
            slopes
                .iter_mut()
                .zip(unit_slopes)
                .for_each(|(s, x)| *s += x);
        }
    }
    bits
}

/// Parameters as the format has them, in whole steps of a byte.
fn rounded(values: &[f32]) -> Vec<f32> {
    let steps = values.iter().enumerate();
    steps.map(|(i, &value)| in_steps(value, scale(i))).collect()
}

/// Trains, saying how it goes.
pub fn run(args: &Args) {
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
    for path in &args.sources {
        let wrong = |error| fail(&format!("{}: {error}", path.display()));
        let bytes = fs::read(path).unwrap_or_else(wrong);
        let bytes = match path.extension().is_some_and(|e| e == "zst") {
            true => zstd::decode_all(&bytes[..]).unwrap_or_else(wrong),
            false => bytes,
        };
        let mut games = samples(&bytes);
        let held = games.split_off(games.len() - games.len() / 5);
        eprintln!(
            "{}: {} games with clocks to learn from, {} held out",
            path.display(),
            games.len(),
            held.len()
        );
        train.extend(games.into_iter().flatten());
        held_out.push((path, held));
    }
    eprintln!("{} clocks; {PARAMETERS} parameters", train.len());
    let mut random = Random(args.seed);
    let mut first = vec![0.0; PARAMETERS];
    for (i, value) in first.iter_mut().enumerate() {
        let spread = match i {
            0..UNIT_BIASES => 1.0 / INPUTS as f32,
            OUTPUT_WEIGHTS..OUTPUT_BIASES => 1.0 / WIDTH as f32,
            _ => 0.0,
        };
        *value = (random.unit() - 0.5) * 2.0 * spread.sqrt();
    }
    let mut learnt = Learnt::new(first);
    let mut whole = rounded(&learnt.values);
    let mut slopes = vec![0.0; PARAMETERS];
    let steps = args.passes * train.len().div_ceil(args.batch);
    let mut step = 0;
    for pass in 1..=args.passes {
        random.shuffle(&mut train);
        let mut bits = 0.0;
        for batch in train.chunks(args.batch) {
            step += 1;
            slopes.fill(0.0);
            for sample in batch {
                bits += cost(
                    &whole,
                    sample,
                    Some((&mut slopes, args.dropout, &mut random)),
                );
            }
            let share = 1.0 / batch.len() as f32;
            slopes.iter_mut().for_each(|slope| *slope *= share);
            let progress = step as f32 / steps as f32;
            let warm = (step as f32 / 200.0).min(1.0);
            let rate = args.rate * warm * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos());
            learnt.learn(step, &slopes, |_| (rate, args.decay));
            whole = rounded(&learnt.values);
        }
        print!("{pass} passes, learnt {:.4}", bits / train.len() as f64);
        for (path, held) in &held_out {
            let samples: Vec<_> = held.iter().flatten().collect();
            let bits: f64 = samples.iter().map(|s| cost(&whole, s, None)).sum();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            print!(" | {name} {:.4}", bits / samples.len() as f64);
        }
        println!();
    }
    if let Some(path) = &args.output {
        write(path, &steps(&whole, scale));
    }
}
