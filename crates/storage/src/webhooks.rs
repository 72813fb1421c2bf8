//! Webhooks, deliveries and attempts.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::events::EventKind;
use tidings_domain::ids::{DeliveryId, JobId, TypedId, WebhookId};
use tidings_domain::list_filter::{ListFilter, Listed};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{StoreError, WebhookQueries};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{
    Attempt, AttemptCount, Delivery, DeliveryFilter, DeliveryStatus, HeaderValue, Health, OlderSecret, PayloadForm,
    Replay, STAMP, SealedHeaders, Subscription, Webhook, WebhookStatus,
};

use crate::Storage;
use crate::checked::Checked;
use crate::connection::{Connection, by_keys, execute, find, keyset, listed, load};
use crate::deliveries::{FirstAttemptRow, place};
use crate::faults::Fault;
use crate::loader::{Found, by_workspace};
use crate::named_lists::narrowed;
use crate::rows::{json, to_json, word};
use crate::schema::{deliveries, delivery_attempts, webhooks};
use crate::types::{DbId, DbTime};
use crate::write;
use crate::{webhook_counts, webhook_replays};

crate::write::written! {
    WebhookRow: crate::write::Shape::of("webhooks"),
    HealthRow: crate::write::Shape { version: "health_version", ..crate::write::Shape::of("webhooks") },
    DeliveryRow: crate::write::Shape::of("deliveries"),
    AttemptRow: crate::write::Shape::of("delivery_attempts"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = webhooks)]
    pub(crate) struct WebhookRow in webhooks {
        workspace_id: DbId,
        id: DbId,
        url: String,
        events: String,
        description: Option<String>,
        payload: String,
        secret: Vec<u8>,
        secret_hint: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        status: String,
        disabled_reason: Option<String>,
        headers: String,
        older_secrets: String,
        sealed_headers: String,
    }
}

crate::write::row! {
    /// What attempts write of a webhook.
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = webhooks)]
    pub(crate) struct HealthRow in webhooks {
        workspace_id: DbId,
        id: DbId,
        failures: i32,
        failing_since: Option<DbTime>,
        parked_until: Option<DbTime>,
        rests: i32,
        last_delivery_at: Option<DbTime>,
        health_version: i64,
    }
}

impl HealthRow {
    pub(crate) fn write(workspace_id: DbId, webhook: WebhookId, it: &Health) -> Self {
        Self {
            workspace_id,
            id: webhook.into(),
            failures: it.failures,
            failing_since: it.failing_since.map(Into::into),
            parked_until: it.parked_until.map(Into::into),
            rests: it.rests,
            last_delivery_at: it.last_delivery_at.map(Into::into),
            health_version: it.version,
        }
    }

    fn read(self) -> Health {
        Health {
            failures: self.failures,
            failing_since: self.failing_since.map(|time| time.0),
            parked_until: self.parked_until.map(|time| time.0),
            rests: self.rests,
            last_delivery_at: self.last_delivery_at.map(|time| time.0),
            version: self.health_version,
        }
    }
}

/// Bytes and milliseconds since 1970.
pub(crate) type OlderSecretText = (Vec<u8>, i64);

/// What a text is that cannot be read.
pub(crate) const SEALED: &str = "a webhook's sealed headers";

/// Name, bytes and shown form.
pub(crate) type SealedHeaderText = (String, Vec<u8>, String);

/// The headers that are not sealed: those that releases before wrote, and read.
pub(crate) fn plain_text(headers: &SealedHeaders) -> Result<String, Fault> {
    let plain = headers.iter().filter_map(|(name, value)| match value {
        HeaderValue::Plain(text) => Some((name, text)),
        HeaderValue::Sealed { .. } => None,
    });
    to_json(&plain.collect::<Vec<_>>())
}

/// The headers that are sealed.
pub(crate) fn sealed_text(headers: &SealedHeaders) -> Result<String, Fault> {
    let sealed = headers.iter().filter_map(|(name, value)| match value {
        HeaderValue::Sealed { sealed, shown } => Some((name, sealed, shown)),
        HeaderValue::Plain(_) => None,
    });
    to_json(&sealed.collect::<Vec<_>>())
}

/// The headers that are not sealed come first: a release before wrote them later.
pub(crate) fn read_headers(plain: &str, sealed: &str) -> Result<SealedHeaders, Fault> {
    let plain: Vec<(String, String)> = json(plain, "a webhook's headers")?;
    let sealed: Vec<SealedHeaderText> = json(sealed, SEALED)?;
    let plain = plain.into_iter().map(|(name, text)| (name, HeaderValue::Plain(text)));
    let sealed = sealed.into_iter().map(|(name, sealed, shown)| (name, HeaderValue::Sealed { sealed, shown }));
    Ok(SealedHeaders::new(plain.chain(sealed)))
}

impl WebhookRow {
    pub(crate) fn write(workspace_id: DbId, it: &Webhook) -> Result<Self, Fault> {
        let older = it.older_secrets.iter().map(|older| (older.sealed.clone(), older.expires_at.millis()));
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            url: it.url.clone(),
            events: to_json(&it.events.words())?,
            description: it.description.clone(),
            payload: it.payload.as_str().to_owned(),
            secret: it.secret.clone(),
            secret_hint: it.secret_hint.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            status: it.status.as_str().to_owned(),
            disabled_reason: it.disabled_reason.clone(),
            headers: plain_text(&it.headers)?,
            sealed_headers: sealed_text(&it.headers)?,
            older_secrets: to_json(&older.collect::<Vec<OlderSecretText>>())?,
        })
    }

    fn read(self, health: HealthRow) -> Result<Webhook, Fault> {
        let older: Vec<OlderSecretText> = json(&self.older_secrets, "a webhook's older secrets")?;
        let older = older.into_iter();
        let words: Vec<String> = json(&self.events, "a webhook's events")?;
        Ok(Webhook {
            id: self.id.typed(),
            url: self.url,
            events: Subscription::from_words(words.iter().map(String::as_str)),
            description: self.description,
            payload: word(&self.payload, "payload form", PayloadForm::parse)?,
            secret: self.secret,
            secret_hint: self.secret_hint,
            older_secrets: older
                .map(|(sealed, at)| OlderSecret { sealed, expires_at: Timestamp::from_millis(at) })
                .collect(),
            status: word(&self.status, "webhook status", WebhookStatus::parse)?,
            disabled_reason: self.disabled_reason,
            headers: read_headers(&self.headers, &self.sealed_headers)?,
            health: health.read(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = deliveries)]
    pub(crate) struct DeliveryRow in deliveries {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) webhook_id: DbId,
        pub(crate) event_id: DbId,
        pub(crate) event_kind: String,
        pub(crate) status: String,
        pub(crate) attempts: i32,
        pub(crate) next_attempt_at: Option<DbTime>,
        pub(crate) last_status: Option<i32>,
        pub(crate) last_error: Option<String>,
        pub(crate) created_at: DbTime,
        pub(crate) updated_at: DbTime,
        pub(crate) version: i64,
        pub(crate) round_start: i32,
        pub(crate) queue: Option<i32>,
        pub(crate) queued_for: Option<DbId>,
    }
}

impl DeliveryRow {
    pub(crate) fn write(workspace_id: DbId, it: &Delivery) -> Self {
        let (queue, queued_for) = place(it);
        Self {
            workspace_id,
            id: it.id.into(),
            webhook_id: it.webhook.into(),
            event_id: it.event.into(),
            event_kind: it.event_kind.as_str().to_owned(),
            status: it.status.as_str().to_owned(),
            attempts: it.attempts,
            next_attempt_at: it.next_attempt_at.map(Into::into),
            last_status: it.last_status,
            last_error: it.last_error.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            round_start: it.round_start,
            queue,
            queued_for,
        }
    }

    fn read(self) -> Result<Delivery, Fault> {
        Ok(Delivery {
            id: self.id.typed(),
            webhook: self.webhook_id.typed(),
            event: self.event_id.typed(),
            event_kind: word(&self.event_kind, "event kind", EventKind::parse)?,
            status: word(&self.status, "delivery status", DeliveryStatus::parse)?,
            attempts: self.attempts,
            round_start: self.round_start,
            next_attempt_at: self.next_attempt_at.map(|time| time.0),
            last_status: self.last_status,
            last_error: self.last_error,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = delivery_attempts)]
    pub(crate) struct AttemptRow in delivery_attempts {
        pub(crate) workspace_id: DbId,
        pub(crate) delivery_id: DbId,
        pub(crate) number: i32,
        pub(crate) at: DbTime,
        pub(crate) duration_ms: i64,
        pub(crate) status: Option<i32>,
        pub(crate) headers: String,
        pub(crate) body: String,
        pub(crate) error: Option<String>,
    }
}

impl AttemptRow {
    pub(crate) fn write(workspace_id: DbId, it: &Attempt) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            delivery_id: it.delivery.into(),
            number: it.number,
            at: it.at.into(),
            duration_ms: it.duration_ms,
            status: it.status,
            headers: to_json(&it.headers)?,
            body: it.body.clone(),
            error: it.error.clone(),
        })
    }

    fn read(self) -> Result<Attempt, Fault> {
        Ok(Attempt {
            delivery: self.delivery_id.typed(),
            number: self.number,
            at: self.at.0,
            duration_ms: self.duration_ms,
            status: self.status,
            headers: json(&self.headers, "an answer's headers")?,
            body: self.body,
            error: self.error,
        })
    }
}

#[async_trait]
impl WebhookQueries for Storage {
    async fn get(&self, access: &Access, webhook: WebhookId) -> Result<Option<Webhook>, StoreError> {
        self.loaders.webhooks.load(&self.backend, (access.workspace().into(), webhook.into())).await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<WebhookStatus>,
        page: PageRequest,
    ) -> Result<Page<Webhook>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let filter = filter.clone();
            let admits = move |(url, description, status): &(String, Option<String>, String)| {
                let status = Some(word(status, "webhook status", WebhookStatus::parse)?);
                Ok(filter.admits(&Listed { name: None, texts: [Some(url), description.as_deref()], status }))
            };
            let all = webhooks::table.filter(webhooks::workspace_id.eq(ws));
            let told = (webhooks::url, webhooks::description, webhooks::status);
            let read = |(row, health): (WebhookRow, HealthRow)| row.read(health);
            return narrowed!(
                self,
                ws,
                page,
                webhooks,
                (WebhookRow::as_select(), HealthRow::as_select()),
                all,
                told,
                admits,
                read
            );
        }
        self.read(move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<(WebhookRow, HealthRow)>, _) =
                    listed!(&mut c, page, (webhooks::created_at, webhooks::id), {
                        let query = webhooks::table.filter(webhooks::workspace_id.eq(ws));
                        let query = query.select((WebhookRow::as_select(), HealthRow::as_select()));
                        query.into_boxed::<Db>()
                    });
                let read = |(row, health): (WebhookRow, HealthRow)| row.read(health);
                let found = rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn subscribers(&self, access: &Access, kind: EventKind) -> Result<Vec<Webhook>, StoreError> {
        let found = self.loaders.subscribers.load(&self.backend, (access.workspace().into(), kind)).await?;
        Ok(found.unwrap_or_default())
    }

    async fn deliveries(
        &self,
        access: &Access,
        webhook: WebhookId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<Delivery>, StoreError> {
        let (ws, id, filter) = (DbId::from(access.workspace()), DbId::from(webhook), *filter);
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<DeliveryRow> = load!(&mut c, {
                    let mut query = deliveries::table
                        .filter(deliveries::workspace_id.checked(ws))
                        .filter(deliveries::webhook_id.eq(id))
                        .select(DeliveryRow::as_select())
                        .into_boxed::<Db>();
                    if let Some(status) = filter.status {
                        query = query.filter(deliveries::status.eq(status.as_str()));
                    }
                    if let Some(kind) = filter.event_kind {
                        query = query.filter(deliveries::event_kind.eq(kind.as_str()));
                    }
                    if let Some(since) = filter.since {
                        query = query.filter(deliveries::created_at.ge(DbTime(since)));
                    }
                    if let Some(until) = filter.until {
                        query = query.filter(deliveries::created_at.lt(DbTime(until)));
                    }
                    keyset!(query, page, deliveries::created_at, deliveries::id)
                })?;
                let found = rows.into_iter().map(DeliveryRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }))
            })
        })
        .await
    }

    async fn delivery(&self, access: &Access, delivery: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        self.loaders.deliveries.load(&self.backend, (access.workspace().into(), delivery.into())).await
    }

    async fn attempts(&self, access: &Access, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(delivery));
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<AttemptRow> = load!(
                    &mut c,
                    delivery_attempts::table
                        .filter(delivery_attempts::workspace_id.eq(ws))
                        .filter(delivery_attempts::delivery_id.eq(id))
                        .order(delivery_attempts::number.asc())
                        .select(AttemptRow::as_select())
                )?;
                let first: Option<FirstAttemptRow> =
                    find!(&mut c, deliveries::table.find((ws, id)).select(FirstAttemptRow::as_select()))?;
                let first = first.map(FirstAttemptRow::read).transpose()?.flatten();
                first.map(Ok).into_iter().chain(rows.into_iter().map(AttemptRow::read)).collect()
            })
        })
        .await
    }

    async fn counts(
        &self,
        access: &Access,
        webhooks: Vec<WebhookId>,
        since: Timestamp,
    ) -> Result<Vec<AttemptCount>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read_as_one(move |mut c| Box::pin(async move { webhook_counts::read(&mut c, ws, webhooks, since).await }))
            .await
    }

    async fn replay(&self, access: &Access, replay: JobId) -> Result<Option<Replay>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| Box::pin(async move { webhook_replays::read(&mut c, ws, replay).await })).await
    }
}

/// The webhooks with these keys, of a workspace and an id each.
pub(crate) fn find(mut c: Connection<'_>, keys: Vec<(DbId, DbId)>) -> Found<'_, (DbId, DbId), Webhook> {
    Box::pin(async move {
        let rows: Vec<(WebhookRow, HealthRow)> = by_keys!(
            &mut c,
            keys,
            webhooks::table.select((WebhookRow::as_select(), HealthRow::as_select())),
            (webhooks::workspace_id, webhooks::id)
        )?;
        rows.into_iter().map(|(row, health)| Ok(((row.workspace_id, row.id), row.read(health)?))).collect()
    })
}

/// Who wants events of these workspaces and kinds: webhooks that are not disabled, the oldest first.
pub(crate) fn subscribers(
    mut c: Connection<'_>,
    keys: Vec<(DbId, EventKind)>,
) -> Found<'_, (DbId, EventKind), Vec<Webhook>> {
    Box::pin(async move {
        let mut found = HashMap::<_, Vec<Webhook>>::new();
        for (workspace, kinds) in by_workspace(keys) {
            let rows: Vec<(WebhookRow, HealthRow)> = load!(
                &mut c,
                webhooks::table
                    .filter(webhooks::workspace_id.eq(workspace))
                    .filter(webhooks::status.ne(WebhookStatus::Disabled.as_str()))
                    .order(webhooks::id.asc())
                    .select((WebhookRow::as_select(), HealthRow::as_select()))
            )?;
            for (row, health) in rows {
                let webhook = row.read(health)?;
                for kind in kinds.iter().filter(|kind| webhook.events.wants(**kind)) {
                    found.entry((workspace, *kind)).or_default().push(webhook.clone());
                }
            }
        }
        Ok(found)
    })
}

/// The deliveries with these keys, of a workspace and an id each.
pub(crate) fn find_deliveries(mut c: Connection<'_>, keys: Vec<(DbId, DbId)>) -> Found<'_, (DbId, DbId), Delivery> {
    Box::pin(async move {
        let rows: Vec<DeliveryRow> = by_keys!(
            &mut c,
            keys,
            deliveries::table.select(DeliveryRow::as_select()),
            (deliveries::workspace_id, deliveries::id)
        )?;
        rows.into_iter().map(|row| Ok(((row.workspace_id, row.id), row.read()?))).collect()
    })
}

/// Removes old deliveries with their attempts, but for those of which an attempt is planned.
pub(crate) async fn expire_deliveries(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let is_settled = deliveries::status.ne(DeliveryStatus::Pending.as_str()).or(deliveries::next_attempt_at.is_null());
    let old: Vec<(DbId, DbId)> = load!(
        c,
        deliveries::table
            .filter(deliveries::created_at.lt(DbTime(before)))
            .filter(is_settled)
            .order(deliveries::created_at.asc())
            .limit(i64::from(limit))
            .select((deliveries::workspace_id, deliveries::id))
    )?;
    for (ws, id) in &old {
        remove_delivery(c, *ws, *id).await?;
    }
    Ok(old.len() as u64)
}

/// Removes a delivery with its attempts.
pub(crate) async fn remove_delivery(c: &mut Connection<'_>, ws: DbId, id: DbId) -> Result<(), Fault> {
    let attempts = delivery_attempts::table
        .filter(delivery_attempts::workspace_id.eq(ws))
        .filter(delivery_attempts::delivery_id.eq(id));
    execute!(c, diesel::delete(attempts))?;
    execute!(c, diesel::delete(deliveries::table.find((ws, id)))).map(|_| ())
}

crate::write::row! {
    /// When a receiver took a delivery.
    #[derive(Debug, Clone)]
    pub(crate) struct StampRow in webhooks {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) last_delivery_at: DbTime,
        /// A success that is later than this is enough.
        pub(crate) updated_at: DbTime,
    }
}

impl StampRow {
    pub(crate) fn write(workspace_id: DbId, webhook: WebhookId, at: Timestamp) -> Self {
        let (last_delivery_at, enough) = (DbTime(at), DbTime(at.minus(STAMP)));
        Self { workspace_id, id: webhook.into(), last_delivery_at, updated_at: enough }
    }
}

const STAMP_ON_POSTGRES: &str = "UPDATE webhooks AS t SET last_delivery_at = made.at FROM unnest((SELECT $1::uuid[]), \
    (SELECT $2::uuid[]), (SELECT $3::timestamptz[]), (SELECT $4::timestamptz[])) AS made (workspace_id, id, at, enough) \
    CROSS JOIN LATERAL (SELECT f.ctid, f.last_delivery_at FROM webhooks f WHERE f.workspace_id = made.workspace_id \
    AND f.id = made.id LIMIT 1) AS found WHERE t.ctid = found.ctid \
    AND (found.last_delivery_at IS NULL OR found.last_delivery_at <= made.enough)";
const STAMP_ON_SQLITE: &str = "UPDATE webhooks SET last_delivery_at = ?3 WHERE workspace_id = ?1 AND id = ?2 \
    AND (last_delivery_at IS NULL OR last_delivery_at <= ?4)";

/// Stamps webhooks whose last stamp is old enough: of many that say the same within a second one writes.
pub(crate) async fn stamp(c: &mut Connection<'_>, rows: Vec<StampRow>) -> Result<(), Fault> {
    let latest = BTreeMap::from_iter(rows.into_iter().map(|it| ((it.workspace_id.0, it.id.0), it)));
    let rows: Vec<_> = latest.into_values().collect();
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, STAMP_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, &rows, STAMP_ON_SQLITE).map(|_| ()),
    }
}
