//! Updates of users to their own accounts.

use secrecy::SecretString;

use super::attempts::{of_addresses, within};
use super::{Language, LoginService, SessionHolder, User};
use crate::contacts::Email;
use crate::error::Error;
use crate::patch::Patch;
use crate::ports::{AccountChange, Change, ChangeSet, CommitError, Conflict, Row, UniqueKey};
use crate::retry::retry_on_conflict;

/// An update of an account. Absent fields are unchanged.
#[derive(Debug, Clone, Default)]
pub struct AccountPatch {
    /// The display name, 1 to 100 characters.
    pub name: Option<String>,
    /// The language of the panel.
    pub language: Patch<Language>,
    /// The email address for signing in.
    pub email: Option<Email>,
    /// The current password. Required to change the email.
    pub current_password: Option<SecretString>,
}

impl LoginService {
    /// Changes the name, language and email of a user. A new email ends all other sessions.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/current_password` if it is missing or wrong; [`Error::Taken`] if another user has the
    /// email; [`Error::TooManyAttempts`], [`Error::Busy`], [`Error::Store`].
    pub async fn change_account(&self, holder: &SessionHolder, patch: AccountPatch) -> Result<User, Error> {
        let AccountPatch { name, language, email, current_password } = patch;
        let known = self.ports.accounts.user(holder.user.id).await?.ok_or(Error::Unauthorized)?;
        let email = email.filter(|email| *email != known.email);
        if email.is_some() {
            let missing = || Error::invalid("/current_password", "required", "is required to change the email address");
            self.confirm(holder, &known, current_password.ok_or_else(missing)?).await?;
            self.count(&of_addresses(known.id)).await?;
        }
        retry_on_conflict(|| async {
            let before = self.ports.accounts.user(known.id).await?.ok_or(Error::Unauthorized)?;
            if email.is_some() && before.password_hash != known.password_hash {
                return Err(Error::Unauthorized.into());
            }
            let now = self.ports.clock.now();
            let after = User {
                name: name.clone().unwrap_or_else(|| before.name.clone()),
                language: language.clone().apply(before.language),
                email: email.clone().unwrap_or_else(|| before.email.clone()),
                reset: before.reset.filter(|_| email.is_none()),
                version: before.version + 1,
                updated_at: now.max(before.updated_at),
                ..before.clone()
            };
            if (&after.name, after.language, &after.email) == (&before.name, before.language, &before.email) {
                return Ok(before);
            }
            let mut set = ChangeSet::outside();
            set.change(Change::Update(Row::User(after.clone())));
            if email.is_some() {
                let (user, except) = (after.id, Some(holder.session.id));
                set.change(Change::Account(AccountChange::RevokeSessionsOf { user, except, at: now }));
                set.change(Change::Account(AccountChange::ForgetLogins { account: within(holder.session.id) }));
            }
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(after),
                Err(CommitError::Conflict(Conflict::Exists(UniqueKey::UserEmail))) => {
                    Err(Error::Taken { what: "user", field: "email", existing: None }.into())
                }
                Err(error) => Err(error.into()),
            }
        })
        .await
    }
}
