//! Attempts by another workspace on workspaces and contacts.

use serde_json::json;
use tidings_domain::access::{Invitation, Member, Plan, Role, Workspace, WorkspaceDeletion};
use tidings_domain::channels::ChannelHealth;
use tidings_domain::ports::{
    AccessChange, Change, ChannelChange, ContactChange, FieldChange, Object, OptOutChange, ReferenceChange, Row,
    TagChange,
};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::stored::{StoredId, StoredRow};

use super::Attempt;
use crate::contacts::opt_outs::{a_key_of_opt_outs, an_opt_out, remembering};
use crate::fixtures::seed::Seed;
use crate::fixtures::{NOW, a_custom_event, a_key, a_sandbox, at};

/// Returns attempts on workspaces, their members, keys and channels.
pub(super) fn places(ada: &Seed, bob: &Seed) -> Vec<Attempt> {
    let workspace = |id| Workspace::new(id, "stolen", Plan::Starter, NOW);
    let deletion = WorkspaceDeletion { at: NOW, erase_at: NOW };
    let mut again = a_sandbox(bob.world.workspace);
    again.workspace.id = ada.world.workspace;
    let mut channel = ada.world.channel.clone();
    channel.version += 1;
    vec![
        (Change::Insert(Row::Workspace(workspace(ada.world.workspace))), true),
        (Change::Insert(Row::Workspace(workspace(crate::fixtures::id()))), true),
        (Change::Update(Row::Workspace(Workspace { version: 2, ..workspace(ada.world.workspace) })), true),
        (Change::Access(AccessChange::FoundWorkspace(Box::new(a_sandbox(ada.world.workspace)))), true),
        (Change::Access(AccessChange::FoundWorkspace(Box::new(again))), true),
        // These change the workspace of the set.
        (Change::Access(AccessChange::DeleteWorkspace { version: 99, deletion, at: NOW }), true),
        (Change::Access(AccessChange::RestoreWorkspace { version: 1, deletion, outbound: None, at: NOW }), true),
        (Change::Access(AccessChange::ExpireKey { key: ada.key.id, end: NOW, at: NOW }), true),
        (Change::Update(Row::Member(Member { version: 2, ..Member::new(ada.user.id, Role::Viewer, NOW) })), true),
        (Change::Delete(Object::Member(ada.user.id)), true),
        (
            Change::Access(AccessChange::InsertInvitation(Invitation {
                email: "x@example.com".parse().unwrap(),
                ..ada.invitation.clone()
            })),
            true,
        ),
        (Change::Delete(Object::Invitation(ada.invitation.id)), true),
        (Change::Access(AccessChange::CountInvitation { invitation: ada.invitation.id, at: NOW }), false),
        (Change::Access(AccessChange::InsertKey(a_key(ada.world.workspace, 99))), true),
        (Change::Access(AccessChange::RevokeKey { key: ada.key.id, at: NOW }), true),
        (Change::Insert(Row::Channel(ada.world.channel.clone())), true),
        (Change::Update(Row::Channel(channel)), true),
        (Change::Channel(ChannelChange::Delete { channel: ada.world.channel.id, at: at(9) }), true),
        (Change::Channel(ChannelChange::KeepUnparsed(Box::new(ada.unparsed.clone()))), false),
        (
            Change::Channel(ChannelChange::RecordEvent { channel: ada.world.channel.id, digest: [8; 32], at: NOW }),
            false,
        ),
        (
            Change::Channel(ChannelChange::UpdateHealth {
                channel: ada.world.channel.id,
                health: Box::new(ChannelHealth { round: 9, version: 1, ..ChannelHealth::default() }),
            }),
            true,
        ),
    ]
}

/// Returns attempts on contacts, their fields and related objects.
pub(super) fn contacts(ada: &Seed, bob: &Seed) -> Vec<Attempt> {
    let value = ada.field.check(&json!("stolen")).unwrap();
    let (mut contact, mut tag, mut field) = (ada.contact.clone(), ada.tag.clone(), ada.field.clone());
    for version in [&mut contact.version, &mut tag.version, &mut field.version] {
        *version += 1;
    }
    let mut restored = ada.gone.clone();
    (restored.deleted_at, restored.version) = (None, restored.version + 1);
    let (theirs, own) = (ada.contact.id, bob.contact.id);
    let flow_of_ada = Referrer::Flow(ada.flow.id);
    vec![
        (Change::Insert(Row::Contact(Box::new(ada.contact.clone()))), true),
        (Change::Update(Row::Contact(Box::new(contact))), true),
        (Change::Contact(ContactChange::InsertIdentity { contact: theirs, identity: bob.world.identity("b") }), true),
        (Change::Contact(ContactChange::InsertIdentity { contact: own, identity: ada.world.identity("b") }), true),
        (
            Change::Contact(ContactChange::SetOptIn {
                contact: theirs,
                channel: ada.world.channel.id,
                opted_in: false,
            }),
            false,
        ),
        (Change::Contact(ContactChange::ReleaseIdentities { contact: theirs }), false),
        (Change::Contact(ContactChange::RecordEvent { event: Box::new(a_custom_event(&ada.contact)), depth: 0 }), true),
        (Change::Contact(ContactChange::Restore(Box::new(restored))), true),
        (Change::Contact(ContactChange::ReplaceIdentities { contact: theirs, identities: vec![] }), false),
        (
            Change::Contact(ContactChange::ReplaceIdentities {
                contact: theirs,
                identities: vec![bob.world.identity("b")],
            }),
            true,
        ),
        (a_key_of_opt_outs(b"stolen"), false),
        (remembering(vec![an_opt_out(8, Some(&ada.world.channel))]), true),
        (Change::OptOut(OptOutChange::Lift { digests: vec![[7; 32]] }), false),
        (Change::OptOut(OptOutChange::Require { revision: 99 }), true),
        (Change::Reference(ReferenceChange::Put { owner: flow_of_ada, targets: vec![] }), false),
        (
            Change::Reference(ReferenceChange::Put { owner: flow_of_ada, targets: vec![Referent::Tag(ada.tag.id)] }),
            true,
        ),
        (
            Change::Reference(ReferenceChange::Lose {
                target: Referent::Tag(ada.tag.id),
                name: "stolen".to_owned(),
                at: NOW,
            }),
            false,
        ),
        (Change::Tag(TagChange::Link { contact: theirs, tag: bob.tag.id, at: NOW }), true),
        (Change::Tag(TagChange::Link { contact: own, tag: ada.tag.id, at: NOW }), true),
        (Change::Tag(TagChange::Unlink { contact: theirs, tag: ada.tag.id }), true),
        (Change::Field(FieldChange::PutValue { contact: theirs, field: bob.field.id, value: value.clone() }), true),
        (Change::Field(FieldChange::PutValue { contact: own, field: ada.field.id, value: value.clone() }), true),
        (Change::Field(FieldChange::PutValue { contact: theirs, field: ada.field.id, value }), true),
        (Change::Field(FieldChange::ClearValue { contact: theirs, field: ada.field.id }), false),
        (Change::Insert(Row::Stored(StoredRow::Tag(ada.tag.clone()))), true),
        (Change::Update(Row::Stored(StoredRow::Tag(tag))), true),
        (Change::Delete(Object::Stored(StoredId::Tag(ada.tag.id))), true),
        (Change::Tag(TagChange::SweepLinks { tag: ada.tag.id, limit: 100 }), false),
        (Change::Insert(Row::Stored(StoredRow::CustomField(ada.field.clone()))), true),
        (Change::Update(Row::Stored(StoredRow::CustomField(field))), true),
        (Change::Delete(Object::Stored(StoredId::CustomField(ada.field.id))), true),
        (Change::Field(FieldChange::SweepValues { field: ada.field.id, limit: 100 }), false),
        (
            Change::Field(FieldChange::RetireOptions {
                field: ada.field.id,
                from: vec![],
                to: vec!["red".to_owned()],
                unused: false,
            }),
            true,
        ),
    ]
}
