//! The audit log.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::{Access, Actor, Scope};
use tidings_domain::audit::{AuditAction, AuditEntry, AuditFilter, AuditObject, AuditedBy, AuditedKind};
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{AuditQueries, StoreError};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, keyset, load};
use crate::queries::list_index::ListIndex;
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::audit_log;
use crate::{Storage, access};

crate::write::write_texts! { AuditRow: crate::write::Shape::of("audit_log") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = audit_log)]
    pub(crate) struct AuditRow in audit_log {
        workspace_id: DbId,
        id: DbId,
        at: DbTime,
        day: i64,
        actor_kind: String,
        actor: String,
        scope: Option<String>,
        action: String,
        object_type: String,
        object_id: Option<String>,
        object_name: Option<String>,
        changes: String,
    }
}

impl AuditRow {
    /// Creates the row of an entry. A set without a workspace may contain entries of the workspace it creates, and
    /// every set may contain entries without a workspace.
    pub(crate) fn write(ws: DbId, it: &AuditEntry) -> Result<Self, Fault> {
        if !ws.0.is_nil() && !it.workspace.uuid().is_nil() {
            access::own(ws, it.workspace)?;
        }
        Ok(Self {
            workspace_id: it.workspace.into(),
            id: it.id.into(),
            at: it.at.into(),
            day: it.day(),
            actor_kind: it.by.actor.kind_str().to_owned(),
            actor: it.by.word().to_owned(),
            scope: it.by.scope.map(|scope| scope.as_str().to_owned()),
            action: it.action.as_str().to_owned(),
            object_type: it.object.kind.as_str().to_owned(),
            object_id: it.object.id.clone(),
            object_name: it.object.name.clone(),
            changes: to_json(&it.changes)?,
        })
    }

    fn read(self) -> Result<AuditEntry, Fault> {
        let actor = Actor::from_parts(&self.actor_kind, Some(self.actor).filter(|word| *word != self.actor_kind));
        let scope = self.scope.map(|text| word(&text, "scope", Scope::parse)).transpose()?;
        let object = AuditObject {
            kind: word(&self.object_type, "kind of objects", AuditedKind::parse)?,
            id: self.object_id,
            name: self.object_name,
        };
        Ok(AuditEntry {
            id: self.id.to_typed_id(),
            workspace: self.workspace_id.to_typed_id(),
            at: self.at.0,
            by: AuditedBy { actor, scope },
            action: word(&self.action, "action", AuditAction::parse)?,
            object,
            changes: json(&self.changes, "the changes of an audit log entry")?,
        })
    }
}

#[async_trait]
impl AuditQueries for Storage {
    async fn list(
        &self,
        access: &Access,
        filter: &AuditFilter,
        page: PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<AuditRow> = load!(&mut c, {
                    let mut query = audit_log::table
                        .filter(audit_log::workspace_id.eq(ws))
                        .select(AuditRow::as_select())
                        .into_boxed::<Db>();
                    // The most selective part that is set leads the lookup: object, actor, action or object kind, in
                    // this order. The others are only checked.
                    let mut is_led = false;
                    let mut leads = || !std::mem::replace(&mut is_led, true);
                    query = match filter.object {
                        Some(id) if leads() => query.filter(audit_log::object_id.eq(id)),
                        Some(_) | None => query,
                    };
                    query = match filter.actor {
                        Some(actor) if leads() => query.filter(audit_log::actor.eq(actor)),
                        Some(actor) => query.filter(audit_log::actor.eq_unindexed(actor)),
                        None => query,
                    };
                    query = match filter.action.map(AuditAction::as_str) {
                        Some(action) if leads() => query.filter(audit_log::action.eq(action)),
                        Some(action) => query.filter(audit_log::action.eq_unindexed(action)),
                        None => query,
                    };
                    query = match filter.object_kind.map(AuditedKind::as_str) {
                        Some(kind) if leads() => query.filter(audit_log::object_type.eq(kind)),
                        Some(kind) => query.filter(audit_log::object_type.eq_unindexed(kind)),
                        None => query,
                    };
                    if leads() {
                        query = query.filter(ListIndex(audit_log::actor_kind.ne("")));
                    }
                    if let Some(from) = filter.from {
                        query = query.filter(audit_log::at.ge(DbTime(from)));
                    }
                    if let Some(to) = filter.to {
                        query = query.filter(audit_log::at.lt(DbTime(to)));
                    }
                    keyset!(query, page, audit_log::at, audit_log::id)
                })?;
                let found = rows.into_iter().map(AuditRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.at, id: it.id.uuid() }))
            })
        })
        .await
    }
}

/// Deletes at most `limit` entries of days that ended before `before`, oldest first.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, DbId)> = load!(
        c,
        audit_log::table
            .filter(audit_log::day.lt(AuditEntry::day_of(before)))
            .order(audit_log::day.asc())
            .limit(i64::from(limit))
            .select((audit_log::workspace_id, audit_log::id))
    )?;
    let mut removed = 0;
    for key in old {
        removed += execute!(c, diesel::delete(audit_log::table.find(key)))? as u64;
    }
    Ok(removed)
}
