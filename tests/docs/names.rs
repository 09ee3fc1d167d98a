//! Names in the documentation: commands, options, files, tests, targets of make.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use super::{Folder, blocks, exists, files, inline_code, page, pages, root};

/// What the pages say that a user may type: inline code, and the commands of shell blocks.
fn typed(page: &str) -> Vec<String> {
    let mut typed = inline_code(page);
    typed.extend(blocks(page, "sh").concat().lines().map(str::to_string));
    for block in ["console", "text"].map(|language| blocks(page, language).concat()) {
        let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
        typed.extend(commands.map(str::to_string));
    }
    typed
}

/// The words of a command up to the end of it.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let ends = ["|", "&&", ";", ">", "#", "||"];
    command
        .split_whitespace()
        .take_while(move |word| !ends.contains(word))
}

#[test]
fn named_commands_and_options_exist() {
    let folder = Folder::new();
    let help = String::from_utf8(folder.ign(&["help"]).done()).unwrap();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for (name, page) in pages() {
        for code in typed(&page) {
            let mut words = words(&code);
            let (Some("ign"), Some(command)) = (words.next(), words.next()) else {
                continue;
            };
            if !command.chars().all(|c| c.is_ascii_lowercase()) {
                continue;
            }
            assert!(help.contains(&format!("\n  {command} ")), "{name}: {code}");
            let options = known.entry(command.to_string()).or_insert_with(|| {
                let help = folder.ign(&["help", command]).done();
                String::from_utf8(help).unwrap()
            });
            for word in words.filter(|word| word.starts_with("--")) {
                let option = word.split(['=', ',', '`', ')', ':']).next().unwrap();
                assert!(options.contains(option), "{name}: {code}");
            }
        }
    }
    assert!(known.len() > 20, "{:?}", known.keys());
}

#[test]
fn named_targets_of_make_exist() {
    let makefile = page("Makefile");
    for (name, page) in pages() {
        for code in typed(&page) {
            let words: Vec<&str> = words(&code).skip_while(|word| word.contains('=')).collect();
            if let ["make", target, ..] = words[..] {
                let is_target = makefile.contains(&format!("\n{target}:"));
                assert!(is_target || target.contains('='), "{name}: {code}");
            }
        }
    }
}

#[test]
fn named_packages_and_benchmarks_exist() {
    let manifests = super::files(".", "toml");
    let has = |line: String| manifests.values().any(|manifest| manifest.contains(&line));
    for (name, page) in pages() {
        for code in typed(&page) {
            let words: Vec<&str> = words(&code).collect();
            if words.first() != Some(&"cargo") {
                continue;
            }
            for pair in words.windows(2) {
                if ["-p", "--bench"].contains(&pair[0]) {
                    assert!(has(format!("name = \"{}\"", pair[1])), "{name}: {code}");
                }
                if pair[0] == "--test" {
                    assert!(exists(&format!("{}.rs", pair[1]), &all()), "{name}: {code}");
                }
            }
        }
    }
}

/// All files with text, by their paths.
fn all() -> BTreeSet<PathBuf> {
    let extensions = ["rs", "py", "ts", "mjs", "sh", "md", "c", "ipynb", "toml"];
    let all = extensions
        .iter()
        .flat_map(|extension| files(".", extension));
    all.map(|(name, _)| PathBuf::from(name)).collect()
}

#[test]
fn named_files_exist() {
    let all = all();
    let mut named = 0;
    for (name, page) in pages() {
        for code in inline_code(&page) {
            let is_path = code
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let is_source = [".rs", ".py", ".ts", ".mjs", ".sh", ".md", ".c"]
                .iter()
                .any(|end| code.ends_with(end) && code.len() > end.len());
            let first = code.split('/').next().unwrap();
            let is_inside = code.contains('/') && !first.is_empty() && root().join(first).is_dir();
            if is_path && (is_source || is_inside) {
                // A file of another crate's folder, such as `src/board/`, is the end of a path.
                let is_folder = all.iter().any(|path| {
                    let mut folders = path.ancestors();
                    folders.any(|folder| folder.ends_with(code.trim_end_matches('/')))
                });
                let is_built = code.starts_with("target/");
                assert!(
                    is_built || is_folder || exists(&code, &all),
                    "{name}: {code}"
                );
                named += 1;
            }
        }
    }
    assert!(named > 50, "{named}");
}

/// A page names a test by its function: at least four words with `_` between them.
#[test]
fn named_tests_exist() {
    let sources: String = files(".", "rs").into_values().collect();
    let mut named = 0;
    for (name, page) in pages() {
        for code in inline_code(&page) {
            let least = if name == "docs/reliability.md" { 2 } else { 3 };
            let is_name = code.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            if is_name && code.matches('_').count() >= least {
                assert!(sources.contains(&format!("fn {code}(")), "{name}: {code}");
                named += 1;
            }
        }
    }
    assert!(named > 40, "{named}");
}

#[test]
fn fuzz_targets_are_listed() {
    let page = page("docs/reliability.md");
    let makefile = super::page("Makefile");
    let listed = makefile
        .lines()
        .find_map(|line| line.strip_prefix("FUZZED := "));
    let listed: BTreeSet<&str> = listed.unwrap().split(' ').collect();
    let sources = files("fuzz/fuzz_targets", "rs");
    let sources: BTreeSet<&str> = sources
        .keys()
        .map(|name| name.rsplit('/').next().unwrap().trim_end_matches(".rs"))
        .collect();
    assert_eq!(listed, sources);
    let rows = page.split("\n## Fuzzing\n").nth(1).unwrap();
    let rows: Vec<String> = inline_code(rows);
    for target in sources {
        assert!(rows.iter().any(|code| code == target), "{target}");
    }
}
