//! The names of a delivery's headers, in lower case as HTTP/2 asks for.

pub use tidings_egress::signing::{SERVICE_SIGNATURE, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};

/// The event's kind.
pub const SERVICE_EVENT: &str = "x-service-event";
/// The delivery's id.
pub const SERVICE_DELIVERY: &str = "x-service-delivery";
/// The attempt's number, from 1.
pub const SERVICE_ATTEMPT: &str = "x-service-attempt";
/// What deliveries call themselves in `User-Agent`.
pub const USER_AGENT: &str = "Tidings-Webhooks/1";
