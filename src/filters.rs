//! The conditions that select games, as flags of every command that selects games: a flag for each
//! of the [`CONDITIONS`].

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, parser::ValueSource};

use super::messages::say;
use ign_archive::{
    Error, Input, Query, Result,
    query::{CONDITIONS, Condition, Form, Reads},
};

/// Conditions on games. A game matches if it meets all that are given.
#[derive(Debug)]
pub struct Filters {
    /// The conditions that are given, with their values.
    given: Vec<(&'static Condition, Vec<String>)>,
}

impl clap::Args for Filters {
    /// Adds the flags when the command is chosen: making them for all commands would be most of the
    /// time that a command takes to start.
    fn augment_args(command: Command) -> Command {
        command.defer(|command| command.args(CONDITIONS.iter().copied().map(argument)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Filters {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let is_given = |condition: &&&'static Condition| {
            matches.value_source(condition.name) == Some(ValueSource::CommandLine)
        };
        let given = CONDITIONS.iter().filter(is_given).map(|condition| {
            let values = matches.get_many::<String>(condition.name);
            (*condition, values.into_iter().flatten().cloned().collect())
        });
        Ok(Self {
            given: given.collect(),
        })
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flag of a condition.
fn argument(condition: &'static Condition) -> Arg {
    let Condition {
        name,
        form,
        help,
        example,
        reads,
        ..
    } = *condition;
    let placeholder = match form {
        Form::Pattern => "TEXT".to_owned(),
        Form::Expression => "NAME=REGEX".to_owned(),
        Form::Numbers | Form::NumberRanges | Form::Dates | Form::Codes => "RANGE".to_owned(),
        Form::Moves => "MOVES".to_owned(),
        Form::Score => "GAME.pgn".to_owned(),
        Form::Fen => "FEN".to_owned(),
        Form::Flag => "BOOL".to_owned(),
        _ => name.to_uppercase(),
    };
    let help = match form {
        Form::Pattern | Form::Fen => format!("{help}: \"{example}\""),
        Form::Score => format!("{help}: the first game of a PGN file; - is standard input"),
        Form::Flag if reads != Reads::LastPosition => format!("{help}; =false: the other games"),
        _ => help.to_owned(),
    };
    let flag = Arg::new(name)
        .long(name.replace('_', "-"))
        .value_name(placeholder)
        .help(help)
        .help_heading(condition.heading.title())
        .action(if is_list(form) {
            ArgAction::Append
        } else {
            ArgAction::Set
        });
    let flag = match name {
        "not_understood" => flag.alias("partly-text"),
        _ => flag,
    };
    let flag = match form {
        Form::Numbers => flag.allow_hyphen_values(true),
        Form::Signature => flag.num_args(1..),
        Form::Flag => flag
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        _ => flag,
    };
    flag.value_parser(move |text: &str| -> Result<String> {
        // The score is in a file.
        if form != Form::Score {
            condition.check(text).map_err(|error| match form {
                // The flag takes all values that follow.
                Form::Signature if !text.contains('=') => error.with_message(format!(
                    "'{text}' is not a signature; archives are named before --{name}"
                )),
                _ => error,
            })?;
        }
        Ok(text.to_owned())
    })
}

/// Whether a flag can be repeated, or takes several values.
fn is_list(form: Form) -> bool {
    matches!(
        form,
        Form::Expression | Form::Choices(_) | Form::NumberRanges | Form::Signature
    )
}

impl Filters {
    /// The conditions.
    ///
    /// # Errors
    /// Usage, if conditions do not fit together, or the file of `--like` has no moves; io.
    pub fn query(&self) -> Result<Query> {
        self.read().map_err(|error| {
            // The message begins with the name of the condition.
            let (name, rest) = error.message().split_once(": ").unwrap_or_default();
            if name.is_empty() || !CONDITIONS.iter().any(|condition| condition.name == name) {
                return error;
            }
            let flag = name.replace('_', "-");
            let message = format!("--{flag}: {rest}");
            error.with_message(message)
        })
    }

    fn read(&self) -> Result<Query> {
        let mut query = Query::new();
        for (condition, values) in &self.given {
            match condition.form {
                Form::Expression => {
                    for value in values {
                        query.set(condition.name, value)?;
                    }
                }
                Form::Score => query.set(condition.name, &score(condition, &values[0])?)?,
                Form::Signature => query.set(condition.name, &values.join(" "))?,
                _ => query.set(condition.name, &values.join(","))?,
            }
        }
        query.check()?;
        Ok(query)
    }

    /// Says what may explain that nothing was found: a text without `*`, which must be the whole
    /// value.
    pub fn say_advice(&self) {
        let patterns = self.given.iter().filter(|(c, _)| c.form == Form::Pattern);
        let mut texts = patterns.flat_map(|(condition, values)| {
            let flag = condition.name.replace('_', "-");
            values.iter().map(move |text| (flag.clone(), text))
        });
        if let Some((flag, text)) = texts.find(|(_, text)| !text.is_empty() && !text.contains('*'))
        {
            say(format_args!(
                "--{flag} must match the whole value; * matches any text: --{flag} \"*{text}*\""
            ));
        }
    }
}

/// The text of the file of a score.
fn score(condition: &Condition, path: &str) -> Result<String> {
    let text = Input::from_name(Path::new(path)).text();
    let text = text.and_then(|text| {
        let text = String::from_utf8_lossy(&text).into_owned();
        condition.check(&text).map(|()| text)
    });
    text.map_err(|e| {
        let (kind, name) = (e.kind(), condition.name);
        let error = e.in_file(path);
        let advice = || "name a PGN file with the moves to look for".into();
        let remedy = error.remedy().cloned().unwrap_or_else(advice);
        Error::new(kind, format!("{name}: {}", error.without_remedy())).with_remedy(remedy)
    })
}
