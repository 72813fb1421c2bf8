//! An entry before it has an id.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AuditAction, AuditChange, AuditEntry, AuditObject, Audited, AuditedBy, Facts};
use crate::access::{Access, ActorKind};
use crate::ids::AuditEntryId;
use crate::time::Timestamp;

/// What was done, before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditDraft {
    action: AuditAction,
    object: AuditObject,
    changes: BTreeMap<String, AuditChange>,
}

impl AuditDraft {
    /// That an object came, with what it is.
    pub fn created<T: Audited>(action: AuditAction, it: &T) -> Self {
        Self { action, object: it.audited(), changes: Facts::between(&Facts::new(), &it.facts()) }
    }

    /// That an object went, with what it was.
    pub fn deleted<T: Audited>(action: AuditAction, it: &T) -> Self {
        Self { action, object: it.audited(), changes: Facts::between(&it.facts(), &Facts::new()) }
    }

    /// That an object changed; `None` where nothing did that is told.
    pub fn changed<T: Audited>(action: AuditAction, before: &T, after: &T) -> Option<Self> {
        let changes = Facts::between(&before.facts(), &after.facts());
        (!changes.is_empty()).then(|| Self { action, object: after.audited(), changes })
    }

    /// That something was done to an object, whatever it is now.
    pub fn done<T: Audited>(action: AuditAction, it: &T) -> Self {
        Self { action, object: it.audited(), changes: BTreeMap::new() }
    }

    /// That something was done to an object by its id alone, or to none in particular.
    pub fn about(action: AuditAction, id: Option<String>) -> Self {
        Self { action, object: AuditObject { kind: action.kind(), id, name: None }, changes: BTreeMap::new() }
    }

    /// With what a change of it, too, came to.
    #[must_use]
    pub fn with(self, name: &'static str, after: &impl Serialize) -> Self {
        self.turned(name, &Value::Null, after)
    }

    /// With what an attribute became.
    #[must_use]
    pub fn turned(mut self, name: &'static str, before: &impl Serialize, after: &impl Serialize) -> Self {
        self.changes.extend(Facts::between(&Facts::new().shown(name, before), &Facts::new().shown(name, after)));
        self
    }

    /// With an attribute of which it is told only that it changed.
    #[must_use]
    pub fn withholding(mut self, name: &str) -> Self {
        self.changes.insert(name.to_owned(), AuditChange::withheld());
        self
    }

    /// The draft if a user makes the change by a request. Changes of contacts by keys are their traffic, and changes in the
    /// background have the entry of their import or bulk operation.
    pub fn by_person(self, access: &Access) -> Option<Self> {
        (access.actor().kind == ActorKind::User && !access.is_background()).then_some(self)
    }

    /// The entry.
    pub fn seal(self, id: AuditEntryId, at: Timestamp, access: &Access) -> AuditEntry {
        let Self { action, object, changes } = self;
        AuditEntry { id, workspace: access.workspace(), at, by: AuditedBy::of(access), action, object, changes }
    }
}
