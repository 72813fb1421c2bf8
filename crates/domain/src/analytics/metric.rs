//! The one table of what is counted. Counters, totals and series are made from it.

use serde::Serialize;

macro_rules! metrics {
    ($($(#[$group_doc:meta])* $group:ident: $counts:ident { $($(#[$doc:meta])* $field:ident = $metric:ident;)+ })+) => {
        /// Something that is counted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Metric { $($(#[doc = concat!("`", stringify!($group), ".", stringify!($field), "`")] $metric,)+)+ }

        impl Metric {
            /// All of them.
            pub const ALL: &[Self] = &[$($(Self::$metric,)+)+];

            /// The word in the store.
            pub fn as_str(self) -> &'static str {
                match self { $($(Self::$metric => concat!(stringify!($group), ".", stringify!($field)),)+)+ }
            }

            /// The metric with this word.
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

        /// How often each thing happened in a span of time.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct Counts { $($(#[$group_doc])* pub $group: $counts,)+ }

        impl Counts {
            /// Counts `amount` more of it.
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
        /// Came to be.
        created = ContactsCreated;
        /// Were deleted.
        deleted = ContactsDeleted;
        /// Were brought back.
        restored = ContactsRestored;
        /// Opted out.
        unsubscribed = ContactsUnsubscribed;
    }
    /// Messages.
    messages: MessageCounts {
        /// Came from contacts.
        received = MessagesReceived;
        /// Were taken by a provider.
        sent = MessagesSent;
        /// Arrived.
        delivered = MessagesDelivered;
        /// Were read.
        read = MessagesRead;
        /// Failed for good.
        failed = MessagesFailed;
        /// Were not sent, on purpose.
        suppressed = MessagesSuppressed;
    }
    /// Conversations.
    conversations: ConversationCounts {
        /// Were opened by a first message.
        created = ConversationsCreated;
        /// Were resolved.
        resolved = ConversationsResolved;
    }
    /// Runs of flows.
    flows: FlowCounts {
        /// Began.
        started = FlowsStarted;
        /// Reached their end.
        completed = FlowsCompleted;
        /// Ended by an error or a guard.
        failed = FlowsFailed;
    }
    /// Enrollments in sequences.
    sequences: SequenceCounts {
        /// Became active.
        enrolled = SequencesEnrolled;
        /// Reached their last step.
        completed = SequencesCompleted;
        /// Left early.
        exited = SequencesExited;
    }
    /// Broadcasts, and how far their messages came, which are counted among the messages, too.
    broadcasts: BroadcastCounts {
        /// Reached the last of their audience.
        completed = BroadcastsCompleted;
        /// Their messages were taken by a provider.
        sent = BroadcastsSent;
        /// Arrived.
        delivered = BroadcastsDelivered;
        /// Were read.
        read = BroadcastsRead;
        /// Failed for good.
        failed = BroadcastsFailed;
        /// Were not sent, on purpose.
        suppressed = BroadcastsSuppressed;
    }
    /// Deliveries to webhooks.
    webhooks: WebhookCounts {
        /// Were taken by the receiver.
        delivered = WebhooksDelivered;
        /// Were given up.
        failed = WebhooksFailed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_reads_back_and_has_a_place_of_its_own() {
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
