//! A game with what its copies know beside it: tags, comments, glyphs, variations.

use std::fmt::Write as _;

use ign_format::error::Result;

use crate::{
    Game,
    movetext::{AnnotatedMove, Line},
};

/// The longest line of movetext, in bytes, unless a word is longer.
const MAX_LINE: usize = 79;

/// The text of a game, in the standard form of PGN, with the tags and annotations that only its
/// copies have; `None` if there are none, or if part of the game is not understood. White space at
/// the end is that of the game.
///
/// # Errors
/// Corrupt.
pub fn combined(game: &Game, copies: &[Game]) -> Result<Option<Vec<u8>>> {
    let Some(own) = understood(game)? else {
        return Ok(None);
    };
    let mut line = own.clone();
    let own_tags = tags(game)?;
    let mut all_tags = own_tags.clone();
    for copy in copies {
        merge_tags(&mut all_tags, tags(copy)?);
        if let Some(other) = understood(copy)? {
            merge(&mut line, other);
        }
    }
    if line == *own && all_tags == own_tags {
        return Ok(None);
    }
    let mut text = String::new();
    for (name, value) in &all_tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        _ = writeln!(text, "[{name} \"{value}\"]");
    }
    let value = |wanted: &str| {
        let mut values = all_tags.iter().filter(|(name, _)| name == wanted);
        values.next().map(|(_, value)| &value[..])
    };
    let stated = game.result()?.map(|result| result.to_string());
    let result = value("Result").filter(|result| RESULTS.contains(result));
    let result = result.or(stated.as_deref()).unwrap_or("*");
    let mut words = Vec::new();
    push_line(&line, value("FEN").map_or(0, first_ply), &mut words);
    words.push(result.to_owned());
    text.push('\n');
    let mut len = 0;
    for word in words.iter().flat_map(|word| pieces(word)) {
        if len > 0 && len + 1 + word.len() > MAX_LINE {
            text.push('\n');
            len = 0;
        } else if len > 0 {
            text.push(' ');
            len += 1;
        }
        text.push_str(word);
        len += word.len();
    }
    let mut text = text.into_bytes();
    let before = game.pgn()?;
    let end = before.trim_ascii_end().len();
    text.extend_from_slice(&before[end..]);
    Ok(Some(text))
}

/// The pieces of a word between which a line may end: not within a command such as `[%clk
/// 0:03:00]`.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut is_command = false;
    word.split(move |c: char| {
        is_command = match c {
            '[' => true,
            ']' => false,
            _ => is_command,
        };
        c == ' ' && !is_command
    })
}

/// The results of PGN.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The movetext of a game, if all of it is understood.
fn understood(game: &Game) -> Result<Option<&Line>> {
    if game.not_understood()?.is_some() {
        return Ok(None);
    }
    let line = game.movetext()?;
    Ok((line.moves.len() == game.plies()?).then_some(line))
}

fn tags(game: &Game) -> Result<Vec<(String, String)>> {
    let tags = game.tags()?;
    Ok(tags
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect())
}

/// Adds the tags that are missing, and the values of those that say nothing.
fn merge_tags(own: &mut Vec<(String, String)>, others: Vec<(String, String)>) {
    for (name, value) in others {
        let says_nothing = |value: &str| value.chars().all(|c| "?.-* ".contains(c));
        match own.iter_mut().find(|(known, _)| *known == name) {
            None => own.push((name, value)),
            Some((_, known)) if says_nothing(known) && !says_nothing(&value) => *known = value,
            Some(_) => {}
        }
    }
}

/// Adds the annotations of a line with the same moves, or the first or more of them.
fn merge(own: &mut Line, other: &Line) {
    merge_comments(&mut own.comments, &other.comments);
    for (own, other) in own.moves.iter_mut().zip(&other.moves) {
        merge_comments(&mut own.comments, &other.comments);
        if own.nags.is_empty() {
            own.nags.clone_from(&other.nags);
        }
        for variation in &other.variations {
            if !own.variations.contains(variation) {
                own.variations.push(variation.clone());
            }
        }
    }
}

/// Adds the comments that are not there yet, without commands such as `[%clk 0:03:00]` that are
/// there with other arguments.
fn merge_comments(own: &mut Vec<String>, others: &[String]) {
    for comment in others {
        let mut rest = &comment[..];
        let mut new = String::new();
        while let Some((before, command)) = rest.split_once("[%") {
            let end = command.find(']').map_or(command.len(), |end| end + 1);
            let name = command
                .split(|c: char| c.is_whitespace() || c == ']')
                .next();
            let start = format!("[%{} ", name.unwrap_or_default());
            new.push_str(before);
            if !own.iter().any(|known| known.contains(&start)) {
                new.push_str("[%");
                new.push_str(&command[..end]);
            }
            rest = &command[end..];
        }
        new.push_str(rest);
        let new = new.trim();
        if !new.is_empty() && !own.iter().any(|known| known.contains(new)) {
            own.push(new.to_owned());
        }
    }
}

/// The number of plies before the first one of a game with this FEN.
fn first_ply(fen: &str) -> usize {
    let mut fields = fen.split_whitespace().skip(1);
    let is_black = fields.next() == Some("b");
    let number = fields.nth(3).and_then(|number| number.parse().ok());
    2 * number.map_or(0, |number: u32| number.saturating_sub(1)) as usize + usize::from(is_black)
}

/// Adds the words of a line. A comment is one word, whatever spaces are in it.
fn push_line(line: &Line, first_ply: usize, words: &mut Vec<String>) {
    let push_comments = |comments: &[String], words: &mut Vec<String>| {
        words.extend(comments.iter().map(|comment| format!("{{{comment}}}")));
    };
    push_comments(&line.comments, words);
    let mut is_numbered = true;
    for (ply, played) in (first_ply..).zip(&line.moves) {
        let AnnotatedMove {
            san,
            nags,
            comments,
            variations,
            ..
        } = played;
        let number = ply / 2 + 1;
        match ply % 2 {
            0 => words.push(format!("{number}.")),
            _ if is_numbered => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(san.to_string());
        words.extend(nags.iter().map(|nag| format!("${}", nag.0)));
        push_comments(comments, words);
        for variation in variations {
            let start = words.len();
            push_line(variation, ply, words);
            if let [first, ..] = &mut words[start..] {
                first.insert(0, '(');
            }
            if let [.., last] = &mut words[start..] {
                last.push(')');
            }
        }
        is_numbered = !comments.is_empty() || !variations.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Archive, Input, Packer};

    /// The first game of these texts combined with the others.
    fn combine(texts: &[&str]) -> Option<String> {
        let inputs: Vec<Input> = texts
            .iter()
            .map(|text| Input::reader("a.pgn", std::io::Cursor::new(text.to_string())))
            .collect();
        let (bytes, _) = Packer::new().pack(inputs, Vec::new()).unwrap();
        let archive = Archive::from_read_at(bytes, "a.ign").unwrap();
        let games: Vec<Game> = archive.games().map(Result::unwrap).collect();
        let text = combined(&games[0], &games[1..]).unwrap();
        text.map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn tags_and_annotations_of_copies_are_added() {
        let own = "[White \"A \\\"X\\\"\"]\n[Date \"????.??.??\"]\n[Result \"*\"]\n\n1. e4 {good} e5 {[%clk 0:01:00]} 2. Nf3 *\n\n";
        let copies = [
            "[White \"B\"]\n[Date \"2020.01.02\"]\n[Result \"1-0\"]\n[ECO \"C40\"]\n\n{Start} 1. e4 {good} e5 $1 {[%clk 0:02:00] [%eval 0.3] solid} (1... c5 2. Nf3 {open}) 2. Nf3 1-0\n",
            "[ECO \"C41\"]\n\n1. e4 e5 $2 (1... c5 2. Nf3 {open}) (1... e6) 2. Nf3 {the end of a comment that is long enough for a second line} *\n",
        ];
        let expected = "[White \"A \\\"X\\\"\"]\n[Date \"2020.01.02\"]\n[Result \"1-0\"]\n[ECO \"C40\"]\n\n\
            {Start} 1. e4 {good} 1... e5 $1 {[%clk 0:01:00]} {[%eval 0.3] solid} (1... c5\n\
            2. Nf3 {open}) (1... e6) 2. Nf3 {the end of a comment that is long enough for a\n\
            second line} 1-0\n\n";
        assert_eq!(combine(&[own, copies[0], copies[1]]).unwrap(), expected);
    }

    #[test]
    fn a_game_without_anything_new_stays_as_it_is() {
        let own = "[White \"A\"]\n\n1.e4 {x} e5 *\n";
        for copy in [
            own,
            "[White \"A\"]\n\n1. e4 e5 *\n",
            "[White \"?\"]\n\n1. e4 {x} *\n",
        ] {
            assert_eq!(combine(&[own, copy]), None, "{copy}");
        }
        // A command stays on one line.
        let long = format!("1. e4 {{{} [%clk 0:03:00]}} *", "x".repeat(60));
        let text = combine(&["1. e4 *", &long]).unwrap();
        assert!(text.contains("x\n[%clk 0:03:00]} *"), "{text}");
        // A game that is not understood stays as it is.
        let odd = "[White \"A\"]\n\n1. e4 e5 2. Ke4 *\n";
        assert_eq!(combine(&[odd, "[ECO \"C20\"]\n\n1. e4 {x} e5 *\n"]), None);
    }

    #[test]
    fn moves_are_numbered_from_those_of_the_fen() {
        let tags = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 12\"]\n";
        let own = format!("{tags}\n12... Kd7 13. e4 *\n");
        let copy = format!("{tags}\n12... Kd7 {{!}} 13. e4 *\n");
        let expected = format!("{tags}\n12... Kd7 {{!}} 13. e4 *\n");
        assert_eq!(combine(&[&own, &copy]).unwrap(), expected);
    }
}
