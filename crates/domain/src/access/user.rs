//! People who sign in.

use serde::Serialize;

use super::Language;
use crate::contacts::Email;
use crate::ids::UserId;
use crate::time::Timestamp;

/// A person who signs in. The same one may be a member of many workspaces.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// The ID.
    pub id: UserId,
    /// The address that they sign in with; unique in its lower-cased form.
    pub email: Email,
    /// What people call them; 1 to 100 characters.
    pub name: String,
    /// The language of the panel; `None` follows the browser.
    pub language: Option<Language>,
    /// The password's hash, in the PHC string format.
    pub password_hash: String,
    /// Whether they run the service: they decide on plans and make workspaces.
    pub operator: bool,
    /// The link that may set another password, where one was made.
    pub reset: Option<PasswordReset>,
    /// When the user was created.
    pub created_at: Timestamp,
    /// When the user was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// A link as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordReset {
    /// SHA-256 of its token.
    pub digest: [u8; 32],
    /// When it expires.
    pub expires_at: Timestamp,
}

impl User {
    /// The same, whose password this link sets from now on, and no earlier one.
    pub(crate) fn with_reset(self, reset: Option<PasswordReset>, now: Timestamp) -> Self {
        Self { reset, version: self.version + 1, updated_at: now.max(self.updated_at), ..self }
    }
}

/// Without the hash, which is worth guessing at.
impl std::fmt::Debug for User {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "User({}, operator: {}, version: {})", self.id, self.operator, self.version)
    }
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = User))]
pub struct UserView {
    /// The ID.
    pub id: UserId,
    /// The email address for signing in.
    pub email: String,
    /// Display name.
    pub name: String,
    /// The language of the panel; `null` for the language of the browser.
    pub language: Option<Language>,
    /// Whether the user is an operator of the service.
    pub operator: bool,
    /// When the user was created.
    pub created_at: Timestamp,
    /// When the user was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&User> for UserView {
    fn from(it: &User) -> Self {
        Self {
            id: it.id,
            email: it.email.to_string(),
            name: it.name.clone(),
            language: it.language,
            operator: it.operator,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
