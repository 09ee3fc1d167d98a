//! Is every file of tests part of a program that cargo runs? Cargo does not look for them
//! (`autotests = false`).

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The folders of the crates that have integration tests.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let members = fs::read_dir(root.join("crates")).unwrap();
    let mut crates: Vec<_> = members.map(|entry| entry.unwrap().path()).collect();
    crates.push(root.to_owned());
    crates.retain(|path| path.join("tests").is_dir());
    crates
}

#[test]
fn every_file_of_tests_is_run() {
    let mut files = 0;
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let tests = folder.join("tests");
        let mut run = BTreeSet::new();
        for part in manifest.split("[[test]]\nname = \"").skip(1) {
            let program = part.split('"').next().unwrap();
            let [file, in_folder] = [format!("{program}.rs"), format!("{program}/main.rs")];
            let code = fs::read_to_string(tests.join(&file))
                .or_else(|_| fs::read_to_string(tests.join(in_folder)))
                .unwrap();
            let modules = code.lines().filter_map(|line| {
                let name = line.strip_prefix("mod ")?.strip_suffix(';')?;
                Some(format!("{name}.rs"))
            });
            run.extend(modules.chain([file]));
        }
        let is_looked_for = !manifest.contains("autotests = false");
        for entry in fs::read_dir(&tests).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".rs") {
                let shown = tests.display();
                assert!(is_looked_for || run.contains(&name), "{shown}/{name}");
                files += 1;
            }
        }
    }
    assert!(files > 60, "{files}");
}
