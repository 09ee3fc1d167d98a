//! Parquet files, whose columns are encoded in parallel.
//!
//! Batches are collected into row groups. Each column of a row group has an encoder of its own, so
//! threads encode several columns of a batch at once. The encoded and compressed pages are in
//! memory until the row group is complete; then they are written one after the other.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use ign_archive::{Error, Result};
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_writer::{
            ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory,
            ArrowWriterOptions, compute_leaves,
        },
    },
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
};
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use super::WriteOptions;
use crate::error::error_of_parquet;

/// The level of zstd.
const LEVEL: i32 = 3;

/// A Parquet file that is being written.
pub struct ParquetFile<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    pool: ThreadPool,
    max_rows: usize,
    /// The encoders of the columns of the current row group; empty before its first row.
    columns: Vec<ArrowColumnWriter>,
    /// The rows of the current row group.
    rows: usize,
    row_groups: usize,
}

impl<W: Write + Send> ParquetFile<W> {
    pub fn new(out: W, schema: SchemaRef, options: WriteOptions) -> Result<Self> {
        let level = ZstdLevel::try_new(LEVEL).map_err(error_of_parquet)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by(concat!("ign ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        // Readers get the types that Parquet has: text rather than dictionaries.
        let options_of_arrow = ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(out, schema.clone(), options_of_arrow);
        let (file, factory) = writer
            .and_then(ArrowWriter::into_serialized_writer)
            .map_err(error_of_parquet)?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .build();
        Ok(Self {
            file,
            factory,
            schema,
            pool: pool.map_err(Error::threads)?,
            max_rows: options.row_group_rows,
            columns: Vec::new(),
            rows: 0,
            row_groups: 0,
        })
    }

    /// Appends a batch, which may end row groups.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut start = 0;
        while start < batch.num_rows() {
            let rows = (batch.num_rows() - start).min(self.max_rows - self.rows);
            self.encode(&batch.slice(start, rows))
                .map_err(error_of_parquet)?;
            self.rows += rows;
            start += rows;
            if self.rows == self.max_rows {
                self.end_row_group().map_err(error_of_parquet)?;
            }
        }
        Ok(())
    }

    /// Encodes rows of the current row group.
    fn encode(&mut self, batch: &RecordBatch) -> std::result::Result<(), ParquetError> {
        if self.columns.is_empty() {
            self.columns = self.factory.create_column_writers(self.row_groups)?;
        }
        let fields = self.schema.fields();
        let arrays = batch.columns();
        let columns = &mut self.columns;
        self.pool.install(|| {
            let leaves: Vec<ArrowLeafColumn> = fields
                .par_iter()
                .zip(arrays)
                .map(|(field, array)| compute_leaves(field, array))
                .collect::<std::result::Result<Vec<Vec<ArrowLeafColumn>>, _>>()?
                .into_iter()
                .flatten()
                .collect();
            columns
                .par_iter_mut()
                .zip(leaves)
                .with_max_len(1)
                .try_for_each(|(column, leaf)| column.write(&leaf))
        })
    }

    /// Writes the current row group.
    fn end_row_group(&mut self) -> std::result::Result<(), ParquetError> {
        let columns = std::mem::take(&mut self.columns);
        let chunks: std::result::Result<Vec<ArrowColumnChunk>, _> = self.pool.install(|| {
            let columns = columns.into_par_iter().with_max_len(1);
            columns.map(ArrowColumnWriter::close).collect()
        });
        let mut row_group = self.file.next_row_group()?;
        for chunk in chunks? {
            chunk.append_to_row_group(&mut row_group)?;
        }
        row_group.close()?;
        self.rows = 0;
        self.row_groups += 1;
        Ok(())
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<W> {
        if self.rows > 0 {
            self.end_row_group().map_err(error_of_parquet)?;
        }
        self.file.into_inner().map_err(error_of_parquet)
    }
}
