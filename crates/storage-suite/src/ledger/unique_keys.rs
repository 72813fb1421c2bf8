//! Rule 5: a violation of a unique key is a conflict that names the key.

use std::sync::atomic::{AtomicU8, Ordering};

use tidings_domain::access::attempts::LoginAttempts;
use tidings_domain::access::{Member, RefreshToken, Role};
use tidings_domain::contacts::Contact;
use tidings_domain::events::EventKind;
use tidings_domain::fields::FieldKind;
use tidings_domain::ports::{
    AccessChange, AccountChange, Change, ChangeSet, ChannelChange, Conflict, ContactChange, FlowChange, Row, TagChange,
    UniqueKey,
};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;

use crate::Ports;
use crate::access::people::a_session;
use crate::fixtures::{
    NOW, World, a_bot_field, a_channel, a_conversation, a_delivery, a_field, a_flow_version, a_key, a_run, a_sandbox,
    a_saved_reply, a_secret, a_user, an_answer, an_enrollment, an_http_channel, an_inbound_message, an_invitation,
    conflict, id, nothing, uuid,
};

/// Returns the first byte of a digest that no invitation of any workspace has.
fn a_digest() -> u8 {
    static NEXT: AtomicU8 = AtomicU8::new(2);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns two sets. Each is accepted alone, but the second conflicts with the first.
async fn colliding(world: &World, key: UniqueKey) -> [ChangeSet; 2] {
    let contact = |describe: &dyn Fn(&mut Contact)| {
        let mut contact = Contact::new(id(), NOW);
        describe(&mut contact);
        Change::Insert(Row::Contact(Box::new(contact)))
    };
    let changes = match key {
        UniqueKey::KeyDigest => {
            [1, 1].map(|digest| Change::Access(AccessChange::InsertKey(a_key(world.workspace, digest))))
        }
        UniqueKey::ContactExternalId => ["x", "x"].map(|it| contact(&|c| c.external_id = it.parse().ok())),
        UniqueKey::ContactEmail => {
            ["ada@example.com", "Ada@example.com"].map(|it| contact(&|c| c.email = it.parse().ok()))
        }
        UniqueKey::ContactPhone => ["+49301234567", "+49 30 1234567"].map(|it| contact(&|c| c.phone = it.parse().ok())),
        UniqueKey::Identity => [world.contact().await, world.contact().await].map(|it| {
            Change::Contact(ContactChange::InsertIdentity { contact: it.id, identity: world.identity("same") })
        }),
        UniqueKey::TagName => {
            ["Vip", " vIP "].map(|name| Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(id(), name, NOW)))))
        }
        UniqueKey::TagLink => {
            let (contact, tag) = (world.contact().await, world.tag("linked").await);
            [(); 2].map(|()| Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW }))
        }
        UniqueKey::FieldKey => ["size", "size"]
            .map(|key| Change::Insert(Row::Stored(StoredRow::CustomField(a_field(key, FieldKind::Text))))),
        UniqueKey::BotFieldKey => {
            ["hours", "hours"].map(|key| Change::Insert(Row::Stored(StoredRow::BotField(a_bot_field(key)))))
        }
        UniqueKey::SecretName => {
            ["TOKEN", "TOKEN"].map(|name| Change::Insert(Row::Stored(StoredRow::Secret(a_secret(name)))))
        }
        UniqueKey::SavedReplyName => {
            ["Hours", "hOURS"].map(|name| Change::Insert(Row::Stored(StoredRow::SavedReply(a_saved_reply(name)))))
        }
        UniqueKey::DefaultChannel => {
            // The workspace has a default channel already, so the first set adds another channel.
            let mut other = a_channel();
            other.is_default = false;
            [other, a_channel()].map(Row::Channel).map(Change::Insert)
        }
        UniqueKey::ConversationPair => {
            let contact = world.contact().await;
            [(); 2].map(|()| Change::Insert(Row::Conversation(a_conversation(&contact, &world.channel))))
        }
        UniqueKey::InboundMessage => {
            let conversation = world.conversation(&world.contact().await).await;
            ["m1", "m1"].map(|name| Change::Insert(Row::Message(Box::new(an_inbound_message(&conversation, name)))))
        }
        UniqueKey::ProviderEvent => {
            let channel = world.channel.id;
            [(); 2].map(|()| Change::Channel(ChannelChange::RecordEvent { channel, digest: [7; 32], at: NOW }))
        }
        UniqueKey::InboundToken => [1, 1].map(|digest| Change::Insert(Row::Channel(an_http_channel(digest)))),
        UniqueKey::FlowVersion => {
            let flow = world.flow().await;
            [(); 2].map(|()| Change::Flow(FlowChange::InsertVersion(a_flow_version(&flow, 2))))
        }
        UniqueKey::LiveRun => {
            let (flow, contact) = (world.flow().await, world.contact().await);
            [(); 2].map(|()| Change::Insert(Row::Run(Box::new(a_run(&flow, &contact)))))
        }
        UniqueKey::RunCause => {
            let (flow, cause) = (world.flow().await, crate::fixtures::uuid());
            [world.contact().await, world.contact().await].map(|contact| {
                let mut run = a_run(&flow, &contact);
                run.cause = Some(cause);
                Change::Insert(Row::Run(Box::new(run)))
            })
        }
        UniqueKey::LiveEnrollment => {
            let (sequence, contact) = (world.sequence().await, world.contact().await);
            [1, 2].map(|number| {
                let mut enrollment = an_enrollment(&sequence, &contact);
                enrollment.number = number;
                Change::Insert(Row::Enrollment(Box::new(enrollment)))
            })
        }
        UniqueKey::EnrollmentNumber => {
            let (sequence, contact) = (world.sequence().await, world.contact().await);
            [(); 2].map(|()| {
                let mut enrollment = an_enrollment(&sequence, &contact);
                enrollment.ended_at = Some(NOW);
                Change::Insert(Row::Enrollment(Box::new(enrollment)))
            })
        }
        UniqueKey::Delivery => {
            let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::MessageSent).await);
            [(); 2].map(|()| Change::Insert(Row::Delivery(a_delivery(&webhook, &event))))
        }
        UniqueKey::Sandbox => {
            [(); 2].map(|()| Change::Access(AccessChange::FoundWorkspace(Box::new(a_sandbox(world.workspace)))))
        }
        UniqueKey::UserEmail => ["ada@example.com", "Ada@example.com"].map(|it| Change::Insert(Row::User(a_user(it)))),
        UniqueKey::Member => {
            let user = a_user(&format!("{:x}@example.com", uuid().as_u128()));
            world.add(Change::Insert(Row::User(user.clone()))).await;
            [(); 2].map(|()| Change::Insert(Row::Member(Member::new(user.id, Role::Viewer, NOW))))
        }
        UniqueKey::InvitationDigest => ["a@example.com", "b@example.com"]
            .map(|it| Change::Access(AccessChange::InsertInvitation(an_invitation(it, 1)))),
        UniqueKey::InvitationEmail => {
            [(); 2].map(|()| Change::Access(AccessChange::InsertInvitation(an_invitation("c@example.com", a_digest()))))
        }
        UniqueKey::RefreshToken => {
            let session = a_session(world, &format!("{:x}@example.com", uuid().as_u128())).await;
            [(); 2]
                .map(|()| Change::Account(AccountChange::InsertRefreshToken(RefreshToken::new([1; 32], &session, NOW))))
        }
        UniqueKey::LoginAttempts => [(); 2].map(|()| {
            Change::Account(AccountChange::CountLogin {
                before: 0,
                attempts: LoginAttempts { account: "ada".to_owned(), count: 1, next_at: NOW, updated_at: NOW },
            })
        }),
        UniqueKey::IdempotencyKey => {
            let mut sets = [ChangeSet::new(world.workspace), ChangeSet::new(world.workspace)];
            sets.iter_mut().for_each(|set| set.idempotency = Some(an_answer("k")));
            return sets;
        }
    };
    changes.map(|change| {
        let mut set = ChangeSet::new(world.workspace);
        set.change(change);
        set
    })
}

/// A violation of each key names it, and nothing of the set is written.
pub async fn a_conflict_names_the_violated_unique_key(store: Ports) {
    let world = World::new(&store).await;
    for key in UniqueKey::ALL.iter().copied() {
        let [first, mut second] = colliding(&world, key).await;
        let expected = match key {
            UniqueKey::IdempotencyKey => Conflict::IdempotencyKeyUsed,
            key => Conflict::Exists(key),
        };
        store.ledger.commit(first).await.unwrap_or_else(|error| panic!("{key:?}: {error:?}"));
        let witness = Tag::new(id(), &format!("{key:?}"), NOW);
        second.changes.insert(0, Change::Insert(Row::Stored(StoredRow::Tag(witness.clone()))));
        assert_eq!(conflict(store.ledger.commit(second).await), expected);
        assert!(!world.has_tag(&witness).await, "{key:?}");
    }
}

/// Keys of objects that are looked up without a workspace.
const OF_NO_WORKSPACE: [UniqueKey; 6] = [
    UniqueKey::KeyDigest,
    UniqueKey::InboundToken,
    UniqueKey::UserEmail,
    UniqueKey::InvitationDigest,
    UniqueKey::RefreshToken,
    UniqueKey::LoginAttempts,
];

/// All other keys are unique only within a workspace.
pub async fn unique_keys_apply_within_a_workspace(store: Ports) {
    let (ada, bob) = (World::new(&store).await, World::new(&store).await);
    for key in UniqueKey::ALL.iter().copied() {
        let [of_ada, _] = colliding(&ada, key).await;
        let [of_bob, _] = colliding(&bob, key).await;
        store.ledger.commit(of_ada).await.unwrap_or_else(|error| panic!("{key:?}: {error:?}"));
        let outcome = store.ledger.commit(of_bob).await;
        if OF_NO_WORKSPACE.contains(&key) {
            assert_eq!(conflict(outcome), Conflict::Exists(key));
        } else {
            outcome.unwrap_or_else(|error| panic!("{key:?}: {error:?}"));
        }
    }
}
