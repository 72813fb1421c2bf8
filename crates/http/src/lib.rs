//! The REST API: routes, extraction, problems and OpenAPI.
//!
//! [`routes`] holds the one table of routes with their scopes. Every route is served through one
//! gate, which makes all checks in the order of the contract; a handler reads its request from a
//! [`request::Cx`], calls one use case of the domain and gives an [`answer::Answer`].

mod analytics;
pub mod answer;
mod auth;
mod body;
mod bot_fields;
mod broadcasts;
mod by_address;
mod caller;
mod channels;
mod client_address;
mod compress;
mod connections;
mod contacts;
mod conversations;
mod cors;
mod credentials;
pub mod csv;
pub mod cursor;
mod custom_fields;
mod definitions;
mod disclosure;
mod email_address;
mod enrollments;
mod entry;
mod erasures;
pub mod etag;
mod event_types;
mod events;
mod exchange;
mod flow_statistics;
mod flows;
mod gate;
mod held;
pub mod idempotency;
mod inbound;
mod inbound_limits;
mod jobs;
mod last_event_id;
mod list_filters;
mod live;
mod me;
mod merges;
mod monitoring;
mod numbered;
mod openapi;
mod operations;
mod pages;
mod paging;
mod panel;
mod parameter;
mod path;
mod plan_limits;
mod platform;
mod portions;
mod preconditions;
pub mod problem;
pub mod query;
mod rate_windows;
mod readiness;
pub mod request;
mod route;
pub mod routes;
mod run_idempotent;
mod sandboxes;
mod saved_replies;
mod secrets;
mod segments;
mod sequences;
mod simulation_places;
mod simulations;
mod state;
mod stream;
mod tags;
mod templates;
mod timeline;
mod usage_log;
mod usage_writer;
mod webhooks;

#[cfg(test)]
mod testing;

pub use auth::origin::{NoOrigin, Origin};
pub use client_address::{NoNetwork, TrustedProxies};
pub use connections::{Bounds, Listener, Patience, listen};
pub use cors::CorsOrigins;
pub use credentials::bearer_token;
pub use gate::{configure, configure_monitoring};
pub use monitoring::{MetricsPage, Render};
pub use openapi::openapi;
pub use panel::{Panel, PanelFile};
pub use readiness::{Check, Checks, Finding};
pub use state::{HttpSettings, Limits, State};
