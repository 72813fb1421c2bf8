//! What an entry of the audit log is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AuditAction, AuditedKind};
use crate::access::{Access, Actor, ActorKind, Scope};
use crate::ids::{AuditEntryId, WorkspaceId};
use crate::time::Timestamp;

/// Who did it: no name, no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedBy {
    /// The person, the key, or the service itself.
    pub actor: Actor,
    /// What they might do then; none for the service itself.
    pub scope: Option<Scope>,
}

impl AuditedBy {
    /// Whoever has this access.
    pub fn of(access: &Access) -> Self {
        let actor = access.actor().clone();
        let scope = (actor.kind != ActorKind::System).then(|| access.scope());
        Self { actor, scope }
    }

    /// The one word by which entries are looked up: the id, or the kind of whoever has none.
    pub fn word(&self) -> &str {
        self.actor.id.as_deref().unwrap_or_else(|| self.actor.kind_str())
    }
}

/// The object of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditObject {
    /// Of which kind it is.
    pub kind: AuditedKind,
    /// Its id, as the API has it; none where it was done to no single one.
    pub id: Option<String>,
    /// What people called it, where that is no personal data.
    pub name: Option<String>,
}

/// The change of an attribute.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditChange {
    /// Its value before; `null` where there was none.
    pub before: Value,
    /// Its value after; `null` where there is none.
    pub after: Value,
    /// Whether no value is told, but that it changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
    /// Whether a value was too long, and its beginning is told.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl AuditChange {
    /// A change of which no value is told.
    pub fn withheld() -> Self {
        Self { withheld: true, ..Self::default() }
    }
}

/// That somebody did something; it is never changed, and goes when its time is over.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// The ID.
    pub id: AuditEntryId,
    /// Where.
    pub workspace: WorkspaceId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: AuditedBy,
    /// What was done.
    pub action: AuditAction,
    /// To what.
    pub object: AuditObject,
    /// What its attributes became.
    pub changes: BTreeMap<String, AuditChange>,
}

impl AuditEntry {
    /// The day on which it was written, counted from 1970 in UTC: whole days go when their time is over.
    pub fn day(&self) -> i64 {
        Self::day_of(self.at)
    }

    /// The day of an instant.
    pub fn day_of(at: Timestamp) -> i64 {
        at.millis().div_euclid(86_400_000)
    }
}

/// Which entries; all that is said must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only entries with this action.
    pub action: Option<AuditAction>,
    /// Only entries about this type of object.
    pub object_kind: Option<AuditedKind>,
    /// About the object with this id.
    pub object: Option<String>,
    /// By whom, as [`AuditedBy::word`] has it.
    pub actor: Option<String>,
    /// At this instant or later.
    pub from: Option<Timestamp>,
    /// Before this instant.
    pub to: Option<Timestamp>,
}

impl AuditFilter {
    /// Whether an entry is one of them.
    pub fn matches(&self, it: &AuditEntry) -> bool {
        self.action.is_none_or(|action| it.action == action)
            && self.object_kind.is_none_or(|kind| it.object.kind == kind)
            && self.object.as_ref().is_none_or(|id| it.object.id.as_ref() == Some(id))
            && self.actor.as_ref().is_none_or(|word| it.by.word() == word)
            && self.from.is_none_or(|from| it.at >= from)
            && self.to.is_none_or(|to| it.at < to)
    }
}
