//! What follows from several events of one change set.

use super::flows::played::answering;
use super::*;
use crate::contacts::{Contact, NewTag, TagRef};
use crate::events::EventKind;
use crate::ids::TypedId;
use crate::webhooks::{NewWebhook, PayloadForm, Subscription};

impl Bench {
    /// Gives the contact these tags at once.
    fn tags(&self, contact: &Contact, names: &[&str]) {
        let tag = |name: &&str| NewTag { tag: TagRef::Name((*name).into()), pointer: String::new() };
        let tags: Vec<_> = names.iter().map(tag).collect();
        let named = ContactRef::Id(contact.id);
        block_on(self.tidings.contacts.replace_tags(&self.access, &named, &tags, &Expected::Any)).unwrap();
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

    /// The kinds of the jobs that are due now, each with what its claim is done by.
    fn kinds(&self) -> (Vec<JobKind>, Vec<ClaimedJob>) {
        let claimed = self.claimed();
        (claimed.iter().map(|job| job.job.kind()).collect(), claimed)
    }

    fn performs(&self, job: &ClaimedJob) {
        block_on(self.tidings.worker.perform(job)).unwrap();
    }

    /// How many deliveries are due.
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
fn the_events_of_a_set_have_one_job_and_are_followed_in_their_order() {
    let bench = bench();
    bench.flow("Welcome", welcoming());
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three"]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::RelaySet]);
    bench.performs(&jobs[0]);
    assert_eq!(bench.texts(&contact), ["Welcome, one"], "of each commit one event starts something");
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
fn where_only_deliveries_follow_one_commit_makes_them_until_there_are_enough() {
    let bench = bench();
    bench.listens(20);
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three", "four", "five", "six", "seven"]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!((kinds, bench.due_deliveries()), (vec![JobKind::RelaySet], 0));
    bench.performs(&jobs[0]);
    assert_eq!(bench.due_deliveries(), 100);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::RelaySet], "the last two");
    bench.performs(&jobs[0]);
    assert_eq!((bench.kinds().0, bench.due_deliveries()), (vec![], 40));
}

#[test]
fn a_set_that_failed_is_parted_and_relayed_event_by_event() {
    let bench = bench();
    bench.flow("Welcome", welcoming());
    let contact = bench.contact();
    bench.tags(&contact, &["one", "two", "three"]);
    let job = bench.kinds().1.remove(0);
    let error = Error::Store(StoreError::Corrupt("a test".into()));
    block_on(bench.tidings.worker.give_back(&job, &error)).unwrap();
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(60)));
    let (kinds, jobs) = bench.kinds();
    assert_eq!((kinds, jobs[0].attempts), (vec![JobKind::RelaySet], 1));
    bench.performs(&jobs[0]);
    bench.performs(&jobs[0]);
    let (kinds, jobs) = bench.kinds();
    assert_eq!(kinds, [JobKind::Relay; 3], "once, though its claim was lost then");
    assert!(jobs.iter().all(|it| it.id != job.id && it.id.uuid() != it.job.columns().subject));
    jobs.iter().for_each(|job| bench.performs(job));
    bench.finish_due_work();
    let mut texts = bench.texts(&contact);
    texts.sort();
    assert_eq!(texts, ["Welcome, one", "Welcome, three", "Welcome, two"]);
}
