//! Segments.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::ids::{SegmentId, TypedId};
use tidings_domain::list_filter::{Listed, NameFilter};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{SegmentQueries, StoreError};
use tidings_domain::segments::Segment;

use crate::Storage;
use crate::connection::{find, listed, whole};
use crate::faults::Fault;
use crate::named_lists::narrowed;
use crate::rows::{bound, to_bindings, to_json};
use crate::schema::segments;
use crate::types::{DbId, DbTime};

crate::write::written! { SegmentRow: crate::write::Shape::of("segments") }

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

impl SegmentRow {
    pub(crate) fn write(workspace_id: DbId, it: &Segment) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            condition: to_json(it.condition.written())?,
            bindings: to_bindings(&it.condition)?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<Segment, Fault> {
        Ok(Segment {
            id: self.id.typed(),
            name: self.name,
            condition: bound(&self.condition, self.bindings.as_deref(), "a segment's condition")?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl SegmentQueries for Storage {
    async fn get(&self, access: &Access, segment: SegmentId) -> Result<Option<Segment>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(segment));
        self.read(move |mut c| {
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
            let admits = move |name: &String| Ok(filter.admits(&Listed::named(name, None)));
            let all = whole!(segments::table.filter(segments::workspace_id.eq(ws)), segments::updated_at);
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
        self.read(move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<SegmentRow>, _) =
                    listed!(&mut c, page, (segments::created_at, segments::id), {
                        let query = segments::table.filter(segments::workspace_id.eq(ws));
                        whole!(query.select(SegmentRow::as_select()).into_boxed::<Db>(), segments::updated_at)
                    });
                let found = rows.into_iter().map(SegmentRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }
}
