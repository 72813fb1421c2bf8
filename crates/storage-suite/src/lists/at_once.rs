//! Concurrent queries of the same kind. A store may answer them with one statement; each caller gets the same result as
//! alone.

use futures::future::join_all;
use tidings_domain::conversations::{Dispatch, Message};
use tidings_domain::flows::{Run, RunStatus};
use tidings_domain::ports::{Change, ContactChange, Row};

use crate::Ports;
use crate::fixtures::{World, a_conversation, a_message, a_run, an_http_channel, at, id, uuid};

/// Runs the queries concurrently and then one after another, and checks that the results are equal.
async fn same<A: PartialEq + std::fmt::Debug, F: Future<Output = A>>(
    questions: impl Iterator<Item = (F, F)>,
) -> Vec<A> {
    let (at_once, alone): (Vec<_>, Vec<_>) = questions.unzip();
    let answers = join_all(at_once).await;
    for (question, answer) in alone.into_iter().zip(&answers) {
        assert_eq!(question.await, *answer);
    }
    answers
}

/// Covers contacts with several addresses, with one and with none, a conversation with a last used address, messages
/// without a conversation, of another workspace, and a missing message.
pub async fn concurrent_dispatch_queries_equal_single_ones(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut messages = Vec::new();
    for number in 0..3 {
        let contact = world.contact().await;
        for address in [format!("b{number}"), format!("a{number}")].into_iter().take(number) {
            let identity = world.identity(&address);
            world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity })).await;
        }
        let mut conversation = a_conversation(&contact, &world.channel);
        conversation.reply_address = Some(format!("b{number}"));
        world.add(Change::Insert(Row::Conversation(conversation.clone()))).await;
        messages.push(world.message(&conversation).await);
        let alone = Message { conversation: None, ..a_message(&conversation) };
        world.add(Change::Insert(Row::Message(Box::new(alone.clone())))).await;
        messages.push(alone);
    }
    let conversation = other.conversation(&other.contact().await).await;
    let elsewhere = other.message(&conversation).await;
    let asked = messages.iter().map(|it| (&world, it.id)).chain([
        (&other, elsewhere.id),
        (&world, elsewhere.id),
        (&world, id()),
    ]);
    let ask = |(world, message): (&World, _)| {
        let (store, access) = (store.clone(), world.access.clone());
        async move { store.conversations.dispatch(&access, message).await.unwrap() }
    };
    let found = same(asked.map(|question| (ask(question), ask(question)))).await;
    let found: Vec<Option<Dispatch>> = found;
    let told: Vec<_> = found.iter().map(|it| it.as_ref().map(|it| it.message.clone())).collect();
    let expected = messages.into_iter().chain([elsewhere]).map(Some).chain([None, None]);
    assert_eq!(told, expected.collect::<Vec<_>>());
    let addresses: Vec<_> =
        found.iter().flatten().map(|it| it.contact.identities.first().map(|it| &*it.address)).collect();
    assert_eq!(addresses, [None, None, Some("b1"), Some("b1"), Some("b2"), Some("a2"), None]);
}

/// Covers contacts with two conversations, with one, with none, and a contact of another workspace.
pub async fn concurrent_conversation_queries_equal_single_ones(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let channel = an_http_channel(7);
    world.add(Change::Insert(Row::Channel(channel.clone()))).await;
    let (first, second, third) = (world.contact().await, world.contact().await, world.contact().await);
    let mut newer = a_conversation(&first, &channel);
    newer.last_message_at = Some(at(60));
    world.add(Change::Insert(Row::Conversation(newer.clone()))).await;
    let (older, single) = (world.conversation(&first).await, world.conversation(&second).await);
    let stranger = other.contact().await;
    other.conversation(&stranger).await;
    let ask = |contact| {
        let (store, access) = (store.clone(), world.access.clone());
        async move { store.conversations.with(&access, contact).await.unwrap() }
    };
    let asked = [first.id, second.id, third.id, stranger.id];
    let found = same(asked.into_iter().map(|contact| (ask(contact), ask(contact)))).await;
    assert_eq!(found, [vec![newer, older], vec![single], vec![], vec![]]);
}

/// Covers contacts in the flow, in another flow, in a separate slot, with an ended run, and of another workspace.
pub async fn concurrent_live_run_queries_equal_single_ones(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (flow, second) = (world.flow().await, world.flow().await);
    let mut contacts = Vec::new();
    for _ in 0..4 {
        contacts.push(world.contact().await);
    }
    let live = world.run(&flow, &contacts[0]).await;
    let both = world.run(&flow, &contacts[1]).await;
    let of_second = world.run(&second, &contacts[1]).await;
    let apart = Run { slot: uuid(), ..a_run(&flow, &contacts[2]) };
    let ended = Run { status: RunStatus::Completed, ended_at: Some(at(60)), ..a_run(&flow, &contacts[3]) };
    for run in [apart, ended] {
        world.add(Change::Insert(Row::Run(Box::new(run)))).await;
    }
    let (theirs, stranger) = (other.flow().await, other.contact().await);
    other.run(&theirs, &stranger).await;
    let ask = |(flow, contact)| {
        let (store, access) = (store.clone(), world.access.clone());
        async move { store.flows.live_run(&access, flow, contact).await.unwrap() }
    };
    let of_all = |flow| contacts.iter().map(move |contact| (flow, contact.id));
    let asked = of_all(flow.id).chain(of_all(second.id)).chain([(theirs.id, stranger.id)]);
    let found = same(asked.map(|question| (ask(question), ask(question)))).await;
    let nothing = || None;
    assert_eq!(
        found,
        [Some(live), Some(both), nothing(), nothing(), nothing(), Some(of_second), nothing(), nothing(), nothing()]
    );
}
