//! Tests of what the audit log contains, and what it never does.

use std::sync::Arc;

use futures::executor::block_on;
use serde_json::{Value, json};

use super::facts::{Audited, Facts};
use super::{AuditAction, AuditEntry, AuditEntryView, AuditFilter, AuditObject, AuditedKind};
use crate::access::{Access, NewKey, NewWorkspace, OutboundMode, Plan, Role, Scope};
use crate::contacts::{ContactPatch, ContactRef, ContactService, NewContact, NewTag, TagRef};
use crate::disclosure::DisclosureService;
use crate::erasures::ErasureService;
use crate::ids::{KeyId, TypedId, UserId};
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::pagination::{Order, PageRequest};
use crate::patch::Patch;
use crate::platform::{Invite, NewUser, PlatformService, Rotation};
use crate::ports::Ports;
use crate::references::Deletion;
use crate::secrets::{PutSecret, SecretService};
use crate::segments::{NewSegment, SegmentPatch, SegmentService};
use crate::tags::{NewTagCommand, TagPatch, TagService};
use crate::testing::new_workspace;
use crate::webhooks::{CustomHeaders, NewWebhook, PayloadForm, Subscription, WebhookPatch, WebhookService};

struct Setup {
    ports: Arc<Ports>,
    access: Access,
    ada: UserId,
}

impl Setup {
    fn new() -> Self {
        let ports = Arc::new(Ports::of(Arc::new(MemoryStore::new())));
        let workspace = new_workspace(&ports).workspace();
        let command = NewUser {
            email: "ada@example.com".parse().unwrap(),
            name: "Ada Lovelace".to_owned(),
            password: "password".to_owned().into(),
            operator: false,
            workspace,
            role: Role::Owner,
        };
        let ada = block_on(PlatformService { ports: ports.clone() }.create_user(command)).unwrap().id;
        Self { ports, access: Access::of_user(workspace, ada, Role::Owner), ada }
    }

    fn tags(&self) -> TagService {
        TagService { ports: self.ports.clone() }
    }

    fn platform(&self) -> PlatformService {
        PlatformService { ports: self.ports.clone() }
    }

    /// Returns all entries, the oldest first.
    fn audit_entries(&self) -> Vec<AuditEntry> {
        let page = PageRequest { limit: 100, order: Order::OldestFirst, ..PageRequest::default() };
        block_on(self.ports.audit.list(&self.access, &AuditFilter::default(), page)).unwrap().items
    }

    /// Returns the last entry in the form of the API.
    fn last(&self) -> Value {
        serde_json::to_value(AuditEntryView::from(self.audit_entries().last().unwrap())).unwrap()
    }

    fn actions(&self) -> Vec<&'static str> {
        self.audit_entries().iter().map(|it| it.action.as_str()).collect()
    }
}

fn turned(before: &Value, after: &Value) -> Value {
    json!({"before": before, "after": after, "withheld": false, "cut": false})
}

fn withheld() -> Value {
    json!({"before": null, "after": null, "withheld": true, "cut": false})
}

#[test]
fn an_action_begins_with_its_kind() {
    for (action, word) in AuditAction::ALL.iter().zip(AuditAction::WORDS) {
        assert_eq!(action.as_str(), *word);
        assert_eq!(AuditAction::parse(word), Some(*action));
        assert_eq!(word.split_once('.').unwrap().0, action.kind().as_str());
        assert_eq!(AuditedKind::parse(action.kind().as_str()), Some(action.kind()));
    }
}

#[test]
fn records_each_change_once_with_its_differences() {
    let setup = Setup::new();
    let command = NewTagCommand { name: "VIP".to_owned(), color: None, description: Some("Best".to_owned()) };
    let key = Access::of_key(setup.access.workspace(), KeyId::from_uuid(uuid::Uuid::nil()), Scope::Write);
    let tag = block_on(setup.tags().create(&key, command, None)).unwrap().value;
    let told = setup.last();
    assert_eq!(told["action"], "tag.created");
    assert_eq!(told["actor"], json!({"type": "api_key", "id": key.actor().id, "scope": "write"}));
    assert_eq!(told["object"], json!({"type": "tag", "id": tag.id, "name": "VIP"}));
    let (none, best) = (Value::Null, json!("Best"));
    assert_eq!(told["changes"], json!({"name": turned(&none, &json!("VIP")), "description": turned(&none, &best)}));

    let patch = TagPatch { name: Some("Gold".to_owned()), ..TagPatch::default() };
    block_on(setup.tags().update(&setup.access, tag.id, patch.clone(), &ExpectedVersion::Any)).unwrap();
    let told = setup.last();
    assert_eq!(told["actor"], json!({"type": "user", "id": setup.ada, "scope": "full"}));
    assert_eq!(told["changes"], json!({"name": turned(&json!("VIP"), &json!("Gold"))}));
    let before = setup.audit_entries().len();
    block_on(setup.tags().update(&setup.access, tag.id, patch, &ExpectedVersion::Any)).unwrap();
    let stale =
        block_on(setup.tags().delete(&setup.access, tag.id, Deletion::IfUnused, &ExpectedVersion::OneOf(vec![9])));
    assert!(stale.is_err());
    assert_eq!(setup.audit_entries().len(), before, "nothing changed");

    block_on(setup.tags().delete(&setup.access, tag.id, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    assert_eq!(setup.last()["changes"]["name"], turned(&json!("Gold"), &Value::Null));
    assert_eq!(setup.actions(), ["workspace.created", "member.joined", "tag.created", "tag.updated", "tag.deleted"]);
}

#[test]
fn records_that_a_secret_changed_without_its_value() {
    let setup = Setup::new();
    let webhooks = WebhookService { ports: setup.ports.clone(), retention: crate::retention::Retention::default() };
    let headers = |value: &str| CustomHeaders::new([("X-Token".to_owned(), value.to_owned())]);
    let new = NewWebhook {
        url: "https://ada:s3cret@hooks.example.com/s3cret?token=s3cret".to_owned(),
        events: Subscription::All,
        description: None,
        payload: PayloadForm::Full,
        headers: headers("a-s3cret-of-one"),
    };
    let made = block_on(webhooks.create(&setup.access, new, None)).unwrap().value;
    let hook = made.shown.webhook.id;
    assert_eq!(setup.last()["changes"]["url_host"]["after"], "hooks.example.com");
    let patch = WebhookPatch {
        url: Some("https://hooks.example.com/other-s3cret".to_owned()),
        headers: Patch::Set(headers("a-s3cret-of-two")),
        ..WebhookPatch::default()
    };
    block_on(webhooks.update(&setup.access, hook, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(setup.last()["changes"], json!({"url": withheld(), "headers": withheld()}));
    let overlap = std::time::Duration::ZERO;
    block_on(webhooks.rotate_secret(&setup.access, hook, overlap, &ExpectedVersion::Any, None)).unwrap();
    assert_eq!(setup.last()["changes"], json!({"secret": withheld()}));
    block_on(webhooks.pause(&setup.access, hook, &ExpectedVersion::Any, None)).unwrap();
    assert_eq!(setup.last()["changes"], json!({"status": turned(&json!("active"), &json!("paused"))}));
    block_on(webhooks.enable(&setup.access, hook, &ExpectedVersion::Any, None)).unwrap();
    block_on(webhooks.delete(&setup.access, hook, &ExpectedVersion::Any)).unwrap();

    let secrets = SecretService { ports: setup.ports.clone() };
    for value in ["a-s3cret", "another-s3cret"] {
        let hosts = vec!["api.example.com".to_owned()];
        let command = PutSecret { name: "TOKEN".to_owned(), value: value.to_owned().into(), hosts };
        block_on(secrets.put(&setup.access, command, &ExpectedVersion::Any)).unwrap();
    }
    assert_eq!(setup.last()["object"], json!({"type": "secret", "id": "TOKEN", "name": "TOKEN"}));
    assert_eq!(setup.last()["changes"], json!({"value": withheld()}));

    let segments = SegmentService { ports: setup.ports.clone() };
    let written = |email: &str| json!({"field": "email", "op": "eq", "value": email});
    let new = NewSegment { name: "One".to_owned(), condition: written("s3cret@example.com") };
    let segment = block_on(segments.create(&setup.access, new, None)).unwrap().value.segment.id;
    let patch = SegmentPatch { name: None, condition: Some(written("s3cret@example.org")) };
    block_on(segments.update(&setup.access, segment, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(setup.last()["changes"], json!({"condition": withheld()}));

    assert!(!format!("{:?}", setup.audit_entries()).contains("s3cret"));
}

#[test]
fn identifies_users_only_by_id() {
    let setup = Setup::new();
    let platform = setup.platform();
    let ask = |email: &str| Invite { email: email.parse().unwrap(), role: Role::Member };
    let invited = block_on(platform.invite(&setup.access, Role::Owner, ask("eve@example.com"), None)).unwrap().value;
    block_on(platform.invite(&setup.access, Role::Owner, ask("bob@example.com"), None)).unwrap();
    let again = block_on(platform.invite(&setup.access, Role::Owner, ask("eve@example.com"), None)).unwrap().value;
    assert_ne!(invited.view.id, again.view.id);
    let password = || "password of Eve".to_owned().into();
    let token = again.token;
    let eve = block_on(platform.accept(secrecy::ExposeSecret::expose_secret(&token), "Eve".to_owned(), password()));
    let eve = eve.unwrap().id;
    let told = setup.last();
    assert_eq!(told["actor"], json!({"type": "user", "id": eve, "scope": "write"}));
    assert_eq!(told["object"], json!({"type": "member", "id": eve, "name": null}));
    assert_eq!(told["changes"]["invitation_id"]["after"], again.view.id);
    block_on(platform.set_role(&setup.access, Role::Owner, eve, Role::Admin, &ExpectedVersion::Any)).unwrap();
    assert_eq!(setup.last()["changes"], json!({"role": turned(&json!("member"), &json!("admin"))}));
    block_on(platform.remove_member(&setup.access, Role::Owner, eve, &ExpectedVersion::Any)).unwrap();
    let expected = [
        "workspace.created",
        "member.joined",
        "invitation.created",
        "invitation.created",
        "invitation.withdrawn",
        "invitation.created",
        "member.joined",
        "member.role_changed",
        "member.removed",
    ];
    assert_eq!(setup.actions(), expected);
    let told = format!("{:?}", setup.audit_entries()).to_lowercase();
    for personal in ["ada@", "lovelace", "eve@", "bob@", "\"eve\""] {
        assert!(!told.contains(personal), "{personal}");
    }
}

#[test]
fn records_changes_of_keys_and_workspaces() {
    let setup = Setup::new();
    let platform = setup.platform();
    let command = NewKey { name: "Shop".to_owned(), scope: Scope::Write, expires_at: None };
    let key = block_on(platform.create_key(&setup.access, command, None)).unwrap().value.key;
    let rotation = Rotation { overlap: std::time::Duration::ZERO };
    let next =
        block_on(platform.rotate_key(&setup.access, key.id, rotation, &ExpectedVersion::Any, None)).unwrap().value.key;
    assert_eq!(setup.last()["object"]["id"], json!(key.id));
    assert_eq!(setup.last()["changes"]["successor_id"]["after"], json!(next.id));
    block_on(platform.revoke_key(&setup.access, next.id, &ExpectedVersion::Any)).unwrap();
    assert!(block_on(platform.revoke_key(&setup.access, next.id, &ExpectedVersion::Any)).is_err());
    block_on(platform.set_outbound(&setup.access, OutboundMode::Hold, &ExpectedVersion::Any)).unwrap();
    block_on(platform.create_sandbox(&setup.access, None)).unwrap();
    block_on(platform.create_sandbox(&setup.access, None)).unwrap();
    let actions = setup.actions();
    let expected =
        ["api_key.created", "api_key.rotated", "api_key.revoked", "workspace.outbound_changed", "sandbox.created"];
    assert_eq!(actions[2..], expected);
}

#[test]
fn records_the_creation_of_a_workspace_by_an_operator() {
    let setup = Setup::new();
    let command = NewWorkspace { name: "Umbrella".to_owned(), plan: Plan::Business };
    let made = block_on(setup.platform().create_workspace(setup.ada, command, None)).unwrap().value;
    let page = PageRequest::default();
    let told = block_on(setup.ports.audit.list(&Access::system(made.id), &AuditFilter::default(), page)).unwrap();
    assert_eq!(told.items.len(), 1);
    assert_eq!(told.items[0].by.word(), setup.ada.to_string());
}

/// An object of twenty long attributes.
struct Long(char);

impl Audited for Long {
    const KIND: AuditedKind = AuditedKind::Tag;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &"tag_1", None)
    }

    fn facts(&self) -> Facts {
        let names =
            ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"];
        let text = self.0.to_string().repeat(10_000);
        names.into_iter().fold(Facts::new(), |facts, name| facts.shown(name, &text))
    }
}

#[test]
fn cuts_long_values_to_limit_the_size_of_an_entry() {
    for letter in ['x', '"', 'é', '\u{1}', '💡'] {
        let changes = Facts::between(&Long(letter).facts(), &Long('y').facts());
        assert_eq!(changes.len(), 20);
        assert!(changes.values().all(|it| it.cut));
        let size = serde_json::to_string(&changes).unwrap().len();
        assert!(size <= 16 << 10, "{letter:?}: {size}");
        assert!(changes["a"].before.as_str().unwrap().starts_with(letter));
    }
}

#[test]
fn the_documentation_lists_every_action() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/audit-log.md")).unwrap();
    let mut told = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let kind = words(cells[0]).remove(0);
        if AuditedKind::parse(&kind).is_some() {
            told.extend(words(cells[1]).iter().map(|verb| format!("{kind}.{verb}")));
        }
    }
    assert_eq!(told, AuditAction::WORDS);
}

#[test]
fn records_contact_changes_of_users_without_values() {
    let setup = Setup::new();
    let contacts = ContactService { ports: setup.ports.clone() };
    let new = || NewContact {
        first_name: Some("s3cret".to_owned()),
        tags: vec![NewTag { tag: TagRef::Name("s3cret tag".to_owned()), pointer: "/tags/0".to_owned() }],
        ..NewContact::default()
    };
    let key = Access::of_key(setup.access.workspace(), KeyId::from_uuid(uuid::Uuid::nil()), Scope::Full);
    let before = setup.audit_entries().len();
    let traffic = block_on(contacts.create(&key, new(), None)).unwrap().value;
    block_on(contacts.delete(&key, &ContactRef::Id(traffic.id), &ExpectedVersion::Any)).unwrap();
    assert_eq!(setup.audit_entries().len(), before, "contact changes of keys are not recorded");

    let made = block_on(contacts.create(&setup.access, new(), None)).unwrap().value;
    let contact = ContactRef::Id(made.id);
    assert_eq!(setup.last()["object"], json!({"type": "contact", "id": made.id, "name": null}));
    assert_eq!(setup.last()["changes"], json!({}));
    let patch = ContactPatch { last_name: Patch::Set("s3cret".to_owned()), ..ContactPatch::default() };
    block_on(contacts.update(&setup.access, &contact, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(
        setup.last()["changes"],
        json!({"last_name": withheld(), "name": withheld()}),
        "`name` changes with `last_name`"
    );
    let tag = TagRef::Name("s3cret TAG".to_owned());
    block_on(contacts.remove_tag(&setup.access, &contact, &tag, &ExpectedVersion::Any)).unwrap();
    assert_eq!(setup.last()["changes"], json!({"tags": withheld()}));
    block_on(contacts.delete(&setup.access, &contact, &ExpectedVersion::Any)).unwrap();
    block_on(contacts.restore(&setup.access, made.id, &ExpectedVersion::Any, None)).unwrap();
    block_on(contacts.note_export(&key)).unwrap();
    block_on(DisclosureService { ports: setup.ports.clone() }.of(&key, &contact)).unwrap();
    block_on(ErasureService { ports: setup.ports.clone() }.erase(&key, &contact, None)).unwrap();
    let expected = [
        "contact.created",
        "contact.updated",
        "contact.tags_changed",
        "contact.deleted",
        "contact.restored",
        "contact.exported",
        "contact.disclosed",
        "contact.erased",
    ];
    assert_eq!(setup.actions()[before..], expected);
    assert!(!format!("{:?}", setup.audit_entries()).contains("s3cret"));
}
