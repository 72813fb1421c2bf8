//! Counts of contacts' related rows, for several sets at once on PostgreSQL.

use diesel::sql_types::{Array, BigInt};
use diesel_async::AsyncPgConnection;
use tidings_domain::ports::Counted;
use uuid::Uuid;

use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::write::guards;

/// Counts the starts of each contact in a flow since an instant.
const STARTS: &str = "SELECT k.n, (SELECT count(*) FROM flow_runs r WHERE r.contact_id = k.contact_id \
                      AND r.flow_id = k.flow_id AND r.started_at >= k.since \
                      AND NOT (r.status = 'failed' AND r.nodes_visited = 0) \
                      AND r.workspace_id IS NOT DISTINCT FROM k.workspace_id) AS present \
                      FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), \
                      (SELECT $4::timestamptz[])) WITH ORDINALITY AS k (workspace_id, contact_id, flow_id, since, n)";

#[derive(diesel::QueryableByName)]
struct Present {
    #[diesel(sql_type = BigInt)]
    n: i64,
    #[diesel(sql_type = BigInt)]
    present: i64,
}

/// Counts all. Many sets count starts: one statement counts them all.
pub(super) async fn all(
    connection: &AsyncPgConnection,
    counts: &[(Uuid, Counted)],
) -> Result<Vec<(Uuid, Counted, i64)>, Fault> {
    let (starts, others): (Vec<_>, Vec<_>) =
        counts.iter().copied().partition(|(_, what)| matches!(what, Counted::Starts { .. }));
    let each = others.into_iter().map(|(workspace, what)| async move {
        let present = guards::count(&mut Connection::Postgres(connection), DbId(workspace), what).await?;
        Ok::<_, Fault>((workspace, what, present))
    });
    let (starts, others) =
        futures::future::try_join(of_starts(connection, &starts), futures::future::try_join_all(each)).await?;
    Ok(starts.into_iter().chain(others).collect())
}

async fn of_starts(
    connection: &AsyncPgConnection,
    counts: &[(Uuid, Counted)],
) -> Result<Vec<(Uuid, Counted, i64)>, Fault> {
    if counts.is_empty() {
        return Ok(Vec::new());
    }
    let (mut workspaces, mut contacts, mut flows, mut since) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (workspace, what) in counts {
        if let Counted::Starts { flow, contact, since: from } = what {
            workspaces.push(DbId(*workspace));
            contacts.push(DbId::from(*contact));
            flows.push(DbId::from(*flow));
            since.push(DbTime(*from));
        }
    }
    let query = diesel::sql_query(STARTS)
        .bind::<Array<Id>, _>(workspaces)
        .bind::<Array<Id>, _>(contacts)
        .bind::<Array<Id>, _>(flows)
        .bind::<Array<Instant>, _>(since);
    let mut connection = connection;
    let found: Vec<Present> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
    let of = |it: Present| {
        let (workspace, what) = *counts.get(usize::try_from(it.n - 1).ok()?)?;
        Some((workspace, what, it.present))
    };
    Ok(found.into_iter().filter_map(of).collect())
}
