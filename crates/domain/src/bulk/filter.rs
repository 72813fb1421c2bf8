use serde_json::{Map, Value};

use crate::conditions::BoundCondition;
use crate::segments::Audience;

/// Returns the filter without the values of its comparisons, which may be personal data. Tag names are not, and stay.
pub(super) fn without_values(filter: &Audience) -> Audience {
    match filter {
        Audience::Condition(condition) => {
            let (written, bindings) = (stripped(condition.source_json()), condition.bindings().cloned());
            Audience::Condition(BoundCondition::stored(written, bindings))
        }
        Audience::Segment(segment) => Audience::Segment(*segment),
    }
}

fn stripped(condition: &Value) -> Value {
    match condition {
        Value::Object(members) => {
            let names_tags = members.get("field").and_then(Value::as_str) == Some("tags");
            let kept = members.iter().filter(|(name, _)| names_tags || name.as_str() != "value");
            Value::Object(kept.map(|(name, value)| (name.clone(), stripped(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(stripped).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn removes_values_but_keeps_tags() {
        let filter = json!({"all": [
            {"field": "email", "op": "eq", "value": "ada@example.com"},
            {"not": {"field": "tags", "op": "has", "value": "vip"}},
            {"any": [{"field": "first_name", "op": "in", "value": ["Ada", "Eve"]}, {"field": "phone", "op": "exists"}]},
        ]});
        let kept = json!({"all": [
            {"field": "email", "op": "eq"},
            {"not": {"field": "tags", "op": "has", "value": "vip"}},
            {"any": [{"field": "first_name", "op": "in"}, {"field": "phone", "op": "exists"}]},
        ]});
        assert_eq!(without_values(&Audience::Condition(filter.into())), Audience::Condition(kept.into()));
    }
}
