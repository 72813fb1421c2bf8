//! Use cases of runs: starts by the API, lists, and ends from outside.

use super::{FlowService, Run, RunFilter, StartFlow, Started, Starter, start};
use crate::access::Access;
use crate::contacts::{ContactRef, living};
use crate::error::Error;
use crate::ids::RunId;
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest};
use crate::ports::ChangeSet;
use crate::retry::{AttemptError, StartAttempt, retry_on_conflict, retry_start_on_conflict};

impl FlowService {
    /// A run.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn run(&self, access: &Access, run: RunId) -> Result<Run, Error> {
        self.ports.flows.run(access, run).await?.ok_or(Error::NotFound)
    }

    /// Runs that satisfy a filter.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn runs(&self, access: &Access, filter: &RunFilter, page: PageRequest) -> Result<Page<Run>, Error> {
        Ok(self.ports.flows.runs(access, filter, page).await?)
    }

    /// Starts a flow for a contact. While a run of it lives, the command's mode decides, else the
    /// flow's own setting: that run is the answer, or it is interrupted, or another begins beside it. Its first step is
    /// most often taken with it: the answer is the run as it was written.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the contact, [`Error::Invalid`] for an unknown flow,
    /// [`Error::FlowNotActive`], [`Error::StartLimit`], [`Error::Store`].
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
        let contact = living(&self.ports, access, contact).await?;
        let starter = Starter { ports: self.ports.clone() };
        let unknown = || Error::invalid("/flow_id", "unknown_flow", "no flow in this workspace has this ID");
        let mut plan = starter.plan(access, command.flow, contact.id).await?.ok_or_else(unknown)?;
        plan.vars = command.vars.clone();
        let mut set = ChangeSet::new(access.workspace());
        let started = starter.begin(access, &plan, (command.mode, attempt), Some(contact), &mut set).await?;
        let done = match started {
            Started::Began(run) => Done::accepted(*run),
            Started::Lives(run) => Done::unchanged(*run),
            Started::NotActive | Started::TooDeep => return Err(Error::FlowNotActive.into()),
            Started::TooOften { retry_after } => return Err(Error::StartLimit { retry_after }.into()),
        };
        set.idempotency = record_of(idempotency, &done);
        if !set.is_empty() {
            self.ports.ledger.commit(set).await?;
        }
        Ok(done)
    }

    /// Ends a run from outside, as `interrupted`; one that ended already stays as it is.
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
            set.idempotency = record_of(idempotency, &done);
            if !set.is_empty() {
                self.ports.ledger.commit(set).await?;
            }
            Ok(done)
        })
        .await
    }
}
