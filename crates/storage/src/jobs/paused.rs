//! Jobs that wait for an event. They are in no lane, so jobs behind them in their conversation continue. When the event
//! comes, messages return to their lanes, before messages that were queued later; other jobs have no lane.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable};
use tidings_domain::ports::{Claim, Conflict, HeldUntil};
use tidings_domain::time::Timestamp;

use super::lanes;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::{jobs, messages};

const HOLD_ON_POSTGRES: &str = "UPDATE jobs AS t SET claimed = false, claims = 0, parked = true, followed = false, \
    due_at = $5, group_id = $4, lane = NULL FROM (SELECT f.ctid, f.lane, f.followed FROM jobs f \
    WHERE f.workspace_id = $1 AND f.id = $2 AND f.token = $3 AND f.claimed LIMIT 1 FOR NO KEY UPDATE) AS found \
    WHERE t.ctid = found.ctid RETURNING CASE WHEN found.followed THEN found.lane END AS lane";
const RELEASE_ON_POSTGRES: &str = "WITH held AS MATERIALIZED (SELECT f.ctid AS place, f.subject FROM jobs f \
    WHERE f.group_id = $1 AND f.parked AND f.workspace_id IS NOT DISTINCT FROM $2 FOR NO KEY UPDATE) \
    UPDATE jobs AS t SET group_id = NULL, due_at = $3, lane = said.conversation_id, \
    parked = said.conversation_id IS NOT NULL FROM held LEFT JOIN LATERAL (SELECT m.conversation_id FROM messages m \
    WHERE m.workspace_id = $2 AND m.id = held.subject LIMIT 1) AS said ON true WHERE t.ctid = held.place RETURNING t.lane";
/// Parks all jobs of the lanes as followed. The first of each lane is released separately.
const LINE_UP_ON_POSTGRES: &str = "UPDATE jobs AS t SET parked = NOT t.claimed, followed = true \
    FROM unnest((SELECT $1::uuid[])) AS l (lane) CROSS JOIN LATERAL (SELECT f.ctid FROM jobs f WHERE f.lane = l.lane \
    AND f.dead_at IS NULL FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid";

#[derive(QueryableByName)]
struct Lane {
    #[diesel(sql_type = Nullable<Id>)]
    lane: Option<DbId>,
}

/// Parks a claimed job until an event occurs.
pub(crate) async fn hold(c: &mut Connection<'_>, ws: DbId, claim: Claim, until: HeldUntil) -> Result<(), Fault> {
    let (job, until) = (DbId::from(claim.job), DbId(until.uuid()));
    let left: Option<Option<DbId>> = match c {
        Connection::Postgres(connection) => {
            let query = diesel::sql_query(HOLD_ON_POSTGRES).bind::<Id, _>(ws).bind::<Id, _>(job);
            let query = query.bind::<BigInt, _>(claim.token).bind::<Id, _>(until);
            let query = PreparedQuery(query.bind::<Instant, _>(DbTime(Timestamp::END)));
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let held: Vec<Lane> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
            held.into_iter().next().map(|it| it.lane)
        }
        Connection::Sqlite(_) => {
            let own = jobs::table.find((ws, job)).filter(jobs::token.eq(claim.token)).filter(jobs::claimed);
            let found: Option<(bool, Option<DbId>)> = find!(c, own.select((jobs::followed, jobs::lane)))?;
            let given_back = (jobs::claimed.eq(false), jobs::claims.eq(0), jobs::parked.eq(true));
            let waits = (jobs::due_at.eq(DbTime(Timestamp::END)), jobs::group_id.eq(Some(until)));
            let alone = (jobs::lane.eq(None::<DbId>), jobs::followed.eq(false));
            execute!(c, diesel::update(own).set((given_back, waits, alone)))?;
            found.map(|(followed, lane)| lane.filter(|_| followed))
        }
    };
    exactly_one(usize::from(left.is_some()), Conflict::ClaimLost)?;
    lanes::release(c, left.flatten().into_iter().collect()).await
}

/// Makes the jobs due that wait for an event, and returns messages to their lanes.
pub(crate) async fn release(
    c: &mut Connection<'_>,
    ws: DbId,
    until: HeldUntil,
    due_at: Timestamp,
) -> Result<(), Fault> {
    let until = DbId(until.uuid());
    let mut lanes: Vec<DbId> = match c {
        Connection::Postgres(connection) => {
            let query = diesel::sql_query(RELEASE_ON_POSTGRES).bind::<Id, _>(until).bind::<Id, _>(ws);
            let query = PreparedQuery(query.bind::<Instant, _>(DbTime(due_at)));
            let mut connection: &diesel_async::AsyncPgConnection = connection;
            let released: Vec<Lane> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
            released.into_iter().filter_map(|it| it.lane).collect()
        }
        Connection::Sqlite(_) => {
            let held = jobs::table.filter(jobs::group_id.eq(until)).filter(jobs::parked);
            let held: Vec<(DbId, DbId)> =
                load!(c, held.filter(jobs::workspace_id.eq_unindexed(ws)).select((jobs::id, jobs::subject)))?;
            let mut lanes = Vec::new();
            for (job, message) in held {
                let said = messages::table.find((ws, message)).select(messages::conversation_id);
                let lane: Option<Option<DbId>> = find!(c, said)?;
                let lane = lane.flatten();
                lanes.extend(lane);
                let waits = (jobs::lane.eq(lane), jobs::parked.eq(lane.is_some()));
                let back = (jobs::group_id.eq(None::<DbId>), jobs::due_at.eq(DbTime(due_at)), waits);
                execute!(c, diesel::update(jobs::table.find((ws, job))).set(back))?;
            }
            lanes
        }
    };
    lanes.sort_unstable_by_key(|lane| lane.0);
    lanes.dedup();
    line_up(c, &lanes).await?;
    lanes::release(c, lanes).await
}

/// Parks all jobs of these lanes behind the first of each.
async fn line_up(c: &mut Connection<'_>, lanes: &[DbId]) -> Result<(), Fault> {
    if lanes.is_empty() {
        return Ok(());
    }
    if let Connection::Postgres(connection) = c {
        let query = PreparedQuery(diesel::sql_query(LINE_UP_ON_POSTGRES).bind::<Array<Id>, _>(lanes.to_vec()));
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        return Ok(diesel_async::RunQueryDsl::execute(query, &mut connection).await.map(drop)?);
    }
    for lane in lanes {
        let own = jobs::table.filter(jobs::lane.eq(lane)).filter(jobs::dead_at.is_null());
        execute!(
            c,
            diesel::update(own).set((jobs::parked.eq(diesel::dsl::not(jobs::claimed)), jobs::followed.eq(true)))
        )?;
    }
    Ok(())
}
