//! Tests of how other clients are served under load. A separate binary that runs after the others, so no other test
//! affects the measurements.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]
#![allow(clippy::disallowed_methods, reason = "an outside program has a clock and a client of its own")]

#[allow(dead_code, reason = "shared with the tests of the service; a part of it is used here")]
mod matrix {
    pub mod requests;
}
mod noisy_neighbour;
mod resource_bounds;
#[allow(dead_code, unused_imports, reason = "shared with the tests of the service; a part of it is used here")]
mod support;
