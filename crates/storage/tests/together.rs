//! Group commit: combined sets write the same rows as separate ones, and each has its own outcome.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use tidings_domain::analytics::{Fact, Metric};
use tidings_domain::contacts::{Contact, Email, ExternalId, Locale, Phone, TimeZone};
use tidings_domain::events::EventKind;
use tidings_domain::ports::{
    AnalyticsChange, Change, CommitError, Conflict, ContactChange, FlowChange, Guard, Job, JobChange, NewJob, Object,
    Pool, Row, StoredBody, UniqueKey, WebhookChange,
};
use tidings_domain::webhooks::{AttemptCount, DeliveryStatus};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::fixtures::{NOW, World, a_delivery, an_answer, an_event, at, conflict, id, nothing, uuid};
use tidings_storage_suite::jobs::request;
use tidings_storage_suite::seed::an_attempt;

async fn a_world() -> (World, PostgresDatabase) {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    (World::new(&Ports::of(storage)).await, database)
}

fn a_full_contact() -> Contact {
    let mut contact = Contact::new(id(), NOW);
    contact.external_id = Some(ExternalId::from_store("Ext-1".to_owned()));
    contact.first_name = Some("Zoë".to_owned());
    contact.last_name = Some("Ångström".to_owned());
    contact.email = Some(Email::from_store("Zoe@example.com".to_owned()));
    contact.phone = Some(Phone::from_store("+4930123456".to_owned()));
    contact.locale = Some(Locale::from_store("de-DE".to_owned()));
    contact.time_zone = Some(TimeZone::from_store("Europe/Berlin".to_owned()));
    contact.last_message_at = Some(at(5));
    contact
}

/// Writes a row of every kind. With `alone`, a guard makes each set commit in a separate transaction.
async fn rows(alone: bool) -> Vec<String> {
    let (world, database) = a_world().await;
    let webhook = world.webhook(nothing()).await;
    let commit = async |changes: Vec<Change>, with: &dyn Fn(&mut tidings_domain::ports::ChangeSet)| {
        let build = |set: &mut tidings_domain::ports::ChangeSet| {
            if alone {
                set.guard(Guard::Live(Object::Workspace(set.workspace)));
            }
            set.changes = changes;
            with(set);
        };
        world.commit(build).await.expect("a commit");
    };
    let contact = a_full_contact();
    let mut event = an_event(EventKind::ContactCreated);
    event.contact = Some(contact.id);
    let identity = world.identity("zoe");
    let fact = |dimension: &str| {
        let (id, dimension) = (uuid(), dimension.to_owned());
        Change::Analytics(AnalyticsChange::Record(Fact {
            id,
            metric: Metric::WebhooksDelivered,
            dimension,
            amount: 3,
            at: at(1),
        }))
    };
    let inserted = vec![
        Change::Insert(Row::Contact(Box::new(contact.clone()))),
        Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity }),
        fact("chan"),
    ];
    let delivery = a_delivery(&webhook, &event);
    let run = id();
    commit(inserted, &|set| {
        set.guard(Guard::Live(Object::Channel(world.channel.id)));
        set.events.push(event.clone());
        let attempt = Job::AttemptDelivery { delivery: delivery.id, webhook: webhook.id, round: 2 };
        let handed_off =
            NewJob { lease: Some(Duration::from_secs(30)), ..NewJob::new(id(), Job::SweepTag { tag: id() }, at(9)) };
        let send = Job::SendMessage { message: id(), conversation: Some(id()), channel: None, depth: 0 };
        let steps = [0, 1].map(|visit| Job::StepRun { run, visit });
        set.jobs.extend([attempt, send].into_iter().chain(steps).map(|job| NewJob::new(id(), job, at(9))));
        set.jobs.extend([handed_off, NewJob::new(id(), Job::RelayEvent { event: event.id, depth: 0 }, NOW)]);
        let mut answer = an_answer("quoted \"key\", {with} \\ all");
        answer.body = StoredBody::Sealed(vec![0, 255, b'"', b'\\', b'{']);
        set.idempotency = Some(answer);
    })
    .await;
    let job = world.ports.engine.claim(request(Pool::Work, 1)).await.unwrap().pop().unwrap();
    commit(vec![Change::Insert(Row::Delivery(delivery.clone()))], &|set| {
        set.guard(Guard::Live(Object::Webhook(webhook.id)));
    })
    .await;
    let mut later = delivery.clone();
    (later.status, later.attempts, later.round_start, later.version) = (DeliveryStatus::Failed, 3, 1, 2);
    (later.last_status, later.last_error, later.next_attempt_at) = (Some(500), Some("it said: {no}".to_owned()), None);
    later.updated_at = at(7);
    let count = AttemptCount { webhook: webhook.id, hour: NOW, succeeded: false, bucket: 4, count: 2 };
    let ended = vec![
        Change::Job(JobChange::Finish { job: job.id, token: job.token }),
        Change::Update(Row::Delivery(later)),
        Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&delivery, 1))),
        Change::Webhook(WebhookChange::Stamp { webhook: webhook.id, at: at(8) }),
        Change::Webhook(WebhookChange::CountAttempt { id: uuid(), count }),
        Change::Webhook(WebhookChange::CountAttempt { id: uuid(), count }),
        fact("NULL"),
        Change::Contact(ContactChange::SetOptIn { contact: contact.id, channel: world.channel.id, opted_in: false }),
        Change::Flow(FlowChange::DropSteps { run }),
    ];
    commit(ended, &|_| {}).await;
    let tables = [
        "contacts",
        "contact_identities",
        "events",
        "jobs",
        "idempotency_keys",
        "deliveries",
        "delivery_attempts",
        "webhooks",
        "analytics_facts",
    ];
    let mut found = Vec::new();
    for table in tables {
        // IDs differ in each run, and so do times of the database's clock, including the end of a claimed job's lease.
        let query = format!(
            "SELECT '{table} ' || regexp_replace((to_jsonb(t) - 'recorded_at' \
             - CASE to_jsonb(t) ->> 'claimed' WHEN 'true' THEN 'due_at' ELSE '' END)::text, \
             '[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}}', 'id', 'g') FROM {table} t ORDER BY 1"
        );
        let rows = texts(&database.url(), &query).await;
        assert!(!rows.is_empty(), "no row of {table}");
        found.extend(rows);
    }
    found
}

#[tokio::test]
async fn combined_and_single_commits_write_the_same_rows() {
    let (together, alone) = (rows(false).await, rows(true).await);
    assert_eq!(together, alone);
}

/// A set with a conflict gets its error, regardless of the other sets in its transaction. The others are written.
#[tokio::test]
async fn each_set_has_its_own_outcome() {
    let (world, database) = a_world().await;
    let taken = world.contact_with(|it| it.email = Some(Email::from_store("taken@example.com".to_owned()))).await;
    let contact = |number: usize| {
        let mut contact = Contact::new(id(), NOW);
        let name = if number.is_multiple_of(10) { "taken".to_owned() } else { format!("new-{number}") };
        contact.email = Some(Email::from_store(format!("{name}@example.com")));
        contact
    };
    let sets = (0..100).map(|number| {
        let (world, contact) = (world.clone(), contact(number));
        tokio::spawn(async move {
            let made = world.commit(|set| {
                set.change(Change::Insert(Row::Contact(Box::new(contact))));
                // Two neighbors use the same key, and one of them gets a conflict.
                set.idempotency = Some(an_answer(&format!("key-{}", number / 2)));
            });
            made.await
        })
    });
    let mut outcomes = [0; 3];
    for (number, set) in sets.collect::<Vec<_>>().into_iter().enumerate() {
        match set.await.unwrap() {
            Ok(()) => outcomes[0] += 1,
            Err(CommitError::Conflict(Conflict::Exists(UniqueKey::ContactEmail))) => {
                assert!(number.is_multiple_of(10), "{number}");
                outcomes[1] += 1;
            }
            Err(CommitError::Conflict(Conflict::IdempotencyKeyUsed)) => outcomes[2] += 1,
            Err(other) => panic!("{number}: {other:?}"),
        }
    }
    // Ten sets conflict with `taken`. Their ten neighbors have the key alone.
    assert_eq!(outcomes, [50, 10, 40]);
    let contacts = texts(&database.url(), "SELECT count(*)::text FROM contacts").await;
    assert_eq!(contacts, ["51"], "{:?} and the fifty new contacts", taken.id);
}

/// After a conflict, similar sets commit alone and do not break combined transactions again, until one succeeds.
#[tokio::test]
async fn sets_like_a_conflicting_one_commit_alone() {
    let database = PostgresDatabase::new().await;
    let storage = Storage::open(&StorageSettings::new(database.url())).await.expect("a store");
    storage.migrate().await.expect("a schema");
    let world = World::new(&Ports::of(storage.clone())).await;
    let email = || Some(Email::from_store("taken@example.com".to_owned()));
    let mut taken = world.contact_with(|it| it.email = email()).await;
    let create = |email: Option<Email>| {
        let (world, mut contact) = (world.clone(), Contact::new(id(), NOW));
        contact.email = email;
        tokio::spawn(async move { world.change(Change::Insert(Row::Contact(Box::new(contact)))).await })
    };
    let given_up = || storage.pool_status().given_up;
    let mut before = 0;
    for round in 0..4 {
        let creates: Vec<_> = (0..20).map(|number| create(email().filter(|_| number == 7))).collect();
        for (number, made) in creates.into_iter().enumerate() {
            match made.await.unwrap() {
                Ok(()) => assert_ne!(number, 7),
                refused => {
                    assert_eq!(conflict(refused), Conflict::Exists(UniqueKey::ContactEmail));
                    assert_eq!(number, 7);
                }
            }
        }
        match round {
            0 => before = given_up(),
            _ => assert_eq!(given_up(), before, "in round {round}"),
        }
    }
    // It failed alone the first time, or in a transaction of at most twenty sets that was halved until it was found.
    assert!((1..=6).contains(&before), "{before}");
    taken.email = None;
    taken.touch(at(1));
    world.add(Change::Update(Row::Contact(Box::new(taken)))).await;
    create(email()).await.unwrap().unwrap();
}

/// Of many concurrent ends of one job, one succeeds, and the others write nothing.
#[tokio::test]
async fn a_job_ends_once() {
    let (world, database) = a_world().await;
    world.commit(|set| set.jobs.push(NewJob::new(id(), Job::RelayEvent { event: id(), depth: 0 }, NOW))).await.unwrap();
    let job = world.ports.engine.claim(request(Pool::Work, 1)).await.unwrap().pop().unwrap();
    let ends = (0..50).map(|_| {
        let world = world.clone();
        tokio::spawn(async move {
            let (fact, metric) = (uuid(), Metric::WebhooksDelivered);
            let end = world.commit(|set| {
                set.change(Change::Job(JobChange::Finish { job: job.id, token: job.token }));
                let dimension = String::new();
                set.change(Change::Analytics(AnalyticsChange::Record(Fact {
                    id: fact,
                    metric,
                    dimension,
                    amount: 1,
                    at: NOW,
                })));
            });
            end.await
        })
    });
    let mut ended = 0;
    for end in ends.collect::<Vec<_>>() {
        match end.await.unwrap() {
            Ok(()) => ended += 1,
            outcome => assert_eq!(conflict(outcome), Conflict::ClaimLost),
        }
    }
    assert_eq!(ended, 1);
    assert_eq!(texts(&database.url(), "SELECT count(*)::text FROM analytics_facts").await, ["1"]);
}
