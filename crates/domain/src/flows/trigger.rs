//! Starts of flows by events of the service.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use uuid::Uuid;

use super::{ActiveTrigger, EvalContext, Starter, Trigger, WorkspaceConditions};
use crate::access::Access;
use crate::conditions::Mentions;
use crate::contacts::ContactRef;
use crate::custom_events::CustomEvent;
use crate::events::Shape;
use crate::ids::{ContactId, TypedId};
use crate::ports::{ChangeSet, Guard, Ports, StoredEvent};
use crate::retry::{AttemptError, StartAttempt};
use crate::sequences::zone_of;
use crate::work::Reaction;

/// Maximum number of flows that one event starts, oldest first.
const MOST_STARTS: usize = 100;
/// Maximum size in bytes of an event's JSON; a run stores a longer event without its object.
const MAX_EVENT: usize = 64 * 1024;

/// Starts the flows that an event triggers.
#[derive(Clone)]
pub struct EventTriggers {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
    /// Whether the first new run takes its first step in the same commit, and which checks precede it.
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
        self.start(access, &triggers, &ContactActivity { contact, cause: event.id.uuid(), data }, set).await
    }
}

/// An event about a contact.
struct ContactActivity {
    contact: ContactId,
    /// ID of the event.
    cause: Uuid,
    /// The event, as templates and conditions see it.
    data: Value,
}

impl EventTriggers {
    /// Adds the starts of the flows that a custom event triggers to the set.
    ///
    /// # Errors
    /// [`AttemptError::Retry`] if the decision must be repeated.
    pub(crate) async fn react_to_custom(
        &self,
        access: &Access,
        event: &CustomEvent,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let triggers = self.ports.flows.custom_event_triggers(access, &event.name).await?;
        if triggers.is_empty() {
            return Ok(());
        }
        let happened = ContactActivity { contact: event.contact, cause: event.id.uuid(), data: event.in_templates() };
        self.start(access, &triggers, &happened, set).await
    }

    async fn start(
        &self,
        access: &Access,
        triggers: &[ActiveTrigger],
        ContactActivity { contact, cause, data }: &ContactActivity,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let contact = ContactRef::Id(*contact);
        let (contact, mut started) = futures::try_join!(
            self.ports.contacts.find(access, &contact),
            self.ports.flows.started_by(access, *cause)
        )?;
        let Some(contact) = contact else { return Ok(()) };
        let filters: Vec<&Value> = triggers.iter().filter_map(filter).collect();
        let known = match filters.is_empty() {
            true => None,
            false => {
                let catalog = self.ports.catalog.catalog(access.workspace()).await?;
                set.guard(Guard::Catalog(catalog.revision));
                let bot_fields = match Mentions::of(filters).bot_fields.is_empty() {
                    true => Vec::new(),
                    false => self.ports.fields.bot_all(access).await?,
                };
                Some((catalog, bot_fields, zone_of(&*self.ports.access, access).await?))
            }
        };
        let no_vars = serde_json::Map::new();
        for active in triggers {
            let holds = match (filter(active), &known) {
                (Some(filter), Some((catalog, bot_fields, zone))) => {
                    let Some(number) = catalog.active_flows.get(&active.flow) else { continue };
                    let flow = self.ports.flows.compiled(access, active.flow, *number).await?;
                    let Some(flow) = flow else { continue };
                    let conditions = WorkspaceConditions::of_version(&flow, catalog, bot_fields);
                    let eval = EvalContext {
                        contact: &contact,
                        bot_fields: &conditions.bot_values(),
                        conversation: None,
                        vars: &no_vars,
                        event: Some(data),
                        now: self.ports.clock.now(),
                        zone: *zone,
                    };
                    // A condition that cannot be evaluated, or names a deleted object, does not hold.
                    conditions.holds_whole(filter, &eval)
                }
                (Some(_), None) => false,
                (None, _) => true,
            };
            if !holds || started.contains(&active.flow) || started.len() >= MOST_STARTS {
                continue;
            }
            started.push(active.flow);
            let starter = Starter { ports: self.ports.clone() };
            let Some(mut plan) = starter.plan(access, active.flow, contact.id).await? else { continue };
            (plan.cause, plan.event) = (Some(*cause), Some(data.clone()));
            starter.begin(access, &plan, (None, self.attempt), Some(contact.clone()), set).await?;
        }
        Ok(())
    }
}

fn filter(active: &ActiveTrigger) -> Option<&Value> {
    match &active.trigger {
        Trigger::Event { filter, .. } | Trigger::CustomEvent { filter, .. } => filter.as_ref(),
        Trigger::Keyword { .. } | Trigger::Referral { .. } | Trigger::Schedule { .. } => None,
    }
}

/// Returns the contact that an event is about, and the event as templates and conditions see it.
fn read(event: &StoredEvent) -> Option<(ContactId, Value)> {
    let data = event_in_templates(event)?;
    let is_contact = matches!(event.kind.data().object, Shape::Contact | Shape::DeletedContact);
    let about = if is_contact { "id" } else { "contact_id" };
    let contact = data.get("object")?.get(about)?.as_str()?.parse().ok()?;
    Some((contact, data))
}

/// Returns the value under `event` in templates and conditions: the envelope's `data` with `type` and `timestamp`.
pub(crate) fn event_in_templates(event: &StoredEvent) -> Option<Value> {
    let text = if event.full.len() <= MAX_EVENT { &event.full } else { &event.thin };
    let envelope: Value = serde_json::from_str(text).ok()?;
    let mut data = envelope.get("data")?.as_object()?.clone();
    for name in ["type", "timestamp"] {
        data.insert(name.to_owned(), envelope.get(name)?.clone());
    }
    Some(Value::Object(data))
}
