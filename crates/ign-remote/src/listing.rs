//! The objects that a pattern names.

use std::io;

use object_store::ObjectStore as _;

use crate::{
    address::{Address, Scheme},
    failure::describe,
    store::{connect, wait},
};

/// The objects whose names match the name of an address, in which `*` stands for any characters.
/// They are in the same folder, and in the order of their names.
///
/// # Errors
/// [`Unsupported`](io::ErrorKind::Unsupported) for an HTTP server, which has no list of its files;
/// those of requests.
pub fn matching(pattern: &Address) -> io::Result<Vec<Address>> {
    if pattern.scheme == Scheme::Http {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "an HTTP server has no list of its files; name each file",
        ));
    }
    let (store, path) = connect(pattern, &Default::default())?;
    let folder = path
        .as_ref()
        .rsplit_once('/')
        .map(|(folder, _)| folder.into());
    let scheme = pattern.scheme;
    let listed = wait(async move {
        let listed = store.list_with_delimiter(folder.as_ref()).await;
        listed.map_err(|error| describe(&error, scheme))
    })?;
    let wanted = path.filename().unwrap_or_default();
    let names = listed
        .objects
        .iter()
        .map(|object| &object.location)
        .filter(|name| matches(name.filename().unwrap_or_default(), wanted));
    let mut keys: Vec<&str> = names.map(|name| name.as_ref()).collect();
    keys.sort_unstable();
    Ok(keys.into_iter().map(|key| pattern.of_key(key)).collect())
}

/// Whether a name matches a pattern, in which `*` stands for any characters.
fn matches(name: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let Some(mut name) = name.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_characters() {
        for (name, pattern, expected) in [
            ("a.ign", "*.ign", true),
            ("a.ign", "a.ign", true),
            ("a.ign.idx", "*.ign", false),
            ("2013-01.ign", "2013-*.ign", true),
            ("2014-01.ign", "2013-*.ign", false),
            ("abcabc", "a*c*c", true),
            ("abc", "a*c*c", false),
            ("abc", "abc*abc", false),
            ("", "*", true),
            ("abc", "**", true),
        ] {
            assert_eq!(matches(name, pattern), expected, "{name} {pattern}");
        }
    }
}
