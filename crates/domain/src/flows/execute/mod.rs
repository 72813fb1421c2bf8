//! Executes one step of a run: load, decide, and commit together with the job.

mod call;
mod called_run;
mod conclude;
mod context;
mod effects;
mod event;
mod held_reply;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    Effect, Flow, FlowStatus, Input, Run, RunError, StepEnd, StepEnvironment, StepResult, WaitKind, advance,
    expires_at, run_end,
};
use crate::access::{Access, Actor};
use crate::contacts::{Attribute, Contact, ContactRef};
use crate::error::Error;
use crate::ids::RunId;
use crate::ports::{Change, ChangeSet, ClaimedJob, FlowChange, Guard, Object, Ports, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

use context::{Prefetched, StepContext};
use held_reply::KeptReply;

/// Maximum number of decisions per step while other contacts have the identifiers that it would write.
const MOST_ROUNDS: usize = 10;
/// Maximum number of visited nodes of a first step in the commit of the start; a longer step becomes a job.
const MAX_NODES_OF_START: usize = 20;
/// Maximum number of rows of that commit.
const MAX_ROWS_OF_START: usize = 100;

/// Executes steps of runs.
#[derive(Clone)]
pub struct RunExecutor {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
}

impl RunExecutor {
    /// Moves the run from its node to its next wait or end, once. If the step was already taken or the run has ended,
    /// only the job is finished.
    ///
    /// # Errors
    /// [`Error::Store`], and conflicts that mean a lost claim.
    pub async fn step(&self, job: &ClaimedJob, run: RunId, visit: i64) -> Result<(), Error> {
        retry_on_conflict(|| self.try_step(job, run, visit)).await
    }

    async fn try_step(&self, job: &ClaimedJob, run: RunId, visit: i64) -> Result<(), AttemptError> {
        let Some(context) = self.due(job, run, visit).await? else { return Ok(()) };
        let (system, mut set) = (Access::system(job.workspace), ChangeSet::new(job.workspace));
        let held = self.load_kept_reply(&system, &context).await?;
        if let KeptReply::Waits(guard) = held {
            let expires = expires_at(&context.flow.definition, &context.run);
            set.guard(guard).change(job.reschedule(expires, None));
            return ignore_lost_claim(self.ports.ledger.commit(set).await);
        }
        set.change(job.finish());
        let input = match &held {
            KeptReply::Reply(text) => Input::Reply(text),
            KeptReply::None | KeptReply::Waits(_) => Input::Timer,
        };
        let run = self.go_on(&system, context, input, &mut set).await?;
        run_end::update(&mut set, run);
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    /// Loads the data of a step. If it was already taken or the run has ended, finishes the job instead; if the flow
    /// is paused, reschedules the job until the flow is resumed.
    async fn due(&self, job: &ClaimedJob, run: RunId, visit: i64) -> Result<Option<StepContext>, AttemptError> {
        let system = Access::system(job.workspace);
        let mut set = ChangeSet::new(job.workspace);
        let found = self.ports.flows.run_with_contact(&system, run).await?;
        let Some(found) = found.filter(|it| it.run.status.is_live() && it.run.visit == visit) else {
            set.change(job.finish());
            return ignore_lost_claim(self.ports.ledger.commit(set).await).map(|()| None);
        };
        let prefetched = Prefetched { contact: Some(found.contact), conversations: Some(found.conversations) };
        let context = self.load(&system, found.run, prefetched).await?;
        if let Some(flow) = self.paused(&system, job, &context).await? {
            // Resuming the flow only wakes queued steps; this one is claimed, so guard the flow's version.
            set.guard(Guard::Version(Object::Flow(flow.id), flow.version));
            set.change(job.reschedule(Timestamp::END, None));
            return ignore_lost_claim(self.ports.ledger.commit(set).await).map(|()| None);
        }
        Ok(Some(context))
    }

    /// Returns the flow of a run if it is paused. For steps the catalog suffices, because their commit checks its
    /// revision. An HTTP request is sent before any commit, so its flow is read.
    async fn paused(
        &self,
        system: &Access,
        job: &ClaimedJob,
        context: &StepContext,
    ) -> Result<Option<Flow>, StoreError> {
        if context.is_of_active_flow() && !job.job.pool().leaves() {
            return Ok(None);
        }
        let flow = self.ports.flows.get(system, context.run.flow).await?;
        Ok(flow.filter(|flow| flow.status == FlowStatus::Paused))
    }

    /// Adds the step that a reply causes. Returns false, without changes, if the run does not accept the reply.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn reply(
        &self,
        system: &Access,
        run: Run,
        text: &str,
        set: &mut ChangeSet,
    ) -> Result<bool, AttemptError> {
        let Some(context) = self.listening(system, run, set).await? else { return Ok(false) };
        // The queued timer of the ended wait would delay the run's next step.
        set.change(Change::Flow(FlowChange::DropSteps { run: context.run.id }));
        let run = self.go_on(system, context, Input::Reply(text), set).await?;
        run_end::update(set, run);
        Ok(true)
    }

    /// Whether the current question of the run offers exactly this text; `None` if the run would not accept a reply.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn offers(&self, system: &Access, run: Run, text: &str) -> Result<Option<bool>, AttemptError> {
        let mut unused = ChangeSet::new(system.workspace());
        let context = self.listening(system, run, &mut unused).await?;
        Ok(context.map(|context| context.offers(text, self.ports.clock.now())))
    }

    /// Loads the data of a step for a reply; `None` if the run does not accept one.
    async fn listening(
        &self,
        system: &Access,
        run: Run,
        set: &mut ChangeSet,
    ) -> Result<Option<StepContext>, AttemptError> {
        if run.wait.as_ref().is_none_or(|wait| wait.kind != WaitKind::Reply) {
            return Ok(None);
        }
        let context = self.load(system, run, Prefetched::default()).await?;
        if !context.is_of_active_flow() {
            // If the flow was just activated, the commit conflicts and the decision is repeated.
            set.guard(Guard::Catalog(context.catalog.revision));
            return Ok(None);
        }
        let is_over = expires_at(&context.flow.definition, &context.run) <= self.ports.clock.now();
        Ok(Some(context).filter(|_| !is_over))
    }

    /// Adds the first step of a run that is not stored yet, and returns the run after it. Returns `None` if the step
    /// is too large for the commit of the start; the caller must then discard the additions.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn first_step(
        &self,
        system: &Access,
        run: Run,
        contact: Option<Contact>,
        set: &mut ChangeSet,
    ) -> Result<Option<Run>, AttemptError> {
        let context = self.load(system, run, Prefetched { contact, conversations: None }).await?;
        let mut run = self.go_on(system, context, Input::Timer, set).await?;
        run.version = 1;
        let is_small = run.trace.len() <= MAX_NODES_OF_START && set.rows() <= MAX_ROWS_OF_START;
        Ok(Some(run).filter(|_| is_small))
    }

    /// Adds a step, and returns the run after it. The caller stores the run.
    async fn go_on(
        &self,
        system: &Access,
        context: StepContext,
        input: Input<'_>,
        set: &mut ChangeSet,
    ) -> Result<Run, AttemptError> {
        let access = system.acting_as(Actor::flow(context.run.flow, context.run.id)).at_depth(context.run.depth);
        let mut taken = BTreeSet::new();
        for _ in 0..MOST_ROUNDS {
            let explains = self.ports.explains;
            let environment = StepEnvironment {
                explains,
                ..context.environment(&taken, self.ports.clock.now(), &self.ports.connectors)
            };
            let step = advance(&context.flow.definition, &context.run, input, &environment);
            let more = self.held_by_others(&access, &context.contact, &step).await?;
            if more.is_empty() {
                return self.add(&access, context, step, set).await;
            }
            taken.extend(more);
        }
        Err(AttemptError::Retry)
    }

    /// Fails a run after its step failed permanently; adds this to the set that dead-letters the job.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        run: RunId,
        visit: i64,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.flows.run(access, run).await?;
        if let Some(mut run) = found.filter(|run| run.status.is_live() && run.visit == visit) {
            let message = "the step could not be executed: all attempts failed".to_owned();
            let error = RunError { code: "internal".to_owned(), message, node: run.node.clone(), path: vec![] };
            let (trace, vars) = (Vec::new(), run.vars.clone());
            let expires = self.ports.clock.now();
            if run.called_run_id().is_some() {
                run_end::interrupt_called(set, run.id, expires);
            }
            self.conclude(access, &mut run, trace, vars, StepEnd::Failed(error), expires, set);
            run_end::update(set, run);
        }
        Ok(())
    }

    /// Returns the identifiers that a step would write and other contacts have.
    async fn held_by_others(
        &self,
        access: &Access,
        contact: &Contact,
        step: &StepResult,
    ) -> Result<Vec<(Attribute, String)>, StoreError> {
        let mut held = Vec::new();
        for traced in &step.effects {
            let Effect::SetAttribute(attribute, Some(value)) = &traced.effect else { continue };
            let Some(named) = ContactRef::parse(&format!("{}:{value}", attribute.as_str())) else { continue };
            if self.ports.contacts.find(access, &named).await?.is_some_and(|holder| holder.id != contact.id) {
                held.push((*attribute, value.clone()));
            }
        }
        Ok(held)
    }

    async fn add(
        &self,
        access: &Access,
        context: StepContext,
        mut step: StepResult,
        set: &mut ChangeSet,
    ) -> Result<Run, AttemptError> {
        self.apply(access, &context, &mut step, set).await?;
        context.cancel_called_run(&step.ending, self.ports.clock.now(), set);
        let expires = expires_at(&context.flow.definition, &context.run);
        let mut run = context.run;
        // A run keeps the channel of its first step, for messages and for replies.
        run.channel = run.channel.or(context.channel.map(|channel| channel.id));
        let ending = step.ending.without_earlier_events(context.under_way, set);
        self.conclude(access, &mut run, step.trace, step.vars, ending, expires, set);
        Ok(run)
    }
}
