//! The games that a request is about: a source and conditions.

use ign_archive::{Position, Query, query::CONDITIONS, text::closest};

use crate::{
    failure::{Failure, Result},
    parameters::{Parameters, unknown},
};

/// How often a condition can be repeated. A regular expression takes up to a megabyte.
const MAX_TIMES: usize = 8;

/// Games of a source that meet conditions.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The source; all if it is `None`.
    pub source: Option<String>,
    /// The conditions.
    pub query: Query,
    /// Source and conditions as text, in one order whatever the order in the request.
    text: Vec<String>,
}

/// Parameters of the explorer that some of its endpoints do not have.
const OF_THE_EXPLORER: [&str; 4] = ["speeds", "ratings", "modes", "color"];

/// What the pages of Lichess send as `source`: what the answer is for.
const SOURCE_OF_LICHESS: &str = "analysis";

impl Selection {
    /// Takes `source` and all conditions on games. Other parameters must have been taken before.
    /// `at` is the position that they chose: `final` without a condition on positions is about it.
    ///
    /// # Errors
    /// A parameter is unknown, given twice, or invalid.
    pub fn take(parameters: Parameters, at: Option<Position>) -> Result<Self> {
        Self::read(parameters, at, |name, taken| Err(no_condition(name, taken)))
    }

    /// [`take`](Self::take) as the server of Lichess does: parameters that it does not know are
    /// ignored, unless they are a misspelled condition. Its pages send `source=analysis`, which is
    /// ignored unless an archive has this name.
    ///
    /// # Errors
    /// A condition is misspelled, given twice, or invalid.
    pub fn take_known(
        parameters: Parameters,
        at: Option<Position>,
        is_source: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        let names = CONDITIONS.iter().map(|condition| condition.name);
        let names: Vec<&str> = names.collect();
        let mut selection =
            Self::read(parameters, at, |name, taken| match closest(name, &names) {
                Some(_) if !OF_THE_EXPLORER.contains(&name) => Err(no_condition(name, taken)),
                _ => Ok(()),
            })?;
        let is_meant = |name: &String| name != SOURCE_OF_LICHESS || is_source(name);
        selection.source = selection.source.filter(is_meant);
        Ok(selection)
    }

    fn read(
        mut parameters: Parameters,
        at: Option<Position>,
        accept: impl Fn(&str, &[&str]) -> Result<()>,
    ) -> Result<Self> {
        let mut selection = Self {
            source: parameters.take("source")?,
            ..Self::default()
        };
        let mut text: Vec<String> = Vec::new();
        let taken = parameters.taken().to_vec();
        let conditions = parameters.rest();
        for (place, (name, value)) in conditions.iter().enumerate() {
            let Some(condition) = CONDITIONS.iter().find(|known| known.name == name) else {
                accept(name, &taken)?;
                continue;
            };
            let before = conditions[..place].iter();
            let times = before.filter(|(other, _)| other == name).count();
            if times > 0 && !condition.is_repeatable() {
                return Err(Failure::parameter(name, format!("{name} is given twice")));
            }
            if times >= MAX_TIMES {
                let message = format!("{name}: there are more than {MAX_TIMES}");
                return Err(Failure::parameter(name, message));
            }
            let set = selection.query.set(name, value);
            set.map_err(|error| Failure::from(error).of(name))?;
            text.push(format!("{name}={value}"));
        }
        if let Some(at) = at
            && selection.query.has("final")
            && !selection.query.has_positions()
        {
            text.push(format!("at={}", String::from_utf8_lossy(&at.fen_fields())));
            selection.query = selection.query.position(at);
        }
        selection.query.check().map_err(|error| {
            let name = error
                .message()
                .split(':')
                .next()
                .unwrap_or_default()
                .to_owned();
            Failure::from(error).of(&name)
        })?;
        // The order of several values of one condition may matter.
        text.sort_by(|one, other| name_of(one).cmp(&name_of(other)));
        text.push(selection.source.clone().unwrap_or_default());
        selection.text = text;
        Ok(selection)
    }

    /// Adds a condition that is not in the parameters of the selection, and its text.
    pub fn add(&mut self, text: String, with: impl FnOnce(Query) -> Query) {
        self.query = with(std::mem::take(&mut self.query));
        self.text.push(text);
    }

    /// What identifies the selection.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.text.iter().map(String::as_str)
    }
}

/// The name of a parameter that is written as `NAME=VALUE`.
fn name_of(text: &str) -> Option<&str> {
    text.split('=').next()
}

/// The failure for a parameter that an endpoint, which has taken these, does not have.
fn no_condition(name: &str, taken: &[&str]) -> Failure {
    let conditions = CONDITIONS.iter().map(|condition| condition.name);
    let known: Vec<&str> = taken.iter().copied().chain(conditions).collect();
    unknown(name, &known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(query: &str) -> Result<Selection> {
        let mut parameters = Parameters::read(Some(query))?;
        parameters.take("fen")?;
        Selection::take(parameters, None)
    }

    #[test]
    fn the_order_of_conditions_does_not_matter() {
        let one = selection("white=Ann&white_elo=2000..&source=a").unwrap();
        let other = selection("white_elo=2000..&source=a&white=Ann").unwrap();
        let parts = |s: &Selection| s.parts().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(parts(&one), parts(&other));
        let later = |one: &str, other: &str| {
            let text = format!("material=KRKR&later=pattern%3D{one}&later=pattern%3D{other}");
            parts(&selection(&text).unwrap())
        };
        // The order of later positions matters.
        assert_ne!(later("Pe4", "pe5"), later("pe5", "Pe4"));
        let third = selection("white_elo=2000..&source=b&white=Ann").unwrap();
        assert_ne!(parts(&one), parts(&third));
    }

    #[test]
    fn wrong_parameters_are_errors_with_their_names() {
        for (query, name) in [
            ("white_elo=x", "white_elo"),
            ("whte=Ann", "whte"),
            ("white=a&white=b", "white"),
            ("final=true", "final"),
            ("flipped=true", "flipped"),
            ("lasting=4", "lasting"),
            ("later=material%3DKRKR", "later"),
            ("later=x&material=KRKR", "later"),
            ("source=a&source=b", "source"),
            ("tag=x", "tag"),
            ("fem=8", "fem"),
            (&"tag=a%3Db&".repeat(9), "tag"),
        ] {
            let failure = selection(query).unwrap_err();
            assert_eq!(failure.clone().of(name), failure, "{query}");
        }
        let failure = selection("ratings=1600").unwrap_err();
        assert!(!format!("{failure:?}").contains("did you mean ratings"));
        assert!(selection("tag=Round%3D3&tag=Board%3D1").is_ok());
    }
}
