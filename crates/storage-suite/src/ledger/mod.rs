//! The rules of the ledger that hold for every subject.

pub mod atomicity;
pub mod deadlocks;
pub mod guards;
pub mod idempotency;
pub mod isolation;
pub mod links;
pub mod read_back;
pub mod references;
pub mod unique_keys;
pub mod versions;
