//! References to objects of another type, of another workspace or that do not exist, and names that are taken.

use serde_json::json;

use super::case::{Case, bare, get, post, put};
use super::setup::Setup;
use crate::support::seed::{absent, collections};

const CONTACTS: &str = "/api/v1/contacts";

pub fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = in_paths(setup);
    cases.extend(in_bodies(setup));
    cases.extend(taken(setup));
    cases
}

fn in_paths(setup: &Setup) -> Vec<Case> {
    let mut cases = Vec::new();
    let gone = |case: Case| case.earns(404, "not_found");
    for (collection, kind) in collections() {
        let foreign = setup.neighbour.id(kind).to_owned();
        let other_kinds = setup.seed.ids().filter(|id| !id.starts_with(&format!("{kind}_"))).map(ToOwned::to_owned);
        let own = setup.seed.id(kind);
        let spoilt = [
            own.to_uppercase(),
            own[..own.len() - 1].to_owned(),
            format!("{own}0"),
            own.replacen('_', "", 1),
            own.replacen('_', "-", 1),
            format!("{kind}_8{}", "z".repeat(25)),
            format!("{kind}_"),
            format!("{own}%00"),
            format!("%20{own}"),
            "null".to_owned(),
            "%F0%9F%92%A5".to_owned(),
            "%ff".to_owned(),
            "%zz".to_owned(),
            "'%20OR%201=1%20--".to_owned(),
        ];
        for id in other_kinds.chain(spoilt).chain([foreign, absent(kind)]) {
            cases.push(gone(get(format!("{collection}/{id}"))));
        }
    }
    // Deep in a path, and with methods that change objects.
    let (contact, tag) = (setup.contact(), setup.seed.id("tag"));
    for kind in ["contact", "field", "flow"] {
        let id = setup.seed.id(kind);
        cases.push(gone(bare("DELETE", format!("{contact}/tags/{id}"))));
        cases.push(gone(bare("DELETE", format!("/api/v1/tags/{id}"))));
        cases.push(gone(put(format!("/api/v1/tags/{id}"), json!({"name": "mine"}))));
    }
    for kind in ["contact", "tag", "botfield"] {
        let path = format!("{contact}/custom-fields/{}", setup.seed.id(kind));
        cases.push(gone(post(path, json!({"value": "silver"}))));
    }
    cases.push(gone(bare("DELETE", format!("/api/v1/contacts/{tag}"))));
    cases.push(gone(post(format!("/api/v1/contacts/{tag}/tags"), json!({"name": "mine"}))));
    cases.push(gone(post(format!("/api/v1/flows/{tag}/publish"), json!({}))));
    cases.push(gone(get(format!("/api/v1/conversations/{tag}/messages"))));
    let flow = setup.seed.id("flow");
    for number in ["0", "2", "01", "-1", "one", "9223372036854775808"] {
        cases.push(gone(bare("POST", format!("/api/v1/flows/{flow}/versions/{number}/restore"))));
    }
    cases.push(gone(bare("POST", format!("/api/v1/flow-runs/{flow}/cancel"))));
    cases.push(gone(bare("DELETE", format!("/api/v1/flows/{tag}"))));
    cases.push(gone(get(format!("/api/v1/webhooks/{tag}/deliveries"))));
    let hook = setup.seed.id("hook");
    cases.push(gone(get(format!("/api/v1/webhooks/{hook}/deliveries/{}", setup.neighbour.id("dlv")))));
    for name in ["external_id:", "external_id:nobody", "email:nobody", "email:", "phone:1", "Email:ada%40acme.example"]
    {
        cases.push(gone(get(format!("/api/v1/contacts/{name}"))));
    }
    cases
}

fn in_bodies(setup: &Setup) -> Vec<Case> {
    let contact = setup.contact();
    let mut cases = Vec::new();
    for kind in ["contact", "conv", "run", "hook"] {
        let id = setup.seed.id(kind);
        cases.extend([
            post(CONTACTS, json!({"tags": [id]})).wrong_at("/tags/0", "invalid_id"),
            post(format!("{contact}/tags"), json!({"tag_id": id})).wrong_at("/tag_id", "invalid_id"),
            post(format!("{contact}/start-flow"), json!({"flow_id": id})).wrong_at("/flow_id", "invalid_id"),
            post(format!("{contact}/send-message"), json!({"type": "text", "text": "a", "channel_id": id}))
                .wrong_at("/channel_id", "invalid_id"),
        ]);
    }
    for id in [absent("tag").as_str(), setup.neighbour.id("tag")] {
        cases.push(post(CONTACTS, json!({"tags": ["new", id]})).wrong_at("/tags/1", "unknown_tag"));
        cases.push(post(format!("{contact}/tags"), json!({"tag_id": id})).wrong_at("/tag_id", "unknown_tag"));
    }
    for id in [absent("flow").as_str(), setup.neighbour.id("flow")] {
        cases.push(post(format!("{contact}/start-flow"), json!({"flow_id": id})).wrong_at("/flow_id", "unknown_flow"));
    }
    for id in [absent("chan").as_str(), setup.neighbour.id("chan")] {
        let body = json!({"type": "text", "text": "a", "channel_id": id});
        cases.push(post(format!("{contact}/send-message"), body).wrong_at("/channel_id", "unknown_channel"));
    }
    for id in [absent("contact").as_str(), setup.neighbour.id("contact"), "external_id:nobody"] {
        cases.push(post(format!("{contact}/merge"), json!({"into": id})).wrong_at("/into", "unknown_contact"));
    }
    cases.push(post(format!("{contact}/merge"), json!({"into": setup.seed.id("tag")})).wrong_at("/into", "invalid_id"));
    cases.push(post(format!("{contact}/merge"), json!({})).wrong_at("/into", "required"));
    let itself = json!({"into": setup.seed.id("contact")});
    cases.push(post(format!("{contact}/merge"), itself).wrong_at("/into", "same_contact"));
    let unpublished = json!({"flow_id": setup.draft});
    cases.push(post(format!("{contact}/start-flow"), unpublished).earns(409, "flow_not_active"));
    cases
}

fn taken(setup: &Setup) -> Vec<Case> {
    let holder = setup.seed.id("contact");
    let laden = format!("/api/v1/contacts/{}", setup.laden);
    let mut cases = Vec::new();
    for body in [
        json!({"email": "ada@acme.example"}),
        json!({"email": " ADA@Acme.Example "}),
        json!({"phone": "+49301234567"}),
        json!({"phone": "+49 (30) 123-45.67"}),
        json!({"external_id": "acme-ada"}),
        json!({"first_name": "Eve", "tags": ["brand new"], "email": "ada@acme.example"}),
    ] {
        let exists = |case: Case| case.earns(409, "contact_exists").telling("existing_id", holder);
        cases.push(exists(post(CONTACTS, body.clone())));
        if body.get("tags").is_none() {
            cases.push(exists(put(laden.clone(), body)));
        }
    }
    for name in ["vip", "VIP", " Ｖｉｐ "] {
        cases.push(post("/api/v1/tags", json!({"name": name})).earns(409, "name_taken"));
        // Another tag, because a tag may keep its own name.
        let other = setup.later_tag();
        cases.push(put(other, json!({"name": name})).earns(409, "name_taken"));
    }
    for body in [json!({"name": "Plan", "type": "number"}), json!({"name": "Other", "key": "plan", "type": "text"})] {
        cases.push(post("/api/v1/custom-fields", body).earns(409, "key_taken"));
    }
    cases.push(post("/api/v1/bot-fields", json!({"name": "Season", "type": "text"})).earns(409, "key_taken"));
    cases
}
