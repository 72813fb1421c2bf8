//! The clocks of sandboxes, and changes of whole sandboxes.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{Agenda, Conflict, OutboundStore, Pool, SandboxQueries, StoreError};
use tidings_domain::sandboxes::SandboxChange;
use tidings_domain::stored::StoredKind;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load, on_either};
use crate::jobs::{IS_HEAD, lease_now};
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::{deliveries, jobs, sandbox_clocks, webhooks};
use crate::webhooks::deliveries::{FIRST, LATER};

/// Upper bound of all leases. A claimed job has the end of its lease in the column for its due time.
const LONGEST_LEASE: Duration = Duration::from_secs(120);

/// The condition for unfinished jobs of a pool. It must match the indexes on (pool, workspace, due time).
fn open(pool: Pool) -> diesel::expression::SqlLiteral<Bool> {
    diesel::dsl::sql::<Bool>(match pool {
        Pool::Deliveries => {
            "jobs.pool = 'deliveries' AND jobs.group_id IS NULL AND jobs.dead_at IS NULL AND NOT jobs.parked"
        }
        Pool::Work | Pool::Sends | Pool::Polls => {
            "jobs.pool <> 'deliveries' AND jobs.dead_at IS NULL AND NOT jobs.parked"
        }
    })
}

#[async_trait]
impl SandboxQueries for Storage {
    async fn ahead(&self, sandbox: WorkspaceId) -> Result<Duration, StoreError> {
        let ws = DbId::from(sandbox);
        let ahead: Option<i64> = self
            .read(ws, move |mut c| {
                Box::pin(async move {
                    let clock = sandbox_clocks::table.find(ws).select(sandbox_clocks::ahead_ms);
                    find!(&mut c, clock)
                })
            })
            .await?;
        Ok(Duration::from_millis(ahead.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(0)))
    }

    async fn agenda(&self, sandbox: WorkspaceId) -> Result<Agenda, StoreError> {
        let (ws, is_held) = (DbId::from(sandbox), self.paused_by(sandbox).await?.is_some());
        // One snapshot: a job that is claimed or queues another between two reads would be missing from both.
        self.read_as_one(ws, move |mut c| {
            Box::pin(async move {
                let mut agenda = Agenda::default();
                for pool in Pool::ALL {
                    let of_pool = agenda_of(&mut c, ws, pool).await?;
                    agenda.busy |= of_pool.busy;
                    if !(is_held && pool.leaves()) {
                        agenda.next = [agenda.next, of_pool.next].into_iter().flatten().min();
                    }
                }
                Ok(agenda)
            })
        })
        .await
    }
}

async fn agenda_of(c: &mut Connection<'_>, ws: DbId, pool: Pool) -> Result<Agenda, Fault> {
    // A job with an expired lease can be claimed again and also counts as running.
    let leases = lease_now(c).await?;
    let of_pool = jobs::table.filter(jobs::pool.eq(pool.as_str())).filter(jobs::workspace_id.eq(ws)).filter(open(pool));
    let claimed: Option<DbId> = find!(
        c,
        of_pool
            .clone()
            .filter(jobs::claimed)
            .filter(jobs::due_at.le(DbTime(leases.plus(LONGEST_LEASE))))
            .select(jobs::id)
            .limit(1)
    )?;
    let next: Option<DbTime> = find!(
        c,
        of_pool
            .filter(jobs::claimed.eq(false))
            .filter(jobs::lane.is_null().or(diesel::dsl::sql::<Bool>(IS_HEAD)))
            .order(jobs::due_at.asc())
            .select(jobs::due_at)
            .limit(1)
    )?;
    let mut agenda = Agenda { busy: claimed.is_some(), next: next.map(|at| at.0) };
    if pool == Pool::Deliveries {
        let of_workspace = webhooks::table.filter(webhooks::workspace_id.eq(ws)).select(webhooks::id);
        let webhooks: Vec<DbId> = load!(c, of_workspace)?;
        for (webhook, queue) in webhooks.into_iter().flat_map(|it| [(it, FIRST), (it, LATER)]) {
            let of_queue =
                deliveries::table.filter(deliveries::queue.eq(queue)).filter(deliveries::queued_for.eq(webhook));
            let leased = of_queue.filter(deliveries::leased_until.is_not_null()).select(deliveries::id).limit(1);
            let leased: Option<DbId> = find!(c, leased)?;
            agenda.busy |= leased.is_some();
            let waiting = of_queue.filter(deliveries::leased_until.is_null()).order(deliveries::next_attempt_at.asc());
            let waiting: Option<Option<DbTime>> = find!(c, waiting.select(deliveries::next_attempt_at).limit(1))?;
            agenda.next = [agenda.next, waiting.flatten().map(|at| at.0)].into_iter().flatten().min();
        }
    }
    Ok(agenda)
}

pub(crate) async fn change(c: &mut Connection<'_>, ws: DbId, change: &SandboxChange) -> Result<(), Fault> {
    match change {
        SandboxChange::Hold { holder, now, until } => hold(c, ws, *holder, *now, *until).await,
        SandboxChange::Release { holder } => {
            let own = sandbox_clocks::table.find(ws).filter(sandbox_clocks::holder.eq(DbId(*holder)));
            let free = (sandbox_clocks::holder.eq(None::<DbId>), sandbox_clocks::held_until.eq(None::<DbTime>));
            execute!(c, diesel::update(own).set(free)).map(|_| ())
        }
        SandboxChange::Advance { holder, by, now } => advance(c, ws, *holder, *by, *now).await,
        SandboxChange::Empty { holder } => {
            let own = sandbox_clocks::table.find(ws).filter(sandbox_clocks::holder.eq(DbId(*holder)));
            exactly_one(execute!(c, diesel::delete(own))?, Conflict::ClaimLost)?;
            empty(c, ws).await
        }
    }
}

async fn hold(c: &mut Connection<'_>, ws: DbId, holder: Uuid, now: Timestamp, until: Timestamp) -> Result<(), Fault> {
    let clock = (sandbox_clocks::workspace_id.eq(ws), sandbox_clocks::ahead_ms.eq(0_i64));
    let insert = diesel::insert_into(sandbox_clocks::table).values(clock);
    execute!(c, insert.on_conflict(sandbox_clocks::workspace_id).do_nothing())?;
    let is_free = sandbox_clocks::holder.is_null().or(sandbox_clocks::holder.eq(DbId(holder)));
    let is_over = sandbox_clocks::held_until.le(DbTime(now));
    let own = sandbox_clocks::table.find(ws).filter(is_free.or(is_over));
    let held = (sandbox_clocks::holder.eq(Some(DbId(holder))), sandbox_clocks::held_until.eq(Some(DbTime(until))));
    exactly_one(execute!(c, diesel::update(own).set(held))?, Conflict::ClaimLost)
}

/// Brings the due times of queued jobs nearer, pool by pool. Due jobs stay as they are. A job that becomes due is due
/// now and not earlier, because claims search for jobs that fell due recently. Sandboxes poll no provider.
const NEARER_ON_POSTGRES: [&str; 3] = [
    "UPDATE jobs SET due_at = greatest(due_at - $3 * interval '1 millisecond', $2) WHERE pool = 'work' \
     AND pool <> 'deliveries' AND workspace_id = $1 AND dead_at IS NULL AND NOT parked AND NOT claimed AND due_at > $2",
    "UPDATE jobs SET due_at = greatest(due_at - $3 * interval '1 millisecond', $2) WHERE pool = 'sends' \
     AND pool <> 'deliveries' AND workspace_id = $1 AND dead_at IS NULL AND NOT parked AND NOT claimed AND due_at > $2",
    "UPDATE jobs SET due_at = greatest(due_at - $3 * interval '1 millisecond', $2) WHERE pool = 'deliveries' \
     AND group_id IS NULL AND workspace_id = $1 AND dead_at IS NULL AND NOT parked AND NOT claimed AND due_at > $2",
];
const NEARER_ON_SQLITE: [&str; 3] = [
    "UPDATE jobs SET due_at = max(due_at - ?3 * 1000, ?2) WHERE pool = 'work' AND pool <> 'deliveries' \
     AND workspace_id = ?1 AND dead_at IS NULL AND NOT parked AND NOT claimed AND due_at > ?2",
    "UPDATE jobs SET due_at = max(due_at - ?3 * 1000, ?2) WHERE pool = 'sends' AND pool <> 'deliveries' \
     AND workspace_id = ?1 AND dead_at IS NULL AND NOT parked AND NOT claimed AND due_at > ?2",
    "UPDATE jobs SET due_at = max(due_at - ?3 * 1000, ?2) WHERE pool = 'deliveries' AND group_id IS NULL \
     AND workspace_id = ?1 AND dead_at IS NULL AND NOT parked AND NOT claimed AND due_at > ?2",
];
const DELIVERIES_ON_POSTGRES: &str = "UPDATE deliveries \
    SET next_attempt_at = greatest(next_attempt_at - $3 * interval '1 millisecond', $2) \
    WHERE queue = $4 AND queued_for = $1 AND leased_until IS NULL AND next_attempt_at > $2";
const DELIVERIES_ON_SQLITE: &str = "UPDATE deliveries SET next_attempt_at = max(next_attempt_at - ?3 * 1000, ?2) \
    WHERE queue = ?4 AND queued_for = ?1 AND leased_until IS NULL AND next_attempt_at > ?2";

async fn advance(c: &mut Connection<'_>, ws: DbId, holder: Uuid, by: Duration, now: Timestamp) -> Result<(), Fault> {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    let own = sandbox_clocks::table.find(ws).filter(sandbox_clocks::holder.eq(DbId(holder)));
    let ahead = sandbox_clocks::ahead_ms.eq(sandbox_clocks::ahead_ms + by);
    exactly_one(execute!(c, diesel::update(own).set(ahead))?, Conflict::ClaimLost)?;
    let (nearer, of_webhook) = match c {
        Connection::Postgres(_) => (NEARER_ON_POSTGRES, DELIVERIES_ON_POSTGRES),
        Connection::Sqlite(_) => (NEARER_ON_SQLITE, DELIVERIES_ON_SQLITE),
    };
    for text in nearer {
        let query = diesel::sql_query(text).bind::<Id, _>(ws).bind::<Instant, _>(DbTime(now));
        on_either!(c, execute, query.bind::<BigInt, _>(by))?;
    }
    let of_workspace = webhooks::table.filter(webhooks::workspace_id.eq(ws)).select(webhooks::id);
    let webhooks: Vec<DbId> = load!(c, of_workspace)?;
    for (webhook, queue) in webhooks.into_iter().flat_map(|it| [(it, FIRST), (it, LATER)]) {
        let query = diesel::sql_query(of_webhook).bind::<Id, _>(webhook).bind::<Instant, _>(DbTime(now));
        let query = query.bind::<BigInt, _>(by).bind::<Integer, _>(queue);
        on_either!(c, execute, query)?;
    }
    Ok(())
}

/// The tables that are emptied with a sandbox, referring tables first. A sandbox keeps its own row, channels, keys,
/// members, counted requests, audit log, number of events, and the revision of its listeners.
#[rustfmt::skip]
const EMPTIED: &[&str] = &[
    "delivery_attempts", "deliveries", "webhook_replays", "webhook_counts", "jobs", "event_positions", "events",
    "broadcast_recipients", "broadcast_counts", "broadcasts", "enrollments", "sequences", "flow_recipients",
    "flow_schedules", "flow_awaits", "flow_triggers", "flow_runs", "flow_node_counts", "flow_versions", "flows",
    "message_parts", "messages", "conversations", "custom_events", "import_rejects", "import_tables", "imports",
    "bulk_operations",
    "contact_erasures", "contact_merges", "contact_values", "contact_tags", "contact_identities", "contacts",
    "object_references", "webhooks", "analytics_facts", "analytics_counters", "reply_times", "idempotency_keys",
    "stored_text", "opt_outs", "opt_out_keys", "unparsed_requests", "provider_events",
];

/// Returns [`EMPTIED`], and the tables of simple objects. No other table refers to them.
pub(crate) fn emptied() -> impl Iterator<Item = &'static str> {
    EMPTIED.iter().copied().chain(StoredKind::ALL.iter().map(|kind| kind.table()))
}

async fn empty(c: &mut Connection<'_>, ws: DbId) -> Result<(), Fault> {
    for table in emptied() {
        let text = match c {
            Connection::Postgres(_) => format!(r#"DELETE FROM "{table}" WHERE ("{table}"."workspace_id" = $1)"#),
            Connection::Sqlite(_) => format!("DELETE FROM `{table}` WHERE (`{table}`.`workspace_id` = ?)"),
        };
        execute!(c, diesel::sql_query(text).bind::<Id, _>(ws))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::emptied;

    /// Tables that an emptied sandbox keeps.
    const KEPT: [&str; 16] = [
        "workspaces",
        "api_keys",
        "channels",
        "members",
        "invitations",
        "refused_invitations",
        "api_usage",
        "api_usage_hours",
        "api_usage_sums",
        // It becomes empty within moments, and references to deleted rows are skipped.
        "event_outbox",
        "event_heads",
        "feed_heads",
        "listener_revisions",
        "sandbox_clocks",
        "login_attempts",
        "audit_log",
    ];

    #[test]
    fn every_table_of_workspaces_is_emptied_or_kept() {
        let schema = crate::schema::SOURCE.concat();
        let tables = schema.split("diesel::table!").filter(|text| text.contains("workspace_id ->"));
        let tables: Vec<&str> = tables.collect();
        assert!(tables.len() > 50, "the schema lists the tables of workspaces: {}", tables.len());
        for table in tables {
            let name = table.lines().find_map(|line| line.trim().split_once(" (")).map(|(name, _)| name.trim());
            let name = name.expect("a table has a name");
            assert!(emptied().any(|it| it == name) != KEPT.contains(&name), "{name} must be either emptied or kept");
        }
    }
}
