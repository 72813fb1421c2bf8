//! Guesses at passwords: each one that fails makes the next one wait longer.
//!
//! Guesses at one account from all over the world wait for one another. If that were all, whoever
//! guesses without end would keep the owner of the account out. So networks from which somebody has
//! signed in to it are each counted by themselves, and so is each session that changes the password.

use std::time::Duration;

use crate::ids::{SessionId, UserId};
use crate::time::Timestamp;

/// So many log-ins may fail before there is a wait: people mistype.
pub const FREE: i64 = 5;
/// The longest wait.
pub const LONGEST: Duration = Duration::from_secs(15 * 60);
/// After this long without a try all is forgotten.
pub const MEMORY: Duration = Duration::from_secs(24 * 3_600);

/// Under what the log-ins from a network are counted from which somebody has signed in before.
///
/// It begins with a space, as does [`within`]: no trimmed text that somebody types is the same.
pub fn at_home(account: &str, network: &str) -> String {
    format!(" {network} {account}")
}

/// Under what the passwords are counted that are tried within a session.
pub fn within(session: SessionId) -> String {
    format!(" {session}")
}

/// Under what a person's changes of address are counted. A success does not clear the count: each try tells whether an
/// address has an account.
pub fn of_addresses(user: UserId) -> String {
    format!(" address {user}")
}

/// The log-ins that were tried on one e-mail address since the last one that succeeded. They are
/// counted for addresses that nobody has, too, so that waiting does not tell who has an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginAttempts {
    /// The address, in its normal form; or what [`at_home`] or [`within`] says.
    pub account: String,
    /// How many.
    pub count: i64,
    /// Before this instant none is looked at.
    pub next_at: Timestamp,
    /// When the last one was looked at.
    pub updated_at: Timestamp,
}

impl LoginAttempts {
    /// The count with one try more, taken at `now` before the password is looked at: of many at
    /// once each is counted.
    ///
    /// # Errors
    /// How long to wait before the next one is looked at.
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

/// The wait after this many failures: none for the first few, then two seconds, doubling.
pub fn delay(count: i64) -> Duration {
    let doublings = u32::try_from((count - FREE).clamp(-1, 20)).ok();
    doublings.map_or(Duration::ZERO, |doublings| Duration::from_secs(2 << doublings).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    #[test]
    fn waits_grow_to_a_quarter_of_an_hour() {
        let waits: Vec<u64> = (0..=15).map(|count| delay(count).as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        assert_eq!(delay(i64::MAX), LONGEST);
    }

    #[test]
    fn ten_thousand_guesses_in_a_day_are_a_hundred_looks() {
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
    fn a_day_of_silence_forgets() {
        let old = LoginAttempts { account: "a".to_owned(), count: 50, next_at: NOW.plus(LONGEST), updated_at: NOW };
        assert!(LoginAttempts::next(Some(&old), "a", NOW).is_err());
        let fresh = LoginAttempts::next(Some(&old), "a", NOW.plus(MEMORY)).unwrap();
        assert_eq!((fresh.count, fresh.next_at), (1, NOW.plus(MEMORY)));
    }
}
