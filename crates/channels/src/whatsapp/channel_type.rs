//! The description of the `whatsapp` channel type.

use std::time::Duration;

use tidings_domain::channels::{
    AddressRule, Capabilities, ChannelKind, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule,
    PaceLimit, Receipt, SendPace, SetupStep, Shape, TextUnit,
};
use tidings_domain::conversations::MAX_QUICK_REPLIES;

use crate::contents::LONGEST_NAME;
use crate::fields::{API_ADDRESS, FIELD, SECRET};

/// Name of the member of `config` with the ID of the phone number.
pub(super) const PHONE_NUMBER_ID: &str = "phone_number_id";
/// Name of the member of `config` with the ID of the WhatsApp Business account.
pub(super) const WABA_ID: &str = "waba_id";
/// Name of the member of `config` with the version of the Graph API.
pub(super) const GRAPH_VERSION: &str = "graph_version";
/// The version of the Graph API, if the channel has none.
pub(super) const DEFAULT_VERSION: &str = "v25.0";
/// Name of the member of `config` with the pace of messages.
pub(super) const MESSAGES_PER_SECOND: &str = "messages_per_second";
/// The pace of messages, if the channel has none. It is WhatsApp's usual limit of a phone number.
pub(super) const DEFAULT_PACE: u32 = 80;
/// Name of the member of `config` with the phone number, which WhatsApp reports.
pub(super) const DISPLAY_NUMBER: &str = "display_phone_number";
/// Name of the member of `config` with the name of the business, which WhatsApp reports.
pub(super) const VERIFIED_NAME: &str = "verified_name";
/// Name of the secret that calls need.
pub(super) const ACCESS_TOKEN: &str = "access_token";
/// Name of the secret that signs requests of Meta.
pub(super) const APP_SECRET: &str = "app_secret";
/// Name of the secret that registers the phone number.
pub(super) const PIN: &str = "pin";
/// Maximum number of characters of a text.
pub(super) const MAX_CHARACTERS: usize = 4_096;

/// Time after a message of a contact in which WhatsApp accepts messages other than templates.
const REPLY_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

const ID: ConfigField = ConfigField {
    name: PHONE_NUMBER_ID,
    title: "Phone number ID",
    description: "The ID of the phone number, on the page API Setup of the app. It is not the number.",
    shape: Shape::Text { least: 1, most: 50 },
    required: true,
    fixed: true,
    example: Some(r#""106540352242922""#),
    ..FIELD
};

/// Phone numbers of the WhatsApp Cloud API.
pub const WHATSAPP: ChannelType = ChannelType {
    kind: ChannelKind::Whatsapp,
    title: "WhatsApp",
    config: &[
        ID,
        ConfigField {
            name: WABA_ID,
            title: "WhatsApp Business account ID",
            description: "The ID of the account that has the phone number, on the same page.",
            example: Some(r#""102290129340398""#),
            ..ID
        },
        ConfigField {
            name: GRAPH_VERSION,
            title: "Version of the Graph API",
            description: "The default is v25.0.",
            shape: Shape::Text { least: 2, most: 10 },
            example: Some(r#""v25.0""#),
            ..FIELD
        },
        ConfigField {
            name: MESSAGES_PER_SECOND,
            title: "Messages per second",
            description: "Maximum number of messages that the channel sends per second. The default is 80.",
            shape: Shape::Integer { least: 1, most: 1_000 },
            example: Some("80"),
            ..FIELD
        },
        ConfigField {
            title: "Address of the Graph API",
            description: "Only for a proxy of your own. The default is https://graph.facebook.com.",
            example: Some(r#""https://graph.facebook.com""#),
            ..API_ADDRESS
        },
    ],
    reported: &[
        ConfigField {
            name: DISPLAY_NUMBER,
            title: "Phone number",
            description: "The phone number as WhatsApp shows it.",
            shape: Shape::Text { least: 0, most: LONGEST_NAME },
            ..FIELD
        },
        ConfigField {
            name: VERIFIED_NAME,
            title: "Name",
            description: "The name that WhatsApp verified.",
            shape: Shape::Text { least: 0, most: LONGEST_NAME },
            ..FIELD
        },
    ],
    secrets: &[
        ConfigField {
            name: ACCESS_TOKEN,
            title: "Access token",
            description: "A permanent token of a system user with the permissions whatsapp_business_messaging and \
                          whatsapp_business_management.",
            shape: Shape::Text { least: 1, most: 1_000 },
            ..SECRET
        },
        ConfigField {
            name: APP_SECRET,
            title: "App secret",
            description: "The secret of the app, on the page App settings, Basic. WhatsApp signs messages with it.",
            verifies: true,
            ..SECRET
        },
        ConfigField {
            name: PIN,
            title: "PIN",
            description: "Only for a number that is not registered yet: the PIN of its two-step verification, or six \
                          digits of your choice if it has none.",
            shape: Shape::Text { least: 6, most: 6 },
            required: false,
            ..SECRET
        },
    ],
    signing_secret: false,
    registers: true,
    checks_address: true,
    setup: &[
        SetupStep {
            text: "Create an app of the type Business at developers.facebook.com, and add the product WhatsApp.",
            copy: None,
        },
        SetupStep {
            text: "In the webhook settings of the app, set a callback URL that answers the check, and subscribe to the \
                   field messages. The server registers its own address for the phone number.",
            copy: None,
        },
        SetupStep {
            text: "Copy the IDs, the access token and the app secret to this channel. Then connect the channel.",
            copy: None,
        },
    ],
    capabilities: Capabilities {
        types: Capabilities::ALL_TYPES,
        quick_replies: MAX_QUICK_REPLIES,
        inbound: true,
        receipts: true,
    },
    limits: MessageLimits { text: MAX_CHARACTERS, unit: TextUnit::Characters },
    addresses: AddressRule::Provider,
    opt_out: OptOutRule::ConfirmedWords { by_provider: &[] },
    inbound: Some(InboundRule {
        media_types: &[],
        challenge: "Hub-Signature",
        receipt: Receipt::Fixed { media_type: "text/plain; charset=utf-8", body: "" },
        max_body: InboundRule::BATCH_BODY,
        max_requests: InboundRule::USUAL_REQUESTS,
    }),
    reply_window: Some(REPLY_WINDOW),
    pace: SendPace {
        channel: Some(PaceLimit::per_second(DEFAULT_PACE)),
        // WhatsApp lets a number borrow some messages to a contact, and then accepts about one in six seconds.
        recipient: Some(PaceLimit { every: Duration::from_secs(6), burst: 10 }),
    },
    in_sandbox: false,
};
