//! Refusals of calls for a time, by channel. Times are durations since the start of the process.

use std::collections::HashMap;
use std::time::Duration;

use tidings_domain::channels::RetryScope;
use tidings_domain::ids::ChannelId;
use tidings_domain::ports::RefusedCall;

/// Maximum wait after a refusal. Then another message finds out whether the provider accepts messages again.
const LONGEST: Duration = Duration::from_secs(600);
/// Two refusals of an unstated scope within this time are of the channel, if they are of two recipients.
const SHORTLY: Duration = Duration::from_secs(10);
/// Number of channels after which old refusals are forgotten.
const MANY: usize = 1_000;

/// The refusals of each channel.
#[derive(Debug, Default)]
pub(super) struct Refusals(HashMap<ChannelId, Refusal>);

#[derive(Debug, Default)]
struct Refusal {
    /// When the channel is free again.
    until: Duration,
    /// The bucket of the last recipient that was refused with an unstated scope, and the time.
    last: Option<(u128, Duration)>,
}

impl Refusals {
    /// Records a refusal of a call to the recipient with this bucket at `now`.
    pub(super) fn add(&mut self, refused: &RefusedCall, recipient: u128, now: Duration) {
        if self.0.len() > MANY {
            let is_recent = |last: (u128, Duration)| now.saturating_sub(last.1) <= SHORTLY;
            self.0.retain(|_, it| it.until > now || it.last.is_some_and(is_recent));
        }
        let known = self.0.entry(refused.channel).or_default();
        let is_of_channel = match refused.scope {
            RetryScope::Recipient => false,
            RetryScope::Channel => true,
            RetryScope::Unstated => {
                let before = known.last.replace((recipient, now));
                before.is_some_and(|(other, at)| other != recipient && now.saturating_sub(at) <= SHORTLY)
            }
        };
        if is_of_channel {
            known.until = known.until.max(now.saturating_add(refused.wait.min(LONGEST)));
        }
    }

    /// Returns the time until the channel is free. Zero if it is.
    pub(super) fn wait(&self, channel: ChannelId, now: Duration) -> Duration {
        self.0.get(&channel).map_or(Duration::ZERO, |it| it.until.saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    fn channel(number: u128) -> ChannelId {
        ChannelId::from_uuid(Uuid::from_u128(number))
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Returns a refusal on the first channel for 30 seconds.
    fn refused(scope: RetryScope) -> RefusedCall {
        RefusedCall { channel: channel(1), address: "x".to_owned(), scope, wait: at(30) }
    }

    #[test]
    fn a_refusal_of_the_channel_puts_off_its_calls() {
        let mut refusals = Refusals::default();
        refusals.add(&refused(RetryScope::Channel), 7, at(100));
        assert_eq!([100, 110, 130, 131].map(|now| refusals.wait(channel(1), at(now))), [30, 20, 0, 0].map(at));
        assert_eq!(refusals.wait(channel(2), at(100)), at(0), "another channel is free");
        refusals.add(&RefusedCall { wait: at(1), ..refused(RetryScope::Channel) }, 8, at(100));
        assert_eq!(refusals.wait(channel(1), at(100)), at(30), "a shorter refusal does not end a longer one");
        refusals.add(&RefusedCall { wait: at(86_400), ..refused(RetryScope::Channel) }, 8, at(100));
        assert_eq!(refusals.wait(channel(1), at(100)), LONGEST);
    }

    #[test]
    fn a_refusal_of_a_recipient_puts_off_no_other_calls() {
        let mut refusals = Refusals::default();
        refusals.add(&refused(RetryScope::Recipient), 7, at(100));
        refusals.add(&refused(RetryScope::Recipient), 8, at(100));
        assert_eq!(refusals.wait(channel(1), at(100)), at(0));
    }

    #[test]
    fn two_recipients_refused_shortly_after_each_other_are_the_channel() {
        let mut refusals = Refusals::default();
        let mut wait_after = |recipient: u128, now: u64| {
            refusals.add(&refused(RetryScope::Unstated), recipient, at(now));
            refusals.wait(channel(1), at(now))
        };
        assert_eq!(wait_after(7, 100), at(0));
        assert_eq!(wait_after(7, 101), at(0), "the same recipient");
        assert_eq!(wait_after(8, 112), at(0), "too late");
        assert_eq!(wait_after(7, 122), at(30));
    }

    #[test]
    fn forgets_old_refusals() {
        let mut refusals = Refusals::default();
        for number in 0..10_000 {
            let second = u64::try_from(number / 10).unwrap();
            refusals.add(&RefusedCall { channel: channel(number), ..refused(RetryScope::Channel) }, 7, at(second));
        }
        assert!(refusals.0.len() <= MANY + 1, "{}", refusals.0.len());
    }
}
