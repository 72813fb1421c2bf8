//! Custom events: events of contacts that clients report.

use diesel::prelude::*;
use tidings_domain::custom_events::{CustomEvent, CustomEventName};
use tidings_domain::ids::CustomEventId;
use tidings_domain::time::Timestamp;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::rows::{json, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::custom_events;

crate::write::write_texts! {
    CustomEventRow: crate::write::Shape::of("custom_events"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = custom_events)]
    pub(crate) struct CustomEventRow in custom_events {
        workspace_id: DbId,
        id: DbId,
        contact_id: DbId,
        name: String,
        data: String,
        at: DbTime,
    }
}

impl CustomEventRow {
    pub(crate) fn write(workspace_id: DbId, it: &CustomEvent) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            contact_id: it.contact.into(),
            name: it.name.to_string(),
            data: to_json(&it.data)?,
            at: it.at.into(),
        })
    }

    pub(crate) fn read(self) -> Result<CustomEvent, Fault> {
        Ok(CustomEvent {
            id: self.id.to_typed_id(),
            contact: self.contact_id.to_typed_id(),
            name: CustomEventName::from_store(self.name),
            data: json(&self.data, "a custom event's data")?,
            at: self.at.0,
        })
    }
}

pub(crate) async fn read(c: &mut Connection<'_>, ws: DbId, event: CustomEventId) -> Result<Option<CustomEvent>, Fault> {
    let key = custom_events::table.find((ws, DbId::from(event)));
    let row: Option<CustomEventRow> = find!(c, key.select(CustomEventRow::as_select()))?;
    row.map(CustomEventRow::read).transpose()
}

pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, DbId)> = load!(
        c,
        custom_events::table
            .filter(custom_events::at.lt(DbTime(before)))
            .order(custom_events::at.asc())
            .limit(i64::from(limit))
            .select((custom_events::workspace_id, custom_events::id))
    )?;
    let mut removed = 0;
    for key in old {
        removed += execute!(c, diesel::delete(custom_events::table.find(key)))? as u64;
    }
    Ok(removed)
}
