//! Events and idempotency records, which are committed with a change.

pub(crate) mod feed;
mod hint_bus;
pub(crate) mod listeners;
pub(crate) mod numbering;

use std::sync::LazyLock;
use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::events::{Event, EventKind};
use tidings_domain::ports::{IdempotencyQueries, IdempotencyRecord, RecordKey, StoreError, StoredBody, StoredEvent};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, by_keys, execute, find, load};
use crate::queries::loader::Found;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{events, idempotency_keys};
use crate::write::{self, Column, Columns, WriteTexts};

crate::write::write_texts! {
    EventRow: crate::write::Shape::of("events"),
    AnswerRow: crate::write::Shape { keys: 4, ..crate::write::Shape::of("idempotency_keys") },
}

/// Retention of stored responses.
pub(crate) const KEPT: Duration = Duration::from_secs(24 * 3_600);

crate::write::row! {
    /// A new event. Its position is assigned later.
    #[derive(Debug, Clone)]
    pub(crate) struct EventRow in events {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) kind: &'static str,
        pub(crate) at: DbTime,
        pub(crate) contact_id: Option<DbId>,
        pub(crate) full_envelope: String,
        pub(crate) thin_envelope: String,
    }
}

impl EventRow {
    pub(crate) fn write(workspace_id: DbId, it: &Event) -> Self {
        Self {
            workspace_id,
            id: it.id.into(),
            kind: it.kind.as_str(),
            at: it.at.into(),
            contact_id: it.contact.map(DbId::from),
            full_envelope: it.full.clone(),
            thin_envelope: it.thin.clone(),
        }
    }
}

pub(crate) type EventKey = (DbId, DbId);

type StoredRow = (DbId, DbId, String, DbTime, String, String);

pub(crate) fn find(mut c: Connection<'_>, keys: Vec<EventKey>) -> Found<'_, EventKey, StoredEvent> {
    Box::pin(async move {
        let columns =
            (events::workspace_id, events::id, events::kind, events::at, events::full_envelope, events::thin_envelope);
        let rows: Vec<StoredRow> =
            by_keys!(&mut c, keys, events::table.select(columns), (events::workspace_id, events::id))?;
        let read = |(ws, id, kind, at, full, thin): StoredRow| {
            let kind = word(&kind, "event kind", EventKind::parse)?;
            Ok(((ws, id), StoredEvent { id: id.to_typed_id(), kind, at: at.0, full, thin }))
        };
        rows.into_iter().map(read).collect()
    })
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = idempotency_keys)]
    pub(crate) struct AnswerRow in idempotency_keys {
        pub(crate) workspace_id: DbId,
        pub(crate) method: String,
        pub(crate) route: String,
        pub(crate) key: String,
        pub(crate) fingerprint: Vec<u8>,
        pub(crate) status: i32,
        pub(crate) location: Option<String>,
        pub(crate) etag: Option<String>,
        pub(crate) body: Vec<u8>,
        pub(crate) sealed: bool,
        pub(crate) created_at: DbTime,
        pub(crate) form: Option<String>,
    }
}

/// The name of the compressed body format, which is neither plain nor sealed.
const GZIP: &str = "gzip";
const OBJECT: &str = "object";

impl AnswerRow {
    pub(crate) fn write(workspace_id: DbId, it: &IdempotencyRecord) -> Self {
        let (sealed, form) = match &it.body {
            StoredBody::Plain(_) => (false, None),
            StoredBody::Gzip(_) => (false, Some(GZIP)),
            StoredBody::Sealed(_) => (true, None),
            StoredBody::Object(_) => (false, Some(OBJECT)),
        };
        Self {
            workspace_id,
            method: it.method.clone(),
            route: it.route.clone(),
            key: it.key.clone(),
            fingerprint: it.fingerprint.to_vec(),
            status: i32::from(it.status),
            location: it.location.clone(),
            etag: it.etag.clone(),
            body: it.body.to_stored_bytes().into_owned(),
            sealed,
            created_at: it.created_at.into(),
            form: form.map(ToOwned::to_owned),
        }
    }

    fn read(self) -> Result<IdempotencyRecord, Fault> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("the {what} of an idempotency record"));
        Ok(IdempotencyRecord {
            method: self.method,
            route: self.route,
            key: self.key,
            fingerprint: self.fingerprint.try_into().map_err(|_| corrupt("fingerprint"))?,
            status: u16::try_from(self.status).map_err(|_| corrupt("status"))?,
            location: self.location,
            etag: self.etag,
            body: match self.form.as_deref() {
                None if self.sealed => StoredBody::Sealed(self.body),
                None => StoredBody::Plain(self.body),
                Some(GZIP) => StoredBody::Gzip(self.body),
                Some(OBJECT) => StoredBody::Object(serde_json::from_slice(&self.body).map_err(|_| corrupt("object"))?),
                Some(_) => return Err(corrupt("form").into()),
            },
            created_at: self.created_at.0,
        })
    }
}

#[async_trait]
impl IdempotencyQueries for Storage {
    async fn find(
        &self,
        access: &Access,
        method: &str,
        route: &str,
        key: &RecordKey,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let ws = DbId::from(access.workspace());
        let place: Place = (ws, method.to_owned(), route.to_owned(), key.as_str().to_owned());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<AnswerRow> =
                    find!(&mut c, idempotency_keys::table.find(place).select(AnswerRow::as_select()))?;
                let record = row.map(AnswerRow::read).transpose()?;
                Ok(record.filter(|it| it.created_at > now.minus(KEPT)))
            })
        })
        .await
    }
}

type Place = (DbId, String, String, String);

pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(Place, DbTime)> = load!(
        c,
        idempotency_keys::table
            .filter(idempotency_keys::created_at.lt(DbTime(before)))
            .order(idempotency_keys::created_at.asc())
            .limit(i64::from(limit))
            .select((
                (
                    idempotency_keys::workspace_id,
                    idempotency_keys::method,
                    idempotency_keys::route,
                    idempotency_keys::key
                ),
                idempotency_keys::created_at
            ))
    )?;
    let mut removed = 0;
    for (place, created_at) in old {
        // A new record may have replaced this one in the meantime.
        let target = idempotency_keys::table.find(place).filter(idempotency_keys::created_at.eq_unindexed(created_at));
        removed += execute!(c, diesel::delete(target))? as u64;
    }
    Ok(removed)
}

/// Lets a new record replace an expired one that is not deleted yet.
fn replaced(columns: &[Column], expired: &str) -> String {
    let written = columns.iter().skip(4).map(|it| format!("\"{0}\" = excluded.\"{0}\"", it.name));
    format!(
        "ON CONFLICT (workspace_id, method, route, key) DO UPDATE SET {} WHERE idempotency_keys.created_at <= {expired}",
        written.collect::<Vec<_>>().join(", "),
    )
}

/// Stores responses. Returns true if all were stored.
pub(crate) async fn keep(c: &mut Connection<'_>, rows: &[AnswerRow]) -> Result<bool, Fault> {
    static ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
        let columns = AnswerRow::columns();
        let expired = format!("excluded.created_at - interval '{} seconds'", KEPT.as_secs());
        write::insert_text("idempotency_keys", &columns, &replaced(&columns, &expired))
    });
    static ON_SQLITE: LazyLock<String> = LazyLock::new(|| {
        let expired = format!("excluded.created_at - {}", KEPT.as_micros());
        format!("{} {}", AnswerRow::texts().insert_on_sqlite, replaced(&AnswerRow::columns(), &expired))
    });
    match c {
        Connection::Postgres(connection) => Ok(write::execute_all(connection, rows, &ON_POSTGRES).await? == rows.len()),
        Connection::Sqlite(connection) => Ok(write::each(connection, rows, &ON_SQLITE)?.is_empty()),
    }
}
