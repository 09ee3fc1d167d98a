//! The connection to a server, and the threads that wait for it.

use std::{
    io, process,
    str::FromStr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use async_trait::async_trait;
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    client::{
        HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService,
        ReqwestConnector,
    },
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    http::HttpBuilder,
    path::Path,
};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::{
    address::{Address, Scheme},
    failure::{Failure, describe, note, noting, transport},
};

/// How often a request is repeated.
pub(crate) const RETRIES: usize = 5;
/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// What has been requested and received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Traffic {
    /// The number of HTTP requests, with those that failed and were repeated.
    pub requests: u64,
    /// The number of bytes of objects that were received.
    pub bytes: u64,
}

/// The traffic of all objects of the process since its start.
pub fn traffic() -> Traffic {
    TOTAL.get()
}

static TOTAL: Counters = Counters {
    requests: AtomicU64::new(0),
    bytes: AtomicU64::new(0),
};

/// Counts the traffic of an object.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Counters {
    pub fn get(&self) -> Traffic {
        Traffic {
            requests: self.requests.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }

    fn add_request(&self) {
        for counters in [self, &TOTAL] {
            counters.requests.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn add_bytes(&self, bytes: usize) {
        for counters in [self, &TOTAL] {
            counters.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }
}

/// Connects to the server of an object.
pub(crate) fn connect(
    address: &Address,
    counters: &Arc<Counters>,
) -> io::Result<(Box<dyn ObjectStore>, Path)> {
    // The error says that a provider is installed already.
    _ = rustls::crypto::ring::default_provider().install_default();
    let connector = Counted(counters.clone());
    let retry = RetryConfig {
        max_retries: RETRIES,
        retry_timeout: Duration::from_secs(60),
        backoff: BackoffConfig {
            max_backoff: Duration::from_secs(5),
            ..BackoffConfig::default()
        },
    };
    // A large request on a slow line takes long. Only silence is an error.
    let options = ClientOptions::new()
        .with_timeout_disabled()
        .with_connect_timeout(SILENCE)
        .with_read_timeout(SILENCE)
        .with_allow_http(true);
    // The builders have no trait in common.
    macro_rules! build {
        ($builder:expr) => {
            $builder
                .with_client_options(options)
                .with_retry(retry)
                .with_http_connector(connector)
                .build()
                .map(|store| Box::new(store) as Box<dyn ObjectStore>)
        };
    }
    let url = address.url();
    let bucket = url.host_str().unwrap_or_default();
    let store = match address.scheme {
        // The whole address is given to the client, because a path would not have its query.
        Scheme::Http => build!(HttpBuilder::new().with_url(url.as_str())),
        Scheme::S3 => {
            let variables = environment::<AmazonS3ConfigKey>("aws_")?;
            let builder = variables
                .into_iter()
                .fold(AmazonS3Builder::new(), |builder, (key, value)| {
                    builder.with_config(key, value)
                });
            build!(builder.with_bucket_name(bucket))
        }
        Scheme::Gs => {
            let variables = environment::<GoogleConfigKey>("google_")?;
            let builder = variables
                .into_iter()
                .fold(GoogleCloudStorageBuilder::new(), |builder, (key, value)| {
                    builder.with_config(key, value)
                });
            build!(builder.with_bucket_name(bucket))
        }
    }
    .map_err(|error| describe(&error, address.scheme))?;
    let path = match address.scheme {
        Scheme::Http => Path::default(),
        Scheme::S3 | Scheme::Gs => Path::from_url_path(url.path()).map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, "the address has no valid key")
        })?,
    };
    Ok((store, path))
}

/// The variables of the environment whose names begin with a prefix and that a builder knows.
///
/// # Errors
/// [`InvalidInput`](io::ErrorKind::InvalidInput) if a value cannot be right.
fn environment<K: FromStr>(prefix: &str) -> io::Result<Vec<(K, String)>> {
    // A variable that is not Unicode is none of these.
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut known = Vec::new();
    for (name, value) in variables {
        let lower = name.to_ascii_lowercase();
        if lower.starts_with(prefix)
            && let Ok(key) = lower.parse()
        {
            check_variable(&lower, &value).map_err(|wrong| {
                let message = format!("the variable {name} of the environment {wrong}");
                io::Error::new(io::ErrorKind::InvalidInput, message)
            })?;
            known.push((key, value));
        }
    }
    Ok(known)
}

/// What is wrong with the value of a variable, whose name is in lower case. The client would panic.
fn check_variable(name: &str, value: &str) -> Result<(), &'static str> {
    let is_address = name.contains("endpoint") || name.ends_with("base_url");
    if is_address
        && !["http://", "https://"]
            .iter()
            .any(|start| value.starts_with(start))
    {
        return Err("must begin with http:// or https://");
    }
    let is_in_headers = ["_id", "token", "region"]
        .iter()
        .any(|end| name.ends_with(end));
    if value.chars().any(char::is_control) || is_in_headers && !value.is_ascii() {
        Err("has a line break or another character that cannot be sent")
    } else {
        Ok(())
    }
}

/// Makes clients that count their requests.
#[derive(Debug)]
struct Counted(Arc<Counters>);

impl HttpConnector for Counted {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(CountedClient(client, self.0.clone())))
    }
}

#[derive(Debug)]
struct CountedClient(HttpClient, Arc<Counters>);

#[async_trait]
impl HttpService for CountedClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        self.1.add_request();
        let answer = self.0.execute(request).await;
        match &answer {
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => note(Failure::Status(answer.status().as_u16())),
            Err(error) => note(transport(error)),
        }
        answer
    }
}

/// The threads that wait for servers, and the process that started them.
static RUNTIME: Mutex<Option<(u32, Runtime)>> = Mutex::new(None);

/// The threads of this process that wait for servers.
///
/// # Errors
/// Those of starting threads.
pub(crate) fn runtime() -> io::Result<Handle> {
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let own = process::id();
    match &*runtime {
        Some((process, runtime)) if *process == own => Ok(runtime.handle().clone()),
        _ => {
            let new = Builder::new_multi_thread()
                .worker_threads(2)
                .thread_name("ign-remote")
                .enable_all()
                .build()?;
            let handle = new.handle().clone();
            // After a fork the threads of the parent do not exist, and waiting for them would not
            // end.
            if let Some((_, lost)) = runtime.replace((own, new)) {
                std::mem::forget(lost);
            }
            Ok(handle)
        }
    }
}

/// Runs requests in a task, which notes their failures, and waits for the result. A thread of
/// another runtime may wait too.
///
/// # Errors
/// Those of starting threads and of the requests.
pub(crate) fn wait<T: Send + 'static>(
    requests: impl Future<Output = io::Result<T>> + Send + 'static,
) -> io::Result<T> {
    let (sender, receiver) = mpsc::channel();
    runtime()?.spawn(noting(async move {
        // The receiver waits.
        _ = sender.send(requests.await);
    }));
    let ended = |_| io::Error::other("the request ended without an answer");
    receiver.recv().map_err(ended)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_the_client_cannot_use_are_errors() {
        for (name, value, is_right) in [
            ("aws_endpoint", "http://127.0.0.1:5000", true),
            ("aws_endpoint", "127.0.0.1:5000", false),
            ("aws_endpoint_url", "localhost:5000", false),
            ("google_base_url", "https://host", true),
            ("aws_access_key_id", "AKIA\n", false),
            ("aws_access_key_id", "clé", false),
            ("aws_secret_access_key", "a\r", false),
            ("google_service_account", "/home/é/key.json", true),
        ] {
            assert_eq!(
                check_variable(name, value).is_ok(),
                is_right,
                "{name}={value}"
            );
        }
    }
}
