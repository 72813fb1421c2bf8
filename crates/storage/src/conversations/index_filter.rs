//! The part of a filter that finds conversations through an index.

use tidings_domain::conversations::{AssignedTo, ConversationFilter};
use tidings_domain::pagination::SortBy;

/// The part of a filter that finds rows through its own index. The other parts are checked row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexFilter {
    Contact,
    /// The contacts with a tag, if they are few.
    Carriers,
    Member,
    Unread,
    Status,
    /// Conversations with a waiting contact.
    Waiting,
    /// No part: all rows of the workspace.
    Whole,
}

impl IndexFilter {
    /// Returns the most selective part that has an index in the order `by`.
    pub(super) fn of(filter: &ConversationFilter, has_carriers: bool, by: SortBy) -> Self {
        let is_of_member = matches!(filter.assigned, Some(AssignedTo::Member(_)));
        let is_by_waiting = by == SortBy::WaitingSince;
        if filter.contact.is_some() {
            Self::Contact
        } else if has_carriers {
            Self::Carriers
        } else if filter.status.is_some() && is_by_waiting {
            Self::Status
        } else if is_of_member {
            Self::Member
        } else if filter.unread == Some(true) && !is_by_waiting {
            Self::Unread
        } else if filter.status.is_some() {
            Self::Status
        } else if filter.waiting == Some(true) && by == SortBy::CreatedAt {
            Self::Waiting
        } else {
            Self::Whole
        }
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::conversations::ConversationStatus;
    use tidings_domain::ids::{ContactId, TypedId, UserId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn looks_up_rows_by_the_most_selective_filter() {
        let all = ConversationFilter {
            contact: Some(ContactId::from_uuid(Uuid::nil())),
            assigned: Some(AssignedTo::Member(UserId::from_uuid(Uuid::nil()))),
            unread: Some(true),
            status: Some(ConversationStatus::Open),
            waiting: Some(true),
            ..ConversationFilter::default()
        };
        let (created, waiting, last) = (SortBy::CreatedAt, SortBy::WaitingSince, SortBy::LastMessageAt);
        assert_eq!(IndexFilter::of(&all, true, created), IndexFilter::Contact);
        let no_contact = ConversationFilter { contact: None, ..all };
        assert_eq!(IndexFilter::of(&no_contact, true, waiting), IndexFilter::Carriers);
        assert_eq!(IndexFilter::of(&no_contact, false, created), IndexFilter::Member);
        assert_eq!(IndexFilter::of(&no_contact, false, waiting), IndexFilter::Status);
        let no_member = ConversationFilter { assigned: Some(AssignedTo::Nobody), ..no_contact };
        assert_eq!(IndexFilter::of(&no_member, false, created), IndexFilter::Unread);
        let read = ConversationFilter { unread: None, ..no_member };
        assert_eq!(IndexFilter::of(&read, false, last), IndexFilter::Status);
        let of_any_status = ConversationFilter { status: None, ..read };
        assert_eq!(IndexFilter::of(&of_any_status, false, created), IndexFilter::Waiting);
        for by in [waiting, last] {
            assert_eq!(IndexFilter::of(&of_any_status, false, by), IndexFilter::Whole);
        }
    }
}
