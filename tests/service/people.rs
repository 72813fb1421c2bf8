//! Personal data: an erasure leaves none behind.

mod disclosed;
pub mod erased;
mod identifiers;
mod imported;
mod opted_out;
