//! The event feed, and the listeners to events.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::{MemoryStore, State};
use crate::access::Access;
use crate::events::{EventKind, FeedRead, Listeners, NumberedEvent, count_fitting};
use crate::ids::WorkspaceId;
use crate::ports::{EventQueries, ListenerQueries};
use crate::webhooks::WebhookStatus;

use crate::memory::tables::pages::Answer;

#[async_trait]
impl EventQueries for MemoryStore {
    async fn feed(
        &self,
        access: &Access,
        after: i64,
        kinds: Vec<EventKind>,
        limit: u32,
        max_bytes: usize,
    ) -> Answer<FeedRead> {
        let (state, ws) = (self.lock(), access.workspace());
        let own = || state.positions.iter().filter(|((of, _), _)| *of == ws);
        let behind = own().filter(|((_, position), _)| *position > after).filter_map(|((_, position), id)| {
            let event = state.events.get(&(ws, *id))?;
            let wanted = kinds.is_empty() || kinds.contains(&event.kind);
            wanted.then(|| NumberedEvent { position: *position, envelope: event.full.clone() })
        });
        let head = own().map(|((_, position), _)| *position).max().unwrap_or(0);
        let mut events: Vec<_> = behind.take(limit as usize).collect();
        events.truncate(count_fitting(events.iter().map(|event| event.envelope.len()), max_bytes));
        Ok(FeedRead { events, head })
    }

    async fn head(&self, access: &Access) -> Answer<i64> {
        let (state, ws) = (self.lock(), access.workspace());
        Ok(state.positions.keys().filter(|(of, _)| *of == ws).map(|(_, position)| *position).max().unwrap_or(0))
    }
}

impl State {
    /// The listeners. The revision is a hash of their subscriptions.
    pub(super) fn listeners(&self, ws: WorkspaceId) -> Listeners {
        let own = self.webhooks.iter().filter(|((of, _), it)| *of == ws && it.status != WebhookStatus::Disabled);
        let webhooks: Vec<_> = own.map(|(_, it)| (it.id, it.events.clone())).collect();
        let triggers = self.triggers.iter().filter(|((of, _), _)| *of == ws).flat_map(|(_, it)| it);
        let word = |it: &Value, name: &str| Some(it.get(name)?.as_str()?.to_owned());
        let of_type = |it: &&Value, kind: &str| it.get("type").and_then(Value::as_str) == Some(kind);
        let custom: BTreeSet<String> =
            triggers.clone().filter(|it| of_type(it, "custom_event")).filter_map(|it| word(it, "name")).collect();
        let triggers = triggers.filter(|it| of_type(it, "event"));
        let triggers = triggers.filter_map(|it| EventKind::parse(&word(it, "event")?));
        let ends = self.sequences.iter().any(|((of, _), it)| *of == ws && it.deleted_at.is_none());
        let ends = if ends { &Listeners::OF_SEQUENCES[..] } else { &[] };
        let reactions: BTreeSet<_> = triggers.chain(ends.iter().copied()).collect();
        let mut hasher = DefaultHasher::new();
        webhooks.iter().for_each(|(id, wanted)| (id, wanted.words()).hash(&mut hasher));
        reactions.iter().for_each(|kind| kind.as_str().hash(&mut hasher));
        custom.hash(&mut hasher);
        let awaited = self.awaited.iter().filter(|((of, _), _)| *of == ws).flat_map(|(_, it)| it.iter().cloned());
        let awaited: BTreeSet<_> = awaited.collect();
        awaited.hash(&mut hasher);
        let revision = i64::from_ne_bytes(hasher.finish().to_ne_bytes());
        Listeners { revision, webhooks, reactions, custom, awaited }
    }
}

#[async_trait]
impl ListenerQueries for MemoryStore {
    async fn listeners(&self, workspace: WorkspaceId, _: Option<i64>) -> Answer<Arc<Listeners>> {
        Ok(Arc::new(self.lock().listeners(workspace)))
    }
}
