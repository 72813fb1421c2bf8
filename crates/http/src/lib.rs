//! The REST API: routes, request reading, problems and OpenAPI.
//!
//! [`routes`] contains the table of routes with their scopes. Every route is served through one gate, which makes all
//! checks in the documented order. A handler reads its request from a [`request::RequestContext`], calls one use case of the domain
//! and returns an [`answer::Answer`].

mod auth;
mod broadcasts;
mod connections;
mod contacts;
mod conversations;
mod events;
mod flows;
mod limits;
mod openapi;
mod pages;
mod pipeline;
mod platform;
pub mod request;
mod response;
pub mod routes;
mod sequences;
mod webhooks;
mod workspace;

#[cfg(test)]
mod testing;

pub use auth::credentials::bearer_token;
pub use auth::origin::{NoOrigin, Origin};
pub use connections::client_address::{NoNetwork, TrustedProxies};
pub use connections::{ConnectionBounds, ConnectionTimeouts, Listener, listen};
pub use openapi::openapi;
pub use pages::panel::{Panel, PanelFile};
pub use pipeline::cors::CorsOrigins;
pub use pipeline::guide::Guide;
pub use pipeline::idempotency;
pub use pipeline::monitoring::{MetricsPage, Render};
pub use pipeline::readiness::{Check, Checks, Finding};
pub use pipeline::state::{HttpSettings, Limits, State};
pub use pipeline::{configure, configure_monitoring};
pub use platform::WorkspaceArchive;
pub use request::{csv, cursor, etag, query};
pub use response::{answer, problem, rejected_rows};
