//! A valid request to each route of the table.

use serde_json::{Value, json};
use tidings_http::routes::{BodyKind, Route};

use crate::support::seed::{Seed, absent, kind_under, with_ids};

/// Builds requests to a route.
pub struct Requests {
    route: &'static Route,
    /// The types of the IDs in its path, in order.
    kinds: Vec<&'static str>,
}

impl Requests {
    pub fn of(route: &'static Route) -> Self {
        let segments: Vec<&str> = route.path.split('/').collect();
        let kinds = segments.windows(2).filter(|pair| pair[1].starts_with('{')).map(|pair| kind_under(pair[0]));
        Self { route, kinds: kinds.collect() }
    }

    /// Returns the path with these IDs as parameters.
    pub fn path(&self, ids: &[String]) -> String {
        assert_eq!(ids.len(), self.kinds.len());
        let mut ids = ids.iter();
        with_ids(self.route, |_| ids.next().unwrap().clone())
    }

    /// Returns the path in this workspace with IDs of missing objects.
    pub fn path_in_workspace(&self, workspace: &str) -> String {
        let id = |kind: &&str| if *kind == "ws" { workspace.to_owned() } else { absent(kind) };
        self.path(&self.kinds.iter().map(id).collect::<Vec<_>>())
    }

    pub fn path_in(&self, seed: &Seed) -> String {
        self.path(&self.ids_in(seed))
    }

    pub fn absent_path(&self) -> String {
        self.path(&self.absent_ids())
    }

    /// The types of the IDs in its path, in order.
    pub fn kinds(&self) -> &[&'static str] {
        &self.kinds
    }

    pub fn ids_in(&self, seed: &Seed) -> Vec<String> {
        self.kinds.iter().map(|kind| seed.id(kind).to_owned()).collect()
    }

    pub fn absent_ids(&self) -> Vec<String> {
        self.kinds.iter().map(|kind| absent(kind)).collect()
    }

    /// Returns other identifiers of the objects in its path.
    pub fn names_in(&self, seed: &Seed, workspace_name: &str) -> Vec<Vec<String>> {
        let names = |kind: &str| match kind {
            "contact" => {
                vec![format!("external_id:{workspace_name}-ada"), format!("email:ada%40{workspace_name}.example")]
            }
            _ => Vec::new(),
        };
        let mut spelled = Vec::new();
        for (place, kind) in self.kinds.iter().enumerate() {
            for name in names(kind) {
                let mut ids = self.ids_in(seed);
                ids[place] = name;
                spelled.push(ids);
            }
        }
        spelled
    }

    /// Returns the status of a permitted request for a missing object, if its path has an ID.
    pub fn status_of_absent(&self) -> u16 {
        if self.route.operation_id == "put_secret" {
            // A missing secret would be created, but the name is invalid.
            return 422;
        }
        if self.route.operation_id == "bulk_contacts" {
            // It references a missing tag.
            return 422;
        }
        if self.route.path.starts_with("/api/v1/sandbox/") && self.route.method == "POST" {
            // The workspaces here are live, not sandboxes.
            return 409;
        }
        let made = if self.route.traits.reads || self.route.operation_id == "batch_contacts" { 200 } else { 201 };
        let made = if self.route.operation_id == "import_contacts" { 202 } else { made };
        if self.kinds.is_empty() { made } else { 404 }
    }

    /// Returns a valid body, with a unique name if names are unique.
    pub fn body(&self, unique: &str) -> Option<Value> {
        if self.route.traits.body == BodyKind::None {
            return None;
        }
        Some(match self.route.operation_id {
            "create_contact" | "update_contact" | "patch_contact" => json!({"first_name": unique}),
            "import_contacts" => Value::String(format!("external_id,first_name\n{unique},{unique}\n")),
            "upload_media" => Value::String(format!("A file of {unique}")),
            "link_media" => json!({"expires_in": "PT1H"}),
            "batch_contacts" => json!({"operations": [{"action": "create", "contact": {"first_name": unique}}]}),
            "bulk_contacts" => json!({
                "filter": {"field": "first_name", "op": "eq", "value": unique},
                "action": {"type": "tag", "tag_id": absent("tag")},
            }),
            "search_contacts" | "preview_bulk_operation" => {
                json!({"filter": {"field": "first_name", "op": "eq", "value": unique}})
            }
            "add_contact_tag" | "create_tag" | "update_tag" | "patch_tag" => json!({"name": format!("by {unique}")}),
            "replace_contact_tags" => json!({"tags": [format!("by {unique}")]}),
            "patch_bot_field" => json!({"name": unique}),
            "set_contact_field" | "set_bot_field" => json!({"value": "silver"}),
            "send_message" => json!({"type": "text", "text": "Hello"}),
            "record_custom_event" => json!({"name": "order.paid"}),
            "merge_contact" => json!({"into": absent("contact")}),
            "start_flow" => json!({"flow_id": absent("flow")}),
            "create_custom_field" | "create_bot_field" => json!({"name": format!("By {unique}"), "type": "text"}),
            "update_custom_field" | "patch_custom_field" => json!({"name": unique}),
            "put_secret" => json!({"value": unique, "hosts": ["api.example.com"]}),
            "create_flow" | "update_flow" | "patch_flow" => json!({"name": unique}),
            "create_sequence" | "update_sequence" | "patch_sequence" => json!({"name": unique}),
            "move_sandbox_clock" => json!({"advance": "PT1S"}),
            "play_sandbox_inbound" => json!({"contact": "eve", "text": unique}),
            "create_saved_reply" => json!({"name": unique, "text": "Hi"}),
            "update_saved_reply" | "patch_saved_reply" => json!({"name": unique}),
            "create_segment" => json!({"name": unique, "condition": {"all": []}}),
            "update_segment" | "patch_segment" => json!({"name": unique}),
            "create_broadcast" => {
                json!({"name": unique, "audience": {"any": []}, "message": {"type": "text", "text": "Hi"}})
            }
            "update_broadcast" | "patch_broadcast" => json!({"name": unique}),
            "test_broadcast" => json!({"contact_ids": [absent("contact")]}),
            "publish_flow" | "send_broadcast" => json!({}),
            "write_message" => json!({"type": "note", "text": "Hello"}),
            "snooze_conversation" => json!({"until": "2999-01-01T00:00:00Z"}),
            "assign_conversation" => json!({"assignee_id": null}),
            "create_channel" => json!({"kind": "sandbox", "name": unique}),
            "update_channel" | "patch_channel" => json!({"name": unique}),
            "preview_message" => json!({"message": {"type": "text", "text": "Hello"}}),
            "receive_inbound" => json!({"type": "message", "id": "m1", "from": {"address": "a"}, "text": "Hello"}),
            "render_template" => json!({"template": "Hello"}),
            "simulate_flow" | "simulate_sequence" => json!({}),
            "simulate_definition" => {
                json!({"definition": {"start": "end", "nodes": [{"id": "end", "type": "end"}]}})
            }
            "validate_flow" => json!({"definition": {}}),
            "create_webhook" => json!({"url": "https://example.com/", "events": ["contact.deleted"]}),
            "update_webhook" | "patch_webhook" => json!({"description": unique}),
            "test_webhook" | "rotate_webhook_secret" | "rotate_channel_secret" => json!({}),
            "replay_deliveries" => json!({"since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"}),
            other => panic!("the matrix needs a valid body for {other}"),
        })
    }
}
