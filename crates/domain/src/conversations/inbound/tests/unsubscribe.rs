//! Opt-outs by the link in a message.

use super::numbers::numbers;
use super::*;
use crate::channels::{Connector, Outbound, SendContext};
use crate::conversations::{Complaint, Recipient};
use crate::merges::MergeService;
use crate::opt_outs::UnsubscribeLink;
use crate::outcome::ExpectedVersion;

const ADA: &str = "ada@example.com";

impl Bench {
    fn link(&self, contact: ContactId) -> UnsubscribeLink {
        let (workspace, channel) = (self.access.workspace(), self.channel.id);
        UnsubscribeLink { workspace, contact, channel, address: ADA.to_owned() }
    }

    fn unsubscribe(&self, contact: ContactId) {
        block_on(self.inbound.unsubscribe(&self.link(contact))).unwrap();
    }

    fn delete(&self, contact: ContactId) {
        let contacts = ContactService { ports: self.ports.clone() };
        block_on(contacts.delete(&self.access, &ContactRef::Id(contact), &ExpectedVersion::Any)).unwrap();
    }

    fn opt_outs(&self) -> usize {
        self.event_kinds().iter().filter(|kind| **kind == "contact.unsubscribed").count()
    }
}

#[test]
fn a_link_opts_the_recipient_out_once() {
    let bench = numbers();
    let contact = bench.hear("m1", ADA, None, &[]).contact;
    for _ in 0..2 {
        bench.unsubscribe(contact);
        assert!(!bench.contact(contact).identities[0].opted_in);
        assert!(bench.contact(contact).subscribed, "other channels are not affected");
        assert_eq!(bench.opt_outs(), 1);
    }
    let events = bench.store.events(bench.access.workspace());
    let event = events.iter().find(|it| it.kind == EventKind::ContactUnsubscribed).unwrap();
    assert!(event.full.contains("\"source\":\"link\""), "{}", event.full);
    assert_eq!(event.contact, Some(contact));
}

#[test]
fn a_link_opts_out_the_contact_that_has_the_address_now() {
    let bench = numbers();
    let gone = bench.hear("m1", ADA, None, &[]).contact;
    bench.delete(gone);
    let owner = bench.hear("m2", ADA, None, &[]).contact;
    assert_ne!(owner, gone);
    bench.unsubscribe(gone);
    assert!(!bench.contact(owner).identities[0].opted_in);
}

#[test]
fn a_link_of_a_deleted_contact_opts_its_address_out() {
    let bench = numbers();
    let gone = bench.hear("m1", ADA, None, &[]).contact;
    bench.delete(gone);
    bench.unsubscribe(gone);
    bench.unsubscribe(gone);
    assert_eq!(bench.opt_outs(), 0, "no contact changed");
    let next = bench.hear("m2", ADA, None, &[]).contact;
    let other = bench.hear("m3", "bob@example.com", None, &[]).contact;
    let opted_in = |contact| bench.contact(contact).identities[0].opted_in;
    assert_eq!((opted_in(next), opted_in(other)), (false, true));
}

/// Sends a message to a new contact with the address `ADA`, and returns the contact. The provider's ID is `p1`.
fn written_to(bench: &Bench) -> ContactId {
    let hello = bench.hear("m1", ADA, None, &[]);
    assert_eq!(bench.reply(&hello, Content::text("Hi")).0, MessageStatus::Sent);
    hello.contact
}

fn complain(bench: &Bench) {
    let complaint = Complaint { event: [1; 32], message: "p1".to_owned() };
    block_on(bench.inbound.complain(&bench.access, &bench.channel, &complaint)).unwrap();
}

#[test]
fn reports_about_a_deleted_contact_opt_its_address_out() {
    let opted_out = || Report::OptedOut(MessageError::new("unsubscribed", "opted out"));
    let reports: [fn(&Bench, Report); 2] =
        [|bench, _| complain(bench), |bench, report| assert_eq!(bench.report("p1", report), Ok(Outcome::Accepted))];
    for report in reports {
        let bench = numbers();
        bench.delete(written_to(&bench));
        report(&bench, opted_out());
        assert_eq!(bench.opt_outs(), 0, "no contact changed");
        let next = bench.hear("m2", ADA, None, &[]).contact;
        let other = bench.hear("m3", "bob@example.com", None, &[]).contact;
        let opted_in = |contact| bench.contact(contact).identities[0].opted_in;
        assert_eq!((opted_in(next), opted_in(other)), (false, true));
    }
}

#[test]
fn a_complaint_opts_out_the_contact_that_has_the_address_now() {
    let bench = numbers();
    let gone = written_to(&bench);
    bench.delete(gone);
    let owner = bench.hear("m2", ADA, None, &[]).contact;
    complain(&bench);
    let opt_out = bench.contact(owner).identities[0].opt_out;
    assert_eq!(opt_out.map(|it| it.source), Some(OptOutSource::Complaint));
    assert_eq!(bench.opt_outs(), 1);
}

#[test]
fn a_complaint_about_a_message_to_a_merged_contact_opts_the_survivor_out() {
    let bench = numbers();
    let merged = written_to(&bench);
    let survivor = bench.hear("m2", "bob@example.com", None, &[]).contact;
    let merges = MergeService { ports: bench.ports.clone() };
    block_on(merges.merge(&bench.access, &ContactRef::Id(merged), &ContactRef::Id(survivor), None)).unwrap();
    complain(&bench);
    let survivor = bench.contact(survivor);
    assert!(survivor.identities.iter().all(|it| !it.opted_in), "{:?}", survivor.identities);
}

/// A provider of messages with a link to opt out. It records the context of each message.
#[derive(Default)]
struct Links(std::sync::Mutex<Vec<SendContext>>);

#[async_trait::async_trait]
impl Connector for Links {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn offers_unsubscribe_link(&self) -> bool {
        true
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        self.0.lock().unwrap().push(message.context);
        accepted("p1")
    }
}

/// Sends a message of this actor by a server with this public URL. Returns its link to opt out.
fn url_in(actor: Actor, public_url: &str) -> (Bench, Option<String>) {
    let bench = bench();
    let contacts = ContactService { ports: bench.ports.clone() };
    let contact = block_on(contacts.create(&bench.access, NewContact::default(), None)).unwrap().value;
    let mut set = ChangeSet::new(bench.access.workspace());
    let to = Recipient { contact: &contact, channel: &bench.channel, conversation: None };
    let access = bench.access.acting_as(actor);
    to.add_message(&mut set, Content::text("Hi"), &access, &*bench.clock, &*bench.ports.ids);
    block_on(bench.ports.ledger.commit(set)).unwrap();
    let provider = Arc::new(Links::default());
    let connectors = Connectors::one(provider.clone());
    let ports = Ports { connectors, public_url: public_url.into(), ..Ports::clone(&bench.ports) };
    let [job] = bench.claim(Pool::Sends, JobKind::SendMessage).try_into().expect("exactly one job is claimed");
    let Job::SendMessage { message, depth, .. } = job.job else { panic!("{job:?}") };
    block_on(MessageSender { ports: Arc::new(ports) }.send(&bench.access, &job, message, depth)).unwrap();
    let url = provider.0.lock().unwrap()[0].unsubscribe_url.clone();
    (bench, url)
}

#[test]
fn only_messages_of_automations_contain_a_link() {
    let by_sequence = || Actor::sequence(crate::ids::SequenceId::from_uuid(uuid::Uuid::from_u128(7)));
    let (bench, url) = url_in(by_sequence(), "https://tidings.example");
    let url = url.expect("the message has a link");
    let token = url.strip_prefix("https://tidings.example/u/").unwrap();
    let link = UnsubscribeLink::open(token, &*bench.ports.sealer).unwrap();
    assert_eq!((link.workspace, link.channel), (bench.access.workspace(), bench.channel.id));
    assert_eq!(link.address, bench.contact(link.contact).identities[0].address);
    assert_eq!(url_in(by_sequence(), "").1, None, "the server has no public URL");
    assert_eq!(url_in(Actor::system(), "https://tidings.example").1, None);
}
