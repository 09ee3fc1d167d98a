//! `ign completions` and `ign man`

use std::{io::Write, path::PathBuf, process::ExitCode};

use clap::Command;
use clap_complete::Shell;

use super::output::Output;
use ign_archive::{Error, Result};

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  ign completions bash > ~/.local/share/bash-completion/completions/ign
  ign completions fish > ~/.config/fish/completions/ign.fish";

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// Name of the shell
    shell: Shell,
}

const MAN_EXAMPLES: &str = "\
Examples:
  ign man | man -l -
  ign man ~/.local/share/man/man1";

/// Print the manual page, or write a page for each command
#[derive(Debug, clap::Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub struct ManArgs {
    /// Write the pages of all commands into this folder
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
                .map_err(|e| Error::from(e).in_file(folder))?;
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
