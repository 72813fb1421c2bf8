//! Channels: ways to reach contacts, and the port through which a message leaves.

mod changes;
mod connector;
mod model;
mod service;
mod signature;
mod view;

pub use changes::ChannelChange;
#[cfg(any(test, feature = "mocks"))]
pub use connector::MockConnector;
pub use connector::{Act, Connector, Outbound, Played, SendOutcome};
pub use model::{Channel, ChannelKind, ChannelStatus, Endpoint, MAX_CHANNELS};
pub use service::{
    ChannelPatch, ChannelService, CreatedChannel, NewChannel, TestedChannel, secret_context, token_context,
};
#[cfg(any(test, feature = "mocks"))]
pub use signature::MockSignatureVerifier;
pub use signature::{SignatureHeaders, SignatureVerifier};
pub use view::{CapabilitiesView, ChannelConfigView, ChannelView, DefaultChannelView, NamedChannel};
