//! Runs the suite on the domain's store in memory, so it gives the same guarantees as the databases.

use std::sync::Arc;

use tidings_domain::memory::MemoryStore;
use tidings_storage_suite::Ports;

async fn fresh() -> (Ports, ()) {
    (Ports::of(Arc::new(MemoryStore::default())), ())
}

tidings_storage_suite::suite!(fresh);
