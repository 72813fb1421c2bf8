//! Rules of every response: the plan's limit, HTTP conformance, and one effect for each idempotency key.

mod plan;
mod repeats;
mod shared;
mod storage_full;
mod stored_responses;
mod wire;
