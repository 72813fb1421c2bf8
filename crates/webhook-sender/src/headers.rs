//! The names of a delivery's headers, in lower case as HTTP/2 requires.

pub use tidings_egress::signing::{SERVICE_SIGNATURE, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};

/// The event's type.
pub const SERVICE_EVENT: &str = "x-service-event";
/// The delivery's ID.
pub const SERVICE_DELIVERY: &str = "x-service-delivery";
/// The attempt's number, from 1.
pub const SERVICE_ATTEMPT: &str = "x-service-attempt";
/// The `User-Agent` of deliveries.
pub const USER_AGENT: &str = "Tidings-Webhooks/1";
