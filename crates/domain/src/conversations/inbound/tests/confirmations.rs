//! The confirmation of an opt-out.

use std::sync::Mutex;
use std::time::Duration;

use super::*;
use crate::channels::{Connector, OptOutRule, Outbound};
use crate::contacts::ContactStatus;
use crate::conversations::{ConfirmationTexts, Handler, Recipient};
use crate::pagination::PageRequest;

static CONFIRMING: ChannelType =
    ChannelType { opt_out: OptOutRule::ConfirmedWords { by_provider: &["end"] }, ..SANDBOX };

/// A provider that accepts every message and records its text.
#[derive(Default)]
struct Recorder(Mutex<Vec<String>>);

#[async_trait::async_trait]
impl Connector for Recorder {
    fn channel_type(&self) -> &'static ChannelType {
        &CONFIRMING
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        self.0.lock().unwrap().push(message.content.text.unwrap_or_default());
        accepted("p1")
    }
}

/// A channel on which the server confirms opt-outs.
fn confirming() -> (Bench, Arc<Recorder>) {
    let (bench, provider) = (bench(), Arc::new(Recorder::default()));
    let ports = Arc::new(Ports { connectors: Connectors::one(provider.clone()), ..Ports::clone(&bench.ports) });
    let texts = ConfirmationTexts::new([("en", "Bye"), ("de", "Tschüss")]);
    let words = OptOutWords::new(["STOP", "END", "STOPP"]).confirmed_by(texts);
    let inbound = InboundService { ports: ports.clone(), words };
    (Bench { ports, inbound, ..bench }, provider)
}

impl Bench {
    /// Sends the queued messages. Returns the statuses of all messages to the contact, oldest first.
    fn send_all(&self, of: &Message) -> Vec<MessageStatus> {
        let sender = MessageSender { ports: self.ports.clone() };
        for job in self.claim(Pool::Sends, JobKind::SendMessage) {
            let Job::SendMessage { message, depth, .. } = job.job else { panic!("{job:?}") };
            block_on(sender.send(&self.access, &job, message, depth)).unwrap();
        }
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let found = block_on(self.ports.conversations.messages(&self.access, of.conversation.unwrap(), page)).unwrap();
        let outbound = found.items.into_iter().rev().filter(|it| it.direction == Direction::Outbound);
        outbound.map(|it| it.status).collect()
    }

    fn pass(&self, time: Duration) {
        self.clock.set(self.clock.at_rest().plus(time));
    }
}

#[test]
fn an_opt_out_is_confirmed_once_a_day() {
    let (bench, provider) = confirming();
    let hello = bench.say("m1", "crm-7", "Hello").value;
    let texts = || provider.0.lock().unwrap().clone();
    bench.say("m2", "crm-7", "STOP");
    bench.say("m2", "crm-7", "STOP");
    assert_eq!(bench.send_all(&hello), [MessageStatus::Sent]);
    assert_eq!(texts(), ["Bye"]);
    let conversation = bench.conversation(&hello);
    assert_eq!((conversation.unread_count, conversation.handler), (2, Handler::Bot));

    bench.pass(Duration::from_secs(86_399));
    bench.say("m3", "crm-7", "START");
    bench.say("m4", "crm-7", "STOP");
    assert_eq!(bench.send_all(&hello), [MessageStatus::Sent], "the last confirmation is younger than a day");
    bench.pass(Duration::from_secs(2));
    bench.say("m5", "crm-7", "Stopp");
    assert_eq!(bench.send_all(&hello), [MessageStatus::Sent; 2]);
    assert_eq!(texts(), ["Bye", "Tschüss"]);
}

#[test]
fn confirms_the_opt_out_of_a_first_message() {
    let (bench, provider) = confirming();
    let stop = bench.say("m1", "crm-9", "Unsubscribe").value;
    assert_eq!(bench.send_all(&stop), [MessageStatus::Sent]);
    assert_eq!(*provider.0.lock().unwrap(), ["Bye"]);
}

#[test]
fn no_other_message_passes_an_opt_out() {
    let (bench, provider) = confirming();
    let hello = bench.say("m1", "crm-7", "Hello").value;
    let queue = || {
        let (contact, conversation) = (bench.contact(hello.contact), bench.conversation(&hello));
        let to = Recipient { contact: &contact, channel: &bench.channel, conversation: Some(&conversation) };
        let mut set = ChangeSet::new(bench.access.workspace());
        to.add_message(&mut set, Content::text("Hi"), &bench.access, &*bench.clock, &*bench.ports.ids);
        block_on(bench.ports.ledger.commit(set)).unwrap();
    };
    queue();
    bench.pass(Duration::from_secs(1));
    bench.say("m2", "crm-7", "STOP");
    bench.pass(Duration::from_secs(1));
    queue();
    let mut statuses = bench.send_all(&hello);
    // The messages of a conversation are sent one after another.
    for _ in 0..2 {
        statuses = bench.send_all(&hello);
    }
    assert_eq!(statuses, [MessageStatus::Suppressed, MessageStatus::Sent, MessageStatus::Suppressed]);
    assert_eq!(*provider.0.lock().unwrap(), ["Bye"]);
}

#[test]
fn confirms_nothing_that_the_provider_confirms() {
    let (bench, provider) = confirming();
    let hello = bench.say("m1", "crm-7", "Hello").value;
    bench.say("m2", "crm-7", "END");
    assert!(!bench.contact(hello.contact).identities[0].opted_in);
    let message = an_inbound_message("m3", "crm-8", Content::text("HALT"));
    let other = block_on(bench.inbound.receive_opt_out(&bench.access, &bench.channel, message)).unwrap().value;
    assert_eq!((bench.send_all(&hello), bench.send_all(&other)), (Vec::new(), Vec::new()));
    assert_eq!(*provider.0.lock().unwrap(), [] as [&str; 0]);
    bench.say("m4", "crm-7", "STOP");
    assert_eq!(bench.send_all(&hello), [MessageStatus::Sent], "the server confirms the other words");
}

#[test]
fn a_contact_that_a_member_blocked_gets_no_confirmation() {
    let (bench, _) = confirming();
    let hello = bench.say("m1", "crm-7", "Hello").value;
    let mut contact = bench.contact(hello.contact);
    contact.status = ContactStatus::Blocked;
    contact.touch(bench.clock.at_rest());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Update(Row::Contact(Box::new(contact))));
    block_on(bench.ports.ledger.commit(set)).unwrap();
    bench.say("m2", "crm-7", "STOP");
    assert_eq!(bench.send_all(&hello), []);
}
