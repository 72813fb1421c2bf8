//! What carries hints between the processes of a service.

use std::sync::Arc;

use tidings_domain::ports::HintBus;

use crate::{Backend, Storage};

impl Storage {
    /// What carries hints between all processes that are connected to the database. A SQLite file has one process, which
    /// needs none.
    pub fn hint_bus(&self) -> Option<Arc<dyn HintBus>> {
        match &self.backend {
            Backend::Postgres(postgres) => Some(Arc::new(postgres.notifications())),
            Backend::Sqlite(_) => None,
        }
    }
}
