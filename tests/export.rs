//! Does `ign export` write the tables that it promises, in every format?

use std::fs::File;

use arrow_array::{Array as _, RecordBatch, cast::AsArray as _, types::UInt64Type};
use parquet::{arrow::arrow_reader::ParquetRecordBatchReaderBuilder, basic::Compression};
use serde_json::Value;

use ign_testing::games;

use crate::util::Folder;

const GAMES: &str = "\
[White \"Ann\"]\n[Black \"Ben, \\\"B\\\"\"]\n[WhiteElo \"2100\"]\n[Date \"2013.01.05\"]\n[Annotator \"A\"]\n\n1. e4 { [%clk 0:03:00] } e5 { [%clk 0:02:59.9] } *\n
[White \"Cleo\"]\n[Black \"Ann\"]\n[WhiteElo \"?\"]\n\n1. d4 { good, \"sharp\" } d5 2. c4 *\n
[White \"Ann\"]\n[Black \"Dan\"]\n[WhiteElo \"1900\"]\n\n1. c4 Ke7 *\n";

const COLUMNS: &str = "number,White,Black,WhiteElo,Date,moves,clocks,comments,other_tags";

/// A folder with the games as PGN and as an archive.
fn folder() -> Folder {
    let folder = Folder::with("g.pgn", GAMES);
    folder.ign(&["pack", "-q", "g.pgn"]).done();
    folder
}

fn parquet(folder: &Folder, name: &str) -> (Vec<RecordBatch>, usize) {
    let file = File::open(folder.path(name)).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let metadata = reader.metadata().clone();
    for group in metadata.row_groups() {
        for column in group.columns() {
            assert!(matches!(column.compression(), Compression::ZSTD(_)));
            assert!(column.statistics().is_some(), "{}", column.column_path());
        }
    }
    let batches = reader.build().unwrap().map(Result::unwrap).collect();
    (batches, metadata.num_row_groups())
}

fn numbers(batches: &[RecordBatch]) -> Vec<u64> {
    let columns = batches
        .iter()
        .map(|batch| batch.column_by_name("number").unwrap());
    columns
        .flat_map(|column| column.as_primitive::<UInt64Type>().values().to_vec())
        .collect()
}

#[test]
fn csv_has_a_line_per_game_with_lists_as_text() {
    let folder = folder();
    for input in ["g.ign", "g.pgn"] {
        let out = folder.ign(&[
            "export",
            input,
            "-c",
            "--format",
            "csv",
            "--columns",
            COLUMNS,
        ]);
        assert_eq!(
            String::from_utf8(out.done()).unwrap(),
            "number,White,Black,WhiteElo,Date,moves,clocks,comments,other_tags\n\
             1,Ann,\"Ben, \"\"B\"\"\",2100,2013-01-05,e2e4 e7e5,180.0 179.9,\
             \"[{\"\"ply\"\":1,\"\"text\"\":\"\"[%clk 0:03:00]\"\"},{\"\"ply\"\":2,\"\"text\"\":\"\"[%clk 0:02:59.9]\"\"}]\",\
             \"[{\"\"name\"\":\"\"Annotator\"\",\"\"value\"\":\"\"A\"\"}]\"\n\
             2,Cleo,Ann,,,d2d4 d7d5 c2c4,,\"[{\"\"ply\"\":1,\"\"text\"\":\"\"good, \\\"\"sharp\\\"\"\"\"}]\",\
             \"[{\"\"name\"\":\"\"WhiteElo\"\",\"\"value\"\":\"\"?\"\"}]\"\n\
             3,Ann,Dan,1900,,c2c4,,,\n"
        );
    }
}

#[test]
fn json_lines_are_objects_with_arrays_and_nulls() {
    let folder = folder();
    folder
        .ign(&["export", "g.ign", "-q", "-o", "g.jsonl"])
        .done();
    let text = String::from_utf8(folder.read("g.jsonl")).unwrap();
    let games: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 3);
    assert_eq!(games[0]["Black"], "Ben, \"B\"");
    assert_eq!(games[0]["clocks"], serde_json::json!([180.0, 179.9]));
    assert_eq!(games[1]["WhiteElo"], Value::Null);
    assert_eq!(games[1]["comments"][0]["text"], "good, \"sharp\"");
    assert_eq!(games[2]["moves"], serde_json::json!(["c2c4"]));
    assert_eq!(games[2]["plies"], 1);
    assert!(games[0].get("pgn").is_none());
}

#[test]
fn parquet_and_arrow_files_hold_the_same_rows() {
    let folder = Folder::with("g.pgn", games(3000));
    folder.ign(&["pack", "-q", "-B", "256K", "g.pgn"]).done();
    for name in ["g.parquet", "g.arrow"] {
        folder.ign(&["export", "g.ign", "-q", "-o", name]).done();
    }
    let (batches, _) = parquet(&folder, "g.parquet");
    assert_eq!(numbers(&batches), (1..=3000).collect::<Vec<_>>());
    let file = File::open(folder.path("g.arrow")).unwrap();
    let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
    let arrow: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    assert!(arrow.len() > 1, "several blocks");
    let texts = |batches: &[RecordBatch], name: &str| -> Vec<Option<String>> {
        let columns = batches
            .iter()
            .map(|batch| batch.column_by_name(name).unwrap().clone());
        columns
            .flat_map(|column| {
                let text = column.as_string::<i32>().iter();
                text.map(|value| value.map(str::to_owned))
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    for name in ["Event", "White", "Result", "Opening", "signature"] {
        assert_eq!(texts(&batches, name), texts(&arrow, name), "{name}");
    }
    let lens = |batches: &[RecordBatch]| -> Vec<usize> {
        let columns = batches
            .iter()
            .map(|batch| batch.column_by_name("moves").unwrap());
        columns
            .flat_map(|lists| (0..lists.len()).map(|row| lists.as_list::<i32>().value(row).len()))
            .collect()
    };
    assert_eq!(lens(&batches), lens(&arrow));
    assert!(lens(&batches).iter().sum::<usize>() > 100_000);
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::with("g.pgn", games(500));
    folder.ign(&["pack", "-q", "g.pgn"]).done();
    for threads in ["1", "3"] {
        let name = format!("{threads}.parquet");
        folder
            .ign(&["export", "-q", "-T", threads, "g.ign", "-o", &name])
            .done();
    }
    assert!(folder.read("1.parquet") == folder.read("3.parquet"));
}

#[test]
fn conditions_choose_rows_and_no_row_is_no_file() {
    let folder = folder();
    let ann = [
        "export",
        "g.ign",
        "-q",
        "--white",
        "ann",
        "-o",
        "ann.parquet",
        "--columns",
        "number",
    ];
    folder.ign(&ann).done();
    assert_eq!(numbers(&parquet(&folder, "ann.parquet").0), [1, 3]);
    let nobody = ["export", "g.ign", "--white", "Zoe", "-o", "zoe.csv"];
    folder
        .ign(&nobody)
        .failed(1, "no game meets the conditions");
    assert_eq!(folder.names(), ["ann.parquet", "g.ign", "g.pgn"]);
}

#[test]
fn nothing_is_written_to_standard_output_before_the_first_row() {
    let folder = folder();
    let out = folder.ign(&["export", "g.ign", "-c", "--format", "csv", "--white", "Zoe"]);
    assert!(out.out.is_empty());
    out.failed(1, "no game meets the conditions");
    let mut bytes = folder.read("g.ign");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("damaged.ign", bytes);
    let out = folder.ign(&["export", "damaged.ign", "-c", "--format", "csv"]);
    assert!(out.out.is_empty());
    out.failed(2, "damaged.ign");
    folder.write("empty.pgn", "");
    let columns = [
        "export",
        "-q",
        "empty.pgn",
        "-c",
        "--format",
        "csv",
        "--columns",
        "White, plies",
    ];
    assert_eq!(folder.ign(&columns).done(), b"White,plies\n");
}

#[test]
fn errors_say_what_is_wrong_and_leave_no_file() {
    let folder = folder();
    let run = |args: &[&str]| folder.ign(&[&["export"], args].concat());
    run(&["none.ign", "-o", "a.csv"]).failed(1, "none.ign");
    run(&["g.ign"]).failed(1, "-o");
    run(&["g.ign", "-c"]).failed(1, "--format");
    run(&["g.ign", "-o", "a.xls"]).failed(1, ".parquet");
    run(&["g.ign", "-o", "a"]).failed(1, ".parquet");
    run(&["g.ign", "-o", "a.pgn"]).failed(1, "ign find --pgn");
    run(&["g.ign", "-o", "a.csv", "--columns", "white"]).failed(1, "'white'");
    run(&["g.ign", "-o", "a.csv", "--columns", "white"]).failed(1, "did you mean White?");
    run(&[
        "g.ign",
        "-o",
        "a.csv",
        "--positions",
        "--columns",
        "whiteelo",
    ])
    .failed(1, "did you mean WhiteElo?");
    run(&["g.ign", "-o", "a.csv", "--columns", "White,White"]).failed(1, "twice");
    run(&["g.ign", "-o", "a.csv", "--min-ply", "x"]).failed(1, "write a whole number");
    folder.write("old.csv", "old");
    run(&["g.ign", "-o", "old.csv"]).failed(1, "already exists");
    run(&["g.ign", "-q", "-f", "-o", "old.csv"]).done();
    let mut bytes = folder.read("g.ign");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("damaged.ign", bytes);
    run(&["damaged.ign", "-o", "a.parquet"]).failed(2, "damaged.ign");
    assert_eq!(folder.names(), ["damaged.ign", "g.ign", "g.pgn", "old.csv"]);
}

#[test]
fn several_inputs_are_one_table_numbered_on() {
    let folder = folder();
    folder
        .ign(&["index", "-q", "g.ign", "g.ign", "-o", "both.idx"])
        .done();
    let export = |arguments: &[&str]| {
        let common = ["export", "-q", "g.ign", "g.ign", "-c", "--format", "csv"];
        let columns = ["--columns", "number,White"];
        let out = folder.ign(&[&common[..], &columns, arguments].concat());
        String::from_utf8(out.done()).unwrap()
    };
    assert_eq!(
        export(&[]),
        "number,White\n1,Ann\n2,Cleo\n3,Ann\n4,Ann\n5,Cleo\n6,Ann\n"
    );
    for index in [&["--no-index"][..], &["--index", "both.idx"], &[]] {
        let arguments = [&["--white", "Cleo"], index].concat();
        assert_eq!(export(&arguments), "number,White\n2,Cleo\n5,Cleo\n");
    }
    let out = folder.ign(&[
        "export",
        "-q",
        "g.ign",
        "g.pgn",
        "-c",
        "--format",
        "csv",
        "--positions",
        "--columns",
        "game,ply",
        "--white",
        "Cleo",
    ]);
    assert_eq!(
        String::from_utf8(out.done()).unwrap(),
        "game,ply\n2,0\n2,1\n2,2\n5,0\n5,1\n5,2\n"
    );
}

#[test]
fn what_leaves_out_all_rows_is_said() {
    let folder = folder();
    let export = |options: &[&str]| {
        let all = [&["export", "g.ign", "-f", "-o", "out.csv"][..], options].concat();
        folder.ign(&all)
    };
    export(&["--skip", "3"]).failed(1, "--skip 3 leaves out all 3 games");
    let white = ["--white", "Ann"];
    let skipped = [&white[..], &["--skip", "2"]].concat();
    export(&skipped).failed(1, "--skip 2 leaves out all 2 games");
    let late = [&white[..], &["--positions", "--min-ply", "9"]].concat();
    export(&late).failed(1, "no position meets the conditions");
    export(&["--white", "Nobody"]).failed(1, "no game meets the conditions");
    // Without a condition a table may be empty.
    export(&["--positions", "--min-ply", "9"]).done();
}
