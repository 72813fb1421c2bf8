//! Parameters and cursors.

use serde_json::Value;

use super::case::{Case, bare, get, post};
use super::setup::Setup;
use crate::support::Client;

const CONTACTS: &str = "/api/v1/contacts";

pub async fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = parameters(setup);
    cases.extend(unknown(setup));
    cases.extend(cursors(setup).await);
    cases
}

fn parameters(setup: &Setup) -> Vec<Case> {
    let hook = setup.seed.id("hook");
    let deliveries = format!("/api/v1/webhooks/{hook}/deliveries");
    let mut cases = Vec::new();
    for (route, list) in setup.seed.lists() {
        for limit in ["0", "101", "-1", "99999999999999999999"] {
            cases.push(get(format!("{list}?limit={limit}")).wrong_at("limit", "out_of_range"));
        }
        for limit in ["", "ten", "1.5", "1e1", "+5", "0x10"] {
            cases.push(get(format!("{list}?limit={limit}")).wrong_at("limit", "wrong_type"));
        }
        let code = if route.operation_id == "list_contact_timeline" { "unknown_parameter" } else { "invalid_value" };
        for sort in ["", "email", "created", "--created_at", "created_at,id"] {
            cases.push(get(format!("{list}?sort={sort}")).wrong_at("sort", code));
        }
        cases.push(get(format!("{list}?limit=5&limit=5")).wrong_at("limit", "duplicate_parameter"));
        let code = if route.traits.is_counted() { "invalid_value" } else { "unknown_parameter" };
        cases.push(get(format!("{list}?include=everything")).wrong_at("include", code));
    }
    for time in ["", "yesterday", "2026-01-31", "2026-01-31T09:30:00", "1769850000", "2026-13-01T00:00:00Z"] {
        cases.push(get(format!("{CONTACTS}?created_after={time}")).wrong_at("created_after", "invalid_format"));
        cases.push(get(format!("{CONTACTS}?created_before={time}")).wrong_at("created_before", "invalid_format"));
        cases.push(get(format!("{CONTACTS}?updated_after={time}")).wrong_at("updated_after", "invalid_format"));
        cases.push(get(format!("{CONTACTS}?updated_before={time}")).wrong_at("updated_before", "invalid_format"));
        cases.push(
            get(format!("/api/v1/conversations?updated_after={time}")).wrong_at("updated_after", "invalid_format"),
        );
        cases.push(get(format!("{deliveries}?since={time}")).wrong_at("since", "invalid_format"));
        cases.push(get(format!("{deliveries}?until={time}")).wrong_at("until", "invalid_format"));
    }
    let (tag, flow) = (setup.seed.id("tag"), setup.seed.id("flow"));
    let too_many_tags = vec!["tag=a"; 21].join("&");
    for list in ["tags", "flows", "sequences", "segments", "channels", "broadcasts", "webhooks"] {
        let mut names = vec!["q"];
        if list == "webhooks" {
            cases.push(get("/api/v1/webhooks?name=a").wrong_at("name", "unknown_parameter"));
        } else {
            names.push("name");
        }
        for name in names {
            let path = format!("/api/v1/{list}?{name}=");
            cases.push(get(path.clone()).wrong_at(name, "blank"));
            cases.push(get(format!("{path}%20")).wrong_at(name, "blank"));
            cases.push(get(format!("{path}{}", "a".repeat(101))).wrong_at(name, "too_long"));
            cases.push(get(format!("{path}a%00b")).wrong_at(name, "invalid_character"));
            cases.push(get(format!("{path}a&{name}=b")).wrong_at(name, "duplicate_parameter"));
        }
        let path = format!("/api/v1/{list}?status=gone");
        cases.push(match list {
            "tags" | "segments" => get(path).wrong_at("status", "unknown_parameter"),
            "channels" => get(path).wrong_at("status", "invalid_value").hinting("`connected`"),
            _ => get(path).wrong_at("status", "invalid_value").hinting("`paused`"),
        });
    }
    cases.extend([
        get(format!("{CONTACTS}?email=nobody")).wrong_at("email", "invalid_format"),
        get(format!("{CONTACTS}?email=%zz")).wrong_at("email", "invalid_encoding"),
        get(format!("{CONTACTS}?email=%ff")).wrong_at("email", "invalid_encoding"),
        get(format!("{CONTACTS}?external_id=a%00b")).wrong_at("external_id", "invalid_character"),
        get(format!("{CONTACTS}?phone=110")).wrong_at("phone", "invalid_format"),
        get(format!("{CONTACTS}?phone=9991234567")).wrong_at("phone", "invalid_format"),
        get(format!("{CONTACTS}?phone=%2B9991234567")).wrong_at("phone", "invalid_format").hinting("country"),
        get(format!("{CONTACTS}?tag=")).wrong_at("tag", "blank"),
        get(format!("{CONTACTS}?q=")).wrong_at("q", "blank"),
        get(format!("{CONTACTS}?q={}", "a".repeat(201))).wrong_at("q", "too_long"),
        get(format!("{CONTACTS}?status=dead")).wrong_at("status", "invalid_value"),
        get(format!("{CONTACTS}?subscribed=yes")).wrong_at("subscribed", "wrong_type"),
        get(format!("{CONTACTS}?channel_id={tag}")).wrong_at("channel_id", "invalid_id"),
        get(format!("{CONTACTS}?deleted=all")).wrong_at("deleted", "invalid_value"),
        get(format!("{CONTACTS}?sort=-phone")).wrong_at("sort", "invalid_value").hinting("`-last_message_at`"),
        get("/api/v1/tags?sort=updated_at").wrong_at("sort", "invalid_value").hinting("`name`"),
        get(format!("{CONTACTS}?custom_fields.age[gte]=old")).wrong_at("custom_fields.age[gte]", "invalid_format"),
        get(format!("{CONTACTS}?custom_fields.age[over]=1"))
            .wrong_at("custom_fields.age[over]", "invalid_operator")
            .hinting("`gte`"),
        get(format!("{CONTACTS}?custom_fields.plan[lt]=a")).wrong_at("custom_fields.plan[lt]", "invalid_operator"),
        get(format!("{CONTACTS}?custom_fields.vegan[exists]=1"))
            .wrong_at("custom_fields.vegan[exists]", "invalid_format"),
        get(format!("{CONTACTS}?{too_many_tags}")).wrong_at("tag", "too_many"),
        get(format!("{CONTACTS}?custom_fields.age=old")).wrong_at("custom_fields.age", "invalid_format"),
        get(format!("{CONTACTS}?custom_fields.size=blue")).wrong_at("custom_fields.size", "invalid_value"),
        get(format!("{CONTACTS}?custom_fields.age=1&custom_fields.age=2"))
            .wrong_at("custom_fields.age", "duplicate_parameter"),
        get(format!("/api/v1/conversations?contact_id={tag}")).wrong_at("contact_id", "invalid_id"),
        get(format!("/api/v1/conversations?channel_id={tag}")).wrong_at("channel_id", "invalid_id"),
        get("/api/v1/conversations?status=closed").wrong_at("status", "invalid_value"),
        get("/api/v1/flow-runs?status=done").wrong_at("status", "invalid_value"),
        get(format!("/api/v1/flow-runs?flow_id={tag}")).wrong_at("flow_id", "invalid_id"),
        get(format!("/api/v1/flow-runs?contact_id={tag}")).wrong_at("contact_id", "invalid_id"),
        get("/api/v1/flow-runs?flow_idd=a").wrong_at("flow_idd", "unknown_parameter").hinting("`flow_id`"),
        get("/api/v1/flow-runs?node=ask").wrong_at("node", "missing_flow_id").hinting("`flow_id`"),
        get(format!("/api/v1/flow-runs?flow_id={flow}&node=")).wrong_at("node", "blank"),
        get(format!("/api/v1/flow-runs?flow_id={flow}&node={}", "a".repeat(65))).wrong_at("node", "too_long"),
        get(format!("{deliveries}?status=done")).wrong_at("status", "invalid_value"),
        get(format!("{deliveries}?event_type=contact.create"))
            .wrong_at("event_type", "invalid_value")
            .hinting("`contact.created`"),
        get(format!("{CONTACTS}?limit=0&sort=x&emial=y"))
            .wrong_at("limit", "out_of_range")
            .wrong_at("sort", "invalid_value")
            .wrong_at("emial", "unknown_parameter"),
    ]);
    cases
}

fn unknown(setup: &Setup) -> Vec<Case> {
    let contact = setup.contact();
    vec![
        get(format!("{CONTACTS}?emial=a")).wrong_at("emial", "unknown_parameter").hinting("`email`"),
        get(format!("{CONTACTS}?tags=a")).wrong_at("tags", "unknown_parameter").hinting("`tag`"),
        get(format!("{CONTACTS}?Limit=5")).wrong_at("Limit", "unknown_parameter").hinting("`limit`"),
        get(format!("{CONTACTS}?custom_fields.plann=a"))
            .wrong_at("custom_fields.plann", "unknown_parameter")
            .hinting("plan"),
        get(format!("{contact}?fields=id")).wrong_at("fields", "unknown_parameter"),
        get("/api/v1/me?verbose").wrong_at("verbose", "unknown_parameter"),
        get("/api/v1/event-types?limit=1").wrong_at("limit", "unknown_parameter"),
        get("/api/v1/events?after=-1&types=contact.create&limit=0&cursor=x")
            .wrong_at("after", "out_of_range")
            .wrong_at("types", "invalid_value")
            .wrong_at("limit", "out_of_range")
            .wrong_at("cursor", "unknown_parameter"),
        bare("DELETE", format!("{contact}?force=true")).wrong_at("force", "unknown_parameter"),
        bare("DELETE", format!("{}?force=1", setup.later_tag())).wrong_at("force", "wrong_type"),
        bare("DELETE", format!("{}?forced=true", setup.later_tag()))
            .wrong_at("forced", "unknown_parameter")
            .hinting("`force`"),
        bare("DELETE", format!("/api/v1/tags/{}", setup.seed.id("tag"))).earns(409, "in_use"),
        bare("DELETE", format!("/api/v1/tags/{}?force=false", setup.seed.id("tag"))).earns(409, "in_use"),
        post(format!("{CONTACTS}?on_conflict=merge"), serde_json::json!({"email": "ada@acme.example"}))
            .wrong_at("on_conflict", "invalid_value"),
        post(format!("{contact}/restore?force=true"), serde_json::json!({})).wrong_at("force", "unknown_parameter"),
        post(format!("{contact}/merge?force=true"), serde_json::json!({"into": "email:ada@example.com"}))
            .wrong_at("force", "unknown_parameter"),
        post(format!("{CONTACTS}?dry_run=true"), serde_json::json!({"first_name": "Ada"}))
            .wrong_at("dry_run", "unknown_parameter"),
        // A key in the URL is ignored.
        get(format!("{CONTACTS}?api_key={}", setup.seed.full)).with_key(None).earns(401, "unauthorized"),
    ]
}

async fn cursors(setup: &Setup) -> Vec<Case> {
    let next = async |client: &Client, path: &str| -> String {
        let page: Value = client.get(path).await.expect(200);
        page["next_cursor"].as_str().unwrap_or_else(|| panic!("{path} has only one page")).to_owned()
    };
    let good = next(&setup.client, "/api/v1/contacts?limit=1").await;
    let neighbour = setup.client.with_key(Some(&setup.neighbour.full));
    let foreign = next(&neighbour, "/api/v1/contacts?limit=1").await;
    let invalid = |case: Case| case.earns(400, "invalid_cursor");
    vec![
        invalid(get(format!("{CONTACTS}?limit=1&cursor={foreign}"))),
        invalid(get(format!("/api/v1/tags?limit=1&cursor={good}"))),
        invalid(get(format!("{CONTACTS}?cursor={good}")).with_key(Some(setup.neighbour.full.clone()))),
    ]
}
