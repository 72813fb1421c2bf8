//! Starts of flows. Every run begins here.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Caller, Flow, FlowStatus, Reentry, Run, RunError, RunExecutor, RunStatus, RunView, run_end};
use crate::access::{Access, MAX_DEPTH};
use crate::catalog::Catalog;
use crate::contacts::Contact;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ChannelId, ContactId, FlowId, JobId, RunId, TypedId};
use crate::ports::{Change, ChangeSet, Clock, Counted, FlowChange, Guard, Ids, NewJob, Object, Ports, Row, StoreError};
use crate::retry::{AttemptError, StartAttempt};
use crate::time::Timestamp;

/// Maximum number of starts of one flow for a contact within [`START_RATE_WINDOW`].
pub const MAX_STARTS: u32 = 10;
/// The window of [`MAX_STARTS`].
pub const START_RATE_WINDOW: Duration = Duration::from_secs(3_600);

/// The version of a flow that new runs use, and a guard that it is still current.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Startable {
    number: i64,
    guard: Guard,
}

impl Startable {
    /// Returns the published version of a flow; `None` unless it is active.
    pub fn of(flow: &Flow) -> Option<Self> {
        let number = flow.version_published.filter(|_| flow.status == FlowStatus::Active)?;
        Some(Self { number, guard: Guard::Version(Object::Flow(flow.id), flow.version) })
    }

    /// Returns the version that the catalog has, which may be outdated; `None` if the catalog has no such active flow.
    pub fn known(catalog: &Catalog, flow: FlowId) -> Option<Self> {
        let number = *catalog.active_flows.get(&flow)?;
        Some(Self { number, guard: Guard::Catalog(catalog.revision) })
    }
}

/// A requested start.
#[derive(Debug, Clone)]
pub struct StartPlan {
    /// The flow.
    pub flow: FlowId,
    /// Its version; `None` if it cannot be started.
    pub version: Option<Startable>,
    /// The contact.
    pub contact: ContactId,
    /// Variables for templates, under `vars`.
    pub vars: Map<String, Value>,
    /// The channel of the run; the workspace's default channel if absent.
    pub channel: Option<ChannelId>,
    /// The event or message that starts it.
    pub cause: Option<Uuid>,
    /// The run that calls it and waits for its end.
    pub caller: Option<Caller>,
    /// The event, as templates and conditions see it.
    pub event: Option<Value>,
}

/// Earlier runs of the flow for the contact, from the store.
#[derive(Debug, Clone, Default)]
pub struct RunHistory {
    /// The live run in the shared slot.
    pub live: Option<Run>,
    /// The times of the newest starts, newest first, at most [`MAX_STARTS`].
    pub starts: Vec<Timestamp>,
    /// Whether a failed run within [`START_RATE_WINDOW`] already records a rejected start.
    pub is_told: bool,
}

impl RunHistory {
    /// Returns when the next start is possible, if the start limit is reached.
    fn blocked_until(&self, now: Timestamp) -> Option<Timestamp> {
        let oldest = *self.starts.get(MAX_STARTS as usize - 1)?;
        (oldest >= now.minus(START_RATE_WINDOW)).then(|| oldest.plus(START_RATE_WINDOW))
    }
}

/// The result of a start.
#[derive(Debug, Clone, PartialEq)]
pub enum StartOutcome {
    /// A run starts.
    Began(Box<Run>),
    /// A run is live and remains the only one.
    Lives(Box<Run>),
    /// The flow has no published version that may be started.
    NotActive,
    /// The contact reached the start limit. The first rejected start within [`START_RATE_WINDOW`] is recorded as a
    /// failed run, unless a run called the flow.
    TooOften {
        /// Time from now until the next start is possible.
        retry_after: Duration,
    },
    /// The chain of runs that led here is too long. The run is recorded as failed.
    TooDeep,
}

/// Adds a start to a change set, with a job for the first step. Does no I/O. `access` has the actor and the length of
/// the chain of runs that led here; `mode` decides what happens if a run is live.
pub fn add_start(
    set: &mut ChangeSet,
    plan: &StartPlan,
    mode: Reentry,
    earlier: RunHistory,
    access: &Access,
    (clock, ids): (&dyn Clock, &dyn Ids),
) -> StartOutcome {
    let started = decide(set, plan, mode, earlier, access, (clock, ids));
    if let StartOutcome::Began(run) = &started {
        queue(set, run.clone(), ids);
    }
    started
}

/// Adds a new run with a job for its first step.
fn queue(set: &mut ChangeSet, run: Box<Run>, ids: &dyn Ids) {
    set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), run.next_step(), run.started_at));
    set.change(Change::Insert(Row::Run(run)));
}

/// Adds the guards and events of a start, without the new run and its first step.
fn decide(
    set: &mut ChangeSet,
    plan: &StartPlan,
    mode: Reentry,
    earlier: RunHistory,
    access: &Access,
    (clock, ids): (&dyn Clock, &dyn Ids),
) -> StartOutcome {
    let now = clock.now();
    let Some(version) = &plan.version else { return StartOutcome::NotActive };
    let mut run = new_run(plan, version.number, access, ids.next_run(plan.flow), now);
    if run.depth > MAX_DEPTH {
        refuse(set, run, format!("not started: the chain of runs that led to this start already has {MAX_DEPTH} runs"));
        return StartOutcome::TooDeep;
    }
    let until = earlier.blocked_until(now);
    match (earlier.live, mode, until) {
        (Some(live), Reentry::Skip, _) => return StartOutcome::Lives(Box::new(live)),
        (_, _, Some(until)) => {
            // The calling run records the rejection itself.
            if !earlier.is_told && plan.caller.is_none() {
                let message = format!(
                    "not started: this flow started {MAX_STARTS} runs for this contact within an hour; the next start \
                     is possible at {until}"
                );
                let since = now.minus(START_RATE_WINDOW);
                let told = Counted::Refusals { flow: plan.flow, contact: plan.contact, since };
                set.guard(Guard::Room { what: told, adding: 1, most: 1 });
                refuse(set, run, message);
            }
            return StartOutcome::TooOften { retry_after: until.since(now).max(Duration::from_secs(1)) };
        }
        (Some(live), Reentry::Restart, None) => {
            interrupt(set, live, now);
        }
        (_, Reentry::Parallel, None) => run.slot = run.id.uuid(),
        (None, _, None) => {}
    }
    let starts = Counted::Starts { flow: plan.flow, contact: plan.contact, since: now.minus(START_RATE_WINDOW) };
    set.guard(Guard::Live(Object::Contact(plan.contact)));
    set.guard(version.guard);
    set.guard(Guard::Room { what: starts, adding: 1, most: i64::from(MAX_STARTS) });
    let event = EventDraft::new(EventKind::FlowStarted, &RunView::from(&run)).about(plan.contact);
    set.tell(event, &access.at_depth(run.depth), clock, ids);
    StartOutcome::Began(Box::new(run))
}

/// Records a rejected start as a failed run. It has no event, because an event could continue the loop that this
/// stops.
fn refuse(set: &mut ChangeSet, mut run: Run, message: String) {
    run.slot = run.id.uuid();
    (run.status, run.ended_at) = (RunStatus::Failed, Some(run.started_at));
    run.error = Some(RunError { code: "loop_guard".to_owned(), message, node: None, path: Vec::new() });
    set.guard(Guard::Live(Object::Contact(run.contact)));
    set.change(Change::Insert(Row::Run(Box::new(run))));
}

/// Interrupts a live run.
pub(super) fn interrupt(set: &mut ChangeSet, mut run: Run, now: Timestamp) -> Run {
    let now = now.max(run.updated_at);
    if run.called_run_id().is_some() {
        run_end::interrupt_called(set, run.id, now);
    }
    set.change(Change::Flow(FlowChange::DropSteps { run: run.id }));
    (run.status, run.ended_at, run.wait) = (RunStatus::Interrupted, Some(now), None);
    run.updated_at = now;
    run.version += 1;
    run_end::update(set, run.clone());
    run
}

fn new_run(plan: &StartPlan, number: i64, access: &Access, id: RunId, now: Timestamp) -> Run {
    Run {
        flow_version: number,
        channel: plan.channel,
        vars: plan.vars.clone(),
        cause: plan.cause,
        caller: plan.caller,
        depth: access.depth() + 1,
        event: plan.event.clone(),
        ..Run::new(id, plan.flow, plan.contact, access.actor().clone(), now)
    }
}

/// Starts flows: loads the data that a start depends on, and adds the start to a change set.
#[derive(Clone)]
pub struct Starter {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
}

impl Starter {
    /// Creates a plan with a flow and a contact only; `None` if the flow does not exist. The catalog is trusted if it
    /// has the flow as active. Only the store decides that a flow is inactive or missing.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn plan(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
    ) -> Result<Option<StartPlan>, StoreError> {
        let catalog = self.ports.catalog.catalog(access.workspace()).await?;
        let version = match Startable::known(&catalog, flow) {
            Some(version) => Some(version),
            None => match self.ports.flows.get(access, flow).await? {
                Some(flow) => Startable::of(&flow),
                None => return Ok(None),
            },
        };
        let (vars, channel, cause, caller, event) = (Map::new(), None, None, None, None);
        Ok(Some(StartPlan { flow, version, contact, vars, channel, cause, caller, event }))
    }

    /// Adds a start to a change set, with a job for the first step. Without a mode, the flow's own setting applies.
    ///
    /// # Errors
    /// [`AttemptError`] if the store fails.
    pub async fn add(
        &self,
        access: &Access,
        plan: &StartPlan,
        mode: Option<Reentry>,
        set: &mut ChangeSet,
    ) -> Result<StartOutcome, AttemptError> {
        let started = self.decide(access, plan, mode, true, set).await?;
        if let StartOutcome::Began(run) = &started {
            queue(set, run.clone(), &*self.ports.ids);
        }
        Ok(started)
    }

    /// Adds a start together with its first step, if the attempt allows it and the set has no changes except to jobs.
    /// The returned run is then the run after that step. If the step cannot be taken here, a job is queued for it.
    /// `contact` is the plan's contact, if it was just read.
    ///
    /// # Errors
    /// [`AttemptError`] if the store fails.
    pub async fn begin(
        &self,
        access: &Access,
        plan: &StartPlan,
        (mode, attempt): (Option<Reentry>, StartAttempt),
        contact: Option<Contact>,
        set: &mut ChangeSet,
    ) -> Result<StartOutcome, AttemptError> {
        let is_first = set.changes.iter().all(|change| matches!(change, Change::Job(_)));
        let looks_back = attempt != StartAttempt::Optimistic;
        let started = self.decide(access, plan, mode, looks_back, set).await?;
        let StartOutcome::Began(run) = started else { return Ok(started) };
        if is_first && attempt != StartAttempt::WithJob {
            let mut stepped = set.clone();
            let runs = RunExecutor { ports: self.ports.clone() };
            let system = Access::system(access.workspace());
            if let Ok(Some(run)) = runs.first_step(&system, (*run).clone(), contact, &mut stepped).await {
                stepped.change(Change::Insert(Row::Run(Box::new(run.clone()))));
                *set = stepped;
                return Ok(StartOutcome::Began(Box::new(run)));
            }
        }
        queue(set, run.clone(), &*self.ports.ids);
        Ok(StartOutcome::Began(run))
    }

    /// Adds the guards and events of a start, without the new run and its first step. Unless `looks_back`, earlier
    /// starts are not read, and the commit enforces the start limit.
    async fn decide(
        &self,
        access: &Access,
        plan: &StartPlan,
        mode: Option<Reentry>,
        looks_back: bool,
        set: &mut ChangeSet,
    ) -> Result<StartOutcome, AttemptError> {
        let Some(Startable { number, .. }) = plan.version else { return Ok(StartOutcome::NotActive) };
        let of_flow = async {
            match mode {
                Some(mode) => Ok(mode),
                None => {
                    let version = self.ports.flows.compiled(access, plan.flow, number).await?;
                    let missing = || StoreError::Corrupt(format!("version {number} of {} cannot be read", plan.flow));
                    Ok(version.ok_or_else(missing)?.definition.settings.reentry)
                }
            }
        };
        let starts = async {
            match looks_back {
                true => self.ports.flows.recent_starts(access, plan.flow, plan.contact, MAX_STARTS).await,
                false => Ok(Vec::new()),
            }
        };
        let (mode, live, starts) =
            futures::try_join!(of_flow, self.ports.flows.live_run(access, plan.flow, plan.contact), starts)?;
        let mut earlier = RunHistory { live, starts, is_told: false };
        let now = self.ports.clock.now();
        if earlier.blocked_until(now).is_some() {
            let since = now.minus(START_RATE_WINDOW);
            earlier.is_told = self.ports.flows.is_refused_since(access, plan.flow, plan.contact, since).await?;
        }
        Ok(decide(set, plan, mode, earlier, access, (&*self.ports.clock, &*self.ports.ids)))
    }
}
