//! Channels: ways to reach contacts, and the port through which a message leaves.

mod connector;
mod model;

#[cfg(any(test, feature = "mocks"))]
pub use connector::MockConnector;
pub use connector::{Connector, Outbound, SendOutcome};
pub use model::{Channel, ChannelKind, ChannelStatus, Endpoint, MAX_CHANNELS};
