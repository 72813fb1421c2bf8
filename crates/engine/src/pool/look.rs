//! Looks for due work: when to look, how much to claim, and when to look again.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::FusedFuture;
use tidings_domain::ports::{ClaimRequest, ClaimedJob, Pool, StoreError};
use tidings_domain::time::Timestamp;
use tokio::time::Instant;

use super::{LINGER, PoolLoop, REST};

/// The first wait after the store refused a claim. It doubles up to [`LONGEST_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Maximum number of jobs of one group in one claim.
const OF_A_GROUP: u32 = 32;
/// Interval between full looks, which find all due jobs and not only those that fell due since the last look.
const FULL_LOOK: Duration = Duration::from_secs(5);
/// Overlap of two looks: jobs are committed slightly after they fall due, and clocks differ slightly.
const SLACK: Duration = Duration::from_secs(2);
/// Maximum time between two claims of sends if the first one skipped full channels.
const LONGEST_REST: Duration = Duration::from_millis(100);

pub(super) struct Look {
    jobs: Vec<ClaimedJob>,
    /// Whether more jobs may be due that were not claimed for lack of room, or because their group or workspace is
    /// full.
    more: bool,
    /// If all jobs due by an instant were claimed: that instant, and whether it was a full look.
    all_until: Option<(Timestamp, bool)>,
    /// Number of ended pauses at the start of the look.
    pauses_ended: u64,
    /// Time at which the next job falls due. Only known if this loop has no jobs.
    next_due: Option<Timestamp>,
    /// Minimum time until the next look. A claim reads past all due jobs of full channels. If there are many, it takes
    /// long, and must not occupy the database the whole time.
    rest: Duration,
}

impl PoolLoop {
    /// Starts a look if there may be due work and slots are free.
    pub(super) fn look(&mut self) {
        let free = self.handoff.slots(|slots| slots.free());
        let now = Instant::now();
        if !self.may_have_work || self.stopping || free == 0 || !self.looking.is_terminated() {
            return;
        }
        if now < self.backoff_until {
            self.next_look = self.next_look.min(self.backoff_until);
            return;
        }
        self.may_have_work = false;
        if self.context.settings.holds(self.pool) {
            self.next_look = now + self.context.settings.poll_interval;
            return;
        }
        // With few free slots, more may become free in a moment. If the last look left nothing behind, more work may
        // arrive. One claim of many jobs costs little more than one of a single job.
        let more = self.more;
        let is_crowded = self.handoff.slots(|slots| slots.is_crowded() || (more && !slots.is_idle()));
        let lingers = is_crowded.then(|| *self.linger_until.get_or_insert(now + LINGER));
        let rests = (!more).then_some(self.rest_until);
        if let Some(until) = lingers.max(rests).filter(|until| now < *until) {
            self.next_look = until;
            return;
        }
        self.linger_until = None;
        self.rest_until = now + REST;
        self.next_look = now + self.context.settings.poll_interval;
        let since = self.mark.filter(|_| now < self.next_full_look);
        let (store, pool, known_pauses) = (Arc::clone(&self.context.store), self.pool, self.pauses_ended);
        let (lease, now) = (self.context.settings.lease, self.context.clock.now());
        let (mut request, is_idle) = self.handoff.slots(|slots| {
            let request = ClaimRequest {
                pool,
                limit: u32::try_from(slots.claim_limit(pool)).unwrap_or(u32::MAX),
                lease,
                retries: u32::try_from(slots.free_for_retries()).unwrap_or(u32::MAX),
                full_groups: slots.full_groups(),
                full_workspaces: slots.full_workspaces(pool),
                since,
                now,
            };
            (request, slots.is_idle())
        });
        let skips_channels = pool == Pool::Sends && !request.full_groups.is_empty();
        let bounded =
            pool.waits_for_others() && !(request.full_groups.is_empty() && request.full_workspaces.is_empty());
        let asked = match pool {
            Pool::Deliveries => request.limit.min(request.retries).min(OF_A_GROUP),
            Pool::Work | Pool::Sends | Pool::Polls => request.limit,
        } as usize;
        let asking = async move {
            // Jobs that a pause held back fell due before the mark.
            let pauses_ended = match pool.leaves() && request.since.is_some() {
                true => store.pauses_ended().await?,
                false => known_pauses,
            };
            request.since = request.since.filter(|_| pauses_ended == known_pauses);
            let is_full = request.since.is_none();
            let began = Instant::now();
            let jobs = store.claim(request).await?;
            let rest = if skips_channels { began.elapsed().min(LONGEST_REST) } else { Duration::ZERO };
            let next_due = if jobs.is_empty() && is_idle { store.next_due(pool).await? } else { None };
            let more = bounded || jobs.len() >= asked;
            let all_until = (!more).then_some((now, is_full));
            Ok(Look { more, all_until, pauses_ended, jobs, next_due, rest })
        };
        self.looking = asking.boxed().fuse();
    }

    pub(super) fn finish_look(&mut self, answer: Result<Look, StoreError>) {
        let now = Instant::now();
        match answer {
            Ok(look) => {
                if std::mem::take(&mut self.refusals) > 0 {
                    tracing::info!(pool = self.pool.as_str(), "jobs can be claimed again");
                }
                self.more = look.more;
                if look.pauses_ended != self.pauses_ended {
                    (self.pauses_ended, self.mark) = (look.pauses_ended, None);
                }
                if let Some((until, is_full)) = look.all_until {
                    self.mark = Some(until.minus(SLACK));
                    if is_full {
                        self.next_full_look = now + FULL_LOOK;
                    }
                }
                // Jobs that wait in the store come before new ones.
                let accepts = !look.more && !self.stopping;
                self.handoff.slots(|slots| slots.accepts = accepts);
                self.may_have_work |= look.more && !look.jobs.is_empty();
                self.next_look = now + self.until_next_look(look.next_due);
                self.backoff_until = now + look.rest;
                look.jobs.into_iter().for_each(|job| self.take(job));
                self.tell_depth();
            }
            // Concurrent claims collided and nothing was claimed. The next look usually succeeds.
            Err(StoreError::Contention) => self.look_again_after(FIRST_WAIT),
            Err(error) => {
                if self.refusals == 0 {
                    tracing::error!(pool = self.pool.as_str(), %error, "jobs cannot be claimed; retrying");
                }
                let longest = (FIRST_WAIT * 2_u32.saturating_pow(self.refusals.min(10))).min(LONGEST_WAIT);
                self.refusals = self.refusals.saturating_add(1);
                self.look_again_after(longest);
            }
        }
    }

    /// Waits a random time between half of `longest` and `longest`. Wake-ups do not shorten it.
    fn look_again_after(&mut self, longest: Duration) {
        self.backoff_until = Instant::now() + longest.mul_f64(0.5 + 0.5 * self.context.random.unit().clamp(0.0, 1.0));
        self.next_look = self.backoff_until;
        self.may_have_work = true;
    }

    /// Returns the time until the next look. A due job that cannot be claimed yet (its lane or group is busy) must not
    /// cause a busy loop: it is checked at the poll interval.
    fn until_next_look(&self, next_due: Option<Timestamp>) -> Duration {
        let wait = next_due.map(|due| due.since(self.context.clock.now())).filter(|wait| !wait.is_zero());
        wait.map_or(self.context.settings.poll_interval, |wait| wait.min(self.context.settings.poll_interval))
    }
}
