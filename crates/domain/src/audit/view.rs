//! Entries as the API shows them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AuditChange, AuditEntry};
use crate::access::{ActorKind, Scope};
use crate::ids::AuditEntryId;
use crate::time::Timestamp;

/// The actor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditActor))]
#[non_exhaustive]
pub struct AuditActorView {
    /// `user`, `api_key` or `system`.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// ID of the user or API key, `user_…` or `key_…`; `null` for the service itself.
    pub id: Option<String>,
    /// Scope of the actor at that time; `null` for the service itself.
    pub scope: Option<Scope>,
}

/// The object of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditObject))]
#[non_exhaustive]
pub struct AuditObjectView {
    /// Type of the object: the part of `action` before the dot.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// ID of the object; `null` if the action has no single object.
    pub id: Option<String>,
    /// Name of the object; `null` if it can be personal data.
    pub name: Option<String>,
}

/// The change of an attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditChange))]
#[non_exhaustive]
pub struct AuditChangeView {
    /// Previous value; `null` if there was none, or if it is withheld.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub before: Value,
    /// New value; `null` if there is none, or if it is withheld.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub after: Value,
    /// Whether the values are withheld: secrets, and texts that can be personal data.
    pub withheld: bool,
    /// Whether a value was too long; only its beginning is included, as text.
    pub cut: bool,
}

impl From<&AuditChange> for AuditChangeView {
    fn from(it: &AuditChange) -> Self {
        Self { before: it.before.clone(), after: it.after.clone(), withheld: it.withheld, cut: it.cut }
    }
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AuditEntry))]
#[non_exhaustive]
pub struct AuditEntryView {
    /// The ID.
    pub id: AuditEntryId,
    /// Time of the action; in a sandbox, by its clock.
    pub at: Timestamp,
    /// The actor.
    pub actor: AuditActorView,
    /// The action: a type of object and a verb, such as `tag.updated`.
    pub action: &'static str,
    /// The object.
    pub object: AuditObjectView,
    /// Changes of the attributes, by name.
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
