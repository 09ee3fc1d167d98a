//! Models as blocks (spec §3.4): those that an archive holds, and the file of a model.

use std::{
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use ign_format::{
    block::{decode::Block, encode_model_of, is_model},
    container::{MAX_MODEL_LEN, block_head::Head, frame, index::BlockEntry},
    error::{Error, Kind as ErrorKind, Remedy, Result},
    models::{ModelSource, Models, PUBLISHED},
};

pub use ign_format::models::ModelId;

use crate::{check::frames::read_at, location::Location, source::ReadAt};

/// The zstd level of the file of the built-in model: a higher one saves less than 1%.
const MODEL_LEVEL: i32 = 3;

/// The blocks of an archive that may be models: those without text.
struct EmbeddedModels {
    source: Arc<dyn ReadAt>,
    size: u64,
    blocks: Vec<BlockEntry>,
}

impl fmt::Debug for EmbeddedModels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.blocks).finish()
    }
}

impl ModelSource for EmbeddedModels {
    fn data(&self, id: ModelId) -> Result<Option<Vec<u8>>> {
        let mut damage = None;
        for block in &self.blocks {
            let read = |len| read_at(&*self.source, self.size, block.offset, len);
            let found = || {
                let head = Head::read(&read(block.head_len)?)?;
                let is_named = head.models.contains(&id);
                is_named
                    .then(|| model(&read(block.stored_len)?))
                    .transpose()
            };
            // A damaged copy does not matter if another one is whole.
            match found().map(Option::flatten) {
                Ok(None) => {}
                Ok(Some((_, data))) => return Ok(Some(data)),
                Err(error) if error.is_data_error() => damage = Some(error),
                Err(error) => return Err(error),
            }
        }
        let Some(error) = damage else {
            return Ok(None);
        };
        let message = format!(
            "the {} that the archive holds is damaged: {}",
            id.name(),
            error.message()
        );
        Err(error.with_message(message).with_remedy(Remedy::OtherModel))
    }
}

/// A model in a file of its own, which [`Packer::model`](crate::Packer::model) takes. The file is
/// the block that an archive holds (spec §3.4); `ign train` writes it.
#[derive(Debug, Clone)]
pub struct ModelFile {
    path: PathBuf,
    id: ModelId,
    data: Vec<u8>,
}

impl ModelFile {
    /// Reads the file at a path.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt), if it is not a model
    /// or damaged; [`Usage`](crate::ErrorKind::Usage), if the path is an address of a server.
    ///
    /// # Example
    /// ```no_run
    /// use ign_archive::{Input, ModelFile, Packer};
    ///
    /// let model = ModelFile::open("club.model")?;
    /// let out = std::fs::File::create("club.ign").unwrap();
    /// Packer::new().model(&model)?.pack([Input::file("club.pgn")], out)?;
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let read = || {
            if Location::of(path)?.path().is_none() {
                let error =
                    Error::usage("is on a server, and models are read on this machine only");
                return Err(error.with_remedy("download it first"));
            }
            // The block of a model is never longer.
            let limit = 3 * MAX_MODEL_LEN;
            let mut bytes = Vec::new();
            File::open(path)?.take(limit).read_to_end(&mut bytes)?;
            let found = match frame::Kind::of(&bytes) {
                Some(frame::Kind::Block) => model(&bytes).map_err(damaged)?,
                _ => None,
            };
            found.ok_or_else(|| {
                Error::corrupt("not a model of ign").with_remedy("name a file that ign train wrote")
            })
        };
        let (id, data) = read().map_err(|error| error.in_file(path))?;
        Ok(Self {
            path: path.to_path_buf(),
            id,
            data,
        })
    }

    /// The bytes of the file of the built-in move model.
    ///
    /// # Errors
    /// [`Internal`](crate::ErrorKind::Internal).
    pub fn builtin_bytes() -> Result<Vec<u8>> {
        let model = encode_model_of(Models::builtin(), PUBLISHED[0], MODEL_LEVEL)?;
        model
            .map(|block| block.bytes)
            .ok_or_else(|| Error::internal("the program has no move model"))
    }

    /// Where it was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The identity of the model.
    pub fn id(&self) -> ModelId {
        self.id
    }

    /// These models and this one, which packing prefers.
    ///
    /// # Errors
    /// Corrupt; unsupported.
    pub(crate) fn add_to(&self, models: &Models) -> Result<Models> {
        let models = models.with_data(self.id.architecture, &self.data);
        models.map_err(|error| damaged(error).in_file(&self.path))
    }
}

/// The error of a model whose file is damaged, with what helps.
fn damaged(error: Error) -> Error {
    if error.kind() != ErrorKind::Corrupt {
        return error;
    }
    let message = format!("the model is damaged: {}", error.message());
    error.with_message(message).with_remedy(
        "copy the file again from an intact original, or train the model again with ign train",
    )
}

/// The model that the block with these bytes is.
fn model(bytes: &[u8]) -> Result<Option<(ModelId, Vec<u8>)>> {
    Block::open(bytes)?.model_data()
}

/// The models of an archive with these blocks, which are read when they are needed.
pub(crate) fn of_archive(source: &Arc<dyn ReadAt>, size: u64, blocks: &[BlockEntry]) -> Models {
    let blocks: Vec<BlockEntry> = candidates(blocks).copied().collect();
    if blocks.is_empty() {
        return Models::default();
    }
    Models::of_source(Arc::new(EmbeddedModels {
        source: source.clone(),
        size,
        blocks,
    }))
}

/// The models of blocks of a file that may be damaged, read at once, after those of files. Those
/// that are damaged are left out.
///
/// # Errors
/// Io; corrupt and unsupported, if the program cannot use the model of a file.
pub(crate) fn of_blocks<'b>(
    source: &dyn ReadAt,
    size: u64,
    blocks: impl IntoIterator<Item = &'b BlockEntry>,
    files: &[ModelFile],
) -> Result<Models> {
    let start = Models::default();
    let mut models = (files.iter()).try_fold(start, |models, file| file.add_to(&models))?;
    for block in candidates(blocks) {
        let bytes = read_at(source, size, block.offset, block.stored_len);
        let known = bytes.and_then(|bytes| match model(&bytes)? {
            Some((id, data)) if !models.holds(id) => models.with_data(id.architecture, &data),
            _ => Ok(models.clone()),
        });
        match known {
            Ok(known) => models = known,
            Err(error) if error.is_data_error() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(models)
}

/// The blocks that may be models.
fn candidates<'b>(
    blocks: impl IntoIterator<Item = &'b BlockEntry>,
) -> impl Iterator<Item = &'b BlockEntry> {
    blocks.into_iter().filter(|block| block.text_len == 0)
}

/// The head of a block of a file that may be damaged; `None` if it is damaged, or of a later
/// version.
///
/// # Errors
/// Io.
pub(crate) fn head(source: &dyn ReadAt, size: u64, block: &BlockEntry) -> Result<Option<Head>> {
    if block.offset.saturating_add(block.head_len) > size {
        return Ok(None);
    }
    let bytes = read_at(source, size, block.offset, block.head_len)?;
    Ok(Head::read(&bytes).ok())
}

/// The identities of the models that an archive holds, without those whose heads are damaged.
///
/// # Errors
/// Io.
pub(crate) fn ids(archive: &crate::Archive) -> Result<Vec<ModelId>> {
    let mut ids = Vec::new();
    for (number, block) in archive.blocks().iter().enumerate() {
        if block.text_len > 0 {
            continue;
        }
        match archive.block_head(number) {
            Ok(head) if is_model(&head) => ids.push(head.models[0]),
            Ok(_) => {}
            Err(error) if error.is_data_error() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(ids)
}
