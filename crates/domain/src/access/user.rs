//! People who sign in.

use serde::Serialize;

use crate::contacts::Email;
use crate::ids::UserId;
use crate::time::Timestamp;

/// A person who signs in. The same one may be a member of many workspaces.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: UserId,
    /// The address that they sign in with; unique in its lower-cased form.
    pub email: Email,
    /// What people call them; 1 to 100 characters.
    pub name: String,
    /// The password's hash, in the PHC string format.
    pub password_hash: String,
    /// Whether they run the service: they decide on plans and make workspaces.
    pub operator: bool,
    /// The link that may set another password, where one was made.
    pub reset: Option<PasswordReset>,
    /// When they came.
    pub created_at: Timestamp,
    /// When something of them last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// A link as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordReset {
    /// SHA-256 of its token.
    pub digest: [u8; 32],
    /// From when on it opens nothing.
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

/// A person who signs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = User))]
pub struct UserView {
    /// The id.
    pub id: UserId,
    /// The address that they sign in with.
    pub email: String,
    /// What people call them.
    pub name: String,
    /// Whether they run the service.
    pub operator: bool,
    /// When they came.
    pub created_at: Timestamp,
    /// When something of them last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&User> for UserView {
    fn from(it: &User) -> Self {
        Self {
            id: it.id,
            email: it.email.to_string(),
            name: it.name.clone(),
            operator: it.operator,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
