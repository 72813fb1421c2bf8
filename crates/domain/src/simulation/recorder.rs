//! Records the commits of the engine: nodes, steps and ends, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::bounds::MAX_MOMENTS;
use super::channel_plans::ChannelPlans;
use super::moments::{EndMoment, Moment, NodeMoment, SaidMessage, StepMoment};
use crate::conversations::{Message, MessageStatus};
use crate::flows::{Run, RunView, TraceEntry, WaitView};
use crate::ids::{EnrollmentId, MessageId, RunId};
use crate::ports::{Change, ChangeSet, CommitError, Ledger, Row};
use crate::sequences::{Enrollment, EnrollmentView, StepRecord};
use crate::step_outcome::StepOutcome;
use crate::time::Timestamp;

/// The recorded events and the last state of each object.
#[derive(Debug, Default)]
struct Recorded {
    moments: Vec<Moment>,
    /// Their size as JSON.
    bytes: usize,
    runs: BTreeMap<RunId, Run>,
    enrollments: BTreeMap<EnrollmentId, Enrollment>,
    messages: BTreeMap<MessageId, Message>,
    plans: ChannelPlans,
}

/// A ledger that records its commits.
pub(super) struct Recorder {
    ledger: Arc<dyn Ledger>,
    recorded: Mutex<Recorded>,
    /// Maximum number of recorded bytes.
    room: usize,
}

/// The runs, enrollments and messages in a change set.
struct RecordedChanges {
    runs: Vec<Run>,
    enrollments: Vec<Enrollment>,
    messages: Vec<Message>,
}

impl RecordedChanges {
    fn of(set: &ChangeSet) -> Self {
        let mut written = Self { runs: Vec::new(), enrollments: Vec::new(), messages: Vec::new() };
        for change in &set.changes {
            let (Change::Insert(row) | Change::Update(row)) = change else { continue };
            match row {
                Row::Run(run) => written.runs.push((**run).clone()),
                Row::Enrollment(enrollment) => written.enrollments.push((**enrollment).clone()),
                Row::Message(message) => written.messages.push((**message).clone()),
                Row::Workspace(_)
                | Row::Channel(_)
                | Row::Contact(_)
                | Row::Conversation(_)
                | Row::Flow(_)
                | Row::Webhook(_)
                | Row::Delivery(_)
                | Row::Stored(_)
                | Row::BulkOperation(_)
                | Row::Import(_)
                | Row::Broadcast(_)
                | Row::Sequence(_)
                | Row::User(_)
                | Row::Member(_) => {}
            }
        }
        written
    }
}

#[async_trait]
impl Ledger for Recorder {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let written = RecordedChanges::of(&set);
        self.ledger.commit(set).await?;
        self.lock().take(written);
        Ok(())
    }
}

impl Recorder {
    /// Creates a recorder of commits to `ledger`, with a limit of `room` bytes.
    pub(super) fn new(ledger: Arc<dyn Ledger>, room: usize, plans: ChannelPlans) -> Self {
        Self { ledger, recorded: Mutex::new(Recorded { plans, ..Recorded::default() }), room }
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event that is not part of a commit.
    pub(super) fn add(&self, moment: Moment) {
        self.lock().push(moment);
    }

    /// Whether a limit of the trace is reached.
    pub(super) fn is_full(&self) -> bool {
        let recorded = self.lock();
        recorded.moments.len() >= MAX_MOMENTS || recorded.bytes >= self.room
    }

    /// Whether a run has started.
    pub(super) fn knows(&self, run: RunId) -> bool {
        self.lock().runs.contains_key(&run)
    }

    pub(super) fn runs(&self) -> BTreeSet<RunId> {
        self.lock().runs.keys().copied().collect()
    }

    pub(super) fn enrollments(&self) -> BTreeSet<EnrollmentId> {
        self.lock().enrollments.keys().copied().collect()
    }

    /// Takes the trace, with its size as JSON.
    pub(super) fn take_moments(&self) -> (Vec<Moment>, usize) {
        let mut recorded = self.lock();
        (std::mem::take(&mut recorded.moments), recorded.bytes)
    }
}

impl Recorded {
    fn push(&mut self, moment: Moment) {
        self.bytes += serde_json::to_string(&moment).map_or(0, |text| text.len());
        self.moments.push(moment);
    }

    fn take(&mut self, RecordedChanges { runs, enrollments, messages }: RecordedChanges) {
        self.messages.extend(messages.into_iter().map(|it| (it.id, it)));
        runs.into_iter().for_each(|run| self.run(run));
        enrollments.into_iter().for_each(|enrollment| self.enrollment(enrollment));
    }

    fn run(&mut self, run: Run) {
        let before = self.runs.remove(&run.id);
        let known = before.as_ref().map(|before| before.trace.as_slice()).unwrap_or_default();
        let news: Vec<TraceEntry> = added(known, &run.trace).to_vec();
        let view = RunView::from(&run);
        let last = news.len().checked_sub(1);
        for (place, entry) in news.into_iter().enumerate() {
            // The run waits at the last node only.
            let wait = view.wait.clone().filter(|_| Some(place) == last);
            let moment = self.node(&run, entry, wait);
            self.push(moment);
        }
        if let Some(at) = run.ended_at.filter(|_| before.is_none_or(|before| before.ended_at.is_none())) {
            let end = EndMoment { run_id: Some(run.id), ..EndMoment::at(at) };
            self.push(Moment::End(EndMoment { run_status: Some(run.status), run_error: view.error, ..end }));
        }
        self.runs.insert(run.id, run);
    }

    fn node(&self, run: &Run, entry: TraceEntry, wait: Option<WaitView>) -> Moment {
        Moment::Node(Box::new(NodeMoment {
            at: entry.at,
            run_id: run.id,
            flow_id: run.flow,
            message: entry.message.and_then(|id| self.said(id)),
            node_id: entry.node,
            node_type: entry.kind,
            outcome_parts: StepOutcome::parts(&entry.outcome),
            outcome: entry.outcome,
            exit: entry.exit,
            resumed: entry.resumed,
            decision: entry.decision.map(|decision| *decision),
            wait,
            called_run_id: entry.run,
        }))
    }

    fn said(&self, message: MessageId) -> Option<SaidMessage> {
        let message = self.messages.get(&message)?;
        let is_kept = message.is_private() || message.status == MessageStatus::Suppressed;
        let degraded = if is_kept { Vec::new() } else { self.plans.degraded(message) };
        Some(SaidMessage::new(&message.content, !is_kept, degraded))
    }

    fn enrollment(&mut self, enrollment: Enrollment) {
        let before = self.enrollments.remove(&enrollment.id);
        let known = before.as_ref().map_or(0, |before| before.steps_done.len());
        let news: Vec<StepRecord> = enrollment.steps_done.iter().skip(known).cloned().collect();
        let next = (enrollment.step.clone(), enrollment.next_run_at);
        let is_moved = before.as_ref().is_none_or(|before| (before.step.clone(), before.next_run_at) != next);
        if news.is_empty() && is_moved && enrollment.ended_at.is_none() {
            let outcome = if before.is_none() { StepOutcome::Enrolled } else { StepOutcome::Rescheduled }.text();
            let moment = StepMoment {
                outcome: outcome.to_owned(),
                outcome_parts: StepOutcome::parts(outcome),
                ..StepMoment::of(&enrollment, enrollment.updated_at)
            };
            self.push(Moment::Step(moment));
        }
        for record in news {
            let moment = StepMoment {
                step_id: Some(record.step),
                action: Some(record.kind),
                outcome_parts: StepOutcome::parts(&record.outcome),
                outcome: record.outcome,
                message: record.message.and_then(|id| self.said(id)),
                started_run_id: record.run,
                ..StepMoment::of(&enrollment, record.at)
            };
            self.push(Moment::Step(moment));
        }
        if let Some(at) = enrollment.ended_at.filter(|_| before.is_none_or(|before| before.ended_at.is_none())) {
            let view = EnrollmentView::from(&enrollment);
            self.push(Moment::End(EndMoment {
                enrollment_id: Some(enrollment.id),
                enrollment_status: Some(enrollment.status),
                exit_reason: enrollment.exit_reason,
                enrollment_error: view.error,
                ..EndMoment::at(at)
            }));
        }
        self.enrollments.insert(enrollment.id, enrollment);
    }
}

/// Returns the new entries of a trace. A long trace may have lost its first entries since.
fn added<'t>(before: &[TraceEntry], after: &'t [TraceEntry]) -> &'t [TraceEntry] {
    let kept = (0..=before.len()).find_map(|gone| {
        let kept = before.get(gone..)?;
        after.starts_with(kept).then_some(kept.len())
    });
    after.get(kept.unwrap_or(0)..).unwrap_or_default()
}

impl EndMoment {
    fn at(at: Timestamp) -> Self {
        Self {
            at,
            run_id: None,
            run_status: None,
            run_error: None,
            enrollment_id: None,
            enrollment_status: None,
            exit_reason: None,
            enrollment_error: None,
        }
    }
}

impl StepMoment {
    fn of(enrollment: &Enrollment, at: Timestamp) -> Self {
        Self {
            at,
            enrollment_id: enrollment.id,
            sequence_id: enrollment.sequence,
            step_id: None,
            action: None,
            outcome: String::new(),
            outcome_parts: Vec::new(),
            message: None,
            started_run_id: None,
            next_step_id: enrollment.step.clone(),
            next_at: enrollment.next_run_at,
        }
    }
}
