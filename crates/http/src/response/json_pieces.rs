//! Serialization of a JSON value in small pieces.

use std::vec;

use serde_json::{Value, map};

/// A value that is being written. Each piece is one member or element.
pub(crate) struct JsonPieces {
    /// The rest of the open objects and lists.
    open: Vec<Open>,
}

struct Open {
    rest: Rest,
    is_first: bool,
}

enum Rest {
    Object(map::IntoIter),
    List(vec::IntoIter<Value>),
}

impl JsonPieces {
    /// Starts with a value, and appends the text before its first member.
    pub(crate) fn begin(value: Value, text: &mut String) -> Self {
        let mut pieces = Self { open: Vec::new() };
        pieces.write(value, text);
        pieces
    }

    /// Appends the next piece; `false` after the end.
    pub(crate) fn append(&mut self, text: &mut String) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        let next = match &mut open.rest {
            Rest::Object(members) => members.next().map(|(key, value)| (Some(key), value)),
            Rest::List(elements) => elements.next().map(|value| (None, value)),
        };
        let Some((key, value)) = next else {
            text.push(if matches!(open.rest, Rest::Object(_)) { '}' } else { ']' });
            self.open.pop();
            return true;
        };
        if !std::mem::take(&mut open.is_first) {
            text.push(',');
        }
        if let Some(key) = key {
            text.push_str(&Value::String(key).to_string());
            text.push(':');
        }
        self.write(value, text);
        true
    }

    fn write(&mut self, value: Value, text: &mut String) {
        let rest = match value {
            Value::Object(members) => Rest::Object(members.into_iter()),
            Value::Array(elements) => Rest::List(elements.into_iter()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                text.push_str(&value.to_string());
                return;
            }
        };
        text.push(if matches!(rest, Rest::Object(_)) { '{' } else { '[' });
        self.open.push(Open { rest, is_first: true });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn joins_the_pieces_to_the_text_of_the_value() {
        for value in [
            json!(null),
            json!("a \"text\"\n"),
            json!([]),
            json!({}),
            json!({"a": 1, "b": [true, [], {"c": {}}, 1.5], "\"d\"": {"e": null, "f": "x"}}),
        ] {
            let mut text = String::new();
            let mut pieces = JsonPieces::begin(value.clone(), &mut text);
            while pieces.append(&mut text) {}
            assert_eq!(text, value.to_string());
        }
    }
}
