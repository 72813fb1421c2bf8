//! Loads the sealed values of a table in portions.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use tidings_domain::access::SigningKey;
use tidings_domain::channels;
use tidings_domain::ids::WebhookId;
use tidings_domain::opt_outs;
use tidings_domain::ports::{IdempotencyRecord, SealedKind, SealedPlace, SealedRow, SealedValue};
use tidings_domain::secrets;
use tidings_domain::webhooks::{header_context, secret_context};

use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::queries::rows::json;
use crate::queries::types::{DbId, Id};
use crate::schema::{
    channels as channel_rows, idempotency_keys, opt_out_keys, secrets as secret_rows, signing_keys, webhooks,
};
use crate::webhooks::{OlderSecretText, SEALED, SealedHeaderText};

/// Loads the rows of a kind after a place, in the order of their keys.
pub(super) async fn portion(
    c: &mut Connection<'_>,
    kind: SealedKind,
    after: Option<SealedPlace>,
    limit: i64,
) -> Result<Vec<SealedRow>, Fault> {
    match kind {
        SealedKind::Webhooks => of_webhooks(c, after, limit).await,
        SealedKind::Channels => of_channels(c, after, limit).await,
        SealedKind::Secrets => of_secrets(c, after, limit).await,
        SealedKind::SigningKeys => of_signing_keys(c, after, limit).await,
        SealedKind::Answers => of_answers(c, after, limit).await,
        SealedKind::OptOutKeys => of_opt_out_keys(c, after, limit).await,
    }
}

/// The key before all rows.
pub(super) const FIRST: (DbId, DbId) = (DbId(uuid::Uuid::nil()), DbId(uuid::Uuid::nil()));

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
