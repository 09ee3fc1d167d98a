//! Decompresses a stream of members (gzip), frames (zstd) or streams (bzip2), one after the other,
//! each of which ends with its own checksum. Zeros after the last one are padding, which tapes and
//! some programs add.

use std::io::{self, BufRead, Read};

use super::compression::Compression;

/// The largest window of zstd streams: 2 GiB, as `--long=31` makes. With addresses of 32 bits, zstd
/// refuses more than 1 GiB.
const MAX_WINDOW_LOG: u32 = if usize::BITS == 32 { 30 } else { 31 };

/// A reader of the decompressed bytes.
pub(super) struct Members<R: BufRead> {
    compression: Compression,
    /// The member that is being read; `None` at the end.
    member: Option<Member<R>>,
}

enum Member<R: BufRead> {
    Zstd(zstd::stream::read::Decoder<'static, R>),
    Gzip(flate2::bufread::GzDecoder<R>),
    Bzip2(bzip2::bufread::BzDecoder<R>),
}

impl<R: BufRead> Members<R> {
    /// A reader of a stream with this compression.
    ///
    /// # Errors
    /// If the decoder cannot be made.
    pub(super) fn new(compression: Compression, input: R) -> io::Result<Self> {
        Ok(Self {
            compression,
            member: Some(Member::new(compression, input)?),
        })
    }
}

impl<R: BufRead> Member<R> {
    fn new(compression: Compression, input: R) -> io::Result<Self> {
        Ok(match compression {
            Compression::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(input)?.single_frame();
                decoder.window_log_max(MAX_WINDOW_LOG)?;
                Self::Zstd(decoder)
            }
            Compression::Gzip => Self::Gzip(flate2::bufread::GzDecoder::new(input)),
            Compression::Bzip2 => Self::Bzip2(bzip2::bufread::BzDecoder::new(input)),
        })
    }

    /// What follows the member, after it was read to its end.
    fn into_inner(self) -> R {
        match self {
            Self::Zstd(decoder) => decoder.finish(),
            Self::Gzip(decoder) => decoder.into_inner(),
            Self::Bzip2(decoder) => decoder.into_inner(),
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let len = match member {
                Member::Zstd(decoder) => decoder.read(buf),
                Member::Gzip(decoder) => decoder.read(buf),
                Member::Bzip2(decoder) => decoder.read(buf),
            }?;
            if len > 0 || buf.is_empty() {
                return Ok(len);
            }
            let ended = self.member.take().map(Member::into_inner);
            if let Some(mut rest) = ended
                && skip_zeros(&mut rest)?
            {
                self.member = Some(Member::new(self.compression, rest)?);
            }
        }
        Ok(0)
    }
}

/// Skips zeros; returns whether other bytes follow.
fn skip_zeros(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        let len = bytes.len();
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        input.consume(zeros);
        if zeros < len || len == 0 {
            return Ok(zeros < len);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write as _};

    use super::*;

    const TEXT: &[u8] = b"[Event \"x\"]\n\n1. e4 e5 *\n\n";

    fn compressed(compression: Compression) -> Vec<u8> {
        match compression {
            Compression::Zstd => zstd::encode_all(TEXT, 1).unwrap(),
            Compression::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
                encoder.write_all(TEXT).unwrap();
                encoder.finish().unwrap()
            }
            Compression::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
                encoder.write_all(TEXT).unwrap();
                encoder.finish().unwrap()
            }
        }
    }

    fn read(compression: Compression, bytes: &[u8], capacity: usize) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let input = BufReader::with_capacity(capacity, bytes);
        Members::new(compression, input)?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn all_members_are_read_and_zeros_after_them_are_padding() {
        for compression in [Compression::Zstd, Compression::Gzip, Compression::Bzip2] {
            let one = compressed(compression);
            for capacity in [1, 7, 1 << 16] {
                for zeros in [0, 1, 512] {
                    let padded = [&one[..], &vec![0; zeros]].concat();
                    assert_eq!(read(compression, &padded, capacity).unwrap(), TEXT);
                    let two = [&one[..], &padded].concat();
                    assert_eq!(read(compression, &two, capacity).unwrap(), TEXT.repeat(2));
                    let between = [&padded[..], &one].concat();
                    assert_eq!(
                        read(compression, &between, capacity).unwrap(),
                        TEXT.repeat(2)
                    );
                    let followed = [&padded[..], b"junk"].concat();
                    read(compression, &followed, capacity).unwrap_err();
                }
                for len in 1..one.len() {
                    read(compression, &one[..len], capacity).unwrap_err();
                }
            }
        }
    }
}
