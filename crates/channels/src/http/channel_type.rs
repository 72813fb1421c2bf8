//! The description of the `http` channel type.

use tidings_domain::channels::{
    AddressRule, Capabilities, ChannelKind, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule, Receipt,
    SendPace, SetupStep, Shape, TextUnit,
};
use tidings_domain::conversations::{MAX_QUICK_REPLIES, MAX_TEXT};

/// Maximum number of signed requests of a channel in a rolling minute.
const MAX_REQUESTS: u32 = 1_200;

/// The member of `config` by which a provider promises to drop repeated messages.
pub(super) const IDEMPOTENT: &str = "idempotent";

/// Channels of services that implement the protocol of `docs/reference/channels.md`.
pub const HTTP: ChannelType = ChannelType {
    kind: ChannelKind::Http,
    title: "HTTP",
    config: &[
        ConfigField {
            name: "url",
            title: "URL",
            description: "URL that receives the messages; an `https:` URL that is not private.",
            shape: Shape::Url { most: 2_048 },
            required: true,
            fixed: false,
            private: true,
            verifies: false,
            example: Some(r#""https://example.com/messages""#),
        },
        ConfigField {
            name: IDEMPOTENT,
            title: "Drops repeated messages",
            description: "Whether the service drops a message whose `webhook-id` it knows. Then a message whose outcome \
                          is unknown is sent again.",
            shape: Shape::Boolean,
            required: false,
            fixed: false,
            private: false,
            verifies: false,
            example: None,
        },
    ],
    reported: &[],
    secrets: &[],
    signing_secret: true,
    registers: false,
    checks_address: false,
    setup: &[
        SetupStep { text: "Store the signing secret at the provider. It is shown once.", copy: Some("secret") },
        SetupStep { text: "Send inbound messages and status reports to this path.", copy: Some("inbound_path") },
    ],
    capabilities: Capabilities {
        types: Capabilities::ALL_TYPES,
        quick_replies: MAX_QUICK_REPLIES,
        inbound: true,
        receipts: true,
    },
    limits: MessageLimits { text: MAX_TEXT, unit: TextUnit::Characters },
    addresses: AddressRule::Provider,
    opt_out: OptOutRule::Words,
    inbound: Some(InboundRule {
        media_types: &[],
        challenge: "Webhook-Signature",
        receipt: Receipt::MessageId,
        max_body: InboundRule::BATCH_BODY,
        max_requests: MAX_REQUESTS,
    }),
    reply_window: None,
    pace: SendPace::NONE,
    in_sandbox: false,
};
