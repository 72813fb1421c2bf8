//! Webhooks, deliveries and attempts.

pub(crate) mod deliveries;
mod delivery_rows;
mod expiry;
mod headers;
mod rows;
mod stamps;
pub(crate) mod webhook_counts;
pub(crate) mod webhook_replays;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::events::EventKind;
use tidings_domain::ids::{DeliveryId, JobId, TypedId, WebhookId};
use tidings_domain::list_filter::{FilterFields, ListFilter};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{StoreError, WebhookQueries};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{
    Attempt, AttemptCount, Delivery, DeliveryFilter, MAX_SHOWN_ATTEMPTS, Replay, Webhook, WebhookStatus,
};
use uuid::Uuid;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::{Connection, by_keys, counted_page, find, keyset, load};
use crate::queries::loader::{Found, by_workspace};
use crate::queries::named_lists::narrowed;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{self, delivery_attempts, webhooks};
use deliveries::FirstAttemptRow;

pub(crate) use delivery_rows::{AttemptRow, DeliveryRow};
pub(crate) use expiry::{expire_deliveries, remove_delivery};
pub(crate) use headers::{SEALED, SealedHeaderText, plain_text, read_headers, sealed_text};
pub(crate) use rows::{HealthRow, OlderSecretText, WebhookRow};
pub(crate) use stamps::{StampRow, stamp};

crate::write::write_texts! {
    WebhookRow: crate::write::Shape::of("webhooks"),
    HealthRow: crate::write::Shape { version: "health_version", ..crate::write::Shape::of("webhooks") },
    DeliveryRow: crate::write::Shape::of("deliveries"),
    AttemptRow: crate::write::Shape::of("delivery_attempts"),
}

/// The workspace and the ID of a webhook.
pub type WebhookKey = (Uuid, Uuid);

impl Storage {
    /// Returns the addresses of active webhooks of all workspaces, for operators. The list is ordered by key and starts
    /// after `after`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn webhook_addresses(
        &self,
        after: Option<WebhookKey>,
        most: u16,
    ) -> Result<Vec<(WebhookKey, String)>, StoreError> {
        let (ws, id) = after.unwrap_or_default();
        let (ws, id) = (DbId(ws), DbId(id));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbId, DbId, String)> = load!(
                    &mut c,
                    webhooks::table
                        .filter(webhooks::status.eq(WebhookStatus::Active.as_str()))
                        .filter(webhooks::workspace_id.ge(ws))
                        .filter(webhooks::workspace_id.gt(ws).or(webhooks::id.gt(id)))
                        .order((webhooks::workspace_id, webhooks::id))
                        .limit(i64::from(most))
                        .select((webhooks::workspace_id, webhooks::id, webhooks::url))
                )?;
                Ok(rows.into_iter().map(|(ws, id, url)| ((ws.0, id.0), url)).collect())
            })
        })
        .await
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
                Ok(filter.admits(&FilterFields { name: None, texts: [Some(url), description.as_deref()], status }))
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
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<(WebhookRow, HealthRow)>, _) =
                    counted_page!(&mut c, page, (webhooks::created_at, webhooks::id), {
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
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<DeliveryRow> = load!(&mut c, {
                    let mut query = schema::deliveries::table
                        .filter(schema::deliveries::workspace_id.eq_unindexed(ws))
                        .filter(schema::deliveries::webhook_id.eq(id))
                        .select(DeliveryRow::as_select())
                        .into_boxed::<Db>();
                    if let Some(status) = filter.status {
                        query = query.filter(schema::deliveries::status.eq(status.as_str()));
                    }
                    if let Some(kind) = filter.event_kind {
                        query = query.filter(schema::deliveries::event_kind.eq(kind.as_str()));
                    }
                    if let Some(since) = filter.since {
                        query = query.filter(schema::deliveries::created_at.ge(DbTime(since)));
                    }
                    if let Some(until) = filter.until {
                        query = query.filter(schema::deliveries::created_at.lt(DbTime(until)));
                    }
                    keyset!(query, page, schema::deliveries::created_at, schema::deliveries::id)
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
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<AttemptRow> = load!(
                    &mut c,
                    delivery_attempts::table
                        .filter(delivery_attempts::workspace_id.eq(ws))
                        .filter(delivery_attempts::delivery_id.eq(id))
                        .order(delivery_attempts::number.desc())
                        .limit(i64::from(MAX_SHOWN_ATTEMPTS))
                        .select(AttemptRow::as_select())
                )?;
                let first: Option<FirstAttemptRow> =
                    find!(&mut c, schema::deliveries::table.find((ws, id)).select(FirstAttemptRow::as_select()))?;
                let first = first.map(FirstAttemptRow::read).transpose()?.flatten();
                let first = first.filter(|_| rows.len() < usize::from(MAX_SHOWN_ATTEMPTS));
                first.map(Ok).into_iter().chain(rows.into_iter().rev().map(AttemptRow::read)).collect()
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
        self.read_as_one(ws, move |mut c| {
            Box::pin(async move { webhook_counts::read(&mut c, ws, webhooks, since).await })
        })
        .await
    }

    async fn replay(&self, access: &Access, replay: JobId) -> Result<Option<Replay>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { webhook_replays::read(&mut c, ws, replay).await })).await
    }
}

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

/// Returns the webhooks that receive events of these workspaces and kinds and are not disabled, oldest first.
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

pub(crate) fn find_deliveries(mut c: Connection<'_>, keys: Vec<(DbId, DbId)>) -> Found<'_, (DbId, DbId), Delivery> {
    Box::pin(async move {
        let rows: Vec<DeliveryRow> = by_keys!(
            &mut c,
            keys,
            schema::deliveries::table.select(DeliveryRow::as_select()),
            (schema::deliveries::workspace_id, schema::deliveries::id)
        )?;
        rows.into_iter().map(|row| Ok(((row.workspace_id, row.id), row.read()?))).collect()
    })
}
