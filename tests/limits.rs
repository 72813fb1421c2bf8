//! What every answer keeps to: the plan's limit, the forms of HTTP, and one effect for one
//! idempotency key.

mod plan;
mod repeats;
mod storage_full;
mod stored_responses;
mod wire;
