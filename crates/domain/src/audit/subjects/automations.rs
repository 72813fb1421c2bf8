//! Flows, sequences and broadcasts. Their contents and audiences are hidden, only changes are visible.

use crate::audit::{AuditObject, Audited, AuditedKind, Facts};
use crate::broadcasts::{Broadcast, content_json};
use crate::flows::Flow;
use crate::sequences::{Sequence, SequenceView};

impl Audited for Flow {
    const KIND: AuditedKind = AuditedKind::Flow;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new()
            .shown("name", &self.name)
            .shown("status", &self.status)
            .shown("version_published", &self.version_published)
            .withheld("definition", &self.definition)
    }
}

impl Audited for Sequence {
    const KIND: AuditedKind = AuditedKind::Sequence;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        let view = SequenceView::from(self);
        Facts::new()
            .shown("name", &view.name)
            .shown("status", &view.status)
            .withheld("steps", &view.steps)
            .shown("exit_on", &view.exit_on)
            .withheld("exit_when", &view.exit_when)
            .shown("reenroll", &view.reenroll)
            .shown("time_zone", &view.time_zone)
    }
}

impl Audited for Broadcast {
    const KIND: AuditedKind = AuditedKind::Broadcast;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new()
            .shown("name", &self.name)
            .shown("status", &self.status)
            .withheld("audience", &self.audience.source_json())
            .withheld("message", &content_json(&self.message))
            .shown("channel_id", &self.channel)
            .shown("scheduled_at", &self.scheduled_at)
            .shown("time_zone", &self.time_zone)
            .shown("rate_per_minute", &self.rate_per_minute)
            .shown("repeats", &self.repeats)
    }
}
