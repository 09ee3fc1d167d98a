//! Writing an object.

use std::{
    fs::File,
    io::{self, Read},
    path::Path as FilePath,
};

use object_store::{ObjectStore, ObjectStoreExt as _, PutPayload, WriteMultipart, path::Path};

use crate::{
    address::{Address, Scheme},
    failure::describe,
    store::{connect, wait},
};

/// The least length of a part in bytes. A longer object is sent in parts.
const PART: u64 = 8 << 20;
/// The most parts of an object, less than the 10,000 of S3.
const MAX_PARTS: u64 = 5000;
/// Parts that are sent at the same time.
const MAX_REQUESTS: usize = 4;

/// Copies a file to an object of S3 or Google Cloud Storage. It appears when it is complete, in
/// place of an object that has its name. The file must not change meanwhile.
///
/// # Errors
/// [`Unsupported`](io::ErrorKind::Unsupported) for an HTTP server; those of the file and of
/// requests.
pub fn upload(file: &FilePath, address: &Address) -> io::Result<()> {
    if address.scheme == Scheme::Http {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "cannot upload over HTTP; name an object of S3 or Google Cloud Storage",
        ));
    }
    let file = File::open(file)?;
    let len = file.metadata()?.len();
    let (store, path) = connect(address, &Default::default())?;
    let scheme = address.scheme;
    wait(async move {
        if len <= PART {
            send(&*store, &path, file, scheme).await
        } else {
            send_parts(&*store, &path, file, len, scheme).await
        }
    })
}

async fn send(
    store: &dyn ObjectStore,
    path: &Path,
    mut file: File,
    scheme: Scheme,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let sent = store.put(path, PutPayload::from(bytes)).await;
    sent.map(drop).map_err(|error| describe(&error, scheme))
}

async fn send_parts(
    store: &dyn ObjectStore,
    path: &Path,
    mut file: File,
    len: u64,
    scheme: Scheme,
) -> io::Result<()> {
    let failed = |error| describe(&error, scheme);
    let part = PART.max(len.div_ceil(MAX_PARTS));
    let parts = store.put_multipart(path).await.map_err(failed)?;
    let mut upload = WriteMultipart::new_with_chunk_size(parts, part as usize);
    let mut sent = 0;
    let read = loop {
        if let Err(error) = upload.wait_for_capacity(MAX_REQUESTS).await {
            break Err(failed(error));
        }
        let mut bytes = Vec::new();
        match (&mut file).take(part).read_to_end(&mut bytes) {
            Ok(0) => break Ok(()),
            Ok(read) => sent += read as u64,
            Err(error) => break Err(error),
        }
        upload.put(bytes.into());
    };
    let complete = read.and_then(|()| {
        if sent == len {
            Ok(())
        } else {
            Err(io::Error::other("the file has changed while it was sent"))
        }
    });
    match complete {
        Ok(()) => upload.finish().await.map(drop).map_err(failed),
        Err(error) => {
            // The first error says why.
            _ = upload.abort().await;
            Err(error)
        }
    }
}
