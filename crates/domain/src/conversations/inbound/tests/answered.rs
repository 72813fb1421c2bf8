//! Messages that answer earlier ones.

use super::*;
use crate::conversations::{AnsweredMessage, Recipient};

impl Bench {
    /// Receives a message that answers another one. Returns the answered message.
    fn answer(&self, (id, from): (&str, &str), reply_to: AnsweredMessage) -> Option<MessageId> {
        let message =
            InboundMessage { reply_to: Some(reply_to), ..an_inbound_message(id, from, Content::text("That one")) };
        block_on(self.inbound.receive(&self.access, &self.channel, message)).unwrap().value.reply_to
    }

    /// Sends a message to the sender of a message, with this ID at the provider.
    fn send_to(&self, said: &Message, name: &str) -> MessageId {
        let (contact, conversation) = (self.contact(said.contact), self.conversation(said));
        let mut set = ChangeSet::new(self.access.workspace());
        let to = Recipient { contact: &contact, channel: &self.channel, conversation: Some(&conversation) };
        let sent = to.add_message(&mut set, Content::text("Hi"), &self.access, &*self.clock, &*self.ports.ids);
        block_on(self.ports.ledger.commit(set)).unwrap();
        self.send(accepted(name));
        sent.message.id
    }
}

#[test]
fn a_message_answers_one_of_either_direction() {
    let bench = bench();
    let said = bench.say("m1", "crm-7", "Hello").value;
    assert_eq!(said.reply_to, None);
    let sent = bench.send_to(&said, "p1");
    assert_eq!(bench.answer(("m2", "crm-7"), AnsweredMessage::named("p1")), Some(sent));
    assert_eq!(bench.answer(("m3", "crm-7"), AnsweredMessage::named("m1")), Some(said.id));
    assert_eq!(bench.answer(("m4", "crm-7"), AnsweredMessage::named(&sent.to_string())), Some(sent), "its own ID");
    let other = AnsweredMessage { sent: "p9".to_owned(), received: "p1".to_owned() };
    assert_eq!(bench.answer(("m5", "crm-7"), other), None, "the IDs belong to a direction");
}

#[test]
fn a_message_never_answers_one_of_another_contact() {
    let bench = bench();
    let said = bench.say("m1", "crm-7", "Hello").value;
    bench.send_to(&said, "p1");
    assert_eq!(bench.answer(("m2", "crm-8"), AnsweredMessage::named("p1")), None, "of a new contact");
    assert_eq!(bench.answer(("m3", "crm-8"), AnsweredMessage::named("p1")), None, "of a known contact");
    assert_eq!(bench.answer(("m4", "crm-8"), AnsweredMessage::named("m1")), None);
}
