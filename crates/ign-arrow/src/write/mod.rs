//! Writes record batches of any schema to files.
//!
//! | file | holds |
//! | --- | --- |
//! | `parquet` | Parquet: columns encoded in parallel |
//! | `flat` | lists as text, for CSV |
//! | `out` | the error of the output, which encoders lose |

mod flat;
mod out;
mod parquet;

use std::{fmt, io::Write, path::Path};

use arrow_array::{RecordBatch, cast::AsArray};
use arrow_csv::WriterBuilder as CsvBuilder;
use arrow_ipc::writer::FileWriter;
use arrow_json::{LineDelimitedWriter, WriterBuilder as JsonBuilder, writer::LineDelimited};
use arrow_schema::{DataType, SchemaRef};
use ign_archive::{Error, Result};

use self::{
    out::{Kept, Out},
    parquet::ParquetFile,
};
use crate::{encoding::Encoding, error::error_of_arrow};

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// The file format of Arrow IPC, also called Feather version 2, without compression.
    Arrow,
    /// Comma-separated values with a header line; a null is an empty field. Items of lists are
    /// separated by spaces, and lists of structures are JSON.
    Csv,
    /// A JSON object per line.
    JsonLines,
    /// A position per line. The table has one column, of strings.
    Epd,
}

impl Format {
    /// The formats with the extensions of their files.
    pub const EXTENSIONS: [(&'static str, Self); 7] = [
        ("parquet", Self::Parquet),
        ("arrow", Self::Arrow),
        ("feather", Self::Arrow),
        ("csv", Self::Csv),
        ("jsonl", Self::JsonLines),
        ("ndjson", Self::JsonLines),
        ("epd", Self::Epd),
    ];

    /// The format with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let mut formats = Self::EXTENSIONS.into_iter();
        formats.find_map(|(known, format)| (known == extension).then_some(format))
    }

    /// The format of a file, by the extension of its name.
    ///
    /// # Errors
    /// Usage if the extension is of no format.
    pub fn of_path(path: &Path) -> Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.and_then(Self::of_extension).ok_or_else(|| {
            let known = Self::EXTENSIONS.map(|(extension, _)| format!(".{extension}"));
            Error::usage("the extension of the file names no format")
                .with_remedy(format!("use one of {}", known.join(", ")))
                .in_file(path)
        })
    }

    /// Whether a file of this format is text.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::JsonLines | Self::Epd)
    }

    /// The encoding of batches that suits the format. An Arrow file allows one dictionary for each
    /// column: that of moves is the same in all batches, those of text are not.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::Arrow => Encoding {
                text: false,
                moves: true,
            },
            Self::Parquet | Self::Csv | Self::JsonLines => Encoding::DICTIONARY,
            Self::Epd => Encoding::PLAIN,
        }
    }
}

/// Options of a [`Writer`].
#[derive(Debug, Clone, Copy)]
pub struct WriteOptions {
    threads: usize,
    row_group_rows: usize,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            row_group_rows: Self::ROW_GROUP_ROWS,
        }
    }
}

impl WriteOptions {
    /// The maximum number of rows of a row group of a Parquet file, unless chosen otherwise.
    pub const ROW_GROUP_ROWS: usize = 1 << 17;

    /// Sets the number of threads that encode the columns of a Parquet file. The default is 1. The
    /// file does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets the maximum number of rows of a row group of a Parquet file. The encoded columns of a
    /// row group are in memory until it is complete.
    #[must_use]
    pub fn row_group_rows(mut self, rows: usize) -> Self {
        self.row_group_rows = rows.max(1);
        self
    }
}

/// Writes record batches of one schema to a file. [`finish`](Self::finish) completes the file.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let text = b"[White \"Ann\"]\n\n1. e4 e5 *\n";
/// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
/// # let archive = Archive::from_read_at(bytes, "a.ign")?;
/// use ign_arrow::{Format, GameColumn, RecordBatches, WriteOptions, Writer, error_of_arrow};
///
/// let format = Format::Csv;
/// let columns = GameColumn::named_all(["number", "White", "moves"])?;
/// let batches = RecordBatches::of(archive.scan(), &columns, format.encoding());
/// let mut writer = Writer::new(format, Vec::new(), batches.schema(), WriteOptions::default())?;
/// for batch in batches {
///     writer.write(&batch.map_err(error_of_arrow)?)?;
/// }
/// assert_eq!(writer.finish()?, b"number,White,moves\n1,Ann,e2e4 e7e5\n");
/// # Ok::<(), ign_archive::Error>(())
/// ```
pub struct Writer<W: Write + Send> {
    encoder: Encoder<Out<W>>,
    /// The error of the output.
    kept: Kept,
}

impl<W: Write + Send> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

enum Encoder<W: Write + Send> {
    Parquet(Box<ParquetFile<W>>),
    Arrow(Box<FileWriter<W>>),
    Csv {
        writer: Box<arrow_csv::Writer<W>>,
        schema: SchemaRef,
        /// Whether the header is written.
        has_header: bool,
    },
    JsonLines(Box<arrow_json::Writer<W, LineDelimited>>),
    Lines(W),
}

impl<W: Write + Send> Writer<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// Io; unsupported if the format cannot hold the schema.
    pub fn new(format: Format, out: W, schema: SchemaRef, options: WriteOptions) -> Result<Self> {
        let (out, kept) = Out::new(out);
        let encoder = kept.or(Encoder::new(format, out, schema, options))?;
        Ok(Self { encoder, kept })
    }

    /// Appends a batch.
    ///
    /// # Errors
    /// Io; closed pipe; internal if the batch has another schema.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.kept.or(self.encoder.write(batch))
    }

    /// Completes the file and returns what it was written to.
    ///
    /// # Errors
    /// Io; closed pipe.
    pub fn finish(self) -> Result<W> {
        self.kept.or(self.encoder.finish()).map(Out::into_inner)
    }
}

impl<W: Write + Send> Encoder<W> {
    fn new(format: Format, out: W, schema: SchemaRef, options: WriteOptions) -> Result<Self> {
        Ok(match format {
            Format::Parquet => Self::Parquet(Box::new(ParquetFile::new(out, schema, options)?)),
            Format::Arrow => {
                let writer = FileWriter::try_new(out, &schema).map_err(error_of_arrow)?;
                Self::Arrow(Box::new(writer))
            }
            Format::Csv => Self::Csv {
                writer: Box::new(CsvBuilder::new().build(out)),
                schema: flat::schema(&schema),
                has_header: false,
            },
            Format::JsonLines => {
                let builder = JsonBuilder::new().with_explicit_nulls(true);
                let writer: LineDelimitedWriter<W> = builder.build(out);
                Self::JsonLines(Box::new(writer))
            }
            Format::Epd => {
                let types: Vec<&DataType> = schema.fields().iter().map(|f| f.data_type()).collect();
                if types != [&DataType::Utf8] {
                    return Err(Error::unsupported(
                        "a list of positions has one column of text",
                    ));
                }
                Self::Lines(out)
            }
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match self {
            Self::Parquet(file) => file.write(batch),
            Self::Arrow(writer) => writer.write(batch).map_err(error_of_arrow),
            Self::Csv {
                writer,
                schema,
                has_header,
            } => {
                *has_header = true;
                let batch = flat::batch(schema, batch)?;
                writer.write(&batch).map_err(error_of_arrow)
            }
            Self::JsonLines(writer) => writer.write(batch).map_err(error_of_arrow),
            Self::Lines(out) => {
                for line in batch.column(0).as_string::<i32>().iter().flatten() {
                    writeln!(out, "{line}")?;
                }
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<W> {
        match self {
            Self::Parquet(file) => file.finish(),
            Self::Arrow(writer) => writer.into_inner().map_err(error_of_arrow),
            Self::Csv {
                mut writer,
                schema,
                has_header,
            } => {
                if !has_header {
                    let empty = RecordBatch::new_empty(schema);
                    writer.write(&empty).map_err(error_of_arrow)?;
                }
                // The writer does not panic here: it flushes after each batch.
                Ok(writer.into_inner())
            }
            Self::JsonLines(mut writer) => {
                writer.finish().map_err(error_of_arrow)?;
                Ok(writer.into_inner())
            }
            Self::Lines(out) => Ok(out),
        }
    }
}
