//! The state of a channel at its provider, as the server last saw it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::model::Config;
use super::polling::{PollProgress, PollResult};
use super::setup::{Health, HealthProblem, WebhookReport};
use crate::time::Timestamp;
use crate::words::words;

/// Number of sends refused because of the channel after which the provider is asked.
pub(super) const MAX_REFUSALS: u32 = 3;
/// Time between two checks of a channel.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_secs(15 * 60);
/// Time until a problem that ends the sending is looked at again.
pub(super) const SECOND_LOOK: Duration = Duration::from_secs(30);
/// The stamp of inbound messages is not moved more often.
pub(super) const STAMP: Duration = Duration::from_secs(60);

words! {
    /// State of a channel at its provider.
    HealthState {
        /// The last check found no problem.
        Ok = "ok",
        /// There are problems.
        Failing = "failing",
        /// It was not checked yet, or its provider cannot be asked.
        Unknown = "unknown",
    }
}

/// A problem of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelProblem {
    /// Code for programs, such as `webhook_taken`.
    pub code: String,
    /// Description of the problem.
    pub message: String,
    /// Since when the server has seen it.
    pub since: Timestamp,
}

/// The stored health of a channel. It does not change the version of the channel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChannelHealth {
    /// Number of the job that checks the channel next. Jobs with another number do nothing.
    pub round: i64,
    /// Number of sends since the last check that the provider refused because of the channel.
    pub refusals: u32,
    /// When a contact last wrote, at most a minute late.
    pub last_inbound_at: Option<Timestamp>,
    /// When the provider last accepted a message, as the last check saw it.
    pub last_sent_at: Option<Timestamp>,
    /// Since when there have been problems.
    pub failing_since: Option<Timestamp>,
    /// The delivery of inbound requests by the provider.
    pub webhook: WebhookReport,
    /// Limits and ratings of the provider, by name.
    pub limits: Config,
    /// End of validity of the credential.
    pub credential_expires_at: Option<Timestamp>,
    /// The current problems.
    pub problems: Vec<ChannelProblem>,
    /// When the provider was last asked.
    pub checked_at: Option<Timestamp>,
    /// When the messages were last read that the provider could not deliver.
    pub caught_up_at: Option<Timestamp>,
    /// The progress of polls, if the server fetches the requests of the provider.
    pub polling: PollProgress,
    /// Number of changes. It is stored in its own column.
    #[serde(skip)]
    pub version: i64,
}

impl ChannelHealth {
    /// Returns the state.
    pub fn state(&self) -> HealthState {
        match (self.failing_since, self.checked_at) {
            (Some(_), _) => HealthState::Failing,
            (None, Some(_)) => HealthState::Ok,
            (None, None) => HealthState::Unknown,
        }
    }

    /// Returns the health after its first check was planned, with the number of that job.
    pub(super) fn planned(self) -> Self {
        Self { round: self.round + 1, version: self.version + 1, ..self }
    }

    /// Returns the health after the channel was connected, with the number of its next job.
    pub(super) fn connected(&self, now: Timestamp) -> Self {
        Self {
            round: self.round + 1,
            last_inbound_at: self.last_inbound_at,
            last_sent_at: self.last_sent_at,
            checked_at: Some(now),
            caught_up_at: self.caught_up_at,
            polling: self.polling.restarted(),
            version: self.version + 1,
            ..Self::default()
        }
    }

    /// Returns the health after the messages until `now` were read that the provider could not deliver.
    pub(crate) fn caught_up(&self, now: Timestamp) -> Self {
        Self { caught_up_at: Some(now), version: self.version + 1, ..self.clone() }
    }

    /// Returns the health after the server began or stopped to fetch the requests of the provider, or fetches them at
    /// another address.
    pub(super) fn transport_changed(&self) -> Self {
        let mut after = self.clone();
        after.end_poll_problem();
        after.polling = self.polling.restarted();
        after.version += 1;
        after
    }

    /// Returns the health after a poll that succeeded. `None` if nothing changed.
    pub(crate) fn polled(&self, result: PollResult, now: Timestamp) -> Option<Self> {
        let PollProgress { failures, at_once, .. } = self.polling;
        if result.last.is_none() && !result.is_exclusive && failures == 0 && at_once == 0 {
            return None;
        }
        let mut after = self.clone();
        after.end_poll_problem();
        after.polling.failures = 0;
        after.polling.count(result.has_more && result.last.is_some());
        if result.last.is_some() {
            (after.polling.last, after.polling.last_at) = (result.last, Some(now));
        }
        if result.is_exclusive {
            after.polling.exclusive_at = Some(now);
        }
        if result.is_heard {
            after.last_inbound_at = Some(now);
        }
        after.version += 1;
        Some(after)
    }

    /// Returns the health after a poll that failed. The second failure in a row is a problem of the channel. The third
    /// one that ends the sending asks the provider at once.
    pub(crate) fn poll_failed(&self, problem: &HealthProblem, now: Timestamp) -> Self {
        let mut after = self.clone();
        after.polling.failures = after.polling.failures.saturating_add(1);
        if after.polling.failures > 1 {
            if after.polling.problem.as_deref() != Some(problem.code) {
                after.end_poll_problem();
            }
            after.polling.problem = Some(problem.code.to_owned());
            if !after.has_problem(problem.code) {
                let (code, message) = (problem.code.to_owned(), problem.message.clone());
                after.problems.push(ChannelProblem { code, message, since: now });
            }
            after.failing_since = after.failing_since.or(Some(now));
        }
        if problem.ends_sending && after.refusals < MAX_REFUSALS {
            after.refusals += 1;
            after.round += i64::from(after.refusals == MAX_REFUSALS);
        }
        after.version += 1;
        after
    }

    /// Removes the problem that polls found.
    fn end_poll_problem(&mut self) {
        if let Some(code) = self.polling.problem.take() {
            self.problems.retain(|it| it.code != code);
            if self.problems.is_empty() {
                self.failing_since = None;
            }
        }
    }

    /// Returns the health after a send that the provider refused because of the channel. `None` if enough are counted:
    /// the provider is asked then.
    pub(super) fn refused(&self, code: &str, message: &str, now: Timestamp) -> Option<Self> {
        let mut after = Some(self.clone()).filter(|it| it.refusals < MAX_REFUSALS)?;
        after.refusals += 1;
        after.failing_since = after.failing_since.or(Some(now));
        if !after.has_problem(code) {
            let (code, message) = (code.to_owned(), message.to_owned());
            after.problems.push(ChannelProblem { code, message, since: now });
        }
        // The next job checks the channel at once.
        after.round += i64::from(after.refusals == MAX_REFUSALS);
        after.version += 1;
        Some(after)
    }

    /// Returns the health after the provider was asked.
    pub(super) fn checked(&self, report: &Health, last_sent_at: Option<Timestamp>, now: Timestamp) -> Self {
        let problem = |it: &HealthProblem| {
            let earlier = self.problems.iter().find(|earlier| earlier.code == it.code);
            let since = earlier.map_or(now, |earlier| earlier.since);
            ChannelProblem { code: it.code.to_owned(), message: it.message.clone(), since }
        };
        let mut problems: Vec<ChannelProblem> = report.problems.iter().map(problem).collect();
        // A check does not poll, so it cannot end a problem that polls found.
        let of_polls = self.problems.iter().find(|it| self.polling.problem.as_ref() == Some(&it.code));
        let of_polls = of_polls.filter(|it| problems.iter().all(|other| other.code != it.code));
        problems.extend(of_polls.cloned());
        Self {
            refusals: 0,
            last_sent_at: last_sent_at.max(self.last_sent_at),
            failing_since: self.failing_since.or(Some(now)).filter(|_| !problems.is_empty()),
            webhook: report.webhook.clone(),
            limits: report.limits.clone(),
            credential_expires_at: report.credential_expires_at,
            problems,
            checked_at: Some(now),
            version: self.version + 1,
            ..self.clone()
        }
    }

    /// Returns the health after an inbound message. `None` if the stamp is recent.
    pub(super) fn heard(&self, now: Timestamp) -> Option<Self> {
        let is_recent = self.last_inbound_at.is_some_and(|at| now < at.plus(STAMP));
        (!is_recent).then(|| Self { last_inbound_at: Some(now), version: self.version + 1, ..self.clone() })
    }

    /// Returns the problem that ends the sending, if it is confirmed: the server has seen it before.
    pub(super) fn confirmed<'r>(&self, report: &'r Health) -> Option<&'r HealthProblem> {
        let is_known = |it: &&HealthProblem| self.refusals >= MAX_REFUSALS || self.has_problem(it.code);
        report.problems.iter().filter(|it| it.ends_sending).find(is_known)
    }

    fn has_problem(&self, code: &str) -> bool {
        self.problems.iter().any(|it| it.code == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn after(seconds: u64) -> Timestamp {
        NOW.plus(Duration::from_secs(seconds))
    }

    fn report(problems: &[(&'static str, bool)]) -> Health {
        let add = |health: Health, (code, ends): &(&'static str, bool)| health.with_problem(code, "Text.", *ends);
        problems.iter().fold(Health::default(), add)
    }

    #[test]
    fn problems_keep_their_beginning() {
        let new = ChannelHealth::default();
        assert_eq!(new.state(), HealthState::Unknown);
        let well = new.checked(&report(&[]), Some(NOW), after(1));
        assert_eq!((well.state(), well.last_sent_at, well.version), (HealthState::Ok, Some(NOW), 1));
        let failing = well.checked(&report(&[("webhook_taken", false)]), None, after(2));
        assert_eq!((failing.state(), failing.failing_since), (HealthState::Failing, Some(after(2))));
        let worse = failing.checked(&report(&[("webhook_taken", false), ("low_quality", false)]), None, after(3));
        let since: Vec<_> = worse.problems.iter().map(|it| (it.code.as_str(), it.since)).collect();
        assert_eq!(since, [("webhook_taken", after(2)), ("low_quality", after(3))]);
        assert_eq!((worse.failing_since, worse.last_sent_at), (Some(after(2)), Some(NOW)));
        assert_eq!(worse.checked(&report(&[]), None, after(4)).state(), HealthState::Ok);
    }

    #[test]
    fn asks_the_provider_after_three_refused_sends() {
        let mut health = ChannelHealth::default();
        for (refusals, round) in [(1, 0), (2, 0), (3, 1)] {
            health = health.refused("invalid_token", "No.", after(u64::from(refusals))).unwrap();
            assert_eq!((health.refusals, health.round, health.failing_since), (refusals, round, Some(after(1))));
        }
        assert_eq!(health.problems.len(), 1);
        assert_eq!(health.refused("invalid_token", "No.", after(4)), None);
        assert_eq!(health.checked(&report(&[]), None, after(5)).refusals, 0);
    }

    #[test]
    fn confirms_only_problems_that_were_seen_before() {
        let (new, lost) = (ChannelHealth::default(), report(&[("webhook_taken", false), ("invalid_token", true)]));
        assert_eq!(new.confirmed(&lost), None);
        let seen = new.checked(&lost, None, NOW);
        assert_eq!(seen.confirmed(&lost).map(|it| it.code), Some("invalid_token"));
        assert_eq!(seen.confirmed(&report(&[("webhook_taken", false)])), None, "it does not end the sending");
        let refused = ChannelHealth { refusals: MAX_REFUSALS, ..ChannelHealth::default() };
        assert!(refused.confirmed(&lost).is_some());
        assert_eq!(seen.connected(after(9)).problems, []);
    }

    #[test]
    fn stamps_inbound_messages_once_a_minute() {
        let first = ChannelHealth::default().heard(NOW).unwrap();
        assert_eq!(first.heard(after(59)), None);
        assert_eq!(first.heard(after(60)).unwrap().last_inbound_at, Some(after(60)));
    }

    #[test]
    fn a_problem_of_polls_ends_with_a_poll_that_succeeds() {
        let taken = HealthProblem { code: "webhook_taken", message: "Taken.".to_owned(), ends_sending: false };
        let down = HealthProblem { code: "provider_unavailable", message: "Down.".to_owned(), ends_sending: false };
        let codes = |health: &ChannelHealth| health.problems.iter().map(|it| it.code.clone()).collect::<Vec<_>>();
        let once = ChannelHealth::default().poll_failed(&down, NOW);
        assert_eq!((codes(&once), once.polling.failures), (vec![], 1), "one failure passes");
        let twice = once.poll_failed(&down, after(3));
        assert_eq!((codes(&twice), twice.failing_since), (vec!["provider_unavailable".to_owned()], Some(after(3))));
        let other = twice.poll_failed(&taken, after(9));
        assert_eq!(codes(&other), ["webhook_taken"]);
        let checked = other.checked(&report(&[]), None, after(10));
        assert_eq!((codes(&checked), checked.state()), (vec!["webhook_taken".to_owned()], HealthState::Failing));
        let (nothing, alone) = (PollResult::default(), PollResult { is_exclusive: true, ..PollResult::default() });
        let well = checked.polled(nothing, after(11)).unwrap();
        assert_eq!((codes(&well), well.state(), well.polling.failures), (vec![], HealthState::Ok, 0));
        assert_eq!(well.polled(nothing, after(12)), None);
        assert_eq!(well.polled(alone, after(12)).unwrap().polling.exclusive_at, Some(after(12)));
        assert_eq!(other.transport_changed().problems, []);
    }

    #[test]
    fn asks_the_provider_after_three_polls_with_a_rejected_credential() {
        let lost = HealthProblem { code: "invalid_token", message: "No.".to_owned(), ends_sending: true };
        let mut health = ChannelHealth::default();
        for round in [0, 0, 1, 1] {
            health = health.poll_failed(&lost, NOW);
            assert_eq!(health.round, round);
        }
        assert!(health.confirmed(&report(&[("invalid_token", true)])).is_some());
    }

    #[test]
    fn remembers_the_last_request() {
        let heard = PollResult { last: Some(7), is_heard: true, ..PollResult::default() };
        let health = ChannelHealth::default().polled(heard, NOW).unwrap();
        assert_eq!((health.polling.position(NOW), health.last_inbound_at), (Some(7), Some(NOW)));
        let (nothing, more) = (PollResult::default(), PollResult { has_more: true, ..heard });
        assert_eq!(health.polled(nothing, after(1)), None, "an empty poll changes nothing");
        let full = health.polled(more, after(1)).unwrap();
        assert_eq!((full.polling.at_once, full.polled(nothing, after(1)).unwrap().polling.at_once), (1, 0));
        let connected = health.connected(after(2));
        assert_eq!((connected.polling.round, connected.polling.position(after(2))), (1, None));
    }

    #[test]
    fn reads_what_another_release_stored() {
        let stored: ChannelHealth = serde_json::from_str(r#"{"round": 3, "mood": "good"}"#).unwrap();
        assert_eq!(stored, ChannelHealth { round: 3, ..ChannelHealth::default() });
    }
}
