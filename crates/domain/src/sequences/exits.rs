//! Exits caused by events: a reply, an opt-out or the deletion of the contact.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::enroll::tell_end;
use super::{ExitOn, ExitReason, Sequence, add_exit};
use crate::access::{Access, Actor};
use crate::events::EventKind;
use crate::ids::ContactId;
use crate::ports::{ChangeSet, Ports, StoreError, StoredEvent};
use crate::retry::AttemptError;
use crate::time::Timestamp;
use crate::work::Reaction;

/// The reaction that removes contacts from sequences.
#[derive(Clone)]
pub struct SequenceExits {
    /// The ports.
    pub ports: Arc<Ports>,
}

#[async_trait]
impl Reaction for SequenceExits {
    async fn react(&self, access: &Access, event: &StoredEvent, set: &mut ChangeSet) -> Result<(), AttemptError> {
        match event.kind {
            EventKind::MessageReceived => {
                let contact = named(event, "contact_id")?;
                self.exit(access, contact, ExitOn::Reply, ExitReason::Replied, event.at, set).await
            }
            EventKind::ContactUnsubscribed => {
                let contact = named(event, "id")?;
                self.exit(access, contact, ExitOn::Unsubscribe, ExitReason::Unsubscribed, event.at, set).await
            }
            EventKind::ContactDeleted => self.tell_of_deleted(access, event, set).await,
            _ => Ok(()),
        }
    }
}

impl SequenceExits {
    /// Ends the live enrollments that started before the event, if their sequences have this exit event.
    async fn exit(
        &self,
        access: &Access,
        contact: ContactId,
        on: ExitOn,
        reason: ExitReason,
        at: Timestamp,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        for enrollment in self.ports.sequences.live_enrollments(access, contact).await? {
            let sequence: Option<Sequence> = self.ports.sequences.get_even_deleted(access, enrollment.sequence).await?;
            let leaves = sequence.is_some_and(|sequence| sequence.exit_on.contains(&on));
            // A contact that was enrolled after the event did not respond to the sequence.
            if leaves && enrollment.started_at <= at {
                let access = access.acting_as(Actor::sequence(enrollment.sequence));
                add_exit(set, &enrollment, reason, &access, &*self.ports.clock, &*self.ports.ids);
            }
        }
        Ok(())
    }

    /// Adds the events of the enrollments that the deletion of a contact ended in its own commit.
    async fn tell_of_deleted(
        &self,
        access: &Access,
        event: &StoredEvent,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let contact = named(event, "id")?;
        let object: Option<Value> = serde_json::from_str(&event.full).ok();
        let deleted_at = object.as_ref().and_then(|it| it.pointer("/data/object/deleted_at")?.as_str()?.parse().ok());
        let deleted_at: Timestamp = deleted_at.unwrap_or(event.at);
        for enrollment in self.ports.sequences.enrollments_deleted_at(access, contact, deleted_at).await? {
            let access = access.acting_as(Actor::sequence(enrollment.sequence));
            tell_end(set, &enrollment, &access, &*self.ports.clock, &*self.ports.ids);
        }
        Ok(())
    }
}

/// Returns the contact that an event's object refers to.
fn named(event: &StoredEvent, member: &str) -> Result<ContactId, StoreError> {
    let envelope: Option<Value> = serde_json::from_str(&event.thin).ok();
    let id = envelope.as_ref().and_then(|it| it.pointer("/data/object")?.get(member)?.as_str()?.parse().ok());
    id.ok_or_else(|| StoreError::Corrupt(format!("the contact of {} is missing", event.id)))
}
