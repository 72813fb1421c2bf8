//! A forgotten password: a link that sets another one, once, within an hour.

use std::time::Duration;

use secrecy::SecretString;

use super::{LoginService, PasswordReset, User};
use crate::error::Error;
use crate::ids::UserId;
use crate::ports::{AccountChange, Change, ChangeSet, Row, Waiting};
use crate::retry::retry_on_conflict;
use crate::time::Timestamp;

/// How long a link is open.
pub const RESET_LIFE: Duration = Duration::from_secs(3_600);

/// A link as it is handed over, this once.
#[derive(Debug, Clone)]
pub struct ResetLink {
    /// Whose password it sets.
    pub user: User,
    /// Its token.
    pub token: SecretString,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl LoginService {
    /// Makes a link for a person, whoever asks; an earlier one opens nothing any more.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn reset_link(&self, user: UserId) -> Result<ResetLink, Error> {
        retry_on_conflict(|| async {
            let user = self.ports.accounts.user(user).await?.ok_or(Error::NotFound)?;
            let (now, token) = (self.ports.clock.now(), self.ports.tokens.fresh());
            let expires_at = now.plus(RESET_LIFE);
            let user = user.with_reset(Some(PasswordReset { digest: token.digest, expires_at }), now);
            let mut set = ChangeSet::outside();
            set.change(Change::Update(Row::User(user.clone())));
            self.ports.ledger.commit(set).await?;
            Ok(ResetLink { user, token: token.text, expires_at })
        })
        .await
    }

    /// Whose password a link sets, and until when.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such link that is open; [`Error::Store`].
    pub async fn open_reset(&self, token: &str) -> Result<(User, Timestamp), Error> {
        let digest = self.ports.tokens.digest(token).ok_or(Error::NotFound)?;
        let user = self.ports.accounts.user_by_reset(digest).await?.ok_or(Error::NotFound)?;
        let reset = user.reset.filter(|it| it.digest == digest && self.ports.clock.now() < it.expires_at);
        let expires_at = reset.ok_or(Error::NotFound)?.expires_at;
        Ok((user, expires_at))
    }

    /// Sets the password that a link is for: the link is used up, all sessions of the person end, and the guesses at the old
    /// password are forgotten.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such link that is open; [`Error::Busy`], [`Error::Store`].
    pub async fn use_reset(&self, token: &str, new: SecretString) -> Result<User, Error> {
        let (user, _) = self.open_reset(token).await?;
        let account = user.email.to_string();
        let who = Waiting { account: account.clone(), ..Waiting::default() };
        let password_hash = self.ports.passwords.hash(new, who).await?;
        retry_on_conflict(|| async {
            let (before, _) = self.open_reset(token).await?;
            let now = self.ports.clock.now();
            let user = User { password_hash: password_hash.clone(), ..before.with_reset(None, now) };
            let mut set = ChangeSet::outside();
            set.change(Change::Update(Row::User(user.clone())));
            set.change(Change::Account(AccountChange::RevokeSessionsOf { user: user.id, except: None, at: now }));
            set.change(Change::Account(AccountChange::ForgetLogins { account: account.clone() }));
            self.ports.ledger.commit(set).await?;
            Ok(user)
        })
        .await
    }
}

#[cfg(test)]
#[path = "reset_tests.rs"]
mod tests;
