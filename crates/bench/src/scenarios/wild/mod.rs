//! The service as users have it: a new database with PostgreSQL's own settings, filled through the API, never analysed
//! but by PostgreSQL itself, and at work for a minute.

pub(super) mod accept;
pub(super) mod alone;
pub(super) mod backlog;
pub(super) mod broadcasts;
mod churn;
pub(super) mod creates;
pub(super) mod drains;
pub(super) mod flows;
pub(super) mod lookups;
mod place;
pub(super) mod simulations;
