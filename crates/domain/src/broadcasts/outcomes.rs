//! Counts of results when messages of broadcasts change their status.

use uuid::Uuid;

use super::{BroadcastChange, Count, RecipientResult, RecipientStatus};
use crate::access::ActorKind;
use crate::conversations::{Message, MessageStatus};
use crate::ids::BroadcastId;
use crate::ports::Change;
use crate::time::Timestamp;

/// Returns the counts of a status change.
fn steps(before: MessageStatus, after: MessageStatus) -> &'static [(Count, i64)] {
    use MessageStatus::{Delivered, Failed, Queued, Read, Received, Sending, Sent, Suppressed, Uncertain};
    match (before, after) {
        (Queued | Sending, Sent) => &[(Count::Sent, 1)],
        (Queued | Sending, Delivered) => &[(Count::Sent, 1), (Count::Delivered, 1)],
        (Queued | Sending, Read) => &[(Count::Sent, 1), (Count::Delivered, 1), (Count::Read, 1)],
        (Queued | Sending, Failed) => &[(Count::Failed, 1)],
        (Queued | Sending, Suppressed) => &[(Count::Suppressed, 1)],
        (Queued | Sending, Uncertain) => &[(Count::Uncertain, 1)],
        (Sent, Delivered) => &[(Count::Delivered, 1)],
        (Sent, Read) => &[(Count::Delivered, 1), (Count::Read, 1)],
        (Sent, Failed) => &[(Count::FailedLater, 1)],
        (Delivered, Read) => &[(Count::Read, 1)],
        (Uncertain, Sent) => &[(Count::Uncertain, -1), (Count::Sent, 1)],
        (Uncertain, Delivered) => &[(Count::Uncertain, -1), (Count::Sent, 1), (Count::Delivered, 1)],
        (Uncertain, Read) => &[(Count::Uncertain, -1), (Count::Sent, 1), (Count::Delivered, 1), (Count::Read, 1)],
        (Uncertain, Failed) => &[(Count::Uncertain, -1), (Count::Failed, 1)],
        // A status never moves back, and the last ones are final.
        (Queued | Sending, Queued | Sending | Received)
        | (Sent, Queued | Sending | Uncertain | Sent | Suppressed | Received)
        | (Delivered, Queued | Sending | Uncertain | Sent | Delivered | Failed | Suppressed | Received)
        | (Uncertain, Queued | Sending | Uncertain | Suppressed | Received)
        | (Read | Failed | Suppressed | Received, _) => &[],
    }
}

/// Returns the changes that count the new status of a message, if it belongs to a broadcast. `before` is its earlier
/// status.
pub(crate) fn counted(
    message: &Message,
    before: MessageStatus,
    now: Timestamp,
    mut id: impl FnMut() -> Uuid,
) -> Vec<Change> {
    let Some(broadcast) = broadcast_of(message) else { return Vec::new() };
    let counts = steps(before, message.status).iter();
    let change = |(count, amount): &(Count, i64)| {
        let (count, amount) = (*count, *amount);
        Change::Broadcast(BroadcastChange::Count { id: id(), broadcast, count, amount, at: now })
    };
    counts.map(change).collect()
}

/// Returns the change that stores the recipient's result, if the message belongs to a broadcast and its status change
/// from `before` changes the result.
pub(crate) fn settled_recipient(message: &Message, before: MessageStatus) -> Option<Change> {
    let broadcast = broadcast_of(message)?;
    let result = RecipientResult::of(message);
    (RecipientStatus::of(before) != result.status).then(|| {
        let (contact, message) = (message.contact, message.id);
        Change::Broadcast(BroadcastChange::SettleRecipient { broadcast, contact, message, result })
    })
}

fn broadcast_of(message: &Message) -> Option<BroadcastId> {
    let sender = Some(&message.sender).filter(|sender| sender.kind == ActorKind::Broadcast)?;
    sender.id.as_deref()?.parse().ok()
}

/// Returns the broadcast of the first change that counts an outcome.
pub(crate) fn settles(changes: &[Change]) -> Option<BroadcastId> {
    changes.iter().find_map(|change| {
        let Change::Broadcast(BroadcastChange::Count { broadcast, count, .. }) = change else { return None };
        count.is_outcome().then_some(*broadcast)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broadcasts::BroadcastStats;

    #[test]
    fn every_sequence_of_statuses_counts_one_outcome() {
        let all: Vec<MessageStatus> = MessageStatus::WORDS.iter().filter_map(|it| MessageStatus::parse(it)).collect();
        let outcomes = |counts: &[(Count, i64)]| BroadcastStats::of(1, counts).outcomes();
        for first in all.iter().filter(|first| MessageStatus::Queued.may_become(**first)) {
            for second in all.iter().filter(|second| first.may_become(**second)) {
                for third in all.iter().filter(|third| second.may_become(**third)) {
                    let way = [(MessageStatus::Queued, *first), (*first, *second), (*second, *third)];
                    let counts: Vec<_> = way.iter().flat_map(|(a, b)| steps(*a, *b)).copied().collect();
                    let is_open = *third == MessageStatus::Sending;
                    assert_eq!(outcomes(&counts), i64::from(!is_open), "{way:?}");
                    assert!(counts.iter().filter(|(it, _)| *it != Count::Uncertain).all(|(_, amount)| *amount == 1));
                }
            }
        }
    }
}
