//! Password resets: a link that sets a new password once, within an hour.

use std::time::Duration;

use secrecy::SecretString;

use super::{LoginService, PasswordReset, User};
use crate::error::Error;
use crate::ids::UserId;
use crate::ports::{AccountChange, Change, ChangeSet, Row, Waiting};
use crate::retry::retry_on_conflict;
use crate::time::Timestamp;

/// The lifetime of a link.
pub const RESET_LIFE: Duration = Duration::from_secs(3_600);

/// A new link. Its token is shown only this time.
#[derive(Debug, Clone)]
pub struct ResetLink {
    /// The user of the link.
    pub user: User,
    /// The token.
    pub token: SecretString,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl LoginService {
    /// Creates a link for a user, without a check of the actor. An earlier link is invalidated.
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

    /// Returns the user of a link, and its expiry.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no valid link has this token; [`Error::Store`].
    pub async fn open_reset(&self, token: &str) -> Result<(User, Timestamp), Error> {
        let digest = self.ports.tokens.digest(token).ok_or(Error::NotFound)?;
        let user = self.ports.accounts.user_by_reset(digest).await?.ok_or(Error::NotFound)?;
        let reset = user.reset.filter(|it| it.digest == digest && self.ports.clock.now() < it.expires_at);
        let expires_at = reset.ok_or(Error::NotFound)?.expires_at;
        Ok((user, expires_at))
    }

    /// Sets the password of a link's user. The link is used up, all sessions of the user end, and the count of attempts
    /// is reset.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no valid link has this token; [`Error::Busy`], [`Error::Store`].
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
