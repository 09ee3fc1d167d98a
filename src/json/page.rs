//! `docs/json.md` follows from the types. `IGN_UPDATE=1` writes it again.

use std::{collections::BTreeMap, fs, path::Path};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use super::{checked, games, info, notation, solved, stats, written};

const START: &str = "\
# JSON

What the commands print with `--json`. The tables are made from the types of the program, and a test compares them with
what it prints.

- Each object is a line. `ign info`, `stats` and `verify` print one for each file, whether there is one file or are
  several; `ign list`, `find`, `duplicates`, `encode` and `decode` one for each game; the others one. `jq -s` makes an
  array of them.
- All keys of a table are in every object. A value that does not exist is null.
- A key has one meaning and type in all tables but that of `ign stats`, in which objects have names of their own.
  `archive` is an archive that is read or grows, or the text that is read in its place; `file` a packed file;
  `output` a file that is written. What ends with `_bytes` is a number of bytes. Games and
  blocks are numbered from 1.
- Bytes that are not UTF-8 are replaced by U+FFFD, in names of files and in tags. Passwords and queries of addresses are
  left out.
- Errors and warnings go to standard error, and the exit status is the same with and without `--json`. After an error,
  what was printed before it remains.
- In the tables `a[].b` is the key `b` of each object in the array `a`.

`--json` of `pack`, `merge`, `split`, `append`, `transcode`, `unpack`, `export`, `train`, `sample`, `index`, `parity`, `site` and
`recover` prints to standard output what they otherwise report on standard error, so what they write needs a file. `find` and `count`
write their JSON to the file of `-o`, if there is one. `ign export` writes tables of games as JSON lines:
[tables.md](tables.md). `ign tree --json` prints an answer of the Lichess opening explorer:
[http.md](http.md#the-explorer).

```console
$ ign find games.ign --opening \"1. e4 c5\" --limit 2 --json
{\"archive\":\"games.ign\",\"game\":25}
{\"archive\":\"games.ign\",\"game\":35}
$ ign find games.ign --elo 2000.. --count --json
{\"found\":35,\"limited\":false,\"games\":5000}
```
";

/// A row of a table: key, type, meaning.
pub type Row = [String; 3];

/// The rows of a type.
fn rows<T: JsonSchema>() -> Vec<Row> {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut rows = Vec::new();
    add_rows(&Schema(schema.as_value()), "", &mut rows);
    rows
}

/// A part of a schema.
struct Schema<'v>(&'v Value);

impl<'v> Schema<'v> {
    fn get(&self, key: &str) -> Option<&'v Value> {
        self.0.get(key)
    }

    fn list(&self, key: &str) -> Vec<Schema<'v>> {
        let list = self.get(key).and_then(Value::as_array);
        list.into_iter().flatten().map(Schema).collect()
    }

    /// What it may be.
    fn choices(&self) -> Vec<Schema<'v>> {
        match self.list("anyOf") {
            none if none.is_empty() => vec![Self(self.0)],
            choices => choices.iter().flat_map(Self::choices).collect(),
        }
    }

    /// The objects in it, and what leads to their keys.
    fn objects(&self) -> Vec<(Schema<'v>, &'static str)> {
        let objects = self.choices().into_iter().flat_map(|choice| {
            let inner = |key, step: &'static str| {
                let inner = choice.get(key).filter(|inner| inner.is_object());
                let inner = inner.map(|inner| Schema(inner).objects());
                let inner = inner.unwrap_or_default();
                assert!(inner.iter().all(|(_, steps)| *steps == "."), "nested");
                inner.into_iter().map(move |(object, _)| (object, step))
            };
            let in_array = inner("items", "[].");
            let in_map = inner("additionalProperties", ".*.");
            let own = choice.get("properties").map(|_| (Schema(choice.0), "."));
            own.into_iter()
                .chain(in_array)
                .chain(in_map)
                .collect::<Vec<_>>()
        });
        objects.collect()
    }

    /// The name of the type: `string or null`, `array of integers`.
    fn named(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for choice in self.choices() {
            let inner = |key| choice.get(key).filter(|inner| inner.is_object());
            let plural = |inner: &Value| match Schema(inner).named() {
                word if word.contains(' ') => word,
                word => format!("{word}s"),
            };
            let kinds = match choice.get("type") {
                Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
                Some(kind) => vec![kind.as_str().unwrap()],
                None => vec!["string"],
            };
            for kind in kinds {
                match (kind, inner("items"), inner("additionalProperties")) {
                    ("array", Some(items), _) => names.push(format!("array of {}", plural(items))),
                    ("object", _, Some(values)) => names.push(format!("map of {}", plural(values))),
                    ("string", ..) if choice.get("enum").is_some() => {
                        let values = choice.get("enum").and_then(Value::as_array).unwrap();
                        names.extend(values.iter().map(|value| format!("`{value}`")));
                    }
                    _ => names.push(kind.to_owned()),
                }
            }
        }
        match &names[..] {
            [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
            _ => names.concat(),
        }
    }
}

/// Adds the rows of the keys of an object, and of those inside of them.
fn add_rows(object: &Schema, before: &str, rows: &mut Vec<Row>) {
    let properties = object.get("properties").and_then(Value::as_object).unwrap();
    let order = object.list("required");
    assert_eq!(order.len(), properties.len(), "a key may be missing");
    for key in order.iter().map(|key| key.0.as_str().unwrap()) {
        let value = Schema(&properties[key]);
        let path = format!("{before}{key}");
        let meaning = value
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("{path} has no comment"));
        rows.push([path.clone(), value.named(), meaning.replace('\n', " ")]);
        for (inner, step) in value.objects() {
            add_rows(&inner, &format!("{path}{step}"), rows);
        }
    }
}

/// The tables, each with its heading.
fn tables() -> Vec<(&'static str, Vec<Row>)> {
    vec![
        ("`ign info`", rows::<info::Info>()),
        ("`ign stats`", stats::rows()),
        ("`ign list`, and `ign find --list`", rows::<games::Listed>()),
        ("`ign find`", rows::<games::Found>()),
        ("`ign find --count`", rows::<games::FoundCount>()),
        ("`ign count`", rows::<games::Counted>()),
        ("`ign duplicates`", rows::<games::Duplicate>()),
        ("`ign duplicates --count`", rows::<games::DuplicateCount>()),
        ("`ign pack`", rows::<written::Packed>()),
        ("`ign append`", rows::<written::Appended>()),
        ("`ign merge`", rows::<written::Merged>()),
        ("`ign split`", rows::<written::Split>()),
        ("`ign transcode`", rows::<written::Transcoded>()),
        ("`ign unpack`", rows::<written::Unpacked>()),
        ("`ign export`", rows::<written::Exported>()),
        ("`ign train`", rows::<written::Model>()),
        ("`ign sample`", rows::<written::Sampled>()),
        ("`ign index`", rows::<written::Indexing>()),
        ("`ign parity`", rows::<written::Protected>()),
        ("`ign site`", rows::<written::Published>()),
        ("`ign verify` of an archive", rows::<checked::Verified>()),
        (
            "`ign verify` of a search index",
            rows::<checked::IndexVerified>(),
        ),
        ("`ign recover`", rows::<checked::Recovery>()),
        ("`ign selftest`", rows::<checked::SelfTest>()),
        ("`ign encode`", rows::<notation::Encoded>()),
        ("`ign encode --mod`", rows::<notation::Residue>()),
        ("`ign decode`", rows::<notation::Decoded>()),
        ("`ign position`", rows::<notation::Proof>()),
        ("`ign endgame`", rows::<solved::Endgame>()),
        ("`ign endgame` of a position", rows::<solved::Position>()),
        ("`ign endgame` of a table", rows::<solved::IntervalTable>()),
    ]
}

#[test]
fn the_page_has_the_keys_of_the_types() {
    let mut page = START.to_owned();
    for (heading, rows) in tables() {
        page += &format!("\n## {heading}\n\n| key | type | meaning |\n| --- | --- | --- |\n");
        for [key, kind, meaning] in rows {
            page += &format!("| `{key}` | {kind} | {meaning} |\n");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    if std::env::var_os("IGN_UPDATE").is_some() {
        fs::write(&file, &page).unwrap();
    }
    assert!(
        fs::read_to_string(&file).is_ok_and(|written| written == page),
        "IGN_UPDATE=1 cargo test json::page writes docs/json.md"
    );
}

/// Figures of `ign stats` of which the names mean something else elsewhere, as those inside of its
/// objects do.
const OF_STATS: [&str; 2] = ["columns", "moves"];

#[test]
fn a_key_has_one_type() {
    let mut types: BTreeMap<String, (String, &str)> = BTreeMap::new();
    for (heading, rows) in tables() {
        for [key, kind, _] in rows {
            if heading == "`ign stats`" && (key.contains('.') || OF_STATS.contains(&&*key)) {
                continue;
            }
            let (_, name) = key.rsplit_once('.').unwrap_or(("", &key));
            let kind = match kind.trim_end_matches(" or null") {
                values if values.starts_with('`') => "string".to_owned(),
                kind => kind.to_owned(),
            };
            let known = types
                .entry(name.to_owned())
                .or_insert((kind.clone(), heading));
            assert_eq!(known.0, kind, "{key} of {heading}, and of {}", known.1);
        }
    }
}
