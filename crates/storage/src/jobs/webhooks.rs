//! Which webhooks have deliveries in a queue, as far as a process knows.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel_async::AsyncPgConnection;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::looked::Looked;
use super::marks::Marks;
use crate::deliveries::{FIRST, LATER};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::types::{DbId, Id};

/// From one webhook of a queue to the next; the last row is null.
macro_rules! lines {
    ($queue:literal) => {
        concat!(
            "WITH RECURSIVE line (id) AS (SELECT (SELECT q.queued_for FROM deliveries q WHERE q.queue = ",
            $queue,
            " ORDER BY q.queued_for LIMIT 1) UNION ALL SELECT (SELECT q.queued_for FROM deliveries q WHERE q.queue = ",
            $queue,
            " AND q.queued_for > line.id ORDER BY q.queued_for LIMIT 1) FROM line WHERE line.id IS NOT NULL)"
        )
    };
}
pub(crate) use lines;

/// The webhooks that have anything in a queue.
const WEBHOOKS: &str = concat!(lines!("$1"), " SELECT id FROM line WHERE id IS NOT NULL");

#[derive(QueryableByName)]
struct WebhookRow {
    #[diesel(sql_type = Id)]
    id: DbId,
}

/// The webhooks of each queue, on PostgreSQL, and from when on their deliveries are looked for.
#[derive(Debug, Default)]
pub(super) struct Webhooks([Mutex<Queue>; 2]);

#[derive(Debug, Default)]
struct Queue {
    looked: Looked,
    marks: Marks,
}

impl Webhooks {
    fn of(&self, queue: i32) -> MutexGuard<'_, Queue> {
        let [first, later] = &self.0;
        let of_queue = if queue == FIRST { first } else { later };
        of_queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it looked anew, where this webhook is not known to have anything.
    pub(super) fn brings(&self, webhook: Uuid) {
        self.of(FIRST).looked.brings(webhook);
        self.of(LATER).looked.brings(webhook);
    }

    /// Those that are known, or else those that a look finds.
    pub(super) async fn look(&self, connection: &AsyncPgConnection, queue: i32) -> Result<Vec<Uuid>, Fault> {
        let began = Instant::now();
        {
            let looked = &mut self.of(queue).looked;
            if let Some(known) = looked.at(began) {
                return Ok(known.to_vec());
            }
            looked.begins(began);
        }
        let (query, mut connection) = (diesel::sql_query(WEBHOOKS).bind::<Integer, _>(queue), connection);
        let found: Vec<WebhookRow> = diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?;
        let found: Vec<Uuid> = found.into_iter().map(|it| it.id.0).collect();
        self.of(queue).looked.keep(found.clone(), began, Instant::now());
        Ok(found)
    }

    /// From when on deliveries to these webhooks are looked for.
    pub(super) fn marks(&self, queue: i32, webhooks: &[Uuid], now: Instant) -> Vec<Timestamp> {
        let queue = self.of(queue);
        webhooks.iter().map(|webhook| queue.marks.of(*webhook, now)).collect()
    }

    /// Has all deliveries of a queue looked at.
    pub(super) fn forget_marks(&self, queue: i32) {
        self.of(queue).marks.forget();
    }

    /// A claim that began at `now` took these: of each webhook it took anything of, when the first fell due. `is_whole` where
    /// nothing but these marks kept it from looking at everything.
    pub(super) fn took(&self, queue: i32, firsts: &BTreeMap<Uuid, Timestamp>, is_whole: bool, now: Instant) {
        let mut queue = self.of(queue);
        firsts.iter().for_each(|(webhook, first)| queue.marks.took(*webhook, *first, is_whole, now));
    }
}
