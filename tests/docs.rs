//! Is the documentation correct: its commands and their output, its links, the files, tests and
//! options that it names, the numbers that it states?

mod conditions;
mod frozen;
mod names;
mod numbers;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use crate::util::Folder;
use ign_testing::games;

/// Where the pages are: the root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder that have this extension, by their paths from the root.
fn files(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                let is_built = ["target", "node_modules", "__pycache__"].contains(&name);
                if !is_built && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
                found.insert(name.replace('\\', "/"), fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// All pages, by their paths.
fn pages() -> BTreeMap<String, String> {
    let mut pages: BTreeMap<_, _> = ["docs", "crates"]
        .into_iter()
        .flat_map(|folder| files(folder, "md"))
        .collect();
    for name in [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "format-spec.md",
        "python/README.md",
        "web/README.md",
    ] {
        pages.insert(name.to_string(), page(name));
    }
    pages
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The code blocks of a page, each with its language, and the text outside of them.
fn divided(page: &str) -> (Vec<(String, String)>, String) {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut prose = String::new();
    let mut is_code = false;
    for line in page.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_code = !is_code;
            if is_code {
                blocks.push((language.to_string(), String::new()));
            }
        } else {
            let text = match blocks.last_mut() {
                Some((_, code)) if is_code => code,
                _ => &mut prose,
            };
            *text += line;
            *text += "\n";
        }
    }
    assert!(!is_code, "a code block does not end");
    (blocks, prose)
}

/// The code blocks of a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let all = divided(page).0.into_iter();
    all.filter(|block| block.0 == language)
        .map(|block| block.1)
        .collect()
}

/// The code between backquotes outside of code blocks.
fn inline_code(page: &str) -> Vec<String> {
    let prose = divided(page).1.replace('\n', " ");
    prose
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_string)
        .collect()
}

/// The commands of a page's console blocks, each with the output below it.
fn session(page: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for block in blocks(page, "console") {
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push((command.to_string(), String::new()));
            } else {
                let (_, output) = steps.last_mut().expect("output follows a command");
                *output += &format!("{line}\n");
            }
        }
    }
    steps
}

/// The output without times: ` in 0.32 s` at the end of a line.
fn timeless(output: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" in ") {
        Some((start, time)) if time.ends_with(" s") => start.to_string(),
        _ => line.to_string(),
    };
    output.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Runs the commands of a page in a folder and compares what they print. `IGN_UPDATE` writes it
/// into the page.
fn replay(name: &str, page: &str, folder: &Folder) {
    let mut updated = page.to_owned();
    let bin = Path::new(env!("CARGO_BIN_EXE_ign")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", bin.display());
    for (command, shown) in session(page) {
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}; }} 2>&1")])
            .current_dir(folder.path(""))
            .env("PATH", &path)
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{name}: {command}: {printed}");
        if std::env::var_os("IGN_UPDATE").is_some() && timeless(&printed) != timeless(&shown) {
            let shown = format!("$ {command}\n{shown}");
            updated = updated.replacen(&shown, &format!("$ {command}\n{printed}"), 1);
            fs::write(root().join(name), &updated).unwrap();
            continue;
        }
        assert_eq!(timeless(&printed), timeless(&shown), "{name}: {command}");
    }
}

/// The README begins in an empty folder. The other pages begin with the files of `docs/README.md`.
#[cfg(unix)]
#[test]
fn console_blocks_print_the_output_shown() {
    let empty = Folder::new();
    replay("README.md", &page("README.md"), &empty);
    let common = Folder::new();
    replay("docs/README.md", &page("docs/README.md"), &common);
    let mut rest = files("docs", "md");
    rest.remove("docs/README.md");
    rest.retain(|_, page| !session(page).is_empty());
    assert!(rest.len() >= 6, "{:?}", rest.keys());
    thread::scope(|scope| {
        for (name, page) in &rest {
            let folder = Folder::new();
            for file in common.names() {
                folder.write(&file, common.read(&file));
            }
            scope.spawn(move || replay(name, page, &folder));
        }
    });
}

/// The answer of the server is that of the command, of which the page of the HTTP interface shows a
/// part.
#[test]
fn the_answer_of_the_explorer_is_that_of_the_tree() {
    let folder = Folder::with("games.pgn", games(5000));
    folder.ign(&["pack", "-q", "games.pgn"]).done();
    let tree = "tree games.ign --speed blitz --moves 1 --json --opening";
    let mut args: Vec<&str> = tree.split(' ').collect();
    args.push("1. e4 c5");
    let printed: serde_json::Value = serde_json::from_slice(&folder.ign(&args).done()).unwrap();
    let shown = &blocks(&page("docs/http.md"), "json")[0];
    let mut shown: serde_json::Value = serde_json::from_str(shown).unwrap();
    for key in ["white", "draws", "black", "moves", "opening"] {
        assert_eq!(shown[key], printed[key], "{key}");
    }
    // The request asks for one of the best rated games and for no recent ones.
    assert_eq!(shown["topGames"][0], printed["topGames"][0]);
    assert_eq!(shown["recentGames"].take(), serde_json::json!([]));
}

/// The lines of the README, which this file has too, so that they are compiled.
fn rust_example() -> ign_archive::Result<()> {
    let archive = ign_archive::Archive::open("games.ign")?;
    for game in archive.games() {
        let game = game?;
        println!("{:?} {} plies", game.tag("White")?, game.plies()?);
    }
    Ok(())
}

#[test]
fn the_rust_example_of_the_readme_compiles() {
    let _: fn() -> ign_archive::Result<()> = rust_example;
    let trimmed = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let [example] = &blocks(&page("README.md"), "rust")[..] else {
        panic!("one example");
    };
    assert!(trimmed(include_str!("docs.rs")).contains(trimmed(example).trim()));
}

/// The documentation of the crates is tested by rustdoc.
#[test]
fn examples_of_crate_readmes_are_those_of_their_documentation() {
    let mut examples = 0;
    for (name, page) in files("crates", "md") {
        let folder = name.trim_end_matches("README.md");
        let source = fs::read_to_string(root().join(folder).join("src/lib.rs")).unwrap();
        let mut documented = source.lines().filter_map(|line| line.strip_prefix("//! "));
        for line in blocks(&page, "rust").concat().lines() {
            examples += 1;
            let is_documented = line.is_empty() || documented.any(|other| other == line);
            assert!(is_documented, "{name}: {line}");
        }
    }
    assert!(examples > 50);
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut links = 0;
    for (name, page) in pages() {
        let prose = divided(&page).1;
        let targets = prose.split("](").skip(1);
        for target in targets.map(|rest| rest.split(')').next().unwrap()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = root().join(&name).parent().unwrap().to_path_buf();
            let path = match file {
                "" => root().join(&name),
                _ => folder.join(file),
            };
            assert!(path.exists(), "{name}: {target}");
            if !anchor.is_empty() {
                let text = fs::read_to_string(path).unwrap();
                assert!(headings(&text).contains(anchor), "{name}: {target}");
            }
            links += 1;
        }
    }
    assert!(links > 200);
}

/// The anchors of the headings of a page, as Markdown renderers make them.
fn headings(page: &str) -> BTreeSet<String> {
    let prose = divided(page).1;
    let titles = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |title: &str| {
        let title = title.trim_start_matches('#').trim();
        let kept = title
            .chars()
            .filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    titles.map(anchor).collect()
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let contents = page("docs/README.md");
    for name in files("docs", "md").into_keys() {
        let name = name.trim_start_matches("docs/");
        assert!(
            name == "README.md" || contents.contains(&format!("]({name})")),
            "{name}"
        );
    }
}

#[test]
fn the_readme_has_at_most_200_lines() {
    assert!(page("README.md").lines().count() <= 200);
}

/// A path that exists, from the root or as the end of a path.
fn exists(name: &str, all: &BTreeSet<PathBuf>) -> bool {
    root().join(name).exists() || all.iter().any(|path| path.ends_with(name))
}
