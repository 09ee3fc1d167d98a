//! Does `ign transcode` make the archive that `ign pack` makes in the other coding?

use ign_testing::games;

use crate::util::Folder;

const CODINGS: [&str; 3] = ["ign", "ign-end", "weighted"];

/// A folder with an archive for each coding, of games and of text in two inputs.
fn archives() -> Folder {
    let folder = Folder::with("a.pgn", games(300));
    folder.write("b.txt", "no game\n");
    for coding in CODINGS {
        let name = format!("{coding}.ign");
        let options = ["pack", "-q", "-B", "16K", "-l", "7", "--coding", coding];
        folder
            .ign(&[&options[..], &["a.pgn", "b.txt", "-o", &name]].concat())
            .done();
    }
    folder
}

#[test]
fn the_result_is_the_archive_of_pack_in_every_coding() {
    let folder = archives();
    for from in CODINGS {
        for to in CODINGS {
            let from = format!("{from}.ign");
            let options = ["transcode", &from, "--coding", to, "-o", "new.ign", "-f"];
            let run = folder.ign(&options);
            assert!(run.err.contains("transcoded 300 games"), "{}", run.err);
            run.done();
            let packed = folder.read(&format!("{to}.ign"));
            assert!(folder.read("new.ign") == packed, "{from} to {to}");
        }
    }
}

#[test]
fn requests_without_an_answer_are_refused() {
    let folder = archives();
    let refused = |args: &[&str], code: i32, words: &str| {
        let args = [&["transcode"], args].concat();
        folder.ign(&args).failed(code, words);
    };
    refused(&["ign.ign", "--coding", "weighted"], 1, "name it with -o");
    refused(&["ign.ign", "-o", "c.ign"], 1, "--coding");
    let to = ["--coding", "weighted", "-o"];
    let refused_pair = |from: &str, into: &[&str], code: i32, words: &str| {
        refused(&[&[from], &to[..], into].concat(), code, words);
    };
    refused_pair("ign.ign", &["ign.ign"], 1, "also an input");
    refused_pair("ign.ign", &["c.pgn"], 1, "name of a text");
    refused_pair("ign.ign", &["weighted.ign"], 1, "already exists");
    refused_pair("a.pgn", &["c.ign"], 2, "not an ign archive");
    refused_pair("gone.ign", &["c.ign"], 1, "gone.ign");
    assert!(!folder.path("c.ign").exists());
}
