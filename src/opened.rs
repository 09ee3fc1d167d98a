//! Inputs that are archives, or are packed into temporary ones.

use std::{
    io::{BufWriter, IntoInnerError},
    ops::ControlFlow,
};

use super::output::BUFFER_LEN;
use ign_archive::{Archive, Coding, Input, Packer, Progress, Result, pack::AnonymousTempFile};

/// Opens an archive, or packs a text into a temporary one. `verify` is set if the text is needed
/// again.
///
/// # Errors
/// Io; those of [`Archive::open`] and [`Packer::pack`].
pub fn open(
    input: Input,
    verify: bool,
    threads: usize,
    on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Archive> {
    if let Some(path) = input.path()
        && input.is_archive()?
    {
        return Archive::open(path);
    }
    let packer = Packer::new()
        .coding(Coding::Ign)
        .level(1)
        .verify(verify)
        .threads(threads)
        .on_progress(on_progress);
    let name = input.display();
    let out = BufWriter::with_capacity(BUFFER_LEN, AnonymousTempFile::new()?);
    let (out, _) = packer.pack([input], out)?;
    let packed = out.into_inner().map_err(IntoInnerError::into_error)?;
    Archive::from_read_at(packed, name)
}
