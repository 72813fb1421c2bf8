//! Personal data: an erasure leaves none behind.

mod disclosed;
mod erased;
mod identifiers;
mod imported;
mod opted_out;
