//! Searches with invalid conditions.

use serde_json::{Value, json};

use super::case::{Case, post};
use super::setup::Setup;

const SEARCH: &str = "/api/v1/contacts/search";
const BULK: &str = "/api/v1/contacts/bulk";

fn leaf(field: &str, op: &str, value: Value) -> Value {
    json!({"field": field, "op": op, "value": value})
}

fn search(condition: Value) -> Case {
    post(SEARCH, json!({"filter": condition}))
}

pub fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = bodies();
    cases.extend(bulk());
    cases.extend(filters(setup));
    cases
}

fn bodies() -> Vec<Case> {
    let all = json!({"all": []});
    vec![
        post(SEARCH, json!({})).wrong_at("/filter", "required"),
        post(SEARCH, json!({"filter": null})).wrong_at("/filter", "null_not_allowed"),
        post(SEARCH, json!({"filter": all, "fliter": 1})).wrong_at("/fliter", "unknown_field").hinting("`filter`"),
        post(SEARCH, json!({"filter": all, "limit": 0})).wrong_at("/limit", "out_of_range"),
        post(SEARCH, json!({"filter": all, "limit": 101})).wrong_at("/limit", "out_of_range"),
        post(SEARCH, json!({"filter": all, "limit": "1"})).wrong_at("/limit", "wrong_type"),
        post(SEARCH, json!({"filter": all, "sort": "age"})).wrong_at("/sort", "invalid_value"),
        post(SEARCH, json!({"filter": all, "cursor": "x"})).earns(400, "invalid_cursor"),
        post(format!("{SEARCH}?limit=1"), json!({"filter": all})).wrong_at("limit", "unknown_parameter"),
    ]
}

fn bulk() -> Vec<Case> {
    let (all, name) = (json!({"all": []}), leaf("first_name", "eq", json!("a")));
    let (tag, delete) = (json!({"type": "tag", "tag_id": "tag_01h455vb4pex5vsknk084sn02q"}), json!({"type": "delete"}));
    let ask = |filter: &Value, action: &Value| post(BULK, json!({"filter": filter, "action": action}));
    vec![
        post(BULK, json!({})).wrong_at("/filter", "required").wrong_at("/action", "required"),
        ask(&json!(null), &tag).wrong_at("/filter", "null_not_allowed"),
        ask(&json!({}), &tag).wrong_at("/filter", "required").wrong_at("/action/tag_id", "unknown_tag"),
        ask(&json!({"segment_id": "seg_x"}), &tag).wrong_at("/filter/segment_id", "invalid_id"),
        ask(&all, &tag).wrong_at("/filter", "chooses_everybody").wrong_at("/action/tag_id", "unknown_tag"),
        ask(&name, &json!({"type": "tag"})).wrong_at("/action/tag_id", "required"),
        ask(&name, &json!({"type": "tags"})).wrong_at("/action/type", "invalid_value"),
        ask(&name, &json!({"type": "untag", "tag_id": "vip"})).wrong_at("/action/tag_id", "invalid_id"),
        ask(&name, &json!({"type": "delete", "tag_id": null})).wrong_at("/action/tag_id", "unknown_field"),
        ask(&name, &delete).wrong_at("/expected_count", "required"),
        post(BULK, json!({"filter": name, "action": delete, "expected_count": -1}))
            .wrong_at("/expected_count", "out_of_range"),
        post(BULK, json!({"filter": name, "action": delete, "expected_count": 1})).earns(409, "audience_changed"),
    ]
}

/// One condition of each kind. The tests of the grammar in the domain check all of them.
fn filters(setup: &Setup) -> Vec<Case> {
    let foreign = setup.neighbour.id("tag");
    vec![
        search(json!([])).wrong_at("/filter", "wrong_type"),
        search(json!({"field": "name", "op": "eq", "valeu": "a"}))
            .wrong_at("/filter/valeu", "unknown_field")
            .wrong_at("/filter/value", "required")
            .hinting("`value`"),
        search(json!({"any": vec![leaf("name", "eq", json!("a")); 51]})).wrong_at("/filter", "too_many"),
        search(leaf("custom_fields.plna", "eq", json!("a")))
            .wrong_at("/filter/field", "unknown_field")
            .hinting("`plan`"),
        search(leaf("vars.a", "eq", json!(1)))
            .wrong_at("/filter/field", "unknown_field")
            .hinting("only available in flows"),
        search(leaf("tags", "in", json!(["vip", foreign]))).wrong_at("/filter/value/1", "unknown_tag"),
        // All errors are reported together.
        search(json!({"all": [leaf("nmae", "iz", json!(1)), {"not": leaf("custom_fields.age", "eq", json!("1"))}]}))
            .wrong_at("/filter/all/0/field", "unknown_field")
            .wrong_at("/filter/all/0/op", "unknown_operator")
            .wrong_at("/filter/all/1/not/value", "wrong_type"),
    ]
}
