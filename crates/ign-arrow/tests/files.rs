//! Do files have the rows and values that were written to them?

use std::io::{Seek, Write};

use crate::util::{ODD, archive};
use arrow_array::{cast::AsArray, types::UInt64Type};
use ign_archive::Coding;
use ign_arrow::{
    Format, GameColumn, RecordBatches, WriteOptions, Writer, arrow_array, error_of_arrow,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Writes columns of the games of `ODD`, which are in blocks of several games.
fn write<W: Write + Send>(format: Format, out: W, names: &[&str], options: WriteOptions) -> W {
    let archive = archive(ODD, Coding::Ign, 1 << 20);
    let columns = GameColumn::named_all(names).unwrap();
    let batches = RecordBatches::of(archive.scan(), &columns, format.encoding());
    let mut writer = Writer::new(format, out, batches.schema(), options).unwrap();
    for batch in batches {
        writer
            .write(&batch.map_err(error_of_arrow).unwrap())
            .unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn a_batch_is_split_over_row_groups_without_losing_rows() {
    let out = tempfile::tempfile().unwrap();
    let options = WriteOptions::default().row_group_rows(3).threads(2);
    let mut file = write(Format::Parquet, out, &["number", "White", "moves"], options);
    file.rewind().unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let groups = reader.metadata().row_groups();
    let rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows, [3, 3, 3, 3, 2]);
    let numbers = reader.build().unwrap().flat_map(|batch| {
        let batch = batch.unwrap();
        batch
            .column(0)
            .as_primitive::<UInt64Type>()
            .values()
            .to_vec()
    });
    assert_eq!(numbers.collect::<Vec<_>>(), (1..=14).collect::<Vec<u64>>());
}

#[test]
fn csv_has_lists_of_structures_as_json() {
    let names = ["number", "comments", "other_tags"];
    let csv = write(Format::Csv, Vec::new(), &names, WriteOptions::default());
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "number,comments,other_tags");
    let several = concat!(
        r#"3,"[{""ply"":1,""text"":""[%eval 0.2,18] [%clk 0:02:59.9]""},"#,
        r#"{""ply"":2,""text"":""[%clk 0:03:00]""},{""ply"":3,""text"":""best""},"#,
        r#"{""ply"":3,""text"":""[%eval #-12]""}]","#,
        r#""[{""name"":""Date"",""value"":""1997.??.??""},{""name"":""PlyCount"",""value"":""3""}]""#,
    );
    assert_eq!(lines[3], several);
    assert_eq!(lines[5], "5,,");
    assert_eq!(
        lines[10],
        r#"10,,"[{""name"":""Annotator"",""value"":""An""}]""#
    );
}

/// An output that fails after some bytes.
struct Failing {
    left: usize,
    kind: std::io::ErrorKind,
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = bytes.len().min(self.left);
        self.left -= written;
        if written == 0 && !bytes.is_empty() {
            return Err(self.kind.into());
        }
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_error_of_the_output_is_kept_in_every_format() {
    use ign_archive::ErrorKind;
    use std::io::ErrorKind::{BrokenPipe, StorageFull};

    let archive = archive(ODD, Coding::Ign, 1 << 20);
    let columns = GameColumn::named_all(["number", "White", "moves"]).unwrap();
    for format in [
        Format::Csv,
        Format::JsonLines,
        Format::Arrow,
        Format::Parquet,
    ] {
        for left in [0, 3, 100] {
            for (kind, expected) in [
                (BrokenPipe, ErrorKind::ClosedPipe),
                (StorageFull, ErrorKind::Io),
            ] {
                let written = || {
                    let batches = RecordBatches::of(archive.scan(), &columns, format.encoding());
                    let (schema, out) = (batches.schema(), Failing { left, kind });
                    let mut writer = Writer::new(format, out, schema, WriteOptions::default())?;
                    for batch in batches {
                        writer.write(&batch.map_err(error_of_arrow)?)?;
                    }
                    writer.finish().map(|_| ())
                };
                let error = written().unwrap_err();
                assert_eq!(error.kind(), expected, "{format:?} {left}: {error}");
            }
        }
    }
}
