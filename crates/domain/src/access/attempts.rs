//! Protection against password guessing: each failed attempt increases the delay before the next one.
//!
//! Attempts on one account are counted together, whatever network they come from. That alone would let a persistent
//! attacker lock out the owner. So networks with an earlier sign-in to the account have separate counts, and so do
//! sessions that change the password.

use std::time::Duration;

use crate::ids::{SessionId, UserId};
use crate::time::Timestamp;

/// The number of failed attempts without a delay: users mistype.
pub const FREE: i64 = 5;
/// The longest delay.
pub const LONGEST: Duration = Duration::from_secs(15 * 60);
/// After this time without an attempt, the count is reset.
pub const MEMORY: Duration = Duration::from_secs(24 * 3_600);

/// Returns the name of the separate count for sign-ins from a network with an earlier sign-in to the account.
///
/// It begins with a space, like the one of [`within`], so no trimmed user input equals it.
pub fn at_home(account: &str, network: &str) -> String {
    format!(" {network} {account}")
}

/// Returns the name of the count for passwords that are tried within a session.
pub fn within(session: SessionId) -> String {
    format!(" {session}")
}

/// Returns the name of the count for a user's changes of email. A success does not reset this count, because each
/// attempt reveals whether an email has an account.
pub fn of_addresses(user: UserId) -> String {
    format!(" address {user}")
}

/// The sign-in attempts on one email since its last success. Emails without an account have counts, too, so a delay
/// does not reveal who has an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginAttempts {
    /// The normalized email, or a name from [`at_home`], [`within`] or [`of_addresses`].
    pub account: String,
    /// The number of attempts.
    pub count: i64,
    /// Attempts before this time are rejected without a check.
    pub next_at: Timestamp,
    /// The time of the last checked attempt.
    pub updated_at: Timestamp,
}

impl LoginAttempts {
    /// Returns the count with one more attempt at `now`. The caller stores it before it checks the password, so each of
    /// several concurrent attempts is counted.
    ///
    /// # Errors
    /// The delay before the next attempt is checked.
    pub fn next(earlier: Option<&Self>, account: &str, now: Timestamp) -> Result<Self, Duration> {
        let remembered = earlier.filter(|it| now.since(it.updated_at) < MEMORY);
        let wait = remembered.map_or(Duration::ZERO, |it| it.next_at.since(now));
        if !wait.is_zero() {
            return Err(wait);
        }
        let count = remembered.map_or(0, |it| it.count).saturating_add(1);
        Ok(Self { account: account.to_owned(), count, next_at: now.plus(delay(count)), updated_at: now })
    }
}

/// Returns the delay after this number of failures: none for the first few, then two seconds, doubling.
pub fn delay(count: i64) -> Duration {
    let doublings = u32::try_from((count - FREE).clamp(-1, 20)).ok();
    doublings.map_or(Duration::ZERO, |doublings| Duration::from_secs(2 << doublings).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    #[test]
    fn delays_double_up_to_fifteen_minutes() {
        let waits: Vec<u64> = (0..=15).map(|count| delay(count).as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        assert_eq!(delay(i64::MAX), LONGEST);
    }

    #[test]
    fn admits_about_a_hundred_of_ten_thousand_guesses_a_day() {
        let (mut attempts, mut looked_at) = (None, 0);
        for guess in 0..10_000_u64 {
            let now = NOW.plus(Duration::from_millis(guess * 8_640));
            match LoginAttempts::next(attempts.as_ref(), "ada@example.com", now) {
                Ok(next) => {
                    looked_at += 1;
                    attempts = Some(next);
                }
                Err(wait) => assert!(wait <= LONGEST),
            }
        }
        assert!((50..=110).contains(&looked_at), "{looked_at}");
    }

    #[test]
    fn resets_the_count_after_a_day_without_attempts() {
        let old = LoginAttempts { account: "a".to_owned(), count: 50, next_at: NOW.plus(LONGEST), updated_at: NOW };
        assert!(LoginAttempts::next(Some(&old), "a", NOW).is_err());
        let fresh = LoginAttempts::next(Some(&old), "a", NOW.plus(MEMORY)).unwrap();
        assert_eq!((fresh.count, fresh.next_at), (1, NOW.plus(MEMORY)));
    }
}
