//! A request, and what is served while it is answered.

use std::sync::Arc;

use ign_archive::Position;

use crate::{
    collection::{Collection, View},
    failure::Result,
    parameters::Parameters,
    selection::Selection,
};

/// What is served while a request is answered.
#[derive(Debug, Clone)]
pub struct Served {
    /// The archives.
    pub collection: Arc<Collection>,
    /// The index that is being built.
    pub building: Option<Building>,
}

/// How far an index has come that is being built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Building {
    /// The number of its source.
    pub source: usize,
    /// The part that is done, from 0 to 1.
    pub progress: f64,
}

impl Served {
    /// These archives, for which no index is being built.
    pub fn new(collection: Collection) -> Self {
        Self {
            collection: Arc::new(collection),
            building: None,
        }
    }

    /// The archives of a source; all if there is no name.
    ///
    /// # Errors
    /// There is no such source.
    pub(crate) fn view(&self, source: Option<&str>) -> Result<View> {
        self.collection.clone().view(source)
    }

    /// The source and the conditions of a request to the explorer: see
    /// [`Selection::take_known`].
    ///
    /// # Errors
    /// As of that.
    pub(crate) fn selection(
        &self,
        parameters: Parameters,
        at: Option<Position>,
    ) -> Result<Selection> {
        let sources = self.collection.sources();
        let is_source = |name: &str| sources.iter().any(|source| source.name == name);
        Selection::take_known(parameters, at, is_source)
    }
}

/// A request.
pub(crate) struct Request<'s> {
    /// The archives.
    pub served: &'s Served,
    /// What the variable part of the path names; empty if it has none.
    pub name: String,
    /// The parameters.
    pub parameters: Parameters,
}
