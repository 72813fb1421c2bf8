//! The type of the channel that every new workspace has.

use super::{AddressRule, Capabilities, ChannelType, MessageLimits, OptOutRule, TextUnit};
use crate::channels::model::ChannelKind;
use crate::channels::pace::SendPace;
use crate::conversations::{MAX_QUICK_REPLIES, MAX_TEXT};

/// Channels that store every message and send none: for first steps and for tests. Each new workspace has one, so the
/// domain describes this type itself.
pub const SANDBOX: ChannelType = ChannelType {
    kind: ChannelKind::Sandbox,
    title: "Sandbox",
    config: &[],
    reported: &[],
    secrets: &[],
    signing_secret: false,
    registers: false,
    checks_address: false,
    setup: &[],
    capabilities: Capabilities {
        types: Capabilities::ALL_TYPES,
        quick_replies: MAX_QUICK_REPLIES,
        inbound: true,
        receipts: false,
    },
    limits: MessageLimits { text: MAX_TEXT, unit: TextUnit::Characters },
    addresses: AddressRule::ContactId,
    opt_out: OptOutRule::Words,
    inbound: None,
    reply_window: None,
    pace: SendPace::NONE,
    in_sandbox: true,
};
