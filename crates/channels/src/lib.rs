//! Connectors: each carries messages to one kind of provider.

mod http;
mod sandbox;
mod signatures;

pub use http::HttpConnector;
pub use sandbox::{REJECTED, SandboxConnector};
pub use signatures::StandardSignatures;
