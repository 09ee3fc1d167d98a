//! Messages on standard error.
//!
//! Invariant: a message contains no control characters, whatever text it quotes, so it cannot
//! send commands to the terminal.

use std::{
    fmt,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use super::{
    common::Common,
    numbers::{counted, grouped},
};
use ign_archive::{Error, ErrorKind as Kind, Remedy, text::closest};

/// Prints one line. A failure to print is ignored.
pub fn say(line: fmt::Arguments) {
    _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}

/// Prints lines, a table for example.
pub fn say_lines(lines: impl fmt::Display) {
    let lines = lines.to_string();
    lines.lines().for_each(|line| say(format_args!("{line}")));
}

/// Prints an error, unless the reader of our output has gone away. Returns the exit status.
pub fn fail(error: &Error) -> ExitCode {
    if error.kind() != Kind::ClosedPipe {
        say(format_args!("ign: {}", advised(error)));
    }
    exit_code(error).into()
}

/// The exit status of a command that ends with this error.
pub fn exit_code(error: &Error) -> u8 {
    match error.kind() {
        Kind::ClosedPipe => 0,
        Kind::Corrupt | Kind::Unsupported => 2,
        Kind::Internal => 3,
        _ => 1,
    }
}

/// The error with the command that helps.
pub fn advised(error: &Error) -> String {
    let file = error.file().unwrap_or_default();
    let is_named_archive = Path::new(file).extension().is_some_and(|e| e == "ign");
    let remedy = match error.remedy() {
        None if error.kind() == Kind::Corrupt && error.block().is_some() => {
            "ign verify lists the games of damaged blocks; ign recover repairs them by parity, or saves all others; \
             unpack, get, list and find read the others with --damaged"
        }
        None => return error.to_string(),
        Some(Remedy::Pack) if is_named_archive => &format!(
            "ign pack makes one; if this is a damaged one, or one after other bytes, ign recover {file} -o GOOD.ign \
             returns it"
        ),
        Some(Remedy::Pack) => "ign pack makes one",
        Some(Remedy::MergeOrUnpack) => "ign merge joins archives; ign unpack returns the text",
        Some(Remedy::UnpackSource) => "unpack the games of one input instead: ign info lists them",
        Some(Remedy::Recover) => "ign recover copies the intact parts to a new archive",
        Some(Remedy::CopyOrRecover) => {
            "copy it again from an intact original; ign recover returns the games that are left"
        }
        Some(Remedy::AppendOrRecover) => {
            "ign append removes them; ign recover keeps the games that are whole"
        }
        Some(Remedy::OtherModel) => {
            "ign recover --model FILE restores a model of ign train from its file, and ign list --damaged shows the \
             tags; a built-in model needs another version of ign"
        }
        Some(Remedy::RepairParity) => {
            "ign recover repairs it; ign parity replaces it, if the archive is whole"
        }
        Some(Remedy::RebuildIndex) => "build it again with ign index -f",
        Some(Remedy::ExtendIndex) => "extend it again with ign index",
        Some(other) => &other.to_string(),
    };
    format!("{} ({remedy})", error.without_remedy())
}

/// What to write instead of a text that is no number, or a number out of its range.
fn advice_on_number(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
    if error.is::<ParseFloatError>() {
        return Some("write a number".to_owned());
    }
    if let Some(error) = error.downcast_ref::<ParseIntError>() {
        let advice = match error.kind() {
            IntErrorKind::Empty | IntErrorKind::InvalidDigit => "write a whole number",
            IntErrorKind::PosOverflow => "the number is too large",
            IntErrorKind::NegOverflow => "the number is too small",
            _ => return None,
        };
        return Some(advice.to_owned());
    }
    // The parser of arguments says: 99 is not in 1..=22.
    let message = error.to_string();
    let (_, range) = message.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let most = most
        .strip_prefix('=')
        .and_then(|most| most.parse::<u32>().ok());
    Some(match most {
        Some(most) => format!("write a number from {least} to {most}"),
        None => format!("write a number of at least {least}"),
    })
}

/// Prints what the argument parser returns instead of arguments: help, the version, or a usage
/// error. A usage error quotes arguments, so it is printed without colours, line by line.
pub fn print_help_or_usage(mut answer: clap::Error) -> ExitCode {
    if answer.use_stderr() {
        remove_far_suggestion(&mut answer);
        let mut text = answer.render().to_string();
        if let Some(error) = std::error::Error::source(&answer)
            && let Some(advice) = advice_on_number(error)
        {
            text = text.replace(&error.to_string(), &advice);
        }
        say_lines(text);
        return ExitCode::FAILURE;
    }
    match answer.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&Error::from(error).in_file("standard output")),
    }
}

/// Removes the suggestion of an option that differs in more than some letters from the unknown one.
fn remove_far_suggestion(error: &mut clap::Error) {
    use clap::error::{ContextKind, ContextValue};
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.trim_start_matches('-')),
        _ => None,
    };
    if let (Some(unknown), Some(suggested)) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::SuggestedArg),
    ) && closest(unknown, &[suggested]).is_none()
    {
        error.remove(ContextKind::SuggestedArg);
    }
}

/// Says what was requested of servers and received from them.
pub fn say_traffic() {
    let traffic = ign_archive::location::traffic();
    if traffic.requests > 0 {
        say(format_args!(
            "{}, {} bytes received",
            counted(traffic.requests, "request"),
            grouped(traffic.bytes)
        ));
    }
}

/// The text with `?` in place of control characters.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// The name without control characters, cut to at most `max` characters.
pub fn shortened(name: &str, max: usize) -> String {
    let name = printable(name);
    if name.chars().count() <= max {
        return name;
    }
    let start = name.chars().take(max - 3);
    start.chain("...".chars()).collect()
}

/// Says why indexes were not used, after a query.
pub fn warn_of_rejected<'e>(indexes: impl IntoIterator<Item = &'e Error>, common: &Common) {
    for error in indexes {
        if !common.quiet {
            say(format_args!(
                "warning: {}; searched without the index",
                advised(error)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_control_characters_replaced() {
        assert_eq!(shortened("White", 10), "White");
        assert_eq!(shortened("WhiteBlackWhite", 10), "WhiteBl...");
        assert_eq!(shortened("a\x1b[31m", 10), "a?[31m");
    }
}
