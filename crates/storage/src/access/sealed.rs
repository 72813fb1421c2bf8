//! Sealed values of all tables, and the canary row.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use tidings_domain::access::SigningKey;
use tidings_domain::channels;
use tidings_domain::ids::{WebhookId, WorkspaceId};
use tidings_domain::opt_outs;
use tidings_domain::ports::{
    IdempotencyRecord, PlainHeaders, SealedKind, SealedPlace, SealedRow, SealedStore, SealedValue, StoreError,
};
use tidings_domain::secrets;
use tidings_domain::webhooks::{SealedHeaders, header_context, secret_context};

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::rows::{json, to_json};
use crate::queries::types::{DbId, Id};
use crate::schema::{
    channels as channel_rows, idempotency_keys, opt_out_keys, sealed_canary, secrets as secret_rows, signing_keys,
    webhooks,
};
use crate::webhooks::{OlderSecretText, SEALED, SealedHeaderText, plain_text, read_headers, sealed_text};

/// The name of the only canary.
const CANARY: &str = "master-key";

#[async_trait]
impl SealedStore for Storage {
    async fn canary(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move { find!(&mut c, sealed_canary::table.find(CANARY).select(sealed_canary::sealed)) })
        })
        .await
    }

    async fn put_canary(&self, before: Option<Vec<u8>>, sealed: Vec<u8>) -> Result<bool, StoreError> {
        let outcome = self.transact(move |mut c| {
            Box::pin(async move {
                let rows = match before {
                    Some(before) => {
                        let target = sealed_canary::table.find(CANARY).filter(sealed_canary::sealed.eq(before));
                        execute!(&mut c, diesel::update(target).set(sealed_canary::sealed.eq(sealed)))?
                    }
                    None => {
                        let row = (sealed_canary::name.eq(CANARY), sealed_canary::sealed.eq(sealed));
                        let insert = diesel::insert_into(sealed_canary::table).values(row);
                        execute!(&mut c, insert.on_conflict(sealed_canary::name).do_nothing())?
                    }
                };
                Ok(rows == 1)
            })
        });
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn sealed(
        &self,
        kind: SealedKind,
        after: Option<SealedPlace>,
        limit: u32,
    ) -> Result<Vec<SealedRow>, StoreError> {
        let limit = i64::from(limit);
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                match kind {
                    SealedKind::Webhooks => of_webhooks(&mut c, after, limit).await,
                    SealedKind::Channels => of_channels(&mut c, after, limit).await,
                    SealedKind::Secrets => of_secrets(&mut c, after, limit).await,
                    SealedKind::SigningKeys => of_signing_keys(&mut c, after, limit).await,
                    SealedKind::Answers => of_answers(&mut c, after, limit).await,
                    SealedKind::OptOutKeys => of_opt_out_keys(&mut c, after, limit).await,
                }
            })
        })
        .await
    }

    async fn replace_sealed(&self, rows: Vec<(SealedRow, Vec<Vec<u8>>)>) -> Result<u64, StoreError> {
        let outcome = self.transact(move |mut c| {
            Box::pin(async move {
                let mut written = 0;
                for (row, values) in rows {
                    let before = row.values.into_iter().map(|value| value.sealed).collect();
                    written += replace(&mut c, row.place, before, values).await? as u64;
                }
                Ok(written)
            })
        });
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn plain_headers(
        &self,
        after: Option<(WorkspaceId, WebhookId)>,
        limit: u32,
    ) -> Result<Vec<PlainHeaders>, StoreError> {
        let (ws, id) = after.map_or(FIRST, |(ws, id)| (ws.into(), id.into()));
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let columns = (webhooks::workspace_id, webhooks::id, webhooks::headers, webhooks::sealed_headers);
                let rows: Vec<(DbId, DbId, String, String)> = load!(
                    &mut c,
                    webhooks::table
                        .select(columns)
                        .filter(
                            webhooks::workspace_id.ge(ws).and(webhooks::workspace_id.gt(ws).or(webhooks::id.gt(id)))
                        )
                        .order((webhooks::workspace_id.asc(), webhooks::id.asc()))
                        .filter(diesel::dsl::sql::<Bool>("webhooks.headers <> '[]'"))
                        .limit(i64::from(limit))
                )?;
                let read = |(ws, id, plain, sealed): (DbId, DbId, String, String)| {
                    let headers = read_headers(&plain, &sealed)?;
                    Ok(PlainHeaders { workspace: ws.to_typed_id(), webhook: id.to_typed_id(), headers })
                };
                rows.into_iter().map(read).collect()
            })
        })
        .await
    }

    async fn replace_headers(&self, webhooks: Vec<(PlainHeaders, SealedHeaders)>) -> Result<u64, StoreError> {
        let outcome = self.transact(move |mut c| {
            Box::pin(async move {
                let mut written = 0;
                for (before, after) in webhooks {
                    let place = webhooks::table.find((DbId::from(before.workspace), DbId::from(before.webhook)));
                    let there = place.select((webhooks::headers, webhooks::sealed_headers));
                    let found: Option<(String, String)> = find!(&mut c, there)?;
                    let Some((plain, sealed)) = found else { continue };
                    if read_headers(&plain, &sealed)? != before.headers {
                        continue;
                    }
                    let same = place.filter(webhooks::headers.eq(plain)).filter(webhooks::sealed_headers.eq(sealed));
                    let changes =
                        (webhooks::headers.eq(plain_text(&after)?), webhooks::sealed_headers.eq(sealed_text(&after)?));
                    written += execute!(&mut c, diesel::update(same).set(changes))? as u64;
                }
                Ok(written)
            })
        });
        outcome.await.map_err(Fault::into_store_error)
    }
}

/// The key before all rows.
const FIRST: (DbId, DbId) = (DbId(uuid::Uuid::nil()), DbId(uuid::Uuid::nil()));

fn values(values: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<SealedValue> {
    values.into_iter().map(|(context, sealed)| SealedValue { context, sealed }).collect()
}

async fn of_webhooks(c: &mut Connection<'_>, after: Option<SealedPlace>, limit: i64) -> Result<Vec<SealedRow>, Fault> {
    let (ws, id) = match after {
        Some(SealedPlace::Webhook(ws, id)) => (ws.into(), id.into()),
        _ => FIRST,
    };
    let columns =
        (webhooks::workspace_id, webhooks::id, webhooks::secret, webhooks::older_secrets, webhooks::sealed_headers);
    type Row = (DbId, DbId, Vec<u8>, String, String);
    let rows: Vec<Row> = load!(
        c,
        webhooks::table
            .select(columns)
            .filter(webhooks::workspace_id.ge(ws).and(webhooks::workspace_id.gt(ws).or(webhooks::id.gt(id))))
            .order((webhooks::workspace_id.asc(), webhooks::id.asc()))
            .limit(limit)
    )?;
    let read = |(ws, id, secret, older, headers): Row| {
        let webhook: WebhookId = id.to_typed_id();
        let older: Vec<OlderSecretText> = json(&older, "a webhook's older secrets")?;
        let secrets = std::iter::once(secret).chain(older.into_iter().map(|(sealed, _)| sealed));
        let secrets = secrets.map(|sealed| (secret_context(webhook), sealed));
        let headers: Vec<SealedHeaderText> = json(&headers, SEALED)?;
        let headers = headers.into_iter().map(|(name, sealed, _)| (header_context(webhook, &name), sealed));
        Ok(SealedRow { place: SealedPlace::Webhook(ws.to_typed_id(), webhook), values: values(secrets.chain(headers)) })
    };
    rows.into_iter().map(read).collect()
}

async fn of_channels(c: &mut Connection<'_>, after: Option<SealedPlace>, limit: i64) -> Result<Vec<SealedRow>, Fault> {
    let (ws, id) = match after {
        Some(SealedPlace::Channel(ws, id)) => (ws.into(), id.into()),
        _ => FIRST,
    };
    let columns = (channel_rows::workspace_id, channel_rows::id, channel_rows::secret, channel_rows::inbound_token);
    type Row = (DbId, DbId, Option<Vec<u8>>, Option<Vec<u8>>);
    let rows: Vec<Row> = load!(
        c,
        channel_rows::table
            .select(columns)
            .filter(
                channel_rows::workspace_id.ge(ws).and(channel_rows::workspace_id.gt(ws).or(channel_rows::id.gt(id)))
            )
            .order((channel_rows::workspace_id.asc(), channel_rows::id.asc()))
            .filter(channel_rows::secret.is_not_null())
            .filter(channel_rows::inbound_token.is_not_null())
            .limit(limit)
    )?;
    let read = |(ws, id, secret, token): Row| {
        let channel = id.to_typed_id();
        let secret = secret.map(|sealed| (channels::secret_context(channel), sealed));
        let token = token.map(|sealed| (channels::token_context(channel), sealed));
        SealedRow {
            place: SealedPlace::Channel(ws.to_typed_id(), channel),
            values: values(secret.into_iter().chain(token)),
        }
    };
    Ok(rows.into_iter().map(read).collect())
}

async fn of_secrets(c: &mut Connection<'_>, after: Option<SealedPlace>, limit: i64) -> Result<Vec<SealedRow>, Fault> {
    let (ws, id) = match after {
        Some(SealedPlace::Secret(ws, id)) => (ws.into(), id.into()),
        _ => FIRST,
    };
    let columns = (secret_rows::workspace_id, secret_rows::id, secret_rows::sealed);
    let rows: Vec<(DbId, DbId, Vec<u8>)> = load!(
        c,
        secret_rows::table
            .select(columns)
            .filter(secret_rows::workspace_id.ge(ws).and(secret_rows::workspace_id.gt(ws).or(secret_rows::id.gt(id))))
            .order((secret_rows::workspace_id.asc(), secret_rows::id.asc()))
            .limit(limit)
    )?;
    let read = |(ws, id, sealed): (DbId, DbId, Vec<u8>)| {
        let secret = id.to_typed_id();
        let values = values([(secrets::secret_context(secret), sealed)]);
        SealedRow { place: SealedPlace::Secret(ws.to_typed_id(), secret), values }
    };
    Ok(rows.into_iter().map(read).collect())
}

async fn of_signing_keys(
    c: &mut Connection<'_>,
    after: Option<SealedPlace>,
    limit: i64,
) -> Result<Vec<SealedRow>, Fault> {
    let after = match after {
        Some(SealedPlace::SigningKey(id)) => id.into(),
        _ => FIRST.1,
    };
    let rows: Vec<(DbId, Vec<u8>)> = load!(
        c,
        signing_keys::table
            .filter(signing_keys::id.gt(after))
            .order(signing_keys::id.asc())
            .select((signing_keys::id, signing_keys::sealed))
            .limit(limit)
    )?;
    let read = |(id, sealed): (DbId, Vec<u8>)| {
        let values = values([(SigningKey::seal_context(id.to_typed_id()), sealed)]);
        SealedRow { place: SealedPlace::SigningKey(id.to_typed_id()), values }
    };
    Ok(rows.into_iter().map(read).collect())
}

async fn of_answers(c: &mut Connection<'_>, after: Option<SealedPlace>, limit: i64) -> Result<Vec<SealedRow>, Fault> {
    let (ws, method, route, key) = match after {
        Some(SealedPlace::Answer(ws, method, route, key)) => (ws.into(), method, route, key),
        _ => (FIRST.0, String::new(), String::new(), String::new()),
    };
    let rows: Vec<(DbId, String, String, String, Vec<u8>)> = load!(
        c,
        idempotency_keys::table
            .filter(idempotency_keys::sealed)
            .filter(
                diesel::dsl::sql::<Bool>("(workspace_id, method, route, key) > (")
                    .bind::<Id, _>(ws)
                    .sql(", ")
                    .bind::<Text, _>(method.clone())
                    .sql(", ")
                    .bind::<Text, _>(route.clone())
                    .sql(", ")
                    .bind::<Text, _>(key.clone())
                    .sql(")")
            )
            .order((
                idempotency_keys::workspace_id.asc(),
                idempotency_keys::method.asc(),
                idempotency_keys::route.asc(),
                idempotency_keys::key.asc()
            ))
            .select((
                idempotency_keys::workspace_id,
                idempotency_keys::method,
                idempotency_keys::route,
                idempotency_keys::key,
                idempotency_keys::body
            ))
            .limit(limit)
    )?;
    let read = |(ws, method, route, key, sealed): (DbId, String, String, String, Vec<u8>)| {
        let context = IdempotencyRecord::seal_context(ws.to_typed_id(), &route, &key);
        let place = SealedPlace::Answer(ws.to_typed_id(), method, route, key);
        SealedRow { place, values: values([(context, sealed)]) }
    };
    Ok(rows.into_iter().map(read).collect())
}

async fn of_opt_out_keys(
    c: &mut Connection<'_>,
    after: Option<SealedPlace>,
    limit: i64,
) -> Result<Vec<SealedRow>, Fault> {
    let after = match after {
        Some(SealedPlace::OptOutKey(ws)) => ws.into(),
        _ => FIRST.0,
    };
    let rows: Vec<(DbId, Vec<u8>)> = load!(
        c,
        opt_out_keys::table
            .filter(opt_out_keys::workspace_id.gt(after))
            .order(opt_out_keys::workspace_id.asc())
            .select((opt_out_keys::workspace_id, opt_out_keys::sealed))
            .limit(limit)
    )?;
    let read = |(ws, sealed): (DbId, Vec<u8>)| {
        let values = values([(opt_outs::seal_context(ws.to_typed_id()), sealed)]);
        SealedRow { place: SealedPlace::OptOutKey(ws.to_typed_id()), values }
    };
    Ok(rows.into_iter().map(read).collect())
}

/// Replaces the values of a row if they are unchanged. Returns the number of rows.
async fn replace(
    c: &mut Connection<'_>,
    place: SealedPlace,
    before: Vec<Vec<u8>>,
    after: Vec<Vec<u8>>,
) -> Result<usize, Fault> {
    match place {
        SealedPlace::Webhook(ws, id) => {
            let place = webhooks::table.find((DbId::from(ws), DbId::from(id)));
            let there = place.select((webhooks::secret, webhooks::older_secrets, webhooks::sealed_headers));
            let found: Option<(Vec<u8>, String, String)> = find!(c, there)?;
            let Some((secret, older_text, headers_text)) = found else { return Ok(0) };
            let older: Vec<OlderSecretText> = json(&older_text, "a webhook's older secrets")?;
            let headers: Vec<SealedHeaderText> = json(&headers_text, SEALED)?;
            let present = std::iter::once(&secret).chain(older.iter().map(|(sealed, _)| sealed));
            let present = present.chain(headers.iter().map(|(_, sealed, _)| sealed));
            let is_same = present.eq(before.iter()) && before.len() == after.len();
            let mut after = after.into_iter();
            let Some(first) = after.next().filter(|_| is_same) else { return Ok(0) };
            let older: Vec<OlderSecretText> =
                after.by_ref().take(older.len()).zip(older).map(|(sealed, (_, at))| (sealed, at)).collect();
            let headers: Vec<SealedHeaderText> =
                after.zip(headers).map(|(sealed, (name, _, shown))| (name, sealed, shown)).collect();
            let same = place.filter(webhooks::secret.eq(secret)).filter(webhooks::older_secrets.eq(older_text));
            let same = same.filter(webhooks::sealed_headers.eq(headers_text));
            let changes = (
                webhooks::secret.eq(first),
                webhooks::older_secrets.eq(to_json(&older)?),
                webhooks::sealed_headers.eq(to_json(&headers)?),
            );
            execute!(c, diesel::update(same).set(changes))
        }
        SealedPlace::Channel(ws, id) => {
            let (Ok([secret, token]), Ok([new_secret, new_token])) = (two(before), two(after)) else { return Ok(0) };
            let same = channel_rows::table.find((DbId::from(ws), DbId::from(id)));
            let same = same.filter(channel_rows::secret.eq(secret)).filter(channel_rows::inbound_token.eq(token));
            let changes = (channel_rows::secret.eq(new_secret), channel_rows::inbound_token.eq(new_token));
            execute!(c, diesel::update(same).set(changes))
        }
        SealedPlace::Secret(ws, id) => {
            let (Some(before), Some(after)) = (before.into_iter().next(), after.into_iter().next()) else {
                return Ok(0);
            };
            let same = secret_rows::table.find((DbId::from(ws), DbId::from(id))).filter(secret_rows::sealed.eq(before));
            execute!(c, diesel::update(same).set(secret_rows::sealed.eq(after)))
        }
        SealedPlace::SigningKey(id) => {
            let (Some(before), Some(after)) = (before.into_iter().next(), after.into_iter().next()) else {
                return Ok(0);
            };
            let same = signing_keys::table.find(DbId::from(id)).filter(signing_keys::sealed.eq(before));
            execute!(c, diesel::update(same).set(signing_keys::sealed.eq(after)))
        }
        SealedPlace::OptOutKey(ws) => {
            let (Some(before), Some(after)) = (before.into_iter().next(), after.into_iter().next()) else {
                return Ok(0);
            };
            let same = opt_out_keys::table.find(DbId::from(ws)).filter(opt_out_keys::sealed.eq(before));
            execute!(c, diesel::update(same).set(opt_out_keys::sealed.eq(after)))
        }
        SealedPlace::Answer(ws, method, route, key) => {
            let (Some(before), Some(after)) = (before.into_iter().next(), after.into_iter().next()) else {
                return Ok(0);
            };
            let same = idempotency_keys::table.find((DbId::from(ws), method, route, key));
            let same = same.filter(idempotency_keys::sealed).filter(idempotency_keys::body.eq(before));
            execute!(c, diesel::update(same).set(idempotency_keys::body.eq(after)))
        }
    }
}

fn two(values: Vec<Vec<u8>>) -> Result<[Vec<u8>; 2], Vec<Vec<u8>>> {
    values.try_into()
}
