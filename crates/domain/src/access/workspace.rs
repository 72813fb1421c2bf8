//! Workspaces and their plans.

use serde::Serialize;

use crate::contacts::TimeZone;
use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// What a workspace pays for; it decides the requests per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// 600 requests a minute by default.
    Starter,
    /// 2 000 requests a minute by default.
    Pro,
    /// 10 000 requests a minute by default.
    Business,
}

impl Plan {
    /// All plans, smallest first.
    pub const ALL: [Self; 3] = [Self::Starter, Self::Pro, Self::Business];

    /// The word in the API and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Starter => "starter",
            Self::Pro => "pro",
            Self::Business => "business",
        }
    }

    /// The plan with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == word)
    }
}

/// The owner of contacts, flows and everything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// What people call it; 1 to 100 characters.
    pub name: String,
    /// What it pays for.
    pub plan: Plan,
    /// Whose clock contacts without a zone of their own go by.
    pub time_zone: TimeZone,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// A workspace as the command line shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkspaceView {
    /// Its id.
    pub id: WorkspaceId,
    /// What people call it.
    pub name: String,
    /// What it pays for.
    pub plan: Plan,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Workspace> for WorkspaceView {
    fn from(it: &Workspace) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            plan: it.plan,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
