//! Games by their number on a server: a Lichess id, or the address of a game.

use std::str::FromStr;

use ign_format::error::{Error, Result};

/// The id of a game on the server where it was played, or its address: `j1dkb5dw`,
/// `https://lichess.org/j1dkb5dw/black#12`, `https://www.chess.com/game/live/123456`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameId(String);

impl GameId {
    /// The tags in which servers and programs keep the address or the id.
    pub const TAGS: &'static [&'static str] = &["Site", "Link", "GameId", "LichessURL", "GameURL"];

    /// The id alone.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the value of one of the [tags](Self::TAGS) is this id or an address that ends in it.
    pub fn matches(&self, value: &[u8]) -> bool {
        std::str::from_utf8(value).is_ok_and(|value| id_of(value) == Some(&self.0))
    }
}

impl FromStr for GameId {
    type Err = Error;

    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the text is neither an id nor an address.
    fn from_str(text: &str) -> Result<Self> {
        let id = id_of(text.trim());
        id.map(|id| Self(id.to_owned())).ok_or_else(|| {
            Error::usage(format!("'{text}' is not an id of a game")).with_remedy(
                "write the id of the game, or its address: https://lichess.org/j1dkb5dw",
            )
        })
    }
}

/// The id in an address, or the text itself if it is not an address.
fn id_of(text: &str) -> Option<&str> {
    parts_of(text).map(|(.., id)| id)
}

/// The server and the id in the address of a game, such as a game at Lichess. `None` for addresses
/// of tournaments, studies and others, and for all other texts.
#[cfg(feature = "duplicates")]
pub(crate) fn address_of_game(text: &str) -> Option<(&str, &str)> {
    let (host, path, id) = parts_of(text)?;
    let is_game = if host.ends_with("lichess.org") {
        id.len() == 8 && id != "analysis" && id != "training"
    } else {
        !host.is_empty() && path.contains("game")
    };
    is_game.then_some((host.strip_prefix("www.").unwrap_or(host), id))
}

/// The host of an address, empty if the text is not an address, its path, and the id.
fn parts_of(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.split(['#', '?']).next()?;
    let address = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let (host, path) = match address {
        Some(address) => address.split_once('/')?,
        // `lichess.org/j1dkb5dw`
        None => match text.split_once('/') {
            Some((host, path)) if host.contains('.') => (host, path),
            _ => ("", text),
        },
    };
    let id = if host.ends_with("lichess.org") {
        // A player's own address has four more characters, and the side may follow.
        let id = path.split('/').next()?;
        if id.len() == 12 { id.get(..8)? } else { id }
    } else {
        path.trim_end_matches('/').rsplit('/').next()?
    };
    let is_id = !id.is_empty()
        && id
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_');
    is_id.then_some((host, path, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_ids_name_the_same_game() {
        for (text, id) in [
            ("j1dkb5dw", "j1dkb5dw"),
            ("https://lichess.org/j1dkb5dw", "j1dkb5dw"),
            ("https://lichess.org/j1dkb5dwABCD", "j1dkb5dw"),
            ("http://lichess.org/j1dkb5dw/black#12", "j1dkb5dw"),
            ("lichess.org/j1dkb5dw", "j1dkb5dw"),
            ("https://www.chess.com/game/live/1234567?move=3", "1234567"),
        ] {
            assert_eq!(text.parse::<GameId>().unwrap().as_str(), id, "{text}");
        }
        for wrong in ["", "https://lichess.org/", "https://lichess.org", "a b"] {
            assert!(wrong.parse::<GameId>().is_err(), "{wrong}");
        }
        let id: GameId = "j1dkb5dw".parse().unwrap();
        assert!(id.matches(b"https://lichess.org/j1dkb5dw"));
        assert!(!id.matches(b"https://lichess.org/j1dkb5dx") && !id.matches(b"?"));
    }
}
