//! Tests of the façade's commands: use cases accept what their constructors create, with the defaults of the API.
#![expect(clippy::expect_used, reason = "a test's helpers")]

use std::sync::Arc;

use futures::executor::block_on;
use tidings_domain::broadcasts::BroadcastZone;
use tidings_domain::commands::{
    Access, Audience, Content, ExitOn, NewBotField, NewBroadcast, NewCustomField, NewKey, NewSavedReply, NewSequence,
    NewTagCommand, NewWebhook, NewWorkspace, PayloadForm, Plan, Reenroll, Scope, Subscription,
};
use tidings_domain::fields::FieldKind;
use tidings_domain::ids::{SegmentId, TypedId};
use tidings_domain::memory::MemoryStore;
use tidings_domain::sequences::{SequenceStatus, SequenceZone};
use tidings_domain::{Ports, Tidings};

/// Returns use cases over a store in memory, with access to a workspace.
fn with_workspace() -> (Tidings, Access) {
    let tidings = Tidings::new(Ports::in_memory(Arc::new(MemoryStore::new())));
    let acme = NewWorkspace::new("Acme", Plan::Pro);
    let acme = block_on(tidings.access.create_workspace(acme)).expect("the workspace is created");
    (tidings, Access::system(acme.id))
}

#[test]
fn use_cases_accept_commands_with_defaults() {
    let (tidings, access) = with_workspace();
    block_on(async {
        let tag = tidings.tags.create(&access, NewTagCommand::new("vip"), None).await.unwrap().value;
        assert_eq!((tag.name.as_str(), tag.color, tag.description), ("vip", None, None));
        let field = NewCustomField::new("Shoe size", FieldKind::Number);
        assert_eq!(tidings.fields.create(&access, field, None).await.unwrap().value.key, "shoe_size");
        let field = NewBotField::new("Open today", FieldKind::Boolean);
        let field = tidings.bot_fields.create(&access, field, None).await.unwrap().value;
        assert_eq!((field.key.as_str(), field.value), ("open_today", None));
        let reply = NewSavedReply::new("Hours", "We open at nine.");
        assert_eq!(tidings.saved_replies.create(&access, reply, None).await.unwrap().value.text, "We open at nine.");
        let key = tidings.access.create_key(&access, NewKey::new("import", Scope::Write)).await.unwrap().key;
        assert_eq!((key.scope, key.expires_at), (Scope::Write, None));
        let webhook = NewWebhook::new("https://hooks.example.com/tidings", Subscription::All);
        let webhook = tidings.webhooks.create(&access, webhook, None).await.unwrap().value.shown.webhook;
        assert_eq!((webhook.payload, webhook.description), (PayloadForm::Full, None));
        let sequence = NewSequence::new("Welcome", Vec::new());
        let sequence = tidings.sequences.create(&access, sequence, None).await.unwrap().value;
        assert_eq!((sequence.status, sequence.time_zone), (SequenceStatus::Draft, SequenceZone::Contact));
        assert_eq!((sequence.exit_on, sequence.reenroll), (vec![ExitOn::Unsubscribe], Reenroll::Never));
    });
}

#[test]
fn a_new_broadcast_waits_for_its_start() {
    let (_, access) = with_workspace();
    let segment = SegmentId::from_uuid(access.workspace().uuid());
    let broadcast = NewBroadcast::new("News", Audience::Segment(segment), Content::text("Hello"));
    assert_eq!((broadcast.channel, broadcast.scheduled_at, broadcast.rate_per_minute), (None, None, None));
    assert_eq!(broadcast.time_zone, BroadcastZone::Workspace);
}
