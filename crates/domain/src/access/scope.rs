//! Scopes: permissions of credentials.

use std::fmt;

use serde::Serialize;

/// The scope of a credential, in ascending order of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// GET and HEAD, except for webhooks and assignees.
    Read,
    /// Also POST, PUT and PATCH, except for webhooks.
    Write,
    /// All requests, also DELETE and webhooks.
    Full,
}

impl Scope {
    /// All scopes, weakest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Full];

    /// Returns the word in the API and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Full => "full",
        }
    }

    /// Returns the scope with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == word)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
