//! Tests of relaying several events of one change set.

use super::flows::played::answering;
use super::*;
use crate::contacts::{Contact, NewTag, TagRef};
use crate::events::EventKind;
use crate::ids::TypedId;
use crate::ports::Row;
use crate::webhooks::{NewWebhook, PayloadForm, Subscription};

impl Bench {
    /// Sets the contact's tags in one request.
    fn tags(&self, contact: &Contact, names: &[&str]) {
        let tag = |name: &&str| NewTag { tag: TagRef::Name((*name).into()), pointer: String::new() };
        let tags: Vec<_> = names.iter().map(tag).collect();
        let named = ContactRef::Id(contact.id);
        block_on(self.tidings.contacts.replace_tags(&self.access, &named, &tags, &ExpectedVersion::Any)).unwrap();
    }

    fn listens(&self, webhooks: usize) {
        for place in 0..webhooks {
            let new = NewWebhook {
                url: format!("https://example.com/{place}"),
                events: Subscription::Kinds(vec![EventKind::ContactTagAdded]),
                description: None,
                payload: PayloadForm::Full,
                headers: Default::default(),
            };
            block_on(self.tidings.webhooks.create(&self.access, new, None)).unwrap();
        }
    }

    /// Claims the due jobs, and returns them with their kinds.
    fn kinds(&self) -> (Vec<JobKind>, Vec<ClaimedJob>) {
        let claimed = self.claimed();
        (claimed.iter().map(|job| job.job.kind()).collect(), claimed)
    }

    fn performs(&self, job: &ClaimedJob) {
        block_on(self.tidings.worker.perform(job)).unwrap();
    }

    fn due_deliveries(&self) -> usize {
        let request = ClaimRequest::new(Pool::Deliveries, 1_000, Duration::from_secs(30), self.clock.now());
        block_on(self.store.claim(request)).unwrap().len()
    }
}

const ON_TAG: &str = r#"[{"type": "event", "event": "contact.tag_added"}]"#;

fn welcoming() -> serde_json::Value {
    answering(serde_json::from_str(ON_TAG).unwrap(), "Welcome, {{ event.tag.name }}")
}

#[test]
fn relays_the_events_of_a_set_in_order_by_one_job() {
    let bench = bench();
    bench.flow("Welcome", welcoming());
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three"]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::RelaySet]);
    bench.performs(&jobs[0]);
    assert_eq!(bench.texts(&contact), ["Welcome, one"], "one commit starts the runs of one event only");
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::RelaySet]);
    bench.performs(&jobs[0]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::Relay]);
    bench.performs(&jobs[0]);
    assert_eq!(bench.kinds().0, []);
    assert_eq!(bench.texts(&contact), ["Welcome, one", "Welcome, two", "Welcome, three"]);
}

#[test]
fn creates_up_to_a_hundred_deliveries_in_one_commit() {
    let bench = bench();
    bench.listens(20);
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three", "four", "five", "six", "seven"]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!((kinds, bench.due_deliveries()), (vec![JobKind::RelaySet], 0));
    bench.performs(&jobs[0]);
    assert_eq!(bench.due_deliveries(), 100);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::RelaySet], "the events that did not fit follow in another job");
    bench.performs(&jobs[0]);
    assert_eq!((bench.kinds().0, bench.due_deliveries()), (vec![], 40));
}

/// A ledger that refuses to start runs.
struct NoRuns(Arc<MemoryStore>);

#[async_trait::async_trait]
impl Ledger for NoRuns {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        match set.changes.iter().any(|change| matches!(change, Change::Insert(Row::Run(_)))) {
            true => Err(StoreError::Corrupt("a test".into()).into()),
            false => self.0.commit(set).await,
        }
    }
}

/// Asserts that a set of three events was split: the due jobs are one per event, each with its own ID.
fn is_parted(bench: &Bench, set: &ClaimedJob) {
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::Relay; 3]);
    assert!(jobs.iter().all(|it| it.id != set.id && it.id.uuid() != it.job.columns().subject));
    let dead = block_on(bench.tidings.jobs.dead(&bench.access, Default::default())).unwrap().items;
    assert_eq!(dead, [], "no job is dead-lettered");
}

/// Returns a claimed job with three events. Each event starts a flow.
fn claimed_set(bench: &Bench) -> (Contact, ClaimedJob) {
    bench.flow("Welcome", welcoming());
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three"]);
    (contact, bench.kinds().1.remove(0))
}

#[test]
fn splits_a_set_at_once_if_it_cannot_be_relayed() {
    let mut bench = bench();
    let (_, job) = claimed_set(&bench);
    let ports = (*bench.tidings.ports).clone();
    bench.tidings = Tidings::new(ports.through(Arc::new(NoRuns(bench.store.clone()))));
    bench.performs(&job);
    is_parted(&bench, &job);
    bench.performs(&job);
    assert_eq!(bench.kinds().0, [], "the lost claim adds no jobs");
}

#[test]
fn splits_a_set_on_its_second_attempt() {
    let bench = bench();
    let (contact, job) = claimed_set(&bench);
    let error = Error::Store(StoreError::Corrupt("a test".into()));
    block_on(bench.tidings.worker.give_back(&job, &error)).unwrap();
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(60)));
    let (kinds, jobs) = bench.kinds();
    assert_eq!((kinds, jobs[0].attempts), (vec![JobKind::RelaySet], 1));
    bench.performs(&jobs[0]);
    assert_eq!(bench.runs(), []);
    bench.clock.set(bench.clock.now().plus(Duration::from_millis(1)));
    let jobs = bench.kinds().1;
    assert_eq!(jobs.len(), 3);
    jobs.iter().for_each(|job| bench.performs(job));
    let mut texts = bench.texts(&contact);
    texts.sort();
    assert_eq!(texts, ["Welcome, one", "Welcome, three", "Welcome, two"]);
}

#[test]
fn splits_a_set_that_ends_its_process_five_times() {
    let bench = bench();
    let (_, job) = claimed_set(&bench);
    for _ in 1..5 {
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(31)));
        assert_eq!(bench.kinds().0, [JobKind::RelaySet]);
    }
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(31)));
    let request = ClaimRequest::new(Pool::Work, 100, Duration::from_secs(30), bench.clock.now());
    let poisoned = block_on(bench.store.poisoned(10, Duration::from_secs(30), bench.clock.now())).unwrap();
    assert_eq!((block_on(bench.store.claim(request)).unwrap(), poisoned.len()), (vec![], 1));
    block_on(bench.tidings.worker.bury(&poisoned[0], "a test".to_owned())).unwrap();
    is_parted(&bench, &job);
}

#[test]
fn a_start_after_other_deliveries_still_runs_its_first_step() {
    let bench = bench();
    let filter = json!({"field": "event.tag.name", "op": "eq", "value": "two"});
    let on_tag = json!([{"type": "event", "event": "contact.tag_added", "filter": filter}]);
    bench.flow("Welcome", answering(on_tag, "Welcome, {{ event.tag.name }}"));
    bench.listens(20);
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three"]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::RelaySet]);
    bench.performs(&jobs[0]);
    assert_eq!((bench.texts(&contact), bench.due_deliveries()), (vec!["Welcome, two".to_owned()], 40));
    let runs: Vec<_> = bench.runs().iter().map(|run| run.status).collect();
    let (kinds, jobs) = bench.kinds();
    assert_eq!((runs, kinds), (vec![RunStatus::Completed], vec![JobKind::Relay]));
    bench.performs(&jobs[0]);
    assert_eq!((bench.runs().len(), bench.due_deliveries()), (1, 20));
}
