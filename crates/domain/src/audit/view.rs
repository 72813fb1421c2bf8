//! Entries as the API shows them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AuditChange, AuditEntry};
use crate::access::{ActorKind, Scope};
use crate::ids::AuditEntryId;
use crate::time::Timestamp;

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditActor))]
pub struct AuditActorView {
    /// A person, a key, or the service itself.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// The id, `user_…` or `key_…`; `null` for the service itself.
    pub id: Option<String>,
    /// What they might do then; `null` for the service itself.
    pub scope: Option<Scope>,
}

/// To what it was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditObject))]
pub struct AuditObjectView {
    /// The kind of object: what stands before the dot of `action`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its id; `null` where it was done to no single one.
    pub id: Option<String>,
    /// What people called it; `null` where that may be personal data.
    pub name: Option<String>,
}

/// What an attribute became.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditChange))]
pub struct AuditChangeView {
    /// Its value before; `null` where there was none, or it is withheld.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub before: Value,
    /// Its value after; `null` where there is none, or it is withheld.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub after: Value,
    /// Whether no value is told, but that it changed: secrets, and words that may be about people.
    pub withheld: bool,
    /// Whether a value was too long: its beginning is told, as text.
    pub cut: bool,
}

impl From<&AuditChange> for AuditChangeView {
    fn from(it: &AuditChange) -> Self {
        Self { before: it.before.clone(), after: it.after.clone(), withheld: it.withheld, cut: it.cut }
    }
}

/// That somebody changed something.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditEntry))]
pub struct AuditEntryView {
    /// The id.
    pub id: AuditEntryId,
    /// When; in a sandbox by its clock.
    pub at: Timestamp,
    /// Who.
    pub actor: AuditActorView,
    /// What was done: a kind of object and a verb, as `tag.updated`.
    pub action: &'static str,
    /// To what.
    pub object: AuditObjectView,
    /// What its attributes became, by their names.
    pub changes: BTreeMap<String, AuditChangeView>,
}

impl From<&AuditEntry> for AuditEntryView {
    fn from(it: &AuditEntry) -> Self {
        let AuditEntry { id, workspace: _, at, by, action, object, changes } = it;
        let actor = AuditActorView { kind: by.actor.kind, id: by.actor.id.clone(), scope: by.scope };
        let object = AuditObjectView { kind: object.kind.as_str(), id: object.id.clone(), name: object.name.clone() };
        let changes = changes.iter().map(|(name, change)| (name.clone(), change.into())).collect();
        Self { id: *id, at: *at, actor, action: action.as_str(), object, changes }
    }
}
