//! Whether two records name the same players, as far as they state them.
//!
//! Names are compared as people compare them: letter case, accents, punctuation and the order of
//! the words do not matter, words may be missing or abbreviated, and an unknown name may be anyone.

use std::collections::BTreeSet;

use crate::{
    text::{tag_text, unescape},
    values::{GameId, address_of_game, fold},
};

/// Games with at least this many plies are the same game if their moves are equal, whoever is said
/// to have played them. In 440,000 games of several sources, equal moves of players who certainly
/// differ end after at most 60 plies (draws that were prepared or agreed, in games of masters), and
/// after 21 in games of amateurs. Of the longer ones, one record had wrong or translated names.
pub const SURE_PLIES: usize = 80;

/// Words of a name beyond this number are ignored.
const MAX_WORDS: usize = 16;

/// What stands for a name that is not known, besides texts without letters and digits.
const UNKNOWN: [&str; 4] = ["nn", "n", "unknown", "anonymous"];

/// Titles, which are no words of a name.
const TITLES: [&str; 10] = [
    "gm", "im", "fm", "cm", "wgm", "wim", "wfm", "wcm", "dr", "prof",
];

/// The name of a player, as it is compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The folded words, sorted. None if the name is not known.
    words: Vec<String>,
}

impl Name {
    /// The name in the value of a tag. What is in parentheses, such as a title, is ignored.
    pub fn of(value: &[u8]) -> Self {
        let folded = fold(&tag_text(value));
        let mut depth = 0usize;
        let outside = folded.chars().filter(|&c| {
            depth += usize::from(c == '(');
            let is_outside = depth == 0;
            depth = depth.saturating_sub(usize::from(c == ')'));
            // O'Kelly is OKelly.
            is_outside && !matches!(c, '\'' | '\u{2019}' | '`' | '\u{b4}')
        });
        let text: String = outside.collect();
        let is_separator = |c: char| !c.is_alphanumeric() && c != '_' && c != '.';
        let parts = text.split(is_separator).flat_map(|part| {
            // "J.R." is two words, the version "15.1" is one.
            let is_number = part.starts_with(|c: char| c.is_ascii_digit());
            part.split(move |c| c == '.' && !is_number)
        });
        let words = parts
            .map(|word| word.trim_matches('.'))
            .filter(|word| !word.is_empty())
            .take(MAX_WORDS);
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
        if words.iter().all(|word| is_in(&UNKNOWN, word)) {
            words.clear();
        }
        if !words.iter().all(|word| is_in(&TITLES, word)) {
            words.retain(|word| !is_in(&TITLES, word));
        }
        words.sort_unstable();
        Self { words }
    }

    /// Whether the name is known.
    pub fn is_known(&self) -> bool {
        !self.words.is_empty()
    }

    /// The words by which a name that may agree is found: every known name that agrees has one of
    /// them.
    pub fn key_words(&self) -> impl Iterator<Item = &str> {
        let words = self.words.iter().map(String::as_str);
        words.filter(|word| is_full(word) || self.words.len() == 1)
    }

    /// Whether two names may be those of one person: one is not known, or they are equal, or they
    /// have a word of two letters in common, and of the other words, each word of the name with
    /// fewer of them begins or abbreviates a word of the other name. If both have equally many,
    /// this holds for the words of both.
    pub fn agrees(&self, other: &Self) -> bool {
        if !self.is_known() || !other.is_known() || self == other {
            return true;
        }
        let (mut own, mut others): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let mut has_common = false;
        let (mut left, mut right) = (&self.words[..], &other.words[..]);
        while let ([a, rest_left @ ..], [b, rest_right @ ..]) = (left, right) {
            if a == b {
                has_common |= is_full(a);
                (left, right) = (rest_left, rest_right);
            } else if a < b {
                own.push(a);
                left = rest_left;
            } else {
                others.push(b);
                right = rest_right;
            }
        }
        own.extend(left.iter().map(String::as_str));
        others.extend(right.iter().map(String::as_str));
        let found = |words: &[&str], among: &[&str]| {
            let is_found = |word: &&str| among.iter().any(|other| abbreviates(word, other));
            words.iter().all(is_found)
        };
        has_common
            && (own.len() > others.len() || found(&own, &others))
            && (others.len() > own.len() || found(&others, &own))
    }
}

/// Whether a word is more than an initial.
fn is_full(word: &str) -> bool {
    word.chars().nth(1).is_some()
}

/// Whether one of two words begins with the other. Numbers, such as those of versions, are not
/// abbreviated.
fn abbreviates(one: &str, other: &str) -> bool {
    let has_digit = |word: &str| word.contains(|c: char| c.is_numeric());
    let begins = one.starts_with(other) || other.starts_with(one);
    begins && !has_digit(one) && !has_digit(other)
}

/// What a record states about who played and where the game is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    white: Name,
    black: Name,
    /// The servers and the ids in addresses of the game.
    addresses: BTreeSet<(String, String)>,
}

impl Identity {
    /// The tags that it is read from.
    pub fn tags() -> impl Iterator<Item = &'static str> {
        let players = ["White", "PW", "Black", "PB"];
        players.into_iter().chain(GameId::TAGS.iter().copied())
    }

    /// Reads it from the values of tags.
    pub fn read<'t>(value: impl Fn(&str) -> Option<&'t [u8]>) -> Self {
        let player = |names: [&str; 2]| {
            let mut values = names.into_iter().filter_map(&value);
            values.next().map(Name::of).unwrap_or_default()
        };
        let values = GameId::TAGS.iter().filter_map(|tag| value(tag));
        let addresses = values.filter_map(|value| {
            let value = unescape(value);
            let (host, id) = address_of_game(std::str::from_utf8(&value).ok()?.trim())?;
            Some((host.to_ascii_lowercase(), id.to_owned()))
        });
        Self {
            white: player(["White", "PW"]),
            black: player(["Black", "PB"]),
            addresses: addresses.collect(),
        }
    }

    /// White's name.
    pub fn white(&self) -> &Name {
        &self.white
    }

    /// Black's name.
    pub fn black(&self) -> &Name {
        &self.black
    }

    /// Whether records with these equal moves are the same game: their players agree, or the moves
    /// are [many](SURE_PLIES); and they do not give two addresses of one server.
    pub fn agrees(&self, other: &Self, plies: usize) -> bool {
        (plies >= SURE_PLIES || self.white.agrees(&other.white) && self.black.agrees(&other.black))
            && !self.is_elsewhere(other)
    }

    /// Whether a server has two addresses for two records, so that they are different games.
    fn is_elsewhere(&self, other: &Self) -> bool {
        self.addresses.iter().any(|(host, _)| {
            let at_host = |address: &&(String, String)| address.0 == *host;
            let mut own = self.addresses.iter().filter(at_host);
            let mut others = other.addresses.iter().filter(at_host);
            others.next().is_some() && !own.any(|address| other.addresses.contains(address))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_as_people_compare_them() {
        for (one, other) in [
            ("Carlsen, Magnus", "Magnus Carlsen"),
            ("Carlsen, Magnus", "CARLSEN,magnus"),
            ("Carlsen, Magnus", "Carlsen, M."),
            ("Carlsen, Magnus", "M. Carlsen"),
            ("Carlsen, Magnus", "carlsen,m"),
            ("Carlsen, Magnus", "Carlsen"),
            ("Carlsen, Magnus", "GM Carlsen, Magnus (NOR)"),
            ("Carlsen, Magnus", "GM Carlsen"),
            ("Euwe, M.", "Dr. Max Euwe"),
            ("Carlsen, M.", "Carlsen"),
            ("Carlsen,S.M.O.E", "Carlsen, Magnus"),
            ("Adams,Mi", "Adams, Michael"),
            ("Volokitin,And", "Andrei Volokitin"),
            ("Capablanca, J.R.", "Jose Raul Capablanca y Graupera"),
            ("Vachier-Lagrave, Maxime", "Vachier Lagrave,M"),
            ("O'Kelly de Galway, Alberic", "OKelly de Galway,A"),
            ("Müller, Jörg", "Muller, Jorg"),
            ("Петров, Артём", "артем петров"),
            ("So, W", "Wesley So"),
            ("Li, Li", "Li, L."),
            ("Mad_Holm", "mad_holm"),
            ("柯洁", "柯洁"),
            ("a", "A"),
        ] {
            let [one_name, other_name] = [one, other].map(|name| Name::of(name.as_bytes()));
            assert!(one_name.agrees(&other_name), "{one} {other}");
            assert!(other_name.agrees(&one_name), "{other} {one}");
            let key = |name: &Name| name.key_words().map(str::to_owned).collect::<BTreeSet<_>>();
            let common = key(&one_name).intersection(&key(&other_name)).count();
            assert!(common > 0, "{one} {other}");
        }
        assert!(Name::of(b"M\xfcller").agrees(&Name::of(b"Muller")));
        for unknown in [
            "",
            "?",
            "-",
            "??",
            "NN",
            "N.N.",
            "n n",
            "Unknown",
            "Anonymous",
            "(?)",
        ] {
            assert!(!Name::of(unknown.as_bytes()).is_known(), "{unknown}");
            assert!(Name::of(unknown.as_bytes()).agrees(&Name::of(b"Anand")));
        }
    }

    #[test]
    fn different_names_do_not_agree() {
        for (one, other) in [
            ("Carlsen, Magnus", "Carlsen, Henrik"),
            ("Carlsen, M.", "Carlsen, H."),
            ("Polgar, Judit", "Polgar, Susan"),
            ("Polgar, P", "Polgar, Judit"),
            ("Carlsen", "Caruana"),
            ("Carlsen", "Carl"),
            ("A", "Anand"),
            ("Ann B", "Ben A"),
            ("Smith, A. A.", "Smith, Anna Bella"),
            ("Stockfish 15", "Stockfish 15.1"),
            ("Stockfish 1", "Stockfish 15"),
            ("maia1", "maia5"),
            ("jowen93", "jowen"),
            ("GM Smith", "GM Jones"),
            ("user_1", "user_2"),
            ("Li, W", "Wang, L"),
        ] {
            let [one_name, other_name] = [one, other].map(|name| Name::of(name.as_bytes()));
            assert!(!one_name.agrees(&other_name), "{one} {other}");
            assert!(!other_name.agrees(&one_name), "{other} {one}");
        }
        // A name is compared in bounded time.
        let long = "ab ".repeat(100_000);
        assert!(!Name::of(long.as_bytes()).agrees(&Name::of(b"cd")));
    }

    #[test]
    fn addresses_of_one_server_differ_for_different_games() {
        let identity = |tags: &[(&str, &'static str)]| {
            let tags = tags.to_vec();
            Identity::read(|name| {
                let found = tags.iter().find(|(tag, _)| *tag == name);
                found.map(|(_, value)| value.as_bytes())
            })
        };
        let site = |address| identity(&[("Site", address)]);
        let one = site("https://lichess.org/aaaaaaaa");
        for (other, agrees) in [
            (site("https://lichess.org/aaaaaaaa/black"), true),
            (site("https://lichess.org/bbbbbbbb"), false),
            (site("https://lichess.org/study/bbbbbbbb"), true),
            (site("https://lichess.org"), true),
            (site("https://www.chess.com/game/live/12345678"), true),
            (site("Oslo NOR"), true),
            (identity(&[]), true),
            (
                identity(&[("LichessURL", "https://lichess.org/bbbbbbbb")]),
                false,
            ),
            (identity(&[("White", "Ann")]), true),
        ] {
            assert_eq!(one.agrees(&other, 3), agrees, "{other:?}");
            assert_eq!(other.agrees(&one, 300), agrees, "{other:?}");
        }
        let two = [
            "https://www.chess.com/live/game/1",
            "https://chess.com/game/live/2",
        ]
        .map(site);
        assert!(!two[0].agrees(&two[1], 300));
    }
}
