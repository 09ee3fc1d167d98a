//! Addresses of objects.

use std::{fmt, io, path::PathBuf, str::FromStr};

use url::Url;

/// The address of an object: `https://…`, `http://…`, `s3://bucket/key` or `gs://bucket/key`.
///
/// It is displayed without user, password, query and fragment, which may contain secrets.
///
/// ```
/// # use ign_remote::Address;
/// let address: Address = "https://me:secret@example.org/a.ign?token=1".parse()?;
/// assert_eq!(address.to_string(), "https://example.org/a.ign");
/// assert_eq!(address.with_suffix(".idx").to_string(), "https://example.org/a.ign.idx");
/// assert_eq!(address.with_name("b%20c.ign").to_string(), "https://example.org/b%20c.ign");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    url: Url,
    pub(crate) scheme: Scheme,
}

/// The protocol of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    Http,
    S3,
    Gs,
}

impl Address {
    /// The address of the object whose name ends with this suffix in addition. The query stays the
    /// same.
    #[must_use]
    pub fn with_suffix(&self, suffix: &str) -> Self {
        let mut other = self.clone();
        other.url.set_path(&format!("{}{suffix}", self.url.path()));
        other
    }

    /// The address of the object of this name in the same folder. In the name, `%` and two digits
    /// are a byte, as in [`name`](Self::name). The query stays the same.
    #[must_use]
    pub fn with_name(&self, name: &str) -> Self {
        let folder = self
            .url
            .path()
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        self.of_key(&format!("{folder}/{name}"))
    }

    /// The address of another object of the same server or bucket.
    pub(crate) fn of_key(&self, key: &str) -> Self {
        let mut other = self.clone();
        other.url.set_path(key);
        other
    }

    /// The address as it was written, with what may be secret.
    pub fn in_full(&self) -> &str {
        self.url.as_str()
    }

    /// The address in full, with what may be secret.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// The last part of the path, as it is written in the address.
    pub fn name(&self) -> &str {
        let path = self.url.path();
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }
}

/// The path that a `file://` address means; `None` for other texts.
///
/// # Errors
/// [`InvalidInput`](io::ErrorKind::InvalidInput) if the address names no path of this machine.
pub fn local_path(text: &str) -> io::Result<Option<PathBuf>> {
    let Ok(url) = Url::parse(text) else {
        return Ok(None);
    };
    if url.scheme() != "file" {
        return Ok(None);
    }
    let invalid = || {
        let message = "names no file of this machine; write file:///folder/name";
        io::Error::new(io::ErrorKind::InvalidInput, message)
    };
    url.to_file_path().map(Some).map_err(|()| invalid())
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let host = &self.url[url::Position::BeforeHost..url::Position::AfterPort];
        write!(out, "{}://{host}{}", self.url.scheme(), self.url.path())
    }
}

impl FromStr for Address {
    type Err = io::Error;

    /// # Errors
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if the text is not the address of an object.
    fn from_str(text: &str) -> io::Result<Self> {
        let invalid = |message: &str| io::Error::new(io::ErrorKind::InvalidInput, message);
        let url = Url::parse(text).map_err(|error| invalid(&format!("invalid URL: {error}")))?;
        let scheme = match url.scheme() {
            "http" | "https" => Scheme::Http,
            "s3" | "s3a" => Scheme::S3,
            "gs" => Scheme::Gs,
            _ => {
                return Err(invalid(
                    "addresses begin with https://, http://, s3://, gs:// or file://",
                ));
            }
        };
        let has_more = url.query().is_some() || url.fragment().is_some();
        if scheme != Scheme::Http && has_more {
            return Err(invalid(
                "in the name of an object, write %3F in place of ? and %23 in place of #",
            ));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(invalid("the address names no server or bucket"));
        }
        if matches!(url.path(), "" | "/") || url.path().ends_with('/') {
            return Err(invalid("the address names no object; add its name"));
        }
        Ok(Self { url, scheme })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_contain_no_secrets() {
        for (text, shown) in [
            (
                "https://ann:secret@host:81/a/b.ign?X-Amz-Signature=secret#secret",
                "https://host:81/a/b.ign",
            ),
            ("s3://bucket/a%20b.ign", "s3://bucket/a%20b.ign"),
            ("gs://bucket/b%3F.ign", "gs://bucket/b%3F.ign"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_address_is_an_error_without_the_text() {
        for (text, message) in [
            ("ftp://secret@host/a", "addresses begin with"),
            ("https://host", "names no object"),
            ("s3://bucket/", "names no object"),
            ("s3://bucket/a.ign?secret", "%3F"),
            ("gs://bucket/a.ign#secret", "%23"),
            ("s3://bucket/folder/", "names no object"),
            ("s3:///key", "names no server"),
            ("https://[secret/a", "invalid URL"),
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
