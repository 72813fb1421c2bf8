//! The description of the `telegram` channel type.

use std::time::Duration;

use tidings_domain::channels::{
    AddressRule, Capabilities, ChannelKind, ChannelType, ConfigField, InboundRule, MessageLimits, OptOutRule,
    PaceLimit, Receipt, SendPace, SetupStep, Shape, TextUnit,
};
use tidings_domain::conversations::{MAX_QUICK_REPLIES, MessageType};

use crate::fields::{API_ADDRESS, FIELD, SECRET};

/// Name of the member of `config` with the name of the bot, which Telegram reports.
pub(super) const BOT_USERNAME: &str = "bot_username";
/// Name of the member of `config` with the transport of incoming messages.
pub(super) const MODE: &str = "mode";
/// The mode of a bot without a webhook: the server fetches its updates.
pub(super) const POLLING: &str = "polling";
/// Name of the secret.
pub(super) const BOT_TOKEN: &str = "bot_token";
/// Maximum length of a text in UTF-16 code units.
pub(super) const MAX_UNITS: usize = 4_096;
/// Maximum length of the caption of a file in UTF-16 code units.
pub(super) const MAX_CAPTION_UNITS: usize = 1_024;

/// Bots of Telegram.
pub const TELEGRAM: ChannelType = ChannelType {
    kind: ChannelKind::Telegram,
    title: "Telegram",
    config: &[
        ConfigField {
            name: MODE,
            title: "Mode",
            description: "The transport of incoming messages: `webhook`, which is the default, or `polling` for a server \
                          without a public address.",
            shape: Shape::Choice(&["webhook", POLLING]),
            example: Some(r#""webhook""#),
            ..FIELD
        },
        ConfigField {
            title: "Address of the Bot API",
            description: "Only for your own Bot API server. The default is https://api.telegram.org.",
            example: Some(r#""https://api.telegram.org""#),
            ..API_ADDRESS
        },
    ],
    reported: &[ConfigField {
        name: BOT_USERNAME,
        title: "Name of the bot",
        description: "The username of the bot, without `@`.",
        ..FIELD
    }],
    secrets: &[ConfigField {
        name: BOT_TOKEN,
        title: "Bot token",
        description: "The token that @BotFather shows for the bot.",
        ..SECRET
    }],
    signing_secret: false,
    registers: true,
    checks_address: false,
    setup: &[
        SetupStep { text: "Open @BotFather in Telegram, send /newbot, and follow its questions.", copy: None },
        SetupStep { text: "Copy the token that @BotFather shows to the bot token of this channel.", copy: None },
    ],
    capabilities: Capabilities {
        types: &[
            MessageType::Text,
            MessageType::Image,
            MessageType::Video,
            MessageType::Audio,
            MessageType::File,
            MessageType::Location,
            MessageType::Card,
        ],
        quick_replies: MAX_QUICK_REPLIES,
        inbound: true,
        receipts: false,
    },
    limits: MessageLimits { text: MAX_UNITS, unit: TextUnit::Utf16 },
    addresses: AddressRule::Provider,
    opt_out: OptOutRule::ConfirmedWords { by_provider: &[] },
    inbound: Some(InboundRule {
        media_types: &[],
        challenge: "Telegram-Secret-Token",
        receipt: Receipt::Fixed { media_type: "text/plain; charset=utf-8", body: "" },
        max_body: InboundRule::BATCH_BODY,
        max_requests: InboundRule::USUAL_REQUESTS,
    }),
    reply_window: None,
    // Telegram accepts about 30 messages a second from a bot, and one a second to a chat after a few quick ones.
    pace: SendPace {
        channel: Some(PaceLimit::per_second(25)),
        recipient: Some(PaceLimit { every: Duration::from_secs(1), burst: 3 }),
    },
    in_sandbox: false,
};
