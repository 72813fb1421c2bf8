//! Merges of two contacts that are the same person. The data of the merged contact moves to the survivor.

mod changes;
mod executor;
mod gather;
mod model;
mod service;
#[cfg(test)]
mod tests;

pub use changes::MergeChange;
pub use executor::Merger;
pub(crate) use executor::release_move;
pub use model::{MAX_MERGED, Merge};
pub use service::MergeService;
