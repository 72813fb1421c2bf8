//! The one guarded HTTP client: every call that a customer's setting can point somewhere goes through it.
//!
//! [`Wall`] says which addresses may be called, as pure functions over the table in `ranges`. [`Egress`] calls them:
//! it resolves a name once, refuses the name if any answer is forbidden, connects to exactly the addresses that it
//! checked, follows no redirect, uses no proxy from the environment and bounds time and size.

mod client;
mod failure;
mod lookup;
mod network;
mod ranges;
mod resolve;
pub mod signing;
#[cfg(test)]
mod test_server;
mod tls;
mod wall;

pub use client::{Answer, Call, Egress, EgressSettings, Request, SetupError, WholeAnswer};
pub use failure::{CallError, EgressError};
pub use network::{Network, NetworkError};
pub use reqwest::Method;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use resolve::{Resolve, SystemResolver};
pub use wall::{Refused, Wall};
