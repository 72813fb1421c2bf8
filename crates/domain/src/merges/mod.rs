//! Merging contacts: two that are one person become one. What was said and done with the other moves to the one that stays.

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
