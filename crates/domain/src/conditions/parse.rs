//! Reading a condition: all that is wrong with it is said at once.

mod operand;
mod subject;

use serde_json::{Map, Value};

use super::kind::Kind;
use super::model::{Condition, Leaf, MAX_DEPTH, MAX_LEAVES, Node, Subject, Test};
use super::operator::Operator;
use super::vocabulary::Vocabulary;
use crate::error::Violation;
use crate::text::nearest;

/// How many branches one `all` or `any` has, and how many values one `in`.
const MAX_ITEMS: usize = 100;
/// How many violations are told.
const MAX_VIOLATIONS: usize = 100;

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// Everything that is wrong, with pointers relative to the condition: `required`, `not_allowed`,
    /// `unknown_field`, `unknown_operator`, `unknown_tag`, `wrong_type`, `invalid_format`,
    /// `invalid_value`, `invalid_id`, `too_deep`, `too_many`, `too_few`, `too_long`, `blank`.
    pub fn parse(written: &Value, vocabulary: &Vocabulary) -> Result<Self, Vec<Violation>> {
        Self::read(written, vocabulary, false)
    }

    /// Reads a condition that was right when it was stored. Fields, tags and options that are gone
    /// since then have no values; they are no error.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), for all else.
    pub fn parse_stored(written: &Value, vocabulary: &Vocabulary) -> Result<Self, Vec<Violation>> {
        Self::read(written, vocabulary, true)
    }

    fn read(written: &Value, vocabulary: &Vocabulary, stored: bool) -> Result<Self, Vec<Violation>> {
        let mut reader = Reader { vocabulary, stored, leaves: 0, violations: Vec::new() };
        let root = reader.node(written, String::new(), 1);
        if reader.leaves > MAX_LEAVES {
            let message = format!("at most {MAX_LEAVES} comparisons in one condition, got {}", reader.leaves);
            reader.violations.insert(0, Violation::new("", "too_many", message));
            reader.violations.truncate(MAX_VIOLATIONS);
        }
        match root {
            Some(root) if reader.violations.is_empty() => Ok(Self { root, written: written.clone() }),
            _ => Err(reader.violations),
        }
    }
}

struct Reader<'v> {
    vocabulary: &'v Vocabulary,
    stored: bool,
    leaves: usize,
    violations: Vec<Violation>,
}

/// What is wrong with a value, before its place is known.
type Wrong = (&'static str, String);

impl<'v> Reader<'v> {
    /// Notes what is wrong; the value is then missing.
    fn wrong<T>(&mut self, at: impl Into<String>, code: &'static str, message: impl Into<String>) -> Option<T> {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation::new(at, code, message));
        }
        None
    }

    fn node(&mut self, json: &Value, at: String, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return self.wrong(at, "too_deep", format!("conditions nest at most {MAX_DEPTH} levels deep"));
        }
        let Value::Object(object) = json else {
            return self.wrong(at, "wrong_type", format!("expected a condition, an object, got {}", got(json)));
        };
        let groups: Vec<&str> = ["all", "any", "not"].into_iter().filter(|word| object.contains_key(*word)).collect();
        match (groups.as_slice(), object.len()) {
            ([], 0) => self.wrong(at, "required", "expected `all`, `any`, `not`, or `field` and `op`"),
            ([], _) => self.leaf(object, &at).map(Node::Leaf),
            ([group], 1) => self.group(group, object.get(*group)?, format!("{at}/{group}"), depth),
            _ => {
                let others = object.keys().filter(|key| Some(key.as_str()) != groups.first().copied());
                let others: Vec<String> = others.map(|key| key_pointer(&at, key)).collect();
                for other in others {
                    let message = "an object has either `all`, or `any`, or `not`, or `field`, `op` and `value`";
                    self.wrong::<()>(other, "not_allowed", message);
                }
                None
            }
        }
    }

    fn group(&mut self, word: &str, json: &Value, at: String, depth: usize) -> Option<Node> {
        if word == "not" {
            return self.node(json, at, depth + 1).map(|node| Node::Not(Box::new(node)));
        }
        let Value::Array(items) = json else {
            return self.wrong(at, "wrong_type", format!("expected an array of conditions, got {}", got(json)));
        };
        if items.len() > MAX_ITEMS {
            return self.wrong(at, "too_many", format!("at most {MAX_ITEMS}"));
        }
        let nodes: Vec<Option<Node>> =
            items.iter().enumerate().map(|(place, item)| self.node(item, format!("{at}/{place}"), depth + 1)).collect();
        let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
        Some(if word == "all" { Node::All(nodes) } else { Node::Any(nodes) })
    }

    fn leaf(&mut self, object: &Map<String, Value>, at: &str) -> Option<Leaf> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return None;
        }
        const KNOWN: [&str; 6] = ["field", "op", "value", "all", "any", "not"];
        for key in object.keys().filter(|key| !["field", "op", "value"].contains(&key.as_str())) {
            let message = format!("unknown field{}", meant(key, KNOWN));
            self.wrong::<()>(key_pointer(at, key), "unknown_field", message);
        }
        let subject = self.word(object, at, "field").and_then(|name| self.subject(name, format!("{at}/field")));
        let operator = self.word(object, at, "op").and_then(|word| self.operator(word, at));
        let ((subject, kind), operator) = (subject?, operator?);
        let negated = operator.is_negative();
        if subject == Subject::Gone {
            return Some(Leaf { subject, negated, test: Test::Present });
        }
        if !kind.operators().contains(&operator) {
            let known: Vec<&str> = kind.operators().iter().map(|it| it.as_str()).collect();
            let (word, kind) = (operator.as_str(), kind.words());
            let message = format!("`{word}` does not fit the type `{kind}`, which takes `{}`", known.join("`, `"));
            return self.wrong(format!("{at}/op"), "unknown_operator", message);
        }
        let test = self.test(kind, operator, object.get("value"), &format!("{at}/value"))?;
        Some(Leaf { subject, negated, test })
    }

    /// The text in a member that must be there.
    fn word<'o>(&mut self, object: &'o Map<String, Value>, at: &str, name: &str) -> Option<&'o str> {
        match object.get(name) {
            None => self.wrong(format!("{at}/{name}"), "required", "is required"),
            Some(Value::String(text)) => Some(text),
            Some(other) => {
                self.wrong(format!("{at}/{name}"), "wrong_type", format!("expected a string, got {}", got(other)))
            }
        }
    }

    fn operator(&mut self, word: &str, at: &str) -> Option<Operator> {
        let operator = Operator::parse(word);
        if operator.is_none() {
            let hint = meant(word, Operator::WORDS.iter().copied());
            let known = Operator::WORDS.join("`, `");
            let message = format!("unknown operator{hint}; there are `{known}`");
            return self.wrong(format!("{at}/op"), "unknown_operator", message);
        }
        operator
    }

    fn test(&mut self, kind: Kind<'v>, operator: Operator, value: Option<&Value>, at: &str) -> Option<Test> {
        let value = match (operator.is_unary(), value) {
            (true, None | Some(Value::Null)) => return Some(Test::Present),
            (true, Some(_)) => {
                let message = format!("`{}` takes no value", operator.as_str());
                return self.wrong(at, "not_allowed", message);
            }
            (false, None) => return self.wrong(at, "required", "is required"),
            (false, Some(Value::Null)) => {
                let message = "must not be null; `exists` and `not_exists` ask whether there is a value";
                return self.wrong(at, "null_not_allowed", message);
            }
            (false, Some(value)) => value,
        };
        let tried = match operator {
            Operator::In | Operator::NotIn => return self.one_of(kind, value, at),
            Operator::Between => return self.between(kind, value, at),
            Operator::Contains | Operator::StartsWith => operand::part(kind, operator, value),
            Operator::WithinLast => operand::duration(value),
            Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte | Operator::Before | Operator::After => {
                operand::ordered(kind, value).map(|end| operand::half(operator, end))
            }
            _ => self.operand(kind, value).map(|operand| Test::OneOf(operand.into_iter().collect())),
        };
        tried.or_else(|(code, message)| self.wrong(at, code, message).ok_or(())).ok()
    }
}

/// What a value is, for people.
fn got(json: &Value) -> &'static str {
    match json {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn wrong_type(expected: &str, json: &Value) -> Wrong {
    ("wrong_type", format!("expected {expected}, got {}", got(json)))
}

/// `; did you mean …?`, where a name is near.
fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(name, known);
    if near.is_empty() { String::new() } else { format!("; did you mean `{}`?", near.join("` or `")) }
}

/// The pointer to a member, escaped (RFC 6901, section 3).
fn key_pointer(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}
