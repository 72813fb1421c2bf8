use serde_json::{Map, Value, json};

use super::channel_type::{ConfigField, Shape};

/// Returns the JSON Schema 2020-12 of an object with these members. The panel generates its form from it.
pub fn schema_of(fields: &[ConfigField]) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    if let Value::Object(members) = object_of(fields) {
        schema.extend(members);
    }
    Value::Object(schema)
}

fn object_of(fields: &[ConfigField]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|field| (field.name.to_owned(), property(field))).collect();
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(field: &ConfigField) -> Value {
    let mut property = match field.shape {
        Shape::Text { least, most } | Shape::GeneratedText { least, most } => {
            json!({"type": "string", "minLength": least, "maxLength": most})
        }
        Shape::Host { most } => json!({"type": "string", "minLength": 1, "maxLength": most}),
        Shape::Url { most } => json!({"type": "string", "format": "uri", "minLength": 1, "maxLength": most}),
        Shape::Integer { least, most } => json!({"type": "integer", "minimum": least, "maximum": most}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::Choice(words) => json!({"type": "string", "enum": words}),
        Shape::Object(members) => object_of(members),
    };
    if let Value::Object(members) = &mut property {
        members.insert("title".to_owned(), field.title.into());
        members.insert("description".to_owned(), field.description.into());
        let example = field.example.and_then(|example| serde_json::from_str::<Value>(example).ok());
        members.extend(example.map(|example| ("examples".to_owned(), json!([example]))));
    }
    property
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: ConfigField = ConfigField {
        name: "url",
        title: "URL",
        description: "Receives the messages.",
        shape: Shape::Url { most: 2_048 },
        required: true,
        fixed: false,
        private: true,
        verifies: false,
        example: Some(r#""https://example.com""#),
    };
    const MODE: ConfigField =
        ConfigField { name: "mode", shape: Shape::Choice(&["a", "b"]), required: false, example: None, ..URL };
    static MEMBERS: [ConfigField; 2] = [URL, MODE];

    #[test]
    fn describes_each_member() {
        let (url, mode) = (URL, MODE);
        let both = ConfigField { name: "both", shape: Shape::Object(&MEMBERS), ..url };
        let schema = schema_of(&[both]);
        let members = schema_of(&MEMBERS);
        assert_eq!(schema["properties"]["both"]["properties"], members["properties"]);
        assert_eq!(schema["properties"]["both"]["required"], json!(["url"]));
        let schema = schema_of(&[url, mode]);
        let expected = json!({
            "type": "string", "format": "uri", "minLength": 1, "maxLength": 2_048, "title": "URL",
            "description": "Receives the messages.", "examples": ["https://example.com"],
        });
        assert_eq!((&schema["properties"]["url"], &schema["required"]), (&expected, &json!(["url"])));
        assert_eq!(schema["properties"]["mode"]["enum"], json!(["a", "b"]));
        assert_eq!(schema_of(&[])["properties"], json!({}));
    }
}
