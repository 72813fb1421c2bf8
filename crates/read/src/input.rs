//! A JSON value to read, from a request body or from stored JSON.

use serde_json::{Map, Number, Value};

use super::Json;

/// A JSON value to read: borrowed from the [`Json`] of a body, or from a stored [`Value`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(&'a Number),
    /// A text.
    String(&'a str),
    /// An array.
    Array(Items<'a>),
    /// An object.
    Object(Members<'a>),
}

/// The items of an array. One of the two fields is empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Items<'a> {
    of_tree: &'a [Json],
    of_value: &'a [Value],
}

/// The members of an object, in order. One of the two fields is empty.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Members<'a> {
    of_tree: &'a [(String, Json)],
    of_value: Option<&'a Map<String, Value>>,
}

impl<'a> Input<'a> {
    /// The type with its article, as in "expected a string, got a number".
    pub fn kind(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The text, if it is a string.
    pub fn as_str(self) -> Option<&'a str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The items, if it is an array.
    pub fn as_array(self) -> Option<Items<'a>> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The members, if it is an object.
    pub fn as_object(self) -> Option<Members<'a>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The member with this name, if it is an object and has one.
    pub fn get(self, name: &str) -> Option<Self> {
        self.as_object()?.get(name)
    }

    /// A copy as a [`Value`].
    pub fn to_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(it) => Value::Bool(it),
            Self::Number(it) => Value::Number(it.clone()),
            Self::String(it) => Value::String(it.to_owned()),
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => members.iter().map(|(name, value)| (name.to_owned(), value.to_value())).collect(),
        }
    }
}

impl<'a> From<&'a Json> for Input<'a> {
    fn from(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(it) => Self::Bool(*it),
            Json::Number(it) => Self::Number(it),
            Json::String(it) => Self::String(it),
            Json::Array(items) => Self::Array(Items { of_tree: items, of_value: &[] }),
            Json::Object(object) => Self::Object(Members { of_tree: object.entries(), of_value: None }),
        }
    }
}

impl<'a> From<&'a Value> for Input<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(it) => Self::Bool(*it),
            Value::Number(it) => Self::Number(it),
            Value::String(it) => Self::String(it),
            Value::Array(items) => Self::Array(Items { of_tree: &[], of_value: items }),
            Value::Object(map) => Self::Object(Members { of_tree: &[], of_value: Some(map) }),
        }
    }
}

impl<'a> Items<'a> {
    /// The number of items.
    pub fn len(self) -> usize {
        self.of_tree.len() + self.of_value.len()
    }

    /// Whether the array is empty.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The items in order.
    pub fn iter(self) -> impl Iterator<Item = Input<'a>> {
        self.of_tree.iter().map(Input::from).chain(self.of_value.iter().map(Input::from))
    }
}

impl<'a> Members<'a> {
    /// The number of members.
    pub fn len(self) -> usize {
        self.of_tree.len() + self.of_value.map_or(0, Map::len)
    }

    /// Whether the object is empty.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The members in order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, Input<'a>)> {
        let of_tree = self.of_tree.iter().map(|(name, json)| (name.as_str(), Input::from(json)));
        let of_value = self.of_value.into_iter().flatten().map(|(name, value)| (name.as_str(), Input::from(value)));
        of_tree.chain(of_value)
    }

    /// The names in order.
    pub fn names(self) -> impl Iterator<Item = &'a str> {
        self.iter().map(|(name, _)| name)
    }

    /// The member with this name.
    pub fn get(self, name: &str) -> Option<Input<'a>> {
        match self.of_value {
            Some(map) => map.get(name).map(Input::from),
            None => self.of_tree.iter().find(|(known, _)| known == name).map(|(_, json)| Input::from(json)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn reads_parsed_bodies_and_stored_values_alike() {
        let text = r#"{"b":[null,true,1.5,"x"],"a":{"d":{},"c":[]}}"#;
        let (tree, value) = (parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        for input in [Input::from(&tree.root), Input::from(&value)] {
            assert_eq!(input.to_value().to_string(), text);
            let members = input.as_object().unwrap();
            assert_eq!((members.len(), members.names().collect::<Vec<_>>()), (2, vec!["b", "a"]));
            assert_eq!(input.get("b").and_then(Input::as_array).map(Items::len), Some(4));
            assert_eq!(input.get("a").and_then(|it| it.get("c")).map(Input::kind), Some("an array"));
            assert!(input.get("c").is_none() && input.get("b").unwrap().get("b").is_none());
        }
    }
}
