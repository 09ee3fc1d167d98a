//! The `ign` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ign::cli::main()
}
