//! Inputs that are archives, or are packed into temporary ones.

use std::{io::Write, ops::ControlFlow};

use super::scratch::Scratch;
use ign_archive::{Archive, Coding, Input, Packer, Progress, Result, stats::is_archive};

/// Opens an archive, or packs a text into a temporary one, which exists as long as its entry in `scratch`.
/// `verify` is set if the text is needed again.
///
/// # Errors
/// Io; those of [`Archive::open`] and [`Packer::pack`].
pub fn open(
    input: Input,
    scratch: &mut Vec<Scratch>,
    verify: bool,
    threads: usize,
    on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Archive> {
    if let Some(path) = input.path()
        && is_archive(&input)?
    {
        return Archive::open(path);
    }
    let packer = Packer::new()
        .coding(Coding::Ign)
        .level(1)
        .verify(verify)
        .threads(threads)
        .on_progress(on_progress);
    let mut file = Scratch::new()?;
    let (mut out, _) = packer.pack([input], file.writer())?;
    out.flush()?;
    drop(out);
    let archive = Archive::open(file.path())?;
    scratch.push(file);
    Ok(archive)
}
