use std::sync::Arc;

use super::gather::{gathered, joined, with_marketing};
use super::{MAX_MERGED, Merge, MergeChange};
use crate::access::{Access, Actor};
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::{
    AppliedTag, Contact, ContactRef, ContactView, DeletedContactView, MAX_TAGS, TagLinkView, find_contact, opt_outs,
    previous_attributes, survivor, tag_event, unsubscribed,
};
use crate::erasures::Erasure;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::fields::{CustomField, CustomFieldView, FieldValue};
use crate::ids::{JobId, TypedId};
use crate::opt_outs::{OptOuts, freed};
use crate::outcome::{Done, IdempotencyHook};
use crate::ports::{
    Change, ChangeSet, ContactChange, FieldChange, FlowChange, Guard, Job, NewJob, Object, Ports, Row, SequenceChange,
    TagChange,
};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::sequences::{ExitReason, add_exit};
use crate::stored::StoredId;
use crate::time::Timestamp;

/// Maximum number of conversations that move in the commit of the merge. Others move with the history.
const CONVERSATIONS: usize = 200;
/// Maximum number of enrollments that end with an event. Others end without one.
const TOLD_EXITS: usize = 100;

/// Use cases of merges.
#[derive(Clone)]
pub struct MergeService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl MergeService {
    /// Merges a contact into another one, the survivor. The survivor keeps its data, and gets missing attributes,
    /// values, tags, identifiers and addresses. Opt-outs of both apply. Runs and enrollments of the merged contact end;
    /// a job moves its history.
    ///
    /// # Errors
    /// [`Error::NotFound`] and [`Error::ContactMerged`] for the contact; [`Error::Invalid`] at `/into` if the survivor
    /// is unknown or is the same contact, [`Error::ContactMerged`] if the survivor was merged itself; [`Error::Full`]
    /// if the survivor would have too many tags or merged contacts; [`Error::Store`].
    pub async fn merge(
        &self,
        access: &Access,
        contact: &ContactRef,
        into: &ContactRef,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| self.try_merge(access, contact, into, idempotency)).await
    }

    async fn try_merge(
        &self,
        access: &Access,
        contact: &ContactRef,
        into: &ContactRef,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, AttemptError> {
        let merged = find_contact(&self.ports, access, contact).await?;
        let before = self.survivor(access, into).await?;
        if before.id == merged.id {
            return Err(Error::invalid("/into", "same_contact", "a contact cannot be merged into itself").into());
        }
        self.room(access, &before, &merged).await?;
        let now = self.ports.clock.now();
        let mut after = gathered(&before, &merged, now);
        let tags = new_tags(&before, &merged, now)?;
        after.tags.extend(tags.clone());
        let values = self.new_values(access, &before, &merged).await?;
        for (field, value) in &values {
            after.custom_fields.insert(field.key.clone(), value.json.clone());
        }

        let mut set = ChangeSet::new(access.workspace());
        let opt_outs = OptOuts { ports: &self.ports, access };
        let found = opt_outs.carry(&before, &mut after, &mut set).await?;
        opt_outs.remember(freed(&merged, &after), &mut set).await?;
        self.end(access, &merged, now, &mut set).await?;
        let left = Erasure::emptied(&merged, now);
        let merge = Merge { contact: merged.id, into: after.id, merged_at: now, moved_at: None };
        set.change(Change::Merge(MergeChange::Begin { contact: Box::new(left.clone()), merge }));
        for tag in &tags {
            set.guard(Guard::Live(Object::Stored(StoredId::Tag(tag.id))));
        }
        for (field, _) in &values {
            set.guard(field.field_guard());
        }
        set.change(Change::Update(Row::Contact(Box::new(after.clone()))));
        let identities = after.identities.clone();
        set.change(Change::Contact(ContactChange::ReplaceIdentities { contact: after.id, identities }));
        if let Some(found) = found {
            found.require(&mut set);
        }
        for tag in &tags {
            set.change(Change::Tag(TagChange::Link { contact: after.id, tag: tag.id, at: now }));
        }
        for (field, value) in &values {
            let (field, value) = (field.id, value.clone());
            set.change(Change::Field(FieldChange::PutValue { contact: after.id, field, value }));
        }
        self.take_conversations(access, &before, &merged, now, &mut set).await?;
        self.tell(access, (&before, &after), &left, (&tags, &values), &mut set);
        let job = JobId::from_uuid(self.ports.ids.next());
        set.jobs.push(NewJob::new(job, Job::MoveContact { contact: merged.id }, now));

        let draft = AuditDraft::about(AuditAction::ContactMerged, Some(merged.id.to_string())).with("into", &after.id);
        self.ports.add_audit(draft, access, &mut set);
        let done = Done::changed(after);
        commit_outcome(&*self.ports.ledger, set, done, idempotency).await
    }

    async fn survivor(&self, access: &Access, into: &ContactRef) -> Result<Contact, Error> {
        if let Some(found) = self.ports.contacts.find(access, into).await? {
            return Ok(found);
        }
        Err(match survivor(&self.ports, access, into).await? {
            Some(survivor) => Error::ContactMerged { into: survivor.id },
            None => Error::invalid("/into", "unknown_contact", "no contact has this identifier"),
        })
    }

    /// Checks the number of contacts merged into the survivor. Concurrent merges change a version, so the check is
    /// safe.
    async fn room(&self, access: &Access, survivor: &Contact, merged: &Contact) -> Result<(), Error> {
        let most = MAX_MERGED as u32;
        let earlier = self.ports.merges.merged_into(access, survivor.id, most).await?.len();
        let led_on = self.ports.merges.merged_into(access, merged.id, most).await?.len();
        let fits = earlier + led_on < MAX_MERGED;
        if fits { Ok(()) } else { Err(Error::Full { what: "contacts merged into one", most: MAX_MERGED as i64 }) }
    }

    /// Returns the values of fields that the survivor does not have. Skips values that their field does not accept any
    /// more.
    async fn new_values(
        &self,
        access: &Access,
        survivor: &Contact,
        merged: &Contact,
    ) -> Result<Vec<(CustomField, FieldValue)>, Error> {
        if merged.custom_fields.keys().all(|key| survivor.custom_fields.contains_key(key)) {
            return Ok(Vec::new());
        }
        let fields = self.ports.fields.all(access).await?;
        let lacking = fields.into_iter().filter(|field| !survivor.custom_fields.contains_key(&field.key));
        let new = lacking.filter_map(|field| {
            let value = field.check(merged.custom_fields.get(&field.key)?).ok()?;
            Some((field, value))
        });
        Ok(new.collect())
    }

    /// Ends the runs and enrollments of the contact.
    async fn end(
        &self,
        access: &Access,
        merged: &Contact,
        now: Timestamp,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let (contact, reason) = (merged.id, ExitReason::ContactMerged);
        set.change(Change::Flow(FlowChange::InterruptRuns { contact, at: now }));
        for enrollment in self.ports.sequences.live_enrollments(access, contact).await?.iter().take(TOLD_EXITS) {
            let access = access.acting_as(Actor::sequence(enrollment.sequence));
            add_exit(set, enrollment, reason, &access, &*self.ports.clock, &*self.ports.ids);
        }
        set.change(Change::Sequence(SequenceChange::ExitEnrollments { contact, reason, at: now }));
        Ok(())
    }

    /// Moves conversations on channels without a conversation of the survivor, and merges the others into existing
    /// ones.
    async fn take_conversations(
        &self,
        access: &Access,
        survivor: &Contact,
        merged: &Contact,
        now: Timestamp,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let own = self.ports.conversations.with(access, survivor.id).await?;
        for mut talk in self.ports.conversations.with(access, merged.id).await?.into_iter().take(CONVERSATIONS) {
            match own.iter().find(|it| it.channel == talk.channel) {
                None => {
                    talk.contact = survivor.id;
                    talk.version += 1;
                    talk.updated_at = now.max(talk.updated_at);
                    set.change(Change::Update(Row::Conversation(talk)));
                }
                Some(kept) => match joined(kept, &talk, now) {
                    Some((kept, over)) => {
                        set.change(Change::Update(Row::Conversation(kept)));
                        set.change(Change::Update(Row::Conversation(over)));
                    }
                    None => {
                        let kept = with_marketing(kept, &talk, now);
                        set.changes.extend(kept.map(|kept| Change::Update(Row::Conversation(kept))));
                    }
                },
            }
        }
        Ok(())
    }

    /// Records the events of the survivor, as after an update, and the deletion of the merged contact.
    fn tell(
        &self,
        access: &Access,
        (before, after): (&Contact, &Contact),
        left: &Contact,
        (tags, values): (&[AppliedTag], &[(CustomField, FieldValue)]),
        set: &mut ChangeSet,
    ) {
        let (view, contact) = (ContactView::from(after), after.id);
        let mut tell = |draft: EventDraft| {
            self.ports.add_event(draft, access, set);
        };
        let previous = previous_attributes(&ContactView::from(before), &view);
        let updated = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
        tell(updated.with("merged", &serde_json::json!({"id": left.id})).about(contact));
        for (field, value) in values {
            let event =
                EventDraft::new(EventKind::ContactFieldChanged, &view).with("field", &CustomFieldView::from(field));
            tell(event.with("value", &value.json).with("previous", &None::<()>).about(contact));
        }
        for tag in tags {
            let link = TagLinkView { id: tag.id, name: tag.name.clone(), applied_at: tag.applied_at };
            tell(tag_event(EventKind::ContactTagAdded, &view, &link));
        }
        for channel in opt_outs(before, after) {
            tell(unsubscribed(&view, channel, "api"));
        }
        // The event is not linked to a contact and has only the ID, because the data belongs to the survivor now.
        let deleted = EventDraft::new(EventKind::ContactDeleted, &DeletedContactView::from(left));
        tell(deleted.with("merged_into", &serde_json::json!({"id": contact})));
    }
}

/// Returns the tags that the survivor gets.
fn new_tags(survivor: &Contact, merged: &Contact, now: Timestamp) -> Result<Vec<AppliedTag>, Error> {
    let new: Vec<_> = merged.tags.iter().filter(|tag| !survivor.has_tag(tag.id)).collect();
    if (survivor.tags.len() + new.len()) as i64 > MAX_TAGS && !new.is_empty() {
        return Err(Error::Full { what: "tags on a contact", most: MAX_TAGS });
    }
    Ok(new.into_iter().map(|tag| AppliedTag { applied_at: now, ..tag.clone() }).collect())
}
