//! The audit log.

use async_trait::async_trait;

use crate::access::Access;
use crate::audit::{AuditEntry, AuditFilter};
use crate::ids::{TypedId, WorkspaceId};
use crate::memory::apply::{Applied, insert, own};
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::memory::{MemoryStore, State};
use crate::pagination::{Page, PageRequest};
use crate::ports::AuditQueries;
use crate::time::Timestamp;

impl State {
    /// Adds an entry to the audit log. A set without a workspace may log for the workspace that it creates; any set may
    /// log without a workspace.
    pub(in crate::memory) fn log(&mut self, ws: WorkspaceId, it: AuditEntry) -> Applied {
        if !ws.uuid().is_nil() && !it.workspace.uuid().is_nil() {
            own(ws, it.workspace)?;
        }
        insert(&mut self.audit, (it.workspace, it.id), it)
    }

    /// Removes up to `limit` entries of days that ended before `before`, oldest first.
    pub(in crate::memory) fn expire_audit_log(&mut self, before: Timestamp, limit: usize) -> u64 {
        let old = self.audit.iter().filter(|(_, it)| it.day() < AuditEntry::day_of(before));
        let mut old: Vec<_> = old.map(|(key, it)| (it.day(), *key)).collect();
        old.sort_unstable();
        old.truncate(limit);
        for (_, key) in &old {
            self.audit.remove(key);
        }
        old.len() as u64
    }
}

#[async_trait]
impl AuditQueries for MemoryStore {
    async fn list(&self, access: &Access, filter: &AuditFilter, request: PageRequest) -> Answer<Page<AuditEntry>> {
        let entries = of(&self.lock().audit, access.workspace(), |it| filter.matches(it));
        Ok(page(entries, request, |it: &AuditEntry| at(it.at, it.id)))
    }
}
