//! Options that determine the content of an archive: the coding of moves and the block size.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use ign_archive::{Coding, ModelFile, Packer, Result};

/// How moves are coded.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum CodingArg {
    /// Fewer bits for likely moves, by a model of human play: smallest
    Weighted,
    /// Plain Integer Game Notation, one integer a game: fastest
    Ign,
    /// Like ign, with end moves, which record that the game ended or a draw was agreed
    IgnEnd,
}

impl From<CodingArg> for Coding {
    fn from(coding: CodingArg) -> Self {
        match coding {
            CodingArg::Ign => Self::Ign,
            CodingArg::IgnEnd => Self::IgnEnd,
            CodingArg::Weighted => Self::Weighted,
        }
    }
}

/// The models that an archive is packed with.
#[derive(Debug, Clone, clap::Args)]
pub struct ModelArgs {
    /// Use this model, the file of a move model or of another model, instead of the built-in one.
    /// The archive holds it and can be read without the file
    #[arg(long, value_name = "FILE")]
    model: Vec<PathBuf>,
    /// Store the built-in models that the archive needs in it, up to 4 MB: reading it then needs
    /// nothing but the specification of the format
    #[arg(long)]
    embed: bool,
}

impl ModelArgs {
    /// The files of the models.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.model.iter().map(PathBuf::as_path)
    }

    /// The packer with these models.
    ///
    /// # Errors
    /// As [`ModelFile::open`] and [`Packer::model`].
    pub fn apply<'p>(&self, packer: Packer<'p>) -> Result<Packer<'p>> {
        let models = self.model.iter();
        let packer = packer.embed(self.embed);
        models
            .map(ModelFile::open)
            .try_fold(packer, |packer, model| packer.model(&model?))
    }
}

/// Parses a number of bytes such as `64K` or `8M`, in binary units.
///
/// # Errors
/// Not a size.
pub fn parse_bytes(text: &str) -> std::result::Result<u64, String> {
    let size = parse_size::Config::new().with_binary().parse_size(text);
    size.map_err(|_| "write a size such as 64K or 8M".into())
}

/// Parses a block size such as `64K` or `8M`, in binary units.
///
/// # Errors
/// Not a size, or outside the limits of a block.
pub fn parse_block_size(text: &str) -> std::result::Result<usize, String> {
    let size = usize::try_from(parse_bytes(text)?).unwrap_or(usize::MAX);
    if !Packer::BLOCK_SIZES.contains(&size) {
        return Err("the size must be between 4K and 64M".into());
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_limits() {
        assert_eq!(parse_block_size("64K"), Ok(1 << 16));
        assert_eq!(parse_block_size("8MiB"), Ok(1 << 23));
        assert_eq!(parse_block_size("100000"), Ok(100_000));
        for wrong in [
            "",
            "K",
            "8G",
            "1",
            "65M",
            "99999999999999999999",
            "18446744073709551615K",
        ] {
            assert!(parse_block_size(wrong).is_err(), "{wrong}");
        }
    }
}
