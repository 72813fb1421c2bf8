//! Each connection prepares a statement once: a second round prepares nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};
use diesel::prelude::*;
use diesel::sql_types::Text;
use tidings_domain::ports::{ClaimRequest, Job, NewJob, Pool};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile};
use tidings_storage_suite::fixtures::{NOW, id};
use tidings_storage_suite::jobs::LONG;
use tidings_storage_suite::seed::Seed;
use tidings_storage_suite::{
    Ports, analytics, contacts, conversations, delivery_queue, feed, flows, guards, held, idempotency, jobs, links,
    queries, references, reply_times, runs, sequences, sorts, statistics, webhooks,
};

/// Statements that were prepared for the call that ran them.
static PREPARED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
/// Statements that were prepared without being cached, or prepared again.
static AGAIN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
/// Only one store is observed at a time.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// The prepared statements of one connection.
#[derive(Default)]
struct Watch {
    kept: HashSet<String>,
}

impl Watch {
    fn note(sql: &str, is_kept_now: bool) {
        PREPARED.lock().unwrap().insert(sql.to_owned());
        if !is_kept_now {
            AGAIN.lock().unwrap().insert(sql.to_owned());
        }
    }
}

impl Instrumentation for Watch {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::CacheQuery { sql, .. } => {
                let is_new = self.kept.insert(sql.to_owned());
                Self::note(sql, is_new);
            }
            InstrumentationEvent::FinishQuery { query, .. } => {
                let told = query.to_string();
                let sql = told.split(" -- binds: ").next().unwrap_or_default();
                if !self.kept.contains(sql) && !is_plain(sql) {
                    Self::note(sql, false);
                }
            }
            _ => {}
        }
    }
}

/// Returns true for statements that are not cached: those without parameters, SQLite's statements with a list, which
/// have a text for each length, and statements that freeze an audience, which have a text for each condition.
fn is_plain(sql: &str) -> bool {
    let begins = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET ", "PRAGMA"];
    begins.iter().any(|word| sql.starts_with(word)) || sql.contains(" IN (?") || freezes(sql)
}

fn freezes(sql: &str) -> bool {
    let chooses = sql.contains("row_number() OVER (");
    chooses
        || sql.starts_with("INSERT INTO")
            && ["flow_recipients", "broadcast_recipients"].iter().any(|table| sql.contains(table))
            && sql.contains(" FROM ")
            && sql.contains("contacts")
}

/// Runs many of the product's queries and writes.
async fn a_round(ports: &Ports, number: u8) {
    let seed = Seed::new(ports, number).await;
    seed.dump().await;
    sorts::names_are_listed_in_both_orders(ports, &seed.world).await;
    ports.engine.fill_sort_keys(2).await.unwrap();
    for (pool, job) in [
        (Pool::Work, NewJob::new(id(), Job::SweepTag { tag: id() }, NOW)),
        (
            Pool::Sends,
            NewJob::new(
                id(),
                Job::SendMessage { message: id(), conversation: Some(id()), channel: None, depth: 0 },
                NOW,
            ),
        ),
        (Pool::Deliveries, NewJob::new(id(), Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 }, NOW)),
    ] {
        seed.world.commit(|set| set.jobs.push(job)).await.unwrap();
        ports.engine.next_due(pool).await.unwrap();
        ports.engine.claim(ClaimRequest::new(pool, 100, LONG, NOW)).await.unwrap();
    }
    // First, because the other tests leave jobs behind.
    Box::pin(jobs::rejects_changes_with_an_old_claim(ports.clone())).await;
    Box::pin(jobs::claims_a_rescheduled_job_again(ports.clone())).await;
    Box::pin(delivery_queue::a_delivery_may_be_written_as_claimed(ports.clone())).await;
    Box::pin(delivery_queue::reschedules_parks_and_releases_a_claimed_delivery(ports.clone())).await;
    Box::pin(contacts::stores_all_fields_of_a_contact(ports.clone())).await;
    Box::pin(contacts::restores_a_deleted_contact_with_its_addresses(ports.clone())).await;
    Box::pin(contacts::replaces_the_addresses_of_a_contact(ports.clone())).await;
    Box::pin(links::links_a_tag_to_a_contact_once(ports.clone())).await;
    Box::pin(links::values_are_set_replaced_and_cleared(ports.clone())).await;
    Box::pin(links::removes_links_of_a_deleted_tag_in_portions(ports.clone())).await;
    Box::pin(links::removes_values_of_a_deleted_field_in_portions(ports.clone())).await;
    Box::pin(conversations::stores_all_fields_of_a_conversation(ports.clone())).await;
    Box::pin(conversations::concurrent_inserts_store_an_inbound_message_once(ports.clone())).await;
    Box::pin(runs::stores_all_fields_of_a_run(ports.clone())).await;
    Box::pin(runs::a_run_is_read_with_its_contact(ports.clone())).await;
    Box::pin(runs::runs_of_a_deleted_contact_end(ports.clone())).await;
    Box::pin(runs::finds_the_runs_that_wait_for_a_reply(ports.clone())).await;
    Box::pin(runs::migrates_and_interrupts_all_live_runs_of_a_flow(ports.clone())).await;
    Box::pin(flows::triggers_of_active_flows_are_found(ports.clone())).await;
    Box::pin(guards::last_seen_times_only_increase(ports.clone())).await;
    Box::pin(idempotency::keeps_a_response_for_a_day(ports.clone())).await;
    Box::pin(references::returns_the_dependents_of_an_object(ports.clone())).await;
    Box::pin(queries::returns_attempts_in_order(ports.clone())).await;
    Box::pin(webhooks::stores_a_success_once_per_second(ports.clone())).await;
    Box::pin(sequences::stores_all_fields_of_an_enrollment(ports.clone())).await;
    Box::pin(analytics::facts_are_counted_once_by_quarter_and_channel(ports.clone())).await;
    Box::pin(reply_times::reply_times_are_counted_once_by_member_and_channel(ports.clone())).await;
    Box::pin(held::holds_a_message_only_with_its_current_claim(ports.clone())).await;
    Box::pin(statistics::adds_up_the_counts_of_flow_nodes(ports.clone())).await;
    Box::pin(statistics::counts_live_runs_by_their_node(ports.clone())).await;
    Box::pin(statistics::lists_live_runs_at_a_node(ports.clone())).await;
    Box::pin(feed::filters_the_feed_by_type_and_position(ports.clone())).await;
    ports.engine.poisoned(100, LONG, NOW).await.unwrap();
    ports.outbound.pauses().await.unwrap();
}

/// Returns the statements that a first round prepares, and those that a second round prepares again.
async fn prepared(url: String) -> [Vec<String>; 2] {
    let _alone = ALONE.lock().await;
    set_default_instrumentation(|| Some(Box::new(Watch::default()))).unwrap();
    // With one connection, the second round finds the statements of the first.
    let settings = StorageSettings { pool_size: 1, ..StorageSettings::new(url) };
    let storage = Storage::open(&settings).await.expect("a store");
    storage.migrate().await.expect("a schema");
    let ports = Ports::of(storage.clone());
    let both = async |number| {
        a_round(&ports, number).await;
        storage.backlog(NOW, false).await.unwrap();
        storage.probe_write(NOW).await.unwrap();
    };
    both(1).await;
    // On SQLite, a query of the process itself runs on one of two reader threads, and each prepares it once.
    let taken = |from: &Mutex<BTreeSet<String>>| std::mem::take(&mut *from.lock().unwrap()).into_iter().collect();
    let first: Vec<String> = taken(&PREPARED);
    taken(&AGAIN);
    assert!(first.len() > 100, "too few statements were recorded");
    both(2).await;
    [first, taken(&AGAIN)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_round_prepares_nothing_on_postgresql() {
    let database = PostgresDatabase::new().await;
    let none: [&str; 0] = [];
    assert_eq!(prepared(database.url()).await[1], none);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_round_prepares_nothing_on_sqlite() {
    let file = SqliteFile::new();
    let none: [&str; 0] = [];
    let [first, second] = prepared(file.url()).await;
    assert_eq!(second, none);
    let path = file.url().replace("sqlite://", "");
    let mut connection = SqliteConnection::establish(&path).unwrap();
    // The store may still be closing.
    diesel::sql_query("PRAGMA busy_timeout = 10000").execute(&mut connection).unwrap();
    let by_list: Vec<_> =
        first.iter().filter(|sql| names_an_object(sql) && goes_by_a_list(&mut connection, sql)).collect();
    assert_eq!(by_list, none, "queries for an object do not read all rows of a workspace");
    let at_nodes: Vec<_> = first.iter().filter(|sql| sql.contains("`flow_runs`.`node` = ?")).collect();
    assert!(at_nodes.len() > 1, "lists of the runs at a node must be recorded: {at_nodes:?}");
    let elsewhere = at_nodes.into_iter().filter(|sql| !goes_by(&mut connection, sql, "flow_runs_at_node_idx "));
    assert_eq!(elsewhere.collect::<Vec<_>>(), none, "lists of the runs at a node use their own index");
    let unsorted: Vec<_> = first.iter().filter(|sql| sql.contains("sorted_version IS DISTINCT FROM")).collect();
    assert_eq!(unsorted.len(), 2, "{unsorted:?}");
    let elsewhere = unsorted.into_iter().filter(|sql| !goes_by(&mut connection, sql, "unsorted_idx"));
    assert_eq!(elsewhere.collect::<Vec<_>>(), none, "searches for names without a sort key use their own index");
    let lists: Vec<_> = first.iter().filter(|sql| is_whole_list(sql)).collect();
    assert!(lists.len() > 5, "lists must be recorded: {lists:?}");
    let sorted = lists.into_iter().filter(|sql| is_sorted(&mut connection, sql));
    assert_eq!(sorted.collect::<Vec<_>>(), none, "lists use an index and its order");
}

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// Returns true if a statement lists rows of a large table only by their order. Lists that include deleted contacts
/// have no index.
fn is_whole_list(sql: &str) -> bool {
    let many = ["contacts", "conversations", "messages", "flow_runs", "deliveries", "event_positions"];
    let narrowed = ["EXISTS", "contact_id` =", "deleted_at` IS NOT NULL"];
    let is_of = |table: &&str| sql.contains(&format!(" FROM `{table}` WHERE"));
    let shows_deleted = is_of(&"contacts") && !sql.contains("`contacts`.`deleted_at` IS NULL");
    sql.contains(" LIMIT ") && many.iter().any(is_of) && !shows_deleted && !narrowed.iter().any(|it| sql.contains(it))
}

/// Returns true if a statement filters by an object, not only by the workspace. Tags and values of contacts are looked
/// up for each contact.
fn names_an_object(sql: &str) -> bool {
    let sql = sql.replace("workspace_id` = ?", "");
    !sql.contains("EXISTS (SELECT") && (sql.contains("_id` = ?") || sql.contains("`id` = ?"))
}

/// Returns true if SQLite uses an index for lists of whole workspaces.
fn goes_by_a_list(connection: &mut SqliteConnection, sql: &str) -> bool {
    let looks = ["SELECT", "UPDATE", "DELETE"].iter().any(|word| sql.starts_with(word));
    looks && goes_by(connection, sql, "_list (")
}

/// Returns true if a step of SQLite's plan contains these words.
fn goes_by(connection: &mut SqliteConnection, sql: &str, words: &str) -> bool {
    let plan = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}")).load::<Step>(connection).unwrap();
    plan.iter().any(|step| step.detail.contains(words))
}

/// Returns true if SQLite collects all results of a statement to sort them.
fn is_sorted(connection: &mut SqliteConnection, sql: &str) -> bool {
    let plan = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}")).load::<Step>(connection).unwrap();
    plan.iter().any(|step| step.detail.contains("FOR ORDER BY"))
}
