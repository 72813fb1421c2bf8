//! Rows of objects with a key and a version, by kind.

use tidings_domain::access::{Member, User, Workspace};
use tidings_domain::broadcasts::Broadcast;
use tidings_domain::bulk::BulkOperation;
use tidings_domain::channels::Channel;
use tidings_domain::contacts::Contact;
use tidings_domain::conversations::{Conversation, Message};
use tidings_domain::flows::{Flow, Run};
use tidings_domain::for_each_stored;
use tidings_domain::imports::Import;
use tidings_domain::ports::{Object, Row};
use tidings_domain::sequences::{Enrollment, Sequence};
use tidings_domain::stored::StoredRow;
use tidings_domain::webhooks::{Delivery, Webhook};

use super::grouping::{Grouped, kinds};
use super::statements::{self, MissedRows};
use crate::access::members::MemberRow;
use crate::access::users::UserRow;
use crate::access::{self, WorkspaceRow};
use crate::broadcasts::BroadcastRow;
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::contacts::ContactRecord;
use crate::contacts::bulk::BulkRow;
use crate::conversations::channels::ChannelRow;
use crate::conversations::{ConversationRow, MessageRow};
use crate::flows::{FlowRow, RunRow};
use crate::imports::ImportRow;
use crate::queries::types::DbId;
use crate::sequences::{EnrollmentRow, SequenceRow};
use crate::webhooks::{DeliveryRow, WebhookRow};
use crate::write::declared::Tabled;

/// Declares the kinds, with the conversion of an object to its row.
macro_rules! objects {
    (
        [$($kind:ident($object:ty): |$ws:pat_param, $it:ident| $row:expr;)+]
        [$($(#[$doc:meta])* $name:ident in $module:ident { $($rest:tt)* })*]
    ) => {
        kinds! {
            /// Objects of one kind, each with the workspace of its set.
            pub(super) enum Objects<'s> {
                $($kind(Vec<(DbId, &'s $object)>),)+
                $($name(Vec<(DbId, &'s tidings_domain::$module::$name)>),)*
            }
        }

        impl<'s> Objects<'s> {
            pub(super) fn of(ws: DbId, row: &'s Row) -> Self {
                match row {
                    $(Row::$kind(it) => {
                        let it: &'s $object = it;
                        Self::$kind(vec![(ws, it)])
                    })+
                    $(Row::Stored(StoredRow::$name(it)) => Self::$name(vec![(ws, it)]),)*
                }
            }

            pub(super) async fn insert(&self, c: &mut Connection<'_>) -> Result<(), Fault> {
                match self {
                    $(Self::$kind(objects) => {
                        let rows: Result<Vec<_>, Fault> = objects.iter().map(|&($ws, $it)| $row).collect();
                        statements::insert(c, &rows?).await
                    })+
                    $(Self::$name(objects) => {
                        let rows: Result<Vec<_>, Fault> = objects.iter().map(|&(ws, it)| Tabled::row(ws, it)).collect();
                        statements::insert(c, &rows?).await
                    })*
                }
            }

            /// Updates rows that still have the previous version. Returns the positions of the others.
            async fn update(&self, c: &mut Connection<'_>) -> Result<MissedRows, Fault> {
                match self {
                    $(Self::$kind(objects) => {
                        let rows: Result<Vec<_>, Fault> = objects.iter().map(|&($ws, $it)| $row).collect();
                        statements::update(c, &rows?).await
                    })+
                    $(Self::$name(objects) => {
                        let rows: Result<Vec<_>, Fault> = objects.iter().map(|&(ws, it)| Tabled::row(ws, it)).collect();
                        statements::update(c, &rows?).await
                    })*
                }
            }
        }
    };
}

for_each_stored!(objects {
    Workspace(Workspace): |ws, it| access::own(ws, it.id).map(|()| WorkspaceRow::write(it));
    User(User): |_, it| Ok(UserRow::write(it));
    Member(Member): |ws, it| Ok(MemberRow::write(ws, it));
    Channel(Channel): |ws, it| Ok(ChannelRow::write(ws, it));
    Contact(Contact): |ws, it| Ok(ContactRecord::write(ws, it));
    Conversation(Conversation): |ws, it| Ok(ConversationRow::write(ws, it));
    Message(Message): |ws, it| MessageRow::write(ws, it);
    Flow(Flow): |ws, it| FlowRow::write(ws, it);
    Run(Run): |ws, it| RunRow::write(ws, it);
    Broadcast(Broadcast): |ws, it| BroadcastRow::write(ws, it);
    BulkOperation(BulkOperation): |ws, it| BulkRow::write(ws, it);
    Import(Import): |ws, it| ImportRow::write(ws, it);
    Sequence(Sequence): |ws, it| SequenceRow::write(ws, it);
    Enrollment(Enrollment): |ws, it| EnrollmentRow::write(ws, it);
    Webhook(Webhook): |ws, it| WebhookRow::write(ws, it);
    Delivery(Delivery): |ws, it| Ok(DeliveryRow::write(ws, it));
});

pub(super) struct Updates<'s> {
    /// The objects in the order of their rows.
    objects: Vec<Object>,
    rows: Objects<'s>,
}

impl<'s> Updates<'s> {
    pub(super) fn of(ws: DbId, row: &'s Row) -> Self {
        Self { objects: vec![row.object()], rows: Objects::of(ws, row) }
    }

    pub(super) fn object(&self, place: usize) -> Option<Object> {
        self.objects.get(place).copied()
    }

    /// Returns the messages among the objects, each with its workspace.
    pub(super) fn messages(&self) -> &[(DbId, &'s Message)] {
        if let Objects::Message(messages) = &self.rows { messages } else { &[] }
    }

    /// Updates rows that still have the previous version. Returns the positions of the others.
    pub(super) async fn write(&self, c: &mut Connection<'_>) -> Result<MissedRows, Fault> {
        self.rows.update(c).await
    }
}

impl Grouped for Updates<'_> {
    fn is_like(&self, other: &Self) -> bool {
        self.rows.is_like(&other.rows)
    }

    fn join(&mut self, Self { mut objects, rows }: Self) -> Option<Self> {
        match self.rows.join(rows) {
            Some(rows) => Some(Self { objects, rows }),
            None => {
                self.objects.append(&mut objects);
                None
            }
        }
    }
}
