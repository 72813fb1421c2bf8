//! People's data: whoever is erased leaves nothing behind.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails loudly")]

#[path = "people/erased.rs"]
mod erased;
mod support;
