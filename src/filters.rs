//! The conditions that select games, as flags of every command that selects games: a flag for each
//! of the [`CONDITIONS`].

use std::path::{Path, PathBuf};

use clap::{
    Arg, ArgAction, ArgMatches, Command, FromArgMatches, parser::ValueSource, value_parser,
};

use super::{
    common::Common,
    hints::{self, Given},
};
use ign_archive::{
    Archives, Error, Input, Query, Result,
    query::{CONDITIONS, Condition, Form, Reads},
};

/// Conditions on games. A game matches if it meets all that are given.
#[derive(Debug)]
pub struct Filters {
    /// The conditions that are given, with their values.
    given: Vec<Given>,
    /// Files whose text is the value of a condition.
    files: Vec<(&'static Condition, PathBuf)>,
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
        let given = CONDITIONS.iter().copied().filter(|c| is_given(&c));
        let (in_files, given): (Vec<_>, Vec<_>) = given.partition(|c| c.form == Form::Score);
        let files = in_files.into_iter().filter_map(|condition| {
            let path = matches.get_one::<PathBuf>(condition.name)?;
            Some((condition, path.clone()))
        });
        let given = given.into_iter().map(|condition| {
            let values = matches.get_many::<String>(condition.name);
            (condition, values.into_iter().flatten().cloned().collect())
        });
        Ok(Self {
            given: given.collect(),
            files: files.collect(),
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
        Form::Pattern | Form::Patterns => "TEXT".to_owned(),
        Form::Expression => "NAME=REGEX".to_owned(),
        Form::Condition => "NAME=VALUE".to_owned(),
        Form::Number => "NUMBER".to_owned(),
        Form::Numbers | Form::Dates | Form::Codes => "RANGE".to_owned(),
        Form::Moves => "MOVES".to_owned(),
        Form::Score => "GAME.pgn".to_owned(),
        Form::Fen => "FEN".to_owned(),
        Form::Flag => "BOOL".to_owned(),
        _ => name.to_uppercase(),
    };
    let help = match form {
        Form::Pattern | Form::Fen => format!("{help}: \"{example}\""),
        Form::Patterns => format!("{help}: \"{}\"", example.replace(';', "\" \"")),
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
        "exclude" => flag.alias("not"),
        "flipped" => flag.alias("flip"),
        "not_understood" => flag.alias("partly-text"),
        _ => flag,
    };
    let flag = match form {
        Form::Numbers => flag.allow_hyphen_values(true),
        Form::Signature => flag.num_args(1..),
        Form::Patterns => flag.num_args(2),
        Form::Flag => flag
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        _ => flag,
    };
    match form {
        Form::Score => return flag.value_parser(value_parser!(PathBuf)),
        // The values are checked together.
        Form::Patterns => return flag,
        _ => {}
    }
    flag.value_parser(move |text: &str| -> Result<String> {
        condition.check(text).map_err(|error| match form {
            // The flag takes all values that follow.
            Form::Signature if !text.contains('=') => error.with_message(format!(
                "'{text}' is not a signature; archives are named before --{name}"
            )),
            _ => error,
        })?;
        Ok(text.to_owned())
    })
}

/// Whether a flag can be repeated, or takes several values.
fn is_list(form: Form) -> bool {
    matches!(
        form,
        Form::Expression
            | Form::Condition
            | Form::Choices(_)
            | Form::Numbers
            | Form::Dates
            | Form::Codes
            | Form::Signature
    )
}

impl Filters {
    /// The files that conditions name.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(_, path)| path.as_path())
    }

    /// The conditions. Says what they mean where that may be misunderstood.
    ///
    /// # Errors
    /// Usage, if conditions do not fit together, or the file of `--like` has no moves; io.
    pub fn query(&self, common: &Common) -> Result<Query> {
        hints::of_values(&self.given, common);
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
            set(&mut query, condition, values)?;
        }
        for (condition, path) in &self.files {
            query.set(condition.name, &score(condition, path)?)?;
        }
        query.check()?;
        Ok(query)
    }

    /// Says what may explain that no game meets the conditions.
    ///
    /// # Errors
    /// As [`hints::of_nothing`].
    pub fn say_advice(&self, query: &Query, archives: &Archives, common: &Common) -> Result<()> {
        hints::of_nothing(&self.given, query, archives, common)
    }
}

/// Adds a condition with its values to a query.
///
/// # Errors
/// Usage, if a value is not one of the condition.
pub fn set(query: &mut Query, condition: &Condition, values: &[String]) -> Result<()> {
    match condition.form {
        _ if condition.is_repeatable() => values
            .iter()
            .try_for_each(|value| query.set(condition.name, value)),
        Form::Signature => query.set(condition.name, &values.join(" ")),
        Form::Patterns => query.set(condition.name, &values.join(";")),
        _ => query.set(condition.name, &values.join(",")),
    }
}

/// The text of the file of a score.
fn score(condition: &Condition, path: &Path) -> Result<String> {
    let text = Input::from_name(path).text();
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
