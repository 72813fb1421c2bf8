//! The description of the `email` channel type.

use tidings_domain::channels::{
    AddressRule, Capabilities, ChannelKind, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule, Receipt,
    SendPace, SetupStep, Shape, TextUnit,
};
use tidings_domain::conversations::{MAX_QUICK_REPLIES, MAX_TEXT, MessageType};

use crate::fields::FIELD;

/// Name of the secret with the user name at the mail server.
pub(super) const SMTP_USER: &str = "smtp_user";
/// Name of the secret with the password at the mail server.
pub(super) const SMTP_PASSWORD: &str = "smtp_password";
/// Name of the secret of inbound requests.
pub(super) const INBOUND_SECRET: &str = "inbound_secret";
/// Name of the member of `inbound` with the name of the server that checks senders.
pub(super) const AUTHSERV_ID: &str = "authserv_id";
/// The value of `inbound.auth` for Standard Webhooks signatures, which is the default.
pub(super) const STANDARD_WEBHOOKS: &str = "standard_webhooks";
/// The value of `inbound.auth` for HTTP Basic.
pub(super) const BASIC: &str = "basic";
/// The value of `inbound.auth` for signatures of Mailgun.
pub(super) const MAILGUN: &str = "mailgun";
/// The value of `smtp.tls` for `STARTTLS`.
pub(super) const STARTTLS: &str = "starttls";
/// The largest mail that is accepted, with the encoding of its relay, in bytes: 25 MiB.
const MAX_MAIL: usize = 25 * 1024 * 1024;

/// The sender of outbound mail.
const FROM: &[ConfigField] = &[
    ConfigField {
        name: "address",
        title: "Email address",
        description: "Contacts get mail from this address, and answer to it.",
        shape: Shape::Text { least: 3, most: 254 },
        required: true,
        fixed: true,
        example: Some(r#""hello@example.com""#),
        ..FIELD
    },
    ConfigField {
        name: "name",
        title: "Sender name",
        description: "Contacts see this name as the sender.",
        example: Some(r#""Example Shop""#),
        ..FIELD
    },
];

/// The mail server.
const SMTP: &[ConfigField] = &[
    ConfigField {
        name: "host",
        title: "Mail server",
        description: "Host of the server that sends mail (SMTP submission).",
        shape: Shape::Host { most: 253 },
        required: true,
        private: true,
        example: Some(r#""smtp.example.com""#),
        ..FIELD
    },
    ConfigField {
        name: "port",
        title: "Port",
        description: "465, 587, 2525 or 25. The default is 465, and 587 with `starttls`.",
        shape: Shape::Integer { least: 1, most: 65_535 },
        private: true,
        example: Some("465"),
        ..FIELD
    },
    ConfigField {
        name: "tls",
        title: "Encryption",
        description: "`implicit`, which is the default, or `starttls`. Mail is never sent without encryption.",
        shape: Shape::Choice(&["implicit", STARTTLS]),
        private: true,
        example: Some(r#""implicit""#),
        ..FIELD
    },
];

/// The requests of the relay that delivers inbound mail.
const INBOUND: &[ConfigField] = &[
    ConfigField {
        name: "auth",
        title: "Check of inbound mail",
        description: "How the relay proves that it sent a request: `standard_webhooks`, which is the default, `basic` \
                      or `mailgun`.",
        shape: Shape::Choice(&[STANDARD_WEBHOOKS, BASIC, MAILGUN]),
        private: true,
        example: Some(r#""basic""#),
        ..FIELD
    },
    ConfigField {
        name: AUTHSERV_ID,
        title: "Name of the receiving server",
        description: "The name with which your mail server begins its `Authentication-Results` headers. Without it, \
                      START does not opt a contact in, because the sender of a mail can be forged.",
        shape: Shape::Text { least: 1, most: 253 },
        private: true,
        example: Some(r#""mx.example.com""#),
        ..FIELD
    },
];

/// Mailboxes: SMTP for outbound mail, and a relay that posts inbound mail.
pub const EMAIL: ChannelType = ChannelType {
    kind: ChannelKind::Email,
    title: "Email",
    config: &[
        ConfigField {
            name: "from",
            title: "Sender",
            description: "The sender of outbound mail.",
            shape: Shape::Object(FROM),
            required: true,
            example: Some(r#"{"address": "hello@example.com", "name": "Example Shop"}"#),
            ..FIELD
        },
        ConfigField {
            name: "smtp",
            title: "Outbound mail",
            description: "The mail server for outbound mail.",
            shape: Shape::Object(SMTP),
            required: true,
            private: true,
            example: Some(r#"{"host": "smtp.example.com", "port": 465, "tls": "implicit"}"#),
            ..FIELD
        },
        ConfigField {
            name: "inbound",
            title: "Inbound mail",
            description: "Requests of the relay for inbound mail.",
            shape: Shape::Object(INBOUND),
            private: true,
            example: Some(r#"{"auth": "basic"}"#),
            ..FIELD
        },
        ConfigField {
            name: "signature",
            title: "Signature",
            description: "Text at the end of each mail.",
            shape: Shape::Text { least: 1, most: 1_000 },
            example: Some(r#""Example Shop, Main Street 1""#),
            ..FIELD
        },
    ],
    reported: &[],
    secrets: &[
        ConfigField {
            name: SMTP_USER,
            title: "User name at the mail server",
            description: "The user name for the log-in.",
            shape: Shape::Text { least: 1, most: 255 },
            private: true,
            ..FIELD
        },
        ConfigField {
            name: SMTP_PASSWORD,
            title: "Password at the mail server",
            description: "The password for the log-in.",
            shape: Shape::Text { least: 1, most: 1_000 },
            private: true,
            ..FIELD
        },
        ConfigField {
            name: INBOUND_SECRET,
            title: "Secret for inbound mail",
            description: "The signing key of Mailgun, or the secret of your own relay. If empty, the server generates \
                          one and shows it once.",
            shape: Shape::GeneratedText { least: 16, most: 200 },
            private: true,
            verifies: true,
            ..FIELD
        },
    ],
    signing_secret: false,
    registers: true,
    checks_address: false,
    setup: &[
        SetupStep { text: "Enter the mail server of your mailbox, with its user name and password.", copy: None },
        SetupStep { text: "Send the mail that arrives at the address to this path.", copy: Some("inbound_path") },
    ],
    capabilities: Capabilities {
        types: &[MessageType::Text, MessageType::Image, MessageType::Video, MessageType::Audio, MessageType::File],
        quick_replies: MAX_QUICK_REPLIES,
        inbound: true,
        receipts: false,
    },
    limits: MessageLimits { text: MAX_TEXT, unit: TextUnit::Characters },
    addresses: AddressRule::Email,
    opt_out: OptOutRule::ConfirmedWords { by_provider: &[] },
    inbound: Some(InboundRule {
        media_types: &["message/rfc822", "multipart/form-data", "application/x-www-form-urlencoded"],
        challenge: "Basic realm=\"inbound mail\"",
        receipt: Receipt::Fixed { media_type: "text/plain; charset=utf-8", body: "" },
        max_body: MAX_MAIL,
        max_requests: InboundRule::USUAL_REQUESTS,
    }),
    reply_window: None,
    pace: SendPace::NONE,
    in_sandbox: false,
};
