//! What sites publish with a file of games, compared with what is read: its SHA-256 and its number
//! of games.

use std::path::{Path, PathBuf};

use ign_archive::{Error, Input, Packer, Result, Sha256};

/// What the inputs must be.
#[derive(Debug, clap::Args)]
pub struct Published {
    /// Compare the SHA-256 of the input, as it is on the disk or on the server, and keep it in the
    /// archive. It is 64 hexadecimal digits, or a file or address of a list as sha256sum prints
    /// it, in which each input is found by its file name
    #[arg(long, value_name = "HEX|LIST")]
    sha256: Option<PathBuf>,
    /// Compare the number of games of all inputs
    #[arg(long, value_name = "N")]
    expect_games: Option<u64>,
}

impl Published {
    /// The list of SHA-256.
    pub fn list(&self) -> Option<&Path> {
        self.sha256.as_deref()
    }

    /// The inputs with the SHA-256 that each must have.
    ///
    /// # Errors
    /// Usage, if it is not known of one of them; io.
    pub fn of_inputs(&self, inputs: Vec<Input>) -> Result<Vec<Input>> {
        let Some(stated) = &self.sha256 else {
            return Ok(inputs);
        };
        if let Some(sha256) = stated.to_str().and_then(|text| text.parse().ok()) {
            let len = inputs.len();
            let [input] = <[Input; 1]>::try_from(inputs).map_err(|_| {
                Error::usage(format!("one SHA-256 is stated, and there are {len} inputs"))
                    .with_remedy("name a list as sha256sum prints it")
            })?;
            return Ok(vec![input.sha256(sha256)]);
        }
        let list = read_list(stated)?;
        let with = |input: Input| {
            let sha256 = find(&list, &input.source_name()).map_err(|e| e.in_file(stated))?;
            Ok(input.sha256(sha256))
        };
        inputs.into_iter().map(with).collect()
    }

    /// The packer that compares the number of games.
    pub fn of_packer<'p>(&self, packer: Packer<'p>) -> Packer<'p> {
        match self.expect_games {
            Some(games) => packer.expect_games(games),
            None => packer,
        }
    }
}

/// The lines of a list.
///
/// # Errors
/// Usage, if it cannot be read or is not a list.
fn read_list(path: &Path) -> Result<Vec<(Sha256, Vec<u8>)>> {
    let text = Input::file(path).text().map_err(|error| {
        error.with_remedy("--sha256 takes 64 hexadecimal digits, or a list that can be read")
    })?;
    let lines = text.split(|&byte| byte == b'\n');
    let list: Vec<_> = lines.filter_map(parse_line).collect();
    if list.is_empty() {
        return Err(Error::usage("is not a list as sha256sum prints it").in_file(path));
    }
    Ok(list)
}

/// A line of a list: 64 digits, a blank, a blank or `*`, and a path, of which the last component
/// counts.
fn parse_line(line: &[u8]) -> Option<(Sha256, Vec<u8>)> {
    let (digits, name) = line.split_at_checked(64)?;
    let sha256 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let name = name.strip_prefix(b" ")?.trim_ascii();
    let name = name.strip_prefix(b"*").unwrap_or(name);
    Some((sha256, last_component(name).to_vec()))
}

fn last_component(name: &[u8]) -> &[u8] {
    name.rsplit(|&byte| byte == b'/').next().unwrap_or(name)
}

/// The SHA-256 of the input of this name.
///
/// # Errors
/// Usage, if the list has none, or several.
fn find(list: &[(Sha256, Vec<u8>)], name: &[u8]) -> Result<Sha256> {
    let name = last_component(name);
    let title = String::from_utf8_lossy(name);
    let title = if name.is_empty() {
        "standard input"
    } else {
        &*title
    };
    let mut found = list.iter().filter(|(_, listed)| listed == name);
    let Some((sha256, _)) = found.next() else {
        return Err(Error::usage(format!("the list has no SHA-256 of {title}"))
            .with_remedy("state it as 64 hexadecimal digits"));
    };
    if found.any(|(other, _)| other != sha256) {
        return Err(
            Error::usage(format!("the list has several SHA-256 of {title}"))
                .with_remedy("state it as 64 hexadecimal digits"),
        );
    }
    Ok(*sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_found_in_lists_by_their_file_names() {
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        let list =
            format!("# of 2013\n{a}  2013/x.pgn.zst\r\n{b} *y.pgn.zst\n{a} y.pgn\n\n{b}  y.pgn\n");
        let list: Vec<_> = list
            .as_bytes()
            .split(|&c| c == b'\n')
            .filter_map(parse_line)
            .collect();
        assert_eq!(list.len(), 4);
        for (name, expected) in [
            ("x.pgn.zst", Ok(&a)),
            ("folder/x.pgn.zst", Ok(&a)),
            ("y.pgn.zst", Ok(&b)),
            ("z.pgn.zst", Err("no SHA-256 of z.pgn.zst")),
            ("y.pgn", Err("several SHA-256 of y.pgn")),
            ("", Err("no SHA-256 of standard input")),
        ] {
            match (find(&list, name.as_bytes()), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found.to_string(), *expected),
                (Err(error), Err(expected)) => assert!(error.message().ends_with(expected)),
                (found, expected) => panic!("{name}: {found:?}, {expected:?}"),
            }
        }
    }
}
