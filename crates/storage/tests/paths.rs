//! The rows that PostgreSQL reads for each statement of the store, independent of its estimates: with statistics of
//! 20,000 rows, of 20 rows, of one row, and without statistics; with generic and custom plans; and with plans made for
//! empty tables.
//!
//! PostgreSQL reports the plans with `auto_explain` in the log of the private cluster.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "paths/cases.rs"]
mod cases;
#[path = "paths/filling.rs"]
mod filling;
#[path = "paths/plans.rs"]
mod plans;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use serde_json::{Map, Value, json};
use tidings_domain::Tidings;
use tidings_domain::analytics::ReplyMeasure;
use tidings_domain::contacts::ContactRef;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{
    AwaitedKind, FlowSchedule, InFlight, NewFlow, NodeVisit, Passage, RunFilter, RunStatus, StartFlow,
    StatisticsRequest,
};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{
    AnalyticsChange, Change, ClaimRequest, Conflict, ContactChange, FlowChange, HeldUntil, Job, JobChange, NewJob,
    Pool, Row, SweepPlace, TagChange,
};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, World, a_message, at, id, uuid};
use tidings_storage_suite::jobs::LONG;
use tidings_storage_suite::reply_times::a_reply_time;
use tidings_storage_suite::seed::Seed;
use tidings_storage_suite::{Ports, sorts};

use cases::cases;
use filling::{Believed, fill};
use plans::{add_too_much, assert_none, end_of_log, plans};

/// Number of rows of one workspace in each growing table.
const ROWS: u32 = 20_000;
/// Number of rows while a table is still new.
const FEW: u32 = 20;

/// Runs all queries about the seed and the work of engines.
async fn everything(storage: Arc<Storage>, seed: &mut Seed) {
    let ports = Ports::of(storage.clone());
    seed.world.ports = ports.clone();
    seed.dump().await;
    let world = seed.world.clone();
    storage.backlog(NOW, false).await.unwrap();
    let lease = Duration::from_secs(30);
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
        (Pool::Deliveries, NewJob::new(id(), Job::CallHttp { run: id(), visit: 1 }, NOW)),
    ] {
        world.commit(|set| set.jobs.push(job)).await.unwrap();
        ports.engine.next_due(pool).await.unwrap();
        let claimed = ports.engine.claim(ClaimRequest::new(pool, 8, lease, NOW)).await.unwrap();
        assert!(!claimed.is_empty(), "{pool:?}");
        ports.engine.extend(claimed.iter().map(|job| job.held_claim()).collect(), lease, NOW).await.unwrap();
        for job in claimed {
            world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
        }
    }
    ports.engine.poisoned(100, LONG, NOW).await.unwrap();
    ports.contacts.names_have_sort_keys().await.unwrap();
    ports.engine.fill_sort_keys(2).await.unwrap();
    sorts::names_are_listed_in_both_orders(&ports, &world).await;
    world.event(EventKind::ContactCreated).await;
    ports.engine.number_events(uuid(), Duration::ZERO, 100, NOW).await.unwrap();
    ports.engine.expire_idempotency(at(0), 2).await.unwrap();
    ports.engine.expire_audit_log(at(0), 2).await.unwrap();
    let start = SweepPlace::before(at(0));
    ports.engine.expire_messages(start, at(0), 2).await.unwrap();
    ports.engine.expire_conversations(at(0), 2).await.unwrap();
    ports.engine.deleted_contacts(start, at(0), 2).await.unwrap();
    ports.engine.connected_channels(None, 2).await.unwrap();
    let contact = world.contact().await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: seed.tag.id, at: NOW })).await;
    world.message(&seed.conversation).await;
    let conversation = world.conversation(&contact).await;
    world.message(&conversation).await;
    let channel = world.channel.id;
    world.add(Change::Contact(ContactChange::SetOptIn { contact: contact.id, channel, opted_in: true })).await;
    world.add(Change::Flow(FlowChange::DropSteps { run: id() })).await;
    world.add(Change::Flow(FlowChange::InterruptRuns { contact: contact.id, at: NOW })).await;
    world.add(Change::Flow(FlowChange::InterruptCalled { run: seed.run.id, at: NOW })).await;
    world.add(Change::Flow(FlowChange::WakeCaller { run: seed.run.id, at: NOW })).await;
    let schedule = ports.flows.schedule(&world.access, seed.flow.id).await.unwrap().unwrap();
    let next = FlowSchedule { visit: schedule.visit + 1, ..schedule };
    world.add(Change::Flow(FlowChange::PutSchedule(next))).await;
    // A contact that another worker took. Rows of this table must remain for the next rounds.
    let take = FlowChange::TakeRecipient { flow: seed.flow.id, at: NOW, contact: id() };
    assert_eq!(world.change(Change::Flow(take)).await, Err(Conflict::ClaimLost.into()));
    let awaited = AwaitedKind::Event(EventKind::ContactTagAdded);
    ports.flows.awaiting_event(&world.access, contact.id, &awaited).await.unwrap();
    ports.flows.events_under_way(&world.access, contact.id).await.unwrap();
    hold_and_release(seed).await;
    at_once(seed).await;
    let visits =
        vec![NodeVisit { node: "ask".to_owned(), entered: true, left: Some(("next".to_owned(), 7)), failed: false }];
    let passage = Passage { flow: seed.flow.id, version: 1, visits };
    world.add(Change::Flow(FlowChange::Count { id: uuid(), passage, at: NOW })).await;
    ports.engine.count_facts(10).await.unwrap();
    for span in [None, Some((NOW, at(3_600)))] {
        for version in [None, Some(1)] {
            let request = StatisticsRequest { version, span };
            ports.flows.node_counts(&world.access, seed.flow.id, request).await.unwrap();
            ports.flows.waiting_at(&world.access, seed.flow.id, version).await.unwrap();
        }
    }
    for (node, status) in [("n7", None), ("n7", Some(RunStatus::Active)), ("nowhere", None)] {
        let filter = RunFilter { flow: Some(seed.flow.id), node: Some(node.to_owned()), status, contact: None };
        let mut page = PageRequest::default();
        page.after = ports.flows.runs(&world.access, &filter, page).await.unwrap().next;
        ports.flows.runs(&world.access, &filter, page).await.unwrap();
    }
    ports.analytics.counts(&world.access, NOW, at(900)).await.unwrap();
    ports.analytics.parts(&world.access, NOW, at(900)).await.unwrap();
    let reply = a_reply_time(&world, ReplyMeasure::FirstReply, NOW);
    world.add(Change::Analytics(AnalyticsChange::RecordReply(reply))).await;
    ports.engine.count_facts(10).await.unwrap();
    ports.analytics.reply_times(&world.access, NOW, at(900)).await.unwrap();
}

/// Runs concurrent requests of several callers.
async fn at_once(seed: &Seed) {
    let (ports, access) = (&seed.world.ports, &seed.world.access);
    let contacts = [seed.contact.id, id(), id()];
    join_all(contacts.map(|contact| ports.conversations.with(access, contact))).await;
    join_all(contacts.map(|contact| ports.flows.live_run(access, seed.flow.id, contact))).await;
    join_all([seed.message.id, id(), id()].map(|message| ports.conversations.dispatch(access, message))).await;
    join_all([seed.run.id, id(), id()].map(|run| ports.flows.run_with_contact(access, run))).await;
}

/// Pauses and resumes the flow of a message.
async fn hold_and_release(seed: &Seed) {
    let (world, until) = (&seed.world, HeldUntil::FlowResumes(seed.flow.id));
    let message = a_message(&seed.conversation);
    let job = Job::SendMessage { message: message.id, conversation: message.conversation, channel: None, depth: 0 };
    let job = NewJob { lease: Some(LONG), ..NewJob::new(id(), job, NOW) };
    let queued = world.commit(|set| {
        set.change(Change::Insert(Row::Message(Box::new(message))));
        set.jobs.push(job);
    });
    queued.await.unwrap();
    world.add(Change::Job(JobChange::Hold { job: job.id, token: NewJob::FIRST_TOKEN, until })).await;
    world.add(Change::Job(JobChange::ReleaseHeld { until, due_at: NOW })).await;
    let claimed = world.ports.engine.claim(ClaimRequest::new(Pool::Sends, 8, LONG, NOW)).await.unwrap();
    for job in claimed {
        world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    }
}

/// The whole cluster has one log.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Creates a store with a seed, without autovacuum and with a log of its statements.
async fn watched() -> (PostgresDatabase, String, Seed) {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.unwrap();
    storage.migrate().await.unwrap();
    let seed = Seed::new(&Ports::of(storage.clone()), 1).await;
    let name = watch(&database).await;
    (database, name, seed)
}

/// Turns autovacuum off and the log of statements on. Returns the database's name.
async fn watch(database: &PostgresDatabase) -> String {
    let url = database.url();
    let quiet = "SELECT format('ALTER TABLE %I SET (autovacuum_enabled = off)', relname) FROM pg_class \
                 WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
    database.execute(&texts(&url, quiet).await.join("; ")).await;
    let name = texts(&url, "SELECT current_database()::text").await.remove(0);
    let told = ["session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0"];
    let told = told.into_iter().chain(["auto_explain.log_analyze = on", "auto_explain.log_buffers = on"]);
    for setting in told.chain(["auto_explain.log_timing = off", "auto_explain.log_format = json"]) {
        database.execute(&format!("ALTER DATABASE {name} SET {setting}")).await;
    }
    name
}

fn two_connections(url: &str) -> StorageSettings {
    StorageSettings { pool_size: 2, ..StorageSettings::new(url.to_owned()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_read_few_rows_with_any_table_statistics() {
    let _alone = ALONE.lock().await;
    let (database, name, mut seed) = watched().await;
    let url = database.url();
    fill(&database, 1, FEW).await;
    database.execute("ANALYZE").await;
    fill(&database, FEW + 1, ROWS).await;
    let mut too_much = BTreeMap::new();
    for believed in Believed::ALL {
        database.execute(&format!("SET allow_system_table_mods = on; {}", believed.told())).await;
        for mode in ["force_generic_plan", "force_custom_plan"] {
            database.execute(&format!("ALTER DATABASE {name} SET plan_cache_mode = {mode}")).await;
            let from = end_of_log(&url).await;
            everything(Storage::open(&two_connections(&url)).await.unwrap(), &mut seed).await;
            add_too_much(&mut too_much, &url, from, believed, mode).await;
        }
    }
    assert_none(&too_much);
}

/// The numbers of rows at which cached plans are made.
const STAGES: [u32; 4] = [1, 3, 20, 150];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plans_made_for_few_rows_serve_many_rows() {
    let _alone = ALONE.lock().await;
    let (database, name, mut seed) = watched().await;
    let url = database.url();
    database.execute(&format!("ALTER DATABASE {name} SET plan_cache_mode = force_generic_plan")).await;
    let (mut storages, mut rows) = (Vec::new(), 0);
    for stage in STAGES {
        fill(&database, rows + 1, stage).await;
        rows = stage;
        let storage = Storage::open(&two_connections(&url)).await.unwrap();
        // Twice, because each of the two connections makes its own plans.
        everything(storage.clone(), &mut seed).await;
        everything(storage.clone(), &mut seed).await;
        storages.push((stage, storage));
    }
    fill(&database, rows + 1, ROWS).await;
    let mut too_much = BTreeMap::new();
    for (stage, storage) in storages {
        let from = end_of_log(&url).await;
        everything(storage, &mut seed).await;
        add_too_much(&mut too_much, &url, from, Believed::Nothing, &format!("since there were {stage}")).await;
    }
    assert_none(&too_much);
}

/// Tests of the suite for data that the seed does not write, in the usual states of tables. They need a new store for
/// each state.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suite_cases_read_few_rows_in_large_tables() {
    let _alone = ALONE.lock().await;
    let (full, _, seed) = watched().await;
    seed.dump().await;
    // Its connections must end before the copies.
    drop(seed);
    fill(&full, 1, FEW).await;
    full.execute("ANALYZE").await;
    fill(&full, FEW + 1, ROWS).await;
    let mut too_much = BTreeMap::new();
    for (believed, mode) in [
        (Believed::Few, "force_generic_plan"),
        (Believed::Nothing, "force_generic_plan"),
        (Believed::Nothing, "force_custom_plan"),
        (Believed::OneOfMany, "force_generic_plan"),
    ] {
        let database = PostgresDatabase::copy_of(&full).await;
        let (url, name) = (database.url(), watch(&database).await);
        database.execute(&format!("SET allow_system_table_mods = on; {}", believed.told())).await;
        database.execute(&format!("ALTER DATABASE {name} SET plan_cache_mode = {mode}")).await;
        let from = end_of_log(&url).await;
        let ports = Ports::of(Storage::open(&two_connections(&url)).await.unwrap());
        cases(&ports).await;
        claim_in_turns(&ports).await;
        let seen = add_too_much(&mut too_much, &url, from, believed, mode).await;
        let unseen = statement_files().into_iter().filter(|(_, sql)| !seen.contains(sql.trim())).map(|(name, _)| name);
        assert_eq!(unseen.collect::<Vec<_>>(), [""; 0], "each statement file was executed");
    }
    assert_none(&too_much);
}

/// Claims with more due jobs than requested: workspaces and webhooks take turns.
async fn claim_in_turns(ports: &Ports) {
    for _ in 0..2 {
        let jobs = (0..3).map(|_| NewJob::new(id(), Job::SweepTag { tag: id() }, NOW));
        World::new(ports).await.commit(|set| set.jobs.extend(jobs)).await.unwrap();
    }
    ports.engine.claim(ClaimRequest::new(Pool::Work, 2, LONG, NOW)).await.unwrap();
    ports.engine.claim(ClaimRequest::new(Pool::Deliveries, 100, LONG, NOW)).await.unwrap();
    ports.engine.poisoned(100, LONG, NOW).await.unwrap();
}

fn statement_files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/jobs/sql");
    let paths = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let of_postgres = paths.filter(|path| path.to_string_lossy().ends_with(".postgres.sql"));
    of_postgres.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// Without waits in its flows, a workspace does not pay for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_flows_with_event_waits_query_events_under_way() {
    let _alone = ALONE.lock().await;
    let (database, _, seed) = watched().await;
    let (url, world) = (database.url(), &seed.world);
    let tidings = Tidings::new(Ports::of(Storage::open(&two_connections(&url)).await.unwrap()));
    let asked = async |node: Value| {
        let definition = json!({"start": "a", "nodes": [node, {"id": "end", "type": "end"}]});
        let new = NewFlow { name: "Waits".to_owned(), definition };
        let flow = tidings.flows.create(&world.access, new, None).await.unwrap().value.id;
        tidings.flows.publish(&world.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await.unwrap();
        let mut from = 0;
        // The first run loads the listeners, and later runs use the cached ones.
        for _ in 0..2 {
            let (contact, start) = (world.contact().await.id, StartFlow { flow, vars: Map::new(), mode: None });
            from = end_of_log(&url).await;
            tidings.flows.start(&world.access, &ContactRef::Id(contact), start, None).await.unwrap();
        }
        let told: Vec<_> = plans(&url, from).await.into_iter().map(|(sql, _)| sql).collect();
        assert!(told.iter().any(|sql| sql.contains("\"flow_runs\"")), "{told:?}");
        let asks = |sql: &&String| sql.contains("flow_awaits") || sql.starts_with("SELECT \"jobs\".\"subject\" FROM");
        told.iter().filter(asks).count()
    };
    assert_eq!(asked(json!({"id": "a", "type": "delay", "for": "P1D", "next": "end"})).await, 0);
    let wait = json!({"id": "a", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D",
        "next": "end", "on_timeout": "end"});
    assert_eq!(asked(wait).await, 1);
}
