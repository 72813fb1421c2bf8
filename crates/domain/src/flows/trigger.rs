//! Events that start flows: what follows from an event inside the service.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::{ActiveTrigger, Conditions, EvalContext, Starter, Trigger, WorkspaceConditions};
use crate::access::Access;
use crate::conditions::vocabulary_for;
use crate::ids::{ContactId, TypedId};
use crate::ports::{ChangeSet, Ports, StoredEvent};
use crate::retry::{AttemptError, StartAttempt};
use crate::work::Reaction;

/// How many flows one event starts at the most, the oldest first.
const MOST_STARTS: usize = 100;
/// An event with more text than this is kept by its run without its object.
const MAX_EVENT: usize = 64 * 1024;

/// Starts the flows that an event triggers.
#[derive(Clone)]
pub struct EventTriggers {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
    /// Whether the run that begins first takes its first step with it, and what is looked at before.
    pub attempt: StartAttempt,
}

#[async_trait]
impl Reaction for EventTriggers {
    async fn react(&self, access: &Access, event: &StoredEvent, set: &mut ChangeSet) -> Result<(), AttemptError> {
        let triggers = self.ports.flows.event_triggers(access, event.kind).await?;
        if triggers.is_empty() {
            return Ok(());
        }
        let Some((contact, data)) = read(event) else { return Ok(()) };
        let Some(contact) = self.ports.contacts.find(access, &crate::contacts::ContactRef::Id(contact)).await? else {
            return Ok(());
        };
        let cause = event.id.uuid();
        let mut started = self.ports.flows.started_by(access, cause).await?;
        let filters: Vec<&Value> = triggers.iter().filter_map(filter).collect();
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &filters).await?;
        let bot_fields = vocabulary.bot_values();
        let conditions = WorkspaceConditions::of(vocabulary.with_event());
        let eval = EvalContext {
            contact: &contact,
            bot_fields: &bot_fields,
            conversation: None,
            vars: &serde_json::Map::new(),
            event: Some(&data),
            now: self.ports.clock.now(),
        };
        for active in &triggers {
            let holds = match filter(active) {
                // What cannot be told, as after a field was deleted, does not hold.
                Some(filter) => conditions.holds(filter, &eval).unwrap_or(false),
                None => true,
            };
            if !holds || started.contains(&active.flow) || started.len() >= MOST_STARTS {
                continue;
            }
            started.push(active.flow);
            let starter = Starter { ports: self.ports.clone() };
            let Some(mut plan) = starter.plan(access, active.flow, contact.id).await? else { continue };
            (plan.cause, plan.event) = (Some(cause), Some(data.clone()));
            starter.begin(access, &plan, (None, self.attempt), Some(contact.clone()), set).await?;
        }
        Ok(())
    }
}

fn filter(active: &ActiveTrigger) -> Option<&Value> {
    match &active.trigger {
        Trigger::Event { filter, .. } => filter.as_ref(),
        Trigger::Keyword { .. } => None,
    }
}

/// The contact that an event is about, and what templates and conditions see under `event`: what
/// the envelope has under `data`, and beside it `type` and `timestamp`.
fn read(event: &StoredEvent) -> Option<(ContactId, Value)> {
    let text = if event.full.len() <= MAX_EVENT { &event.full } else { &event.thin };
    let envelope: Value = serde_json::from_str(text).ok()?;
    let object = envelope.get("data")?.get("object")?;
    let about = if event.kind.as_str().starts_with("contact.") { "id" } else { "contact_id" };
    let contact = object.get(about)?.as_str()?.parse().ok()?;
    let mut data = envelope.get("data")?.as_object()?.clone();
    for name in ["type", "timestamp"] {
        data.insert(name.to_owned(), envelope.get(name)?.clone());
    }
    Some((contact, Value::Object(data)))
}
