//! Flows and runs: changes.

mod catalog;
pub(super) mod compiled;
mod queries;
mod schedules;

use super::apply::{Applied, delete, insert, referenced, unique};
use super::{JobRecord, State};
use crate::flows::{ActiveTrigger, Flow, FlowStatus, Run, RunStatus, Trigger, WaitKind, hour_of};
use crate::ids::{RunId, WorkspaceId};
use crate::ports::{FlowChange, Job, Object, UniqueKey};
use crate::time::Timestamp;

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
