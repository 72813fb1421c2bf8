//! Drafts and versions of flows.

use super::*;
use crate::flows::{FlowPatch, InFlight, NewFlow};
use crate::ids::FlowId;

fn definition(tag: &str) -> Value {
    json!({
        "triggers": [{"type": "event", "event": "contact.created", "filter": has_not(tag)}],
        "start": "b",
        "nodes": [
            {"id": "b", "type": "branch", "branches": [{"when": has(tag), "next": "t"}], "otherwise": "f"},
            {"id": "t", "type": "remove_tag", "tag": tag, "next": "f"},
            {"id": "f", "type": "set_field", "field": "custom_fields.plan", "value": "pro", "next": "end"},
            {"id": "end", "type": "end"},
        ],
    })
}

impl World {
    fn flow(&self, definition: Value) -> FlowId {
        let new = NewFlow { name: "F".to_owned(), definition };
        block_on(self.tidings.flows.create(&self.access, new, None)).unwrap().value.id
    }

    fn draft(&self, flow: FlowId) -> Value {
        block_on(self.tidings.flows.get(&self.access, flow)).unwrap().definition
    }

    fn lost_of(&self, flow: FlowId) -> Vec<(String, String)> {
        let flow = block_on(self.tidings.flows.get(&self.access, flow)).unwrap();
        let lost = block_on(self.tidings.flows.lost_references(&self.access, &flow)).unwrap();
        lost.into_iter().map(|it| (it.kind.to_owned(), it.name)).collect()
    }

    fn publish(&self, flow: FlowId) -> Result<i64, Error> {
        let done =
            block_on(self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None))?;
        Ok(done.value.version_published.unwrap_or_default())
    }

    fn write(&self, flow: FlowId, definition: Value) {
        let patch = FlowPatch { definition: Some(definition), ..FlowPatch::default() };
        block_on(self.tidings.flows.update(&self.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    }

    fn plan_of(&self, contact: ContactId) -> Option<Value> {
        let found = block_on(self.tidings.contacts.get(&self.access, &ContactRef::Id(contact))).unwrap();
        found.custom_fields.get("plan").cloned()
    }
}

#[test]
fn a_draft_shows_the_current_name_of_its_tag() {
    let world = World::new();
    world.field("plan", &["pro"]);
    let tag = world.tag("VIP");
    let flow = world.flow(definition("vip"));
    world.rename(tag, "Gold");
    world.tag("VIP");
    assert_eq!(world.draft(flow), definition("Gold"));
    assert_eq!(world.publish(flow).unwrap(), 1);
    let of_id = world.flow(definition(&tag.to_string()));
    world.rename(tag, "Platinum");
    assert_eq!(world.draft(of_id), definition(&tag.to_string()), "an ID stays an ID");
    assert_eq!(world.publish(flow).unwrap(), 1, "a renamed tag needs no new version");
    let versions = block_on(world.tidings.flows.versions(&world.access, flow, PageRequest::default())).unwrap().1;
    assert_eq!(versions.items[0].definition, definition("Platinum"));
}

#[test]
fn publishing_binds_a_tag_that_was_missing_before() {
    let world = World::new();
    world.field("plan", &["pro"]);
    let flow = world.flow(definition("later"));
    assert!(world.publish(flow).is_err());
    let tag = world.tag("Later");
    world.publish(flow).unwrap();
    world.rename(tag, "Now");
    assert_eq!(world.draft(flow), definition("Now"));
}

#[test]
fn rejects_publishing_a_lost_reference_until_rewritten() {
    let world = World::new();
    let field = world.field("plan", &["pro"]);
    let tag = world.tag("VIP");
    let flow = world.flow(definition("VIP"));
    world.delete(tag);
    world.tag("VIP");
    assert_eq!(world.lost_of(flow), [("tag".to_owned(), "VIP".to_owned())]);
    let (pointer, code) = code(world.publish(flow));
    assert_eq!((pointer.starts_with("/definition/"), code), (true, "lost_reference"));
    world.write(flow, definition("VIP"));
    world.publish(flow).unwrap();
    assert_eq!(world.lost_of(flow), []);

    world.delete_field(field);
    world.field("plan", &["pro"]);
    assert!(world.lost_of(flow).contains(&("custom_field".to_owned(), "plan".to_owned())));
    assert_eq!(self::code(world.publish(flow)).1, "lost_reference");
    world.write(flow, definition("VIP"));
    assert_eq!(world.publish(flow).unwrap(), 2, "the recreated field needs a new version");
}

#[test]
fn a_trigger_uses_the_original_tag_and_field() {
    let world = World::new();
    let field = world.field("plan", &["pro"]);
    let tag = world.tag("NoFlow");
    let flow = world.flow(definition("NoFlow"));
    world.publish(flow).unwrap();
    world.rename(tag, "Quiet");
    let decoy = world.tag("NoFlow");
    let (with, without) = (world.contact("A", &[tag]), world.contact("B", &[decoy]));
    world.run();
    assert_eq!((world.plan_of(with), world.plan_of(without)), (None, Some(json!("pro"))));

    world.delete_field(field);
    world.field("plan", &["pro"]);
    let other = world.contact("C", &[]);
    world.run();
    assert_eq!(world.plan_of(other), None, "a recreated field is another field");

    world.delete(tag);
    world.write(flow, json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]}));
    assert!(world.lost_of(flow).contains(&("tag".to_owned(), "Quiet".to_owned())));
}

#[test]
fn reports_removed_members_as_lost_without_blocking_sends() {
    use crate::access::Role;
    use crate::platform::NewUser;
    let world = World::new();
    let [stays, leaves] = ["ada", "eve"].map(|name| {
        let new = NewUser {
            email: format!("{name}@example.com").parse().unwrap(),
            name: name.to_owned(),
            password: "password".to_owned().into(),
            operator: false,
            workspace: world.access.workspace(),
            role: Role::Owner,
        };
        block_on(world.tidings.platform.create_user(new)).unwrap().id
    });
    let assigned =
        json!({"field": "conversation.assignee_id", "op": "in", "value": [stays.to_string(), leaves.to_string()]});
    let definition = json!({"start": "a", "nodes": [
        {"id": "a", "type": "branch", "branches": [{"when": assigned, "next": "b"}], "otherwise": "end"},
        {"id": "b", "type": "assign_conversation", "user_id": leaves.to_string(), "next": "end"},
        {"id": "end", "type": "end"}]});
    let (flow, draft) = (world.flow(definition.clone()), world.flow(definition));
    world.publish(flow).unwrap();
    let segment = world.segment(assigned.clone());
    let own = world.broadcast(Audience::Condition(assigned.into()));
    let of_segment = world.broadcast(Audience::Segment(segment));
    assert_eq!((world.lost_of(flow), world.lost_of(draft), world.segment_shown(segment).2), (vec![], vec![], vec![]));

    let platform = &world.tidings.platform;
    block_on(platform.remove_member(&world.access, Role::Owner, leaves, &ExpectedVersion::Any)).unwrap();
    let lost = vec![("member".to_owned(), leaves.to_string())];
    assert_eq!((world.lost_of(flow), world.lost_of(draft)), (lost.clone(), lost.clone()));
    let named =
        |found: Vec<LostReference>| -> Vec<_> { found.into_iter().map(|it| (it.kind.to_owned(), it.name)).collect() };
    assert_eq!(named(world.segment_shown(segment).2), lost);
    for broadcast in [own, of_segment] {
        let found = block_on(world.tidings.broadcasts.get(&world.access, broadcast)).unwrap().broadcast;
        let broadcasts = &world.tidings.broadcasts;
        assert_eq!(named(block_on(broadcasts.shown_losses(&world.access, &found)).unwrap()), lost);
        assert_eq!(
            block_on(broadcasts.lost_references(&world.access, &found)).unwrap(),
            [],
            "the broadcast can be sent"
        );
    }
}
