//! Events and kept answers: what commits beside a change.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::events::{Event, EventKind};
use tidings_domain::ids::{EventId, WorkspaceId};
use tidings_domain::ports::{IdempotencyQueries, IdempotencyRecord, StoreError, StoredBody, StoredEvent};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::connection::{Connection, execute, find, load};
use crate::faults::Fault;
use crate::rows::word;
use crate::schema::{events, idempotency_keys};
use crate::types::{DbId, DbTime};

/// How long an answer is kept.
const KEPT: Duration = Duration::from_secs(24 * 3_600);

pub(crate) async fn insert(c: &mut Connection<'_>, ws: DbId, it: &Event) -> Result<(), Fault> {
    let row = (
        events::workspace_id.eq(ws),
        events::id.eq(DbId::from(it.id)),
        events::kind.eq(it.kind.as_str()),
        events::at.eq(DbTime(it.at)),
        events::contact_id.eq(it.contact.map(DbId::from)),
        events::full_envelope.eq(it.full.clone()),
        events::thin_envelope.eq(it.thin.clone()),
    );
    execute!(c, diesel::insert_into(events::table).values(row)).map(|_| ())
}

pub(crate) async fn find(c: &mut Connection<'_>, ws: WorkspaceId, id: EventId) -> Result<Option<StoredEvent>, Fault> {
    let row: Option<(String, DbTime, String, String)> = find!(
        c,
        events::table.find((DbId::from(ws), DbId::from(id))).select((
            events::kind,
            events::at,
            events::full_envelope,
            events::thin_envelope
        ))
    )?;
    let Some((kind, at, full, thin)) = row else { return Ok(None) };
    Ok(Some(StoredEvent { id, kind: word(&kind, "event kind", EventKind::parse)?, at: at.0, full, thin }))
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = idempotency_keys)]
struct RecordRow {
    workspace_id: DbId,
    method: String,
    route: String,
    key: String,
    fingerprint: Vec<u8>,
    status: i32,
    location: Option<String>,
    etag: Option<String>,
    body: Vec<u8>,
    sealed: bool,
    created_at: DbTime,
}

pub(crate) async fn keep(c: &mut Connection<'_>, ws: DbId, it: &IdempotencyRecord) -> Result<(), Fault> {
    // An expired record that is not swept yet must not stand in the way of a new one.
    let place = idempotency_keys::table.find((ws, it.method.clone(), it.route.clone(), it.key.clone()));
    let expired = place.filter(idempotency_keys::created_at.le(DbTime(it.created_at.minus(KEPT))));
    execute!(c, diesel::delete(expired))?;
    let (body, sealed) = match &it.body {
        StoredBody::Plain(body) => (body.clone(), false),
        StoredBody::Sealed(body) => (body.clone(), true),
    };
    let row = RecordRow {
        workspace_id: ws,
        method: it.method.clone(),
        route: it.route.clone(),
        key: it.key.clone(),
        fingerprint: it.fingerprint.to_vec(),
        status: i32::from(it.status),
        location: it.location.clone(),
        etag: it.etag.clone(),
        body,
        sealed,
        created_at: it.created_at.into(),
    };
    execute!(c, diesel::insert_into(idempotency_keys::table).values(row)).map(|_| ())
}

#[async_trait]
impl IdempotencyQueries for Storage {
    async fn find(
        &self,
        access: &Access,
        method: &str,
        route: &str,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let place = (DbId::from(access.workspace()), method.to_owned(), route.to_owned(), key.to_owned());
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<RecordRow> = find!(
                    &mut c,
                    idempotency_keys::table
                        .find(place)
                        .filter(idempotency_keys::created_at.gt(DbTime(now.minus(KEPT))))
                        .select(RecordRow::as_select())
                )?;
                let Some(row) = row else { return Ok(None) };
                let corrupt = |what: &str| StoreError::Corrupt(format!("the {what} of a kept answer"));
                Ok(Some(IdempotencyRecord {
                    method: row.method,
                    route: row.route,
                    key: row.key,
                    fingerprint: row.fingerprint.try_into().map_err(|_| corrupt("fingerprint"))?,
                    status: u16::try_from(row.status).map_err(|_| corrupt("status"))?,
                    location: row.location,
                    etag: row.etag,
                    body: if row.sealed { StoredBody::Sealed(row.body) } else { StoredBody::Plain(row.body) },
                    created_at: row.created_at.0,
                }))
            })
        })
        .await
    }
}

/// Removes at most `limit` records that were made before `before`.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, String, String, String)> = load!(
        c,
        idempotency_keys::table
            .filter(idempotency_keys::created_at.lt(DbTime(before)))
            .order(idempotency_keys::created_at.asc())
            .limit(i64::from(limit))
            .select((
                idempotency_keys::workspace_id,
                idempotency_keys::method,
                idempotency_keys::route,
                idempotency_keys::key
            ))
    )?;
    let mut removed = 0;
    for place in old {
        let target = idempotency_keys::table.find(place).filter(idempotency_keys::created_at.lt(DbTime(before)));
        removed += execute!(c, diesel::delete(target))? as u64;
    }
    Ok(removed)
}
