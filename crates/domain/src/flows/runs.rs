//! Use cases of runs: start, get, list and cancel.

use super::{FlowService, Run, RunFilter, StartFlow, StartOutcome, Starter, start};
use crate::access::Access;
use crate::contacts::{ContactRef, find_contact};
use crate::error::Error;
use crate::ids::RunId;
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::ChangeSet;
use crate::retry::{AttemptError, StartAttempt, commit_outcome, retry_on_conflict, retry_start_on_conflict};

impl FlowService {
    /// Returns a run.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn run(&self, access: &Access, run: RunId) -> Result<Run, Error> {
        self.ports.flows.run(access, run).await?.ok_or(Error::NotFound)
    }

    /// Lists the runs that match a filter.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn runs(&self, access: &Access, filter: &RunFilter, page: PageRequest) -> Result<Page<Run>, Error> {
        Ok(self.ports.flows.runs(access, filter, page).await?)
    }

    /// Starts a flow for a contact. If a run of it is live, the command's mode or the flow's own setting decides: the
    /// live run is returned, it is interrupted, or a parallel run starts. The first step is usually taken in the same
    /// commit; the returned run is the run after that step.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the contact, [`Error::Invalid`] for an unknown flow, [`Error::FlowNotActive`],
    /// [`Error::StartLimit`], [`Error::Store`].
    pub async fn start(
        &self,
        access: &Access,
        contact: &ContactRef,
        command: StartFlow,
        idempotency: IdempotencyHook<'_, Run>,
    ) -> Result<Done<Run>, Error> {
        retry_start_on_conflict(|attempt| self.try_start(access, contact, &command, idempotency, attempt)).await
    }

    async fn try_start(
        &self,
        access: &Access,
        contact: &ContactRef,
        command: &StartFlow,
        idempotency: IdempotencyHook<'_, Run>,
        attempt: StartAttempt,
    ) -> Result<Done<Run>, AttemptError> {
        let contact = find_contact(&self.ports, access, contact).await?;
        let starter = Starter { ports: self.ports.clone() };
        let unknown = || Error::invalid("/flow_id", "unknown_flow", "no flow in this workspace has this ID");
        let mut plan = starter.plan(access, command.flow, contact.id).await?.ok_or_else(unknown)?;
        plan.vars = command.vars.clone();
        let mut set = ChangeSet::new(access.workspace());
        let started = starter.begin(access, &plan, (command.mode, attempt), Some(contact), &mut set).await?;
        let done = match started {
            StartOutcome::Began(run) => Done::accepted(*run),
            StartOutcome::Lives(run) => Done::unchanged(*run),
            StartOutcome::NotActive | StartOutcome::TooDeep => return Err(Error::FlowNotActive.into()),
            StartOutcome::TooOften { retry_after } => return Err(Error::StartLimit { retry_after }.into()),
        };
        commit_outcome(&*self.ports.ledger, set, done, idempotency).await
    }

    /// Ends a live run as `interrupted`; an ended run is unchanged.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn cancel(
        &self,
        access: &Access,
        run: RunId,
        idempotency: IdempotencyHook<'_, Run>,
    ) -> Result<Done<Run>, Error> {
        retry_on_conflict(|| async {
            let run = self.run(access, run).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if run.status.is_live() {
                Done::changed(start::interrupt(&mut set, run, self.ports.clock.now()))
            } else {
                Done::unchanged(run)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
