//! Is README.md correct: its commands, their output, its links?

use crate::util::Folder;

const README: &str = include_str!("../README.md");

/// The commands of the console blocks, each with the output below it.
fn session() -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for block in README.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push((command.to_string(), String::new()));
            } else {
                let (_, output) = steps.last_mut().expect("output follows a command");
                *output += &format!("{line}\n");
            }
        }
    }
    assert!(steps.len() > 5);
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

#[cfg(unix)]
#[test]
fn tour_prints_the_output_shown() {
    let folder = Folder::new();
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_ign"))
        .parent()
        .unwrap();
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for (command, shown) in session() {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("{{ {command}; }} 2>&1")])
            .current_dir(folder.path(""))
            .env("PATH", &path)
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{command}: {printed}");
        assert_eq!(timeless(&printed), timeless(&shown), "{command}");
    }
}

#[test]
fn named_commands_exist() {
    let folder = Folder::new();
    let help = String::from_utf8(folder.ign(&["help"]).done()).unwrap();
    for code in README.split('`').skip(1).step_by(2) {
        let mut words = code.split_whitespace();
        if words.next() == Some("ign") {
            let Some(command) = words.next() else {
                continue;
            };
            assert!(help.contains(&format!("\n  {command} ")), "{code}");
        }
    }
}

#[test]
fn linked_files_exist() {
    for target in README
        .split("](")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap())
    {
        if target.starts_with("http") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join(if file.is_empty() { "README.md" } else { file });
        assert!(path.exists(), "{target}");
        if !anchor.is_empty() {
            let text = std::fs::read_to_string(path).unwrap();
            assert!(headings(&text).any(|heading| heading == anchor), "{target}");
        }
    }
}

/// The anchors of the second-level headings of a text, as Markdown renderers make them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
    titles.map(|title| {
        let kept = title.chars().filter(|c| c.is_alphanumeric() || *c == ' ');
        let kept: String = kept.collect();
        kept.to_lowercase().replace(' ', "-")
    })
}
