//! Bulk operations.

use async_trait::async_trait;
use diesel::prelude::*;
use serde_json::Value;
use tidings_domain::access::{Access, Actor};
use tidings_domain::bulk::{BulkAction, BulkActionKind, BulkActionParts, BulkCounts, BulkOperation, BulkStatus};
use tidings_domain::ids::{BulkOperationId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{BulkQueries, StoreError};
use tidings_domain::read::Input;
use tidings_domain::segments::Audience;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{counted_page, find};
use crate::queries::list_index::whole_list;
use crate::queries::rows::{bindings, bound, json, to_bindings, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::bulk_operations;

crate::write::write_texts! { BulkRow: crate::write::Shape::of("bulk_operations") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = bulk_operations)]
    pub(crate) struct BulkRow in bulk_operations {
        workspace_id: DbId,
        id: DbId,
        action: String,
        tag_id: Option<DbId>,
        filter: String,
        condition: Option<String>,
        bindings: Option<String>,
        behind_at: Option<DbTime>,
        behind_id: Option<DbId>,
        status: String,
        error: Option<String>,
        matched: i64,
        changed: i64,
        unchanged: i64,
        failed: i64,
        created_by: String,
        created_by_id: Option<String>,
        started_at: Option<DbTime>,
        ended_at: Option<DbTime>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        object_id: Option<DbId>,
        field_key: Option<String>,
        value: Option<String>,
        skipped: i64,
        still_opted_out: i64,
    }
}

impl BulkRow {
    pub(crate) fn write(workspace_id: DbId, it: &BulkOperation) -> Result<Self, Fault> {
        let BulkCounts { matched, changed, unchanged, skipped, still_opted_out, failed } = it.counts;
        let BulkActionParts { tag, object, field_key, value } = it.action.parts();
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            action: it.action.kind().as_str().to_owned(),
            tag_id: tag.map(Into::into),
            filter: to_json(&it.filter.source_json())?,
            condition: it.condition.as_ref().map(|it| to_json(it.source_json())).transpose()?,
            // The condition belongs to the filter or to its segment.
            bindings: it.filter.condition().or(it.condition.as_ref()).map(to_bindings).transpose()?.flatten(),
            behind_at: it.behind.map(|place| place.at.into()),
            behind_id: it.behind.map(|place| DbId(place.id)),
            status: it.status.as_str().to_owned(),
            error: it.error.as_ref().map(to_json).transpose()?,
            matched,
            changed,
            unchanged,
            failed,
            created_by: it.created_by.kind_str().to_owned(),
            created_by_id: it.created_by.id.clone(),
            started_at: it.started_at.map(Into::into),
            ended_at: it.ended_at.map(Into::into),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            object_id: object.map(DbId),
            field_key,
            value: value.as_ref().map(to_json).transpose()?,
            skipped,
            still_opted_out,
        })
    }

    fn read(self) -> Result<BulkOperation, Fault> {
        let corrupt = |what: &str| Fault::from(StoreError::Corrupt(format!("{what} of a bulk operation")));
        let kind = word(&self.action, "bulk action", BulkActionKind::parse)?;
        let filter: Value = json(&self.filter, "the filter of a bulk operation")?;
        let behind = self.behind_at.zip(self.behind_id);
        let Self { matched, changed, unchanged, skipped, still_opted_out, failed, .. } = self;
        let value = self.value.map(|it| json(&it, "the value of a bulk operation")).transpose()?;
        let (tag, object) = (self.tag_id.map(DbId::to_typed_id), self.object_id.map(|it| it.0));
        let parts = BulkActionParts { tag, object, field_key: self.field_key, value };
        Ok(BulkOperation {
            id: self.id.to_typed_id(),
            action: BulkAction::from_parts(kind, parts).ok_or_else(|| corrupt("the action"))?,
            filter: Audience::stored(Input::from(&filter), bindings(self.bindings.as_deref())?)
                .map_err(|_| corrupt("the filter"))?,
            condition: self
                .condition
                .map(|it| bound(&it, self.bindings.as_deref(), "the condition of a bulk operation"))
                .transpose()?,
            behind: behind.map(|(at, id)| Position { at: at.0, id: id.0 }),
            status: word(&self.status, "status of a bulk operation", BulkStatus::parse)?,
            error: self.error.map(|error| json(&error, "the error of a bulk operation")).transpose()?,
            counts: BulkCounts { matched, changed, unchanged, skipped, still_opted_out, failed },
            created_by: Actor::from_parts(&self.created_by, self.created_by_id),
            started_at: self.started_at.map(|at| at.0),
            ended_at: self.ended_at.map(|at| at.0),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl BulkQueries for Storage {
    async fn get(&self, access: &Access, operation: BulkOperationId) -> Result<Option<BulkOperation>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(operation));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<BulkRow> =
                    find!(&mut c, bulk_operations::table.find((ws, id)).select(BulkRow::as_select()))?;
                row.map(BulkRow::read).transpose()
            })
        })
        .await
    }

    async fn list(
        &self,
        access: &Access,
        status: Option<BulkStatus>,
        page: PageRequest,
    ) -> Result<Page<BulkOperation>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<BulkRow>, _) =
                    counted_page!(&mut c, page, (bulk_operations::created_at, bulk_operations::id), {
                        // A workspace has few operations: those with a status are found by reading all of them.
                        let query = bulk_operations::table.filter(bulk_operations::workspace_id.eq(ws));
                        let query = query.select(BulkRow::as_select()).into_boxed::<Db>();
                        let query = match status {
                            Some(status) => query.filter(bulk_operations::status.eq(status.as_str())),
                            None => query,
                        };
                        query.filter(whole_list(bulk_operations::updated_at))
                    });
                let found = rows.into_iter().map(BulkRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }
}
