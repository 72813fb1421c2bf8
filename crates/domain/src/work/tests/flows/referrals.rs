//! Tests of triggers by the referral of a message.

use serde_json::Value;

use super::super::*;
use super::played::{answering, asking, keyword};
use crate::ports::Row;

fn link(how: &str, reference: &str) -> Value {
    json!([{"type": "referral", "match": how, "ref": reference}])
}

#[test]
fn a_referral_starts_one_flow_the_best_then_the_oldest_match() {
    let bench = bench();
    let contact = bench.contact();
    bench.flow("Start", answering(keyword("starts_with", "/start"), "start"));
    bench.flow("Hi", answering(keyword("exact", "hi"), "hi"));
    bench.flow("Season", answering(link("starts_with", "spring"), "season"));
    bench.flow("Spring", answering(link("exact", "spring-26"), "spring"));
    bench.flow("Later", answering(link("exact", "spring-26"), "later"));
    for (text, reference, expected) in [
        ("/start spring-26", Some("spring-26"), "spring"),
        // A referral takes precedence over a keyword that matches equally well.
        ("/start spring-27", Some("spring-27"), "season"),
        ("hi", Some("spring-27"), "hi"),
        ("hi", Some("spring-26"), "spring"),
        ("/start Spring-26", Some("Spring-26"), "start"),
        ("/start spring-26", None, "start"),
    ] {
        let before = bench.runs().len();
        bench.hears_through(&contact, text, reference);
        bench.finish_due_work();
        assert_eq!(bench.texts(&contact).last().map(String::as_str), Some(expected), "{text}, {reference:?}");
        assert_eq!(bench.runs().len(), before + 1, "one flow starts");
    }
}

#[test]
fn a_waiting_run_takes_the_message_of_a_start_link() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.flow("Link", answering(link("exact", "spring"), "Spring"));
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    bench.hears_through(&contact, "ada@example.com", Some("spring"));
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Thanks"]);
    assert_eq!(bench.runs().len(), 1);
}

#[test]
fn a_deleted_message_starts_nothing() {
    let bench = bench();
    let contact = bench.contact();
    bench.flow("Link", answering(link("exact", "spring"), "Spring"));
    let message = bench.hears_through(&contact, "Hello", Some("spring"));
    let mut message = block_on(bench.tidings.ports.conversations.message(&bench.access, message)).unwrap().unwrap();
    message.revisions.deleted_at = Some(bench.clock.now());
    message.touch(bench.clock.now());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Update(Row::Message(Box::new(message))));
    block_on(bench.store.commit(set)).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.runs().len(), 0);
}
