//! Threads of messages that answer each other.

use super::reports::{Threads, context_of_queued};
use super::*;
use crate::conversations::{AnsweredMessage, ConversationService, Thread};

impl Bench {
    /// The same workspace with a provider that has threads.
    fn with_threads(self) -> Self {
        let connectors = Connectors::one(Arc::new(Threads::default()));
        let ports = Arc::new(Ports { connectors, ..Ports::clone(&self.ports) });
        let inbound = InboundService { ports: ports.clone(), words: OptOutWords::default() };
        Self { ports, inbound, ..self }
    }

    /// Receives a message with a subject that answers another one.
    fn mail(&self, id: &str, subject: &str, answered: Option<&str>) -> Message {
        let message = InboundMessage {
            reply_to: answered.map(AnsweredMessage::named),
            ..an_inbound_message(id, "crm-7", Content { subject: Some(subject.to_owned()), ..Content::text("Hello") })
        };
        block_on(self.inbound.receive(&self.access, &self.channel, message)).unwrap().value
    }
}

#[test]
fn answers_are_in_the_thread_of_their_message() {
    let bench = bench().with_threads();
    let begun = |it: &Message| Some(Thread { id: it.id, subject: it.content.subject.clone() });
    let (question, order) = (bench.mail("m1", "Question", None), bench.mail("m2", "Order 7", None));
    assert_eq!((&question.thread, &order.thread), (&begun(&question), &begun(&order)));
    assert_eq!(bench.mail("m3", "Re: Question", Some("m1")).thread, question.thread);
    assert_eq!(bench.mail("m4", "Re: Lost", Some("m0")).thread.unwrap().subject.as_deref(), Some("Re: Lost"));
    assert_eq!(bench.mail("m5", "Re: Question", Some("m3")).thread, question.thread, "the first message names it");

    let service = ConversationService { ports: bench.ports.clone() };
    let write = |subject: Option<&str>, reply_to: Option<MessageId>| {
        let content = Content { subject: subject.map(str::to_owned), ..Content::text("Yes") };
        let conversation = question.conversation.unwrap();
        let queued = block_on(service.write(&bench.access, conversation, (content, reply_to), None)).unwrap().value;
        assert_eq!(queued.thread, None, "the first call decides");
        context_of_queued(&bench);
        bench.message(queued.id)
    };
    assert_eq!(write(None, None).thread, question.thread, "it answers the latest message of the contact");
    assert_eq!(write(None, Some(order.id)).thread, order.thread);
    assert_eq!(write(Some("Other"), Some(order.id)).thread, order.thread);
    let news = write(Some("News"), None);
    assert_eq!(news.thread, begun(&news));
    assert_eq!(bench.mail("m6", "Re: News", Some(news.id.to_string().as_str())).thread, news.thread);
    assert_eq!(MessageView::from(&news).thread, news.thread);
}

#[test]
fn a_provider_gets_the_answered_message_and_its_thread_before_it() {
    let bench = bench().with_threads();
    let question = bench.mail("m1", "Question", None);
    let order = bench.mail("m2", "Order 7", None);
    bench.mail("m3", "Re: Question", Some("m1"));
    let service = ConversationService { ports: bench.ports.clone() };
    let write = |subject: Option<&str>, reply_to: Option<MessageId>| {
        let content = Content { subject: subject.map(str::to_owned), ..Content::text("Yes") };
        let conversation = question.conversation.unwrap();
        let queued = block_on(service.write(&bench.access, conversation, (content, reply_to), None)).unwrap().value;
        let context = context_of_queued(&bench);
        let ids = context.earlier.iter().chain(&context.reply_to).map(|it| it.provider_message_id.clone());
        (queued.id, ids.collect::<Vec<_>>())
    };
    let (own, named) = write(None, None);
    assert_eq!(named, ["m1", "m3"], "other threads are left out");
    assert_eq!(write(None, Some(question.id)).1, ["m1"], "later messages are left out");
    assert_eq!(write(None, Some(order.id)).1, ["m2"]);
    assert_eq!(write(Some("News"), None).1, Vec::<String>::new());
    bench.mail("m4", "Re: Question", Some("m3"));
    let (_, named) = write(None, None);
    assert_eq!(named.first().zip(named.last()), Some((&"m1".to_owned(), &"m4".to_owned())));
    let own = bench.message(own).provider_message_id.unwrap();
    assert!(named.contains(&own), "messages to the contact are named: {named:?}");
}

#[test]
fn a_thread_can_begin_with_a_message_that_has_none() {
    let bench = bench();
    let first = bench.mail("m1", "Question", None);
    assert_eq!(first.thread, None, "the channel has no threads");
    let answer = bench.with_threads().mail("m2", "Re: Question", Some("m1"));
    assert_eq!(answer.thread, Some(Thread { id: first.id, subject: Some("Question".to_owned()) }));
}
