//! IDs: a UUIDv7 with a type prefix, written as a [TypeID](https://github.com/jetify-com/typeid/tree/main/spec).
//!
//! `contact_01h455vb4pex5vsknk084sn02q` is the prefix, an underscore, and the 128 bits as 26 digits of Crockford's
//! base32, so IDs sort by creation time. The table of all types is at the end of this file.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tidings_read::typed_id::{decode, encode};
use uuid::Uuid;

pub use tidings_read::typed_id::{InvalidId, TypedId};

/// Whether a text is an ID of any type.
pub fn is_id(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, digits)| PREFIXES.contains(&prefix) && decode(digits).is_some())
}

/// Returns the 128 bits of an ID with this prefix.
pub(crate) fn bits(prefix: &'static str, text: &str) -> Result<Uuid, InvalidId> {
    let digits = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
    digits.and_then(decode).map(Uuid::from_u128).ok_or(InvalidId { prefix })
}

macro_rules! id_kinds {
    (
        [$($(#[$doc:meta])* $name:ident = $prefix:literal;)*]
        [$($(#[$of:meta])* $object:ident in $module:ident { id: $id:ident = $known:literal, $($rest:tt)* })*]
    ) => {
        id_kinds! {
            $($(#[$doc])* $name = $prefix;)*
            $($(#[$of])* $id = $known;)*
        }
    };
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(Uuid);

            impl TypedId for $name {
                const PREFIX: &'static str = $prefix;

                fn from_uuid(uuid: Uuid) -> Self {
                    Self(uuid)
                }

                fn uuid(self) -> Uuid {
                    self.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                    out.write_str(concat!($prefix, "_"))?;
                    out.write_str(str::from_utf8(&encode(self.0.as_u128())).unwrap_or_default())
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(self, out)
                }
            }

            impl FromStr for $name {
                type Err = InvalidId;

                fn from_str(text: &str) -> Result<Self, InvalidId> {
                    text.strip_prefix(concat!($prefix, "_"))
                        .and_then(decode)
                        .map(|bits| Self(Uuid::from_u128(bits)))
                        .ok_or(InvalidId { prefix: $prefix })
                }
            }

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    to.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
                }
            }

            #[cfg(feature = "openapi")]
            impl utoipa::PartialSchema for $name {
                fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                    utoipa::openapi::ObjectBuilder::new()
                        .schema_type(utoipa::openapi::schema::Type::String)
                        .pattern(Some(concat!("^", $prefix, "_[0-7][0-9a-hjkmnp-tv-z]{25}$")))
                        .examples([serde_json::json!(concat!($prefix, "_01h455vb4pex5vsknk084sn02q"))])
                        .into()
                }
            }

            #[cfg(feature = "openapi")]
            impl utoipa::ToSchema for $name {
                fn name() -> std::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }
            }
        )*

        /// The prefixes of all types, in the order of the table.
        pub const PREFIXES: &[&str] = &[$($prefix),*];
    };
}

crate::for_each_stored!(id_kinds {
    /// A contact.
    ContactId = "contact";
    /// The conversation with one contact on one channel.
    ConversationId = "conv";
    /// A message in a conversation.
    MessageId = "msg";
    /// An automation graph.
    FlowId = "flow";
    /// A run of a flow for one contact.
    RunId = "run";
    /// A subscription of another system to events.
    WebhookId = "hook";
    /// The delivery of one event to one webhook.
    DeliveryId = "dlv";
    /// An event.
    EventId = "evt";
    /// A custom event of a contact.
    CustomEventId = "cev";
    /// An API key.
    KeyId = "key";
    /// A workspace: the owner of everything else.
    WorkspaceId = "ws";
    /// A connection to contacts.
    ChannelId = "chan";
    /// A job.
    JobId = "job";
    /// A user.
    UserId = "user";
    /// A session of a user: a signed-in browser or program.
    SessionId = "sess";
    /// An invitation to a workspace that is not accepted yet.
    InvitationId = "inv";
    /// A key pair that signs access tokens.
    SigningKeyId = "skey";
    /// One message to many contacts.
    BroadcastId = "bcast";
    /// An import of a table of contacts.
    ImportId = "imp";
    /// A bulk operation on contacts.
    BulkOperationId = "bulk";
    /// A sequence of timed steps.
    SequenceId = "seq";
    /// The enrollment of a contact in a sequence.
    EnrollmentId = "enr";
    /// An entry of the audit log.
    AuditEntryId = "audit";
    /// An API request. The server assigns it.
    RequestId = "req";
    /// A request of a provider that was not understood.
    UnparsedRequestId = "unp";
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_and_writes_the_example_of_the_specification() {
        // TypeID specification, valid.yml, "valid-uuidv7".
        let uuid = Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057);
        assert_eq!(ContactId::from_uuid(uuid).to_string(), "contact_01h455vb4pex5vsknk084sn02q");
        assert_eq!("contact_01h455vb4pex5vsknk084sn02q".parse(), Ok(ContactId::from_uuid(uuid)));
    }

    #[test]
    fn rejects_other_prefixes_capitals_and_overflow() {
        for text in [
            "tag_01h455vb4pex5vsknk084sn02q",
            "contact_01H455VB4PEX5VSKNK084SN02Q",
            "contact_81h455vb4pex5vsknk084sn02q",
            "contact_01h455vb4pex5vsknk084sn02",
            "contact_01h455vb4pex5vsknk084sn02u",
            "contact01h455vb4pex5vsknk084sn02q",
            "contact_é1h455vb4pex5vsknk084sn02",
            "",
        ] {
            assert_eq!(text.parse::<ContactId>(), Err(InvalidId { prefix: "contact" }), "{text}");
            assert_eq!(is_id(text), text.starts_with("tag_"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_id_reads_back_and_keeps_its_order(a: u128, b: u128) {
            let (left, right) = (TagId::from_uuid(Uuid::from_u128(a)), TagId::from_uuid(Uuid::from_u128(b)));
            prop_assert_eq!(left.to_string().parse(), Ok(left));
            prop_assert_eq!(left.to_string().cmp(&right.to_string()), a.cmp(&b));
        }
    }
}
