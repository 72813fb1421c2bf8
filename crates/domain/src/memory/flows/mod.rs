//! Flows and runs.

mod catalog;
pub(super) mod compiled;
mod schedules;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use super::{JobRecord, MemoryStore, State};
use crate::access::Access;
use crate::custom_events::CustomEventName;
use crate::events::EventKind;
use crate::flows::{
    ActiveTrigger, AwaitedKind, CompiledFlow, Flow, FlowSchedule, FlowStats, FlowStatus, FlowVersion, NodeTally, Run,
    RunFilter, RunStatus, RunWithContact, StatisticsRequest, Trigger, WaitKind, hour_of,
};
use crate::ids::{ContactId, FlowId, RunId, TypedId, WorkspaceId};
use crate::list_filter::ListFilter;
use crate::pagination::{Page, PageRequest};
use crate::ports::{ContactQueries, ConversationQueries, FlowChange, FlowQueries, Job, Object, StoreError, UniqueKey};
use crate::time::Timestamp;

use super::apply::{Applied, delete, insert, referenced, unique};
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};

/// Whether the run waits for a run that it called.
fn awaits_flow(run: &Run) -> bool {
    run.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Flow)
}

impl JobRecord {
    fn steps_one_of(&self, runs: &[RunId]) -> bool {
        matches!(self.queued.job, Job::StepRun { run, .. } | Job::CallHttp { run, .. } if runs.contains(&run))
    }
}

impl State {
    pub(super) fn change_flows(&mut self, ws: WorkspaceId, change: FlowChange) -> Applied {
        match change {
            FlowChange::InsertVersion(it) => {
                referenced(self.flows.contains_key(&(ws, it.flow)))?;
                let key = (ws, (it.flow, it.number));
                unique(self.versions.contains_key(&key), UniqueKey::FlowVersion)?;
                insert(&mut self.versions, key, it)
            }
            FlowChange::InterruptRuns { contact, at } => {
                self.interrupt(ws, |run| run.contact == contact, at);
                Ok(())
            }
            FlowChange::DropSteps { run } => {
                self.drop_steps(ws, &[run]);
                Ok(())
            }
            FlowChange::WakeCaller { run, at } => {
                self.wake_steps(ws, &[run], at);
                Ok(())
            }
            FlowChange::InterruptCalled { run, at } => {
                self.interrupt_called(ws, vec![run], at);
                Ok(())
            }
            FlowChange::Interrupt { flow, at, due_at } => {
                let ended = self.interrupt(ws, |run| run.flow == flow, at);
                self.drop_steps(ws, &ended);
                let callers = ended.iter().filter_map(|run| self.runs.get(&(ws, *run))?.caller);
                let callers: Vec<RunId> = callers.map(|caller| caller.run).collect();
                self.interrupt_called(ws, ended, at);
                self.wake_steps(ws, &callers, due_at);
                Ok(())
            }
            FlowChange::MigrateRuns { flow, to, nodes, at } => {
                let moves = |run: &Run| {
                    let there = run.node.as_ref().is_none_or(|node| nodes.contains(node));
                    run.flow == flow && run.ended_at.is_none() && there
                };
                for run in self.runs.iter_mut().filter(|((of, _), run)| *of == ws && moves(run)).map(|(_, run)| run) {
                    run.flow_version = to;
                    run.updated_at = at;
                    run.version += 1;
                }
                Ok(())
            }
            FlowChange::WakeRuns { flow, at, due_at } => {
                let due = |run: &Run| {
                    let over = run.wait.as_ref().and_then(|wait| wait.until).is_some_and(|until| until <= at);
                    let has_reply = run.wait.as_ref().is_some_and(|wait| wait.reply.is_some());
                    let may_go_on = run.status == RunStatus::Active || over || has_reply || awaits_flow(run);
                    run.flow == flow && run.status.is_live() && may_go_on
                };
                let runs = self.runs.iter().filter(|((of, _), run)| *of == ws && due(run));
                let runs: Vec<RunId> = runs.map(|((_, id), _)| *id).collect();
                self.wake_steps(ws, &runs, due_at);
                Ok(())
            }
            FlowChange::PutTriggers { flow, triggers } => {
                referenced(self.flows.contains_key(&(ws, flow)))?;
                self.triggers.insert((ws, flow), triggers);
                Ok(())
            }
            FlowChange::PutAwaited { flow, awaited, keeps_earlier } => {
                referenced(self.flows.contains_key(&(ws, flow)))?;
                let listened = self.awaited.entry((ws, flow)).or_default();
                if !keeps_earlier {
                    listened.clear();
                }
                listened.extend(awaited);
                Ok(())
            }
            FlowChange::PutSchedule(it) => self.put_schedule(ws, it),
            FlowChange::FreezeAudience { flow, at, audience } => self.freeze(ws, (flow, at), &audience),
            FlowChange::TakeRecipient { flow, at, contact } => self.take_recipient(ws, (flow, at, contact)),
            FlowChange::DropRecipients { flow, limit } => self.drop_recipients(ws, flow, limit),
            FlowChange::Count { passage, at, .. } => {
                for (node, count) in passage.counts() {
                    let (flow, version) = (passage.flow, passage.version);
                    // Several counts may share a node that the set contains once.
                    self.add_written(node.len());
                    let key = (ws, (flow, hour_of(at), version, node.to_owned(), count));
                    *self.node_counts.entry(key).or_default() += 1;
                }
                Ok(())
            }
            FlowChange::Delete { flow, .. } => {
                self.triggers.remove(&(ws, flow));
                self.awaited.remove(&(ws, flow));
                self.schedules.remove(&(ws, flow));
                delete(&mut self.flows, &(ws, flow), Object::Flow(flow))
            }
        }
    }

    /// Interrupts live runs and returns their IDs.
    fn interrupt(&mut self, ws: WorkspaceId, which: impl Fn(&Run) -> bool, at: Timestamp) -> Vec<RunId> {
        let live = self.runs.iter_mut().filter(|((of, _), run)| *of == ws && run.ended_at.is_none() && which(run));
        let ended = live.map(|((_, id), run)| {
            run.status = RunStatus::Interrupted;
            (run.ended_at, run.wait) = (Some(at), None);
            run.updated_at = at;
            run.version += 1;
            *id
        });
        ended.collect()
    }

    /// Interrupts the runs that these runs called, recursively.
    fn interrupt_called(&mut self, ws: WorkspaceId, mut callers: Vec<RunId>, at: Timestamp) {
        while !callers.is_empty() {
            let is_called = |run: &Run| run.caller.is_some_and(|caller| callers.contains(&caller.run));
            let called = self.interrupt(ws, is_called, at);
            self.drop_steps(ws, &called);
            callers = called;
        }
    }

    /// Makes queued steps due.
    fn wake_steps(&mut self, ws: WorkspaceId, runs: &[RunId], at: Timestamp) {
        for job in self.jobs.values_mut().filter(|job| job.workspace == ws && job.steps_one_of(runs)) {
            if !job.claimed && job.dead.is_none() {
                job.queued.due_at = job.queued.due_at.min(at);
            }
        }
    }

    pub(super) fn drop_steps(&mut self, ws: WorkspaceId, runs: &[RunId]) {
        self.jobs.retain(|_, job| job.claimed || job.workspace != ws || !job.steps_one_of(runs));
    }

    /// The triggers of active flows, sorted by the creation of the flows.
    pub(super) fn active_triggers(&self, ws: WorkspaceId) -> Vec<ActiveTrigger> {
        let mut flows: Vec<&Flow> = self.flows.iter().filter(|((of, _), _)| *of == ws).map(|(_, flow)| flow).collect();
        flows.retain(|flow| flow.status == FlowStatus::Active);
        flows.sort_by_key(|flow| (flow.created_at, flow.id));
        let of_flow = |flow: &&Flow| {
            let written = self.triggers.get(&(ws, flow.id)).into_iter().flatten();
            let id = flow.id;
            let read = written.filter_map(move |it| Some(ActiveTrigger { flow: id, trigger: Trigger::parse(it)? }));
            read.collect::<Vec<_>>()
        };
        flows.iter().flat_map(of_flow).collect()
    }
}

#[async_trait]
impl FlowQueries for MemoryStore {
    async fn get(&self, access: &Access, flow: FlowId) -> Answer<Option<Flow>> {
        let found = self.lock().flows.get(&(access.workspace(), flow)).cloned();
        Ok(found.map(|flow| Flow { stats: FlowStats::default(), ..flow }))
    }

    async fn stats(&self, access: &Access, flow: FlowId) -> Answer<FlowStats> {
        let mut stats = FlowStats::default();
        for run in of(&self.lock().runs, access.workspace(), |run| run.flow == flow) {
            *stats.of(run.status) += 1;
        }
        Ok(stats)
    }

    async fn node_counts(&self, access: &Access, flow: FlowId, request: StatisticsRequest) -> Answer<Vec<NodeTally>> {
        let state = self.lock();
        let is_asked = |hour: &Timestamp, version: &i64| {
            request.span.is_none_or(|(from, to)| (from..to).contains(hour))
                && request.version.is_none_or(|wanted| wanted == *version)
        };
        let mut sums = BTreeMap::new();
        for ((ws, (of, hour, version, node, count)), amount) in &state.node_counts {
            if *ws == access.workspace() && *of == flow && is_asked(hour, version) {
                *sums.entry((node.clone(), count.clone())).or_default() += amount;
            }
        }
        Ok(sums.into_iter().map(|((node, count), amount)| NodeTally { node, count, amount }).collect())
    }

    async fn waiting_at(&self, access: &Access, flow: FlowId, version: Option<i64>) -> Answer<Vec<(String, i64)>> {
        let is_asked = |run: &Run| run.flow == flow && version.is_none_or(|wanted| wanted == run.flow_version);
        let live = of(&self.lock().runs, access.workspace(), |run| run.ended_at.is_none() && is_asked(run));
        let mut counts = BTreeMap::new();
        for node in live.into_iter().filter_map(|run| run.node) {
            *counts.entry(node).or_default() += 1;
        }
        Ok(counts.into_iter().collect())
    }

    async fn list(&self, access: &Access, filter: &ListFilter<FlowStatus>, request: PageRequest) -> Answer<Page<Flow>> {
        let flows = of(&self.lock().flows, access.workspace(), |it: &Flow| filter.admits(&it.filter_fields()));
        let flows = flows.into_iter().map(|flow| Flow { stats: FlowStats::default(), ..flow }).collect();
        Ok(page(flows, request, |it: &Flow| at(it.created_at, it.id)))
    }

    async fn present(&self, access: &Access, flows: &[FlowId]) -> Answer<Vec<FlowId>> {
        let state = self.lock();
        Ok(flows.iter().filter(|flow| state.flows.contains_key(&(access.workspace(), **flow))).copied().collect())
    }

    async fn versions(&self, access: &Access, flow: FlowId, request: PageRequest) -> Answer<Page<FlowVersion>> {
        let versions = of(&self.lock().versions, access.workspace(), |it| it.flow == flow);
        Ok(page(versions, request, FlowVersion::position))
    }

    async fn published_with_secrets(&self, access: &Access) -> Answer<Vec<FlowVersion>> {
        let state = self.lock();
        let flows = of(&state.flows, access.workspace(), |_: &Flow| true);
        let current = flows.into_iter().filter_map(|flow| {
            let number = flow.version_published?;
            state.versions.get(&(access.workspace(), (flow.id, number))).cloned()
        });
        Ok(current.filter(|version| version.definition.to_string().contains("secrets")).collect())
    }

    async fn keyword_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        Ok(all.into_iter().filter(|it| matches!(it.trigger, Trigger::Keyword { .. })).collect())
    }

    async fn referral_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        Ok(all.into_iter().filter(|it| matches!(it.trigger, Trigger::Referral { .. })).collect())
    }

    async fn event_triggers(&self, access: &Access, wanted: EventKind) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        let fits = |it: &ActiveTrigger| matches!(&it.trigger, Trigger::Event { kind, .. } if *kind == wanted);
        Ok(all.into_iter().filter(fits).collect())
    }

    async fn custom_event_triggers(&self, access: &Access, wanted: &CustomEventName) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        let fits = |it: &ActiveTrigger| matches!(&it.trigger, Trigger::CustomEvent { name, .. } if name == wanted);
        Ok(all.into_iter().filter(fits).collect())
    }

    async fn schedule(&self, access: &Access, flow: FlowId) -> Answer<Option<FlowSchedule>> {
        Ok(self.lock().schedules.get(&(access.workspace(), flow)).copied())
    }

    async fn schedules(&self, access: &Access) -> Answer<Vec<FlowSchedule>> {
        Ok(of(&self.lock().schedules, access.workspace(), |it| it.next_at.is_some()))
    }

    async fn recipients(&self, access: &Access, flow: FlowId, limit: u32) -> Answer<Vec<(Timestamp, ContactId)>> {
        Ok(self.lock().recipients_of(access.workspace(), flow, limit))
    }

    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Answer<Vec<Run>> {
        let waits = |run: &Run| run.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Reply);
        let mut runs = of(&self.lock().runs, access.workspace(), |run| run.contact == contact && waits(run));
        runs.sort_by_key(|run| std::cmp::Reverse((run.updated_at, run.id)));
        Ok(runs)
    }

    async fn awaiting_event(&self, access: &Access, contact: ContactId, wanted: &AwaitedKind) -> Answer<Vec<Run>> {
        let waits = |run: &Run| {
            let event = run.wait.as_ref().and_then(|wait| wait.event.as_ref());
            event.is_some_and(|event| event.awaited == *wanted && event.came.is_none())
        };
        let mut runs = of(&self.lock().runs, access.workspace(), |run| run.contact == contact && waits(run));
        runs.sort_by_key(|run| (run.updated_at, run.id));
        runs.truncate(100);
        Ok(runs)
    }

    async fn events_under_way(&self, access: &Access, contact: ContactId) -> Answer<Vec<Uuid>> {
        let (state, ws) = (self.lock(), access.workspace());
        let takes = |job: &&JobRecord| {
            let columns = job.queued.job.columns();
            let is_of_kind = matches!(job.queued.job, Job::TakeEvent { .. } | Job::TakeCustomEvent { .. });
            is_of_kind && columns.lane == Some(contact.uuid()) && job.workspace == ws && job.dead.is_none()
        };
        let jobs = state.jobs.values().rev().filter(takes);
        Ok(jobs.map(|job| job.queued.job.columns().subject).take(1_000).collect())
    }

    async fn started_by(&self, access: &Access, cause: Uuid) -> Answer<Vec<FlowId>> {
        let runs = of(&self.lock().runs, access.workspace(), |run| run.cause == Some(cause));
        Ok(runs.into_iter().map(|run| run.flow).collect())
    }

    async fn runs(&self, access: &Access, filter: &RunFilter, request: PageRequest) -> Answer<Page<Run>> {
        let found = of(&self.lock().runs, access.workspace(), |run| {
            filter.flow.is_none_or(|flow| run.flow == flow)
                && filter.contact.is_none_or(|contact| run.contact == contact)
                && filter.status.is_none_or(|status| run.status == status)
                && filter.node.as_ref().is_none_or(|node| run.status.is_live() && run.node.as_ref() == Some(node))
        });
        Ok(page(found, request, |it: &Run| at(it.started_at, it.id)))
    }

    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<FlowVersion>> {
        Ok(self.lock().versions.get(&(access.workspace(), (flow, number))).cloned())
    }

    async fn compiled(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<Arc<CompiledFlow>>> {
        let (state, key) = (self.lock(), (access.workspace(), (flow, number)));
        if let Some(filled) = state.filled.get(&key) {
            return Ok(Some(Arc::clone(filled)));
        }
        let Some(version) = state.versions.get(&key) else { return Ok(None) };
        self.compiled().read(access.workspace(), version, self.bounds.compiled()).map(Some)
    }

    async fn run(&self, access: &Access, run: RunId) -> Answer<Option<Run>> {
        Ok(self.lock().runs.get(&(access.workspace(), run)).cloned())
    }

    async fn run_with_contact(&self, access: &Access, run: RunId) -> Answer<Option<RunWithContact>> {
        let Some(run) = self.run(access, run).await? else { return Ok(None) };
        let contact = self.find_even_deleted(access, run.contact).await?;
        let contact = contact.ok_or_else(|| StoreError::Corrupt(format!("the contact of {} is missing", run.id)))?;
        let conversations = self.with(access, run.contact).await?;
        Ok(Some(RunWithContact { run, contact, conversations }))
    }

    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Answer<Option<Run>> {
        let live =
            |it: &Run| it.flow == flow && it.contact == contact && it.slot == Uuid::nil() && it.ended_at.is_none();
        Ok(of(&self.lock().runs, access.workspace(), live).pop())
    }

    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Answer<Vec<Timestamp>> {
        let starts = of(&self.lock().runs, access.workspace(), |it| {
            it.flow == flow && it.contact == contact && !it.is_refused()
        });
        let mut starts: Vec<Timestamp> = starts.iter().map(|it| it.started_at).collect();
        starts.sort_unstable_by(|a, b| b.cmp(a));
        starts.truncate(limit as usize);
        Ok(starts)
    }

    async fn is_refused_since(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        since: Timestamp,
    ) -> Answer<bool> {
        let refused = |it: &Run| it.flow == flow && it.contact == contact && it.started_at >= since && it.is_refused();
        Ok(!of(&self.lock().runs, access.workspace(), refused).is_empty())
    }
}
