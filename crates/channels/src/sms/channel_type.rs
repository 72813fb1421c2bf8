//! The description of the `sms` channel type.

use tidings_domain::channels::{
    AddressRule, Capabilities, ChannelKind, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule, Receipt,
    SendPace, SetupStep, Shape, TextUnit,
};
use tidings_domain::conversations::{MAX_QUICK_REPLIES, MessageType};

use crate::fields::{API_ADDRESS, FIELD, SECRET};

/// Name of the member of `config` with the ID of the Twilio account.
pub(super) const ACCOUNT_SID: &str = "account_sid";
/// Name of the member of `config` with the number of the sender.
pub(super) const FROM: &str = "from";
/// Name of the member of `config` with the messaging service that chooses the sender.
pub(super) const MESSAGING_SERVICE_SID: &str = "messaging_service_sid";
/// Name of the member of `config` that is true if the number can send files (MMS), which Twilio reports.
pub(super) const MMS: &str = "mms";
/// Name of the secret that signs requests.
pub(super) const AUTH_TOKEN: &str = "auth_token";
/// Name of the secret that logs in instead of the account's token.
pub(super) const API_KEY: &str = "api_key";
/// Maximum number of characters of the text of a call.
pub(super) const MAX_CHARACTERS: usize = 1_600;
/// Words that Twilio itself confirms and blocks, <https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out>.
const OPT_OUT_WORDS: [&str; 8] = ["stop", "unsubscribe", "end", "quit", "stopall", "revoke", "optout", "cancel"];
/// The media type of Twilio's requests, besides JSON.
const FORM: &str = "application/x-www-form-urlencoded";

const SID: ConfigField = ConfigField {
    name: ACCOUNT_SID,
    title: "Account SID",
    description: "The ID of the Twilio account: `AC` and 32 digits or letters from a to f.",
    shape: Shape::Text { least: 1, most: 34 },
    required: true,
    fixed: true,
    example: Some(r#""AC0123456789abcdef0123456789abcdef""#),
    ..FIELD
};

/// Text messages to phones, by Twilio.
pub const SMS: ChannelType = ChannelType {
    kind: ChannelKind::Sms,
    title: "SMS",
    config: &[
        ConfigField {
            name: "provider",
            title: "Provider",
            description: "The provider of the number: `twilio`, which is the default.",
            shape: Shape::Choice(&["twilio"]),
            fixed: true,
            example: Some(r#""twilio""#),
            ..FIELD
        },
        SID,
        ConfigField {
            name: FROM,
            title: "Number",
            description: "The Twilio number that sends and receives, with `+` and the country code. Set it or the \
                          messaging service.",
            shape: Shape::Text { least: 1, most: 16 },
            fixed: true,
            example: Some(r#""+15005550006""#),
            ..FIELD
        },
        ConfigField {
            name: MESSAGING_SERVICE_SID,
            title: "Messaging service SID",
            description: "The messaging service of Twilio that chooses the sender: `MG` and 32 digits or letters from \
                          a to f. Set it or the number.",
            shape: Shape::Text { least: 1, most: 34 },
            fixed: true,
            example: Some(r#""MG0123456789abcdef0123456789abcdef""#),
            ..FIELD
        },
        ConfigField {
            title: "Address of the API",
            description: "Only for a proxy of the API. The default is https://api.twilio.com.",
            example: Some(r#""https://api.twilio.com""#),
            ..API_ADDRESS
        },
    ],
    reported: &[],
    secrets: &[
        ConfigField {
            name: AUTH_TOKEN,
            title: "Auth token",
            description: "The auth token of the account. Twilio signs its requests with it.",
            verifies: true,
            ..SECRET
        },
        ConfigField {
            name: API_KEY,
            title: "API key",
            description: "Logs in instead of the auth token when the server calls Twilio.",
            shape: Shape::Object(&[
                ConfigField {
                    name: "sid",
                    title: "API key SID",
                    description: "The ID of the API key: `SK` and 32 digits or letters from a to f.",
                    example: None,
                    ..SID
                },
                ConfigField {
                    name: "secret",
                    title: "API key secret",
                    description: "The secret of the API key, which Twilio shows once.",
                    shape: Shape::Text { least: 1, most: 200 },
                    example: None,
                    ..SID
                },
            ]),
            private: true,
            ..FIELD
        },
    ],
    signing_secret: false,
    registers: true,
    checks_address: false,
    setup: &[
        SetupStep {
            text: "Copy the account SID and the auth token from the start page of the Twilio console.",
            copy: None,
        },
        SetupStep {
            text: "Enter a Twilio number that can send and receive text messages, or a messaging service.",
            copy: None,
        },
        SetupStep {
            text: "Only for a messaging service: in Twilio, set its request URL for incoming messages to the inbound \
                   URL of the channel, with the method POST. A number is set up automatically.",
            copy: Some("inbound_path"),
        },
    ],
    capabilities: Capabilities {
        types: &[MessageType::Text, MessageType::Image, MessageType::Video, MessageType::Audio, MessageType::File],
        quick_replies: MAX_QUICK_REPLIES,
        inbound: true,
        receipts: true,
    },
    limits: MessageLimits { text: MAX_CHARACTERS, unit: TextUnit::Characters },
    addresses: AddressRule::Provider,
    opt_out: OptOutRule::ConfirmedWords { by_provider: &OPT_OUT_WORDS },
    inbound: Some(InboundRule {
        media_types: &[FORM],
        challenge: "Twilio-Signature",
        receipt: Receipt::Fixed { media_type: "text/xml; charset=utf-8", body: "<Response/>" },
        max_body: InboundRule::BATCH_BODY,
        max_requests: InboundRule::USUAL_REQUESTS,
    }),
    reply_window: None,
    pace: SendPace::NONE,
    in_sandbox: false,
};

/// Whether a text is an ID of Twilio with this prefix. It is part of URLs, so it must not change their path.
pub(super) fn is_sid(text: &str, prefix: &str) -> bool {
    let is_hexadecimal = |digit: u8| digit.is_ascii_digit() || matches!(digit, b'a'..=b'f');
    text.strip_prefix(prefix).is_some_and(|rest| rest.len() == 32 && rest.bytes().all(is_hexadecimal))
}

/// Whether a text is a phone number in E.164.
pub(super) fn is_number(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('+') else { return false };
    let is_long_enough = (7..=15).contains(&digits.len());
    is_long_enough && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}
