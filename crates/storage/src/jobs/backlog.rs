//! Counts of waiting and dead-lettered work, for operators.

use std::collections::BTreeMap;

use diesel::sql_types::{BigInt, Nullable, Text};
use tidings_domain::ports::{JobKind, Pool, StoreError};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, on_either};
use crate::jobs::lines;
use crate::queries::rows::word;
use crate::queries::types::{DbTime, Instant};

/// Maximum count for each pool. A larger backlog does not need an exact number.
pub const MOST_COUNTED: u64 = 10_000;

/// The backlog of one kind of job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindBacklog {
    /// Due jobs, neither claimed nor held.
    pub due: u64,
    /// Due time of the oldest one.
    pub oldest_due: Option<Timestamp>,
    /// Due jobs that are held.
    pub held: u64,
    /// Dead-lettered jobs. They do not run again without an operator.
    pub dead: u64,
}

/// Waiting and dead-lettered work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Backlog by kind. Contains all kinds.
    pub kinds: BTreeMap<&'static str, KindBacklog>,
    /// Committed events that are not in the feed yet.
    pub unnumbered_events: u64,
    /// Recording time of the oldest one.
    pub oldest_unnumbered: Option<Timestamp>,
    /// Webhooks that were disabled after failing for too long or responding with "gone".
    pub disabled_webhooks: u64,
}

#[derive(diesel::QueryableByName)]
struct Group {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = Nullable<Instant>)]
    first: Option<DbTime>,
}

/// The condition that outbound sending is not paused, neither for the whole store nor for the workspace. Neither
/// subquery depends on the row: each runs once for a statement.
fn not_held(workspace: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold') AND {workspace} \
         NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')"
    )
}

fn is_held(workspace: &str) -> String {
    format!(
        "(EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold') OR {workspace} \
         IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold'))"
    )
}

/// Counts the first due jobs of a pool by kind. Each condition matches an index.
fn due(open: &str, held: &str) -> String {
    format!(
        "SELECT kind AS name, count(*) AS count, min(due_at) AS first FROM (SELECT j.kind, j.due_at FROM jobs j \
         WHERE {open} AND j.dead_at IS NULL AND NOT j.claimed AND NOT j.parked AND j.due_at <= $1 AND {held} \
         ORDER BY j.due_at LIMIT 10000) first GROUP BY kind"
    )
}

/// Counts jobs parked behind others in their lanes.
fn blocked_in_lane(held: &str) -> String {
    format!(
        "SELECT kind AS name, count(*) AS count, min(due_at) AS first FROM (SELECT j.kind, j.due_at FROM jobs j \
         WHERE j.parked AND j.group_id IS NULL AND j.due_at <= $1 AND {held} LIMIT 10000) behind GROUP BY kind"
    )
}

/// Counts due deliveries webhook by webhook, with the earliest due time.
fn deliveries(queue: &str, kind: &str, held: &str) -> String {
    let lines = lines(queue);
    format!(
        "{lines} SELECT '{kind}' AS name, (SELECT count(*) FROM (SELECT 1 FROM line JOIN deliveries h \
         ON h.queue = {queue} AND h.queued_for = line.id WHERE h.next_attempt_at <= $1 AND h.leased_until IS NULL \
         AND {held} LIMIT 10000) due) AS count, (SELECT min(of_one) FROM (SELECT (SELECT h.next_attempt_at \
         FROM deliveries h WHERE h.queue = {queue} AND h.queued_for = line.id AND h.next_attempt_at <= $1 \
         AND h.leased_until IS NULL AND {held} ORDER BY h.next_attempt_at LIMIT 1) AS of_one FROM line \
         WHERE line.id IS NOT NULL) first) AS first"
    )
}

const WORK: &str = "j.pool = 'work' AND j.pool <> 'deliveries'";
const SENDS: &str = "j.pool = 'sends' AND j.pool <> 'deliveries'";
const POLLS: &str = "j.pool = 'polls' AND j.pool <> 'deliveries'";
const DELIVERIES: &str = "j.pool = 'deliveries'";

fn due_queries() -> [String; 7] {
    let (job, delivery) = (not_held("j.workspace_id"), not_held("h.workspace_id"));
    [
        due(WORK, "j.claims < 5"),
        due(POLLS, "j.claims < 5"),
        due(SENDS, &job),
        due(DELIVERIES, &job),
        blocked_in_lane(&format!("(j.pool <> 'sends' OR {job})")),
        deliveries("1", "attempt_delivery", &delivery),
        deliveries("2", "retry_delivery", &delivery),
    ]
}

fn held_queries() -> [String; 5] {
    let (job, delivery) = (is_held("j.workspace_id"), is_held("h.workspace_id"));
    [
        due(SENDS, &job),
        due(DELIVERIES, &job),
        blocked_in_lane(&format!("j.pool = 'sends' AND {job}")),
        deliveries("1", "attempt_delivery", &delivery),
        deliveries("2", "retry_delivery", &delivery),
    ]
}

const DEAD: &str = "SELECT kind AS name, count(*) AS count, min(dead_at) AS first FROM (SELECT kind, dead_at FROM jobs \
                    WHERE dead_at IS NOT NULL AND dead_at <= $1 LIMIT 10000) dead GROUP BY kind";
const UNNUMBERED: &str = "SELECT 'events' AS name, count(*) AS count, min(recorded_at) AS first FROM (SELECT recorded_at \
                          FROM event_outbox WHERE recorded_at <= $1 ORDER BY recorded_at LIMIT 10000) first";
const DISABLED: &str = "SELECT 'webhooks' AS name, count(*) AS count, min(updated_at) AS first FROM (SELECT updated_at \
                        FROM webhooks WHERE status = 'disabled' AND updated_at <= $1 LIMIT 10000) disabled";

impl Storage {
    /// Counts waiting and dead-lettered work, each up to [`MOST_COUNTED`]. With `holds_all`, this process holds all
    /// outbound work, regardless of the store.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn backlog(&self, now: Timestamp, holds_all: bool) -> Result<Backlog, StoreError> {
        self.read(SYSTEM, move |mut c| Box::pin(async move { count(&mut c, now, holds_all).await })).await
    }
}

async fn count(c: &mut Connection<'_>, now: Timestamp, holds_all: bool) -> Result<Backlog, Fault> {
    let mut kinds: BTreeMap<_, _> = JobKind::ALL.iter().map(|kind| (kind.as_str(), KindBacklog::default())).collect();
    for query in due_queries() {
        for group in groups(c, &query, now).await? {
            let kind = word(&group.name, "job kind", JobKind::parse)?;
            let entry = kinds.entry(kind.as_str()).or_default();
            match holds_all && kind.pool() != Pool::Work {
                true => entry.held += counted(&group),
                false => {
                    entry.due += counted(&group);
                    entry.oldest_due = [entry.oldest_due, group.first.map(|it| it.0)].into_iter().flatten().min();
                }
            }
        }
    }
    for query in held_queries() {
        for group in groups(c, &query, now).await? {
            let kind = word(&group.name, "job kind", JobKind::parse)?;
            kinds.entry(kind.as_str()).or_default().held += counted(&group);
        }
    }
    for group in groups(c, DEAD, now).await? {
        let kind = word(&group.name, "job kind", JobKind::parse)?;
        kinds.entry(kind.as_str()).or_default().dead = counted(&group);
    }
    let events = groups(c, UNNUMBERED, now).await?.pop();
    let webhooks = groups(c, DISABLED, now).await?.pop();
    Ok(Backlog {
        kinds,
        unnumbered_events: events.as_ref().map(counted).unwrap_or_default(),
        oldest_unnumbered: events.and_then(|group| group.first).map(|first| first.0),
        disabled_webhooks: webhooks.as_ref().map(counted).unwrap_or_default(),
    })
}

async fn groups(c: &mut Connection<'_>, query: &str, now: Timestamp) -> Result<Vec<Group>, Fault> {
    on_either!(c, load, diesel::sql_query(query).bind::<Instant, _>(DbTime(now)))
}

fn counted(group: &Group) -> u64 {
    u64::try_from(group.count).unwrap_or_default()
}
