//! Do huge inputs of odd forms come back, in reasonable time?

use crate::util::Folder;

const TAGS: &str = "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n";

#[test]
fn round_trips_huge_inputs_in_reasonable_time() {
    let knights: String = (1..=2500)
        .map(|n| {
            let moves = if n % 2 == 1 { "Nf3 Nf6" } else { "Ng1 Ng8" };
            format!("{n}. {moves} ")
        })
        .collect();
    let nested = format!(
        "{TAGS}1. e4 {}{} *\n",
        "(1. d4 ".repeat(150_000),
        ")".repeat(150_000)
    );
    let names: String = (0..20_000).map(|i| format!("[Tag{i} \"{i}\"]\n")).collect();
    let texts = [
        ("a line", vec![b'x'; 10 << 20]),
        (
            "a comment",
            format!("{TAGS}1. e4 {{{}}} *\n", "word ".repeat(1 << 20)).into_bytes(),
        ),
        (
            "a tag",
            format!("[Event \"{}\"]\n\n1. e4 *\n", "x".repeat(1 << 20)).into_bytes(),
        ),
        ("parentheses", vec![b'('; 1_000_000]),
        (
            "parentheses in a game",
            format!("{TAGS}1. e4 {} *", "(".repeat(1_000_000)).into_bytes(),
        ),
        ("nested variations", nested.into_bytes()),
        ("braces", "{}".repeat(1_000_000).into_bytes()),
        ("brackets", vec![b'['; 1_000_000]),
        ("empty lines", vec![b'\n'; 1_000_000]),
        ("digits", vec![b'1'; 1_000_000]),
        ("tag names", names.into_bytes()),
        ("a long game", format!("{TAGS}{knights}*\n\n").into_bytes()),
        (
            "a game beyond all limits",
            format!("{TAGS}{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(20_000)).into_bytes(),
        ),
    ];
    for (name, text) in texts {
        let folder = Folder::with("a.pgn", &text);
        let start = std::time::Instant::now();
        folder.ign(&["pack", "a.pgn"]).done();
        assert!(
            folder.ign(&["unpack", "-c", "a.ign"]).done() == text,
            "{name}"
        );
        folder.ign(&["verify", "a.ign"]).done();
        let seconds = start.elapsed().as_secs();
        assert!(seconds < 60, "{name} takes {seconds} s");
    }
}
