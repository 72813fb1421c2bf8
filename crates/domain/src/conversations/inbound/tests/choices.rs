//! Texts that choose a quick reply of the last message, and buttons.

use std::time::Duration;

use super::*;
use crate::conversations::{MessageView, PressedButton, QuickReply, Recipient, Revision, RevisionKind};

const HOUR: Duration = Duration::from_secs(3_600);

fn colours() -> Content {
    let reply = |title: &str, payload: &str| QuickReply { title: title.into(), payload: Some(payload.into()) };
    Content { quick_replies: vec![reply("Red", "r"), reply("Blue", "b")], ..Content::text("Which colour?") }
}

impl Bench {
    /// Sends this message in the conversation of a message. Returns it after this outcome.
    fn offer(&self, said: &Message, content: Content, outcome: SendOutcome) -> Message {
        let (contact, conversation) = (self.contact(said.contact), self.conversation(said));
        let mut set = ChangeSet::new(self.access.workspace());
        let to = Recipient { contact: &contact, channel: &self.channel, conversation: Some(&conversation) };
        let sent = to.add_message(&mut set, content, &self.access, &*self.clock, &*self.ports.ids);
        block_on(self.ports.ledger.commit(set)).unwrap();
        self.send(outcome);
        self.message(sent.message.id)
    }

    /// Receives the message of a contact that pressed a button.
    fn press(&self, (id, from, text): (&str, &str, &str), button: &PressedButton) -> Message {
        let message = an_inbound_message(id, from, Content::text(text));
        block_on(self.inbound.receive_press(&self.access, &self.channel, message, button)).unwrap().value
    }

    fn wait_for(&self, time: Duration) {
        self.clock.set(self.clock.at_rest().plus(time));
    }
}

/// Returns the title of the quick reply that a message chose.
fn title(message: &Message) -> Option<&str> {
    message.choice.as_ref().map(|it| it.title.as_str())
}

#[test]
fn a_number_or_a_title_chooses_a_quick_reply() {
    let bench = bench();
    let hello = bench.say("m0", "crm-7", "1").value;
    assert_eq!(hello.choice, None, "nothing was offered to a new contact");
    let offer = bench.offer(&hello, colours(), accepted("p1"));
    let message = bench.say("m1", "crm-7", "2").value;
    let choice = message.choice.clone().unwrap();
    assert_eq!((choice.title.as_str(), choice.payload.as_deref()), ("Blue", Some("b")));
    assert_eq!(choice.message_id, offer.id);
    assert_eq!(message.content.text.as_deref(), Some("2"), "questions of flows get the written text");
    let view = MessageView::from(&message);
    assert_eq!((view.text.as_deref(), view.choice), (Some("Blue"), Some(choice)));
    assert_eq!(bench.message(message.id), message);
    for (id, text, expected) in [("m2", "red", Some("Red")), ("m3", "3", None), ("m4", "Reddish", None)] {
        assert_eq!(title(&bench.say(id, "crm-7", text).value), expected, "{text}");
    }
    bench.wait_for(HOUR * 24);
    assert_eq!(title(&bench.say("m5", "crm-7", "1").value), Some("Red"));
    bench.wait_for(Duration::from_secs(1));
    assert_eq!(title(&bench.say("m6", "crm-7", "1").value), None, "the offer is older than 24 hours");
}

#[test]
fn only_the_last_message_to_the_contact_offers_quick_replies() {
    let bench = bench();
    let hello = bench.say("m0", "crm-7", "Hello").value;
    bench.offer(&hello, colours(), accepted("p1"));
    bench.wait_for(HOUR);
    let rejected = SendOutcome::Rejected { code: "rejected".to_owned(), message: "unknown".into() };
    bench.offer(&hello, Content::text("Lost"), rejected);
    assert_eq!(title(&bench.say("m1", "crm-7", "1").value), Some("Red"), "a failed message offers nothing");
    bench.wait_for(HOUR);
    bench.offer(&hello, Content::text("Anything else?"), accepted("p2"));
    assert_eq!(title(&bench.say("m2", "crm-7", "1").value), None);
}

#[test]
fn an_opt_out_word_and_a_program_choose_nothing() {
    let bench = bench();
    let hello = bench.say("m0", "crm-7", "Hello").value;
    let stop = QuickReply { title: "Stop".to_owned(), payload: None };
    bench.offer(&hello, Content { quick_replies: vec![stop], ..Content::text("More?") }, accepted("p1"));
    let message = an_inbound_message("m1", "crm-7", Content::text("1"));
    let away = block_on(bench.inbound.receive_automatic(&bench.access, &bench.channel, message)).unwrap().value;
    assert_eq!(away.choice, None);
    assert_eq!(title(&bench.say("m2", "crm-7", "1").value), Some("Stop"));
    assert!(bench.contact(hello.contact).identities[0].opted_in, "the contact did not write the word");
    assert_eq!(bench.say("m3", "crm-7", "Stop").value.choice, None);
    assert!(!bench.contact(hello.contact).identities[0].opted_in);
}

#[test]
fn an_edit_removes_the_choice() {
    let bench = bench();
    let hello = bench.say("m0", "crm-7", "Hello").value;
    bench.offer(&hello, colours(), accepted("p1"));
    let message = bench.say("m1", "crm-7", "2").value;
    let edit = Revision {
        id: "e1".to_owned(),
        address: "crm-7".to_owned(),
        received: Some("m1".to_owned()),
        sent: None,
        at: None,
        change: RevisionKind::Edit(Some("Neither".to_owned())),
    };
    block_on(bench.inbound.revise(&bench.access, &bench.channel, &edit)).unwrap();
    let edited = bench.message(message.id);
    assert_eq!((edited.shown_text(), edited.choice.as_ref()), (Some("Neither"), None));
}

#[test]
fn a_button_chooses_from_a_message_of_any_age() {
    let bench = bench();
    let hello = bench.say("m0", "crm-7", "Hello").value;
    let offer = bench.offer(&hello, colours(), accepted("p1"));
    bench.wait_for(HOUR * 48);
    let template = bench.offer(&hello, Content::text("Anything else?"), accepted("p2"));
    let reply = |index: usize| PressedButton::QuickReply { message: offer.id, index };
    let pressed = bench.press(("m1", "crm-7", "[button]"), &reply(1));
    let choice = pressed.choice.clone().unwrap();
    assert_eq!((choice.title.as_str(), choice.payload.as_deref()), ("Blue", Some("b")));
    assert_eq!((choice.message_id, pressed.content.text.as_deref()), (offer.id, Some("Blue")));
    assert_eq!(bench.message(pressed.id), pressed);
    let unknown = bench.press(("m2", "crm-7", "Green"), &reply(2));
    assert_eq!((unknown.choice, unknown.content.text.as_deref()), (None, Some("Green")));

    let button = |of: &str| PressedButton::Template {
        provider_message_id: of.to_owned(),
        title: "Yes".to_owned(),
        payload: Some("y".to_owned()),
    };
    let choice = bench.press(("m3", "crm-7", "Yes"), &button("p2")).choice.unwrap();
    assert_eq!((choice.title.as_str(), choice.payload.as_deref()), ("Yes", Some("y")));
    assert_eq!(choice.message_id, template.id);
    let choice = bench.press(("m5", "crm-7", "Yes"), &button(&template.id.to_string())).choice.unwrap();
    assert_eq!(choice.message_id, template.id, "our own ID names the message, too");
    assert_eq!(bench.press(("m4", "crm-7", "Yes"), &button("p9")).choice, None);

    // Another contact cannot choose from the message.
    bench.say("n0", "crm-8", "Hello");
    assert_eq!(bench.press(("n1", "crm-8", "Blue"), &reply(1)).choice, None);
    assert_eq!(bench.press(("o1", "crm-9", "Blue"), &reply(1)).choice, None, "a first message");
}

#[test]
fn a_button_with_an_opt_out_word_opts_out() {
    let bench = bench();
    let hello = bench.say("m0", "crm-7", "Hello").value;
    let stop = QuickReply { title: "Stop".to_owned(), payload: None };
    let offer = bench.offer(&hello, Content { quick_replies: vec![stop], ..Content::text("More?") }, accepted("p1"));
    let button = PressedButton::QuickReply { message: offer.id, index: 0 };
    let pressed = bench.press(("m1", "crm-7", "[button]"), &button);
    assert_eq!((pressed.choice, pressed.content.text.as_deref()), (None, Some("Stop")));
    assert!(!bench.contact(hello.contact).identities[0].opted_in);
}
