//! Connectors: each carries messages to one kind of provider.

mod sandbox;

pub use sandbox::{FAILING_PREFIX, REJECTED, SandboxConnector};
