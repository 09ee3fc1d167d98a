//! `ign selftest`

use std::{process::ExitCode, time::Instant};

use super::{
    common::Common,
    json::{
        self,
        checked::{Answer, SelfTest},
    },
    output::Output,
    table::Table,
};
use ign_archive::{
    Result,
    check::{KnownAnswer, instructions, known_answers},
};
use std::io::Write as _;

/// Compare what models and coders compute on this machine with what the format states
///
/// An archive can be read by every machine because all of them compute the same numbers. Packing
/// checks each block with the code that encoded it, so it would not notice that a processor or a
/// compiler computes other numbers. This command computes the known answers of format-spec.md with
/// the instructions that this machine uses. Before the first block that needs a model, pack
/// compares its answer by itself, and so does verify.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, _common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let answers = known_answers();
    if args.json {
        json::print(&SelfTest {
            instructions: instructions(),
            right: answers.iter().all(|answer| answer.is_right()),
            answers: answers.iter().map(Answer::from).collect(),
            seconds: json::seconds(start),
        })?;
    } else {
        let mut table = Table::without_header(3).left(1).left(2);
        for answer in &answers {
            let verdict = if answer.is_right() { "right" } else { "WRONG" };
            table.row([&answer.name, &verdict, &answer.computed]);
        }
        let mut out = Output::stdout();
        writeln!(out, "Instructions: {}\n\n{table}", instructions())?;
        out.finish()?;
    }
    answers.iter().try_for_each(KnownAnswer::check)?;
    Ok(ExitCode::SUCCESS)
}
