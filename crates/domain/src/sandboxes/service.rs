//! Moving the clock of a sandbox forward, and resetting a sandbox.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use uuid::Uuid;

use super::SandboxChange;
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, CommitError, Conflict, Ports};
use crate::time::{IsoDuration, Timestamp};

/// Lease of a clock, extended by each step.
const LEASE: Duration = Duration::from_secs(15);
/// Maximum number of due times that one move passes.
pub(super) const MOST_STEPS: u32 = 100_000;

/// The clock of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ClockView {
    /// The current time of the sandbox.
    pub now: Timestamp,
    /// Whole seconds between the present and the clock.
    pub ahead_seconds: u64,
    /// Whether the clock reached its target, and all work that became due is done.
    pub arrived: bool,
    /// Number of times on the way at which work was due.
    pub steps: u32,
}

/// A move of a clock in progress. The caller repeats [`SandboxService::step`] until it arrives, and always calls
/// [`SandboxService::end`].
#[derive(Debug, Clone)]
pub struct ClockMove {
    access: Access,
    holder: Uuid,
    to: Timestamp,
    held_until: Timestamp,
    pub(super) steps: u32,
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Workers are busy with due work: repeat the step later.
    Waiting,
    /// The clock moved to the next due time.
    Moved,
    /// The clock reached its target, and all work is done.
    Arrived,
    /// The move passed the maximum number of due times. Another move can continue.
    Stopped,
}

/// Moves the clocks of sandboxes, and resets sandboxes. Its ports use the clock of the store, not of a sandbox.
#[derive(Clone)]
pub struct SandboxService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SandboxService {
    /// Returns the clock of a workspace. A live workspace has the current time.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn clock(&self, access: &Access) -> Result<ClockView, Error> {
        let ahead = match self.ahead(access).await {
            Err(Error::NotASandbox) => Duration::ZERO,
            ahead => ahead?,
        };
        let now = self.ports.clock.now().plus(ahead);
        Ok(ClockView { now, ahead_seconds: ahead.as_secs(), arrived: true, steps: 0 })
    }

    async fn ahead(&self, access: &Access) -> Result<Duration, Error> {
        if !access.workspace().is_sandbox() {
            return Err(Error::NotASandbox);
        }
        Ok(self.ports.sandboxes.ahead(access.workspace()).await?)
    }

    /// Starts to move a clock: by a duration, or to a time, which can be the target of a move that did not arrive.
    ///
    /// # Errors
    /// [`Error::NotASandbox`], [`Error::ClockInUse`] while another request moves it, [`Error::Invalid`] if it would
    /// move back, or further ahead than ten years, [`Error::Store`].
    pub async fn begin(&self, access: &Access, goal: Goal) -> Result<ClockMove, Error> {
        let ahead = self.ahead(access).await?;
        let now = self.ports.clock.now();
        let to = match goal {
            Goal::After(time) => now.plus(ahead).plus(time),
            Goal::At(instant) => instant,
        };
        if to.since(now) > IsoDuration::MAX {
            let message =
                "the clock of a sandbox can be at most ten years ahead; reset it with POST /api/v1/sandbox/reset";
            return Err(Error::invalid(goal.pointer(), "out_of_range", message));
        }
        if to < now.plus(ahead) {
            let message = format!("must not be before {}: the clock of a sandbox cannot move back", now.plus(ahead));
            return Err(Error::invalid(goal.pointer(), "in_the_past", message));
        }
        let holder = self.ports.ids.next();
        let mut advance = ClockMove { access: access.clone(), holder, to, held_until: now, steps: 0 };
        self.hold(&mut advance).await?;
        Ok(advance)
    }

    async fn hold(&self, advance: &mut ClockMove) -> Result<(), Error> {
        let now = self.ports.clock.now();
        if advance.held_until.since(now) > LEASE / 2 {
            return Ok(());
        }
        let until = now.plus(LEASE);
        self.change(advance, SandboxChange::Hold { holder: advance.holder, now, until }).await?;
        advance.held_until = until;
        Ok(())
    }

    async fn change(&self, advance: &ClockMove, change: SandboxChange) -> Result<(), Error> {
        let mut set = ChangeSet::new(advance.access.workspace());
        let empties = matches!(change, SandboxChange::Empty { .. });
        set.change(Change::Sandbox(change));
        let sandbox = Some(advance.access.workspace().to_string());
        let draft = empties.then(|| AuditDraft::about(AuditAction::SandboxReset, sandbox));
        self.ports.add_audit(draft, &advance.access, &mut set);
        match self.ports.ledger.commit(set).await {
            Err(CommitError::Conflict(Conflict::ClaimLost)) => Err(Error::ClockInUse),
            outcome => Ok(outcome?),
        }
    }

    /// Moves the clock to the next due time, if all work that was due before is done.
    ///
    /// # Errors
    /// [`Error::ClockInUse`] if the lease of the clock was lost, [`Error::Store`].
    pub async fn step(&self, advance: &mut ClockMove) -> Result<Progress, Error> {
        self.hold(advance).await?;
        let sandbox = advance.access.workspace();
        let (now, ahead) = (self.ports.clock.now(), self.ports.sandboxes.ahead(sandbox).await?);
        let agenda = self.ports.sandboxes.agenda(sandbox).await?;
        if agenda.busy || agenda.next.is_some_and(|due| due <= now) {
            return Ok(Progress::Waiting);
        }
        let left = advance.to.since(now.plus(ahead));
        let next = agenda.next.map(|due| due.since(now)).filter(|by| *by <= left);
        let by = match next {
            Some(_) if advance.steps >= MOST_STEPS => return Ok(Progress::Stopped),
            Some(by) => by,
            None if left.is_zero() => return Ok(Progress::Arrived),
            None => left,
        };
        self.change(advance, SandboxChange::Advance { holder: advance.holder, by, now }).await?;
        advance.steps += u32::from(next.is_some());
        Ok(if next.is_some() { Progress::Moved } else { Progress::Arrived })
    }

    /// Ends a move at its current time, and returns the clock.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn end(&self, advance: ClockMove, arrived: bool) -> Result<ClockView, Error> {
        match self.change(&advance, SandboxChange::Release { holder: advance.holder }).await {
            Ok(()) | Err(Error::ClockInUse) => {}
            Err(error) => return Err(error),
        }
        let view = self.clock(&advance.access).await?;
        Ok(ClockView { arrived, steps: advance.steps, ..view })
    }

    /// Stores the response under the idempotency key of the request.
    ///
    /// # Errors
    /// [`Error::IdempotencyRace`], [`Error::Store`].
    pub async fn keep_answer<T>(
        &self,
        access: &Access,
        idempotency: IdempotencyHook<'_, T>,
        done: &Done<T>,
    ) -> Result<(), Error> {
        let Some(record) = record_of(idempotency, done) else { return Ok(()) };
        let mut set = ChangeSet::new(access.workspace());
        set.idempotency = Some(record);
        Ok(self.ports.ledger.commit(set).await?)
    }

    /// Deletes all data of a sandbox except channels, keys, request log and audit log, and resets its clock.
    ///
    /// # Errors
    /// [`Error::NotASandbox`], [`Error::ClockInUse`] while another request moves its clock, [`Error::Store`].
    pub async fn reset(&self, access: &Access) -> Result<(), Error> {
        let to = self.ports.clock.now().plus(self.ahead(access).await?);
        let (holder, held_until) = (self.ports.ids.next(), self.ports.clock.now());
        let mut advance = ClockMove { access: access.clone(), holder, to, held_until, steps: 0 };
        self.hold(&mut advance).await?;
        self.change(&advance, SandboxChange::Empty { holder }).await
    }
}

/// The target of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The current time plus this duration.
    After(Duration),
    /// A time of the sandbox.
    At(Timestamp),
}

impl Goal {
    fn pointer(self) -> &'static str {
        match self {
            Self::After(_) => "/advance",
            Self::At(_) => "/until",
        }
    }
}
