//! Listeners to the events of a workspace. An event without listeners creates no jobs.

use std::collections::BTreeSet;

use super::EventKind;
use crate::flows::AwaitedKind;
use crate::ids::WebhookId;
use crate::webhooks::Subscription;

/// The listeners to the events of a workspace: webhooks that are not disabled, flows with event triggers, and sequences
/// that an event may end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listeners {
    /// The revision. It increases when the listeners change.
    pub revision: i64,
    /// The webhooks, with their subscriptions.
    pub webhooks: Vec<(WebhookId, Subscription)>,
    /// The kinds that start flows or may end sequences.
    pub reactions: BTreeSet<EventKind>,
    /// The names of custom events that start flows.
    pub custom: BTreeSet<String>,
    /// The events that runs of published versions may wait for.
    pub awaited: BTreeSet<AwaitedKind>,
}

impl Listeners {
    /// The kinds that may end a sequence.
    pub const OF_SEQUENCES: [EventKind; 3] =
        [EventKind::MessageReceived, EventKind::ContactUnsubscribed, EventKind::ContactDeleted];

    /// Returns the webhooks that subscribe to this kind.
    pub(super) fn subscribers(&self, kind: EventKind) -> impl Iterator<Item = WebhookId> + '_ {
        self.webhooks.iter().filter(move |(_, wanted)| wanted.wants(kind)).map(|(id, _)| *id)
    }
}
