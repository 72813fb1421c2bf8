//! Opt-outs of erased contacts, stored as digests.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary};
use tidings_domain::access::Access;
use tidings_domain::ids::ChannelId;
use tidings_domain::opt_outs::OptOut;
use tidings_domain::ports::{Conflict, OptOutQueries, Remembered, StoreError};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::{opt_out_keys, opt_outs};
use crate::write::{self, MissedRows};
use crate::{ReadMode, Storage};

/// The revision of a workspace without a key.
const NEVER: i64 = 0;

crate::write::row! {
    /// The expected revision. The change set fails if opt-outs were added since then.
    #[derive(Debug, Clone)]
    pub(crate) struct Required in opt_out_keys {
        workspace_id: DbId,
        revision: i64,
    }
}

impl Required {
    pub(crate) fn write(workspace_id: DbId, revision: i64) -> Self {
        Self { workspace_id, revision }
    }
}

/// Stores a key, unless one exists.
pub(crate) async fn make_key(c: &mut Connection<'_>, ws: DbId, sealed: &[u8], at: Timestamp) -> Result<(), Fault> {
    let row = (
        opt_out_keys::workspace_id.eq(ws),
        opt_out_keys::sealed.eq(sealed.to_vec()),
        opt_out_keys::revision.eq(NEVER + 1),
        opt_out_keys::created_at.eq(DbTime(at)),
    );
    let insert = diesel::insert_into(opt_out_keys::table).values(row);
    execute!(c, insert.on_conflict(opt_out_keys::workspace_id).do_nothing()).map(|_| ())
}

/// Stores opt-outs and increments the revision.
pub(crate) async fn remember(c: &mut Connection<'_>, ws: DbId, of: &[OptOut], at: Timestamp) -> Result<(), Fault> {
    let raised = opt_out_keys::revision.eq(opt_out_keys::revision + 1);
    if execute!(c, diesel::update(opt_out_keys::table.find(ws)).set(raised))? == 0 {
        return Err(Conflict::CatalogChanged.into());
    }
    for it in of {
        let row = (
            opt_outs::workspace_id.eq(ws),
            opt_outs::digest.eq(it.digest.to_vec()),
            opt_outs::channel_id.eq(it.channel.map(DbId::from)),
            opt_outs::at.eq(DbTime(at)),
        );
        let insert = diesel::insert_into(opt_outs::table).values(row);
        execute!(c, insert.on_conflict((opt_outs::workspace_id, opt_outs::digest)).do_nothing())?;
    }
    Ok(())
}

pub(crate) async fn lift(c: &mut Connection<'_>, ws: DbId, digests: &[[u8; 32]]) -> Result<(), Fault> {
    for digest in digests {
        execute!(c, diesel::delete(opt_outs::table.find((ws, digest.to_vec()))))?;
    }
    Ok(())
}

pub(crate) async fn forget_channel(c: &mut Connection<'_>, ws: DbId, channel: ChannelId) -> Result<(), Fault> {
    let own = opt_outs::table
        .filter(opt_outs::channel_id.eq(DbId::from(channel)))
        .filter(opt_outs::workspace_id.eq_unindexed(ws));
    execute!(c, diesel::delete(own)).map(|_| ())
}

/// Selects the positions of rows with the current revision of their workspaces.
const REQUIRE: &str = "SELECT k.n FROM unnest((SELECT $1::uuid[]), (SELECT $2::bigint[])) WITH ORDINALITY \
    AS k (workspace_id, revision, n) LEFT JOIN LATERAL (SELECT f.revision FROM opt_out_keys f \
    WHERE f.workspace_id = k.workspace_id LIMIT 1) AS found ON TRUE WHERE COALESCE(found.revision, 0) = k.revision";

/// Returns the rows with an outdated revision. This statement runs after those that write addresses. If they had to
/// wait for an erasure, it sees the opt-outs of that erasure.
pub(crate) async fn require(c: &mut Connection<'_>, rows: &[Required]) -> Result<MissedRows, Fault> {
    if let Connection::Postgres(connection) = c {
        return write::missed(connection, rows, REQUIRE).await;
    }
    let mut missed = MissedRows::new();
    for (place, row) in rows.iter().enumerate() {
        if revision(c, row.workspace_id).await? != row.revision {
            missed.push(place);
        }
    }
    Ok(missed)
}

async fn revision(c: &mut Connection<'_>, ws: DbId) -> Result<i64, Fault> {
    let found: Option<i64> = find!(c, opt_out_keys::table.find(ws).select(opt_out_keys::revision))?;
    Ok(found.unwrap_or(NEVER))
}

/// Selects the revision, with the position of each known digest, or 0 if none is known.
const AMONG: &str = "SELECT k.revision, COALESCE(d.n, 0) AS n FROM (SELECT f.revision FROM opt_out_keys f \
    WHERE f.workspace_id = $1 LIMIT 1) AS k LEFT JOIN LATERAL (SELECT w.n FROM unnest((SELECT $2::bytea[])) \
    WITH ORDINALITY AS w (digest, n) CROSS JOIN LATERAL (SELECT 1 FROM opt_outs f WHERE f.workspace_id = $1 \
    AND f.digest = w.digest LIMIT 1) AS there) AS d ON TRUE";

#[derive(QueryableByName)]
struct Known {
    #[diesel(sql_type = BigInt)]
    revision: i64,
    #[diesel(sql_type = BigInt)]
    n: i64,
}

async fn among(c: &mut Connection<'_>, ws: DbId, digests: Vec<[u8; 32]>) -> Result<Remembered, Fault> {
    let bytes: Vec<Vec<u8>> = digests.iter().map(|digest| digest.to_vec()).collect();
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(AMONG).bind::<Id, _>(ws).bind::<Array<Binary>, _>(bytes);
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        let rows: Vec<Known> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
        let revision = rows.first().map_or(NEVER, |row| row.revision);
        let place = |row: &Known| usize::try_from(row.n - 1).ok();
        let found = rows.iter().filter_map(|row| digests.get(place(row)?).copied());
        return Ok(Remembered { revision, digests: found.collect() });
    }
    let revision = revision(c, ws).await?;
    let known: Vec<Vec<u8>> = load!(
        cached_on_postgres,
        c,
        opt_outs::table
            .filter(opt_outs::workspace_id.eq(ws))
            .filter(opt_outs::digest.eq_any(bytes))
            .select(opt_outs::digest)
    )?;
    let found = digests.into_iter().filter(|digest| known.iter().any(|it| it == digest));
    Ok(Remembered { revision, digests: found.collect() })
}

#[async_trait]
impl OptOutQueries for Storage {
    async fn among(&self, access: &Access, digests: &[[u8; 32]]) -> Result<Remembered, StoreError> {
        let (ws, digests) = (DbId::from(access.workspace()), digests.to_vec());
        self.read_so(ws, ReadMode::Statement, move |mut c| Box::pin(async move { among(&mut c, ws, digests).await }))
            .await
    }
}
