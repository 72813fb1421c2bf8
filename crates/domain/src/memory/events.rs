//! The feed, and who listens to events.

use std::sync::Arc;

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::access::Access;
use crate::events::{EventKind, FeedRead, Listeners, NumberedEvent};
use crate::ids::WorkspaceId;
use crate::ports::{EventQueries, ListenerQueries};
use crate::webhooks::WebhookStatus;

use super::pages::Answer;

#[async_trait]
impl EventQueries for MemoryStore {
    async fn feed(&self, access: &Access, after: i64, kinds: Vec<EventKind>, limit: u32) -> Answer<FeedRead> {
        let (state, ws) = (self.lock(), access.workspace());
        let own = || state.positions.iter().filter(|((of, _), _)| *of == ws);
        let behind = own().filter(|((_, position), _)| *position > after).filter_map(|((_, position), id)| {
            let event = state.events.get(&(ws, *id))?;
            let wanted = kinds.is_empty() || kinds.contains(&event.kind);
            wanted.then(|| NumberedEvent { position: *position, envelope: event.full.clone() })
        });
        let head = own().map(|((_, position), _)| *position).max().unwrap_or(0);
        Ok(FeedRead { events: behind.take(limit as usize).collect(), head })
    }
}

impl State {
    /// Who listens. The revision is a number of its own for each set of kinds.
    pub(super) fn listeners(&self, ws: WorkspaceId) -> Listeners {
        let own = self.webhooks.iter().filter(|((of, _), it)| *of == ws && it.status != WebhookStatus::Disabled);
        let subscriptions: Vec<_> = own.map(|(_, it)| &it.events).collect();
        let triggers = self.triggers.iter().filter(|((of, _), _)| *of == ws).flat_map(|(_, it)| it);
        let words: Vec<_> = triggers.filter_map(|it| it.get("event")?.as_str()).collect();
        let ends = self.sequences.iter().any(|((of, _), it)| *of == ws && it.deleted_at.is_none());
        let hear = |kind: &&EventKind| {
            subscriptions.iter().any(|it| it.wants(**kind))
                || words.contains(&kind.as_str())
                || (ends && Listeners::OF_SEQUENCES.contains(kind))
        };
        let all = EventKind::ALL.iter().enumerate();
        let revision = all.filter(|(_, kind)| hear(kind)).fold(0, |all, (place, _)| all | 1_i64 << place);
        Listeners { revision, kinds: EventKind::ALL.iter().filter(hear).copied().collect() }
    }
}

#[async_trait]
impl ListenerQueries for MemoryStore {
    async fn listeners(&self, workspace: WorkspaceId, _: Option<i64>) -> Answer<Arc<Listeners>> {
        Ok(Arc::new(self.lock().listeners(workspace)))
    }
}
