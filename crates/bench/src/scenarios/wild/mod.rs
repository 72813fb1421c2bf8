//! The service as users run it: a new database with PostgreSQL's default settings, filled through the API, analysed
//! only by autovacuum, and under load for a minute.

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
