//! Use cases of sequences.

use std::sync::Arc;

use serde_json::Value;

use super::{ExitConditions, NewSequence, Sequence, SequencePatch, SequenceStatus, Step, StepAction};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::conditions::BoundCondition;
use crate::conversations::{describe_files, existing_files};
use crate::error::{Error, Violation};
use crate::flows::TextNames;
use crate::ids::{JobId, MediaId, SequenceId, TypedId};
use crate::list_filter::ListFilter;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::patch::Patch;
use crate::ports::{Change, ChangeSet, Counted, Guard, Job, NewJob, Ports, ReferenceChange, Row, StoreError};
use crate::references::{Deletion, LostReference, Referent, Referrer, in_use};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};

/// Maximum number of sequences in a workspace. One message of a contact may end its enrollments in all of them in one
/// commit.
const MAX_SEQUENCES: i64 = 250;

/// Use cases of sequences.
#[derive(Clone)]
pub struct SequenceService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SequenceService {
    /// Returns a sequence.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, sequence: SequenceId) -> Result<Sequence, Error> {
        let mut found = self.ports.sequences.get(access, sequence).await?.ok_or(Error::NotFound)?;
        self.conditions().rename(access, std::slice::from_mut(&mut found)).await?;
        Ok(found)
    }

    /// The lost references of a sequence. None are left after its steps and its condition are saved again.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn lost_references(&self, access: &Access, sequence: &Sequence) -> Result<Vec<LostReference>, Error> {
        Ok(self.conditions().lost_references(access, sequence).await?)
    }

    fn conditions(&self) -> ExitConditions {
        ExitConditions { ports: self.ports.clone() }
    }

    /// Lists the sequences of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<SequenceStatus>,
        page: PageRequest,
    ) -> Result<Page<Sequence>, Error> {
        let mut page = self.ports.sequences.list(access, filter, page).await?;
        self.conditions().rename(access, &mut page.items).await?;
        Ok(page)
    }

    /// Creates a sequence.
    ///
    /// # Errors
    /// [`Error::Invalid`] for missing flows and files, and for an active sequence without steps,
    /// [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewSequence,
        idempotency: IdempotencyHook<'_, Sequence>,
    ) -> Result<Done<Sequence>, Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let command = command.clone();
            let mut violations = Vec::new();
            let exit_when = match command.exit_when {
                Some(written) => self.bound(access, written, &mut violations).await?,
                None => None,
            };
            let id = SequenceId::from_uuid(self.ports.ids.next());
            let sequence = Sequence {
                status: command.status,
                exit_on: command.exit_on,
                exit_when,
                reenroll: command.reenroll,
                time_zone: command.time_zone,
                ..Sequence::draft(id, command.name.trim(), command.steps, now)
            };
            violations.splice(0..0, shape(&sequence));
            violations.extend(self.wrong_steps(access, &sequence.steps).await?);
            if !violations.is_empty() {
                return Err(Error::Invalid(violations).into());
            }
            let done = Done::created(sequence.clone());
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Room { what: Counted::Sequences, adding: 1, most: MAX_SEQUENCES });
            let targets = self.targets(access, &sequence).await?;
            let owner = Referrer::Sequence(sequence.id);
            self.ports.add_audit(AuditDraft::created(AuditAction::SequenceCreated, &sequence), access, &mut set);
            set.change(Change::Insert(Row::Sequence(Box::new(sequence))));
            if !targets.is_empty() {
                set.change(Change::Reference(ReferenceChange::Put { owner, targets }));
            }
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Merges an update into a sequence. Steps are replaced as a whole. A job plans waiting enrollments again.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        sequence: SequenceId,
        patch: SequencePatch,
        expected: &ExpectedVersion,
    ) -> Result<Sequence, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, sequence).await?;
            expected.check(before.version)?;
            let patch = patch.clone();
            let mut after = before.clone();
            after.name = patch.name.map_or(after.name, |name| name.trim().to_owned());
            after.status = patch.status.unwrap_or(after.status);
            after.steps = patch.steps.unwrap_or(after.steps);
            after.exit_on = patch.exit_on.unwrap_or(after.exit_on);
            let mut violations = Vec::new();
            after.exit_when = match patch.exit_when {
                Patch::Keep => after.exit_when,
                Patch::Clear => None,
                Patch::Set(written) => self.bound(access, written, &mut violations).await?,
            };
            after.reenroll = patch.reenroll.unwrap_or(after.reenroll);
            after.time_zone = patch.time_zone.unwrap_or(after.time_zone);
            if after == before && violations.is_empty() {
                return Ok(before);
            }
            violations.splice(0..0, shape(&after));
            if !before.status.may_become(after.status) {
                let (from, to) = (before.status.as_str(), after.status.as_str());
                let accepted = SequenceStatus::WORDS
                    .iter()
                    .filter(|word| SequenceStatus::parse(word).is_some_and(|next| before.status.may_become(next)));
                let accepted: Vec<&str> = accepted.copied().collect();
                let accepted = accepted.join("`, `");
                let message = format!("a sequence that is {from} cannot become {to}; expected one of `{accepted}`");
                violations.push(Violation::new("/status", "not_allowed", message));
            }
            if after.steps != before.steps {
                violations.extend(self.wrong_steps(access, &after.steps).await?);
            }
            let resumes = after.status == SequenceStatus::Active && before.status != after.status;
            if let Some(condition) = after.exit_when.as_ref().filter(|_| resumes)
                && self.conditions().is_lost(access, condition).await?
            {
                let message = "the condition refers to a deleted object; update the condition";
                violations.push(Violation::new("/exit_when", "lost_reference", message));
            }
            if !violations.is_empty() {
                return Err(Error::Invalid(violations).into());
            }
            let mut set = ChangeSet::new(access.workspace());
            if after.steps != before.steps || after.exit_when != before.exit_when {
                let targets = self.targets(access, &after).await?;
                set.change(Change::Reference(ReferenceChange::Put { owner: Referrer::Sequence(after.id), targets }));
            }
            let waiting_differ = after.steps != before.steps
                || after.time_zone != before.time_zone
                || (after.status != before.status && after.status != SequenceStatus::Paused);
            self.ports.add_audit(AuditDraft::changed(AuditAction::SequenceUpdated, &before, &after), access, &mut set);
            self.commit(access, set, after, waiting_differ).await
        })
        .await
    }

    /// Deletes a sequence. It is hidden at once and runs no further steps; a job ends its enrollments.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        sequence: SequenceId,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut found = self.get(access, sequence).await?;
            expected.check(found.version)?;
            let now = self.ports.clock.now();
            found.deleted_at = Some(now);
            let mut set = ChangeSet::new(access.workspace());
            deletion.prepare(&mut set, Referent::Sequence(sequence), &found.name, now);
            set.change(Change::Reference(ReferenceChange::Put {
                owner: Referrer::Sequence(sequence),
                targets: Vec::new(),
            }));
            self.ports.add_audit(AuditDraft::deleted(AuditAction::SequenceDeleted, &found), access, &mut set);
            self.commit(access, set, found, true).await.map(|_| ())
        })
        .await
    }

    /// Commits a changed sequence. With `review`, a job plans its enrollments again.
    async fn commit(
        &self,
        access: &Access,
        mut set: ChangeSet,
        mut sequence: Sequence,
        review: bool,
    ) -> Result<Sequence, AttemptError> {
        let now = self.ports.clock.now();
        sequence.version += 1;
        sequence.updated_at = now.max(sequence.updated_at);
        if review {
            sequence.revision += 1;
            let review = Job::ReviewSequence { sequence: sequence.id };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), review, now));
        }
        set.change(Change::Update(Row::Sequence(Box::new(sequence.clone()))));
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(sequence),
            Err(error) => Err(in_use(&*self.ports.references, access, error).await),
        }
    }

    /// The objects that a sequence refers to.
    async fn targets(&self, access: &Access, sequence: &Sequence) -> Result<Vec<Referent>, AttemptError> {
        let flows = sequence.steps.iter().filter_map(|step| match &step.action {
            StepAction::StartFlow { flow } => Some(Referent::Flow(*flow)),
            StepAction::SendMessage { .. } => None,
        });
        let mut targets: Vec<Referent> = flows.collect();
        let files = existing_files(&self.ports, access, files_of(&sequence.steps).collect()).await?;
        targets.extend(files.into_iter().map(|it| Referent::Media(it.id)));
        if let Some(condition) = &sequence.exit_when {
            targets.extend(self.conditions().names(access, condition).await?);
        }
        Ok(targets)
    }

    /// Binds a condition to the current objects; `None` if it is invalid.
    async fn bound(
        &self,
        access: &Access,
        written: Value,
        violations: &mut Vec<Violation>,
    ) -> Result<Option<BoundCondition>, StoreError> {
        let bound = self.conditions().bind(access, &written).await?;
        Ok(bound.map_err(|wrong| violations.extend(wrong)).ok())
    }

    /// The violations of steps: missing flows and files, and unknown names in texts.
    async fn wrong_steps(&self, access: &Access, steps: &[Step]) -> Result<Vec<Violation>, AttemptError> {
        let names = TextNames::load(&self.ports, access).await?;
        let mut violations = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let action = format!("/steps/{index}/action");
            match &step.action {
                StepAction::SendMessage { content } => {
                    let message = format!("{action}/message");
                    violations.extend(names.check_message(content, &message));
                    let unknown = describe_files(&self.ports, access, &mut content.clone()).await?;
                    violations.extend(unknown.into_iter().map(|violation| violation.under(&message)));
                }
                StepAction::StartFlow { flow } => {
                    if self.ports.flows.get(access, *flow).await?.is_none() {
                        let pointer = format!("{action}/flow_id");
                        violations.push(Violation::new(
                            pointer,
                            "unknown_flow",
                            "no flow in this workspace has this ID",
                        ));
                    }
                }
            }
        }
        Ok(violations)
    }
}

/// The files of the messages in steps.
fn files_of(steps: &[Step]) -> impl Iterator<Item = MediaId> {
    let contents = steps.iter().filter_map(|step| match &step.action {
        StepAction::SendMessage { content } => Some(content),
        StepAction::StartFlow { .. } => None,
    });
    contents.flat_map(|content| content.files().map(|(_, media)| media))
}

/// The violations of the sequence as a whole.
fn shape(sequence: &Sequence) -> Vec<Violation> {
    let needs_steps = matches!(sequence.status, SequenceStatus::Active | SequenceStatus::Paused);
    if needs_steps && sequence.steps.is_empty() {
        let message = format!("a sequence with the status {} needs at least one step", sequence.status.as_str());
        return vec![Violation::new("/steps", "too_few", message)];
    }
    Vec::new()
}
