//! Contacts with remembered opt-outs return opted out, over the store in memory.

use std::sync::Arc;

use futures::executor::block_on;

use crate::Tidings;
use crate::access::Access;
use crate::channels::{Channel, ChannelKind};
use crate::contacts::{Contact, ContactPatch, ContactRef, NewContact, NewIdentity, OptOutSource};
use crate::conversations::{Block, Content};
use crate::error::Error;
use crate::ids::{ChannelId, TypedId};
use crate::memory::MemoryStore;
use crate::outcome::{ExpectedVersion, Outcome};
use crate::patch::Patch;
use crate::ports::{Change, ChangeSet, Ports, Row};
use crate::testing::{a_channel, an_inbound_message, with_workspace};

struct World {
    tidings: Tidings,
    access: Access,
    /// A channel with addresses, in addition to the sandbox.
    channel: Channel,
}

fn world() -> World {
    let (tidings, access) = with_workspace(Ports::of(Arc::new(MemoryStore::new())));
    let id = ChannelId::from_uuid(uuid::Uuid::from_u128(77));
    let channel = Channel { id, kind: ChannelKind::Http, is_default: false, ..a_channel() };
    let mut set = ChangeSet::new(access.workspace());
    set.change(Change::Insert(Row::Channel(channel.clone())));
    block_on(tidings.ports.ledger.commit(set)).unwrap();
    World { tidings, access, channel }
}

fn by_email(email: &str) -> NewContact {
    NewContact { email: email.parse().ok(), ..NewContact::default() }
}

impl World {
    fn at(&self, address: &str, opted_in: bool) -> Vec<NewIdentity> {
        vec![NewIdentity { channel: self.channel.id, address: address.to_owned(), opted_in: Some(opted_in) }]
    }

    fn reached(&self, address: &str, opted_in: bool) -> NewContact {
        NewContact { identities: Some(self.at(address, opted_in)), ..NewContact::default() }
    }

    fn create(&self, new: NewContact) -> Contact {
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value
    }

    fn update(&self, contact: &Contact, patch: ContactPatch) -> Contact {
        let contact = ContactRef::Id(contact.id);
        block_on(self.tidings.contacts.update(&self.access, &contact, patch, &ExpectedVersion::Any)).unwrap()
    }

    fn erase(&self, contact: &Contact) {
        block_on(self.tidings.erasures.erase(&self.access, &ContactRef::Id(contact.id), None)).unwrap();
    }

    fn delete(&self, contact: &Contact) {
        block_on(self.tidings.contacts.delete(&self.access, &ContactRef::Id(contact.id), &ExpectedVersion::Any))
            .unwrap();
    }

    fn say(&self, id: &str, channel: &Channel, from: &str, text: &str) -> Contact {
        let message = an_inbound_message(id, from, Content::text(text));
        let heard = block_on(self.tidings.inbound.receive(&self.access, channel, message)).unwrap().value;
        block_on(self.tidings.contacts.get(&self.access, &ContactRef::Id(heard.contact))).unwrap()
    }

    fn sandbox(&self) -> Channel {
        block_on(self.tidings.ports.channels.default_channel(&self.access)).unwrap().unwrap()
    }

    fn has_key(&self) -> bool {
        block_on(self.tidings.ports.catalog.catalog(self.access.workspace())).unwrap().opt_out_key.is_some()
    }

    fn takes(&self, contact: &Contact) -> bool {
        contact.identity(self.channel.id).is_some_and(|it| it.opted_in)
    }
}

#[test]
fn an_address_stays_opted_out_until_an_update_lifts_it() {
    let world = world();
    world.erase(&world.create(world.reached("+49 30 1", true)));
    assert!(world.takes(&world.create(world.reached("+49 30 1", true))), "no opt-out exists yet");
    assert!(!world.has_key(), "no opt-out is remembered");

    world.erase(&world.create(world.reached("Ada@Example.com", false)));
    let back = world.create(world.reached("ada@example.COM ".trim(), true));
    assert!(world.has_key() && !world.takes(&back) && back.subscribed);
    let other = world.create(world.reached("eve@example.com", true));
    assert!(world.takes(&other));

    let opted_in = ContactPatch { identities: Some(world.at("ada@example.COM", true)), ..ContactPatch::default() };
    let after = world.update(&back, opted_in);
    assert!(world.takes(&after), "an update of the contact lifts the opt-out");
    world.delete(&after);
    assert!(
        world.takes(&world.create(world.reached("ada@example.com", true))),
        "the opt-out stays lifted after a deletion"
    );
}

#[test]
fn an_opt_out_of_a_number_applies_to_its_other_spellings() {
    for (written, other) in [
        ("4930765", "+4930765"),
        ("+4930765", "4930765"),
        ("+49 (30) 76-5", "+4930765"),
        ("+4930765", "+49 30 765"),
        ("5511987654321", "+551187654321"),
        ("+551187654321", "5511987654321"),
        ("+5215512345678", "+52 55 1234 5678"),
    ] {
        let world = world();
        world.delete(&world.create(world.reached(written, false)));
        let back = world.create(world.reached(other, true));
        assert!(!world.takes(&back), "{written} {other}");
        let opted_in = ContactPatch { identities: Some(world.at(other, true)), ..ContactPatch::default() };
        world.delete(&world.update(&back, opted_in));
        assert!(world.takes(&world.create(world.reached(written, true))), "the opt-in applies to {written}, too");
    }
    let world = world();
    world.delete(&world.create(world.reached("+4930765", false)));
    for another in ["+4930766", "030765", "+493076", "a4930765"] {
        assert!(world.takes(&world.create(world.reached(another, true))), "{another}");
    }
}

#[test]
fn only_the_word_start_lifts_an_opt_out() {
    let world = world();
    let ada = world.say("1", &world.channel, "ada", "STOP");
    world.erase(&ada);
    let back = world.say("2", &world.channel, "ada", "Hello");
    assert!(back.id != ada.id && !world.takes(&back));
    assert!(world.takes(&world.say("3", &world.channel, "ada", "start")));
    world.erase(&back);
    assert!(world.takes(&world.say("4", &world.channel, "ada", "Hello")), "the opt-out stays lifted after an erasure");

    let eve = world.say("5", &world.channel, "eve", "STOP");
    world.delete(&eve);
    let back = world.say("6", &world.channel, "eve", "START");
    assert!(back.id != eve.id && world.takes(&back), "the first message lifts the opt-out");
    world.delete(&back);
    assert!(world.takes(&world.say("7", &world.channel, "eve", "Hello")));
}

#[test]
fn remembers_an_opt_out_on_a_sandbox_by_email() {
    let world = world();
    let sandbox = world.sandbox();
    let ada = world.create(by_email("ada@example.com"));
    assert!(!world.say("1", &sandbox, &ada.id.to_string(), "STOP").identities[0].opted_in);
    world.erase(&ada);
    let back = world.create(by_email("ada@example.com"));
    assert!(back.identities[0].channel == sandbox.id && !back.identities[0].opted_in);
    assert!(world.create(by_email("eve@example.com")).identities[0].opted_in);
    let named = world.update(
        &world.create(NewContact::default()),
        ContactPatch {
            email: Patch::Clear,
            phone: "+49301234567".parse().map_or(Patch::Keep, Patch::Set),
            ..ContactPatch::default()
        },
    );
    assert!(named.identities[0].opted_in);
    world.say("2", &sandbox, &back.id.to_string(), "START");
    world.erase(&back);
    assert!(world.create(by_email("ada@example.com")).identities[0].opted_in);
}

#[test]
fn imports_and_upserts_do_not_resubscribe_erased_contacts() {
    let world = world();
    let refused = NewContact { subscribed: Some(false), ..by_email("ada@example.com") };
    world.erase(&world.create(NewContact { identities: Some(world.at("ada", true)), ..refused }));
    let row = || {
        let subscribed = Some(true);
        let email = Patch::Set("ada@example.com".parse().unwrap());
        ContactPatch { email, subscribed, identities: Some(world.at("ada", true)), ..ContactPatch::default() }
    };
    let imported = block_on(world.tidings.contacts.import_row(&world.access, row(), vec![], None)).unwrap();
    assert_eq!((imported.outcome, imported.still_opted_out), (Outcome::Created, true));
    let find = || {
        let named = ContactRef::Email("ada@example.com".parse().unwrap());
        block_on(world.tidings.contacts.get(&world.access, &named)).unwrap()
    };
    assert!(!find().subscribed && world.takes(&find()));
    let upserted = block_on(world.tidings.contacts.upsert(&world.access, row(), vec![], None, None)).unwrap();
    assert_eq!(upserted.outcome, Outcome::Unchanged, "an upsert does not lift the opt-out");
    assert!(!find().subscribed);
    let other = world.create(world.reached("eve", true));
    let taken = ContactPatch { identities: Some(vec![]), ..ContactPatch::default() };
    world.update(&find(), taken);
    let got = ContactPatch { identities: Some(world.at("ada", true)), ..ContactPatch::default() };
    assert!(!world.update(&other, got).subscribed, "the opt-out follows the address");

    let again = ContactPatch { subscribed: Some(true), ..ContactPatch::default() };
    assert!(world.update(&find(), again).subscribed);
    world.erase(&find());
    assert!(world.create(by_email("ada@example.com")).subscribed);
}

#[test]
fn an_upsert_does_not_lift_the_opt_out_of_an_erased_contact() {
    let world = world();
    world.erase(&world.create(world.reached("ada", false)));
    let back = world.create(NewContact { identities: Some(world.at("ada", true)), ..by_email("ada@example.com") });
    let email = Patch::Set("ada@example.com".parse().unwrap());
    let row = ContactPatch { email, identities: Some(world.at("ada", true)), ..ContactPatch::default() };
    let upserted = block_on(world.tidings.contacts.upsert(&world.access, row, vec![], None, None)).unwrap();
    assert_eq!(upserted.value.id, back.id);
    assert!(!world.takes(&upserted.value));
}

/// Otherwise the unblock would not end it.
#[test]
fn an_upsert_keeps_the_source_of_an_opt_out() {
    let world = world();
    world.create(NewContact { identities: Some(world.at("42", true)), ..by_email("ada@example.com") });
    let event = |event: u8| Block { event: [event; 32], address: "42".to_owned() };
    block_on(world.tidings.inbound.block(&world.access, &world.channel, &event(1))).unwrap();
    for identities in [None, Some(world.at("42", true)), Some(world.at("42", false))] {
        let email = Patch::Set("ada@example.com".parse().unwrap());
        let row = ContactPatch { email, identities, ..ContactPatch::default() };
        let upserted = block_on(world.tidings.contacts.upsert(&world.access, row, vec![], None, None)).unwrap();
        let source = upserted.value.identity(world.channel.id).and_then(|it| it.opt_out).map(|it| it.source);
        assert_eq!((upserted.outcome, source), (Outcome::Unchanged, Some(OptOutSource::Provider)));
    }
    block_on(world.tidings.inbound.unblock(&world.access, &world.channel, &event(2))).unwrap();
    let named = ContactRef::Email("ada@example.com".parse().unwrap());
    assert!(world.takes(&block_on(world.tidings.contacts.get(&world.access, &named)).unwrap()));
}

/// The contact refused twice: at the provider, and by asking a member.
#[test]
fn an_unblock_does_not_end_an_opt_out_that_an_update_repeats() {
    let world = world();
    let contact = world.create(world.reached("42", true));
    let event = |event: u8| Block { event: [event; 32], address: "42".to_owned() };
    block_on(world.tidings.inbound.block(&world.access, &world.channel, &event(1))).unwrap();
    let refused = ContactPatch { identities: Some(world.at("42", false)), ..ContactPatch::default() };
    let updated = world.update(&contact, refused);
    let source = updated.identity(world.channel.id).and_then(|it| it.opt_out).map(|it| it.source);
    assert_eq!(source, Some(OptOutSource::Api));
    block_on(world.tidings.inbound.unblock(&world.access, &world.channel, &event(2))).unwrap();
    assert!(!world.takes(&block_on(world.tidings.contacts.get(&world.access, &ContactRef::Id(contact.id))).unwrap()));
}

#[test]
fn a_restored_contact_keeps_the_source_of_its_opt_out() {
    let world = world();
    let contact = world.create(world.reached("42", true));
    let event = |event: u8| Block { event: [event; 32], address: "42".to_owned() };
    block_on(world.tidings.inbound.block(&world.access, &world.channel, &event(1))).unwrap();
    world.delete(&contact);
    let any = ExpectedVersion::Any;
    let restored = block_on(world.tidings.contacts.restore(&world.access, contact.id, &any, None)).unwrap().value;
    let source = restored.identity(world.channel.id).and_then(|it| it.opt_out).map(|it| it.source);
    assert_eq!((world.takes(&restored), source), (false, Some(OptOutSource::Provider)));
    block_on(world.tidings.inbound.unblock(&world.access, &world.channel, &event(2))).unwrap();
    assert!(world.takes(&block_on(world.tidings.contacts.get(&world.access, &ContactRef::Id(contact.id))).unwrap()));
}

#[test]
fn remembers_opt_outs_of_removed_and_merged_addresses() {
    let world = world();
    let ada = world.create(world.reached("ada", false));
    world.update(&ada, ContactPatch { identities: Some(vec![]), ..ContactPatch::default() });
    assert!(!world.takes(&world.create(world.reached("ada", true))));

    let (stays, goes) = (world.create(world.reached("one", true)), world.create(world.reached("two", false)));
    let (goes, stays) = (ContactRef::Id(goes.id), ContactRef::Id(stays.id));
    let merged = block_on(world.tidings.merges.merge(&world.access, &goes, &stays, None)).unwrap().value;
    let mut addresses = merged.identities.iter().filter(|it| it.channel == world.channel.id);
    assert!(addresses.all(|it| !it.opted_in), "the opt-out of the merged address is kept");
    let again = block_on(world.tidings.contacts.create(&world.access, world.reached("two", true), None));
    let exists = Error::ContactExists { field: "address", existing: merged.id };
    assert_eq!(again.map(|_| ()), Err(exists), "the merged address is an alias");
    world.update(&merged, ContactPatch { identities: Some(vec![]), ..ContactPatch::default() });
    assert!(!world.takes(&world.create(world.reached("two", true))), "the opt-out of the alias is kept");
}
