//! Entries of the audit log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AuditAction, AuditedKind};
use crate::access::{Access, Actor, ActorKind, Scope};
use crate::ids::{AuditEntryId, WorkspaceId};
use crate::time::Timestamp;

/// The actor of an entry, without name and email.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedBy {
    /// The user, the API key, or the service itself.
    pub actor: Actor,
    /// The actor's scope at that time; `None` for the service itself.
    pub scope: Option<Scope>,
}

impl AuditedBy {
    /// Returns the actor of this access.
    pub fn of(access: &Access) -> Self {
        let actor = access.actor().clone();
        let scope = (actor.kind != ActorKind::System).then(|| access.scope());
        Self { actor, scope }
    }

    /// Returns the word that filters use: the ID, or the actor's type if it has none.
    pub fn word(&self) -> &str {
        self.actor.id.as_deref().unwrap_or_else(|| self.actor.kind_str())
    }
}

/// The object of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditObject {
    /// The type.
    pub kind: AuditedKind,
    /// The ID in the API; `None` if the action has no single object.
    pub id: Option<String>,
    /// The name at that time, unless it can be personal data.
    pub name: Option<String>,
}

impl AuditObject {
    pub(crate) fn of(kind: AuditedKind, id: &impl ToString, name: Option<&str>) -> Self {
        Self { kind, id: Some(id.to_string()), name: name.map(ToOwned::to_owned) }
    }
}

/// The change of an attribute.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditChange {
    /// The previous value; `null` if there was none.
    pub before: Value,
    /// The new value; `null` if there is none.
    pub after: Value,
    /// Whether the values are hidden, and only the change is visible.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
    /// Whether a value was too long, and only its beginning is included.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl AuditChange {
    /// Returns a change without values.
    pub fn withheld() -> Self {
        Self { withheld: true, ..Self::default() }
    }
}

/// An entry of the audit log. It never changes, and is removed by age.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// The ID.
    pub id: AuditEntryId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The time of the action.
    pub at: Timestamp,
    /// The actor.
    pub by: AuditedBy,
    /// The action.
    pub action: AuditAction,
    /// The object.
    pub object: AuditObject,
    /// The changes of the attributes, by name.
    pub changes: BTreeMap<String, AuditChange>,
}

impl AuditEntry {
    /// Returns the day of the entry, in days since 1970 in UTC. Retention removes whole days.
    pub fn day(&self) -> i64 {
        Self::day_of(self.at)
    }

    /// Returns the day of a time.
    pub fn day_of(at: Timestamp) -> i64 {
        at.millis().div_euclid(86_400_000)
    }
}

/// A filter of entries. All its conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only entries with this action.
    pub action: Option<AuditAction>,
    /// Only entries about this type of object.
    pub object_kind: Option<AuditedKind>,
    /// Only entries about the object with this ID.
    pub object: Option<String>,
    /// Only entries by this actor, see [`AuditedBy::word`].
    pub actor: Option<String>,
    /// Only entries at or after this time.
    pub from: Option<Timestamp>,
    /// Only entries before this time.
    pub to: Option<Timestamp>,
}

impl AuditFilter {
    /// Whether an entry matches.
    pub fn matches(&self, it: &AuditEntry) -> bool {
        self.action.is_none_or(|action| it.action == action)
            && self.object_kind.is_none_or(|kind| it.object.kind == kind)
            && self.object.as_ref().is_none_or(|id| it.object.id.as_ref() == Some(id))
            && self.actor.as_ref().is_none_or(|word| it.by.word() == word)
            && self.from.is_none_or(|from| it.at >= from)
            && self.to.is_none_or(|to| it.at < to)
    }
}
