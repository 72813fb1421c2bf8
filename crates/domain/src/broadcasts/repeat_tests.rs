//! Repeats of broadcasts over the store in memory, with a provider that refuses some contacts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::executor::block_on;

use super::tests::Bench;
use super::*;
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::contacts::{ContactPatch, ContactRef, NewContact};
use crate::conversations::MessageStatusView;
use crate::error::Error;
use crate::ids::{BroadcastId, ContactId};
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::Ports;

/// The response of a provider to a message that it does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Refuse,
    Break,
}

/// A connector that accepts and counts all messages except those to some contacts, given by external ID.
#[derive(Default)]
struct Provider {
    answers: Mutex<BTreeMap<String, Answer>>,
    accepted: Mutex<BTreeMap<String, u32>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        let contact = message.external_id.unwrap_or_default();
        match self.answers.lock().unwrap().get(&contact) {
            Some(Answer::Refuse) => SendOutcome::Rejected { code: "refused".to_owned(), message: "No.".into() },
            Some(Answer::Break) => SendOutcome::Unknown { message: "it broke off".into() },
            None => {
                *self.accepted.lock().unwrap().entry(contact).or_default() += 1;
                SendOutcome::Accepted { provider_message_id: None }
            }
        }
    }
}

fn bench(answers: &[(&str, Answer)]) -> (Bench, Arc<Provider>) {
    let answers = answers.iter().map(|(contact, answer)| ((*contact).to_owned(), *answer)).collect();
    let provider = Arc::new(Provider { answers: Mutex::new(answers), ..Provider::default() });
    let connectors = Connectors::one(provider.clone());
    (Bench::with(|ports| Ports { connectors, ..ports }), provider)
}

fn contact(bench: &Bench, name: &str) -> ContactId {
    let contact = NewContact {
        first_name: Some(name.to_owned()),
        external_id: Some(name.parse().unwrap()),
        ..NewContact::default()
    };
    block_on(bench.tidings.contacts.create(&bench.access, contact, None)).unwrap().value.id
}

fn subscribe(bench: &Bench, contact: ContactId, subscribed: bool) {
    let patch = ContactPatch { subscribed: Some(subscribed), ..ContactPatch::default() };
    block_on(bench.tidings.contacts.update(&bench.access, &ContactRef::Id(contact), patch, &ExpectedVersion::Any))
        .unwrap();
}

/// Sends a broadcast and waits until it is completed.
fn complete(bench: &Bench, broadcast: BroadcastId) -> BroadcastStats {
    bench.send(broadcast);
    for _ in 0..5 {
        bench.wait(1);
    }
    let done = bench.get(broadcast);
    assert_eq!(done.broadcast.status, BroadcastStatus::Completed);
    done.stats
}

fn repeat(bench: &Bench, broadcast: BroadcastId) -> Result<Broadcast, Error> {
    let made = block_on(bench.tidings.broadcasts.repeat(&bench.access, broadcast, None))?;
    Ok(made.value.broadcast)
}

fn recipients(bench: &Bench, broadcast: BroadcastId, status: &str) -> Vec<BroadcastRecipient> {
    let status = RecipientStatus::parse(status);
    let page = PageRequest::default();
    block_on(bench.tidings.broadcasts.recipients(&bench.access, broadcast, status, page)).unwrap().items
}

#[test]
fn a_repeat_reaches_only_recipients_who_did_not_get_the_message() {
    let (bench, provider) = bench(&[("bob", Answer::Refuse), ("eve", Answer::Break)]);
    let people = ["ada", "bob", "eve", "off"].map(|name| contact(&bench, name));
    subscribe(&bench, people[3], false);
    let first = bench.draft(|it| it.rate_per_minute = Some(6_000));
    assert!(matches!(repeat(&bench, first), Err(Error::BroadcastStatus(BroadcastStatus::Draft))));
    let stats = complete(&bench, first);
    assert_eq!((stats.targeted, stats.sent, stats.failed, stats.suppressed, stats.uncertain), (4, 1, 1, 1, 1));

    let failed = recipients(&bench, first, "failed");
    assert_eq!((failed.len(), failed[0].contact), (1, people[1]));
    let view = BroadcastRecipientView::from(&failed[0]);
    let code = view.error.as_ref().map(|error| error.code.as_str());
    assert_eq!(
        (view.status, view.message_status, code),
        (RecipientStatus::Failed, Some(MessageStatusView::Failed), Some("refused"))
    );
    let of = |status| recipients(&bench, first, status).iter().map(|it| it.contact).collect::<Vec<_>>();
    assert_eq!((of("sent"), of("uncertain"), of("suppressed")), (vec![people[0]], vec![people[2]], vec![people[3]]));
    assert_eq!(recipients(&bench, first, "").len(), 4);

    // An opt-out is a decision: the repeat skips a contact that subscribed again.
    subscribe(&bench, people[3], true);
    let second = repeat(&bench, first).unwrap();
    assert_eq!(
        (second.repeats, second.status, second.rate_per_minute),
        (Some(first), BroadcastStatus::Draft, Some(6_000))
    );
    let preview = block_on(bench.tidings.broadcasts.preview(&bench.access, second.id)).unwrap();
    let sample: Vec<_> = preview.sample.iter().map(|it| it.contact_id).collect();
    assert_eq!((preview.contacts, preview.suppressed.len(), sample), (1, 0, vec![people[1]]));
    provider.answers.lock().unwrap().remove("bob");
    let stats = complete(&bench, second.id);
    assert_eq!((stats.targeted, stats.sent), (1, 1));
    for broadcast in [first, second.id] {
        assert!(matches!(repeat(&bench, broadcast), Err(Error::NoRecipients)));
    }
    let accepted = provider.accepted.lock().unwrap().clone();
    assert_eq!(accepted, BTreeMap::from([("ada".to_owned(), 1), ("bob".to_owned(), 1)]));
}

#[test]
fn a_repeat_of_a_repeat_belongs_to_the_first_broadcast() {
    let (bench, _) = bench(&[("bob", Answer::Refuse)]);
    contact(&bench, "bob");
    let first = bench.draft(|_| {});
    assert_eq!(complete(&bench, first).failed, 1);
    let second = repeat(&bench, first).unwrap();
    let stays = repeat(&bench, second.id);
    assert!(matches!(stays, Err(Error::BroadcastStatus(BroadcastStatus::Draft))), "{stays:?}");
    assert_eq!(complete(&bench, second.id).failed, 1);
    assert_eq!(repeat(&bench, second.id).unwrap().repeats, Some(first));
}

#[test]
fn a_repeat_excludes_a_survivor_whose_merged_contact_got_the_message() {
    let (bench, provider) = bench(&[("bob", Answer::Refuse), ("eve", Answer::Refuse)]);
    let [ada, bob, _] = ["ada", "bob", "eve"].map(|name| contact(&bench, name));
    let first = bench.draft(|_| {});
    assert_eq!(complete(&bench, first).failed, 2);
    provider.answers.lock().unwrap().clear();
    let (gone, kept) = (ContactRef::Id(ada), ContactRef::Id(bob));
    block_on(bench.tidings.merges.merge(&bench.access, &gone, &kept, None)).unwrap();
    let second = repeat(&bench, first).unwrap().id;
    assert_eq!(complete(&bench, second).targeted, 1);
    let accepted = provider.accepted.lock().unwrap().clone();
    assert_eq!(accepted, BTreeMap::from([("ada".to_owned(), 1), ("eve".to_owned(), 1)]));
}

#[test]
fn only_one_of_two_concurrent_repeats_reaches_a_contact() {
    let (bench, provider) = bench(&[("bob", Answer::Refuse)]);
    contact(&bench, "bob");
    let first = bench.draft(|_| {});
    complete(&bench, first);
    provider.answers.lock().unwrap().clear();
    let before = bench.get(first).broadcast;
    let repeats = [0, 1].map(|_| repeat(&bench, first).unwrap().id);
    repeats.iter().for_each(|it| bench.send(*it));
    for _ in 0..5 {
        bench.wait(1);
    }
    let targeted = repeats.map(|it| bench.get(it).stats.targeted);
    assert_eq!(targeted.iter().sum::<i64>(), 1);
    assert_eq!(provider.accepted.lock().unwrap().get("bob"), Some(&1));
    let after = bench.get(first).broadcast;
    assert!(after.version > before.version && after.updated_at > before.updated_at, "{after:?}");
}

#[test]
fn an_audience_narrows_a_repeat() {
    let (bench, provider) = bench(&[("bob", Answer::Refuse), ("eve", Answer::Refuse)]);
    for name in ["ada", "bob", "eve"] {
        contact(&bench, name);
    }
    let first = bench.draft(|_| {});
    assert_eq!(complete(&bench, first).failed, 2);
    provider.answers.lock().unwrap().clear();
    let second = repeat(&bench, first).unwrap().id;
    let named = serde_json::json!({"field": "first_name", "op": "in", "value": ["ada", "eve"]});
    let patch = BroadcastPatch { audience: Some(Audience::Condition(named.into())), ..BroadcastPatch::default() };
    block_on(bench.tidings.broadcasts.update(&bench.access, second, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(complete(&bench, second).sent, 1);
    let accepted = provider.accepted.lock().unwrap().clone();
    assert_eq!(accepted, BTreeMap::from([("ada".to_owned(), 1), ("eve".to_owned(), 1)]));
}

/// A provider within the process. All its contacts have opted out.
struct Silent;

#[async_trait]
impl Connector for Silent {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::OptedOut { message: "the contact sent STOP".into() }
    }
}

#[test]
fn an_opt_out_at_the_provider_suppresses_the_recipient() {
    let bench = Bench::with(|ports| Ports { connectors: Connectors::one(Arc::new(Silent)), ..ports });
    contact(&bench, "ada");
    let broadcast = bench.draft(|_| {});
    let stats = complete(&bench, broadcast);
    assert_eq!((stats.suppressed, stats.failed), (1, 0));
    let found = recipients(&bench, broadcast, "suppressed");
    let view = BroadcastRecipientView::from(&found[0]);
    assert_eq!(view.error.map(|error| error.code).as_deref(), Some("unsubscribed"));
}
