//! What PostgreSQL reads for each statement of the store, whatever it believes about the tables: with statistics of
//! twenty thousand rows, of twenty, of one, and with none, by plans for any parameters and for these, and by plans that
//! were made when there was nothing.
//!
//! PostgreSQL itself tells, by `auto_explain` in the log of the private cluster.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use serde_json::{Map, Value, json};
use tidings_domain::Tidings;
use tidings_domain::contacts::ContactRef;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{
    Awaited, FlowSchedule, InFlight, NewFlow, NodeVisit, Passage, RunFilter, RunStatus, StartFlow, StatisticsRequest,
};
use tidings_domain::outcome::Expected;
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Change, ClaimRequest, Conflict, FlowChange, Job, JobChange, NewJob, Pool, Row, TagChange};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, a_message, at, id, uuid};
use tidings_storage_suite::jobs::LONG;
use tidings_storage_suite::seed::Seed;

/// So many rows of one workspace has each table that grows.
const ROWS: u32 = 20_000;
/// With so many it is still new.
const FEW: u32 = 20;

/// Tables that grow, and what of a row has to be its own; rows are made like the one that the seed has. Ids count, as
/// others name them.
const GROWING: [(&str, &str); 15] = [
    (
        "contacts",
        "'id', $id(1), 'external_id', 'x' || n, 'email', 'x' || n || '@example.com', 'phone', '+1' || n, \
      'first_name', 'Ada ' || n, 'name_key', 'ada ' || n, 'created_at', $at",
    ),
    ("contact_identities", "'contact_id', $id(1), 'address', 'x' || n"),
    ("contact_tags", "'contact_id', $id(1), 'tag_id', $id(2)"),
    ("contact_values", "'contact_id', $id(1), 'field_id', $id(3)"),
    (
        "conversations",
        "'id', $id(4), 'contact_id', $id(1), 'created_at', $at, 'status', 'resolved', 'assignee_id', $id(5)",
    ),
    (
        "messages",
        "'id', $id(6), 'conversation_id', $id(4), 'contact_id', $id(1), 'provider_message_id', 'x' || n, \
      'created_at', $at, 'direction', 'outbound', 'status', 'sent'",
    ),
    ("flow_runs", "'id', $id(7), 'contact_id', $id(1), 'started_at', $at, 'cause_id', $id(8), 'node', 'n' || n % 50"),
    ("flow_recipients", "'contact_id', $id(1)"),
    ("enrollments", "'id', $id(9), 'contact_id', $id(1), 'started_at', $at"),
    ("events", "'id', $id(10), 'position', 100 + n, 'at', $at, 'recorded_at', $at"),
    (
        "deliveries",
        "'id', $id(11), 'event_id', $id(10), 'webhook_id', $id(12), 'created_at', $at, \
      'queue', CASE n % 3 WHEN 0 THEN 1 WHEN 1 THEN 3 END, 'queued_for', '00000000-0000-0000-0000-0000000000ff', \
      'next_attempt_at', now() + interval '1 hour' + n * interval '1 second', 'leased_until', NULL",
    ),
    ("opt_outs", "'digest', '\\x' || lpad(to_hex(n), 64, '0')"),
    ("delivery_attempts", "'delivery_id', $id(11)"),
    ("idempotency_keys", "'key', 'x' || n, 'created_at', $at"),
    (
        "audit_log",
        "'id', $id(13), 'at', $at, 'day', 20000 - n / 100, 'actor', 'user_' || n, 'action', 'webhook.paused', \
      'object_type', 'webhook', 'object_id', 'hook_' || n",
    ),
];

/// Jobs of all pools: most wait for a time to come, some are claimed.
const JOBS: &str = "INSERT INTO jobs SELECT made.* FROM (SELECT * FROM jobs LIMIT 1) t, generate_series($from, $to) n, \
    LATERAL (VALUES ('work', 'step_run', NULL::uuid), ('sends', 'send_message', NULL), \
    ('deliveries', 'attempt_delivery', '00000000-0000-0000-0000-0000000000ff'::uuid)) p (pool, kind, group_id), \
    LATERAL jsonb_populate_record(NULL::jobs, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'pool', p.pool, \
    'kind', p.kind, 'group_id', p.group_id, 'lane', CASE WHEN p.pool = 'sends' THEN gen_random_uuid() END, \
    'due_at', now() + interval '1 hour' + n * interval '1 second', 'claimed', false)) made \
    WHERE p.pool = (ARRAY['work', 'sends', 'deliveries'])[1 + n % 3]";

/// Makes rows of every table that grows.
async fn fill(database: &PostgresDatabase, from: u32, to: u32) {
    let mut statements = vec!["SET session_replication_role = replica".to_owned()];
    for (table, own) in GROWING {
        let own = own.replace("$at", "timestamptz '2026-01-01Z' - n * interval '1 second'");
        let own = own.replace("$id(", "pg_temp.id(n, ");
        statements.push(format!(
            "INSERT INTO {table} SELECT made.* FROM (SELECT * FROM {table} ORDER BY 1, 2 LIMIT 1) t, \
             generate_series({from}, {to}) n, \
             LATERAL jsonb_populate_record(NULL::{table}, to_jsonb(t) || jsonb_build_object({own})) made"
        ));
    }
    statements.push(JOBS.replace("$from", &from.to_string()).replace("$to", &to.to_string()));
    let id = "CREATE OR REPLACE FUNCTION pg_temp.id(n integer, kind integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS \
              $$ SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$";
    database.execute(&format!("{id}; {}", statements.join("; "))).await;
}

/// What the planner is told of the tables.
#[derive(Debug, Clone, Copy)]
enum Believed {
    /// Tables that nobody counted.
    Nothing,
    /// That there are as few rows as when they were counted last.
    Few,
    /// That there is one row in all of the file: so it was, once, and the file did not shrink.
    OneOfMany,
    /// The truth.
    Truth,
}

impl Believed {
    const ALL: [Self; 4] = [Self::Few, Self::Nothing, Self::OneOfMany, Self::Truth];

    fn told(self) -> &'static str {
        match self {
            // As ANALYZE left it.
            Self::Few => "SELECT 1",
            Self::Nothing => {
                "DELETE FROM pg_statistic s USING pg_class c WHERE c.oid = s.starelid \
                 AND c.relnamespace = 'public'::regnamespace; \
                 UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relnamespace = 'public'::regnamespace \
                 AND relkind IN ('r', 'i')"
            }
            Self::OneOfMany => {
                "UPDATE pg_class SET reltuples = 1, relpages = greatest(1, pg_relation_size(oid) / 8192) \
                 WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"
            }
            Self::Truth => "ANALYZE",
        }
    }
}

/// All that the store asks of the seed, and what engines do.
async fn everything(storage: Arc<Storage>, seed: &mut Seed) {
    let ports = Ports::of(storage.clone());
    seed.world.ports = ports.clone();
    seed.dump().await;
    let world = seed.world.clone();
    storage.backlog(NOW, false).await.unwrap();
    let lease = Duration::from_secs(30);
    for (pool, job) in [
        (Pool::Work, NewJob::new(id(), Job::SweepTag { tag: id() }, NOW)),
        (Pool::Sends, NewJob::new(id(), Job::SendMessage { message: id(), conversation: Some(id()), depth: 0 }, NOW)),
        (Pool::Deliveries, NewJob::new(id(), Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 }, NOW)),
        (Pool::Deliveries, NewJob::new(id(), Job::CallHttp { run: id(), visit: 1 }, NOW)),
    ] {
        world.commit(|set| set.jobs.push(job)).await.unwrap();
        ports.engine.next_due(pool).await.unwrap();
        let claimed = ports.engine.claim(ClaimRequest::new(pool, 8, lease, NOW)).await.unwrap();
        assert!(!claimed.is_empty(), "{pool:?}");
        ports.engine.extend(claimed.iter().map(|job| job.held()).collect(), lease, NOW).await.unwrap();
        for job in claimed {
            world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
        }
    }
    ports.engine.poisoned(100, LONG, NOW).await.unwrap();
    world.event(EventKind::ContactCreated).await;
    ports.engine.number_events(uuid(), Duration::ZERO, 100, NOW).await.unwrap();
    ports.engine.expire_idempotency(at(0), 2).await.unwrap();
    ports.engine.expire_audit_log(at(0), 2).await.unwrap();
    let contact = world.contact().await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: seed.tag.id, at: NOW })).await;
    world.message(&seed.conversation).await;
    let conversation = world.conversation(&contact).await;
    world.message(&conversation).await;
    world.add(Change::Flow(FlowChange::InterruptRuns { contact: contact.id, at: NOW })).await;
    world.add(Change::Flow(FlowChange::InterruptCalled { run: seed.run.id, at: NOW })).await;
    world.add(Change::Flow(FlowChange::WakeCaller { run: seed.run.id, at: NOW })).await;
    let schedule = ports.flows.schedule(&world.access, seed.flow.id).await.unwrap().unwrap();
    let next = FlowSchedule { visit: schedule.visit + 1, ..schedule };
    world.add(Change::Flow(FlowChange::PutSchedule(next))).await;
    // Somebody whom others took: rows of this table stay for the rounds to come.
    let take = FlowChange::TakeRecipient { flow: seed.flow.id, at: NOW, contact: id() };
    assert_eq!(world.change(Change::Flow(take)).await, Err(Conflict::ClaimLost.into()));
    let awaited = Awaited::Event(EventKind::ContactTagAdded);
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
}

/// What several ask for at the same time.
async fn at_once(seed: &Seed) {
    let (ports, access) = (&seed.world.ports, &seed.world.access);
    let contacts = [seed.contact.id, id(), id()];
    join_all(contacts.map(|contact| ports.conversations.with(access, contact))).await;
    join_all(contacts.map(|contact| ports.flows.live_run(access, seed.flow.id, contact))).await;
    join_all([seed.message.id, id(), id()].map(|message| ports.conversations.dispatch(access, message))).await;
}

/// A message whose flow is paused, and resumed.
async fn hold_and_release(seed: &Seed) {
    let (world, flow) = (&seed.world, seed.flow.id);
    let message = a_message(&seed.conversation);
    let job = Job::SendMessage { message: message.id, conversation: message.conversation, depth: 0 };
    let job = NewJob { lease: Some(LONG), ..NewJob::new(id(), job, NOW) };
    let queued = world.commit(|set| {
        set.change(Change::Insert(Row::Message(Box::new(message))));
        set.jobs.push(job);
    });
    queued.await.unwrap();
    world.add(Change::Job(JobChange::Hold { job: job.id, token: NewJob::FIRST_TOKEN, flow })).await;
    world.add(Change::Flow(FlowChange::ReleaseHeld { flow, due_at: NOW })).await;
    let claimed = world.ports.engine.claim(ClaimRequest::new(Pool::Sends, 8, LONG, NOW)).await.unwrap();
    for job in claimed {
        world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    }
}

/// What one statement read and gave.
#[derive(Debug, Default, Clone, Copy)]
struct Read {
    rows: f64,
    given: f64,
    /// By the scan that read the most: pages beyond those that its rows explain.
    pages: f64,
}

fn number(node: &Value, key: &str) -> f64 {
    node[key].as_f64().unwrap_or_default()
}

fn pages(node: &Value) -> f64 {
    number(node, "Shared Hit Blocks") + number(node, "Shared Read Blocks")
}

impl Read {
    fn add(&mut self, node: &Value) {
        let kind = node["Node Type"].as_str().unwrap_or_default();
        let loops = number(node, "Actual Loops");
        let rows = number(node, "Actual Rows") * loops;
        if kind.ends_with("Scan") && !matches!(kind, "CTE Scan" | "Function Scan" | "Subquery Scan" | "Values Scan") {
            let removed = number(node, "Rows Removed by Filter") + number(node, "Rows Removed by Index Recheck");
            let read = rows + removed * loops;
            self.rows += read;
            let beneath: f64 = node["Plans"].as_array().into_iter().flatten().map(pages).sum();
            self.pages = self.pages.max(pages(node) - beneath - 8.0 * loops - 6.0 * read);
        }
        for child in node["Plans"].as_array().into_iter().flatten() {
            self.add(child);
        }
    }

    fn of(plan: &Value) -> Self {
        let mut read = Self::default();
        read.add(plan);
        let top = match plan["Node Type"].as_str() {
            Some("ModifyTable") => &plan["Plans"][0],
            _ => plan,
        };
        read.given = number(top, "Actual Rows") * number(top, "Actual Loops");
        read
    }

    /// With a contact comes what it carries: its tags, values and identities.
    fn is_too_much(&self, sql: &str) -> bool {
        let each = if sql.contains("json_build_array") { 6.0 } else { 3.0 };
        self.rows > each * self.given + 50.0 || self.pages > 60.0
    }
}

/// What may read more: what is counted is read; contacts that are chosen by what they carry, or be they deleted, are looked
/// for where the planner likes; no route lists the enrollments of a whole workspace; a changed sequence looks at all that
/// are outdated. And what several change sets write together.
fn is_free(sql: &str) -> bool {
    let signs = [
        "count(*)",
        "COUNT(*)",
        "EXISTS (SELECT \"contact_tags\"",
        "(((\"contacts\".\"workspace_id\" = $1) AND (\"contacts\".\"updated_at\" >= $2))",
        "FROM \"enrollments\" WHERE (\"enrollments\".\"workspace_id\" = $1) ORDER BY",
        "(\"enrollments\".\"revision\" < ",
        " USING unnest(",
    ];
    let writes_together = sql.starts_with("UPDATE ") && sql.contains(" FROM unnest(");
    writes_together || signs.iter().any(|sign| sql.contains(sign))
}

/// Tables whose rows never go: there is no such thing as one row in the file of many.
fn never_shrinks(plan: &Value) -> bool {
    let never = ["contacts", "conversations", "messages", "flow_runs", "enrollments"];
    let own = plan["Relation Name"].as_str().is_some_and(|table| never.contains(&table));
    own || plan["Plans"].as_array().into_iter().flatten().any(never_shrinks)
}

/// The plans that the log tells of from a place on.
async fn plans(url: &str, from: i64) -> Vec<(String, Value)> {
    let query = format!("SELECT pg_read_file('log', {from}, 1000000000)");
    let log = texts(url, &query).await.remove(0);
    let mut plans = Vec::new();
    for entry in log.split("  plan:\n").skip(1) {
        let json: String = entry.lines().take_while(|line| line.starts_with('\t')).collect::<Vec<_>>().join("\n");
        let told: Value = serde_json::from_str(&json).expect("a plan");
        plans.push((told["Query Text"].as_str().unwrap_or_default().to_owned(), told["Plan"].clone()));
    }
    plans
}

async fn end_of_log(url: &str) -> i64 {
    texts(url, "SELECT size::text FROM pg_stat_file('log')").await[0].parse().unwrap()
}

/// The log is one for the whole cluster.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A store in which nobody counts, and whose statements are told of.
async fn watched() -> (PostgresDatabase, String, Seed) {
    let database = PostgresDatabase::new().await;
    let url = database.url();
    let storage = Storage::open(&StorageSettings::new(url.clone())).await.unwrap();
    storage.migrate().await.unwrap();
    let seed = Seed::new(&Ports::of(storage.clone()), 1).await;
    let quiet = "SELECT format('ALTER TABLE %I SET (autovacuum_enabled = off)', relname) FROM pg_class \
                 WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
    database.execute(&texts(&url, quiet).await.join("; ")).await;
    let name = texts(&url, "SELECT current_database()::text").await.remove(0);
    let told = ["session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0"];
    let told = told.into_iter().chain(["auto_explain.log_analyze = on", "auto_explain.log_buffers = on"]);
    for setting in told.chain(["auto_explain.log_timing = off", "auto_explain.log_format = json"]) {
        database.execute(&format!("ALTER DATABASE {name} SET {setting}")).await;
    }
    (database, name, seed)
}

/// Statements that read too much, by their texts.
type TooMuch = BTreeMap<String, (String, Read, Value)>;

/// Adds those of the log from a place on.
async fn add_too_much(too_much: &mut TooMuch, url: &str, from: i64, believed: Believed, mode: &str) {
    let plans = plans(url, from).await;
    assert!(plans.len() > 100, "the log tells of {} statements", plans.len());
    for (sql, plan) in plans.into_iter().filter(|(sql, _)| !is_free(sql)) {
        let read = Read::of(&plan);
        if read.is_too_much(&sql) && !(matches!(believed, Believed::OneOfMany) && never_shrinks(&plan)) {
            too_much.entry(sql).or_insert((format!("{believed:?} {mode}"), read, plan));
        }
    }
}

fn assert_none(too_much: &TooMuch) {
    let told: Vec<_> = too_much
        .iter()
        .map(|(sql, (when, read, plan))| format!("{when} {read:?}\n{sql}\n{}", brief(plan, 0)))
        .collect();
    assert!(told.is_empty(), "{} statements read too much:\n{}", told.len(), told.join("\n\n"));
}

fn two_connections(url: &str) -> StorageSettings {
    StorageSettings { pool_size: 2, ..StorageSettings::new(url.to_owned()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_reads_what_it_gives_whatever_is_believed_of_the_tables() {
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

/// When plans are made that stay: with so many rows.
const STAGES: [u32; 4] = [1, 3, 20, 150];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plans_that_were_made_when_there_was_little_serve_when_there_is_much() {
    let _alone = ALONE.lock().await;
    let (database, name, mut seed) = watched().await;
    let url = database.url();
    database.execute(&format!("ALTER DATABASE {name} SET plan_cache_mode = force_generic_plan")).await;
    let (mut storages, mut rows) = (Vec::new(), 0);
    for stage in STAGES {
        fill(&database, rows + 1, stage).await;
        rows = stage;
        let storage = Storage::open(&two_connections(&url)).await.unwrap();
        // Twice, so that either connection has made its plans.
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

/// Nobody pays for waits that no flow of the workspace has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_flows_that_wait_for_events_ask_which_are_on_their_way() {
    let _alone = ALONE.lock().await;
    let (database, _, seed) = watched().await;
    let (url, world) = (database.url(), &seed.world);
    let tidings = Tidings::new(Ports::of(Storage::open(&two_connections(&url)).await.unwrap()));
    let asked = async |node: Value| {
        let definition = json!({"start": "a", "nodes": [node, {"id": "end", "type": "end"}]});
        let new = NewFlow { name: "Waits".to_owned(), definition };
        let flow = tidings.flows.create(&world.access, new, None).await.unwrap().value.id;
        tidings.flows.publish(&world.access, flow, InFlight::Pin, &Expected::Any, None).await.unwrap();
        let mut from = 0;
        // The first run finds out who listens, and reads what is held from then on.
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

/// A plan, to be read by people.
fn brief(node: &Value, depth: usize) -> String {
    let text = |key: &str| node[key].as_str().unwrap_or_default().to_owned();
    let mut lines = format!(
        "{}{} {} {} cond {} filter {}: rows {} loops {} removed {} pages {}",
        "  ".repeat(depth),
        text("Node Type"),
        text("Relation Name"),
        text("Index Name"),
        text("Index Cond"),
        text("Filter"),
        node["Actual Rows"],
        node["Actual Loops"],
        node["Rows Removed by Filter"],
        node["Shared Hit Blocks"],
    );
    for child in node["Plans"].as_array().into_iter().flatten() {
        lines.push('\n');
        lines.push_str(&brief(child, depth + 1));
    }
    lines
}
