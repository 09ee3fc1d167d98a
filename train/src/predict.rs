//! Trains the networks that predict numbers and characters (`ign_entropy::network`).
//!
//! A network gives one logit for each binary decision of a number's or character's code, from one
//! hidden layer whose units are multiplied in pairs. The loss is the cross-entropy of the
//! decisions, the optimizer Adam. The recipes and their results: `docs/clocks.md`,
//! `docs/evaluations.md`, `docs/names.md`.

use std::{cell::RefCell, fs, path::PathBuf};

use ign_entropy::{adaptive::Coder, mixing::MixedSigned, network::Shape};
use ign_format::pgn::{
    comments::{
        formats::{CLOCK, NUMBER},
        scan::{Field, Scan, WORD},
    },
    layout::LayoutModel,
    movetext::{Context, Movetext, Parser},
    records::RecordFinder,
    start::{Start, of_tags},
    tags::{self, TagReader},
};

use ign_training::{
    adam::{self, Adam, in_steps},
    random::Random,
};

use super::{fail, write};

/// Trains a network. The last fifth of the games, or of the names, of each file is held out for
/// evaluation.
#[derive(clap::Args)]
pub struct Args {
    /// Training files: PGN, uncompressed or compressed with zstd (.zst).
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<PathBuf>,
    /// Passes over the training samples.
    #[arg(long, default_value_t = 8)]
    passes: usize,
    /// Samples per step.
    #[arg(long, default_value_t = 512)]
    batch: usize,
    /// Learning rate after the warm-up of 200 steps; it decays to 0 along a cosine.
    #[arg(long, default_value_t = 4e-3)]
    rate: f32,
    /// Weight decay, relative to the learning rate.
    #[arg(long, default_value_t = 0.05)]
    decay: f32,
    /// Dropout: probability that a product is set to zero in training.
    #[arg(long, default_value_t = 0.15)]
    dropout: f32,
    /// Seed of the random number generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file of the network: one signed byte per parameter.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What a network is trained on.
pub struct Task {
    /// The shape of the network.
    pub shape: Shape,
    /// Number of inputs of the network.
    pub inputs: usize,
    /// The samples of a PGN text, by game or by name. The flag says whether the inputs include
    /// move features.
    pub samples: fn(&[u8], bool) -> Vec<Vec<Sample>>,
    /// If n, every n-th training game also gives its samples without move features.
    pub blind: Option<usize>,
    /// The unit of holding out, for messages: games or names.
    pub unit: &'static str,
}

/// A number or character to predict.
pub struct Sample {
    /// The embedding row of each input.
    pub inputs: Vec<u16>,
    /// The binary decisions of its code, and their outcomes.
    pub decisions: Vec<(u8, bool)>,
}

impl Sample {
    /// A number with its inputs. `None` if its code is too long for the network to predict.
    pub fn new(inputs: &[u16], number: i64) -> Option<Self> {
        Some(Self {
            inputs: inputs.to_vec(),
            decisions: decisions(number)?,
        })
    }
}

/// A game whose comments give samples.
pub struct Game<'a> {
    /// The starting position.
    pub start: &'a Start,
    pub movetext: &'a Movetext,
    /// Has the templates of the gaps of `movetext`.
    pub parser: &'a Parser,
    /// The value of the tag `TimeControl`.
    pub time_control: Option<&'a [u8]>,
}

impl Game<'_> {
    /// Visits each comment with the number of plies before it, and the template of its gap.
    pub fn each_comment(&self, mut visit: impl FnMut(usize, &[u8], &[u8])) {
        let mut comments = self.movetext.payloads.comments.split(|&byte| byte == b'}');
        let gaps = self.movetext.layout.gaps.iter();
        for (ply, &gap) in gaps.chain([&self.movetext.layout.last]).enumerate() {
            for _ in 0..self.parser.templates.comments(gap) {
                let comment = comments.next().unwrap_or_default();
                visit(ply, self.parser.templates.get(gap), comment);
            }
        }
    }
}

/// The samples that `learn` takes from each game of a PGN text. Games whose starting position is
/// invalid, and games without samples, are left out.
pub fn games(text: &[u8], mut learn: impl FnMut(Game) -> Vec<Sample>) -> Vec<Vec<Sample>> {
    let mut finder = RecordFinder::new(text);
    let (mut reader, mut tags) = (TagReader::default(), Vec::new());
    let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
    let layout = LayoutModel::default();
    let (mut games, mut position) = (Vec::new(), 0);
    while position < text.len() {
        let section = reader.read(text, position, &mut tags);
        position = finder.record_end(position, section.end);
        let value = |name: &[u8]| tags::find(text, &tags, name);
        let start = of_tags(value(b"FEN"), value(b"Variant"));
        let context = Context {
            line_end: section.standard.unwrap_or_default().bytes(),
            start: start.as_ref(),
            result: value(b"Result"),
        };
        parser.parse(
            &text[section.end..position],
            context,
            &layout,
            &mut movetext,
        );
        let Some(start) = &start else { continue };
        let game = learn(Game {
            start,
            movetext: &movetext,
            parser: &parser,
            time_control: value(b"TimeControl"),
        });
        if !game.is_empty() {
            games.push(game);
        }
    }
    games
}

/// Visits the numbers and times of a comment, and returns the first result that is not `None`. The
/// arguments of `visit` are the template before the field, the template byte after it, and the
/// field.
pub fn find_field<T>(
    comment: &[u8],
    mut visit: impl FnMut(&[u8], Option<u8>, &Field) -> Option<T>,
) -> Option<T> {
    let mut scan = Scan::default();
    scan.read(comment);
    let Scan {
        template, fields, ..
    } = &scan;
    let marks = |&(_, &byte): &(usize, &u8)| matches!(byte, CLOCK | NUMBER | WORD);
    let places = template.iter().enumerate().filter(marks);
    let mut fields = places.zip(fields).filter(|(_, field)| field.mark != WORD);
    fields.find_map(|((at, _), field)| visit(&template[..at], template.get(at + 1).copied(), field))
}

/// A coder that records the outcomes of the binary decisions.
#[derive(Default)]
struct Answers(Vec<bool>);

impl Coder for Answers {
    fn bit_with_probability(&mut self, _: u32, yes: bool) -> bool {
        self.0.push(yes);
        yes
    }

    fn uniform(&mut self, value: u64, _: u32) -> u64 {
        value
    }

    fn one_of(&mut self, value: u32, _: u32) -> u32 {
        value
    }
}

/// The binary decisions of the code of `step`. `None` if the network does not predict all of them.
fn decisions(step: i64) -> Option<Vec<(u8, bool)>> {
    let asked = RefCell::new(Vec::new());
    let mut answers = Answers::default();
    let prediction = |decision: usize| {
        asked.borrow_mut().push(decision as u8);
        0
    };
    MixedSigned::<1>::default().code_predicted(&mut answers, [0], prediction, step);
    let asked = asked.into_inner();
    (asked.len() == answers.0.len()).then(|| asked.into_iter().zip(answers.0).collect())
}

/// The cross-entropy of a sample in bits. `learn` holds the gradient to add to (in nats), the
/// dropout probability and the source of randomness; without it there is no dropout.
fn cost(
    shape: Shape,
    p: &[f32],
    sample: &Sample,
    mut learn: Option<(&mut [f32], f32, &mut Random)>,
) -> f64 {
    let (width, unit_count) = (shape.width, shape.units());
    let mut units = p[shape.unit_biases()..][..unit_count].to_vec();
    let row = |row: u16| usize::from(row) * unit_count;
    for &input in &sample.inputs {
        let weights = &p[row(input)..][..unit_count];
        units.iter_mut().zip(weights).for_each(|(u, w)| *u += w);
    }
    let cut = |i: usize| {
        if i < width {
            units[i].clamp(0.0, 2.0)
        } else {
            units[i].clamp(-2.0, 2.0)
        }
    };
    let mut products: Vec<f32> = (0..width).map(|i| cut(i) * cut(width + i)).collect();
    let mut kept = vec![1.0; width];
    if let Some((_, dropout, random)) = &mut learn {
        for (kept, product) in kept.iter_mut().zip(&mut products) {
            let out = random.unit() < *dropout;
            *kept = if out { 0.0 } else { 1.0 / (1.0 - *dropout) };
            *product *= *kept;
        }
    }
    let mut bits = 0.0;
    let mut back = vec![0.0; width];
    for &(decision, yes) in &sample.decisions {
        let weights = shape.output_weights() + usize::from(decision) * width;
        let bias = shape.output_biases() + usize::from(decision);
        let sum: f32 = products.iter().zip(&p[weights..]).map(|(x, w)| x * w).sum();
        let no = 1.0 / (1.0 + (-sum - p[bias]).exp());
        bits -= f64::from(if yes { 1.0 - no } else { no }.max(1e-6)).log2();
        if let Some((slopes, ..)) = &mut learn {
            let error = no - f32::from(u8::from(!yes));
            slopes[bias] += error;
            for i in 0..width {
                slopes[weights + i] += error * products[i];
                back[i] += error * p[weights + i];
            }
        }
    }
    if let Some((slopes, ..)) = &mut learn {
        let mut unit_slopes = vec![0.0; unit_count];
        for i in 0..width {
            let error = back[i] * kept[i];
            if (0.0..2.0).contains(&units[i]) {
                unit_slopes[i] = error * cut(width + i);
            }
            if (-2.0..2.0).contains(&units[width + i]) {
                unit_slopes[width + i] = error * cut(i);
            }
        }
        for start in sample
            .inputs
            .iter()
            .map(|&r| row(r))
            .chain([shape.unit_biases()])
        {
            let slopes = &mut slopes[start..][..unit_count];
            slopes
                .iter_mut()
                .zip(&unit_slopes)
                .for_each(|(s, x)| *s += x);
        }
    }
    bits
}

/// Parameters rounded as in the format: multiples of the quantization step that fit in a byte.
fn rounded(shape: Shape, values: &[f32]) -> Vec<f32> {
    let steps = values.iter().enumerate();
    steps
        .map(|(i, &value)| in_steps(value, shape.scale(i)))
        .collect()
}

/// Trains a network, prints the progress, and writes the result if the arguments name a file.
pub fn run(args: &Args, task: Task) {
    let shape = task.shape;
    let parameters = shape.parameters();
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
    for path in &args.sources {
        let wrong = |error| fail(&format!("{}: {error}", path.display()));
        let bytes = fs::read(path).unwrap_or_else(wrong);
        let bytes = if path.extension().is_some_and(|e| e == "zst") {
            zstd::decode_all(&bytes[..]).unwrap_or_else(wrong)
        } else {
            bytes
        };
        let mut games = (task.samples)(&bytes, true);
        let held = games.split_off(games.len() - games.len() / 5);
        eprintln!(
            "{}: {} training {}, {} held out",
            path.display(),
            games.len(),
            task.unit,
            held.len()
        );
        if let Some(every) = task.blind {
            let blind = (task.samples)(&bytes, false).into_iter().take(games.len());
            train.extend(blind.step_by(every).flatten());
        }
        train.extend(games.into_iter().flatten());
        held_out.push((path, held));
    }
    eprintln!("{} training samples; {parameters} parameters", train.len());
    let mut random = Random(args.seed);
    let mut first = vec![0.0; parameters];
    for (i, value) in first.iter_mut().enumerate() {
        let spread = if i < shape.unit_biases() {
            1.0 / task.inputs as f32
        } else if (shape.output_weights()..shape.output_biases()).contains(&i) {
            1.0 / shape.width as f32
        } else {
            0.0
        };
        *value = (random.unit() - 0.5) * 2.0 * spread.sqrt();
    }
    let mut learnt = Adam::new(first);
    let mut whole = rounded(shape, &learnt.values);
    let mut slopes = vec![0.0; parameters];
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
                    shape,
                    &whole,
                    sample,
                    Some((&mut slopes, args.dropout, &mut random)),
                );
            }
            let frequency = 1.0 / batch.len() as f32;
            slopes.iter_mut().for_each(|slope| *slope *= frequency);
            let progress = step as f32 / steps as f32;
            let warm = (step as f32 / 200.0).min(1.0);
            let rate = args.rate * warm * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos());
            learnt.step(step, &slopes, |_| (rate, args.decay));
            whole = rounded(shape, &learnt.values);
        }
        print!(
            "{pass} passes, bits per sample: training {:.4}",
            bits / train.len() as f64
        );
        for (path, held) in &held_out {
            let samples: Vec<_> = held.iter().flatten().collect();
            let bits: f64 = samples.iter().map(|s| cost(shape, &whole, s, None)).sum();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            print!(" | {name} {:.4}", bits / samples.len() as f64);
        }
        println!();
    }
    if let Some(path) = &args.output {
        write(path, &adam::steps(&whole, |i| shape.scale(i)));
    }
}
