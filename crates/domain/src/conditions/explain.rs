//! Explanation of a condition's result: its comparisons with the actual values.

use serde::Serialize;
use serde_json::Value;

use super::facts::Facts;
use super::model::{Condition, Leaf, Node, Subject};
use crate::contacts::ContactView;
use crate::conversations::ConversationView;

/// A comparison of a condition, with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Comparison {
    /// The field, such as `custom_fields.plan`.
    pub field: String,
    /// The operator.
    pub op: Option<String>,
    /// The value of the condition; `null` if the operator has no value.
    #[cfg_attr(feature = "openapi", schema(value_type = Object, nullable))]
    pub value: Value,
    /// The actual value; `null` if there was none.
    #[cfg_attr(feature = "openapi", schema(value_type = Object, nullable))]
    pub found: Value,
    /// Whether the comparison matched.
    pub holds: bool,
}

impl Condition {
    /// Lists its comparisons in written order, including those that did not decide the result. `written` is the JSON
    /// that the condition was parsed from; only tag names may differ.
    pub fn explain(&self, written: &Value, facts: &Facts<'_>) -> Vec<Comparison> {
        let mut found = Vec::new();
        self.root.explain(written, facts, &mut found);
        found
    }
}

impl Node {
    fn explain(&self, written: &Value, facts: &Facts<'_>, found: &mut Vec<Comparison>) {
        let inner = |word: &str| written.get(word).unwrap_or(&Value::Null);
        match self {
            Self::All(nodes) => explain_each(nodes, inner("all"), facts, found),
            Self::Any(nodes) => explain_each(nodes, inner("any"), facts, found),
            Self::Not(node) => node.explain(inner("not"), facts, found),
            Self::Leaf(leaf) => found.push(leaf.explain(written, facts)),
        }
    }
}

fn explain_each(nodes: &[Node], written: &Value, facts: &Facts<'_>, found: &mut Vec<Comparison>) {
    for (place, node) in nodes.iter().enumerate() {
        node.explain(written.get(place).unwrap_or(&Value::Null), facts, found);
    }
}

impl Leaf {
    fn explain(&self, written: &Value, facts: &Facts<'_>) -> Comparison {
        let word = |name: &str| written.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        Comparison {
            field: word("field").unwrap_or_else(|| self.subject.name()),
            op: word("op"),
            value: written.get("value").cloned().unwrap_or_default(),
            found: facts.shown(&self.subject),
            holds: self.holds(facts),
        }
    }
}

impl Facts<'_> {
    /// The value of a field as the API shows it.
    fn shown(&self, subject: &Subject) -> Value {
        match subject {
            Subject::Contact(attribute) => member(&ContactView::from(self.contact), attribute.name()),
            Subject::Tags => self.contact.tags.iter().map(|tag| Value::from(tag.name.clone())).collect(),
            Subject::Custom { key, .. } => self.contact.custom_fields.get(key).cloned().unwrap_or_default(),
            Subject::Bot { key, .. } => self.bot_fields.get(key).cloned().unwrap_or_default(),
            Subject::Conversation(attribute) => {
                let of = |it| member(&ConversationView::from(it), attribute.name());
                match self.conversations {
                    [] => Value::Null,
                    [one] => of(one),
                    several => several.iter().map(of).collect(),
                }
            }
            Subject::Vars(_) | Subject::Event(_) => self.untyped(subject).cloned().unwrap_or_default(),
            Subject::Gone => Value::Null,
        }
    }
}

fn member(shown: &impl Serialize, name: &str) -> Value {
    match serde_json::to_value(shown) {
        Ok(Value::Object(mut members)) => members.remove(name).unwrap_or_default(),
        Ok(_) | Err(_) => Value::Null,
    }
}
