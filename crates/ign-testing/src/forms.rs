//! Games in the forms that people and programs write, and what must be read of them.
//!
//! The table is `forms.json`, which the tests of the Python package read too:
//!
//! - `movetext`, in groups: a FEN, a name of `positions` or nothing, movetext, its moves in UCI
//!   notation, and whether all of it is understood, or `null` where that is not stated;
//! - `comments`: a comment after a move, and the clock and the time of the move in seconds;
//! - `tags`: a tag section, and its tags; movetext of three plies follows;
//! - `values`: a tag, its value as it is written, and a condition with a value that finds it.

use serde_json::Value;

/// A game, and what is read of it.
#[derive(Debug)]
pub struct Form {
    /// The text of the game, without the empty line after it.
    pub text: String,
    /// Its moves in UCI notation, separated by spaces.
    pub moves: String,
    /// All its tags, if they are stated.
    pub tags: Option<Vec<(String, String)>>,
    /// Whether all of it is understood, if that is stated.
    pub is_understood: Option<bool>,
    /// The clock after the first move and the time that it took, in seconds, if they are stated.
    pub times: Option<[Option<f64>; 2]>,
    /// A condition, and a value of it that the game meets.
    pub condition: Option<(String, String)>,
}

/// All games of the table.
pub fn forms() -> Vec<Form> {
    let table: Value = serde_json::from_str(include_str!("../forms.json")).expect("valid JSON");
    let string = |value: &Value| value.as_str().expect("a string").to_owned();
    let rows = |value: &Value| value.as_array().expect("a list").clone();
    let mut forms = Vec::new();
    for group in table["movetext"].as_object().expect("groups").values() {
        forms.extend(rows(group).iter().map(|row| {
            let position = string(&row[0]);
            let fen = table["positions"][&position].as_str().unwrap_or(&position);
            let fen = match fen {
                "" => String::new(),
                fen => format!("[FEN \"{fen}\"]\n"),
            };
            Form {
                text: format!("[Event \"x\"]\n{fen}\n{}", string(&row[1])),
                moves: string(&row[2]),
                tags: None,
                is_understood: row[3].as_bool(),
                times: None,
                condition: None,
            }
        }));
    }
    forms.extend(rows(&table["tags"]).iter().map(|row| {
        let tags = rows(&row[1]).into_iter();
        let tags: Vec<_> = tags.map(|tag| (string(&tag[0]), string(&tag[1]))).collect();
        Form {
            text: format!("{}\n1. e4 e5 2. Nf3 *", string(&row[0])),
            moves: "e2e4 e7e5 g1f3".to_owned(),
            is_understood: None,
            times: None,
            condition: Some(("white".to_owned(), tags[0].1.clone())),
            tags: Some(tags),
        }
    }));
    forms.extend(rows(&table["comments"]).iter().map(|row| Form {
        text: format!("[Event \"x\"]\n\n1. e4 {{{}}} e5 *", string(&row[0])),
        moves: "e2e4 e7e5".to_owned(),
        tags: None,
        is_understood: Some(true),
        times: Some([row[1].as_f64(), row[2].as_f64()]),
        condition: None,
    }));
    forms.extend(rows(&table["values"]).iter().map(|row| Form {
        text: format!(
            "[{} \"{}\"]\n\n1. e4 e5 *",
            string(&row[0]),
            string(&row[1])
        ),
        moves: "e2e4 e7e5".to_owned(),
        tags: None,
        is_understood: Some(true),
        times: None,
        condition: Some((string(&row[2]), string(&row[3]))),
    }));
    forms
}
