//! Webhooks: subscriptions of other systems to events, and the deliveries to them.

mod changes;
mod claimed_delivery;
mod deliver;
#[cfg(test)]
mod deliver_tests;
mod headers;
mod health;
mod manage;
mod model;
mod policy;
mod replay;
mod replayer;
mod sealed_headers;
pub mod sender;
mod service;
mod stats;
mod test_send;
mod view;

pub use changes::{AttemptRecord, WebhookChange};
pub use claimed_delivery::ClaimedDelivery;
pub use deliver::DeliveryExecutor;
pub(crate) use headers::is_header_name;
pub use headers::{CustomHeaders, HeaderFault, MAX_HEADERS};
pub use health::{Admission, Health, STAMP};
pub use manage::{DEFAULT_OVERLAP, MAX_OVERLAP};
pub use model::{
    Attempt, Delivery, DeliveryFilter, DeliveryStatus, MAX_SHOWN_ATTEMPTS, MAX_WEBHOOKS, NewWebhook, OlderSecret,
    PayloadForm, Replay, Subscription, Webhook, WebhookPatch, WebhookStatus,
};
pub use policy::{NextStep, RetrySchedule};
pub use replay::{REPLAY_BATCH, ReplayRange};
pub use replayer::Replayer;
pub use sealed_headers::{HeaderValue, SealedHeaders, header_context};
pub use service::{RevealedWebhook, ShownWebhook, WebhookService, secret_context};
pub use stats::{AttemptCount, WebhookStats};
pub use test_send::TestOutcome;
pub use view::{AttemptView, CreatedWebhook, DeliveryDetailView, DeliveryView, ReplayView, WebhookView};
