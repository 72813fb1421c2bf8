//! Removal of deleted options from contacts, in small commits with an event per contact. The options are hidden since
//! their deletion.

use serde_json::Value;

use super::{CustomField, CustomFieldView, FieldRef, FieldSweeper, FieldValue, without_retired};
use crate::access::Access;
use crate::contacts::ContactView;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ContactId, FieldId};
use crate::ports::{Change, ChangeSet, ClaimedJob, FieldChange, Guard, Row};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::work::ignore_lost_claim;

/// Number of contacts per commit.
const BATCH: u32 = 50;
/// Number of commits before the job is rescheduled, to let other jobs run.
const ROUNDS: u32 = 20;

/// The progress of the job.
enum Reached {
    /// All contacts up to this one are done.
    Contact(ContactId),
    /// All contacts are done, and the job is finished.
    End,
}

impl FieldSweeper {
    /// Removes the retired options of a field from some contacts, with one event each. The job is rescheduled until no
    /// contact has such an option.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn take_options_off(&self, access: &Access, job: &ClaimedJob, field: FieldId) -> Result<(), Error> {
        let mut after = None;
        for round in 1..=ROUNDS {
            match retry_on_conflict(|| self.take_some_off(access, job, field, after, round == ROUNDS)).await? {
                Reached::Contact(last) => after = Some(last),
                Reached::End => break,
            }
        }
        Ok(())
    }

    async fn take_some_off(
        &self,
        access: &Access,
        job: &ClaimedJob,
        field: FieldId,
        after: Option<ContactId>,
        is_last_round: bool,
    ) -> Result<Reached, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        let field = self.ports.fields.get(access, &FieldRef::Id(field)).await?;
        let carrying = match &field {
            Some(field) => self.ports.fields.carrying(access, field, &field.retired, after, BATCH).await?,
            // The field was deleted: the job of its deletion removes the values.
            None => Vec::new(),
        };
        let (Some(field), Some((last, _))) = (&field, carrying.last().cloned()) else {
            if let Some(field) = field.filter(|field| !field.retired.is_empty()) {
                set.change(Change::Field(FieldChange::RetireOptions {
                    field: field.id,
                    from: field.retired,
                    to: Vec::new(),
                    unused: false,
                }));
            }
            set.change(job.finish());
            ignore_lost_claim(self.ports.ledger.commit(set).await)?;
            return Ok(Reached::End);
        };
        for (contact, value) in carrying {
            self.take_off(&mut set, access, field, contact, value).await?;
        }
        if is_last_round {
            set.change(job.reschedule(self.ports.clock.now(), None));
        } else {
            set.guard(Guard::Claim(job.held_claim().claim));
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(Reached::Contact(last))
    }

    async fn take_off(
        &self,
        set: &mut ChangeSet,
        access: &Access,
        field: &CustomField,
        contact: ContactId,
        previous: Value,
    ) -> Result<(), AttemptError> {
        let value = without_retired(previous.clone(), &field.retired);
        let Some(mut holder) = self.ports.contacts.find_even_deleted(access, contact).await? else { return Ok(()) };
        let is_there = holder.deleted_at.is_none();
        if is_there {
            holder.touch(self.ports.clock.now());
            set.change(Change::Update(Row::Contact(Box::new(holder.clone()))));
        }
        set.change(match value.clone() {
            Some(value) => {
                Change::Field(FieldChange::PutValue { contact, field: field.id, value: FieldValue::from_store(value) })
            }
            None => Change::Field(FieldChange::ClearValue { contact, field: field.id }),
        });
        if is_there {
            let event = EventDraft::new(EventKind::ContactFieldChanged, &ContactView::from(&holder))
                .with("field", &CustomFieldView::from(field))
                .with("value", &value)
                .with("previous", &previous);
            self.ports.add_event(event.about(contact), access, set);
        }
        Ok(())
    }
}
