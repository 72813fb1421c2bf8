//! Erasures: all data of a contact is deleted for good. Counts remain.

mod changes;
mod executor;
mod model;
mod service;
mod sweep;
#[cfg(test)]
mod tests;

pub use changes::ErasureChange;
pub use executor::Eraser;
pub use model::{Erasure, ErasureStatus, ErasureView};
pub use service::ErasureService;
pub use sweep::DeletedContactSweeper;
