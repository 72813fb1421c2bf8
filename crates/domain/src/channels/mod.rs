//! Channels: ways to reach contacts, and the port through which a message leaves.

mod changes;
mod channel_type;
mod connector;
mod connectors;
mod inbound_request;
mod model;
mod protocol;
mod service;
mod setup;
mod view;

pub use changes::ChannelChange;
pub use channel_type::{
    AddressRule, Capabilities, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule, Receipt, SANDBOX,
    SetupStep, Shape, TextUnit,
};
#[cfg(any(test, feature = "mocks"))]
pub use connector::MockConnector;
pub use connector::{Act, Connector, Outbound, Played, SendOutcome};
pub use connectors::Connectors;
pub use inbound_request::{Handshake, InboundRequest, Unverified};
pub use model::{Channel, ChannelKind, ChannelStatus, Endpoint, MAX_CHANNELS};
pub use protocol::{Inbound, Reported, ReportedStatus, Sender, Written};
pub use service::{
    ChannelPatch, ChannelService, CreatedChannel, NewChannel, TestedChannel, secret_context, token_context,
};
pub use setup::{Health, HealthProblem, SetupFailure};
pub use view::{CapabilitiesView, ChannelConfigView, ChannelView, DefaultChannelView, NamedChannel};
