//! The suite on the domain's own store in memory, which says that it keeps the same promises.

use std::sync::Arc;

use tidings_domain::memory::MemoryStore;
use tidings_storage_suite::Ports;

async fn fresh() -> (Ports, ()) {
    (Ports::of(Arc::new(MemoryStore::default())), ())
}

tidings_storage_suite::suite!(fresh);
