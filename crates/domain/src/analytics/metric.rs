//! The table of all metrics. The enum and the types of counters, totals and series are generated from it.

use serde::Serialize;

macro_rules! metrics {
    ($($(#[$group_doc:meta])* $group:ident: $counts:ident { $($(#[$doc:meta])* $field:ident = $metric:ident;)+ })+) => {
        /// A metric.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Metric { $($(#[doc = concat!("`", stringify!($group), ".", stringify!($field), "`")] $metric,)+)+ }

        impl Metric {
            /// All metrics.
            pub const ALL: &[Self] = &[$($(Self::$metric,)+)+];

            /// Returns the word in the store.
            pub fn as_str(self) -> &'static str {
                match self { $($(Self::$metric => concat!(stringify!($group), ".", stringify!($field)),)+)+ }
            }

            /// Returns the metric with this word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|metric| metric.as_str() == word)
            }
        }

        $(
            $(#[$group_doc])*
            #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
            #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
            pub struct $counts { $($(#[$doc])* pub $field: i64,)+ }
        )+

        /// Counts of a range of time.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct Counts { $($(#[$group_doc])* pub $group: $counts,)+ }

        impl Counts {
            /// Adds `amount` to the counter of a metric.
            pub fn add(&mut self, metric: Metric, amount: i64) {
                let place = match metric { $($(Metric::$metric => &mut self.$group.$field,)+)+ };
                *place = place.saturating_add(amount);
            }
        }
    };
}

metrics! {
    /// Contacts.
    contacts: ContactCounts {
        /// Created contacts.
        created = ContactsCreated;
        /// Deleted contacts.
        deleted = ContactsDeleted;
        /// Restored contacts.
        restored = ContactsRestored;
        /// Contacts that opted out.
        unsubscribed = ContactsUnsubscribed;
    }
    /// Messages.
    messages: MessageCounts {
        /// Messages from contacts.
        received = MessagesReceived;
        /// Messages that a provider accepted.
        sent = MessagesSent;
        /// Delivered messages.
        delivered = MessagesDelivered;
        /// Read messages.
        read = MessagesRead;
        /// Failed messages.
        failed = MessagesFailed;
        /// Messages that were deliberately not sent.
        suppressed = MessagesSuppressed;
    }
    /// Conversations.
    conversations: ConversationCounts {
        /// Conversations that a first message created.
        created = ConversationsCreated;
        /// Resolved conversations.
        resolved = ConversationsResolved;
    }
    /// Runs of flows.
    flows: FlowCounts {
        /// Started runs.
        started = FlowsStarted;
        /// Completed runs.
        completed = FlowsCompleted;
        /// Runs that failed because of an error or a limit.
        failed = FlowsFailed;
    }
    /// Enrollments in sequences.
    sequences: SequenceCounts {
        /// Enrollments that became active.
        enrolled = SequencesEnrolled;
        /// Completed enrollments.
        completed = SequencesCompleted;
        /// Enrollments that ended early.
        exited = SequencesExited;
    }
    /// Broadcasts and their messages. The messages are also counted under `messages`.
    broadcasts: BroadcastCounts {
        /// Completed broadcasts.
        completed = BroadcastsCompleted;
        /// Messages that a provider accepted.
        sent = BroadcastsSent;
        /// Delivered messages.
        delivered = BroadcastsDelivered;
        /// Read messages.
        read = BroadcastsRead;
        /// Failed messages.
        failed = BroadcastsFailed;
        /// Messages that were deliberately not sent.
        suppressed = BroadcastsSuppressed;
    }
    /// Deliveries to webhooks.
    webhooks: WebhookCounts {
        /// Deliveries that the receiver accepted.
        delivered = WebhooksDelivered;
        /// Deliveries that failed after all attempts.
        failed = WebhooksFailed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_every_metric_and_counts_it_in_its_own_member() {
        for metric in Metric::ALL {
            assert_eq!(Metric::parse(metric.as_str()), Some(*metric));
            let mut counts = Counts::default();
            counts.add(*metric, 3);
            let text = serde_json::to_string(&counts).unwrap();
            assert_eq!(text.matches('3').count(), 1, "{metric:?} {text}");
        }
        assert_eq!(Metric::parse("contacts.vanished"), None);
    }
}
