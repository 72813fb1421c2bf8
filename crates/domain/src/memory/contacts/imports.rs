//! Imports with their tables and rejected rows.

use std::ops::Range;

use async_trait::async_trait;

use crate::access::Access;
use crate::contacts::{ContactNames, ContactRef};
use crate::ids::{ImportId, WorkspaceId};
use crate::imports::{BODY_PART, Import, ImportChange, RejectedRow};
use crate::memory::apply::{Applied, insert};
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::memory::{MemoryStore, State};
use crate::pagination::{Page, PageRequest};
use crate::ports::ImportQueries;

impl State {
    pub(in crate::memory) fn change_imports(&mut self, ws: WorkspaceId, change: ImportChange) -> Applied {
        match change {
            ImportChange::PutTable { import, table } => insert(&mut self.import_tables, (ws, import), table),
            ImportChange::DropTable { import } => {
                self.import_tables.remove(&(ws, import));
                Ok(())
            }
            ImportChange::Reject { import, row } => insert(&mut self.import_rejects, (ws, (import, row.line)), *row),
            ImportChange::DropRejected { import, limit } => {
                let own = self.import_rejects.keys().filter(|(of, (it, _))| (*of, *it) == (ws, import));
                for key in own.take(limit as usize).copied().collect::<Vec<_>>() {
                    self.import_rejects.remove(&key);
                }
                Ok(())
            }
            ImportChange::Forget(person) => {
                self.import_rejects.retain(|(of, _), row| *of != ws || !is_about(row, &person));
                Ok(())
            }
        }
    }
}

fn is_about(row: &RejectedRow, person: &ContactNames) -> bool {
    let keys = person.keys();
    row.names.keys().iter().any(|key| keys.contains(key))
}

#[async_trait]
impl ImportQueries for MemoryStore {
    async fn get(&self, access: &Access, import: ImportId) -> Answer<Option<Import>> {
        Ok(self.lock().imports.get(&(access.workspace(), import)).cloned())
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<Import>> {
        let imports = of(&self.lock().imports, access.workspace(), |_| true);
        Ok(page(imports, request, |it: &Import| at(it.created_at, it.id)))
    }

    async fn table(&self, access: &Access, import: ImportId, parts: Range<i64>) -> Answer<Vec<u8>> {
        let byte = |part: i64| usize::try_from(part).unwrap_or_default().saturating_mul(BODY_PART);
        let state = self.lock();
        let table = state.import_tables.get(&(access.workspace(), import)).map(|it| &**it).unwrap_or_default();
        let end = byte(parts.end).min(table.len());
        Ok(table.get(byte(parts.start)..end).unwrap_or_default().to_vec())
    }

    async fn rejected(&self, access: &Access, import: ImportId, behind: i64, limit: u32) -> Answer<Vec<RejectedRow>> {
        let state = self.lock();
        let own = state
            .import_rejects
            .iter()
            .filter(|((of, (it, line)), _)| (*of, *it) == (access.workspace(), import) && *line > behind);
        Ok(own.map(|(_, row)| row.clone()).take(limit as usize).collect())
    }

    async fn rejected_naming(
        &self,
        access: &Access,
        person: &ContactRef,
        behind: Option<(ImportId, i64)>,
        limit: u32,
    ) -> Answer<Vec<(ImportId, RejectedRow)>> {
        let (state, ws) = (self.lock(), access.workspace());
        let is_next = |place: (ImportId, i64)| behind.is_none_or(|behind| place > behind);
        let own = state.import_rejects.iter().filter(|((of, place), _)| *of == ws && is_next(*place));
        let naming = own.filter(|(_, row)| row.names.has(person));
        Ok(naming.map(|((_, (import, _)), row)| (*import, row.clone())).take(limit as usize).collect())
    }
}
