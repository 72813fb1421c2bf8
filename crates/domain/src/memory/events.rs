//! The feed.

use async_trait::async_trait;

use super::MemoryStore;
use crate::access::Access;
use crate::events::{EventKind, FeedRead, NumberedEvent};
use crate::ports::EventQueries;

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
