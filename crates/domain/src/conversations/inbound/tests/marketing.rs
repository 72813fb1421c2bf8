//! Contacts who stop or resume marketing messages at the provider.

use super::numbers::numbers;
use super::*;
use crate::conversations::{MarketingChange, Recipient};
use crate::time::Timestamp;

#[test]
fn a_contact_stops_and_resumes_marketing_messages() {
    let bench = numbers();
    let heard = bench.hear("m1", "4930765", Some("+4930765"), &["DE.1"]);
    let report = |address: &str, is_stop: bool, seconds: i64| {
        let at = Some(Timestamp::from_millis(seconds * 1_000));
        let change = MarketingChange { addresses: vec!["unknown".to_owned(), address.to_owned()], is_stop, at };
        block_on(bench.inbound.change_marketing(&bench.access, &bench.channel, &change)).unwrap();
        bench.conversation(&heard)
    };
    let stopped = report("4930765", true, 10);
    assert!(stopped.marketing.is_stopped());
    assert_eq!(report("4930765", true, 10), stopped, "a repetition changes nothing");
    let resumed = report("DE.1", false, 20);
    assert_eq!((resumed.marketing.is_stopped(), resumed.version), (false, stopped.version + 1));
    assert_eq!(report("4930765", true, 10), resumed, "a late repetition changes nothing");
    assert_eq!(report("4999", true, 30), resumed, "no contact has this address");
    assert!(report("DE.1", true, 30).marketing.is_stopped());
    assert!(bench.contact(heard.contact).identities[0].opted_in, "other messages are still sent");
}

#[test]
fn a_stop_finds_the_contact_in_any_spelling_of_the_number() {
    let bench = numbers();
    let contact = bench.create("+4930765", Some("+4930765"));
    let mut set = ChangeSet::new(bench.access.workspace());
    let to = Recipient { contact: &contact, channel: &bench.channel, conversation: None };
    to.add_message(&mut set, Content::text("Hi"), &bench.access, &*bench.clock, &*bench.ports.ids);
    block_on(bench.ports.ledger.commit(set)).unwrap();
    let change = MarketingChange { addresses: vec!["4930765".to_owned()], is_stop: true, at: None };
    block_on(bench.inbound.change_marketing(&bench.access, &bench.channel, &change)).unwrap();
    let talk = block_on(bench.ports.conversations.between(&bench.access, contact.id, bench.channel.id)).unwrap();
    assert!(talk.unwrap().marketing.is_stopped());
}
