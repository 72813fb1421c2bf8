//! The webhooks with queued deliveries that a process knows.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel_async::AsyncPgConnection;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::marks::Marks;
use super::queue_cache::QueueCache;
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, Id};
use crate::webhooks::deliveries::{FIRST, LATER};

/// Skips from one webhook of a queue to the next. The last row is null.
pub(crate) fn lines(queue: &str) -> String {
    format!(
        "WITH RECURSIVE line (id) AS (SELECT (SELECT q.queued_for FROM deliveries q WHERE q.queue = {queue} \
         ORDER BY q.queued_for LIMIT 1) UNION ALL SELECT (SELECT q.queued_for FROM deliveries q WHERE q.queue = {queue} \
         AND q.queued_for > line.id ORDER BY q.queued_for LIMIT 1) FROM line WHERE line.id IS NOT NULL)"
    )
}

#[derive(QueryableByName)]
struct WebhookRow {
    #[diesel(sql_type = Id)]
    id: DbId,
}

/// The webhooks of each queue and their low-water marks, on PostgreSQL.
#[derive(Debug, Default)]
pub(super) struct Webhooks([Mutex<Queue>; 2]);

#[derive(Debug, Default)]
struct Queue {
    cache: QueueCache,
    marks: Marks,
}

impl Webhooks {
    fn of(&self, queue: i32) -> MutexGuard<'_, Queue> {
        let [first, later] = &self.0;
        let of_queue = if queue == FIRST { first } else { later };
        of_queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a new delivery of this webhook. If the webhook is unknown, a new look is required.
    pub(super) fn refresh_if_unknown(&self, webhook: Uuid) {
        self.of(FIRST).cache.refresh_if_unknown(webhook);
        self.of(LATER).cache.refresh_if_unknown(webhook);
    }

    /// Returns the known webhooks, or the result of a new look.
    pub(super) async fn look(&self, connection: &AsyncPgConnection, queue: i32) -> Result<Vec<Uuid>, Fault> {
        let began = Instant::now();
        {
            let cache = &mut self.of(queue).cache;
            if let Some(known) = cache.at(began) {
                return Ok(known.to_vec());
            }
            cache.begins(began);
        }
        let query = diesel::sql_query(format!("{} SELECT id FROM line WHERE id IS NOT NULL", lines("$1")));
        let (query, mut connection) = (query.bind::<Integer, _>(queue), connection);
        let found: Vec<WebhookRow> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
        let found: Vec<Uuid> = found.into_iter().map(|it| it.id.0).collect();
        self.of(queue).cache.keep(found.clone(), began, Instant::now());
        Ok(found)
    }

    pub(super) fn marks(&self, queue: i32, webhooks: &[Uuid], now: Instant) -> Vec<Timestamp> {
        let queue = self.of(queue);
        webhooks.iter().map(|webhook| queue.marks.of(*webhook, now)).collect()
    }

    /// Removes the marks of a queue: the next claims search all deliveries.
    pub(super) fn forget_marks(&self, queue: i32) {
        self.of(queue).marks.forget();
    }

    /// Records a claim at `now`: the earliest due time of each webhook with claimed deliveries. `is_whole` means that
    /// at most these marks limited the search.
    pub(super) fn note_claim(&self, queue: i32, firsts: &BTreeMap<Uuid, Timestamp>, is_whole: bool, now: Instant) {
        let mut queue = self.of(queue);
        firsts.iter().for_each(|(webhook, first)| queue.marks.note_claim(*webhook, *first, is_whole, now));
    }
}
