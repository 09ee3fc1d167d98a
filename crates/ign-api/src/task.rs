//! A request that has been understood, before it is computed.

use std::{fmt, io::Write};

use ign_archive::GameNumber;

use crate::{collection::View, failure::Result, key::Key, request::Request, statistics};

/// The type of JSON answers.
pub(crate) const JSON: &str = "application/json";
/// The type of PGN.
pub(crate) const PGN: &str = "application/x-chess-pgn";

/// What computes the body of an answer from the archives of a view.
pub type Compute = Box<dyn FnOnce(&View) -> Result<Vec<u8>> + Send>;

/// What is to be done for an answer, and what is known of the answer before.
#[derive(Debug)]
pub struct Task {
    /// The type of the body.
    pub content_type: &'static str,
    /// How long a client may keep the answer: the header `Cache-Control`.
    pub cache_control: Option<&'static str>,
    /// What makes the body.
    pub work: Work,
}

/// What makes the body of an answer.
pub enum Work {
    /// Nothing is left to do.
    Done(Vec<u8>),
    /// The answer depends on its key alone, so that it may be kept.
    Keyed {
        /// The key.
        key: Key,
        /// The archives.
        view: View,
        /// What computes it.
        compute: Compute,
    },
    /// The text of a game.
    Text {
        /// The archives.
        view: View,
        /// The name of a file for it.
        file_name: Option<String>,
        /// What reads it.
        compute: Compute,
    },
    /// The text of games.
    Games(Download),
    /// Statistics of a source, all archives if it has no name: [`statistics::json`] computes them
    /// and takes long.
    Statistics {
        /// The archives.
        view: View,
        /// The name of the source.
        source: Option<String>,
    },
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done(_) => "Done",
            Self::Keyed { .. } => "Keyed",
            Self::Text { .. } => "Text",
            Self::Games(_) => "Games",
            Self::Statistics { .. } => "Statistics",
        })
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The type of the body.
    pub content_type: &'static str,
    /// The name of a file for it, if it is to be one.
    pub file_name: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Task {
    /// A task that is done.
    pub(crate) fn done(cache_control: &'static str, json: &serde_json::Value) -> Self {
        Self {
            content_type: JSON,
            cache_control: Some(cache_control),
            work: Work::Done(json.to_string().into_bytes()),
        }
    }

    /// A task whose answer depends on its key alone. Clients may keep it, and revalidate it before
    /// they use it again.
    pub(crate) fn keyed(
        content_type: &'static str,
        key: Key,
        view: View,
        compute: impl FnOnce(&View) -> Result<Vec<u8>> + Send + 'static,
    ) -> Self {
        let compute = Box::new(compute);
        Self {
            content_type,
            cache_control: Some("no-cache"),
            work: Work::Keyed { key, view, compute },
        }
    }

    /// `GET /api/stats?source=`
    pub(crate) fn statistics(request: Request) -> Result<Self> {
        let mut parameters = request.parameters;
        let source = parameters.take("source")?;
        parameters.finish()?;
        let view = request.served.view(source.as_deref())?;
        Ok(Self {
            content_type: JSON,
            cache_control: Some("no-store"),
            work: Work::Statistics { view, source },
        })
    }

    /// A task that reads the text of a game.
    pub(crate) fn text(
        view: View,
        file_name: Option<String>,
        read: impl FnOnce(&View) -> Result<Vec<u8>> + Send + 'static,
    ) -> Self {
        Self {
            content_type: PGN,
            cache_control: file_name.is_some().then_some("no-cache"),
            work: Work::Text {
                view,
                file_name,
                compute: Box::new(read),
            },
        }
    }

    /// Computes the answer.
    ///
    /// # Errors
    /// Those of reading the archives.
    pub fn run(self) -> Result<Reply> {
        let (file_name, body) = match self.work {
            Work::Done(body) => (None, body),
            Work::Keyed { view, compute, .. } => (None, compute(&view)?),
            Work::Text {
                view,
                file_name,
                compute,
            } => (file_name, compute(&view)?),
            Work::Games(download) => {
                let found = download.find(|view| view)?;
                let mut text = Vec::new();
                found.write(&mut text)?;
                (Some(found.file_name()), text)
            }
            Work::Statistics { view, .. } => (None, statistics::json(&view, |_| ())?),
        };
        Ok(Reply {
            content_type: self.content_type,
            file_name,
            body,
        })
    }
}

/// Games that are to be found and then written.
pub struct Download {
    /// The archives.
    pub(crate) view: View,
    /// What finds the games.
    pub(crate) search: Search,
}

/// What finds the games of a download.
pub(crate) type Search = Box<dyn FnOnce(&View) -> Result<Vec<GameNumber>> + Send>;

impl Download {
    /// Finds the games in the view that `prepare` makes of the archives, such as one
    /// [with a flag](View::with_cancel) that ends the search.
    ///
    /// # Errors
    /// Those of the search.
    pub fn find(self, prepare: impl FnOnce(View) -> View) -> Result<Found> {
        let games = (self.search)(&prepare(self.view.clone()))?;
        Ok(Found {
            view: self.view,
            games,
        })
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").finish_non_exhaustive()
    }
}

/// Games that were found for a download.
pub struct Found {
    view: View,
    games: Vec<GameNumber>,
}

impl Found {
    /// The name of a file for them.
    pub fn file_name(&self) -> String {
        let is_all = self.games.len() as u64 == self.view.archives.len();
        let source = match self.view.archives.archives() {
            [_] => &self.view.source(0).name,
            _ => "games",
        };
        file_name(source, if is_all { "" } else { "-found" })
    }

    /// Writes their text.
    ///
    /// # Errors
    /// Those of reading the games, and of `out`.
    pub fn write(&self, out: &mut dyn Write) -> ign_archive::Result<()> {
        self.view.archives.write_games(&self.games, out)
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("games", &self.games.len())
            .finish_non_exhaustive()
    }
}

/// The name of a file of games of a source. Other characters than letters, digits, points and
/// hyphens become underscores.
pub(crate) fn file_name(source: &str, part: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let plain = source.chars().map(|c| if is_plain(c) { c } else { '_' });
    format!("{}{part}.pgn", plain.collect::<String>())
}
