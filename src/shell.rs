//! `ign completions` and `ign man`

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Command;
use clap_complete::Shell;

use super::output::{Output, create_folder};
use ign_archive::Result;

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
    /// Write the pages of all commands into this folder, which is created
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
            create_folder(folder)?;
            let mut pages = Vec::new();
            let mut command = command.disable_help_subcommand(true);
            command.build();
            write_pages(command, folder, &mut pages)?;
            Output::finish_all(pages)?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(command).render(&mut text)?;
            print(&text)
        }
    }
}

/// Writes the pages of a command and of those in it.
fn write_pages(command: Command, folder: &Path, pages: &mut Vec<Output>) -> Result<()> {
    for inner in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        write_pages(inner.clone(), folder, pages)?;
    }
    let man = clap_mangen::Man::new(command);
    let mut page = Output::file(&folder.join(man.get_filename()), true)?;
    man.render(&mut page)?;
    pages.push(page);
    Ok(())
}

fn print(text: &[u8]) -> Result<ExitCode> {
    let mut output = Output::stdout();
    output.write_all(text)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
