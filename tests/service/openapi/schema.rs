//! Validates values against the schemas of an OpenAPI 3.1 document. It supports the keywords that the document uses and
//! fails on any other, so no keyword is ignored.

use regex::Regex;
use serde_json::{Map, Value};

/// Keywords that describe a schema and do not restrict values.
const ANNOTATIONS: [&str; 7] =
    ["discriminator", "description", "example", "examples", "default", "title", "deprecated"];

pub struct Document(pub Value);

impl Document {
    /// Resolves a local reference; returns any other part unchanged.
    pub fn resolve<'d>(&'d self, part: &'d Value) -> &'d Value {
        match part.get("$ref").and_then(Value::as_str) {
            None => part,
            Some(reference) => {
                let place =
                    reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} points outside of the document"));
                self.0.pointer(place).unwrap_or_else(|| panic!("{reference} does not exist"))
            }
        }
    }

    /// Returns all differences between a value and a schema. Objects are closed: undocumented members are differences,
    /// unless the schema allows any.
    pub fn differences(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut differences = Vec::new();
        self.check(schema, value, "", &mut differences);
        differences
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
        let open_members = self.check_keywords(schema, value, at, out);
        let (Some(object), Some(known)) = (value.as_object(), open_members) else { return };
        for name in object.keys().filter(|name| !known.contains(name)) {
            out.push(format!("{at}/{name} is not documented"));
        }
    }

    /// Checks everything except undocumented members; returns the documented ones if the schema is an object with
    /// documented members.
    fn check_keywords(&self, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) -> Option<Vec<String>> {
        let schema = match schema {
            Value::Bool(true) => return None,
            Value::Object(schema) => schema,
            other => panic!("{other} is not a schema"),
        };
        let mut known: Option<Vec<String>> = None;
        let mut learn = |members: Option<Vec<String>>| {
            if let Some(members) = members {
                known.get_or_insert_default().extend(members);
            }
        };
        for (keyword, rule) in schema {
            let fits = match keyword.as_str() {
                "$ref" => {
                    learn(self.check_keywords(self.resolve(&Value::Object(schema.clone())), value, at, out));
                    true
                }
                "allOf" => {
                    for part in rule.as_array().unwrap() {
                        learn(self.check_keywords(part, value, at, out));
                    }
                    true
                }
                "oneOf" => {
                    let matching = |part: &&Value| self.differences(part, value).is_empty();
                    rule.as_array().unwrap().iter().filter(matching).count() == 1
                }
                "anyOf" => rule.as_array().unwrap().iter().any(|part| self.differences(part, value).is_empty()),
                "properties" => {
                    let members = rule.as_object().unwrap();
                    for (name, part) in members {
                        if let Some(value) = value.get(name) {
                            self.check(part, value, &format!("{at}/{name}"), out);
                        }
                    }
                    if !schema.contains_key("additionalProperties") {
                        learn(Some(members.keys().cloned().collect()));
                    }
                    true
                }
                "additionalProperties" => self.check_others(schema, rule, value, at, out),
                "propertyNames" => {
                    let names = value.as_object().map(Map::keys).into_iter().flatten();
                    names.cloned().all(|name| self.differences(rule, &Value::String(name)).is_empty())
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}/{index}"), out);
                    }
                    true
                }
                keyword if ANNOTATIONS.contains(&keyword) => true,
                keyword => holds(keyword, rule, value),
            };
            if !fits {
                let text: String = value.to_string().chars().take(200).collect();
                out.push(format!("{at}: {text} is not as {keyword} {rule} says"));
            }
        }
        known
    }

    fn check_others(
        &self,
        schema: &Map<String, Value>,
        rule: &Value,
        value: &Value,
        at: &str,
        out: &mut Vec<String>,
    ) -> bool {
        let is_named = |name: &String| schema.get("properties").is_some_and(|named| named.get(name).is_some());
        let others: Vec<_> = value.as_object().into_iter().flatten().filter(|(name, _)| !is_named(name)).collect();
        if *rule == Value::Bool(false) {
            return others.is_empty();
        }
        for (name, value) in others {
            self.check(rule, value, &format!("{at}/{name}"), out);
        }
        true
    }
}

/// Whether a value satisfies a keyword without subschemas.
fn holds(keyword: &str, rule: &Value, value: &Value) -> bool {
    let bound = || usize::try_from(rule.as_u64().unwrap()).unwrap();
    let length = value.as_str().map(|text| text.chars().count());
    let items = value.as_array().map(Vec::len);
    let members = value.as_object().map(Map::len);
    match keyword {
        "type" => match rule {
            Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind.as_str().unwrap(), value)),
            kind => is_of(kind.as_str().unwrap(), value),
        },
        "enum" => rule.as_array().unwrap().contains(value),
        "required" => {
            members.is_none() || rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
        }
        "minLength" => length.is_none_or(|length| length >= bound()),
        "maxLength" => length.is_none_or(|length| length <= bound()),
        "minItems" => items.is_none_or(|items| items >= bound()),
        "maxItems" => items.is_none_or(|items| items <= bound()),
        "minProperties" => members.is_none_or(|members| members >= bound()),
        "maxProperties" => members.is_none_or(|members| members <= bound()),
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
        "pattern" => value.as_str().is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)),
        "format" => value.as_str().is_none_or(|text| is_formatted(rule.as_str().unwrap(), text)),
        other => panic!("this test does not support the keyword {other}"),
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is not a type"),
    }
}

/// Times must have the form of responses: UTC with milliseconds.
fn is_formatted(format: &str, text: &str) -> bool {
    match format {
        "date-time" => Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").unwrap().is_match(text),
        "email" => text.contains('@'),
        "uri" => text.contains("://"),
        // A hint for forms; every text matches.
        "password" => true,
        other => panic!("this test does not support the format {other}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_each_kind_of_difference() {
        let document = Document(json!({"components": {"schemas": {
            "Tag": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string", "pattern": "^tag_"}, "color": {"type": ["string", "null"]}}},
            "Applied": {"allOf": [{"$ref": "#/components/schemas/Tag"}, {"properties": {"at": {"format": "date-time"}}}]},
            "Any": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
            "Maybe": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Tag"}]},
        }}}));
        let differs = |name: &str, value: Value| {
            !document.differences(&json!({"$ref": format!("#/components/schemas/{name}")}), &value).is_empty()
        };
        assert!(!differs("Tag", json!({"id": "tag_1", "color": null})));
        assert!(differs("Tag", json!({"color": null})), "a required member is missing");
        assert!(differs("Tag", json!({"id": "contact_1"})), "the pattern does not match");
        assert!(differs("Tag", json!({"id": "tag_1", "color": 1})), "the type is wrong");
        assert!(differs("Tag", json!({"id": "tag_1", "colour": null})), "a member is not documented");
        assert!(!differs("Applied", json!({"id": "tag_1", "at": "2026-01-31T09:30:00.000Z"})));
        assert!(differs("Applied", json!({"id": "tag_1", "at": "2026-01-31T09:30:00+00:00"})), "the format is wrong");
        assert!(differs("Applied", json!({"id": "tag_1", "by": 1})), "no part documents the member");
        assert!(!differs("Any", json!({"a": 1})));
        assert!(differs("Any", json!({"a": 0})), "the value is below the minimum");
        assert!(!differs("Maybe", json!(null)) && !differs("Maybe", json!({"id": "tag_1"})));
        assert!(differs("Maybe", json!(1)), "no choice matches");
    }
}
