//! Hints on standard error, none of them with `-q`: what a condition means, and why nothing may
//! have been found.

use ign_archive::{
    Archives, GameKey, Query, Result,
    query::{Condition, Form, Reads},
    text::closest,
};

use super::{common::Common, filters, messages::say};

/// A condition with the values that are given for it.
pub type Given = (&'static Condition, Vec<String>);

/// The number of tags that a hint lists.
const MAX_LISTED: usize = 40;

/// The flag of a condition.
pub fn flag(condition: &Condition) -> String {
    format!("--{}", condition.name.replace('_', "-"))
}

/// Says what conditions mean that may be meant otherwise: a single rating, and --lasting beside
/// --later.
pub fn of_values(given: &[Given], common: &Common) {
    if common.quiet {
        return;
    }
    for (condition, values) in given {
        let is_on_ratings =
            condition.form == Form::Numbers && matches!(condition.reads, Reads::Numbers(_));
        if let [value] = &values[..]
            && is_on_ratings
            && value.parse::<i32>().is_ok()
        {
            let flag = flag(condition);
            say(format_args!(
                "{flag} {value} means exactly {value}; {flag} {value}.. means at least {value}"
            ));
        }
    }
    let value_of = |name: &str| {
        let (_, values) = given.iter().find(|(condition, _)| condition.name == name)?;
        values.last()
    };
    if let (Some(lasting), Some(later)) = (value_of("lasting"), value_of("later"))
        && !later.contains("lasting")
    {
        say(format_args!(
            "--lasting {lasting} is about the position before the later one; for that: --later \
             \"{later};lasting={lasting}\""
        ));
    }
}

/// Says why no game may meet the conditions: a text without `*`, which must be the whole value, and
/// tags that no game has.
///
/// # Errors
/// Io; corrupt.
pub fn of_nothing(
    given: &[Given],
    query: &Query,
    archives: &Archives,
    common: &Common,
) -> Result<()> {
    if common.quiet {
        return Ok(());
    }
    for (condition, values) in given {
        if matches!(condition.form, Form::Pattern | Form::Patterns)
            && values.iter().any(|text| is_whole(text))
            && (given.len() == 1 || !is_met(condition, values, archives)?)
        {
            say_whole(condition, values);
            break;
        }
    }
    say_lacking(query, archives)
}

/// Whether a text is compared with the whole value.
fn is_whole(text: &str) -> bool {
    !text.is_empty() && !text.contains('*')
}

/// Whether a game meets this condition on texts.
fn is_met(condition: &Condition, values: &[String], archives: &Archives) -> Result<bool> {
    let mut query = Query::new();
    filters::set(&mut query, condition, values)?;
    Ok(!archives.find_first(&query, 1)?.is_empty())
}

/// Says what a condition compares, and the one that finds the texts anywhere.
fn say_whole(condition: &Condition, values: &[String]) {
    let flag = flag(condition);
    if condition.name == "time_control" {
        say(format_args!(
            "{flag} is in seconds: {flag} 180+2 is three minutes and two seconds a move"
        ));
        return;
    }
    let texts = values.iter().map(|text| {
        if is_whole(text) {
            format!(" \"*{text}*\"")
        } else {
            format!(" \"{text}\"")
        }
    });
    let texts: String = texts.collect();
    say(format_args!(
        "{flag} must match the whole value; * matches any text: {flag}{texts}"
    ));
}

/// Says which tags of keys no game has: they are those of no value.
///
/// # Errors
/// Io; corrupt.
pub fn of_keys<'k>(
    keys: impl IntoIterator<Item = &'k GameKey>,
    archives: &Archives,
    common: &Common,
) -> Result<()> {
    let names = keys.into_iter().map(GameKey::name);
    let tags = names.filter(|name| !GameKey::NAMES.contains(name));
    of_tags(tags, archives, common)
}

/// Says which of the tags no game has.
///
/// # Errors
/// Io; corrupt.
pub fn of_tags<'t>(
    tags: impl IntoIterator<Item = &'t str>,
    archives: &Archives,
    common: &Common,
) -> Result<()> {
    if common.quiet {
        return Ok(());
    }
    let mut query = Query::new();
    for tag in tags {
        query = query.tag(tag, "")?;
    }
    say_lacking(&query, archives)
}

/// Names the tags of the conditions that no game has, and those that there are.
fn say_lacking(query: &Query, archives: &Archives) -> Result<()> {
    let lacking = archives.lacking_tags(query)?;
    let known: Vec<&str> = lacking.names.iter().map(String::as_str).collect();
    for tags in &lacking.tags {
        let meant = tags.iter().find_map(|tag| closest(tag, &known));
        let advice = match meant {
            Some(known) => format!("did you mean {known}?"),
            None if known.is_empty() => "no game has tags".into(),
            None => {
                let more = if known.len() > MAX_LISTED {
                    ", …"
                } else {
                    ""
                };
                let listed = known[..known.len().min(MAX_LISTED)].join(", ");
                format!("the tags are {listed}{more}")
            }
        };
        say(format_args!(
            "no game has the tag {}; {advice}",
            tags.join(" or ")
        ));
    }
    Ok(())
}
