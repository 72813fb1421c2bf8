//! Erasing a person: everything that is kept of a contact goes for good; what was counted stays.

mod changes;
mod executor;
mod model;
mod service;
#[cfg(test)]
mod tests;

pub use changes::ErasureChange;
pub use executor::Eraser;
pub use model::{Erasure, ErasureStatus, ErasureView};
pub use service::ErasureService;
