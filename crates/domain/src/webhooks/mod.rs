//! Webhooks: subscriptions of outside systems, and the deliveries to them.

mod model;
mod policy;
pub mod sender;
mod service;
mod view;

pub use model::{
    Attempt, Delivery, DeliveryFilter, DeliveryStatus, MAX_WEBHOOKS, NewWebhook, PayloadForm, Subscription, Webhook,
    WebhookStatus,
};
pub use policy::{NextStep, RetrySchedule};
pub use service::{CreatedWebhook, WebhookService, secret_context};
pub use view::{AttemptView, DeliveryDetailView, DeliveryView, WebhookView};
