//! The workspace of the wrong examples, and helpers for tests of the analyser.

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::access::Role;
use crate::channels::SANDBOX;
use crate::fields::{BotField, CustomField, FieldKind, Rules};
use crate::flows::{CompetingTrigger, FlowVersion, ReachableFlow, ReachableFlows, Trigger};
use crate::ids::{BotFieldId, FieldId, FlowId, TypedId};
use crate::secrets::Secret;
use crate::tags::Tag;
use crate::time::Timestamp;

const NOW: Timestamp = Timestamp::EPOCH_2026;

fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

/// Returns the workspace of the examples.
pub(super) fn acme() -> KnownObjects {
    let tag = |number, name: &str| Tag::new(id(number), name, NOW);
    let field = |number, key: &str, kind, options: &[&str]| CustomField {
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        rules: Rules { max: (kind == FieldKind::Number).then_some(150.0), ..Rules::default() },
        ..CustomField::new(id::<FieldId>(number), key, kind, NOW)
    };
    let season = BotField {
        name: "Season".to_owned(),
        value: Some(json!("summer")),
        ..BotField::new(id::<BotFieldId>(1), "season", FieldKind::Text, NOW)
    };
    let own = id::<FlowId>(2);
    let upsell: FlowId = "flow_01h455vb4pex5vsknk084sn02q".parse().expect("a valid ID");
    let back = json!({"start": "back", "nodes": [{"id": "back", "type": "start_flow", "flow_id": own.to_string()}]});
    let back = FlowVersion {
        flow: upsell,
        number: 1,
        definition: back,
        tags: BTreeMap::new(),
        bindings: None,
        created_at: NOW,
    };
    let back = back.compile().expect("the definition is valid");
    let upsell_flow = ReachableFlow { name: "Upsell".to_owned(), flow: Arc::new(back) };
    let upgrades =
        [json!({"type": "keyword", "keywords": ["upgrade"]}), json!({"type": "referral", "ref": "upgrade-link"})];
    let taken = |trigger: &Value| CompetingTrigger {
        name: "Upsell".to_owned(),
        trigger: Trigger::parse(trigger).expect("the trigger is valid"),
    };
    KnownObjects {
        tags: vec![tag(1, "vip"), tag(2, "newsletter")],
        fields: vec![
            field(1, "plan", FieldKind::Select, &["gold", "silver"]),
            field(2, "age", FieldKind::Number, &[]),
            field(3, "remark", FieldKind::Text, &[]),
            field(4, "interests", FieldKind::MultiSelect, &["news", "offers"]),
        ],
        bot_fields: vec![season],
        flows: [upsell].into(),
        sequences: [id(1)].into(),
        media: BTreeSet::new(),
        channels: [id(1)].into(),
        secrets: vec![Secret {
            id: id(1),
            name: "SHOP_TOKEN".to_owned(),
            sealed: Vec::new(),
            hosts: vec!["api.example.com".to_owned()],
            created_at: NOW,
            updated_at: NOW,
            version: 1,
        }],
        forbidden_urls: [(
            "https://10.0.0.1/orders".to_owned(),
            "10.0.0.1 is an address that is not public".to_owned(),
        )]
        .into(),
        carriers: Some(vec![SANDBOX.capabilities]),
        members: [(id(1), Role::Member), (id(2), Role::Viewer)].into(),
        neighbours: ReachableFlows { flows: [(upsell, upsell_flow)].into(), ..ReachableFlows::default() },
        rivals: upgrades.iter().map(taken).collect(),
        own: Some(own),
    }
}

/// Returns a flow with these nodes and `end`.
pub(super) fn flow(mut nodes: Vec<Value>) -> Value {
    let start = nodes[0]["id"].clone();
    nodes.push(json!({"id": "end", "type": "end"}));
    json!({"start": start, "nodes": nodes})
}

/// Returns [`flow`] with a trigger.
pub(super) fn triggered(trigger: Value, nodes: Vec<Value>) -> Value {
    let mut flow = flow(nodes);
    flow["triggers"] = json!([trigger]);
    flow
}

pub(super) fn found_with(known: &KnownObjects, definition: &Value) -> Vec<(String, &'static str)> {
    analyse(definition, known).findings.into_iter().map(|it| (it.pointer, it.code)).collect()
}

/// Returns [`found_with`] in the workspace of the examples.
pub(super) fn found(definition: Value) -> Vec<(String, &'static str)> {
    found_with(&acme(), &definition)
}

pub(super) fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
    (pointer.to_owned(), code)
}

pub(super) fn say(id: &str, text: &str, next: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
}
