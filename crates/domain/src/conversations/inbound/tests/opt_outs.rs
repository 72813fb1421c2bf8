//! Opt-outs by keyword, by the provider and by an earlier message.

use super::*;
use crate::conversations::{Block, Complaint, Original};

#[test]
fn opts_out_by_keyword_until_the_contact_opts_in_again() {
    let bench = bench();
    let hello = bench.say("m1", "crm-7", "Hello").value;
    let opted_in = || bench.contact(hello.contact).identities[0].opted_in;
    let opt_out = || bench.contact(hello.contact).identities[0].opt_out;
    let at = bench.clock.at_rest();
    bench.say("m2", "crm-7", " stop ");
    assert!(!opted_in());
    assert_eq!(opt_out(), Some(IdentityOptOut { source: OptOutSource::Keyword, at }));
    assert!(bench.contact(hello.contact).subscribed, "an opt-out of a channel does not change `subscribed`");
    assert_eq!(bench.event_kinds()[3..], ["message.received", "contact.unsubscribed"]);
    bench.say("m3", "crm-7", "STOP");
    assert_eq!(bench.event_kinds()[5..], ["message.received"], "a second opt-out emits no event");
    bench.say("m4", "crm-7", "Start");
    assert_eq!((opted_in(), opt_out()), (true, None));
    assert_eq!(bench.event_kinds()[6..], ["message.received", "contact.updated"]);
    bench.say("m5", "crm-7", "start");
    let routed: Vec<_> =
        bench.claim(Pool::Work, JobKind::RouteInbound).iter().map(|job| job.job.columns().subject).collect();
    assert_eq!(routed, [hello.id.uuid()], "only the last keyword is routed, after the first message");
}

#[test]
fn an_earlier_start_that_arrives_after_a_stop_does_not_opt_in() {
    let bench = bench();
    let now = bench.clock.at_rest();
    let says = |id: &str, text: &str, seconds_ago: u64| {
        let sent_at = Some(now.minus(std::time::Duration::from_secs(seconds_ago)));
        let message = InboundMessage { sent_at, ..an_inbound_message(id, "crm-7", Content::text(text)) };
        let contact = block_on(bench.inbound.receive(&bench.access, &bench.channel, message)).unwrap().value.contact;
        bench.contact(contact).identities[0].clone()
    };
    assert!(says("m1", "Hello", 90).opted_in);
    let opted_out = says("m2", "STOP", 60);
    let at = now.minus(std::time::Duration::from_secs(60));
    assert_eq!(opted_out.opt_out, Some(IdentityOptOut { source: OptOutSource::Keyword, at }));
    assert_eq!(says("m3", "START", 61), opted_out, "the provider repeats an earlier message");
    assert!(says("m4", "START", 60).opted_in, "providers state times in seconds");
    assert!(!says("m5", "STOP", 30).opted_in);
    assert!(says("m6", "START", 10).opted_in);
}

#[test]
fn a_sender_that_can_be_forged_opts_out_but_not_in() {
    let bench = bench();
    let says = |id: &str, text: &str, check: Option<bool>| {
        let (is_verified, is_sender_unchecked) = (check == Some(true), check.is_none());
        let original = Original { is_sender_unchecked, ..Original::default() };
        let content = Content { original, ..Content::text(text) };
        let message = InboundMessage { is_verified, ..an_inbound_message(id, "crm-7", content) };
        let stored = block_on(bench.inbound.receive(&bench.access, &bench.channel, message)).unwrap().value;
        assert_eq!(MessageView::from(&stored).sender_verified, check, "{text}");
        bench.contact(stored.contact).identities[0].opted_in
    };
    assert!(!says("m1", "STOP", Some(false)));
    assert!(!says("m2", "START", Some(false)));
    assert!(!says("m3", "START", None), "nothing checked the sender");
    assert_eq!(bench.claim(Pool::Work, JobKind::RouteInbound).len(), 1, "the first message is an ordinary one");
    assert!(says("m4", "START", Some(true)));
}

#[test]
fn creates_an_opted_out_contact_from_a_first_opt_out() {
    let bench = bench();
    let message = bench.say("m1", "crm-9", "Unsubscribe").value;
    assert!(!bench.contact(message.contact).identities[0].opted_in);
    assert_eq!(bench.event_kinds().last(), Some(&"contact.unsubscribed"));
    assert!(bench.claim(Pool::Work, JobKind::RouteInbound).is_empty());
}

#[test]
fn a_contact_that_blocked_the_sender_is_opted_out() {
    let bench = bench();
    let id = bench.queue();
    let contact = bench.message(id).contact;
    bench.send(SendOutcome::Blocked { message: "the bot was blocked".into() });
    let message = bench.message(id);
    assert_eq!(message.status, MessageStatus::Failed);
    assert_eq!(message.error.map(|error| error.code).as_deref(), Some("blocked"));
    assert!(!bench.contact(contact).identities[0].opted_in);
    assert_eq!(bench.event_kinds()[2..], ["contact.unsubscribed", "message.failed"]);
    bench.say("m1", &contact.to_string(), "/start");
    assert!(bench.contact(contact).identities[0].opted_in);

    let block = |event: u8, address: &str| {
        let block = Block { event: [event; 32], address: address.to_owned() };
        block_on(bench.inbound.block(&bench.access, &bench.channel, &block)).unwrap();
    };
    let contact_id = contact.to_string();
    block(1, &contact_id);
    assert!(!bench.contact(contact).identities[0].opted_in);
    let told = bench.event_kinds().len();
    block(1, &contact_id);
    block(2, &contact_id);
    block(3, "nobody");
    assert_eq!(bench.event_kinds().len(), told);

    bench.say("m2", &contact_id, "/start");
    let told = bench.event_kinds().len();
    block(1, &contact_id);
    block(2, &contact_id);
    // The contact of this event was unknown when it came first.
    block(3, &contact_id);
    assert!(bench.contact(contact).identities[0].opted_in, "the contact has opted in since");
    assert_eq!(bench.event_kinds().len(), told);
    block(4, &contact_id);
    assert!(!bench.contact(contact).identities[0].opted_in, "the contact blocked the sender again");
}

#[test]
fn an_unblock_only_ends_the_opt_out_of_a_block() {
    let bench = bench();
    let contact = bench.say("m1", "crm-7", "Hello").value.contact;
    let address = contact.to_string();
    let event = |event: u8| Block { event: [event; 32], address: address.clone() };
    let block = |number| block_on(bench.inbound.block(&bench.access, &bench.channel, &event(number))).unwrap();
    let unblock = |number| block_on(bench.inbound.unblock(&bench.access, &bench.channel, &event(number))).unwrap();
    let opted_in = || bench.contact(contact).identities[0].opted_in;
    let events = bench.event_kinds().len();
    unblock(1);
    assert_eq!((opted_in(), bench.event_kinds().len()), (true, events), "the contact had not blocked the sender");
    block(2);
    assert!(!opted_in());
    unblock(3);
    let identity = bench.contact(contact).identities[0].clone();
    assert_eq!((identity.opted_in, identity.opt_out), (true, None));
    assert_eq!(bench.event_kinds()[events..], ["contact.unsubscribed", "contact.updated"]);
    block(4);
    unblock(3);
    assert!(!opted_in(), "a repeated event has no effect");
    unblock(5);
    bench.say("m2", "crm-7", "STOP");
    block(6);
    unblock(7);
    assert!(!opted_in(), "the contact opted out by a word");
    assert_eq!(bench.contact(contact).identities[0].opt_out.map(|it| it.source), Some(OptOutSource::Keyword));
}

#[test]
fn an_opt_out_after_a_block_outlasts_the_unblock() {
    let bench = bench();
    let contact = bench.say("m1", "crm-7", "Hello").value.contact;
    let event = |event: u8| Block { event: [event; 32], address: contact.to_string() };
    block_on(bench.inbound.block(&bench.access, &bench.channel, &event(1))).unwrap();
    let events = bench.event_kinds().len();
    // The contact wrote it before the block, but a refused message reported the block first.
    bench.say("m2", "crm-7", "STOP");
    assert_eq!(bench.event_kinds()[events..], ["message.received"], "the contact was opted out already");
    block_on(bench.inbound.unblock(&bench.access, &bench.channel, &event(2))).unwrap();
    let identity = bench.contact(contact).identities[0].clone();
    assert_eq!((identity.opted_in, identity.opt_out.map(|it| it.source)), (false, Some(OptOutSource::Keyword)));
}

#[test]
fn a_repeated_opt_out_of_the_provider_acts_once() {
    let bench = bench();
    let hello = bench.say("m1", "crm-7", "Hello").value;
    let opted_in = |contact: ContactId| bench.contact(contact).identities[0].opted_in;
    let stop = || {
        let message = an_inbound_message("m2", "crm-7", Content::text("HALT"));
        block_on(bench.inbound.receive_opt_out(&bench.access, &bench.channel, message)).unwrap().outcome
    };
    assert_eq!(stop(), Outcome::Accepted);
    assert!(!opted_in(hello.contact));
    assert_eq!(bench.event_kinds().last(), Some(&"contact.unsubscribed"));
    bench.say("m3", "crm-7", "START");
    assert_eq!((stop(), opted_in(hello.contact)), (Outcome::Unchanged, true), "the contact has opted in since");

    let message = bench.queue();
    let contact = bench.message(message).contact;
    bench.send(accepted("p1"));
    let report = || {
        let error = MessageError::new("unsubscribed", "opted out");
        bench.report("p1", Report::OptedOut(error))
    };
    assert_eq!(report(), Ok(Outcome::Accepted));
    assert_eq!(bench.message(message).status, MessageStatus::Failed);
    assert!(!opted_in(contact));
    bench.say("m4", &contact.to_string(), "START");
    assert_eq!((report(), opted_in(contact)), (Ok(Outcome::Unchanged), true));
}

#[test]
fn a_complaint_opts_the_recipient_out() {
    let bench = bench();
    let id = bench.queue();
    let contact = bench.message(id).contact;
    bench.send(accepted("p1"));
    let complain = |event: u8, message: &str| {
        let complaint = Complaint { event: [event; 32], message: message.to_owned() };
        block_on(bench.inbound.complain(&bench.access, &bench.channel, &complaint)).unwrap();
    };
    complain(1, "p2");
    assert!(bench.contact(contact).identities[0].opted_in, "the channel did not send this message");
    complain(2, &id.to_string());
    let identity = bench.contact(contact).identities[0].clone();
    assert_eq!((identity.opted_in, identity.opt_out.map(|it| it.source)), (false, Some(OptOutSource::Complaint)));
    let told = bench.event_kinds().len();
    complain(3, "p1");
    assert_eq!(bench.event_kinds().len(), told);
    assert_eq!(bench.event_kinds().last(), Some(&"contact.unsubscribed"));
    bench.say("m1", &contact.to_string(), "START");
    complain(2, &id.to_string());
    assert!(bench.contact(contact).identities[0].opted_in, "the contact has opted in since");
}

#[test]
fn a_refused_sender_opts_the_contact_out() {
    let bench = bench();
    let id = bench.queue();
    let contact = bench.message(id).contact;
    bench.send(SendOutcome::OptedOut { message: "the contact sent STOP to the provider".into() });
    let message = bench.message(id);
    assert_eq!(message.status, MessageStatus::Suppressed);
    assert_eq!(message.error.map(|error| error.code).as_deref(), Some("unsubscribed"));
    assert!(!bench.contact(contact).identities[0].opted_in);
    assert_eq!(bench.event_kinds()[2..], ["contact.unsubscribed"]);
}

#[test]
fn an_earlier_opt_out_suppresses_queued_messages() {
    let bench = bench();
    let id = bench.queue();
    let contact = bench.message(id).contact.to_string();
    bench.say("m1", &contact, "STOP");
    bench.send(accepted("p1"));
    let message = bench.message(id);
    assert_eq!(message.error.map(|error| error.code).as_deref(), Some("unsubscribed"));
    assert_eq!(message.status, MessageStatus::Suppressed);
}
