//! People's data: whoever is erased leaves nothing behind.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails loudly")]

#[path = "people/disclosed.rs"]
mod disclosed;
#[path = "people/erased.rs"]
mod erased;
#[path = "people/imported.rs"]
mod imported;
#[path = "people/opted_out.rs"]
mod opted_out;
mod support;
