//! Makes the docstrings of the stubs those of the compiled part, so that each is written once: the
//! macro `docs!("Archive.find")` is the docstring of this method, and `docs!("conditions")` lists
//! the conditions.

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

/// In the repository, and in a source distribution, which has the package in its root.
const STUBS: [&str; 2] = ["ign_archive/_native.pyi", "../ign_archive/_native.pyi"];
const QUOTES: &str = "\"\"\"";

fn main() -> Result<(), Box<dyn Error>> {
    let stubs = STUBS.into_iter().find(|path| Path::new(path).exists());
    let stubs = stubs.ok_or("the stubs of the package, _native.pyi, are missing")?;
    println!("cargo::rerun-if-changed={stubs}");
    let stubs = fs::read_to_string(stubs)?;
    let mut docs = String::from("macro_rules! docs {\n");
    let mut add = |name: &str, text: &str| writeln!(docs, "    ({name:?}) => {{ {text:?} }};");
    let mut conditions = String::from("\nConditions:\n");
    let (mut class, mut described) = (String::new(), None);
    let mut lines = stubs.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if let Some(name) = name_after(text, "class ") {
            class = name.to_owned();
            described = Some(class.clone());
        } else if let Some(name) = name_after(text, "def ") {
            described = Some(match indent {
                0 => name.to_owned(),
                _ => format!("{class}.{name}"),
            });
        } else if text.starts_with(QUOTES) {
            let docstring = read(text, indent, &mut lines);
            match described.take() {
                Some(name) if name.starts_with("condition ") => {
                    let name = name.trim_start_matches("condition ");
                    let docstring = docstring.replace('\n', " ");
                    writeln!(conditions, "    {name}: {docstring}")?;
                }
                Some(name) => add(&name, &docstring)?,
                None => {}
            }
        } else if class.ends_with("Conditions")
            && let Some((name, _)) = text.split_once(": ")
        {
            described = Some(format!("condition {name}"));
        }
    }
    add("conditions", &conditions)?;
    docs.push_str("}\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("docs.rs"), docs)?;
    Ok(())
}

/// The name that a line defines, if it starts with this keyword.
fn name_after<'l>(line: &'l str, keyword: &str) -> Option<&'l str> {
    line.strip_prefix(keyword)?.split(['(', ':']).next()
}

/// A docstring, without its indentation.
fn read<'l>(first: &'l str, indent: usize, lines: &mut impl Iterator<Item = &'l str>) -> String {
    let mut text = first[QUOTES.len()..].to_owned();
    while !text.ends_with(QUOTES) {
        let Some(line) = lines.next() else { break };
        text.push('\n');
        // The end of a line that goes on is not indented.
        let margin = line.len() - line.trim_start_matches(' ').len();
        text.push_str(&line[margin.min(indent)..]);
    }
    let text = text.trim_end_matches(QUOTES).trim_end();
    text.replace("\\\n", "").replace("\\\\", "\\")
}
