//! Messages that are sent, and the reports on them.

use super::*;
use crate::channels::RetryScope;
use crate::conversations::{MessageErrorView, Recipient};

/// A provider with a connector for each workspace.
struct SharedProvider(WorkspaceId);

#[async_trait::async_trait]
impl crate::channels::Connector for SharedProvider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn for_workspace(&self, workspace: WorkspaceId) -> Option<Arc<dyn crate::channels::Connector>> {
        assert_eq!(workspace, self.0);
        Some(Arc::new(Provider(accepted("p1"))))
    }

    async fn send(&self, _: crate::channels::Outbound) -> SendOutcome {
        panic!("the call counts for no workspace")
    }
}

#[test]
fn sends_by_the_connector_for_the_workspace() {
    let bench = bench();
    let id = bench.queue();
    let connectors = Connectors::one(Arc::new(SharedProvider(bench.access.workspace())));
    let sender = MessageSender { ports: Arc::new(Ports { connectors, ..Ports::clone(&bench.ports) }) };
    let [job] = bench.claim(Pool::Sends, JobKind::SendMessage).try_into().expect("exactly one job is claimed");
    block_on(sender.send(&bench.access, &job, id, 0)).unwrap();
    assert_eq!(bench.message(id).status, MessageStatus::Sent);
}

#[test]
fn reports_in_any_order_never_lower_the_status() {
    let bench = bench();
    let id = bench.queue();
    bench.send(accepted("p1"));
    assert_eq!(bench.report("p1", Report::Read), Ok(Outcome::Accepted));
    assert_eq!(bench.report("p1", Report::Read), Ok(Outcome::Unchanged));
    assert_eq!(bench.report("p1", Report::Delivered), Ok(Outcome::Unchanged));
    assert_eq!(bench.report("p1", Report::failed("late")), Ok(Outcome::Unchanged));
    assert_eq!(bench.report("p2", Report::Read), Err(Error::NotFound));
    assert_eq!(bench.message(id).status, MessageStatus::Read);
    assert_eq!(bench.event_kinds()[2..], ["message.sent", "message.read"]);
}

#[test]
fn never_resends_a_message_with_an_unknown_outcome() {
    let bench = bench();
    let id = bench.queue();
    bench.send(SendOutcome::Unknown { message: "the connection broke".into() });
    assert_eq!(bench.message(id).status, MessageStatus::Uncertain);
    assert!(bench.claim(Pool::Sends, JobKind::SendMessage).is_empty());
    assert_eq!(
        bench.report(&id.to_string(), Report::Delivered),
        Ok(Outcome::Accepted),
        "a report resolves the unknown outcome"
    );
    assert_eq!((bench.message(id).status, bench.message(id).error), (MessageStatus::Delivered, None));
}

#[test]
fn a_provider_may_suppress_a_message() {
    let bench = bench();
    let id = bench.queue();
    let (reason, message) = (Suppression::MarketingStopped, "the contact stopped them".into());
    bench.send(SendOutcome::Suppressed { reason, message });
    let message = bench.message(id);
    assert_eq!(message.status, MessageStatus::Suppressed);
    assert_eq!(message.error.map(|error| error.code).as_deref(), Some("marketing_stopped"));
}

#[test]
fn marks_an_interrupted_send_uncertain_but_not_a_refused_one() {
    let bench = bench();
    let id = bench.queue();
    bench.send(SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "busy".into() });
    let waiting = bench.message(id);
    assert_eq!(waiting.status, MessageStatus::Sending);
    assert_eq!(waiting.error.map(|error| error.code).as_deref(), Some("provider_unavailable"));
    assert!(
        bench.claim(Pool::Sends, JobKind::SendMessage).is_empty(),
        "the message is not sent before its retry is due"
    );
    bench.clock.set(bench.clock.at_rest().plus(std::time::Duration::from_secs(60)));
    bench.send(accepted("p1"));
    assert_eq!((bench.message(id).status, bench.message(id).error), (MessageStatus::Sent, None));

    let id = bench.queue();
    let mut message = bench.message(id);
    message.advance(MessageStatus::Sending, bench.clock.at_rest());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Update(Row::Message(Box::new(message))));
    block_on(bench.ports.ledger.commit(set)).unwrap();
    bench.send(accepted("never asked"));
    assert_eq!(bench.message(id).status, MessageStatus::Uncertain);
    assert_eq!(bench.message(id).provider_message_id, None);
}

/// A provider with messages that name earlier ones. It records the context of each message.
#[derive(Default)]
pub(super) struct Threads(std::sync::Mutex<Vec<crate::channels::SendContext>>);

#[async_trait::async_trait]
impl crate::channels::Connector for Threads {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn shows_threads(&self) -> bool {
        true
    }

    async fn send(&self, message: crate::channels::Outbound) -> SendOutcome {
        self.0.lock().unwrap().push(message.context);
        accepted("p1")
    }
}

/// Sends the queued message. Returns the context that the provider got.
pub(super) fn context_of_queued(bench: &Bench) -> crate::channels::SendContext {
    let provider = Arc::new(Threads::default());
    let ports = Ports { connectors: Connectors::one(provider.clone()), ..Ports::clone(&bench.ports) };
    let [job] = bench.claim(Pool::Sends, JobKind::SendMessage).try_into().expect("exactly one job is claimed");
    let Job::SendMessage { message, depth, .. } = job.job else { panic!("{job:?}") };
    block_on(MessageSender { ports: Arc::new(ports) }.send(&bench.access, &job, message, depth)).unwrap();
    provider.0.lock().unwrap().remove(0)
}

/// Returns the provider's ID of the answered message.
fn answered(context: &crate::channels::SendContext) -> Option<&str> {
    context.reply_to.as_ref().map(|it| it.provider_message_id.as_str())
}

#[test]
fn a_provider_gets_the_message_that_a_message_answers() {
    let bench = bench();
    let said = bench.say("m1", "crm-7", "Hello").value;
    bench.say("m2", "crm-7", "Are you there?");
    let service = crate::conversations::ConversationService { ports: bench.ports.clone() };
    let write = |reply_to: Option<MessageId>| {
        let content = (Content::text("Yes"), reply_to);
        block_on(service.write(&bench.access, said.conversation.unwrap(), content, None)).map(|done| done.value)
    };
    assert_eq!(write(Some(said.id)).unwrap().reply_to, Some(said.id));
    let answered = context_of_queued(&bench).reply_to.unwrap();
    assert_eq!((answered.is_inbound, answered.provider_message_id.as_str()), (true, "m1"));
    assert_eq!(write(None).unwrap().reply_to, None);
    context_of_queued(&bench);
    let other = bench.say("m3", "crm-8", "Hi").value;
    for unknown in [other.id, MessageId::from_uuid(uuid::Uuid::nil())] {
        let refused = write(Some(unknown)).unwrap_err();
        let Error::Invalid(violations) = refused else { panic!("{refused:?}") };
        assert_eq!((violations[0].pointer.as_str(), violations[0].code), ("/reply_to", "unknown_message"));
    }
}

#[test]
fn a_provider_with_threads_gets_the_latest_message_of_the_contact() {
    let bench = bench();
    let first = bench.say("m1", "crm-7", "Hello").value;
    let second = bench.say("m2", "crm-7", "Are you there?").value;
    let conversation = bench.conversation(&second);
    let contact = bench.contact(first.contact);
    let mut set = ChangeSet::new(bench.access.workspace());
    let place = Some(&conversation);
    let to = crate::conversations::Recipient { contact: &contact, channel: &bench.channel, conversation: place };
    let sent = to.add_message(&mut set, Content::text("Hi"), &bench.access, &*bench.clock, &*bench.ports.ids);
    block_on(bench.ports.ledger.commit(set)).unwrap();
    let context = context_of_queued(&bench);
    assert_eq!(answered(&context), Some("m2"));
    assert_eq!(bench.message(sent.message.id).status, MessageStatus::Sent);
    assert!(!context.by_person && !context.is_bulk);
}

#[test]
fn a_message_that_arrives_after_the_answer_of_a_person_is_not_answered() {
    let bench = bench();
    let first = bench.say("m1", "crm-7", "Hello").value;
    let (contact, conversation) = (bench.contact(first.contact), bench.conversation(&first));
    let by = bench.access.acting_as(Actor::user(crate::ids::UserId::from_uuid(uuid::Uuid::from_u128(9))));
    let mut set = ChangeSet::new(bench.access.workspace());
    let place = Some(&conversation);
    let to = crate::conversations::Recipient { contact: &contact, channel: &bench.channel, conversation: place };
    let answer = to.add_message(&mut set, Content::text("Hi"), &by, &*bench.clock, &*bench.ports.ids);
    block_on(bench.ports.ledger.commit(set)).unwrap();
    bench.clock.set(bench.clock.at_rest().plus(std::time::Duration::from_secs(1)));
    bench.say("m2", "crm-7", "Are you there?");
    let context = context_of_queued(&bench);
    assert_eq!((answered(&context), context.by_person), (Some("m1"), true));
    assert_eq!(bench.message(answer.message.id).status, MessageStatus::Sent);
}

#[test]
fn a_confirmation_only_resolves_an_unknown_outcome() {
    let bench = bench();
    let sent = |name: &str| Report::Sent { provider_message_id: name.to_owned() };
    let id = bench.queue();
    assert_eq!(bench.report(&id.to_string(), sent("p2")), Ok(Outcome::Unchanged), "the message is queued");
    bench.send(accepted("p1"));
    assert_eq!(bench.report(&id.to_string(), sent("p2")), Ok(Outcome::Unchanged));
    assert_eq!(bench.message(id).provider_message_id.as_deref(), Some("p1"));
    assert_eq!(MessageView::from(&bench.message(id)).sent_at, Some(bench.clock.at_rest()));
    let id = bench.queue();
    bench.send(SendOutcome::Unknown { message: "the connection broke".into() });
    let told = bench.event_kinds().len();
    assert_eq!(bench.report(&id.to_string(), sent("p2")), Ok(Outcome::Accepted));
    let message = bench.message(id);
    assert_eq!((message.status, message.error), (MessageStatus::Sent, None));
    assert_eq!(message.provider_message_id.as_deref(), Some("p2"));
    assert_eq!(bench.report(&id.to_string(), sent("p3")), Ok(Outcome::Unchanged));
    assert_eq!(bench.event_kinds()[told..], ["message.sent"]);
    assert_eq!(bench.report("p2", Report::Delivered), Ok(Outcome::Accepted));
}

#[test]
fn a_reported_failure_may_have_its_own_code() {
    let bench = bench();
    let id = bench.queue();
    bench.send(accepted("p1"));
    let error = MessageError::new("unreachable", "no such number");
    assert_eq!(bench.report("p1", Report::Failed(error.clone())), Ok(Outcome::Accepted));
    let message = bench.message(id);
    assert_eq!((message.status, message.error), (MessageStatus::Failed, Some(error)));
}

fn unreachable() -> SendOutcome {
    SendOutcome::Rejected { code: "unreachable".into(), message: "no such mailbox".into() }
}

impl Bench {
    /// Whether the address of a message is marked as undeliverable.
    fn is_marked(&self, id: MessageId) -> bool {
        self.contact(self.message(id).contact).identities[0].undeliverable_since.is_some()
    }

    /// Queues a message to the contact of another one, as this actor. Returns its ID and the code of its error.
    fn queue_again(&self, id: MessageId, sender: Actor) -> (MessageId, Option<String>) {
        let contact = self.contact(self.message(id).contact);
        let access = self.access.acting_as(sender);
        let talk = block_on(self.ports.conversations.between(&access, contact.id, self.channel.id)).unwrap();
        let mut set = ChangeSet::new(access.workspace());
        let to = Recipient { contact: &contact, channel: &self.channel, conversation: talk.as_ref() };
        let sent = to.add_message(&mut set, Content::text("Hi"), &access, &*self.clock, &*self.ports.ids).message;
        block_on(self.ports.ledger.commit(set)).unwrap();
        (sent.id, sent.error.map(|error| error.code))
    }
}

#[test]
fn a_message_shows_the_error_of_the_provider() {
    let bench = bench();
    let shown = |id| {
        let error = MessageErrorView::of(&bench.message(id)).unwrap();
        (error.code, error.provider_code, error.http_status)
    };
    let busy = SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "busy".into() };
    let of_provider = |outcome: SendOutcome, code: &str| outcome.with_provider_error(Some(code.to_owned()), Some(400));
    let waiting = bench.queue();
    bench.send(of_provider(busy, "4"));
    assert_eq!(shown(waiting), ("provider_unavailable".to_owned(), Some("4".to_owned()), Some(400)));
    let refused = bench.queue();
    bench.send(of_provider(unreachable(), "131026"));
    assert_eq!(shown(refused), ("unreachable".to_owned(), Some("131026".to_owned()), Some(400)));
    let late = bench.queue();
    let (reason, message) = (Suppression::WindowClosed, "Late.".into());
    bench.send(of_provider(SendOutcome::Suppressed { reason, message }, "131047"));
    assert_eq!(shown(late), ("window_closed".to_owned(), Some("131047".to_owned()), Some(400)));
    let said = bench.message(late).error.map(|error| error.message);
    assert_eq!(said.as_deref(), Some(reason.message()), "the reason has one text");
    let stopped = bench.queue();
    bench.send(of_provider(SendOutcome::OptedOut { message: "STOP".into() }, "21610"));
    assert_eq!(shown(stopped), ("unsubscribed".to_owned(), Some("21610".to_owned()), Some(400)));
    let unclear = bench.queue();
    bench.send(SendOutcome::Unknown { message: "the connection broke".into() });
    assert_eq!(shown(unclear), ("outcome_unknown".to_owned(), None, None));
}

#[test]
fn a_permanent_failure_marks_the_address() {
    let bench = bench();
    let refused = bench.queue();
    bench.send(SendOutcome::Rejected { code: "too_large".into(), message: "too large".into() });
    assert!(!bench.is_marked(refused), "another message can be delivered");
    let refused = bench.queue();
    let version = bench.contact(bench.message(refused).contact).version;
    bench.send(unreachable());
    assert!(bench.is_marked(refused));
    assert_eq!(bench.contact(bench.message(refused).contact).version, version + 1);
    assert!(bench.event_kinds().contains(&"contact.updated"));
    let reported = bench.queue();
    bench.send(accepted("p1"));
    let error = MessageError::new("undeliverable", "no such number");
    assert_eq!(bench.report("p1", Report::Failed(error.clone())), Ok(Outcome::Accepted));
    assert!(bench.is_marked(reported));
    let events = bench.event_kinds().len();
    assert_eq!(bench.report("p1", Report::Failed(error)), Ok(Outcome::Unchanged));
    assert_eq!(bench.event_kinds().len(), events, "a repeated report marks nothing");
}

#[test]
fn only_people_and_clients_write_to_a_marked_address() {
    let bench = bench();
    let refused = bench.queue();
    let (late, _) = bench.queue_again(refused, Actor::system());
    bench.send(unreachable());
    bench.send(accepted("p1"));
    let late = bench.message(late);
    assert_eq!(
        (late.status, late.error.map(|it| it.code).as_deref()),
        (MessageStatus::Suppressed, Some("undeliverable"))
    );
    assert_eq!(bench.queue_again(refused, Actor::system()).1.as_deref(), Some("undeliverable"));
    let member = Actor::user(crate::ids::UserId::from_uuid(uuid::Uuid::nil()));
    let (tried, error) = bench.queue_again(refused, member);
    assert_eq!(error, None);
    bench.send(accepted("p2"));
    assert!(bench.is_marked(tried), "the provider accepts mail before it is returned");
    assert_eq!(bench.report("p2", Report::Delivered), Ok(Outcome::Accepted));
    assert!(!bench.is_marked(tried));
    assert_eq!(bench.queue_again(refused, Actor::system()).1, None);
}

#[test]
fn a_message_from_a_marked_address_removes_the_mark() {
    let bench = bench();
    let refused = bench.queue();
    bench.send(unreachable());
    let address = bench.contact(bench.message(refused).contact).identities[0].address.clone();
    bench.say("m1", &address, "I am here");
    assert!(!bench.is_marked(refused));
    let events = bench.store.events(bench.access.workspace());
    let updated = events.iter().rev().find(|event| event.kind.as_str() == "contact.updated").unwrap();
    assert!(updated.full.contains("\"previous\":{\"identities\":["), "{}", updated.full);
    assert_eq!(bench.queue_again(refused, Actor::system()).1, None);
}
