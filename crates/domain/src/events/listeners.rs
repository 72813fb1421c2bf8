//! Who listens to the events of a workspace. An event that nobody listens to makes no work beside itself.

use std::collections::BTreeSet;

use super::EventKind;
use crate::flows::Awaited;
use crate::ids::WebhookId;
use crate::webhooks::Subscription;

/// What listens to the events of a workspace: webhooks that are not disabled, flows that are triggered by events, and
/// sequences that may end at one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listeners {
    /// It rises whenever they change.
    pub revision: i64,
    /// The webhooks, with what they want.
    pub webhooks: Vec<(WebhookId, Subscription)>,
    /// The kinds at which flows start or sequences may end.
    pub reactions: BTreeSet<EventKind>,
    /// The names of custom events at which flows start.
    pub custom: BTreeSet<String>,
    /// The events that runs of published versions may wait for.
    pub awaited: BTreeSet<Awaited>,
}

impl Listeners {
    /// The kinds at which a sequence may end.
    pub const OF_SEQUENCES: [EventKind; 3] =
        [EventKind::MessageReceived, EventKind::ContactUnsubscribed, EventKind::ContactDeleted];

    /// The webhooks that want events of this kind.
    pub(super) fn subscribers(&self, kind: EventKind) -> impl Iterator<Item = WebhookId> + '_ {
        self.webhooks.iter().filter(move |(_, wanted)| wanted.wants(kind)).map(|(id, _)| *id)
    }
}
