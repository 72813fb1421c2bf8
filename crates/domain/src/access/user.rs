//! Users.

use serde::Serialize;

use super::Language;
use crate::contacts::Email;
use crate::ids::UserId;
use crate::time::Timestamp;

/// A user. One user can be a member of many workspaces.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// The ID.
    pub id: UserId,
    /// The email for signing in, unique in lower case.
    pub email: Email,
    /// The display name, 1 to 100 characters.
    pub name: String,
    /// The language of the panel; `None` follows the browser.
    pub language: Option<Language>,
    /// The password's hash, in the PHC string format.
    pub password_hash: String,
    /// Whether the user is an operator, who sets plans and creates workspaces.
    pub operator: bool,
    /// The password reset link, if there is one.
    pub reset: Option<PasswordReset>,
    /// When the user was created.
    pub created_at: Timestamp,
    /// When the user was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl User {
    /// Creates a user who is not an operator.
    pub fn new(
        id: UserId,
        email: Email,
        name: impl Into<String>,
        password_hash: impl Into<String>,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            email,
            name: name.into(),
            language: None,
            password_hash: password_hash.into(),
            operator: false,
            reset: None,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }
}

/// The stored form of a password reset link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordReset {
    /// SHA-256 of its token.
    pub digest: [u8; 32],
    /// When it expires.
    pub expires_at: Timestamp,
}

impl User {
    pub(crate) fn with_reset(self, reset: Option<PasswordReset>, now: Timestamp) -> Self {
        Self { reset, version: self.version + 1, updated_at: now.max(self.updated_at), ..self }
    }
}

/// Omits the password hash.
impl std::fmt::Debug for User {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "User({}, operator: {}, version: {})", self.id, self.operator, self.version)
    }
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = User))]
#[non_exhaustive]
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
