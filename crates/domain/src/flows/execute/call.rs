//! HTTP requests of runs: sent between two steps; the result is the input of the next step.

use std::time::Duration;

use secrecy::SecretString;

use super::RunExecutor;
use super::context::{Prefetched, StepContext};
use crate::access::Access;
use crate::error::Error;
use crate::flows::caller::{CallOutcome, Called, HttpCall};
use crate::flows::nodes::{HttpRequest, OpenSecrets};
use crate::flows::run_end;
use crate::flows::{Action, CompiledFlow, Input, Run, WaitKind, expires_at};
use crate::ids::RunId;
use crate::ports::{Change, ChangeSet, ClaimedJob, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::secrets::{Secret, secret_context};
use crate::time::Timestamp;
use crate::work::{backoff, ignore_lost_claim};

const MAX_ATTEMPTS: i64 = 5;
/// Maximum wait that `Retry-After` can cause.
const STRETCH: Duration = Duration::from_secs(15 * 60);

/// The result of an attempt.
enum Attempt {
    /// The request was sent.
    Made(CallOutcome, OpenSecrets),
    /// The request could not be sent, permanently.
    NotMade(Called),
}

/// The decision after a sent request.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// Retry at this time.
    RetryAt(Timestamp),
    /// The run continues.
    Over,
}

impl RunExecutor {
    /// Sends the request that a run waits for, once, and continues the run unless it will be retried.
    ///
    /// # Errors
    /// [`Error::Store`], and conflicts that mean a lost claim.
    pub async fn call(&self, job: &ClaimedJob, run: RunId, visit: i64) -> Result<(), Error> {
        let prepared = retry_on_conflict(|| self.prepare(job, run, visit)).await?;
        let attempt = match prepared {
            None => return Ok(()),
            Some(Ok((call, secrets))) => Attempt::Made(self.ports.caller.call(job.workspace, call).await, secrets),
            Some(Err(called)) => Attempt::NotMade(called),
        };
        let jitter = self.ports.random.unit();
        retry_on_conflict(|| self.record(job, (run, visit), &attempt, jitter)).await
    }

    /// Builds the request, or returns the reason why it cannot be sent; `None` if it is not needed any more, or not
    /// now.
    #[allow(clippy::type_complexity, reason = "it is taken apart at once")]
    async fn prepare(
        &self,
        job: &ClaimedJob,
        run: RunId,
        visit: i64,
    ) -> Result<Option<Result<(HttpCall, OpenSecrets), Called>>, AttemptError> {
        let Some(context) = self.due(job, run, visit).await? else { return Ok(None) };
        let system = Access::system(job.workspace);
        let Some(request) = awaited(&context, self.ports.clock.now()) else {
            let mut set = ChangeSet::new(job.workspace);
            set.change(job.finish());
            let run = self.go_on(&system, context, Input::Timer, &mut set).await?;
            run_end::update(&mut set, run);
            ignore_lost_claim(self.ports.ledger.commit(set).await)?;
            return Ok(None);
        };
        if number(&context.run, job) > MAX_ATTEMPTS {
            let message = "the result of the call could not be stored: all attempts failed";
            return Ok(Some(Err(Called::failed("call_failed", message))));
        }
        if let Some(refused) = request.secret_misuse() {
            return Ok(Some(Err(refused)));
        }
        let secrets = self.open_secrets(&system, &context.flow, request).await?;
        // All attempts use the values at the time of the node's visit.
        let at = context.run.trace.last().map_or(context.run.updated_at, |entry| entry.at);
        let call = request.prepare(context.template_values(at), &secrets, idempotency_key(&context.run));
        let node = context.run.node.unwrap_or_default();
        Ok(Some(call.map(|call| (HttpCall { node, ..call }, secrets))))
    }

    async fn open_secrets(
        &self,
        system: &Access,
        flow: &CompiledFlow,
        request: &HttpRequest,
    ) -> Result<OpenSecrets, StoreError> {
        let names = request.secrets();
        if names.is_empty() {
            return Ok(OpenSecrets::default());
        }
        let all = self.ports.workspace_secrets.all(system).await?;
        let is_meant = |secret: &Secret| names.contains(&secret.name) && flow.is_own_secret(secret);
        let open = all.into_iter().filter(is_meant).map(|secret| {
            let opened = self.ports.sealer.open(&secret.sealed, &secret_context(secret.id)).ok();
            let value = opened.and_then(|bytes| String::from_utf8(bytes).ok()).map(SecretString::from);
            let value =
                value.ok_or_else(|| StoreError::Corrupt(format!("the secret {} cannot be decrypted", secret.name)))?;
            Ok((secret, value))
        });
        open.collect::<Result<_, StoreError>>().map(OpenSecrets::new)
    }

    async fn record(
        &self,
        job: &ClaimedJob,
        (run, visit): (RunId, i64),
        attempt: &Attempt,
        jitter: f64,
    ) -> Result<(), AttemptError> {
        // If the flow was paused, the response is discarded; the request is sent again later with the same idempotency
        // key.
        let Some(context) = self.due(job, run, visit).await? else { return Ok(()) };
        let (system, now) = (Access::system(job.workspace), self.ports.clock.now());
        let mut set = ChangeSet::new(job.workspace);
        let called = match (awaited(&context, now), attempt) {
            (None, _) => None,
            (Some(_), Attempt::NotMade(called)) => Some(called.clone()),
            (Some(request), Attempt::Made(outcome, secrets)) => {
                match after(number(&context.run, job), outcome, jitter, now) {
                    Next::Over => Some(final_outcome(request, outcome, secrets)),
                    Next::RetryAt(at) => {
                        let at = at.min(expires_at(&context.flow.definition, &context.run));
                        set.change(job.reschedule(at, None));
                        set.change(Change::Update(Row::Run(Box::new(later(context.run, at, now)))));
                        return ignore_lost_claim(self.ports.ledger.commit(set).await);
                    }
                }
            }
        };
        set.change(job.finish());
        let input = called.as_ref().map_or(Input::Timer, Input::Called);
        let run = self.go_on(&system, context, input, &mut set).await?;
        run_end::update(&mut set, run);
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }

    /// Continues a run after its call job failed permanently, as after a failed request; if that is impossible, fails
    /// the run. Returns the set that dead-letters the job, with these changes.
    pub(crate) async fn abandon_call(
        &self,
        access: &Access,
        run: RunId,
        visit: i64,
        mut set: ChangeSet,
    ) -> Result<ChangeSet, StoreError> {
        let found = self.ports.flows.run(access, run).await?;
        let Some(found) = found.filter(|run| run.status.is_live() && run.visit == visit) else { return Ok(set) };
        let called = Called::failed("internal", "the call could not be made: all attempts failed");
        let mut with_step = set.clone();
        let step = async {
            let context = self.load(access, found, Prefetched::default()).await?;
            self.go_on(access, context, Input::Called(&called), &mut with_step).await
        };
        match step.await {
            Ok(run) => {
                run_end::update(&mut with_step, run);
                Ok(with_step)
            }
            Err(_) => {
                self.abandon(access, run, visit, &mut set).await?;
                Ok(set)
            }
        }
    }
}

/// Returns the node with the request that the run waits for. `None` if a migration replaced the node or the run has
/// expired.
fn awaited(context: &StepContext, now: Timestamp) -> Option<&HttpRequest> {
    let (run, definition) = (&context.run, &context.flow.definition);
    let waits = run.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Http);
    let Action::HttpRequest(request) = &definition.nodes.get(run.node.as_ref()?)?.action else { return None };
    Some(&**request).filter(|_| waits && now < expires_at(definition, run))
}

/// Returns the number of the attempt. Attempts without a recorded result count too.
fn number(run: &Run, job: &ClaimedJob) -> i64 {
    run.wait.as_ref().map_or(1, |wait| wait.attempt) + i64::from(job.attempts)
}

/// Returns the idempotency key, the same for all attempts: run, node and visit.
fn idempotency_key(run: &Run) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    let node: String = run.node.iter().flat_map(|node| node.chars()).map(plain).collect();
    format!("{}.{node}.{}", run.id, run.visit)
}

/// Returns the run with its next attempt at an instant.
fn later(mut run: Run, at: Timestamp, now: Timestamp) -> Run {
    if let Some(wait) = &mut run.wait {
        (wait.attempt, wait.until) = (wait.attempt + 1, Some(at));
    }
    run.updated_at = now.max(run.updated_at);
    run.version += 1;
    run
}

/// Decides the next action after attempt `number`: temporary failures are retried.
fn after(number: i64, outcome: &CallOutcome, jitter: f64, now: Timestamp) -> Next {
    let asked = match outcome {
        CallOutcome::Answered { status: 429 | 500..=599, retry_after, .. } => retry_after.unwrap_or_default(),
        CallOutcome::TimedOut | CallOutcome::Failed(_) => Duration::ZERO,
        CallOutcome::Answered { .. } | CallOutcome::Forbidden(_) | CallOutcome::Unanswered(_) => return Next::Over,
    };
    if number >= MAX_ATTEMPTS {
        return Next::Over;
    }
    let wait = backoff(i32::try_from(number - 1).unwrap_or(0), jitter);
    Next::RetryAt(now.plus(asked.min(STRETCH).max(wait)))
}

/// Returns the final result of a request for the run.
fn final_outcome(request: &HttpRequest, outcome: &CallOutcome, secrets: &OpenSecrets) -> Called {
    match outcome {
        CallOutcome::Answered { status: status @ 200..=299, body, .. } => {
            request.answered(*status, body.as_deref(), secrets)
        }
        CallOutcome::Answered { status: status @ 300..=399, .. } => {
            Called::failed("call_refused", format!("answered {status}; redirects are not followed"))
        }
        CallOutcome::Answered { status, .. } => Called::failed("call_refused", format!("answered {status}")),
        CallOutcome::TimedOut => Called::failed("call_failed", "no complete response arrived in time"),
        CallOutcome::Failed(sentence) => Called::failed("call_failed", secrets.mask_text(sentence)),
        CallOutcome::Forbidden(sentence) => Called::failed("forbidden_address", secrets.mask_text(sentence)),
        CallOutcome::Unanswered(sentence) => Called::failed("no_answer_given", sentence.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn wait(number: i64, outcome: &CallOutcome) -> Option<u64> {
        match after(number, outcome, 0.5, NOW) {
            Next::RetryAt(at) => Some(at.since(NOW).as_secs()),
            Next::Over => None,
        }
    }

    fn answered(status: u16, retry_after: Option<u64>) -> CallOutcome {
        CallOutcome::Answered { status, retry_after: retry_after.map(Duration::from_secs), body: Some(Vec::new()) }
    }

    #[test]
    fn retries_temporary_failures_up_to_five_attempts() {
        for outcome in
            [answered(500, None), answered(429, None), CallOutcome::TimedOut, CallOutcome::Failed("x".into())]
        {
            let waits: Vec<_> = (1..=6).map(|number| wait(number, &outcome)).collect();
            assert_eq!(waits, [Some(10), Some(20), Some(40), Some(80), None, None], "{outcome:?}");
        }
    }

    #[test]
    fn does_not_retry_final_outcomes() {
        for status in [200, 204, 301, 400, 401, 404, 409, 410, 422] {
            assert_eq!(wait(1, &answered(status, Some(5))), None, "{status}");
        }
        assert_eq!(wait(1, &CallOutcome::Forbidden("x".into())), None);
    }

    #[test]
    fn respects_retry_after_within_bounds() {
        assert_eq!(wait(1, &answered(503, Some(120))), Some(120));
        assert_eq!(wait(1, &answered(503, Some(1))), Some(10), "the wait is not shorter than without Retry-After");
        assert_eq!(wait(1, &answered(429, Some(86_400))), Some(900));
    }

    #[test]
    fn the_idempotency_key_names_run_node_and_visit() {
        let mut run = crate::testing::a_run().of(&crate::testing::a_contact().build()).build();
        (run.node, run.visit) = (Some("größe 1".to_owned()), 3);
        assert_eq!(idempotency_key(&run), format!("{}.gr__e_1.3", run.id));
    }
}
