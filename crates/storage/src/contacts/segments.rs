//! Segments.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::ids::{SegmentId, TypedId};
use tidings_domain::list_filter::{FilterFields, NameFilter};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{SegmentQueries, StoreError};
use tidings_domain::segments::{Segment, SegmentCount};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{by_keys, counted_page, execute, find};
use crate::queries::list_index::whole_list;
use crate::queries::named_lists::narrowed;
use crate::queries::rows::{bound, to_bindings, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::segments;
use crate::write::declared::Tabled;

crate::write::write_texts! { SegmentRow: crate::write::Shape::of("segments") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = segments)]
    pub(crate) struct SegmentRow in segments {
        workspace_id: DbId,
        id: DbId,
        name: String,
        condition: String,
        bindings: Option<String>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl Tabled for Segment {
    type Row = SegmentRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<SegmentRow, Fault> {
        Ok(SegmentRow {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            condition: to_json(it.condition.source_json())?,
            bindings: to_bindings(&it.condition)?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }
}

impl SegmentRow {
    fn read(self) -> Result<Segment, Fault> {
        Ok(Segment {
            id: self.id.to_typed_id(),
            name: self.name,
            condition: bound(&self.condition, self.bindings.as_deref(), "a segment's condition")?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

type CountColumns = (DbId, Option<i64>, Option<bool>, Option<DbTime>);

/// Returns the last count, or `None` if the segment was never counted.
fn read_count((segment, contacts, is_capped, counted_at): CountColumns) -> Option<(SegmentId, SegmentCount)> {
    let contacts = u64::try_from(contacts?).unwrap_or(0);
    let count = SegmentCount { contacts, is_capped: is_capped.unwrap_or(false), counted_at: counted_at?.0 };
    Some((segment.to_typed_id(), count))
}

#[async_trait]
impl SegmentQueries for Storage {
    async fn get(&self, access: &Access, segment: SegmentId) -> Result<Option<Segment>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(segment));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<SegmentRow> =
                    find!(&mut c, segments::table.find((ws, id)).select(SegmentRow::as_select()))?;
                row.map(SegmentRow::read).transpose()
            })
        })
        .await
    }

    async fn list(&self, access: &Access, filter: &NameFilter, page: PageRequest) -> Result<Page<Segment>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let filter = filter.clone();
            let admits = move |name: &String| Ok(filter.admits(&FilterFields::named(name, None)));
            let all = segments::table.filter(segments::workspace_id.eq(ws)).filter(whole_list(segments::updated_at));
            return narrowed!(
                self,
                ws,
                page,
                segments,
                SegmentRow::as_select(),
                all,
                segments::name,
                admits,
                SegmentRow::read
            );
        }
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<SegmentRow>, _) =
                    counted_page!(&mut c, page, (segments::created_at, segments::id), {
                        let query = segments::table.filter(segments::workspace_id.eq(ws));
                        query
                            .select(SegmentRow::as_select())
                            .into_boxed::<Db>()
                            .filter(whole_list(segments::updated_at))
                    });
                let found = rows.into_iter().map(SegmentRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn counts(
        &self,
        access: &Access,
        segments: &[SegmentId],
    ) -> Result<Vec<(SegmentId, SegmentCount)>, StoreError> {
        let ws = DbId::from(access.workspace());
        let keys: Vec<_> = segments.iter().map(|id| (ws, DbId::from(*id))).collect();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let columns =
                    (segments::id, segments::contact_count, segments::contact_count_is_capped, segments::counted_at);
                let rows: Vec<CountColumns> =
                    by_keys!(&mut c, keys, segments::table.select(columns), (segments::workspace_id, segments::id))?;
                Ok(rows.into_iter().filter_map(read_count).collect())
            })
        })
        .await
    }

    async fn store_count(&self, access: &Access, segment: SegmentId, count: SegmentCount) -> Result<(), StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(segment));
        let written = self.engine.write(move |mut c| {
            Box::pin(async move {
                let columns = (
                    segments::contact_count.eq(Some(i64::try_from(count.contacts).unwrap_or(i64::MAX))),
                    segments::contact_count_is_capped.eq(Some(count.is_capped)),
                    segments::counted_at.eq(Some(DbTime(count.counted_at))),
                );
                execute!(&mut c, diesel::update(segments::table.find(key)).set(columns))
            })
        });
        written.await.map(drop).map_err(Fault::into_store_error)
    }

    async fn reserve_refresh(
        &self,
        access: &Access,
        segment: SegmentId,
        now: Timestamp,
        before: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(segment));
        let written = self.engine.write(move |mut c| {
            Box::pin(async move {
                let reserved = segments::refresh_reserved_at;
                let is_due = reserved.is_null().or(reserved.le(Some(DbTime(before))));
                let due = segments::table.find(key).filter(is_due);
                execute!(&mut c, diesel::update(due).set(reserved.eq(Some(DbTime(now)))))
            })
        });
        Ok(written.await.map_err(Fault::into_store_error)? > 0)
    }
}
