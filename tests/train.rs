//! Are models trained on what `ign pack` reads, used in packing, and never written when they are of
//! no use?

use ign_testing::{games, variant_games};
use serde_json::Value;

use crate::util::Folder;

/// A folder with games of random moves in all variants.
fn folder() -> Folder {
    Folder::with("odd.pgn", variant_games(12))
}

const TRAIN: [&str; 6] = ["train", "-qn", "120", "--passes", "1", "-o"];

#[test]
fn games_are_packed_smaller_with_a_model_trained_on_them() {
    let folder = folder();
    let train = [&TRAIN[..], &["odd.model", "odd.pgn", "--json"]].concat();
    let report: Value = serde_json::from_slice(&folder.ign(&train).done()).unwrap();
    let number = |key: &str| report[key].as_f64().unwrap();
    assert!(number("bits_after") < number("bits_before"));
    assert_eq!(report["written"], true);
    assert_eq!(
        report["model_bytes"].as_u64().unwrap(),
        folder.read("odd.model").len() as u64
    );
    let packed = |text: &str, model: &[&str]| {
        let pack = ["pack", "-qfo", "a.ign", text];
        folder.ign(&[&pack[..], model].concat()).done();
        folder.read("a.ign").len()
    };
    let model = ["--model", "odd.model"];
    folder.write("one.pgn", "1. e4 *\n");
    let models = packed("one.pgn", &model) - packed("one.pgn", &[]);
    let formerly = packed("odd.pgn", &[]);
    let now = packed("odd.pgn", &model) - models;
    assert!(now < formerly, "{now} {formerly}");
    folder.remove("odd.model");
    let text = folder.ign(&["unpack", "-qc", "a.ign"]).done();
    assert!(text == folder.read("odd.pgn"));
}

#[test]
fn every_form_of_the_same_games_gives_the_same_model_at_any_number_of_threads() {
    let folder = folder();
    folder.ign(&["pack", "-q", "odd.pgn"]).done();
    std::fs::create_dir(folder.path("games")).unwrap();
    folder.write("games/odd.pgn", folder.read("odd.pgn"));
    let model = |input: &str, threads: &str| {
        let args = [&TRAIN[..], &["m.model", "-f", "-T", threads, input]].concat();
        folder.ign(&args).done();
        folder.read("m.model")
    };
    let first = model("odd.pgn", "1");
    for (input, threads) in [("odd.ign", "2"), ("games", "3")] {
        assert!(model(input, threads) == first, "{input}");
    }
    let args = ["train", "-qn", "120", "--passes", "1", "-c", "-"];
    let run = folder.ign_fed(&folder.read("odd.pgn"), &args);
    assert!(run.done() == first);
}

#[test]
fn messages_state_the_gain_and_what_was_left_out() {
    let folder = folder();
    let args = ["train", "-n", "120", "--passes", "1", "-o", "m.model"];
    let run = folder.ign(&[&args[..], &["odd.pgn"]].concat());
    let err = run.err.clone();
    run.done();
    for said in [
        "m.model: trained on 96 games, ",
        "m.model: used a sample of 120 of 132 games; --games 480 uses more",
        "m.model: left out 108 games of variants in which all moves have equal frequencies",
        " with the built-in model, in 12 games held out",
        "warning: m.model: 12 games held out are too few to distinguish a gain from chance: give at least 3,000 different games",
        "m.model: an archive holds it twice, ",
    ] {
        assert!(err.contains(said), "{said}: {err}");
    }
}

#[test]
fn what_cannot_be_trained_is_refused_and_leaves_no_file() {
    let folder = folder();
    folder.write("few.pgn", games(3));
    folder.write("text.txt", "no chess\n".repeat(99));
    folder.write("empty.pgn", "");
    folder.write("same.pgn", games(1).repeat(300));
    let atomic = "[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    folder.write("atomic.pgn", atomic.repeat(150));
    folder.write("go.sgf", "(;GM[1]SZ[9]PB[Ann];B[aa];W[bb])".repeat(150));
    folder.write("old.model", "old");
    folder
        .ign(&["pack", "-q", "few.pgn", "-o", "cut.ign"])
        .done();
    let cut = folder.read("cut.ign");
    folder.write("cut.ign", &cut[..cut.len() - 9]);
    let before = folder.names();
    for (args, code, said) in [
        (
            "few.pgn -o m.model",
            1,
            "few.pgn: 3 games are too few to train on (give at least 100 different games of chess",
        ),
        ("text.txt -o m.model", 1, "text.txt: no games to train on"),
        ("empty.pgn -o m.model", 1, "empty.pgn: no games to train on"),
        ("same.pgn -o m.model", 1, "same.pgn: 1 game is too few"),
        (
            "few.pgn same.pgn text.txt -o m.model",
            1,
            "few.pgn and 2 more: 3 games are too few to train on",
        ),
        ("go.sgf -o m.model", 1, "no games to train on"),
        (
            "odd.pgn -o none/m.model",
            1,
            "none/m.model: the folder none does not exist (create it first)",
        ),
        (
            "atomic.pgn -o m.model",
            1,
            "150 of variants, such as Atomic",
        ),
        ("missing.pgn -o m.model", 1, "missing.pgn: no such file"),
        ("cut.ign -o m.model", 2, "cut.ign"),
        ("odd.pgn", 1, "name it with -o"),
        ("odd.pgn -o old.model", 1, "-f overwrites it"),
        ("odd.pgn -o odd.pgn -f", 1, "the output is also an input"),
        ("odd.pgn -o m.ign", 1, "this is the name of an archive"),
        ("odd.pgn -o m.model --passes 0", 1, "above 0"),
        ("odd.pgn -o m.model --passes nan", 1, "above 0"),
        ("odd.pgn -o m.model --games 9", 1, "9 games are too few"),
        ("odd.pgn -o m.model --games 0", 1, "--games"),
        (
            "odd.pgn -o m.model --passes 0.01",
            1,
            "nothing was written: the trained model is not better",
        ),
    ] {
        let args: Vec<&str> = ["train"].into_iter().chain(args.split(' ')).collect();
        folder.ign(&args).failed(code, said);
        assert_eq!(folder.names(), before, "{args:?}");
    }
    assert_eq!(folder.read("old.model"), b"old");
}
