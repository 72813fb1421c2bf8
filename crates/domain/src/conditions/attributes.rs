//! Attributes of contacts and conversations in conditions.

use super::kind::Kind;
use super::operand::Operand;
use crate::contacts::{Attribute, Contact, ContactStatus, with_attributes};
use crate::conversations::{ConversationStatus, Handler};
use crate::ids::TypedId;

macro_rules! attributes {
    (
        { $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* }
        { $($(#[$more_doc:meta])* $more_variant:ident $more:ident: $more_type:ty, $more_kind:ident;)* }
    ) => {
        attributes! {
            /// An attribute of contacts in conditions.
            ContactAttribute {
                Id = "id", Kind::Id("contact");
                $($variant = stringify!($name), Kind::$kind;)*
                Name = "name", Kind::Text;
                $($more_variant = stringify!($more), Kind::$more_kind;)*
                Status = "status", Kind::Word(&ContactStatus::WORDS);
                Subscribed = "subscribed", Kind::Boolean;
                LastMessageAt = "last_message_at", Kind::Datetime;
                CreatedAt = "created_at", Kind::Datetime;
                UpdatedAt = "updated_at", Kind::Datetime;
            }
        }

        impl ContactAttribute {
            /// The contact's value, in the form for comparison.
            pub(super) fn value(self, it: &Contact) -> Option<Operand> {
                match self {
                    Self::Id => Some(Operand::Id(it.id.uuid())),
                    Self::Name => it.name().as_deref().map(Operand::text),
                    $(Self::$variant => compared(it, Attribute::$variant),)*
                    $(Self::$more_variant => compared(it, Attribute::$more_variant),)*
                    Self::Status => Some(Operand::text(it.status.as_str())),
                    Self::Subscribed => Some(Operand::Boolean(it.subscribed)),
                    Self::LastMessageAt => it.last_message_at.map(Operand::Instant),
                    Self::CreatedAt => Some(Operand::Instant(it.created_at)),
                    Self::UpdatedAt => Some(Operand::Instant(it.updated_at)),
                }
            }
        }
    };
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:expr, $kind:expr;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $(#[doc = concat!("`", $word, "`")] $variant),* }

        impl $name {
            /// The names in conditions.
            pub const NAMES: &[&str] = &[$($word),*];

            pub(super) fn parse(name: &str) -> Option<Self> {
                [$(($word, Self::$variant)),*].into_iter().find(|(word, _)| *word == name).map(|(_, found)| found)
            }

            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            pub(super) fn kind(self) -> Kind<'static> {
                match self { $(Self::$variant => $kind),* }
            }
        }
    };
}

with_attributes!(attributes);

/// Returns the value for comparison; for an email address, its key.
fn compared(it: &Contact, attribute: Attribute) -> Option<Operand> {
    match attribute {
        Attribute::Email => it.email.as_ref().map(|email| Operand::text(&email.canonical())),
        attribute => it.attribute(attribute).map(Operand::text),
    }
}

attributes! {
    /// An attribute of conversations.
    ConversationAttribute {
        Id = "id", Kind::Id("conv");
        ChannelId = "channel_id", Kind::Id("chan");
        Status = "status", Kind::Word(ConversationStatus::WORDS);
        Handler = "handler", Kind::Word(Handler::WORDS);
        AssigneeId = "assignee_id", Kind::Id("user");
        UnreadCount = "unread_count", Kind::Number;
        ReopenCount = "reopen_count", Kind::Number;
        SnoozedUntil = "snoozed_until", Kind::Datetime;
        WaitingSince = "waiting_since", Kind::Datetime;
        FirstReplyAt = "first_reply_at", Kind::Datetime;
        ResolvedAt = "resolved_at", Kind::Datetime;
        LastMessageAt = "last_message_at", Kind::Datetime;
        CreatedAt = "created_at", Kind::Datetime;
        UpdatedAt = "updated_at", Kind::Datetime;
    }
}

impl ContactAttribute {
    /// Whether every contact has a value.
    pub(super) fn is_always_there(self) -> bool {
        matches!(self, Self::Id | Self::Status | Self::Subscribed | Self::CreatedAt | Self::UpdatedAt)
    }
}
