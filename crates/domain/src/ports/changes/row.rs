//! Rows with a key and a version.

use super::Object;
use crate::access::{Member, User, Workspace};
use crate::broadcasts::Broadcast;
use crate::bulk::BulkOperation;
use crate::channels::Channel;
use crate::contacts::Contact;
use crate::conversations::{Conversation, Message};
use crate::flows::{Flow, Run};
use crate::imports::Import;
use crate::sequences::{Enrollment, Sequence};
use crate::stored::StoredRow;
use crate::webhooks::{Delivery, Webhook};

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident($held:ty) by $id:ident,)*) => {
        /// A row with a key and a version.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Row {
            $($(#[$doc])* $name($held),)*
            /// A simple object; [`crate::ports::Conflict::Exists`] if another one has the same unique value. An update
            /// of a custom field excludes the options that are being removed from contacts.
            Stored(StoredRow),
        }

        impl Row {
            /// The kinds of rows.
            #[cfg(test)]
            pub(crate) const KINDS: &[&str] = &[$(stringify!($name)),*];

            /// Returns the object of the row.
            pub fn object(&self) -> Object {
                match self {
                    $(Self::$name(it) => Object::$name(it.$id),)*
                    Self::Stored(it) => Object::Stored(it.id()),
                }
            }

            /// Returns the version with which it is written.
            pub fn version(&self) -> i64 {
                match self {
                    $(Self::$name(it) => it.version,)*
                    Self::Stored(it) => it.version(),
                }
            }
        }
    };
}

rows! {
    /// The set's own workspace.
    Workspace(Workspace) by id,
    /// A user; belongs to no workspace.
    User(User) by id,
    /// The membership of a user in the workspace.
    Member(Member) by user,
    /// A channel.
    Channel(Channel) by id,
    /// A contact without tags, values and identities, which are separate links. An update never moves the last-seen
    /// stamp back, and skips deleted contacts.
    Contact(Box<Contact>) by id,
    /// A conversation. An update never moves the last-seen stamp back.
    Conversation(Conversation) by id,
    /// A broadcast. An update excludes the number of targeted contacts, which a separate change sets.
    Broadcast(Box<Broadcast>) by id,
    /// A bulk operation.
    BulkOperation(Box<BulkOperation>) by id,
    /// An import.
    Import(Box<Import>) by id,
    /// A message. An update excludes its conversation.
    Message(Box<Message>) by id,
    /// A flow with its draft.
    Flow(Flow) by id,
    /// A run.
    Run(Box<Run>) by id,
    /// A sequence. An update can also delete it. A deleted sequence is not updated again.
    Sequence(Box<Sequence>) by id,
    /// An enrollment; [`crate::ports::Conflict::Exists`] if the contact is already in the sequence.
    Enrollment(Box<Enrollment>) by id,
    /// A webhook. An update excludes its health.
    Webhook(Webhook) by id,
    /// A delivery of an event to a webhook.
    Delivery(Delivery) by id,
}
