//! Execution of enrollment steps: load, decide, and commit together with the job.

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::Map;

use super::enroll::{plan, plan_at, tell_end};
use super::enrollment_service::zone_of;
use super::start::add_start;
use super::{
    Decision, Enrollment, EnrollmentError, EnrollmentStatus, ExitReason, Person, Sequence, SequenceStatus, Step,
    StepAction, StepRecord, add_exit, decide, next_step,
};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::conditions::{Condition, Facts, vocabulary_of};
use crate::contacts::Contact;
use crate::conversations::{Conversation, MessageStatus, Recipient, describe_files};
use crate::error::Error;
use crate::fields::BotField;
use crate::flows::{EvalContext, rendered};
use crate::ids::EnrollmentId;
use crate::ports::{Change, ChangeSet, ClaimedJob, CommitError, Conflict, Guard, Object, Ports, Row, StoreError};
use crate::retry::{AttemptError, StartAttempt, retry_start_on_conflict};
use crate::step_outcome::StepOutcome;
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Executes the steps of enrollments.
#[derive(Clone)]
pub struct EnrollmentExecutor {
    /// The ports.
    pub ports: Arc<Ports>,
}

/// The input of the decision about a step.
struct EnrollmentContext {
    enrollment: Enrollment,
    sequence: Sequence,
    contact: Contact,
    /// All conversations with the contact, most recently used first.
    conversations: Vec<Conversation>,
    bot_fields: Vec<BotField>,
    catalog: Arc<Catalog>,
    workspace_zone: Tz,
    /// The attempt to start a flow.
    attempt: StartAttempt,
}

impl EnrollmentContext {
    /// Whether the sequence's exit condition matches now; `None` if it has lost references. The change set that relies
    /// on the result must be guarded by the revision of the catalog.
    fn exit_when_holds(&self, now: Timestamp) -> Result<Option<bool>, StoreError> {
        let Some(bound) = &self.sequence.exit_when else { return Ok(Some(false)) };
        let known = (&self.catalog.tags, &*self.catalog.fields);
        let vocabulary = vocabulary_of(known, self.bot_fields.clone(), &bound.mentions())
            .with_channels(self.catalog.channels.iter().map(|channel| channel.id));
        let corrupt = |_| StoreError::Corrupt(format!("the condition of {} cannot be read", self.sequence.id));
        let condition = Condition::parse_bound(bound, &vocabulary).map_err(corrupt)?;
        if !condition.lost_words().is_empty() {
            return Ok(None);
        }
        let facts = Facts {
            contact: &self.contact,
            conversations: &self.conversations,
            bot_fields: &vocabulary.bot_values(),
            vars: None,
            event: None,
            now,
            zone: self.workspace_zone,
        };
        Ok(Some(condition.holds(&facts)))
    }
}

/// The result of a step.
enum EnrollmentOutcome {
    Done(StepRecord),
    Failed(EnrollmentError),
}

impl EnrollmentExecutor {
    /// Executes the due step once. If the enrollment has continued or ended in the meantime, or the sequence is paused,
    /// the job only finishes. Resuming a sequence plans its enrollments again.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn step(&self, job: &ClaimedJob, enrollment: EnrollmentId, visit: i64) -> Result<(), Error> {
        retry_start_on_conflict(|attempt| self.try_step(job, enrollment, visit, attempt)).await
    }

    async fn try_step(
        &self,
        job: &ClaimedJob,
        enrollment: EnrollmentId,
        visit: i64,
        attempt: StartAttempt,
    ) -> Result<(), AttemptError> {
        let system = Access::system(job.workspace);
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.finish());
        if let Some(enrollment) = self.awaited(&system, enrollment, visit).await? {
            let access = system.acting_as(Actor::sequence(enrollment.sequence));
            let context = self.load(&access, enrollment, attempt).await?;
            self.decide(&access, &context, &mut set).await?;
        }
        match self.ports.ledger.commit(set).await {
            // Another start of the flow took the last free slot, so decide again.
            Err(CommitError::Conflict(Conflict::Full { .. })) => Err(AttemptError::Retry),
            other => ignore_lost_claim(other),
        }
    }

    /// Returns the enrollment if the job belongs to its next decision.
    async fn awaited(
        &self,
        access: &Access,
        enrollment: EnrollmentId,
        visit: i64,
    ) -> Result<Option<Enrollment>, StoreError> {
        let found = self.ports.sequences.enrollment(access, enrollment).await?;
        Ok(found.filter(|it| it.status == EnrollmentStatus::Active && it.visit == visit))
    }

    /// Loads the input of the decision, in one round trip.
    async fn load(
        &self,
        access: &Access,
        enrollment: Enrollment,
        attempt: StartAttempt,
    ) -> Result<EnrollmentContext, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of {} is missing", enrollment.id));
        let (sequence, contact, conversations, bot_fields, catalog, workspace_zone) = futures::try_join!(
            self.ports.sequences.get_even_deleted(access, enrollment.sequence),
            self.ports.contacts.find_even_deleted(access, enrollment.contact),
            self.ports.conversations.with(access, enrollment.contact),
            self.ports.fields.bot_all(access),
            self.ports.catalog.catalog(access.workspace()),
            zone_of(&*self.ports.access, access),
        )?;
        let sequence = sequence.ok_or_else(|| corrupt("the sequence"))?;
        let contact = contact.ok_or_else(|| corrupt("the contact"))?;
        Ok(EnrollmentContext {
            enrollment,
            sequence,
            contact,
            conversations,
            bot_fields,
            catalog,
            workspace_zone,
            attempt,
        })
    }

    /// Adds the failure of an enrollment to the change set that dead-letters its job.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        enrollment: EnrollmentId,
        visit: i64,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        if let Some(mut enrollment) = self.awaited(access, enrollment, visit).await? {
            let access = access.acting_as(Actor::sequence(enrollment.sequence));
            let message = "the step could not be executed: all attempts failed".to_owned();
            let error = EnrollmentError { code: "internal".to_owned(), message, step: enrollment.step.clone() };
            enrollment.error = Some(error);
            add_exit(set, &enrollment, ExitReason::Failed, &access, &*self.ports.clock, &*self.ports.ids);
        }
        Ok(())
    }

    /// Converts the decision to changes.
    async fn decide(
        &self,
        access: &Access,
        context: &EnrollmentContext,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let EnrollmentContext { enrollment, sequence, contact, .. } = context;
        let (clock, ids) = (&*self.ports.clock, &*self.ports.ids);
        let now = clock.now();
        set.guard(Guard::Catalog(context.catalog.revision));
        let Some(exit_when_holds) = context.exit_when_holds(now)? else {
            pause(sequence, now, set);
            return Ok(());
        };
        let person = Person { contact, workspace_zone: context.workspace_zone, exit_when_holds };
        let decision = decide(sequence, enrollment, &person, now);
        if !matches!(decision, Decision::Exit(_)) {
            // If a pause, an edit or a deletion commits first, the decision is repeated.
            set.guard(Guard::Version(Object::Sequence(sequence.id), sequence.version));
        }
        let mut after = enrollment.clone();
        match decision {
            Decision::Hold => return Ok(()),
            Decision::Exit(reason) => {
                add_exit(set, enrollment, reason, access, clock, ids);
                return Ok(());
            }
            Decision::Wait { step, until } => {
                after.touch(now);
                plan_at(set, &mut after, sequence, (Some(step), until), ids);
            }
            Decision::Complete => after.end(EnrollmentStatus::Completed, None, now),
            Decision::Run(step) => match self.take(access, context, step, now, set).await? {
                EnrollmentOutcome::Failed(error) => {
                    after.error = Some(error);
                    add_exit(set, &after, ExitReason::Failed, access, clock, ids);
                    return Ok(());
                }
                EnrollmentOutcome::Done(record) => {
                    after.steps_done.push(record);
                    if next_step(&sequence.steps, &after).is_some() {
                        after.touch(now);
                        plan(set, &mut after, sequence, &person, clock, ids);
                    } else {
                        after.end(EnrollmentStatus::Completed, None, now);
                    }
                }
            },
        }
        set.change(Change::Update(Row::Enrollment(Box::new(after.clone()))));
        if after.status == EnrollmentStatus::Completed {
            tell_end(set, &after, access, clock, ids);
        }
        Ok(())
    }

    async fn take(
        &self,
        access: &Access,
        context: &EnrollmentContext,
        step: &Step,
        now: Timestamp,
        set: &mut ChangeSet,
    ) -> Result<EnrollmentOutcome, AttemptError> {
        let mut record = StepRecord {
            step: step.id.clone(),
            kind: step.action.kind().to_owned(),
            at: now,
            outcome: String::new(),
            message: None,
            run: None,
        };
        let failed = |code: &str, message: String| {
            Ok(EnrollmentOutcome::Failed(EnrollmentError {
                code: code.to_owned(),
                message,
                step: Some(step.id.clone()),
            }))
        };
        match &step.action {
            StepAction::SendMessage { content } => {
                let Some(channel) = context.catalog.default_channel() else {
                    return failed("no_channel", "the workspace has no channel to send on".to_owned());
                };
                let conversation = context.conversations.iter().find(|it| it.channel == channel.id);
                let bot_fields = context.bot_fields.iter();
                let bot_fields = bot_fields.filter_map(|field| Some((field.key.clone(), field.value.clone()?)));
                let values = EvalContext {
                    contact: &context.contact,
                    bot_fields: &bot_fields.collect(),
                    conversation,
                    vars: &Map::new(),
                    event: None,
                    now,
                    zone: context.workspace_zone,
                }
                .template_values();
                let mut content = match rendered(content, &values) {
                    Ok(content) => content,
                    Err(why) => return failed("template_error", why.to_string()),
                };
                // A file that was deleted in the meantime is reported when the message is sent.
                describe_files(&self.ports, access, &mut content).await?;
                let recipient = Recipient { contact: &context.contact, channel, conversation };
                let message = recipient.add_message(set, content, access, &*self.ports.clock, &*self.ports.ids).message;
                record.outcome = match (message.status, &message.error) {
                    (MessageStatus::Suppressed, Some(error)) => StepOutcome::Suppressed.with(&error.code),
                    _ => StepOutcome::Queued.text().to_owned(),
                };
                record.message = Some(message.id);
            }
            StepAction::StartFlow { flow } => {
                let (outcome, run) =
                    add_start(&self.ports, access, *flow, (&context.contact, context.attempt), set).await?;
                record.outcome = outcome;
                record.run = run;
            }
        }
        Ok(EnrollmentOutcome::Done(record))
    }
}

/// Pauses a sequence with lost references in its exit condition. No contact could be chosen to leave, so its steps wait.
fn pause(sequence: &Sequence, now: Timestamp, set: &mut ChangeSet) {
    if sequence.status != SequenceStatus::Active || sequence.deleted_at.is_some() {
        return;
    }
    let mut paused = sequence.clone();
    paused.status = SequenceStatus::Paused;
    paused.version += 1;
    paused.updated_at = now.max(sequence.updated_at);
    set.guard(Guard::Version(Object::Sequence(sequence.id), sequence.version));
    set.change(Change::Update(Row::Sequence(Box::new(paused))));
}
