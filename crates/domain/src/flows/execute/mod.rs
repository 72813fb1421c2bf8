//! Takes one step of a run: load, decide, commit with the job that asked for it.

mod conclude;
mod effects;
mod scene;
mod talk;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::definition::Attribute;
use super::{Advance, Deed, Ending, FlowStatus, Input, Run, RunError, WaitKind, World, advance, expires_at};
use crate::access::{Access, Actor};
use crate::contacts::{Contact, ContactRef};
use crate::error::Error;
use crate::ids::{RunId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, FlowChange, JobChange, Ports, StoreError};
use crate::settle::{Setback, settle};
use crate::work::unless_lost;

use scene::Scene;

/// How long a step of a paused flow is left alone; resuming the flow wakes it.
const PAUSE: Duration = Duration::from_secs(3_600);
/// How often a step is decided anew because other contacts have what it would write.
const MOST_ROUNDS: usize = 10;

/// Takes steps of runs.
#[derive(Clone)]
pub struct RunExecutor {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl RunExecutor {
    /// Takes the run from its node to its next wait or its end, once: a step that was taken
    /// already, or whose run ended, only finishes its job.
    ///
    /// # Errors
    /// [`Error::Store`], and conflicts that tell that the claim was lost.
    pub async fn step(&self, job: &ClaimedJob) -> Result<(), Error> {
        settle(|| self.try_step(job)).await
    }

    async fn try_step(&self, job: &ClaimedJob) -> Result<(), Setback> {
        let system = Access::system(job.workspace);
        let mut set = ChangeSet::new(job.workspace);
        let run = self.ports.flows.run(&system, RunId::from_uuid(job.subject)).await?;
        let run = run.filter(|run| run.status.is_live() && run.visit == job.mark);
        let Some(run) = run else {
            set.change(Change::Job(JobChange::Finish { job: job.id, token: job.token }));
            return unless_lost(self.ports.ledger.commit(set).await);
        };
        let flow = self.ports.flows.get(&system, run.flow).await?;
        if flow.is_some_and(|flow| flow.status == FlowStatus::Paused) {
            let due_at = self.ports.clock.now().plus(PAUSE);
            set.change(Change::Job(JobChange::Reschedule { job: job.id, token: job.token, due_at, error: None }));
            return unless_lost(self.ports.ledger.commit(set).await);
        }
        set.change(Change::Job(JobChange::Finish { job: job.id, token: job.token }));
        let scene = self.load(&system, run).await?;
        self.go_on(&system, scene, Input::Timer, &mut set).await?;
        unless_lost(self.ports.ledger.commit(set).await)
    }

    /// Adds the step that a reply makes the run take; false where the run does not take it, and
    /// nothing was added.
    ///
    /// # Errors
    /// [`Setback`].
    pub(crate) async fn reply(
        &self,
        system: &Access,
        run: Run,
        text: &str,
        set: &mut ChangeSet,
    ) -> Result<bool, Setback> {
        if run.wait.as_ref().is_none_or(|wait| wait.kind != WaitKind::Reply) {
            return Ok(false);
        }
        let flow = self.ports.flows.get(system, run.flow).await?;
        if flow.is_none_or(|flow| flow.status != FlowStatus::Active) {
            return Ok(false);
        }
        let scene = self.load(system, run).await?;
        if expires_at(&scene.definition, &scene.run) <= self.ports.clock.now() {
            return Ok(false);
        }
        // The timer of the wait that ends here would hold up the run's next step.
        set.change(Change::Flow(FlowChange::DropSteps { run: scene.run.id }));
        self.go_on(system, scene, Input::Reply(text), set).await?;
        Ok(true)
    }

    async fn go_on(&self, system: &Access, scene: Scene, input: Input<'_>, set: &mut ChangeSet) -> Result<(), Setback> {
        let access = system.acting_as(Actor::flow(scene.run.flow, scene.run.id)).at_depth(scene.run.depth);
        let mut taken = BTreeSet::new();
        for _ in 0..MOST_ROUNDS {
            let world = World { taken: &taken, ..scene.world(&taken, self.ports.clock.now()) };
            let step = advance(&scene.definition, &scene.run, input, &world);
            let more = self.held_by_others(&access, &scene.contact, &step).await?;
            if more.is_empty() {
                return self.write(&access, scene, step, set).await;
            }
            taken.extend(more);
        }
        Err(Setback::Again)
    }

    /// Ends a run that cannot go on, whatever is tried: adds that to a set that buries its job.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        job: &ClaimedJob,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.flows.run(access, RunId::from_uuid(job.subject)).await?;
        if let Some(mut run) = found.filter(|run| run.status.is_live() && run.visit == job.mark) {
            let message = "the step could not be taken, whatever was tried".to_owned();
            let error = RunError { code: "internal".to_owned(), message, node: run.node.clone(), path: vec![] };
            let (trace, vars) = (Vec::new(), run.vars.clone());
            let expires = self.ports.clock.now();
            self.conclude(access, &mut run, trace, vars, Ending::Failed(error), expires, set);
        }
        Ok(())
    }

    /// Which of the identifiers that a step would write other contacts have.
    async fn held_by_others(
        &self,
        access: &Access,
        contact: &Contact,
        step: &Advance,
    ) -> Result<Vec<(Attribute, String)>, StoreError> {
        let mut held = Vec::new();
        for effect in &step.effects {
            let Deed::SetAttribute(attribute, Some(value)) = &effect.deed else { continue };
            let named = match attribute {
                Attribute::Email => value.parse().ok().map(ContactRef::Email),
                Attribute::Phone => value.parse().ok().map(ContactRef::Phone),
                Attribute::ExternalId => value.parse().ok().map(ContactRef::ExternalId),
                _ => None,
            };
            let Some(named) = named else { continue };
            if self.ports.contacts.find(access, &named).await?.is_some_and(|holder| holder.id != contact.id) {
                held.push((*attribute, value.clone()));
            }
        }
        Ok(held)
    }

    async fn write(
        &self,
        access: &Access,
        scene: Scene,
        mut step: Advance,
        set: &mut ChangeSet,
    ) -> Result<(), Setback> {
        self.apply(access, &scene, &mut step, set).await?;
        let expires = expires_at(&scene.definition, &scene.run);
        let mut run = scene.run;
        // Where it began to talk, it goes on, and listens.
        run.channel = run.channel.or(scene.channel.map(|channel| channel.id));
        self.conclude(access, &mut run, step.trace, step.vars, step.ending, expires, set);
        Ok(())
    }
}
