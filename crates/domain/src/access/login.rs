//! Sign-in, refresh and sign-out.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

use super::attempts::{LoginAttempts, at_home, within};
use super::session::{ACCESS_LIFE, Refreshing};
use super::{Device, LiveSession, RefreshToken, Session, SessionHolder, SigningKey, User};
use crate::contacts::Email;
use crate::error::Error;
use crate::ids::{SessionId, SigningKeyId, TypedId, UserId};
use crate::ports::{
    AccessClaims, AccountChange, Change, ChangeSet, CommitError, Conflict, Guard, Object, OpaqueToken, Ports, Row,
    StoreError, TooBusy, Waiting,
};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// The maximum number of sessions that a user sees.
pub const MOST_SESSIONS: u32 = 100;

/// The tokens of a signed-in client. Their texts are not stored.
#[derive(Debug, Clone)]
pub struct TokenPair {
    /// The token for API requests.
    pub access_token: SecretString,
    /// Its validity.
    pub expires_in: Duration,
    /// The token for the next pair. It can be used once.
    pub refresh_token: SecretString,
    /// Its validity if it is not used.
    pub refresh_expires_in: Duration,
}

/// Use cases of sign-in, refresh and sign-out.
#[derive(Clone)]
pub struct LoginService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl From<TooBusy> for Error {
    fn from(_: TooBusy) -> Self {
        Self::Busy
    }
}

impl LoginService {
    /// Creates a session. An unknown email and a wrong password are indistinguishable, even by timing.
    ///
    /// # Errors
    /// [`Error::Unauthorized`]; [`Error::TooManyAttempts`] before the password is checked; [`Error::Busy`],
    /// [`Error::Store`].
    pub async fn login(&self, email: &str, password: SecretString, device: Device) -> Result<TokenPair, Error> {
        let network = device.network.as_str();
        let address = email.parse::<Email>().ok();
        let known = match &address {
            Some(address) => self.ports.accounts.has_signed_in(address, network).await?,
            None => false,
        };
        // Many spellings find the same account, so attempts are counted by the address as it is looked up.
        let account = address.as_ref().map_or_else(|| email.trim().to_lowercase(), ToString::to_string);
        let who = Waiting { network: network.to_owned(), account: account.clone() };
        let account = if known { at_home(&account, network) } else { account };
        self.count(&account).await?;
        let found = match &address {
            Some(address) => self.ports.accounts.user_by_email(address).await?,
            None => None,
        };
        let hash = found.as_ref().map(|user| user.password_hash.clone());
        let matches = self.ports.passwords.matches(password, hash, who).await?;
        let user = found.filter(|_| matches).ok_or(Error::Unauthorized)?;

        let (now, first) = (self.ports.clock.now(), self.ports.tokens.fresh());
        let session = Session::new(SessionId::from_uuid(self.ports.ids.next()), user.id, now).from_network(network);
        let session = session.with_user_agent(device.user_agent);
        let pair = self.pair(&session, &first, now).await?;
        let mut set = ChangeSet::outside();
        // A concurrent change of the password ends all sessions, so this one must fail.
        set.guard(Guard::Version(Object::User(user.id), user.version));
        set.change(Change::Account(AccountChange::InsertSession(session.clone())));
        set.change(Change::Account(AccountChange::InsertRefreshToken(RefreshToken::new(first.digest, &session, now))));
        set.change(Change::Account(AccountChange::ForgetLogins { account }));
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(pair),
            Err(CommitError::Conflict(Conflict::Stale(_))) => Err(Error::Unauthorized),
            Err(error) => Err(error.into()),
        }
    }

    /// Counts an attempt on an account before its password is checked.
    pub(super) async fn count(&self, account: &str) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let earlier = self.ports.accounts.login_attempts(account).await?;
            let attempts = LoginAttempts::next(earlier.as_ref(), account, self.ports.clock.now())
                .map_err(|retry_after| Error::TooManyAttempts { retry_after })?;
            let mut set = ChangeSet::outside();
            set.change(Change::Account(AccountChange::CountLogin {
                before: earlier.map_or(0, |it| it.count),
                attempts,
            }));
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// Returns the next pair for a refresh token, as [`RefreshToken::present`] decides.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] if the token is unknown or no longer valid; [`Error::Store`].
    pub async fn refresh(&self, presented: &str) -> Result<TokenPair, Error> {
        let digest = self.ports.tokens.digest(presented).ok_or(Error::Unauthorized)?;
        let (successor, of_earlier_keys) = self.ports.tokens.successors(presented);
        retry_on_conflict(|| async {
            let found = self.ports.accounts.refresh_token(digest).await?;
            let (token, session) = found.ok_or(Error::Unauthorized)?;
            let now = self.ports.clock.now();
            match token.present(&session, now) {
                Refreshing::Refuse => Err(Error::Unauthorized.into()),
                Refreshing::Revoke => {
                    self.end(session.id).await?;
                    Err(Error::Unauthorized.into())
                }
                Refreshing::Repeat(at) => {
                    let given = self.given(&successor, &of_earlier_keys).await?;
                    Ok(self.pair(&session, given, at).await?)
                }
                Refreshing::Rotate => {
                    let pair = self.pair(&session, &successor, now).await?;
                    let mut set = ChangeSet::outside();
                    set.guard(Guard::Live(Object::Session(session.id)));
                    set.change(Change::Account(AccountChange::RotateRefreshToken { digest, at: now }));
                    set.change(Change::Account(AccountChange::InsertRefreshToken(RefreshToken::new(
                        successor.digest,
                        &session,
                        now,
                    ))));
                    self.ports.ledger.commit(set).await.map_err(AttemptError::from)?;
                    Ok(pair)
                }
            }
        })
        .await
    }

    /// Returns the successor that was issued a moment ago.
    async fn given<'t>(
        &self,
        successor: &'t OpaqueToken,
        of_earlier_keys: &'t [OpaqueToken],
    ) -> Result<&'t OpaqueToken, StoreError> {
        for earlier in of_earlier_keys {
            if self.ports.accounts.refresh_token(earlier.digest).await?.is_some() {
                return Ok(earlier);
            }
        }
        Ok(successor)
    }

    /// Ends a session. All instances reject its tokens within five seconds.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn end(&self, session: SessionId) -> Result<(), Error> {
        let mut set = ChangeSet::outside();
        set.change(Change::Account(AccountChange::RevokeSession { session, at: self.ports.clock.now() }));
        match self.ports.ledger.commit(set).await {
            // It was ended concurrently.
            Ok(()) | Err(CommitError::Conflict(Conflict::Stale(_))) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the live sessions of a user, newest first, at most [`MOST_SESSIONS`].
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sessions(&self, user: UserId) -> Result<Vec<LiveSession>, Error> {
        Ok(self.ports.accounts.live_sessions(user, self.ports.clock.now(), MOST_SESSIONS).await?)
    }

    /// Ends a session of this user, which can be the current one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it belongs to another user or has ended; [`Error::Store`].
    pub async fn end_own(&self, user: UserId, session: SessionId) -> Result<(), Error> {
        let now = self.ports.clock.now();
        let found = self.ports.accounts.session(session).await?;
        found.filter(|it| it.user.id == user && it.session.is_live(now)).ok_or(Error::NotFound)?;
        self.end(session).await
    }

    /// Returns the holder of a currently valid access token, and its expiry.
    ///
    /// # Errors
    /// [`StoreError`]: the validity of the token is unknown.
    pub async fn authenticate(&self, token: &str) -> Result<Option<(SessionHolder, Timestamp)>, StoreError> {
        let Some(key) = self.ports.signer.key_of(token) else { return Ok(None) };
        let now = self.ports.clock.now();
        let key = self.ports.accounts.signing_key(key).await?.filter(|key| key.verifies(now));
        let key = key.and_then(|key| self.opened(&key));
        let Some(claims) = key.and_then(|key| self.ports.signer.verify(&key, token)) else { return Ok(None) };
        if now.unix_seconds() >= claims.expires_at {
            return Ok(None);
        }
        let expires_at = Timestamp::from_millis(claims.expires_at.saturating_mul(1_000));
        let holder = self.ports.accounts.session(claims.session).await?;
        let is_good = |it: &SessionHolder| it.session.is_live(now) && it.user.id == claims.user;
        Ok(holder.filter(is_good).map(|holder| (holder, expires_at)))
    }

    /// Changes the password and ends all other sessions of the user.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/current_password` if that is wrong; [`Error::TooManyAttempts`], [`Error::Busy`],
    /// [`Error::Store`].
    pub async fn change_password(
        &self,
        holder: &SessionHolder,
        current: SecretString,
        new: SecretString,
    ) -> Result<(), Error> {
        let user = self.ports.accounts.user(holder.user.id).await?.ok_or(Error::Unauthorized)?;
        self.confirm(holder, &user, current).await?;
        let account = within(holder.session.id);
        let who = Waiting { account: account.clone(), ..Waiting::default() };
        let hash = self.ports.passwords.hash(new, who).await?;
        self.replace_password(user.id, &hash, Some(holder.session.id), account).await
    }

    /// Checks the password of the signed-in user. Attempts are counted for the session.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/current_password` if it is wrong; [`Error::TooManyAttempts`], [`Error::Busy`],
    /// [`Error::Store`].
    pub(crate) async fn confirm(
        &self,
        holder: &SessionHolder,
        user: &User,
        current: SecretString,
    ) -> Result<(), Error> {
        let account = within(holder.session.id);
        self.count(&account).await?;
        let who = Waiting { account, ..Waiting::default() };
        match self.ports.passwords.matches(current, Some(user.password_hash.clone()), who).await? {
            true => Ok(()),
            false => Err(Error::invalid("/current_password", "wrong_password", "is not your current password")),
        }
    }

    /// Sets a user's password without the current one, ends all sessions, and resets the count of attempts.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Busy`], [`Error::Store`].
    pub async fn set_password(&self, user: UserId, new: SecretString) -> Result<(), Error> {
        let hash = self.ports.passwords.hash(new, Waiting::default()).await?;
        let account = self.ports.accounts.user(user).await?.ok_or(Error::NotFound)?.email.to_string();
        self.replace_password(user, &hash, None, account).await
    }

    /// Sets the password, ends all sessions of the user except `except`, and resets the count of `account`.
    async fn replace_password(
        &self,
        user: UserId,
        hash: &str,
        except: Option<SessionId>,
        account: String,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let before = self.ports.accounts.user(user).await?.ok_or(Error::NotFound)?;
            let now = self.ports.clock.now();
            let after = User {
                password_hash: hash.to_owned(),
                reset: None,
                version: before.version + 1,
                updated_at: now.max(before.updated_at),
                ..before
            };
            let mut set = ChangeSet::outside();
            set.change(Change::Update(Row::User(after)));
            set.change(Change::Account(AccountChange::RevokeSessionsOf { user, except, at: now }));
            set.change(Change::Account(AccountChange::ForgetLogins { account: account.clone() }));
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// Returns the pair that is issued at `at`. The pair is the same for the same time.
    async fn pair(&self, session: &Session, refresh: &OpaqueToken, at: Timestamp) -> Result<TokenPair, Error> {
        let (id, key) = self.signing_key().await?;
        let expires_at = at.plus(ACCESS_LIFE).min(session.expires_at);
        let claims = AccessClaims {
            user: session.user,
            session: session.id,
            issued_at: at.unix_seconds(),
            expires_at: expires_at.unix_seconds(),
        };
        let unusable = || Error::Store(StoreError::Corrupt("a signing key".to_owned()));
        Ok(TokenPair {
            access_token: self.ports.signer.sign(&key, id, &claims).ok_or_else(unusable)?,
            expires_in: expires_at.since(at),
            refresh_token: refresh.text.clone(),
            refresh_expires_in: RefreshToken::new(refresh.digest, session, at).expires_at.since(at),
        })
    }

    /// Returns the current signing key. Generates one if there is none, or if the newest is too old or was sealed with
    /// another master key. Two instances can each generate one: both are valid.
    async fn signing_key(&self) -> Result<(SigningKeyId, Vec<u8>), Error> {
        let now = self.ports.clock.now();
        let newest = self.ports.accounts.newest_signing_key().await?.filter(|key| key.signs(now));
        if let Some((id, key)) = newest.and_then(|key| Some((key.id, self.opened(&key)?))) {
            return Ok((id, key));
        }
        let (id, key) = (SigningKeyId::from_uuid(self.ports.ids.next()), self.ports.signer.generate());
        let sealed = self.ports.sealer.seal(&key, &SigningKey::seal_context(id));
        let mut set = ChangeSet::outside();
        set.change(Change::Account(AccountChange::InsertSigningKey(SigningKey { id, sealed, created_at: now })));
        self.ports.ledger.commit(set).await?;
        Ok((id, key))
    }

    fn opened(&self, key: &SigningKey) -> Option<Vec<u8>> {
        self.ports.sealer.open(&key.sealed, &SigningKey::seal_context(key.id)).ok()
    }
}

#[cfg(test)]
#[path = "login_tests.rs"]
mod tests;
