//! The names of a delivery's headers, in lower case as HTTP/2 asks for.

/// `t=<unix seconds>,v1=<hex>[,v1=<hex>]`.
pub const SERVICE_SIGNATURE: &str = "x-service-signature";
/// The event's id: the same on every attempt and replay.
pub const WEBHOOK_ID: &str = "webhook-id";
/// Unix seconds at which this attempt was signed.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// `v1,<base64>`, one for each secret, separated by spaces.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";
/// The event's kind.
pub const SERVICE_EVENT: &str = "x-service-event";
/// The delivery's id.
pub const SERVICE_DELIVERY: &str = "x-service-delivery";
/// The attempt's number, from 1.
pub const SERVICE_ATTEMPT: &str = "x-service-attempt";
/// What deliveries call themselves in `User-Agent`.
pub const USER_AGENT: &str = "Tidings-Webhooks/1";
