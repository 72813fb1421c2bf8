//! Numbers of conversations in the views of an inbox.

use serde::Serialize;

use super::{AssignedTo, ConversationFilter, ConversationStatus};
use crate::access::ObjectCount;
use crate::ids::UserId;
use crate::pagination::Total;

/// Numbers of conversations in the views of an inbox. A filter of a view replaces the same filter of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = InboxCounts))]
#[non_exhaustive]
pub struct InboxCounts {
    /// Open conversations.
    pub open: ObjectCount,
    /// Open conversations with a contact who waits for an answer.
    pub waiting: ObjectCount,
    /// Open conversations with unread messages. With more than 10 000 open conversations, only the newest are counted, and
    /// `is_capped` is `true`.
    pub unread: ObjectCount,
    /// Open conversations without an assignee.
    pub unassigned: ObjectCount,
    /// Open conversations that are assigned to the signed-in user; `null` for an API key.
    pub mine: Option<ObjectCount>,
    /// Conversations with automation.
    pub pending: ObjectCount,
    /// Snoozed conversations.
    pub snoozed: ObjectCount,
    /// Resolved conversations.
    pub resolved: ObjectCount,
    /// All conversations.
    pub all: ObjectCount,
}

/// The filters of the views, each in addition to `filter`, in the order of [`InboxCounts::of`].
pub(super) fn views(filter: &ConversationFilter, me: Option<UserId>) -> Vec<ConversationFilter> {
    let of_status = |status| ConversationFilter { status: Some(status), ..filter.clone() };
    let open = || of_status(ConversationStatus::Open);
    let mut views = vec![
        open(),
        ConversationFilter { waiting: Some(true), ..open() },
        ConversationFilter { unread: Some(true), ..open() },
        ConversationFilter { assigned: Some(AssignedTo::Nobody), ..open() },
        of_status(ConversationStatus::Pending),
        of_status(ConversationStatus::Snoozed),
        of_status(ConversationStatus::Resolved),
        ConversationFilter { status: None, ..filter.clone() },
    ];
    views.extend(me.map(|me| ConversationFilter { assigned: Some(AssignedTo::Member(me)), ..open() }));
    views
}

impl InboxCounts {
    /// Creates the counts from the totals for the filters of [`views`]. `None` if some are missing.
    pub(super) fn of(totals: &[Total]) -> Option<Self> {
        let (views, mine) = totals.split_first_chunk::<8>()?;
        let [open, waiting, unread, unassigned, pending, snoozed, resolved, all] = (*views).map(ObjectCount::from);
        let mine = mine.first().copied().map(ObjectCount::from);
        Some(Self { open, waiting, unread, unassigned, mine, pending, snoozed, resolved, all })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::{ChannelId, TypedId};

    #[test]
    fn each_view_counts_its_own_filter() {
        let (me, other) = (UserId::from_uuid(Uuid::from_u128(1)), UserId::from_uuid(Uuid::from_u128(2)));
        let channel = Some(ChannelId::from_uuid(Uuid::from_u128(3)));
        let asked = ConversationFilter {
            status: Some(ConversationStatus::Snoozed),
            assigned: Some(AssignedTo::Member(other)),
            channel,
            ..ConversationFilter::default()
        };
        let views = views(&asked, Some(me));
        assert!(views.iter().all(|it| it.channel == channel));
        let assigned: Vec<_> = views.iter().map(|it| it.assigned).collect();
        let of_other = Some(AssignedTo::Member(other));
        let mut expected = vec![of_other; 9];
        (expected[3], expected[8]) = (Some(AssignedTo::Nobody), Some(AssignedTo::Member(me)));
        assert_eq!(assigned, expected);
        let open = views.iter().filter(|it| it.status == Some(ConversationStatus::Open)).count();
        assert_eq!((open, views.iter().filter(|it| it.status.is_none()).count()), (5, 1));
        assert_eq!(views.iter().filter(|it| it.waiting == Some(true)).count(), 1);
        assert_eq!(views.iter().filter(|it| it.unread == Some(true)).count(), 1);
    }

    #[test]
    fn assigns_counts_to_the_views_in_order() {
        let totals: Vec<Total> = (1..=9).map(Total::of).collect();
        let counts = InboxCounts::of(&totals).unwrap();
        let numbers = [counts.open, counts.waiting, counts.unread, counts.unassigned, counts.pending];
        assert_eq!(numbers.map(|it| it.count), [1, 2, 3, 4, 5]);
        assert_eq!([counts.snoozed, counts.resolved, counts.all].map(|it| it.count), [6, 7, 8]);
        assert_eq!(counts.mine.map(|it| it.count), Some(9));
        let of_key = InboxCounts::of(totals.get(..8).unwrap()).unwrap();
        assert_eq!(of_key.mine, None);
        assert_eq!(InboxCounts::of(&[]), None);
    }
}
