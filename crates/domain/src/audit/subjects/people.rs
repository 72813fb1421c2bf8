//! Workspaces, keys, members and invitations. Users appear only by ID.

use crate::access::{ApiKey, Invitation, Member, Workspace, WorkspaceView};
use crate::audit::{AuditObject, Audited, AuditedKind, Facts};

impl Audited for Workspace {
    const KIND: AuditedKind = AuditedKind::Workspace;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        let view = WorkspaceView::from(self);
        Facts::new()
            .shown("name", &view.name)
            .shown("plan", &view.plan)
            .shown("time_zone", &view.time_zone)
            .shown("outbound", &view.outbound)
            .shown("opt_out_words", &view.opt_out_words)
            .shown("assign_on_reply", &view.assign_on_reply)
            .shown("default_country", &view.default_country)
    }
}

impl Audited for ApiKey {
    const KIND: AuditedKind = AuditedKind::Key;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("name", &self.name).shown("scope", &self.scope).shown("expires_at", &self.expires_at)
    }
}

impl Audited for Member {
    const KIND: AuditedKind = AuditedKind::Member;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.user, None)
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("role", &self.role)
    }
}

impl Audited for Invitation {
    const KIND: AuditedKind = AuditedKind::Invitation;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, None)
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("role", &self.role).shown("expires_at", &self.expires_at)
    }
}
