//! What every answer keeps to: the plan's limit, the forms of HTTP, and one effect for one
//! idempotency key.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails loudly")]

#[path = "limits/plan.rs"]
mod plan;
#[path = "limits/repeats.rs"]
mod repeats;
mod support;
#[path = "limits/wire.rs"]
mod wire;
