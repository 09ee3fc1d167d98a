//! `ign site`: what it writes, replaces and refuses. `make web-site-test` reads it with a browser.

use std::{collections::BTreeSet, fs};

use ign_testing::games;
use serde_json::Value;

use crate::util::Folder;

/// Two archives: one with an index, and one whose name has a space.
fn folder() -> Folder {
    let folder = Folder::with("a.pgn", games(20));
    folder.write("b c.pgn", games(10));
    folder.ign(&["pack", "-q", "a.pgn"]).done();
    folder.ign(&["index", "-q", "a.ign"]).done();
    folder.ign(&["pack", "-q", "b c.pgn"]).done();
    folder
}

/// The names of the files of a site.
fn files(folder: &Folder) -> BTreeSet<String> {
    fs::read_dir(folder.path("site"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn site(folder: &Folder) -> Value {
    serde_json::from_slice(&folder.read("site/site.json")).unwrap()
}

#[test]
fn a_site_has_the_page_the_module_its_model_and_the_archives() {
    let folder = folder();
    let run = folder.ign(&["site", "a.ign", "b c.ign", "-o", "site", "--title", "Club"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("b c.ign has no index"), "{}", run.err);
    let files = files(&folder);
    for file in [
        "a.ign",
        "a.ign.idx",
        "app.js",
        "b c.ign",
        "ign_web.js",
        "ign_web.wasm.gz",
        "index.html",
        "moves.model",
        "site.json",
        "worker.js",
    ] {
        assert!(files.contains(file), "{file}: {files:?}");
    }
    for file in ["a.ign", "a.ign.idx", "b c.ign"] {
        let copy = folder.read(&format!("site/{file}"));
        assert_eq!(copy, folder.read(file), "{file}");
    }
    let site = site(&folder);
    assert_eq!(site["title"], "Club");
    assert_eq!(site["url"], Value::Null);
    let [a, b] = &site["archives"].as_array().unwrap()[..] else {
        panic!("{site}")
    };
    assert_eq!([&a["name"], &b["name"]], ["a", "b c"]);
    assert_eq!([&a["file"], &b["file"]], ["a.ign", "b%20c.ign"]);
    assert_eq!([&a["games"], &b["games"]], [20, 10]);
    assert_eq!(b["index_bytes"], Value::Null);
    // The model is one that packing takes, and the same as that of the program.
    let weighted = ["pack", "-q", "-f", "--coding", "weighted", "a.pgn"];
    folder
        .ign(&[&weighted[..], &["-o", "own.ign"]].concat())
        .done();
    let model = ["-o", "read.ign", "--model", "site/moves.model"];
    folder.ign(&[&weighted[..], &model].concat()).done();
    assert_eq!(folder.read("own.ign"), folder.read("read.ign"));
}

#[test]
fn a_site_that_is_replaced_keeps_no_archive_that_it_does_not_show() {
    let folder = folder();
    folder
        .ign(&["site", "-q", "a.ign", "b c.ign", "-o", "site"])
        .done();
    folder.write("site/robots.txt", "");
    folder
        .ign(&["site", "-q", "-f", "a.ign", "-o", "site"])
        .done();
    let left = files(&folder);
    assert!(
        left.contains("a.ign") && left.contains("a.ign.idx"),
        "{left:?}"
    );
    assert!(!left.contains("b c.ign"), "{left:?}");
    assert!(left.contains("robots.txt"), "{left:?}");
    let url = ["--url", "https://data.example/chess"];
    let elsewhere = ["site", "-q", "-f", "a.ign", "-o", "site"];
    folder.ign(&[&elsewhere[..], &url].concat()).done();
    let left = files(&folder);
    assert!(
        !left.contains("a.ign") && !left.contains("a.ign.idx"),
        "{left:?}"
    );
    assert_eq!(site(&folder)["url"], "https://data.example/chess/");
}

#[test]
fn what_a_command_that_was_killed_has_left_is_replaced() {
    let folder = folder();
    fs::create_dir(folder.path("site")).unwrap();
    folder.write("site/.ign-site.json.partial", "{");
    folder.write("site/.ign-a.ign.partial", "IGN");
    let site = ["site", "-q", "a.ign", "-o", "site"];
    folder.ign(&site).done();
    let whole = files(&folder);
    assert!(
        !whole.iter().any(|name| name.ends_with(".partial")),
        "{whole:?}"
    );
    // The first file with its name is the list of the archives.
    for name in &whole {
        if name != "site.json" {
            folder.remove(&format!("site/{name}"));
        }
    }
    folder.ign(&site).failed(1, "-f replaces it");
    folder.ign(&[&site[..], &["-f"]].concat()).done();
    assert_eq!(files(&folder), whole);
}

#[test]
fn what_is_no_site_is_refused_and_left_as_it_was() {
    let folder = folder();
    folder.ign(&["site", "-q", "b c.ign", "-o", "site"]).done();
    for new in ["full", "forged", "other"] {
        fs::create_dir(folder.path(new)).unwrap();
    }
    folder.write("full/notes.txt", "mine");
    folder.write("forged/site.json", "{\"archives\": 3}");
    folder.write("other/a.ign", folder.read("b c.ign"));
    folder.write("torn.ign", &folder.read("a.ign")[..1200]);
    folder.write("odd.ign", folder.read("b c.ign"));
    folder.write("odd.ign.idx", folder.read("a.ign.idx"));
    folder.write("app.js", folder.read("b c.ign"));
    let before = files(&folder);
    for (args, message) in [
        (
            &["a.ign", "-o", "site"][..],
            "the folder has a site already (-f replaces it)",
        ),
        (
            &["a.ign", "-o", "full"],
            "the folder has other files than those of a site",
        ),
        (
            &["-f", "a.ign", "-o", "full"],
            "the folder has other files than those of a site",
        ),
        (
            &["-f", "a.ign", "-o", "forged"],
            "the folder has other files than those of a site",
        ),
        (
            &["a.ign", "-o", "a.pgn"],
            "is a file, and -o names a folder here",
        ),
        (
            &["a.ign", "other/a.ign", "-o", "new"],
            "another file of the site has the name a.ign",
        ),
        (
            &["app.js", "-o", "new"],
            "another file of the site has the name app.js",
        ),
        (
            &["https://a.example/a.ign", "-o", "new"],
            "is not a file of this machine",
        ),
        (&["none.ign", "-o", "new"], "none.ign"),
        (&["a.pgn", "-o", "new"], "a.pgn"),
        (&["torn.ign", "-o", "new"], "torn.ign"),
        (
            &["odd.ign", "-o", "new"],
            "odd.ign.idx: the index is not that of odd.ign, or damaged",
        ),
        (
            &["a.ign", "-o", "new", "--url", "data"],
            "is not the address of a folder on a web server",
        ),
    ] {
        let run = folder.ign(&[&["site"][..], args].concat());
        assert!(run.err.contains(message), "{args:?}: {}", run.err);
        assert_ne!(run.code, Some(0), "{args:?}");
        assert!(!folder.path("new").exists(), "{args:?}");
    }
    assert_eq!(files(&folder), before);
    assert_eq!(folder.read("full/notes.txt"), b"mine");
}
