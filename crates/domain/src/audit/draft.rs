//! Drafts of audit entries, without ID, time and actor.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AuditAction, AuditChange, AuditEntry, AuditObject, Audited, AuditedBy, Facts};
use crate::access::{Access, ActorKind};
use crate::ids::AuditEntryId;
use crate::time::Timestamp;

/// An entry without ID, time and actor.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditDraft {
    action: AuditAction,
    object: AuditObject,
    changes: BTreeMap<String, AuditChange>,
}

impl AuditDraft {
    /// Describes the creation of an object, with its attributes.
    pub fn created<T: Audited>(action: AuditAction, it: &T) -> Self {
        Self { action, object: it.audited(), changes: Facts::between(&Facts::new(), &it.facts()) }
    }

    /// Describes the deletion of an object, with its former attributes.
    pub fn deleted<T: Audited>(action: AuditAction, it: &T) -> Self {
        Self { action, object: it.audited(), changes: Facts::between(&it.facts(), &Facts::new()) }
    }

    /// Describes the update of an object; `None` if no audited attribute changed.
    pub fn changed<T: Audited>(action: AuditAction, before: &T, after: &T) -> Option<Self> {
        let changes = Facts::between(&before.facts(), &after.facts());
        (!changes.is_empty()).then(|| Self { action, object: after.audited(), changes })
    }

    /// Describes an action on an object, without its attributes.
    pub fn done<T: Audited>(action: AuditAction, it: &T) -> Self {
        Self { action, object: it.audited(), changes: BTreeMap::new() }
    }

    /// Describes an action on an object with only an ID, or without an object.
    pub fn about(action: AuditAction, id: Option<String>) -> Self {
        Self { action, object: AuditObject { kind: action.kind(), id, name: None }, changes: BTreeMap::new() }
    }

    /// Adds the new value of an attribute.
    #[must_use]
    pub fn with(self, name: &'static str, after: &impl Serialize) -> Self {
        self.turned(name, &Value::Null, after)
    }

    /// Adds the change of an attribute.
    #[must_use]
    pub fn turned(mut self, name: &'static str, before: &impl Serialize, after: &impl Serialize) -> Self {
        self.changes.extend(Facts::between(&Facts::new().shown(name, before), &Facts::new().shown(name, after)));
        self
    }

    /// Adds an attribute that changed, without its values.
    #[must_use]
    pub fn withholding(mut self, name: &str) -> Self {
        self.changes.insert(name.to_owned(), AuditChange::withheld());
        self
    }

    /// Returns the draft only if a user makes the change by a request. Changes of contacts by keys are ordinary
    /// traffic, and background changes have the entry of their import or bulk operation.
    pub fn by_person(self, access: &Access) -> Option<Self> {
        (access.actor().kind == ActorKind::User && !access.is_background()).then_some(self)
    }

    /// Completes the entry.
    pub fn seal(self, id: AuditEntryId, at: Timestamp, access: &Access) -> AuditEntry {
        let Self { action, object, changes } = self;
        AuditEntry { id, workspace: access.workspace(), at, by: AuditedBy::of(access), action, object, changes }
    }
}
