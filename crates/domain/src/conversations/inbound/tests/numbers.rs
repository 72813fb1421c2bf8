//! Senders with a phone number that the provider vouches for, and the time during which it accepts texts.

use std::time::Duration;

use super::*;
use crate::channels::{AddressRule, Connector, Outbound};
use crate::contacts::NewIdentity;
use crate::conversations::{AddressChange, Block, MessageTemplate, MessageType, Recipient};
use crate::outcome::ExpectedVersion;
use crate::time::Timestamp;

static NUMBERS: ChannelType =
    ChannelType { addresses: AddressRule::Provider, reply_window: Some(Duration::from_secs(86_400)), ..SANDBOX };

/// A provider of phone numbers that accepts every message.
struct Numbers;

#[async_trait::async_trait]
impl Connector for Numbers {
    fn channel_type(&self) -> &'static ChannelType {
        &NUMBERS
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        accepted("p1")
    }
}

pub(super) fn numbers() -> Bench {
    let bench = bench();
    let ports = Arc::new(Ports { connectors: Connectors::one(Arc::new(Numbers)), ..Ports::clone(&bench.ports) });
    let inbound = InboundService { ports: ports.clone(), words: OptOutWords::default() };
    Bench { ports, inbound, ..bench }
}

impl Bench {
    /// Receives a message from an address, with the number that the provider vouches for.
    pub(super) fn hear(&self, id: &str, address: &str, phone: Option<&str>, aliases: &[&str]) -> Message {
        self.hear_text(id, (address, phone, aliases), "Hello")
    }

    fn hear_text(&self, id: &str, from: (&str, Option<&str>, &[&str]), text: &str) -> Message {
        let (address, phone, aliases) = from;
        let profile = Profile {
            phone: phone.map(|phone| phone.parse().unwrap()),
            aliases: aliases.iter().map(ToString::to_string).collect(),
            ..Profile::default()
        };
        let message = InboundMessage { profile, ..an_inbound_message(id, address, Content::text(text)) };
        block_on(self.inbound.receive(&self.access, &self.channel, message)).unwrap().value
    }

    pub(super) fn create(&self, phone: &str, address: Option<&str>) -> Contact {
        let identity =
            |address: &str| NewIdentity { channel: self.channel.id, address: address.to_owned(), opted_in: None };
        let identities = address.map(|address| vec![identity(address)]);
        let new = NewContact { phone: phone.parse().ok(), identities, ..NewContact::default() };
        let contacts = ContactService { ports: self.ports.clone() };
        block_on(contacts.create(&self.access, new, None)).unwrap().value
    }

    fn addresses(&self, of: &Message) -> Vec<String> {
        self.contact(of.contact).identities.into_iter().map(|it| it.address).collect()
    }

    /// Returns the addresses that are not aliases, each with its aliases.
    fn aliases(&self, of: &Message) -> Vec<(String, Vec<String>)> {
        let identities = ContactView::from(&self.contact(of.contact)).identities;
        identities.into_iter().map(|it| (it.address, it.aliases)).collect()
    }

    fn phone(&self, of: &Message) -> Option<String> {
        self.contact(of.contact).phone.map(|phone| phone.to_string())
    }

    /// Returns the destination of a new message.
    fn destination(&self, of: &Message) -> String {
        let (contact, conversation) = (self.contact(of.contact), self.conversation(of));
        let mut set = ChangeSet::new(self.access.workspace());
        let to = Recipient { contact: &contact, channel: &self.channel, conversation: Some(&conversation) };
        let id = to.add_message(&mut set, Content::text("Hi"), &self.access, &*self.clock, &*self.ports.ids).message.id;
        block_on(self.ports.ledger.commit(set)).unwrap();
        let dispatch = block_on(self.ports.conversations.dispatch(&self.access, id)).unwrap().unwrap();
        dispatch.contact.identities[0].address.clone()
    }

    /// Sends a reply. Returns its status, and the code of its error.
    pub(super) fn reply(&self, to: &Message, content: Content) -> (MessageStatus, Option<String>) {
        let id = self.queue_reply(to, content);
        self.send_reply(id)
    }

    fn queue_reply(&self, to: &Message, content: Content) -> MessageId {
        let (contact, conversation) = (self.contact(to.contact), self.conversation(to));
        let mut set = ChangeSet::new(self.access.workspace());
        let to = Recipient { contact: &contact, channel: &self.channel, conversation: Some(&conversation) };
        let id = to.add_message(&mut set, content, &self.access, &*self.clock, &*self.ports.ids).message.id;
        block_on(self.ports.ledger.commit(set)).unwrap();
        id
    }

    fn send_reply(&self, id: MessageId) -> (MessageStatus, Option<String>) {
        let [job] = self.claim(Pool::Sends, JobKind::SendMessage).try_into().expect("exactly one job is claimed");
        block_on(MessageSender { ports: self.ports.clone() }.send(&self.access, &job, id, 0)).unwrap();
        let message = self.message(id);
        (message.status, message.error.map(|error| error.code))
    }
}

#[test]
fn a_number_finds_the_contact_with_this_number_in_any_spelling() {
    let bench = numbers();
    let imported = bench.create("+5511981234567", None);
    let message = bench.hear("m1", "551181234567", Some("+5511981234567"), &[]);
    assert_eq!(message.contact, imported.id);
    assert_eq!(bench.addresses(&message), ["551181234567"]);
    // The stored address stays in its spelling.
    let again = bench.hear("m2", "5511981234567", Some("+5511981234567"), &[]);
    assert_eq!((again.contact, bench.addresses(&again)), (imported.id, vec!["551181234567".to_owned()]));
    let listed = bench.create("+4930765", Some("+4930765"));
    assert_eq!(bench.hear("m3", "4930765", Some("+4930765"), &[]).contact, listed.id);
}

#[test]
fn an_address_takes_the_plus_sign_of_the_provider() {
    let bench = numbers();
    let listed = bench.create("+4930765", Some("4930765"));
    bench.hear_text("m1", ("+4930765", Some("+4930765"), &[]), "STOP");
    let message = bench.hear("m2", "+4930765", Some("+4930765"), &[]);
    assert_eq!((message.contact, bench.addresses(&message)), (listed.id, vec!["+4930765".to_owned()]));
    assert!(!bench.contact(listed.id).identities[0].opted_in);
    assert_eq!(bench.event_kinds().iter().filter(|kind| **kind == "contact.unsubscribed").count(), 1);
    bench.hear_text("m3", ("+4930765", Some("+4930765"), &[]), "START");
    assert_eq!(bench.reply(&message, Content::text("Hi")).0, MessageStatus::Sent);
}

#[test]
fn a_number_that_a_person_may_have_typed_finds_nobody() {
    let bench = numbers();
    let other = bench.create("+4930765", Some("somebody"));
    let message = bench.hear("m1", "4930765", Some("+4930765"), &[]);
    assert_ne!(message.contact, other.id);
    assert_eq!(bench.phone(&message), None, "another contact has the number");
    let new = bench.hear("m2", "4930766", Some("+4930766"), &[]);
    assert_eq!(bench.phone(&new).as_deref(), Some("+4930766"));
}

#[test]
fn a_sender_is_found_by_every_address() {
    let bench = numbers();
    let first = bench.hear("m1", "4930765", Some("+4930765"), &["DE.1"]);
    assert_eq!(bench.addresses(&first), ["4930765", "DE.1"]);
    assert_eq!(bench.aliases(&first), [("4930765".to_owned(), vec!["DE.1".to_owned()])]);
    let second = bench.hear("m2", "DE.1", None, &[]);
    assert_eq!((second.contact, second.conversation), (first.contact, first.conversation));
    bench.hear_text("m3", ("DE.1", None, &[]), "STOP");
    assert!(bench.contact(first.contact).identities.iter().all(|it| !it.opted_in));
    assert_eq!(bench.event_kinds().last(), Some(&"contact.unsubscribed"));
    // A new address of a contact who opted out is opted out, too, and this is no second opt-out.
    bench.hear_text("m4", ("4930765", Some("+4930765"), &["DE.2"]), "STOP");
    let identities = bench.contact(first.contact).identities;
    assert_eq!((identities.len(), identities.iter().any(|it| it.opted_in)), (3, false));
    assert_eq!(bench.event_kinds().last(), Some(&"message.received"));

    // An address of another contact stays there.
    let other = bench.hear("m5", "DE.9", None, &[]);
    let third = bench.hear("m6", "4930777", Some("+4930777"), &["DE.8"]);
    bench.hear("m7", "4930777", Some("+4930777"), &["DE.9"]);
    assert_eq!((bench.addresses(&other).len(), bench.addresses(&third).len()), (1, 2));
}

#[test]
fn a_user_id_becomes_an_alias_of_the_number() {
    let bench = numbers();
    let first = bench.hear("m1", "DE.1", None, &[]);
    bench.hear_text("m2", ("DE.1", None, &[]), "STOP");
    let second = bench.hear("m3", "4930765", Some("+4930765"), &["DE.1"]);
    assert_eq!(second.contact, first.contact);
    assert_eq!(bench.aliases(&first), [("4930765".to_owned(), vec!["DE.1".to_owned()])]);
    assert!(bench.contact(first.contact).identities.iter().all(|it| !it.opted_in), "the opt-out stays");
    assert_eq!(bench.hear("m4", "DE.1", None, &[]).contact, first.contact);
    assert_eq!(bench.aliases(&first).len(), 1);
}

#[test]
fn a_remembered_opt_out_of_an_alias_counts_for_the_address() {
    let bench = numbers();
    let gone = bench.hear("m1", "DE.1", None, &[]);
    bench.hear_text("m2", ("DE.1", None, &[]), "STOP");
    let contacts = ContactService { ports: bench.ports.clone() };
    block_on(contacts.delete(&bench.access, &ContactRef::Id(gone.contact), &ExpectedVersion::Any)).unwrap();
    let known = bench.hear("m3", "4930765", Some("+4930765"), &[]);
    assert!(bench.contact(known.contact).identities[0].opted_in);
    bench.hear("m4", "4930765", Some("+4930765"), &["DE.1"]);
    let identities = bench.contact(known.contact).identities;
    assert_eq!((identities.len(), identities.iter().any(|it| it.opted_in)), (2, false));
}

#[test]
fn an_opted_out_address_that_becomes_an_alias_opts_out_the_address() {
    let bench = numbers();
    let identity =
        |address: &str, opted_in| NewIdentity { channel: bench.channel.id, address: address.to_owned(), opted_in };
    let identities = Some(vec![identity("4930765", Some(true)), identity("DE.1", Some(false))]);
    let contacts = ContactService { ports: bench.ports.clone() };
    let new = NewContact { identities, ..NewContact::default() };
    let created = block_on(contacts.create(&bench.access, new, None)).unwrap().value;
    let opted_in = |of: &Message| bench.contact(of.contact).identities.iter().map(|it| it.opted_in).collect::<Vec<_>>();
    let first = bench.hear("m1", "4930765", None, &[]);
    assert_eq!((first.contact, opted_in(&first)), (created.id, vec![true, false]), "two addresses have two consents");
    let second = bench.hear("m2", "4930765", None, &["DE.1"]);
    assert_eq!(bench.aliases(&second), [("4930765".to_owned(), vec!["DE.1".to_owned()])]);
    assert_eq!(opted_in(&second), [false, false]);
    let suppressed = (MessageStatus::Suppressed, Some("unsubscribed".to_owned()));
    let refused = bench.queue_reply(&second, Content::text("Hi"));
    let refused = bench.message(refused);
    assert_eq!((refused.status, refused.error.map(|error| error.code)), suppressed);
}

#[test]
fn a_block_at_the_provider_opts_out_the_address_with_its_aliases() {
    let bench = numbers();
    let first = bench.hear("m1", "4930765", Some("+4930765"), &["123", "DE.1"]);
    let block = Block { event: [1; 32], address: "DE.1".to_owned() };
    block_on(bench.inbound.block(&bench.access, &bench.channel, &block)).unwrap();
    let sources: Vec<_> =
        bench.contact(first.contact).identities.iter().map(|it| it.opt_out.map(|it| it.source)).collect();
    assert_eq!(sources, [Some(OptOutSource::Provider); 3]);
    let event = bench.store.events(bench.access.workspace()).pop().unwrap();
    assert_eq!(event.kind.as_str(), "contact.unsubscribed");
    assert!(event.full.contains("\"opted_in\":false") && !event.full.contains("\"opted_in\":true"), "{}", event.full);
}

#[test]
fn a_new_number_replaces_the_earlier_one_with_its_opt_out() {
    let bench = numbers();
    let first = bench.hear("m1", "4930765", Some("+4930765"), &["DE.1"]);
    let apply = |event: u8, earlier: &[&str], current: &[&str], at: Option<Timestamp>| {
        let [earlier, current] = [earlier, current].map(|all| all.iter().map(ToString::to_string).collect());
        let change = AddressChange { event: [event; 32], earlier, current, at };
        block_on(bench.inbound.change_address(&bench.access, &bench.channel, &change)).unwrap();
    };
    let events = std::cell::Cell::new(0);
    let change = |earlier: &[&str], current: &[&str], at: Option<Timestamp>| {
        events.set(events.get() + 1);
        apply(events.get(), earlier, current, at);
    };
    let aliases = |of: &[&str]| of.iter().map(ToString::to_string).collect::<Vec<_>>();
    change(&["4930000"], &["4930766"], None);
    change(&["4930765", "DE.1"], &["4930766", "DE.2"], None);
    assert_eq!(bench.aliases(&first), [("4930766".to_owned(), aliases(&["4930765", "DE.1", "DE.2"]))]);
    assert_eq!(bench.event_kinds().last(), Some(&"contact.updated"));
    assert_eq!(bench.destination(&first), "4930766", "replies go to the new number");
    let version = bench.contact(first.contact).version;
    change(&["4930765", "DE.1"], &["4930766", "DE.2"], None);
    assert_eq!(bench.contact(first.contact).version, version, "a repetition changes nothing");
    change(&["4930766"], &["4930765"], None);
    apply(2, &["4930765", "DE.1"], &["4930766", "DE.2"], None);
    assert_eq!(bench.destination(&first), "4930765", "a repeated event changes nothing later, either");
    change(&["4930765"], &["4930766"], None);

    bench.hear_text("m2", ("4930766", Some("+4930766"), &[]), "STOP");
    let second = bench.clock.at_rest();
    bench.clock.set(second.plus(Duration::from_secs(1)));
    change(&["DE.2"], &["DE.3"], None);
    assert_eq!(bench.aliases(&first), [("DE.3".to_owned(), aliases(&["4930765", "4930766", "DE.1", "DE.2"]))]);
    let opt_outs: Vec<_> = bench.contact(first.contact).identities.iter().map(|it| it.opt_out).collect();
    assert_eq!(opt_outs, [Some(IdentityOptOut { source: OptOutSource::Keyword, at: second }); 5], "the opt-out stays");
    change(&["4930765"], &["4930766", "DE.2"], Some(second));
    assert_eq!(bench.aliases(&first)[0].0, "DE.3", "a late repetition changes nothing");

    let other = bench.hear("m3", "4930777", Some("+4930777"), &[]);
    change(&["DE.3"], &["4930777"], None);
    assert_eq!((bench.aliases(&first)[0].0.as_str(), bench.aliases(&other).len()), ("DE.3", 1));
}

#[test]
fn a_new_number_finds_the_contact_in_any_spelling() {
    let bench = numbers();
    let (ada, bob) = (bench.create("+4930765", Some("+4930765")), bench.create("+4930777", Some("+4930777")));
    let change = |event: u8, earlier: &str, current: &str| {
        let (earlier, current) = (vec![earlier.to_owned()], vec![current.to_owned()]);
        let change = AddressChange { event: [event; 32], earlier, current, at: None };
        block_on(bench.inbound.change_address(&bench.access, &bench.channel, &change)).unwrap();
    };
    change(1, "4930765", "4930777");
    assert_eq!(bench.contact(ada.id).identities, ada.identities, "another contact has the number");
    change(2, "4930765", "4930766");
    let own = bench.contact(ada.id).identities.into_iter().map(|it| (it.address, it.is_alias)).collect::<Vec<_>>();
    assert_eq!(own, [("+4930765".to_owned(), true), ("4930766".to_owned(), false)]);
    assert_eq!(bench.contact(bob.id).identities, bob.identities);
}

#[test]
fn the_newest_aliases_of_a_sender_are_kept() {
    let bench = numbers();
    let first = bench.hear("m0", "4930765", None, &["DE.0"]);
    let hear = |number: usize| {
        bench.clock.set(bench.clock.at_rest().plus(Duration::from_secs(1)));
        let alias = format!("DE.{number}");
        bench.hear(&format!("m{number}"), "4930765", None, &[alias.as_str()])
    };
    let has = |address: &str| bench.addresses(&first).iter().any(|it| it == address);
    for number in 1..50 {
        assert_eq!(hear(number).contact, first.contact);
    }
    assert_eq!(bench.addresses(&first).len(), 40);
    assert_eq!(["4930765", "DE.0", "DE.10", "DE.11", "DE.49"].map(has), [true, false, false, true, true]);
    assert_ne!(bench.hear("m50", "DE.0", None, &[]).contact, first.contact);

    let change = |event: u8| {
        let (earlier, current) = (vec!["4930765".to_owned()], vec!["4930766".to_owned()]);
        let change = AddressChange { event: [event; 32], earlier, current, at: None };
        block_on(bench.inbound.change_address(&bench.access, &bench.channel, &change)).unwrap();
    };
    bench.hear_text("m51", ("4930765", None, &[]), "STOP");
    assert_eq!(hear(52).contact, first.contact);
    change(1);
    assert_eq!(["DE.11", "DE.52", "4930766"].map(has), [true, false, false], "no alias with an opt-out is removed");

    bench.hear_text("m53", ("4930765", None, &[]), "START");
    hear(54);
    assert_eq!(["DE.11", "DE.12", "DE.54"].map(has), [false, true, true]);
    change(2);
    assert_eq!(["4930765", "4930766", "DE.12", "DE.13"].map(has), [true, true, false, true]);
    assert_eq!(bench.addresses(&first).len(), 40);
}

#[test]
fn a_sender_with_ever_new_addresses_gets_a_limited_number() {
    let bench = numbers();
    let heard: Vec<Message> =
        (100..145).map(|it| bench.hear(&format!("m{it}"), &format!("4930{it}"), None, &["DE.1"])).collect();
    let [first, .., last] = heard.as_slice() else { panic!("45 messages are received") };
    assert!(heard.iter().all(|it| it.contact == first.contact));
    assert_eq!(bench.addresses(first).len(), 40);
    assert_eq!((first.address.as_deref(), last.address.as_deref()), (Some("4930100"), None));
    assert_eq!(bench.destination(last), "4930100", "replies go to the oldest address");
}

#[test]
fn a_message_goes_to_the_address_that_the_contact_used_last() {
    let bench = numbers();
    let first = bench.hear("m1", "551181234567", Some("+5511981234567"), &["BR.1"]);
    assert_eq!(bench.destination(&first), "551181234567");
    bench.hear("m2", "BR.1", None, &[]);
    assert_eq!(bench.destination(&first), "BR.1");
    bench.hear("m3", "5511981234567", Some("+5511981234567"), &[]);
    assert_eq!(bench.destination(&first), "551181234567", "the number goes out in its stored spelling");
    assert_eq!(first.address.as_deref(), Some("551181234567"));
}

#[test]
fn the_fallback_is_sent_after_the_reply_window() {
    let bench = numbers();
    let heard = bench.hear("m1", "4930765", Some("+4930765"), &[]);
    let template = MessageTemplate { name: "hello".into(), language: None, parameters: Default::default() };
    let text = Content { fallback: Some(template.clone()), ..Content::text("Hi") };
    let sent = (MessageStatus::Sent, None);
    let open = bench.queue_reply(&heard, text.clone());
    assert_eq!(bench.send_reply(open), sent);
    assert_eq!(bench.message(open).content, text);
    let queued = bench.queue_reply(&heard, text);
    bench.clock.set(bench.clock.at_rest().plus(Duration::from_secs(86_401)));
    assert_eq!(bench.send_reply(queued), sent);
    let expected = Content { template: Some(template), ..Content::of(MessageType::Template) };
    assert_eq!(bench.message(queued).content, expected, "the message is what the contact got");
}

#[test]
fn only_templates_are_sent_after_the_reply_window() {
    let bench = numbers();
    let heard = bench.hear("m1", "4930765", Some("+4930765"), &[]);
    let end = bench.clock.at_rest().plus(Duration::from_secs(86_400));
    assert_eq!(bench.conversation(&heard).window_expires_at, Some(end));
    bench.clock.set(end.plus(Duration::from_millis(1)));
    let closed = (MessageStatus::Suppressed, Some("window_closed".to_owned()));
    assert_eq!(bench.reply(&heard, Content::text("Hi")), closed);
    bench.hear("m2", "4930765", Some("+4930765"), &[]);
    let queued = bench.queue_reply(&heard, Content::text("Hi"));
    let later = bench.clock.at_rest().plus(Duration::from_secs(86_401));
    bench.clock.set(later);
    assert_eq!(bench.send_reply(queued), closed, "the window closes while the message is queued");
    let template = MessageTemplate { name: "hello".into(), language: None, parameters: Default::default() };
    let template = Content { template: Some(template), ..Content::of(MessageType::Template) };
    assert_eq!(bench.reply(&heard, template), (MessageStatus::Sent, None));
    bench.hear("m3", "4930765", Some("+4930765"), &[]);
    assert_eq!(bench.reply(&heard, Content::text("Hi")), (MessageStatus::Sent, None));
}
