//! Channels and messages that the tests of connectors share.

use serde_json::Value;
use tidings_domain::channels::{
    Channel, ChannelKind, Config, Connector, Endpoint, Outbound, PlainSecrets, SendContext, SendOutcome,
};
use tidings_domain::conversations::Content;
use tidings_domain::ids::{ChannelId, MessageId, TypedId};
use tidings_domain::ports::MockSealer;
use tidings_domain::time::Timestamp;
use tidings_egress::{Egress, EgressSettings};
use uuid::Uuid;

pub(crate) const NOW: Timestamp = Timestamp::EPOCH_2026;

/// A sealer that stores plain text.
pub(crate) fn sealer() -> MockSealer {
    let mut sealer = MockSealer::new();
    sealer.expect_open().returning(|sealed, _| Ok(sealed.to_vec()));
    sealer
}

/// A client that may call servers of the test.
pub(crate) fn local_egress() -> Egress {
    Egress::new(EgressSettings { allow_loopback: true, ..EgressSettings::default() }).unwrap()
}

pub(crate) fn config_of(value: Value) -> Config {
    let Value::Object(config) = value else { panic!("the configuration is an object") };
    config
}

/// A channel with this configuration and these secrets.
pub(crate) fn channel_of(kind: ChannelKind, config: Value, secrets: &Value) -> Channel {
    let endpoint = Endpoint {
        config: config_of(config),
        secrets: secrets.to_string().into_bytes(),
        secret_hints: PlainSecrets::new(),
        inbound_token: b"guess".to_vec(),
        inbound_digest: [0; 32],
    };
    let channel = Channel::sandbox(ChannelId::from_uuid(Uuid::from_u128(1)), false, NOW);
    Channel { kind, endpoint: Some(endpoint), ..channel }
}

/// A new message of a channel.
pub(crate) fn message_to(channel: Channel, address: &str, content: Content) -> Outbound {
    Outbound {
        channel,
        message: MessageId::from_uuid(Uuid::from_u128(2)),
        address: address.to_owned(),
        external_id: None,
        content,
        created_at: NOW,
        attempts: 0,
        context: SendContext::default(),
    }
}

/// Sends the parts of a message, as the server does, up to the first one that is not accepted. Returns its outcome, or
/// the outcome of the last part.
pub(crate) async fn send_parts(connector: &impl Connector, message: Outbound) -> SendOutcome {
    let mut last = None;
    for part in 0..connector.parts(&message).len() {
        let context = SendContext { part, ..message.context.clone() };
        let outcome = connector.send(Outbound { context, ..message.clone() }).await;
        if !matches!(outcome, SendOutcome::Accepted { .. }) {
            return outcome;
        }
        last = Some(outcome);
    }
    last.expect("a message has a part")
}

/// Checks the outcome of a call by its code, or by its kind if it has none.
pub(crate) fn assert_outcome(outcome: &SendOutcome, expected: &str) {
    let got = match outcome {
        SendOutcome::Accepted { .. } => "accepted",
        SendOutcome::Rejected { code, .. } => code.as_str(),
        SendOutcome::TryLater { .. } => "later",
        SendOutcome::ChannelFailed { code, .. } => *code,
        SendOutcome::Blocked { .. } => "blocked",
        SendOutcome::Suppressed { reason, .. } => reason.as_str(),
        SendOutcome::OptedOut { .. } => "opted_out",
        SendOutcome::Unknown { .. } => "unknown",
    };
    assert_eq!(got, expected, "{outcome:?}");
}
