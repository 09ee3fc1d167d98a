//! Does `ign endgame` answer for positions, and write tables of few intervals?

use crate::util::Folder;

#[test]
fn the_command_reproduces_the_intervals_of_the_document() {
    let folder = Folder::new();
    let out = folder
        .ign(&["endgame", "KQK", "--fix", "WK=e8,BK=a8"])
        .done();
    let out = String::from_utf8(out).unwrap();
    let line = |start: &str| {
        let line = out.lines().find(|line| line.starts_with(start)).unwrap();
        line.split_whitespace()
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(line("F1").last().unwrap(), "10");
    assert_eq!(line("F2").last().unwrap(), "2");
    let best = line("plain order");
    assert_eq!(best[best.len() - 2..], ["2", "720"]);
    assert!(out.contains("positions 45, values 2"), "{out}");
    let order = [
        "endgame",
        "KQK",
        "--fix",
        "WK=e8,BK=a8",
        "--json",
        "--order",
    ];
    let json = folder
        .ign(&[&order[..], &["BKR BKF WKR WKF WQR WQF"]].concat())
        .done();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["families"][0]["intervals"], 10);
}

#[test]
fn looks_positions_up_in_a_written_table() {
    let folder = Folder::new();
    let order = "BKR WKF WKR BKF WQR WQF";
    folder
        .ign(&["endgame", "KQK", "--order", order, "-o", "kqk.m"])
        .done();
    folder
        .ign(&["endgame", "KQK", "--order", order, "-o", "kqk.m"])
        .failed(1, "already exists");
    let answer = |table: &str, fen: &str| {
        let out = String::from_utf8(folder.ign(&["endgame", table, fen]).done()).unwrap();
        out.lines().next().unwrap().to_string()
    };
    for fen in ["8/8/8/8/8/2k5/8/KQ6 w - -", "k7/8/1K6/8/8/8/8/6Q1 w - -"] {
        assert_eq!(answer("KQK", fen), answer("kqk.m", fen));
        assert!(answer("kqk.m", fen).starts_with("White mates in "));
    }
    let table = String::from_utf8(folder.ign(&["endgame", "kqk.m"]).done()).unwrap();
    assert!(table.contains(order), "{table}");
    folder
        .ign(&["endgame", "KQK", "--order", order, "--raw", "-o", "kqk.raw"])
        .done();
    assert_eq!(folder.read("kqk.raw").len(), 262_144);
    folder
        .ign(&["endgame", "kqk.raw"])
        .failed(2, "kqk.raw: no endgame frame");
    let mut bytes = folder.read("kqk.m");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("bad.m", bytes);
    folder
        .ign(&["endgame", "bad.m", "k7/8/1K6/8/8/8/8/6Q1 w - -"])
        .failed(2, "bad.m: the checksum");
}

#[test]
fn rejects_invalid_arguments() {
    let folder = Folder::new();
    for (args, words) in [
        (&["KQ"][..], "'KQ' is not an endgame"),
        (&["KQRBK"], "at most four in all"),
        (&["missing.m"], "is not an endgame"),
        (&["KQK", "8/8/8 w"], "is not a position"),
        (
            &["KQK", "k7/8/1K6/8/8/8/8/7R w - -"],
            "one of KRK, not of KQK",
        ),
        (&["KRK", "4k3/8/8/8/8/8/8/4K2R w K -"], "castling rights"),
        (
            &["KQK", "--order", "WKR"],
            "is not an order of all coordinates",
        ),
        (&["KQK", "--fix", "WR=e4"], "is not a piece and its square"),
        (&["KQK", "--fix", "WQ=e9"], "is not a piece and its square"),
        (&["KQK", "--fix", "WK=e8,BK=e8"], "on one square"),
        (&["KQK", "--fix", "WK=e8,WK=e7"], "on two squares"),
        (&["KPK", "--fix", "WP=e1"], "is a pawn on rank 1 or 8"),
        (&["KQK", "-o", "-"], "name a file"),
    ] {
        folder.ign(&[&["endgame"], args].concat()).failed(1, words);
    }
}
