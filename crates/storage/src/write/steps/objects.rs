//! Rows of objects that have a key and a version.

use tidings_domain::ports::{Change, Conflict, Row};

use super::{none_missed, rows, unwritten};
use crate::access::{self, WorkspaceRow};
use crate::broadcasts::BroadcastRow;
use crate::bulk::BulkRow;
use crate::channels::ChannelRow;
use crate::connection::Connection;
use crate::contacts::ContactRecord;
use crate::conversations::{ConversationRow, MessageRow};
use crate::faults::Fault;
use crate::fields::{BotFieldRow, FieldRow};
use crate::flows::{FlowRow, RunRow};
use crate::imports::ImportRow;
use crate::members::MemberRow;
use crate::saved_replies::SavedReplyRow;
use crate::secrets::SecretRow;
use crate::segments::SegmentRow;
use crate::sequences::{EnrollmentRow, SequenceRow};
use crate::tags::TagRow;
use crate::users::UserRow;
use crate::webhooks::{DeliveryRow, WebhookRow};
use crate::write::program::{Op, Step};
use crate::write::statements;

/// Rows of one kind of objects.
pub(super) async fn objects(c: &mut Connection<'_>, step: &Step<'_>) -> Result<(), Fault> {
    let (first, is_update) = match step.ops.first() {
        None => return Ok(()),
        Some((_, Op::Change(Change::Insert(first)))) => (first, false),
        Some((_, Op::Change(Change::Update(first)))) => (first, true),
        Some((_, other)) => return Err(unwritten(step.kind, other)),
    };
    macro_rules! by_kind {
        ($($name:ident: |$ws:ident, $it:ident| $row:expr;)*) => {
            match first {
                $(Row::$name(_) => {
                    let rows = rows!(step, |$ws| Op::Change(
                        Change::Insert(Row::$name($it)) | Change::Update(Row::$name($it))
                    ) => {
                        let row: Result<_, Fault> = $row;
                        row?
                    });
                    if !is_update {
                        return statements::insert(c, &rows).await;
                    }
                    let missed = statements::update(c, &rows).await?;
                    none_missed(&missed, |place| {
                        let (_, Op::Change(Change::Update(row))) = step.ops.get(place)? else { return None };
                        Some(Conflict::Stale(row.object()))
                    })
                })*
            }
        };
    }
    by_kind! {
        Workspace: |ws, it| access::own(ws, it.id).map(|()| WorkspaceRow::write(it));
        User: |_ws, it| Ok(UserRow::write(it));
        Member: |ws, it| Ok(MemberRow::write(ws, it));
        Channel: |ws, it| Ok(ChannelRow::write(ws, it));
        Contact: |ws, it| Ok(ContactRecord::write(ws, it));
        Tag: |ws, it| Ok(TagRow::write(ws, it));
        Field: |ws, it| FieldRow::write(ws, it);
        BotField: |ws, it| BotFieldRow::write(ws, it);
        Secret: |ws, it| SecretRow::write(ws, it);
        Conversation: |ws, it| Ok(ConversationRow::write(ws, it));
        Message: |ws, it| MessageRow::write(ws, it);
        Flow: |ws, it| FlowRow::write(ws, it);
        Run: |ws, it| RunRow::write(ws, it);
        Broadcast: |ws, it| BroadcastRow::write(ws, it);
        BulkOperation: |ws, it| BulkRow::write(ws, it);
        Import: |ws, it| ImportRow::write(ws, it);
        Segment: |ws, it| SegmentRow::write(ws, it);
        SavedReply: |ws, it| Ok(SavedReplyRow::write(ws, it));
        Sequence: |ws, it| SequenceRow::write(ws, it);
        Enrollment: |ws, it| EnrollmentRow::write(ws, it);
        Webhook: |ws, it| WebhookRow::write(ws, it);
        Delivery: |ws, it| Ok(DeliveryRow::write(ws, it));
    }
}
