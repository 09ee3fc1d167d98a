//! Numbers that the documentation states: versions, sizes, counts, limits.

use std::{collections::BTreeMap, fs};

use ign_format::{
    columns::name_model,
    container::version,
    go_model,
    model::{self, parameters::Shape, shape},
    pgn::comments::{clock_model, evals},
};
use ign_server::Options;

use super::{Folder, files, page, root};

/// A page in one line, so that a sentence is found wherever its lines end.
fn line(name: &str) -> String {
    page(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn states(name: &str, sentence: &str) {
    assert!(
        line(name).contains(sentence),
        "{name} does not state: {sentence}"
    );
}

/// A number with commas.
pub fn grouped(number: impl TryInto<u64, Error: std::fmt::Debug>) -> String {
    let digits = number.try_into().unwrap().to_string();
    let first = (digits.len() + 2) % 3 + 1;
    let groups = digits.as_bytes()[first..].chunks(3);
    groups.fold(digits[..first].to_string(), |text, group| {
        text + "," + std::str::from_utf8(group).unwrap()
    })
}

fn size(path: &str) -> u64 {
    let path = root().join("crates/ign-format/src").join(path);
    fs::metadata(path).unwrap().len()
}

#[test]
fn the_version_of_the_format_is_that_of_the_program() {
    let version = version::LATEST;
    assert_eq!((version::FIRST, version::STRUCTURE), (version, version));
    let spec = page("format-spec.md");
    assert!(spec.contains(&format!("\nVersion {version}. ")));
    assert!(spec.contains(&format!("\n| {version} | ")));
    let fields: Vec<&str> = spec
        .lines()
        .filter_map(|line| line.strip_prefix("| 1 | u8 | version of the structure: "))
        .collect();
    assert_eq!(fields.len(), 4, "header, footer, two of parity");
    states(
        "format-spec.md",
        &format!("| the lowest version of the format that reads the block: {version} |"),
    );
    let field = format!("{version} |");
    assert!(fields.iter().all(|other| *other == field), "{fields:?}");
    assert!(
        spec.contains(&format!("{version:02x} 00        ")),
        "the example"
    );
    states(
        "README.md",
        &format!("format has version {version} and is frozen"),
    );
    states(
        "docs/ign.ksy",
        &format!("- id: version type: u1 valid: {version} - id: flags"),
    );
    states(
        "CHANGELOG.md",
        &format!("first release. Format version {version},"),
    );
}

#[test]
fn versions_of_index_models_program_and_rust_are_stated() {
    let constants = constants("crates/ign-archive/src/index/directory.rs");
    let index = constants["VERSION"];
    states(
        "format-spec.md",
        &format!("| 1 | u8 | version of the index: {index} |"),
    );
    states("format-spec.md", &format!("| u8 | version: {index} |"));
    states(
        "format-spec.md",
        &format!("version {} of its training", model::VERSION),
    );
    states(
        "docs/move-model.md",
        &format!("This is version {}.", model::VERSION),
    );
    states(
        "format-spec.md",
        &format!("(version of the training: {})", go_model::VERSION),
    );
    let version = env!("CARGO_PKG_VERSION");
    states("README.md", &format!("Version {version} is the candidate"));
    states("CHANGELOG.md", &format!("## [{version}] - "));
    states("docs/http.md", &format!("\"version\": \"{version}\""));
    for name in ["README.md", "CONTRIBUTING.md", "python/README.md"] {
        let text = line(name);
        let stated = text.split("Rust").skip(1).filter_map(|rest| {
            let rest = rest.trim_start_matches("](https://rustup.rs)").trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
            Some(rest[..end].trim_end_matches('.')).filter(|number| !number.is_empty())
        });
        let stated: Vec<&str> = stated.collect();
        let expected = env!("CARGO_PKG_RUST_VERSION");
        assert!(!stated.is_empty(), "{name}");
        assert!(
            stated.iter().all(|number| *number == expected),
            "{name}: {stated:?}"
        );
    }
}

/// The constants of a source file whose values are sums, products and shifts of numbers and of each
/// other.
fn constants(path: &str) -> BTreeMap<String, u64> {
    fn value(text: &str, known: &BTreeMap<String, u64>) -> Option<u64> {
        if let Some((a, b)) = text.rsplit_once("<<") {
            return Some(value(a, known)? << value(b, known)?);
        }
        if let Some((a, b)) = text.rsplit_once('+') {
            return Some(value(a, known)? + value(b, known)?);
        }
        if let Some((a, b)) = text.rsplit_once('*') {
            return Some(value(a, known)? * value(b, known)?);
        }
        let text = text.split(" as ").next()?.trim();
        text.replace('_', "")
            .parse()
            .ok()
            .or_else(|| known.get(text).copied())
    }
    let mut known = BTreeMap::new();
    for line in page(path).lines() {
        let definition = line.split_once("const ").map(|(_, rest)| rest);
        let Some((name, rest)) = definition.and_then(|rest| rest.split_once(": ")) else {
            continue;
        };
        let expression = rest
            .split_once(" = ")
            .map(|(_, value)| value.trim_end_matches(';'));
        if let Some(value) = expression.and_then(|expression| value(expression, &known)) {
            known.insert(name.to_string(), value);
        }
    }
    known
}

/// The numbers of a cell, where `2^28` is one of them.
pub fn numbers(cell: &str) -> Vec<u64> {
    let is_part = |c: char| c.is_ascii_digit() || ",^".contains(c);
    let words = cell.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    let number = |text: &str| text.replace(',', "").parse::<u64>().ok();
    words
        .filter_map(|word| match word.split_once('^') {
            Some((base, power)) => Some(number(base)?.pow(u32::try_from(number(power)?).ok()?)),
            None => number(word),
        })
        .collect()
}

#[test]
fn limits_are_those_of_the_program() {
    let spec = page("format-spec.md");
    let section = spec.split("\n## 7. Limits\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let of_files: Vec<_> = files("crates/ign-format/src", "rs")
        .keys()
        .map(|path| constants(path))
        .collect();
    let limits = constants("crates/ign-format/src/container/limits.rs");
    let mut checked = Vec::new();
    for row in section.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let stated = numbers(cells[1]);
        let mut names = cells[2].split('`');
        names.next();
        while let (Some(name), Some(after)) = (names.next(), names.next()) {
            let less = u64::from(after.starts_with(" − 1"));
            let defined: Vec<u64> = match limits.get(name) {
                Some(&value) => vec![value],
                None => of_files
                    .iter()
                    .filter_map(|file| file.get(name).copied())
                    .collect(),
            };
            let is_stated = defined.iter().any(|value| stated.contains(&(value - less)));
            assert!(is_stated, "{name} is {defined:?}: {row}");
            checked.push(name);
        }
    }
    for name in limits.keys() {
        assert!(
            checked.contains(&name.as_str()),
            "{name} is not in the table"
        );
    }
}

#[test]
fn sizes_of_models_are_stated() {
    let spec = "format-spec.md";
    let page = "docs/move-model.md";
    let bytes = size("model/v4.units") + size("model/v4.packed");
    let megabytes = bytes as f64 / 1e6;
    states(page, &format!("{megabytes:.2} MB in the program"));
    states(
        page,
        &format!(
            "{:.1} million parameters",
            Shape::PROGRAM.parameters() as f64 / 1e6
        ),
    );
    states(
        page,
        &format!("{} inputs", grouped(Shape::PROGRAM.inputs())),
    );
    states(page, &format!("{} hidden units", shape::HIDDEN_UNITS));
    states(page, &format!("{} output weights", shape::ACTIVATIONS));
    states(
        page,
        &format!("each of {} kinds of moves", grouped(shape::OWN_ROWS)),
    );
    assert_eq!(shape::MOVE_TABLES, 14);
    states(page, "fourteen tables of traits");
    states(
        spec,
        &format!("and {} signed bytes", grouped(Shape::PROGRAM.parameters())),
    );
    states(
        spec,
        &format!(
            "| {} + 2^B + 64·S | trait tables",
            grouped(
                shape::TABLE_ENTRIES
                    - (1 << shape::OPENING_BITS)
                    - 64 * usize::from(shape::MAX_STYLES)
            )
        ),
    );
    let rows = grouped(shape::OUTPUT_ROWS);
    states(spec, &format!("| {rows} × {} | rows:", shape::ACTIVATIONS));

    let go = grouped(go_model::features::ENTRIES);
    states(spec, &format!("The parameters are {go} signed bytes"));
    states(
        "docs/go-model.md",
        &format!("{go} parameters of one byte each"),
    );
    states(
        "docs/go-model.md",
        &format!("they take {} KB", size("go_model/v1.zst") / 1000),
    );
    assert_eq!(go_model::features::TABLES, 11);
    states("docs/go-model.md", "eleven tables");

    for (page, file, inputs) in [
        (
            "docs/clocks.md",
            "pgn/comments/clock_model.bin",
            clock_model::INPUTS,
        ),
        (
            "docs/evaluations.md",
            "pgn/comments/evals.bin",
            evals::INPUTS,
        ),
        (
            "docs/names.md",
            "columns/name_model.bin",
            name_model::INPUTS,
        ),
    ] {
        states(
            page,
            &format!("{} parameters of one byte", grouped(size(file))),
        );
        let text = line(page);
        let is_stated = ["categorical inputs", "inputs"]
            .iter()
            .any(|noun| text.contains(&format!(" {inputs} {noun}")));
        assert!(is_stated, "{page}: {inputs} inputs");
    }
}

#[test]
fn counts_of_commands_and_programs_are_stated() {
    let help = String::from_utf8(Folder::new().ign(&["help"]).done()).unwrap();
    let commands = help.split("\nCommands:\n").nth(1).unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands = commands.filter(|line| !line.starts_with("  help ")).count();
    states("README.md", &format!("lists all {commands} commands"));
    let examples = files("crates/ign-archive/examples", "rs");
    assert_eq!(examples.len(), 4);
    states("README.md", "has four programs of at most 40 lines");
    let connect_four = page("crates/ign-notation/examples/connect_four.rs");
    for source in examples.values().chain([&connect_four]) {
        assert!(source.lines().count() <= 40);
    }
    let cases = page("tests/faults/cases.rs");
    let cases = cases.split("pub const CASES").nth(1).unwrap();
    let cases = cases.split("\n];").next().unwrap();
    let starts = ["    makes(", "    grows(", "    reads(", "    Case {"];
    let is_case = |line: &&str| starts.iter().any(|start| line.starts_with(start));
    let cases = cases.lines().filter(is_case).count();
    states(
        "docs/reliability.md",
        &format!("faults in {cases} commands"),
    );
}

/// A published crate: its name and the crates of the workspace that it uses.
fn published() -> BTreeMap<String, Vec<String>> {
    let mut manifests = files("crates", "toml");
    manifests.insert("Cargo.toml".to_string(), page("Cargo.toml"));
    let mut published = BTreeMap::new();
    for manifest in manifests.into_values() {
        if manifest.contains("\npublish = false") {
            continue;
        }
        let name = manifest.split("name = \"").nth(1).unwrap();
        let name = name.split('"').next().unwrap().to_string();
        let uses = manifest
            .split("\n[dependencies]\n")
            .nth(1)
            .unwrap_or_default();
        let uses = uses.lines().take_while(|line| !line.starts_with('['));
        let uses = uses.filter(|line| line.starts_with("ign-"));
        let name_of = |line: &str| line.split(['.', ' ']).next().unwrap().to_string();
        published.insert(name, uses.map(name_of).collect());
    }
    published
}

#[test]
fn published_crates_are_listed_with_what_they_use() {
    let published = published();
    let architecture = page("docs/architecture.md");
    let (table, _) = architecture.split_once("| not published |").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let rows: BTreeMap<&str, &str> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split(" | ").collect();
            (cells[0].split('`').nth(1).unwrap(), cells[2])
        })
        .collect();
    assert!(rows.keys().eq(published.keys()), "{rows:?} {published:?}");
    for (name, uses) in &published {
        let mut stated: Vec<&str> = rows[&name[..]]
            .split('`')
            .filter(|code| code.starts_with("ign-"))
            .collect();
        stated.sort_unstable();
        assert_eq!(&stated, uses, "{name}");
    }
    let order = line("CONTRIBUTING.md");
    let order = order
        .split("in the order of dependencies: ")
        .nth(1)
        .unwrap();
    let order: Vec<&str> = order.trim_end_matches('.').split(", ").collect();
    assert_eq!(order.len(), published.len(), "{order:?}");
    for (place, name) in order.iter().enumerate() {
        for used in &published[*name] {
            assert!(
                order[..place].contains(&used.as_str()),
                "{name} before {used}"
            );
        }
    }
    for name in published.keys().filter(|name| *name != "ign-cli") {
        assert!(
            root().join(format!("crates/{name}/README.md")).exists(),
            "{name}"
        );
    }
}

#[test]
fn defaults_and_limits_of_commands_are_stated() {
    let block = ign_archive::Packer::DEFAULT_BLOCK_SIZE >> 20;
    states("docs/pack.md", &format!("by default {block}M."));
    states(
        "docs/repair.md",
        &format!("A block has {block} MiB of text by default"),
    );
    let folder = Folder::new();
    let help = folder.ign(&["help", "position"]).done();
    let help = String::from_utf8(help).unwrap();
    for (default, stated) in [
        ("20]", "`--plies` (20)"),
        ("20000000]", "`--nodes` (20 million)"),
        ("1024]", "`--memory` (1,024 MiB)"),
    ] {
        assert!(help.contains(&format!("[default: {default}")), "{default}");
        states("docs/positions.md", stated);
    }
    let options = Options::new([""; 0]);
    let page = "docs/http.md";
    states(page, &format!("Up to {} requests wait", options.queue));
    states(page, &format!("Up to {} connections", options.connections));
    let seconds = options.client_time_limit.as_secs();
    states(
        page,
        &format!("the head of a request within {seconds} seconds"),
    );
    states(
        page,
        &format!("in memory ({} MB)", options.cache_bytes >> 20),
    );
    states(
        page,
        &format!("an address of more than {} KiB", Options::MAX_URI >> 10),
    );
    states(
        page,
        &format!("a body of more than {} KiB", Options::MAX_BODY >> 10),
    );
    let megabytes = [
        options.cache_bytes,
        options.heads_bytes,
        options.index_bytes,
        options.block_bytes,
    ]
    .map(|bytes| bytes >> 20);
    let [answers, heads, index, blocks] = megabytes;
    let stated = format!(
        "{answers} MB of answers, {heads} MB of names and ratings of games, {index} MB of index sections, \
         {blocks} MB of blocks"
    );
    states("docs/architecture.md", &stated);
}
