//! Moving the clock of a sandbox on, and emptying it.

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

/// For how long whoever moves a clock has it, from each step on.
const LEASE: Duration = Duration::from_secs(15);
/// One move goes through at most so many instants.
pub(super) const MOST_STEPS: u32 = 100_000;

/// The clock of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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

/// A move of a clock that is under way. Whoever has it calls [`SandboxService::step`] until it has arrived, and
/// [`SandboxService::end`] in any case.
#[derive(Debug, Clone)]
pub struct Advance {
    access: Access,
    holder: Uuid,
    to: Timestamp,
    held_until: Timestamp,
    pub(super) steps: u32,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Workers have something under way: look again in a moment.
    Waiting,
    /// The clock has gone to the next instant at which something falls due.
    Moved,
    /// The clock is where it was to go, and everything is done.
    Arrived,
    /// The move has gone through as many instants as one may: another goes on.
    Stopped,
}

/// Moves the clocks of sandboxes, and empties them. Its own clock is the store's, not that of a sandbox.
#[derive(Clone)]
pub struct SandboxService {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl SandboxService {
    /// The clock as it is; that of a live workspace goes by the present.
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

    /// Begins to move a clock: by so long, or to an instant, which may be that of a move that did not arrive.
    ///
    /// # Errors
    /// [`Error::NotASandbox`], [`Error::ClockInUse`] while another moves it, [`Error::Invalid`] where it would go back or
    /// further ahead than ten years, [`Error::Store`].
    pub async fn begin(&self, access: &Access, goal: Goal) -> Result<Advance, Error> {
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
        let mut advance = Advance { access: access.clone(), holder, to, held_until: now, steps: 0 };
        self.hold(&mut advance).await?;
        Ok(advance)
    }

    async fn hold(&self, advance: &mut Advance) -> Result<(), Error> {
        let now = self.ports.clock.now();
        if advance.held_until.since(now) > LEASE / 2 {
            return Ok(());
        }
        let until = now.plus(LEASE);
        self.change(advance, SandboxChange::Hold { holder: advance.holder, now, until }).await?;
        advance.held_until = until;
        Ok(())
    }

    async fn change(&self, advance: &Advance, change: SandboxChange) -> Result<(), Error> {
        let mut set = ChangeSet::new(advance.access.workspace());
        let empties = matches!(change, SandboxChange::Empty { .. });
        set.change(Change::Sandbox(change));
        let sandbox = Some(advance.access.workspace().to_string());
        let draft = empties.then(|| AuditDraft::about(AuditAction::SandboxReset, sandbox));
        set.audit(draft, &advance.access, &*self.ports.clock, &*self.ports.ids);
        match self.ports.ledger.commit(set).await {
            Err(CommitError::Conflict(Conflict::ClaimLost)) => Err(Error::ClockInUse),
            outcome => Ok(outcome?),
        }
    }

    /// Goes on to the next instant at which something falls due, once all is done that fell due before.
    ///
    /// # Errors
    /// [`Error::ClockInUse`] where the clock was lost, [`Error::Store`].
    pub async fn step(&self, advance: &mut Advance) -> Result<Progress, Error> {
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

    /// Ends a move, wherever it has come to, and tells where that is.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn end(&self, advance: Advance, arrived: bool) -> Result<ClockView, Error> {
        match self.change(&advance, SandboxChange::Release { holder: advance.holder }).await {
            Ok(()) | Err(Error::ClockInUse) => {}
            Err(error) => return Err(error),
        }
        let view = self.clock(&advance.access).await?;
        Ok(ClockView { arrived, steps: advance.steps, ..view })
    }

    /// Keeps what was answered, under the idempotency key of the request.
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

    /// Removes everything in a sandbox but its channels, its keys, its log of requests and its audit log; its clock goes by
    /// the store's again.
    ///
    /// # Errors
    /// [`Error::NotASandbox`], [`Error::ClockInUse`] while somebody moves its clock, [`Error::Store`].
    pub async fn reset(&self, access: &Access) -> Result<(), Error> {
        let to = self.ports.clock.now().plus(self.ahead(access).await?);
        let (holder, held_until) = (self.ports.ids.next(), self.ports.clock.now());
        let mut advance = Advance { access: access.clone(), holder, to, held_until, steps: 0 };
        self.hold(&mut advance).await?;
        self.change(&advance, SandboxChange::Empty { holder }).await
    }
}

/// Where a clock is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// So much further than it is.
    After(Duration),
    /// To an instant of the sandbox.
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
