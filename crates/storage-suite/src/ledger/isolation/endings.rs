//! Attempts by another workspace with copies, and with operations that remove data.

use std::time::Duration;

use tidings_domain::access::{Member, Role};
use tidings_domain::analytics::{Fact, Metric, ReplyMeasure};
use tidings_domain::erasures::Erasure;
use tidings_domain::merges::Merge;
use tidings_domain::ports::{AnalyticsChange, Change, ErasureChange, MergeChange, Row};
use tidings_domain::sandboxes::SandboxChange;
use tidings_domain::stored::StoredRow;

use super::Attempt;
use crate::analytics::reply_times::a_reply_time;
use crate::fixtures::seed::Seed;
use crate::fixtures::{NOW, at, uuid};

/// Returns inserts of objects with an ID that exists in another workspace.
pub(super) fn copies(ada: &Seed) -> Vec<Attempt> {
    vec![
        // These insert separate rows with IDs that exist in another workspace.
        (Change::Insert(Row::Flow(ada.flow.clone())), false),
        (Change::Insert(Row::Sequence(Box::new(ada.sequence.clone()))), false),
        (Change::Insert(Row::Stored(StoredRow::Segment(ada.segment.clone()))), false),
        (Change::Insert(Row::Stored(StoredRow::SavedReply(ada.saved_reply.clone()))), false),
        (Change::Insert(Row::Stored(StoredRow::Media(ada.media.clone()))), false),
        (Change::Audit(Box::new(ada.audited.clone())), true),
        (Change::Insert(Row::Broadcast(Box::new(ada.broadcast.clone()))), false),
        (Change::Insert(Row::BulkOperation(Box::new(ada.operation.clone()))), false),
        (Change::Insert(Row::Import(Box::new(ada.import.clone()))), false),
        (Change::Insert(Row::Webhook(ada.webhook.clone())), false),
        // A user may be a member of both workspaces.
        (Change::Insert(Row::Member(Member::new(ada.user.id, Role::Owner, NOW))), false),
    ]
}

/// Returns attempts on counts, erasures, merges and sandboxes.
pub(super) fn endings(ada: &Seed, bob: &Seed) -> Vec<Attempt> {
    let (theirs, own) = (ada.contact.id, bob.contact.id);
    vec![
        (Change::Analytics(AnalyticsChange::Record(a_fact())), false),
        (
            Change::Analytics(AnalyticsChange::RecordReply(a_reply_time(&ada.world, ReplyMeasure::Resolution, at(9)))),
            false,
        ),
        (
            Change::Erasure(ErasureChange::Begin {
                contact: Box::new(Erasure::emptied(&ada.contact, at(9))),
                erasure: Erasure { contact: theirs, requested_at: at(9), erased_at: None },
            }),
            true,
        ),
        (Change::Erasure(ErasureChange::RemovePart { contact: theirs, limit: 100, at: at(9) }), false),
        (Change::Erasure(ErasureChange::End { contact: ada.erased.id, at: at(9) }), false),
        (
            Change::Merge(MergeChange::Begin {
                contact: Box::new(Erasure::emptied(&ada.contact, at(9))),
                merge: Merge { contact: theirs, into: own, merged_at: at(9), moved_at: None },
            }),
            true,
        ),
        (Change::Merge(MergeChange::MovePart { contact: ada.merged.id, into: theirs, limit: 100, at: at(9) }), true),
        (Change::Merge(MergeChange::End { contact: ada.merged.id, at: at(9) }), false),
        (Change::Sandbox(SandboxChange::Hold { holder: uuid(), now: NOW, until: at(9) }), false),
        (Change::Sandbox(SandboxChange::Release { holder: uuid() }), false),
        (Change::Sandbox(SandboxChange::Advance { holder: uuid(), by: Duration::from_secs(9), now: NOW }), true),
        (Change::Sandbox(SandboxChange::Empty { holder: uuid() }), true),
    ]
}

fn a_fact() -> Fact {
    Fact { id: uuid(), metric: Metric::FlowsStarted, dimension: String::new(), amount: 1, at: at(9) }
}
