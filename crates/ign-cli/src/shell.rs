//! `ign completions` and `ign man`

use std::{io::Write, path::PathBuf, process::ExitCode};

use clap::Command;
use clap_complete::Shell;

use super::output::Output;
use ign_format::error::Result;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    shell: Shell,
}

/// Print the manual page, or write one for each command into a folder
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Folder for the pages of all commands
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "ign", &mut text);
    print(&text)
}

pub fn man(args: &ManArgs, command: Command) -> Result<ExitCode> {
    match &args.folder {
        Some(folder) => {
            clap_mangen::generate_to(command, folder)
                .map_err(|e| ign_format::error::Error::from(e).in_file(folder))?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(command).render(&mut text)?;
            print(&text)
        }
    }
}

fn print(text: &[u8]) -> Result<ExitCode> {
    let mut output = Output::stdout();
    output.write_all(text)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
