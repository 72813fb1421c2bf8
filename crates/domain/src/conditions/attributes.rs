//! What contacts and conversations have to be asked for: one table each.

use super::kind::Kind;
use crate::contacts::ContactStatus;
use crate::conversations::{ConversationStatus, Handler};

macro_rules! attributes {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal, $kind:expr;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $(#[doc = concat!("`", $word, "`")] $variant),* }

        impl $name {
            /// The names in conditions.
            pub const NAMES: &[&str] = &[$($word),*];

            /// The one with this name.
            pub(super) fn parse(name: &str) -> Option<Self> {
                match name { $($word => Some(Self::$variant),)* _ => None }
            }

            /// The type of its value.
            pub(super) fn kind(self) -> Kind<'static> {
                match self { $(Self::$variant => $kind),* }
            }
        }
    };
}

attributes! {
    /// An attribute of contacts.
    ContactAttribute {
        Id = "id", Kind::Id("contact");
        ExternalId = "external_id", Kind::Text;
        FirstName = "first_name", Kind::Text;
        LastName = "last_name", Kind::Text;
        Name = "name", Kind::Text;
        Email = "email", Kind::Email;
        Phone = "phone", Kind::Phone;
        Locale = "locale", Kind::Text;
        TimeZone = "time_zone", Kind::Text;
        Status = "status", Kind::Word(&ContactStatus::WORDS);
        Subscribed = "subscribed", Kind::Boolean;
        LastMessageAt = "last_message_at", Kind::Datetime;
        CreatedAt = "created_at", Kind::Datetime;
        UpdatedAt = "updated_at", Kind::Datetime;
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
