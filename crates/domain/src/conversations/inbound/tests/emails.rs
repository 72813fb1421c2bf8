//! Senders with email addresses.

use super::*;
use crate::channels::{AddressRule, Connector, Outbound};
use crate::contacts::{ContactPatch, NewIdentity};
use crate::outcome::ExpectedVersion;
use crate::trial::TestAnswer;

static EMAILS: ChannelType = ChannelType { addresses: AddressRule::Email, ..SANDBOX };

struct Emails;

#[async_trait::async_trait]
impl Connector for Emails {
    fn channel_type(&self) -> &'static ChannelType {
        &EMAILS
    }

    async fn test(&self, _: &Channel) -> TestAnswer {
        TestAnswer::default()
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        accepted("p1")
    }
}

fn emails() -> Bench {
    let bench = bench();
    let ports = Arc::new(Ports { connectors: Connectors::one(Arc::new(Emails)), ..Ports::clone(&bench.ports) });
    let inbound = InboundService { ports: ports.clone(), words: OptOutWords::default() };
    Bench { ports, inbound, ..bench }
}

impl Bench {
    fn named(&self, address: &str) -> Option<Vec<NewIdentity>> {
        Some(vec![NewIdentity::new(self.channel.id, address)])
    }

    fn contact_at(&self, address: &str) -> Contact {
        let new = NewContact { identities: self.named(address), ..NewContact::default() };
        let contacts = ContactService { ports: self.ports.clone() };
        block_on(contacts.create(&self.access, new, None)).unwrap().value
    }
}

#[test]
fn an_opt_out_finds_the_address_in_any_spelling() {
    for (written, stored, sender) in [
        ("Ada@Example.com", "ada@example.com", "ada@example.com"),
        ("opt@xn--mnchen-3ya.de", "opt@xn--mnchen-3ya.de", "opt@m\u{fc}nchen.de"),
        ("opt@m\u{fc}nchen.de", "opt@m\u{fc}nchen.de", "opt@xn--mnchen-3ya.de"),
    ] {
        let bench = emails();
        let contact = bench.contact_at(written);
        assert_eq!(contact.identities[0].address, stored);
        assert_eq!(bench.say("m1", sender, "STOP").value.contact, contact.id, "{sender}");
        let opted_out = bench.contact(contact.id).identities;
        assert!(opted_out.iter().all(|it| !it.opted_in), "{opted_out:?}");
    }
}

#[test]
fn a_similar_sender_is_another_contact() {
    let bench = emails();
    let kate = bench.contact_at("Kate@example.com");
    assert_ne!(bench.say("m1", "\u{212a}ate@example.com", "STOP").value.contact, kate.id);
    assert!(bench.contact(kate.id).identities[0].opted_in);
}

#[test]
fn an_address_in_another_case_is_the_same() {
    let bench = emails();
    let contact = bench.contact_at("ada@example.com");
    bench.say("m1", "ada@example.com", "STOP");
    let stopped = bench.contact(contact.id);
    let patch = ContactPatch { identities: bench.named("ADA@Example.com"), ..ContactPatch::default() };
    let contacts = ContactService { ports: bench.ports.clone() };
    let after = block_on(contacts.update(&bench.access, &ContactRef::Id(contact.id), patch, &ExpectedVersion::Any));
    assert_eq!(after.unwrap().identities, stopped.identities);
}
