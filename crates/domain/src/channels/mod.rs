//! Channels: connections to contacts, and the port that sends messages to providers.

mod changes;
mod channel_type;
mod check;
mod config;
mod config_schema;
mod connector;
mod connectors;
mod degradation;
mod explanation;
mod first_checks;
mod health;
mod inbound_request;
mod media;
mod model;
mod pace;
mod polling;
mod preview;
mod protocol;
mod provider_templates;
mod secrets;
mod segments;
mod send_outcome;
mod service;
mod setup;
mod stored_secrets;
mod unparsed;
mod view;
mod waiting;

pub use changes::{ChannelChange, EVENT_DAYS};
pub use channel_type::{
    AddressRule, Capabilities, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule, Receipt, SANDBOX,
    SetupStep, Shape, TextUnit,
};
pub use check::ChannelChecker;
pub(crate) use check::{add_refusal, check_job, poll_job};
pub use config::{
    fitting_first, missing_config, missing_inside, missing_members, read_config, read_config_changes, read_members,
};
pub use config_schema::schema_of;
#[cfg(any(test, feature = "mocks"))]
pub use connector::MockConnector;
pub use connector::{Act, Connector, EarlierMessage, LinkedFile, Outbound, ScheduledAct, SendContext};
pub use connectors::Connectors;
pub(crate) use degradation::degraded_features;
pub use degradation::{Degradation, DegradedFeature, Replacement};
pub use explanation::Explanation;
pub use first_checks::FirstCheckPlanner;
pub use health::{ChannelHealth, ChannelProblem, HealthState};
pub use inbound_request::{Handshake, InboundRequest, Unverified};
pub use media::{FetchFailure, FetchedMedia};
pub use model::{Channel, ChannelKind, ChannelStatus, Config, Endpoint, MAX_CHANNELS, PlainSecrets};
pub use pace::{PaceLimit, SendPace};
pub(crate) use polling::PollResult;
pub use polling::{PollFailure, PollProgress, Polled, PolledRequest};
pub use preview::{MessagePreview, PartPreview};
pub use protocol::{Inbound, IncomingChoice, IncomingFile, IncomingMessage, Reported, ReportedStatus, Sender};
pub(crate) use provider_templates::TemplateCopies;
pub use provider_templates::{
    ParameterKind, ProviderTemplate, ProviderTemplateButton, ProviderTemplateComponent, ProviderTemplateParameter,
    ProviderTemplates,
};
pub use secrets::{ECHO_SECRET, SIGNING_SECRET, read_secrets, secret_hints, write_secrets};
pub use segments::{SegmentEncoding, Segments};
pub use send_outcome::{RetryScope, SendOutcome};
pub use service::{
    ChannelPatch, ChannelService, CheckedChannel, CreatedChannel, NewChannel, TestedChannel, secret_context,
    token_context,
};
pub use setup::{Health, HealthProblem, SetupFailure, WebhookReport};
pub(crate) use stored_secrets::StoredSecrets;
pub use unparsed::{MAX_UNPARSED, MAX_UNPARSED_BODY, UNPARSED_DAYS, UnparsedRequest, UnparsedRequestView};
pub use view::{CapabilitiesView, ChannelConfigView, ChannelHealthView, ChannelView, DefaultChannelView, NamedChannel};
pub use waiting::{DisconnectedMode, WhileDisconnected};
