//! The bus for hints between the processes of a service.

use std::sync::Arc;

use tidings_domain::ports::HintBus;

use crate::{Backend, Storage};

impl Storage {
    /// Returns the hint bus of all processes that use the database. SQLite has a single process and needs none.
    pub fn hint_bus(&self) -> Option<Arc<dyn HintBus>> {
        match &self.backend {
            Backend::Postgres(postgres) => Some(Arc::new(postgres.notifications())),
            Backend::Sqlite(_) => None,
        }
    }
}
