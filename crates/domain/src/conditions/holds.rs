//! Evaluation of conditions.

use serde_json::Value;

use super::clock::Clock;
use super::facts::Facts;
use super::model::{Condition, Leaf, Node, Subject, Test};
use super::operand::Operand;
use super::values::{alike, instant};
use crate::text::fold;

impl Condition {
    /// Whether the facts satisfy the condition.
    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        self.root.holds(facts)
    }
}

impl Node {
    fn holds(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.holds(facts)),
            Self::Any(nodes) => nodes.iter().any(|node| node.holds(facts)),
            Self::Not(node) => !node.holds(facts),
            Self::Leaf(leaf) => leaf.holds(facts),
        }
    }
}

impl Leaf {
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        let clock = facts.clock(&self.subject);
        let passes = match &self.subject {
            Subject::Vars(_) | Subject::Event(_) => {
                facts.untyped(&self.subject).is_some_and(|value| self.test.passes_untyped(value, clock))
            }
            subject => facts.values(subject).iter().any(|value| self.test.passes(value, clock)),
        };
        passes != self.negated
    }
}

impl Test {
    pub(super) fn passes(&self, value: &Operand, clock: Clock) -> bool {
        match (self, value) {
            (Self::Present, _) => true,
            (Self::OneOf(wanted), value) => wanted.contains(value),
            (Self::Within(range), value) => range.holds(value),
            (Self::Contains(part), Operand::Text(text)) => text.contains(part.as_str()),
            (Self::StartsWith(part), Operand::Text(text)) => text.starts_with(part.as_str()),
            (Self::WithinLast(duration), Operand::Date(_)) => clock.last_days(*duration).holds(value),
            (Self::WithinLast(duration), value) => clock.last_instants(*duration).holds(value),
            (Self::Contains(_) | Self::StartsWith(_), _) => false,
        }
    }

    /// Whether an untyped value passes, or any element of a list.
    fn passes_untyped(&self, value: &Value, clock: Clock) -> bool {
        match value {
            Value::Null => false,
            Value::Array(items) => items.iter().any(|item| !item.is_array() && self.passes_untyped(item, clock)),
            value => match self {
                Self::Present => true,
                Self::OneOf(wanted) => wanted.iter().any(|like| alike(value, like).as_ref() == Some(like)),
                Self::Within(range) => {
                    let like = range.from.as_ref().or(range.to.as_ref()).map(|(end, _)| end);
                    like.and_then(|like| alike(value, like)).is_some_and(|value| range.holds(&value))
                }
                Self::Contains(_) | Self::StartsWith(_) => {
                    value.as_str().is_some_and(|text| self.passes(&Operand::Text(fold(text)), clock))
                }
                Self::WithinLast(_) => {
                    let text = value.as_str();
                    let at = text.and_then(|text| instant(text).or_else(|| super::values::date(text)));
                    at.is_some_and(|at| self.passes(&at, clock))
                }
            },
        }
    }
}
