//! Sealed values of all tables, and the canary row.

mod portions;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::ids::{WebhookId, WorkspaceId};
use tidings_domain::ports::{PlainHeaders, SealedKind, SealedPlace, SealedRow, SealedStore, StoreError};
use tidings_domain::webhooks::SealedHeaders;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::rows::{json, to_json};
use crate::queries::types::DbId;
use crate::schema::{
    channels as channel_rows, idempotency_keys, opt_out_keys, sealed_canary, secrets as secret_rows, signing_keys,
    webhooks,
};
use crate::webhooks::{OlderSecretText, SEALED, SealedHeaderText, plain_text, read_headers, sealed_text};
use portions::FIRST;

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
        self.read(SYSTEM, move |mut c| Box::pin(async move { portions::portion(&mut c, kind, after, limit).await }))
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
