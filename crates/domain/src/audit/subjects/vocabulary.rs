//! Tags, fields, segments and secrets.

use crate::audit::{AuditObject, Audited, AuditedKind, Facts};
use crate::fields::{BotField, CustomField};
use crate::secrets::Secret;
use crate::segments::Segment;
use crate::tags::Tag;

impl Audited for Tag {
    const KIND: AuditedKind = AuditedKind::Tag;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("name", &self.name).shown("color", &self.color).shown("description", &self.description)
    }
}

impl Audited for CustomField {
    const KIND: AuditedKind = AuditedKind::Field;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new()
            .shown("key", &self.key)
            .shown("name", &self.name)
            .shown("type", &self.kind)
            .shown("options", &self.options)
            .shown("validation", &self.rules)
    }
}

impl Audited for BotField {
    const KIND: AuditedKind = AuditedKind::BotField;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new()
            .shown("key", &self.key)
            .shown("name", &self.name)
            .shown("type", &self.kind)
            .shown("value", &self.value)
    }
}

impl Audited for Segment {
    const KIND: AuditedKind = AuditedKind::Segment;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    /// The condition is hidden, because it can contain an address of a contact.
    fn facts(&self) -> Facts {
        Facts::new().shown("name", &self.name).withheld("condition", self.condition.source_json())
    }
}

impl Audited for Secret {
    const KIND: AuditedKind = AuditedKind::Secret;

    /// The API identifies a secret by its name.
    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.name, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("hosts", &self.hosts).withheld("value", &self.sealed)
    }
}
