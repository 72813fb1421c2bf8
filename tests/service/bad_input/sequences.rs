//! Invalid sequences and enrollments.

use serde_json::{Value, json};

use super::case::{Case, bare, get, post, put};
use super::setup::Setup;
use crate::support::seed::absent;

const SEQUENCES: &str = "/api/v1/sequences";

fn send(text: &str) -> Value {
    json!({"type": "send_message", "message": {"type": "text", "text": text}})
}

pub async fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = attributes(setup);
    cases.extend(steps(setup));
    cases.extend(conditions(setup));
    cases.extend(enrollments(setup).await);
    cases
}

fn attributes(setup: &Setup) -> Vec<Case> {
    let own = format!("{SEQUENCES}/{}", setup.seed.id("seq"));
    let mut cases = vec![
        post(SEQUENCES, json!({})).wrong_at("/name", "required"),
        post(SEQUENCES, json!({"name": " "})).wrong_at("/name", "blank"),
        post(SEQUENCES, json!({"name": "a", "status": "active"})).wrong_at("/steps", "too_few"),
        post(SEQUENCES, json!({"name": "a", "stpes": []})).wrong_at("/stpes", "unknown_field").hinting("`steps`"),
        put(own.clone(), json!({"status": "draft"})).wrong_at("/status", "not_allowed"),
        put(own.clone(), json!({"steps": []})).wrong_at("/steps", "too_few"),
        put(own.clone(), json!({"name": null})).wrong_at("/name", "null_not_allowed"),
        put(own.clone(), json!({"time_zone": "UTC"})).wrong_at("/time_zone", "invalid_value"),
        bare("DELETE", format!("{own}?force=maybe")).wrong_at("force", "wrong_type"),
        bare("DELETE", format!("{own}?forced=true")).wrong_at("forced", "unknown_parameter"),
    ];
    for status in ["paused", "archived", "Active", ""] {
        cases.push(post(SEQUENCES, json!({"name": "a", "status": status})).wrong_at("/status", "invalid_value"));
    }
    for (policy, place, code) in [
        (json!("sometimes"), "/reenroll", "invalid_value"),
        (json!({"after": "a month"}), "/reenroll/after", "invalid_format"),
        (json!({"after": "P1M"}), "/reenroll/after", "invalid_format"),
        (json!({"after": 30}), "/reenroll/after", "wrong_type"),
        (json!({"before": "P30D"}), "/reenroll", "invalid_value"),
        (json!(["never"]), "/reenroll", "wrong_type"),
    ] {
        cases.push(post(SEQUENCES, json!({"name": "a", "reenroll": policy})).wrong_at(place, code));
    }
    cases.push(
        post(SEQUENCES, json!({"name": "a", "exit_on": ["reply", "click"]})).wrong_at("/exit_on/1", "invalid_value"),
    );
    cases
}

fn steps(setup: &Setup) -> Vec<Case> {
    let step = |name: &str, value: Value| {
        let mut step = json!({"id": "a", "delay": "P1D", "action": send("Hi")});
        step[name] = value;
        json!({"name": "a", "steps": [step]})
    };
    let start = |flow: &str| json!({"type": "start_flow", "flow_id": flow});
    // The tests of steps in the domain check the other violations.
    let wrong: [(Value, &str, &str); 4] = [
        (step("delay", json!("P1M")), "/delay", "invalid_format"),
        (step("window", json!({"time_zone": "Mars/Olympus"})), "/window/time_zone", "invalid_value"),
        (step("action", start(&absent("flow"))), "/action/flow_id", "unknown_flow"),
        (step("action", start(setup.neighbour.id("flow"))), "/action/flow_id", "unknown_flow"),
    ];
    let mut cases = Vec::new();
    for (body, place, code) in wrong {
        cases.push(post(SEQUENCES, body).wrong_at(format!("/steps/0{place}"), code));
    }
    let twice = json!([
        {"id": "a", "delay": "P1D", "action": send("Hi")},
        {"id": "a", "delay": "soon", "action": send("{% endless %}")},
        {"id": "b", "delay": "P1D"},
    ]);
    let all = |case: Case| {
        case.wrong_at("/steps/1/id", "duplicate_id")
            .wrong_at("/steps/1/delay", "invalid_format")
            .wrong_at("/steps/1/action/message/text", "template_error")
            .wrong_at("/steps/2/action", "required")
    };
    cases.push(all(post(SEQUENCES, json!({"name": "a", "steps": twice}))));
    cases.push(all(put(format!("{SEQUENCES}/{}", setup.seed.id("seq")), json!({"steps": twice}))));
    cases
}

fn conditions(setup: &Setup) -> Vec<Case> {
    let when = |condition: Value| post(SEQUENCES, json!({"name": "a", "exit_when": condition}));
    vec![
        when(json!({"field": "nmae", "op": "exists"})).wrong_at("/exit_when/field", "unknown_field").hinting("name"),
        when(json!({"field": "tags", "op": "has", "value": setup.neighbour.id("tag")}))
            .wrong_at("/exit_when/value", "unknown_tag"),
        when(json!([])).wrong_at("/exit_when", "wrong_type"),
    ]
}

async fn enrollments(setup: &Setup) -> Vec<Case> {
    let client = &setup.client;
    let id = |made: Value| made["id"].as_str().unwrap().to_owned();
    let gone = id(client.post("/api/v1/contacts", &json!({"external_id": "gone"})).await.expect(201));
    client.delete(&format!("/api/v1/contacts/{gone}")).await.expect(204);
    let draft = id(client.post(SEQUENCES, &json!({"name": "Draft"})).await.expect(201));
    let once =
        json!({"name": "Once", "status": "active", "steps": [{"id": "a", "delay": "P9D", "action": send("Hi")}]});
    let once = id(client.post(SEQUENCES, &once).await.expect(201));
    let (contact, own) = (setup.contact(), setup.seed.id("seq"));
    client.post(&format!("{contact}/sequences/{once}"), &json!({})).await.expect(201);
    client.delete(&format!("{contact}/sequences/{once}")).await.expect(204);

    let enroll =
        |contact: &str, sequence: &str| bare("POST", format!("/api/v1/contacts/{contact}/sequences/{sequence}"));
    let by_id = setup.seed.id("contact");
    let mut cases = vec![
        enroll(&gone, own).earns(404, "not_found"),
        enroll("external_id:gone", own).earns(404, "not_found"),
        enroll(by_id, &draft).earns(409, "sequence_not_active"),
        enroll(by_id, &once).earns(409, "reenrollment_forbidden"),
        bare("DELETE", format!("{contact}/sequences/{once}")).earns(404, "not_found"),
        bare("POST", format!("{contact}/sequences/{once}/pause")).earns(404, "not_found"),
        bare("POST", format!("{contact}/sequences/{once}/resume")).earns(404, "not_found"),
        get(format!("{contact}/sequences?status=done")).wrong_at("status", "invalid_value"),
        get(format!("{SEQUENCES}/{own}/enrollments?status=done")).wrong_at("status", "invalid_value"),
        get(format!("{SEQUENCES}/{own}/enrollments?contact_id=x")).wrong_at("contact_id", "unknown_parameter"),
    ];
    for other in [setup.seed.id("flow"), setup.neighbour.id("seq"), &absent("seq"), "null"] {
        cases.push(enroll(by_id, other).earns(404, "not_found"));
        cases.push(get(format!("{contact}/sequences/{other}")).earns(404, "not_found"));
        cases.push(get(format!("{SEQUENCES}/{other}/enrollments")).earns(404, "not_found"));
    }
    cases
}
