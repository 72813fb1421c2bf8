//! The listeners for a workspace's events, cached in memory with the revision that a commit compares.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::events::{EventKind, Listeners};
use tidings_domain::flows::AwaitedKind;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{ListenerQueries, StoreError};
use tidings_domain::webhooks::{Subscription, WebhookStatus};

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{Connection, find, load};
use crate::queries::rows::json;
use crate::queries::types::DbId;
use crate::schema::{flow_awaits, flow_triggers, listener_revisions, sequences, webhooks};

/// Maximum number of cached workspaces.
pub(crate) const HELD: usize = 10_000;

/// The revision of a workspace that never had a listener.
const NEVER: i64 = 0;

pub(crate) async fn revision(c: &mut Connection<'_>, ws: DbId) -> Result<i64, Fault> {
    let found: Option<i64> = find!(c, listener_revisions::table.find(ws).select(listener_revisions::revision))?;
    Ok(found.unwrap_or(NEVER))
}

async fn read(c: &mut Connection<'_>, ws: DbId) -> Result<Listeners, Fault> {
    let revision = revision(c, ws).await?;
    let subscriptions: Vec<(DbId, String)> = load!(
        c,
        webhooks::table
            .filter(webhooks::workspace_id.eq(ws))
            .filter(webhooks::status.ne(WebhookStatus::Disabled.as_str()))
            .order(webhooks::id)
            .select((webhooks::id, webhooks::events))
    )?;
    let subscription = |(id, events): (DbId, String)| {
        let words: Vec<String> = json(&events, "a webhook's events")?;
        Ok((id.to_typed_id(), Subscription::from_words(words.iter().map(String::as_str))))
    };
    let webhooks = subscriptions.into_iter().map(subscription).collect::<Result<_, Fault>>()?;
    let triggers: Vec<(String, String)> = load!(
        c,
        flow_triggers::table
            .filter(flow_triggers::workspace_id.eq(ws))
            .filter(flow_triggers::kind.eq("event").or(flow_triggers::kind.eq("custom_event")))
            .select((flow_triggers::kind, flow_triggers::word))
    )?;
    let (events, custom): (Vec<_>, Vec<_>) = triggers.into_iter().partition(|(kind, _)| kind == "event");
    let mut reactions: BTreeSet<_> = events.iter().filter_map(|(_, word)| EventKind::parse(word)).collect();
    let custom = custom.into_iter().map(|(_, word)| word).collect();
    let awaited: Vec<String> =
        load!(c, flow_awaits::table.filter(flow_awaits::workspace_id.eq(ws)).select(flow_awaits::event).distinct())?;
    // Skip waits of a newer release that this one does not know.
    let awaited = awaited.iter().filter_map(|word| AwaitedKind::parse(word)).collect();
    let sequence: Option<DbId> = find!(
        c,
        sequences::table
            .filter(sequences::workspace_id.eq(ws))
            .filter(sequences::deleted_at.is_null())
            .select(sequences::id)
            .limit(1)
    )?;
    if sequence.is_some() {
        reactions.extend(Listeners::OF_SEQUENCES);
    }
    Ok(Listeners { revision, webhooks, reactions, custom, awaited })
}

#[async_trait]
impl ListenerQueries for Storage {
    async fn listeners(&self, workspace: WorkspaceId, outdated: Option<i64>) -> Result<Arc<Listeners>, StoreError> {
        let ws = DbId::from(workspace);
        if let Some(held) = self.listeners.get(&ws).filter(|it| outdated.is_none_or(|old| it.revision != old)) {
            return Ok(held);
        }
        let found = self.read_as_one(ws, move |mut c| Box::pin(async move { read(&mut c, ws).await })).await?;
        let found = Arc::new(found);
        self.listeners.insert(ws, Arc::clone(&found));
        Ok(found)
    }
}
