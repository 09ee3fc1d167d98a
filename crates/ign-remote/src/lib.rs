//! Objects on HTTP servers, Amazon S3 and Google Cloud Storage, read in parts.
//!
//! An [`Object`] has a size and is read at offsets, by several threads at once. What was read is
//! kept in a small cache of pages. Neighbouring pages are requested together, several requests run
//! at the same time, and a request that fails is repeated. An object that changes while it is open
//! gives an error, never a mixture of both versions.
//!
//! Credentials, regions and endpoints come from the environment, by the names that the vendors' own
//! tools use. No message contains them, nor the query or the user of an address.
//!
//! | module | what it does |
//! | --- | --- |
//! | `address` | addresses of objects, and how messages name them |
//! | `store` | the connection to a server, and the threads that wait for it |
//! | `pages` | which pages are in memory, and which are to be requested |
//! | `object` | an open object |
//! | `listing` | the objects that a pattern names |
//! | `upload` | writing an object |
//! | `failure` | why a request failed, in words |
//!
//! ```no_run
//! use ign_remote::{Address, Object};
//!
//! let address: Address = "https://example.org/lichess_2013-01.ign".parse()?;
//! let object = Object::open(&address)?;
//! let mut start = [0; 8];
//! object.read_exact_at(&mut start, 0)?;
//! println!("{} bytes, {:?}", object.size(), object.traffic());
//! # Ok::<(), std::io::Error>(())
//! ```

mod address;
mod failure;
mod listing;
mod object;
mod pages;
mod store;
mod upload;

pub use address::{Address, local_path};
pub use listing::matching;
pub use object::Object;
pub use store::{Traffic, traffic};
pub use upload::upload;
