//! The tables of conditions follow from [`CONDITIONS`]. `IGN_UPDATE=1` writes them again.

use ign_archive::query::{CONDITIONS, Condition, Form};

use super::{files, page, root};

/// Checks the lines of a file between two others, or replaces them.
fn check(file: &str, after: &str, before: &str, expected: &str) {
    let page = page(file);
    let start = page.find(after).expect(after) + after.len();
    let end = start + page[start..].find(before).expect(before);
    if std::env::var_os("IGN_UPDATE").is_some() {
        let updated = [&page[..start], expected, &page[end..]].concat();
        std::fs::write(root().join(file), updated).unwrap();
    } else {
        let is_current = page[start..end] == *expected;
        assert!(
            is_current,
            "{file}: IGN_UPDATE=1 cargo test docs::conditions writes\n{expected}"
        );
    }
}

/// The keyword of Python.
fn keyword(condition: &Condition) -> &str {
    match condition.form {
        Form::Expression => "tags",
        _ => condition.name,
    }
}

/// The sentence about the games that match.
fn sentence(condition: &Condition) -> String {
    match condition.form {
        Form::Expression => {
            "Regular expressions by tag, which may match anywhere in the value: {\"Round\": \"^3\"}."
                .to_owned()
        }
        Form::Condition if condition.name == "later" => {
            "After the position of the other conditions, a later position meets these: {\"material\": \"KRKR\"}; a list of \
             dictionaries is about one later position after another."
                .to_owned()
        }
        Form::Condition => {
            "Conditions that must not be met, by keyword: {\"eco\": \"B20..B99\"}; or a list of such dictionaries."
                .to_owned()
        }
        _ => format!("{}.", condition.help),
    }
}

#[test]
fn search_page_lists_all_conditions() {
    let rows = CONDITIONS.iter().map(|condition| {
        let flag = condition.name.replace('_', "-");
        let quote = if condition.example.contains([' ', '*', '[']) {
            "\""
        } else {
            ""
        };
        let value = match condition.form {
            Form::Flag => String::new(),
            Form::Score => " game.pgn".to_owned(),
            Form::Signature => format!(" {}", condition.example),
            Form::Patterns => format!(" \"{}\"", condition.example.replace(';', "\" \"")),
            _ => format!(" {quote}{}{quote}", condition.example),
        };
        let index = if condition.section.is_some() {
            "yes"
        } else {
            ""
        };
        format!("| `--{flag}{value}` | {} | {index} |\n", condition.help)
    });
    let head = "| condition | the games | in the index |\n| --- | --- | --- |\n";
    check(
        "docs/search.md",
        head,
        "\n\n",
        rows.collect::<String>().trim_end(),
    );
}

#[test]
fn python_page_lists_all_conditions() {
    let rows = CONDITIONS
        .iter()
        .map(|condition| format!("| `{}=` | {} |\n", keyword(condition), sentence(condition)));
    let head = "| keyword | the games |\n| --- | --- |\n";
    check(
        "python/README.md",
        head,
        "\n\n",
        rows.collect::<String>().trim_end(),
    );
}

#[test]
fn python_stubs_list_all_conditions() {
    let field = |condition: &&Condition| {
        let value = match condition.form {
            Form::Expression => "dict[str, str]",
            Form::Condition => "Conditions | Sequence[Conditions]",
            Form::Id | Form::Number => "str | int",
            Form::Numbers => "_Ranges",
            Form::Dates => "_Days",
            Form::Codes => "_Codes",
            Form::Moves => "str | int | Sequence[str | chess.Move]",
            Form::Choices(_) | Form::Patterns | Form::Score | Form::Signature => {
                "str | Sequence[str]"
            }
            Form::Fen => "str | chess.Board",
            Form::Flag => "bool",
            _ => "str",
        };
        let mut doc = format!("    \"\"\"{}\"\"\"", sentence(condition));
        // The greatest width of lines.
        if doc.len() > 120 {
            let at = doc[..117].rfind(' ').unwrap();
            doc.replace_range(at..=at, "\n    ");
        }
        format!("    {}: {value} | None\n{doc}\n", keyword(condition))
    };
    let is_position = |condition: &&&Condition| condition.name == "position";
    let all = CONDITIONS.iter().copied();
    let others: String = all
        .clone()
        .filter(|c| !is_position(&c))
        .map(|c| field(&c))
        .collect();
    let position: String = all.filter(|c| is_position(&c)).map(|c| field(&c)).collect();
    let file = "python/ign_archive/_native.pyi";
    let head = "without `position`: it is the position of the tree.\"\"\"\n\n";
    check(file, head, "\nclass Conditions", &others);
    check(
        file,
        "does not meet a condition on the tag: a rating `?` is in no range.\n    \"\"\"\n\n",
        "\n@final",
        &position,
    );
}

/// `make new-condition` adds a condition and uses it in every interface.
#[test]
fn a_condition_is_in_one_file() {
    let product = [
        "src",
        "crates",
        "python/src",
        "python/ign_archive",
        "duckdb/src",
        "web/src",
    ];
    let is_product = |name: &str| !name.contains("/tests/") && !name.contains("/benches/");
    let languages = ["rs", "py", "ts"];
    let all = product
        .iter()
        .flat_map(|folder| languages.map(|language| files(folder, language)));
    let all: Vec<(String, String)> = all.flatten().filter(|(name, _)| is_product(name)).collect();
    // Names that are not words of other tables.
    for name in ["elo_diff", "has_evals", "fifty_moves", "commented"] {
        let quoted = [format!("\"{name}\""), format!("'{name}'")];
        let named = all
            .iter()
            .filter(|(_, text)| quoted.iter().any(|q| text.contains(q)));
        let named: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
        let own = |name: &&str| name.starts_with("crates/ign-archive/src/query/conditions/");
        // The names of its stage, of keys of games, and of counts of statistics.
        let others = [
            "keys/key.rs",
            "plan/comments.rs",
            "plan/replay.rs",
            "stats/json.rs",
            "query/by_name.rs",
        ];
        let is_other = |name: &&str| others.iter().any(|other| name.ends_with(other));
        assert!(
            named.iter().all(|name| own(name) || is_other(name)),
            "{name}: {named:?}"
        );
        assert_eq!(
            named.iter().filter(|name| own(name)).count(),
            1,
            "{name}: {named:?}"
        );
    }
}
